"""Sets of cards as two 64-bit words: algebra, counting, the k-th card, masks.

The one place that shifts bits. A set is `uint64 [..., 2]`:

    word 0   bit 14*s + r - 1     suit s = 0..3 (spades, hearts, diamonds, clubs), rank r = 1..14
    word 1   bits 0..20           trumps 1..21
             bit 21               the Excuse
             bits 22..38          the actions that are no card, 78..94 (see `actions`)

so a set of cards and a set of actions are the same thing, and `a & b`, `a | b`, `a & ~b` are set
algebra on both. numpy's integer promotion is treacherous here (`uint64 - int64` is float64,
`bitwise_count` is uint8), hence typed constants and counts as int16.
"""

from collections.abc import Iterable

import numpy as np
from jaxtyping import Bool, Complex128, Int, Int8, Int16, Integer, UInt8, UInt64

from tarot_env.cards.pack import EXCUSE as EXCUSE_ID
from tarot_env.cards.pack import (
    FIRST_TRUMP,
    HALF_POINTS,
    JACK,
    KING,
    KNIGHT,
    NUM_CARDS,
    NUM_SUITS,
    NUM_TRUMPS,
    QUEEN,
    SUIT_SIZE,
    TRUMP_21,
)
from tarot_env.cards.pack import PETIT as PETIT_ID

NUM_ACTIONS = 95
_WORD_BITS = 64
_SUIT_BITS = NUM_SUITS * SUIT_SIZE
_U1 = np.uint64(1)


def _bit_table() -> UInt64[np.ndarray, "a 2"]:
    table = np.zeros((NUM_ACTIONS + 1, 2), np.uint64)
    for action in range(NUM_ACTIONS):
        word, bit = divmod(action, FIRST_TRUMP)
        table[action, word] = _U1 << np.uint64(bit)
    return table


BIT = _bit_table()
"""uint64 [96, 2]: the set that holds one action; the last row, index -1, is the empty set."""
_BIT_OF = np.append(np.arange(NUM_ACTIONS, dtype=np.uint64) % np.uint64(FIRST_TRUMP), _U1 * 63)
"""uint64 [96]: where in its word an id stands; for -1 a place that no id has."""


def from_ids(ids: Iterable[int]) -> UInt64[np.ndarray, "2"]:
    """The set of the given card or action ids."""
    result = np.zeros(2, np.uint64)
    for action in ids:
        result |= BIT[action]
    return result


def of_ids(ids: Integer[np.ndarray, "*n m"]) -> UInt64[np.ndarray, "*n 2"]:
    """The sets that hold the m ids of each row."""
    ids = ids.astype(np.intp)
    sets = np.empty((*ids.shape[:-1], 2), np.uint64)
    for word in range(2):
        np.bitwise_or.reduce(BIT[:, word].take(ids), axis=-1, out=sets[..., word])
    return sets


def to_ids(cards: UInt64[np.ndarray, "2"]) -> list[int]:
    """Ids in a single set, ascending."""
    return [int(i) for i in np.flatnonzero(to_mask(cards))]


EMPTY = np.zeros(2, np.uint64)
SUIT = np.stack(
    [from_ids(range(SUIT_SIZE * s, SUIT_SIZE * (s + 1))) for s in range(NUM_SUITS)]
    + [from_ids(range(FIRST_TRUMP, FIRST_TRUMP + NUM_TRUMPS)), EMPTY]
)
"""uint64 [6, 2]: cards that follow each kind led: four suits, trumps, and none for `ANY`."""
TRUMPS = SUIT[NUM_SUITS]
EXCUSE = from_ids([EXCUSE_ID])
PETIT = from_ids([PETIT_ID])
OUDLERS = from_ids([PETIT_ID, TRUMP_21, EXCUSE_ID])
KINGS, QUEENS, KNIGHTS, JACKS = (
    from_ids(SUIT_SIZE * s + rank - 1 for s in range(NUM_SUITS))
    for rank in (KING, QUEEN, KNIGHT, JACK)
)
COURT = KINGS | QUEENS | KNIGHTS | JACKS
ALL_CARDS = from_ids(range(NUM_CARDS))
PLAIN = ALL_CARDS & ~TRUMPS & ~EXCUSE & ~KINGS
"""Suit cards other than kings: what an écart is made of while any is held (RULES.md 6.2)."""
ABOVE = np.stack(
    [from_ids(range(FIRST_TRUMP + number, FIRST_TRUMP + NUM_TRUMPS)) for number in range(22)]
)
"""uint64 [22, 2]: trumps higher than a number, all of them for 0."""

_ABOVE_RANK = np.stack(
    [
        from_ids(range(SUIT_SIZE * suit + rank, SUIT_SIZE * (suit + 1)))
        for suit in range(NUM_SUITS)
        for rank in range(SUIT_SIZE + 1)
    ]
)


def above_rank(
    suit: Integer[np.ndarray, "*n"], rank: Integer[np.ndarray, "*n"]
) -> UInt64[np.ndarray, "*n 2"]:
    """The cards of a suit (0..3) above a rank (0..14)."""
    return _ABOVE_RANK.take(suit * np.int8(SUIT_SIZE + 1) + rank, axis=0)


_WORTH = np.stack(
    [from_ids(i for i in range(NUM_CARDS) if HALF_POINTS[i] >= least) for least in (3, 5, 7, 9)]
)


def where(
    flags: Bool[np.ndarray, "*n"],
    yes: UInt64[np.ndarray, "*#n 2"],
    no: UInt64[np.ndarray, "*#n 2"] = EMPTY,
) -> UInt64[np.ndarray, "*n 2"]:
    """One set or the other, set by set."""
    return np.where(flags[..., None], _items(yes), _items(no)).view(np.uint64)


def take(
    cards: UInt64[np.ndarray, "m 2"], at: Integer[np.ndarray, "*n"]
) -> UInt64[np.ndarray, "*n 2"]:
    """The sets at the given places of a row of them."""
    return cards.take(at, axis=0)


def put(
    cards: UInt64[np.ndarray, "m 2"],
    at: Integer[np.ndarray, " n"],
    values: UInt64[np.ndarray, "n 2"],
) -> None:
    """Puts sets at the given places of a row of them."""
    cards.view(np.complex128)[:, 0][at] = _items(values)[:, 0]


def move(
    source: UInt64[np.ndarray, "m 2"],
    target: UInt64[np.ndarray, "m 2"],
    at: Int[np.ndarray, " n"],
    ids: Integer[np.ndarray, " n"],
) -> None:
    """Takes a card out of each of the sets at the given places, into those of another row.

    Args:
        source: a row of sets, in one piece of memory like `target`.
        target: another one.
        at: places, none of them twice.
        ids: a card that stands in the set at each place.
    """
    word = 2 * at + (ids >= FIRST_TRUMP)
    bit = _U1 << _BIT_OF.take(ids)
    source.reshape(-1, copy=False)[word] ^= bit
    target.reshape(-1, copy=False)[word] |= bit


def _items(cards: UInt64[np.ndarray, "*n 2"]) -> Complex128[np.ndarray, "*n 1"]:
    """Each set as one item of 16 bytes, which numpy moves much faster than two of 8."""
    return np.ascontiguousarray(cards).view(np.complex128)


def first_nonempty(*sets: UInt64[np.ndarray, "*n 2"]) -> UInt64[np.ndarray, "*n 2"]:
    """The first set of each row that is not empty; the last one if all are."""
    result = _items(sets[-1])
    for candidate in sets[-2::-1]:
        result = np.where(is_empty(candidate)[..., None], result, _items(candidate))
    return result.view(np.uint64)


def is_empty(cards: UInt64[np.ndarray, "*n 2"]) -> Bool[np.ndarray, "*n"]:
    """Whether each set is empty."""
    return (cards[..., 0] | cards[..., 1]) == 0


def count(cards: UInt64[np.ndarray, "*n 2"]) -> Int16[np.ndarray, "*n"]:
    """Number of members of each set."""
    bits = np.bitwise_count(cards)
    return np.add(bits[..., 0], bits[..., 1], dtype=np.int16)


def contains(
    cards: UInt64[np.ndarray, "*#n 2"], ids: Integer[np.ndarray, "*#n"]
) -> Bool[np.ndarray, "*n"]:
    """Whether each set holds the given id (-1 is in no set)."""
    word = np.where(ids >= FIRST_TRUMP, cards[..., 1], cards[..., 0])
    return (word >> _BIT_OF.take(ids) & _U1).astype(bool)


def half_points(cards: UInt64[np.ndarray, "*n 2"]) -> Int16[np.ndarray, "*n"]:
    """What the cards of each set count, in half points: 1 each, and 2 more per court rank."""
    return count(cards) + np.int16(2) * count(cards[..., None, :] & _WORTH).sum(-1, dtype=np.int16)


def _select(
    word: UInt64[np.ndarray, " n"], k: Integer[np.ndarray, " n"]
) -> Int16[np.ndarray, " n"]:
    """Position of the k-th set bit of each word, counted from the low end.

    Bits are counted in all eight bytes of a word at once; the byte that holds the k-th is looked
    up in a table.
    """
    k = k.astype(np.uint64)
    word = np.ascontiguousarray(word)
    up_to = np.bitwise_count(word.view(np.uint8)).view(np.uint64) * _BYTES  # byte by byte
    passed = (up_to.view(np.uint8) <= (k * _BYTES).view(np.uint8)).view(np.uint64)
    shift = (passed * _BYTES >> np.uint64(56)) << np.uint64(3)
    before = (up_to << np.uint64(8)) >> shift & _BYTE
    found = _NTH_OF_BYTE.take((word >> shift & _BYTE) * np.uint64(8) + (k - before))
    return found + shift.astype(np.int16)


_BYTE, _BYTES = np.uint64(0xFF), np.uint64(0x0101010101010101)


def _nth_of_byte() -> Int16[np.ndarray, "2048"]:
    table = np.zeros((256, 8), np.int16)
    for byte in range(256):
        members = [bit for bit in range(8) if byte >> bit & 1]
        table[byte, : len(members)] = members
    return table.ravel()


_NTH_OF_BYTE = _nth_of_byte()
"""int16 [2048]: for each byte, which are its first, second, ... eighth set bits."""


def kth(cards: UInt64[np.ndarray, "n 2"], k: Integer[np.ndarray, " n"]) -> Int16[np.ndarray, " n"]:
    """Id of the k-th lowest member of each set.

    Args:
        cards: sets with more than `k` members.
        k: 0 for the lowest id.
    """
    in_low = np.bitwise_count(cards[..., 0]).astype(np.int16)
    high = k >= in_low
    word = np.where(high, cards[..., 1], cards[..., 0])
    return _select(word, k - in_low * high) + high * np.int16(FIRST_TRUMP)


def lowest(cards: UInt64[np.ndarray, "*n 2"]) -> Int16[np.ndarray, "*n"]:
    """Lowest id of each set, -1 for an empty one."""
    suits, rest = cards[..., 0], cards[..., 1]
    word = np.where(suits == 0, rest, suits)
    below = np.bitwise_count(~word & (word - _U1)).astype(np.int16)
    below += np.where(suits == 0, FIRST_TRUMP, 0).astype(np.int16)
    return np.where(word == 0, np.int16(-1), below)


def highest(cards: UInt64[np.ndarray, "*n 2"]) -> Int16[np.ndarray, "*n"]:
    """Highest id of each set, -1 for an empty one."""
    suits, rest = cards[..., 0], cards[..., 1]
    word = np.where(rest == 0, suits, rest)
    for shift in (1, 2, 4, 8, 16, 32):
        word = word | (word >> np.uint64(shift))
    top = np.bitwise_count(word).astype(np.int16) - np.int16(1)
    return top + np.where(rest == 0, 0, FIRST_TRUMP).astype(np.int16)


def highest_trump(cards: UInt64[np.ndarray, "*n 2"]) -> Int8[np.ndarray, "*n"]:
    """Number 1..21 of the highest trump in each set, 0 where there is none."""
    _, exponent = np.frexp((cards[..., 1] & TRUMPS[1]).astype(np.float64))
    return exponent.astype(np.int8)


def lower(cards: UInt64[np.ndarray, "n 2"]) -> UInt64[np.ndarray, "n 2"]:
    """All cards of which a set holds a higher one of the same suit, or a higher trump."""
    fallen = cards.T.copy() & _RANKED
    for shift, stays in _FALLS:
        fallen |= (fallen >> shift) & stays
    shift, stays = _FALLS[0]
    return ((fallen >> shift) & stays).T.copy()


def _fall(ranks: int) -> tuple[np.uint64, UInt64[np.ndarray, "2 1"]]:
    """A number of ranks, and what a fall by them reaches within a suit or the trumps."""
    by = np.uint64(ranks)
    return by, np.bitwise_or.reduce(SUIT & (SUIT >> by))[:, None]


_RANKED = np.bitwise_or.reduce(SUIT)[:, None]
"""uint64 [2, 1]: all cards but the Excuse."""
_FALLS = [_fall(ranks) for ranks in (1, 2, 4, 8, 16)]


def _unpack(cards: UInt64[np.ndarray, "*n 2"]) -> UInt8[np.ndarray, "*n 128"]:
    octets = np.ascontiguousarray(cards).astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(octets.ravel(), bitorder="little").reshape(*cards.shape[:-1], 128)


def to_bits(cards: UInt64[np.ndarray, "*n 2"]) -> UInt8[np.ndarray, "*n 78"]:
    """One 0 or 1 for each card."""
    bits = np.empty((*cards.shape[:-1], NUM_CARDS), np.uint8)
    write_bits(cards, bits)
    return bits


def write_bits(cards: UInt64[np.ndarray, "*n 2"], out: UInt8[np.ndarray, "*n 78"]) -> None:
    """Writes one 0 or 1 for each card into given columns."""
    unpacked = _unpack(cards)
    out[..., :_SUIT_BITS] = unpacked[..., :_SUIT_BITS]
    out[..., _SUIT_BITS:] = unpacked[..., _WORD_BITS : _WORD_BITS + NUM_CARDS - _SUIT_BITS]


def write_trump_bits(cards: UInt64[np.ndarray, "*n 2"], out: UInt8[np.ndarray, "*n 22"]) -> None:
    """Writes one 0 or 1 for each trump and the Excuse; quick where most sets are empty."""
    out[...] = 0
    some = (cards[..., 1] & _TRUMP_BITS).nonzero()
    if len(some[0]):
        out[some] = _unpack(cards[some])[:, _WORD_BITS : _WORD_BITS + NUM_TRUMPS + 1]


_TRUMP_BITS = TRUMPS[1] | EXCUSE[1]


def to_mask(cards: UInt64[np.ndarray, "*n 2"]) -> Bool[np.ndarray, "*n 95"]:
    """One boolean per action id."""
    octets = np.empty(cards.shape, "<u8")
    octets[..., 0] = cards[..., 0] | (cards[..., 1] << np.uint64(_SUIT_BITS))
    octets[..., 1] = cards[..., 1] >> np.uint64(_WORD_BITS - _SUIT_BITS)
    bits = np.unpackbits(octets.reshape(-1).view(np.uint8), bitorder="little").view(bool)
    return bits.reshape(*cards.shape[:-1], 2 * _WORD_BITS)[..., :NUM_ACTIONS]


def from_mask(mask: Bool[np.ndarray, "*n a"]) -> UInt64[np.ndarray, "*n 2"]:
    """The sets whose members are the true columns; 78 columns for cards, 95 for actions."""
    padded = np.zeros((*mask.shape[:-1], 2 * _WORD_BITS), bool)
    padded[..., :_SUIT_BITS] = mask[..., :_SUIT_BITS]
    rest = mask[..., _SUIT_BITS:]
    padded[..., _WORD_BITS : _WORD_BITS + rest.shape[-1]] = rest
    octets = np.packbits(padded, axis=-1, bitorder="little")
    return octets.view("<u8").astype(np.uint64)


def random_member(
    cards: UInt64[np.ndarray, "n 2"], rng: np.random.Generator
) -> Int[np.ndarray, " n"]:
    """A uniform member of each set, -1 for an empty one; draws one number per row."""
    sizes = count(cards)
    members = kth(cards, (rng.random(len(cards)) * sizes).astype(np.int16)).astype(np.int64)
    members[sizes == 0] = -1
    return members


def permute_suits(
    cards: UInt64[np.ndarray, "n *m 2"], permutation: Integer[np.ndarray, "n 4"]
) -> UInt64[np.ndarray, "n *m 2"]:
    """The same sets with suit s renamed to `permutation[:, s]`; trumps and actions stay.

    Args:
        cards: sets, any number of them in each row.
        permutation: the new name of each suit, a permutation of 0..3 per row.
    """
    suit_mask = np.uint64((1 << SUIT_SIZE) - 1)
    shifts = permutation.astype(np.uint64) * np.uint64(SUIT_SIZE)
    shifts = shifts.reshape(len(cards), *(1,) * (cards.ndim - 2), NUM_SUITS)
    result = cards.copy()
    result[..., 0] = 0
    for suit in range(NUM_SUITS):
        part = (cards[..., 0] >> np.uint64(SUIT_SIZE * suit)) & suit_mask
        result[..., 0] |= part << shifts[..., suit]
    return result
