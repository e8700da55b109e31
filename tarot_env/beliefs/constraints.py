"""Where the cards that a viewer has not seen may lie: cells, their room and what each may hold.

From a Turn alone. The cells are, in this order, the hands by place as the viewer counts, a chien
that lies face down (two halves with six players), the unseen cards of each écart, and those of a
second stock or under others. A legal écart is as likely as any other that its owner could have
made, which is a factor on the number of cards in its hand that might have gone too.
"""

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
from jaxtyping import Bool, Float64, Int64, UInt64

from tarot_env.beliefs import public_constraints
from tarot_env.beliefs.exact_sampler import Problem
from tarot_env.beliefs.public import hands_by_place, public_state, set_aside_events
from tarot_env.cards import ANY, KIND, NUM_CARDS, TRUMP, cardsets
from tarot_env.cards import PETIT as PETIT_ID
from tarot_env.core.state import Columns
from tarot_env.tables import Turn

_MAY_GO = cardsets.TRUMPS & ~cardsets.OUDLERS
"""Trumps that go into an écart where plain cards are too few."""
_TRUMPS_AND_EXCUSE = cardsets.TRUMPS | cardsets.EXCUSE
_CHOICES = np.array([[comb(n, k) for k in range(8)] for n in range(31)], np.float64)
"""Ways to choose k of n cards."""


@dataclass(frozen=True)
class Cells:
    """What n viewers know of the cards they have not seen."""

    turn: Turn

    @cached_property
    def public(self) -> Columns:
        """Their tables, with nothing hidden in them."""
        return public_state(self.turn)

    # -- which cards, and how many where

    @cached_property
    def rows(self) -> Int64[np.ndarray, " n"]:
        """Every row."""
        return np.arange(len(self.turn))

    @cached_property
    def owners(self) -> Int64[np.ndarray, "n e"]:
        """Place of the owner of each écart: the taker and, with six, its partner; -1 for none."""
        owners = (self.turn.taker, self.turn.partner)[: self.public.ecart.shape[1]]
        return np.stack(owners, 1).astype(np.int64)

    @cached_property
    def hidden(self) -> UInt64[np.ndarray, "n 2"]:
        """Cards whose place the viewer has not seen; a chien that waits to be split lies open."""
        waits = self.turn.rules.in_partnerships & (self.turn.split < 0)
        return self.turn.unseen & ~cardsets.where(waits, self.turn.chien)

    @cached_property
    def beside(self) -> UInt64[np.ndarray, "n 2"]:
        """Cards of a stock or of piles that have been seen."""
        return cardsets.of_ids(self.turn.beside)

    @cached_property
    def aside(self) -> tuple[Int64[np.ndarray, "n e"], Int64[np.ndarray, "n e"]]:
        """How many cards each owner has set aside unseen, and how many trumps."""
        events, owners = self.turn.history, self.owners
        by = set_aside_events(self.turn)[:, None] & (events[:, None, :, 0] == owners[..., None])
        by &= (owners >= 0)[..., None]
        unseen = events[:, None, :, 1] < 0
        return (by & unseen).sum(2), (by & ~unseen).sum(2)

    @cached_property
    def room(self) -> Int64[np.ndarray, "n q"]:
        """How many of the hidden cards lie in each cell."""
        turn, rules = self.turn, self.turn.rules
        opened = self.public.chien_open
        seen = turn.played | turn.face_up if rules.players == 2 else turn.played
        gone = cardsets.count(seen & ~self.beside[:, None])
        hands = rules.hand_size - gone.astype(np.int64)
        if rules.dead_hand:
            hands[self.rows, turn.dealer] = 0
        unseen, trumps = self.aside
        part = rules.chien_size // self.owners.shape[1]
        takes = opened & ((turn.split >= 0) | (not rules.in_partnerships))
        for column, owner in enumerate(self.owners.T):
            more = part * takes - unseen[:, column] - trumps[:, column]
            hands[self.rows, owner] += np.where(owner >= 0, more, 0)
        hands[:, 0] = 0
        halves = 2 if rules.in_partnerships else 1
        chien = np.where(opened, 0, rules.chien_size // halves)[:, None].repeat(halves, 1)
        ecarts = np.where(self.owners == 0, 0, unseen)
        beside = (turn.beside < 0).sum(1, keepdims=True)
        return np.concatenate([hands, chien, ecarts, beside], 1)

    @property
    def chien(self) -> slice:
        """The cells of a chien that lies face down."""
        start = self.turn.rules.hands
        return slice(start, start + 1 + self.turn.rules.in_partnerships)

    @property
    def ecarts(self) -> slice:
        """The cells of the écarts."""
        return slice(self.chien.stop, self.chien.stop + self.public.ecart.shape[1])

    @cached_property
    def known(self) -> UInt64[np.ndarray, "n a 2"]:
        """Cards that have been in each hand: those played, and the viewer's own.

        The trumps that an owner showed in its écart are left out: it has many others.
        """
        known = self.turn.played.copy()
        known[:, 0] |= self.turn.hand | self.turn.ecart
        return known

    # -- what each may hold

    @cached_property
    def takes(self) -> UInt64[np.ndarray, "n q 2"]:
        """Which of the hidden cards each cell may hold."""
        turn, public, rules = self.turn, self.public, self.turn.rules
        hands = hands_by_place(turn)
        barred = public_constraints.barred_by_words(public, self.rows, rules)
        barred = barred[self.rows[:, None], hands] | self._barred_by_play(hands)
        if rules.petit_sec == "imprenable":
            barred |= self.lone_petits.barred
        closed = np.where(public.chien_open[:, None], turn.chien, cardsets.EMPTY)
        cells = [
            ~barred,
            np.broadcast_to(cardsets.ALL_CARDS, (len(turn), 1 + rules.in_partnerships, 2)),
            public_constraints.allowed_in_ecarts(public, self.rows, rules),
            ~closed[:, None],
        ]
        takes = np.concatenate(cells, 1) & self.hidden[:, None]
        for place in range(rules.players if rules.poignee_thresholds else 0):
            takes[:, np.arange(takes.shape[1]) != place] &= ~turn.poignee_cards[:, None, place]
        if rules.calls_king:  # they may lie in the taker's écart too
            elsewhere = np.arange(takes.shape[1]) != self.owners
            elsewhere[:, self.ecarts] = False
            held = public_constraints.held_to_call(turn.called)
            takes &= ~cardsets.where(elsewhere, held[:, None])
        return takes

    def _barred_by_play(self, hands: Int64[np.ndarray, "n a"]) -> UInt64[np.ndarray, "n a 2"]:
        turn = self.turn
        if turn.rules.game in ("decouverte", "tirette"):
            barred = public_constraints.barred_by_play(self.public, self.rows, turn.rules)
            return barred[self.rows[:, None], hands]
        barred = cardsets.ABOVE.take(turn.trump_bound, axis=0)
        for kind in range(TRUMP + 1):
            barred |= cardsets.where(turn.void[..., kind], cardsets.SUIT[kind])
        return barred

    @cached_property
    def lone_petits(self) -> "LonePetits":
        """What play tells of hands whose petit nobody can take."""
        return LonePetits.of(self)

    # -- how likely

    @cached_property
    def kinds(self) -> UInt64[np.ndarray, "3 n 2"]:
        """Plain cards, trumps that may go into an écart too, and what never goes."""
        plain = np.repeat(cardsets.PLAIN[None], len(self.turn), 0)
        if self.turn.rules.may_discard_called_card is False:
            plain &= ~cardsets.BIT[self.turn.called]
        trumps = np.repeat(_MAY_GO[None], len(self.turn), 0)
        return np.stack([plain, trumps, cardsets.ALL_CARDS & ~plain & ~trumps])

    @cached_property
    def factor(self) -> Float64[np.ndarray, "n 2 q r"]:
        """One over the number of écarts that an owner could have made, by the room of its hand.

        Behind the plain cards, or behind the trumps that may go, the room that is left tells how
        many of them the hand holds.
        """
        (unseen, trumps), most = self.aside, int(self.room.max(initial=0)) + 1
        factor = np.ones((len(self.room), 2, self.room.shape[1], most))
        for column, owner in enumerate(self.owners.T):
            for kind, number in enumerate((unseen[:, column], trumps[:, column])):
                by_trumps = trumps[:, column] > 0
                rows = np.flatnonzero((owner > 0) & (number > 0) & (by_trumps == (kind == 1)))
                at, chosen = owner[rows], number[rows, None]
                had = self.turn.played[rows, at] & ~self.beside[rows] & self.kinds[kind, rows]
                held = np.maximum(self.room[rows, at][:, None] - np.arange(most), 0)
                number_of = cardsets.count(had)[:, None] + held + chosen
                factor[rows, kind, at] = 1 / _CHOICES[number_of, chosen]
        return factor

    @cached_property
    def problem(self) -> Problem:
        """The hidden cards as an allocation: plain ones first, then trumps that may go."""
        kind = np.full((len(self.turn), NUM_CARDS), -1)
        for number, cards in enumerate(self.kinds):
            kind[cardsets.to_mask(cards & self.hidden)[:, :NUM_CARDS]] = number
        order = np.argsort(-kind, axis=1, kind="stable").astype(np.int8)
        sizes = (kind >= 0).sum(1)
        cards = np.where(np.arange(NUM_CARDS) < sizes[:, None], order, np.int8(-1))
        behind = np.stack([(kind > number).sum(1) for number in range(2)], 1)
        most = int(sizes.max(initial=0))
        return Problem(cards[:, :most], self.takes, self.room, behind, self.factor)


@dataclass(frozen=True)
class LonePetits:
    """Where a lone petit cannot be taken: what follows from a hand that did not follow with it.

    It may hold back the petit, or play it to a suit that it could follow, only if it has no other
    trump and no Excuse.
    """

    barred: UInt64[np.ndarray, "n a 2"]
    petit_led_to: UInt64[np.ndarray, "n a 2"]
    """A suit to which the petit was played; who holds more of it has no trump and no Excuse."""
    did_not_trump: Bool[np.ndarray, "n a"]
    """Hands that hold no Excuse if they hold the petit."""

    @classmethod
    def of(cls, cells: Cells) -> "LonePetits":
        """Goes through all cards played."""
        turn, public, rows = cells.turn, cells.public, cells.rows
        suit = np.zeros_like(public.played)
        refused = np.zeros(suit.shape[:2], bool)
        alone = np.zeros_like(refused)
        for seat, card, led, _best in public_constraints.plays(public, rows, turn.rules):
            kind = KIND[card]
            off_suit = (led != ANY) & (kind != ANY) & (kind != led)
            is_petit = card == PETIT_ID
            alone[rows, seat] |= cardsets.contains(suit[rows, seat], card)
            alone[rows, seat] |= is_petit & refused[rows, seat]
            refused[rows, seat] |= off_suit & (kind != TRUMP)
            suit[rows, seat] |= cardsets.where(off_suit & is_petit, cardsets.SUIT[led])
        others = public.played & _TRUMPS_AND_EXCUSE & ~cardsets.PETIT
        many = ~cardsets.is_empty(others)
        barred = cardsets.where(alone, _TRUMPS_AND_EXCUSE)
        barred |= cardsets.where(many, suit) | cardsets.where(many & refused, cardsets.PETIT)
        hands = rows[:, None], hands_by_place(turn)
        return cls(barred[hands], suit[hands], refused[hands])

    def take(self, rows: Int64[np.ndarray, " m"]) -> "LonePetits":
        """The named rows."""
        return LonePetits(self.barred[rows], self.petit_led_to[rows], self.did_not_trump[rows])

    def allow(self, hands: UInt64[np.ndarray, "n w a 2"]) -> Bool[np.ndarray, "n w"]:
        """Whether hands that were drawn within the bars can have been played like that."""
        trumps = hands & _TRUMPS_AND_EXCUSE
        follows = ~cardsets.is_empty(hands & self.petit_led_to[:, None])
        wrong = follows & ~cardsets.is_empty(trumps)
        both = cardsets.PETIT | cardsets.EXCUSE
        wrong |= ((hands & both) == both).all(-1) & self.did_not_trump[:, None]
        return ~wrong.any(2)
