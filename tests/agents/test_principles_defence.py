"""The defence's principles, each in positions where a strong player would not hesitate.

Seat 0 is the taker unless a test names another. Where it can, a test flips the fact that decides
and sees another card be right.
"""

import pytest
from support.positions import Hands, Position, play, swap

# -- leads: obey, keep off the taker's suit, shorten him

TAKER = "D9 D8 HK H9 H8 C9 T17 T16"
STRONG = "D5 DK DJ HJ H7 T20 T19 T12"
OBEYS = "DN D4 D3 H4 H3 H2 T8 T7"
THIRD = "D2 D6 HQ H5 T14 T13 C5 C4"


@pytest.mark.parametrize(
    ("hands", "played", "leader"),
    [
        pytest.param((TAKER, OBEYS, STRONG, THIRD), "D5 D2 D8 DN", 2, id="after-the-taker"),
        pytest.param((TAKER, STRONG, OBEYS, THIRD), "D5 DN D6 D9", 1, id="in-the-middle"),
    ],
)
def test_the_suit_that_a_partner_opened_is_returned(hands: Hands, played: str, leader: int) -> None:
    """The knight won under the opener's king: his suit, not one where the taker may be strong."""
    position = Position(hands, played, leader)
    assert position.card[0] == "D"
    assert position.swapped("D", "H").card[0] == "H"


LED_DIAMONDS = "DQ D9 D8 D7 HQ H9 T17 T16"
ON_LEAD = "DK D4 D3 H4 H3 H2 T8 T7"
OTHERS = ("D5 DJ HJ H7 T12 T11 C8 C7", "D2 D6 HK H5 T20 T14 C5 C4")


@pytest.mark.parametrize(
    ("hands", "played"),
    [
        pytest.param((LED_DIAMONDS, *OTHERS, ON_LEAD), "D8 D5 D2 DK", id="before-the-taker"),
        pytest.param((LED_DIAMONDS, ON_LEAD, *OTHERS), "D8 DK D5 D2", id="after-the-taker"),
    ],
)
def test_a_new_suit_is_opened_rather_than_that_of_the_taker(hands: Hands, played: str) -> None:
    """Which of two suits alike is his long one, his lead has shown."""
    position = Position(hands, played)
    assert position.card[0] == "H"
    assert position.swapped("D", "H").card[0] == "D"


def test_the_taker_is_made_to_ruff_again() -> None:
    """He has ruffed the suit that the defence led first; whoever regains the lead leads it."""
    hands = {
        0: "T17 T16 T9 T6 T8 T19 HK HQ HJ H10 H4 DK DQ D9 CQ C9 C8 C3",
        1: "S5 S1 S2 SN H5 H6 D4 D5 D6 C4 C5 C6 T20 T5 T4 T3 H2 D1",
        2: "S7 S8 SQ SJ HN H7 D7 D8 D3 C7 C10 CK T18 T2 T7 T10 H3 C1",
        3: "S9 S10 SK S3 H8 H9 D10 D2 DN CN CJ C2 T21 T11 T12 T13 H1 DJ",
    }
    played = "S5 S7 SK T6 C3 C4 CK C2"
    assert play("4", hands, played, leader=1)[0] == "S"
    other = {seat: swap(hand, "S", "D") for seat, hand in hands.items()}
    assert play("4", other, swap(played, "S", "D"), leader=1)[0] == "D"


@pytest.mark.parametrize(
    ("hand", "leads_trumps"),
    [
        pytest.param("T20 T19 T18 T14 T12 T9 T7 T5 T3 T2 S5 S6 H4 H5 D4 D5 C4 C5", True, id="ten"),
        pytest.param("T20 T14 T12 T9 T7 T5 T3 S4 S5 S6 H4 H5 H6 D4 D5 C4 C5 C6", True, id="seven"),
        pytest.param(
            "T17 T14 T12 T9 T7 T5 T3 S4 S5 S6 H4 H5 H6 D4 D5 C4 C5 C6",
            False,
            id="seven-without-one-from-18-up",
        ),
        pytest.param(
            "T17 T16 T15 T14 T12 T9 T7 T5 T3 T2 S5 S6 H4 H5 D4 D5 C4 C5",
            False,
            id="ten-without-one-from-18-up",
        ),
        pytest.param("T20 T19 T14 T12 T9 T5 S4 S5 S6 H4 H5 H6 D4 D5 D6 C4 C5 C6", False, id="six"),
    ],
)
def test_trumps_are_led_by_the_strong_hand_alone(hand: str, leads_trumps: bool) -> None:
    """Seven or more, and the defence of the petit."""
    card = play("4", {0: hand, 2: "SK SQ S10 S9 S8 S7 ..."}, taker=2)
    assert (card[0] == "T") == leads_trumps


# -- honours


@pytest.mark.parametrize(
    ("pair", "small", "big"),
    [
        pytest.param("SQ SN", "SN", "SQ", id="queen-and-knight"),
        pytest.param("SN SJ", "SJ", "SN", id="knight-and-jack"),
    ],
)
def test_two_for_one(pair: str, small: str, big: str) -> None:
    """The small honour is given to save the big one; to a partner's king goes the big one."""
    hands = (
        "SK S10 T17 T16 H9",
        f"{pair} T8 H4 D4",
        "S5 S4 T12 H7 D7",
        "S6 S2 T20 H5 D6",
    )
    partners = ("S10 S9 T17 T16 H9", *hands[1:3], "SK S2 T20 H5 D6")
    assert Position(hands, "SK").card == small
    assert Position(partners, "SK S9", leader=3).card == big


@pytest.mark.parametrize(
    ("hands", "played", "card"),
    [
        pytest.param({0: "S5 SQ", 1: "SK S4"}, "S5 SK", "SN", id="a-partner-wins"),
        pytest.param({0: "SK SQ", 1: "S5 S4"}, "SK S4", "S2", id="the-taker-wins"),
    ],
)
def test_the_third_of_three_loads_won_tricks_alone(
    hands: dict[int, str], played: str, card: str
) -> None:
    trumps = ("T21 T20 T19 T18 ...", "T5 T6 T7 ...")
    deal = {seat: f"{hands[seat]} {trumps[seat]}" for seat in hands}
    assert play("3", {**deal, 2: "SN S2 T3 T4 H2 H3 ..."}, played) == card


CALLER = "T21 T20 T19 T18 T17 T9 SK S9 S8 D9 CQ C9 H5 H4 H3"
FIFTH = "DK H6 H10 HN S6 S7 CN C2 T12 T13 T14 T15 T16 D4 D5"


@pytest.mark.parametrize(
    ("second", "third", "played", "card"),
    [
        pytest.param(
            "D2 HK S5 C4 H8",
            "D3 H9 S3 CK",
            "D9 D1 D2 D3 DK H6 H5 H7 HK H9 S5 S3 S6 SK S1 C9 C3 C4 CK",
            "CN",
            id="a-defender-wins",
        ),
        pytest.param(
            "D2 H8 S2 C4",
            "D3 HK S5 CK H9",
            "D9 D1 D2 D3 DK H6 H5 H7 H8 HK S5 S6 SK S1 S2 C9 C3 C4 CK",
            "C2",
            id="the-partner-wins",
        ),
    ],
)
def test_the_fifth_loads_a_defenders_trick_and_not_that_of_the_takers_partner(
    second: str, third: str, played: str, card: str
) -> None:
    """The called king has shown who the partner is; seat 3 wins the taker's club with the king."""
    hands = {
        0: CALLER,
        1: "D1 H7 S1 C3 T2 T3 T4 ...",
        2: f"{second} T5 T6 T7 ...",
        3: f"{third} T8 T10 T11 ...",
        4: FIFTH,
    }
    assert play("5", hands, played, call="HK") == card


def test_the_fifth_plays_low_on_the_takers_trick_while_the_partner_is_unknown() -> None:
    """With the called king in his own hand he is the partner, and loads it."""
    hands = {
        0: CALLER.replace("CQ", "CK"),
        1: "D1 H7 S1 C3 T2 T3 T4 ...",
        2: "D2 H8 S2 C4 T5 T6 T7 ...",
        3: "D3 HK S5 CQ H9 T8 T10 T11 ...",
        4: FIFTH,
    }
    assert play("5", hands, "CK C3 C4 CQ", call="HK") == "C2"
    partner = {**hands, 3: hands[3].replace("HK", "HN"), 4: FIFTH.replace("HN", "HK")}
    assert play("5", partner, "CK C3 C4 CQ", call="HK") == "CN"


# -- the petit


def test_the_petit_ruffs_last_and_not_before_a_taker_who_ruffs_too() -> None:
    partners = ("S5 S4 CK T17 H4 D4 D3", "S7 S6 C8 H7 H6 D7 T2", "S3 C4 T1 T9 H5 D6 H10")
    last = Position(("S10 S9 T18 T6 H9 D9 DQ", *partners), "S10 S5 S7 S3 S9 S4 S6")
    before = Position(
        ("T5 T18 T6 H9 D9 DQ C2", *partners), "S5 S7 S3 T5 C2 CK C8 C4 S4 S6", leader=1
    )
    assert last.card == "T1"
    assert before.card == "T9"


def test_the_petit_of_one_of_three_ruffs_last_and_not_before_a_taker_who_ruffs_too() -> None:
    plain = "C4 C9 C10 CJ C1 CN D10 DJ DN D9 D1 DQ H10 HJ HN H9 H1 HQ T21 T14 T13 T6"
    partner = "S4 SK S7 S8 CK T18 T17 T16 ..."
    petit = "S3 T1 T2 T9 D2 D3 D4 D5 D6 D7 D8 H2 H3 H4 H5 H6 H7 H8 C2 C3 C5 C6 C7 C8"
    follows = {0: f"S5 SQ {plain}", 1: partner, 2: petit}
    assert play("3", follows, "S5 S4 S3 SQ SK") == "T1"
    ruffs = {0: f"T11 T10 {plain}", 1: partner, 2: petit}
    assert play("3", ruffs, "S7 S3 T6 C4 CK C2 S8", leader=1) != "T1"


def test_the_petit_goes_under_a_partners_ruff_and_not_under_the_takers() -> None:
    """The last to play, void, has the petit and the 9 under a 14."""
    petit, opener = "T1 T9 H4 D4 D3 C4", "S7 S6 T12 H7 D7 C7"
    partners = ("S9 C9 T17 T16 H9 H8", petit, opener, "T14 H3 T8 H5 D6 C5")
    takers = ("T14 C9 T17 T16 H9 H8", petit, opener, "S3 H3 T8 H5 D6 C5")
    assert Position(partners, "S7 T14 S9", leader=2).card == "T1"
    assert Position(takers, "S7 S3 T14", leader=2).card == "T9"


def test_the_holder_of_the_petit_leads_no_trump() -> None:
    """Six trumps with the petit are no strong hand, whatever the 20 says; ten without it are."""
    six = "T20 T12 T9 T7 T5 T1 S4 S5 S6 H4 H5 H6 D4 D5 D6 C4 C5 C6"
    ten = "T20 T19 T18 T14 T12 T9 T7 T5 T3 T2 S5 S6 H4 H5 D4 D5 C4 C5"
    taker = {2: "T21 T17 T16 T15 SK SQ S10 S9 S8 S7 ..."}
    assert play("4", {0: six, **taker}, taker=2)[0] != "T"
    assert play("4", {0: ten, **taker}, taker=2)[0] == "T"


# -- ruffs and the Excuse

FORCES = ("SJ S5 C3 T17 H4 D4 D3", "S7 S4 C8 H7 H6 D7 T2", "S3 C4 T15 T4 H5 D6 H10")


def test_a_low_ruff_where_the_taker_follows() -> None:
    follows = Position(("S8 T18 T6 S9 D9 DQ C2", *FORCES), "SJ S7 S3 S8 C3 C8 C4 C2 S4", leader=1)
    assert follows.card == "T4"


def test_an_uppercut_where_the_taker_ruffs_too() -> None:
    """The 4 is overruffed by the 6; the 15 costs him the 18, or wins."""
    ruffs = Position(("T5 T18 T6 H9 D9 DQ C2", *FORCES), "SJ S7 S3 T5 C2 C3 C8 C4 S4", leader=1)
    assert ruffs.card == "T15"


@pytest.mark.parametrize(
    ("led", "partner", "card"),
    [
        pytest.param("T21", "T5", "EX", id="lost-trick"),
        pytest.param("T18", "T1", "T19", id="a-petit-to-save"),
    ],
)
def test_the_excuse_saves_a_high_trump_that_could_win_nothing(
    led: str, partner: str, card: str
) -> None:
    hands = (
        f"{led} T17 T16 S9 H8",
        f"{partner} S4 H4 D4 D3",
        "EX T19 H7 D7 C7",
        "T3 S5 D6 C4 C5",
    )
    assert Position(hands, f"{led} {partner}").card == card
