"""The same table with other hidden cards: what a seat cannot see is dealt again.

Made for tests: whatever is computed for the seat must not change. Cards change places in pairs,
each to a place that the public facts allow; then the deal is played again by the one engine, every
public event as it was, and the private choices of other seats drawn anew. So the new table is a
true table, whose log and record are sound.
"""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Int8, Int64, Integer, UInt64

from tarot_env.beliefs import public_constraints
from tarot_env.cards import NUM_CARDS, cardsets
from tarot_env.cards.actions import Bid
from tarot_env.core.dealing import Deal
from tarot_env.tables import Tables
from tarot_env.testing.replay_events import Script

_SWAPS = 150
"""Pairs of hidden cards tried; most may change places."""
_TRIES = 4
"""Shuffles tried where what the viewer knows rules one out; then the table stays as it is."""


def shuffle_hidden(
    tables: Tables,
    rows: Integer[np.ndarray, " n"],
    viewers: Integer[np.ndarray, " n"],
    rng: np.random.Generator,
) -> Tables:
    """New tables on which everything a viewer cannot see has been dealt again.

    Other hands, a face-down chien, the plain cards of another seat's écart, a stock or covered
    cards and their order, the dummy before it lies open, so that the secret partner may be another
    seat; and what other seats chose in secret: withheld trumps, declined redeals, misères and
    poignées, a poignée being put together. Everything public stays, and what it implies.

    Args:
        tables: the tables.
        rows: which of them; new table i is row `rows[i]` as `viewers[i]` could imagine it.
        viewers: the absolute seat that each is seen from.
        rng: draws the new places.

    Returns:
        Tables whose `turn(range(n), viewers)` equals that of the old ones.
    """
    rows, viewers = np.asarray(rows, np.int64), np.asarray(viewers, np.int64)
    shuffled = tables.take(rows)
    shuffled.deal_ids[:] = -1
    left = np.arange(len(rows))
    for _ in range(_TRIES):
        if not len(left):
            break
        imagined, fits = _imagine(tables, rows[left], viewers[left], rng)
        for name in ("state", "legal_words", "events"):
            getattr(shuffled, name)[left[fits]] = getattr(imagined, name)[fits]
        left = left[~fits]
    return shuffled


def _imagine(
    tables: Tables,
    rows: Int64[np.ndarray, " n"],
    viewers: Int64[np.ndarray, " n"],
    rng: np.random.Generator,
) -> tuple[Tables, Bool[np.ndarray, " n"]]:
    """Tables with other hidden cards, and which of them the viewers cannot tell from the old."""
    places = _Places.of(tables, rows, viewers)
    places.shuffle(rng)
    deals = _deals(tables, rows, places, rng)
    script = Script.of(tables, rows, viewers, places.ecarts(), rng)
    imagined = Tables.from_deals(tables.rules, deals)
    return imagined, script.play(imagined, rng)


@dataclass
class _Places:
    """Where each card lies, -1 for a card in the open.

    0 to H-1 the hands, then a face-down chien, the écarts, and what is covered: a stock, or the
    lower cards of piles.
    """

    hands: int
    place: Int8[np.ndarray, "n 78"]
    first: Int8[np.ndarray, "n 78"]
    """Where each card lay before."""
    movable: Bool[np.ndarray, "n 78"]
    allowed: Bool[np.ndarray, "n q 78"]

    @classmethod
    def of(
        cls, tables: Tables, rows: Int64[np.ndarray, " n"], viewers: Int64[np.ndarray, " n"]
    ) -> "_Places":
        state, rules = tables.columns, tables.rules
        in_hands = state.hands[rows]
        chien = np.where(state.chien_open[rows, None], cardsets.EMPTY, state.chien[rows])
        held = np.bitwise_or.reduce(in_hands | state.played[rows], axis=1)
        covered = public_constraints.beside(state, rows, rules) & ~held
        piles = [*in_hands.swapaxes(0, 1), chien, *state.ecart[rows].swapaxes(0, 1), covered]
        place = np.full((len(rows), NUM_CARDS), -1, np.int8)
        for number, pile in enumerate(piles):
            place[_mask(pile)] = number

        movable = (place >= 0) & (place != viewers[:, None])
        movable &= ~_mask(public_constraints.known_to_all(state, rows, rules))
        for column, owner in enumerate(public_constraints.owners(state, rows)):
            own = (owner == viewers)[:, None]
            movable &= ~(own & (place == rules.hands + 1 + column))

        allowed = np.ones((len(rows), len(piles), NUM_CARDS), bool)
        allowed[:, : rules.hands] = ~_mask(public_constraints.barred_from_hands(state, rows, rules))
        allowed[:, rules.hands + 1 : -1] = _mask(
            public_constraints.allowed_in_ecarts(state, rows, rules)
        )
        allowed[:, -1] = ~_mask(public_constraints.open_chien(state, rows))
        return cls(rules.hands, place, place.copy(), movable, allowed)

    def shuffle(self, rng: np.random.Generator) -> None:
        """Swaps pairs of cards where both may lie in the other's place."""
        every = np.arange(len(self.place))
        cards = np.argsort(~self.movable, axis=1, kind="stable")
        number = self.movable.sum(1)
        for _ in range(_SWAPS):
            first, second = cards[every, (rng.random((2, len(every))) * number).astype(np.int64)]
            here, there = self.place[every, first], self.place[every, second]
            ok = self.allowed[every, there, first] & self.allowed[every, here, second]
            ok &= number > 0
            self.place[every, first] = np.where(ok, there, here)
            self.place[every, second] = np.where(ok, here, there)

    def pile(self, number: int) -> UInt64[np.ndarray, "n 2"]:
        """The cards at a place."""
        return cardsets.from_mask(self.place == number)

    def ecarts(self) -> UInt64[np.ndarray, "n e 2"]:
        """The cards of each écart."""
        last = self.allowed.shape[1] - 1
        return np.stack([self.pile(number) for number in range(self.hands + 1, last)], 1)


def _mask(cards: UInt64[np.ndarray, "*n 2"]) -> Bool[np.ndarray, "*n 78"]:
    return cardsets.to_mask(cards)[..., :NUM_CARDS]


# -- the deal that leads there


def _deals(
    tables: Tables, rows: Int64[np.ndarray, " n"], places: _Places, rng: np.random.Generator
) -> list[Deal]:
    """The deals that lead to these places."""
    state, rules = tables.columns, tables.rules
    start = public_constraints.chien_start(rules)
    end = start + rules.chien_size
    dealt, chien = _dealt(tables, rows, places), places.pile(places.hands)
    covered = places.place == places.allowed.shape[1] - 1
    deals = []
    for at, row in enumerate(rows):
        pack = state.pack[row].astype(np.int64)
        was_covered = (places.first[at] == places.allowed.shape[1] - 1) & places.movable[at]
        pack[:start] = [card for hand in dealt[at] for card in cardsets.to_ids(hand)]
        if chien[at].any():
            pack[start:end] = rng.permutation(cardsets.to_ids(chien[at]))
        beside = pack[end:]
        beside[was_covered[beside]] = rng.permutation(
            np.flatnonzero(covered[at] & places.movable[at])
        )
        forced = (int(state.taker[row]), Bid(state.contract[row])) if state.forced[row] else None
        deal = Deal.of_pack([int(card) for card in pack], rules, dealer=int(state.dealer[row]))
        deals.append(replace(deal, forced=forced))
    return deals


def _dealt(
    tables: Tables, rows: Int64[np.ndarray, " n"], places: _Places
) -> UInt64[np.ndarray, "n h 2"]:
    """Hands as dealt: with what they played and set aside, without what came to them later."""
    state, rules = tables.columns, tables.rules
    dealt = np.stack([places.pile(hand) for hand in range(places.hands)], 1) | state.played[rows]
    hands, ecarts = np.arange(places.hands), places.ecarts()
    for column, owner in enumerate(public_constraints.owners(state, rows)):
        own = (hands == owner[:, None])[..., None]
        dealt |= np.where(own, ecarts[:, column, None], cardsets.EMPTY)
    held = np.bitwise_or.reduce(state.hands[rows] | state.played[rows], axis=1)
    later = public_constraints.open_chien(state, rows) | (
        public_constraints.beside(state, rows, rules) & held
    )
    return dealt & ~later[:, None]
