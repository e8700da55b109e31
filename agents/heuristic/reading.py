"""What a seat can tell about the hidden cards: who may hold what, and how likely that is.

Built from a `Turn` alone. Seats count from the viewer; axis H is the three other seats, 1 to 3.
Chances are marginal: for each unseen card, where it lies, fitted to how many cards every seat
holds and to the voids and trump bounds that play has shown. Chances of several cards are combined
as if independent.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

import numpy as np
from jaxtyping import Bool, Float32, Int, Int8, Integer, UInt64

from tarot_env import cardsets
from tarot_env.actions import Bid
from tarot_env.cards import EXCUSE, FIRST_TRUMP, KIND, NUM_CARDS, NUM_SUITS, RANK, SUIT_SIZE, TRUMP
from tarot_env.turn import Turn

KIND_SLICES = (
    *(slice(SUIT_SIZE * suit, SUIT_SIZE * (suit + 1)) for suit in range(NUM_SUITS)),
    slice(FIRST_TRUMP, EXCUSE),
)
"""Columns of each suit and of the trumps."""
IS_TRUMP = KIND == TRUMP
Measures = Iterator[tuple[str, Float32[np.ndarray, "n 78"] | Bool[np.ndarray, "n 78"]]]
"""Named numbers per card, which `weights` weighs."""
FITTING_ROUNDS = 3
TAKER_TRUMP_WEIGHT = 1.8
"""How much likelier an unseen trump lies with the taker than with a defender holding as many."""


@dataclass(frozen=True)
class Reading:
    """What n viewers make of their turns; H = 3 other seats."""

    hand: Bool[np.ndarray, "n 78"]
    legal: Bool[np.ndarray, "n 78"]
    is_taker: Bool[np.ndarray, " n"]
    taker: Int[np.ndarray, " n"]  # index on the H axis; 0 where the viewer is the taker
    enemy: Bool[np.ndarray, "n h"]
    behind: Bool[np.ndarray, "n h"]  # has yet to play to this trick
    holds: Float32[np.ndarray, "n h 78"]  # chance that the seat holds the card
    none_above: Float32[np.ndarray, "n h 78"]  # ... that it holds none higher of the same kind
    is_void: Float32[np.ndarray, "n h 5"]  # ... that it has none of a suit, or no trump

    def take(self, rows: Integer[np.ndarray, " m"]) -> "Reading":
        """The named rows."""
        return replace(self, **{f.name: getattr(self, f.name)[rows] for f in fields(self)})


def read(turn: Turn) -> Reading:
    """What the seats to play can tell about the other hands."""
    is_taker = turn.taker == 0
    seats = np.arange(1, turn.rules.players)
    enemy = is_taker[:, None] | (seats == turn.taker[:, None])
    place = (seats - turn.leader[:, None]) % turn.rules.players
    behind = place >= turn.trick_size[:, None]
    holds = _holding_chances(turn, enemy, behind)
    none_above, is_void = _absences(holds)
    return Reading(
        hand=_mask(turn.hand),
        legal=_mask(turn.legal),
        is_taker=is_taker,
        taker=np.where(is_taker, 0, turn.taker - 1).astype(np.int64),
        enemy=enemy,
        behind=behind,
        holds=holds,
        none_above=none_above,
        is_void=is_void,
    )


def _mask(cards: UInt64[np.ndarray, "*n 2"]) -> Bool[np.ndarray, "*n 78"]:
    return cardsets.to_mask(cards)[..., :NUM_CARDS]


def _may_hold(turn: Turn) -> Bool[np.ndarray, "n 4 78"]:
    """Where each unseen card can lie: the other seats in turn, then set aside or in the chien."""
    unseen = _mask(turn.unseen)
    never = np.zeros((len(turn), turn.rules.players, 1), bool)
    shown_void = np.concatenate([turn.void, never], 2)[:, 1:, KIND]
    too_high = IS_TRUMP & (turn.trump_bound[:, 1:, None] < RANK)
    seats = np.arange(1, turn.rules.players)
    is_taker = seats == turn.taker[:, None]
    elsewhere = _mask(turn.chien)[:, None] & ~is_taker[:, :, None]
    shown = _mask(turn.poignee_cards)
    in_poignee = np.logical_or.reduce(shown, axis=1)
    shown_elsewhere = in_poignee[:, None] & ~shown
    may = unseen[:, None] & ~shown_void & ~too_high & ~elsewhere & ~shown_elsewhere[:, 1:]

    taken_up = turn.contract <= Bid.GARDE
    hidden_ecart = taken_up & (turn.taker != 0)
    aside = unseen & ~in_poignee & np.where(taken_up[:, None], _mask(cardsets.PLAIN), True)
    aside &= (hidden_ecart | ~taken_up)[:, None]
    return np.concatenate([may, aside[:, None]], 1)


def _room(turn: Turn, behind: Bool[np.ndarray, "n h"]) -> Float32[np.ndarray, "n 4"]:
    """Unseen cards that lie in each place of `_may_hold`."""
    left = turn.rules.hand_size - turn.trick_number[:, None] - ~behind
    size = turn.rules.chien_size
    hidden_ecart = np.where(turn.taker == 0, 0, size - cardsets.count(turn.shown_discards))
    aside = np.where(turn.contract <= Bid.GARDE, hidden_ecart, size)
    return np.concatenate([left, aside[:, None]], 1).astype(np.float32)


def _holding_chances(
    turn: Turn,
    enemy: Bool[np.ndarray, "n h"],
    behind: Bool[np.ndarray, "n h"],
) -> Float32[np.ndarray, "n h 78"]:
    """Chance that each other seat holds each card, by iterative proportional fitting."""
    may = _may_hold(turn)
    weight = may.astype(np.float32)
    taker_trumps = (enemy & (turn.taker != 0)[:, None])[:, :, None] & IS_TRUMP
    weight[:, :-1] *= np.where(taker_trumps, np.float32(TAKER_TRUMP_WEIGHT), np.float32(1))
    room = _room(turn, behind)
    least = np.float32(1e-9)
    for _ in range(FITTING_ROUNDS):
        weight /= np.maximum(weight.sum(1, keepdims=True), least)
        weight *= (room / np.maximum(weight.sum(2), least))[:, :, None]
    weight /= np.maximum(weight.sum(1, keepdims=True), least)
    return weight[:, :-1]


def _absences(
    holds: Float32[np.ndarray, "n h 78"],
) -> tuple[Float32[np.ndarray, "n h 78"], Float32[np.ndarray, "n h 5"]]:
    """Chances that a seat holds no card of a kind above each card, and none at all."""
    lacks = 1 - holds
    none_above = np.ones_like(holds)
    is_void = np.empty((*holds.shape[:2], len(KIND_SLICES)), np.float32)
    for kind, columns in enumerate(KIND_SLICES):
        from_top = np.multiply.accumulate(lacks[..., columns][..., ::-1], axis=-1)
        none_above[..., columns][..., :-1] = from_top[..., -2::-1]
        is_void[..., kind] = from_top[..., -1]
    return none_above, is_void


def share_to_come(turn: Turn) -> Float32[np.ndarray, "n 1"]:
    """Part of the tricks that is not finished, 1 at the first lead."""
    tricks = turn.rules.hand_size
    return (tricks - turn.trick_number)[:, None] / np.float32(tricks)


def lead_suits(turn: Turn) -> tuple[Bool[np.ndarray, "n 4"], Bool[np.ndarray, "n 4"]]:
    """Suits that the taker has led, and suits that a defender has led, in earlier tricks."""
    players = turn.rules.players
    action: Int8[np.ndarray, "n h"] = turn.history[..., 1]
    is_card = (action >= 0) & (action < NUM_CARDS)
    number = np.cumsum(is_card, axis=1, dtype=np.int16)
    plays = players * turn.trick_number.astype(np.int16) + turn.trick_size
    place = number - 1 - (number[:, -1:] - plays[:, None])
    is_lead = is_card & (place >= 0) & (place % players == 0)
    by_taker = turn.history[..., 0] == turn.taker[:, None]
    kind = KIND[np.where(is_card, action, EXCUSE)]
    suits = [is_lead & (kind == suit) for suit in range(NUM_SUITS)]
    taker = np.stack([(led & by_taker).any(1) for led in suits], 1)
    defence = np.stack([(led & ~by_taker).any(1) for led in suits], 1)
    return taker, defence
