"""Deals: cards from (seed, deal_id), given deals and their check.

A deal is named by (seed, deal_id): `PCG64(SeedSequence(seed))` advanced by 78 * deal_id gives 78
raw 64-bit keys, and the pack is their argsort. Seat p gets `pack[p*h : (p+1)*h]`, then comes the
chien, then the second stock (Tirette) or the piles (Découverte: seat 0's twelve as upper and
covered card in turn, then seat 1's). The dummy's hand is the third; a dealer who sits out gets
none. The same deal comes out whatever the batch, order, process or machine. Under a full shuffle
every six cards are as good a chien as any other (RULES.md 3.2).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, cast

import numpy as np
from jaxtyping import Int, UInt8

from tarot_env.cards import NUM_CARDS
from tarot_env.cards.actions import BID_TEXTS, Bid, action_text, parse_bid
from tarot_env.core.arguments import (
    as_list,
    card_ids,
    forced_pair,
    is_int,
    is_sequence,
    parse_seat,
    pile_ids,
)
from tarot_env.errors import InvalidDeal, count_noun, short_repr, unknown_name
from tarot_env.rules import Rules, check_is_rules

NUM_DEAL_IDS = 2**62
"""Deals of a seed; ids are 0 up to here."""


def check_seed(seed: object) -> int:
    """A seed of deals, checked.

    Raises:
        InvalidDeal: no whole number, or out of range.
    """
    if not is_int(seed) or not 0 <= int(cast(int, seed)) < 2**128:
        raise InvalidDeal(f"seed {short_repr(seed)}; give a whole number from 0 to 2**128 - 1")
    return int(cast(int, seed))


def check_deal_id(deal_id: object, what: str = "deal id", end: int = NUM_DEAL_IDS) -> int:
    """A deal id below `end`, checked.

    Raises:
        InvalidDeal: no whole number, or out of range.
    """
    if not is_int(deal_id) or not 0 <= int(cast(int, deal_id)) < end:
        raise InvalidDeal(f"{what} {short_repr(deal_id)}; give a whole number, 0 to 2**62 - 1")
    return int(cast(int, deal_id))


def deal_packs(seed: int, deal_ids: Int[np.ndarray, " n"]) -> UInt8[np.ndarray, "n 78"]:
    """The shuffled packs of the given deals of a seed; contiguous ids are drawn in one call."""
    keys = np.empty((len(deal_ids), NUM_CARDS), np.uint64)
    goes_on = np.zeros(len(deal_ids), bool)
    goes_on[1:] = deal_ids[1:] == deal_ids[:-1] + 1
    starts = (~goes_on).nonzero()[0].tolist()
    generator, at = np.random.PCG64(0), 0
    generator.state = _start(seed)
    for start, end in pairwise([*starts, len(deal_ids)]):
        first, drawn = NUM_CARDS * int(deal_ids[start]), NUM_CARDS * (end - start)
        generator.advance(first - at)
        keys[start:end].reshape(-1)[:] = generator.random_raw(drawn)
        at = first + drawn
    return keys.argsort(axis=1).astype(np.uint8)


@lru_cache(maxsize=256)
def _start(seed: int) -> Any:
    """The generator's state at the deal with id 0; hashing a seed takes longer than a deal."""
    return np.random.PCG64(np.random.SeedSequence(seed)).state


STOCK_START = 54
"""Tirette: place in the pack of the top card of the second stock; the last card lies face up."""
TIRETTE_DRAWS = 12
"""Tricks after which both players draw a card of it."""
NUM_PILES = 12
UPPER = np.stack([np.arange(30, 54, 2), np.arange(54, 78, 2)])
"""Découverte: places in the pack of the upper cards of each seat's piles; each covers the next."""


@dataclass(frozen=True)
class Deal:
    """One deal as given: hands by seat, the chien in order, the dealer, a forced contract."""

    hands: tuple[tuple[int, ...], ...]
    chien: tuple[int, ...]
    dealer: int
    seed: int | None = None
    deal_id: int | None = None
    forced: tuple[int, Bid] | None = None
    stock: tuple[int, ...] = ()
    """Tirette: the second stock from top to bottom; its last card will lie open."""
    piles: tuple[tuple[tuple[int, int], ...], ...] = ()
    """Découverte: by seat, the (upper, covered) cards of its piles."""

    @property
    def pack(self) -> list[int]:
        """Card ids in the order of the pack."""
        dealt = [card for hand in self.hands for card in hand]
        return [*dealt, *self.chien, *self.stock, *self._in_piles]

    @property
    def _in_piles(self) -> list[int]:
        return [card for seat in self.piles for pile in seat for card in pile]

    @classmethod
    def of_pack(
        cls,
        pack: Sequence[int],
        rules: Rules,
        *,
        dealer: int,
        seed: int | None = None,
        deal_id: int | None = None,
    ) -> "Deal":
        """The deal that a pack makes.

        Raises:
            InvalidDeal: another number of cards than 78, or no such dealer.
        """
        parse_seat(dealer, check_is_rules(rules), "dealer", InvalidDeal)
        pack = as_list(pack, "the pack must be a list of cards")
        if len(pack) != NUM_CARDS:
            raise InvalidDeal(
                f"a pack of {count_noun(len(pack), 'card')}; it must have {NUM_CARDS}"
            )
        size, dealt = rules.hand_size, rules.hands - rules.dead_hand
        hands = [tuple(pack[p * size : (p + 1) * size]) for p in range(dealt)]
        if rules.dead_hand:
            hands.insert(dealer, ())
        rest = list(pack[dealt * size :])
        chien, rest = rest[: rules.chien_size], rest[rules.chien_size :]
        stock = tuple(rest) if rules.game == "tirette" else ()
        piles: tuple[tuple[tuple[int, int], ...], ...] = ()
        if rules.game == "decouverte":
            pairs = list(zip(rest[::2], rest[1::2], strict=True))
            piles = (tuple(pairs[:NUM_PILES]), tuple(pairs[NUM_PILES:]))
        return cls(tuple(hands), tuple(chien), dealer, seed, deal_id, None, stock, piles)

    @classmethod
    def from_seed(cls, seed: int, deal_id: int, rules: Rules) -> "Deal":
        """The deal named by (seed, deal_id).

        Raises:
            InvalidDeal: a seed or an id that is none.
        """
        check_is_rules(rules)
        seed, deal_id = check_seed(seed), check_deal_id(deal_id)
        pack = deal_packs(seed, np.array([deal_id]))[0]
        return cls.of_pack(
            [int(c) for c in pack],
            rules,
            dealer=deal_id % rules.players,
            seed=seed,
            deal_id=deal_id,
        )

    @classmethod
    def from_text(
        cls,
        hands: Sequence[Sequence[str]],
        chien: Sequence[str],
        dealer: int,
        forced: tuple[int, str] | None = None,
        stock: Sequence[str] = (),
        piles: Sequence[Sequence[Sequence[str]]] = (),
    ) -> "Deal":
        """A deal from card texts such as `S1`, `T21`, `EX`; `check` says whether it is one.

        Raises:
            UnknownName: a text that names no card or no bid.
            InvalidDeal: something else where cards or a contract are wanted.
        """
        by_seat = enumerate(as_list(hands, "hands must be a list of cards for each seat"))
        contract: tuple[int, Bid] | None = None
        if forced is not None:
            taker, bid = forced_pair(forced)
            contract = taker, parse_bid(bid)
        return cls(
            tuple(card_ids(hand, f"hand of seat {seat}") for seat, hand in by_seat),
            card_ids(chien, "the chien"),
            dealer,
            forced=contract,
            stock=card_ids(stock, "the stock"),
            piles=pile_ids(piles),
        )

    def check(self, rules: Rules) -> None:
        """Checks that this is a deal of the game, and that of its name where it has one.

        Hands may be in any order; the chien is compared as dealt.

        Raises:
            InvalidDeal: wrong number of hands or cards, a card twice or missing, a seat or contract
                out of range, or cards or a dealer that are not those of (seed, deal_id).
        """
        check_is_rules(rules)
        self._check_types()
        parse_seat(self.dealer, rules, "dealer", InvalidDeal)
        self._check_sizes(rules)
        pack = self.pack
        strange = [card for card in pack if not 0 <= card < NUM_CARDS]
        if strange:
            raise InvalidDeal(
                f"no card has id {short_repr(int(strange[0]))}; ids are 0 to {NUM_CARDS - 1}"
            )
        if len(set(pack)) < len(pack):
            twice = sorted({card for card in pack if pack.count(card) > 1})
            missing = sorted(set(range(NUM_CARDS)) - set(pack))
            raise InvalidDeal(
                f"not a pack of 78: twice {' '.join(map(action_text, twice))}, "
                f"missing {' '.join(map(action_text, missing))}"
            )
        if self.forced is not None:
            check_contract(*self.forced, rules, self.dealer)
        if self.seed is not None:
            check_seed(self.seed)
        if self.seed is not None and self.deal_id is not None:
            self._check_name(self.seed, self.deal_id, rules)

    def _check_sizes(self, rules: Rules) -> None:
        if len(self.hands) != rules.hands:
            raise InvalidDeal(f"{len(self.hands)} hands; this game has {rules.hands}")
        for seat, hand in enumerate(self.hands):
            size = 0 if rules.dead_hand and seat == self.dealer else rules.hand_size
            if len(hand) != size:
                sits_out = " (the dealer sits out)" if size == 0 else ""
                raise InvalidDeal(
                    f"hand of seat {seat} has {count_noun(len(hand), 'card')}; "
                    f"it must have {size}{sits_out}"
                )
        stock = NUM_CARDS - STOCK_START if rules.game == "tirette" else 0
        for name, cards, size in (
            ("chien", self.chien, rules.chien_size),
            ("stock", self.stock, stock),
        ):
            if len(cards) != size:
                raise InvalidDeal(
                    f"the {name} has {count_noun(len(cards), 'card')}; it must have {size}"
                )
        piles = [NUM_PILES, NUM_PILES] if rules.game == "decouverte" else []
        if [len(seat) for seat in self.piles] != piles:
            wanted = f"{NUM_PILES} for each of two seats" if piles else "none"
            raise InvalidDeal(f"piles: {[len(seat) for seat in self.piles]}; wanted: {wanted}")

    def _check_types(self) -> None:
        parts = {
            "hands": self.hands,
            "the chien": self.chien,
            "the stock": self.stock,
            "piles": self.piles,
        }
        for name, cards in parts.items():
            if not is_sequence(cards):
                raise InvalidDeal(f"{name} must be a sequence; got {short_repr(cards)}")
        for seat, piles in enumerate(self.piles):
            if not is_sequence(piles) or not all(is_sequence(p) and len(p) == 2 for p in piles):
                raise InvalidDeal(
                    f"piles of seat {seat} must be (upper, covered) pairs; got {short_repr(piles)}"
                )
        for seat, hand in enumerate(self.hands):
            if not is_sequence(hand):
                raise InvalidDeal(f"hand of seat {seat} must be a sequence; got {short_repr(hand)}")
        for card in self.pack:
            if not is_int(card):
                raise InvalidDeal(
                    f"card {short_repr(card)}; give a whole number from 0 to {NUM_CARDS - 1}"
                )
        if self.deal_id is not None and not is_int(self.deal_id):
            raise InvalidDeal(f"deal_id {short_repr(self.deal_id)}; give a whole number")
        if self.forced is not None:
            forced_pair(self.forced)

    def _check_name(self, seed: int, deal_id: int, rules: Rules) -> None:
        if not 0 <= deal_id < NUM_DEAL_IDS:
            raise InvalidDeal(
                f"deal seed={seed} id={short_repr(int(deal_id))}; allowed: ids 0 to 2**62 - 1"
            )
        true = Deal.from_seed(seed, deal_id, rules)
        name = f"deal seed={seed} id={deal_id}"
        for seat, (hand, dealt) in enumerate(zip(self.hands, true.hands, strict=True)):
            if sorted(hand) != sorted(dealt):
                raise InvalidDeal(f"the hand of seat {seat} is not that of {name}")
        for part, verb, given, wanted in (
            ("chien", "is", self.chien, true.chien),
            ("stock", "is", self.stock, true.stock),
            ("piles", "are", self._in_piles, true._in_piles),
        ):
            if list(given) != list(wanted):
                raise InvalidDeal(f"the {part} {verb} not that of {name}, in its order")
        if self.dealer != true.dealer:
            raise InvalidDeal(f"dealer {self.dealer}; {name} is dealt by seat {true.dealer}")


# -- contracts


def contracts(rules: Rules) -> list[Bid]:
    """The contracts that these rules have, lowest first; with six, petite and pousse are none."""
    absent = {Bid.POUSSE}
    if rules.in_partnerships or not rules.with_petite:
        absent.add(Bid.PETITE)
    return [bid for bid in BID_TEXTS if bid not in absent]


def parse_contract(text: object, rules: Rules) -> Bid:
    """The contract of these rules that a text names, e.g. `garde`.

    Raises:
        UnknownName: none of them; the error lists them.
    """
    allowed = {BID_TEXTS[bid]: bid for bid in contracts(rules)}
    if not isinstance(text, str) or text not in allowed:
        raise unknown_name("contract", text, allowed)
    return allowed[text]


def check_contract(taker: object, contract: object, rules: Rules, dealer: int = -1) -> None:
    """Checks a contract that is to be given without an auction.

    Raises:
        InvalidDeal: a seat out of range, a dealer who sits out, or a contract that these rules do
            not have.
    """
    parse_seat(taker, rules, "taker", InvalidDeal)
    if rules.dead_hand and taker == dealer:
        raise InvalidDeal(f"taker {taker}; the dealer sits out")
    allowed = contracts(rules)
    if not is_int(contract) or contract not in allowed:
        names = ", ".join(BID_TEXTS[bid] for bid in allowed)
        raise InvalidDeal(f"contract {short_repr(contract)}; allowed: {names}")
