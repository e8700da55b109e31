"""How likely the viewer's side wins the trick with each card, and what lies in it."""

from typing import Any

import numpy as np

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
)
from tarot_env.core.compiling import kernel

TRICK_POINTS = HALF_POINTS.astype(np.float64)
TRICK_POINTS[EXCUSE] = 0
"""Half points of each card in a trick; the Excuse stays with its owner and counts 0."""
KINDS = KIND.astype(np.int64)
PARTNER_OVERRUFFS = 0.4
"""Share of the ruffs by a partner that beat a ruff by an enemy."""
EXCUSE_LED = 0.3
"""Chance that a side wins a trick to which it led the Excuse, where partners are behind."""

AS_IT_LIES, ON_TABLE, PETIT_THERE, TO_COME, UPPERCUT = range(5)
"""What is known of a trick before a card is chosen, in the array `trick` of floats:

the chance that the own side wins it with a card that does not take the lead, half points on the
table, whether the petit lies there, cards to come, and the chance that a ruff meets a ruff.
"""


@kernel
def look_at_trick(turn: Any, rules: Any, r: Any, trick: Any) -> None:
    """Writes what holds for every card; see `AS_IT_LIES`."""
    trick[ON_TABLE] = trick[PETIT_THERE] = 0.0
    for place in range(turn.trick_size):
        card = turn.trick_cards[place]
        trick[ON_TABLE] += TRICK_POINTS[card]
        if card == PETIT:
            trick[PETIT_THERE] = 1.0
    trick[TO_COME] = r.num_others - turn.trick_size
    trick[AS_IT_LIES] = _wins_as_it_lies(turn, r)
    trick[UPPERCUT] = 0.0
    if turn.led < TRUMP:
        none = 1.0
        for other in range(r.num_others):
            if r.behind[other]:
                none *= 1.0 - r.enemy[other] * r.ruffs[other, turn.led]
        trick[UPPERCUT] = 1.0 - none


@kernel
def what_winning_brings(turn: Any, r: Any, trick: Any, card: int, takes: bool, w: Any) -> float:
    """The chance of winning the trick, times what that is worth.

    Playing a card to a trick that the own side wins brings its points home (charge); the petit
    also moves the target (RULES.md 10.2).

    Args:
        turn: the question.
        r: the reading.
        trick: see `look_at_trick`.
        card: the card.
        takes: whether it takes the lead.
        w: weights.
    """
    win = 1.0 - _lost(turn, r, card) if takes else trick[AS_IT_LIES]
    worth = w.trick + w.points_on_table * trick[ON_TABLE] + w.cards_to_come * trick[TO_COME]
    if KINDS[card] < TRUMP:
        worth += w.own_points * TRICK_POINTS[card]
    if trick[PETIT_THERE] or (card == PETIT and not r.petit_is_safe):
        worth += w.petit
    if card == TRUMP_21:
        worth += w.twenty_one
    return win * worth


@kernel
def _winning_card(turn: Any) -> int:
    """The card that is winning; the Excuse where there is none."""
    if turn.led == ANY:
        return EXCUSE
    if turn.best_trump > 0:
        return FIRST_TRUMP - 1 + turn.best_trump
    return SUIT_SIZE * turn.led + turn.best_rank - 1


@kernel
def _beats(turn: Any, r: Any, other: int, card: int) -> float:
    """Chance that a hand could beat a card, were it the best of the trick so far."""
    chance = 1.0 - r.none_above[other, card]
    if KINDS[card] == TRUMP and turn.led < TRUMP:
        chance *= r.is_void[other, turn.led]
    if KINDS[card] < TRUMP:
        chance += r.ruffs[other, KINDS[card]]
    return chance


@kernel
def _lost(turn: Any, r: Any, card: int) -> float:
    """Chance that an enemy behind wins over a card and the partners behind."""
    no_enemy = no_partner = no_partner_over = no_enemy_ruffs = no_partner_ruffs = 1.0
    is_suit = KINDS[card] < TRUMP
    for other in range(r.num_others):
        if r.behind[other]:
            enemy, beats = r.enemy[other], _beats(turn, r, other, card)
            no_enemy *= 1.0 - enemy * beats
            no_partner *= enemy
            no_partner_over *= 1.0 - (1.0 - enemy) * beats
            if is_suit:
                ruffs = r.ruffs[other, KINDS[card]]
                no_enemy_ruffs *= 1.0 - enemy * ruffs
                no_partner_ruffs *= 1.0 - (1.0 - enemy) * ruffs
    alone, shared = 1.0 - no_enemy, 1.0 - no_partner
    if shared == 0.0:
        return alone
    if KINDS[card] == TRUMP and turn.led < TRUMP:
        together = alone * (1.0 - PARTNER_OVERRUFFS * (1.0 - no_partner_over))
    else:
        together = r.enemy_tops[card] * no_partner_ruffs
        together += (1.0 - no_enemy_ruffs) * (1.0 - PARTNER_OVERRUFFS * (1.0 - no_partner_ruffs))
    return (1.0 - shared) * alone + shared * min(together, 1.0)


@kernel
def _wins_as_it_lies(turn: Any, r: Any) -> float:
    """Chance that the own side wins with a card that does not take the lead.

    A partner's card leads at the end; or an enemy's does, and a partner behind beats it.
    """
    no_partner, no_partner_beats, enemies = 1.0, 1.0, 0.0
    best = _winning_card(turn)
    enemy_leads = 0.0
    for other in range(r.num_others):
        if r.behind[other]:
            partner = 1.0 - r.enemy[other]
            enemies += r.enemy[other]
            no_partner *= 1.0 - partner
            no_partner_beats *= 1.0 - partner * _beats(turn, r, other, best)
        if r.others[other] == turn.best_seat:
            enemy_leads += r.enemy[other]
    if turn.led == ANY:
        return EXCUSE_LED * (1.0 - no_partner)
    kept = 1.0 - _lost(turn, r, best)
    saved = enemy_leads * (1.0 - no_partner_beats) * (kept if enemies > 0.0 else 1.0)
    return (1.0 - enemy_leads) * kept + saved
