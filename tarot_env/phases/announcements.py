"""Slam, misère and poignée (rules.md A0.3, A10, A11): announced one question at a time.

The taker is asked about a slam before the first lead. Each seat is asked about a misère and a
poignée just before its own first card, or before the first trick in order of play, if it has one
to announce. A poignée that is longer than it must be goes on to withholding, trump by trump; the
Excuse is shown only where it is needed, so that it never stands for a trump kept back.
"""

import numpy as np
from jaxtyping import Int16, Int64, UInt64

from tarot_env.cards import EXCUSE, KIND, NUM_CARDS, TRUMP, cardsets
from tarot_env.cards.actions import (
    CHELEM,
    MISERE,
    PASS,
    PETIT_CHELEM,
    POIGNEE,
    TRIPLE_POIGNEE,
    Phase,
    action_text,
    action_words,
)
from tarot_env.core.seating import SEATINGS
from tarot_env.core.state import State, ecart_column, hands_to_act, log, log_and_publish, publish
from tarot_env.rules import Rules

_PASS_OR_CHELEM = cardsets.from_ids([PASS, CHELEM])
_WITH_PETIT_CHELEM = cardsets.from_ids([PASS, CHELEM, PETIT_CHELEM])
_PASS_OR_MISERE = cardsets.from_ids([PASS, MISERE])
_LEVELS = np.stack([cardsets.from_ids([PASS, *range(POIGNEE, POIGNEE + n)]) for n in range(4)])
"""uint64 [4, 2]: pass and the n lowest poignées."""


# -- slam


def ask_slam(state: State, rows: Int64[np.ndarray, " n"]) -> None:
    """Asks the taker about a slam."""
    state.phase[rows] = Phase.SLAM
    state.seat[rows] = state.taker[rows]


def legal_slam(
    state: State, rows: Int64[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n 2"]:
    """Announce a slam, a petit chelem where the rules have it, or pass."""
    choices = _WITH_PETIT_CHELEM if rules.petit_chelem else _PASS_OR_CHELEM
    return np.broadcast_to(choices, (len(rows), 2))


def apply_slam(
    state: State, rows: Int64[np.ndarray, " n"], actions: Int64[np.ndarray, " n"], rules: Rules
) -> Int64[np.ndarray, " n"]:
    """Hears the taker's answer; everybody does."""
    log_and_publish(state, rows, state.seat[rows], actions)
    state.slam_announced[rows] = actions == CHELEM
    state.petit_chelem_announced[rows] = actions == PETIT_CHELEM
    return rows


def reason_slam(state: State, row: int, action: int, rules: Rules) -> str:
    """Why this is no answer to the question about a slam."""
    small = f", {action_words(PETIT_CHELEM)}" if rules.petit_chelem else ""
    return f"the taker says whether it announces a slam: pass{small} or {action_words(CHELEM)}"


# -- who is asked before a first card


def begin_play(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    """Hands the lead to the first hand, or to the taker who announced a slam (or by rule)."""
    first_hand = SEATINGS[rules.game_name].order[state.dealer[rows], 0]
    taker_leads = np.full(len(rows), rules.first_lead == "taker")
    if rules.slam_announcer_leads:
        taker_leads |= state.slam_announced[rows]
    leader = np.where(taker_leads, state.taker[rows], first_hand)
    state.leader[rows] = leader
    state.seat[rows] = leader
    if rules.petit_sec == "imprenable":
        note_imprenable(state, rows)
    if rules.poignee_window == "before_first_trick":
        _ask_all(state, rows, rules)
    else:
        begin_turn(state, rows, rules)


def note_imprenable(state: State, rows: Int64[np.ndarray, " n"]) -> None:
    """Notes the hand whose only trump is the petit, without the Excuse, when play begins (A10)."""
    hands = state.hands[rows]
    lone = ((hands & (cardsets.TRUMPS | cardsets.EXCUSE)) == cardsets.PETIT).all(-1)
    state.imprenable[rows] = np.where(lone.any(1), lone.argmax(1), -1)


def begin_turn(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    """Lets the seat to act play its first card, or answer the questions before it."""
    if not len(rows):
        return
    asks = rules.poignee_window == "own_first_card"
    state.phase[rows] = _question(state, rows, rules) if asks else Phase.PLAY


def _ask_all(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    """Asks the seats in order of play, from the one to act; behind the last, the leader plays."""
    state.phase[rows] = _question(state, rows, rules)
    _pass_over_the_silent(state, rows, rules)


def _pass_over_the_silent(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    """Before the first trick: goes on to the next seat with a question, once round the table."""
    rows = rows[state.phase[rows] == Phase.PLAY]
    while len(rows):
        following = SEATINGS[rules.game_name].hand_behind(state.dealer[rows], state.seat[rows])
        state.seat[rows] = following
        rows = rows[following != state.leader[rows]]
        state.phase[rows] = _question(state, rows, rules)
        rows = rows[state.phase[rows] == Phase.PLAY]


def _question(
    state: State, rows: Int64[np.ndarray, " n"], rules: Rules, *, after_misere: bool = False
) -> np.ndarray:
    """The next question to the seat to act: misère, then poignée, or to play."""
    phase = np.where(can_show(state, rows, rules), np.int8(Phase.POIGNEE), np.int8(Phase.PLAY))
    if rules.misere and not after_misere:
        phase = np.where(misere_kind(state, rows) > 0, np.int8(Phase.MISERE), phase)
    return phase


def _answered(
    state: State, rows: Int64[np.ndarray, " n"], rules: Rules, *, misere: bool = False
) -> None:
    """Goes on behind an answer: to the same seat's next question, to the next seat, to play."""
    if misere:
        state.phase[rows] = _question(state, rows, rules, after_misere=True)
    else:
        state.poignee_declared[rows] = 0
        state.phase[rows] = Phase.PLAY
    if rules.poignee_window == "before_first_trick":
        _pass_over_the_silent(state, rows, rules)


# -- misère


def misere_kind(state: State, rows: Int64[np.ndarray, " n"]) -> Int64[np.ndarray, " n"]:
    """Which misère the hand to act can declare: 1 no trump, 2 no court card, 3 both, 0 none."""
    hand = hands_to_act(state, rows)
    no_court = np.where(cardsets.is_empty(hand & cardsets.COURT), 2, 0)
    return no_court + cardsets.is_empty(hand & cardsets.TRUMPS)


def legal_misere(
    state: State, rows: Int64[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n 2"]:
    """Declare the misère, or pass."""
    return np.broadcast_to(_PASS_OR_MISERE, (len(rows), 2))


def apply_misere(
    state: State, rows: Int64[np.ndarray, " n"], actions: Int64[np.ndarray, " n"], rules: Rules
) -> Int64[np.ndarray, " m"]:
    """Hears the answer; a declaration tells everybody which misère it is."""
    seat = state.seat[rows]
    log(state, rows, seat, actions)
    said = actions == MISERE
    publish(state, rows[said], seat[said], actions[said])
    state.misere[rows[said], seat[said]] = misere_kind(state, rows[said])
    _answered(state, rows, rules, misere=True)
    return rows[:0]


def reason_misere(state: State, row: int, action: int, rules: Rules) -> str:
    """Why this is no answer to the question about a misère."""
    return "the seat says whether it declares a misère: pass or misère"


# -- poignée


def _eligible_trumps(
    state: State, rows: Int64[np.ndarray, " n"], hands: UInt64[np.ndarray, "n 2"], rules: Rules
) -> UInt64[np.ndarray, "n 2"]:
    """Trumps that the seat to act may show: those in hand, and the taker's shown discards."""
    trumps = hands & cardsets.TRUMPS
    if rules.poignee_counts_shown_discards:
        seat = state.seat[rows]
        own = seat == state.taker[rows]
        if rules.in_partnerships:
            own |= seat == state.partner[rows]
        ecart = state.ecart[rows, ecart_column(state, rows, seat)]
        trumps |= cardsets.where(own, ecart & cardsets.TRUMPS)
    return trumps


def eligible_cards(
    state: State, rows: Int64[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n 2"]:
    """Cards that the seat to act may show or withhold: its trumps, and an Excuse that is free."""
    hands = hands_to_act(state, rows)
    cards = _eligible_trumps(state, rows, hands, rules)
    return cards | (hands & cardsets.EXCUSE) if rules.poignee_excuse == "free" else cards


def _num_showable(
    state: State, rows: Int64[np.ndarray, " n"], rules: Rules
) -> Int16[np.ndarray, " n"]:
    """How many cards the seat to act can show: eligible trumps, and the Excuse."""
    hands = hands_to_act(state, rows)
    return cardsets.count(_eligible_trumps(state, rows, hands, rules) | (hands & cardsets.EXCUSE))


def _levels(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> Int64[np.ndarray, " n"]:
    """How many levels of poignée the seat to act can show: 0 to 3."""
    held = _num_showable(state, rows, rules)
    return np.searchsorted(rules.thresholds, held, side="right")


def can_show(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> np.ndarray:
    """Whether the seat to act can show any poignée."""
    least = rules.thresholds[:1]
    return _num_showable(state, rows, rules) >= least if least else np.zeros(len(rows), bool)


def legal_poignee(
    state: State, rows: Int64[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n 2"]:
    """Any poignée that the hand is long enough for, or pass."""
    return _LEVELS[_levels(state, rows, rules)]


def reason_poignee(state: State, row: int, action: int, rules: Rules) -> str:
    """Why this is no answer to the question about a poignée."""
    if not POIGNEE <= action <= TRIPLE_POIGNEE:
        return "the seat says whether it shows a poignée, before its first card: pass or its name"
    needed = rules.thresholds[action - POIGNEE]
    shown = int(_num_showable(state, np.array([row]), rules)[0])
    return f"a {action_words(action)} needs {needed} trumps, {shown} can be shown"


def apply_poignee(
    state: State, rows: Int64[np.ndarray, " n"], actions: Int64[np.ndarray, " n"], rules: Rules
) -> Int64[np.ndarray, " m"]:
    """Takes the answer; a poignée of more trumps than it shows goes on to withholding."""
    log(state, rows, state.seat[rows], actions)
    declined = actions == PASS
    _answered(state, rows[declined], rules)
    rows, actions = rows[~declined], actions[~declined]
    state.poignee_declared[rows] = actions - POIGNEE + 1
    state.phase[rows] = Phase.WITHHOLD
    _show_if_complete(state, rows, rules)
    return rows[:0]


# -- withholding


def _surplus(
    state: State, rows: Int64[np.ndarray, " n"], rules: Rules
) -> tuple[UInt64[np.ndarray, "n 2"], Int64[np.ndarray, " n"]]:
    """What could still be shown, and how many cards of it more than must be.

    The Excuse is one of the cards where it is free, and where trumps alone are too few.
    """
    rest = eligible_cards(state, rows, rules) & ~state.withheld[rows, state.seat[rows]]
    threshold = np.array((0, *rules.thresholds))[state.poignee_declared[rows]]
    surplus = cardsets.count(rest) - threshold
    return rest, surplus.astype(np.int64)


def legal_withhold(
    state: State, rows: Int64[np.ndarray, " n"], rules: Rules
) -> UInt64[np.ndarray, "n 2"]:
    """Any card that could be shown and is not withheld yet; where more may be shown, pass."""
    rest, _ = _surplus(state, rows, rules)
    return rest | cardsets.BIT[PASS] if rules.poignee_show == "at_least" else rest


def reason_withhold(state: State, row: int, action: int, rules: Rules) -> str:
    """Why this card cannot be kept out of the poignée."""
    seat = state.seat[row]
    if action >= NUM_CARDS:
        return "no card; a trump is kept back from the poignée now"
    card = cardsets.BIT[action]
    if (state.withheld[row, seat] & card).any():
        return "kept back already"
    if action == EXCUSE and rules.poignee_excuse != "free":
        return "the Excuse is never kept back: it is shown only where trumps are too few"
    if KIND[action] < TRUMP:
        return "only trumps are kept back from a poignée"
    if seat == state.taker[row] and (state.ecart[row] & card).any():
        return f"{action_text(action)} lies in the écart, which these rules do not count"
    return "not a trump in hand"


def apply_withhold(
    state: State, rows: Int64[np.ndarray, " n"], actions: Int64[np.ndarray, " n"], rules: Rules
) -> Int64[np.ndarray, " m"]:
    """Keeps one card out of the poignée, or shows what is left."""
    seat = state.seat[rows]
    log(state, rows, seat, actions)
    ends = actions == PASS
    if ends.any():
        _show(state, rows[ends], *_surplus(state, rows[ends], rules), rules)
    rows, seat, actions = rows[~ends], seat[~ends], actions[~ends]
    state.withheld[rows, seat] |= cardsets.BIT[actions]
    _show_if_complete(state, rows, rules)
    return rows[:0]


def _show_if_complete(state: State, rows: Int64[np.ndarray, " n"], rules: Rules) -> None:
    rest, surplus = _surplus(state, rows, rules)
    complete = surplus <= 0
    if complete.any():
        _show(state, rows[complete], rest[complete], surplus[complete], rules)


def _show(
    state: State,
    rows: Int64[np.ndarray, " n"],
    shown: UInt64[np.ndarray, "n 2"],
    surplus: Int64[np.ndarray, " n"],
    rules: Rules,
) -> None:
    """Shows what is not withheld of the poignées; only now does the table learn of them."""
    seat, level = state.seat[rows], state.poignee_declared[rows]
    excuse = np.where((surplus < 0)[:, None], cardsets.EXCUSE, cardsets.EMPTY)
    state.poignee_level[rows, seat] = level
    state.poignee_cards[rows, seat] = shown | excuse
    publish(state, rows, seat, level.astype(np.int64) + POIGNEE - 1)
    _answered(state, rows, rules)
