"""A picture of a position: the map, Towns and Wasteland, Spirits, scores and hands.

All sizes are in hex radii and text is scaled with them, so nothing collides at another figure size. Owners are
told apart by shape and letter, terrain by symbol, so that a copy without colours says the same.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sim.games.migration.board import TERRAIN

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Colours of the seats; apart in hue for colour-blind readers, and in brightness.
SEAT_COLOURS = ("#0a5c9e", "#e07b39", "#d9a3c7", "#f4e04d")
_SEAT_INK = ("white", "black", "black", "black")
_SEAT_CORNERS = (0, 4, 6, 3)  # of the shape of a Town: circle, square, hexagon, triangle
_SEATS = "ABCD"

_LAND = "#efe8d2"
_SEA = "#dfeaf0"
_WASTE = "#6f665e"
_INK = "#222222"
_FILL = {
    "Lake": "#9cc3dd",
    "Deep Woods": "#7d9f7a",
    "Mountain": "#c9c5c0",
    "Fertile": "#c5dca0",
    "Oasis": "#e9d9a0",
    "Desert": "#f2d492",
    "Forest": "#d5e2c3",
}
_CEASE = ("Lake", "Oasis", "Forest")  # of no effect once covered

_PANEL = 7.2
_HARD_SPACE = "\N{NO-BREAK SPACE}"
_SIDE = math.sqrt(3) / 2


def draw_position(ax: Axes, position: Mapping[str, Any]) -> None:
    """Draw a position on `ax`, whose contents and limits are replaced.

    Parameters
    ----------
    ax
        Axes of any size; about 9 x 6 inches show a whole position well.
    position
        ``regions``: list of dicts with `q`, `r`, `terrain` (list), `forest` (a symbol that counts: not one lost
        under a modifier), `sea`, `top` (None, "Wasteland" or a dict with `piece` and `seat`), `face_down`
        (Explorers lying face down there); ``spirits``: hex ``(q, r)``
        or None per seat; ``scores``: per seat; ``hands``: per seat a list of (piece, count), or None if hidden;
        ``to_move``: seat, or None when the game is over; ``turn``: turns taken; ``title``.
    """
    regions = position["regions"]
    centres = {(x["q"], x["r"]): _centre(x["q"], x["r"]) for x in regions}
    left = min(x for x, _ in centres.values()) - _SIDE - 0.3
    right = max(x for x, _ in centres.values()) + _SIDE + 0.3
    top = max(y for _, y in centres.values()) + 1.3
    bottom = min(y for _, y in centres.values()) - 1.3

    blocks = [_hand_lines(hand) for hand in position["hands"]]
    panel_height = sum(0.95 + 0.5 * len(lines) + 0.45 for lines in blocks)
    middle = (top + bottom) / 2
    if panel_height > top - bottom:
        top, bottom = middle + panel_height / 2, middle - panel_height / 2
    entries = _legend_entries(regions)
    columns = max(1, int((right + _PANEL - left) // 3.6))
    legend_height = 1.0 * math.ceil(len(entries) / columns) + 0.35
    title_height = 1.0

    ax.clear()
    ax.set_axis_off()
    ax.set_aspect("equal")
    ax.set_xlim(left, right + _PANEL)
    ax.set_ylim(bottom - legend_height, top + title_height)
    pen = _Pen(ax)
    pen.box(left, bottom, right, top, _SEA)

    for region in regions:
        _region(pen, centres[region["q"], region["r"]], region)
    for seat, spirit in enumerate(position["spirits"]):
        if spirit is not None:
            at = next(x for x in regions if (x["q"], x["r"]) == tuple(spirit))
            _spirit(pen, centres[tuple(spirit)], seat, on_town=isinstance(at["top"], Mapping))
    _panel(pen, right + 0.5, middle + panel_height / 2, position, blocks)
    _legend(pen, left, bottom - 0.65, columns, entries)
    pen.text(left, top + 0.42, str(position.get("title", "")), 0.42, ha="left", weight="bold")
    turn = (
        f"turn {position['turn']}"
        if position["to_move"] is not None
        else f"over after {position['turn']} turns"
    )
    pen.text(right + _PANEL - 0.1, top + 0.42, turn, 0.34, ha="right")


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

        options = {"edgecolor": _INK, "lw": 0.03 * self.points, "zorder": 2} | options
        self.ax.add_patch(Polygon(points, closed=True, facecolor=face, **options))

    def circle(self, x: float, y: float, radius: float, face: str, **options: Any) -> None:
        from matplotlib.patches import Circle

        options = {"edgecolor": _INK, "lw": 0.03 * self.points, "zorder": 2} | options
        self.ax.add_patch(Circle((x, y), radius, facecolor=face, **options))

    def box(self, x0: float, y0: float, x1: float, y1: float, face: str) -> None:
        self.polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], face, edgecolor="none", zorder=0)

    def line(self, xs: Sequence[float], ys: Sequence[float], colour: str, width: float) -> None:
        self.ax.plot(xs, ys, color=colour, lw=width * self.points, solid_capstyle="round", zorder=3)


def _centre(q: int, r: int) -> tuple[float, float]:
    return (math.sqrt(3) * (q + r / 2), -1.5 * r)


def _corners(
    x: float, y: float, radius: float, n: int, start: float = math.pi / 2
) -> list[tuple[float, float]]:
    turns = (start + 2 * math.pi * i / n for i in range(n))
    return [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in turns]


def _region(pen: _Pen, centre: tuple[float, float], region: Mapping[str, Any]) -> None:
    x, y = centre
    top = region["top"]
    names = [name for name in TERRAIN if name in region["terrain"]] + ["Forest"] * bool(region["forest"])
    fill = next((colour for name, colour in _FILL.items() if name in names), _LAND)
    wasteland = top == "Wasteland"
    edge = {"ls": (0, (2, 1.5))} if region["sea"] else {}
    pen.polygon(_corners(x, y, 0.96, 6), _WASTE if wasteland else fill, **edge)
    if wasteland:
        pen.polygon(_corners(x, y, 0.96, 6), "none", hatch="xx", edgecolor="#4d463f", lw=0.0, zorder=2.1)
        pen.polygon(_corners(x, y, 0.96, 6), "none", zorder=2.2)
    shown = [name for name in names if top is None or name not in _CEASE]
    for i, name in enumerate(shown):
        across, up = x + 0.56 * (i - (len(shown) - 1) / 2), y + (0.05 if top is None else 0.62)
        if wasteland:
            up = y + 0.42
            pen.polygon(_corners(across, up, 0.36, 6), _FILL[name], zorder=2.3)
        _symbol(pen, name, across, up)
    if isinstance(top, Mapping):
        _town(pen, x, y + 0.06, top["seat"])
        pen.text(x, y - 0.53, top["piece"], 0.2 if len(top["piece"]) > 7 else 0.26, weight="bold")
        if region["face_down"]:
            _chip(pen, x - 0.58, y + 0.3, region["face_down"])
    elif wasteland and region["face_down"] > 1:
        _chip(pen, x, y - 0.3, region["face_down"])


def _town(pen: _Pen, x: float, y: float, seat: int, size: float = 1.0) -> None:
    corners = _SEAT_CORNERS[seat]
    face = SEAT_COLOURS[seat]
    if not corners:
        pen.circle(x, y, 0.36 * size, face, zorder=4)
    else:
        radius = {3: 0.52, 4: 0.46, 6: 0.40}[corners] * size
        start = math.pi / 4 if corners == 4 else math.pi / 2
        pen.polygon(_corners(x, y - (0.07 if corners == 3 else 0), radius, corners, start), face, zorder=4)
    drop = 0.1 * size if corners == 3 else 0.02
    pen.text(x, y - drop, _SEATS[seat], 0.36 * size, color=_SEAT_INK[seat], weight="bold")


def _spirit(pen: _Pen, centre: tuple[float, float], seat: int, on_town: bool) -> None:
    """A star: at the shoulder of its Town, or on open water with the letter of its owner."""
    x, y = centre
    if not on_town:
        _town(pen, x - 0.15, y - 0.5, seat, 0.7)
        x, y = x - 0.2, y - 0.78
    _star(pen, x + 0.54, y + 0.36, 0.28)


def _star(pen: _Pen, x: float, y: float, radius: float) -> None:
    tips, notches = _corners(x, y, radius, 5), _corners(x, y, 0.42 * radius, 5, math.pi / 2 + math.pi / 5)
    outline = [point for pair in zip(tips, notches, strict=True) for point in pair]
    pen.polygon(outline, "white", lw=0.045 * pen.points, zorder=5)


def _chip(pen: _Pen, x: float, y: float, count: int) -> None:
    """How many Explorers lie face down."""
    pen.circle(x, y, 0.2, "#3d3731", edgecolor="white", zorder=4.5)
    pen.text(x, y - 0.01, str(count), 0.24, color="white", weight="bold")


def _symbol(pen: _Pen, name: str, x: float, y: float) -> None:
    """The sign of a terrain, about half a hex radius wide."""
    if name == "Forest":
        _tree(pen, x, y, 0.24, "#ffffff")
    elif name == "Deep Woods":
        for dx in (-0.18, 0.18, 0.0):
            _tree(pen, x + dx, y - (0.05 if dx == 0 else 0), 0.22, "#1f4d2b")
    elif name == "Mountain":
        for dx, height in ((-0.14, 0.3), (0.12, 0.42)):
            peak = [(x + dx - 0.22, y - 0.18), (x + dx, y - 0.18 + height), (x + dx + 0.22, y - 0.18)]
            pen.polygon(peak, "#77706a", zorder=3)
    elif name == "Lake":
        for dy in (-0.12, 0.0, 0.12):
            xs = [x - 0.3 + 0.6 * i / 24 for i in range(25)]
            pen.line(
                xs, [y + dy + 0.04 * math.sin(4 * math.pi * i / 24) for i in range(25)], "#1d5c8a", 0.045
            )
    elif name == "Desert":
        for dx, dy in ((-0.2, 0.08), (0.0, 0.14), (0.2, 0.08), (-0.1, -0.04), (0.1, -0.04)):
            pen.circle(x + dx, y + dy, 0.045, "#8a5a10", edgecolor="none", zorder=3)
    elif name == "Oasis":
        pen.circle(x, y, 0.19, "#3f7f4a", zorder=3)
        pen.circle(x, y, 0.1, "#9cc3dd", zorder=3.1)
    elif name == "Fertile":
        for dx in (-0.18, 0.0, 0.18):
            ear = (x + dx - 0.07, x + dx, x + dx + 0.07)
            pen.line(ear[1:2] * 2, (y - 0.16, y + 0.14), "#3c6412", 0.04)
            for up in (y - 0.02, y + 0.1):
                pen.line(ear, (up + 0.07, up, up + 0.07), "#3c6412", 0.04)


def _tree(pen: _Pen, x: float, y: float, height: float, face: str) -> None:
    pen.line([x, x], [y - height, y], _INK, 0.05)
    pen.polygon([(x - 0.16, y - 0.12), (x, y + height), (x + 0.16, y - 0.12)], face, zorder=3.1)


def _panel(
    pen: _Pen, x: float, y: float, position: Mapping[str, Any], blocks: Sequence[Sequence[str]]
) -> None:
    """Scores and hands beside the map."""
    for seat, lines in enumerate(blocks):
        y -= 0.45
        if position["to_move"] == seat:
            pen.polygon([(x - 0.32, y + 0.2), (x - 0.08, y), (x - 0.32, y - 0.2)], _INK, zorder=4)
        _town(pen, x + 0.35, y, seat, 0.8)
        points = position["scores"][seat]
        pen.text(
            x + 0.9, y, f"{points:g} {'point' if points == 1 else 'points'}", 0.4, ha="left", weight="bold"
        )
        note = "Spirit on the board" if position["spirits"][seat] is not None else "no Spirit"
        pen.text(x + _PANEL - 0.7, y, note, 0.28, ha="right")
        y -= 0.5
        for line in lines:
            pen.text(x + 0.05, y, line, 0.29, ha="left")
            y -= 0.5
        y -= 0.45


def _hand_lines(hand: Sequence[tuple[str, int]] | None) -> list[str]:
    if hand is None:
        return ["hand hidden"]
    words = ", ".join(f"{count} {piece}".replace(" ", _HARD_SPACE) for piece, count in hand if count)
    return textwrap.wrap(words, 42) or ["hand empty"]


def _legend_entries(regions: Sequence[Mapping[str, Any]]) -> list[str]:
    names = [name for name in TERRAIN if any(name in x["terrain"] for x in regions)]
    names += ["Forest"] * any(x["forest"] for x in regions)
    names += ["sea Desert"] * any(x["sea"] for x in regions)
    return [*names, "Wasteland", "pieces below", "Spirit"]


def _legend(pen: _Pen, x: float, y: float, columns: int, entries: Sequence[str]) -> None:
    for i, name in enumerate(entries):
        cx, cy = x + 0.5 + 3.6 * (i % columns), y - 1.0 * (i // columns)
        if name == "Spirit":
            _star(pen, cx, cy, 0.27)
        elif name == "pieces below":
            _chip(pen, cx, cy, 2)
        elif name == "Wasteland":
            pen.polygon(_corners(cx, cy, 0.44, 6), _WASTE, hatch="xx", zorder=2)
        elif name == "sea Desert":
            pen.polygon(_corners(cx, cy, 0.44, 6), _FILL["Desert"], ls=(0, (2, 1.5)))
        else:
            pen.polygon(_corners(cx, cy, 0.44, 6), _FILL[name])
            _symbol(pen, name, cx, cy)
        pen.text(cx + 0.58, cy, name, 0.3, ha="left")
