"""Questions that only one seat hears, at tables whose cards are known: who was asked what.

A deal is told by its public events. Between them seats were asked unheard, where their cards called
for it: about a redeal, a misère, a poignée, and trumps to keep out of it. What they must have been
asked they declined, unless the public heard otherwise; a question that may be open still is.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
from jaxtyping import Bool, Int, Int64, Integer, UInt64

from tarot_env.beliefs.public_constraints import owners
from tarot_env.cards import NUM_CARDS, cardsets
from tarot_env.cards.actions import MISERE, PASS, POIGNEE, TRIPLE_POIGNEE, Phase
from tarot_env.core.seating import SEATINGS
from tarot_env.core.state import Columns
from tarot_env.phases import redeal
from tarot_env.rules import Rules

_STEP, _MIDDLE = 4096, 2048
"""Places in a log from one public event to the next; the event itself stands in the middle."""


@dataclass
class _Unheard:
    """What is to be put between the public events: rows, places in the log, seats, actions."""

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
            actions = np.broadcast_to(actions, rows.shape)
            self.parts.append((rows, place, seats.astype(np.int64), actions.astype(np.int64)))


def settle_questions(
    state: Columns,
    rules: Rules,
    viewers: Integer[np.ndarray, " n"],
    acting: Bool[np.ndarray, " n"],
    dealt: UInt64[np.ndarray, "n a 2"],
) -> None:
    """Puts tables to where they are waiting, and writes their log.

    Args:
        state: phase and seat as the viewers see them; the rest is true.
        rules: what is played.
        viewers: absolute seats.
        acting: whether the viewer is asked at this point.
        dealt: hands before the chien.
    """
    unheard = _Unheard()
    if rules.asks_for_redeals:
        _redeals(state, rules, viewers, acting, dealt, unheard)
    if rules.petit_sec == "imprenable":
        rows = np.flatnonzero(_plays(state))
        announcements.note_imprenable(replace(state, hands=state.hands | state.played), rows)
    if rules.poignee_thresholds is not None:
        first = _FirstCards(state, rules, viewers, acting)
        first.settle()
        first.tell(unheard)
    _write_log(state, unheard)


def _redeals(
    state: Columns,
    rules: Rules,
    viewers: Integer[np.ndarray, " n"],
    acting: Bool[np.ndarray, " n"],
    dealt: UInt64[np.ndarray, "n a 2"],
    unheard: _Unheard,
) -> None:
    """Redeals declined before the first bid; all, or those before the question that is open."""
    rows = np.arange(len(viewers))
    order, reasons = auction.redeal_reasons(replace(state, hands=dealt), rows, rules)
    reasons &= ~state.forced[:, None]
    own = reasons & np.tile(order == viewers[:, None], 2)
    others, last = reasons & ~own, reasons.shape[1] - 1
    waits = ~acting & (state.history_size == 0) & (state.seat == viewers) & others.any(1)
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
        rules: Rules,
        viewers: Integer[np.ndarray, " n"],
        acting: Bool[np.ndarray, " n"],
    ) -> None:
        self.state, self.rules, self.viewers, self.acting = state, rules, viewers, acting
        every, seats = np.arange(len(viewers)), range(rules.players)
        held = state.hands | state.played
        probes = [
            replace(state, hands=held, seat=np.full(len(every), seat, np.int8)) for seat in seats
        ]
        self.eligible = _by_seat(announcements.eligible_cards(p, every, rules) for p in probes)
        shows = _by_seat(announcements.can_show(p, every, rules) for p in probes)
        misere = np.zeros_like(shows)
        if rules.misere:
            misere = _by_seat(announcements.misere_kind(p, every) > 0 for p in probes)

        position = SEATINGS[rules.game_name].position[state.dealer]
        self.opening = _opening(state, rules)
        led = self.opening < state.history_size
        opener = state.history[every, np.minimum(self.opening, state.history.shape[1] - 1), 0]
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
            place = state.history_size[at].astype(np.int64) * _STEP + _MIDDLE
            named = state.poignee_declared[at].astype(np.int64) + POIGNEE - 1
            unheard.add(at, place, state.seat[at], named)
            self._put_withheld(at, place, state.seat[at], unheard)

    def _declined_before(
        self, at: Int[np.ndarray, " m"], seat: int, phase: Phase
    ) -> Int64[np.ndarray, " m"]:
        """The public event that a seat's declined question comes right before."""
        state = self.state
        by, said = (state.history[at, :, column].astype(np.int64) for column in range(2))
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
        before &= number < state.history_size[at, None]
        return np.where(before.any(1), before.argmax(1), state.history_size[at]).astype(np.int64)

    def _withheld(self, at: Int[np.ndarray, " m"], seat: int, unheard: _Unheard) -> None:
        """Cards kept out of a poignée that was shown; where more could be shown, then a pass."""
        state = self.state
        by, said = (state.history[at, :, column] for column in range(2))
        event = ((by == seat) & (said >= POIGNEE) & (said <= TRIPLE_POIGNEE)).argmax(1)
        place = event * _STEP + _MIDDLE + 1
        shown = self.eligible[at, seat] & state.poignee_cards[at, seat]
        state.withheld[at, seat] = self.eligible[at, seat] & ~shown
        seats = np.full(len(at), seat)
        self._put_withheld(at, place, seats, unheard)
        threshold = np.array((0, *self.rules.thresholds))[state.poignee_level[at, seat]]
        more = cardsets.count(shown) > threshold
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


def _by_seat(arrays: Iterable[np.ndarray]) -> np.ndarray:
    """One array for each seat, as a second axis."""
    return np.stack(list(arrays), 1)


def _opening(state: Columns, rules: Rules) -> Int64[np.ndarray, " n"]:
    """Which public event is the first card played; as many as there are where none was."""
    number = state.trick_number.astype(np.int64) * rules.cards_per_trick + state.trick_size
    said = state.history[..., 1]
    is_card = (said >= 0) & (said < NUM_CARDS)
    played = is_card & (is_card[:, ::-1].cumsum(1, np.int16)[:, ::-1] <= number[:, None])
    return np.where(number > 0, played.argmax(1), state.history_size).astype(np.int64)


def _write_log(state: Columns, unheard: _Unheard) -> None:
    """The public events, with the cards that were set aside in them, and the others between."""
    sizes = state.history_size.astype(np.int64)
    state.log[...] = -1
    state.log[:, : state.history.shape[1]] = state.history
    for column, owner in enumerate(owners(state, np.arange(len(sizes)))):
        unseen = (state.history[..., 1] < 0) & (state.history[..., 0] == owner[:, None])
        unseen &= (owner >= 0)[:, None]
        cards = cardsets.to_mask(state.ecart[:, column] & ~cardsets.TRUMPS)
        state.log[:, : unseen.shape[1], 1][unseen] = np.flatnonzero(cards) % cards.shape[1]
    state.log_size[...] = sizes
    if not unheard.parts:
        return
    rows, place, seats, actions = (
        np.concatenate(part) for part in zip(*unheard.parts, strict=True)
    )
    told = np.unique(rows)
    at, number = np.nonzero(np.arange(int(sizes.max())) < sizes[told, None])
    row = np.concatenate([told[at], rows])
    place = np.concatenate([number * _STEP + _MIDDLE, place])
    events = np.concatenate([state.log[told[at], number], np.stack([seats, actions], 1)])
    order = np.lexsort((place, row))
    row = row[order]
    first = np.searchsorted(row, told)
    state.log_size[told] = np.diff(np.append(first, len(row)))
    state.log[row, np.arange(len(row)) - first[np.searchsorted(told, row)]] = events[order]
