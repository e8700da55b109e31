"""Questions that only one seat hears, at tables whose cards are known: who was asked what.

A deal is told by its public events. Between them seats were asked unheard, where their cards called
for it: about a redeal, a misère, a poignée, and trumps to keep out of it. What they must have been
asked they declined, unless the public heard otherwise; a question that may be open still is.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jaxtyping import Bool, Int, Int64, Integer, UInt64

from tarot_env.beliefs.public_constraints import owners
from tarot_env.cards import NUM_CARDS, cardsets
from tarot_env.cards.actions import MISERE, PASS, POIGNEE, TRIPLE_POIGNEE, Phase
from tarot_env.core.bits import as_words
from tarot_env.core.compiling import loop
from tarot_env.core.events import BOTH, FACE_DOWN, PRIVATE, PUBLIC
from tarot_env.core.seating import SEATINGS
from tarot_env.core.state import Columns, rules_record, take_records
from tarot_env.phases import misere, phase_order, poignee, redeal

_STEP, _MIDDLE = 4096, 2048
"""Places in a log from one public event to the next; the event itself stands in the middle."""


@dataclass
class _Unheard:
    """What is to be put between the public events: rows, places in the log, events."""

    parts: list[tuple[np.ndarray, ...]] = field(default_factory=list)

    def add(
        self,
        rows: Int[np.ndarray, " m"],
        place: Int[np.ndarray, " m"],
        seats: Integer[np.ndarray, " m"],
        actions: Integer[np.ndarray, " m"] | int,
    ) -> None:
        """Each event with its place, counted in `_STEP` from the first public event."""
        if len(rows):
            self.parts.append((rows, place, _event(PRIVATE, seats, actions)))


def _event(
    kind: int, seats: Integer[np.ndarray, " m"], actions: Integer[np.ndarray, " m"] | int
) -> Int[np.ndarray, " m"]:
    return kind << 12 | seats.astype(np.int64) << 8 | np.asarray(actions, np.int64)


@loop
def _redeal_reasons_all(tables: Any, rules: Any, reasons: Any) -> None:
    for i in range(len(tables)):
        for question in range(reasons.shape[1]):
            reasons[i, question] = redeal.has_reason(tables[i], rules[0], question)


@loop
def _note_imprenable_all(tables: Any, rules: Any) -> None:
    for i in range(len(tables)):
        phase_order.note_imprenable(tables[i], rules[0])


@loop
def _questions_all(tables: Any, rules: Any, eligible: Any, shows: Any, miseres: Any) -> None:
    """By seat: cards for a poignée (of the rest), whether there is one, whether a misère."""
    for i in range(len(tables)):
        t = tables[i]
        for seat in range(rules[0].players):
            eligible[i, seat] = poignee.eligible(t, rules[0], seat)
            shows[i, seat] = (
                poignee.num_showable(t, rules[0], seat) >= rules[0].poignee_thresholds[1]
            )
            kind = misere.kind_of(t.hands[seat, 0], t.hands[seat, 1])
            miseres[i, seat] = rules[0].misere != 0 and kind > 0


def _holding(state: Columns, hands: UInt64[np.ndarray, "n a 2"]) -> np.ndarray:
    """Copies of the tables with other hands, as records."""
    records = take_records(state.records, slice(None))
    as_words(records["hands"])[:, : hands.shape[1]] = hands
    return records


def settle_questions(
    state: Columns,
    viewers: Integer[np.ndarray, " n"],
    acting: Bool[np.ndarray, " n"],
    dealt: UInt64[np.ndarray, "n a 2"],
) -> None:
    """Puts tables to where they are waiting, and writes their log.

    Args:
        state: phase and seat as the viewers see them; the rest is true.
        viewers: absolute seats.
        acting: whether the viewer is asked at this point.
        dealt: hands before the chien.
    """
    unheard, rules = _Unheard(), state.rules
    heard = _Heard(state)
    if rules.asks_for_redeals:
        _redeals(state, heard, viewers, acting, dealt, unheard)
    held = _holding(state, state.hands | state.played)
    if rules.petit_sec == "imprenable":
        _note_imprenable_all(held, rules_record(rules))
        state.imprenable[...] = np.where(_plays(state), held["imprenable"], np.int8(-1))
    if rules.poignee_thresholds is not None:
        first = _FirstCards(state, heard, held, viewers, acting)
        first.settle()
        first.tell(unheard)
    _write_log(state, heard, unheard)


class _Heard:
    """The public events of tables, listed once: [n, h] each."""

    def __init__(self, state: Columns) -> None:
        self.events, sizes = state.public_events()
        self.sizes = sizes.astype(np.int64)
        self.seats, self.actions = self.events[..., 0], self.events[..., 1]


def _redeals(
    state: Columns,
    heard: _Heard,
    viewers: Integer[np.ndarray, " n"],
    acting: Bool[np.ndarray, " n"],
    dealt: UInt64[np.ndarray, "n a 2"],
    unheard: _Unheard,
) -> None:
    """Redeals declined before the first bid; all, or those before the question that is open."""
    order = SEATINGS[state.rules.game_name].speakers[state.dealer]
    reasons = np.empty((len(viewers), 2 * order.shape[1]), np.bool_)
    _redeal_reasons_all(_holding(state, dealt), rules_record(state.rules), reasons)
    reasons &= ~state.forced[:, None]
    own = reasons & np.tile(order == viewers[:, None], 2)
    others, last = reasons & ~own, reasons.shape[1] - 1
    waits = ~acting & (heard.sizes == 0) & (state.seat == viewers) & others.any(1)
    asked = np.where(waits, last - others[:, ::-1].argmax(1), last + 1)
    asked = np.where(acting & (state.phase == Phase.PETIT_SEC), own.argmax(1), asked)
    state.phase[waits] = Phase.PETIT_SEC
    state.seat[waits] = order[waits, asked[waits] % order.shape[1]]
    at, number = np.nonzero(reasons & (np.arange(last + 1) < asked[:, None]))
    unheard.add(at, number, order[at, number % order.shape[1]], PASS)


def _plays(state: Columns) -> Bool[np.ndarray, " n"]:
    """Tables at which cards are played, or asked for in what comes before a first card."""
    plays: np.ndarray = (state.phase >= Phase.MISERE) & (state.phase < Phase.OVER)
    return plays


class _FirstCards:
    """Misères and poignées, asked of each seat before its first card or before the first trick.

    Arrays are [n, p]: by seat, absolute.
    """

    def __init__(
        self,
        state: Columns,
        heard: _Heard,
        held: np.ndarray,
        viewers: Integer[np.ndarray, " n"],
        acting: Bool[np.ndarray, " n"],
    ) -> None:
        self.state, self.heard, self.viewers, self.acting = state, heard, viewers, acting
        self.rules = rules = state.rules
        every, shape = np.arange(len(viewers)), (len(viewers), rules.players)
        self.eligible = np.empty(shape, np.int64)
        shows, misere = np.empty(shape, np.bool_), np.empty(shape, np.bool_)
        _questions_all(held, rules_record(rules), self.eligible, shows, misere)

        position = SEATINGS[rules.game_name].position[state.dealer]
        self.opening = _opening(state, heard)
        led = self.opening < heard.sizes
        opener = heard.seats[every, np.minimum(self.opening, heard.seats.shape[1] - 1)]
        leader = np.where(led, opener, state.leader).astype(np.int64)
        self.rank = (position - position[every, leader][:, None]) % rules.cards_per_trick
        """Who is asked how soon, from the first leader."""
        self.own = np.arange(rules.players) == viewers[:, None]
        asked = _plays(state)[:, None] & (position >= 0)
        self.misere_open = misere & asked & (state.misere == 0)
        self.poignee_open = shows & asked & (state.poignee_level == 0)

    def settle(self) -> None:
        """Puts tables to an open question, and finds those that were declined."""
        state, acting, phase = self.state, self.acting, self.state.phase.copy()
        plays, shown = acting & (phase == Phase.PLAY), state.poignee_level > 0
        misere_open = self.misere_open & ~shown
        if self.rules.poignee_window == "own_first_card":
            done = (state.played != 0).any(2) | (self.own & plays[:, None])
            at = state.seat.astype(np.int64)
            is_open = ~acting & ~np.take_along_axis(done, at[:, None], 1)[:, 0]
        else:
            opened = (state.trick_number > 0) | (state.trick_size > 0)
            answered = np.where((state.misere > 0) | shown, self.rank, -1).max(1, keepdims=True)
            may = (misere_open | self.poignee_open) & ~self.own & (self.rank >= answered)
            at = np.where(may, self.rank, -1).argmax(1)
            is_open = ~acting & ~opened & (state.leader == self.viewers) & may.any(1)
            asked = np.where(is_open, at, self.viewers)
            earlier = self.rank < np.take_along_axis(self.rank, asked[:, None], 1)
            done = earlier | ~(is_open | (acting & ~plays & ~opened))[:, None]
        rows = np.flatnonzero(is_open & _plays(state))
        seats = at[rows]
        question = np.where(self.poignee_open[rows, seats], np.int8(Phase.POIGNEE), phase[rows])
        question = np.where(misere_open[rows, seats], np.int8(Phase.MISERE), question)
        state.phase[rows], state.seat[rows] = question, seats
        passed = acting & np.isin(phase, (Phase.POIGNEE, Phase.WITHHOLD))
        passed = done | shown | (self.own & passed[:, None])
        self.declined = {
            Phase.MISERE: self.misere_open & passed,
            Phase.POIGNEE: self.poignee_open & done,
        }

    # -- the log

    def tell(self, unheard: _Unheard) -> None:
        """What was declined and withheld, each before or behind a public event."""
        state = self.state
        for seat in range(self.rules.players):
            for phase, declined in self.declined.items():
                at = np.flatnonzero(declined[:, seat])
                if len(at):
                    event = self._declined_before(at, seat, phase)
                    place = event * _STEP + 2 * self.rank[at, seat] + (phase == Phase.POIGNEE)
                    unheard.add(at, place, np.full(len(at), seat), PASS)
            at = np.flatnonzero(state.poignee_level[:, seat] > 0)
            if len(at):
                self._withheld(at, seat, unheard)
        at = np.flatnonzero(state.phase == Phase.WITHHOLD)
        if len(at):
            place = self.heard.sizes[at] * _STEP + _MIDDLE
            named = state.poignee_declared[at].astype(np.int64) + POIGNEE - 1
            unheard.add(at, place, state.seat[at], named)
            self._put_withheld(at, place, state.seat[at], unheard)

    def _declined_before(
        self, at: Int[np.ndarray, " m"], seat: int, phase: Phase
    ) -> Int64[np.ndarray, " m"]:
        """The public event that a seat's declined question comes right before."""
        heard = self.heard
        by, said = heard.seats[at].astype(np.int64), heard.actions[at].astype(np.int64)
        number = np.arange(by.shape[1])
        is_play = number >= self.opening[at, None]
        shows = (said >= POIGNEE) & (said <= TRIPLE_POIGNEE)
        if self.rules.poignee_window == "own_first_card":
            before = is_play & (by == seat) & (said < NUM_CARDS)
        else:
            later = np.take_along_axis(self.rank[at], by, 1) > self.rank[at, seat, None]
            before = is_play | ((shows | (said == MISERE)) & later)
        if phase == Phase.MISERE:
            before |= shows & (by == seat)
        before &= number < heard.sizes[at, None]
        return np.where(before.any(1), before.argmax(1), heard.sizes[at]).astype(np.int64)

    def _withheld(self, at: Int[np.ndarray, " m"], seat: int, unheard: _Unheard) -> None:
        """Cards kept out of a poignée that was shown; where more could be shown, then a pass."""
        state, records = self.state, self.state.records
        by, said = self.heard.seats[at], self.heard.actions[at]
        event = ((by == seat) & (said >= POIGNEE) & (said <= TRIPLE_POIGNEE)).argmax(1)
        place = event * _STEP + _MIDDLE + 1
        shown = self.eligible[at, seat] & records["poignee_cards"][at, seat]
        records["withheld"][at, seat] = self.eligible[at, seat] & ~shown
        seats = np.full(len(at), seat)
        self._put_withheld(at, place, seats, unheard)
        threshold = np.array((0, *self.rules.thresholds))[state.poignee_level[at, seat]]
        more = np.bitwise_count(shown) > threshold
        unheard.add(at[more], place[more] + NUM_CARDS, seats[more], PASS)

    def _put_withheld(
        self,
        at: Int[np.ndarray, " m"],
        place: Int64[np.ndarray, " m"],
        seats: Integer[np.ndarray, " m"],
        unheard: _Unheard,
    ) -> None:
        row, card = np.nonzero(cardsets.to_mask(self.state.withheld[at, seats])[:, :NUM_CARDS])
        unheard.add(at[row], place[row] + card + 1, seats[row], card)


def _opening(state: Columns, heard: _Heard) -> Int64[np.ndarray, " n"]:
    """Which public event is the first card played; as many as there are where none was."""
    number = state.trick_number.astype(np.int64) * state.rules.cards_per_trick + state.trick_size
    is_card = (heard.actions >= 0) & (heard.actions < NUM_CARDS)
    played = is_card & (is_card[:, ::-1].cumsum(1, np.int16)[:, ::-1] <= number[:, None])
    return np.where(number > 0, played.argmax(1), heard.sizes).astype(np.int64)


def _write_log(state: Columns, heard: _Heard, unheard: _Unheard) -> None:
    """The public events, with the cards that were set aside in them, and the others between."""
    by, said = heard.seats.astype(np.int64), heard.actions.astype(np.int64)
    is_event = np.arange(by.shape[1]) < heard.sizes[:, None]
    kind = np.where(said < 0, FACE_DOWN, BOTH)
    for column, owner in enumerate(owners(state, np.arange(len(by)))):
        unseen = is_event & (heard.actions < 0) & (by == owner[:, None]) & (owner >= 0)[:, None]
        cards = cardsets.to_mask(state.ecart[:, column] & ~cardsets.TRUMPS)
        said[unseen] = np.flatnonzero(cards) % cards.shape[1]
    shows = is_event & (said >= POIGNEE) & (said <= TRIPLE_POIGNEE)
    at, number = np.nonzero(shows)  # named by the seat, and shown when all is withheld
    news = at, number * _STEP + _MIDDLE + NUM_CARDS + 2, _event(PUBLIC, by[at, number], said[shows])
    kind[shows] = PRIVATE
    codes = kind << 12 | by << 8 | said
    state.events[:, : codes.shape[1]] = np.where(is_event, codes, 0)
    parts = [*unheard.parts, *([news] if len(at) else [])]
    if not parts:
        return
    rows, place, events = (np.concatenate(part) for part in zip(*parts, strict=True))
    told = np.unique(rows)
    at, number = np.nonzero(is_event[told])
    row = np.concatenate([told[at], rows])
    place = np.concatenate([number * _STEP + _MIDDLE, place])
    order = np.lexsort((place, row))
    row = row[order]
    first = np.searchsorted(row, told)
    state.num_events[told] = np.diff(np.append(first, len(row)))
    column = np.arange(len(row)) - first[np.searchsorted(told, row)]
    state.events[row, column] = np.concatenate([codes[told[at], number], events])[order]
