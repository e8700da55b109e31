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
PARTNERSHIP_BIDS = ("petite", "pousse", *BIDS[1:])
DUMMY_BIDS = ("petite", "pousse")
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


def is_court(card: str) -> bool:
    """King, queen, knight or jack."""
    return is_suit_card(card) and card[1:] in ("J", "N", "Q", "K")


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


def legal_cards(
    hand: Sequence[str], table: Sequence[str], *, petit_imprenable: bool = False
) -> list[str]:
    """Cards of `hand` that may follow the cards on the table (RULES.md 8.2).

    Args:
        hand: what the player may choose from.
        table: the cards of the trick so far.
        petit_imprenable: whether the player's petit may be played like the Excuse: at any time,
            and never because it must (RULES.md 8.6).
    """
    led = first_real_card(table)
    if led is None:
        return list(hand)
    at_any_time = [EXCUSE, PETIT] if petit_imprenable else [EXCUSE]
    always = [card for card in hand if card in at_any_time]
    others = [card for card in hand if card not in at_any_time]

    if is_suit_card(led):
        following = [card for card in others if card[0] == led[0]]
        if following:
            return following + always

    trumps = [card for card in others if is_trump(card)]
    if trumps:
        highest = max((trump_number(card) for card in table if is_trump(card)), default=0)
        over = [card for card in trumps if trump_number(card) > highest]
        return (over or trumps) + always

    return list(hand)


def legal_first_leads(hand: Sequence[str], called: str) -> list[str]:
    """Cards that may open a deal of five: in the called suit only the called one (RULES.md 5.3)."""
    allowed = [card for card in hand if card[0] != called[0] or card == called]
    return allowed or list(hand)


def trick_winner(table: Sequence[str]) -> int:
    """Place in the trick of the card that wins it, the Excuse never winning (RULES.md 8.4)."""
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


def legal_discards(hand: Sequence[str], called: str | None = None) -> list[str]:
    """Cards that may be set aside next: plain cards, and when there are none left, trumps.

    Kings and oudlers never go, nor does the card called with five players (RULES.md 6.2).
    """
    plain = [card for card in hand if is_suit_card(card) and not is_king(card) and card != called]
    if plain:
        return plain
    return [card for card in hand if is_trump(card) and card not in OUDLERS]


def callable_cards(dealt: Sequence[str], *, own: bool) -> list[str]:
    """Cards that the taker of five may call, holding the hand he was dealt (RULES.md 5.1).

    Kings; with all four kings queens too, with all of these knights, with all of those jacks.

    Args:
        dealt: the taker's hand before he sees the chien.
        own: whether he may call a card of his own. If not, he calls a king that he does not hold,
            or where he has them all a queen that he does not hold, and so on.
    """
    found: list[str] = []
    for rank in ("K", "Q", "N", "J"):
        of_the_rank = [suit + rank for suit in SUITS]
        missing = [card for card in of_the_rank if card not in dealt]
        if own:
            found += of_the_rank
        elif missing:
            return missing
        if missing:
            break
    return found


def is_petit_sec(dealt: Sequence[str], *, excuse_protects: bool) -> bool:
    """True if the petit is the only trump of a dealt hand (RULES.md 3.4)."""
    if [card for card in dealt if is_trump(card)] != [PETIT]:
        return False
    return not (excuse_protects and EXCUSE in dealt)


def is_weak(dealt: Sequence[str], limit: int | str) -> bool:
    """True if the holder of a dealt hand may ask for a redeal (RULES.md 3.5).

    Args:
        dealt: the hand as dealt; the Excuse neither helps nor hurts.
        limit: `off`, `no_trumps`, or the number of trumps and court cards that are too few below.
    """
    trumps = [card for card in dealt if is_trump(card)]
    if limit == "off":
        return False
    if limit == "no_trumps":
        return not trumps
    return len(trumps) + len([card for card in dealt if is_court(card)]) < int(limit)
