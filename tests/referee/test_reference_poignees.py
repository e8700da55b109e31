"""The referee's ecart and handfuls (RULES.md 6, 7, 15.4)."""

from collections.abc import Iterable
from typing import Any

import pytest
from reference import Referee, in_action_order
from reference.by_hand import at_phase, contracted, play_out, trumps, written
from reference.deals import NamedDeal

FOUR_KINGS = written(
    {0: f"SK HK DK CK {trumps(20, 12)} S1 S2 S3 S4 S5"},
    chien=trumps(11, 6),
)


def test_discards_one_by_one() -> None:
    """Case 45: five plain cards go hidden, then one trump goes shown; the history tells both."""
    referee = Referee(**FOUR_KINGS, forced=(0, "garde"))
    for card in ("S3", "S1", "S2", "S5"):
        assert "T12" not in referee.legal()
        with pytest.raises(ValueError, match="illegal"):
            referee.apply("T12")
        referee.apply(card)
    assert referee.legal() == ["S4"]
    referee.apply("S4")
    assert referee.legal() == [f"T{number}" for number in range(6, 21)]
    referee.apply("T7")
    assert referee.ecart == ["S3", "S1", "S2", "S5", "S4", "T7"]
    assert referee.shown_discards == ["T7"]
    assert referee.history == [(0, None)] * 5 + [(0, "T7")]
    assert referee.phase == "SLAM"
    assert len(referee.hands[0]) == 18


def levels(
    deal: NamedDeal, bid: str = "garde_sans", options: dict[str, Any] | None = None
) -> list[str]:
    """What seat 0, first to play, is asked about a handful; [] if it is not asked."""
    referee = contracted(deal, bid, options)
    while referee.phase in ("DISCARD", "SLAM"):
        referee.apply(referee.legal()[0])
    assert referee.seat == 0
    return referee.legal() if referee.phase == "POIGNEE" else []


@pytest.mark.parametrize(
    ("hand", "asked"),
    [
        (trumps(10, 2), []),
        (trumps(10, 3) + " EX", []),
        (trumps(10, 2) + " EX", ["pass", "poignee"]),
        (trumps(11, 2), ["pass", "poignee"]),
        (trumps(12, 2) + " EX", ["pass", "poignee"]),
        (trumps(13, 2) + " EX", ["pass", "poignee", "double_poignee"]),
        (trumps(15, 3), ["pass", "poignee", "double_poignee"]),
        (trumps(15, 2) + " EX", ["pass", "poignee", "double_poignee", "triple_poignee"]),
        (trumps(16, 2), ["pass", "poignee", "double_poignee", "triple_poignee"]),
    ],
)
def test_levels(hand: str, asked: list[str]) -> None:
    assert levels(written({0: hand + " ..."})) == asked


def test_own_thresholds() -> None:
    deal = written({0: trumps(9, 2) + " ..."}, chien="EX ...")
    assert levels(deal) == []
    assert levels(deal, options={"poignee_thresholds": (8, 9, 15)}) == ["pass", "poignee"]


def show(deal: NamedDeal, level: str, withheld: Iterable[str], bid: str = "garde_sans") -> Referee:
    referee = at_phase(contracted(deal, bid), "POIGNEE")
    before = list(referee.history)
    referee.apply(level)
    for card in withheld:
        assert referee.phase == "WITHHOLD"
        assert referee.history == before
        assert card in referee.legal()
        referee.apply(card)
        assert card not in referee.legal() or referee.phase == "PLAY"
    assert referee.phase == "PLAY"
    assert referee.history == [*before, (0, level)]
    return referee


@pytest.mark.parametrize(
    ("hand", "level", "withheld", "shown"),
    [
        pytest.param(trumps(11, 2) + " EX", "poignee", [], trumps(11, 2), id="42 Excuse left out"),
        pytest.param(trumps(10, 2) + " EX", "poignee", [], trumps(10, 2) + " EX", id="43 needed"),
        pytest.param(
            trumps(13, 2) + " EX", "double_poignee", [], trumps(13, 2) + " EX", id="43 double"
        ),
        pytest.param(
            trumps(13, 2) + " EX", "poignee", ["T2", "T13"], trumps(12, 3), id="43 any ten"
        ),
        pytest.param(
            trumps(14, 1), "double_poignee", ["T1"], trumps(14, 2), id="44 hide the petit"
        ),
        pytest.param(trumps(21, 8), "double_poignee", ["T21"], trumps(20, 8), id="44 hide the 21"),
    ],
)
def test_cards_shown(hand: str, level: str, withheld: list[str], shown: str) -> None:
    referee = show(written({0: hand + " ..."}), level, withheld)
    assert referee.poignees == {0: (level, in_action_order(shown.split()))}


def test_excuse_cannot_be_withheld_or_swapped_in() -> None:
    """Case 42: with eleven trumps and the Excuse only trumps are asked about."""
    deal = written({0: trumps(12, 2) + " EX ..."})
    referee = at_phase(contracted(deal, "garde_contre"), "POIGNEE")
    referee.apply("poignee")
    assert referee.legal() == in_action_order(trumps(12, 2).split())


def test_shown_discard_counts() -> None:
    """Case 45: fourteen trumps in hand and one shown in the ecart make a triple handful."""
    assert levels(FOUR_KINGS, "garde")[-1] == "triple_poignee"
    off = {"poignee_counts_shown_discards": False}
    assert levels(FOUR_KINGS, "garde", off)[-1] == "double_poignee"
    referee = show(FOUR_KINGS, "triple_poignee", [], "garde")
    assert referee.ecart[-1] == "T6"
    assert referee.poignees[0][1] == in_action_order(trumps(20, 6).split())
    referee = show(FOUR_KINGS, "double_poignee", ["T6", "T20"], "garde")
    assert referee.poignees[0][1] == in_action_order(trumps(19, 7).split())


def test_shown_discard_and_excuse() -> None:
    """The Excuse is shown only where shown discards are too; switched off, they do not matter."""
    hand = {0: f"SK HK DK CK EX {trumps(20, 13)} S1 S2 S3 S4 S5"}
    six_plain = written(hand, chien=f"S6 {trumps(12, 8)}")
    assert levels(six_plain, "garde")[-1] == "double_poignee"

    five_plain = written(hand, chien=trumps(12, 7))
    assert levels(five_plain, "garde")[-1] == "triple_poignee"
    referee = show(five_plain, "triple_poignee", [], "garde")
    assert referee.ecart[-1] == "T7"
    assert referee.poignees[0][1] == [*in_action_order(trumps(20, 7).split()), "EX"]

    off = {"poignee_counts_shown_discards": False}
    assert levels(five_plain, "garde", off)[-1] == "double_poignee"
    off_at_14 = {**off, "poignee_thresholds": (10, 13, 14)}
    referee = at_phase(contracted(five_plain, "garde", off_at_14), "POIGNEE")
    referee.apply("triple_poignee")
    assert referee.poignees[0][1] == [*in_action_order(trumps(20, 8).split()), "EX"]


def test_chien_trumps_do_not_count_unseen() -> None:
    """Case 61."""
    deal = written({0: trumps(10, 2) + " ..."}, chien="T11 T12 T13 CK CQ CN")
    assert levels(deal, "garde_sans") == []
    assert levels(deal, "garde_contre") == []
    assert levels(deal, "garde") == ["pass", "poignee"]


def test_shown_discards_are_the_takers() -> None:
    """A defender with seven trumps cannot count one that the taker showed."""
    deal = written(
        {0: f"SK HK DK CK EX {trumps(21, 14)} S1 S2 S3 S4 S5", 1: f"{trumps(13, 7)} S6 S7 ..."},
        chien=trumps(6, 1),
    )
    thresholds = {"poignee_thresholds": (8, 13, 15)}
    referee = at_phase(contracted(deal, "garde", thresholds), "PLAY")
    assert referee.shown_discards == ["T2"]
    referee.apply("SK")
    assert (referee.seat, referee.phase) == (1, "PLAY")


def test_each_seat_is_asked_before_its_own_first_card() -> None:
    deal = written({1: trumps(11, 1) + " ...", 3: trumps(21, 12) + " ..."})
    referee = at_phase(Referee(**deal, forced=(0, "garde_contre")), "PLAY")
    asked = []
    for answer in ("poignee", "pass"):
        at = [referee.seat]
        while referee.phase != "POIGNEE":
            referee.apply(referee.legal()[0])
            at.append(referee.seat)
        asked.append((referee.seat, len(referee.table)))
        referee.apply(answer)
    assert asked == [(1, 1), (3, 3)]
    referee.apply(referee.legal()[0]) if referee.phase == "WITHHOLD" else None
    play_out(referee)
    assert len([phase for phase in referee.log if phase[1] == "poignee"]) == 1
    rows = [row for row in referee.history if row[1] in ("pass", "poignee")]
    assert rows == [(0, "pass"), (1, "poignee")]


# Other ways to show a handful.

AT_LEAST = {"poignee_show": "at_least"}
FREE = {"poignee_excuse": "free"}


def named(hand: str, level: str, options: dict[str, Any]) -> Referee:
    """Seat 0 has named a level on its own hand, padded with other cards."""
    referee = at_phase(contracted(written({0: hand}), "garde_contre", options), "POIGNEE")
    referee.apply(level)
    return referee


def shown(referee: Referee) -> set[str]:
    assert referee.phase == "PLAY"
    return set(referee.poignees[0][1])


def test_at_least_the_threshold() -> None:
    """One is withheld, and `pass` shows the rest; at the threshold nothing more is asked."""
    hand = trumps(13, 2)
    referee = named(hand + " ...", "poignee", AT_LEAST)
    assert referee.phase == "WITHHOLD"
    assert referee.legal() == [*in_action_order(hand.split()), "pass"]
    all_shown = referee.copy()
    all_shown.apply("pass")
    assert shown(all_shown) == set(hand.split())
    assert all_shown.history[-1] == (0, "poignee")
    assert all_shown.log[-1] == (0, "pass")

    referee.apply("T13")
    assert "T13" not in referee.legal()
    one_less = referee.copy()
    one_less.apply("pass")
    assert shown(one_less) == set(trumps(12, 2).split())
    referee.apply("T2")
    assert shown(referee) == set(trumps(12, 3).split())


@pytest.mark.parametrize(
    ("hand", "level", "cards"),
    [
        pytest.param(trumps(12, 2) + " EX ...", "poignee", trumps(12, 2), id="Excuse left out"),
        pytest.param(trumps(10, 2) + " EX ...", "poignee", trumps(10, 2) + " EX", id="needed"),
        pytest.param(trumps(16, 2) + " ...", "poignee", trumps(16, 2), id="a lower level named"),
    ],
)
def test_at_least_shows_all(hand: str, level: str, cards: str) -> None:
    referee = named(hand, level, AT_LEAST)
    if referee.phase == "WITHHOLD":
        referee.apply("pass")
    assert shown(referee) == set(cards.split())
    assert referee.poignees[0][0] == level


def test_the_level_named_is_paid() -> None:
    """Fifteen trumps shown as a single handful: 20, not 40."""
    sweep = written({0: f"{trumps(21, 7)} SK HK DK"}, chien="EX CK ...")
    referee = at_phase(contracted(sweep, "garde_sans", AT_LEAST), "POIGNEE")
    referee.apply("poignee")
    referee.apply("pass")
    assert len(shown(referee)) == 15
    assert (
        play_out(referee).scores_half[0]
        - play_out(at_phase(contracted(sweep, "garde_sans"), "PLAY")).scores_half[0]
        == 2 * 3 * 20
    )


def test_free_excuse() -> None:
    """It is eligible like a trump: shown or withheld at will."""
    hand = trumps(11, 2) + " EX"
    referee = named(hand + " ...", "poignee", FREE)
    assert referee.legal() == in_action_order(hand.split())
    with_excuse, without = referee.copy(), referee
    with_excuse.apply("T11")
    assert shown(with_excuse) == {*trumps(10, 2).split(), "EX"}
    without.apply("EX")
    assert shown(without) == set(trumps(11, 2).split())
    assert shown(named(trumps(10, 2) + " EX ...", "poignee", FREE)) >= {"EX"}


def test_free_excuse_with_at_least() -> None:
    """Nothing withheld shows it too."""
    referee = named(trumps(11, 2) + " EX ...", "poignee", {**AT_LEAST, **FREE})
    assert referee.legal()[-2:] == ["EX", "pass"]
    referee.apply("pass")
    assert shown(referee) == {*trumps(11, 2).split(), "EX"}


def test_free_excuse_with_a_shown_discard() -> None:
    """Fourteen trumps, one shown in the ecart, and the Excuse."""
    deal = written({0: f"SK HK DK CK EX {trumps(20, 13)} S1 S2 S3 S4 S5"}, chien=trumps(12, 7))
    referee = at_phase(contracted(deal, "garde", FREE), "POIGNEE")
    assert referee.shown_discards == ["T7"]
    referee.apply("triple_poignee")
    assert shown(referee) == {*trumps(20, 7).split(), "EX"}


def test_before_the_first_trick() -> None:
    """Seats from the first leader, each hearing the others, after the slam question."""
    hands = {1: f"{trumps(11, 1)} ...", 3: f"{trumps(21, 12)} ..."}
    options = {"poignee_window": "before_first_trick"}
    deal = written(hands, dealer=1)
    referee = Referee(**deal, options=options, forced=(0, "garde_sans"))
    referee.apply("pass")
    assert (referee.phase, referee.seat) == ("POIGNEE", 3)
    referee.apply("poignee")
    assert (referee.phase, referee.seat) == ("POIGNEE", 1)
    assert referee.history[-1] == (3, "poignee")
    referee.apply("poignee")
    assert (referee.phase, referee.seat) == ("WITHHOLD", 1)
    referee.apply("T1")
    assert (referee.phase, referee.seat) == ("PLAY", 2)
    play_out(referee)
    assert len([row for row in referee.log if row[1] == "poignee"]) == 2


def test_before_the_first_trick_from_the_announcer_of_a_slam() -> None:
    hands = {1: f"{trumps(11, 1)} ...", 3: f"{trumps(21, 12)} ..."}
    options = {"poignee_window": "before_first_trick"}
    referee = Referee(**written(hands, dealer=2), options=options, forced=(1, "garde_sans"))
    referee.apply("chelem")
    assert (referee.phase, referee.seat) == ("POIGNEE", 1)
    referee.apply("pass")
    assert (referee.phase, referee.seat) == ("POIGNEE", 3)
    referee.apply("pass")
    assert (referee.phase, referee.seat) == ("PLAY", 1)
