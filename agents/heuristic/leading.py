"""Which card to lead: the taker's plans and the defence's orders (rules.md E3, E4).

Each function returns one number per play; `weights` says what it counts.
"""

import numpy as np
from jaxtyping import Bool, Float32

from agents.hand_strength import LOWEST_MAJOR, scaled
from agents.heuristic.keeping import HONOUR_POINTS, unbeatable
from agents.heuristic.reading import (
    LeadSuits,
    Measures,
    Plays,
    Reading,
    any_of,
    share_to_come,
)
from tarot_env.cards import EXCUSE, FIRST_TRUMP, NUM_SUITS, PETIT, RANK, SUIT_SIZE, TRUMP, cardsets
from tarot_env.tables import Turn

MAJORS = cardsets.ABOVE[LOWEST_MAJOR - 1]
HUNT_FROM = 22
"""Least 3 x majors + trumps to hunt the petit (published: 21 or 22), of 18 cards."""
MAIN_FORTE = 7
"""Trumps of the strong hand of the defence, of 18 cards; it also has one from 18 up, "defence of
the petit"."""
ROUNDING = np.float32(0.01)
"""Less than this of a card is no card."""
DEFENCE_OF_PETIT = cardsets.ABOVE[18 - 1]


def taker_leads(turn: Turn, reading: Reading, plays: Plays, led: LeadSuits) -> Measures:
    """What speaks for and against each lead of the taker (rules.md E3)."""
    lengths = plays.of_suit(reading.suit_lengths)
    ruffed = plays.of_suit(reading.enemy_ruffs)
    honour = HONOUR_POINTS.take(plays.card)
    yield "long_suit", ruffed * (lengths >= 4)
    yield "long_suit_repeated", plays.of_suit(led.by_attack)
    yield "lead_length", lengths
    yield "ruffed_by_defence", ruffed
    yield "honour_ruffed", ruffed * honour
    yield "lead_honour", honour
    yield "reprise", plays.of_suit(reprises(turn, reading))
    yield from trump_plan(turn, reading, plays)
    yield "lead_excuse", plays.card == EXCUSE


def reprises(turn: Turn, reading: Reading) -> Bool[np.ndarray, "4 n"]:
    """Suits with a bare or short king, which wait until the defence opens them."""
    kings = turn.playing_hand & cardsets.KINGS & cardsets.SUIT[:NUM_SUITS, None]
    return ~cardsets.is_empty(kings) & (reading.suit_lengths <= 3)


def trump_plan(turn: Turn, reading: Reading, plays: Plays) -> Measures:
    """Lead trumps with more of them than the others, masters first; never after theirs are gone.

    With as many masters as the others have trumps, the last ones are drawn.
    """
    is_trump = plays.kind == TRUMP
    margin = reading.num_trumps - reading.num_enemy_trumps
    yield "trump_margin", plays.of_row(margin) * is_trump
    yield "draw_trumps", plays.of_row(margin > 0) & is_trump
    master = unbeatable(reading, plays) * is_trump
    number = np.bincount(plays.row, master, len(turn)).astype(np.float32)
    draws_last = (number + ROUNDING >= reading.num_enemy_trumps) & (reading.num_enemy_trumps >= 0.5)
    yield "master_trump", master
    yield "draw_last_trumps", master * plays.of_row(draws_last)
    yield "trump_before_petit", (is_trump - master) * plays.of_row(petit_waits(turn, reading))
    yield from petit_hunt(turn, reading, plays, draws_last)
    yield "lead_trump", is_trump
    yield "trumps_drawn", plays.of_row(reading.num_enemy_trumps < 0.5) & is_trump
    yield "early_trump", plays.of_row(share_to_come(turn)) * is_trump


def petit_waits(turn: Turn, reading: Reading) -> Bool[np.ndarray, " n"]:
    """With the petit and beside it as many trumps as the enemies have: suits force theirs out."""
    theirs = reading.num_enemy_trumps
    has_petit = ~cardsets.is_empty(turn.playing_hand & cardsets.PETIT)
    return has_petit & (theirs >= 0.5) & (reading.num_trumps > theirs)


def petit_hunt(
    turn: Turn, reading: Reading, plays: Plays, draws_last: Bool[np.ndarray, " n"]
) -> Measures:
    """With the petit out, the highest major where 3 x majors + trumps is large enough.

    Where it is not, majors stay in the hand until the last trumps are drawn.
    """
    majors = turn.playing_hand & MAJORS
    strength = 3 * cardsets.count(majors) + reading.num_trumps
    out = (reading.holds[:, PETIT] * reading.enemy).sum(0) > 0.05
    is_strong = strength >= scaled(HUNT_FROM, turn.rules)
    highest = np.where(out & is_strong, cardsets.highest_trump(majors), np.int8(0))
    rank = RANK.take(plays.card) * (plays.kind == TRUMP)
    yield "hunt_petit", (rank > 0) & (rank == plays.of_row(highest))
    yield "major_unhunted", (rank >= LOWEST_MAJOR) & plays.of_row(out & ~is_strong & ~draws_last)


def defence_leads(turn: Turn, reading: Reading, plays: Plays, led: LeadSuits) -> Measures:
    """What speaks for and against each lead of a defender (rules.md E4)."""
    taker_ruffs = plays.of_suit(reading.enemy_ruffs)
    honour = HONOUR_POINTS.take(plays.card)
    yield "force_taker", taker_ruffs
    yield "force_with_honour", taker_ruffs * honour
    yield "partner_ruffs", plays.of_suit(any_of(reading.ruffs, 1 - reading.enemy[:, None]))
    yield "lead_honour", honour
    yield "partners_honours", plays.of_suit(partners_honours(reading))
    yield from suit_orders(turn, reading, plays, led)
    yield from trump_orders(turn, reading, plays)
    yield "lead_excuse", plays.card == EXCUSE


def partners_honours(reading: Reading) -> Float32[np.ndarray, "4 n"]:
    """Half points of honours that the partners are expected to hold in each suit."""
    suits = reading.holds[:, :FIRST_TRUMP].reshape(-1, NUM_SUITS, SUIT_SIZE, reading.holds.shape[2])
    partner = 1 - reading.enemy[:, None, None]
    points = HONOUR_POINTS[:SUIT_SIZE, None]
    is_honour = points[:, 0] > 0
    held = suits[:, :, is_honour] * partner
    return (held.sum(0) * points[is_honour]).sum(1)


def suit_orders(turn: Turn, reading: Reading, plays: Plays, led: LeadSuits) -> Measures:
    """Leave the taker's suit; return a partner's; open by seat, before or behind the taker.

    A partner's suit is returned where no enemy ruffs it; being ruffed counts elsewhere.
    """
    new = ~(led.by_attack | led.by_defence)
    before, after = reading.others[0] == turn.taker, reading.others[-1] == turn.taker
    by_suit = {
        "takers_suit": led.by_attack,
        "return_suit": led.by_defence,
        "open_before_taker": new & before,
        "open_in_the_middle": new & ~before & ~after,
        "open_after_taker": new & after,
    }
    yield from zip(by_suit, plays.of_suit(np.stack(list(by_suit.values()))), strict=True)
    partners = led.by_defence & ~led.by_viewer
    yield "return_unruffed", plays.of_suit(partners * (1 - reading.enemy_ruffs))
    yield "open_early", plays.of_suit(new) * plays.of_row(share_to_come(turn))


def trump_orders(turn: Turn, reading: Reading, plays: Plays) -> Measures:
    """Trumps are for the main forte: so many of them and one of 18 to 21."""
    is_trump = plays.kind == TRUMP
    strong = reading.num_trumps >= scaled(MAIN_FORTE, turn.rules)
    strong &= ~cardsets.is_empty(turn.playing_hand & DEFENCE_OF_PETIT)
    yield "lead_trump", is_trump
    yield "main_forte_trump", plays.of_row(strong) & is_trump
