"""A deal told again: what happened at a table in public and what one seat did, played once more.

The cards may be others where that seat cannot see them. What other seats chose in secret is drawn
anew: the order of an écart, trumps kept back, questions declined, a poignée being put together.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Int64, Integer, UInt64

from tarot_env.cards import NUM_CARDS, cardsets
from tarot_env.cards.actions import PASS, POIGNEE, Phase
from tarot_env.core.state import Columns
from tarot_env.tables import Tables

_STOP = -2
"""No action: the script of a table ends here."""
_UNSEEN = -1
"""A public event of which the others see no more than that it happens: a card set aside."""
_SECRET = (Phase.PETIT_SEC, Phase.MISERE, Phase.POIGNEE, Phase.WITHHOLD)
"""Questions that the other seats do not hear."""


@dataclass
class Script:
    """What happened at n tables: public events, the viewers' own actions, the new écarts."""

    viewers: Int64[np.ndarray, " n"]
    true: Columns
    """The tables as they are."""
    events: Int64[np.ndarray, "n h 2"]
    """Public (hand, action) in order, `_STOP` after the last."""
    own: Int64[np.ndarray, "n m"]
    """Every action of the viewer in order, `_STOP` after the last."""
    own_done: Int64[np.ndarray, " n"]
    ecarts: list[list[list[int]]]
    """Plain cards that the owner of each écart sets aside."""

    @classmethod
    def of(
        cls,
        tables: Tables,
        rows: Int64[np.ndarray, " n"],
        viewers: Int64[np.ndarray, " n"],
        ecarts: UInt64[np.ndarray, "n e 2"],
        rng: np.random.Generator,
    ) -> "Script":
        """What happened at the named tables.

        Args:
            tables: the tables as they are.
            rows: which of them.
            viewers: whose own actions stay.
            ecarts: the cards that shall be set aside.
            rng: draws their order.
        """
        state = tables.take(rows).columns
        events = np.pad(state.history.astype(np.int64), ((0, 0), (0, 1), (0, 0)))
        events[np.arange(events.shape[1]) >= state.history_size[:, None]] = _STOP
        mine = state.log[..., 0] == viewers[:, None]
        order = np.argsort(~mine, axis=1, kind="stable")
        own = np.where(mine, state.log[..., 1].astype(np.int64), _STOP)
        own = np.pad(np.take_along_axis(own, order, 1), ((0, 0), (0, 1)), constant_values=_STOP)
        plain = [[cardsets.to_ids(cards & ~cardsets.TRUMPS) for cards in row] for row in ecarts]
        return cls(
            viewers,
            state,
            events,
            own,
            np.zeros(len(rows), np.int64),
            [[[int(card) for card in rng.permutation(cards)] for cards in row] for row in plain],
        )

    def play(self, tables: Tables, rng: np.random.Generator) -> Bool[np.ndarray, " n"]:
        """Plays freshly dealt tables; says which now look to their viewer as the true ones do.

        One does not where the script cannot end as it did: a seat that should wait for others'
        secret answers is to act already, or a deal is void.
        """
        running = np.flatnonzero(~tables.is_over)
        while len(running):
            actions = self._next_actions(tables, running, rng)
            running, actions = running[actions != _STOP], actions[actions != _STOP]
            tables.step(actions, rows=running)
            running = running[~tables.is_over[running]]
        every, now, true = np.arange(len(self.viewers)), tables.columns, self.true
        return (
            (now.history_size == true.history_size)
            & (self.own[every, self.own_done] == _STOP)
            & (tables.is_over == (true.phase == Phase.OVER))
            & (self._acts(now.seat, every) == self._acts(true.seat, every))
            & (now.misere == true.misere).all(1)
        )

    def _acts(
        self, hands: Integer[np.ndarray, " m"], rows: Int64[np.ndarray, " m"]
    ) -> Bool[np.ndarray, " m"]:
        return hands == self.viewers[rows]

    def _next_actions(
        self, tables: Tables, rows: Int64[np.ndarray, " m"], rng: np.random.Generator
    ) -> Int64[np.ndarray, " m"]:
        """The next action of each table, `_STOP` where its script ends."""
        state = tables.columns
        mine = self._acts(state.seat[rows], rows)
        events = self.events[rows, state.history_size[rows], 1]
        actions = np.where(mine, self.own[rows, self.own_done[rows]], events)
        self.own_done[rows[mine & (actions != _STOP)]] += 1
        unheard = np.isin(state.phase[rows], _SECRET) | (events == _UNSEEN)
        for at in np.flatnonzero(~mine & unheard):
            actions[at] = self._secret_choice(tables, int(rows[at]), rng)
        return actions

    def _secret_choice(self, tables: Tables, row: int, rng: np.random.Generator) -> int:
        """What another seat does unheard: a card set aside, an answer, a trump kept back."""
        state = tables.columns
        phase, seat = state.phase[row], state.seat[row]
        if phase == Phase.DISCARD:
            column = int(seat != state.taker[row])
            return self.ecarts[row][column].pop()
        by, said = self.events[row, state.history_size[row]]
        if said == _STOP:
            return self._undecided(tables, row, rng)
        legal = tables.legal_sets()[row]
        if phase == Phase.WITHHOLD:
            kept = legal & ~self.true.poignee_cards[row, seat] & cardsets.ALL_CARDS
            return int(cardsets.lowest(kept)) if kept.any() else PASS
        return int(said) if by == seat and (legal & cardsets.BIT[said]).any() else PASS

    def _undecided(self, tables: Tables, row: int, rng: np.random.Generator) -> int:
        """How far another seat has got with its question, where nobody has heard anything since.

        Not at all, past it, or a poignée still in the hand; past it for sure where the viewer has
        gone on since.
        """
        waits = self.own[row, self.own_done[row]] == _STOP
        if not waits or self.true.seat[row] == self.viewers[row]:
            return PASS
        legal = cardsets.to_ids(tables.legal_sets()[row])
        if tables.phase[row] == Phase.WITHHOLD:
            may_keep = _surplus(tables, row, int(tables.columns.poignee_declared[row])) > 1
            kept = [card for card in legal if card < NUM_CARDS]
            return kept[rng.integers(len(kept))] if may_keep and rng.random() < 0.5 else _STOP
        choices = [_STOP, PASS]
        if tables.phase[row] == Phase.POIGNEE:
            levels = [action for action in legal if action >= POIGNEE]
            choices += [a for a in levels if _surplus(tables, row, a - POIGNEE + 1) > 0]
        return choices[rng.integers(len(choices))]


def _surplus(tables: Tables, row: int, level: int) -> int:
    """Cards that the seat to act would have to withhold from a poignée."""
    asked = tables.state[[row]]
    asked["phase"], asked["poignee_declared"] = Phase.WITHHOLD, level
    choices = Tables.of_state(tables.rules, asked).legal_sets()
    needed = (tables.rules.poignee_thresholds or ())[level - 1]
    return int(cardsets.count(choices & cardsets.ALL_CARDS)[0]) - needed
