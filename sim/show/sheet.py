"""A sheet for pictures: a figure that is cut to what is drawn on it, and used for one picture after another."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.show.drawing import wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DPI = 120
UNIT = 0.32
"""Inches that a unit of a picture (a hex radius, a card's width) has by default."""
WIDTH, HEIGHT = (8.0, 11.0), 14.0
"""Inches: least and largest width, largest height by default."""
_TALL = 200.0  # while drawing, so that only the width decides how large things are
_CAPTION, _LEADING, _MOST_LINES = 10.0, 14.0, 4  # points, points, lines

Paint = Callable[["Axes"], None]


class Sheet:
    """A figure without margins.

    Parameters
    ----------
    width
        Inches; None: as large as the picture can be read well.
    dpi
        Dots per inch, where it matters.
    """

    def __init__(self, width: float | None = None, dpi: int = DPI) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self._given = width is not None
        self.width = width or WIDTH[0]
        self.figure = Figure(figsize=(self.width, _TALL), dpi=dpi)
        FigureCanvasAgg(self.figure)
        self.axes = self.figure.add_axes((0, 0, 1, 1))

    def draw(self, paint: Paint, caption: Sequence[str] = ()) -> None:
        """Draw a picture in place of the one before, and write `caption` (words) below it.

        `paint` draws on an axes and sets its limits; what lies within them is the picture.
        """
        width, height = self._paint(paint)
        if not self._given:
            best = min(max(UNIT * width, WIDTH[0]), WIDTH[1], HEIGHT * width / height)
            if abs(best - self.width) > 1e-6:  # the next pictures of a game are mostly as wide
                self.width = best
                width, height = self._paint(paint)
        lines = wrapped(list(caption), (self.width * 72 - 16) / _CAPTION, 1.0)
        if len(lines) > _MOST_LINES:
            lines = [*lines[: _MOST_LINES - 1], lines[_MOST_LINES - 1] + " ..."]
        inches = self.width * height / width
        below = (len(lines) * _LEADING + 8) / 72 if lines else 0.0
        self.figure.set_size_inches(self.width, inches + below)
        self.axes.set_position((0, below / (inches + below), 1, inches / (inches + below)))
        for text in list(self.figure.texts):
            text.remove()
        for k, line in enumerate(lines):
            up = (below * 72 - 4 - _LEADING * (k + 0.5)) / (72 * (inches + below))
            self.figure.text(
                8 / (72 * self.width), up, line, fontsize=_CAPTION, va="center", parse_math=False
            )

    def _paint(self, paint: Paint) -> tuple[float, float]:
        """Paint at the sheet's width; return how many units the picture is wide and high."""
        self.figure.set_size_inches(self.width, _TALL)
        self.axes.set_position((0, 0, 1, 1))
        paint(self.axes)
        (x0, x1), (y0, y1) = self.axes.get_xlim(), self.axes.get_ylim()
        return x1 - x0, y1 - y0

    def png(self) -> bytes:
        """Return the picture as PNG."""
        buffer = io.BytesIO()
        self.figure.savefig(buffer, format="png", metadata={"Software": None})
        return buffer.getvalue()

    def write(self, path: Path) -> None:
        """Write the picture as PNG or SVG, by the end of its name; the same picture gives the same bytes."""
        if path.suffix.lower() != ".svg":
            path.write_bytes(self.png())
            return
        path.write_bytes(self.svg())

    def svg(self) -> bytes:
        """Return the picture as SVG."""
        from matplotlib import rc_context

        buffer = io.BytesIO()
        nothing: dict[str, Any] = {"Date": None, "Creator": None}
        with rc_context({"svg.hashsalt": "whimbrel", "svg.fonttype": "path"}):
            self.figure.savefig(buffer, format="svg", metadata=nothing)
        return buffer.getvalue()
