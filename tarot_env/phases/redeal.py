"""Redeals (RULES.md 3.4 to 3.6): a petit sec, a weak hand, and the questions about them.

A petit sec voids the deal where that is mandatory. Where it is optional, and for weak hands, the
seats that have a reason are asked in order of speaking: first about a petit sec, then about a weak
hand. The questions are numbered in that order, so that with S seats that speak, question q is to
the seat at place `q % S` and about a petit sec while q < S.
"""

from typing import Any

import numpy as np
from jaxtyping import Bool, UInt64

from tarot_env.cards import FIRST_TRUMP
from tarot_env.cards.actions import PASS, THROW_IN
from tarot_env.core.bits import COURT, EXCUSE, PETIT, TRUMPS, popcount
from tarot_env.core.compiling import as_compiled, kernel, loop
from tarot_env.core.events import BOTH, PRIVATE, log
from tarot_env.core.state import choice, rules_record
from tarot_env.rules import Rules

_MANDATORY, _OPTIONAL = choice("petit_sec", "mandatory"), choice("petit_sec", "optional")
_OFF, _NO_TRUMPS = choice("weak_hand_redeal", "off"), choice("weak_hand_redeal", "no_trumps")
_WORDS = 2
"""Values of `weak_hand_redeal` that are words; a number comes after them."""
_CHOICES = 1 << (PASS - FIRST_TRUMP) | 1 << (THROW_IN - FIRST_TRUMP)


@kernel
def is_petit_sec(rest: int, rules: Any) -> bool:
    """Whether a hand was dealt the petit as its only trump, and no Excuse where that protects."""
    if rest & EXCUSE and rules.petit_sec_excuse_protects == 1:
        return False
    return (rest & TRUMPS) == PETIT


@kernel
def is_weak(suits: int, rest: int, rules: Any) -> bool:
    """Whether a hand has no trump, or fewer trumps and court cards than the rules ask for."""
    if suits | rest == 0 or rules.weak_hand_redeal == _OFF:
        return False
    if rules.weak_hand_redeal == _NO_TRUMPS:
        return rest & TRUMPS == 0
    strong = popcount(rest & TRUMPS) + popcount(suits & COURT)
    return strong < rules.weak_hand_redeal - _WORDS


@kernel
def is_void(t: Any, rules: Any) -> bool:
    """Whether a petit sec voids the deal."""
    if rules.petit_sec == _MANDATORY:
        for seat in range(rules.players):
            if is_petit_sec(t.hands[seat, 1], rules):
                return True
    return False


@kernel
def has_reason(t: Any, rules: Any, question: int) -> bool:
    """Whether the seat that a question is to has a petit sec, or else just a weak hand."""
    seat = rules.speakers[t.dealer, question % rules.num_speakers]
    suits, rest = t.hands[seat, 0], t.hands[seat, 1]
    petit = rules.petit_sec == _OPTIONAL and is_petit_sec(rest, rules)
    if question < rules.num_speakers:
        return petit
    return not petit and is_weak(suits, rest, rules)


@kernel
def next_question(t: Any, rules: Any, first: int) -> int:
    """The first question from `first` on that is asked; -1 for none."""
    if rules.asks_for_redeals:
        for question in range(first, 2 * rules.num_speakers):
            if has_reason(t, rules, question):
                return question
    return -1


@kernel
def question_asked(t: Any, rules: Any) -> int:
    """The question that the seat to act is answering."""
    question = next_question(t, rules, 0)
    while rules.speakers[t.dealer, question % rules.num_speakers] != t.seat:
        question = next_question(t, rules, question + 1)
    return question


@kernel
def legal(t: Any, rules: Any) -> tuple[int, int]:
    """Have the deal thrown in, or pass and play on."""
    return 0, _CHOICES


@kernel
def apply(t: Any, events: Any, rules: Any, action: int) -> None:
    """Hears the answer; declining leaves no trace for others."""
    log(t, events, t.seat, action, BOTH if action == THROW_IN else PRIVATE)


def reason(t: Any, rules: Any, action: int) -> str:
    """Why this is no answer to the question about a redeal."""
    return "the seat says whether the deal is thrown in: throw in, or pass to play on"


# -- of many hands


@loop
def _find_all(hands: Any, rules: Any, petits: Any, weak: Any) -> None:
    for i in range(len(hands)):
        for seat in range(hands.shape[1]):
            suits, rest = hands[i, seat, 0], hands[i, seat, 1]
            petits[i, seat] = is_petit_sec(rest, rules[0])
            weak[i, seat] = is_weak(suits, rest, rules[0])


def _found(
    hands: UInt64[np.ndarray, "n p 2"], rules: Rules
) -> tuple[Bool[np.ndarray, "n p"], Bool[np.ndarray, "n p"]]:
    petits, weak = (np.empty(hands.shape[:2], np.bool_) for _ in range(2))
    words = as_compiled(hands, np.uint64).view(np.int64)
    _find_all(words, rules_record(rules), petits, weak)
    return petits, weak


def petit_sec(hands: UInt64[np.ndarray, "n p 2"], rules: Rules) -> Bool[np.ndarray, "n p"]:
    """Seats dealt the petit as only trump, and no Excuse where that protects (RULES.md 3.4)."""
    return _found(hands, rules)[0]


def weak_hand(hands: UInt64[np.ndarray, "n p 2"], rules: Rules) -> Bool[np.ndarray, "n p"]:
    """Seats with no trump, or too few trumps and court cards for the rules (RULES.md 3.5)."""
    return _found(hands, rules)[1]


def petit_sec_text(hands: UInt64[np.ndarray, "p 2"], rules: Rules) -> str | None:
    """Who was dealt a petit sec, in words; None where nobody was."""
    holders = np.flatnonzero(petit_sec(hands[None], rules)[0])
    if not len(holders):
        return None
    alone = not int(hands[holders[0], 1]) & EXCUSE
    without = ", without the Excuse" if alone else ""
    return f"petit sec: seat {holders[0]} holds the petit as only trump{without}"
