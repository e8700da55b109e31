"""Cards, actions and seats as people read them: `♠K`, `T21`, `garde sans`, `seat 2`."""

from collections.abc import Iterable
from typing import Literal

from tarot_env.cards import EXCUSE, JACK, KIND, NUM_CARDS, RANK, TRUMP
from tarot_env.cards.actions import PASS, POIGNEE, action_words
from tarot_env.errors import unknown_name
from tarot_env.rules.books import DUMMY
from tarot_env.rules.options import Rules

Letters = Literal["english", "french"]
COURT_LETTERS = {"english": "JNQK", "french": "VCDR"}
SUIT_SYMBOLS = "♠♥♦♣"


def check_letters(letters: object) -> None:
    """Checks that there are such letters for the court cards.

    Raises:
        UnknownName: there are not.
    """
    if not isinstance(letters, str) or letters not in COURT_LETTERS:
        raise unknown_name("letters", letters, COURT_LETTERS)


def rank_label(card: int, letters: Letters = "english") -> str:
    """What stands in a card's corner beside its suit: `10`, `K`, a trump's number."""
    if KIND[card] < TRUMP and RANK[card] >= JACK:
        return COURT_LETTERS[letters][RANK[card] - JACK]
    return "" if card == EXCUSE else str(RANK[card])


def card_label(card: int, letters: Letters = "english") -> str:
    """A card as people read it: `♠K`, `T21`, `Excuse`."""
    if card == EXCUSE:
        return "Excuse"
    symbol = "T" if KIND[card] == TRUMP else SUIT_SYMBOLS[KIND[card]]
    return symbol + rank_label(card, letters)


def action_label(action: int, letters: Letters = "english") -> str:
    """An action as people read it: a card, `garde sans`, `double poignée`."""
    return card_label(action, letters) if action < NUM_CARDS else action_words(action)


def bid_label(bid: int) -> str:
    """A `Bid` as people say it; 0 is a pass."""
    return action_words(PASS + bid)


def poignee_label(level: int) -> str:
    """`poignée`, `double poignée` or `triple poignée` for levels 1 to 3."""
    return action_words(POIGNEE + level - 1)


MISERE_LABELS = ("", "no trump", "no court card", "neither trump nor court card")
"""What a declared misère says of its hand, by kind."""


def in_hand_order(cards: Iterable[int]) -> list[int]:
    """Cards as held: suits together, high cards first, then trumps, then the Excuse."""
    return sorted(cards, key=lambda card: (KIND[card], -RANK[card]))


def by_kind(cards: Iterable[int]) -> list[list[int]]:
    """Cards in the order of a hand, one list for each kind that is there."""
    groups: dict[int, list[int]] = {}
    for card in in_hand_order(cards):
        groups.setdefault(int(KIND[card]), []).append(card)
    return list(groups.values())


def cards_text(cards: Iterable[int], letters: Letters = "english") -> str:
    """Cards in the order of a hand; kinds are set apart by a wider gap."""
    groups = [" ".join(card_label(card, letters) for card in group) for group in by_kind(cards)]
    return "  ".join(groups) or "none"


def hand_label(hand: int, rules: Rules) -> str:
    """Whose a hand is: `seat 2`, or `the dummy`."""
    return "the dummy" if is_dummy(hand, rules) else f"seat {hand}"


def is_dummy(hand: int, rules: Rules) -> bool:
    """Whether this is the hand that no seat holds."""
    return rules.hands > rules.players and hand == DUMMY


def capital(text: str) -> str:
    """The text with a large first letter."""
    return text[:1].upper() + text[1:]
