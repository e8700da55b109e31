"""What the heuristic makes of hidden cards in every game: never wrong, and exact where known."""

from typing import Any

import numpy as np
import pytest
from support.constructed import ask_until, say, table_of, turns_of_play
from support.every_game import GAMES, rules_of

from agents.heuristic import holding
from agents.heuristic.reading import Reading, read
from tarot_env import Phase, Tables
from tarot_env.cards import KIND, NUM_CARDS, TRUMP, cardsets
from tarot_env.cards.actions import Bid, parse_card
from tarot_env.core.bits import as_words
from tarot_env.core.compiling import loop
from tarot_env.core.seating import SEATINGS
from tarot_env.core.state import attackers, rules_record
from tarot_env.tables import Turn
from tarot_env.tables.turn import unseen


@loop
def note_all(turns: Any, rules: Any, readings: Any, places: Any) -> None:
    for i in range(len(turns)):
        r = readings[i]
        r.out[0], r.out[1] = unseen(turns[i], rules[0])
        holding._note_what_may_lie_where(turns[i], rules[0], r.num_others, r, places[i])
        holding._note_room(turns[i], rules[0], r.num_others, r, places[i])
        holding._note_favour(turns[i], rules[0], r.num_others, r, places[i])


def chances(reading: Reading) -> np.ndarray:
    """Chance that each hand holds each card, by row, hand and card."""
    return np.moveaxis(reading.holds, -1, 0)


def other_hands(tables: Tables, rows: np.ndarray, turn: Turn, reading: Reading) -> np.ndarray:
    """The true hands on the H axis, as masks, and their seats."""
    seats = SEATINGS[tables.rules.game_name].by_place[turn.seat[:, None], reading.others.T]
    return cardsets.to_mask(tables.columns.hands[rows[:, None], seats])[..., :NUM_CARDS], seats


@pytest.mark.parametrize("game", GAMES)
def test_every_card_may_lie_where_it_does(game):
    for tables, rows, turn in turns_of_play(rules_of(game)):
        reading = read(turn)
        true, _ = other_hands(tables, rows, turn, reading)
        holds = chances(reading)
        assert (holds[true] > 0).all()
        assert (holds >= 0).all()
        assert (holds <= 1.001).all()
        nowhere = ~cardsets.to_mask(turn.unseen)[:, None, :NUM_CARDS] & ~true
        assert (holds[nowhere] == 0).all()


@pytest.mark.parametrize("game", GAMES)
def test_the_hands_are_expected_to_be_as_long_as_they_are(game):
    """Proportional fitting is near the true sizes; exact ones would take more rounds."""
    errors = []
    for tables, rows, turn in turns_of_play(rules_of(game)):
        reading = read(turn)
        true, _ = other_hands(tables, rows, turn, reading)
        errors.append(np.abs(chances(reading).sum(2) - true.sum(2)).ravel())
    assert np.concatenate(errors).mean() < 0.15


@pytest.mark.parametrize("game", GAMES)
def test_who_is_behind_and_who_is_an_enemy(game):
    rules = rules_of(game)
    for tables, rows, turn in turns_of_play(rules):
        reading = read(turn)
        _, seats = other_hands(tables, rows, turn, reading)
        left = rules.cards_per_trick - 1 - tables.columns.trick_size[rows]
        assert (reading.behind.sum(0) == left).all()
        following = SEATINGS[game].next_hand[tables.columns.dealer[rows], tables.hand_to_play[rows]]
        assert (seats[:, 0] == following).all()
        attack = attackers(tables.columns, rows)
        every = np.arange(len(rows))
        own = attack[every, tables.hand_to_play[rows]]
        assert (reading.attacks == own).all()
        enemy = attack[every[:, None], seats] != own[:, None]
        known = ((reading.enemy == 0) | (reading.enemy == 1)).T
        assert (reading.enemy.T[known] == enemy[known]).all()
        assert known.all() == (game != "5") or known.mean() > 0.3


@pytest.mark.parametrize("game", ["4", "5", "tirette"])
def test_a_row_reads_the_same_in_any_batch(game):
    """Sums in another order once decided whether the enemies had as many trumps as the hand.

    Large batches were laid out in memory otherwise than small ones, whence the 2,000 rows.
    """
    for step, (_, rows, turn) in enumerate(turns_of_play(rules_of(game))):
        if step % 8:
            continue
        large = read(turn.take(np.arange(2000) % len(rows)))
        small = read(turn)
        alone = read(turn.take(np.array([3])))
        for name in ("holds", "none_above", "none_behind_above", "is_void", "enemy"):
            of_small = getattr(small, name)
            assert (getattr(large, name)[..., : len(rows)] == of_small).all(), name
            assert (getattr(alone, name)[..., 0] == of_small[..., 3]).all(), name


@pytest.mark.parametrize("game", GAMES)
def test_cards_that_are_alike_are_fitted_as_if_one_by_one(game):
    """The same rounds over 78 cards, in the form that the textbooks give."""
    for step, (_, rows, turn) in enumerate(turns_of_play(rules_of(game))):
        if step % 12:
            continue
        reading = read(turn)
        places = np.zeros(len(rows), holding.PLACES)
        note_all(turn.records, rules_record(turn.rules), reading.records, places)
        number = int(places["number"][0])
        may = cardsets.to_mask(as_words(places["may_hold"]))[:, :number, :NUM_CARDS]
        favour = places["favour"].transpose(1, 2, 0)[:number]
        room = places["room"].T[:number]
        kind = np.repeat((KIND == TRUMP).astype(int)[:, None], len(rows), axis=1)
        if turn.rules.calls_king:
            kind[np.arange(NUM_CARDS)[:, None] == turn.called] = 2
        weight = may.transpose(1, 2, 0) * favour[:, kind, np.arange(len(rows))]
        for _ in range(holding.FITTING_ROUNDS):
            weight /= np.maximum(weight.sum(0), 1e-9)
            weight *= (room / np.maximum(weight.sum(1), 1e-9))[:, None]
        weight /= np.maximum(weight.sum(0), 1e-9)
        others = reading.others
        known = np.zeros_like(reading.holds)
        if turn.rules.players == 2:
            for row in range(len(rows)):
                for other, hand in enumerate(others[:, row]):
                    lies = turn.hand[row] if hand == 0 else turn.face_up[row, hand]
                    known[other, :, row] = cardsets.to_mask(lies)[:NUM_CARDS]
        assert np.allclose(reading.holds, weight[: len(others)] + known, atol=1e-5)


@pytest.mark.parametrize("game", ["3", "4", "6", "dummy"])
def test_a_taker_who_knows_the_trumps_of_the_enemies_counts_them_exactly(game):
    """Else rounding would decide whether it has more of them than they have."""
    counted = 0
    for tables, rows, turn in turns_of_play(rules_of(game)):
        reading = read(turn)
        true, _ = other_hands(tables, rows, turn, reading)
        enemy_trumps = (true[..., KIND == TRUMP].sum(2) * reading.enemy.T).sum(1)
        partners = (reading.enemy == 0).any(0)
        knows = reading.is_taker & (turn.contract <= Bid.GARDE) & ~partners
        assert (reading.num_enemy_trumps[knows] == enemy_trumps[knows]).all()
        counted += knows.sum()
    assert counted > 100 or game in ("6", "dummy")


# -- what is known


def test_the_cards_of_the_dummy_are_known_once_it_lies_open():
    tables = table_of("dummy", {2: "SK HK DK CK T21 T20 T19 ..."}, forced=(0, "garde_sans"))
    say(tables, "pass")
    king = parse_card("SK")
    assert 0 < chances(read(tables.turn()))[0, 0, king] < 1
    ask_until(say(tables, "S1" if tables.legal_actions()[0, 0] else "C1"), Phase.PLAY)
    reading = read(tables.turn())  # the defender plays the dummy's hand
    lengths = [
        cardsets.count(tables.columns.hands[0, 2] & cardsets.SUIT[suit]) for suit in range(4)
    ]
    assert reading.suit_lengths[:, 0].tolist() == lengths
    own = cardsets.to_mask(tables.columns.hands[0, 1])[:NUM_CARDS]
    place = int(np.flatnonzero(reading.others[:, 0] == 0)[0])
    assert (chances(reading)[0, place] == own).all()
    assert reading.enemy[place, 0] == 0


def test_face_up_cards_lie_where_they_lie():
    tables = table_of("decouverte", forced=(0, "garde_sans"))
    reading = read(say(tables, "pass").turn())
    shown = cardsets.to_mask(tables.columns.face_up[0, 1 - tables.seat_to_act[0]])[:NUM_CARDS]
    assert (chances(reading)[0, 0, shown] == 1).all()
    assert chances(reading)[0, 0].sum() == pytest.approx(24, abs=0.5)


def test_both_halves_of_the_chien_lie_with_those_who_took_them():
    hand, chien = "T21 T18 T9 T8 EX S5 S6 S7 H1 H4 D4 D5", "T20 T19 SK T2 T3 T4"
    tables = table_of("6", {0: hand}, chien=chien, forced=(0, "garde"))
    ask_until(tables, Phase.PLAY)
    assert tables.columns.split[0] == 0
    reading = read(say(tables, "T8").turn())
    places = reading.others[:, 0].tolist()
    taker, partner = places.index(5), places.index(2)
    for card, holder in (("T20", taker), ("SK", taker), ("T2", partner), ("T4", partner)):
        holds = chances(reading)[0, :, parse_card(card)]
        assert holds[holder] == pytest.approx(1, abs=1e-5)
        assert np.delete(holds, holder).max() == 0
