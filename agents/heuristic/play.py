"""Card play of the heuristic: the card for which most principles speak (RULES.md 17.3, 17.5).

Each card is scored in half points: what winning the trick brings, times the chance of winning it,
less what the card would still be worth in the hand, plus what it does as a lead. Loading a
partner's trick, playing low on a lost one and winning as cheaply as possible follow from that sum.
"""

from typing import Any

import numpy as np
from jaxtyping import Float64, Int

from agents.heuristic.holding import PLACES
from agents.heuristic.keeping import deadline, reasons_to_keep
from agents.heuristic.leading import defence_lead, make_plan, note_led, taker_lead
from agents.heuristic.reading import READING, read_turn
from agents.heuristic.tricks import look_at_trick, what_winning_brings
from agents.heuristic.weights import (
    DEFENCE_KEEP,
    DEFENCE_LEAD,
    DEFENCE_WIN,
    TAKER_KEEP,
    TAKER_LEAD,
    TAKER_WIN,
)
from tarot_env.cards import ANY, FIRST_TRUMP, NUM_CARDS
from tarot_env.core.bits import contains, lowest
from tarot_env.core.compiling import as_compiled, kernel, loop
from tarot_env.core.state import PLAY, actor, as_records, blank_records, rules_record
from tarot_env.phases import phase_order
from tarot_env.tables import Tables, Turn
from tarot_env.tables.turn import TURN, see, takes_lead

_STEPS = 1024.0
"""Scores are compared in these parts of a half point, so that rounding decides no tie."""
_LEAST_GAMES = 8
"""Games played on for each thread."""

SCRATCH: Any = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("reading", READING),
                ("places", PLACES),
                ("trick", "f8", 5),
                ("plan", "f8", 6),
                ("led", "i8", 3),
                ("merits", "f8", NUM_CARDS),
            ],
            align=True,
        ),
    )
)
"""What choosing one card is done with; nothing in it outlives a call."""


@kernel
def choose_card(turn: Any, rules: Any, work: Any) -> int:
    """The card with the highest merit, the first of several.

    Args:
        turn: a record of `TURN`, of a seat that is to play a card.
        rules: what is played.
        work: a record of `SCRATCH`.
    """
    suits, rest = turn.legal[0], turn.legal[1]
    if rest == 0 and suits & (suits - 1) == 0:
        return lowest(suits)
    if suits == 0 and rest & (rest - 1) == 0:
        return FIRST_TRUMP + lowest(rest)
    weigh_cards(turn, rules, work)
    best = -1
    for card in range(NUM_CARDS):
        if contains(suits, rest, card) and (best < 0 or work.merits[card] > work.merits[best]):
            best = card
    return best


@kernel
def weigh_cards(turn: Any, rules: Any, work: Any) -> None:
    """Writes the merit of each legal card in half points."""
    r, trick = work.reading, work.trick
    read_turn(turn, rules, r, work.places)
    look_at_trick(turn, rules, r, trick)
    win = TAKER_WIN if r.as_taker else DEFENCE_WIN
    keep = TAKER_KEEP if r.as_taker else DEFENCE_KEEP
    suits, rest = takes_lead(turn, r.hand[0], r.hand[1])
    leads = turn.led == ANY
    if leads:
        note_led(turn, rules, work.led)
        make_plan(turn, rules, r, work.plan)
    for card in range(NUM_CARDS):
        if not contains(turn.legal[0], turn.legal[1], card):
            continue
        takes = contains(suits, rest, card)
        merit = what_winning_brings(turn, r, trick, card, takes, win)
        merit -= reasons_to_keep(turn, rules, r, trick, card, keep)
        merit += deadline(turn, rules, r, card)
        if leads and r.as_taker:
            merit += taker_lead(turn, rules, r, work.led, work.plan, card, TAKER_LEAD)
        elif leads:
            merit += defence_lead(turn, rules, r, work.led, work.plan, card, DEFENCE_LEAD)
        work.merits[card] = round(merit * _STEPS) / _STEPS


@loop
def _choose_all(turns: Any, rules: Any, work: Any, cards: Any) -> None:
    for i in range(len(turns)):
        cards[i] = choose_card(turns[i], rules[0], work[0])


@loop
def _weigh_all(turns: Any, rules: Any, work: Any, merits: Any) -> None:
    for i in range(len(turns)):
        weigh_cards(turns[i], rules[0], work[0])
        for card in range(NUM_CARDS):
            if contains(turns[i].legal[0], turns[i].legal[1], card):
                merits[i, card] = work[0].merits[card]


@loop
def _play_on(
    tables: Any, legal: Any, events: Any, rules: Any, rows: Any, turn: Any, work: Any
) -> None:
    for i in range(len(rows)):
        row = rows[i]
        t = tables[row]
        while t.phase == PLAY:
            see(t, legal[row, 0], legal[row, 1], rules[0], actor(t, rules[0]), turn[0])
            phase_order.apply(t, events[row], rules[0], choose_card(turn[0], rules[0], work[0]))
            legal[row, 0], legal[row, 1] = phase_order.legal(t, rules[0])


def play_on(tables: Tables, rows: Int[np.ndarray, " n"]) -> None:
    """Plays the named tables on until they are over, or ask for something else than a card."""
    rows = as_compiled(rows, np.int64)
    record = rules_record(tables.rules)

    def part(at: slice) -> None:
        turn, work = blank_records(1, TURN), blank_records(1, SCRATCH)
        given = tables.state, tables.legal_words, tables.events, record
        _play_on(*given, rows[at], turn, work)

    tables.in_parts(len(rows), _LEAST_GAMES, part)


def play_card(turn: Turn) -> Int[np.ndarray, " n"]:
    """The card that each seat to play plays."""
    cards = np.empty(len(turn), np.int64)
    turns, work = as_records(turn.records), blank_records(1, SCRATCH)
    _choose_all(turns, rules_record(turn.rules), work, cards)
    return cards


def card_merits(turn: Turn) -> Float64[np.ndarray, "n 78"]:
    """Merit of each legal card in half points, in steps so wide that rounding decides no tie.

    Minus infinity for the others.
    """
    merits = np.full((len(turn), NUM_CARDS), -np.inf)
    turns, work = as_records(turn.records), blank_records(1, SCRATCH)
    _weigh_all(turns, rules_record(turn.rules), work, merits)
    return merits
