"""A table as a person sees it: text, replays of records, and pictures.

Cards print as `♠K`, `T21`, `Excuse`; the court cards with English letters (J N Q K) or French ones
(V C D R). What a view may hold is decided in `view`; here it is only written down.
"""

from collections.abc import Collection
from typing import SupportsIndex

import numpy as np
from jaxtyping import UInt8

from tarot_env.actions import PETIT_CHELEM, Bid, Phase
from tarot_env.cards import NUM_CARDS
from tarot_env.errors import counted
from tarot_env.labels import (
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
from tarot_env.replay import replay_text
from tarot_env.tables import Tables
from tarot_env.turn import Turn
from tarot_env.view import View, view_of

__all__ = [
    "Letters",
    "View",
    "action_label",
    "answers_text",
    "board_lines",
    "card_label",
    "cards_text",
    "headline",
    "render_rgb",
    "render_text",
    "replay_text",
    "roles",
    "text_of",
    "view_of",
    "withhold_lines",
]


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
    from tarot_env.picture import draw

    check_letters(letters)
    return draw(view_of(source, row, seat), letters)


# -- what is going on


def headline(view: View, letters: Letters = "english") -> str:
    """What is going on, in one line."""
    parts = [_contract_text(view, letters)]
    question = _QUESTIONS.get(view.phase)
    if view.phase == Phase.OVER:
        parts.append("over")
    elif view.phase >= Phase.MISERE:
        parts.append(f"trick {view.trick_number + 1} of {view.rules.tricks}")
    if question:
        parts.append(question)
    elif view.phase == Phase.WITHHOLD:
        parts.append(f"{poignee_label(view.declared)} being put together")
    if view.to_act >= 0:
        plays = f" (seat {view.actor} plays it)" if is_dummy(view.to_act, view.rules) else ""
        parts.append(f"{hand_label(view.to_act, view.rules)} to act{plays}")
    return ", ".join(parts)


_QUESTIONS = {
    Phase.PETIT_SEC: "redeal question",
    Phase.CALL: "a king to be called",
    Phase.SPLIT: "a half of the chien to be chosen",
    Phase.DISCARD: "écart",
    Phase.SLAM: "slam question",
    Phase.MISERE: "misère question",
    Phase.POIGNEE: "poignée question",
}


def _contract_text(view: View, letters: Letters) -> str:
    if view.taker < 0:
        return "auction" if view.phase < Phase.OVER else _thrown_in(view)
    said = [f"{bid_label(view.contract)} by seat {view.taker}"]
    if view.contra:
        said.append(("contra", "recontra")[view.contra - 1])
    if view.called >= 0:
        said.append(f"{card_label(view.called, letters)} called")
    if view.slam_announced:
        said.append("slam announced")
    if view.petit_chelem_announced:
        said.append(f"{action_label(PETIT_CHELEM)} announced")
    prefix = "auction, best bid " if view.phase == Phase.AUCTION else ""
    return prefix + ", ".join(said)


def _thrown_in(view: View) -> str:
    """Why a deal without a taker is over."""
    best = max(view.bids)
    if best > Bid.NONE:
        return "nobody bid a garde"
    if best == Bid.NONE:
        return "everybody passed"
    asked = view.rules.petit_sec == "optional" or view.rules.weak_hand_redeal != "off"
    return "thrown in before the auction" if asked else "petit sec: the deal is void"


def roles(view: View, seat: int) -> list[str]:
    """What a seat is in this deal, as far as the viewer knows: `dealer`, `taker`, `partner`."""
    found = []
    if view.sits_out(seat):
        found.append("dealer, sits out")
    elif seat == view.dealer:
        found.append("dealer")
    if view.phase <= Phase.AUCTION or view.taker < 0:
        return found
    if seat == view.taker:
        found.append("taker, alone" if view.partner == seat else "taker")
    elif seat == view.partner:
        found.append("partner")
    return found


# -- text


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
        size = counted(view.stock_size, "card")
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


def withhold_lines(view: View, letters: Letters = "english") -> list[str]:
    """What a seat that puts a poignée together has done, and what its next card means."""
    name = poignee_label(view.declared)
    number = sum(action < NUM_CARDS for action in view.legal) - view.to_withhold
    left = f"{view.to_withhold} to choose"
    if view.rules.poignee_show == "at_least":
        left = f"at most {view.to_withhold} more; pass shows the rest"
    return [
        f"Putting together a {name} of {number} trumps: the chosen card is kept back, not played; "
        f"{left}",
        f"Kept back so far: {cards_text(view.withheld, letters)}",
    ]


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
