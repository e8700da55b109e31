"""Draws a view of a table as a picture.

The viewer sits at the bottom, the next hand to its right, and so on counter-clockwise. What is
known of a hand lies below its plate; the middle holds the chien, the trick or the score sheet.
"""

from collections.abc import Iterable
from math import cos, pi, sin

import numpy as np
from jaxtyping import UInt8

from tarot_env.cards import NUM_CARDS
from tarot_env.cards.actions import Phase
from tarot_env.core.scoring import points_text
from tarot_env.errors import count_noun
from tarot_env.render.canvas import (
    BIG,
    EDGE,
    FELT,
    GOLD,
    HEIGHT,
    INK,
    MEDIUM,
    PALE,
    PAPER,
    SMALL,
    WIDTH,
    Canvas,
    Size,
    width_of,
)
from tarot_env.render.captions import headline, roles, withhold_lines
from tarot_env.render.view import View
from tarot_env.rules.labels import (
    MISERE_LABELS,
    Letters,
    action_label,
    bid_label,
    capital,
    card_label,
    cards_text,
    hand_label,
    in_hand_order,
    is_dummy,
    poignee_label,
)

_RIM = 65.0
_SPOTS = {
    2: ((48.0, 62.6),),
    3: ((76.5, 61.0), (19.5, 61.0)),
    4: ((79.5, 48.0), (48.0, 62.6), (16.5, 48.0)),
    5: ((79.5, 42.0), (67.5, 62.6), (28.5, 62.6), (16.5, 42.0)),
    6: ((81.5, 42.0), (81.5, 62.6), (48.0, 62.6), (14.5, 62.6), (14.5, 42.0)),
}
"""By number of hands: the middle of each other hand's plate, from the viewer's right on."""


def draw(view: View, letters: Letters = "english") -> UInt8[np.ndarray, "h w 3"]:
    """The picture of a view."""
    canvas = Canvas(letters)
    _Painter(canvas, view, letters).table()
    return canvas.pixels()


class _Painter:
    """Lays a view out on a canvas."""

    def __init__(self, canvas: Canvas, view: View, letters: Letters) -> None:
        self._canvas = canvas
        self._view = view
        self._letters = letters
        self._mine = view.actor == view.viewer
        self._legal = {a for a in view.legal if a < NUM_CARDS} if self._mine else set()
        self._piles = view.rules.game == "decouverte" and view.phase < Phase.OVER
        self._above_hand = 29.2 if self._piles else 17.6
        self._middle = (48.0, 39.2 if self._piles else 36.0)

    def table(self) -> None:
        """The whole picture."""
        view, canvas = self._view, self._canvas
        canvas.box(1, 1, WIDTH - 2, _RIM - 1, fill=FELT, edge=EDGE, radius=6, line=5)
        self._headline()
        for hand in range(view.num_hands):
            if hand != view.viewer:
                self._other(hand)
        self._own()
        if view.phase == Phase.OVER:
            self._laid_open()
        else:
            self._ecarts()
        if view.score_lines:
            self._score_sheet()
        elif view.phase < Phase.SLAM:
            self._chien()
        else:
            self._trick()
        if view.stock_size:
            self._stock()

    # -- above the table

    def _headline(self) -> None:
        view, canvas = self._view, self._canvas
        text = capital(headline(view, self._letters))
        canvas.fitted(3, HEIGHT - 2.2, text, 13, WIDTH - 6, ha="left", fontweight="bold")
        below = []
        if view.phase >= Phase.PLAY and view.taker >= 0 and not view.score_lines:
            attack, defence = map(points_text, view.side_half_points)
            one, other = ("attack", "defence") if view.sides_known else ("taker", "the others")
            below.append(f"Tricks: {one} {attack}, {other} {defence}")
        calls = [f"seat {seat} {action_label(call)}" for seat, call in view.calls]
        if calls:
            below.append(f"Calls: {', '.join(calls)}")
        if view.chien and view.phase >= Phase.SLAM:
            below.append(f"Chien: {self._labels(view.chien)}")
        if view.shown_discards:
            below.append(f"Shown in the écart: {self._labels(view.shown_discards)}")
        if below:
            line = "   ·   ".join(below)
            canvas.fitted(3, HEIGHT - 4.9, line, 10.5, WIDTH - 6, ha="left")

    def _labels(self, cards: Iterable[int]) -> str:
        return " ".join(card_label(card, self._letters) for card in in_hand_order(cards))

    # -- the hands

    def _plate(self, hand: int, x: float, y: float) -> None:
        """Who sits there, and in what role."""
        view = self._view
        parts = [capital(hand_label(hand, view.rules))]
        if is_dummy(hand, view.rules):
            parts += [f"played by seat {1 - view.taker}"] if view.phase > Phase.AUCTION else []
        else:
            parts += roles(view, hand)
            if view.phase == Phase.AUCTION and view.bids[hand] >= 0:
                parts.append(bid_label(view.bids[hand]))
        if view.phase > Phase.SLAM and not view.sits_out(hand):
            tricks = view.tricks_won[hand]
            parts.append(count_noun(tricks, "trick"))
        text = " · ".join(parts)
        acting = hand == view.to_act
        weight = "bold" if acting else "normal"
        width = width_of(text, 9.5, weight) + 2.4
        fill, ink = (GOLD, INK) if acting else (EDGE, PALE)
        x = min(max(x, width / 2 + 2.0), WIDTH - width / 2 - 2.0)
        self._canvas.box(x - width / 2, y - 1.3, width, 2.6, fill=fill, edge=GOLD, radius=1.3)
        self._canvas.text(x, y, text, 9.5, color=ink, fontweight=weight)

    def _other(self, hand: int) -> None:
        """Plate, hand, piles or known cards, poignée and misère, one below the other."""
        view = self._view
        x, y = _SPOTS[view.num_hands][view.place(hand) - 1]
        self._plate(hand, x, y)
        y -= 1.7
        known = in_hand_order(view.face_up[hand])
        cards = view.hands[hand]
        if cards is None:
            y = self._backs(hand, x, y)
            if known and not self._piles:
                y -= SMALL.height
                self._canvas.row(known, x, y, min(3.0, 34 / len(known)))
        else:
            shown = [card for card in cards if not (self._piles and card in known)]
            y = self._faces(hand, shown, x, y)
        if self._piles:
            self._pile_row(hand, x, y - MEDIUM.height - 2.4)
        if view.phase < Phase.OVER:
            self._announced(hand, x, y)

    def _backs(self, hand: int, x: float, y: float) -> float:
        """A hidden hand from y down; returns how far down it reaches."""
        view, canvas = self._view, self._canvas
        count, known = view.hand_counts[hand], view.face_up[hand]
        hidden = count - len(known) - sum(card in view.covering for card in known)
        left = x - (max(hidden - 1, 0) + SMALL.width) / 2
        for number in range(hidden):
            canvas.back(left + number, y - SMALL.height, SMALL)
        if count:
            in_all = " in all" if self._piles else ""
            text = f"{count_noun(count, 'card')}{in_all}"
            canvas.text(x, y - SMALL.height - 1.0, text, 9.5)
        return y - SMALL.height - (0.6 if self._piles else 2.0)

    def _faces(self, hand: int, cards: list[int], x: float, y: float) -> float:
        """An open hand in two rows from y down, one above piles; returns how far it reaches."""
        cards = in_hand_order(cards)
        first = len(cards) if self._piles else max((len(cards) + 1) // 2, 8)
        step = 3.0 if self._piles else min(3.0, 30 / first)
        legal = self._legal if hand == self._view.to_act else set()
        for row in (cards[:first], cards[first:]):
            if row:
                y -= SMALL.height + 0.3
                self._canvas.row(row, x, y, step, legal=legal)
        return y

    def _pile_row(self, hand: int, x: float, y: float) -> None:
        """Cards before a player; those that lie on another stand a little apart from its back."""
        cards = in_hand_order(self._view.face_up[hand])
        step = min(6.6, 80 / max(len(cards), 1))
        left = x - (step * (len(cards) - 1) + MEDIUM.width) / 2
        legal = self._legal if hand == self._view.to_act else set()
        for number, card in enumerate(cards):
            at = left + number * step
            height = y + (1.0 if card in legal else 0.0)
            under = self._view.covered.get(card)
            if under is not None:
                self._canvas.edge_of(under, at + 1.0, height + 2.0, MEDIUM)
            elif card in self._view.covering:
                self._canvas.back(at + 0.7, height + 0.9, MEDIUM)
            dim = bool(self._legal) and hand == self._view.viewer and card not in legal
            self._canvas.card(card, at, height, MEDIUM, dim=dim)

    def _announced(self, hand: int, x: float, y: float) -> None:
        """Poignée and misère of a hand, from y down."""
        view, canvas = self._view, self._canvas
        opposite = 2 * view.place(hand) == view.num_hands
        widest = 24.0
        if opposite:  # beside the hand, because the trick lies below it
            widest = 24.0 if view.num_hands == 4 else 16.0
            x, y = x + 8.0 + widest / 2, _RIM - 4.0
            x += 8.0 if view.num_hands == 4 else 0.8
        if hand in view.poignees:
            level, cards = view.poignees[hand]
            step = min(3.0, (widest - SMALL.width) / max(len(cards) - 1, 1))
            canvas.row(in_hand_order(cards), x, y - SMALL.height - 0.3, step)
            y -= SMALL.height + 1.5
            label = f"{poignee_label(level)} of seat {hand}"
            canvas.text(x, y, label, 9.5, fontstyle="italic")
            y -= 1.0
        if hand in view.miseres:
            label = f"misère: {MISERE_LABELS[view.miseres[hand]]}"
            canvas.text(x, y - 1.0, label, 9.5, fontstyle="italic")

    def _own(self) -> None:
        view, viewer = self._view, self._view.viewer
        self._plate(viewer, WIDTH / 2, self._above_hand)
        known = set(view.face_up[viewer])
        held = set(view.hands[viewer] or ())
        cards = in_hand_order(held - known if self._piles else held)
        if self._piles:
            self._pile_row(viewer, WIDTH / 2, 16.4)
        here = view.to_act == viewer
        self._big_row(cards, in_hand_order(self._legal - held) if here else [])
        if view.phase < Phase.OVER and (viewer in view.poignees or viewer in view.miseres):
            self._announced(viewer, 79.5, self._above_hand + 5.2)
        if view.rules.game == "tirette" and known & held:
            self._canvas.dot(76.0, self._above_hand)
            self._canvas.text(77.2, self._above_hand, "drawn, seen by all", 9.5, ha="left")
        self._asked()

    def _big_row(self, cards: list[int], elsewhere: list[int]) -> None:
        """The viewer's hand; behind a gap what may be chosen though it lies elsewhere."""
        view = self._view
        legal = self._legal if view.to_act == view.viewer else set()
        gap = 2.5 if elsewhere else 0.0
        number = len(cards) + len(elsewhere)
        step = min(5.6, (WIDTH - 8 - BIG.width - gap) / max(number - 1, 1))
        left = (WIDTH - step * max(number - 1, 0) - gap - BIG.width) / 2
        for at, card in enumerate([*cards, *elsewhere]):
            x = left + at * step + (gap if at >= len(cards) else 0)
            y = 4.6 if card in legal else 3.2
            covered = at not in (len(cards) - 1, number - 1)
            dim = bool(self._legal) and card not in legal
            self._canvas.card(card, x, y, BIG, dim=dim, covered=covered)
            if view.rules.game == "tirette" and card in view.face_up[view.viewer]:
                self._canvas.dot(x + BIG.corner, y + 1.0)
        if elsewhere:
            x = left + gap + step * (len(cards) + number - 1) / 2 + BIG.width / 2
            where = "not in your hand" if view.phase == Phase.CALL else "shown in the écart"
            self._canvas.text(min(x, WIDTH - 12), 16.5, where, 9.5)

    def _asked(self) -> None:
        """The question in words, where a raised card does not say it all."""
        view, canvas = self._view, self._canvas
        if not self._mine:
            return
        y = self._above_hand + 3.2
        words = [action_label(action) for action in view.legal if action >= NUM_CARDS]
        if words:
            canvas.text(WIDTH / 2, y, "You may: " + "  ·  ".join(words), 11, color=GOLD)
        if view.phase == Phase.WITHHOLD:
            for number, line in enumerate(withhold_lines(view, self._letters)):
                height = y + 4.0 - 2.2 * number + (1.5 if words else 0)
                canvas.fitted(WIDTH / 2, height, line, 10.5, 60, color=GOLD)

    # -- what is known beside the hands

    def _ecarts(self) -> None:
        view = self._view
        y = self._above_hand - 0.6
        for number, (seat, cards) in enumerate(view.ecarts.items()):
            x = 14.0 if len(view.ecarts) == 1 else 9.0 + 13.0 * number
            self._canvas.row(in_hand_order(cards), x, y, 3.0)
            self._canvas.text(x, y + 5.8, self._ecart_label(seat), 9.5, fontstyle="italic")

    def _ecart_label(self, seat: int) -> str:
        return f"écart of seat {seat}" if self._view.is_open else "your écart"

    def _laid_open(self) -> None:
        """At the end, where the hand was: écarts, poignées and misères in words."""
        view = self._view
        lines = []
        for seat, cards in view.ecarts.items():
            lines.append(f"{self._ecart_label(seat)}: {cards_text(cards, self._letters)}")
        for seat, (level, cards) in view.poignees.items():
            name = poignee_label(level)
            lines.append(f"{name} of seat {seat}: {cards_text(cards, self._letters)}")
        for seat, kind in view.miseres.items():
            lines.append(f"misère of seat {seat}: {MISERE_LABELS[kind]}")
        space = min(2.3, 11.0 / max(len(lines), 1))
        for number, line in enumerate(lines):
            y = 13.4 - space * number
            self._canvas.fitted(WIDTH / 2, y, capital(line), 4.5 * space, WIDTH - 12)

    # -- the middle

    def _chien(self) -> None:
        view, canvas = self._view, self._canvas
        x, y = self._middle
        if view.chien is None or (view.phase <= Phase.AUCTION and not view.is_open):
            size = Size(4.4, 6.6, 0, 0)
            for number in range(view.rules.chien_size):
                canvas.back(x - 2.2 * view.rules.chien_size + 4.4 * number, y - 3.3, size)
            canvas.text(x, y + 4.6, "chien", 11, fontstyle="italic")
            return
        if view.halves is None:
            canvas.row(in_hand_order(view.chien), x, y - 2.4, 3.6)
            canvas.text(x, y + 4.0, "chien", 11, fontstyle="italic")
            return
        for number, cards in enumerate(view.halves):
            at = x + (-7.5, 7.5)[number]
            canvas.row(in_hand_order(cards), at, y - 2.4, 3.6)
            canvas.text(at, y + 4.0, ("first half", "second half")[number], 10, fontstyle="italic")
            if view.split >= 0:
                owner = view.taker if number == view.split else view.partner
                canvas.text(at, y - 3.8, f"to seat {owner}", 10)

    def _trick(self) -> None:
        view = self._view
        trick, faded = (view.trick, False) if view.trick else (view.last_trick, True)
        size = MEDIUM if view.num_hands > 4 or self._piles else BIG
        for hand, card in trick:
            x, y = self._on_table(view.place(hand))
            self._canvas.card(card, x - size.width / 2, y - size.height / 2, size, dim=faded)
        if faded and trick:
            text = f"{hand_label(view.last_winner, view.rules)} took it"
            x, y = self._middle
            if view.num_hands == 2:
                x += 18.0
            elif view.num_hands <= 4:
                y = self._above_hand + 5.4
            self._canvas.text(x, y, text, 11, color=GOLD)

    def _on_table(self, place: int) -> tuple[float, float]:
        """Where the card lies that a hand has played."""
        (x, y), hands = self._middle, self._view.num_hands
        if hands == 2:
            return x + (-5.0, 5.0)[place], y + (-0.8, 0.8)[place]
        across, up = (8.4, 6.6) if hands <= 4 else (10.0, 8.5)
        angle = -pi / 2 + 2 * pi * place / hands
        return x + across * cos(angle), y + up * sin(angle)

    def _stock(self) -> None:
        """La Tirette: the second stock, and the card that lies open beside it."""
        view, canvas = self._view, self._canvas
        hidden = view.stock_size - (view.exposed >= 0)
        for number in range(min(hidden, 6)):
            canvas.back(9 + 0.35 * number, 33 + 0.35 * number, MEDIUM)
        if view.exposed >= 0:
            canvas.card(view.exposed, 18, 33, MEDIUM)
        stock = f"stock: {count_noun(view.stock_size, 'card')}"
        canvas.text(15, 31.3, stock, 9.5, fontstyle="italic")
        if view.stock:
            cards = " ".join(card_label(card, self._letters) for card in view.stock)
            canvas.fitted(WIDTH / 2, 44.5, f"Stock: {cards}", 10, 80)

    def _score_sheet(self) -> None:
        lines = [capital(line) for line in self._view.score_lines]
        top = 38.0 if self._view.num_hands > 4 else 44.0
        space = min(3.0, (top - 21.4) / len(lines))
        height = space * len(lines) + 1.8
        y = max(19.4, top - height)
        canvas = self._canvas
        canvas.box(13, y, WIDTH - 26, height, fill=PAPER, edge=GOLD, radius=1.2, line=2)
        for number, line in enumerate(lines):
            weight = "bold" if number == len(lines) - 1 else "normal"
            at = y + height - 0.9 - space * (number + 0.5)
            size = min(11.5, 5.6 * space)
            canvas.fitted(WIDTH / 2, at, line, size, WIDTH - 29, color=INK, fontweight=weight)
