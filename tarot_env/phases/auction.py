"""Redeal questions and auction (rules.md A0.1, A0.6, A5): from the deal to the contract."""

import numpy as np
from jaxtyping import Bool, Int8, Int64, Integer, UInt64

from tarot_env.cards import cardsets
from tarot_env.cards.actions import (
    CONTRA,
    GARDE,
    GARDE_CONTRE,
    GARDE_SANS,
    PASS,
    PETITE,
    POUSSE,
    RECONTRA,
    THROW_IN,
    Bid,
    Phase,
    action_words,
)
from tarot_env.core.dealing import petit_sec, weak_hand
from tarot_env.core.seating import SEATINGS
from tarot_env.core.state import State, log, log_and_publish, publish
from tarot_env.rules import Rules

_BIDS = (PETITE, POUSSE, GARDE, GARDE_SANS, GARDE_CONTRE)
_HIGHER = np.stack(
    [cardsets.from_ids([PASS, *(a for a in _BIDS if a - PASS > bid)]) for bid in Bid]
)
"""uint64 [6, 2]: pass and the bids above each bid."""
_PASS_OR_THROW_IN = cardsets.from_ids([PASS, THROW_IN])
_PASSES_THAT_END = 5
"""In a row, behind a bid of six players; before any bid all six must pass."""


def begin(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    """Opens the auction; where a hand calls for it, the deal is thrown in or its holder asked."""
    state.phase[rows] = Phase.AUCTION
    state.seat[rows] = SEATINGS[rules.game_name].speakers[state.dealer[rows], 0]
    if rules.petit_sec == "mandatory":
        void = petit_sec(state.hands[rows], rules).any(1)
        throw_in(state, rows[void])
        rows = rows[~void]
    if rules.asks_for_redeals:
        _ask_redeal(state, rows, np.zeros(len(rows), np.int64), rules)


def throw_in(state: State, rows: Int64[np.ndarray, " n"]) -> None:
    """Ends deals that are not played. Nobody scores."""
    state.phase[rows] = Phase.OVER
    state.seat[rows] = -1


# -- redeal questions


def redeal_reasons(
    state: State, rows: Int64[np.ndarray, " n"], rules: Rules
) -> tuple[Int8[np.ndarray, "n s"], Bool[np.ndarray, "n m"]]:
    """Seats in order of speaking; whether each has a petit sec, then whether just a weak hand."""
    hands = state.hands[rows]
    order = SEATINGS[rules.game_name].speakers[state.dealer[rows]]
    petit = weak = np.zeros(hands.shape[:2], bool)
    if rules.petit_sec == "optional":
        petit = petit_sec(hands, rules)
    if rules.weak_hand_redeal != "off":
        weak = weak_hand(hands, rules) & ~petit
    in_order = [np.take_along_axis(r, order.astype(np.int64), 1) for r in (petit, weak)]
    return order, np.concatenate(in_order, 1)


def _ask_redeal(
    state: State, rows: Int64[np.ndarray, " n"], first: Int64[np.ndarray, " n"], rules: Rules
) -> None:
    """Asks the next seat that has a reason: a petit sec, then weak hands; else the auction.

    Args:
        state: the tables.
        rows: which of them.
        first: number of the first question that may be asked, in the order of `redeal_reasons`.
        rules: what is played.
    """
    order, reasons = redeal_reasons(state, rows, rules)
    reasons &= np.arange(reasons.shape[1]) >= first[:, None]
    found = reasons.any(1)
    place = np.where(found, reasons.argmax(1), 0) % order.shape[1]
    state.phase[rows] = np.where(found, Phase.PETIT_SEC, Phase.AUCTION)
    state.seat[rows] = order[np.arange(len(rows)), place]


def legal_redeal(
    state: State, rows: Int64[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n 2"]:
    """Have the deal thrown in, or pass and play on."""
    return np.broadcast_to(_PASS_OR_THROW_IN, (len(rows), 2))


def apply_redeal(
    state: State, rows: Int64[np.ndarray, " n"], actions: Int64[np.ndarray, " n"], rules: Rules
) -> Int64[np.ndarray, " m"]:
    """Hears the holder's answer; declining leaves no trace for others."""
    log(state, rows, state.seat[rows], actions)
    thrown = actions == THROW_IN
    publish(state, rows[thrown], state.seat[rows[thrown]], actions[thrown])
    throw_in(state, rows[thrown])
    rows = rows[~thrown]
    order, reasons = redeal_reasons(state, rows, rules)
    asked = reasons & np.tile(order == state.seat[rows, None], 2)
    _ask_redeal(state, rows, asked.argmax(1) + 1, rules)
    return rows[:0]


def reason_redeal(state: State, row: int, action: int, rules: Rules) -> str:
    """Why this is no answer to the question about a redeal."""
    return "the seat says whether the deal is thrown in: throw in, or pass to play on"


# -- bids


def legal(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> UInt64[np.ndarray, "n 2"]:
    """Pass, or a bid higher than the best so far; six players may contra and recontra."""
    allowed = _HIGHER[state.contract[rows]]
    if not rules.in_partnerships:
        allowed = allowed & ~cardsets.BIT[POUSSE]
        return allowed if rules.with_petite else allowed & ~cardsets.BIT[PETITE]
    state_contra = state.contra[rows]
    bid = state.taker[rows] >= 0
    own = (state.seat[rows] - state.taker[rows]) % 3 == 0
    contra = bid & ~own & (state_contra == 0)
    recontra = bid & own & (state_contra == 1)
    extra = np.where(contra, CONTRA, np.where(recontra, RECONTRA, PASS))
    return allowed | cardsets.BIT[extra]


def apply(
    state: State, rows: Int64[np.ndarray, " n"], actions: Int64[np.ndarray, " n"], rules: Rules
) -> Int64[np.ndarray, " m"]:
    """Hears a call; returns the rows that have their contract."""
    seat = state.seat[rows]
    log_and_publish(state, rows, seat, actions)
    if rules.in_partnerships:
        done = _apply_partnership_call(state, rows, seat, actions, rules)
    else:
        done = _apply_call(state, rows, seat, actions, rules)
    taken = state.taker[rows] >= 0
    throw_in(state, rows[done & ~taken])
    return rows[done & taken]


def _note_bid(
    state: State,
    rows: Int64[np.ndarray, " n"],
    seat: np.ndarray,
    bid: np.ndarray,
) -> None:
    state.contract[rows] = np.maximum(state.contract[rows], bid)
    state.taker[rows] = np.where(bid > 0, seat, state.taker[rows])


def _apply_call(
    state: State,
    rows: Int64[np.ndarray, " n"],
    seat: np.ndarray,
    actions: Int64[np.ndarray, " n"],
    rules: Rules,
) -> Bool[np.ndarray, " n"]:
    """One call; the auction ends when all have spoken or passed, or at a garde contre."""
    bid = (actions - PASS).astype(np.int8)
    state.bids[rows, seat] = bid
    _note_bid(state, rows, seat, bid)
    seating = SEATINGS[rules.game_name]
    dealer = state.dealer[rows]
    following = seating.next_speaker[dealer, seat]
    if rules.auction == "single":
        done = seat == seating.speakers[dealer, -1]
    else:
        order = seating.speakers[dealer].astype(np.int64)
        bids = state.bids[rows]
        speakers = order.shape[1]
        passed = (np.take_along_axis(bids, order, 1) == 0).sum(1)
        done = passed >= speakers - (state.taker[rows] >= 0)
        for _ in range(speakers - 1):
            out = ~done & (bids[np.arange(len(rows)), following] == 0)
            following = np.where(out, seating.next_speaker[dealer, following], following)
    state.seat[rows] = following
    return done | (bid == Bid.GARDE_CONTRE)


def _apply_partnership_call(
    state: State,
    rows: Int64[np.ndarray, " n"],
    seat: np.ndarray,
    actions: Int64[np.ndarray, " n"],
    rules: Rules,
) -> Bool[np.ndarray, " n"]:
    """One call of six; ends after five passes in a row, six before any bid, or a last recontra."""
    passed = actions == PASS
    is_bid = (actions > PASS) & (actions <= GARDE_CONTRE)
    bid = np.where(is_bid, actions - PASS, 0).astype(np.int8)
    state.bids[rows, seat] = np.maximum(state.bids[rows, seat], bid)
    _note_bid(state, rows, seat, bid)
    contra = np.where(is_bid, 0, state.contra[rows])
    contra = np.where(actions == CONTRA, 1, np.where(actions == RECONTRA, 2, contra))
    state.contra[rows] = contra
    passes = np.where(passed, state.passes[rows] + 1, 0)
    following = (seat + 1) % 6
    ends = np.where(state.taker[rows] >= 0, _PASSES_THAT_END, 6)

    last_bid = state.contract[rows] == Bid.GARDE_CONTRE
    done = last_bid & (contra == 2)
    for _ in range(_PASSES_THAT_END):  # after a garde contre some seats can only pass
        own = (following - state.taker[rows]) % 3 == 0
        silent = last_bid & ~done & (passes < ends) & (own == (contra == 0))
        passes = passes + silent
        following = np.where(silent, (following + 1) % 6, following)
    state.passes[rows] = passes
    state.seat[rows] = following
    done |= passes >= ends
    dummy_bid = done & (state.taker[rows] >= 0) & (state.contract[rows] < Bid.GARDE)
    state.taker[rows[dummy_bid]] = -1
    state.contract[rows[dummy_bid]] = Bid.NONE
    state.contra[rows[dummy_bid]] = 0
    return done


def reason(state: State, row: int, action: int, rules: Rules) -> str:
    """Why the seat to act may not say this, in the words of the rules."""
    best = int(state.contract[row])
    if action in (CONTRA, RECONTRA) and rules.in_partnerships:
        return _reason_contra(state, row, action)
    if not PASS < action <= GARDE_CONTRE:
        higher = [a for a in _bids(rules) if a > PASS + best]
        return f"no bid; say pass, {', '.join(action_words(a) for a in higher)}"
    if action not in _bids(rules):
        return f"{action_words(action)} is no bid of this game"
    return f"a bid must be higher than {action_words(PASS + best)}"


def _reason_contra(state: State, row: int, action: int) -> str:
    if state.taker[row] < 0:
        return "there is no bid yet"
    if action == CONTRA:
        return "only another partnership may contra a bid, and only once"
    return "only the bidding partnership may recontra, after a contra, and only once"


def _bids(rules: Rules) -> list[int]:
    """Bids of a game as actions."""
    absent = set() if rules.in_partnerships else {POUSSE}
    return [a for a in _BIDS if a not in absent and (a != PETITE or rules.with_petite)]


def force(
    state: State,
    rows: Int64[np.ndarray, " n"],
    taker: Integer[np.ndarray, " n"],
    contract: Integer[np.ndarray, " n"],
) -> None:
    """Gives the contract without an auction."""
    state.forced[rows] = True
    state.taker[rows] = taker
    state.contract[rows] = contract


def settle(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    """Passes the turn to the taker; with six, the seat opposite is its partner."""
    state.seat[rows] = state.taker[rows]
    if rules.in_partnerships:
        state.partner[rows] = (state.taker[rows] + 3) % 6
