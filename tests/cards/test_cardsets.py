"""Sets of cards as two words, against Python sets; dtypes of every function."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from tarot_env.cards import HALF_POINTS, KIND, cardsets

NUM_SETS = 400


def drawn_sets(size: int = 95) -> list[set[int]]:
    rng = np.random.default_rng(3)
    sets = [set(), set(range(size)), set(range(56)), set(range(56, size)), {0}, {55}, {56}]
    sets += [{action} for action in range(size)]
    while len(sets) < NUM_SETS:
        sets.append(set(rng.choice(size, rng.integers(0, 40), replace=False).tolist()))
    return sets


SETS = drawn_sets()
WORDS = np.stack([cardsets.from_ids(members) for members in SETS])
CARD_SETS = [{member for member in members if member < 78} for members in SETS]
CARD_WORDS = np.stack([cardsets.from_ids(members) for members in CARD_SETS])
FULL = np.array([bool(members) for members in SETS])


def same(words: np.ndarray, expected: list[set[int]]) -> None:
    assert words.dtype == np.uint64
    assert [set(cardsets.to_ids(row)) for row in words] == expected


def test_constants() -> None:
    ids = {name: set(cardsets.to_ids(getattr(cardsets, name))) for name in SINGLE_SETS}
    assert ids == SINGLE_SETS
    for suit in range(4):
        assert cardsets.to_ids(cardsets.SUIT[suit]) == list(range(14 * suit, 14 * suit + 14))
    assert cardsets.to_ids(cardsets.SUIT[4]) == list(range(56, 77))
    assert cardsets.to_ids(cardsets.SUIT[5]) == []
    for number in range(22):
        assert cardsets.to_ids(cardsets.ABOVE[number]) == list(range(56 + number, 77))
    assert cardsets.to_ids(cardsets.BIT[-1]) == []
    assert [cardsets.to_ids(bit) for bit in cardsets.BIT[:95]] == [[i] for i in range(95)]
    for name in (*SINGLE_SETS, "SUIT", "ABOVE", "BIT"):
        assert getattr(cardsets, name).dtype == np.uint64, name


SINGLE_SETS = {
    "EMPTY": set(),
    "TRUMPS": set(range(56, 77)),
    "EXCUSE": {77},
    "PETIT": {56},
    "OUDLERS": {56, 76, 77},
    "KINGS": {13, 27, 41, 55},
    "ALL_CARDS": set(range(78)),
    "PLAIN": set(range(56)) - {13, 27, 41, 55},
}


def test_layout_of_the_words() -> None:
    """Suits in word 0, trumps, Excuse and the other actions in word 1."""
    assert cardsets.from_ids([0, 55]).tolist() == [1 | 1 << 55, 0]
    assert cardsets.from_ids([56, 77, 78, 94]).tolist() == [0, 1 | 1 << 21 | 1 << 22 | 1 << 38]


def test_algebra() -> None:
    for a, b, sa, sb in zip(WORDS, WORDS[::-1], SETS, SETS[::-1], strict=True):
        assert set(cardsets.to_ids(a & b)) == sa & sb
        assert set(cardsets.to_ids(a | b)) == sa | sb
        assert set(cardsets.to_ids(a & ~b)) == sa - sb


def test_first_nonempty() -> None:
    even, odd = WORDS & cardsets.TRUMPS, WORDS & cardsets.SUIT[1]
    expected = [
        members & set(range(56, 77)) or members & set(range(14, 28)) or members for members in SETS
    ]
    same(cardsets.first_nonempty(even, odd, WORDS), expected)
    same(
        cardsets.first_nonempty(even, odd),
        [members & set(range(56, 77)) or members & set(range(14, 28)) for members in SETS],
    )


def check(result: np.ndarray, dtype: Any, expected: Sequence[object]) -> None:
    assert result.dtype == dtype
    assert result.tolist() == expected


def test_counting() -> None:
    check(cardsets.is_empty(WORDS), np.bool_, [not members for members in SETS])
    check(cardsets.count(WORDS), np.int16, [len(members) for members in SETS])
    check(
        cardsets.half_points(CARD_WORDS),
        np.int16,
        [int(HALF_POINTS[list(members)].sum()) for members in CARD_SETS],
    )
    assert (cardsets.count(WORDS) - 100 < 0).all()


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int64, np.uint8])
def test_contains(dtype: Any) -> None:
    asked = (np.arange(NUM_SETS) % 95).astype(dtype)
    expected = [int(i) in members for i, members in zip(asked, SETS, strict=True)]
    check(cardsets.contains(WORDS, asked), np.bool_, expected)
    assert not cardsets.contains(WORDS, np.full(NUM_SETS, -1)).any()


@pytest.mark.parametrize("dtype", [np.int16, np.int64])
def test_kth(dtype: Any) -> None:
    for share in (0.0, 0.3, 0.5, 0.8, 0.999):
        k = (cardsets.count(WORDS[FULL]) * share).astype(dtype)
        full = [sorted(members) for members in SETS if members]
        expected = [members[i] for i, members in zip(k.tolist(), full, strict=True)]
        check(cardsets.kth(WORDS[FULL], k), np.int16, expected)


def test_extremes() -> None:
    check(cardsets.lowest(WORDS), np.int16, [min(members, default=-1) for members in SETS])
    check(cardsets.highest(WORDS), np.int16, [max(members, default=-1) for members in SETS])
    trumps = [max((i - 55 for i in members if 56 <= i < 77), default=0) for members in SETS]
    check(cardsets.highest_trump(WORDS), np.int8, trumps)


def test_masks() -> None:
    mask = cardsets.to_mask(WORDS)
    assert mask.dtype == np.bool_
    assert mask.shape == (NUM_SETS, 95)
    assert [set(np.flatnonzero(row).tolist()) for row in mask] == SETS
    back = cardsets.from_mask(mask)
    assert back.dtype == np.uint64
    assert (back == WORDS).all()
    bits = cardsets.to_bits(WORDS)
    assert bits.dtype == np.uint8
    assert bits.shape == (NUM_SETS, 78)
    assert (bits.view(bool) == mask[:, :78]).all()
    assert (cardsets.from_mask(mask[:, :78]) == CARD_WORDS).all()


def test_more_axes() -> None:
    """Functions over rows of seats, and on slices that do not lie side by side."""
    block = WORDS.reshape(100, 4, 2)
    assert (cardsets.count(block) == cardsets.count(WORDS).reshape(100, 4)).all()
    assert (cardsets.to_mask(block) == cardsets.to_mask(WORDS).reshape(100, 4, 95)).all()
    assert (cardsets.to_mask(block[:, 1]) == cardsets.to_mask(WORDS)[1::4]).all()
    assert (cardsets.from_mask(cardsets.to_mask(block)) == block).all()
    assert (cardsets.lowest(block) == cardsets.lowest(WORDS).reshape(100, 4)).all()
    assert (cardsets.half_points(block[:, ::2])[:, 1] == cardsets.half_points(block[:, 2])).all()


def test_random_member() -> None:
    drawn = cardsets.random_member(WORDS, np.random.default_rng(5))
    assert drawn.dtype == np.int64
    for action, members in zip(drawn.tolist(), SETS, strict=True):
        assert action in (members or {-1})
    again = cardsets.random_member(WORDS, np.random.default_rng(5))
    assert (drawn == again).all()


def test_random_member_is_uniform() -> None:
    members = [3, 20, 55, 56, 77, 94]
    words = np.tile(cardsets.from_ids(members), (60_000, 1))
    drawn = cardsets.random_member(words, np.random.default_rng(6))
    counts = np.bincount(drawn, minlength=95)
    assert set(np.flatnonzero(counts).tolist()) == set(members)
    expected = 10_000
    assert (abs(counts[members] - expected) < 5 * np.sqrt(expected)).all()


def test_random_member_draws_one_number_per_row() -> None:
    """So that what one row holds does not change what the next rows draw."""
    one, two = np.random.default_rng(7), np.random.default_rng(7)
    changed = WORDS.copy()
    changed[0] = cardsets.from_ids([1, 2, 3])
    a, b = cardsets.random_member(WORDS, one), cardsets.random_member(changed, two)
    assert (a[1:] == b[1:]).all()
    assert one.random() == two.random()


def test_permute_suits() -> None:
    rng = np.random.default_rng(8)
    permutation = rng.permuted(np.tile(np.arange(4), (NUM_SETS, 1)), axis=1)
    expected = []
    for members, names in zip(SETS, permutation.tolist(), strict=True):
        renamed = {14 * names[i // 14] + i % 14 for i in members if i < 56}
        expected.append(renamed | {i for i in members if i >= 56})
    before = WORDS.copy()
    same(cardsets.permute_suits(WORDS, permutation), expected)
    assert (before == WORDS).all()
    block = WORDS.reshape(100, 4, 2)
    permuted = cardsets.permute_suits(block, permutation[:100])
    assert permuted.dtype == np.uint64
    for seat in range(4):
        alone = cardsets.permute_suits(block[:, seat], permutation[:100])
        assert (permuted[:, seat] == alone).all()


def test_empty_batches() -> None:
    none = np.zeros((0, 2), np.uint64)
    ids = np.zeros(0, np.int64)
    for result in (
        cardsets.count(none),
        cardsets.contains(none, ids),
        cardsets.kth(none, ids),
        cardsets.lowest(none),
        cardsets.highest(none),
        cardsets.to_mask(none),
        cardsets.random_member(none, np.random.default_rng(1)),
    ):
        assert len(result) == 0


def test_one_or_the_other() -> None:
    flags = np.arange(NUM_SETS) % 3 == 0
    none: set[int] = set()
    chosen = [a if flag else b for flag, a, b in zip(flags, SETS, SETS[::-1], strict=True)]
    same(cardsets.where(flags, WORDS, WORDS[::-1]), chosen)
    kept = [members if flag else none for flag, members in zip(flags, SETS, strict=True)]
    same(cardsets.where(flags, WORDS), kept)
    same(cardsets.where(flags, cardsets.PETIT), [{56} if flag else none for flag in flags])
    assert cardsets.where(flags[:0], WORDS[:0]).shape == (0, 2)


def test_sets_are_taken_from_a_row_and_put_back() -> None:
    at = np.array([5, 3, 5])
    same(cardsets.take(WORDS, at), [SETS[5], SETS[3], SETS[5]])
    assert cardsets.take(WORDS, at.reshape(3, 1)).shape == (3, 1, 2)
    row = WORDS.copy()
    cardsets.put(row, at[:2], WORDS[[8, 9]])
    same(row[[5, 3, 4]], [SETS[8], SETS[9], SETS[4]])


def test_cards_move_from_one_set_to_another() -> None:
    source, target = np.stack([cardsets.ALL_CARDS] * 78), np.zeros((78, 2), np.uint64)
    cards = np.random.default_rng(1).permutation(78)
    cardsets.move(source, target, np.arange(78), cards)
    same(source, [set(range(78)) - {int(card)} for card in cards])
    same(target, [{int(card)} for card in cards])
    cardsets.move(source, target, np.array([4, 7]), cards[[5, 8]])
    assert set(cardsets.to_ids(target[4])) == {int(cards[4]), int(cards[5])}


def test_sets_of_rows_of_ids() -> None:
    ids = np.random.default_rng(2).permuted(np.tile(np.arange(78), (60, 1)), axis=1)[:, :20]
    same(cardsets.of_ids(ids.astype(np.uint8)), [set(row.tolist()) for row in ids])
    halves = cardsets.of_ids(ids.reshape(60, 2, 10))
    same(halves[:, 1], [set(row[10:].tolist()) for row in ids])


def test_cards_above_a_rank_and_below_others() -> None:
    suits, ranks = (a.ravel() for a in np.indices((4, 15), np.int8))
    above = [set(range(14 * s + r, 14 * s + 14)) for s, r in zip(suits, ranks, strict=True)]
    same(cardsets.above_rank(suits, ranks), [{int(c) for c in cards} for cards in above])

    def below(members: set[int]) -> set[int]:
        tops = {kind: max((c for c in members if KIND[c] == kind), default=-1) for kind in range(5)}
        return {card for card in range(77) if card < tops[int(KIND[card])]}

    same(cardsets.lower(CARD_WORDS), [below(members) for members in CARD_SETS])


def test_bits_are_written_into_columns() -> None:
    sets = CARD_WORDS.reshape(-1, 2, 2)
    buffer = np.full((len(sets), 200), 7, np.uint8)
    columns = buffer[:, 10:166].reshape(-1, 2, 78)
    cardsets.write_bits(sets, columns)
    assert (columns == cardsets.to_bits(sets)).all()
    trumps = buffer[:, 10:54].reshape(-1, 2, 22)
    cardsets.write_trump_bits(sets, trumps)
    assert (trumps == cardsets.to_bits(sets)[..., 56:]).all()
    assert (buffer[:, :10] == 7).all()
    assert (buffer[:, 166:] == 7).all()


def test_every_function_is_tested() -> None:
    source = inspect.getsource(inspect.getmodule(same))  # type: ignore[arg-type]
    functions: list[Callable[..., object]] = [
        f for _name, f in inspect.getmembers(cardsets, inspect.isfunction)
    ]
    names = [f.__name__ for f in functions if f.__module__ == "tarot_env.cards.cardsets"]
    public = [name for name in names if not name.startswith("_")]
    assert len(public) >= 15
    assert [name for name in public if f"cardsets.{name}(" not in source] == []
