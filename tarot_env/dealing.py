"""Deals: cards from (seed, deal_id), given deals and their check, petit sec.

A deal is named by (seed, deal_id): `PCG64(SeedSequence(seed))` advanced by 78 * deal_id gives 78
raw 64-bit keys, and the pack is their argsort. Seat p gets `pack[p*h : (p+1)*h]`, then comes the
chien. The same deal comes out whatever the batch, order, process or machine. Under a full shuffle
every six cards are as good a chien as any other (rules.md A1).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int, UInt8, UInt64

from tarot_env import cardsets
from tarot_env.actions import BID_TEXTS, Bid, action_text, parse_bid, parse_card
from tarot_env.cards import NUM_CARDS
from tarot_env.errors import InvalidDeal
from tarot_env.rules import Rules


def deal_packs(seed: int, deal_ids: Int[np.ndarray, " n"]) -> UInt8[np.ndarray, "n 78"]:
    """The shuffled packs of the given deals of a seed; contiguous ids are drawn in one call."""
    packs = np.empty((len(deal_ids), NUM_CARDS), np.uint8)
    starts = np.flatnonzero(np.diff(deal_ids, prepend=deal_ids[:1] - 2) != 1)
    ends = np.append(starts[1:], len(deal_ids))[: len(starts)]
    generator = np.random.PCG64(np.random.SeedSequence(seed))
    origin = generator.state
    for start, end in zip(starts, ends, strict=True):
        generator.state = origin
        generator.advance(NUM_CARDS * int(deal_ids[start]))
        keys = generator.random_raw(NUM_CARDS * int(end - start))
        packs[start:end] = np.argsort(keys.reshape(-1, NUM_CARDS), axis=1)
    return packs


def pack_sets(
    packs: UInt8[np.ndarray, "n 78"], rules: Rules
) -> tuple[UInt64[np.ndarray, "n p 2"], UInt64[np.ndarray, "n 2"]]:
    """Hands and chien of each pack, as card sets."""
    bits = cardsets.BIT[packs]
    size, players = rules.hand_size, rules.players
    hands = bits[:, : players * size].reshape(len(packs), players, size, 2)
    chien = bits[:, players * size : players * size + rules.chien_size]
    return np.bitwise_or.reduce(hands, axis=2), np.bitwise_or.reduce(chien, axis=1)


def petit_sec(hands: UInt64[np.ndarray, "n p 2"], rules: Rules) -> Bool[np.ndarray, "n p"]:
    """Seats dealt the petit as their only trump, and no Excuse where that protects (A0.6)."""
    lone_petit = ((hands & cardsets.TRUMPS) == cardsets.PETIT).all(-1)
    if rules.petit_sec_excuse_protects:
        lone_petit &= cardsets.is_empty(hands & cardsets.EXCUSE)
    return lone_petit


def petit_sec_text(hands: UInt64[np.ndarray, "p 2"], rules: Rules) -> str | None:
    """Who was dealt a petit sec, in words; None where nobody was."""
    holders = np.flatnonzero(petit_sec(hands[None], rules)[0])
    if not len(holders):
        return None
    alone = not (hands[holders[0]] & cardsets.EXCUSE).any()
    without = ", without the Excuse" if alone else ""
    return f"petit sec: seat {holders[0]} holds the petit as only trump{without}"


@dataclass(frozen=True)
class Deal:
    """One deal as given: hands by seat, the chien in order, the dealer, a forced contract."""

    hands: tuple[tuple[int, ...], ...]
    chien: tuple[int, ...]
    dealer: int
    seed: int | None = None
    deal_id: int | None = None
    forced: tuple[int, Bid] | None = None

    @property
    def pack(self) -> list[int]:
        """Card ids in the order of the pack: hands by seat, then the chien."""
        return [card for hand in self.hands for card in hand] + list(self.chien)

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
        """The deal that a pack makes."""
        size = rules.hand_size
        hands = tuple(tuple(pack[p * size : (p + 1) * size]) for p in range(rules.players))
        return cls(hands, tuple(pack[rules.players * size :]), dealer, seed, deal_id)

    @classmethod
    def from_seed(cls, seed: int, deal_id: int, rules: Rules) -> "Deal":
        """The deal named by (seed, deal_id)."""
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
    ) -> "Deal":
        """A deal from card texts such as `S1`, `T21`, `EX`."""
        return cls(
            tuple(tuple(parse_card(card) for card in hand) for hand in hands),
            tuple(parse_card(card) for card in chien),
            dealer,
            forced=None if forced is None else (forced[0], parse_bid(forced[1])),
        )

    def check(self, rules: Rules) -> None:
        """Checks that this is a deal of the game, and that of its name where it has one.

        Hands may be in any order; the chien is compared as dealt.

        Raises:
            InvalidDeal: wrong number of hands or cards, a card twice or missing, a seat or contract
                out of range, or cards or a dealer that are not those of (seed, deal_id).
        """
        if len(self.hands) != rules.players:
            raise InvalidDeal(f"{len(self.hands)} hands; this game has {rules.players}")
        for seat, hand in enumerate(self.hands):
            if len(hand) != rules.hand_size:
                raise InvalidDeal(
                    f"hand of seat {seat} has {len(hand)} cards; it must have {rules.hand_size}"
                )
        if len(self.chien) != rules.chien_size:
            raise InvalidDeal(
                f"the chien has {len(self.chien)} cards; it must have {rules.chien_size}"
            )
        pack = self.pack
        strange = [card for card in pack if not 0 <= card < NUM_CARDS]
        if strange:
            raise InvalidDeal(f"no card has id {strange[0]}; ids are 0 to {NUM_CARDS - 1}")
        if len(set(pack)) < len(pack):
            twice = sorted({card for card in pack if pack.count(card) > 1})
            missing = sorted(set(range(NUM_CARDS)) - set(pack))
            raise InvalidDeal(
                f"not a pack of 78: twice {' '.join(map(action_text, twice))}, "
                f"missing {' '.join(map(action_text, missing))}"
            )
        if not 0 <= self.dealer < rules.players:
            raise InvalidDeal(f"dealer {self.dealer}; allowed: 0 to {rules.players - 1}")
        if self.forced is not None:
            check_contract(*self.forced, rules)
        if self.seed is not None and self.deal_id is not None:
            self._check_name(self.seed, self.deal_id, rules)

    def _check_name(self, seed: int, deal_id: int, rules: Rules) -> None:
        if seed < 0 or not 0 <= deal_id < 2**62:
            raise InvalidDeal(f"deal seed={seed} id={deal_id}; allowed: 0 and up, ids below 2**62")
        true = Deal.from_seed(seed, deal_id, rules)
        name = f"deal seed={seed} id={deal_id}"
        for seat, (hand, dealt) in enumerate(zip(self.hands, true.hands, strict=True)):
            if sorted(hand) != sorted(dealt):
                raise InvalidDeal(f"the hand of seat {seat} is not that of {name}")
        if tuple(self.chien) != true.chien:
            raise InvalidDeal(f"the chien is not that of {name}, in its order")
        if self.dealer != true.dealer:
            raise InvalidDeal(f"dealer {self.dealer}; {name} is dealt by seat {true.dealer}")


def check_contract(taker: int, contract: int, rules: Rules) -> None:
    """Checks a contract that is to be given without an auction.

    Raises:
        InvalidDeal: a seat out of range or a contract that these rules do not have.
    """
    if not 0 <= taker < rules.players:
        raise InvalidDeal(f"taker {taker}; allowed: seats 0 to {rules.players - 1}")
    allowed = [bid for bid in BID_TEXTS if bid != Bid.POUSSE]
    if not rules.with_petite:
        allowed.remove(Bid.PETITE)
    if contract not in allowed:
        listed = ", ".join(BID_TEXTS[bid] for bid in allowed)
        raise InvalidDeal(f"contract {contract}; allowed: {listed}")
