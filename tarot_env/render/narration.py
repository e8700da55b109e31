"""What happens at a table, in sentences: used by replays and where a person plays."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from tarot_env.cards import EXCUSE, HALF_POINTS, cardsets
from tarot_env.cards.actions import (
    CHELEM,
    CONTRA,
    FIRST_HALF,
    PASS,
    PETIT_CHELEM,
    POIGNEE,
    RECONTRA,
    THROW_IN,
    TRIPLE_POIGNEE,
    Phase,
    action_words,
)
from tarot_env.core.scoring import points_text
from tarot_env.core.state import Columns, ecart_column
from tarot_env.errors import count_noun
from tarot_env.render.view import view_of
from tarot_env.rules import Rules
from tarot_env.rules.books import DUMMY
from tarot_env.rules.labels import (
    MISERE_LABELS,
    Letters,
    capital,
    card_label,
    cards_text,
    hand_label,
    in_hand_order,
    poignee_label,
)
from tarot_env.tables import Tables


@dataclass(frozen=True)
class Teller:
    """Sentences about hands and seats, one of which may be `you`."""

    rules: Rules
    letters: Letters = "english"
    you: int = -1

    def who(self, hand: int) -> str:
        """`seat 2`, `the dummy`, or `you`."""
        return "you" if hand == self.you else hand_label(hand, self.rules)

    def does(self, hand: int, verb: str) -> str:
        """Somebody does something: `Seat 2 takes`, `You take`."""
        if hand != self.you:
            return f"{capital(self.who(hand))} {verb}"
        first, *rest = verb.split(" ", 1)
        return " ".join(["You", "pass" if first == "passes" else first.removesuffix("s"), *rest])

    def card(self, card: int) -> str:
        """A card as people read it."""
        return card_label(card, self.letters)

    def cards(self, cards: Iterable[int]) -> str:
        """Cards in the order of a hand."""
        return cards_text(cards, self.letters)

    # -- what a seat says

    def call(self, seat: int, action: int) -> str:
        """A call of the auction."""
        if action == PASS:
            return self.does(seat, "passes")
        if action in (CONTRA, RECONTRA):
            return self.does(seat, "says") + f" {action_words(action)}"
        return self.does(seat, "bids") + f" {action_words(action)}"

    def slam(self, seat: int, action: int) -> str:
        """The answer to the question about a slam."""
        what = {CHELEM: "a slam", PETIT_CHELEM: "a petit chelem"}.get(action, "no slam")
        return self.does(seat, "announces") + f" {what}"

    def redeal(self, seat: int, action: int) -> str:
        """The answer to the question about a redeal."""
        if action == THROW_IN:
            return self.does(seat, "throws") + " the deal in"
        return self.does(seat, "plays") + " on"

    def called(self, seat: int, card: int) -> str:
        """The card that the taker calls."""
        return self.does(seat, "calls") + f" {self.card(card)}"

    def misere(self, seat: int, kind: int) -> str:
        """A declared misère."""
        return self.does(seat, "declares") + f" a misère: {MISERE_LABELS[kind]}"

    def poignee(self, seat: int, level: int, cards: Iterable[int]) -> str:
        """A poignée that is shown."""
        name = poignee_label(level)
        return self.does(seat, "shows") + f" a {name}: {self.cards(cards)}"

    # -- chien

    def chien(self, state: Columns, row: int) -> str:
        """The chien that is turned up."""
        cards = self.cards(cardsets.to_ids(state.chien[row]))
        return self.does(int(state.taker[row]), "turns") + f" up the chien: {cards}"

    def halves(self, state: Columns, row: int) -> str:
        """The two halves of the chien as dealt, with six players."""
        size, start = self.rules.chien_size // 2, self.rules.hands * self.rules.hand_size
        chien = state.pack[row, start : start + 2 * size].astype(int).tolist()
        first, second = (self.cards(cards) for cards in (chien[:size], chien[size:]))
        turns_up = self.does(int(state.taker[row]), "turns")
        return f"{turns_up} up the chien, first half: {first}, second half: {second}"

    def split(self, state: Columns, row: int, action: int) -> str:
        """Which half the taker takes."""
        half = "first" if action == FIRST_HALF else "second"
        partner = self.who(int(state.partner[row]))
        takes = self.does(int(state.taker[row]), "takes")
        return f"{takes} the {half} half, {partner} the other"

    # -- card play

    def played(self, plays: Iterable[tuple[int, int]], winner: int = -1) -> str:
        """Cards of a trick with the hands they came from; the winner's is marked."""
        return "  ".join(
            f"{hand_label(hand, self.rules)} {self.card(card)}{'*' if hand == winner else ''}"
            for hand, card in plays
        )

    def revealed(self, cards: Mapping[int, list[int]]) -> str | None:
        """Cards that were drawn or turned up after a trick, by hand; None for none."""
        verb = "draws" if self.rules.game == "tirette" else "turns up"
        told = [
            f"{self.does(hand, verb)} {' '.join(self.card(card) for card in in_hand_order(found))}"
            for hand, found in cards.items()
            if found
        ]
        return ", ".join(part[:1].lower() + part[1:] for part in told) or None


# -- what everybody at the table notices


@dataclass(frozen=True)
class Moment:
    """One table as it is now, to be compared with what it is after the next action."""

    phase: Phase
    actor: int
    num_events: int
    tricks: int
    on_table: int
    chien_open: bool
    partner: int
    face_up: np.ndarray

    @classmethod
    def of(cls, tables: Tables, seat: int) -> "Moment":
        """The moment on table 0, with the partner as far as a seat knows it."""
        state = tables.columns
        partner = int(state.partner[0])
        if tables.rules.calls_king:
            partner = view_of(tables, 0, seat).partner
        return cls(
            phase=Phase(state.phase[0]),
            actor=int(tables.seat_to_act[0]),
            num_events=int(state.history_size[0]),
            tricks=int(state.trick_number[0]),
            on_table=int(state.trick_size[0]),
            chien_open=bool(state.chien_open[0]),
            partner=partner,
            face_up=state.face_up[0].copy(),
        )


def news(tables: Tables, teller: Teller, before: Moment) -> list[str]:
    """What everybody has seen or heard on table 0 since a moment, one action ago.

    What the listener did itself is left out, but for a poignée that it has shown. The score at the
    end is not told here.
    """
    state, now = tables.columns, Moment.of(tables, teller.you)
    lines: list[str] = []
    for hand, action in state.history[0, before.num_events : now.num_events].tolist():
        lines += _event(tables, teller, before, hand, action)
    sealed = (now.phase, now.actor) != (before.phase, before.actor)
    if before.phase == Phase.DISCARD and sealed and before.actor != teller.you:
        lines.append(_ecart(tables, teller, before.actor))
    if now.chien_open and not before.chien_open and now.phase < Phase.OVER:
        six = tables.rules.in_partnerships
        lines.append(teller.halves(state, 0) if six else teller.chien(state, 0))
    if now.partner != before.partner and tables.rules.calls_king and now.phase < Phase.OVER:
        indent = "  " if before.phase == Phase.PLAY else ""
        lines.append(indent + _partner(tables, teller, now.partner))
    if tables.rules.game == "dummy" and now.face_up.any() and not before.face_up.any():
        cards = teller.cards(cardsets.to_ids(now.face_up[DUMMY]))
        lines.append(f"  The dummy's hand is laid open: {cards}")
    if now.tricks > before.tricks:
        lines.append(_trick(tables, teller))
    if tables.rules.game in ("tirette", "decouverte"):
        told = teller.revealed(newly_open(before.face_up, state, 0))
        lines += [f"  {told}"] if told else []
    return lines


def _event(tables: Tables, teller: Teller, before: Moment, hand: int, action: int) -> list[str]:
    """One public event."""
    state = tables.columns
    if POIGNEE <= action <= TRIPLE_POIGNEE:
        cards = cardsets.to_ids(state.poignee_cards[0, hand])
        return [teller.poignee(hand, int(state.poignee_level[0, hand]), cards)]
    if before.phase == Phase.PLAY:
        leads = before.on_table == 0 and before.actor != teller.you  # who leads has been told so
        who = teller.who(hand) + _role(tables, teller, before, hand)
        return [
            *([f"Trick {before.tricks + 1}"] if leads else []),
            f"  {who}: {teller.card(action)}",
        ]
    if hand == teller.you or before.phase == Phase.DISCARD:
        return []
    if before.phase == Phase.PETIT_SEC:
        return [teller.redeal(hand, action)]
    if before.phase == Phase.AUCTION:
        return [teller.call(hand, action)]
    if before.phase == Phase.CALL:
        return [teller.called(hand, action)]
    if before.phase == Phase.SPLIT:
        return [teller.split(state, 0, action)]
    if before.phase == Phase.SLAM:
        return [] if action == PASS else [teller.slam(hand, action)]
    return [teller.misere(hand, int(state.misere[0, hand]))]


def _role(tables: Tables, teller: Teller, before: Moment, hand: int) -> str:
    """The taker is pointed out, and its partner where that is known."""
    if hand == teller.you:
        return ""
    if hand == tables.taker[0]:
        return " (taker)"
    return " (partner)" if hand == before.partner else ""


def _ecart(tables: Tables, teller: Teller, seat: int) -> str:
    """That an écart has been made; of its cards only the trumps are told."""
    state, rows = tables.columns, np.array([0])
    column = int(ecart_column(state, rows, np.array([seat]))[0])
    cards = state.ecart[0, column]
    trumps = cardsets.to_ids(cards & cardsets.TRUMPS)
    shown = f" and shows of them {teller.cards(trumps)}" if trumps else ""
    number = len(cardsets.to_ids(cards))
    return teller.does(seat, "sets") + f" {count_noun(number, 'card')} aside{shown}"


def _partner(tables: Tables, teller: Teller, partner: int) -> str:
    taker = int(tables.taker[0])
    if partner == taker:
        return teller.does(taker, "plays") + " alone"
    of = "your" if taker == teller.you else f"{teller.who(taker)}'s"
    return f"{capital(teller.who(partner))} {'are' if partner == teller.you else 'is'} {of} partner"


def _trick(tables: Tables, teller: Teller) -> str:
    """Who took the last trick, and what it is worth without the Excuse."""
    state = tables.columns
    cards = [int(card) for card in state.last_trick[0]]
    worth = points_text(int(sum(HALF_POINTS[card] for card in cards if card != EXCUSE)))
    apart = " beside the Excuse" if EXCUSE in cards else ""
    takes = teller.does(int(state.last_winner[0]), "takes")
    return f"  {takes} it: {worth} point{'' if worth == '1' else 's'}{apart}"


def newly_open(before: np.ndarray, state: Columns, row: int) -> dict[int, list[int]]:
    """Cards in each hand that lie open now and did not before, those of the last winner first.

    Args:
        before: `State.face_up` of the table as it was.
        state: the tables.
        row: which of them.
    """
    new = state.face_up[row] & ~before
    winner = int(state.last_winner[row])
    hands = sorted(range(len(new)), key=lambda hand: hand != winner)
    return {hand: cardsets.to_ids(new[hand]) for hand in hands}
