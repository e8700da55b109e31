"""The two auctions: that of two to five players (RULES.md 4.2), and that of six (4.5).

Both are values that do not change: `say` returns the auction after what was said.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .cards import BIDS, PARTNERSHIP_BIDS


def _next(order: Sequence[int], seat: int) -> int:
    return order[(order.index(seat) + 1) % len(order)]


@dataclass(frozen=True)
class Auction:
    """Each bid is higher than the last; nobody speaks again, or nobody who has passed.

    Attributes:
        order: the seats, first hand first.
        bids: what may be bid, lowest first.
        until_passed: whether a bidder who is overcalled speaks again.
        seat: who speaks, None when the auction is over.
        taker: the seat of the best bidder, None if there is none.
        bid: the best bid.
        silent: seats that are not asked again.
        contra: always 1; there is none but with six.
    """

    order: tuple[int, ...]
    bids: tuple[str, ...] = BIDS
    until_passed: bool = False
    seat: int | None = None
    taker: int | None = None
    bid: str | None = None
    silent: tuple[int, ...] = ()
    contra: int = 1

    def higher_bids(self) -> list[str]:
        return list(self.bids) if self.bid is None else _above(self.bids, self.bid)

    def legal(self) -> list[str]:
        return ["pass", *self.higher_bids()]

    def say(self, action: str) -> "Auction":
        assert self.seat is not None
        said = self
        if action != "pass":
            said = replace(said, taker=self.seat, bid=action)
        if action == "pass" or not self.until_passed:
            said = replace(said, silent=(*self.silent, self.seat))
        return replace(said, seat=said.next_seat(self.seat))

    def next_seat(self, seat: int) -> int | None:
        """Who speaks after a seat; the best bidder is not asked to go over himself."""
        if not self.higher_bids():
            return None
        for _seat in self.order:
            seat = _next(self.order, seat)
            if seat not in self.silent and seat != self.taker:
                return seat
        return None


@dataclass(frozen=True)
class PartnershipAuction:
    """Six players bid in rounds; five passes end it, or six before any bid.

    A seat may contra the bid of another partnership, which may recontra; a higher bid cancels
    both. After a garde contre a seat that could only pass is not asked, and has passed; so its
    recontra, after which nobody can do more, ends the auction.

    Attributes:
        order: the seats, first hand first.
        seat: who speaks, None when the auction is over.
        taker: the seat of the best bidder, None if there is none.
        bid: the best bid, perhaps a dummy bid.
        contra: 1, 2 after a contra, 4 after a recontra.
        passes: how many have passed since anything else was said.
    """

    order: tuple[int, ...]
    seat: int | None
    taker: int | None = None
    bid: str | None = None
    contra: int = 1
    passes: int = 0

    def higher_bids(self) -> list[str]:
        return list(PARTNERSHIP_BIDS) if self.bid is None else _above(PARTNERSHIP_BIDS, self.bid)

    def legal(self) -> list[str]:
        assert self.seat is not None
        may_say = ["pass", *self.higher_bids()]
        if self.taker is not None:
            is_of_the_bidders = self.seat % 3 == self.taker % 3
            if self.contra == 1 and not is_of_the_bidders:
                may_say.append("contra")
            if self.contra == 2 and is_of_the_bidders:
                may_say.append("recontra")
        return may_say

    def say(self, action: str) -> "PartnershipAuction":
        if action == "pass":
            said = replace(self, passes=self.passes + 1)
        elif action == "contra":
            said = replace(self, contra=2, passes=0)
        elif action == "recontra":
            said = replace(self, contra=4, passes=0)
        else:
            said = replace(self, taker=self.seat, bid=action, contra=1, passes=0)
        return said._to_the_next_who_has_a_choice()

    def _to_the_next_who_has_a_choice(self) -> "PartnershipAuction":
        assert self.seat is not None
        auction = replace(self, seat=_next(self.order, self.seat))
        while not auction._has_ended():
            if len(auction.legal()) > 1:
                return auction
            assert auction.seat is not None
            auction = replace(
                auction, passes=auction.passes + 1, seat=_next(self.order, auction.seat)
            )
        return replace(auction, seat=None)

    def _has_ended(self) -> bool:
        return self.passes == (6 if self.bid is None else 5)


def _above(bids: Sequence[str], bid: str) -> list[str]:
    return list(bids[bids.index(bid) + 1 :])
