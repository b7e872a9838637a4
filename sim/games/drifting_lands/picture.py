"""A picture of a position: ocean, tiles, mountains, pawns with their levels, scores and cards.

Sizes are in hex radii and text is scaled with them, so nothing collides at another figure size. Seats are told apart
by shape and letter, landscapes by brightness and symbol, so that a copy without colours says the same.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sim.core.contract import OVER
from sim.games.drifting_lands.notation import SEATS, pending_text, seat_parts
from sim.games.drifting_lands.rules import state as records
from sim.games.drifting_lands.rules.params import LEVELS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Colours of the seats; apart in hue for colour-blind readers, and in brightness.
SEAT_COLOURS = ("#0a5c9e", "#e07b39", "#d9a3c7", "#f4e04d")
_SEAT_INK = ("white", "black", "black", "black")
_SEAT_CORNERS = (0, 4, 6, 3)  # of the shape of a pawn: circle, square, hexagon, triangle

_OCEAN, _PLAIN, _MOUNTAIN = "#eaf2f6", "#d9cfae", "#8f8577"
_INK, _FAINT = "#222222", "#8a979e"
_PANEL = 13.5
_PER_LINE = 54
_LINE = 0.62


def draw_position(ax: Axes, rules: Any, state: Any, scores: Sequence[float], title: str = "") -> None:
    """Draw a position on `ax`, whose contents and limits are replaced.

    Parameters
    ----------
    ax
        Axes of any size; about 11 x 6 inches show a whole position well.
    rules, state
        Records of a game.
    scores
        Points of every seat.
    title
        What stands above; the question that the picture answers.
    """
    centres = [
        _centre(int(rules["q"][space]), int(rules["r"][space])) for space in range(int(rules["n_spaces"]))
    ]
    left, right = min(x for x, _ in centres) - 1.1, max(x for x, _ in centres) + 1.1
    bottom, top = min(y for _, y in centres) - 1.3, max(y for _, y in centres) + 1.3
    blocks = [_seat_lines(rules, state, seat, scores[seat]) for seat in range(int(state["players"]))]
    height = sum(1.2 + _LINE * len(lines) for lines in blocks) + 2.4
    middle = (top + bottom) / 2
    top, bottom = max(top, middle + height / 2), min(bottom, middle - height / 2)
    ax.clear()
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.set_xlim(left, right + _PANEL)
    ax.set_ylim(bottom, top + 1.2)
    pen = _Pen(ax)
    for space, centre in enumerate(centres):
        _space(pen, centre, rules, state, space)
    for space, centre in enumerate(centres):
        _coast(pen, centre, rules, state, space)
        if state["pawn"][space]:
            _pawn(pen, centre, int(state["pawn"][space]) - 1)
    _panel(pen, right + 0.4, top - 0.4, state, blocks)
    _legend(pen, right + 0.4, bottom + 1.5)
    pen.text(left, top + 0.6, title, 0.62, ha="left", weight="bold")
    pen.text(right + _PANEL - 0.2, top + 0.6, _moment(rules, state), 0.5, ha="right")


class _Pen:
    """Draws on an axes in hex radii; text sizes too."""

    def __init__(self, ax: Axes) -> None:
        self.ax = ax
        figure = ax.get_figure()
        assert figure is not None
        box = ax.get_position(original=True)
        width, height = box.width * figure.bbox.width, box.height * figure.bbox.height
        (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
        self.points = 72 / figure.dpi * min(width / (x1 - x0), height / (y1 - y0))

    def text(self, x: float, y: float, text: str, size: float, **given: Any) -> None:
        options: dict[str, Any] = {"ha": "center", "va": "center", "color": _INK, "zorder": 6} | given
        self.ax.text(x, y, text, fontsize=size * self.points, **options)

    def polygon(self, points: Sequence[tuple[float, float]], face: str, **options: Any) -> None:
        from matplotlib.patches import Polygon

        options = {"edgecolor": _FAINT, "lw": 0.02 * self.points, "zorder": 1} | options
        self.ax.add_patch(Polygon(points, closed=True, facecolor=face, **options))

    def circle(self, x: float, y: float, radius: float, face: str, **options: Any) -> None:
        from matplotlib.patches import Circle

        options = {"edgecolor": _INK, "lw": 0.04 * self.points, "zorder": 5} | options
        self.ax.add_patch(Circle((x, y), radius, facecolor=face, **options))

    def line(self, a: tuple[float, float], b: tuple[float, float], width: float) -> None:
        self.ax.plot(
            [a[0], b[0]], [a[1], b[1]], color=_INK, lw=width * self.points, solid_capstyle="round", zorder=3
        )


def _centre(q: int, r: int) -> tuple[float, float]:
    return (math.sqrt(3) * (q + r / 2), -1.5 * r)


def _corners(x: float, y: float, radius: float, n: int, start: float) -> list[tuple[float, float]]:
    turns = (start + 2 * math.pi * i / n for i in range(n))
    return [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in turns]


def _space(pen: _Pen, centre: tuple[float, float], rules: Any, state: Any, space: int) -> None:
    """Draw a space: its landscape, and in the corner below what its tile or space is worth."""
    x, y = centre
    landscape = int(state["land"][space])
    pen.polygon(_corners(x, y, 1.0, 6, math.pi / 2), (_OCEAN, _PLAIN, _MOUNTAIN)[landscape])
    printed = rules["tile_value"] == records.PRINTED
    worth = int(state["worth"][space]) if printed else int(rules["value"][space])
    if landscape == records.MOUNTAIN:
        worth *= int(rules["mountain_factor"])
        _peak(pen, x, y + 0.72)
    if landscape != records.OCEAN or not printed:
        pen.text(x, y - 0.66, str(worth), 0.36, color=_INK if landscape else _FAINT)


def _peak(pen: _Pen, x: float, y: float) -> None:
    points = [(x - 0.3, y - 0.2), (x, y + 0.2), (x + 0.3, y - 0.2)]
    pen.polygon(points, "#ffffff", edgecolor=_INK, zorder=4)


def _coast(
    pen: _Pen,
    centre: tuple[float, float],
    rules: Any,
    state: Any,
    space: int,
) -> None:
    """Draw a thick line where a continent ends."""
    if state["land"][space] == records.OCEAN:
        return
    x, y = centre
    for d in range(6):  # side d lies between the corners at 30 degrees either way of direction d
        other = int(rules["near"][space][d])
        if other < 0 or state["label"][other] != state["label"][space]:
            angle = d * math.pi / 3
            a, b = (
                (x + math.cos(angle + s * math.pi / 6), y + math.sin(angle + s * math.pi / 6))
                for s in (-1, 1)
            )
            pen.line(a, b, 0.1)


def _pawn(pen: _Pen, centre: tuple[float, float], pawn: int) -> None:
    """Draw a pawn: the shape of its seat, its level in it, and the seat's letter."""
    seat, level = divmod(pawn, LEVELS)
    x, y = centre
    _shape(pen, x, y, seat, 0.5)
    ink = _SEAT_INK[seat]
    pen.text(x, y - (0.08 if seat == 3 else 0.0), f"{SEATS[seat]}{level + 1}", 0.42, color=ink, weight="bold")


def _shape(pen: _Pen, x: float, y: float, seat: int, radius: float) -> None:
    face, n = SEAT_COLOURS[seat], _SEAT_CORNERS[seat]
    if n == 0:
        pen.circle(x, y, radius, face)
        return
    size = radius * {4: 1.25, 6: 1.12, 3: 1.6}[n]
    start = math.pi / 4 if n == 4 else math.pi / 2
    pen.polygon(_corners(x, y, size, n, start), face, edgecolor=_INK, lw=0.04 * pen.points, zorder=5)


def _moment(rules: Any, state: Any) -> str:
    turn = f"round {int(state['round_no']) + 1}, turn {int(state['turn'])}"
    if int(state["phase"]) == OVER:
        return f"over after {int(state['turn'])} turns"
    waits = pending_text(rules, state)
    text = f"{turn}, {SEATS[int(state['seat'])]}: {records.PHASES[int(state['phase'])]}"
    return text + (f" ({waits})" if waits != "-" else "")


def _seat_lines(rules: Any, state: Any, seat: int, score: float) -> list[str]:
    """Return the lines about a seat: points, supply, cards in hand, deck and discard."""
    parts = seat_parts(rules, state, seat)
    lines = [f"{score:g} points; supply {parts['supply']} (levels 1 to 4)"]
    for key in ("hand", "deck", "discard"):
        lines += textwrap.wrap(f"{key}: {parts[key]}", _PER_LINE, subsequent_indent="   ")
    return lines


def _panel(pen: _Pen, x: float, y: float, state: Any, blocks: Sequence[Sequence[str]]) -> None:
    for seat, lines in enumerate(blocks):
        _shape(pen, x + 0.4, y - 0.1, seat, 0.34)
        marks = " (starter marker)" if seat == int(state["first"]) else ""
        pen.text(x + 1.1, y - 0.1, f"{SEATS[seat]}{marks}", 0.5, ha="left", weight="bold")
        for k, line in enumerate(lines):
            pen.text(x + 1.1, y - 0.8 - _LINE * k, line, 0.42, ha="left")
        y -= 1.2 + _LINE * len(lines)


def _legend(pen: _Pen, x: float, y: float) -> None:
    for k, (face, name) in enumerate(((_OCEAN, "ocean"), (_PLAIN, "plain"), (_MOUNTAIN, "mountain"))):
        at = x + 0.4 + 3.0 * k
        pen.polygon(_corners(at, y, 0.4, 6, math.pi / 2), face, edgecolor=_INK)
        if name == "mountain":
            _peak(pen, at, y + 0.05)
        pen.text(at + 0.6, y, name, 0.4, ha="left")
    pen.text(x, y - 0.8, "small number: points of the space or tile", 0.4, ha="left")
