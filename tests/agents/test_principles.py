"""The taker's principles, each in positions where a strong player would not hesitate.

Seat 0 is the taker. Where it can, a test flips the fact that decides and sees another card be
right.
"""

import pytest
from support.constructed import ask_until, say, table_of
from support.positions import Hands, Position, play, swap

from tarot_env import Phase
from tarot_env.cards import cardsets
from tarot_env.cards.actions import action_text


def is_major(card: str) -> bool:
    return card[0] == "T" and int(card[1:]) >= 16


# -- the taker leads

LONG_SUIT: Hands = (
    "SK SQ S9 S8 S7 S6 T16 T15 T9 D10",
    "T20 T13 S3 S2 H9 H8 D9 D8 C9 C6",
    "T19 T12 T3 S4 S1 H7 H6 D7 D6 C8",
    "T18 T10 T6 SJ S5 H5 H4 D5 D4 C7",
)


def test_the_long_suit_is_led_from_the_top() -> None:
    """King and queen; where a defender has the king, no honour is led into it."""
    assert Position(LONG_SUIT).card == "SK"
    taker, second, third, fourth = LONG_SUIT
    without = (taker.replace("SK", "SJ"), second, third, fourth.replace("SJ", "SK"))
    assert Position(without).card not in ("SQ", "SJ")


def test_the_queen_of_the_marriage_follows_the_king() -> None:
    """In a whole deal with many spades out; a queen whose king a defender has stays at home."""
    taker = "T17 T16 T15 T9 T8 T2 SK SQ S10 S9 S8 S7 S6 HK H4 D9 D10 C10"
    others = {1: "S1 S2 T21 T20 T10 ...", 2: "S3 SN T19 T12 T11 ...", 3: "S4 S5 SJ T18 ..."}
    assert play("4", {0: taker, **others}, "SK S1 S3 S4") == "SQ"
    without = {0: taker.replace("SK", "SJ"), **others, 3: "S4 S5 SK T18 ..."}
    assert play("4", without) not in ("SQ", "SJ")


def test_the_long_suit_is_repeated_after_a_ruff() -> None:
    """Each ruff shortens a defender; of two suits alike it is the one that was begun."""
    hands = {
        0: "SK SQ S10 S9 S7 HK HQ H10 H9 H7 T21 T18 T15 T10 T8 T6 DK C10",
        1: "S2 S4 S5 S6 H2 H4 H5 D6 ...",
        2: "T2 T19 T16 T12 H3 H6 H8 D4 ...",
        3: "S3 SJ S8 SN HJ HN H1 D5 ...",
    }
    played = "SK S2 T2 S3 D4 D5 DK D6"
    assert play("4", hands, played)[0] == "S"
    other = {seat: swap(hand, "S", "H") for seat, hand in hands.items()}
    assert play("4", other, swap(played, "S", "H"))[0] == "H"


def test_the_long_suit_of_low_cards_is_repeated_after_a_ruff() -> None:
    position = Position(
        (
            "S10 S9 S8 S7 H10 H9 H8 H7 T17 D10",
            "S2 S1 SJ H2 H1 HJ D2 T8 T7 C9",
            "T12 T13 T14 H4 H3 D7 D6 C8 C7 C6",
            "S3 S4 S5 H6 H5 D4 D3 T20 T6 C4",
        ),
        "S10 S2 T12 S3 D7 D4 D10 D2",
    )
    assert position.card[0] == "S"
    assert position.swapped("S", "H").card[0] == "H"


def test_trumps_are_led_with_a_full_hand_and_not_with_a_long_suit() -> None:
    full = "T21 T20 T19 T18 T17 T13 T12 T11 T1 C5 SK HK DK DQ D9 S4 H5 C4"
    assert play("4", {0: full})[0] == "T"
    assert Position(LONG_SUIT).card[0] != "T"


def test_the_last_trumps_are_drawn_before_kings_are_cashed() -> None:
    """Four masters against three trumps, kings to bring home."""
    position = Position(
        (
            "T21 T20 T19 T18 T10 T9 SK HK D10 D9",
            "T17 S3 S2 H9 H8 DK D8 C9 C6 C1",
            "T5 S4 S1 SQ H7 H6 D7 D6 C8 C5",
            "T4 SJ S5 S6 H5 H4 D5 D4 C7 CQ",
        )
    )
    assert position.card[0] == "T"


@pytest.mark.parametrize(
    "hands",
    [
        pytest.param(
            (
                "SK S4 D8 D2 T16 T9 T8 C10",
                "T20 T13 SQ S2 D9 D3 C9 C6",
                "T19 T12 S9 S1 D7 D6 C8 H5",
                "T18 T10 SJ S5 D5 D4 C7 H4",
            ),
            id="short-king",
        ),
        pytest.param(
            (
                "SK D8 T16 T9 T8 C10",
                "T20 T13 SQ D9 C9 C6",
                "T19 T12 S9 S1 D7 D6",
                "T18 T10 SJ S5 D5 D4",
            ),
            id="bare-king",
        ),
    ],
)
def test_reprises_wait_for_the_defence_to_open_them(hands: Hands) -> None:
    assert Position(hands).card[0] in "DC"
    assert Position(hands).swapped("S", "D").card[0] in "SC"


@pytest.mark.parametrize(
    ("hand", "from_the_top"),
    [
        pytest.param("T21 T20 T19 T18 T17 T9 T8 T5 SK S4 DK D4 HK H4 H6 C3 C4 C5", True, id="23"),
        pytest.param(
            "T21 T16 T9 T8 T7 T6 T5 T4 SK S4 DK D4 HK H4 H6 C3 C4 C5",
            False,
            id="14",
        ),
        pytest.param(
            "T21 T19 T9 T8 T7 SK S4 S7 DK D4 D6 HK H4 H6 H7 C3 C4 C5",
            False,
            id="11",
        ),
    ],
)
def test_the_petit_is_hunted_from_22_points_on(hand: str, from_the_top: bool) -> None:
    """3 x majors + trumps, the name of each case; far below, no major is led."""
    assert is_major(play("4", {0: hand, 1: "T1 T2 ..."})) == from_the_top


# -- the taker's petit, Excuse and ruffs


@pytest.mark.parametrize(
    ("hands", "cards"),
    [
        pytest.param(
            ("T21 T1", "S5 H5", "S4 H4", "S3 H3"), "T21", id="one-master-nothing-outstanding"
        ),
        pytest.param(("T21 T1", "S5 T9", "S4 H4", "S3 H3"), "T1", id="one-master-one-outstanding"),
        pytest.param(
            ("T21 T20 T1", "S5 T9 H5", "S4 H4 D4", "S3 H3 D3"),
            "T20 T21",
            id="two-masters-one-outstanding",
        ),
        pytest.param(
            ("T21 T20 T1", "S5 T7 H5", "S4 T9 T8", "S3 H3 D3"),
            "T1",
            id="two-masters-three-outstanding",
        ),
    ],
)
def test_the_petit_waits_with_one_master_more_than_trumps_are_out(hands: Hands, cards: str) -> None:
    """Last to play and void: another trump ruffs where the petit can still win the last trick."""
    assert Position(hands, "S5 S4 S3", leader=1).card in cards.split()


@pytest.mark.parametrize(
    ("hand", "trump_out", "card"),
    [
        pytest.param("T1 T21 T9", "T20", "T21", id="the-master-draws-it"),
        pytest.param("T1 T21 SK", "T20", "T21", id="the-master-draws-it-before-the-king"),
        pytest.param("T1 T20 SK", "T21", "SK", id="a-king-forces-the-master-out"),
    ],
)
def test_the_last_trump_out_goes_before_the_petit(hand: str, trump_out: str, card: str) -> None:
    for hands in (
        (hand, f"{trump_out} S5 S4", "H5 H4 H3", "D5 D4 D3"),
        (hand, "S5 S4 S3", "H5 H4 H6", f"{trump_out} D5 D4"),
    ):
        assert Position(hands).card == card


@pytest.mark.parametrize(
    ("last", "card"),
    [
        pytest.param("T21 D8", "EX", id="lost-trick"),
        pytest.param("T1 D8", "T18", id="a-petit-there"),
    ],
)
def test_the_excuse_goes_on_a_trump_lead_in_place_of_a_big_trump(last: str, card: str) -> None:
    """Only big trumps in hand: none is lost to the 21, but one catches the petit."""
    hands = (
        "EX T19 T18 SK H9 H8",
        "T5 T4 S3 H7 D7 C7",
        "T6 T3 S4 H6 D6 C6",
        f"{last} S5 H5 D5 C5",
    )
    assert Position(hands, f"T5 T6 {last.split()[0]}", leader=1).card == card


def test_a_low_ruff_where_it_holds_and_a_high_one_where_it_would_be_overruffed() -> None:
    """Seat 1, behind the taker, has followed to the king of spades, or has ruffed it."""
    taker = "S3 D9 T20 T3 H9 H8 C9"
    follows = Position(
        (taker, "S4 S5 S6 S7 D4 T17 T9", "SK S9 S10 DK D7 T8 H7", "S2 SQ S8 SJ D3 T7 H5"),
        "SK S2 S3 S4 DK D3 D9 D4 S9 SQ",
        leader=2,
    )
    ruffs = Position(
        (taker, "T7 T17 T9 T8 D4 H7 H5", "SK S9 S10 S4 S5 DK D7", "S2 SQ S8 SJ S6 S7 D3"),
        "SK S2 S3 T7 D4 DK D3 D9 S9 SQ",
        leader=2,
    )
    assert follows.card == "T3"
    assert ruffs.card == "T20"


@pytest.mark.parametrize("trumps", ["T2 T3 T8 T9 T12 T15 T18", "T3 T4 T5 T9 T14 T15 T17"])
def test_the_last_to_play_ruffs_with_the_lowest(trumps: str) -> None:
    hands = (
        f"{trumps} D9",
        "S4 S5 T20 T6 H3 H4 D2 D3",
        "S7 S8 T19 T7 H5 H6 D4 D5",
        "S9 SJ T16 T10 H7 H8 D6 D7",
    )
    assert Position(hands, "S4 S7 S9", leader=1).card == trumps.split()[0]
    overruffs = Position(hands, "S4 S7 T10", leader=1)._replace(
        hands=(*hands[:3], "H9 HJ T16 T10 H7 H8 D6 D7")
    )
    assert overruffs.card == next(t for t in trumps.split() if int(t[1:]) > 10)


# -- the écart

NINE_TRUMPS = "T21 T20 T17 T12 T9 T8 T5 T4 T2"


def ecart(hand: str, chien: str, *, game: str = "4", call: str = "") -> set[str]:
    tables = table_of(game, {0: hand}, chien=chien, forced=(0, "garde"))
    ask_until(say(tables, call), Phase.SLAM)
    return {action_text(card) for card in cardsets.to_ids(tables.columns.ecart[0, 0])}


def test_the_ecart_leaves_a_long_suit_whole() -> None:
    for long, short in ("SD", "DS"):
        suit = " ".join(long + rank for rank in "10 9 8 7 6 4".split())
        aside = ecart(
            f"{NINE_TRUMPS} {suit} H8 H6 {short}K", f"{short}8 {short}7 {short}2 C8 C5 C2"
        )
        assert not any(card[0] == long for card in aside)
        assert any(card[0] == short for card in aside)


def test_the_ecart_makes_a_void_in_a_short_suit_without_its_king() -> None:
    for short, other in ("CD", "DC"):
        hand = f"{NINE_TRUMPS} SK S10 S9 S8 HK H9 H8 {other}K {other}9"
        aside = ecart(hand, f"{other}8 {other}7 {other}2 {short}8 {short}5 {short}2")
        assert aside >= {f"{short}8", f"{short}5", f"{short}2"}
        assert not any(card[0] == other for card in aside)


@pytest.mark.parametrize(
    ("game", "held", "chien", "call"),
    [
        pytest.param(
            "4", f"{NINE_TRUMPS} SK S10 S9 S8 S7 S6 H4 DK", "DQ D9 D3 CN C5 C2", "", id="four"
        ),
        pytest.param(
            "3",
            f"{NINE_TRUMPS} T15 T14 T13 SK S10 S9 S8 S7 S6 H4 DK D5 C10 C9",
            "D9 D7 D3 CN C5 C2",
            "",
            id="three",
        ),
        pytest.param(
            "5",
            "T21 T20 T17 T12 T9 T8 SK S10 S9 S8 S7 H4 D9 D8",
            "CN C5 D2",
            "DK",
            id="five",
        ),
    ],
)
def test_the_ecart_saves_short_queens_and_knights(
    game: str, held: str, chien: str, call: str
) -> None:
    """The queen of two cards goes, that of the long suit under its own king stays."""
    assert ecart(f"{held} HQ", chien, game=game, call=call) >= {"HQ", "CN"}
    assert "SQ" not in ecart(f"{held} SQ", chien, game=game, call=call)
