"""The one discrete action space of every variant: ids and their text.

    0 .. 77    a card: call it, set it aside, withhold it or play it, by phase
    78         pass
    79 .. 83   bids, petite to garde contre
    84, 85     contra, recontra (six players)
    86 .. 88   announcements: chelem (slam), petit chelem, misère
    89 .. 91   poignée, double and triple poignée
    92, 93     which half of the chien (six players)
    94         throw in (ask for a redeal)

Ids are never reused for another meaning; a mask says what is legal.
"""

from enum import IntEnum
from typing import Final

from tarot_env.cards.pack import CARD_TEXTS, NUM_CARDS
from tarot_env.errors import unknown_name

PASS: Final = 78
PETITE: Final = 79
POUSSE: Final = 80
GARDE: Final = 81
GARDE_SANS: Final = 82
GARDE_CONTRE: Final = 83
CONTRA: Final = 84
RECONTRA: Final = 85
CHELEM: Final = 86
PETIT_CHELEM: Final = 87
MISERE: Final = 88
POIGNEE: Final = 89
DOUBLE_POIGNEE: Final = 90
TRIPLE_POIGNEE: Final = 91
FIRST_HALF: Final = 92
SECOND_HALF: Final = 93
THROW_IN: Final = 94
NUM_ACTIONS: Final = 95

ACTION_TEXTS: tuple[str, ...] = (
    *CARD_TEXTS,
    "pass",
    "petite",
    "pousse",
    "garde",
    "garde_sans",
    "garde_contre",
    "contra",
    "recontra",
    "chelem",
    "petit_chelem",
    "misere",
    "poignee",
    "double_poignee",
    "triple_poignee",
    "first_half",
    "second_half",
    "throw_in",
)
"""Text of each action id."""

_IDS = {text: action for action, text in enumerate(ACTION_TEXTS)}


class Phase(IntEnum):
    """What a table is asking; in the order of a deal."""

    PETIT_SEC = 0
    AUCTION = 1
    CALL = 2
    SPLIT = 3
    DISCARD = 4
    SLAM = 5
    MISERE = 6
    POIGNEE = 7
    WITHHOLD = 8
    PLAY = 9
    OVER = 10


class Bid(IntEnum):
    """A contract: 0 for none, else the action's id less 78."""

    NONE = 0
    PETITE = 1
    POUSSE = 2
    GARDE = 3
    GARDE_SANS = 4
    GARDE_CONTRE = 5


BID_TEXTS: dict[Bid, str] = {bid: ACTION_TEXTS[PASS + bid] for bid in Bid if bid}
POIGNEE_TEXTS = ACTION_TEXTS[POIGNEE : TRIPLE_POIGNEE + 1]


def action_text(action: int) -> str:
    """Text of an action id, e.g. `S1`, `garde`."""
    return ACTION_TEXTS[action]


def action_words(action: int) -> str:
    """An action as people say it: `garde sans`, `double poignée`; cards as in `action_text`."""
    if action == CHELEM:
        return "slam (chelem)"
    words = ACTION_TEXTS[action].replace("_", " ")
    return words.replace("poignee", "poignée").replace("misere", "misère")


def parse_action(text: str) -> int:
    """Id of an action's text.

    Raises:
        UnknownName: the text names no action; the error suggests near ones.
    """
    if not isinstance(text, str) or text not in _IDS:
        raise unknown_name("action", text, _IDS)
    return _IDS[text]


def parse_card(text: str) -> int:
    """Id of a card's text, e.g. `S1`, `HK`, `T21`, `EX`.

    Raises:
        UnknownName: the text names no card; the error suggests near ones.
    """
    card = _IDS.get(text, NUM_CARDS) if isinstance(text, str) else NUM_CARDS
    if card >= NUM_CARDS:
        raise unknown_name("card", text, CARD_TEXTS)
    return card


def parse_bid(text: str) -> Bid:
    """The contract a text names, e.g. `garde`.

    Raises:
        UnknownName: the text names no bid; the error lists them.
    """
    if isinstance(text, str):
        for bid, bid_text in BID_TEXTS.items():
            if bid_text == text:
                return bid
    raise unknown_name("bid", text, BID_TEXTS.values())
