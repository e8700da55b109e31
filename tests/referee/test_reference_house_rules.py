"""The referee's house rules.

Petit chelem, misère, a petit that nobody can take, rounding (RULES.md 7.2, 7.8, 8.6, 11.8).
"""

from typing import Any

import pytest
from reference import Referee, score_deal
from reference.announcements import misere_of
from reference.by_hand import (
    FIVE,
    MORT,
    at_phase,
    contracted,
    outcome,
    play_out,
    say,
    suit,
    trumps,
    winners,
    written,
)
from reference.cards import legal_cards
from reference.deals import NamedDeal

# Misère.


@pytest.mark.parametrize(
    ("hand", "lacks"),
    [
        ("S1 SJ EX", ("trumps",)),
        ("S1 T4", ("courts",)),
        ("S1 S10 EX", ("trumps", "courts")),
        ("SJ T1", ()),
    ],
)
def test_what_makes_a_misere(hand: str, lacks: tuple[str, ...]) -> None:
    assert misere_of(hand.split()) == lacks


# Seat 0 has trumps only, seats 1 and 2 suits with courts, seat 3 a trump and a court card.
LACKING = written({0: trumps(21, 4), 3: "T1 SK ..."}, chien="EX T2 T3 ...")


def test_misere_is_asked_before_the_first_card() -> None:
    """Before the handful; who declines leaves no trace."""
    referee = say(contracted(LACKING, "garde_sans", {"misere": True}), "pass")
    assert (referee.phase, referee.seat, referee.legal()) == ("MISERE", 0, ["pass", "misere"])
    say(referee, "misere")
    assert referee.history == [(0, "pass"), (0, "misere")]
    assert (referee.phase, referee.seat) == ("POIGNEE", 0)
    say(referee, "pass T21")
    assert (referee.phase, referee.seat) == ("MISERE", 1)
    say(referee, "pass")
    assert (referee.phase, referee.seat) == ("PLAY", 1)
    assert referee.history[-1] == (0, "T21")
    referee.apply(referee.legal()[0])
    assert (referee.phase, referee.seat) == ("MISERE", 2)
    say(referee, "misere")
    referee.apply(referee.legal()[0])
    assert (referee.phase, referee.seat) == ("PLAY", 3)
    assert referee.miseres == {0: ("courts",), 2: ("trumps",)}


def test_misere_of_the_taker_is_that_of_his_hand_after_the_ecart() -> None:
    """He takes court cards out of the chien and sets them aside."""
    deal = written({0: f"{trumps(21, 5)} S1"}, chien="SQ SN SJ S2 S3 S4")
    for kept, asked in (("S1", True), ("SJ", False)):
        referee = contracted(deal, "garde", {"misere": True})
        plain = ["SQ", "SN", "SJ", "S1", "S2", "S3", "S4"]
        say(referee, " ".join(card for card in plain if card != kept) + " pass")
        assert (referee.phase == "MISERE") == asked


def test_misere_with_announcements_before_the_first_trick() -> None:
    """Seat by seat from the leader, each with all its questions."""
    options = {"misere": True, "poignee_window": "before_first_trick"}
    deal = {**LACKING, "dealer": 0}
    referee = say(contracted(deal, "garde_sans", options), "pass")
    asked = []
    while referee.phase != "PLAY":
        asked.append((referee.seat, referee.phase))
        referee.apply("pass")
    assert asked == [(1, "MISERE"), (2, "MISERE"), (0, "MISERE"), (0, "POIGNEE")]
    assert (referee.seat, referee.history) == (1, [(0, "pass")])


def test_misere_pays_beside_the_contract() -> None:
    """Seat 0 takes everything: 520 from each. Seats 0 and 1 declare."""
    referee = contracted(LACKING, "garde_sans", {"misere": True})
    play_out(say(referee, "pass misere pass T21 misere"))
    assert (referee.slam, referee.attack_half, referee.oudlers) == (1, 182, 3)
    assert referee.scores_half == [2 * (1560 + 20), 2 * (-520 + 20), *[2 * (-520 - 20)] * 2]


def made_by_none(**facts: Any) -> list[float]:
    """A petite of seat 0 that is exactly made, in points."""
    found = score_deal(bid="petite", taker=0, oudlers=1, attack_half=102, **facts)
    return [half / 2 for half in found]


@pytest.mark.parametrize(
    ("facts", "scores"),
    [
        pytest.param({"players": 3}, [50 - 10, -25 + 20, -25 - 10], id="three"),
        pytest.param({"players": 5, "partner": 1}, [40, 65, -35, -35, -35], id="five"),
        pytest.param({"game": "mort", "dealer": 4}, [65, 5, -35, -35, 0], id="dead hand"),
    ],
)
def test_misere_by_game(facts: dict[str, Any], scores: list[float]) -> None:
    """Declared by seat 1: ten from each other seat, but not from a dead hand."""
    assert made_by_none(miseres=[1], **facts) == scores


# Petit chelem.


@pytest.mark.parametrize(
    ("facts", "points"),
    [
        pytest.param({"petit_chelem": True}, 150, id="unannounced"),
        pytest.param({"petit_chelem": True, "petit_chelem_announced": True}, 300, id="announced"),
        pytest.param({"petit_chelem_announced": True}, -150, id="failed"),
        pytest.param(
            {"petit_chelem": True, "petit_chelem_announced": True, "slam": 1}, 300, id="all tricks"
        ),
        pytest.param({"petit_chelem": True, "slam": 1}, 200, id="slam unannounced"),
        pytest.param({"petit_chelem": True, "slam": 1, "slam_announced": True}, 400, id="slam"),
        pytest.param({"petit_chelem": True, "slam_announced": True}, -200, id="slam failed"),
        pytest.param({"petit_chelem_announced": True, "slam": -1}, -350, id="and the defence's"),
        pytest.param({}, 0, id="neither"),
    ],
)
def test_petit_chelem_scores(facts: dict[str, Any], points: int) -> None:
    """On a garde made by five: unmultiplied, beside (25 + 5) * 2."""
    common = {"bid": "garde", "taker": 0, "oudlers": 1, "attack_half": 112}
    scores = score_deal(**common, **facts, options={"petit_chelem": True})
    assert scores[1] == -2 * (60 + points)


@pytest.mark.parametrize(("lowest", "losers", "won"), [(7, "C1 C2 C3", 15), (8, "C1 C2 C3 C4", 14)])
@pytest.mark.parametrize("option", [True, False])
@pytest.mark.parametrize("announced", [True, False])
def test_petit_chelem_in_a_whole_deal(
    lowest: int, losers: str, won: int, option: bool, announced: bool
) -> None:
    """Fifteen tricks of eighteen are enough; seat 3 keeps the high clubs for the last ones."""
    if announced and not option:
        return
    deal = written({0: f"{trumps(21, lowest)} {losers}"}, chien="EX ...")
    referee = contracted(deal, "garde_sans", {"petit_chelem": option})
    assert referee.legal() == ["pass", "chelem", *(["petit_chelem"] if option else [])]
    play_out(referee, slam="petit_chelem" if announced else "pass")
    assert winners(referee).count(0) == won
    assert referee.petit_chelem_announced == announced
    plain = outcome(deal, "garde_sans")
    extra = (300 if announced else 150) if won == 15 else -150 if announced else 0
    extra = extra if option else 0
    assert referee.scores_half[0] == plain.scores_half[0] + 3 * 2 * extra


def test_petit_chelem_leaves_the_lead() -> None:
    options = {"petit_chelem": True, "petit_sec": "off"}
    referee = Referee(**written(dealer=0), options=options, forced=(3, "garde_sans"))
    assert at_phase(say(referee, "petit_chelem"), "PLAY").seat == 1


def test_petit_chelem_counts_tricks_of_the_partner() -> None:
    """Fifteen tricks at five: twelve are enough. The partner wins thirteen and loses two."""
    deal = written(
        {1: f"{trumps(21, 10)} SK C3 C4", 0: f"{suit('D', '1 2 3 4 5 6 7 8 9 10')} ..."},
        chien="EX C1 C2",
        dealer=0,
        game=FIVE,
    )
    options = {"petit_chelem": True}
    referee = play_out(say(contracted(deal, "garde_sans", options), "SK"))
    assert winners(referee)[:13] == [1] * 13
    assert winners(referee).count(1) == 13
    plain = play_out(say(contracted(deal, "garde_sans"), "SK"))
    assert referee.scores_half[2] == plain.scores_half[2] - 2 * 150


# Imprenable.


@pytest.mark.parametrize(
    ("hand", "table", "legal"),
    [
        pytest.param("T1 S1 H2", "H9 T5", "T1 H2", id="at any time, though it could follow"),
        pytest.param("T1 S1 D2", "H9", "T1 S1 D2", id="never compulsory, void"),
        pytest.param("T1 S1 D2", "T9", "T1 S1 D2", id="never compulsory on trumps"),
        pytest.param("T1 S1", "", "T1 S1", id="may be led"),
    ],
)
def test_legal_plays_of_a_petit_imprenable(hand: str, table: str, legal: str) -> None:
    found = legal_cards(hand.split(), table.split(), petit_imprenable=True)
    assert sorted(found) == sorted(legal.split())


IMPRENABLE = {"petit_sec": "imprenable"}


# Seat 0 has eighteen trumps, seat 1 the petit alone, played to the first trick or to the last.
def lone(petit: str) -> NamedDeal:
    return written({0: trumps(21, 4), 1: petit}, chien="EX T2 T3 ...")


@pytest.mark.parametrize(
    ("petit", "petit_au_bout"), [("T1 ...", 0), ("... T1", 1)], ids=["first", "last"]
)
def test_petit_imprenable_comes_back(petit: str, petit_au_bout: int) -> None:
    """For one half point, at the last trick too; petit au bout goes by the trick's winner."""
    referee = outcome(lone(petit), "garde_sans", IMPRENABLE)
    assert (referee.imprenable, referee.slam) == (1, 1)
    assert (referee.attack_half, referee.defence_half, referee.oudlers) == (174, 8, 2)
    assert referee.petit_au_bout == petit_au_bout
    each = (25 + 46) * 4 + 40 * petit_au_bout + 200
    assert referee.scores_half == [6 * each, *[-2 * each] * 3]
    taken = outcome(lone(petit), "garde_sans", {"petit_sec": "off"})
    assert (taken.attack_half, taken.oudlers) == (182, 3)


def test_petit_imprenable_can_win() -> None:
    """It ranks as trump 1: on a lead of spades that all others follow it takes the trick."""
    deal = written({0: "S1 ...", 1: "T1 S2 ...", 2: "S3 ...", 3: "S4 ..."})
    referee = say(contracted(deal, "garde_contre", IMPRENABLE), "pass")
    say(referee, "S1")
    assert {"T1", "S2"} <= set(referee.legal())
    assert "H8" not in referee.legal()
    say(referee, "T1 S3 pass S4")
    assert winners(referee) == [1]


def test_petit_imprenable_led_leads_trumps() -> None:
    deal = written({0: "T1 S1 ...", 1: "T2 ...", 2: "T3 ...", 3: "T4 ..."}, chien="EX ...")
    referee = say(contracted(deal, "garde_contre", IMPRENABLE), "pass T1")
    assert referee.legal() == ["T2"]


@pytest.mark.parametrize(
    ("hand", "chien", "options", "holder"),
    [
        pytest.param("T1 ...", "EX C1 C2 C3 C4 C5", {}, 0, id="a lone petit"),
        pytest.param(
            *("T1 EX ...", "C1 C2 C3 C4 C5 C6", {"petit_sec_excuse_protects": False}, None),
            id="with the Excuse",
        ),
        pytest.param("T1 T2 ...", "EX C1 C2 C3 C4 C5", {}, None, id="another trump"),
    ],
)
def test_which_petit_is_imprenable(
    hand: str, chien: str, options: dict[str, Any], holder: int | None
) -> None:
    deal = written({0: hand}, chien=chien)
    referee = say(contracted(deal, "garde_contre", {**IMPRENABLE, **options}), "pass")
    assert referee.imprenable == holder


@pytest.mark.parametrize(
    ("chien", "holder"), [("S1 S2 S3 S4 S5 S6", 0), ("EX S2 S3 S4 S5 S6", None)]
)
def test_imprenable_is_tested_after_the_ecart(chien: str, holder: int | None) -> None:
    """The taker may find the Excuse in the chien."""
    deal = written({0: f"T1 {suit('H', '1 2 3 4 5 6 7 8 9 10 J N Q K')} D1 D2 D3"}, chien=chien)
    referee = contracted(deal, "garde", IMPRENABLE)
    assert at_phase(referee, "PLAY").imprenable == holder


# Rounding.


@pytest.mark.parametrize(
    ("facts", "scores"),
    [
        pytest.param(
            {"bid": "garde_sans", "oudlers": 2, "attack_half": 116},
            [510, -170, -170, -170],
            id="168 to 170",
        ),
        pytest.param({"attack_half": 102}, [90, -30, -30, -30], id="25 away from zero"),
        pytest.param({"attack_half": 104}, [90, -30, -30, -30], id="26"),
        pytest.param({"attack_half": 82}, [-120, 40, 40, 40], id="minus 35"),
        pytest.param(
            {"attack_half": 100, "miseres": [1]}, [-100, 60, 20, 20], id="misère too, 56 and 16"
        ),
        pytest.param(
            {"attack_half": 102, "miseres": [1]}, [70, 10, -40, -40], id="misère too, 5 and -35"
        ),
        pytest.param(
            {"players": 5, "partner": 1, "attack_half": 102},
            [60, 30, -30, -30, -30],
            id="the partner too",
        ),
        pytest.param(
            {"game": "mort", "dealer": 1, "attack_half": 102}, [90, 0, -30, -30, -30], id="mort"
        ),
        pytest.param(
            {"game": "dummy", "preset": "jeu-de-tarot", "attack_half": 102}, [30, -30], id="two"
        ),
        pytest.param(
            {"attack_half": 107, "options": {"half_point": "exact"}},
            [90, -30, -30, -30],
            id="27.5",
        ),
    ],
)
def test_score_rounding(facts: dict[str, Any], scores: list[float]) -> None:
    """Every seat but the taker to the nearest ten; the taker has minus the sum."""
    facts = {"bid": "petite", "oudlers": 1, **facts}
    options = {"score_rounding": 10, **facts.pop("options", {})}
    found = score_deal(taker=0, options=options, **facts)
    assert [half / 2 for half in found] == scores


def test_rounding_in_a_whole_deal() -> None:
    """A dead hand deals: 520 from three, with ten from each other for seat 2's misère."""
    deal = written({0: trumps(21, 4), 1: "T1 ..."}, chien="EX T2 T3 ...", dealer=4, game=MORT)
    options = {"misere": True, "score_rounding": 10, "multipliers": (1, 2, 3, 6)}
    referee = contracted(deal, "garde_sans", options, game="mort")
    assert len(referee.scores_half) == 5
    say(referee, "pass pass pass T21")
    while referee.phase != "MISERE":
        referee.apply(referee.legal()[0])
    assert referee.seat == 2
    say(referee, "misere")
    play_out(referee)
    # T = (25 + 55) * 3 + 200 = 440; all scores are round already.
    assert [half // 2 for half in referee.scores_half] == [1310, -450, -410, -450, 0]
