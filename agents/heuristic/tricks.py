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
"""Share of the ruffs by a partner that beat a ruff by an enemy."""
EXCUSE_LED = 0.3
"""Chance that a side wins a trick to which it led the Excuse, where partners are behind."""


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
    own_petit = (np.arange(NUM_CARDS) == PETIT) & ~reading.petit_is_safe[:, None]
    yield "petit", win * (petit_there | own_petit)
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
    """Chance that each hand is void in the suit of each card and has a trump."""
    suits = reading.is_void[..., :NUM_SUITS] * (1 - reading.is_void[..., TRUMP:])
    result = np.zeros_like(reading.holds)
    result[..., :FIRST_TRUMP] = np.repeat(suits, SUIT_SIZE, axis=-1)
    return result


def any_of(
    chances: Float32[np.ndarray, "n h 78"], weights: Float32[np.ndarray, "n h"]
) -> Float32[np.ndarray, "n 78"]:
    """Chance that one of the hands does something, each weighted with whether it counts."""
    return 1 - (1 - weights[:, :, None] * chances).prod(1)


def beaten_by(turn: Turn, reading: Reading) -> Float32[np.ndarray, "n h 78"]:
    """Chance that each hand could beat each card, were it the best of the trick so far."""
    led = _led_kind(turn)
    rows = np.arange(len(turn))[:, None]
    trump_on_suit = (KIND == TRUMP) & (led < TRUMP)
    void_led = reading.is_void[rows, :, np.minimum(led, TRUMP)].transpose(0, 2, 1)
    may_trump = np.where(trump_on_suit[:, None], void_led, np.float32(1))
    return may_trump * (1 - reading.none_above) + ruff_chances(reading)


def _top_with_enemy(
    reading: Reading, enemies: Float32[np.ndarray, "n h"]
) -> Float32[np.ndarray, "n 78"]:
    """Chance that of all cards above each card in the hands behind, an enemy has the highest."""
    theirs = (reading.holds * enemies[:, :, None]).sum(1)
    held = (reading.holds * reading.behind[:, :, None]).sum(1)
    result = np.zeros_like(theirs)
    for columns in KIND_SLICES:
        absent = np.multiply.accumulate(1 - held[:, columns][:, ::-1], axis=1)
        unbeaten = np.ones_like(absent)
        unbeaten[:, 1:] = absent[:, :-1]
        is_top = np.cumsum(theirs[:, columns][:, ::-1] * unbeaten, axis=1)
        result[:, columns][:, :-1] = is_top[:, -2::-1]
    return result


def win_chances(turn: Turn, reading: Reading) -> Float32[np.ndarray, "n 78"]:
    """Chance that the viewer's side wins the trick with each card in hand.

    Its card or a partner's leads at the end; or an enemy's does, and a partner behind beats it.
    """
    beats = cardsets.to_bits(turn.takes_lead).view(bool)
    beaten = beaten_by(turn, reading)
    rows = np.arange(len(turn))
    enemies, partners = sides_behind(reading)
    has_partner = 1 - np.where(reading.behind, reading.enemy, 1).prod(1)
    kept = 1 - _lost(turn, reading, beaten, has_partner)
    winning = _winning_card(turn)
    kept_as_it_lies = kept[rows, winning]
    best_beaten = beaten[rows, :, winning]
    partner_beats = 1 - (1 - partners * best_beaten).prod(1)
    enemy_leads = (reading.enemy * (reading.others == turn.best_seat[:, None])).sum(1)
    saved = enemy_leads * partner_beats * np.where(enemies.any(1), kept_as_it_lies, 1)
    as_it_lies = (1 - enemy_leads) * kept_as_it_lies + saved
    chances = np.where(beats, kept, as_it_lies[:, None])
    nothing_led = turn.led == ANY
    chances[nothing_led, EXCUSE] = EXCUSE_LED * has_partner[nothing_led]
    return chances.astype(np.float32)


def sides_behind(
    reading: Reading,
) -> tuple[Float32[np.ndarray, "n h"], Float32[np.ndarray, "n h"]]:
    """Chance of each hand that it has yet to play and is an enemy; and a partner."""
    enemies = np.where(reading.behind, reading.enemy, np.float32(0))
    partners = np.where(reading.behind, 1 - reading.enemy, np.float32(0))
    return enemies, partners


def _lost(
    turn: Turn,
    reading: Reading,
    beaten: Float32[np.ndarray, "n h 78"],
    has_partner: Float32[np.ndarray, " n"],
) -> Float32[np.ndarray, "n 78"]:
    """Chance that an enemy behind wins over each card and the partners behind."""
    enemies, partners = sides_behind(reading)
    alone = any_of(beaten, enemies)
    if not has_partner.any():
        return alone
    ruffs = ruff_chances(reading)
    partner_ruffs = any_of(ruffs, partners)
    partner_over = any_of(beaten, partners)
    in_kind = _top_with_enemy(reading, enemies) * (1 - partner_ruffs)
    in_kind = in_kind + any_of(ruffs, enemies) * (1 - PARTNER_OVERRUFFS * partner_ruffs)
    ruffed = alone * (1 - PARTNER_OVERRUFFS * partner_over)
    trump_on_suit = (KIND == TRUMP) & (_led_kind(turn) < TRUMP)
    together = np.minimum(np.where(trump_on_suit, ruffed, in_kind), np.float32(1))
    shared = has_partner[:, None]
    return (1 - shared) * alone + shared * together
