"""What a card is still worth in the hand: reasons to keep it, one small function each.

Each function returns one number per play; `weights` says what it counts for each role.
"""

import numpy as np
from jaxtyping import Bool, Float32

from agents.hand_strength import scaled
from agents.heuristic.reading import IS_TRUMP, Measures, Plays, Reading, any_of, share_to_come
from tarot_env.cards import (
    EXCUSE,
    HALF_POINTS,
    KIND,
    NUM_CARDS,
    NUM_SUITS,
    PETIT,
    RANK,
    TRUMP,
    cardsets,
)
from tarot_env.tables import Turn

IN_SUIT = KIND < TRUMP
HONOUR_POINTS = np.where(IN_SUIT, HALF_POINTS - 1, 0).astype(np.float32)
"""Half points of a suit card above those of an empty one."""
IS_LOW = IN_SUIT & (HONOUR_POINTS == 0)
LOW_RANK = np.where(IS_LOW, RANK / np.float32(10), 0).astype(np.float32)
IS_OTHER_TRUMP = IS_TRUMP & (np.arange(NUM_CARDS) != PETIT)
SWEEP_IN_SIGHT = 4
"""Tricks left at which a taker who has won all before holds the Excuse back for the slam."""
TOO_LATE = np.float32(100)
"""More than any trick is worth, in half points."""
LONG_TRUMPS = 5
"""Trumps of a hand of 18 cards behind which the petit is safe for a while."""


def reasons_to_keep(turn: Turn, reading: Reading, plays: Plays) -> Measures:
    """Name and measure of each reason."""
    master = unbeatable(reading, plays)
    lengths = plays.of_suit(reading.suit_lengths)
    honour, low = HONOUR_POINTS.take(plays.card), IS_LOW.take(plays.card)
    beatable_honour = (1 - master) * honour
    yield "master_honour", master * honour
    yield "guarded_honour", beatable_honour * (lengths >= 3)
    yield "short_honour", beatable_honour * (lengths < 3)
    master_low = master * low
    yield "master_low_card", master_low
    yield "master_low_card_ruffed", master_low * plays.of_suit(reading.enemy_ruffs)
    yield "rank_of_low_card", LOW_RANK.take(plays.card)
    yield "last_of_suit", lengths == 1
    yield "guard", low & plays.of_suit(has_short_honour(turn, reading))
    yield from trump_reasons(turn, reading, plays)
    yield from petit_reasons(turn, reading, plays)
    yield "excuse", is_kept_by_owner(reading, plays)
    if turn.rules.calls_king:
        yield "gives_itself_away", gives_itself_away(turn, reading, plays)


def unbeatable(reading: Reading, plays: Plays) -> Float32[np.ndarray, " m"]:
    """Chance that no enemy holds a higher card of the same kind."""
    enemy = plays.of_row(reading.enemy)
    return (1 - enemy + enemy * plays.of_card(reading.none_above)).prod(0)


def has_short_honour(turn: Turn, reading: Reading) -> Bool[np.ndarray, "4 n"]:
    """Suits of three cards or fewer with an honour, which low cards keep from falling."""
    honours = turn.playing_hand & cardsets.COURT & cardsets.SUIT[:NUM_SUITS, None]
    return ~cardsets.is_empty(honours) & (reading.suit_lengths <= 3)


def trump_reasons(turn: Turn, reading: Reading, plays: Plays) -> Measures:
    """A trump is kept for the tricks it will win: by strength, and by who still has how many."""
    other = IS_OTHER_TRUMP.take(plays.card)
    total = plays.of_row(reading.num_enemy_trumps)
    below = plays.of_trump(reading.enemy_trumps) / np.maximum(total, np.float32(0.5))
    strength = np.minimum(below, 1) * other
    yield "trump", other
    yield "trump_strength", strength
    yield "trump_strength_squared", strength * strength
    yield "uppercut", strength * uppercuts(turn, reading, plays)
    yield "trump_own_number", plays.of_row(reading.num_trumps) * other
    yield "trump_enemy_number", total * other


def uppercuts(turn: Turn, reading: Reading, plays: Plays) -> Float32[np.ndarray, " m"]:
    """Chance that a ruff that beats the trumps there meets a ruff by an enemy behind.

    A high one then costs the enemy a higher one, or wins (rules.md E4).
    """
    void_led = reading.ruffs[:, np.minimum(turn.led, NUM_SUITS - 1), np.arange(len(turn))]
    enemy_ruffs = any_of(void_led, reading.behind * reading.enemy) * (turn.led < TRUMP)
    return plays.of_row(enemy_ruffs) * (RANK.take(plays.card) > plays.of_row(turn.best_trump))


def petit_reasons(turn: Turn, reading: Reading, plays: Plays) -> Measures:
    """The petit is kept behind length, and to the last trick where it can win that."""
    petit = (plays.card == PETIT) & ~plays.of_row(reading.petit_is_safe)
    mine, theirs = reading.num_trumps, reading.num_enemy_trumps
    au_bout = (theirs < 0.5) | (reading.is_taker & (mine - 1 > theirs))
    yield "petit", petit
    yield "petit_length", petit & plays.of_row(mine >= scaled(LONG_TRUMPS, turn.rules))
    yield "petit_early", petit * plays.of_row(share_to_come(turn))
    yield "petit_au_bout", petit & plays.of_row(au_bout)


def gives_itself_away(turn: Turn, reading: Reading, plays: Plays) -> Float32[np.ndarray, " m"]:
    """The called card in its holder's hand: whoever plays it is known to be the partner."""
    secret = reading.attacks & ~reading.is_taker
    return (plays.card == plays.of_row(turn.called)) * plays.of_row(secret * share_to_come(turn))


def is_kept_by_owner(reading: Reading, plays: Plays) -> Bool[np.ndarray, " m"]:
    """The Excuse, and a petit that nobody can take: they come home whoever wins the trick."""
    safe_petit = (plays.card == PETIT) & plays.of_row(reading.petit_is_safe)
    return (plays.card == EXCUSE) | safe_petit


def deadlines(turn: Turn, reading: Reading, plays: Plays) -> Float32[np.ndarray, " m"]:
    """Plays the Excuse before the last trick, except in a sweep, where it is kept for it.

    In the last trick it changes sides; after winning all others it wins that trick (rules.md A0.5).
    A petit that nobody can take would lose the petit au bout there.
    """
    left = turn.rules.tricks - turn.trick_number
    won = (turn.tricks_won * turn.attack).sum(1)
    sweeping = reading.attacks & (won == turn.trick_number)
    keeps = sweeping & ((left <= SWEEP_IN_SIGHT) | turn.slam_announced)
    urgent = np.where(left <= 2, TOO_LATE, np.float32(0))
    excuse = np.where(keeps, -TOO_LATE, urgent)
    by_card = np.where(plays.card == EXCUSE, plays.of_row(excuse), plays.of_row(urgent))
    return by_card * is_kept_by_owner(reading, plays)
