"""Strokes for pictures of a table: boxes, text, card faces and backs, drawn with matplotlib.

One unit is ten pixels of a picture 960 wide and 720 high, from the lower left corner. Matplotlib is
imported only when something is drawn.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import UInt8

from tarot_env.cards import EXCUSE, KIND, TRUMP
from tarot_env.rules.labels import SUIT_SYMBOLS, Letters, card_label, rank_label

Number = float | int
WIDTH, HEIGHT = 96.0, 72.0
FELT, EDGE, ROOM = "#2f6b4f", "#1f4a37", "#16332a"
INK, GOLD, PALE, PAPER = "#1d1d1f", "#f2c14e", "#e8efe9", "#fdfcf7"
_RED, _TRUMP_INK, _EXCUSE_INK = "#c1272d", "#1f3f8f", "#6a2c91"
_TRUMP_PAPER, _BACK = "#fff3d6", "#8c2f39"
_SUIT_INK = (INK, _RED, _RED, INK)


class Size(NamedTuple):
    """Width and height of a card, and of what is written in its corner."""

    width: float
    height: float
    font: float
    corner: float
    """From the upper left corner to the middle of the rank, in both directions."""


BIG, MEDIUM, SMALL = Size(7.2, 10.8, 14, 1.75), Size(5.4, 8.1, 12, 1.45), Size(3.3, 4.8, 8.5, 1.45)


@lru_cache(maxsize=4096)
def width_of(text: str, size: Number, weight: str = "normal") -> float:
    """How wide a line of text comes out; 1 at least."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    font = FontProperties(weight=weight)
    points = TextPath((0, 0), text, size=size, prop=font).get_extents().width if text else 0.0
    return max(1.0, float(points) * 100 / 72 / 10)


class Canvas:
    """An empty picture to draw on; later strokes lie above earlier ones."""

    def __init__(self, letters: Letters) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figure = Figure(figsize=(WIDTH / 10, HEIGHT / 10), dpi=100, facecolor=ROOM)
        self._canvas: Any = FigureCanvasAgg(figure)
        self._axes = figure.add_axes((0, 0, 1, 1))
        self._axes.set(xlim=(0, WIDTH), ylim=(0, HEIGHT))
        self._axes.axis("off")
        self._letters = letters
        self._layer = 1.0

    def pixels(self) -> UInt8[np.ndarray, "h w 3"]:
        """What has been drawn."""
        self._canvas.draw()
        return np.array(self._canvas.buffer_rgba())[:, :, :3]

    def box(
        self,
        x: Number,
        y: Number,
        width: Number,
        height: Number,
        *,
        fill: str,
        edge: str,
        radius: Number = 0.6,
        line: Number = 0.8,
    ) -> None:
        """A box with round corners."""
        from matplotlib.patches import FancyBboxPatch

        style = f"round,pad=0,rounding_size={radius}"
        patch = FancyBboxPatch(
            (x, y), width, height, boxstyle=style, facecolor=fill, edgecolor=edge, linewidth=line
        )
        patch.set_zorder(self._next_layer())
        self._axes.add_patch(patch)

    def text(self, x: Number, y: Number, text: str, size: Number, **style: Any) -> None:
        """A line of text, centred on (x, y) unless `style` says otherwise."""
        style = {"ha": "center", "va": "center", "color": PALE} | style
        self._axes.text(x, y, text, fontsize=size, zorder=self._next_layer(), **style)

    def fitted(
        self, x: Number, y: Number, text: str, size: Number, width: Number, **style: Any
    ) -> None:
        """A line of text that is made smaller where it would be wider than `width`."""
        found = width_of(text, size, style.get("fontweight", "normal"))
        self.text(x, y, text, min(size, size * width / found), **style)

    def card(
        self,
        card: int,
        x: Number,
        y: Number,
        size: Size,
        *,
        dim: bool = False,
        covered: bool = False,
        blank: bool = False,
        visible: Number = 99,
    ) -> None:
        """A card face with its lower left corner at (x, y); its right part may be covered.

        Of a small one the left `visible` units hold what is written on it.
        """
        scale = size.width / BIG.width
        ink = self._ink(card)
        paper = PAPER if KIND[card] < TRUMP else _TRUMP_PAPER
        radius = 0.8 * scale + 0.1
        self.box(x, y, size.width, size.height, fill=paper, edge="#8a8a80", radius=radius)
        if blank:
            return
        symbol = SUIT_SYMBOLS[KIND[card]] if KIND[card] < TRUMP else "★"
        rank = rank_label(card, self._letters) or "Ex"
        if size == SMALL:
            middle = x + min(size.width, visible) / 2
            self.text(middle, y + size.height * 0.70, rank, size.font, color=ink, fontweight="bold")
            self.text(middle, y + size.height * 0.27, symbol, size.font, color=ink)
        else:
            left, top = x + size.corner, y + size.height
            self.text(left, top - 0.15 * size.height, rank, size.font, color=ink, fontweight="bold")
            self.text(left, top - 0.37 * size.height, symbol, size.font - 1, color=ink)
            if not covered:
                is_trump = KIND[card] == TRUMP
                style = {"color": ink, "fontweight": "bold" if is_trump else "normal"}
                middle = x + size.width * 0.56
                center = rank if is_trump else symbol
                self.text(middle, y + size.height * 0.34, center, 2 * size.font, **style)
        if dim:
            self.box(
                x, y, size.width, size.height, fill="#1f4a3755", edge="#8a8a8000", radius=radius
            )

    def edge_of(self, card: int, x: Number, y: Number, size: Size) -> None:
        """A card of which another will leave only the upper edge free."""
        self.card(card, x, y, size, blank=True)
        label = card_label(card, self._letters)
        top = y + size.height - 0.95
        style = {"color": self._ink(card), "fontweight": "bold"}
        self.fitted(x + size.width / 2, top, label, 8.5, size.width - 0.6, **style)

    @staticmethod
    def _ink(card: int) -> str:
        if card == EXCUSE:
            return _EXCUSE_INK
        return _TRUMP_INK if KIND[card] == TRUMP else _SUIT_INK[KIND[card]]

    def back(self, x: Number, y: Number, size: Size) -> None:
        """A card face down, with its lower left corner at (x, y)."""
        self.box(x, y, size.width, size.height, fill=_BACK, edge="#f4e9d8", radius=0.5)
        inset = 0.14 * size.width
        self.box(
            x + inset,
            y + inset,
            size.width - 2 * inset,
            size.height - 2 * inset,
            fill="#a8434d",
            edge="#d9a5a0",
            radius=0.3,
            line=0.6,
        )

    def row(
        self,
        cards: Sequence[int],
        x: Number,
        y: Number,
        step: Number,
        *,
        legal: Collection[int] = (),
    ) -> None:
        """Small faces side by side, centred on x; of `legal` ones, if any, the others are dim."""
        width = step * (len(cards) - 1) + SMALL.width
        left = min(max(x, 2.2 + width / 2), WIDTH - 2.2 - width / 2) - width / 2
        for number, card in enumerate(cards):
            last = number == len(cards) - 1
            self.card(
                card,
                left + number * step,
                y + (0.5 if card in legal else 0),
                SMALL,
                dim=bool(legal) and card not in legal,
                visible=SMALL.width if last else step,
            )

    def dot(self, x: Number, y: Number) -> None:
        """A small gold mark."""
        self.box(x - 0.45, y - 0.45, 0.9, 0.9, fill=GOLD, edge=INK, radius=0.45, line=0.5)

    def _next_layer(self) -> float:
        self._layer += 0.01
        return self._layer
