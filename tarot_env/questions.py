"""Questions that only one seat hears, at tables whose cards are known: who was asked what.

A deal is told by its public events. Between them seats were asked unheard, where their cards called
for it: about a redeal, a misère, a poignée, and trumps to keep out of it. What they must have been
asked they declined, unless the public heard otherwise; a question that may be open still is.
"""

from dataclasses import dataclass, field, replace

import numpy as np
from jaxtyping import Bool, Int, Int64, Integer, UInt64

from tarot_env import cardsets
from tarot_env.actions import MISERE, PASS, POIGNEE, TRIPLE_POIGNEE, Phase
from tarot_env.cards import NUM_CARDS
from tarot_env.inference import owners
from tarot_env.phases import announcements, auction
from tarot_env.rules import Rules
from tarot_env.seating import SEATINGS
from tarot_env.state import State

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
    state: State,
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
    rows = np.flatnonzero((state.phase >= Phase.MISERE) & (state.phase < Phase.OVER))
    if rules.petit_sec == "imprenable":
        announcements.note_imprenable(replace(state, hands=state.hands | state.played), rows)
    if (rules.poignee_thresholds is not None) and len(rows):
        first = _FirstCards(state, rules, viewers, acting)
        first.settle(rows)
        first.tell(rows, unheard)
    _write_log(state, unheard)


def _redeals(
    state: State,
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


class _FirstCards:
    """Misères and poignées, asked of each seat before its first card or before the first trick."""

    def __init__(
        self,
        state: State,
        rules: Rules,
        viewers: Integer[np.ndarray, " n"],
        acting: Bool[np.ndarray, " n"],
    ) -> None:
        self.state, self.rules, self.viewers, self.acting = state, rules, viewers, acting
        every, seats = np.arange(len(viewers)), range(rules.players)
        held = state.hands | state.played
        probes = [replace(state, hands=held, seat=np.full(len(every), seat)) for seat in seats]
        none = np.zeros(len(every), bool)
        misere = [announcements.misere_kind(p, every) > 0 if rules.misere else none for p in probes]
        shows = [announcements.can_show(probe, every, rules) for probe in probes]
        self.eligible = np.stack(
            [announcements.eligible_cards(probe, every, rules) for probe in probes], 1
        )
        position = SEATINGS[rules.game_name].position[state.dealer]
        self.opening = _opening(state, every, rules)
        led = self.opening < state.history_size
        first = state.history[every, np.minimum(self.opening, state.history.shape[1] - 1), 0]
        leader = np.where(led, first, state.leader).astype(np.int64)
        leads = np.take_along_axis(position, leader[:, None], 1)
        self.place = (position - leads) % rules.cards_per_trick
        self.own = np.arange(rules.players) == viewers[:, None]
        level = state.poignee_level
        sits = position >= 0
        self.misere_open = np.stack(misere, 1) & sits & (state.misere == 0) & (level == 0)
        self.poignee_open = np.stack(shows, 1) & sits & (level == 0)
        self.misere_declined = np.stack(misere, 1) & sits & (state.misere == 0)

    def settle(self, rows: Int[np.ndarray, " m"]) -> None:
        """Finds out who is past its questions, and puts tables to an open one."""
        state, acting = self.state, self.acting
        phase, every = state.phase.copy(), np.arange(len(acting))
        plays = acting & (phase == Phase.PLAY)
        if self.rules.poignee_window == "own_first_card":
            self.done = ~np.all(state.played == 0, axis=2) | (self.own & plays[:, None])
            at = state.seat.astype(np.int64)
            is_open = ~acting & ~self.done[every, at]
        else:
            opened = (state.trick_number > 0) | (state.trick_size > 0)
            waits = ~acting & ~opened & (state.leader == self.viewers)
            answered = (state.misere > 0) | (state.poignee_level > 0)
            heard = np.where(answered, self.place, -1).max(1, keepdims=True)
            may = (self.misere_open | self.poignee_open) & ~self.own & (self.place >= heard)
            at = np.where(may, self.place, -1).argmax(1)
            is_open = waits & may.any(1)
            asked = np.where(is_open, at, self.viewers)
            before = self.place < np.take_along_axis(self.place, asked[:, None], 1)
            in_secret = is_open | (acting & ~plays & ~opened)
            self.done = np.where(in_secret[:, None], before, True)
        is_open &= np.isin(every, rows)
        question = np.where(self.poignee_open[every, at], np.int8(Phase.POIGNEE), phase)
        question = np.where(self.misere_open[every, at], np.int8(Phase.MISERE), question)
        state.phase[is_open] = question[is_open]
        state.seat[is_open] = at[is_open]
        passed = np.isin(phase, (Phase.POIGNEE, Phase.WITHHOLD)) & acting
        passed = self.done | (state.poignee_level > 0) | (self.own & passed[:, None])
        self.misere_declined &= passed
        self.poignee_declined = self.poignee_open & self.done

    # -- the log

    def tell(self, rows: Int[np.ndarray, " m"], unheard: _Unheard) -> None:
        """What was declined and withheld, each before or behind a public event."""
        state = self.state
        for seat in range(self.rules.players):
            for declined, number in ((self.misere_declined, 0), (self.poignee_declined, 1)):
                at = rows[declined[rows, seat]]
                if len(at):
                    event = self._declined_before(at, seat, is_misere=number == 0)
                    place = event * _STEP + 2 * self.place[at, seat] + number
                    unheard.add(at, place, np.full(len(at), seat), PASS)
            at = rows[state.poignee_level[rows, seat] > 0]
            if len(at):
                self._withheld(at, seat, unheard)
        at = rows[(state.phase[rows] == Phase.WITHHOLD)]
        if len(at):
            seats = state.seat[at]
            place = state.history_size[at].astype(np.int64) * _STEP + _MIDDLE
            unheard.add(at, place, seats, state.poignee_declared[at].astype(np.int64) + POIGNEE - 1)
            self._put_withheld(at, place, seats, unheard)

    def _declined_before(
        self, at: Int[np.ndarray, " m"], seat: int, *, is_misere: bool
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
            later = np.take_along_axis(self.place[at], by, 1) > self.place[at, seat, None]
            before = is_play | ((shows | (said == MISERE)) & later)
        if is_misere:
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


def _opening(state: State, rows: Int[np.ndarray, " m"], rules: Rules) -> Int64[np.ndarray, " m"]:
    """Which public event is the first card played; as many as there are where none was."""
    number = state.trick_number[rows].astype(np.int64) * rules.cards_per_trick
    number += state.trick_size[rows]
    said = state.history[rows, :, 1]
    is_card = (said >= 0) & (said < NUM_CARDS)
    played = is_card & (is_card[:, ::-1].cumsum(1)[:, ::-1] <= number[:, None])
    return np.where(number > 0, played.argmax(1), state.history_size[rows]).astype(np.int64)


def _write_log(state: State, unheard: _Unheard) -> None:
    """The public events, with the cards that were set aside in them, and the others between."""
    sizes = state.history_size.astype(np.int64)
    state.log[...] = -1
    state.log[:, : state.history.shape[1]] = state.history
    for column, owner in enumerate(owners(state, np.arange(len(sizes)))):
        unseen = (state.history[..., 1] < 0) & (state.history[..., 0] == owner[:, None])
        unseen &= (owner >= 0)[:, None]
        cards = cardsets.to_mask(state.ecart[:, column] & ~cardsets.TRUMPS)
        state.log[(*np.nonzero(unseen), 1)] = np.nonzero(cards)[1]
    state.log_size[...] = sizes
    if not unheard.parts:
        return
    rows, place, seats, actions = (np.concatenate(part) for part in zip(*unheard.parts, strict=True))
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
