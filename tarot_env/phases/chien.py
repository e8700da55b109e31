"""Chien and écart (rules.md A0.2, A5): the attack picks up the chien and sets as many cards aside.

With six players the taker chooses one half of the chien, its partner takes the other, and each
sets three cards aside.
"""

import numpy as np
from jaxtyping import Int64, UInt64

from tarot_env.cards import KIND, NUM_CARDS, TRUMP, cardsets
from tarot_env.cards.actions import FIRST_HALF, SECOND_HALF, Phase
from tarot_env.core.state import State, ecart_column, hands_to_act, log, log_and_publish, publish
from tarot_env.rules import Rules

_HALVES = cardsets.from_ids([FIRST_HALF, SECOND_HALF])


def open_chien(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    """Turns the chien up for all; it goes into the taker's hand, or the taker chooses a half."""
    state.chien_open[rows] = True
    state.seat[rows] = state.taker[rows]
    if rules.in_partnerships:
        state.phase[rows] = Phase.SPLIT
        return
    state.hands[rows, state.taker[rows]] |= state.chien[rows]
    begin(state, rows)


def legal_split(
    state: State, rows: Int64[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n 2"]:
    """The first or the second half of the chien, as dealt."""
    return np.broadcast_to(_HALVES, (len(rows), 2))


def apply_split(
    state: State, rows: Int64[np.ndarray, " n"], actions: Int64[np.ndarray, " n"], rules: Rules
) -> Int64[np.ndarray, " n"]:
    """Gives the taker the half it chose and its partner the other."""
    taker, partner = state.taker[rows], state.partner[rows]
    log_and_publish(state, rows, taker, actions)
    split = (actions == SECOND_HALF).astype(np.int8)
    state.split[rows] = split
    start, size = rules.hands * rules.hand_size, rules.chien_size // 2
    halves = cardsets.BIT[state.pack[rows, start : start + rules.chien_size]]
    halves = np.bitwise_or.reduce(halves.reshape(len(rows), 2, size, 2), axis=2)
    every = np.arange(len(rows))
    state.hands[rows, taker] |= halves[every, split]
    state.hands[rows, partner] |= halves[every, 1 - split]
    return rows


def reason_split(state: State, row: int, action: int, rules: Rules) -> str:
    """Why this does not choose a half of the chien."""
    return "the taker chooses a half of the chien: first half or second half"


def begin(state: State, rows: Int64[np.ndarray, " n"]) -> None:
    """Asks the taker for the first card of its écart."""
    state.phase[rows] = Phase.DISCARD


def _may_go(
    state: State, rows: Int64[np.ndarray, " n"], rules: Rules
) -> tuple[UInt64[np.ndarray, "n 2"], UInt64[np.ndarray, "n 2"]]:
    """The hand to set aside from, and the plain cards among it."""
    hand = hands_to_act(state, rows)
    if rules.game == "decouverte":
        hand = hand & ~state.face_up[rows, state.seat[rows]]
    plain = hand & cardsets.PLAIN
    if rules.may_discard_called_card is False:
        plain = plain & ~cardsets.BIT[state.called[rows]]
    return hand, plain


def legal(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> UInt64[np.ndarray, "n 2"]:
    """Plain cards while any is held, then trumps other than oudlers; never a king or an oudler."""
    hand, plain = _may_go(state, rows, rules)
    return cardsets.first_nonempty(plain, hand & cardsets.TRUMPS & ~cardsets.OUDLERS)


def apply(
    state: State, rows: Int64[np.ndarray, " n"], actions: Int64[np.ndarray, " n"], rules: Rules
) -> Int64[np.ndarray, " m"]:
    """Sets one card aside; trumps among them are shown to all, the rest stays hidden."""
    seat = state.seat[rows]
    card = cardsets.BIT[actions]
    shown = KIND[actions] == TRUMP
    log(state, rows, seat, actions)
    publish(state, rows, seat, np.where(shown, actions, -1))
    state.hands[rows, seat] &= ~card
    column = ecart_column(state, rows, seat)
    state.ecart[rows, column] |= card
    portion = rules.chien_size // state.ecart.shape[1]
    sealed = cardsets.count(state.ecart[rows, column]) == portion
    if not rules.in_partnerships:
        return rows[sealed]
    by_taker = sealed & (seat == state.taker[rows])
    state.seat[rows[by_taker]] = state.partner[rows[by_taker]]
    return rows[sealed & ~by_taker]


def reason(state: State, row: int, action: int, rules: Rules) -> str:
    """Why a card may not be set aside, in the words of the rules."""
    if action >= NUM_CARDS:
        return "no card; a card is set aside now"
    card = cardsets.BIT[action]
    seat = state.seat[row]
    if not (state.hands[row, seat] & card).any():
        return "not a card in hand"
    if rules.game == "decouverte" and (state.face_up[row, seat] & card).any():
        return "a card that lies face up is never set aside"
    if action == state.called[row] and (card & cardsets.PLAIN).any():
        return "the called card may not be set aside"
    if (card & cardsets.TRUMPS & ~cardsets.OUDLERS).any():
        return "trumps go into the écart only when no plain card is left"
    return "kings and oudlers never go into the écart"
