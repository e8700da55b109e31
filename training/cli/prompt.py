"""What a person is asked, as lines of text: the hand, the answers and their numbers."""

from collections.abc import Mapping, Sequence

from rich.text import Text

from tarot_env.cards import EXCUSE, KIND, NUM_CARDS, TRUMP
from tarot_env.cards.actions import Phase
from tarot_env.errors import count_noun
from tarot_env.render import View, board_lines, withhold_lines
from tarot_env.rules.labels import (
    Letters,
    action_label,
    bid_label,
    by_kind,
    card_label,
    hand_label,
    is_dummy,
)

_FROM_HAND = (Phase.DISCARD, Phase.WITHHOLD, Phase.PLAY)
"""Where the cards of a hand are the answers."""


def question_lines(view: View, answers: Sequence[int], letters: Letters = "english") -> list[Text]:
    """The question to the person whose view this is, with everything needed to answer it.

    Args:
        view: of the seat to act.
        answers: the legal actions in the order of their numbers, from 1.
        letters: of the court cards.
    """
    numbers = {action: number for number, action in enumerate(answers, start=1)}
    others = [hand for hand in range(view.rules.players) if hand != view.viewer]
    lines = [Text(line) for line in board_lines(view, letters, hands=others)]
    told: set[int] = set()
    for hand in dict.fromkeys((view.viewer, view.to_act)):
        is_asked = hand == view.to_act and view.phase in _FROM_HAND
        lines += hand_lines(view, hand, letters, numbers if is_asked else {})
        told |= set(view.hands[hand] or ()) if is_asked else set()
    rest = [action for action in answers if action not in told]
    choices = "  ".join(f"{numbers[action]}.{_choice(view, action, letters)}" for action in rest)
    *before, prompt = _prompt(view, letters)
    lines += [Text(line) for line in before]
    asked = " ".join(part for part in (prompt, choices) if part)
    return [*lines, Text(asked)] if asked else lines


def hand_lines(view: View, hand: int, letters: Letters, numbers: Mapping[int, int]) -> list[Text]:
    """A hand, its legal cards with their numbers; in La Découverte the cards of the piles too."""
    cards = view.hands[hand] or []
    whose = "Your hand" if hand == view.viewer else f"Hand of {hand_label(hand, view.rules)}"
    if view.rules.game != "decouverte":
        return [_cards_line(f"{whose}:", cards, view, letters, numbers)]
    known = view.face_up[hand]
    held = [card for card in cards if card not in known]
    return [
        _cards_line("Before you:", known, view, letters, numbers),
        _cards_line(f"{whose}:", held, view, letters, numbers),
    ]


def _cards_line(
    title: str, cards: Sequence[int], view: View, letters: Letters, numbers: Mapping[int, int]
) -> Text:
    """Cards in the order of a hand; legal ones are bold and numbered, the others dim."""
    line = Text(title)
    for group in by_kind(cards):
        line.append(" ")
        for card in group:
            label = card_label(card, letters) + ("+" if card in view.covering else "")
            line.append(" ")
            if card in numbers:
                line.append(f"{numbers[card]}.{label}", style="bold")
            else:
                line.append(label, style="dim" if numbers else "")
    return line if cards else line.append("  none")


def _choice(view: View, action: int, letters: Letters) -> str:
    where = ""
    if view.phase == Phase.WITHHOLD and action < NUM_CARDS:
        where = " (shown in the écart)"
    return action_label(action, letters) + where


def _prompt(view: View, letters: Letters) -> list[str]:
    """The question in words; the answers come behind its last line."""
    if view.phase == Phase.PLAY:
        return [_play_prompt(view)]
    if view.phase == Phase.WITHHOLD:
        return [*withhold_lines(view, letters), ""]
    if view.phase == Phase.AUCTION:
        best = "nobody has bid yet"
        if view.taker >= 0:
            contra = ("", ", contra", ", recontra")[view.contra]
            best = f"best so far: {bid_label(view.contract)} by seat {view.taker}{contra}"
        return [f"Your bid ({best}):"]
    if view.phase == Phase.DISCARD:
        size = view.rules.chien_size // (2 if view.rules.in_partnerships else 1)
        done = len(view.ecarts.get(view.viewer, ()))
        return [f"Set aside {count_noun(size - done, 'more card' if done else 'card')}"]
    if view.phase == Phase.SPLIT:
        return [f"Which half of the chien do you take? Seat {view.partner} takes the other:"]
    if view.phase == Phase.POIGNEE:
        return [f"You can show a poignée: {_trumps_text(view)}."]
    return [_SIMPLE[view.phase]]


_SIMPLE = {
    Phase.PETIT_SEC: "With this hand you may have the deal thrown in:",
    Phase.CALL: "Call a card, whose holder plays with you:",
    Phase.SLAM: "Do you announce a slam?",
    Phase.MISERE: "You can declare a misère:",
}


def _play_prompt(view: View) -> str:
    if is_dummy(view.to_act, view.rules):
        return "You play for the dummy" + (", which leads" if not view.trick else "")
    return f"Trick {view.trick_number + 1}: you lead" if not view.trick else ""


def _trumps_text(view: View) -> str:
    """What a poignée can be made of."""
    hand = view.hands[view.viewer] or []
    trumps = sum(KIND[card] == TRUMP for card in hand)
    excuse = " and the Excuse" if EXCUSE in hand else ""
    aside = [card for card in view.ecarts.get(view.viewer, ()) if KIND[card] == TRUMP]
    shown = f", {len(aside)} more in the écart" if aside else ""
    if not view.rules.poignee_counts_shown_discards:
        shown = ""
    return f"you hold {trumps} trumps{excuse}{shown}"
