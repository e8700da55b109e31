"""The écart of the heuristic (RULES.md 17.2): which cards it sets aside.

A plan is made from the hand and what is already set aside together, so it is the same plan at
each of the questions, and the cards of it are given one by one.
"""

import numpy as np
from jaxtyping import Bool, Float32, Float64, Int, UInt64

from agents.hand_strength import scaled, trump_length
from tarot_env.cards import (
    FIRST_TRUMP,
    HALF_POINTS,
    KING,
    NUM_CARDS,
    NUM_SUITS,
    RANK,
    SUIT_SIZE,
    cardsets,
)
from tarot_env.tables import Turn

_SUIT_RANKS = RANK[:SUIT_SIZE]
_VOID_PLANS = (np.arange(1 << NUM_SUITS)[:, None] >> np.arange(NUM_SUITS)) % 2 == 1
"""bool [16, 4]: which suits a plan empties."""

MADE_UNDER_KING = 0.8
MADE_GUARDED = 0.4
MADE_SHORT = 0.15
"""Chance that an honour makes its points in play: under the own king, in four cards, short."""
VOID = 5.0
VOID_FEW_TRUMPS = 2.0
MANY_TRUMPS = 6
"""Of a hand of 18 cards."""
BARE_KING = 1.0
SINGLETON = 1.5
LONG_SUIT = 2.5
"""Merits of a shape in half points, the last for each card kept. Halving or doubling any of them
gained nothing on 1,536 duplicate deals (seed 401)."""


def set_aside(turn: Turn) -> Int[np.ndarray, " n"]:
    """The next card of the écart."""
    held, size, may_go, many_trumps = terms(turn)
    plan = plan_ecart(held, size, may_go, many_trumps)
    return cardsets.lowest(cardsets.first_nonempty(plan & turn.legal, turn.legal)).astype(np.int64)


def terms(
    turn: Turn,
) -> tuple[UInt64[np.ndarray, "n 2"], int, UInt64[np.ndarray, "n 2"], int]:
    """What a plan is made from, as `plans` takes it: with what is set aside already."""
    rules = turn.rules
    size = rules.chien_size // 2 if rules.in_partnerships else rules.chien_size
    may_go = (turn.legal | turn.ecart) & cardsets.PLAIN
    return turn.hand | turn.ecart, size, may_go, scaled(MANY_TRUMPS, rules)


def plan_ecart(
    held: UInt64[np.ndarray, "n 2"],
    size: int,
    may_go: UInt64[np.ndarray, "*n 2"] = cardsets.PLAIN,
    many_trumps: int = MANY_TRUMPS,
) -> UInt64[np.ndarray, "n 2"]:
    """The best of the `plans`; arguments are theirs."""
    cards, merits = plans(held, size, may_go, many_trumps)
    best: UInt64[np.ndarray, "n 2"] = cards[np.arange(len(held)), merits.argmax(1)]
    return best


def plans(
    held: UInt64[np.ndarray, "n 2"],
    size: int,
    may_go: UInt64[np.ndarray, "*n 2"] = cardsets.PLAIN,
    many_trumps: int = MANY_TRUMPS,
) -> tuple[UInt64[np.ndarray, "n 16 2"], Float64[np.ndarray, "n 16"]]:
    """Plain cards to set aside, `size` of them or all there are; trumps then follow low first.

    Each set of suits to empty is a plan; the rest is filled up with the cards least worth keeping.

    Args:
        held: hand and chien together.
        size: cards in the écart.
        may_go: plain cards that may be set aside.
        many_trumps: from so many on, voids are worth more.

    Returns:
        The plans, some of them alike, and the sum of the merits of each in half points; minus
        infinity where the suits to empty are too long.
    """
    suits = _by_suit(held)
    plain = _by_suit(held & may_go)
    merit = card_merits(suits)
    chosen = _candidates(plain, merit, size)
    total = (chosen * merit[:, None]).sum((2, 3)) + shape_merits(
        suits, chosen, trump_length(held) >= many_trumps
    )
    too_many = (plain[:, None] & _VOID_PLANS[:, :, None]).sum((2, 3)) > size
    picked = chosen.reshape(*total.shape, FIRST_TRUMP)
    cards = cardsets.from_mask(np.pad(picked, ((0, 0), (0, 0), (0, NUM_CARDS - FIRST_TRUMP))))
    return cards, np.where(too_many, -np.inf, np.round(total, 3))


def _by_suit(cards: UInt64[np.ndarray, "n 2"]) -> Bool[np.ndarray, "n 4 14"]:
    return cardsets.to_mask(cards)[:, :FIRST_TRUMP].reshape(-1, NUM_SUITS, SUIT_SIZE)


def _candidates(
    plain: Bool[np.ndarray, "n 4 14"], merit: Float32[np.ndarray, "n 4 14"], size: int
) -> Bool[np.ndarray, "n 16 4 14"]:
    """One écart for each set of suits to empty: these suits first, then by merit."""
    rows = len(plain)
    order = np.argsort(-merit.reshape(rows, -1), axis=1, kind="stable")
    emptied = (plain[:, None] & _VOID_PLANS[:, :, None]).reshape(rows, -1, FIRST_TRUMP)
    others = (plain[:, None] & ~_VOID_PLANS[:, :, None]).reshape(rows, -1, FIRST_TRUMP)
    by_merit = np.take_along_axis(others, order[:, None], 2)
    room = size - emptied.sum(2, keepdims=True)
    by_merit &= np.cumsum(by_merit, axis=2) <= room
    filled = np.zeros_like(others)
    np.put_along_axis(filled, np.broadcast_to(order[:, None], others.shape), by_merit, 2)
    return (emptied | filled).reshape(rows, -1, NUM_SUITS, SUIT_SIZE)


def card_merits(suits: Bool[np.ndarray, "n 4 14"]) -> Float32[np.ndarray, "n 4 14"]:
    """Half points that setting a card aside saves, less what a long suit loses by it.

    Points that cannot be made go (short queens, knights, jacks); honours under the own king and
    the cards of a long suit stay (RULES.md 17.2).
    """
    length = suits.sum(2)
    king = suits[..., KING - 1]
    made = np.where(length >= 4, MADE_GUARDED, MADE_SHORT)
    made = np.where(king, MADE_UNDER_KING, made)[..., None]
    worth = HALF_POINTS[:SUIT_SIZE].astype(np.float32)
    is_long = (length >= 5)[..., None]
    merit = worth * (1 - made) - LONG_SUIT * is_long
    merit = merit - 0.01 * _SUIT_RANKS * (worth == 1)
    return merit.astype(np.float32)


def shape_merits(
    suits: Bool[np.ndarray, "n 4 14"],
    chosen: Bool[np.ndarray, "n 16 4 14"],
    many_trumps: Bool[np.ndarray, " n"],
) -> Float32[np.ndarray, "n 16"]:
    """What each écart's shape is worth: voids, bare kings, singletons (RULES.md 17.2)."""
    left = suits[:, None] & ~chosen
    length = left.sum(3)
    king = suits[:, None, :, KING - 1]
    had_cards = suits.sum(2)[:, None] > 0
    void = np.where(many_trumps, VOID, VOID_FEW_TRUMPS)[:, None, None]
    merit = np.where((length == 0) & had_cards, void, 0.0)
    merit = merit + np.where((length == 1) & king, BARE_KING, 0.0)
    merit = merit + np.where((length == 1) & ~king, SINGLETON, 0.0)
    return merit.sum(2).astype(np.float32)
