"""Card play of the heuristic for its side: called partners, partnerships, dummy, two players."""

import numpy as np
import pytest
from support.constructed import answer, ask_until, say, table_of

from agents.heuristic.play import play_card
from agents.heuristic.reading import read
from tarot_env import Phase, Rules
from tarot_env.cards import cardsets
from tarot_env.cards.actions import action_text, parse_card

# Seat 0 takes, leads the king of spades and has called the king of hearts.
TAKER_5 = "SK S9 S8 T21 T20 T19 T18 T17 T9 H5 H4 H3 D9 C9 C8"
QUEEN = "SQ S2 S3 D2 D3 D4 C2 C3 C4 T2 T3 T4"


def led_by_the_taker(second: str):
    """Five players: the hand behind the taker, who has led the king of spades."""
    tables = table_of("5", {0: TAKER_5, 1: second}, forced=(0, "garde_sans"))
    return say(ask_until(say(tables, "HK"), Phase.PLAY), "SK")


def test_a_called_partner_loads_the_takers_trick_and_a_defender_does_not():
    partner, defender = (f"{QUEEN} {rest}" for rest in ("HK H2 H1", "H6 H2 H1"))
    assert answer(led_by_the_taker(partner)) == "SQ"
    assert answer(led_by_the_taker(defender)) != "SQ"


def test_a_called_partner_hides_while_it_costs_nothing():
    """Leading with equal cards elsewhere, it does not start with the called king."""
    partner = "HK H2 H1 SQ S2 S3 DK D3 D4 CK C3 C4 T2 T3 T4"
    tables = table_of("5", {0: partner, 1: TAKER_5}, forced=(1, "garde_sans"))
    ask_until(say(tables, "HK"), Phase.PLAY)
    assert tables.seat_to_act[0] == 0
    assert answer(tables) != "HK"


def test_an_unknown_partner_may_be_anybody_until_the_king_is_played():
    hands = {
        0: TAKER_5,
        1: "D1 T1 T2 T3 T4 ...",
        2: "D2 T5 T6 T7 T8 ...",
        3: "HK HQ D3 T10 T11 T12 ...",
        4: "D4 T13 T14 T15 T16 EX ...",
    }
    tables = table_of("5", hands, forced=(0, "garde_sans"))
    ask_until(say(tables, "HK"), Phase.PLAY)
    enemy = read(tables.turn()).enemy[:, 0]
    assert ((enemy > 0.5) & (enemy < 1)).all()
    assert enemy.sum() == pytest.approx(3.2, abs=0.3), "one of four is a partner, or nobody"
    seen = read(say(tables, "D9").turn())  # a defender: the taker is an enemy, another may be
    assert seen.enemy[3, 0] == 1
    assert ((seen.enemy[:3, 0] > 0.2) & (seen.enemy[:3, 0] < 0.5)).all()
    partner = read(say(tables, "D1 D2").turn())
    assert partner.enemy[:, 0].tolist() == [1, 0, 1, 1]
    say(tables, "D3 D4 H5")
    for _ in range(2):
        say(tables, answer(tables))
    assert read(say(tables, "HK").turn()).enemy[:, 0].tolist() == [1, 0, 0, 1]


@pytest.mark.parametrize(("seat", "expected"), [(3, "SQ"), (2, "S2")])
def test_partners_of_six_load_each_others_tricks(seat, expected):
    """Seat 4 leads; seat 0, the taker, puts on the king; its partner, seat 3, is the last."""
    hands = {4: "S7 S8 ...", 5: "S6 S9 ...", 0: "SK T21 T20 T19 ...", 1: "S5 ...", 2: "S4 ..."}
    hands[seat] = "SQ S2 D2 D3 D4 C2 C3 C4 T2 T3 H2 H1"
    tables = table_of("6", hands, dealer=3, forced=(0, "garde_sans"), first_lead="first_hand")
    say(ask_until(tables, Phase.PLAY), "S7 S6 SK S5")
    if seat == 3:
        say(tables, "S4")
    assert tables.seat_to_act[0] == seat
    assert answer(tables) == expected


# -- the dummy


@pytest.mark.parametrize(
    ("led", "own", "dummy", "expected"),
    [
        ("SN", "SK S4 ...", "SQ S2", "SQ"),
        ("SK", "SN S3 ...", "SQ S2", "S2"),
        ("SQ", "SK S4 ...", "SN S2", "SN"),
        ("SQ", "S4 S3 ...", "SN S2", "S2"),
    ],
)
def test_the_defender_loads_its_own_trick_from_the_dummy(led, own, dummy, expected):
    """The taker, seat 0, leads; the dummy plays before the defender, who knows both hands."""
    hands = {0: f"{led} S9 T21 T20 T19 ...", 1: own, 2: f"{dummy} H2 H3 ..."}
    tables = table_of("dummy", hands, forced=(0, "garde_sans"))
    say(ask_until(tables, Phase.PLAY), led)
    assert tables.hand_to_play[0] == 2
    assert answer(tables) == expected


def test_the_dummy_takes_what_it_can_take():
    hands = {0: "SQ S9 T21 T20 T19 ...", 1: "S4 S3 ...", 2: "SK S2 H2 H3 ..."}
    tables = say(ask_until(table_of("dummy", hands, forced=(0, "garde_sans")), Phase.PLAY), "SQ")
    assert answer(tables) == "SK"


# -- two hands


@pytest.mark.parametrize("game", ["decouverte", "tirette"])
def test_the_second_of_two_takes_a_queen_as_cheaply_as_it_can(game):
    hands = {0: "SQ S9 T20 ...", 1: "SK SJ S2 T3 ..."}
    tables = say(ask_until(table_of(game, hands, forced=(0, "garde_sans")), Phase.PLAY), "SQ")
    assert answer(tables) == "SK"


@pytest.mark.parametrize(("upper", "under"), [("SK", "S1"), ("S1", "SK")])
def test_the_queen_is_not_led_under_a_king_that_lies_face_up(upper, under):
    """A covered king is in nobody's hand, but the leader cannot know that it is there."""
    hands = {0: "SQ S4 H4 D4 C4 ...", 1: "HK DK CK T21 T20 T19 T18 T17 T16 EX T15 T14"}
    piles = f"... {upper} {under}"
    tables = table_of("decouverte", hands, rest=piles, forced=(0, "garde_sans"))
    holds = read(ask_until(tables, Phase.PLAY).turn()).holds[0, parse_card("SK"), 0]
    assert holds == 1 if upper == "SK" else 0 < holds < 1
    if upper == "SK":
        assert answer(tables) != "SQ"


# -- the lone petit of house rules


@pytest.mark.parametrize(("petit_sec", "expected"), [("imprenable", "T1"), ("off", "HJ")])
def test_a_petit_that_nobody_can_take_is_played_like_the_excuse(petit_sec, expected):
    """Under the taker's 21 it goes before any honour; where it can be taken, it is kept."""
    rules = Rules.preset(petit_sec=petit_sec)
    lone = "T1 SQ HJ S3 S4 S5 S6 D2 D3 D4 D5 D6 C2 C3 C4 C5 C6 C7"
    hands = {0: "T21 T20 T19 T18 ...", 1: lone}
    tables = table_of("4", hands, forced=(0, "garde_sans"), rules=rules)
    turn = say(ask_until(tables, Phase.PLAY), "T21").turn()
    few = cardsets.from_ids([parse_card(card) for card in ("T1", "SQ", "HJ")])[None]
    turn = turn.replace(hand=few, legal=few, trick_number=np.array([6], np.int8))
    assert action_text(int(play_card(turn)[0])) == expected
