"""Which card to lead: the taker's plans and the defence's orders (rules.md E3, E4).

Each function returns one number per card; `weights` says what it counts.
"""

import numpy as np
from jaxtyping import Bool, Float32

from agents.heuristic.evaluation import LOWEST_MAJOR, scaled
from agents.heuristic.keeping import (
    HONOUR_POINTS,
    IN_SUIT,
    IS_EXCUSE,
    enemy_trumps,
    number_of_trumps,
    per_card,
    suit_lengths,
    unbeatable,
)
from agents.heuristic.reading import IS_TRUMP, Measures, Reading, lead_suits, share_to_come
from agents.heuristic.tricks import any_of, ruff_chances
from tarot_env.cards import FIRST_TRUMP, KING, NUM_SUITS, PETIT, RANK, SUIT_SIZE
from tarot_env.turn import Turn

IS_MAJOR = IS_TRUMP & (RANK >= LOWEST_MAJOR)
HUNT_FROM = 22
"""Least 3 x majors + trumps to hunt the petit (published: 21 or 22), of 18 cards."""
MAIN_FORTE = 7
"""Trumps of the strong hand of the defence, of 18 cards; it also has one from 18 up, "defence of
the petit"."""
LOWEST_DEFENCE_OF_PETIT = 18


def taker_leads(turn: Turn, reading: Reading) -> Measures:
    """What speaks for and against each lead of the taker (rules.md E3)."""
    own, _ = lead_suits(turn)
    lengths = suit_lengths(reading)
    ruffed = any_of(ruff_chances(reading), reading.enemy)
    yield "long_suit", ruffed * (lengths >= 4)
    yield "long_suit_repeated", per_card(own)
    yield "lead_length", lengths
    yield "ruffed_by_defence", ruffed
    yield "honour_ruffed", ruffed * HONOUR_POINTS
    yield "lead_honour", np.broadcast_to(HONOUR_POINTS, lengths.shape)
    yield "reprise", reprises(reading, lengths)
    yield "hunt_petit", hunts_petit(reading, scaled(HUNT_FROM, turn.rules))
    yield from trump_plan(turn, reading)
    yield "lead_excuse", np.broadcast_to(IS_EXCUSE, lengths.shape)


def reprises(reading: Reading, lengths: Float32[np.ndarray, "n 78"]) -> Bool[np.ndarray, "n 78"]:
    """Suits with a bare or short king, which wait until the defence opens them."""
    kings = reading.hand[:, KING - 1 : FIRST_TRUMP : SUIT_SIZE]
    return (per_card(kings) > 0) & (lengths <= 3)


def hunts_petit(reading: Reading, least: int) -> Bool[np.ndarray, "n 78"]:
    """The highest major, where 3 x majors + trumps is `least` or more and the petit is out."""
    trumps = reading.hand & IS_TRUMP
    strength = 3 * (trumps & IS_MAJOR).sum(1) + trumps.sum(1)
    out = (reading.holds[:, :, PETIT] * reading.enemy).sum(1) > 0.05
    highest = (trumps * RANK).max(1)[:, None] == RANK
    return (out & (strength >= least))[:, None] & highest & IS_MAJOR


def trump_plan(turn: Turn, reading: Reading) -> Measures:
    """Lead trumps with more of them than the others, masters first; never after theirs are gone."""
    mine, theirs = number_of_trumps(reading), enemy_trumps(reading).sum(1, keepdims=True)
    yield "trump_margin", (mine - theirs) * IS_TRUMP
    yield "draw_trumps", (mine > theirs) & IS_TRUMP
    yield "master_trump", unbeatable(reading) * IS_TRUMP
    yield "lead_trump", np.broadcast_to(IS_TRUMP, reading.hand.shape)
    yield "trumps_drawn", (theirs < 0.5) & IS_TRUMP
    yield "early_trump", share_to_come(turn) * IS_TRUMP


def defence_leads(turn: Turn, reading: Reading) -> Measures:
    """What speaks for and against each lead of a defender (rules.md E4)."""
    ruffs = ruff_chances(reading)
    taker_ruffs = any_of(ruffs, reading.enemy)
    yield "force_taker", taker_ruffs
    yield "force_with_honour", taker_ruffs * HONOUR_POINTS
    yield "partner_ruffs", any_of(ruffs, 1 - reading.enemy) * IN_SUIT
    yield "lead_honour", np.broadcast_to(HONOUR_POINTS, taker_ruffs.shape)
    yield "partners_honours", partners_honours(reading)
    yield from suit_orders(turn, reading)
    yield from trump_orders(reading, scaled(MAIN_FORTE, turn.rules))
    yield "lead_excuse", np.broadcast_to(IS_EXCUSE, taker_ruffs.shape)


def partners_honours(reading: Reading) -> Float32[np.ndarray, "n 78"]:
    """Half points of honours that the partners are expected to hold in the suit led."""
    held = (reading.holds * (1 - reading.enemy)[:, :, None]).sum(1) * HONOUR_POINTS
    return per_card(held[:, :FIRST_TRUMP].reshape(-1, NUM_SUITS, SUIT_SIZE).sum(2))


def suit_orders(turn: Turn, reading: Reading) -> Measures:
    """Leave the taker's suit; return a partner's; open by seat, before or behind the taker."""
    by_taker, by_defence = lead_suits(turn)
    new = ~by_taker & ~by_defence
    before = reading.others[:, :1] == turn.taker[:, None]
    after = reading.others[:, -1:] == turn.taker[:, None]
    yield "takers_suit", per_card(by_taker)
    yield "return_suit", per_card(by_defence)
    yield "open_before_taker", per_card(new & before)
    yield "open_in_the_middle", per_card(new & ~before & ~after)
    yield "open_after_taker", per_card(new & after)
    yield "open_early", per_card(new) * share_to_come(turn)


def trump_orders(reading: Reading, main_forte: int) -> Measures:
    """Trumps are for the main forte: so many of them and one of 18 to 21."""
    trumps = reading.hand & IS_TRUMP
    strong = (trumps.sum(1) >= main_forte) & (trumps & (RANK >= LOWEST_DEFENCE_OF_PETIT)).any(1)
    yield "lead_trump", np.broadcast_to(IS_TRUMP, trumps.shape)
    yield "main_forte_trump", strong[:, None] & IS_TRUMP
