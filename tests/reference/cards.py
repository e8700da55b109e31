"""The pack, the action names, and the rules that need nothing but cards.

A card is text: a suit letter and a rank (`S1`, `HK`), a trump (`T1`..`T21`) or the Excuse (`EX`).
"""

from collections.abc import Iterable, Sequence

SUITS = ("S", "H", "D", "C")
RANKS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "N", "Q", "K")
EXCUSE = "EX"
PETIT = "T1"
OUDLERS = (PETIT, "T21", EXCUSE)

PACK = (
    *(suit + rank for suit in SUITS for rank in RANKS),
    *(f"T{number}" for number in range(1, 22)),
    EXCUSE,
)
PACK_HALF_POINTS = 182

BIDS = ("petite", "garde", "garde_sans", "garde_contre")
POIGNEES = ("poignee", "double_poignee", "triple_poignee")

# Every name an action can have, in the order of the action ids.
ACTIONS = (
    *PACK,
    "pass",
    *("petite", "pousse", "garde", "garde_sans", "garde_contre"),
    *("contra", "recontra"),
    *("chelem", "petit_chelem", "misere"),
    *POIGNEES,
    *("first_half", "second_half"),
    "throw_in",
)
ACTION_ID = {name: number for number, name in enumerate(ACTIONS)}


def in_action_order(names: Iterable[str]) -> list[str]:
    return sorted(names, key=ACTION_ID.__getitem__)


def is_trump(card: str) -> bool:
    """True for the trumps 1 to 21; the Excuse is no trump."""
    return card[0] == "T"


def is_suit_card(card: str) -> bool:
    return card[0] in SUITS


def is_king(card: str) -> bool:
    return is_suit_card(card) and card[1:] == "K"


def trump_number(card: str) -> int:
    return int(card[1:])


def half_points(card: str) -> int:
    """Oudler or king 9, queen 7, knight 5, jack 3, anything else 1."""
    if card in OUDLERS:
        return 9
    if is_suit_card(card):
        return {"K": 9, "Q": 7, "N": 5, "J": 3}.get(card[1:], 1)
    return 1


def first_real_card(table: Sequence[str]) -> str | None:
    """The card that says what must be played: the first one that is not the Excuse."""
    for card in table:
        if card != EXCUSE:
            return card
    return None


def legal_cards(hand: Sequence[str], table: Sequence[str]) -> list[str]:
    """Cards of `hand` that may follow the cards on the table (rules.md A0.4)."""
    led = first_real_card(table)
    if led is None:
        return list(hand)
    excuse = [card for card in hand if card == EXCUSE]

    if is_suit_card(led):
        following = [card for card in hand if card[0] == led[0]]
        if following:
            return following + excuse

    trumps = [card for card in hand if is_trump(card)]
    if trumps:
        highest = max((trump_number(card) for card in table if is_trump(card)), default=0)
        over = [card for card in trumps if trump_number(card) > highest]
        return (over or trumps) + excuse

    return list(hand)


def trick_winner(table: Sequence[str]) -> int:
    """Place in the trick of the card that wins it, the Excuse never winning (rules.md A0.4)."""
    led = first_real_card(table)
    if led is None:
        raise ValueError(f"no card to win with in {list(table)}")
    trumps = [card for card in table if is_trump(card)]
    if trumps:
        best = max(trumps, key=trump_number)
    else:
        of_the_suit = [card for card in table if card[0] == led[0]]
        best = max(of_the_suit, key=lambda card: RANKS.index(card[1:]))
    return list(table).index(best)


def legal_discards(hand: Sequence[str]) -> list[str]:
    """Cards that may be set aside next: plain cards, and when there are none left, trumps.

    Kings and oudlers never go (rules.md A0.2).
    """
    plain = [card for card in hand if is_suit_card(card) and not is_king(card)]
    if plain:
        return plain
    return [card for card in hand if is_trump(card) and card not in OUDLERS]


def is_petit_sec(dealt: Sequence[str], *, excuse_protects: bool) -> bool:
    """True if the petit is the only trump of a dealt hand (rules.md A0.6)."""
    if [card for card in dealt if is_trump(card)] != [PETIT]:
        return False
    return not (excuse_protects and EXCUSE in dealt)
