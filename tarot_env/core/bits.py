"""Sets of cards as two ints: the suits, and the rest. What row functions do with them.

    suits   bit 14*s + r - 1     suit s = 0..3 (spades, hearts, diamonds, clubs), rank r = 1..14
    rest    bits 0..20           trumps 1..21
            bit 21               the Excuse
            bits 22..38          the actions that are no card, 78..94

the words of `cardsets`, which does the same with whole arrays. An action of the rest is the bit
`1 << (action - FIRST_TRUMP)`. Words are signed, as numba's whole numbers are; no bit above 55 is
ever set.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from tarot_env.cards import FIRST_TRUMP, HALF_POINTS, KING, NUM_SUITS, NUM_TRUMPS, SUIT_SIZE
from tarot_env.core.compiling import kernel

ONE_SUIT = (1 << SUIT_SIZE) - 1
ALL_SUITS = (1 << NUM_SUITS * SUIT_SIZE) - 1
TRUMPS = (1 << NUM_TRUMPS) - 1
PETIT, TWENTY_ONE, EXCUSE = 1, 1 << 20, 1 << 21
OUDLERS = PETIT | TWENTY_ONE | EXCUSE
TRUMPS_AND_EXCUSE = TRUMPS | EXCUSE


def _of_rank(rank: int) -> int:
    return sum(1 << (SUIT_SIZE * suit + rank - 1) for suit in range(NUM_SUITS))


KINGS, QUEENS, KNIGHTS, JACKS = (_of_rank(rank) for rank in range(KING, KING - 4, -1))
COURT = KINGS | QUEENS | KNIGHTS | JACKS
PLAIN = ALL_SUITS & ~KINGS
"""Suit cards other than kings: what an écart is made of while any is held."""
OUDLER_WORTH = int(HALF_POINTS[FIRST_TRUMP])
"""Half points of an oudler."""


def _bit_function(make: Any) -> Any:
    @intrinsic
    def function(typing_context: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return make(builder, arguments[0])

        return types.int64(types.int64), generate

    return function


_NO_UNDEFINED_ZERO = ir.Constant(ir.IntType(1), 0)
_ctpop = _bit_function(lambda builder, word: builder.ctpop(word))
_cttz = _bit_function(lambda builder, word: builder.cttz(word, _NO_UNDEFINED_ZERO))
_ctlz = _bit_function(lambda builder, word: builder.ctlz(word, _NO_UNDEFINED_ZERO))


def popcount(word: int) -> int:
    """How many bits are set."""
    return int(word).bit_count()


def lowest(word: int) -> int:
    """Place of the lowest bit of a word that is not 0."""
    return (int(word) & -int(word)).bit_length() - 1


def length(word: int) -> int:
    """One more than the place of the highest bit; 0 for an empty word."""
    return int(word).bit_length()


@overload(popcount)
def _popcount(word):  # type: ignore[no-untyped-def]  # numba compares signatures
    return lambda word: _ctpop(word)


@overload(lowest)
def _lowest(word):  # type: ignore[no-untyped-def]  # numba compares signatures
    return lambda word: _cttz(word)


@overload(length)
def _length(word):  # type: ignore[no-untyped-def]  # numba compares signatures
    return lambda word: 64 - _ctlz(word)


@kernel
def suit_of(suits: int, suit: int) -> int:
    """The cards of one suit, shifted to the low end."""
    return suits >> (SUIT_SIZE * suit) & ONE_SUIT


@kernel
def suit_bits(suit: int) -> int:
    """All cards of a suit."""
    return ONE_SUIT << (SUIT_SIZE * suit)


@kernel
def bit_of(action: int) -> tuple[int, int]:
    """The set that holds one id; the empty one for -1."""
    if action < 0:
        return 0, 0
    if action < FIRST_TRUMP:
        return 1 << action, 0
    return 0, 1 << (action - FIRST_TRUMP)


@kernel
def contains(suits: int, rest: int, action: int) -> bool:
    """Whether a set holds an id, which is not -1."""
    if action < FIRST_TRUMP:
        return (suits >> action & 1) != 0
    return (rest >> (action - FIRST_TRUMP) & 1) != 0


@kernel
def half_points(suits: int, rest: int) -> int:
    """What some cards count: 1 each, 2 more for each court rank, 8 more for an oudler."""
    worth = popcount(suits) + popcount(rest) + (OUDLER_WORTH - 1) * popcount(rest & OUDLERS)
    worth += 2 * popcount(suits & COURT) + 2 * popcount(suits & (COURT & ~JACKS))
    return worth + 2 * popcount(suits & (KINGS | QUEENS)) + 2 * popcount(suits & KINGS)


@kernel
def kth(suits: int, rest: int, k: int) -> int:
    """Id of the k-th lowest member, from 0."""
    below = popcount(suits)
    word, first = suits, 0
    if k >= below:
        word, first, k = rest, FIRST_TRUMP, k - below
    for _ in range(k):
        word &= word - 1
    return first + lowest(word)


def as_words(cards: Any) -> np.ndarray:
    """Stored sets, int64 [..., 2], as the unsigned words of `cardsets`; the same memory."""
    return np.asarray(cards).view(np.uint64)
