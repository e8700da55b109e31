"""What the cards of defenders have said by the published signals (rules.md E5).

Read from the public history alone. K tricks, the one on the table among them, T cards in a trick,
H other hands, counted like those of `Reading`. Rows are the last axis. Where a table has no history
nothing was said.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int8

from tarot_env.cards import (
    EXCUSE,
    KIND,
    KING,
    KNIGHT,
    NUM_CARDS,
    NUM_SUITS,
    PETIT,
    QUEEN,
    RANK,
    TRUMP,
    cardsets,
)
from tarot_env.tables import Turn

LAST_LOW, LAST_PIP = 5, 10
"""A lead from 1 to 5 says that the leader has the king or the queen, from 6 to 10 neither."""
LAST_QUIET_TRUMP = 15
"""Higher trumps are played to win the trick, and in whatever order that asks for."""
NOBODY = np.int8(-1)
NO_KIND = np.int8(len(cardsets.SUIT))
_KIND_OF = np.append(KIND, NO_KIND).astype(np.int8)
_RANK_OF = np.append(RANK, 0).astype(np.int8)
"""Of each card; the last entry, index -1, is for none."""


@dataclass(frozen=True)
class Tricks:
    """The cards played so far, trick by trick."""

    hand: Int8[np.ndarray, "k t n"]  # place as the viewer counts, -1 for none
    card: Int8[np.ndarray, "k t n"]  # -1 for none
    kind: Int8[np.ndarray, "k t n"]  # of each card, `NO_KIND` for none
    led: Int8[np.ndarray, "k n"]  # kind that was to be followed, `NO_KIND` behind a lone Excuse
    by_attack: Bool[np.ndarray, "k n"]  # whether the viewer knows that the attack led
    followed: Int8[np.ndarray, "k a n"]  # rank of the card that each hand followed with, else 0
    best_before: Int8[np.ndarray, "k a n"]  # best trump on the table before each hand's card


@dataclass(frozen=True)
class FirstTwo:
    """The first two cards that each hand gave to one kind led by others; A hands by place."""

    first: Int8[np.ndarray, "*a n"]  # rank, 0 for none
    second: Int8[np.ndarray, "*a n"]
    has_led: Bool[np.ndarray, "*a n"]  # led the kind before its second card, and said that way
    beat: Int8[np.ndarray, "*a n"]  # best trump on the table before the first card

    @property
    def descending(self) -> Bool[np.ndarray, "*a n"]:
        """A higher card before a lower one."""
        return ~self.has_led & (self.second > 0) & (self.second < self.first)

    @property
    def ascending(self) -> Bool[np.ndarray, "*a n"]:
        """A lower card before a higher one."""
        return ~self.has_led & (self.first > 0) & (self.first < self.second)


@dataclass(frozen=True)
class Heard:
    """What each other hand has said, if it defends; H other hands."""

    honour: Bool[np.ndarray, "h 4 n"]  # holds the king or the queen of the suit that it opened
    nothing: Bool[np.ndarray, "h 4 n"]  # holds neither of the suit that it opened
    ruffs_next: Bool[np.ndarray, "h 4 n"]  # has played its two cards of a suit of the defence
    stop: Bool[np.ndarray, "h 4 n"]  # does not ask for that suit of the defence again
    wants_trumps: Bool[np.ndarray, "h n"]  # strong hand of the defence, or long in trumps
    has_petit: Bool[np.ndarray, "h n"]  # holds the petit and wants no trump to be led


def tricks_so_far(turn: Turn) -> Tricks:
    """The tricks of each row, from the last cards of its history."""
    size = turn.rules.cards_per_trick
    actions = turn.events[..., 1]
    is_card = (actions >= 0) & (actions < NUM_CARDS)
    played = turn.trick_number.astype(np.intp) * size + turn.trick_size
    before = is_card.sum(1) - played
    place = np.cumsum(is_card, axis=1) - 1 - before[:, None]
    row, at = np.nonzero(is_card & (place >= 0))
    number = int(turn.trick_number.max(initial=0)) + 1
    hand, card = np.full((2, number * size, len(turn)), NOBODY)
    where = place[row, at], row
    card[where] = actions[row, at]
    hand[where] = turn.history[row, at, 0]
    hand, card = hand.reshape(number, size, -1), card.reshape(number, size, -1)
    kind, rank = _KIND_OF[card], _RANK_OF[card]
    led = np.where(card[:, 0] == EXCUSE, kind[:, 1], kind[:, 0])
    trumps = np.where(kind == TRUMP, rank, np.int8(0))
    best = np.maximum.accumulate(trumps, axis=1)
    best = np.concatenate([np.zeros_like(best[:, :1]), best[:, :-1]], axis=1)
    return Tricks(
        hand,
        card,
        kind,
        led,
        turn.attack[np.arange(len(turn)), hand[:, 0]] & (card[:, 0] >= 0),
        _by_hand(hand, np.where(kind == led[:, None], rank, np.int8(0)), turn.rules.hands),
        _by_hand(hand, best, turn.rules.hands),
    )


def _by_hand(
    hand: Int8[np.ndarray, "k t n"], values: Int8[np.ndarray, "k t n"], hands: int
) -> Int8[np.ndarray, "k a n"]:
    """The values put in the order of the hands, 0 for one that has played no card."""
    number, _, rows = hand.shape
    ordered = np.zeros((number, hands + 1, rows), np.int8)
    np.put_along_axis(ordered, hand.astype(np.intp) % (hands + 1), values, axis=1)
    return ordered[:, :hands]


def opened_by_attack(tricks: Tricks, suit: int | Int8[np.ndarray, " n"]) -> Bool[np.ndarray, " n"]:
    """Whether the attack was the first to lead a suit."""
    led = tricks.kind[:, 0] == suit
    return (led & tricks.by_attack)[led.argmax(0), np.arange(led.shape[1])]


def first_defence_lead(
    tricks: Tricks, kind: int
) -> tuple[Int8[np.ndarray, " n"], Int8[np.ndarray, " n"]]:
    """Place of the defender who led a kind first, and the rank of the card; -1 and 0 for none."""
    led = (tricks.kind[:, 0] == kind) & ~tricks.by_attack
    trick, rows = led.argmax(0), np.arange(led.shape[1])
    there = led.any(0)
    leader = np.where(there, tricks.hand[trick, 0, rows], NOBODY)
    return leader, np.where(there, _RANK_OF[tricks.card[trick, 0, rows]], np.int8(0))


def first_two(tricks: Tricks, kind: int | Int8[np.ndarray, " n"]) -> FirstTwo:
    """The first two cards of each hand in tricks to which a kind, or one for each row, was led."""
    was_led = tricks.led == kind
    first, second, beat = np.zeros((3, *tricks.followed.shape[1:]), np.int8)
    has_led = np.zeros(first.shape, bool)
    places = np.arange(len(first))[:, None]
    for trick in np.flatnonzero(was_led.any(1)):
        rank = np.where(was_led[trick], tricks.followed[trick], np.int8(0))
        is_first = (rank > 0) & (first == 0)
        is_second = (rank > 0) & (first > 0) & (second == 0)
        has_led |= (is_first | is_second) & (tricks.hand[trick, 0] == places)
        second = np.where(is_second, rank, second)
        first = np.where(is_first, rank, first)
        beat = np.where(is_first, tricks.best_before[trick], beat)
    return FirstTwo(first, second, has_led, beat)


def excuse_on_first_trumps(tricks: Tricks) -> Int8[np.ndarray, " n"]:
    """Place of the hand that gave the Excuse to the first trump lead, -1 for none."""
    led = tricks.kind[:, 0] == TRUMP
    trick, rows = led.argmax(0), np.arange(led.shape[1])
    is_excuse = (tricks.card[trick, :, rows] == EXCUSE).T & led.any(0)
    giver = tricks.hand[trick, is_excuse.argmax(0), rows]
    return np.where(is_excuse.any(0), giver, NOBODY)


def hear(turn: Turn, tricks: Tricks, others: Int8[np.ndarray, "h n"]) -> Heard:
    """What each other hand has said, were it a defender."""
    shape = (NUM_SUITS, *others.shape)
    honour, nothing, ruffs, stop = np.zeros((4, *shape), bool)
    wants_trumps = np.zeros(others.shape, bool)
    for suit in range(NUM_SUITS):
        leader, rank = first_defence_lead(tricks, suit)
        opener = (others == leader) & (leader >= 0)
        honour[suit] = opener & ((rank <= LAST_LOW) | (rank == KNIGHT) | (rank == QUEEN))
        nothing[suit] = opener & ~honour[suit] & (rank != KING)
        wants_trumps |= opener & (rank == KING)
        two = first_two(tricks, suit)
        low = _low(two)
        descending, ascending = (
            _of(each & low, others) for each in (two.descending, two.ascending)
        )
        attacks_suit = opened_by_attack(tricks, suit)
        ruffs[suit], stop[suit] = descending & ~attacks_suit, ascending & ~attacks_suit
        wants_trumps |= descending & attacks_suit
    leader, rank = first_defence_lead(tricks, TRUMP)
    wants_trumps |= (others == leader) & (rank % 2 == 1) & (rank > 1)
    ruffs &= ~_of(turn.void[..., TRUMP].T, others)
    return Heard(
        honour.swapaxes(0, 1),
        nothing.swapaxes(0, 1),
        ruffs.swapaxes(0, 1),
        stop.swapaxes(0, 1),
        wants_trumps,
        _has_petit(turn, tricks, others),
    )


def _low(two: FirstTwo) -> Bool[np.ndarray, "a n"]:
    return np.maximum(two.first, two.second) <= LAST_PIP


def _of(
    by_place: Bool[np.ndarray, "a n"], others: Int8[np.ndarray, "h n"]
) -> Bool[np.ndarray, "h n"]:
    """What is told of each place, of the other hands."""
    return np.take_along_axis(by_place, others.astype(np.intp), axis=0)


def _has_petit(
    turn: Turn, tricks: Tricks, others: Int8[np.ndarray, "h n"]
) -> Bool[np.ndarray, "h n"]:
    """Who has asked for no more trumps: the Excuse at once, or descending where it had a choice."""
    two = first_two(tricks, TRUMP)
    had_choice = (two.second > two.beat) | (two.first < two.beat)
    descends = two.descending & had_choice & (two.first <= LAST_QUIET_TRUMP)
    giver = excuse_on_first_trumps(tricks)
    said = _of(descends, others) | ((others == giver) & (giver >= 0))
    is_out = cardsets.contains(turn.unseen, np.full(len(turn), PETIT))
    return said & is_out
