"""A picture of a position: ocean, tiles, mountains, pawns with their levels, scores and cards.

Sizes are in hex radii. Seats are told apart by shape and letter, landscapes by brightness and symbol, so that a copy
without colours says the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sim.core.contract import OVER
from sim.games.drifting_lands.notation import SEATS, pending_text, seat_parts
from sim.games.drifting_lands.rules import state as records
from sim.games.drifting_lands.rules.params import LEVELS
from sim.show.drawing import INK, Pen, Point, hex_centre, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_OCEAN, _PLAIN, _MOUNTAIN = "#eaf2f6", "#d9cfae", "#8f8577"
_FAINT = "#7b888f"
_PANEL = 13.5
_CARDS = 11.4  # width of a line of cards
_LINE = 0.62
_LEGEND = 2.2


def draw_position(
    ax: Axes,
    rules: Any,
    state: Any,
    scores: Sequence[float],
    title: str = "",
    coordinates: bool = False,
    panel: bool = True,
) -> None:
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
    coordinates
        Whether each space bears its coordinates.
    panel
        Whether scores, cards and legend are drawn too.
    """
    spaces = range(int(rules["n_spaces"]))
    centres = [hex_centre(int(rules["q"][space]), int(rules["r"][space])) for space in spaces]
    left, right = min(x for x, _ in centres) - 1.1, max(x for x, _ in centres) + 1.1
    bottom, top = min(y for _, y in centres) - 1.3, max(y for _, y in centres) + 1.3
    blocks = [_seat_lines(rules, state, seat, scores[seat]) for seat in range(int(state["players"]))]
    edge, head = (right + _PANEL, 1.2) if panel else (right, 1.2 if title else 0.0)
    if panel:
        bottom = min(bottom, top - sum(1.2 + _LINE * len(lines) for lines in blocks) - _LEGEND)
    pen = Pen(ax, left, bottom, edge, top + head)
    for space, centre in enumerate(centres):
        _space(pen, centre, rules, state, space, coordinates)
    for space, centre in enumerate(centres):
        _coast(pen, centre, rules, state, space)
        if state["pawn"][space]:
            _pawn(pen, centre, int(state["pawn"][space]) - 1)
    pen.text(left + 0.2, top + 0.6, title, 0.62, ha="left", weight="bold", within=edge - left - 13 * panel)
    if panel:
        _panel(pen, right + 0.4, top - 0.4, state, blocks)
        _legend(pen, right + 0.4, bottom + 1.5)
        pen.text(edge - 0.2, top + 0.6, _moment(rules, state), 0.5, ha="right", within=12.5)


def _space(pen: Pen, centre: Point, rules: Any, state: Any, space: int, coordinates: bool) -> None:
    """Draw a space: its landscape, and in the corner below what its tile or space is worth and where it is."""
    x, y = centre
    landscape = int(state["land"][space])
    pen.hexagon(x, y, 1.0, (_OCEAN, _PLAIN, _MOUNTAIN)[landscape], edgecolor=_FAINT, lw=0.02, zorder=1)
    printed = rules["tile_value"] == records.PRINTED
    worth = int(state["worth"][space]) if printed else int(rules["value"][space])
    if landscape == records.MOUNTAIN:
        worth *= int(rules["mountain_factor"])
        _peak(pen, x, y + 0.72)
    ink = INK if landscape else _FAINT
    if landscape != records.OCEAN or not printed:
        across, size = (-0.36, 0.3) if coordinates else (0.0, 0.36)
        pen.text(x + across, y - 0.64, str(worth), size, color=ink)
    if coordinates:
        where = f"{int(rules['q'][space])},{int(rules['r'][space])}"
        pen.text(x + 0.16, y - 0.64, where, 0.22, within=0.62, color=ink)


def _peak(pen: Pen, x: float, y: float) -> None:
    pen.polygon([(x - 0.3, y - 0.2), (x, y + 0.2), (x + 0.3, y - 0.2)], "#ffffff", lw=0.02, zorder=5.5)


def _coast(pen: Pen, centre: Point, rules: Any, state: Any, space: int) -> None:
    """Draw a thick line where a continent ends."""
    if state["land"][space] == records.OCEAN:
        return
    x, y = centre
    for d in range(6):  # side d lies between the corners at 30 degrees either way of direction d
        other = int(rules["near"][space][d])
        if other < 0 or state["label"][other] != state["label"][space]:
            angle = d * math.pi / 3
            ends = [angle - math.pi / 6, angle + math.pi / 6]
            pen.line([x + math.cos(a) for a in ends], [y + math.sin(a) for a in ends], 0.1)


def _pawn(pen: Pen, centre: Point, pawn: int) -> None:
    """Draw a pawn: the shape of its seat with its letter and level."""
    seat, level = divmod(pawn, LEVELS)
    pen.seat(centre[0], centre[1] + 0.08, seat, 0.48, f"{SEATS[seat]}{level + 1}", 0.84)


def _moment(rules: Any, state: Any) -> str:
    turn = f"round {int(state['round_no']) + 1}, turn {int(state['turn']) + 1}"
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
        first, *more = wrapped(f"{key}: {parts[key]}".split(), _CARDS, 0.42)
        lines += [first, *(f"   {line}" for line in more)]
    return lines


def _panel(pen: Pen, x: float, y: float, state: Any, blocks: Sequence[Sequence[str]]) -> None:
    for seat, lines in enumerate(blocks):
        pen.seat(x + 0.5, y - 0.1, seat, 0.4)
        marks = " (starter marker)" if seat == int(state["first"]) else ""
        pen.text(x + 1.1, y - 0.1, f"{SEATS[seat]}{marks}", 0.5, ha="left", weight="bold")
        for k, line in enumerate(lines):
            pen.text(x + 1.1, y - 0.8 - _LINE * k, line, 0.42, ha="left")
        y -= 1.2 + _LINE * len(lines)


def _legend(pen: Pen, x: float, y: float) -> None:
    for k, (face, name) in enumerate(((_OCEAN, "ocean"), (_PLAIN, "plain"), (_MOUNTAIN, "mountain"))):
        at = x + 0.5 + 3.0 * k
        pen.hexagon(at, y, 0.4, face, lw=0.02)
        if name == "mountain":
            _peak(pen, at, y + 0.05)
        pen.text(at + 0.6, y, name, 0.4, ha="left")
    pen.text(x + 0.1, y - 0.8, "small number: points of the space or tile", 0.4, ha="left")
