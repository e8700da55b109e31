"""The same table with other hidden cards: what a seat cannot see is dealt again.

Made for tests: whatever is computed for the seat must not change. Cards change places in pairs,
each to a place that the public facts allow; then the deal is played again by the one engine, every
public event as it was, and the private choices of other seats drawn anew. So the new table is a
true table, whose log and record are sound.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int8, Int64, Integer, UInt64

from tarot_env import cardsets
from tarot_env.actions import PASS, POIGNEE, Bid, Phase
from tarot_env.cards import NUM_CARDS, NUM_SUITS
from tarot_env.dealing import Deal, petit_sec
from tarot_env.phases import announcements
from tarot_env.state import set_aside
from tarot_env.tables import Tables

_SWAPS = 150
"""Pairs of hidden cards tried; most may change places."""


def shuffle_hidden(
    tables: Tables,
    rows: Integer[np.ndarray, " n"],
    viewers: Integer[np.ndarray, " n"],
    rng: np.random.Generator,
) -> Tables:
    """New tables on which everything a viewer cannot see has been dealt again.

    Other hands, a face-down chien, the plain cards of another seat's écart, and what other seats
    chose in secret: withheld trumps, declined poignées, a poignée being put together. Everything
    public stays, and what it implies: voids, trump bounds, trumps shown, kings and oudlers of a
    chien that was turned up, no second deal thrown in for a petit sec.

    Args:
        tables: the tables.
        rows: which of them; new table i is row `rows[i]` as `viewers[i]` could imagine it.
        viewers: the absolute seat that each is seen from.
        rng: draws the new places.

    Returns:
        Tables whose `turn(range(n), viewers)` equals that of the old ones.
    """
    rows, viewers = np.asarray(rows, np.int64), np.asarray(viewers, np.int64)
    rules = tables.rules
    if not len(rows):
        return Tables.from_deals(rules, [])
    places = _Places.of(tables, rows, viewers)
    true_place = places.place.copy()
    was_void = petit_sec(_dealt(tables, rows, *places.sets()[:2]), rules).any(1)
    places.shuffle(rng)
    if rules.petit_sec == "mandatory":
        is_void = petit_sec(_dealt(tables, rows, *places.sets()[:2]), rules).any(1)
        places.place[is_void != was_void] = true_place[is_void != was_void]
    hands, ecart, chien = places.sets()
    dealt = _dealt(tables, rows, hands, ecart)
    script = _Script.of(tables, rows, viewers, ecart & ~cardsets.TRUMPS, rng)
    deals = [
        _deal(tables, int(row), hand, stack)
        for row, hand, stack in zip(rows, dealt, chien, strict=True)
    ]
    return _play_again(Tables.from_deals(rules, deals), script, rng)


# -- where each card lies


@dataclass
class _Places:
    """Where each card lies: 0..P-1 hands, P a face-down chien, P+1 the écart, P+2 in the open."""

    players: int
    place: Int8[np.ndarray, "n 78"]
    movable: Bool[np.ndarray, "n 78"]
    allowed: Bool[np.ndarray, "n q 78"]

    @classmethod
    def of(
        cls, tables: Tables, rows: Int64[np.ndarray, " n"], viewers: Int64[np.ndarray, " n"]
    ) -> "_Places":
        state, players = tables.state, tables.rules.players
        place = np.full((len(rows), NUM_CARDS), players + 2, np.int8)
        for seat in range(players):
            place[_mask(state.hands[rows, seat])] = seat
        place[_mask(set_aside(state, rows))] = players + 1
        turned_up = state.chien_open[rows]
        place[_mask(state.chien[rows]) & ~turned_up[:, None]] = players

        is_taker = viewers == state.taker[rows]
        own = place == viewers[:, None]
        shown = _mask(set_aside(state, rows) & cardsets.TRUMPS)
        movable = (place <= players + 1) & ~own & ~shown
        movable &= ~((place == players + 1) & is_taker[:, None])
        movable &= ~_frozen(tables, rows)
        return cls(players, place, movable, _allowed(tables, rows, turned_up))

    def shuffle(self, rng: np.random.Generator) -> None:
        """Swaps pairs of cards where both may lie in the other's place."""
        every = np.arange(len(self.place))
        cards = np.argsort(~self.movable, axis=1, kind="stable")
        number = self.movable.sum(1)
        for _ in range(_SWAPS):
            first, second = cards[every, (rng.random((2, len(every))) * number).astype(np.int64)]
            here, there = self.place[every, first], self.place[every, second]
            ok = (number > 0) & self._may(every, there, first) & self._may(every, here, second)
            self.place[every, first] = np.where(ok, there, here)
            self.place[every, second] = np.where(ok, here, there)

    def _may(self, every: np.ndarray, place: np.ndarray, card: np.ndarray) -> np.ndarray:
        return self.allowed[every, np.minimum(place, self.players + 1), card]

    def sets(
        self,
    ) -> tuple[UInt64[np.ndarray, "n p 2"], UInt64[np.ndarray, "n 2"], UInt64[np.ndarray, "n 2"]]:
        """Hands, écart, and the face-down chien (empty where it was turned up)."""
        by_place = [cardsets.from_mask(self.place == q) for q in range(self.players + 2)]
        return np.stack(by_place[: self.players], 1), by_place[-1], by_place[-2]


def _mask(cards: UInt64[np.ndarray, "n 2"]) -> Bool[np.ndarray, "n 78"]:
    return cardsets.to_mask(cards)[:, :NUM_CARDS]


def _frozen(tables: Tables, rows: Int64[np.ndarray, " n"]) -> Bool[np.ndarray, "n 78"]:
    """Hidden cards whose place everybody knows: trumps shown, and what made a petit sec."""
    state = tables.state
    shown = np.bitwise_or.reduce(state.poignee_cards[rows], axis=1)
    thrown_in = tables.is_over[rows] & (state.history_size[rows] == 0)
    trumps = np.where(thrown_in[:, None], cardsets.TRUMPS | cardsets.EXCUSE, cardsets.EMPTY)
    return _mask(shown | trumps)


def _allowed(
    tables: Tables, rows: Int64[np.ndarray, " n"], turned_up: Bool[np.ndarray, " n"]
) -> Bool[np.ndarray, "n q 78"]:
    """Which cards may lie in which place, for all that everybody knows."""
    state, players = tables.state, tables.rules.players
    allowed = np.ones((len(rows), players + 2, NUM_CARDS), bool)
    taker = state.taker[rows]
    chien = _mask(state.chien[rows]) & turned_up[:, None]
    forced_out = ~cardsets.is_empty(set_aside(state, rows) & cardsets.TRUMPS)
    for seat in range(players):
        barred = np.bitwise_or.reduce(
            np.where(state.void[rows, seat][..., None], cardsets.SUIT[: NUM_SUITS + 1], 0), axis=1
        )
        barred |= cardsets.ABOVE[state.trump_bound[rows, seat]]
        shown = state.poignee_cards[rows, seat]
        with_excuse = ~cardsets.is_empty(shown & cardsets.EXCUSE)
        barred |= np.where(with_excuse[:, None], cardsets.TRUMPS & ~shown, cardsets.EMPTY)
        mine = seat == taker
        barred |= np.where((mine & forced_out)[:, None], cardsets.PLAIN, cardsets.EMPTY)
        allowed[:, seat] = ~_mask(barred) & ~(chien & ~mine[:, None])
    allowed[:, players + 1] = _mask(cardsets.PLAIN[None])
    return allowed


# -- deals


def _dealt(
    tables: Tables,
    rows: Int64[np.ndarray, " n"],
    hands: UInt64[np.ndarray, "n p 2"],
    ecart: UInt64[np.ndarray, "n 2"],
) -> UInt64[np.ndarray, "n p 2"]:
    """Hands as dealt: cards played come back, the taker's écart too, and the chien leaves again."""
    state = tables.state
    dealt = hands | state.played[rows]
    took = np.flatnonzero(state.chien_open[rows] & (state.contract[rows] <= Bid.GARDE))
    taker = state.taker[rows[took]]
    dealt[took, taker] |= ecart[took]
    dealt[took, taker] &= ~state.chien[rows[took]]
    return dealt


def _deal(
    tables: Tables,
    row: int,
    hands: UInt64[np.ndarray, "p 2"],
    chien: UInt64[np.ndarray, "2"],
) -> Deal:
    state, rules = tables.state, tables.rules
    stack = [int(card) for card in state.pack[row, rules.players * rules.hand_size :]]
    face_down = cardsets.to_ids(chien)
    forced = (int(state.taker[row]), Bid(state.contract[row])) if state.forced[row] else None
    return Deal(
        tuple(tuple(cardsets.to_ids(hand)) for hand in hands),
        tuple(face_down or stack),
        int(state.dealer[row]),
        forced=forced,
    )


# -- playing it again


_STOP = -2
"""No action: the script of a table ends here."""


@dataclass
class _Script:
    """What happened at n tables: public events, the viewers' own actions, the new écarts."""

    viewers: Int64[np.ndarray, " n"]
    history: Int64[np.ndarray, "n h"]
    """Public actions in order, -1 for a card set aside, `_STOP` after the last."""
    own: Int64[np.ndarray, "n m"]
    """Every action of the viewer in order, `_STOP` after the last."""
    own_done: Int64[np.ndarray, " n"]
    ecarts: list[list[int]]
    """Plain cards that another seat sets aside."""
    shown: UInt64[np.ndarray, "n p 2"]
    """The trumps of poignées, by seat."""

    @classmethod
    def of(
        cls,
        tables: Tables,
        rows: Int64[np.ndarray, " n"],
        viewers: Int64[np.ndarray, " n"],
        ecarts: UInt64[np.ndarray, "n 2"],
        rng: np.random.Generator,
    ) -> "_Script":
        state = tables.state
        history = np.pad(state.history[rows, :, 1].astype(np.int64), ((0, 0), (0, 1)))
        ended = np.arange(history.shape[1]) >= state.history_size[rows, None]
        seats, actions = state.log[rows, :, 0], state.log[rows, :, 1].astype(np.int64)
        mine = seats == viewers[:, None]
        order = np.argsort(~mine, axis=1, kind="stable")
        own = np.take_along_axis(np.where(mine, actions, _STOP), order, axis=1)
        return cls(
            viewers,
            np.where(ended, _STOP, history),
            np.pad(own, ((0, 0), (0, 1)), constant_values=_STOP),
            np.zeros(len(rows), np.int64),
            [[int(card) for card in rng.permutation(cardsets.to_ids(cards))] for cards in ecarts],
            state.poignee_cards[rows],
        )

    def next_actions(
        self, tables: Tables, rows: Int64[np.ndarray, " m"], rng: np.random.Generator
    ) -> Int64[np.ndarray, " m"]:
        """The next action of each table, `_STOP` where its script ends."""
        state = tables.state
        phase = state.phase[rows]
        mine = state.seat[rows] == self.viewers[rows]
        event = self.history[rows, state.history_size[rows]]
        actions = np.where(mine, self.own[rows, self.own_done[rows]], event)
        self.own_done[rows[mine]] += 1
        asked = (phase == Phase.POIGNEE) | (phase == Phase.WITHHOLD)
        for at in np.flatnonzero(~mine & (asked | (event == -1))):
            row = int(rows[at])
            actions[at] = self._private_choice(tables, row, int(event[at]), rng)
        return actions

    def _private_choice(
        self, tables: Tables, row: int, event: int, rng: np.random.Generator
    ) -> int:
        """What another seat does unseen: a card set aside, an answer, a trump kept back."""
        phase, seat = tables.phase[row], tables.seat_to_act[row]
        if phase == Phase.DISCARD:
            return self.ecarts[row].pop()
        legal = tables.legal_sets()[row]
        if phase == Phase.POIGNEE:
            if event == _STOP:
                return _undecided(tables, row, legal, rng)
            return event if event >= POIGNEE else PASS
        if event == _STOP:
            return _kept_back(tables, row, cardsets.to_ids(legal), rng)
        return cardsets.to_ids(legal & ~self.shown[row, seat])[0]


def _play_again(tables: Tables, script: _Script, rng: np.random.Generator) -> Tables:
    """Plays every script to its end, in lockstep."""
    running = np.flatnonzero(~tables.is_over)
    while len(running):
        actions = script.next_actions(tables, running, rng)
        running, actions = running[actions != _STOP], actions[actions != _STOP]
        tables.step(actions, rows=running)
        running = running[~tables.is_over[running]]
    return tables


def _surplus(tables: Tables, row: int, level: int) -> int:
    """Trumps that the seat to act would have to withhold from a poignée."""
    trumps = announcements.legal_withhold(tables.state, np.array([row]), tables.rules)
    return int(cardsets.count(trumps)[0]) - tables.rules.poignee_thresholds[level - 1]


def _undecided(
    tables: Tables, row: int, legal: UInt64[np.ndarray, "2"], rng: np.random.Generator
) -> int:
    """What a seat has made of its question so far: nothing, no, or a poignée still in the hand."""
    secret = [
        action
        for action in cardsets.to_ids(legal)
        if action >= POIGNEE and _surplus(tables, row, action - POIGNEE + 1) > 0
    ]
    choices = [_STOP, PASS, *secret]
    return choices[rng.integers(len(choices))]


def _kept_back(tables: Tables, row: int, choices: list[int], rng: np.random.Generator) -> int:
    """A further trump kept back, while the poignée stays incomplete; or nothing yet."""
    left = _surplus(tables, row, int(tables.state.poignee_declared[row]))
    if left <= 1 or rng.random() < 0.5:
        return _STOP
    return choices[rng.integers(len(choices))]
