"""How likely the viewer's side wins the trick with each card, and what lies in it."""

import numpy as np
from jaxtyping import Bool, Float32, Int

from agents.heuristic.reading import Measures, Plays, Reading, any_of, from_top
from tarot_env.cards import (
    ANY,
    EXCUSE,
    FIRST_TRUMP,
    HALF_POINTS,
    KIND,
    PETIT,
    SUIT_SIZE,
    TRUMP,
    TRUMP_21,
    cardsets,
)
from tarot_env.tables import Turn

TRICK_POINTS = HALF_POINTS.astype(np.float32)
TRICK_POINTS[EXCUSE] = 0
SUIT_POINTS = np.where(KIND < TRUMP, TRICK_POINTS, np.float32(0))
PARTNER_OVERRUFFS = 0.4
"""Share of the ruffs by a partner that beat a ruff by an enemy."""
EXCUSE_LED = 0.3
"""Chance that a side wins a trick to which it led the Excuse, where partners are behind."""


def on_table(turn: Turn) -> Float32[np.ndarray, " n"]:
    """Half points of the cards in the trick; the Excuse stays with its owner and counts 0."""
    return TRICK_POINTS[np.where(turn.trick_cards < 0, EXCUSE, turn.trick_cards).T].sum(0)


def what_winning_brings(turn: Turn, reading: Reading, plays: Plays) -> Measures:
    """Name and measure of each thing that the chance of winning the trick is worth having for.

    Playing a card to a trick that the own side wins brings its points home (charge); the petit
    also moves the target (rules.md A0).
    """
    win = win_chances(turn, reading, plays)
    petit_there = (np.ascontiguousarray(turn.trick_cards.T) == PETIT).any(0)
    own_petit = (plays.card == PETIT) & ~plays.of_row(reading.petit_is_safe)
    yield "points_on_table", win * plays.of_row(on_table(turn))
    yield "own_points", win * SUIT_POINTS.take(plays.card)
    yield "cards_to_come", win * plays.of_row(reading.behind.sum(0, dtype=np.float32))
    yield "trick", win
    yield "petit", win * (plays.of_row(petit_there) | own_petit)
    yield "twenty_one", win * (plays.card == TRUMP_21)


def _winning_card(turn: Turn) -> Int[np.ndarray, " n"]:
    """The card that is winning; the Excuse where there is none."""
    in_suit = SUIT_SIZE * turn.led.astype(np.int64) + turn.best_rank - 1
    trump = FIRST_TRUMP - 1 + turn.best_trump.astype(np.int64)
    card = np.where(turn.best_trump > 0, trump, in_suit)
    return np.where(turn.led == ANY, EXCUSE, card)


def _trump_on_suit(turn: Turn, plays: Plays) -> Bool[np.ndarray, " m"]:
    """Trumps that are played where a suit was led."""
    return (plays.kind == TRUMP) & plays.of_row(turn.led < TRUMP)


def beaten_by(turn: Turn, reading: Reading, plays: Plays) -> Float32[np.ndarray, "h m"]:
    """Chance that each hand could beat each card, were it the best of the trick so far."""
    void_led = reading.is_void[:, np.minimum(turn.led, TRUMP), np.arange(len(turn))]
    may_trump = np.where(_trump_on_suit(turn, plays), plays.of_row(void_led), np.float32(1))
    return may_trump * (1 - plays.of_card(reading.none_above)) + plays.of_suit(reading.ruffs)


def _top_with_enemy(
    reading: Reading, enemies: Float32[np.ndarray, "h n"]
) -> Float32[np.ndarray, "78 n"]:
    """Chance that of all cards above each card in the hands behind, an enemy has the highest."""
    theirs = (reading.holds * enemies[:, None]).sum(0)
    is_top = theirs * reading.none_behind_above
    return from_top(is_top[None], np.add)[0][0]


def win_chances(turn: Turn, reading: Reading, plays: Plays) -> Float32[np.ndarray, " m"]:
    """Chance that the viewer's side wins the trick with each card.

    Its card or a partner's leads at the end; or an enemy's does, and a partner behind beats it.
    """
    rows = np.arange(len(turn))
    row, card = np.append(plays.row, rows), np.append(plays.card, _winning_card(turn))
    with_best = Plays(row, card, len(turn))
    beaten = beaten_by(turn, reading, with_best)
    enemies, partners = sides_behind(reading)
    has_partner = 1 - (1 - partners).prod(0)
    kept = 1 - _lost(turn, reading, with_best, beaten, has_partner)
    number = len(plays.row)
    partner_beats = any_of(beaten[:, number:], partners)
    enemy_leads = (reading.enemy * (reading.others == turn.best_seat)).sum(0)
    saved = enemy_leads * partner_beats * np.where(enemies.any(0), kept[number:], np.float32(1))
    as_it_lies = (1 - enemy_leads) * kept[number:] + saved
    as_it_lies = np.where(turn.led == ANY, EXCUSE_LED * has_partner, as_it_lies)
    takes_lead = cardsets.contains(cardsets.take(turn.takes_lead, plays.row), plays.card)
    return np.where(takes_lead, kept[:number], plays.of_row(as_it_lies))


def sides_behind(
    reading: Reading,
) -> tuple[Float32[np.ndarray, "h n"], Float32[np.ndarray, "h n"]]:
    """Chance of each hand that it has yet to play and is an enemy; and a partner."""
    return reading.behind * reading.enemy, reading.behind * (1 - reading.enemy)


def _lost(
    turn: Turn,
    reading: Reading,
    plays: Plays,
    beaten: Float32[np.ndarray, "h m"],
    has_partner: Float32[np.ndarray, " n"],
) -> Float32[np.ndarray, " m"]:
    """Chance that an enemy behind wins over each card and the partners behind."""
    enemies, partners = sides_behind(reading)
    alone = any_of(beaten, plays.of_row(enemies))
    if not partners.any():
        return alone
    sides = np.stack([enemies, partners], axis=1)
    enemy_ruffs, partner_ruffs = plays.of_suit(any_of(reading.ruffs[:, None], sides[:, :, None]))
    partner_over = any_of(beaten, plays.of_row(partners))
    in_kind = plays.of_card(_top_with_enemy(reading, enemies)) * (1 - partner_ruffs)
    in_kind += enemy_ruffs * (1 - PARTNER_OVERRUFFS * partner_ruffs)
    ruffed = alone * (1 - PARTNER_OVERRUFFS * partner_over)
    together = np.where(_trump_on_suit(turn, plays), ruffed, in_kind)
    shared = plays.of_row(has_partner)
    return (1 - shared) * alone + shared * np.minimum(together, np.float32(1))
