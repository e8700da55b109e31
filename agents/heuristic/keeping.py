"""What a card is still worth in the hand: reasons to keep it, one small function each.

Each function returns one number per card; `weights` says what it counts for each role.
"""

import numpy as np
from jaxtyping import Bool, Float32

from agents.heuristic.evaluation import scaled
from agents.heuristic.reading import IS_TRUMP, KIND_SLICES, Measures, Reading, share_to_come
from tarot_env.cards import (
    EXCUSE,
    FIRST_TRUMP,
    HALF_POINTS,
    KIND,
    NUM_CARDS,
    NUM_SUITS,
    PETIT,
    RANK,
    SUIT_SIZE,
    TRUMP,
)
from tarot_env.turn import Turn

IN_SUIT = KIND < TRUMP
HONOUR_POINTS = np.where(IN_SUIT, HALF_POINTS - 1, 0).astype(np.float32)
"""Half points of a suit card above those of an empty one."""
IS_LOW = IN_SUIT & (HONOUR_POINTS == 0)
IS_PETIT = np.arange(NUM_CARDS) == PETIT
IS_EXCUSE = np.arange(NUM_CARDS) == EXCUSE
SWEEP_IN_SIGHT = 4
"""Tricks left at which a taker who has won all before holds the Excuse back for the slam."""
TOO_LATE = 100.0
"""More than any trick is worth, in half points."""
LONG_TRUMPS = 5
"""Trumps of a hand of 18 cards behind which the petit is safe for a while."""


def reasons_to_keep(turn: Turn, reading: Reading) -> Measures:
    """Name and measure of each reason."""
    master = unbeatable(reading)
    lengths = suit_lengths(reading)
    guarded = lengths >= 3
    yield "master_honour", master * HONOUR_POINTS
    yield "guarded_honour", (1 - master) * HONOUR_POINTS * guarded
    yield "short_honour", (1 - master) * HONOUR_POINTS * ~guarded
    yield "master_low_card", master * IS_LOW
    yield "rank_of_low_card", np.broadcast_to(IS_LOW * RANK / np.float32(10), master.shape)
    yield "last_of_suit", IN_SUIT & (lengths == 1)
    yield "guard", guards(reading)
    yield from trump_reasons(reading)
    yield from petit_reasons(turn, reading)
    yield "excuse", is_kept_by_owner(reading)
    if turn.rules.calls_king:
        yield "gives_itself_away", gives_itself_away(turn, reading)


def unbeatable(reading: Reading) -> Float32[np.ndarray, "n 78"]:
    """Chance that no enemy holds a higher card of the same kind."""
    enemy = reading.enemy[:, :, None]
    return (1 - enemy + enemy * reading.none_above).prod(1)


def suit_lengths(reading: Reading) -> Float32[np.ndarray, "n 78"]:
    """Cards held in the suit of each card; 0 for trumps and the Excuse."""
    lengths = [reading.hand[:, columns].sum(1) for columns in KIND_SLICES[:NUM_SUITS]]
    return per_card(np.stack(lengths, 1))


def per_card(per_suit: np.ndarray) -> Float32[np.ndarray, "n 78"]:
    """Spreads a value per suit, [n, 4], over its cards; 0 for trumps and the Excuse."""
    result = np.zeros((len(per_suit), NUM_CARDS), np.float32)
    result[:, :FIRST_TRUMP] = np.repeat(per_suit, SUIT_SIZE, axis=1)
    return result


def guards(reading: Reading) -> Bool[np.ndarray, "n 78"]:
    """Low cards that keep an honour of a short suit from falling."""
    suits = reading.hand[:, :FIRST_TRUMP].reshape(-1, NUM_SUITS, SUIT_SIZE)
    has_honour = suits[:, :, -4:].any(2) & (suits.sum(2) <= 3)
    return IS_LOW & (per_card(has_honour) > 0)


def number_of_trumps(reading: Reading) -> Float32[np.ndarray, "n 1"]:
    """Trumps in the viewer's hand, the Excuse not among them."""
    return (reading.hand & IS_TRUMP).sum(1, keepdims=True).astype(np.float32)


def enemy_trumps(reading: Reading) -> Float32[np.ndarray, "n 21"]:
    """Chance that an enemy holds each trump; known exactly to a taker after the écart."""
    trumps = reading.holds[:, :, FIRST_TRUMP:EXCUSE]
    return (trumps * reading.enemy[:, :, None]).sum(1)


def trump_reasons(reading: Reading) -> Measures:
    """A trump is kept for the tricks it will win: by strength, and by who still has how many."""
    theirs = enemy_trumps(reading)
    total = theirs.sum(1, keepdims=True)
    strength = np.zeros_like(reading.none_above[:, 0])
    below = np.cumsum(theirs, axis=1) / np.maximum(total, np.float32(0.5))
    strength[:, FIRST_TRUMP:EXCUSE] = np.minimum(below, 1)
    other = (IS_TRUMP & ~IS_PETIT).astype(np.float32)
    yield "trump", np.broadcast_to(other, strength.shape)
    yield "trump_strength", strength * other
    yield "trump_strength_squared", strength * strength * other
    yield "trump_own_number", number_of_trumps(reading) * other
    yield "trump_enemy_number", total * other


def petit_reasons(turn: Turn, reading: Reading) -> Measures:
    """The petit is kept behind length, and to the last trick where it can win that."""
    petit = IS_PETIT & ~reading.petit_is_safe[:, None]
    mine, theirs = number_of_trumps(reading), enemy_trumps(reading).sum(1, keepdims=True)
    au_bout = (theirs < 0.5) | (reading.is_taker[:, None] & (mine - 1 > theirs))
    yield "petit", petit.astype(np.float32)
    long = mine >= scaled(LONG_TRUMPS, turn.rules)
    yield "petit_length", (petit & long).astype(np.float32)
    yield "petit_early", share_to_come(turn) * petit
    yield "petit_au_bout", (petit & au_bout).astype(np.float32)


def gives_itself_away(turn: Turn, reading: Reading) -> Float32[np.ndarray, "n 78"]:
    """The called card in its holder's hand: whoever plays it is known to be the partner."""
    is_called = np.arange(NUM_CARDS) == turn.called[:, None]
    secret = reading.attacks & ~reading.is_taker
    return (is_called & secret[:, None]) * share_to_come(turn)


def is_kept_by_owner(reading: Reading) -> Bool[np.ndarray, "n 78"]:
    """The Excuse, and a petit that nobody can take: they come home whoever wins the trick."""
    return IS_EXCUSE | (IS_PETIT & reading.petit_is_safe[:, None])


def deadlines(turn: Turn, reading: Reading) -> Float32[np.ndarray, "n 78"]:
    """Plays the Excuse before the last trick, except in a sweep, where it is kept for it.

    In the last trick it changes sides; after winning all others it wins that trick (rules.md A0.5).
    A petit that nobody can take would lose the petit au bout there.
    """
    left = turn.rules.tricks - turn.trick_number
    won = (turn.tricks_won * turn.attack).sum(1)
    sweeping = reading.attacks & (won == turn.trick_number)
    urgent = np.where(left <= 2, TOO_LATE, 0.0)
    keeps = sweeping & ((left <= SWEEP_IN_SIGHT) | turn.slam_announced)
    excuse = np.where(keeps, -TOO_LATE, urgent)
    by_card = np.where(IS_EXCUSE, excuse[:, None], urgent[:, None])
    return np.where(is_kept_by_owner(reading), by_card, 0.0).astype(np.float32)
