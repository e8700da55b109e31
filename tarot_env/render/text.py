"""A table as a person sees it, as text or picture.

Cards print as `♠K`, `T21`, `Excuse`; the court cards with English letters (J N Q K) or French ones
(V C D R). What a view may hold is decided in `view`; here it is only written down.
"""

from collections.abc import Collection
from typing import SupportsIndex

import numpy as np
from jaxtyping import UInt8

from tarot_env.cards import NUM_CARDS
from tarot_env.cards.actions import Phase
from tarot_env.errors import count_noun
from tarot_env.render.captions import headline, roles, withhold_lines
from tarot_env.render.picture import draw
from tarot_env.render.view import View, view_of
from tarot_env.rules.labels import (
    MISERE_LABELS,
    Letters,
    action_label,
    bid_label,
    card_label,
    cards_text,
    check_letters,
    hand_label,
    in_hand_order,
    is_dummy,
    poignee_label,
)
from tarot_env.tables import Tables, Turn


def render_text(
    source: Tables | Turn,
    row: SupportsIndex = 0,
    *,
    seat: int | None = None,
    letters: Letters = "english",
) -> str:
    """One table as text.

    Args:
        source: tables, or turns.
        row: which of them.
        seat: whose view of a table; None for the whole table with open cards.
        letters: of the court cards.

    Raises:
        TarotError: there is no such table, seat or kind of letters.
    """
    check_letters(letters)
    return text_of(view_of(source, row, seat), letters)


def render_rgb(
    source: Tables | Turn,
    row: SupportsIndex = 0,
    *,
    seat: int | None = None,
    letters: Letters = "english",
) -> UInt8[np.ndarray, "h w 3"]:
    """One table as a picture, drawn with matplotlib; arguments as for `render_text`."""
    check_letters(letters)
    return draw(view_of(source, row, seat), letters)


def text_of(view: View, letters: Letters = "english") -> str:
    """A view as text; hidden cards stand in it as numbers only."""
    whose = "Open table" if view.is_open else f"Seat {view.viewer} sees"
    lines = [f"{whose}: {headline(view, letters)}"]
    lines += [_seat_line(view, hand) for hand in range(view.num_hands)]
    lines += _shown_lines(view, letters)
    if view.last_trick:
        which = "Last" if view.phase == Phase.OVER else "Previous"
        taker = hand_label(view.last_winner, view.rules)
        played = _trick_text(view, view.last_trick, letters)
        lines.append(f"{which} trick: {played}; {taker} took it")
    if view.trick:
        lines.append(f"On the table: {_trick_text(view, view.trick, letters)}")
    lines += board_lines(view, letters)
    lines += _hand_lines(view, letters)
    if view.phase == Phase.WITHHOLD:
        lines += withhold_lines(view, letters)
    if view.legal:
        lines.append(f"{'Legal' if view.is_open else 'You may'}: {answers_text(view, letters)}")
    return "\n".join([*lines, *view.score_lines])


def _seat_line(view: View, hand: int) -> str:
    if is_dummy(hand, view.rules):
        name, bid = "dummy ", -1
        notes = [f"played by seat {1 - view.taker}"] if view.phase > Phase.AUCTION else []
    else:
        name, bid = f"seat {hand}", view.bids[hand]
        notes = roles(view, hand)
        if hand == view.viewer and not view.is_open:
            notes.append("you")
    said = "" if bid < 0 else bid_label(bid)
    cards, tricks = view.hand_counts[hand], view.tricks_won[hand]
    mark = ">" if hand == view.to_act else " "
    line = (
        f"{mark} {name}  {said:<12}  {cards:2} card{'s' if cards != 1 else ' '}  "
        f"{tricks:2} trick{'s' if tricks != 1 else ' '}  {', '.join(notes)}"
    )
    return line.rstrip()


def _shown_lines(view: View, letters: Letters) -> list[str]:
    """Calls of six players, chien, écarts, misères and poignées."""
    lines = []
    if view.calls:
        calls = ", ".join(f"seat {seat} {action_label(call)}" for seat, call in view.calls)
        lines.append(f"Calls: {calls}")
    if view.chien and view.halves is None:
        lines.append(f"Chien: {cards_text(view.chien, letters)}")
    if view.halves is not None:
        for number, name in enumerate(("first", "second")):
            half = cards_text(view.halves[number], letters)
            lines.append(f"Chien, {name} half: {half}{_half_owner(view, number)}")
    for seat, cards in view.ecarts.items():
        of = f" of seat {seat}" if view.is_open and view.rules.in_partnerships else ""
        lines.append(f"Écart{of}: {cards_text(cards, letters)}")
    if view.shown_discards and (not view.ecarts or view.rules.in_partnerships):
        lines.append(f"Shown in the écart: {cards_text(view.shown_discards, letters)}")
    for seat, kind in view.miseres.items():
        lines.append(f"Seat {seat} declared a misère: {MISERE_LABELS[kind]}")
    for seat, (level, cards) in view.poignees.items():
        shown = cards_text(cards, letters)
        lines.append(f"Seat {seat} showed a {poignee_label(level)}: {shown}")
    return lines


def _half_owner(view: View, number: int) -> str:
    if view.split < 0:
        return ""
    return f", to seat {view.taker if number == view.split else view.partner}"


def board_lines(
    view: View, letters: Letters = "english", *, hands: Collection[int] | None = None
) -> list[str]:
    """What else lies open in the games for two: second stock, and piles or drawn cards.

    Args:
        view: what is seen.
        letters: of the court cards.
        hands: whose piles and drawn cards are told; all if None.
    """
    lines = []
    if view.stock_size:
        beside = ""
        if view.exposed >= 0:
            beside = f", the last of them, {card_label(view.exposed, letters)}, lies open"
        size = count_noun(view.stock_size, "card")
        listed = " ".join(card_label(card, letters) for card in view.stock)
        lines.append(f"Stock: {size}{beside}{': ' + listed if listed else ''}")
    if view.rules.game == "dummy":
        return lines
    for hand, cards in enumerate(view.face_up):
        owner = f"seat {hand}"
        if hands is not None and hand not in hands:
            continue
        if cards and view.rules.game == "tirette":
            drawn = cards_text(cards, letters)
            lines.append(f"Drawn by {owner} and still in hand: {drawn}")
        elif view.rules.game == "decouverte" and view.phase < Phase.OVER:
            lines.append(f"Before {owner}: {_piles_text(view, cards, letters)}")
    if view.covering and hands is None:
        lines.append("(+ lies on a covered card)")
    return lines


def _piles_text(view: View, cards: list[int], letters: Letters) -> str:
    """Face-up cards; those that lie on another are marked, with open cards by the card itself."""

    def told(card: int) -> str:
        label = card_label(card, letters)
        if card in view.covered:
            return f"{label}+{card_label(view.covered[card], letters)}"
        return f"{label}+" if card in view.covering else label

    return " ".join(told(card) for card in in_hand_order(cards)) or "nothing"


def _hand_lines(view: View, letters: Letters) -> list[str]:
    lines = []
    for hand, cards in enumerate(view.hands):
        if cards is None or view.sits_out(hand):
            continue
        if view.rules.game == "decouverte":
            cards = [card for card in cards if card not in view.face_up[hand]]
        owner = f"Hand of {hand_label(hand, view.rules)}"
        if hand == view.viewer and not view.is_open:
            owner = "Your hand"
        lines.append(f"{owner}: {cards_text(cards, letters)}")
    return lines


def answers_text(view: View, letters: Letters = "english") -> str:
    """The legal answers; trumps of the écart that a poignée could show are told from the hand."""
    hand = view.hands[view.to_act] or []
    in_hand = view.phase in (Phase.WITHHOLD, Phase.DISCARD, Phase.PLAY)
    names = [
        action_label(action, letters)
        + (" (shown in the écart)" if in_hand and action < NUM_CARDS and action not in hand else "")
        for action in view.legal
    ]
    verb = "play from the dummy " if is_dummy(view.to_act, view.rules) else ""
    return _VERBS.get(view.phase, verb) + ", ".join(names)


_VERBS = {Phase.CALL: "call ", Phase.DISCARD: "set aside ", Phase.WITHHOLD: "keep back "}


def _trick_text(view: View, trick: list[tuple[int, int]], letters: Letters) -> str:
    return ", ".join(
        f"{hand_label(hand, view.rules)} {card_label(card, letters)}" for hand, card in trick
    )
