"""A picture of a position: the map, Towns and Wasteland, Spirits, scores and hands.

All sizes are in hex radii. Owners are told apart by shape and letter, terrain by symbol, so that a copy without colours
says the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sim.games.migration.board import TERRAIN
from sim.show.drawing import INK, Pen, Point, corners, hex_centre, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LAND = "#efe8d2"
_SEA = "#dfeaf0"
_WASTE = "#6f665e"
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

_SEA_EDGE = 0.3
_ROW, _ENTRY = 1.0, 3.6  # of the legend
_PANEL = 7.2
_HAND = 6.5  # width of a line of a hand
_HARD_SPACE = "\N{NO-BREAK SPACE}"
_SIDE = math.sqrt(3) / 2


def draw_position(
    ax: Axes, position: Mapping[str, Any], coordinates: bool = False, panel: bool = True
) -> None:
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
    coordinates
        Whether each Region bears its coordinates.
    panel
        Whether scores, hands and legend are drawn too.
    """
    regions = position["regions"]
    centres = {(x["q"], x["r"]): hex_centre(x["q"], x["r"]) for x in regions}
    left = min(x for x, _ in centres.values()) - _SIDE - _SEA_EDGE
    right = max(x for x, _ in centres.values()) + _SIDE + _SEA_EDGE
    top = max(y for _, y in centres.values()) + 1 + _SEA_EDGE
    bottom = min(y for _, y in centres.values()) - 1 - _SEA_EDGE

    blocks = [_hand_lines(hand) for hand in position["hands"]] if panel else []
    below = min(bottom, top - sum(map(_block_height, blocks)))
    entries = _legend_entries(regions) if panel else []
    columns = max(1, int((right + _PANEL - left) // _ENTRY))
    rows = math.ceil(len(entries) / columns)
    title = str(position.get("title", ""))
    head = 1.0 if panel or title else 0.0
    edge = right + _PANEL if panel else right
    pen = Pen(ax, left, below - (_ROW * rows + 0.35 if rows else 0.0), edge, top + head)
    pen.box(left, bottom, right, top, _SEA)

    for region in regions:
        centre = centres[region["q"], region["r"]]
        _region(pen, centre, region)
        if coordinates:
            _coordinates(pen, centre, region)
    for seat, spirit in enumerate(position["spirits"]):
        if spirit is not None:
            at = next(x for x in regions if (x["q"], x["r"]) == tuple(spirit))
            _spirit(pen, centres[tuple(spirit)], seat, on_town=isinstance(at["top"], Mapping))
    pen.text(left + 0.1, top + 0.42, title, 0.42, ha="left", weight="bold", within=edge - left - 3.6 * panel)
    if not panel:
        return
    _panel(pen, right + 0.5, top, position, blocks)
    _legend(pen, left, below - 0.65, columns, entries)
    over = position["to_move"] is None
    turn = f"over after {position['turn']} turns" if over else f"turn {position['turn'] + 1}"
    pen.text(edge - 0.1, top + 0.42, turn, 0.34, ha="right")


def _coordinates(pen: Pen, centre: Point, region: Mapping[str, Any]) -> None:
    """Write the coordinates into the lower corner."""
    ink = "white" if region["top"] == "Wasteland" else INK
    pen.text(centre[0], centre[1] - 0.76, f"{region['q']},{region['r']}", 0.19, within=0.5, color=ink)


def _region(pen: Pen, centre: tuple[float, float], region: Mapping[str, Any]) -> None:
    x, y = centre
    top = region["top"]
    names = [name for name in TERRAIN if name in region["terrain"]] + ["Forest"] * bool(region["forest"])
    fill = next((colour for name, colour in _FILL.items() if name in names), _LAND)
    wasteland = top == "Wasteland"
    edge = {"ls": (0, (2, 1.5))} if region["sea"] else {}
    pen.hexagon(x, y, 0.96, _WASTE if wasteland else fill, **edge)
    if wasteland:
        pen.hexagon(x, y, 0.96, "none", hatch="xx", edgecolor="#4d463f", lw=0.0, zorder=2.1)
        pen.hexagon(x, y, 0.96, "none", zorder=2.2)
    shown = [name for name in names if top is None or name not in _CEASE]
    for i, name in enumerate(shown):
        across, up = x + 0.56 * (i - (len(shown) - 1) / 2), y + (0.05 if top is None else 0.62)
        if wasteland:
            up = y + 0.42
            pen.hexagon(across, up, 0.36, _FILL[name], zorder=2.3)
        _symbol(pen, name, across, up)
    if isinstance(top, Mapping):
        pen.seat(x, y + 0.06, top["seat"], 0.36)
        pen.text(x, y - 0.48, top["piece"], 0.26, weight="bold", within=1.2)
        if region["face_down"]:
            _chip(pen, x - 0.58, y + 0.3, region["face_down"])
    elif wasteland and region["face_down"] > 1:
        _chip(pen, x, y - 0.3, region["face_down"])


def _spirit(pen: Pen, centre: tuple[float, float], seat: int, on_town: bool) -> None:
    """A star: at the shoulder of its Town, or on open water with the letter of its owner."""
    x, y = centre
    if not on_town:
        pen.seat(x - 0.2, y - 0.36, seat, 0.25)
        x, y = x - 0.2, y - 0.72
    _star(pen, x + 0.54, y + 0.36, 0.28)


def _star(pen: Pen, x: float, y: float, radius: float) -> None:
    tips, notches = corners(x, y, radius, 5), corners(x, y, 0.42 * radius, 5, math.pi / 2 + math.pi / 5)
    outline = [point for pair in zip(tips, notches, strict=True) for point in pair]
    pen.polygon(outline, "white", lw=0.045, zorder=5.5)


def _chip(pen: Pen, x: float, y: float, count: int) -> None:
    """How many Explorers lie face down."""
    pen.circle(x, y, 0.2, "#3d3731", edgecolor="white", zorder=4.5)
    pen.text(x, y - 0.01, str(count), 0.24, color="white", weight="bold")


def _symbol(pen: Pen, name: str, x: float, y: float) -> None:
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
            ys = [y + dy + 0.04 * math.sin(4 * math.pi * i / 24) for i in range(25)]
            pen.line(xs, ys, 0.045, "#1d5c8a")
    elif name == "Desert":
        for dx, dy in ((-0.2, 0.08), (0.0, 0.14), (0.2, 0.08), (-0.1, -0.04), (0.1, -0.04)):
            pen.circle(x + dx, y + dy, 0.045, "#8a5a10", edgecolor="none", zorder=3)
    elif name == "Oasis":
        pen.circle(x, y, 0.19, "#3f7f4a", zorder=3)
        pen.circle(x, y, 0.1, "#9cc3dd", zorder=3.1)
    elif name == "Fertile":
        for dx in (-0.18, 0.0, 0.18):
            ear = (x + dx - 0.07, x + dx, x + dx + 0.07)
            pen.line(ear[1:2] * 2, (y - 0.16, y + 0.14), 0.04, "#3c6412")
            for up in (y - 0.02, y + 0.1):
                pen.line(ear, (up + 0.07, up, up + 0.07), 0.04, "#3c6412")


def _tree(pen: Pen, x: float, y: float, height: float, face: str) -> None:
    pen.line([x, x], [y - height, y], 0.05)
    pen.polygon([(x - 0.16, y - 0.12), (x, y + height), (x + 0.16, y - 0.12)], face, zorder=3.1)


def _panel(
    pen: Pen, x: float, y: float, position: Mapping[str, Any], blocks: Sequence[Sequence[str]]
) -> None:
    """Scores and hands beside the map, from `y` downwards."""
    for seat, lines in enumerate(blocks):
        middle = y - 0.45
        if position["to_move"] == seat:
            pen.polygon(
                [(x - 0.32, middle + 0.2), (x - 0.08, middle), (x - 0.32, middle - 0.2)], INK, zorder=4
            )
        pen.seat(x + 0.35, middle, seat, 0.3)
        points = position["scores"][seat]
        text = f"{points:g} {'point' if points == 1 else 'points'}"
        pen.text(x + 0.9, middle, text, 0.4, ha="left", weight="bold")
        note = "Spirit on the board" if position["spirits"][seat] is not None else "no Spirit"
        pen.text(x + _PANEL - 0.7, middle, note, 0.28, ha="right")
        for k, line in enumerate(lines):
            pen.text(x + 0.05, middle - 0.5 * (k + 1), line, 0.29, ha="left")
        y -= _block_height(lines)


def _block_height(lines: Sequence[str]) -> float:
    """Height of what is told of a player; as if of two lines at least, so that frames of a film do not jump."""
    return 1.4 + 0.5 * max(2, len(lines))


def _hand_lines(hand: Sequence[tuple[str, int]] | None) -> list[str]:
    if hand is None:
        return ["hand hidden"]
    words = [f"{count} {piece}".replace(" ", _HARD_SPACE) for piece, count in hand if count]
    return wrapped(words, _HAND, 0.29, ", ") or ["hand empty"]


def _legend_entries(regions: Sequence[Mapping[str, Any]]) -> list[str]:
    names = [name for name in TERRAIN if any(name in x["terrain"] for x in regions)]
    names += ["Forest"] * any(x["forest"] for x in regions)
    names += ["sea Desert"] * any(x["sea"] for x in regions)
    return [*names, "Wasteland", "pieces below", "Spirit"]


def _legend(pen: Pen, x: float, y: float, columns: int, entries: Sequence[str]) -> None:
    for i, name in enumerate(entries):
        cx, cy = x + 0.5 + _ENTRY * (i % columns), y - _ROW * (i // columns)
        if name == "Spirit":
            _star(pen, cx, cy, 0.27)
        elif name == "pieces below":
            _chip(pen, cx, cy, 2)
        elif name == "Wasteland":
            pen.hexagon(cx, cy, 0.44, _WASTE, hatch="xx")
        elif name == "sea Desert":
            pen.hexagon(cx, cy, 0.44, _FILL["Desert"], ls=(0, (2, 1.5)))
        else:
            pen.hexagon(cx, cy, 0.44, _FILL[name])
            _symbol(pen, name, cx, cy)
        pen.text(cx + 0.58, cy, name, 0.3, ha="left")
