"""What a Turn tells, put back on a table: the public state with nothing hidden in it.

Seats are absolute again. Of the cards only those lie there whose place the viewer has seen: its own
hand and écart, and what is open. Where the pack is unknown it holds `UNKNOWN`, which is no card.
"""

import numpy as np
from jaxtyping import Bool, Int, Int64, UInt64

from tarot_env.beliefs.public_constraints import chien_start
from tarot_env.cards import cardsets
from tarot_env.core.seating import SEATINGS
from tarot_env.core.state import Columns
from tarot_env.tables import Turn


UNKNOWN = 95
"""Stands in a pack for a card that the viewer has not seen; `cardsets.BIT` has the empty set."""


def hands_by_place(turn: Turn) -> Int64[np.ndarray, "n a"]:
    """The absolute hand at each place as the viewers count."""
    return SEATINGS[turn.rules.game_name].by_place[turn.seat].astype(np.int64)


def public_state(turn: Turn) -> Columns:
    """Tables with all that the viewers know of theirs; who is a taker's partner is left open."""
    rules, n = turn.rules, len(turn)
    every, hands = np.arange(n)[:, None], hands_by_place(turn)
    state = State.empty(n, rules)
    _put_public_records(state, turn, hands)
    state.played[every, hands] = turn.played
    state.poignee_cards[every, hands[:, : rules.players]] = turn.poignee_cards
    state.withheld[every[:, 0], turn.seat] = turn.withheld
    if rules.players == 2:
        state.face_up[every, hands] = state.hands[every, hands] = turn.face_up
    state.hands[every[:, 0], turn.seat] = turn.hand
    state.chien[...] = turn.chien
    state.chien_open[...] = ~cardsets.is_empty(turn.chien)
    state.history[...] = turn.events
    state.poignee_declared[...] = turn.poignee_declared
    state.forced[...] = (turn.taker >= 0) & (turn.bids <= 0).all(1)
    _put_ecarts(state, turn)
    _put_pack(state, turn)
    return state


def _put_public_records(state: Columns, turn: Turn, hands: Int64[np.ndarray, "n a"]) -> None:
    """The small fields, which a Turn has as the state does, with seats counted from the viewer."""
    by_place = SEATINGS[turn.rules.game_name].by_place
    absolute = np.pad(by_place, ((0, 0), (0, 1)), constant_values=-1)
    table, every = state.by_table, np.arange(len(turn))[:, None]
    for name in BY_TABLE:
        values = getattr(turn, TURN_NAMES.get(name, name))
        if name in PLACES:
            values = absolute[turn.seat if values.ndim == 1 else turn.seat[:, None], values]
        table[name] = values
    for name in BY_HAND:
        array = getattr(state, name)
        array[every, hands[:, : array.shape[1]]] = getattr(turn, name)
    if turn.rules.calls_king:
        state.partner[...] = -1


def set_aside_events(turn: Turn) -> Bool[np.ndarray, "n h"]:
    """Which public events are cards set aside, seen or not; a trump of an écart is never played."""
    said = turn.events[..., 1]
    shown = cardsets.contains(turn.shown_discards[:, None], said)
    return ((said < 0) | shown) & (turn.events[..., 0] >= 0)


def _put_ecarts(state: Columns, turn: Turn) -> None:
    """The viewer's own, and of others the trumps, which were shown."""
    own = (state.taker == turn.seat, state.partner == turn.seat)[: state.ecart.shape[1]]
    shown = [turn.shown_discards]
    if turn.rules.in_partnerships:
        by_partner = set_aside_events(turn) & (turn.events[..., 0] == state.partner[:, None])
        by_partner &= turn.events[..., 1] >= 0
        trumps = cardsets.of_ids(np.where(by_partner, turn.events[..., 1], np.int8(-1)))
        shown = [turn.shown_discards & ~trumps, trumps]
    for column, is_own in enumerate(own):
        state.ecart[:, column] = shown[column] | cardsets.where(is_own, turn.ecart)


def _put_pack(state: Columns, turn: Turn) -> None:
    """A chien that lies open in its halves, and what has been seen of a stock or of piles."""
    rules = turn.rules
    start = chien_start(rules)
    end = start + rules.chien_size
    state.pack[...] = UNKNOWN
    opened = np.flatnonzero(state.chien_open)
    state.pack[opened, start:end] = in_order(chien_halves(turn.take(opened)), rules.chien_size)
    if turn.beside.shape[1]:
        state.pack[:, end:] = np.where(turn.beside < 0, np.int8(UNKNOWN), turn.beside)


def chien_halves(turn: Turn) -> UInt64[np.ndarray, "n c 2"]:
    """The open chien in the parts whose order counts: two halves with six players."""
    if not turn.rules.in_partnerships:
        return turn.chien[:, None]
    return np.stack([turn.first_half, turn.chien & ~turn.first_half], 1)


def in_order(parts: UInt64[np.ndarray, "n c 2"], size: int) -> Int[np.ndarray, "n m"]:
    """The cards of some sets, in all `size` in every row, one set after the other."""
    mask = cardsets.to_mask(parts)
    return (np.flatnonzero(mask) % mask.shape[-1]).reshape(len(parts), size)
