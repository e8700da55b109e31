"""What texts and pictures of a table both say: what goes on, and what a seat is."""

from tarot_env.cards import NUM_CARDS
from tarot_env.cards.actions import PETIT_CHELEM, Bid, Phase
from tarot_env.render.view import View
from tarot_env.rules.labels import (
    Letters,
    action_label,
    bid_label,
    card_label,
    cards_text,
    hand_label,
    is_dummy,
    poignee_label,
)


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
