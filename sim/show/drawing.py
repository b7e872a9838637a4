"""What pictures of positions share: a pen that draws in the picture's own units, hexes, and the signs of the seats.

All sizes, those of text too, are in units (hex radii, card widths), so that nothing collides at another figure size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sim.core.notation import LETTERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Point = tuple[float, float]

#: Colours of the seats; apart in hue for colour-blind readers, and in brightness.
SEAT_COLOURS = ("#0a5c9e", "#e07b39", "#d9a3c7", "#f4e04d")
SEAT_INK = ("white", "black", "black", "black")
_SEAT_CORNERS = (0, 4, 6, 3)  # circle, square, hexagon, triangle
_SEAT_SIZE = (1.0, 1.26, 1.12, 1.5)  # radius of a shape that looks as large as the circle
INK = "#222222"


class Pen:
    """Draws on an axes, whose contents and limits are replaced.

    Parameters
    ----------
    ax
        Axes of any size; the picture is fitted into it.
    left, bottom, right, top
        Edges of the picture in its units.
    """

    def __init__(self, ax: Axes, left: float, bottom: float, right: float, top: float) -> None:
        ax.clear()
        ax.set_axis_off()
        ax.set_aspect("equal")
        ax.set_xlim(left, right)
        ax.set_ylim(bottom, top)
        self.ax = ax
        figure = ax.get_figure()
        assert figure is not None
        box = ax.get_position(original=True)
        width, height = box.width * figure.bbox.width, box.height * figure.bbox.height
        self.points = 72 / figure.dpi * min(width / (right - left), height / (top - bottom))
        """Points of print in a unit."""

    # Artists are added as they are: the limits stand already, and to widen them for each takes half of the time.

    def text(
        self, x: float, y: float, text: str, size: float, within: float | None = None, **given: Any
    ) -> None:
        """Write a line, centred unless `ha` says otherwise; smaller where it would be wider than `within`."""
        options: dict[str, Any] = {"ha": "center", "va": "center", "color": INK, "zorder": 6} | given
        if within is not None:
            size = min(size, within / max(text_width(text, options.get("weight", "normal")), 1e-9))
        self.ax.text(x, y, text, fontsize=size * self.points, **options)

    def polygon(self, points: Sequence[Point], face: str, **options: Any) -> None:
        """Draw a filled polygon; ``lw`` is in units."""
        from matplotlib.patches import Polygon

        self.ax.add_artist(Polygon(points, closed=True, facecolor=face, **self._line(options)))

    def circle(self, x: float, y: float, radius: float, face: str, **options: Any) -> None:
        """Draw a filled circle; ``lw`` is in units."""
        from matplotlib.patches import Circle

        self.ax.add_artist(Circle((x, y), radius, facecolor=face, **self._line(options)))

    def box(self, x0: float, y0: float, x1: float, y1: float, face: str, **options: Any) -> None:
        """Draw a filled rectangle, without a line unless there is an ``edgecolor``."""
        options = {"edgecolor": "none", "zorder": 0} | options
        self.polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], face, **options)

    def card(self, x0: float, y0: float, x1: float, y1: float, face: str, **options: Any) -> None:
        """Draw a rectangle with round corners; ``lw`` is in units."""
        from matplotlib.patches import FancyBboxPatch

        style = "round,pad=0,rounding_size=0.1"
        patch = FancyBboxPatch(
            (x0, y0), x1 - x0, y1 - y0, boxstyle=style, facecolor=face, **self._line(options)
        )
        self.ax.add_artist(patch)

    def hexagon(self, x: float, y: float, radius: float, face: str, **options: Any) -> None:
        """Draw a hexagon that stands on a corner."""
        self.polygon(corners(x, y, radius, 6), face, **options)

    def line(self, xs: Sequence[float], ys: Sequence[float], width: float, colour: str = INK) -> None:
        """Draw a line through points."""
        from matplotlib.lines import Line2D

        style: dict[str, Any] = {
            "color": colour,
            "lw": width * self.points,
            "solid_capstyle": "round",
            "zorder": 3,
        }
        self.ax.add_artist(Line2D(xs, ys, **style))

    def seat(self, x: float, y: float, seat: int, radius: float, text: str = "", size: float = 1.0) -> None:
        """Draw the sign of a seat: its shape in its colour, with its letter or another text.

        Parameters
        ----------
        size
            Of the text, in radii.
        """
        n = _SEAT_CORNERS[seat]
        face = SEAT_COLOURS[seat]
        big = radius * _SEAT_SIZE[seat]
        if not n:
            self.circle(x, y, big, face, zorder=5)
        else:
            start = math.pi / 4 if n == 4 else math.pi / 2
            low = 0.2 * radius if n == 3 else 0.0
            self.polygon(corners(x, y - low, big, n, start), face, zorder=5)
        low = 0.28 * radius if n == 3 else 0.05 * radius
        self.text(x, y - low, text or LETTERS[seat], size * radius, color=SEAT_INK[seat], weight="bold")

    def _line(self, options: dict[str, Any]) -> dict[str, Any]:
        full: dict[str, Any] = {"edgecolor": INK, "lw": 0.03, "zorder": 2} | options
        return full | {"lw": full["lw"] * self.points}


def hex_centre(q: int, r: int) -> Point:
    """Return the centre of a hex of radius 1 that stands on a corner."""
    return (math.sqrt(3) * (q + r / 2), -1.5 * r)


def corners(x: float, y: float, radius: float, n: int, start: float = math.pi / 2) -> list[Point]:
    """Return the corners of a regular polygon, the first one in direction `start`."""
    turns = (start + 2 * math.pi * i / n for i in range(n))
    return [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in turns]


@lru_cache(maxsize=4096)
def text_width(text: str, weight: str = "normal") -> float:
    """Return how wide a line of text is, in font sizes."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    if not text.strip():
        return 0.0
    return float(TextPath((0, 0), text, size=1.0, prop=FontProperties(weight=weight)).get_extents().width)


def wrapped(words: Sequence[str], width: float, size: float, joint: str = " ") -> list[str]:
    """Return lines of `words` that are no wider than `width` at text size `size`; a word is never broken."""
    lines: list[list[str]] = []
    for word in words:
        if lines and text_width(joint.join([*lines[-1], word]) + joint) * size <= width:
            lines[-1].append(word)
        else:
            lines.append([word])
    texts = [joint.join(line) for line in lines]
    return [text + joint.rstrip() for text in texts[:-1]] + texts[-1:]
