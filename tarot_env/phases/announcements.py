"""Slam and poignée (rules.md A0.3): announced before a first card, one question at a time.

The taker is asked about a slam before the first lead. Each seat is asked about a poignée just
before its own first card, if it can show one: exactly the threshold of trumps, the surplus
withheld one by one; the Excuse is shown only where it is needed, so that it never stands for a
trump kept back.
"""

import numpy as np
from jaxtyping import Int16, Int64, UInt64

from tarot_env import cardsets
from tarot_env.actions import (
    CHELEM,
    PASS,
    POIGNEE,
    TRIPLE_POIGNEE,
    Phase,
    action_text,
    action_words,
)
from tarot_env.cards import EXCUSE, KIND, NUM_CARDS, TRUMP
from tarot_env.rules import Rules
from tarot_env.state import State, log, publish

_PASS_OR_CHELEM = cardsets.from_ids([PASS, CHELEM])
_LEVELS = np.stack([cardsets.from_ids([PASS, *range(POIGNEE, POIGNEE + n)]) for n in range(4)])
"""uint64 [4, 2]: pass and the n lowest poignées."""


def ask_slam(state: State, rows: Int64[np.ndarray, " n"]) -> None:
    """Asks the taker about a slam."""
    state.phase[rows] = Phase.SLAM
    state.seat[rows] = state.taker[rows]


def legal_slam(
    state: State, rows: Int64[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n 2"]:
    """Announce a slam, or pass."""
    return np.broadcast_to(_PASS_OR_CHELEM, (len(rows), 2))


def apply_slam(
    state: State, rows: Int64[np.ndarray, " n"], actions: Int64[np.ndarray, " n"], rules: Rules
) -> None:
    """Hears the taker's answer; everybody does. Then the first trick begins."""
    log(state, rows, state.seat[rows], actions)
    publish(state, rows, state.seat[rows], actions)
    state.slam_announced[rows] = actions == CHELEM
    begin_play(state, rows, rules)


def reason_slam(state: State, row: int, action: int, rules: Rules) -> str:
    """Why this is no answer to the question about a slam."""
    return f"the taker says whether it announces a slam: pass or {action_words(CHELEM)}"


def begin_play(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    """Hands the lead to the first hand, or to the taker who announced a slam (or by rule)."""
    first_hand = (state.dealer[rows] + 1) % rules.players
    taker_leads = np.full(len(rows), rules.first_lead == "taker")
    if rules.slam_announcer_leads:
        taker_leads |= state.slam_announced[rows]
    leader = np.where(taker_leads, state.taker[rows], first_hand)
    state.leader[rows] = leader
    state.seat[rows] = leader
    begin_turn(state, rows, rules)


def begin_turn(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    """Lets the seat to act play, or first answer about a poignée before its first card."""
    state.phase[rows] = Phase.PLAY
    first = rows[state.trick_number[rows] == 0]
    if len(first):
        asked = first[can_show(state, first, rules)]
        state.phase[asked] = Phase.POIGNEE


def eligible_trumps(
    state: State, rows: Int64[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n 2"]:
    """Trumps that the seat to act may show: those in hand, and the taker's shown discards."""
    seat = state.seat[rows]
    trumps = state.hands[rows, seat] & cardsets.TRUMPS
    if rules.poignee_counts_shown_discards:
        own = (seat == state.taker[rows])[:, None]
        trumps = trumps | np.where(own, state.ecart[rows] & cardsets.TRUMPS, np.uint64(0))
    return trumps


def _num_showable(
    state: State, rows: Int64[np.ndarray, " n"], rules: Rules
) -> Int16[np.ndarray, " n"]:
    """How many cards the seat to act can show: eligible trumps, and the Excuse."""
    excuse = state.hands[rows, state.seat[rows]] & cardsets.EXCUSE
    return cardsets.count(eligible_trumps(state, rows, rules) | excuse)


def _levels(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> Int64[np.ndarray, " n"]:
    """How many levels of poignée the seat to act can show: 0 to 3."""
    held = _num_showable(state, rows, rules)
    return np.searchsorted(rules.poignee_thresholds, held, side="right")


def can_show(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> np.ndarray:
    """Whether the seat to act can show any poignée."""
    return _levels(state, rows, rules) > 0


def legal_poignee(
    state: State, rows: Int64[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n 2"]:
    """Any poignée that the hand is long enough for, or pass."""
    return _LEVELS[_levels(state, rows, rules)]


def reason_poignee(state: State, row: int, action: int, rules: Rules) -> str:
    """Why this is no answer to the question about a poignée."""
    if not POIGNEE <= action <= TRIPLE_POIGNEE:
        return "the seat says whether it shows a poignée, before its first card: pass or its name"
    needed = rules.poignee_thresholds[action - POIGNEE]
    shown = int(_num_showable(state, np.array([row]), rules)[0])
    return f"a {action_words(action)} needs {needed} trumps, {shown} can be shown"


def apply_poignee(
    state: State, rows: Int64[np.ndarray, " n"], actions: Int64[np.ndarray, " n"], rules: Rules
) -> None:
    """Takes the answer; a poignée of more trumps than it shows goes on to withholding."""
    log(state, rows, state.seat[rows], actions)
    declined = actions == PASS
    _answered(state, rows[declined])
    rows, actions = rows[~declined], actions[~declined]
    state.poignee_declared[rows] = actions - POIGNEE + 1
    state.phase[rows] = Phase.WITHHOLD
    _show_if_complete(state, rows, rules)


def legal_withhold(
    state: State, rows: Int64[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n 2"]:
    """Any trump that could be shown and is not withheld yet."""
    seat = state.seat[rows]
    return eligible_trumps(state, rows, rules) & ~state.withheld[rows, seat]


def reason_withhold(state: State, row: int, action: int, rules: Rules) -> str:
    """Why this card cannot be kept out of the poignée."""
    seat = state.seat[row]
    if action >= NUM_CARDS:
        return "no card; a trump is kept back from the poignée now"
    if action == EXCUSE:
        return "the Excuse is never kept back: it is shown only where trumps are too few"
    if KIND[action] != TRUMP:
        return "only trumps are kept back from a poignée"
    card = cardsets.BIT[action]
    if (state.withheld[row, seat] & card).any():
        return "kept back already"
    if seat == state.taker[row] and (state.ecart[row] & card).any():
        return f"{action_text(action)} lies in the écart, which these rules do not count"
    return "not a trump in hand"


def apply_withhold(
    state: State, rows: Int64[np.ndarray, " n"], actions: Int64[np.ndarray, " n"], rules: Rules
) -> None:
    """Keeps one trump out of the poignée."""
    seat = state.seat[rows]
    log(state, rows, seat, actions)
    state.withheld[rows, seat] |= cardsets.BIT[actions]
    _show_if_complete(state, rows, rules)


def _show_if_complete(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    """Shows the poignées that have no surplus left; only now does the table learn of them."""
    level = state.poignee_declared[rows]
    threshold = np.array((0, *rules.poignee_thresholds))[level]
    trumps = legal_withhold(state, rows, rules)
    number = cardsets.count(trumps)
    complete = number <= threshold
    rows, level, trumps = rows[complete], level[complete], trumps[complete]
    short = (number < threshold)[complete]

    seat = state.seat[rows]
    excuse = np.where(short[:, None], cardsets.EXCUSE, cardsets.EMPTY)
    state.poignee_level[rows, seat] = level
    state.poignee_cards[rows, seat] = trumps | excuse
    publish(state, rows, seat, level.astype(np.int64) + POIGNEE - 1)
    _answered(state, rows)


def _answered(state: State, rows: Int64[np.ndarray, " n"]) -> None:
    state.poignee_declared[rows] = 0
    state.phase[rows] = Phase.PLAY
