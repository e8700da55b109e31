"""Which card to lead: the taker's plans, the defence's orders (RULES.md 17.3, 17.5)."""

from typing import Any

from agents.hand_strength import LOWEST_MAJOR, scaled_here
from agents.heuristic.keeping import HONOUR_POINTS, RANKS, unbeatable
from agents.heuristic.reading import share_to_come
from agents.heuristic.tricks import KINDS
from tarot_env.cards import EXCUSE, FIRST_TRUMP, PETIT, SUIT_SIZE, TRUMP
from tarot_env.core.bits import KINGS, TRUMPS, length, lowest, popcount, suit_of
from tarot_env.core.bits import PETIT as PETIT_BIT
from tarot_env.core.compiling import kernel
from tarot_env.tables.turn import on_attack

_MAJORS = TRUMPS >> (LOWEST_MAJOR - 1) << (LOWEST_MAJOR - 1)
HUNT_FROM = 22
"""Least 3 x majors + trumps to hunt the petit (published: 21 or 22), of 18 cards."""
MAIN_FORTE = 7
"""Trumps of the strong hand of the defence, of 18 cards; it also has one from 18 up, "defence of
the petit"."""
_DEFENCE_OF_PETIT = TRUMPS >> (18 - 1) << (18 - 1)
ROUNDING = 0.01
"""Less than this of a card is no card."""
_PETIT_MAY_BE_OUT = 0.05

BY_ATTACK, BY_DEFENCE, BY_VIEWER = range(3)
"""Who led some suits before: rows of the array `led`, a bit for each suit. A partner whom the
viewer does not know counts as defence."""
(
    MARGIN,
    DRAWS_LAST,
    PETIT_WAITS,
    HUNTED,
    NOT_HUNTED,
    MAIN,
) = range(6)
"""What holds for every lead of a trump, in the array `plan` of floats: trumps more than the enemies
have; whether the masters draw their last ones; whether the petit waits; the major that hunts it;
whether it is out and is not hunted; whether the hand is the main forte of the defence."""


@kernel
def note_led(turn: Any, rules: Any, led: Any) -> None:
    """Writes the suits that each side has led before."""
    led[BY_ATTACK] = led[BY_DEFENCE] = 0
    for hand in range(rules.hands):
        side = BY_ATTACK if on_attack(turn, hand) else BY_DEFENCE
        led[side] |= turn.suits_led[hand]
    led[BY_VIEWER] = turn.suits_led[0]


@kernel
def make_plan(turn: Any, rules: Any, r: Any, plan: Any) -> None:
    """Writes what trumps are led for; see `MARGIN`.

    The petit is hunted with the highest major where 3 x majors + trumps is large enough. With the
    petit in hand and beside it as many trumps as the enemies have, suits force theirs out first.
    """
    theirs, masters = r.num_enemy_trumps, 0.0
    trumps = r.hand[1] & TRUMPS
    while trumps:
        masters += unbeatable(r, FIRST_TRUMP + lowest(trumps))
        trumps &= trumps - 1
    plan[MARGIN] = r.num_trumps - theirs
    draws_last = masters + ROUNDING >= theirs and theirs >= 0.5
    plan[DRAWS_LAST] = 1.0 if draws_last else 0.0
    waits = r.hand[1] & PETIT_BIT and theirs >= 0.5 and r.num_trumps > theirs
    plan[PETIT_WAITS] = 1.0 if waits else 0.0
    petit = 0.0
    for other in range(r.num_others):
        petit += r.enemy[other] * r.holds[other, PETIT]
    majors, out = r.hand[1] & _MAJORS, petit > _PETIT_MAY_BE_OUT
    strong = 3 * popcount(majors) + r.num_trumps >= scaled_here(HUNT_FROM, rules)
    plan[HUNTED] = length(majors) if out and strong else 0
    plan[NOT_HUNTED] = 1.0 if out and not strong and not draws_last else 0.0
    forte = r.num_trumps >= scaled_here(MAIN_FORTE, rules) and r.hand[1] & _DEFENCE_OF_PETIT
    plan[MAIN] = 1.0 if forte else 0.0


@kernel
def taker_lead(turn: Any, rules: Any, r: Any, led: Any, plan: Any, card: int, w: Any) -> float:
    """What speaks for and against a lead of the taker (RULES.md 17.3)."""
    if card == EXCUSE:
        return w.lead_excuse
    if KINDS[card] == TRUMP:
        return _trump_plan(turn, rules, r, plan, card, w)
    suit = KINDS[card]
    size, ruffed, honour = r.suit_lengths[suit], r.enemy_ruffs[suit], HONOUR_POINTS[card]
    merit = w.lead_length * size + w.ruffed_by_defence * ruffed
    merit += honour * (w.lead_honour + w.honour_ruffed * ruffed)
    if size >= 4:
        merit += w.long_suit * ruffed
    if led[BY_ATTACK] >> suit & 1:
        merit += w.long_suit_repeated
    if size <= 3 and suit_of(r.hand[0] & KINGS, suit):
        merit += w.reprise
    return merit


@kernel
def _trump_plan(turn: Any, rules: Any, r: Any, plan: Any, card: int, w: Any) -> float:
    """Lead trumps with more of them than the others, masters first; never after theirs are gone.

    With as many masters as the others have trumps, the last ones are drawn.
    """
    master = unbeatable(r, card)
    merit = w.lead_trump + w.trump_margin * plan[MARGIN] + w.master_trump * master
    merit += w.draw_last_trumps * master * plan[DRAWS_LAST]
    merit += w.trump_before_petit * (1.0 - master) * plan[PETIT_WAITS]
    merit += w.early_trump * share_to_come(turn, rules)
    if plan[MARGIN] > 0.0:
        merit += w.draw_trumps
    if RANKS[card] == plan[HUNTED]:
        merit += w.hunt_petit
    if RANKS[card] >= LOWEST_MAJOR:
        merit += w.major_unhunted * plan[NOT_HUNTED]
    if r.num_enemy_trumps < 0.5:
        merit += w.trumps_drawn
    return merit


@kernel
def defence_lead(turn: Any, rules: Any, r: Any, led: Any, plan: Any, card: int, w: Any) -> float:
    """What speaks for and against a lead of a defender (RULES.md 17.5)."""
    if card == EXCUSE:
        return w.lead_excuse
    if KINDS[card] == TRUMP:
        return w.lead_trump + w.main_forte_trump * plan[MAIN]
    suit = KINDS[card]
    ruffed, honour = r.enemy_ruffs[suit], HONOUR_POINTS[card]
    merit = ruffed * (w.force_taker + w.force_with_honour * honour) + w.lead_honour * honour
    no_partner_ruffs, honours = 1.0, 0.0
    for other in range(r.num_others):
        partner = 1.0 - r.enemy[other]
        no_partner_ruffs *= 1.0 - partner * r.ruffs[other, suit]
        for rank in range(SUIT_SIZE):
            held = SUIT_SIZE * suit + rank
            honours += HONOUR_POINTS[held] * partner * r.holds[other, held]
    merit += w.partner_ruffs * (1.0 - no_partner_ruffs) + w.partners_honours * honours
    return merit + _suit_orders(turn, rules, r, led, suit, w)


@kernel
def _suit_orders(turn: Any, rules: Any, r: Any, led: Any, suit: int, w: Any) -> float:
    """Leave the taker's suit; return a partner's; open by seat, before or behind the taker.

    A partner's suit is returned where no enemy ruffs it; being ruffed counts elsewhere.
    """
    by_attack, by_defence = led[BY_ATTACK] >> suit & 1, led[BY_DEFENCE] >> suit & 1
    if not by_attack and not by_defence:
        merit = w.open_early * share_to_come(turn, rules)
        before = r.others[0] == turn.taker
        after = r.others[r.num_others - 1] == turn.taker
        if before:
            merit += w.open_before_taker
        if after:
            merit += w.open_after_taker
        return merit if before or after else merit + w.open_in_the_middle
    merit = w.takers_suit if by_attack else 0.0
    if by_defence:
        merit += w.return_suit
        if not led[BY_VIEWER] >> suit & 1:
            merit += w.return_unruffed * (1.0 - r.enemy_ruffs[suit])
    return merit
