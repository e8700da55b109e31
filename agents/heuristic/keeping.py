"""What a card is still worth in the hand: the reasons to keep it."""

from typing import Any

import numpy as np

from agents.hand_strength import scaled_here
from agents.heuristic.reading import share_to_come
from agents.heuristic.tricks import KINDS, UPPERCUT
from tarot_env.cards import EXCUSE, FIRST_TRUMP, HALF_POINTS, KIND, PETIT, RANK, TRUMP
from tarot_env.core.bits import COURT, suit_of
from tarot_env.core.compiling import kernel
from tarot_env.tables.turn import on_attack

HONOUR_POINTS = np.where(KIND < TRUMP, HALF_POINTS - 1, 0).astype(np.float64)
"""Half points of a suit card above those of an empty one."""
RANKS = RANK.astype(np.int64)
SWEEP_IN_SIGHT = 4
"""Tricks left at which a taker who has won all before holds the Excuse back for the slam."""
TOO_LATE = 100.0
"""More than any trick is worth, in half points."""
LONG_TRUMPS = 5
"""Trumps of a hand of 18 cards behind which the petit is safe for a while."""


@kernel
def reasons_to_keep(turn: Any, rules: Any, r: Any, trick: Any, card: int, w: Any) -> float:
    """What playing a card gives up."""
    kind = KINDS[card]
    if kind < TRUMP:
        worth = _suit_reasons(r, card, kind, w)
        if card == turn.called and r.attacks and not r.is_taker and rules.calls_king:
            worth += w.gives_itself_away * share_to_come(turn, rules)
        return worth
    worth = w.excuse if is_kept_by_owner(r, card) else 0.0
    if card == PETIT:
        return worth if r.petit_is_safe else worth + _petit_reasons(turn, rules, r, w)
    return worth if card == EXCUSE else worth + _trump_reasons(turn, r, trick, card, w)


@kernel
def unbeatable(r: Any, card: int) -> float:
    """Chance that no enemy holds a higher card of the same kind."""
    chance = 1.0
    for other in range(r.num_others):
        enemy = r.enemy[other]
        chance *= 1.0 - enemy + enemy * r.none_above[other, card]
    return chance


@kernel
def _suit_reasons(r: Any, card: int, suit: int, w: Any) -> float:
    """Honours by how safe they are; low cards by what they win or guard."""
    length, master, honour = r.suit_lengths[suit], unbeatable(r, card), HONOUR_POINTS[card]
    worth = w.last_of_suit if length == 1 else 0.0
    if honour > 0.0:
        beatable = w.guarded_honour if length >= 3 else w.short_honour
        return worth + honour * (master * w.master_honour + (1.0 - master) * beatable)
    worth += master * (w.master_low_card + w.master_low_card_ruffed * r.enemy_ruffs[suit])
    worth += w.rank_of_low_card * RANKS[card] / 10.0
    if length <= 3 and suit_of(r.hand[0] & COURT, suit):
        worth += w.guard
    return worth


@kernel
def _trump_reasons(turn: Any, r: Any, trick: Any, card: int, w: Any) -> float:
    """A trump is kept for the tricks it will win: by strength, and by who still has how many.

    A ruff that beats the trumps there and meets a ruff by an enemy behind costs the enemy a higher
    one, or wins (RULES.md 17.5).
    """
    below = r.enemy_trumps[card - FIRST_TRUMP] / max(r.num_enemy_trumps, 0.5)
    strength = min(below, 1.0)
    worth = w.trump + w.trump_own_number * r.num_trumps + w.trump_enemy_number * r.num_enemy_trumps
    worth += strength * (w.trump_strength + w.trump_strength_squared * strength)
    if RANKS[card] > turn.best_trump:
        worth += w.uppercut * strength * trick[UPPERCUT]
    return worth


@kernel
def _petit_reasons(turn: Any, rules: Any, r: Any, w: Any) -> float:
    """The petit is kept behind length, and to the last trick where it can win that."""
    worth = w.petit + w.petit_early * share_to_come(turn, rules)
    mine, theirs = r.num_trumps, r.num_enemy_trumps
    if mine >= scaled_here(LONG_TRUMPS, rules):
        worth += w.petit_length
    if theirs < 0.5 or (r.is_taker and mine - 1 > theirs):
        worth += w.petit_au_bout
    return worth


@kernel
def is_kept_by_owner(r: Any, card: int) -> bool:
    """The Excuse, and a petit that nobody can take: they come home whoever wins the trick."""
    return card == EXCUSE or (card == PETIT and r.petit_is_safe)


@kernel
def deadline(turn: Any, rules: Any, r: Any, card: int) -> float:
    """Plays the Excuse before the last trick, except in a sweep, where it is kept for it.

    In the last trick it changes sides; after winning all others it wins that trick
    (RULES.md 9.3, 9.4). A petit
    that nobody can take would lose the petit au bout there.
    """
    if not is_kept_by_owner(r, card):
        return 0.0
    left = rules.tricks - turn.trick_number
    urgent = TOO_LATE if left <= 2 else 0.0
    if card != EXCUSE or not r.attacks:
        return urgent
    won = 0
    for hand in range(rules.hands):
        if on_attack(turn, hand):
            won += turn.tricks_won[hand]
    keeps = won == turn.trick_number and (left <= SWEEP_IN_SIGHT or turn.slam_announced)
    return -TOO_LATE if keeps else urgent
