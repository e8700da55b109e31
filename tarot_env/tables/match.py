"""Several deals in a row (RULES.md 13): who deals, running totals, winners, the daily deal.

Under a full shuffle every deal of a match keeps its name: its id is the next one that the dealer of
the match deals, `dealer = deal_id mod P`. Deals whose cards were gathered and cut have no id. What
is drawn, the first dealer and the cuts, follows from the seed, the match's first deal id and the
number of the deal in the match, so that a match is the same on every machine.
"""

import datetime
import secrets
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Float64, Int64, UInt64

from tarot_env.cards import EXCUSE, KIND, NUM_CARDS, RANK, TRUMP
from tarot_env.cards.actions import THROW_IN, Bid
from tarot_env.core.arguments import check_flags, is_int, parse_row, parse_seat
from tarot_env.core.dealing import Deal, check_deal_id, check_seed
from tarot_env.errors import InvalidDeal, InvalidRules, TarotError, count_noun, short_repr
from tarot_env.phases.redeal import petit_sec
from tarot_env.rules import Rules, check_is_rules
from tarot_env.tables.packet_dealing import CUTS, check_packets, deal_in_packets, gather
from tarot_env.tables.tables import Tables, check_deals, check_is_tables

MATCH_STRIDE = 2**40 + 1
"""Deal ids from the start of one match of a series to that of the next; odd: dealers differ."""
MOST_IN_VAIN = 1000
"""Deals in a row that bring a match no nearer to its end, after which it is given up.

Towards a number of deals those that nobody plays, towards a target those that nobody scores in.
"""
DAILY_DEALS = 8
"""Deals of the daily match (RULES.md 13.4)."""


class Length(NamedTuple):
    """What ends a match: so many deals, or a total; None for what does not."""

    deals: int | None
    target: int | None

    @property
    def is_one_deal(self) -> bool:
        """Whether there is no more to it than one deal."""
        return self == (1, None)


def match_length(rules: Rules, deals: object = None) -> Length:
    """What ends a match: `deals` of them, or what the rules say, or else one deal.

    Raises:
        InvalidRules: `deals` is neither None nor a whole number from 1 up.
    """
    check_is_rules(rules)
    if deals is not None:
        if not is_int(deals) or deals < 1:  # type: ignore[operator]
            raise InvalidRules(f"deals={short_repr(deals)}; give a whole number, 1 and up")
        return Length(int(deals), None)  # type: ignore[call-overload]
    if rules.match_deals is None and rules.match_target is None:
        return Length(1, None)
    return Length(rules.match_deals, rules.match_target)


class Match:
    """One match: hands out its deals, and notes how they ended.

    ```python
    match = Match(Rules.preset("online"), seed=daily_seed("2026-07-04"))
    tables = Tables(match.rules, 1, seed=match.seed)
    while not match.is_over:
        match.deal_to(tables)
        while not tables.is_over[0]:
            tables.step(tables.random_actions(rng))
        match.note(tables)
    match.totals, match.winners
    ```

    A deal that nobody plays, passed out or thrown in, does not count; `redeal_dealer` says who
    deals again. After a weak hand that is always the next dealer; after a dummy bid of six players,
    and wherever the dealer sits out, always the same (RULES.md 13.3).

    Args:
        rules: what is played; `match_deals`, `match_target`, `first_dealer`, `redeal_dealer`,
            `shuffle`, `packet` and `chien_exclusion` are read here.
        seed: of the deals; drawn from the system if None.
        first_deal: id from which the first deal is taken.
        deals: number of deals, whatever the rules say about the length.
        redeal: off, a deal that nobody plays counts as one of the match.
        opening: a given deal to begin with; it uses up no deal id.
        left_out: with a dead hand: a seat that never deals, so that it never sits out.

    Raises:
        InvalidRules: a length, packet, exclusion or seat that cannot be.
        InvalidDeal: a seed, a first deal or an opening deal that is none.
    """

    def __init__(
        self,
        rules: Rules,
        seed: int | None = None,
        first_deal: int = 0,
        *,
        deals: int | None = None,
        redeal: bool = True,
        opening: Deal | None = None,
        left_out: int | None = None,
    ) -> None:
        check_is_rules(rules)
        check_flags(redeal=redeal)
        if opening is not None:
            check_deals([opening], rules)
        if left_out is not None:
            left_out = parse_seat(left_out, rules, "left_out")
        if rules.shuffle == "gather_and_cut":
            check_packets(rules)
        self.rules = rules
        self.seed = secrets.randbits(63) if seed is None else check_seed(seed)
        self.first_deal = check_deal_id(first_deal, "first_deal")
        self.length = match_length(rules, deals)
        self.redeal = redeal
        self.played = 0
        """Deals that have counted so far."""
        self.next_id = self.first_deal
        """The first id that no deal of this match has used."""
        self.drawn: tuple[int, ...] = ()
        """The card that each seat drew for the first deal, where the rules have them drawn."""
        self._left_out = left_out if rules.dead_hand else None
        self._half_totals: Int64[np.ndarray, " p"] = np.zeros(rules.players, np.int64)
        self._num_dealt = 0
        self._in_vain = 0
        self._deal = opening
        self._gathered: list[int] | None = None
        self._dealer = self._first_dealer() if opening is None else opening.dealer

    # -- dealing

    def next_deal(self) -> Deal:
        """The deal to be played now: the same one until it has been noted.

        Raises:
            TarotError: the match is over.
        """
        if self.is_over:
            raise TarotError(f"the match is over after {count_noun(self.played, 'deal')}")
        if self._deal is None:
            self._deal = self._named() if self._gathered is None else self._cut(self._gathered)
        return self._deal

    def deal_to(self, tables: Tables, row: int = 0) -> None:
        """Puts the deal to be played now on a table.

        Raises:
            TarotError: the match is over, or there is no such table.
        """
        row = parse_row(row, check_is_tables(tables).num_tables)
        tables.set_deals(np.array([row]), [self.next_deal()])
        tables.next_ids[row] = self.next_id

    def _named(self) -> Deal:
        players = self.rules.players
        deal_id = self.next_id + (self._dealer - self.next_id) % players
        deal = Deal.from_seed(self.seed, deal_id, self.rules)
        self.next_id = deal_id + 1
        return deal

    def _cut(self, pack: Sequence[int]) -> Deal:
        """The gathered pack, cut at a uniform place and dealt in packets."""
        at = CUTS[int(self._keys(self._num_dealt, 1)[0] % np.uint64(len(CUTS)))]
        return deal_in_packets([*pack[at:], *pack[:at]], self._dealer, self.rules)

    def _first_dealer(self) -> int:
        dealer = self.first_deal % self.rules.players
        if self.rules.first_dealer == "drawn":
            pack = np.argsort(self._keys(0, NUM_CARDS))
            self.drawn = tuple(int(card) for card in pack[pack != EXCUSE][: self.rules.players])
            dealer = self.drawn.index(lowest_card(self.drawn))
        return self._following(dealer - 1)

    def _following(self, dealer: int) -> int:
        """Who deals behind a dealer."""
        players = self.rules.players
        following = (dealer + 1) % players
        return (following + 1) % players if following == self._left_out else following

    def _keys(self, number: int, n: int) -> UInt64[np.ndarray, " n"]:
        """Random words for deal `number` of the match; number 0 is the draw for the first deal."""
        sequence = np.random.SeedSequence(self.seed, spawn_key=(self.first_deal, number))
        return np.random.PCG64(sequence).random_raw(n)

    # -- results

    def note(self, tables: Tables, row: int = 0) -> bool:
        """Writes down a finished deal of the match: its scores, its cards, who deals next.

        Returns:
            Whether the deal counts.

        Raises:
            TarotError: there is no such table, its deal is not over, or not the one of the match;
                or the match would not end. Nothing is changed then.
        """
        row = parse_row(row, check_is_tables(tables).num_tables)
        same_game = tables.rules.game_name == self.rules.game_name
        pack = tables.state["pack"][row].tolist()
        if self._deal is None or pack != self._deal.pack or not same_game:
            raise TarotError(f"table {row} does not hold the deal of the match; use deal_to()")
        if not tables.is_over[row]:
            raise TarotError(f"the deal on table {row} is not over yet")
        half_scores = tables.columns.half_scores[row]
        is_played = bool(tables.taker[row] >= 0)
        counts = is_played or not self.redeal
        nearer = counts if self.length.deals is not None else bool(half_scores.any())
        in_vain = 0 if nearer else self._in_vain + 1
        if in_vain >= MOST_IN_VAIN:
            lost = "brought nobody a point" if is_played else "nobody played"
            raise TarotError(f"{MOST_IN_VAIN} deals in a row that {lost}; the match would not end")
        self._in_vain = in_vain
        self._half_totals = self._half_totals + half_scores  # copies share the array
        self.played += counts
        self._num_dealt += 1
        if self.rules.shuffle == "gather_and_cut":
            self._gathered = gather(tables, row)
        if is_played or not self._same_dealer_again(tables, row):
            self._dealer = self._following(self._deal.dealer)
        self._deal = None
        return counts

    def _same_dealer_again(self, tables: Tables, row: int) -> bool:
        """Whether the same dealer deals again after a deal that nobody played."""
        rules, state = self.rules, tables.columns
        if rules.dead_hand or (state.bids[row] > Bid.NONE).any():
            return True
        asked = state.log[row, : state.log_size[row]]
        if len(asked) and asked[-1, 1] == THROW_IN:
            had_petit = petit_sec(state.hands[[row]], rules)[0, asked[-1, 0]]
            if rules.petit_sec != "optional" or not had_petit:
                return False
        return rules.redeal_dealer == "same"

    @property
    def totals(self) -> Float64[np.ndarray, " p"]:
        """Points of each seat so far; they sum to 0."""
        return self._half_totals / 2.0

    @property
    def is_over(self) -> bool:
        """Whether the deals are played, or somebody has reached the target."""
        deals, target = self.length
        reached = target is not None and bool(self.totals.max() >= target)
        return reached or (deals is not None and self.played >= deals)

    @property
    def winners(self) -> tuple[int, ...]:
        """Seats with the highest total; ties are shared. Before the end: those who lead."""
        best = self._half_totals == self._half_totals.max()
        return tuple(np.flatnonzero(best).tolist())


def lowest_card(cards: Sequence[int]) -> int:
    """The card that deals: suits below trumps, then by rank, then club below diamond, heart, spade.

    The ace of clubs is the lowest of all (RULES.md 13.2).
    """
    return min(cards, key=lambda card: (KIND[card] == TRUMP, RANK[card], -KIND[card]))


# -- the daily deal


def daily_seed(date: datetime.date | str | None = None) -> int:
    """The seed of a day's deals, YYYYMMDD; the ids of the deals are 0 and up.

    Args:
        date: as `2026-07-04`; a time is taken in UTC; None for today, UTC.

    Raises:
        InvalidDeal: no date.
    """
    if date is None:
        date = datetime.datetime.now(datetime.UTC)
    if isinstance(date, str):
        try:
            date = datetime.date.fromisoformat(date)
        except ValueError:
            raise InvalidDeal(
                f"date {short_repr(date)}; write it as YYYY-MM-DD, such as 2026-07-04"
            ) from None
    if not isinstance(date, datetime.date):
        raise InvalidDeal(f"date {short_repr(date)}; write it as YYYY-MM-DD, such as 2026-07-04")
    if isinstance(date, datetime.datetime) and date.tzinfo is not None:
        date = date.astimezone(datetime.UTC)
    return date.year * 10_000 + date.month * 100 + date.day
