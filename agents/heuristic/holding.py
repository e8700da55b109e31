"""Where the unseen cards may lie, and how likely each other hand holds each of them.

Chances are marginal: for each unseen card, where it lies, fitted to how many cards every place
holds and to the voids and trump bounds that play has shown. The places are the other hands, then
what no hand holds. Cards of one kind that may lie in the same places are one class: they are alike
for the fitting, which goes over the classes and not over 78 cards.
"""

from typing import Any

import numpy as np

from tarot_env.cards import FIRST_TRUMP, NUM_SUITS, TRUMP
from tarot_env.core.bits import (
    EXCUSE,
    PLAIN,
    TRUMPS,
    lowest,
    popcount,
    suit_bits,
)
from tarot_env.core.compiling import kernel
from tarot_env.core.dealing import TIRETTE_DRAWS
from tarot_env.core.state import GARDE, MOST_HANDS
from tarot_env.tables.turn import unseen

HIDING_GAMES = ("decouverte", "tirette")
"""Games in which cards lie under others or in a second stock, in nobody's hand."""
FITTING_ROUNDS = 3
TAKER_TRUMP_WEIGHT = 1.8
"""How much likelier an unseen trump lies with the taker than with a defender holding as many."""
CALLS_ITSELF = 0.05
"""How much less likely the called card lies with the taker than with another seat."""
LEAST = 1e-9
"""Instead of 0 below a fraction line."""

MOST_OTHERS = MOST_HANDS - 1
MOST_PLACES = MOST_OTHERS + 2
_KINDS = 3
"""Plain cards with the Excuse, trumps, and the called card where one is called."""
_MOST_CLASSES = _KINDS << MOST_PLACES

PLACES: Any = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("may_hold", "i8", (MOST_PLACES, 2)),  # unseen cards that can lie there
                ("room", "f8", MOST_PLACES),  # how many do
                ("favour", "f8", (MOST_PLACES, _KINDS)),  # how much likelier each kind lies there
                ("factor", "f8", MOST_PLACES),
                ("held", "f8", MOST_PLACES),
                ("class_cards", "i8", (_MOST_CLASSES, 2)),
                ("class_kind", "i8", _MOST_CLASSES),
                ("class_places", "i8", _MOST_CLASSES),  # a bit for each place
                ("number", "i8"),  # of places
            ],
            align=True,
        ),
    )
)
"""What is worked with; nothing in it outlives a call."""


@kernel
def hold_chances(turn: Any, rules: Any, num_others: int, r: Any, places: Any) -> None:
    """Writes the chance that each other hand holds each card, by iterative proportional fitting.

    Args:
        turn: a record of `TURN`.
        rules: what is played.
        num_others: other hands that play.
        r: a record of `READING`: `others` and `behind` are read, `holds` is written.
        places: to work with.
    """
    for place in range(num_others):
        for card in range(r.holds.shape[1]):
            r.holds[place, card] = 0.0
    _note_what_may_lie_where(turn, rules, num_others, r, places)
    _note_room(turn, rules, num_others, r, places)
    _note_favour(turn, rules, num_others, r, places)
    number = _sort_into_classes(turn, rules, places)
    _fit(places, number)
    for at in range(number):
        _share(places, at, num_others, r)
    if rules.players == 2:
        for place in range(num_others):
            suits, rest = known_cards(turn, r.others[place])
            _hold(r, place, suits, rest, 1.0)


@kernel
def known_cards(turn: Any, hand: int) -> tuple[int, int]:
    """Cards that the viewer knows to lie in another hand of the games for two."""
    if hand == 0:
        return turn.hand[0], turn.hand[1]
    return turn.face_up[hand, 0], turn.face_up[hand, 1]


@kernel
def _hold(r: Any, place: int, suits: int, rest: int, chance: float) -> None:
    """Writes one chance for all cards of a set."""
    while suits:
        r.holds[place, lowest(suits)] = chance
        suits &= suits - 1
    while rest:
        r.holds[place, FIRST_TRUMP + lowest(rest)] = chance
        rest &= rest - 1


# -- which cards, and how many where


@kernel
def _note_what_may_lie_where(turn: Any, rules: Any, num_others: int, r: Any, places: Any) -> None:
    hidden_suits, hidden_rest = unseen(turn, rules)
    in_poignees = 0
    for seat in range(rules.players):
        in_poignees |= turn.poignee_cards[seat]
    for place in range(num_others):
        hand = r.others[place]
        suits, rest = _shown_absent(turn, hand)
        up_suits, up_rest = _in_chien_elsewhere(turn, rules, hand)
        own = turn.poignee_cards[hand] if hand < rules.players else 0
        places.may_hold[place, 0] = hidden_suits & ~(suits | up_suits)
        places.may_hold[place, 1] = hidden_rest & ~(rest | up_rest | (in_poignees & ~own))
    suits = rest = 0
    if _may_lie_aside(turn, rules):
        suits, rest = hidden_suits, hidden_rest & ~in_poignees
        if turn.contract <= GARDE:
            suits &= PLAIN
            rest = 0
            if rules.may_discard_called_card == 0 and turn.called >= 0:
                suits &= ~(1 << turn.called)
    places.may_hold[num_others, 0], places.may_hold[num_others, 1] = suits, rest
    places.number = num_others + 1
    if rules.decouverte or rules.tirette:
        places.may_hold[num_others + 1, 0] = hidden_suits & ~turn.chien[0]
        places.may_hold[num_others + 1, 1] = hidden_rest & ~turn.chien[1]
        places.number = num_others + 2


@kernel
def _shown_absent(turn: Any, hand: int) -> tuple[int, int]:
    """Cards that play has shown a hand not to have."""
    suits = 0
    for suit in range(NUM_SUITS):
        if turn.void[hand] >> suit & 1:
            suits |= suit_bits(suit)
    rest = TRUMPS if turn.void[hand] >> TRUMP & 1 else 0
    return suits, rest | (TRUMPS >> turn.trump_bound[hand] << turn.trump_bound[hand])


@kernel
def _in_chien_elsewhere(turn: Any, rules: Any, hand: int) -> tuple[int, int]:
    """Cards that cannot be in a hand because another one took them up from the chien."""
    if not rules.in_partnerships:
        return (0, 0) if hand == turn.taker else (turn.chien[0], turn.chien[1])
    first_suits, first_rest = turn.first_half[0], turn.first_half[1]
    second_suits, second_rest = turn.chien[0] & ~first_suits, turn.chien[1] & ~first_rest
    if turn.split == 1:
        first_suits, second_suits = second_suits, first_suits
        first_rest, second_rest = second_rest, first_rest
    suits = rest = 0
    if hand != turn.taker:
        suits, rest = first_suits, first_rest
    if hand != turn.partner:
        suits, rest = suits | second_suits, rest | second_rest
    return suits, rest


@kernel
def _may_lie_aside(turn: Any, rules: Any) -> bool:
    """Whether cards lie aside that the viewer has not seen: an écart of others, a closed chien."""
    own_ecart_only = turn.taker == 0 and not rules.in_partnerships
    return turn.contract > GARDE or not own_ecart_only


@kernel
def _to_come(turn: Any, rules: Any, hand: int) -> int:
    """Cards that a hand still gets during play: from under its own, or from the stock."""
    if rules.decouverte:
        return popcount(turn.covering[hand, 0]) + popcount(turn.covering[hand, 1])
    if rules.tirette:
        return max(TIRETTE_DRAWS - turn.trick_number, 0)
    return 0


@kernel
def _note_room(turn: Any, rules: Any, num_others: int, r: Any, places: Any) -> None:
    """Unseen cards that lie in each place."""
    for place in range(num_others):
        held = rules.tricks - turn.trick_number - (0 if r.behind[place] else 1)
        if rules.players == 2:
            hand = r.others[place]
            suits, rest = known_cards(turn, hand)
            held -= _to_come(turn, rules, hand) + popcount(suits) + popcount(rest)
        places.room[place] = held
    own = 0
    if turn.contract <= GARDE:
        own = popcount(turn.ecart[0]) + popcount(turn.ecart[1] | turn.shown_discards)
    places.room[num_others] = rules.chien_size - own
    if rules.decouverte or rules.tirette:
        hidden = -1 if turn.exposed >= 0 else 0
        for hand in range(rules.hands):
            hidden += _to_come(turn, rules, hand)
        places.room[num_others + 1] = hidden


@kernel
def _note_favour(turn: Any, rules: Any, num_others: int, r: Any, places: Any) -> None:
    """How much likelier each place holds an unseen card of each kind than another place does."""
    for place in range(places.number):
        for kind in range(_KINDS):
            places.favour[place, kind] = 1.0
        if place < num_others and r.others[place] == turn.taker:
            places.favour[place, 1] = TAKER_TRUMP_WEIGHT
            places.favour[place, 2] = CALLS_ITSELF if rules.call_own_king == 1 else 0.0


# -- the fitting


@kernel
def _sort_into_classes(turn: Any, rules: Any, places: Any) -> int:
    """Splits the unseen cards place by place; returns how many classes there are."""
    suits, rest = unseen(turn, rules)
    called = 0
    if rules.calls_king and turn.called >= 0:
        called = suits & (1 << turn.called)
    number = _add_class(places, 0, 0, 0, suits & ~called, rest & EXCUSE)
    number = _add_class(places, number, 1, 0, 0, rest & TRUMPS)
    number = _add_class(places, number, 2, 0, called, 0)
    for place in range(places.number):
        may_suits, may_rest = places.may_hold[place, 0], places.may_hold[place, 1]
        for at in range(number):
            cards_suits, cards_rest = places.class_cards[at, 0], places.class_cards[at, 1]
            in_suits, in_rest = cards_suits & may_suits, cards_rest & may_rest
            if in_suits | in_rest:
                kind, within = places.class_kind[at], places.class_places[at]
                number = _add_class(
                    places, number, kind, within, cards_suits & ~may_suits, cards_rest & ~may_rest
                )
                places.class_cards[at, 0], places.class_cards[at, 1] = in_suits, in_rest
                places.class_places[at] = within | (1 << place)
    return number


@kernel
def _add_class(places: Any, number: int, kind: int, within: int, suits: int, rest: int) -> int:
    """Adds a class unless it is empty; returns how many there are then."""
    if suits | rest == 0:
        return number
    places.class_cards[number, 0], places.class_cards[number, 1] = suits, rest
    places.class_kind[number], places.class_places[number] = kind, within
    return number + 1


@kernel
def _fit(places: Any, number: int) -> None:
    """Finds a factor for each place, so that chances in proportion to them fill it."""
    for place in range(places.number):
        places.factor[place] = 1.0
    for _ in range(FITTING_ROUNDS):
        for place in range(places.number):
            places.held[place] = 0.0
        for at in range(number):
            kind, within = places.class_kind[at], places.class_places[at]
            count = popcount(places.class_cards[at, 0]) + popcount(places.class_cards[at, 1])
            each = count / max(_sum_of_shares(places, at), LEAST)
            for place in range(places.number):
                if within >> place & 1:
                    places.held[place] += each * places.favour[place, kind]
        for place in range(places.number):
            places.factor[place] = places.room[place] / max(places.held[place], LEAST)


@kernel
def _sum_of_shares(places: Any, at: int) -> float:
    kind, within, total = places.class_kind[at], places.class_places[at], 0.0
    for place in range(places.number):
        if within >> place & 1:
            total += places.factor[place] * places.favour[place, kind]
    return total


@kernel
def _share(places: Any, at: int, num_others: int, r: Any) -> None:
    """Writes the chances of the cards of one class."""
    kind, within = places.class_kind[at], places.class_places[at]
    total = max(_sum_of_shares(places, at), LEAST)
    for place in range(num_others):
        if within >> place & 1:
            chance = places.factor[place] * places.favour[place, kind] / total
            _hold(r, place, places.class_cards[at, 0], places.class_cards[at, 1], chance)
