"""Facts that no deal can have are refused with the reason; those of true deals never."""

from typing import Any

import pytest
from support.every_game import rules_of

from tarot_env import TarotError
from tarot_env.errors import ImpossibleFacts
from tarot_env.score_sheet import score_deal
from tarot_env.score_sheet.calculator import parse_facts
from tarot_env.score_sheet.limits import check_possible


def lines(game: str, options: dict[str, Any] | None = None, **given: Any) -> list[str]:
    """The sheet of a garde with two oudlers and 49 points, unless said otherwise."""
    told = {"bid": "garde", "points": 49, "oudlers": 2} | given
    return list(score_deal(rules_of(game, **(options or {})), **told).lines)


IMPOSSIBLE: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    # numbers
    ("4", {}, {"points": 91.5}, "the cards of a deal are worth 0 to 91 points"),
    ("4", {}, {"points": -1}, "0 to 91"),
    ("4", {}, {"points": 40.25}, "card points are whole or end in .5"),
    ("4", {}, {"points": float("nan")}, "give a number"),
    ("4", {}, {"points": float("inf")}, "give a number"),
    ("4", {}, {"oudlers": 4}, "oudlers 4; there are three"),
    ("4", {}, {"oudlers": -1}, "oudlers -1; there are three"),
    # half points
    ("4", {}, {"points": 40.5}, "tricks of 4 cards and 6 in the chien make whole points"),
    ("4", {"half_point": "taker"}, {"points": 40.5}, "whole points"),
    ("4", {"excuse_last_trick": "trick_winner"}, {"points": 40.5}, "whole points"),
    ("mort", {}, {"points": 40.5, "dealer": 1}, "whole points"),
    ("6", {}, {"points": 40.5}, "tricks of 6 cards"),
    ("decouverte", {}, {"points": 40.5}, "tricks of 2 cards"),
    ("tirette", {}, {"points": 40.5}, "tricks of 2 cards"),
    # seats
    ("4", {}, {"taker": 4}, "taker 4; allowed: seats 0 to 3"),
    ("4", {}, {"taker": -1}, "taker -1; allowed: seats 0 to 3"),
    ("dummy", {}, {"taker": 2}, "seats 0 to 1"),
    ("mort", {}, {}, "name the dealer"),
    ("mort", {}, {"dealer": 5}, "dealer 5; allowed: seats 0 to 4"),
    ("mort", {}, {"dealer": 0}, "taker 0; the dealer sits out"),
    ("4", {}, {"dealer": 4}, "dealer 4; allowed: seats 0 to 3"),
    ("5", {}, {}, "name the taker's partner"),
    ("5", {}, {"partner": 0}, "partner 0 is the taker"),
    ("5", {}, {"partner": 5}, "partner 5; allowed: seats 0 to 4"),
    ("5", {}, {"partner": "nobody"}, "give a seat or 'alone'"),
    ("4", {}, {"partner": 2}, "partner 2; the taker is alone in the game of four players"),
    ("mort", {}, {"dealer": 1, "partner": 2}, "the taker is alone"),
    ("6", {}, {"partner": 1}, "the taker's partner is seat 3"),
    ("6", {}, {"partner": "alone"}, "the taker's partner is seat 3"),
    # names and what a game or its rules lack
    ("4", {}, {"bid": "grade"}, "did you mean 'garde'"),
    ("4", {}, {"bid": "pousse"}, "unknown contract 'pousse'"),
    ("4", {"with_petite": False}, {"bid": "petite"}, "unknown contract 'petite'"),
    ("6", {}, {"bid": "petite"}, "with six players it is a signal"),
    ("6", {}, {"bid": "pousse"}, "with six players it is a signal"),
    ("4", {}, {"poignees": ["attack"]}, "write who showed it and what"),
    ("4", {}, {"poignees": ["atack:poignee"]}, "did you mean 'attack'"),
    ("4", {}, {"poignees": ["attack:single"]}, "unknown poignée 'single'"),
    ("4", {}, {"poignees": ["attack:poignee"] * 2}, "2 poignées of the attack, which has one hand"),
    (
        "4",
        {},
        {"poignees": ["defence:poignee"] * 4},
        "4 poignées of the defence, which has 3 hands",
    ),
    ("4", {}, {"poignees": ["attack:double_poignee", "defence:double_poignee"]}, "26 trumps"),
    ("mort", {}, {"dealer": 1, "poignees": ["defence:poignee"] * 4}, "which has 3 hands"),
    ("5", {}, {"partner": 1, "poignees": ["attack:poignee"] * 3}, "which has 2 hands"),
    ("tirette", {}, {"poignees": ["attack:poignee"]}, "no poignées with two players, La Tirette"),
    ("4", {}, {"petit_au_bout": "taker"}, "unknown side of the petit au bout"),
    ("4", {}, {"chelem": "made"}, "unknown slam 'made'"),
    ("4", {}, {"chelem": "failed", "chelem_by": "defense"}, "did you mean 'defence'"),
    ("4", {}, {"misere": [1]}, "these rules have no misère"),
    ("6", {}, {"misere": [1]}, "these rules have no misère"),
    ("4", {"misere": True}, {"misere": [4]}, "misère of 4; allowed: seats 0 to 3"),
    ("4", {"misere": True}, {"misere": [1, 1]}, "a seat declares a misère once"),
    ("mort", {"misere": True}, {"dealer": 1, "misere": [1]}, "the dealer sits out"),
    ("4", {}, {"contra": 2}, "only six players in three partnerships contra a bid"),
    ("6", {}, {"contra": 3}, "contra 3; allowed: 1, 2 for a contra, 4 for a recontra"),
    ("4", {}, {"petit_chelem": "announced"}, "these rules have no petit chelem"),
    ("tirette", {}, {"petit_chelem": "announced"}, "these rules have no petit chelem"),
    ("4", {"petit_chelem": True}, {"petit_chelem": "made"}, "unknown petit chelem 'made'"),
    # announcements that contradict each other
    ("4", {}, {"chelem": "announced", "chelem_by": "defence"}, "only the taker announces a slam"),
    ("4", {}, {"chelem_by": "defence"}, "a slam of the defence: say"),
    *(
        ("4", {"petit_chelem": True}, {"chelem": chelem, "petit_chelem": small, "points": 87}, why)
        for chelem, small, why in (
            ("announced", "announced", "a slam or a petit chelem, never both"),
            ("failed", "failed", "a slam or a petit chelem, never both"),
            ("unannounced", "failed", "failed, but the attack took every trick"),
        )
    ),
    (
        "4",
        {"petit_chelem": True},
        {"chelem": "unannounced", "chelem_by": "defence", "petit_chelem": "unannounced"},
        "a petit chelem, but the defence took every trick",
    ),
    # petit au bout
    ("4", {}, {"petit_au_bout": "attack", "oudlers": 0}, "the petit would be in its pile"),
    ("4", {}, {"petit_au_bout": "defence", "oudlers": 3}, "the petit would be with the defence"),
    (
        "4",
        {},
        {"petit_au_bout": "defence", "chelem": "unannounced", "points": 87},
        "petit au bout of the defence, but the attack took every trick",
    ),
    (
        "4",
        {},
        {
            "petit_au_bout": "attack",
            "chelem": "unannounced",
            "chelem_by": "defence",
            "points": 8,
            "oudlers": 1,
        },
        "petit au bout of the attack, but the defence took every trick",
    ),
]


@pytest.mark.parametrize(("game", "options", "given", "why"), IMPOSSIBLE)
def test_impossible_facts(
    game: str, options: dict[str, Any], given: dict[str, Any], why: str
) -> None:
    with pytest.raises(TarotError) as caught:
        lines(game, options, **given)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "given",
    [
        {"points": "49"},
        {"points": None},
        {"oudlers": 2.0},
        {"oudlers": "2"},
        {"bid": None},
        {"bid": 3},
        {"taker": 1.0},
        {"taker": "1"},
        {"partner": 1.5},
        {"partner": ["alone"]},
        {"dealer": "0"},
        {"poignees": [("attack", "poignee")]},
        {"petit_au_bout": 1},
        {"petit_au_bout": ["attack"]},
        {"chelem": True},
        {"chelem": "failed", "chelem_by": None},
        {"petit_chelem": ["failed"]},
        {"misere": ["1"]},
        {"misere": [1.0]},
        {"contra": 2.0},
        {"contra": "2"},
    ],
)
def test_facts_of_the_wrong_type(
    given: dict[str, Any], wrong_type_error: tuple[type[Exception], ...]
) -> None:
    with pytest.raises(wrong_type_error):
        lines("5", {"misere": True, "petit_chelem": True}, **({"partner": 1} | given))


def test_true_and_false_are_no_numbers() -> None:
    for given in ({"points": True}, {"oudlers": True}, {"taker": False}, {"contra": True}):
        with pytest.raises(TarotError):
            lines("4", **given)


def limits(game: str = "4", options: dict[str, Any] | None = None, **given: Any) -> list[float]:
    """All points that the sheet believes, beside the other facts."""
    rules = rules_of(game, **(options or {}))
    if game == "5":
        given = {"partner": "alone"} | given
    believed = []
    for half in range(183):
        facts = parse_facts(rules, **({"bid": "garde"} | given), points=half / 2)
        try:
            check_possible(facts, rules)
        except ImpossibleFacts:
            continue
        believed.append(half / 2)
    return believed


def ends(points: list[float]) -> tuple[float, float, int]:
    """First, last and how many."""
    return points[0], points[-1], len(points)


BY_DEFENCE = {"chelem": "unannounced", "chelem_by": "defence"}
ALL_TRICKS = {"chelem": "unannounced"}


@pytest.mark.parametrize(
    ("oudlers", "least", "most"), [(0, 5, 78), (1, 9, 82), (2, 13, 86), (3, 17, 89)]
)
def test_points_of_a_pile(oudlers: int, least: int, most: int) -> None:
    """An écart and a trick are ten cards, an oudler counts 4 more than another.

    At most 91 less 4.5 for each missing oudler, half a point more where the Excuse was paid for.
    """
    assert limits(oudlers=oudlers) == list(range(least, most + 1))


def test_points_of_a_pile_where_half_points_are() -> None:
    assert ends(limits("3", oudlers=0)) == (4.5, 78, 148)
    assert ends(limits("3", oudlers=2)) == (12.5, 86.5, 149)
    assert ends(limits("5", oudlers=0)) == (4, 78, 149)
    assert ends(limits("dummy", oudlers=3)) == (16.5, 89.5, 147)
    loose = {"excuse_last_trick_refund": False}
    assert ends(limits(options=loose, oudlers=0)) == (4.5, 78, 148)
    assert limits(options=loose, oudlers=3)[0] == 17


def test_points_of_a_pile_without_or_against_the_chien() -> None:
    assert ends(limits(bid="garde_sans", oudlers=3)) == (17, 89, 73)
    assert ends(limits(bid="garde_contre", oudlers=0)) == (2, 76, 75)
    assert ends(limits(bid="garde_contre", oudlers=3)) == (14, 86, 73)


def test_who_has_the_petit_decides_who_may_have_paid_for_the_excuse() -> None:
    """With one oudler that is the petit, the Excuse is the defence's, who may have paid."""
    assert ends(limits("3", oudlers=1, petit_au_bout="attack")) == (8.5, 82.5, 149)
    assert ends(limits("3", oudlers=2, petit_au_bout="defence")) == (12.5, 86, 148)


@pytest.mark.parametrize("bid", ["petite", "garde", "garde_sans"])
@pytest.mark.parametrize("game", ["3", "4", "5"])
def test_points_after_a_slam(game: str, bid: str) -> None:
    """All cards, or all but an Excuse that the defence kept."""
    assert limits(game, bid=bid, oudlers=3, **ALL_TRICKS) == [91]
    assert limits(game, bid=bid, oudlers=2, **ALL_TRICKS) == [87]
    assert limits(game, bid=bid, oudlers=1, **ALL_TRICKS) == []
    assert limits(game, bid=bid, oudlers=0, **ALL_TRICKS) == []


def test_points_after_a_slam_against_the_chien() -> None:
    """33: all cards but the chien, which may hold oudlers and kings."""
    found = [
        ends(limits(bid="garde_contre", oudlers=oudlers, **ALL_TRICKS)) for oudlers in (3, 2, 1, 0)
    ]
    assert found == [(66, 88, 23), (62, 84, 23), (61, 80, 20), (60, 76, 17)]
    five = ends(limits("5", bid="garde_contre", oudlers=3, **ALL_TRICKS))
    assert five == (77.5, 89.5, 13)
    last = limits(bid="garde_contre", oudlers=0, petit_au_bout="attack", **ALL_TRICKS)
    assert last == []


def test_a_slam_whose_excuse_was_lost_for_nothing() -> None:
    """The partner wins the last trick, the Excuse goes over, and nothing comes back."""
    options = {"excuse_last_trick_refund": False, "excuse_wins_slam_trick": "led_only"}
    assert limits("5", options, oudlers=2, partner=1, **ALL_TRICKS) == [86.5, 87]
    assert limits("5", options, oudlers=2, **ALL_TRICKS) == [87]


def test_points_after_a_slam_of_the_defence() -> None:
    """No more than the écart or the own chien, and an Excuse at 4."""
    assert ends(limits(oudlers=0, **BY_DEFENCE)) == (3, 19, 17)
    assert ends(limits(oudlers=1, **BY_DEFENCE)) == (7, 23, 17)
    assert limits(oudlers=2, **BY_DEFENCE) == []
    assert ends(limits("5", oudlers=0, **BY_DEFENCE)) == (1.5, 10.5, 10)
    assert limits(bid="garde_contre", oudlers=0, **BY_DEFENCE) == [0]
    assert limits(bid="garde_contre", oudlers=1, **BY_DEFENCE) == [4]
    assert limits(bid="garde_contre", oudlers=2, **BY_DEFENCE) == []
    assert ends(limits(bid="garde_sans", oudlers=0, **BY_DEFENCE)) == (3, 25, 23)
    assert ends(limits(bid="garde_sans", oudlers=3, **BY_DEFENCE)) == (15, 31, 17)
    given = {"bid": "garde_sans", "oudlers": 3, "petit_au_bout": "defence"}
    with pytest.raises(ImpossibleFacts):
        lines("4", points=20, **given, **BY_DEFENCE)


def test_points_where_nobody_can_take_the_petit() -> None:
    options = {"petit_sec": "imprenable"}
    assert limits(options=options, oudlers=2, **ALL_TRICKS) == [87]
    assert limits(options=options, oudlers=1, **ALL_TRICKS) == [83]
    assert ends(limits(options=options, oudlers=1, **BY_DEFENCE)) == (7, 23, 17)
    assert limits(options=options, oudlers=2, **BY_DEFENCE) == []
    both = limits("5", options, oudlers=2, partner=1, **BY_DEFENCE)
    assert ends(both) == (9.5, 18.5, 10)
    assert lines("4", options, oudlers=0, points=40, petit_au_bout="attack")
    assert lines("4", options, oudlers=3, points=40, petit_au_bout="defence")


def test_points_and_the_petit_chelem() -> None:
    """All tricks but three: few cards are left to the defence; else it has four tricks or more."""
    options = {"petit_chelem": True}
    assert limits(options=options, oudlers=3)[-1] == 83
    assert limits(options=options, oudlers=3, petit_chelem="failed")[-1] == 83
    assert limits(options=options, oudlers=3, chelem="failed")[-1] == 89
    made = limits(options=options, oudlers=3, petit_chelem="unannounced")
    assert (made[0], made[-1]) == (48, 89)
    announced = limits(options=options, oudlers=3, petit_chelem="announced")
    assert announced == [*made, 91]


REFUSED: list[tuple[dict[str, Any], str]] = [
    (
        {"points": 90, "oudlers": 3},
        "90 points with 3 oudlers: the defence has a trick unless a slam was made, so the attack "
        "has 89 at most",
    ),
    (
        {"points": 88, "oudlers": 2},
        "88 points with 2 oudlers: the defence has the other oudler and a trick unless a slam was "
        "made, so the attack has 86 at most",
    ),
    (
        {"points": 80, "oudlers": 0, "bid": "garde_contre"},
        "80 points with 0 oudlers: the defence has the chien, the other oudlers and a trick unless "
        "a slam was made, so the attack has 76 at most",
    ),
    (
        {"points": 4, "oudlers": 1},
        "4 points with 1 oudler: with the écart, its oudlers and a trick the attack has 9 at least",
    ),
    (
        {"points": 4, "oudlers": 0, "bid": "garde_sans"},
        "4 points with 0 oudlers: with the chien, a trick the attack has 5 at least",
    ),
    (
        {"points": 62, "chelem": "unannounced"},
        "62 points with 2 oudlers: the attack took every trick, and all cards make 87",
    ),
    (
        {"points": 87, "oudlers": 1, "chelem": "announced"},
        "87 points with 1 oudler: the attack took every trick and can lack no oudler but the "
        "Excuse",
    ),
    (
        {"points": 91, "bid": "garde_contre", "oudlers": 3, "chelem": "announced"},
        "91 points with 3 oudlers: the attack took every trick, and all cards but the chien make "
        "66, 67 .. 88",
    ),
    (
        {"points": 24, "oudlers": 1, **BY_DEFENCE},
        "24 points with 1 oudler: the attack took no trick, so it has 7, 8 .. 23 points",
    ),
    (
        {"points": 24, "oudlers": 2, **BY_DEFENCE},
        "24 points with 2 oudlers: the attack took no trick and can have no oudler but the Excuse",
    ),
]


def test_refused_half_points_after_a_slam() -> None:
    """An écart of three cards is worth half a point and more, never a whole number."""
    with pytest.raises(ImpossibleFacts, match=r"so it has 1\.5, 2\.5 \.\. 10\.5 points"):
        lines("5", partner=1, points=3, oudlers=0, **BY_DEFENCE)
    with pytest.raises(ImpossibleFacts, match=r"so it has 4 points"):
        lines("5", partner=1, points=3, oudlers=1, bid="garde_contre", **BY_DEFENCE)


@pytest.mark.parametrize(("given", "sentence"), REFUSED)
def test_refused_points_say_why(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ImpossibleFacts) as caught:
        lines("4", **given)
    assert str(caught.value) == sentence


def test_refused_points_name_the_petit_chelem() -> None:
    options = {"petit_chelem": True}
    with pytest.raises(ImpossibleFacts, match="four tricks unless a petit chelem was made"):
        lines("4", options, points=84, oudlers=3)
    with pytest.raises(ImpossibleFacts, match="with all tricks but three the attack has 48 at"):
        lines("4", options, points=40, oudlers=3, petit_chelem="unannounced")


def test_a_poignee_and_a_double_poignee_are_believed() -> None:
    """40, though they need 23 trumps of four players."""
    both = ["attack:poignee", "defence:double_poignee"]
    assert lines("4", points=51, oudlers=1, poignees=both)[2:6] == [
        "contract (25 + 0) x 2 = +50",
        "poignée shown by the attack +20",
        "double poignée shown by the defence +30",
        "each defender pays 100",
    ]


def test_what_is_true_but_needless_is_accepted() -> None:
    assert lines("4", partner="alone", dealer=2, contra=1) == lines("4")
    assert lines("6", partner=3) == lines("6")
