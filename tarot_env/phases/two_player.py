"""What the games for two add to card play (rules.md A6 to A8): piles, second stock, dummy."""

import numpy as np
from jaxtyping import Int8, Int64

from tarot_env.cards import cardsets
from tarot_env.core.dealing import STOCK_START, TIRETTE_DRAWS, UPPER
from tarot_env.core.state import State
from tarot_env.rules import Rules
from tarot_env.rules.books import DUMMY


def after_card(
    state: State,
    rows: Int64[np.ndarray, " n"],
    seat: Int8[np.ndarray, " n"],
    actions: Int64[np.ndarray, " n"],
    rules: Rules,
) -> None:
    """A played card lies open no more; the one under it is turned up, the dummy laid open."""
    if rules.game == "decouverte" and rules.decouverte_reveal == "immediate":
        _turn_up(state, rows, seat, actions)
    state.face_up[rows, seat] &= ~cardsets.BIT[actions]
    if rules.dummy_reveal == "after_first_card":
        first = rows[(state.trick_number[rows] == 0) & (state.trick_size[rows] == 1)]
        expose_dummy(state, first)


def expose_dummy(state: State, rows: Int64[np.ndarray, " n"]) -> None:
    """Lays the dummy's hand open."""
    state.face_up[rows, DUMMY] = state.hands[rows, DUMMY]


def after_trick(
    state: State, rows: Int64[np.ndarray, " n"], winner: Int8[np.ndarray, " n"], rules: Rules
) -> None:
    """The cards under the played ones are turned up; both players draw from the stock."""
    if rules.decouverte_reveal == "after_trick":
        leader = state.leader[rows]
        for place in range(2):
            seat = (leader + place) % 2
            _turn_up(state, rows, seat, state.trick_cards[rows, place].astype(np.int64))
    if rules.game == "tirette":
        number = state.trick_number[rows]
        draws = number < TIRETTE_DRAWS
        _draw(state, rows[draws], number[draws], winner[draws], rules)


def _turn_up(
    state: State,
    rows: Int64[np.ndarray, " n"],
    seat: Int8[np.ndarray, " n"],
    cards: Int64[np.ndarray, " n"],
) -> None:
    """Turns up what lies under a played card, if it was the upper one of a pile."""
    upper = UPPER[seat]
    piles = state.pack[rows[:, None], upper] == cards[:, None]
    was_upper = piles.any(1)
    rows, seat = rows[was_upper], seat[was_upper]
    below = upper[was_upper, piles[was_upper].argmax(1)] + 1
    card = cardsets.BIT[state.pack[rows, below]]
    state.hands[rows, seat] |= card
    state.face_up[rows, seat] |= card


def _draw(
    state: State,
    rows: Int64[np.ndarray, " n"],
    number: Int8[np.ndarray, " n"],
    winner: Int8[np.ndarray, " n"],
    rules: Rules,
) -> None:
    """Both players draw and show a card; the last two go by rule, the open one to the winner."""
    last = number == TIRETTE_DRAWS - 1
    loser_first = np.int8(rules.tirette_draw_first == "loser")
    first = np.where(last, 1 - winner, winner ^ loser_first)
    top = STOCK_START + 2 * number.astype(np.int64)
    for seat, place in ((first, top), (1 - first, top + 1)):
        card = cardsets.BIT[state.pack[rows, place]]
        state.hands[rows, seat] |= card
        state.face_up[rows, seat] |= card
