"""Card play (rules.md A0.4, A0.5): what may be played, who wins the trick, what play reveals."""

import numpy as np
from jaxtyping import Int8, Int64, UInt64

from tarot_env.cards import (
    ANY,
    FIRST_TRUMP,
    HALF_POINTS,
    KIND,
    NUM_CARDS,
    NUM_SUITS,
    OUDLERS,
    RANK,
    SUIT_NAMES,
    SUIT_SIZE,
    TRUMP,
    cardsets,
)
from tarot_env.cards import EXCUSE as EXCUSE_ID
from tarot_env.core import scoring
from tarot_env.core.seating import SEATINGS
from tarot_env.core.state import (
    EXCUSE,
    State,
    add_up,
    attackers,
    by_hand_in_a_row,
    hands_to_act,
    log_and_publish,
    place_of,
    sets_in_a_row,
)
from tarot_env.phases import announcements, two_player
from tarot_env.rules import Rules

_COUNTS_IN_TRICK = HALF_POINTS.copy()
_COUNTS_IN_TRICK[EXCUSE_ID] = 0
"""int16 [78]: what a card adds to the trick it lies in; the Excuse is settled at the end."""


_FOLLOW = cardsets.SUIT.copy()
_FOLLOW[TRUMP], _FOLLOW[ANY] = cardsets.EMPTY, cardsets.ALL_CARDS
"""uint64 [6, 2]: what follows each kind led; to a trump the rules on trumping say it all."""


def legal_plays(
    hand: UInt64[np.ndarray, "n 2"],
    led: Int8[np.ndarray, " n"],
    best_trump: Int8[np.ndarray, " n"],
) -> UInt64[np.ndarray, "n 2"]:
    """Cards each seat to move may play.

    Follow suit; void in it, trump; a trump must beat the best trump on the table if the hand can,
    a partner's too; the Excuse is always allowed and is no trump (FFT R-RO; rules.md A0.4).

    Args:
        hand: cards held by the seat to move.
        led: suit to follow, `TRUMP`, or `ANY` where nothing but the Excuse lies on the table.
        best_trump: number of the highest trump on the table, 0 if none.

    Returns:
        A subset of `hand`, non-empty where `hand` is.
    """
    follow = hand & _FOLLOW.take(led, axis=0)
    over = hand & cardsets.ABOVE.take(best_trump, axis=0)
    must = cardsets.first_nonempty(follow, over, hand & cardsets.TRUMPS, hand)
    return must | (hand & cardsets.EXCUSE)


def legal(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> UInt64[np.ndarray, "n 2"]:
    """Cards the hands to act may play."""
    hand = hands_to_act(state, rows)
    led, best_trump = state.led[rows], state.best_trump[rows]
    plays = legal_plays(hand, led, best_trump)
    if rules.petit_sec == "imprenable":
        free = (state.imprenable[rows] == state.seat[rows])[:, None]
        others = hand & ~cardsets.PETIT
        plays = np.where(
            free, legal_plays(others, led, best_trump) | (hand & cardsets.PETIT), plays
        )
    if rules.first_lead_bans_called_suit:
        opens = (state.trick_number[rows] == 0) & (state.trick_size[rows] == 0)
        called = state.called[rows]
        banned = cardsets.SUIT[KIND[called]] & ~cardsets.BIT[called]
        plays = np.where(opens[:, None], cardsets.first_nonempty(plays & ~banned, plays), plays)
    return plays


def apply(
    state: State, rows: Int64[np.ndarray, " n"], actions: Int64[np.ndarray, " n"], rules: Rules
) -> Int64[np.ndarray, " m"]:
    """Plays a card; the last one of a trick decides it, and the last trick ends the deal."""
    seat = state.seat[rows]
    led = state.led[rows]
    log_and_publish(state, rows, seat, actions)
    _reveal(state, rows, seat, actions, led, rules)
    at = place_of(state.hands, rows, seat)
    cardsets.move(sets_in_a_row(state.hands), sets_in_a_row(state.played), at, actions)
    _note_oudlers(state, rows, seat, actions)

    size = state.trick_size[rows]
    state.trick_cards[rows, size] = actions
    by_hand_in_a_row(state)["on_table"][at] = actions
    size += 1
    state.trick_size[rows] = size
    led = np.where(led == ANY, KIND.take(actions), led)
    state.led[rows] = led
    _take_lead(state, rows, seat, actions, led.astype(np.int64))

    if rules.players == 2:
        two_player.after_card(state, rows, seat, actions, rules)

    full = size == rules.cards_per_trick
    state.seat[rows] = SEATINGS[rules.game_name].hand_behind(state.dealer[rows], seat)
    before_first_card = ~full & (state.trick_number[rows] == 0)
    announcements.begin_turn(state, rows[before_first_card], rules)
    _finish_trick(state, rows[full], rules)
    return rows[:0]


def _reveal(
    state: State,
    rows: Int64[np.ndarray, " n"],
    seat: Int8[np.ndarray, " n"],
    actions: Int64[np.ndarray, " n"],
    led: Int8[np.ndarray, " n"],
    rules: Rules,
) -> None:
    """Notes what a card tells everybody about the hand it came from: voids and trump bounds.

    Where a lone petit is never compulsory and may always be played, a hand that does not trump may
    still hold it, and one that plays it may hold the suit led. In the games where cards come to a
    hand during play, nothing is noted.
    """
    if rules.game in ("decouverte", "tirette"):
        return
    kind, rank, best = KIND.take(actions), RANK.take(actions), state.best_trump[rows]
    lone_petit = rules.petit_sec == "imprenable"

    off_suit = (kind != led) & (led != ANY) & (kind != ANY)
    if lone_petit:
        off_suit &= (kind != TRUMP) | (rank > 1)
    at = off_suit.nonzero()[0]
    if len(at):
        state.void[rows[at], seat[at], led[at]] = True
        at = at[kind[at] != TRUMP]
        state.void[rows[at], seat[at], NUM_SUITS] = not lone_petit
        state.trump_bound[rows[at], seat[at]] = int(lone_petit)

    at = ((kind == TRUMP) & (rank < best)).nonzero()[0]
    if len(at):
        under = rows[at], seat[at]
        state.trump_bound[under] = np.minimum(state.trump_bound[under], best[at])


_OUDLER = np.full(NUM_CARDS, -1, np.int8)
_OUDLER[list(OUDLERS)] = np.arange(len(OUDLERS))
"""int8 [78]: column of each oudler, -1 for other cards."""


def _note_oudlers(
    state: State,
    rows: Int64[np.ndarray, " n"],
    seat: Int8[np.ndarray, " n"],
    actions: Int64[np.ndarray, " n"],
) -> None:
    oudler = _OUDLER.take(actions)
    at = (oudler >= 0).nonzero()[0]
    if len(at):
        state.oudler_player[rows[at], oudler[at]] = seat[at]
        state.oudler_trick[rows[at], oudler[at]] = state.trick_number[rows[at]]


_IN_SUIT = np.where(np.arange(6)[:, None] == KIND, RANK, 0)
_STRENGTH = np.where(KIND == TRUMP, SUIT_SIZE + RANK, _IN_SUIT).astype(np.int8).ravel()
"""int8 [6 * 78]: of each card by what was led; the higher one leads the trick, 0 never does."""


def _take_lead(
    state: State,
    rows: Int64[np.ndarray, " n"],
    seat: Int8[np.ndarray, " n"],
    actions: Int64[np.ndarray, " n"],
    led: Int64[np.ndarray, " n"],
) -> None:
    """Notes the seat that wins the trick so far: highest trump, else highest of the suit led."""
    best_trump = state.best_trump[rows]
    best = np.where(best_trump > 0, best_trump + np.int8(SUIT_SIZE), state.best_rank[rows])
    at = (_STRENGTH.take(led * NUM_CARDS + actions) > best).nonzero()[0]
    if not len(at):
        return
    rows, actions = rows[at], actions[at]
    rank, trumps = RANK.take(actions), actions >= FIRST_TRUMP
    state.best_seat[rows] = seat[at]
    state.best_trump[rows] = rank * trumps
    state.best_rank[rows] = np.where(trumps, state.best_rank[rows], rank)


def _finish_trick(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    """Gives the trick to its winner, who leads the next; the last trick ends the deal."""
    if not len(rows):
        return
    number = state.trick_number[rows]
    winner = state.best_seat[rows]
    last = (number + 1 == rules.tricks).nonzero()[0]
    if len(last):
        winner[last] = _last_trick_winner(state, rows[last], rules)
    cards = state.trick_cards[rows]
    by_hand, at = by_hand_in_a_row(state), place_of(state.hands, rows, winner)
    by_hand["trick_half_points"][at] += add_up(_COUNTS_IN_TRICK.take(cards))
    by_hand["tricks_won"][at] += 1
    at, oudler = (state.oudler_trick[rows] == number[:, None]).nonzero()
    if len(at):
        state.oudler_winner[rows[at], oudler] = winner[at]
    if rules.players == 2:
        two_player.after_trick(state, rows, winner, rules)
    state.last_trick[rows] = cards
    state.last_leader[rows] = state.leader[rows]
    state.last_winner[rows] = winner

    state.trick_cards[rows] = -1
    state.on_table[rows] = -1
    state.trick_size[rows] = 0
    state.led[rows] = ANY
    state.best_trump[rows] = 0
    state.best_rank[rows] = 0
    state.best_seat[rows] = -1
    state.leader[rows] = winner
    state.seat[rows] = winner
    state.trick_number[rows] = number + 1
    if len(last):
        scoring.finish(state, rows[last], rules)


def _last_trick_winner(
    state: State, rows: Int64[np.ndarray, " n"], rules: Rules
) -> Int8[np.ndarray, " n"]:
    """The winner of the last trick: that of any, or an Excuse whose side won all before (A0.5)."""
    winner = state.best_seat[rows]
    if rules.excuse_wins_slam_trick == "never":
        return winner
    player = state.oudler_player[rows, EXCUSE]
    attack = attackers(state, rows)
    own_side = attack == attack[np.arange(len(rows)), player][:, None]
    swept = (state.tricks_won[rows] * own_side).sum(1) == state.trick_number[rows]
    here = state.oudler_trick[rows, EXCUSE] == state.trick_number[rows]
    if rules.excuse_wins_slam_trick == "led_only":
        here &= state.leader[rows] == player
    return np.where(here & swept, player, winner)


def reason(state: State, row: int, action: int, rules: Rules) -> str:
    """Why the seat to act may not play a card, in the words of the rules."""
    if action >= NUM_CARDS:
        return "no card; a card is played now"
    hand = state.hands[row, state.seat[row]]
    if not (hand & cardsets.BIT[action]).any():
        return "not a card in hand"
    led = int(state.led[row])
    if led < TRUMP and (hand & cardsets.SUIT[led]).any():
        return f"must follow {SUIT_NAMES[led]}"
    if led == ANY:
        return f"the first lead may not be in {SUIT_NAMES[KIND[action]]}, the called suit"
    if KIND[action] != TRUMP:
        return "must follow trumps" if led == TRUMP else f"void in {SUIT_NAMES[led]}, must trump"
    return f"must go over trump {state.best_trump[row]}"
