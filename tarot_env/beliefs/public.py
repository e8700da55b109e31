"""What a Turn tells, put back on a table: the public state with nothing hidden in it.

Seats are absolute again. Of the cards only those lie there whose place the viewer has seen: its own
hand and écart, and what is open. Where the pack is unknown it holds `UNKNOWN`, which is no card.
"""

from typing import Any

import numpy as np
from jaxtyping import Bool, Int, Int64, UInt64

from tarot_env.beliefs.public_constraints import chien_start
from tarot_env.cards import cardsets
from tarot_env.core.compiling import kernel, loop
from tarot_env.core.events import BOTH, FACE_DOWN
from tarot_env.core.seating import SEATINGS
from tarot_env.core.state import BLANK, TABLE, Columns, as_records, blank_records, rules_record
from tarot_env.tables import Turn

UNKNOWN = 95
"""Stands in a pack for a card that the viewer has not seen; `cardsets.BIT` has the empty set."""


def hands_by_place(turn: Turn) -> Int64[np.ndarray, "n a"]:
    """The absolute hand at each place as the viewers count."""
    return SEATINGS[turn.rules.game_name].by_place[turn.seat].astype(np.int64)


def public_state(turn: Turn) -> Columns:
    """Tables with all that the viewers know of theirs; who is a taker's partner is left open.

    Their logs hold the public events alone, as they were seen.
    """
    records = blank_records(len(turn), TABLE)
    _tell_all(as_records(turn.records), rules_record(turn.rules), BLANK, records)
    state = Columns(records, turn.rules, _events(turn))
    _put_ecarts(state, turn)
    _put_pack(state, turn)
    return state


def _events(turn: Turn) -> np.ndarray:
    """The public events as a log of tables, with room for what nobody heard."""
    seats, said = turn.events[..., 0].astype(np.int16), turn.events[..., 1].astype(np.int16)
    codes = np.where(said < 0, FACE_DOWN << 12, BOTH << 12 | np.maximum(said, 0)) | seats << 8
    events = np.zeros((len(turn), turn.rules.log_size + turn.rules.players), np.int16)
    events[:, : codes.shape[1]] = np.where(seats < 0, 0, codes)
    return events


@loop
def _tell_all(turns: Any, rules: Any, blank: Any, tables: Any) -> None:
    """Writes what viewers know back on tables; `blank` is `BLANK`."""
    for i in range(len(turns)):
        tables[i] = blank[0]
        _tell(turns[i], rules[0], tables[i])


@kernel
def _tell(turn: Any, rules: Any, t: Any) -> None:
    """The inverse of `see`: seats are absolute again."""
    viewer = turn.seat
    for place in range(rules.players):
        seat = rules.by_place[viewer, place]
        t.bids[seat] = turn.bids[place]
        t.misere[seat] = turn.misere[place]
        t.poignee_level[seat] = turn.poignee_level[place]
        t.poignee_cards[seat] = turn.poignee_cards[place]
    for place in range(rules.hands):
        hand = rules.by_place[viewer, place]
        t.played[hand, 0], t.played[hand, 1] = turn.played[place, 0], turn.played[place, 1]
        t.void[hand] = turn.void[place]
        t.suits_led |= turn.suits_led[place] << (4 * hand)
        t.trump_bound[hand] = turn.trump_bound[place]
        t.tricks_won[hand] = turn.tricks_won[place]
        t.trick_half_points[hand] = turn.trick_half_points[place]
        if rules.players == 2:
            suits, rest = turn.face_up[place, 0], turn.face_up[place, 1]
            t.hands[hand, 0], t.hands[hand, 1] = suits, rest
            if hand < rules.players:
                t.face_up[hand, 0], t.face_up[hand, 1] = suits, rest
            elif suits | rest | t.played[hand, 0] | t.played[hand, 1]:
                t.dummy_open = 1
    t.hands[viewer, 0], t.hands[viewer, 1] = turn.hand[0], turn.hand[1]
    t.withheld[viewer] = turn.withheld
    t.poignee_declared = turn.poignee_declared
    for order in range(rules.cards_per_trick):
        t.trick_cards[order] = turn.trick_cards[order]
        t.last_trick[order] = turn.last_trick[order]
    for oudler in range(3):
        t.oudler_player[oudler] = _hand_at(rules, viewer, turn.oudler_player[oudler])
        t.oudler_trick[oudler] = turn.oudler_trick[oudler]
        t.oudler_winner[oudler] = _hand_at(rules, viewer, turn.oudler_winner[oudler])
    t.phase = turn.phase
    t.seat = _hand_at(rules, viewer, turn.to_act)
    t.dealer = _hand_at(rules, viewer, turn.dealer)
    t.taker = _hand_at(rules, viewer, turn.taker)
    if not rules.calls_king:
        t.partner = _hand_at(rules, viewer, turn.partner)
    t.leader = _hand_at(rules, viewer, turn.leader)
    t.best_seat = _hand_at(rules, viewer, turn.best_seat)
    t.last_leader = _hand_at(rules, viewer, turn.last_leader)
    t.last_winner = _hand_at(rules, viewer, turn.last_winner)
    t.passes, t.contract, t.contra = turn.passes, turn.contract, turn.contra
    t.called, t.split = turn.called, turn.split
    t.slam_announced = turn.slam_announced
    t.petit_chelem_announced = turn.petit_chelem_announced
    t.trick_number, t.trick_size, t.led = turn.trick_number, turn.trick_size, turn.led
    t.best_trump, t.best_rank = turn.best_trump, turn.best_rank
    t.chien_open = 1 if turn.chien[0] | turn.chien[1] else 0
    t.num_events = turn.history_size
    forced = t.taker >= 0
    for seat in range(rules.players):
        forced = forced and t.bids[seat] <= 0
    t.forced = 1 if forced else 0


@kernel
def _hand_at(rules: Any, viewer: int, place: int) -> int:
    """The hand at a place as the viewer counts; nobody stays nobody."""
    return int(rules.by_place[viewer, place]) if place >= 0 else -1


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
