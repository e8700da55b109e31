"""What a hand to play can tell about the other hands: sides, chances of cards, voids.

Built from a `Turn` alone. Axis H is the other hands that play, in order of play from the next one.
Chances of several cards are combined as if independent. Rows are the last axis, so that sums and
products run along them. What is asked for legal cards only is worked out for `Plays`: the legal
cards of all rows in one line.
"""

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float32, Int, Int8, Int16, Integer, Shaped

from agents.heuristic.holding import holding_chances
from tarot_env.cards import (
    EXCUSE,
    FIRST_TRUMP,
    KIND,
    NUM_CARDS,
    NUM_SUITS,
    NUM_TRUMPS,
    SUIT_SIZE,
    TRUMP,
    cardsets,
)
from tarot_env.core.seating import SEATINGS
from tarot_env.tables import Turn

IS_TRUMP = KIND == TRUMP
NUM_KINDS = NUM_SUITS + 2
"""Four suits, trumps, the Excuse."""
Measures = Iterator[tuple[str, Float32[np.ndarray, " m"] | Bool[np.ndarray, " m"]]]
"""Named numbers per play, which `weights` weighs."""


@dataclass(frozen=True)
class Plays:
    """m cards that may be played by n rows, row by row and in order of id."""

    row: Int[np.ndarray, " m"]
    card: Int[np.ndarray, " m"]
    num_rows: int

    def take(self, at: Integer[np.ndarray, " k"]) -> "Plays":
        """Some of the plays."""
        return Plays(self.row[at], self.card[at], self.num_rows)

    @cached_property
    def _by_card(self) -> Int[np.ndarray, " m"]:
        return self.card * self.num_rows + self.row

    @cached_property
    def kind(self) -> Int[np.ndarray, " m"]:
        """Suit 0..3, `TRUMP`, or `ANY` for the Excuse."""
        return KIND.astype(np.intp).take(self.card)

    @cached_property
    def _by_kind(self) -> Int[np.ndarray, " m"]:
        return self.kind * self.num_rows + self.row

    def of_row(self, values: Shaped[np.ndarray, "*h n"]) -> Shaped[np.ndarray, "*h m"]:
        """What is told of each row."""
        return values.take(self.row, axis=-1)

    def of_card(self, values: Shaped[np.ndarray, "*h 78 n"]) -> Shaped[np.ndarray, "*h m"]:
        """What is told of each card."""
        return values.reshape(*values.shape[:-2], -1).take(self._by_card, axis=-1)

    def of_kind(self, values: Shaped[np.ndarray, "*h 6 n"]) -> Shaped[np.ndarray, "*h m"]:
        """What is told of each kind."""
        return values.reshape(*values.shape[:-2], -1).take(self._by_kind, axis=-1)

    def of_trump(self, values: Shaped[np.ndarray, "*h 21 n"]) -> Shaped[np.ndarray, "*h m"]:
        """What is told of each trump; anything for other cards."""
        trump = np.maximum(self._by_card - FIRST_TRUMP * self.num_rows, 0)
        return values.reshape(*values.shape[:-2], -1).take(trump, axis=-1, mode="clip")

    def of_suit(self, values: Shaped[np.ndarray, "*h 4 n"]) -> Shaped[np.ndarray, "*h m"]:
        """What is told of each suit; 0 for trumps and the Excuse."""
        by_kind = np.zeros((*values.shape[:-2], NUM_KINDS, self.num_rows), values.dtype)
        by_kind[..., :NUM_SUITS, :] = values
        return self.of_kind(by_kind)


@dataclass(frozen=True)
class Reading:
    """What n viewers make of their turns; H other hands."""

    is_taker: Bool[np.ndarray, " n"]
    attacks: Bool[np.ndarray, " n"]
    others: Int8[np.ndarray, "h n"]  # place of each other hand
    enemy: Float32[np.ndarray, "h n"]  # chance that it is on the other side
    behind: Bool[np.ndarray, "h n"]  # has yet to play to this trick
    petit_is_safe: Bool[np.ndarray, " n"]  # in hand, and nobody can take it (rules.md A10)
    suit_lengths: Int16[np.ndarray, "4 n"]  # of the hand that a card is played from
    num_trumps: Int16[np.ndarray, " n"]  # in that hand, the Excuse not among them
    holds: Float32[np.ndarray, "h 78 n"]  # chance that the hand holds the card
    none_above: Float32[np.ndarray, "h 78 n"]  # ... that it holds none higher of the same kind
    is_void: Float32[np.ndarray, "h 5 n"]  # ... that it has none of a suit, or no trump
    none_behind_above: Float32[np.ndarray, "78 n"]  # that none behind holds a higher one

    @cached_property
    def ruffs(self) -> Float32[np.ndarray, "h 4 n"]:
        """Chance that each hand is void in each suit and has a trump."""
        return self.is_void[:, :NUM_SUITS] * (1 - self.is_void[:, TRUMP:])

    @cached_property
    def enemy_ruffs(self) -> Float32[np.ndarray, "4 n"]:
        """Chance that an enemy is void in each suit and has a trump."""
        return any_of(self.ruffs, self.enemy[:, None])

    @cached_property
    def enemy_trumps(self) -> Float32[np.ndarray, "21 n"]:
        """Trumps that enemies hold up to each number; known to a taker after the écart."""
        trumps = (self.holds[:, FIRST_TRUMP:EXCUSE] * self.enemy[:, None]).sum(0)
        for lower, upper in pairwise(trumps):
            upper += lower
        return trumps

    @cached_property
    def num_enemy_trumps(self) -> Float32[np.ndarray, " n"]:
        """How many trumps the enemies hold together: where it is certain, exactly so many."""
        return self.enemy_trumps[-1].round(4)


def read(turn: Turn) -> Reading:
    """What the hands to play can tell about the other hands."""
    others = _others(turn)
    behind = np.arange(len(others))[:, None] < len(others) - turn.trick_size
    holds = holding_chances(turn, others, behind)
    any_behind = (holds * behind[:, None]).sum(0)
    lacks = np.concatenate([holds, any_behind[None]])
    np.subtract(1, lacks, out=lacks)
    none_above, is_void = from_top(lacks, np.multiply)
    attacks = turn.attack[np.arange(len(turn)), turn.to_act]
    hand = turn.playing_hand
    return Reading(
        is_taker=turn.to_act == turn.taker,
        attacks=attacks,
        others=others,
        enemy=_enemy_chances(turn, others, holds, attacks),
        behind=behind,
        petit_is_safe=_petit_is_safe(turn),
        suit_lengths=cardsets.count(hand & cardsets.SUIT[:NUM_SUITS, None]),
        num_trumps=cardsets.count(hand & cardsets.TRUMPS),
        holds=holds,
        none_above=none_above[:-1],
        is_void=is_void[:-1],
        none_behind_above=none_above[-1],
    )


def legal_plays(turn: Turn) -> Plays:
    """All legal cards of all rows."""
    at = np.flatnonzero(cardsets.to_bits(turn.legal).view(bool))
    row = at // NUM_CARDS
    return Plays(row, at - NUM_CARDS * row, len(turn))


def any_of(
    chances: Float32[np.ndarray, "h ..."], weights: Float32[np.ndarray, "h ..."]
) -> Float32[np.ndarray, "..."]:
    """Chance that one of the hands does something, each weighted with whether it counts."""
    return 1 - (1 - weights * chances).prod(0)


def _petit_is_safe(turn: Turn) -> Bool[np.ndarray, " n"]:
    """Whether the hand began to play with the petit as its only trump, where that protects it."""
    if turn.rules.petit_sec != "imprenable":
        return np.zeros(len(turn), bool)
    trumps = (turn.hand | turn.played[:, 0]) & (cardsets.TRUMPS | cardsets.EXCUSE)
    safe: np.ndarray = (trumps == cardsets.PETIT).all(1)
    return safe


def _others(turn: Turn) -> Int8[np.ndarray, "h n"]:
    """Places of the other hands in order of play, from the one after the hand to act."""
    table = _others_of(turn.rules.game_name)
    dealers, hands = table.shape[2:]
    at = (turn.seat.astype(np.intp) * dealers + turn.dealer) * hands + turn.to_act
    return table.reshape(len(table), -1).take(at, axis=1)


@functools.cache
def _others_of(game_name: str) -> Int8[np.ndarray, "h p p a"]:
    """The other hands by the viewer's seat, the dealer and the hand to act, as the viewer counts.

    They are counted from a hand that plays; of one that has no turn nothing is told.
    """
    seating = SEATINGS[game_name]
    seats, hands = seating.by_place.shape
    viewer, dealer, hand = np.ogrid[:seats, :seats, :hands]
    dealer, hand = seating.by_place[viewer, dealer], seating.by_place[viewer, hand]
    others = []
    for _ in range(seating.order.shape[1] - 1):
        hand = seating.next_hand[dealer, hand]
        others.append(seating.from_viewer[viewer, hand])
    return np.stack(others)


def _enemy_chances(
    turn: Turn,
    others: Int8[np.ndarray, "h n"],
    holds: Float32[np.ndarray, "h 78 n"],
    attacks: Bool[np.ndarray, " n"],
) -> Float32[np.ndarray, "h n"]:
    """Chance that each other hand is on the other side; the holder of a called card may be any."""
    rows = np.arange(len(turn))
    known = turn.attack[rows, others]
    with_taker = known.astype(np.float32)
    if turn.rules.calls_king:
        holds_called = holds[:, np.maximum(turn.called, 0), rows]
        with_taker = np.where((turn.partner < 0) & ~known, holds_called, with_taker)
    return np.where(attacks, 1 - with_taker, with_taker)


def from_top(
    values: Float32[np.ndarray, "h 78 n"], combine: np.ufunc
) -> tuple[Float32[np.ndarray, "h 78 n"], Float32[np.ndarray, "h 5 n"]]:
    """What the cards above each card of the same kind make together, and those of the whole kind.

    Args:
        values: a number for each card.
        combine: `np.multiply` or `np.add`; no cards make 1 or 0, also above the Excuse.
    """
    hands, _, rows = values.shape
    above = np.empty_like(values)
    whole = np.empty((hands, NUM_SUITS + 1, rows), values.dtype)
    above[:, EXCUSE] = combine.identity
    for columns, kinds, size in (
        (slice(FIRST_TRUMP), slice(NUM_SUITS), SUIT_SIZE),
        (slice(FIRST_TRUMP, EXCUSE), slice(TRUMP, None), NUM_TRUMPS),
    ):
        downward, result = (
            cards[:, columns].reshape(hands, -1, size, rows, copy=False).transpose(2, 0, 1, 3)[::-1]
            for cards in (values, above)
        )
        result[0] = combine.identity
        steps = pairwise([*result, whole[:, kinds]])
        for card, (above_it, above_next) in zip(downward, steps, strict=True):
            combine(above_it, card, out=above_next)
    return above, whole


def share_to_come(turn: Turn) -> Float32[np.ndarray, " n"]:
    """Part of the tricks that is not finished, 1 at the first lead."""
    tricks = turn.rules.tricks
    return (tricks - turn.trick_number) / np.float32(tricks)


class LeadSuits(NamedTuple):
    """Suits that each side has led in earlier tricks, and the viewer among it.

    A partner whom the viewer does not know counts as defence.
    """

    by_attack: Bool[np.ndarray, "4 n"]
    by_defence: Bool[np.ndarray, "4 n"]
    by_viewer: Bool[np.ndarray, "4 n"]


def lead_suits(turn: Turn, rows: Int[np.ndarray, " m"]) -> LeadSuits:
    """The suits led before.

    Args:
        turn: n turns.
        rows: those that are about to lead; of others nothing is told.
    """
    seats, actions = turn.events[rows, :, 0], turn.events[rows, :, 1]
    is_card = actions.view(np.uint8) < NUM_CARDS
    at = np.flatnonzero(is_card)
    number = is_card.sum(1)
    tricks_back = np.arange(1, turn.rules.tricks)[:, None]
    cards_back = turn.rules.cards_per_trick * tricks_back + turn.trick_size[rows]
    there = (tricks_back <= turn.trick_number[rows]) & (cards_back <= number)
    at = at if len(at) else np.zeros(1, np.intp)
    lead = at[np.where(there, np.cumsum(number) - cards_back, 0)]
    suit = KIND.take(actions.ravel().take(lead), mode="clip")
    leader = SEATINGS[turn.rules.game_name].from_viewer[turn.seat[rows], seats.ravel().take(lead)]
    attack = turn.attack[rows, leader]
    led = (suit == np.arange(NUM_SUITS)[:, None, None]) & there
    suits = LeadSuits(*np.zeros((3, NUM_SUITS, len(turn)), bool))
    suits.by_attack[:, rows] = (led & attack).any(1)
    suits.by_defence[:, rows] = (led & ~attack).any(1)
    suits.by_viewer[:, rows] = (led & (leader == 0)).any(1)
    return suits
