"""What everybody can infer about hidden cards: where they cannot lie, and where they must.

From what was said and played in public, by the rules alone (RULES.md 3 to 9). Made for moving
hidden cards about: where the truth is one of a few cases that a listener cannot tell apart, such as
a lone petit that nobody can take, it keeps to the true one. What a Turn says of voids is not read
but inferred anew.
"""

from collections.abc import Iterator

import numpy as np
from jaxtyping import Bool, Int8, Int64, UInt64

from tarot_env.cards import ANY, KIND, NUM_CARDS, RANK, SUIT_SIZE, TRUMP, cardsets
from tarot_env.cards import PETIT as PETIT_ID
from tarot_env.cards.actions import THROW_IN, Bid, Phase
from tarot_env.core.dealing import TIRETTE_DRAWS
from tarot_env.core.state import Columns
from tarot_env.phases.redeal import petit_sec
from tarot_env.rules import Rules
from tarot_env.rules.books import DUMMY

_NO_TRUMPS, _NO_COURT = 1, 2
_RANKS = np.stack([cardsets.KINGS, cardsets.QUEENS, cardsets.KNIGHTS, cardsets.JACKS])
_REASON = cardsets.TRUMPS | cardsets.COURT | cardsets.EXCUSE
"""Cards that decide whether a hand may have the deal thrown in."""


def chien_start(rules: Rules) -> int:
    """Where the chien begins in the pack; behind it come stock or piles."""
    return (rules.hands - rules.dead_hand) * rules.hand_size


def owners(state: Columns, rows: Int64[np.ndarray, " n"]) -> list[Int8[np.ndarray, " n"]]:
    """Whose each écart is: the taker's and, with six, the partner's."""
    return [state.taker[rows], state.partner[rows]][: state.ecart.shape[1]]


def beside(
    state: Columns, rows: Int64[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n 2"]:
    """Cards dealt into no hand and no chien: the second stock, or the piles."""
    start = chien_start(rules) + rules.chien_size
    cards: np.ndarray = np.bitwise_or.reduce(cardsets.BIT[state.pack[rows, start:]], axis=1)
    return cards


def open_chien(state: Columns, rows: Int64[np.ndarray, " n"]) -> UInt64[np.ndarray, "n 2"]:
    """The chien where everybody has seen it."""
    return np.where(state.chien_open[rows, None], state.chien[rows], cardsets.EMPTY)


# -- where a card cannot lie


def barred_from_hands(
    state: Columns, rows: Int64[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n a 2"]:
    """Cards that cannot be among the hidden ones of each hand."""
    return barred_by_play(state, rows, rules) | barred_by_words(state, rows, rules)


def barred_by_words(
    state: Columns, rows: Int64[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n a 2"]:
    """By chien and écart, the call, announcements, and a hand that everybody knows."""
    hands = np.arange(rules.hands)
    taken_up = _taken_up(state, rows, rules)
    barred = np.zeros((len(rows), rules.hands, 2), np.uint64)
    taken = np.zeros_like(barred)
    for column, owner in enumerate(owners(state, rows)):
        own = (hands == owner[:, None])[..., None]
        taken |= np.where(own, taken_up[:, column, None], cardsets.EMPTY)
        trumps_out = ~cardsets.is_empty(state.ecart[rows, column] & cardsets.TRUMPS)
        plain = np.where(trumps_out[:, None], _plain(state, rows, rules), cardsets.EMPTY)
        barred |= np.where(own, plain[:, None], cardsets.EMPTY)
    barred |= open_chien(state, rows)[:, None] & ~taken
    if rules.call_own_king is False:
        is_taker = (hands == state.taker[rows, None])[..., None]
        called = cardsets.BIT[state.called[rows]][:, None] & ~taken
        barred |= np.where(is_taker, called, cardsets.EMPTY)
    if rules.poignee_thresholds is not None:
        barred |= _barred_by_announcements(state, rows, rules)
    at = _marked_hand(state, rows, rules)
    marked = (hands == at[:, None])[..., None]
    return barred | np.where(marked, _mark(state, rows)[:, None], cardsets.EMPTY)


def allowed_in_ecarts(
    state: Columns, rows: Int64[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n e 2"]:
    """Cards that may be the hidden ones of each écart: plain, and not from another's half chien."""
    taken_up = _taken_up(state, rows, rules)
    other = open_chien(state, rows)[:, None] & ~taken_up
    allowed = _plain(state, rows, rules)[:, None] & ~other
    if rules.call_own_king is False:
        allowed &= ~cardsets.BIT[state.called[rows]][:, None] | taken_up
    return allowed


def _plain(
    state: Columns, rows: Int64[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n 2"]:
    """What an écart is made of before trumps."""
    if rules.may_discard_called_card is False:
        return cardsets.PLAIN & ~cardsets.BIT[state.called[rows]]
    return np.broadcast_to(cardsets.PLAIN, (len(rows), 2))


def _taken_up(
    state: Columns, rows: Int64[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n e 2"]:
    """Cards of an open chien that each owner of an écart took into its hand."""
    if not rules.in_partnerships:
        takes = state.chien_open[rows] & (state.contract[rows] <= Bid.GARDE)
        return np.where(takes[:, None], state.chien[rows], cardsets.EMPTY)[:, None]
    start, half = chien_start(rules), rules.chien_size // 2
    cards = cardsets.BIT[state.pack[rows, start : start + rules.chien_size]]
    halves = np.bitwise_or.reduce(cards.reshape(len(rows), 2, half, 2), axis=2)
    split = state.split[rows].astype(np.int64)
    order = np.stack([split, 1 - split], 1)[..., None]
    chosen = np.take_along_axis(halves, np.maximum(order, 0) % 2, 1)
    return np.where((split >= 0)[:, None, None], chosen, cardsets.EMPTY)


def barred_by_play(
    state: Columns, rows: Int64[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n a 2"]:
    """Suits that a hand did not follow, trumps it did not play and those it could not go over with.

    What comes to a hand later, from a stock or a pile, comes to it openly: this is about the rest.
    """
    every = np.arange(len(rows))
    barred = np.zeros((len(rows), rules.hands, 2), np.uint64)
    for seat, card, led, best in plays(state, rows, rules):
        kind, rank = KIND[card], RANK[card]
        bound = (led != ANY) & (kind != ANY)
        free = (card == PETIT_ID) & (seat == state.imprenable[rows])
        off_suit = bound & (kind != led) & ~free
        no_trump = off_suit & (kind != TRUMP)
        under = bound & (kind == TRUMP) & (rank < best)
        lacks = np.where(off_suit[:, None], cardsets.SUIT[led], cardsets.EMPTY)
        lacks |= np.where(no_trump[:, None], cardsets.TRUMPS, cardsets.EMPTY)
        lacks |= np.where(under[:, None], cardsets.ABOVE[best], cardsets.EMPTY)
        barred[every, seat] |= lacks
    return barred


def plays(
    state: Columns, rows: Int64[np.ndarray, " n"], rules: Rules
) -> Iterator[
    tuple[
        Int8[np.ndarray, " n"],
        Int8[np.ndarray, " n"],
        Int8[np.ndarray, " n"],
        Int64[np.ndarray, " n"],
    ]
]:
    """Each card in turn: hand, card, what was led before it and the highest trump, 0 for none.

    Where a table has seen fewer cards, -1 for the Excuse of nobody.
    """
    seats, cards = _plays(state, rows, rules)
    led = np.full(len(rows), ANY, np.int8)
    best = np.zeros(len(rows), np.int64)
    for place in range(cards.shape[1]):
        if place % rules.cards_per_trick == 0:
            led, best = np.full_like(led, ANY), np.zeros_like(best)
        card = cards[:, place]
        yield seats[:, place], card, led, best
        kind = KIND[card]
        led = np.where(led == ANY, kind, led)
        best = np.where(kind == TRUMP, np.maximum(best, RANK[card]), best)


def _plays(
    state: Columns, rows: Int64[np.ndarray, " n"], rules: Rules
) -> tuple[Int8[np.ndarray, "n m"], Int8[np.ndarray, "n m"]]:
    """Hands and cards in order of play, -1 beyond: the last cards of the history."""
    number = state.trick_number[rows].astype(np.int64) * rules.cards_per_trick
    number += state.trick_size[rows]
    history = state.history[rows]
    is_card = (history[..., 1] >= 0) & (history[..., 1] < NUM_CARDS)
    from_end = np.cumsum(is_card[:, ::-1], axis=1)[:, ::-1]
    played = is_card & (from_end <= number[:, None])
    most = int(number.max(initial=0))
    order = np.argsort(~played, axis=1, kind="stable")[:, :most, None]
    plays = np.take_along_axis(history, order, 1)
    plays[np.arange(most) >= number[:, None]] = -1
    return plays[..., 0], plays[..., 1]


def _barred_by_announcements(
    state: Columns, rows: Int64[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n p 2"]:
    """What misères say, and poignées with an Excuse that promises no trump kept back."""
    misere = state.misere[rows][..., None]
    barred = np.where(misere & _NO_TRUMPS, cardsets.TRUMPS, cardsets.EMPTY)
    barred |= np.where(misere & _NO_COURT, cardsets.COURT, cardsets.EMPTY)
    if rules.poignee_excuse == "only_if_no_trump_hidden":
        shown = state.poignee_cards[rows]
        promise = ~cardsets.is_empty(shown & cardsets.EXCUSE)[..., None]
        barred |= np.where(promise, cardsets.TRUMPS & ~shown, cardsets.EMPTY)
    return barred


def _marked_hand(
    state: Columns, rows: Int64[np.ndarray, " n"], rules: Rules
) -> Int64[np.ndarray, " n"]:
    """A hand that everybody knows by its trumps, -1 for none.

    It threw the deal in, or it has played with a petit that nobody can take.
    """
    marked = state.imprenable[rows].astype(np.int64)
    has_played = ~cardsets.is_empty(state.played[rows, marked])
    marked = np.where(has_played, marked, -1)
    last = state.history[rows, np.maximum(state.history_size[rows] - 1, 0)]
    marked = np.where(last[:, 1] == THROW_IN, last[:, 0], marked)
    if rules.petit_sec == "mandatory":
        void = (state.phase[rows] == Phase.OVER) & (state.history_size[rows] == 0)
        marked = np.where(void, petit_sec(state.hands[rows], rules).argmax(1), marked)
    return marked


def _mark(state: Columns, rows: Int64[np.ndarray, " n"]) -> UInt64[np.ndarray, "n 2"]:
    """The cards that a marked hand is known by."""
    over = (state.phase[rows] == Phase.OVER)[:, None]
    return np.where(over, _REASON, cardsets.TRUMPS | cardsets.EXCUSE)


# -- where a card must lie


def known_to_all(
    state: Columns, rows: Int64[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n 2"]:
    """Cards not played yet whose place everybody has seen, or can tell by what was said."""
    known = np.bitwise_or.reduce(state.ecart[rows], axis=1) & cardsets.TRUMPS
    known |= np.bitwise_or.reduce(state.poignee_cards[rows], axis=1)
    held = np.bitwise_or.reduce(state.hands[rows], axis=1)
    known |= held & beside(state, rows, rules)
    if rules.game == "dummy":
        exposed = _dummy_lies_open(state, rows, rules)[:, None]
        known |= np.where(exposed, state.hands[rows, DUMMY], cardsets.EMPTY)
    if rules.game == "tirette":
        lies = (state.phase[rows] == Phase.PLAY) & (state.trick_number[rows] < TIRETTE_DRAWS)
        known |= np.where(lies[:, None], cardsets.BIT[state.pack[rows, -1]], cardsets.EMPTY)
    if rules.calls_king:
        known |= held_to_call(state.called[rows])
    marked = _marked_hand(state, rows, rules)
    by_mark = state.hands[rows, marked] & _mark(state, rows)
    return known | np.where((marked >= 0)[:, None], by_mark, cardsets.EMPTY)


def held_to_call(called: Int8[np.ndarray, " n"]) -> UInt64[np.ndarray, "n 2"]:
    """What the taker must have been dealt to call a card: all of the ranks above it."""
    above = np.where(called < 0, 0, SUIT_SIZE - 1 - called % SUIT_SIZE)
    held = np.zeros((len(called), 2), np.uint64)
    for place in range(len(_RANKS) - 1):
        held |= np.where((above > place)[:, None], _RANKS[place], cardsets.EMPTY)
    return held


def _dummy_lies_open(
    state: Columns, rows: Int64[np.ndarray, " n"], rules: Rules
) -> Bool[np.ndarray, " n"]:
    """After the first card, or once the écart is made, by rule."""
    played = (state.trick_number[rows] > 0) | (state.trick_size[rows] > 0)
    if rules.dummy_reveal == "after_first_card":
        return played
    asked = Phase.SLAM if rules.slam_window == "after_ecart" else Phase.PLAY
    phase = state.phase[rows]
    return played | ((phase >= asked) & (phase < Phase.OVER))
