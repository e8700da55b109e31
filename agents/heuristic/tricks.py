"""How likely the viewer's side wins the trick with each card, and what lies in it."""

import numpy as np
from jaxtyping import Float32, Int, Int8

from agents.heuristic.reading import KIND_SLICES, Measures, Reading
from tarot_env import cardsets
from tarot_env.cards import (
    ANY,
    EXCUSE,
    FIRST_TRUMP,
    HALF_POINTS,
    KIND,
    NUM_CARDS,
    NUM_SUITS,
    PETIT,
    SUIT_SIZE,
    TRUMP,
    TRUMP_21,
)
from tarot_env.turn import Turn

TRICK_POINTS = HALF_POINTS.astype(np.float32)
TRICK_POINTS[EXCUSE] = 0
PARTNER_OVERRUFFS = 0.4
"""Share of the ruffs by a partner that beat a ruff by the taker."""
EXCUSE_LED = 0.3
"""Chance that the defence wins a trick to which it led the Excuse."""


def on_table(turn: Turn) -> Float32[np.ndarray, " n"]:
    """Half points of the cards in the trick; the Excuse stays with its owner and counts 0."""
    return TRICK_POINTS[np.where(turn.trick_cards < 0, EXCUSE, turn.trick_cards)].sum(1)


def what_winning_brings(turn: Turn, reading: Reading) -> Measures:
    """Name and measure of each thing that the chance of winning the trick is worth having for.

    Playing a card to a trick that the own side wins brings its points home (charge); the petit
    also moves the target (rules.md A0).
    """
    win = win_chances(turn, reading)
    table = on_table(turn)[:, None]
    petit_there = (turn.trick_cards == PETIT).any(1)[:, None]
    yield "points_on_table", win * table
    yield "own_points", win * np.where(KIND < TRUMP, TRICK_POINTS, 0)
    yield "cards_to_come", win * reading.behind.sum(1, keepdims=True).astype(np.float32)
    yield "trick", win
    yield "petit", win * (petit_there | (np.arange(NUM_CARDS) == PETIT))
    yield "twenty_one", win * (np.arange(NUM_CARDS) == TRUMP_21)


def _winning_card(turn: Turn) -> Int[np.ndarray, " n"]:
    """The card that is winning; the Excuse where there is none."""
    in_suit = SUIT_SIZE * turn.led.astype(np.int64) + turn.best_rank - 1
    trump = FIRST_TRUMP - 1 + turn.best_trump.astype(np.int64)
    card = np.where(turn.best_trump > 0, trump, in_suit)
    return np.where(turn.led == ANY, EXCUSE, card)


def _led_kind(turn: Turn) -> Int8[np.ndarray, "n 78"]:
    """The kind to follow once each card is played."""
    return np.where((turn.led == ANY)[:, None], KIND, turn.led[:, None])


def ruff_chances(reading: Reading) -> Float32[np.ndarray, "n h 78"]:
    """Chance that each seat is void in the suit of each card and has a trump."""
    suits = reading.is_void[..., :NUM_SUITS] * (1 - reading.is_void[..., TRUMP:])
    result = np.zeros_like(reading.holds)
    result[..., :FIRST_TRUMP] = np.repeat(suits, SUIT_SIZE, axis=-1)
    return result


def beaten_by(turn: Turn, reading: Reading) -> Float32[np.ndarray, "n h 78"]:
    """Chance that each seat could beat each card, were it the best of the trick so far."""
    led = _led_kind(turn)
    rows = np.arange(len(turn))[:, None]
    trump_on_suit = (KIND == TRUMP) & (led < TRUMP)
    void_led = reading.is_void[rows, :, np.minimum(led, TRUMP)].transpose(0, 2, 1)
    may_trump = np.where(trump_on_suit[:, None], void_led, np.float32(1))
    return may_trump * (1 - reading.none_above) + ruff_chances(reading)


def _top_with_taker(reading: Reading) -> Float32[np.ndarray, "n 78"]:
    """Chance that of all cards above each card in the hands behind, the taker has the highest."""
    rows = np.arange(len(reading.taker))
    taker = reading.holds[rows, reading.taker]
    held = (reading.holds * reading.behind[:, :, None]).sum(1)
    result = np.zeros_like(taker)
    for columns in KIND_SLICES:
        absent = np.multiply.accumulate(1 - held[:, columns][:, ::-1], axis=1)
        unbeaten = np.ones_like(absent)
        unbeaten[:, 1:] = absent[:, :-1]
        is_top = np.cumsum(taker[:, columns][:, ::-1] * unbeaten, axis=1)
        result[:, columns][:, :-1] = is_top[:, -2::-1]
    return result


def win_chances(turn: Turn, reading: Reading) -> Float32[np.ndarray, "n 78"]:
    """Chance that the viewer's side wins the trick with each card in hand."""
    beats = cardsets.to_bits(turn.takes_lead).view(bool)
    beaten = beaten_by(turn, reading)
    rows = np.arange(len(turn))
    winning = _winning_card(turn)
    best_beaten = beaten[rows, :, winning]
    as_taker = beats * np.where(reading.behind[:, :, None], 1 - beaten, np.float32(1)).prod(1)

    behind = reading.behind[rows, reading.taker]
    to_come = 1 - _lost_to_taker(turn, reading, beaten)
    to_come = np.where(beats, to_come, to_come[rows, winning][:, None])
    partner_beats = 1 - np.where(reading.behind, 1 - best_beaten, np.float32(1)).prod(1)
    taker_leads = turn.best_seat == turn.taker
    played = np.where(beats | ~taker_leads[:, None], np.float32(1), partner_beats[:, None])
    as_defender = np.where(behind[:, None], to_come, played)
    chances = np.where(reading.is_taker[:, None], as_taker, as_defender)
    nothing_led = (turn.led == ANY) & ~reading.is_taker
    chances[nothing_led, EXCUSE] = EXCUSE_LED
    return chances.astype(np.float32)


def _lost_to_taker(
    turn: Turn, reading: Reading, beaten: Float32[np.ndarray, "n h 78"]
) -> Float32[np.ndarray, "n 78"]:
    """Chance that the taker, still to play, wins over each card and the defenders behind."""
    rows = np.arange(len(turn))
    partners = (reading.behind & ~reading.enemy)[:, :, None]
    ruffs = ruff_chances(reading)
    taker_ruffs = ruffs[rows, reading.taker]
    partner_ruffs = 1 - np.where(partners, 1 - ruffs, np.float32(1)).prod(1)
    partner_over = 1 - np.where(partners, 1 - beaten, np.float32(1)).prod(1)
    in_kind = _top_with_taker(reading) * (1 - partner_ruffs)
    in_kind = in_kind + taker_ruffs * (1 - PARTNER_OVERRUFFS * partner_ruffs)
    ruffed = beaten[rows, reading.taker] * (1 - PARTNER_OVERRUFFS * partner_over)
    trump_on_suit = (KIND == TRUMP) & (_led_kind(turn) < TRUMP)
    return np.where(trump_on_suit, ruffed, in_kind)
