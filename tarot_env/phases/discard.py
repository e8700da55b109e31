"""The écart (RULES.md 6): as many cards are set aside as were picked up, one by one.

With six players first the taker, then its partner sets three cards aside.
"""

from typing import Any

import numpy as np

from tarot_env.cards import FIRST_TRUMP, NUM_CARDS, cardsets
from tarot_env.core.bits import OUDLERS, PLAIN, TRUMPS, as_words, bit_of, popcount
from tarot_env.core.compiling import kernel
from tarot_env.core.events import BOTH, FACE_DOWN, log
from tarot_env.core.state import ecart_of
from tarot_env.rules import Rules


@kernel
def legal(t: Any, rules: Any) -> tuple[int, int]:
    """Plain cards while any is held, then trumps other than oudlers; never a king or an oudler.

    In La Découverte cards that lie face up stay; a called card stays unless the rules let it go.
    """
    suits, rest = t.hands[t.seat, 0], t.hands[t.seat, 1]
    if rules.decouverte:
        suits, rest = suits & ~t.face_up[t.seat, 0], rest & ~t.face_up[t.seat, 1]
    plain = suits & PLAIN
    if rules.may_discard_called_card == 0:
        plain &= ~bit_of(t.called)[0]
    if plain:
        return plain, 0
    return 0, rest & TRUMPS & ~OUDLERS


@kernel
def apply(t: Any, events: Any, rules: Any, action: int) -> bool:
    """Sets one card aside; returns whether all are, which seals the écart.

    Trumps among them are shown to all, the rest stays hidden.
    """
    seat = t.seat
    log(t, events, seat, action, FACE_DOWN if action < FIRST_TRUMP else BOTH)
    suits, rest = bit_of(action)
    t.hands[seat, 0] &= ~suits
    t.hands[seat, 1] &= ~rest
    which = ecart_of(t, seat)
    t.ecart[which, 0] |= suits
    t.ecart[which, 1] |= rest
    portion = rules.chien_size // 2 if rules.in_partnerships else rules.chien_size
    if popcount(t.ecart[which, 0]) + popcount(t.ecart[which, 1]) < portion:
        return False
    if rules.in_partnerships and seat == t.taker:
        t.seat = t.partner
        return False
    return True


def reason(t: Any, rules: Rules, action: int) -> str:
    """Why a card may not be set aside, in the words of the rules."""
    if action >= NUM_CARDS:
        return "no card; a card is set aside now"
    card = cardsets.BIT[action]
    if not np.any(as_words(t.hands)[t.seat] & card):
        return "not a card in hand"
    if rules.game == "decouverte" and np.any(as_words(t.face_up)[t.seat] & card):
        return "a card that lies face up is never set aside"
    if action == t.called and np.any(card & cardsets.PLAIN):
        return "the called card may not be set aside"
    if np.any(card & cardsets.TRUMPS & ~cardsets.OUDLERS):
        return "trumps go into the écart only when no plain card is left"
    return "kings and oudlers never go into the écart"
