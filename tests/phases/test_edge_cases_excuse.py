"""Edge cases of the rules text, by their numbers there, on core and referee: the Excuse.

Every deal stands here in full and every expectation is worked out from the rules by hand, in
points. `pays` is what each defender pays. Seat 3 deals unless said otherwise, so seat 0 leads.
"""

from typing import Any

import pytest
from support.edge_deals import ALL_TRUMPS, EXCUSE_IN_CHIEN
from support.lockstep import Pair, texts, written

# Seat 0 loses trick 1 to the SK, then has the only trumps.
KEEPS_EXCUSE = written("S1 T6-21 EX", "S3-K H1-6", "H7-K D1-10", "DJ-K C1-K", "T1-5 S2")


@pytest.mark.parametrize(
    ("options", "outcome", "pays"),
    [
        ({}, (68, 1), (25 + 17) * 6),
        ({"excuse_last_trick": "trick_winner"}, (68, 1), (25 + 17) * 6),
        ({"excuse_last_trick": "owner_keeps"}, (72, 2), (25 + 31) * 6),
    ],
)
def test_03_excuse_led_to_the_last_trick(
    options: dict[str, Any], outcome: tuple[float, int], pays: float
) -> None:
    """Also 19 and 23: lost with the trick, no refund; the petit of the chien is the defence's.

    Lost: the chien 14 half points, trick 1 12 (SK), the last one 20 (Excuse, CK).
    """
    pair = Pair(KEEPS_EXCUSE, (0, "garde_contre"), **options).say("pass")
    pair.trick("S1 SK H7 C1").finish()
    assert pair.referee.tricks[-1][1] == [(0, "EX"), (1, "H6"), (2, "D10"), (3, "CK")]
    assert pair.winners == [1, *[0] * 16, 1]
    assert pair.outcome == outcome
    assert pair.pays() == pays


# Seat 0 has every trump that counts and one club; seat 1 the Excuse.
ONE_CLUB = written("C1 T1 T6-21", "EX S1-K H1-3", "H4-K D1-7", "D8-K C2-J CK", "CN CQ T2-5")


def test_13_excuse_to_a_trick_of_the_own_side() -> None:
    """Lost: C1, H5 and CK, 11 half points, and the Excuse with its 9; nothing else moves."""
    pair = Pair(ONE_CLUB, (0, "garde_sans")).say("pass").trick("T21 S1 H4 D8 C1 EX H5 CK").finish()
    assert pair.winners == [0, 3, *[0] * 16]
    assert pair.outcome == (81, 2)
    assert pair.pays() == (25 + 40) * 4


def test_14_excuse_of_a_defender_to_a_trick_of_the_taker() -> None:
    """Lost: C1, S1, H5 and CK, 12 half points, and the Excuse at 8: half a point is paid."""
    pair = Pair(ONE_CLUB, (0, "garde_sans")).say("pass").trick("T21 EX H4 D8 C1 S1 H5 CK").finish()
    assert pair.outcome == (81, 2)
    assert pair.pays() == (25 + 40) * 4


@pytest.mark.parametrize(
    ("options", "outcome", "pays"),
    [({}, (85, 3), (25 + 49) * 4), ({"excuse_last_trick": "owner_keeps"}, (81, 2), 65 * 4)],
)
def test_23_excuse_of_a_defender_to_the_last_trick(
    options: dict[str, Any], outcome: tuple[float, int], pays: float
) -> None:
    """The same cards; now the Excuse is kept, and lost to the taker for nothing."""
    pair = Pair(ONE_CLUB, (0, "garde_sans"), **options).say("pass")
    pair.trick("T21 S1 H4 D8 C1 S2 H5 CK").finish()
    assert "EX" in dict(map(reversed, pair.referee.tricks[-1][1]))  # type: ignore[arg-type]
    assert pair.outcome == outcome
    assert pair.pays() == pays


@pytest.mark.parametrize(
    ("bid", "outcome", "pays"),
    [
        ("garde_sans", (87, 2), (25 + 46) * 4 + 200),
        ("garde_contre", (75, 2), (25 + 34) * 6 + 200),
    ],
)
def test_15_a_defence_without_a_trick_owes_half_a_point(
    bid: str, outcome: tuple[float, int], pays: float
) -> None:
    pair = Pair(ALL_TRUMPS, (0, bid)).say("pass").trick("T1 EX").finish()
    assert pair.outcome == outcome
    assert pair.pays() == pays


def test_28_excuse_kept_to_the_end_of_a_slam_is_lost() -> None:
    pair = Pair(ALL_TRUMPS, (0, "garde_sans")).say("pass").finish()
    assert pair.outcome == (91, 3)
    assert pair.pays() == (25 + 55) * 4 + 200


# Seat 0 takes a chien of six worthless cards, leads the Excuse and has one trick to come.
ONE_TRICK = written(
    "EX T21 S2-10 H1-7", "T1 T2 SJ-K HJ-K D4-J", "T3 DN-K C1-K", "S1 T4-20", "H8-10 D1-3"
)


def test_16_excuse_before_the_first_trick() -> None:
    """Attack: écart 6, T20 T21 T1 T3 20, Excuse 8: 17 points with three oudlers, 19 too few."""
    pair = Pair(ONE_TRICK, (0, "garde")).say("H8-10 D1-3 pass")
    pair.trick("EX D4 DN T4 T20 T21 T1 T3 S2 SJ C1 S1").finish()
    assert pair.winners[:3] == [3, 0, 1]
    assert set(pair.winners[2:]) == {1, 3}
    assert pair.outcome == (17, 3)
    assert pair.pays() == -(25 + 19) * 2


NO_TRICK = written("EX S1-10 H1-7", "T1 T2 SJ-K HJ-K D4-J", "T3 DN-K C1-K", "T4-21", "H8-10 D1-3")


@pytest.mark.parametrize(("said", "pays"), [("pass", -338), ("chelem", -538)])
def test_17_defence_slam_and_an_early_excuse(said: str, pays: float) -> None:
    """Also 32 and 60: the écart counts 3 points and pays nothing, the Excuse 4; one oudler.

    51 - 7 = 44 too few: (25 + 44) * 2, and 200 for the slam, 200 more for one announced.
    """
    pair = Pair(NO_TRICK, (0, "garde")).say("H8-10 D1-3").say(said).trick("EX").finish()
    assert 0 not in pair.winners
    assert pair.outcome == (7, 1)
    assert pair.pays() == pays


def test_32_options_of_both_penalties() -> None:
    options = {"defence_slam": 100, "slam_bonus": (400, 200, -400)}
    pair = Pair(NO_TRICK, (0, "garde"), **options).say("H8-10 D1-3 chelem EX").finish()
    assert pair.pays() == -138 - 100 - 400


@pytest.mark.parametrize(
    ("bid", "outcome", "pays"),
    [
        ("garde_sans", (91, 3), (25 + 55) * 4 + 200),
        ("garde_contre", (77, 2), (25 + 36) * 6 + 200),
    ],
)
def test_18_excuse_in_the_chien(bid: str, outcome: tuple[float, int], pays: float) -> None:
    """It was never played, so nothing is exchanged; nobody sees it."""
    pair = Pair(EXCUSE_IN_CHIEN, (0, bid)).say("pass")
    for seat in range(4):
        assert texts(pair.turn(seat).chien[0]) == []
    pair.finish()
    assert pair.outcome == outcome
    assert pair.pays() == pays


@pytest.mark.parametrize("oudler", ["T1", "T21"])
@pytest.mark.parametrize("bid", ["garde_sans", "garde_contre"])
def test_19_oudler_in_the_chien(oudler: str, bid: str) -> None:
    """Slam of one who has one oudler in hand; trump 4 stands in for the one in the chien."""
    hand = {"T1": "T4-21", "T21": "T1 T4-20"}[oudler]
    deal = written(hand, "S1-K H1-4", "H5-K D1-8", "D9-K C1-N", f"EX CQ CK T2 T3 {oudler}")
    pair = Pair(deal, (0, bid)).say("pass").finish()
    assert pair.outcome == {"garde_sans": (91, 3), "garde_contre": (73, 1)}[bid]
    assert pair.pays() == {"garde_sans": 80 * 4 + 200, "garde_contre": (25 + 22) * 6 + 200}[bid]


THREE_OUDLERS = written("S1 T1 T7-21 EX", "S3-K H1-6", "H7-K D1-10", "DJ-K C1-K", "T2-6 S2")


@pytest.mark.parametrize(
    ("played", "outcome", "pays"),
    [
        ("S1 SK H7 C1", (72, 2), (25 + 31) * 6),
        ("S1 SK H7 DJ S3 H8 DN EX", (77, 3), (25 + 41) * 6),
    ],
)
def test_20_three_oudlers_and_garde_contre(
    played: str, outcome: tuple[float, int], pays: float
) -> None:
    """The chien costs 6. Kept to the end, the Excuse costs 20 with CK and trick 1 12 with SK.

    Played in time: trick 1 14 (SK, DJ), trick 2 7 (S3, H8, DN), one paid.
    """
    pair = Pair(THREE_OUDLERS, (0, "garde_contre")).say("pass").trick(played).finish()
    assert pair.outcome == outcome
    assert pair.pays() == pays


CAPTURE = written("T1 T7-21 S1 S2", "T2 S4-K H1-6", "H7-K D1-10", "DJ-K C1-K", "T3-6 EX S3")


@pytest.mark.parametrize(
    ("fourth", "outcome", "pays"),
    [("T8 T2 H10 C4", (76, 2), (25 + 35) * 6), ("T1 T2 H10 C4", (70, 1), (25 + 19) * 6)],
)
def test_21_petit_captured_from_the_taker(
    fourth: str, outcome: tuple[float, int], pays: float
) -> None:
    """Lost: the chien 14, 12 with SK, 4 with S4; and 12 with the petit: 10 points more to make."""
    pair = Pair(CAPTURE, (0, "garde_contre")).say("pass")
    pair.trick("S1 SK H7 C1 S4 H8 C2 S2 SJ H9 C3 T7").trick(fourth).finish()
    assert pair.outcome == outcome
    assert pair.pays() == pays


# Seat 0 wins trick 1; seat 3 has the other high trumps, seat 1 keeps the Excuse.
OWN_SIDE_WINS = written(
    "T21 S1-10 H1-7", "EX SJ-K HJ-K D4-N", "DQ DK C1-K T1 T2", "T3-20", "H8-10 D1-3"
)


@pytest.mark.parametrize(
    ("options", "outcome", "pays"),
    [
        ({}, (10, 2), -(25 + 31) * 6),
        ({"excuse_last_trick_refund": False}, (10.5, 2), -(25 + 31) * 6),
        (
            {"excuse_last_trick_refund": False, "half_point": "taker"},
            *((10.5, 2), -(25 + 30) * 6),
        ),
        (
            {"excuse_last_trick_refund": False, "half_point": "exact"},
            *((10.5, 2), -(25 + 30.5) * 6),
        ),
        ({"excuse_last_trick": "trick_winner"}, (6, 1), -(25 + 45) * 6),
        ({"excuse_last_trick": "owner_keeps"}, (6, 1), -(25 + 45) * 6),
    ],
)
def test_22_excuse_to_a_last_trick_of_the_own_side(
    options: dict[str, Any], outcome: tuple[float, int], pays: float
) -> None:
    """Also 36. Attack: T21 T2 T3 D4 12 half points, and the Excuse, less the refund, or not."""
    pair = Pair(OWN_SIDE_WINS, (0, "garde_contre"), **options).say("pass")
    pair.trick("T21 D4 T2 T3 S1 SJ T1 T4").finish()
    assert pair.referee.tricks[-1][1][2] == (1, "EX")
    assert pair.winners == [0, *[3] * 17]
    assert pair.outcome == outcome
    assert pair.pays() == pays
