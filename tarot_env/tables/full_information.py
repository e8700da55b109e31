"""All cards of a table, for critics in training and for `state()`; never for an actor."""

from typing import Any

import numpy as np
from jaxtyping import Int8, Integer, UInt64

from tarot_env.cards import FIRST_TRUMP
from tarot_env.core.bits import as_words
from tarot_env.core.compiling import as_compiled, kernel, loop
from tarot_env.core.dealing import NUM_PILES, STOCK_START
from tarot_env.core.state import (
    _I1,
    _I4,
    MOST_HANDS,
    actor,
    chien,
    ecart_of,
    pack_set,
    take_records,
)
from tarot_env.phases.two_player import upper_place
from tarot_env.rules import Rules
from tarot_env.tables.turn import from_viewer, permuted_suits

_OPEN_HANDS = 3

FULL: Any = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("hands", "i8", (MOST_HANDS, 2)),
                ("ecart", "i8", (MOST_HANDS, 2)),
                ("covered", "i8", (_OPEN_HANDS, 2)),
                ("chien", "i8", 2),
                ("withheld", _I4, MOST_HANDS),
                ("poignee_declared", _I1, MOST_HANDS),
                ("partner", _I1),
                ("phase", _I1),
            ],
            align=True,
        ),
    )
)
"""All cards, hands and seats counted from a viewer; `FullInformation` says what the fields mean."""


@kernel
def reveal(t: Any, rules: Any, viewer: int, full: Any) -> None:
    """Writes all cards of a table as a viewer counts seats."""
    for place in range(rules.hands):
        hand = rules.by_place[viewer, place]
        full.hands[place, 0], full.hands[place, 1] = t.hands[hand, 0], t.hands[hand, 1]
    declares = actor(t, rules)
    for place in range(rules.players):
        seat = rules.by_place[viewer, place]
        full.ecart[place, 0] = full.ecart[place, 1] = 0
        if seat == t.taker or (rules.in_partnerships and seat == t.partner):
            own = ecart_of(t, seat)
            full.ecart[place, 0], full.ecart[place, 1] = t.ecart[own, 0], t.ecart[own, 1]
        full.withheld[place] = t.withheld[seat]
        full.poignee_declared[place] = t.poignee_declared if seat == declares else 0
    full.chien[0], full.chien[1] = chien(t, rules)
    full.partner = from_viewer(rules, viewer, t.partner)
    full.phase = t.phase
    if rules.decouverte or rules.tirette:
        _reveal_covered(t, rules, viewer, full)


@kernel
def _reveal_covered(t: Any, rules: Any, viewer: int, full: Any) -> None:
    """Cards that nobody holds yet: under others, by seat, or in the second stock, at place 0."""
    suits = rest = 0
    for hand in range(rules.hands):
        suits |= t.hands[hand, 0] | t.played[hand, 0]
        rest |= t.hands[hand, 1] | t.played[hand, 1]
    for place in range(rules.hands):
        hand = rules.by_place[viewer, place]
        under_suits = under_rest = 0
        if rules.decouverte:
            for pile in range(NUM_PILES):
                card = int(t.pack[upper_place(hand, pile) + 1])
                if card < FIRST_TRUMP:
                    under_suits |= 1 << card
                else:
                    under_rest |= 1 << (card - FIRST_TRUMP)
        elif place == 0:
            under_suits, under_rest = pack_set(t, STOCK_START, 78)
        full.covered[place, 0] = under_suits & ~suits
        full.covered[place, 1] = under_rest & ~rest


@loop
def reveal_all(tables: Any, rules: Any, rows: Any, viewers: Any, out: Any) -> None:
    """All cards of the named tables."""
    for i in range(len(rows)):
        reveal(tables[rows[i]], rules[0], viewers[i], out[i])


class FullInformation:
    """All cards, seen from n viewers; P seats, A hands, O hands of which cards lie open.

    Args:
        rules: what is played.
        records: of `FULL` [n].
    """

    def __init__(self, rules: Rules, records: np.ndarray) -> None:
        self.rules, self.records = rules, records

    @property
    def hands(self) -> UInt64[np.ndarray, "n a 2"]:
        """Every hand."""
        return as_words(self.records["hands"][:, : self.rules.hands])

    @property
    def chien(self) -> UInt64[np.ndarray, "n 2"]:
        """The chien as dealt."""
        return as_words(self.records["chien"])

    @property
    def ecart(self) -> UInt64[np.ndarray, "n p 2"]:
        """What each seat has set aside."""
        return as_words(self.records["ecart"][:, : self.rules.players])

    @property
    def covered(self) -> UInt64[np.ndarray, "n o 2"]:
        """Découverte: under others, by seat; Tirette: the stock, all at place 0."""
        hands = self.rules.hands if self.rules.players == 2 else 0
        return as_words(self.records["covered"][:, :hands])

    @property
    def withheld(self) -> UInt64[np.ndarray, "n p 2"]:
        """Trumps that each seat withheld."""
        rest = self.records["withheld"][:, : self.rules.players]
        return np.stack([np.zeros_like(rest), rest], -1).astype(np.uint64)

    @property
    def poignee_declared(self) -> Int8[np.ndarray, "n p"]:
        """Level of a poignée being put together."""
        array: np.ndarray = self.records["poignee_declared"][:, : self.rules.players]
        return array

    @property
    def partner(self) -> Int8[np.ndarray, " n"]:
        """The taker's partner, -1 for none."""
        array: np.ndarray = self.records["partner"]
        return array

    @property
    def phase(self) -> Int8[np.ndarray, " n"]:
        """`Phase` of the table."""
        array: np.ndarray = self.records["phase"]
        return array

    def take(self, rows: Any) -> "FullInformation":
        """The named rows; those of a slice are not copied."""
        return FullInformation(self.rules, self.records[rows])

    def permute_suits(self, permutation: Integer[np.ndarray, "n 4"]) -> "FullInformation":
        """The same cards with suit s called `permutation[:, s]`, as `Turn.permute_suits`."""
        records = take_records(self.records, slice(None))
        _permute_all(records, as_compiled(permutation, np.int8))
        return FullInformation(self.rules, records)


@loop
def _permute_all(full: Any, permutation: Any) -> None:
    for i in range(len(full)):
        cards, names = full[i], permutation[i]
        cards.chien[0] = permuted_suits(cards.chien[0], names)
        for hand in range(MOST_HANDS):
            cards.hands[hand, 0] = permuted_suits(cards.hands[hand, 0], names)
            cards.ecart[hand, 0] = permuted_suits(cards.ecart[hand, 0], names)
        for hand in range(_OPEN_HANDS):
            cards.covered[hand, 0] = permuted_suits(cards.covered[hand, 0], names)
