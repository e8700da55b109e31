"""Draws a view of a table as a picture, with matplotlib, which is imported only when drawing.

The viewer sits at the bottom, the next seat to its right, and so on counter-clockwise. One unit is
ten pixels of a picture 960 wide and 720 high.
"""

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Any

import numpy as np
from jaxtyping import UInt8

from tarot_env.actions import PASS, POIGNEE, Phase
from tarot_env.cards import EXCUSE, KIND, NUM_CARDS, TRUMP
from tarot_env.render import (
    SUIT_SYMBOLS,
    Letters,
    View,
    action_label,
    card_label,
    cards_text,
    headline,
    in_hand_order,
    rank_label,
    withhold_lines,
)
from tarot_env.scoring import points_text

_Number = float | int
WIDTH, HEIGHT = 96.0, 72.0
_RIM = 65.0
_MIDDLE = (48.0, 36.0)
_FELT, _FELT_EDGE, _ROOM = "#2f6b4f", "#1f4a37", "#16332a"
_INK, _RED, _TRUMP_INK, _EXCUSE_INK = "#1d1d1f", "#c1272d", "#1f3f8f", "#6a2c91"
_PAPER, _TRUMP_PAPER, _BACK, _GOLD, _PALE = "#fdfcf7", "#fff3d6", "#8c2f39", "#f2c14e", "#e8efe9"
_SUIT_INK = (_INK, _RED, _RED, _INK)
_BIG, _SMALL = (7.2, 10.8), (3.3, 4.8)


def draw(view: View, letters: Letters = "english") -> UInt8[np.ndarray, "h w 3"]:
    """The picture of a view."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH / 10, HEIGHT / 10), dpi=100, facecolor=_ROOM)
    canvas: Any = FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, WIDTH), ylim=(0, HEIGHT))
    axes.axis("off")
    _Painter(axes, letters).table(view)
    canvas.draw()
    return np.array(canvas.buffer_rgba())[:, :, :3]


class _Painter:
    """Paints onto axes; later strokes lie above earlier ones."""

    def __init__(self, axes: Any, letters: Letters) -> None:
        self._axes = axes
        self._letters = letters
        self._layer = 1.0

    def table(self, view: View) -> None:
        """The whole picture."""
        self._box(1, 1, WIDTH - 2, _RIM - 1, fill=_FELT, edge=_FELT_EDGE, radius=6, line=5)
        self._headline(view)
        for place in range(1, view.players):
            self._other_hand(view, (view.viewer + place) % view.players, place)
        self._own_hand(view)
        if view.phase == Phase.OVER:
            self._laid_open(view)
        else:
            self._ecart(view)
            for place in range(view.players):
                self._poignee(view, (view.viewer + place) % view.players, place)
        if view.score_lines:
            self._score_sheet(view)
        elif view.phase in (Phase.AUCTION, Phase.DISCARD):
            self._chien(view)
        else:
            self._trick(view)

    # -- strokes

    def _next_layer(self) -> float:
        self._layer += 0.01
        return self._layer

    def _box(
        self,
        x: _Number,
        y: _Number,
        width: _Number,
        height: _Number,
        *,
        fill: str,
        edge: str,
        radius: _Number = 0.6,
        line: _Number = 0.8,
    ) -> None:
        from matplotlib.patches import FancyBboxPatch

        style = f"round,pad=0,rounding_size={radius}"
        patch = FancyBboxPatch(
            (x, y), width, height, boxstyle=style, facecolor=fill, edgecolor=edge, linewidth=line
        )
        patch.set_zorder(self._next_layer())
        self._axes.add_patch(patch)

    def _text(self, x: _Number, y: _Number, text: str, size: _Number, **style: Any) -> None:
        style = {"ha": "center", "va": "center", "color": _PALE} | style
        self._axes.text(x, y, text, fontsize=size, zorder=self._next_layer(), **style)

    # -- cards

    def _card(
        self,
        card: int,
        x: _Number,
        y: _Number,
        size: tuple[float, float],
        *,
        dim: bool = False,
        covered: bool = False,
        visible: _Number = 99,
    ) -> None:
        """A card face with its lower left corner at (x, y); its right part may be covered.

        Of a small one the left `visible` units hold what is written on it.
        """
        width, height = size
        scale = width / _BIG[0]
        ink = self._ink(card)
        paper = _PAPER if KIND[card] < TRUMP else _TRUMP_PAPER
        self._box(x, y, width, height, fill=paper, edge="#8a8a80", radius=0.8 * scale + 0.1)
        symbol = SUIT_SYMBOLS[KIND[card]] if KIND[card] < TRUMP else "★"
        rank = rank_label(card, self._letters) or "Ex"
        small = size == _SMALL
        corner = {"color": ink, "fontweight": "bold"}
        if small:
            middle = x + min(width, visible) / 2
            self._text(middle, y + height * 0.70, rank, 8.5, **corner)
            self._text(middle, y + height * 0.27, symbol, 8.5, color=ink)
        else:
            self._text(x + 1.75, y + height - 1.6, rank, 14, **corner)
            self._text(x + 1.75, y + height - 4.0, symbol, 13, color=ink)
            if not covered:
                center = rank if KIND[card] == TRUMP else symbol
                style = {"color": ink, "fontweight": "bold" if KIND[card] == TRUMP else "normal"}
                self._text(x + width * 0.56, y + height * 0.34, center, 28, **style)
        if dim:
            self._shade(x, y, width, height, 0.8 * scale + 0.1)

    def _shade(
        self, x: _Number, y: _Number, width: _Number, height: _Number, radius: _Number
    ) -> None:
        self._box(x, y, width, height, fill="#1f4a3755", edge="#8a8a8000", radius=radius)

    @staticmethod
    def _ink(card: int) -> str:
        if card == EXCUSE:
            return _EXCUSE_INK
        return _TRUMP_INK if KIND[card] == TRUMP else _SUIT_INK[KIND[card]]

    def _back(self, x: _Number, y: _Number, size: tuple[float, float]) -> None:
        width, height = size
        self._box(x, y, width, height, fill=_BACK, edge="#f4e9d8", radius=0.5)
        inset = 0.14 * width
        self._box(
            x + inset,
            y + inset,
            width - 2 * inset,
            height - 2 * inset,
            fill="#a8434d",
            edge="#d9a5a0",
            radius=0.3,
            line=0.6,
        )

    def _row(self, cards: Sequence[int], x: _Number, y: _Number, step: _Number) -> None:
        """Small faces side by side, centred on x."""
        left = x - (step * (len(cards) - 1) + _SMALL[0]) / 2
        for number, card in enumerate(cards):
            last = number == len(cards) - 1
            self._card(card, left + number * step, y, _SMALL, visible=_SMALL[0] if last else step)

    # -- places

    @staticmethod
    def _place(view: View, place: int, across: _Number, up: _Number) -> tuple[float, float]:
        """Where a seat's things lie, `place` seats to the right of the viewer."""
        angle = -pi / 2 + 2 * pi * place / view.players
        return _MIDDLE[0] + across * cos(angle), _MIDDLE[1] + up * sin(angle)

    def _plate(self, view: View, seat: int, x: _Number, y: _Number) -> None:
        """Who sits there, and in what role."""
        roles = [f"Seat {seat}"]
        if seat == view.taker and view.phase > Phase.AUCTION:
            roles.append("taker")
        elif view.bids[seat] >= 0 and view.phase == Phase.AUCTION:
            roles.append(action_label(PASS + view.bids[seat]))
        if seat == view.dealer:
            roles.append("dealer")
        if view.phase > Phase.SLAM:
            tricks = view.tricks_won[seat]
            roles.append(f"{tricks} trick{'' if tricks == 1 else 's'}")
        if seat in view.poignees:
            roles.append(action_label(POIGNEE + view.poignees[seat][0] - 1))
        text = " · ".join(roles)
        acting = seat == view.to_act
        width = 0.7 * len(text) + 4
        fill, ink = (_GOLD, _INK) if acting else (_FELT_EDGE, _PALE)
        x = min(max(x, width / 2 + 2.5), WIDTH - width / 2 - 2.5)
        self._box(x - width / 2, y - 1.3, width, 2.6, fill=fill, edge=_GOLD, radius=1.3)
        self._text(x, y, text, 9.5, color=ink, fontweight="bold" if acting else "normal")

    def _other_hand(self, view: View, seat: int, place: int) -> None:
        x, y = self._place(view, place, 30.5, 18.5)
        hand = view.hands[seat]
        if hand is None:
            count = view.hand_counts[seat]
            step = 1.0
            left = x - (step * max(count - 1, 0) + _SMALL[0]) / 2
            for number in range(count):
                self._back(left + number * step, y - 0.8, _SMALL)
            if count:
                self._text(x, y - 2.6, f"{count} cards", 9.5)
        else:
            cards = in_hand_order(hand)
            half = max((len(cards) + 1) // 2, 8)
            self._row(cards[:half], x, y + 0.1, 3.0)
            self._row(cards[half:], x, y - 5.0, 3.0)
        self._plate(view, seat, x, y + 7.0)

    def _own_hand(self, view: View) -> None:
        cards = in_hand_order(view.hands[view.viewer] or [])
        mine = view.to_act == view.viewer
        legal = {action for action in view.legal if action < NUM_CARDS} if mine else set()
        elsewhere = in_hand_order(legal.difference(cards))
        gap = 2.5 if elsewhere else 0.0
        number = len(cards) + len(elsewhere)
        step = min(5.6, (WIDTH - 8 - _BIG[0] - gap) / max(number - 1, 1))
        left = (WIDTH - step * max(number - 1, 0) - gap - _BIG[0]) / 2
        for at, card in enumerate([*cards, *elsewhere]):
            x = left + at * step + (gap if at >= len(cards) else 0)
            y = 4.6 if card in legal else 3.2
            covered = at not in (len(cards) - 1, number - 1)
            self._card(card, x, y, _BIG, dim=bool(legal) and card not in legal, covered=covered)
        if elsewhere:
            x = left + gap + step * (len(cards) + number - 1) / 2 + _BIG[0] / 2
            self._text(min(x, WIDTH - 12), 16.5, "shown in the écart", 9.5)
        self._plate(view, view.viewer, WIDTH / 2, 17.6)
        self._asked(view, mine=mine)

    def _asked(self, view: View, *, mine: bool) -> None:
        """The question in words, where a raised card does not say it all."""
        words = [action_label(action) for action in view.legal if action >= NUM_CARDS]
        if mine and words:
            self._text(WIDTH / 2, 20.8, "You may: " + "  ·  ".join(words), 11, color=_GOLD)
        if mine and view.phase == Phase.WITHHOLD:
            for number, line in enumerate(withhold_lines(view, self._letters)):
                self._text(WIDTH / 2, 24.8 - 2.2 * number, line, 10.5, color=_GOLD)

    # -- what is known beside the hands

    def _ecart(self, view: View) -> None:
        if view.ecart:
            self._row(in_hand_order(view.ecart), 14, 17, 3.0)
            self._text(14, 22.8, self._ecart_label(view), 9.5, fontstyle="italic")

    @staticmethod
    def _ecart_label(view: View) -> str:
        return f"écart of seat {view.taker}" if view.is_open else "your écart"

    def _poignee(self, view: View, seat: int, place: int) -> None:
        """The cards of a poignée, below the seat that showed it or beside."""
        if seat not in view.poignees:
            return
        level, cards = view.poignees[seat]
        x, y = self._place(view, place, 30.5, 18.5)
        if place == 0:
            x, y = 77.5, 19.0
        elif abs(x - _MIDDLE[0]) < 15:
            x, y = x + 29.5, y - 0.8
        else:
            y -= 10.4 if view.is_open else 8.6
        self._row(in_hand_order(cards), x, y, min(3.0, 27 / len(cards)))
        label = f"{action_label(POIGNEE + level - 1)} of seat {seat}"
        self._text(x, y - 1.0, label, 9.5, fontstyle="italic")

    def _laid_open(self, view: View) -> None:
        """At the end, where the hand was: the écart and the poignées in words."""
        lines = []
        if view.ecart:
            lines.append(f"{self._ecart_label(view)}: {cards_text(view.ecart, self._letters)}")
        for seat, (level, cards) in view.poignees.items():
            name = action_label(POIGNEE + level - 1)
            lines.append(f"{name} of seat {seat}: {cards_text(cards, self._letters)}")
        for number, line in enumerate(lines):
            self._text(WIDTH / 2, 13.4 - 2.3 * number, line[0].upper() + line[1:], 10.5)

    # -- the middle

    def _headline(self, view: View) -> None:
        line = headline(view)
        text = line[0].upper() + line[1:]
        self._text(3, HEIGHT - 2.2, text, 13, ha="left", fontweight="bold")
        below = []
        if view.phase >= Phase.PLAY and view.taker >= 0 and not view.score_lines:
            attack, defence = view.side_half_points
            below.append(f"Tricks: attack {points_text(attack)}, defence {points_text(defence)}")
        if view.chien and (view.is_open or view.phase > Phase.DISCARD):
            faces = " ".join(card_label(c, self._letters) for c in in_hand_order(view.chien))
            below.append(f"Chien: {faces}")
        if view.shown_discards:
            faces = " ".join(card_label(c, self._letters) for c in view.shown_discards)
            below.append(f"Shown in the écart: {faces}")
        self._text(3, HEIGHT - 4.9, "   ·   ".join(below), 10.5, ha="left")

    def _chien(self, view: View) -> None:
        x, y = _MIDDLE
        if view.chien is None or (view.phase == Phase.AUCTION and not view.is_open):
            width = 4.4 * (view.chien_size - 1) + 4.4
            for number in range(view.chien_size):
                self._back(x - width / 2 + 4.4 * number, y - 3.3, (4.4, 6.6))
        else:
            self._row(in_hand_order(view.chien), x, y - 2.4, 3.6)
        self._text(x, y + 5.4, "chien", 11, fontstyle="italic")

    def _trick(self, view: View) -> None:
        trick, faded = (view.trick, False) if view.trick else (view.last_trick, True)
        for seat, card in trick:
            place = (seat - view.viewer) % view.players
            x, y = self._place(view, place, 8.4, 6.6)
            self._card(card, x - _BIG[0] / 2, y - _BIG[1] / 2, _BIG, dim=faded)
        if faded and trick:
            self._text(_MIDDLE[0], 22.9, f"seat {view.last_winner} took it", 11, color=_GOLD)

    def _score_sheet(self, view: View) -> None:
        lines = [line[0].upper() + line[1:] for line in view.score_lines]
        space = min(3.2, 18.8 / len(lines))
        height = space * len(lines) + 2.8
        y = max(19.4, 40.8 - height)
        self._box(13, y, WIDTH - 26, height, fill=_PAPER, edge=_GOLD, radius=1.2, line=2)
        for number, line in enumerate(lines):
            weight = "bold" if number == len(lines) - 1 else "normal"
            height_of_line = y + height - 1.4 - space * (number + 0.5)
            size = min(11.5, 800 / len(line))
            self._text(WIDTH / 2, height_of_line, line, size, color=_INK, fontweight=weight)
