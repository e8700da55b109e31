"""A record as a card player would tell it, step by step."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from tarot_env.cards import EXCUSE, HALF_POINTS, KIND, TRUMP, cardsets
from tarot_env.cards.actions import PASS, Phase, parse_action, parse_card
from tarot_env.core.scoring import points_words
from tarot_env.records import replay
from tarot_env.render.narration import Teller, newly_open
from tarot_env.render.view import hands_from
from tarot_env.rules import value_text
from tarot_env.rules.labels import Letters, action_label, bid_label, check_letters, hand_label
from tarot_env.score_sheet import excuse_text, pile_lines, score_lines
from tarot_env.tables import Tables


def replay_text(record: dict[str, Any], *, letters: Letters = "english") -> str:
    """A record step by step, with open cards.

    Raises:
        InvalidRecord: a record that is malformed or that the rules do not allow.
        UnknownName: there are no such letters.
    """
    lines: list[str] = []
    for moment in moments(record, letters=letters):
        lines += [*moment.before, *moment.after]
    return "\n".join(lines)


class Moment(NamedTuple):
    """A record before one of its actions, or at its end, where `action` is None.

    `tables` is the same object in every moment and moves on with the iteration.
    """

    tables: Tables
    number: int
    """Of the action, from 0."""
    action: int | None
    before: list[str]
    """Lines on what has happened since the moment before."""
    after: list[str]
    """Lines on the action itself, or on the end."""


def moments(record: dict[str, Any], *, letters: Letters = "english") -> Iterator[Moment]:
    """A record step by step, for whoever has more to say; its lines are those of `replay_text`.

    Raises:
        InvalidRecord: a record that is malformed or that the rules do not allow.
        UnknownName: there are no such letters.
    """
    check_letters(letters)
    story: _Story | None = None
    for number, (tables, seat, action) in enumerate(replay(record)):
        before: list[str] = []
        if story is None:
            story = _Story(record, tables, Teller(tables.rules, letters))
            before += story.opening()
        before += story.noticed()
        after = story.ending() if action is None else story.told(number, seat, action)
        yield Moment(tables, number, action, before, after)


@dataclass
class _Story:
    """What has been told so far of one table that moves on."""

    record: dict[str, Any]
    tables: Tables
    teller: Teller
    phase: Phase | None = None
    """Of the last action."""
    tricks: int = 0
    shown: set[int] = field(default_factory=set)
    """Seats whose poignée has been told."""
    declared: set[int] = field(default_factory=set)
    """Seats whose misère has been told."""
    set_aside: set[int] = field(default_factory=set)
    """Seats whose écart has been told."""
    on_table: int = 0
    """Cards of the trick under way that have been told, because somebody was asked."""
    face_up: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.face_up = self.tables.columns.face_up[0].copy()

    # -- before the first action

    def opening(self) -> list[str]:
        """Which deal this is, and all its cards."""
        state, rules, teller = self.tables.columns, self.tables.rules, self.teller
        lines = [f"{self._name()}; seat {state.dealer[0]} deals", "Hands"]
        for hand, cards in enumerate(self.record["hands"]):
            sits_out = rules.dead_hand and hand == state.dealer[0]
            held = "sits out" if sits_out else teller.cards(map(parse_card, cards))
            lines.append(f"  {hand_label(hand, rules)}: {held}")
        lines.append(f"  chien:  {teller.cards(map(parse_card, self.record['chien']))}")
        for seat, piles in enumerate(self.record.get("piles", ())):
            pairs = [[teller.card(parse_card(card)) for card in pile] for pile in piles]
            told = "  ".join(f"{upper} on {covered}" for upper, covered in pairs)
            lines.append(f"  piles of seat {seat}: {told}")
        stock = [teller.card(parse_card(card)) for card in self.record.get("stock", ())]
        if stock:
            lines.append(f"  stock:  {' '.join(stock)}")
        if state.forced[0]:
            bid = bid_label(int(state.contract[0]))
            lines.append(f"Seat {state.taker[0]} plays {bid} without an auction")
        return lines

    def _name(self) -> str:
        given, rules = self.record["rules"], self.tables.rules
        name = "A given deal"
        if self.record["deal_id"] is not None:
            name = f"Deal {self.record['deal_id']} of seed {self.record['seed']}"
        game = f"{rules.players} players"
        if rules.game is not None or rules.calls_king or rules.in_partnerships:
            game = rules.sizes.title
        changed = [
            f", {key}={value_text(value)}"
            for key, value in given.items()
            if key not in ("preset", "players", "game")
        ]
        return f"{name}: {given['preset']}, {game}{''.join(changed)}"

    # -- what the last action brought about

    def noticed(self) -> Iterator[str]:
        """Misères, poignées, tricks taken, cards that lie open: since the last action."""
        state, teller = self.tables.columns, self.teller
        for seat in self._new(state.misere[0], self.declared):
            yield teller.misere(seat, int(state.misere[0, seat]))
        for seat in self._new(state.poignee_level[0], self.shown):
            cards = cardsets.to_ids(state.poignee_cards[0, seat])
            yield teller.poignee(seat, int(state.poignee_level[0, seat]), cards)
        if self.tables.rules.game == "dummy" and not self.face_up.any() and state.face_up[0].any():
            yield from self._trick_so_far()
            yield "The dummy's hand is laid open"
            self.face_up = state.face_up[0].copy()
        if state.trick_number[0] > self.tricks:
            self.tricks += 1
            self.on_table = 0
            yield self._finished_trick()
            told = teller.revealed(newly_open(self.face_up, state, 0))
            self.face_up = state.face_up[0].copy()
            if told:
                yield f"          {told}"

    @staticmethod
    def _new(values: np.ndarray, told: set[int]) -> list[int]:
        """Seats with a value that has not been told yet; they are told now."""
        found = [int(seat) for seat in np.flatnonzero(values) if seat not in told]
        told.update(found)
        return found

    def _finished_trick(self) -> str:
        state, rules = self.tables.columns, self.tables.rules
        number, winner = int(state.trick_number[0]), int(state.last_winner[0])
        cards = [int(card) for card in state.last_trick[0]]
        half = int(sum(HALF_POINTS[card] for card in cards if card != EXCUSE))
        apart = f"; {excuse_text(state, 0, rules)}" if EXCUSE in cards else ""
        hands = hands_from(int(state.last_leader[0]), int(state.dealer[0]), rules)
        played = self.teller.played(zip(hands, cards, strict=True), winner)
        points = f"{points_words(half)} to {hand_label(winner, rules)}"
        return f"Trick {number:2}: {played}  ({points}{apart})"

    # -- actions

    def told(self, number: int, seat: int, action: int) -> list[str]:
        """What an action looks like; cards played are told by the trick when it is finished."""
        state, teller = self.tables.columns, self.teller
        phase, before = Phase(self.tables.phase[0]), self.phase
        self.phase = phase
        if phase == Phase.PETIT_SEC:
            return [teller.redeal(seat, action)]
        if phase == Phase.AUCTION:
            call = f"  seat {seat}: {action_label(action)}"
            return [call] if before == phase else ["Auction", call]
        if phase == Phase.CALL:
            return [f"{teller.called(seat, action)}, {self._holder(seat, action)}"]
        if phase == Phase.SPLIT:
            return [teller.halves(state, 0), teller.split(state, 0, action)]
        if phase == Phase.DISCARD:
            return self._ecart(number, seat)
        if phase == Phase.SLAM:
            return [teller.slam(seat, action)]
        if phase in (Phase.MISERE, Phase.POIGNEE):
            name = "misère" if phase == Phase.MISERE else "poignée"
            verb = teller.does(seat, "declares" if phase == Phase.MISERE else "shows")
            return [*self._trick_so_far(), *([f"{verb} no {name}"] if action == PASS else [])]
        if phase == Phase.WITHHOLD and action != PASS:
            return [f"{teller.does(seat, 'keeps')} back {teller.card(action)}"]
        return []

    def _holder(self, taker: int, card: int) -> str:
        """Where the called card is."""
        hands = self.tables.columns.hands[0]
        holds = cardsets.contains(hands, np.full(len(hands), card))
        if not holds.any():
            return "which lies in the chien: the taker plays alone"
        holder = int(holds.argmax())
        if holder == taker:
            return "a card of its own: the taker plays alone"
        return f"which {hand_label(holder, self.tables.rules)} holds: they are partners"

    def _ecart(self, number: int, seat: int) -> list[str]:
        """A whole écart, told with its first card."""
        state, teller, rules = self.tables.columns, self.teller, self.tables.rules
        if seat in self.set_aside:
            return []
        lines = [teller.chien(state, 0)] if not self.set_aside and not rules.in_partnerships else []
        self.set_aside.add(seat)
        size = rules.chien_size // (2 if rules.in_partnerships else 1)
        actions = self.record["actions"][number : number + size]
        cards = [parse_action(text) for _, text in actions]
        trumps = [card for card in cards if KIND[card] == TRUMP]
        shown = f", shown to all: {teller.cards(trumps)}" if trumps else ""
        return [*lines, f"{teller.does(seat, 'sets')} aside {teller.cards(cards)}{shown}"]

    def _trick_so_far(self) -> list[str]:
        """The cards that lie on the table when a seat is asked before its first one."""
        state = self.tables.columns
        size = int(state.trick_size[0])
        if size <= self.on_table:
            return []
        self.on_table = size
        hands = hands_from(int(state.leader[0]), int(state.dealer[0]), self.tables.rules)
        plays = zip(hands, state.trick_cards[0, :size].tolist(), strict=False)
        return [f"Trick  1 so far: {self.teller.played(plays)}"]

    # -- the end

    def ending(self) -> list[str]:
        """How the points add up, and the score."""
        state, rules = self.tables.columns, self.tables.rules
        piles = pile_lines(state, 0, rules) if self.tables.taker[0] >= 0 else []
        told = [("Count", piles), ("Score", score_lines(state, 0, rules))]
        return [line for title, part in told if part for line in (title, *(f"  {p}" for p in part))]
