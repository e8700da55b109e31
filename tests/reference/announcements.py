"""Handfuls and misères: what a hand can declare (RULES.md 7.3 to 7.8)."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from .cards import EXCUSE, POIGNEES, is_court, is_trump


def misere_of(hand: Sequence[str]) -> tuple[str, ...]:
    """What a hand lacks that makes a misère: `trumps`, `courts`, both or neither."""
    lacks = []
    if not any(is_trump(card) for card in hand):
        lacks.append("trumps")
    if not any(is_court(card) for card in hand):
        lacks.append("courts")
    return tuple(lacks)


def threshold(level: str, options: Mapping[str, Any]) -> int:
    number: int = options["poignee_thresholds"][POIGNEES.index(level)]
    return number


def eligible(
    hand: Sequence[str], shown_discards: Sequence[str], options: Mapping[str, Any]
) -> list[str]:
    """Cards that may be part of a handful as they are: trumps in hand and shown in the ecart.

    The Excuse is one of them only where it is free; else it says that no trump is hidden.
    """
    cards = [card for card in hand if is_trump(card)]
    if options["poignee_counts_shown_discards"]:
        cards += shown_discards
    if options["poignee_excuse"] == "free" and EXCUSE in hand:
        cards.append(EXCUSE)
    return cards


def levels(
    hand: Sequence[str], shown_discards: Sequence[str], options: Mapping[str, Any]
) -> list[str]:
    """Handfuls that a hand can show.

    Where the Excuse says that no trump is hidden, it helps only if all the trumps together are
    one short; the number of cards is then the same as if it counted like a trump.
    """
    if options["poignee_thresholds"] is None:
        return []
    cards = {*eligible(hand, shown_discards, options), *([EXCUSE] if EXCUSE in hand else [])}
    return [level for level in POIGNEES if len(cards) >= threshold(level, options)]


def may_withhold(
    level: str, cards: Sequence[str], withheld: Collection[str], options: Mapping[str, Any]
) -> list[str]:
    """Cards of which one more may be withheld, or `pass`; none once the threshold is reached."""
    left = [card for card in cards if card not in withheld]
    if len(left) <= threshold(level, options):
        return []
    return [*left, "pass"] if options["poignee_show"] == "at_least" else left


def shown(
    level: str, cards: Sequence[str], withheld: Collection[str], options: Mapping[str, Any]
) -> list[str]:
    """The cards of a handful; the Excuse fills it where one is missing."""
    left = [card for card in cards if card not in withheld]
    return left if len(left) >= threshold(level, options) else [*left, EXCUSE]
