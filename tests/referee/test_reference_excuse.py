"""The Excuse, slams and the petit, in whole deals and from bare tricks (RULES.md 9, 15.2)."""

from typing import Any

import pytest
from reference import Referee
from reference.by_hand import (
    LOW,
    at_phase,
    contracted,
    outcome,
    play_out,
    suit,
    trick,
    trumps,
    written,
)
from reference.deals import NamedDeal
from reference.options import read_options
from reference.scoring import Trick, petit_au_bout_side, settle_excuse

# The taker holds sixteen trumps, the petit and the Excuse; nobody else has a trump.
SWEEP = written({0: f"{trumps(21, 6)} T1 EX"})
PETIT_AT_16 = written({0: f"{trumps(21, 7)} T1 T6 EX"})


@pytest.mark.parametrize(
    ("deal", "options", "petit_au_bout", "total"),
    [
        pytest.param(SWEEP, {}, 1, 80 * 4 + 40 + 200, id="25 petit at 17"),
        pytest.param(SWEEP, {"excuse_wins_slam_trick": "led_only"}, 1, 560, id="24 led"),
        pytest.param(SWEEP, {"petit_au_bout_second_last": False}, 0, 520, id="25 option off"),
        pytest.param(PETIT_AT_16, {}, 0, 520, id="25 petit at 16"),
    ],
)
def test_slam_with_the_excuse(
    deal: NamedDeal, options: dict[str, Any], petit_au_bout: int, total: int
) -> None:
    """Cases 24 and 25: everything is the taker's, the chien too."""
    referee = outcome(deal, "garde_sans", options)
    assert (referee.slam, referee.petit_au_bout) == (1, petit_au_bout)
    assert (referee.attack_half, referee.defence_half, referee.oudlers) == (182, 0, 3)
    assert referee.tricks[-1][2] == 0
    assert referee.scores_half == [6 * total] + [-2 * total] * 3


def test_slam_with_the_excuse_announced() -> None:
    referee = outcome(SWEEP, "garde_sans", slam="chelem")
    assert referee.scores_half[0] == 6 * (80 * 4 + 40 + 400)


@pytest.mark.parametrize("keeps", ["changes_side", "trick_winner", "owner_keeps"])
def test_excuse_never_wins(keeps: str) -> None:
    """Case 24, online: the last trick goes to the others and an announced slam fails."""
    options = {"excuse_wins_slam_trick": "never", "excuse_last_trick": keeps}
    referee = outcome(SWEEP, "garde_sans", options, slam="chelem")
    # The last cards of the others, in seat order: the first sets the suit and wins.
    lost = [card for _seat, card in referee.tricks[-1][1] if card != "EX"]
    assert lost == ["H4", "D8", "CN"]
    assert (referee.slam, referee.petit_au_bout, referee.tricks[-1][2]) == (0, 0, 1)
    kept = keeps == "owner_keeps"
    assert referee.attack_half == 182 - (1 + 1 + 5) - (1 if kept else 9)
    assert referee.oudlers == (3 if kept else 2)


@pytest.mark.parametrize(
    ("end", "petit_au_bout"), [("T1 T5", 0), ("T5 T1", 1)], ids=["27 at 17", "27 at 18"]
)
def test_slam_without_the_excuse(end: str, petit_au_bout: int) -> None:
    """Case 27: the petit counts in the real last trick only. The Excuse lies in the chien."""
    referee = outcome(written({0: f"{trumps(21, 6)} {end}"}, chien="EX ..."), "garde_sans")
    assert (referee.slam, referee.petit_au_bout) == (1, petit_au_bout)
    assert (referee.attack_half, referee.oudlers) == (182, 3)
    assert referee.scores_half[0] == 6 * (80 * 4 + 40 * petit_au_bout + 200)


ALL_TRUMPS = f"T21 T1 {trumps(20, 5)}"


def test_defender_keeps_the_excuse_in_a_slam() -> None:
    """Case 28."""
    referee = outcome(written({0: ALL_TRUMPS, 1: "... EX"}), "garde_sans")
    assert (referee.slam, referee.attack_half, referee.oudlers) == (1, 182, 3)
    assert referee.scores_half[0] == 6 * 520


def test_defender_plays_the_excuse_early_in_a_slam() -> None:
    """Case 15: 87 points, two oudlers, margin 46."""
    referee = outcome(written({0: ALL_TRUMPS, 1: "EX ..."}), "garde_sans")
    assert (referee.slam, referee.attack_half, referee.oudlers) == (1, 174, 2)
    assert referee.scores_half[0] == 6 * ((25 + 46) * 4 + 200)


@pytest.mark.parametrize(
    ("bid", "half", "oudlers", "total"),
    [
        pytest.param("garde_sans", 182, 3, (25 + 55) * 4 + 200, id="garde sans"),
        pytest.param("garde_contre", 182 - 28, 2, (25 + 36) * 6 + 200, id="garde contre"),
    ],
)
def test_excuse_in_the_chien(bid: str, half: int, oudlers: int, total: int) -> None:
    """Case 18: it was never played, so nothing is paid; this chien is worth 28 half points."""
    referee = outcome(written({0: ALL_TRUMPS}, chien="EX CQ CK T2 T3 T4"), bid)
    assert (referee.slam, referee.attack_half, referee.oudlers) == (1, half, oudlers)
    assert referee.defence_half == 182 - half
    assert referee.scores_half[0] == 6 * total


# The taker has the Excuse and low cards, seat 3 eighteen trumps.
POWERLESS = written(
    {0: f"EX {suit('S', LOW)} {suit('H', '1 2 3 4 5 6 7')}", 3: trumps(21, 4)},
    chien="H8 H9 H10 D1 D2 D3",
)


@pytest.mark.parametrize(("announced", "total"), [(False, -338), (True, -538)])
def test_defence_slam(announced: bool, total: int) -> None:
    """Cases 16, 17, 32 and 60: the ecart counts, pays nothing, and the Excuse is worth 4."""
    referee = at_phase(Referee(**POWERLESS, forced=(0, "garde")), "DISCARD")
    for card in POWERLESS["chien"]:
        referee.apply(card)
    play_out(referee, slam="chelem" if announced else "pass")
    assert (referee.slam, referee.petit_au_bout) == (-1, 0)
    assert (referee.attack_half, referee.oudlers) == (6 + 8, 1)
    assert total == -(25 + 44) * 2 - (400 if announced else 200)
    assert referee.scores_half == [6 * total] + [-2 * total] * 3


# The taker wins trick 1 (T21, SJ, T1, T4), seat 3 all the others, seat 1 keeps the Excuse.
OWN_SIDE_WINS = written(
    {
        0: f"T21 {suit('S', LOW)} {suit('H', '1 2 3 4 5 6 7')}",
        1: "... EX",
        3: "DK T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 T17 T18 T19 T20",
    },
    chien="H8 H9 H10 D1 D2 D3",
)
# Seat 1 wins trick 1 (S1, SK, H5, D9), the taker all the others, seat 1 keeps the Excuse.
# The chien: CQ CK T1 T2 T3 T4.
OTHERS_WIN = written({0: f"S1 {trumps(21, 5)}", 1: "SK ... EX"})


@pytest.mark.parametrize(
    ("deal", "options", "half", "oudlers"),
    [
        pytest.param(OWN_SIDE_WINS, {}, 22 + 8, 3, id="22 changes side, one back"),
        pytest.param(
            OWN_SIDE_WINS, {"excuse_last_trick_refund": False}, 22 + 9, 3, id="22 nothing back"
        ),
        pytest.param(
            OWN_SIDE_WINS, {"excuse_last_trick": "trick_winner"}, 22, 2, id="22 trick winner"
        ),
        pytest.param(OWN_SIDE_WINS, {"excuse_last_trick": "owner_keeps"}, 22, 2, id="22 owner"),
        pytest.param(OTHERS_WIN, {}, 142, 2, id="23 lost"),
        pytest.param(
            OTHERS_WIN, {"excuse_last_trick_refund": False}, 142, 2, id="23 no refund either way"
        ),
        pytest.param(OTHERS_WIN, {"excuse_last_trick": "trick_winner"}, 142, 2, id="23 winner"),
        pytest.param(OTHERS_WIN, {"excuse_last_trick": "owner_keeps"}, 134, 1, id="23 owner pays"),
    ],
)
def test_excuse_in_the_last_trick(
    deal: NamedDeal, options: dict[str, Any], half: int, oudlers: int
) -> None:
    referee = outcome(deal, "garde_contre", options)
    assert "EX" in [card for _seat, card in referee.tricks[-1][1]]
    assert referee.slam == 0
    assert (referee.attack_half, referee.oudlers) == (half, oudlers)
    assert referee.defence_half == 182 - half


# Seat 1 wins tricks 1 to 17 and leads S2, seat 2 plays the Excuse, the taker keeps the SK.
LAST_LEAD = written(
    {
        0: f"{suit('H', LOW)} {suit('D', '1 2 3 4 5 6 7')} SK",
        1: f"{trumps(21, 5)} S2",
        2: "... EX",
    },
    dealer=0,
)


@pytest.mark.parametrize(
    ("options", "winner", "half", "oudlers", "slam", "total"),
    [
        pytest.param({}, 2, 0, 0, -1, -(25 + 56) * 6 - 200, id="29 any position"),
        pytest.param(
            {"excuse_wins_slam_trick": "led_only"}, 0, 24, 1, 0, -(25 + 39) * 6, id="29 led only"
        ),
        pytest.param(
            {"excuse_wins_slam_trick": "led_only", "excuse_last_trick": "trick_winner"},
            *(0, 24, 1, 0, -(25 + 39) * 6),
            id="29 led only, trick winner",
        ),
        pytest.param(
            {"excuse_wins_slam_trick": "never", "excuse_last_trick": "owner_keeps"},
            *(0, 16, 0, 0, -(25 + 48) * 6),
            id="29 never, owner keeps",
        ),
    ],
)
def test_excuse_in_a_defence_slam(
    options: dict[str, Any], winner: int, half: int, oudlers: int, slam: int, total: int
) -> None:
    referee = outcome(LAST_LEAD, "garde_contre", options)
    assert [card for _seat, card in referee.tricks[-1][1]] == ["S2", "EX", "CN", "SK"]
    assert referee.tricks[-1][2] == winner
    assert (referee.attack_half, referee.oudlers, referee.slam) == (half, oudlers, slam)
    assert referee.scores_half[0] == 6 * total


@pytest.mark.parametrize(
    ("wins", "winner", "half"), [("any_position", 2, 0), ("led_only", 1, 8), ("never", 1, 8)]
)
def test_excuse_under_a_partner_in_a_defence_slam(wins: str, winner: int, half: int) -> None:
    """The slam stands in any case; where the Excuse does not win, it changes sides for a refund."""
    hands = [list(hand) for hand in LAST_LEAD["hands"]]
    hands[0][-1], hands[1][-1] = "S2", "SK"
    deal = {**LAST_LEAD, "hands": hands}
    referee = outcome(deal, "garde_contre", {"excuse_wins_slam_trick": wins})
    assert (referee.tricks[-1][2], referee.attack_half, referee.slam) == (winner, half, -1)


def test_excuse_played_too_early_breaks_a_slam() -> None:
    """It wins the last trick only; here it is led to trick 3, after two tricks of the taker's."""
    referee = outcome(written({0: f"T21 T20 EX T1 {trumps(19, 6)}"}), "garde_sans", slam="chelem")
    assert [winner for _leader, _plays, winner in referee.tricks[:3]] == [0, 0, 1]
    assert (referee.slam, referee.oudlers) == (0, 3)


def test_excuse_led_to_the_last_trick_without_a_sweep() -> None:
    """Case 3: the second card sets the suit; the Excuse goes over."""
    deal = written({0: f"S1 {trumps(21, 6)} EX", 1: "SK ... SQ"})
    referee = outcome(deal, "garde_contre")
    leader, plays, winner = referee.tricks[-1]
    assert (leader, plays[0], plays[1], winner) == (0, (0, "EX"), (1, "SQ"), 1)
    assert referee.oudlers == 1


@pytest.mark.parametrize(
    ("hand", "oudlers"),
    [
        pytest.param(f"S1 EX T1 {trumps(21, 7)}", 3, id="all kept"),
        pytest.param(f"S1 T1 {trumps(21, 7)} EX", 2, id="Excuse lost at the last trick"),
        pytest.param(f"T1 EX {trumps(21, 7)} S1", 2, id="petit lost"),
    ],
)
def test_three_oudlers_dealt(hand: str, oudlers: int) -> None:
    """Case 20: they are counted in the final pile. Seat 1 has the SK and the T2."""
    deal = written({0: hand, 1: "SK T2 ..."})
    referee = at_phase(contracted(deal, "garde_contre"), "PLAY")
    assert play_out(referee).oudlers == oudlers
    points = referee.attack_half - 2 * {2: 41, 3: 36}[oudlers]
    assert referee.scores_half[1] == -2 * (25 + points // 2) * 6


@pytest.mark.parametrize("chien_card", ["T1", "T21"])
def test_oudler_in_the_chien(chien_card: str) -> None:
    """Cases 19 and 59: a bout for the defence on a garde contre, for the taker on a garde sans."""
    hand = f"{trumps(20, 3)}" if chien_card == "T21" else f"{trumps(21, 4)}"
    deal = written({0: hand, 1: "EX ..."}, chien=f"{chien_card} CK CQ CN CJ C10")
    assert outcome(deal, "garde_sans").oudlers - outcome(deal, "garde_contre").oudlers == 1


def test_petit_captured_from_the_taker() -> None:
    """Case 21: the bout goes with the card."""
    deal = written({0: f"T1 {suit('S', LOW)} {suit('H', '1 2 3 4 5 6 7')}", 1: "T2 ..."})
    referee = outcome(deal, "garde_contre")
    assert referee.tricks[0][2] != 0
    assert referee.oudlers == 0


FILLER = trick("S1 S2 S3 SK", 3)


@pytest.mark.parametrize(
    ("tricks", "expected"),
    [
        pytest.param([trick("S2 S3 S4 SK", 0), trick("T5 T1 T2 T3", 0)], 1, id="39 captured"),
        pytest.param([FILLER, trick("T1 T9 T2 T3", 1)], -1, id="39 lost"),
        pytest.param([FILLER, trick("T1 H9 H2 H3", 0)], 1, id="won"),
        pytest.param([FILLER, trick("H1 T1 H2 H3", 1)], -1, id="defender's own"),
        pytest.param([trick("T1 H9 H2 H3", 0), trick("T9 S9 S2 S3", 0)], 0, id="27 at 17"),
        pytest.param([trick("T1 H9 H2 H3", 0), trick("EX S9 S2 S3", 0)], 1, id="25 own, at 17"),
        pytest.param([trick("T9 T1 H2 H3", 0), trick("EX S9 S2 S3", 0)], 0, id="25 captured at 17"),
        pytest.param(
            [trick("T9 H9 H2 H3", 0), trick("EX T1 S2 S3", 0)], 1, id="26 under the Excuse"
        ),
        pytest.param([trick("H9 T1 H2 H3", 1), trick("S9 EX S2 S3", 1)], -1, id="defence's, at 17"),
        pytest.param([trick("T1 T9 H2 H3", 1), trick("S9 EX S2 S3", 1)], 0, id="taker's, at 17"),
        pytest.param(
            [trick("H9 H2 T1 T8", 3), trick("S9 EX S2 S3", 1)], -1, id="a partner's, at 17"
        ),
        pytest.param([trick("T1 H9 H2 H3", 0), trick("EX S9 S2 S3", 1)], 0, id="Excuse lost"),
    ],
)
def test_petit_au_bout(tricks: list[Trick], expected: int) -> None:
    assert petit_au_bout_side(tricks, [0], read_options()) == expected


@pytest.mark.parametrize(
    ("tricks", "expected"),
    [
        pytest.param([trick("S1 EX S3 SK", 3), FILLER], (-1, 0), id="13 own side wins"),
        pytest.param([trick("SK EX S3 S4", 0), FILLER], (-1, 1), id="14 defence owes"),
        pytest.param([trick("EX S1 S3 S4", 3), FILLER], (1, 1), id="16 taker owes"),
        pytest.param([FILLER, trick("H1 EX H3 HK", 3)], (1, 1), id="22 changes side"),
        pytest.param([FILLER, trick("HK EX H3 H4", 0)], (1, 0), id="23 lost by the defence"),
        pytest.param([FILLER, trick("EX H1 H3 H4", 3)], (-1, 0), id="23 lost by the taker"),
        pytest.param([FILLER, trick("H1 EX H3 HK", 1)], (-1, 0), id="29 the Excuse wins"),
    ],
)
def test_settling_the_excuse(tricks: list[Trick], expected: tuple[int, int]) -> None:
    assert settle_excuse(tricks, [0], read_options()) == expected


@pytest.mark.parametrize("keeps", ["changes_side", "trick_winner", "owner_keeps"])
@pytest.mark.parametrize("refund", [True, False])
def test_option_for_the_last_trick_is_for_the_last_trick(keeps: str, refund: bool) -> None:
    options = read_options({"excuse_last_trick": keeps, "excuse_last_trick_refund": refund})
    assert settle_excuse([trick("SK EX S3 S4", 0), FILLER], [0], options) == (-1, 1)
    assert settle_excuse([trick("S1 EX S3 SK", 3), FILLER], [0], options) == (-1, 0)
