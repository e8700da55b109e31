"""The edge cases of the rules text, by their numbers there, on the core and the referee.

Every deal stands here in full and every expectation is worked out from the rules by hand, in
points. `pays` is what each defender pays. Seat 3 deals unless said otherwise, so seat 0 leads.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lockstep import Pair, as_set, cards, texts, written

from tarot_env import IllegalAction, Rules, Tables
from tarot_env.actions import parse_action
from tarot_env.cards import ANY, KIND, RANK, TRUMP
from tarot_env.phases import ecart
from tarot_env.phases.trick import legal_plays

CASES = Path(__file__).parent / "cases"


def examples(name: str) -> list[Any]:
    found = json.loads((CASES / name).read_text(encoding="utf-8"))
    return [pytest.param(case, id=str(case["id"])) for case in found]


@pytest.mark.parametrize("case", examples("legal_plays.json"))
def test_worked_legal_plays(case: dict[str, Any]) -> None:
    table = [parse_action(card) for card in case["table"].split()]
    kinds = [int(KIND[card]) for card in table if KIND[card] != ANY]
    best = max((int(RANK[card]) for card in table if KIND[card] == TRUMP), default=0)
    legal = legal_plays(
        as_set(case["hand"].split())[None],
        np.array([kinds[0] if kinds else ANY], np.int8),
        np.array([best], np.int8),
    )
    assert set(texts(legal[0])) == set(case["legal"].split())


@pytest.mark.parametrize("case", examples("discards_4p.json"))
def test_worked_discards(case: dict[str, Any]) -> None:
    """Some order of the cards must be legal one by one: plain cards first."""
    rules = Rules.preset()
    tables = Tables(rules, 1, seed=1)
    row = np.array([0])
    tables.force(row, 0, 3)
    state = tables.state
    state.hands[0, 0] = as_set(case["hand"].split())
    chosen = sorted(case["ecart"].split(), key=lambda card: card[0] in "TE")
    refused = False
    for card in chosen:
        refused |= card not in texts(ecart.legal(state, row, rules)[0])
        state.hands[0, 0] &= ~as_set([card])
    assert refused != case["legal"]


# --- Which cards may be played


# Seat 0 leads what seat 1 wants; nobody has ten trumps.
OPEN = written(
    "EX S1-10 H1-7",
    "D1-5 C1-5 T2-9",
    "D6-K C6-10 T10-13",
    "SJ-K H8-K CJ-K T14-16",
    "T1 T17-21",
)
ALL_OF_1 = cards("D1-5 C1-5 T2-9")


def test_01_second_hand_plays_anything_on_a_led_excuse() -> None:
    pair = Pair(OPEN, (0, "garde_sans")).say("pass EX")
    assert pair.legal == ALL_OF_1
    pair.say("D1")
    assert pair.legal == cards("D6-K")
    pair.say("D6")
    assert pair.legal == cards("T14-16")
    assert pair.say("T14").seat == 3


def test_02_trump_on_a_led_excuse_leads_trumps() -> None:
    pair = Pair(OPEN, (0, "garde_sans")).say("pass EX T9")
    assert pair.legal == cards("T10-13")
    pair.say("T13")
    assert pair.legal == cards("T14-16")
    assert pair.say("T16").seat == 3


def test_02_a_suit_under_trumps_never_wins() -> None:
    """The king of the suit led loses to the lowest trump."""
    pair = Pair(OPEN, (0, "garde_sans")).say("pass EX D1 DK T14")
    assert pair.winners == [3]


def test_04_only_the_second_card_can_find_the_excuse_alone() -> None:
    pair = Pair(OPEN, (0, "garde_sans")).say("pass")
    kinds = [(int(pair.turn(1).led[0]), int(pair.turn(1).best_seat[0]))]
    for card in ("EX", "D1", "D6"):
        pair.say(card)
        kinds.append((int(pair.turn(1).led[0]), int(pair.turn(1).best_seat[0])))
    assert kinds == [(ANY, -1), (ANY, -1), (2, 0), (2, 1)]


def test_05_a_partner_is_overtrumped_too() -> None:
    """Seats 1 and 2 defend; the 21 is the only trump over the partner's 20."""
    deal = written(
        "D1-K H1-4",
        "T20 T10-13 S1-10 H5-7",
        "T21 T5 T6 EX SJ-K H8-K C1-3",
        "C4-K T7-9 T14-17",
        "T1-4 T18 T19",
    )
    pair = Pair(deal, (3, "garde_sans")).say("pass D1")
    assert pair.legal == cards("T10-13 T20")
    pair.say("T20")
    assert pair.legal == cards("T21 EX")
    pair.say("EX")
    assert pair.legal == cards("T7-9 T14-17")


def test_06_undertrump_where_none_is_higher() -> None:
    deal = written(
        "D1-K H1-4",
        "T18 T10-13 S1-10 H5-7",
        "T5 T9 SJ-K H8-K C1-5",
        "C6-K T1-4 T6-8 T14 T15",
        "T16 T17 T19-21 EX",
    )
    pair = Pair(deal, (0, "garde_sans")).say("pass D1 T18")
    assert pair.legal == cards("T5 T9")


@pytest.mark.parametrize("low", ["T1", "T3"])
def test_07_a_higher_trump_must_go_over(low: str) -> None:
    """Not even the petit is slipped under while a higher one is held."""
    other = {"T1": "T3", "T3": "T1"}[low]
    deal = written(
        "D1-K H1-4",
        "T18 T10-13 S1-10 H5-7",
        f"{low} T19 EX SJ-K H8-K C1-4",
        f"C5-K {other} T2 T4-9",
        "T14-17 T20 T21",
    )
    pair = Pair(deal, (0, "garde_sans")).say("pass D1 T18")
    assert pair.legal == cards("T19 EX")
    assert sorted(pair.say("T19").legal) == sorted(cards(f"{other} T2 T4-9"))


def test_08_no_trump_while_the_suit_is_held() -> None:
    deal = written(
        "D1-7 S1-10 H1",
        "D8 D9 T21 T1-5 H2-J",
        "D10-K SJ-K T6-9 T18 C1-4",
        "HN-K C5-K T10-14",
        "T15-17 T19 T20 EX",
    )
    pair = Pair(deal, (0, "garde_sans")).say("pass D1")
    assert pair.legal == cards("D8 D9")
    assert pair.say("D8").legal == cards("D10-K")


def test_09_no_duty_to_beat_a_ruff_or_a_suit_card() -> None:
    deal = written(
        "D1-5 S1-10 H1-3",
        "T2 T18 H4-K C1-5",
        "D6 D7 DK T1 T21 SJ-K C6-10 T3-6",
        "D8-Q CJ-K T7-14",
        "T15-17 T19 T20 EX",
    )
    pair = Pair(deal, (0, "garde_sans")).say("pass D1 T18")
    assert pair.legal == cards("D6 D7 DK")
    assert pair.say("DK").legal == cards("D8-Q")
    assert pair.say("DQ").winners == [1]


NO_TRUMP = written("D1-K S1-4", "EX S5-K H1-7", "H8-K C1-4 T2-8", "C5-K T9-16", "T1 T17-21")


def test_10_void_in_suit_and_trumps_with_the_excuse() -> None:
    pair = Pair(NO_TRUMP, (0, "garde_sans")).say("pass D1")
    assert sorted(pair.legal) == sorted(cards("EX S5-K H1-7"))


LONE_PETIT = ("D1-K S1-4", "S5-K T2-9", "T1 EX H1-K C1 C2", "C3-K T10-15", "T16-21")


def test_11_the_petit_must_fall_under_higher_trumps() -> None:
    pair = Pair(written(*LONE_PETIT), (0, "garde_sans")).say("pass D1 T9")
    assert pair.legal == cards("T1 EX")
    assert pair.say("T1").legal == cards("T10-15")


def test_12_the_petit_may_be_led_and_loses_to_any_trump() -> None:
    deal = written(*LONE_PETIT, dealer=1)
    pair = Pair(deal, (0, "garde_sans")).say("pass")
    assert pair.seat == 2
    assert sorted(pair.legal) == sorted(cards("T1 EX H1-K C1 C2"))
    pair.say("T1")
    assert pair.legal == cards("T10-15")
    pair.say("T10")
    assert sorted(pair.legal) == sorted(cards("D1-K S1-4"))
    pair.say("D1")
    assert pair.legal == cards("T2-9")
    assert pair.say("T2").winners == [3]


# --- The Excuse

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


ALL_TRUMPS = written("T1 T5-21", "EX S1-K H1-3", "H4-K D1-7", "D8-K C1-J", "CN-K T2-4")


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


EXCUSE_IN_CHIEN = written("T1 T5-21", "S1-K H1-4", "H5-K D1-8", "D9-K C1-N", "EX CQ CK T2-4")


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


# --- Slams

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


# --- Targets, petit au bout, poignées

EXACT = written("T20 T21 EX S1-10 H1-5", "SN-K H6 HJ-K D1-10", "DJ-K C1-K", "T2-19", "T1 SJ H7-10")


@pytest.mark.parametrize(
    ("second", "outcome", "pays"),
    [("HK", (36, 3), 100), ("HQ", (35, 3), -104)],
    ids=["exactly", "one too few"],
)
def test_34_exactly_the_target(second: str, outcome: tuple[float, int], pays: float) -> None:
    """Attack: T21 SK DK T2 28, T20 HK CK T3 20, the chien 16, the Excuse 8 = twice 36."""
    pair = Pair(EXACT, (0, "garde_sans")).say("pass")
    pair.trick("T21 SK DK T2 T20").trick(second).trick("CK T3 EX D1 DJ T4").finish()
    assert pair.winners == [0, 0, *[3] * 16]
    assert pair.outcome == outcome
    assert pair.pays() == pays


def test_37_petit_au_bout_on_a_failed_contract() -> None:
    """Attack: chien 6, trump tricks 4 4 4 12, the last one 14 with S10 T1 D7 CJ.

    Two oudlers, 22 points, 19 too few.
    """
    deal = written(
        "T1 T18-21 S1-4 H1-3 D1-3 C1-3",
        "S5-8 H4-9 D4-7 T8-11",
        "HJ H10 D8-J C4-J EX T12-14",
        "S9 S10 SJ-K HN-K DN-K CN-K T15-17",
        "T2-7",
    )
    pair = Pair(deal, (0, "garde_sans")).say("pass")
    pair.trick("T18 T8 T12 T15 T19 T9 T13 T16 T20 T10 T14 T17 T21 T11 C4 S9 S1 S5 EX SJ")
    pair.lead("SN-K HN-K DN-K CN-K S10", keep="T1")
    assert pair.winners == [*[0] * 4, *[3] * 13, 0]
    assert [card for _seat, card in pair.referee.tricks[-1][1]] == ["S10", "T1", "D7", "CJ"]
    assert pair.outcome == (22, 2)
    assert pair.pays() == -(25 + 19) * 4 + 40


TWO_LONG = written("T1 T13-21 S8-K HK", "T2-11 S1-7 H1", "H2-Q D1-6", "D7-K C1-10", "T12 EX CJ-K")


def play_two_long(taker: int, answers: tuple[str, str], **options: Any) -> Pair:
    """Seat 0 takes seventeen tricks and loses the petit to the 11 in the last."""
    pair = Pair(TWO_LONG, (taker, "garde_sans"), **options).say("pass").say(answers[0])
    pair.to("PLAY").say("S8").say(answers[1]).to("PLAY").finish("T1")
    assert pair.winners == [*[0] * 17, 1]
    assert [card for _seat, card in pair.referee.tricks[-1][1]] == ["T1", "T11", "D6", "C10"]
    return pair


def test_38_petit_au_bout_of_the_defence_on_a_made_contract() -> None:
    """Also 39: played by the taker, won by a defender. The last trick is 12 half points."""
    pair = play_two_long(0, ("pass", "pass"))
    assert pair.outcome == (85, 2)
    assert pair.pays() == (25 + 44 - 10) * 4


def test_39_petit_of_a_defender_at_the_last_trick() -> None:
    deal = written("T12-21 S8-K HK", "T1-10 S1-7 H1", "H2-Q D1-6", "D7-K C1-10", "T11 EX CJ-K")
    pair = Pair(deal, (0, "garde_sans")).say("pass").finish("T1 T21")
    assert pair.referee.tricks[-1][1][:2] == [(0, "T21"), (1, "T1")]
    assert pair.outcome == (91, 3)
    assert pair.pays() == (25 + 55 + 10) * 4 + 200


@pytest.mark.parametrize(
    ("taker", "answers", "pays"),
    [
        pytest.param(0, ("poignee", "poignee"), 236 + 40, id="40 made"),
        pytest.param(0, ("pass", "poignee"), 236 + 20, id="41 of a defender, made"),
        pytest.param(0, ("poignee", "pass"), 236 + 20, id="of the taker, made"),
        pytest.param(1, ("poignee", "poignee"), -132 - 40, id="40 failed"),
        pytest.param(1, ("pass", "poignee"), -132 - 20, id="of the taker, failed"),
        pytest.param(1, ("poignee", "pass"), -132 - 20, id="of a defender, failed"),
    ],
)
def test_40_poignees_go_to_the_side_that_wins(
    taker: int, answers: tuple[str, str], pays: float
) -> None:
    """Seat 1 as taker has the chien 34 and the last trick 12: 23 points, two oudlers, 18 short,
    and the petit au bout: -(25 + 18) * 4 + 40 = -132.
    """
    assert play_two_long(taker, answers).pays() == pays


def test_40_single_and_double() -> None:
    options = {"poignee_thresholds": (8, 10, 13)}
    assert play_two_long(0, ("poignee", "double_poignee"), **options).pays() == 236 + 50
    assert play_two_long(1, ("poignee", "double_poignee"), **options).pays() == -132 - 50


def question(hand: str, bid: str = "garde_sans", **options: Any) -> Pair:
    """Seat 0 holds the cards given, and low spades; the others get the rest as it comes."""
    mine = cards(hand)
    rest = [card for card in cards("S1-K H1-K D1-K C1-K T1-21 EX") if card not in mine]
    own = mine + rest[: 18 - len(mine)]
    rest = [card for card in rest if card not in own]
    piles = [" ".join(rest[18 * n : 18 * n + 18]) for n in range(4)]
    deal = written(" ".join(own), *piles[:3], piles[3])
    return Pair(deal, (0, bid), petit_sec="off", **options).say("pass")


def shown_by_0(pair: Pair) -> list[str]:
    return texts(pair.turn(2).poignee_cards[0, 2])


def test_42_ten_trumps_and_the_excuse() -> None:
    """Exactly the ten trumps, the Excuse in no trump's place."""
    pair = question("T12-21 EX")
    assert pair.legal == ["pass", "poignee"]
    pair.say("poignee")
    assert pair.phase == "PLAY"
    assert shown_by_0(pair) == cards("T12-21")


def test_43_nine_and_twelve_trumps_with_the_excuse() -> None:
    pair = question("T13-21 EX")
    assert pair.legal == ["pass", "poignee"]
    assert shown_by_0(pair.say("poignee")) == cards("T13-21 EX")
    pair = question("T10-21 EX")
    assert pair.legal == ["pass", "poignee", "double_poignee"]
    assert shown_by_0(pair.say("double_poignee")) == cards("T10-21 EX")
    pair = question("T10-21 EX").say("poignee")
    assert pair.phase == "WITHHOLD"
    assert pair.legal == cards("T10-21")
    pair.say("T10")
    assert pair.legal == cards("T11-21")
    assert shown_by_0(pair.say("T21")) == cards("T11-20")


def test_43_nine_trumps_alone_are_too_few() -> None:
    assert question("T13-21").phase == "PLAY"
    assert question("T14-21 EX").phase == "PLAY"


@pytest.mark.parametrize("hidden", ["T1", "T21", "T9"])
def test_44_any_trump_may_be_hidden(hidden: str) -> None:
    pair = question("T1 T9-21").say("double_poignee")
    assert pair.legal == cards("T1 T9-21")
    pair.say(hidden)
    assert shown_by_0(pair) == [card for card in cards("T1 T9-21") if card != hidden]


FOUR_KINGS = written(
    "SK HK DK CK T1 T9-21",
    "S3-Q H2-8",
    "H9-Q D2-Q C2",
    "EX T2-7 C3-Q",
    "T8 S1 H1 D1 C1 S2",
)


def test_45_a_shown_discard_is_shown_again() -> None:
    pair = Pair(FOUR_KINGS, (0, "garde"))
    assert pair.legal == cards("S1 S2 H1 D1 C1")
    pair.say("S1 S2 H1 D1 C1")
    assert pair.legal == cards("T8-20")
    pair.say("T8 pass")
    assert pair.legal == ["pass", "poignee", "double_poignee", "triple_poignee"]
    pair.say("triple_poignee")
    assert pair.phase == "PLAY"
    assert shown_by_0(pair) == cards("T1 T8-21")


def test_45_a_shown_discard_may_be_withheld() -> None:
    pair = Pair(FOUR_KINGS, (0, "garde")).say("S1 S2 H1 D1 C1 T8 pass double_poignee")
    assert pair.legal == cards("T1 T8-21")
    assert shown_by_0(pair.say("T8 T9")) == cards("T1 T10-21")


def test_45_option_off() -> None:
    pair = Pair(FOUR_KINGS, (0, "garde"), poignee_counts_shown_discards=False)
    pair.say("S1 S2 H1 D1 C1 T8 pass")
    assert pair.legal == ["pass", "poignee", "double_poignee"]
    assert pair.say("double_poignee").legal == cards("T1 T9-21")


def test_45_a_defender_cannot_count_the_taker_s_discard() -> None:
    """Seat 3 has six trumps and the Excuse, one short of eight; the shown 8 is not its own."""
    pair = Pair(FOUR_KINGS, (0, "garde"), poignee_thresholds=(8, 13, 15))
    pair.say("S1 S2 H1 D1 C1 T8 pass pass SK S3 D2")
    assert (pair.phase, pair.seat) == ("PLAY", 3)


def test_46_no_trump_goes_while_plain_cards_are_held() -> None:
    deal = written("SK HK DK CK T1 T10-21 S1", "S8-Q H1-N", "HQ D1-Q T2-5", "EX T6-9 C1-Q", "S2-7")
    pair = Pair(deal, (0, "garde"))
    for number in range(1, 7):
        assert pair.legal == cards(f"S{number}-7")
        pair.say(f"S{number}")
    assert pair.phase == "SLAM"


def test_47_plain_cards_first_then_shown_trumps() -> None:
    deal = written(
        "SK HK DK CK T1 T9-21", "S5-Q H1-9", "H10-Q D1-Q T2", "EX T3-6 C1-Q", "S1-4 T7 T8"
    )
    pair = Pair(deal, (0, "garde")).say("S4 S3 S2 S1")
    assert pair.legal == cards("T7-20")
    pair.say("T20 T7")
    assert pair.phase == "SLAM"
    for seat in (1, 2, 3):
        turn = pair.turn(seat)
        assert texts(turn.shown_discards[0]) == ["T7", "T20"]
        assert texts(turn.ecart[0]) == []
        events = turn.history[0, : turn.history_size[0]]
        assert events[:, 1].tolist() == [-1] * 4 + [parse_action("T20"), parse_action("T7")]
    assert texts(pair.turn(0).ecart[0]) == cards("S1-4 T7 T20")


# --- Deals and auction


def test_53_petit_and_excuse_are_no_petit_sec() -> None:
    assert Pair(written(*LONE_PETIT)).phase == "AUCTION"
    pair = Pair(written(*LONE_PETIT), petit_sec_excuse_protects=False)
    assert pair.phase == "OVER"


def test_53_petit_alone_is_void_even_where_a_contract_is_given() -> None:
    deal = written("D1-K S1-4", "S5-K T2-9", "T1 H1-K C1-3", "C4-K EX T10-15", "T16-21")
    for forced in (None, (2, "garde")):
        pair = Pair(deal, forced)
        assert pair.phase == "OVER"
        assert pair.legal == []
        assert pair.tables.scores.tolist() == [[0, 0, 0, 0]]
        assert pair.referee.log == []
    assert Pair(deal, petit_sec="off").phase == "AUCTION"


def test_53_it_is_tested_on_dealt_hands_only() -> None:
    """Seat 0 picks up the petit as its only trump."""
    deal = written("D1-K S1-4", "S5-K T2-9", "H1-K EX C1-3", "C4-K T10-16", "T1 T17-21")
    assert Pair(deal, (0, "garde")).phase == "DISCARD"


def test_54_no_trump_is_no_redeal() -> None:
    assert Pair(NO_TRUMP).phase == "AUCTION"


def test_55_all_pass() -> None:
    pair = Pair(OPEN).say("pass pass pass")
    assert pair.phase == "AUCTION"
    pair.say("pass")
    assert (pair.phase, pair.seat) == ("OVER", -1)
    assert pair.tables.scores.tolist() == [[0, 0, 0, 0]]
    assert (pair.tables.taker[0], pair.tables.contract[0]) == (-1, 0)


@pytest.mark.parametrize("dealer", range(4))
def test_56_nobody_is_asked_after_a_garde_contre(dealer: int) -> None:
    pair = Pair((*OPEN[:2], dealer))
    assert pair.seat == (dealer + 1) % 4
    pair.say("garde_contre")
    assert (pair.phase, pair.seat) == ("SLAM", (dealer + 1) % 4)


def test_57_a_bid_must_be_higher() -> None:
    pair = Pair(OPEN)
    assert pair.legal == ["pass", "petite", "garde", "garde_sans", "garde_contre"]
    pair.say("garde")
    assert pair.legal == ["pass", "garde_sans", "garde_contre"]
    pair.say("garde_sans")
    assert pair.legal == ["pass", "garde_contre"]
    pair.say("pass pass")
    assert (pair.phase, pair.seat) == ("SLAM", 1)
    assert Pair(OPEN, with_petite=False).legal == ["pass", "garde", "garde_sans", "garde_contre"]


def test_58_who_was_overcalled_does_not_speak_again() -> None:
    pair = Pair(OPEN).say("petite garde pass pass")
    assert (pair.phase, pair.seat) == ("DISCARD", 1)
    assert pair.turn(1).bids.tolist() == [[3, 0, 0, 1]]


def test_59_oudlers_are_counted_at_the_end() -> None:
    """None dealt; the petit is caught, the Excuse lies in the chien: 41 to make.

    Lost: T3 T2 T21 D7, 12 half points.
    """
    deal = written("T3-20", "T1 T2 S1-K H1 H2", "T21 H4-K D1-6", "D7-K C1-10", "EX H3 CJ-K")
    pair = (
        Pair(deal, (0, "garde_sans")).say("pass").trick("T3 T2 T21 D7 H4 D8 T4 H1 T5 T1").finish()
    )
    assert pair.winners == [2, *[0] * 17]
    assert pair.outcome == (85, 2)
    assert pair.pays() == (25 + 44) * 4


CHIEN_TRUMPS = written(
    "T12-20 S1-9", "S10-K H1-N D1", "HQ HK D2-K CJ CN T7", "EX T21 T8-11 C1-10 CQ CK", "T1-6"
)


@pytest.mark.parametrize("bid", ["garde_sans", "garde_contre"])
def test_61_chien_trumps_do_not_count_unseen(bid: str) -> None:
    assert Pair(CHIEN_TRUMPS, (0, bid)).say("pass").phase == "PLAY"


def test_61_chien_trumps_count_in_hand() -> None:
    pair = Pair(CHIEN_TRUMPS, (0, "garde")).say("S1-6 pass")
    assert pair.legal == ["pass", "poignee", "double_poignee", "triple_poignee"]


def test_62_every_card_is_played_and_only_the_last_trick_is_seen() -> None:
    pair = Pair(ALL_TRUMPS, (0, "garde_sans")).say("pass").trick("T21 S1 H4 D8")
    seen = pair.turn(3)
    assert [parse_action(card) for card in cards("T21 S1 H4 D8")] == seen.last_trick[0].tolist()
    pair.trick("T20 S2 H5 D9")
    seen = pair.turn(3)
    assert [parse_action(card) for card in cards("T20 S2 H5 D9")] == seen.last_trick[0].tolist()
    pair.finish()
    assert pair.tables.state.log_size[0] == 1 + 1 + 72


def test_63_revokes_and_cards_of_others_are_refused() -> None:
    pair = Pair(OPEN, (0, "garde_sans")).say("pass S1")
    for card in ("S2", "SJ", "EX"):
        with pytest.raises(IllegalAction, match="not a card in hand"):
            pair.tables.step(np.array([parse_action(card)]))
    with pytest.raises(IllegalAction, match=r"void in spades, must trump; allowed: T2 T3"):
        pair.tables.step(np.array([parse_action("D1")]))
    assert pair.legal == cards("T2-9")
    pair.say("T9")
    with pytest.raises(IllegalAction, match="void in spades, must trump"):
        pair.tables.step(np.array([parse_action("DK")]))
    pair.say("T10")
    with pytest.raises(IllegalAction, match="must follow spades"):
        pair.tables.step(np.array([parse_action("T14")]))
    assert pair.say("SK").winners == [2]
    pair.say("T11")
    assert pair.say("T14").legal == cards("S2-10 H1-7 EX")
    pair.say("EX")
    assert pair.legal == cards("T2-8")
    with pytest.raises(IllegalAction, match="must follow trumps"):
        pair.tables.step(np.array([parse_action("C1")]))


def test_63_too_low_a_trump_is_refused() -> None:
    deal = written(
        "EX S1-10 H1-7",
        "D1-5 C1-5 T2-9",
        "D6-K C6-10 T1 T11-13",
        "SJ-K H8-K CJ-K T14-16",
        "T10 T17-21",
    )
    pair = Pair(deal, (0, "garde_sans")).say("pass EX T9")
    with pytest.raises(IllegalAction, match="must go over trump 9; allowed: T11 T12 T13"):
        pair.tables.step(np.array([parse_action("T1")]))


TWO_QUESTIONS = written(
    "S1-K H1-4", "T1-10 H5-9 D1-3", "T11-20 D4-8 C1-3", "H10-K D9-K C4-10", "T21 EX CJ-K"
)


@pytest.mark.parametrize(
    ("options", "said", "order"),
    [
        ({}, "chelem", [2, 2, 3, 0, 1, 1]),
        ({}, "pass", [0, 1, 1, 2, 2, 3]),
        ({"slam_announcer_leads": False}, "chelem", [0, 1, 1, 2, 2, 3]),
        ({"first_lead": "taker"}, "pass", [2, 2, 3, 0, 1, 1]),
    ],
)
def test_64_the_slam_announcer_leads(options: dict[str, Any], said: str, order: list[int]) -> None:
    """And poignées are asked for as each first card comes: seats 1 and 2 have one."""
    pair = Pair(TWO_QUESTIONS, (2, "garde_sans"), **options).say(said)
    asked = []
    while not pair.winners:
        asked.append(pair.seat)
        pair.say("poignee" if pair.phase == "POIGNEE" else pair.legal[0])
    assert asked == order
    assert pair.turn(0).poignee_level.tolist() == [[0, 1, 1, 0]]
