"""What the games for two add to card play (RULES.md 12.6 to 12.8): piles, second stock, dummy."""

from typing import Any

from tarot_env.core.bits import bit_of
from tarot_env.core.compiling import kernel
from tarot_env.core.dealing import NUM_PILES, STOCK_START, TIRETTE_DRAWS
from tarot_env.core.dealing import UPPER as _UPPER
from tarot_env.core.state import choice

_IMMEDIATE = choice("decouverte_reveal", "immediate")
_AFTER_TRICK = choice("decouverte_reveal", "after_trick")
_AFTER_FIRST_CARD = choice("dummy_reveal", "after_first_card")
_LOSER = choice("tirette_draw_first", "loser")
_FIRST_UPPER = int(_UPPER[0, 0])


@kernel
def upper_place(seat: int, pile: int) -> int:
    """Découverte: where in the pack the upper card of a seat's pile lies; the next is under it."""
    return _FIRST_UPPER + 2 * (NUM_PILES * seat + pile)


@kernel
def after_card(t: Any, rules: Any, seat: int, action: int) -> None:
    """A played card lies open no more; the one under it is turned up, the dummy laid open."""
    if rules.decouverte_reveal == _IMMEDIATE:
        _turn_up(t, seat, action)
    if seat < 2:
        suits, rest = bit_of(action)
        t.face_up[seat, 0] &= ~suits
        t.face_up[seat, 1] &= ~rest
    if rules.dummy_reveal == _AFTER_FIRST_CARD:
        t.dummy_open = 1


@kernel
def after_trick(t: Any, rules: Any, winner: int) -> None:
    """The cards under the played ones are turned up; both players draw from the stock."""
    if rules.decouverte_reveal == _AFTER_TRICK:
        for place in range(2):
            _turn_up(t, (t.leader + place) % 2, t.trick_cards[place])
    if rules.tirette and t.trick_number < TIRETTE_DRAWS:
        _draw(t, rules, winner)


@kernel
def _turn_up(t: Any, seat: int, card: int) -> None:
    """Turns up what lies under a played card, if it was the upper one of a pile."""
    for pile in range(NUM_PILES):
        place = upper_place(seat, pile)
        if t.pack[place] == card:
            _come_openly(t, seat, t.pack[place + 1])


@kernel
def _draw(t: Any, rules: Any, winner: int) -> None:
    """Both players draw and show a card; the last two go by rule, the open one to the winner."""
    first = winner
    if rules.tirette_draw_first == _LOSER or t.trick_number == TIRETTE_DRAWS - 1:
        first = 1 - winner
    top = STOCK_START + 2 * t.trick_number
    _come_openly(t, first, t.pack[top])
    _come_openly(t, 1 - first, t.pack[top + 1])


@kernel
def _come_openly(t: Any, seat: int, card: int) -> None:
    """A card comes to a hand for all to see."""
    suits, rest = bit_of(int(card))
    t.hands[seat, 0] |= suits
    t.hands[seat, 1] |= rest
    t.face_up[seat, 0] |= suits
    t.face_up[seat, 1] |= rest


@kernel
def exposed(t: Any, rules: Any, in_play: bool) -> int:
    """Tirette: the bottom card of the stock, which lies open from the beginning of play."""
    lies = rules.tirette and in_play and t.trick_number < TIRETTE_DRAWS
    return int(t.pack[77]) if lies else -1
