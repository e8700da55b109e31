"""Edge cases of the rules text, by their numbers there, on core and referee: slams.

Every deal stands here in full and every expectation is worked out from the rules by hand, in
points. `pays` is what each defender pays. Seat 3 deals unless said otherwise, so seat 0 leads.
"""

from typing import Any

import pytest
from support.edge_deals import EXCUSE_IN_CHIEN
from support.lockstep import Pair, written

SWEEP = written("T1 T6-21 EX", "S1-K H1-4", "H5-K D1-8", "D9-K C1-N", "T2-5 CQ CK")


@pytest.mark.parametrize(
    ("options", "said", "outcome", "pays"),
    [
        ({}, "pass", (91, 3), 80 * 4 + 200),
        ({}, "chelem", (91, 3), 80 * 4 + 400),
        ({"excuse_wins_slam_trick": "led_only"}, "pass", (91, 3), 80 * 4 + 200),
        ({"excuse_last_trick": "owner_keeps"}, "pass", (91, 3), 80 * 4 + 200),
        ({"excuse_last_trick": "trick_winner"}, "pass", (91, 3), 80 * 4 + 200),
        ({"excuse_wins_slam_trick": "never"}, "pass", (83, 2), (25 + 42) * 4),
        ({"excuse_wins_slam_trick": "never"}, "chelem", (83, 2), (25 + 42) * 4 - 200),
        (
            {"excuse_wins_slam_trick": "never", "excuse_last_trick": "owner_keeps"},
            *("pass", (87, 3), (25 + 51) * 4),
        ),
    ],
)
def test_24_excuse_led_after_seventeen_tricks(
    options: dict[str, Any], said: str, outcome: tuple[float, int], pays: float
) -> None:
    """Where it may not win, H4 takes it with D8 and CN, 16 half points in all."""
    pair = Pair(SWEEP, (0, "garde_sans"), **options).say(said).finish()
    assert [card for _seat, card in pair.referee.tricks[-1][1]] == ["EX", "H4", "D8", "CN"]
    assert pair.winners == [*[0] * 17, 1 if "never" in options.values() else 0]
    assert pair.outcome == outcome
    assert pair.pays() == pays


@pytest.mark.parametrize(
    ("keep", "options", "pays"),
    [
        pytest.param("T1 EX", {}, 560, id="petit to trick 17"),
        pytest.param("T1 EX", {"petit_au_bout_second_last": False}, 520, id="option off"),
        pytest.param("T1 EX", {"excuse_wins_slam_trick": "never"}, 268, id="no slam"),
    ],
)
def test_25_petit_before_the_excuse(keep: str, options: dict[str, Any], pays: float) -> None:
    pair = Pair(SWEEP, (0, "garde_sans"), **options).say("pass").finish(keep)
    assert (0, "T1") in pair.referee.tricks[16][1]
    assert pair.pays() == pays


def test_25_petit_to_trick_16_is_too_early() -> None:
    pair = Pair(SWEEP, (0, "garde_sans")).say("pass").until(15, "T1 T21 EX").trick("T1").finish()
    assert (0, "T1") in pair.referee.tricks[15][1]
    assert pair.pays() == 520


LATE_PETIT = "S8-K HQ HK T14-21 EX"


@pytest.mark.parametrize(
    ("second", "chien", "number", "pays"),
    [
        pytest.param("T1-8 S1-7 H1-3", "T9-13 D1", 16, 520, id="25 captured at 17"),
        pytest.param("T1-9 S1-7 H1 H2", "T10-13 D1 H3", 17, 560, id="26 falls under the Excuse"),
    ],
)
def test_26_petit_of_a_defender_at_the_end_of_a_slam(
    second: str, chien: str, number: int, pays: float
) -> None:
    deal = written(LATE_PETIT, second, "H4-N C6-K", "D2-K C1-5", chien)
    pair = Pair(deal, (0, "garde_sans")).say("pass")
    pair.lead("S8-K HQ HK T14-21 EX", keep="T1")
    assert (1, "T1") in pair.referee.tricks[number][1]
    assert pair.winners == [0] * 18
    assert pair.outcome == (91, 3)
    assert pair.pays() == pays


@pytest.mark.parametrize(
    ("end", "pays"), [("T1", 560), ("T1 T21", 520)], ids=["petit at 18", "petit at 17"]
)
def test_27_petit_au_bout_of_a_slam_without_the_excuse(end: str, pays: float) -> None:
    """The Excuse lies in the chien of a garde sans; only the real last trick counts."""
    pair = Pair(EXCUSE_IN_CHIEN, (0, "garde_sans")).say("pass").finish(end)
    place = 17 if end == "T1" else 16
    assert (0, "T1") in pair.referee.tricks[place][1]
    assert pair.pays() == pays


DEFENCE_SWEEP = written(
    "H1-10 D1-7 SK", "T5-21 S2", "EX S1 S3-Q HJ-K D8", "D9-K C1-N", "T1-4 CQ CK", dealer=0
)


@pytest.mark.parametrize(
    ("options", "winner", "outcome", "pays"),
    [
        ({}, 2, (0, 0), -(25 + 56) * 6 - 200),
        ({"excuse_wins_slam_trick": "led_only"}, 0, (12, 1), -(25 + 39) * 6),
        ({"excuse_wins_slam_trick": "never"}, 0, (12, 1), -(25 + 39) * 6),
        (
            {"excuse_wins_slam_trick": "never", "excuse_last_trick": "owner_keeps"},
            *(0, (8, 0), -(25 + 48) * 6),
        ),
    ],
)
def test_29_excuse_second_hand_in_a_defence_slam(
    options: dict[str, Any], winner: int, outcome: tuple[float, int], pays: float
) -> None:
    """Where the SK wins, it holds S2 and CN, 15 half points, and the Excuse or half a point."""
    pair = Pair(DEFENCE_SWEEP, (0, "garde_contre"), **options).say("pass").finish("SK S2 EX")
    assert [card for _seat, card in pair.referee.tricks[-1][1]] == ["S2", "EX", "CN", "SK"]
    assert pair.winners == [*[1] * 17, winner]
    assert pair.outcome == outcome
    assert pair.pays() == pays


@pytest.mark.parametrize("wins", ["any_position", "led_only"])
def test_29_excuse_of_a_partner_who_leads_it(wins: str) -> None:
    """Seat 1 sweeps by itself and leads the Excuse: both readings give it the trick."""
    deal = written("H1-10 D1-7 SK", "T5-21 EX", "S1-Q HJ-K D8", "D9-K C1-N", "T1-4 CQ CK", dealer=0)
    pair = Pair(deal, (0, "garde_contre"), excuse_wins_slam_trick=wins).say("pass").finish("SK")
    assert pair.winners == [1] * 18
    assert pair.pays() == -(25 + 56) * 6 - 200


MADE_BY_20 = written(
    "S1 H1 T1 T7-21", "S2-K H2-5 HQ", "H7-N HK D1-10 DQ", "EX DJ DN DK C1-K", "T2-6 H6"
)


@pytest.mark.parametrize(("shown", "pays"), [("pass", -20), ("triple_poignee", 20)])
def test_31_announced_slam_missed_on_a_made_contract(shown: str, pays: float) -> None:
    """Lost: S1 SK DQ CK 26, H1 HQ HK DK 26, the Excuse at 8: 61 points, two oudlers, 20 over.

    (25 + 20) * 4 - 200; a poignée still goes to the taker.
    """
    pair = Pair(MADE_BY_20, (0, "garde_sans")).say("chelem").say(shown)
    if shown != "pass":
        pair.say("T7")
    pair.trick("S1 SK DQ CK HQ HK DK H1 D1 EX").finish()
    assert pair.winners == [1, 2, *[0] * 16]
    assert pair.outcome == (61, 2)
    assert pair.pays() == pays


def test_33_the_poorest_slam_is_made() -> None:
    """Garde contre, both other oudlers and the kings in the chien: 60 points against 56."""
    deal = written("T3-20", "T2 EX S1-Q H1-3", "H4-Q D1-8", "D9-Q C1-Q", "SK HK DK CK T21 T1")
    pair = Pair(deal, (0, "garde_contre")).say("pass").trick("T3 EX").finish()
    assert pair.winners == [0] * 18
    assert pair.outcome == (60, 0)
    assert pair.pays() == (25 + 4) * 6 + 200
