"""A picture of a position: the track round the board, terrain and colonies, and a panel of the players.

All sizes are in hex radii and text is scaled with them. Owners are told apart by letter and by a frame, terrain by
hatching, structures by letters, so that a copy without colours says the same.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sim.core.contract import OVER
from sim.games.mars import notation
from sim.games.mars.notation import SEATS
from sim.games.mars.rules import state as records
from sim.games.mars.rules.params import CARDS, STRUCTURES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Colours of the seats; apart in hue for colour-blind readers, and in brightness.
SEAT_COLOURS = ("#0a5c9e", "#e07b39", "#d9a3c7", "#f4e04d")
_SEAT_INK = ("white", "black", "black", "black")
_GROUND = {"flat": "#f0d9c8", "rocky": "#cfa58c", "crater": "#6f5a52"}
_HATCH = {"flat": "", "rocky": "..", "crater": "xxx"}
_SHORT = {
    "Habitat": "Hab",
    "LSC": "LSC",
    "Hospital": "Hos",
    "Plant": "Pla",
    "Export": "Exp",
    "Mine": "Min",
}
_SQUARES = ("M", "W", "S", "Ruin", "Stop")
_SQUARE_FILL = ("#d9d9d9", "#cfe3f0", "#e8e2cf", "#c9b5d9", "white")
_INK = "#222222"


def draw_position(ax: Axes, rules: Any, state: Any, title: str = "") -> None:
    """Draw a position on `ax`, whose contents and limits are replaced; about 12 x 8 inches show it well.

    Parameters
    ----------
    ax
        The axes.
    rules, state
        Records of the game.
    title
        Written above; empty: turn and phase.
    """
    ax.clear()
    ax.set_aspect("equal")
    ax.axis("off")
    centres = [_centre(int(rules["q"][t]), int(rules["r"][t])) for t in range(int(rules["n_tiles"]))]
    left = min(x for x, _ in centres) - 3.2
    right = max(x for x, _ in centres) + 3.2
    low = min(y for _, y in centres) - 3.2
    high = max(y for _, y in centres) + 3.2
    panel = right + 0.8
    ax.set_xlim(left - 0.6, panel + 11.5)
    ax.set_ylim(low - 2.6, high + 0.3)
    points = ax.get_window_extent().height * 72 / ax.figure.dpi / (high - low + 2.9)
    _terrain(ax, rules, state, centres, points)
    _track(ax, rules, state, (left + 0.4, right - 0.4, low + 0.4, high - 0.4), points)
    _players(ax, rules, state, panel, high, points)
    _legend(ax, left, low - 0.9, points)
    over = int(state["phase"]) == OVER
    text = title or notation.position_text(rules, state).split("\n")[0]
    ax.set_title(text if not over or title else text.replace("over: ", "the end, "), fontsize=11)


def tiles_of(mask: Any) -> list[int]:
    """Return the tiles of a set."""
    return [records.WORD * w + k for w in range(2) for k in range(records.WORD) if int(mask[w]) >> k & 1]


def _centre(q: int, r: int) -> tuple[float, float]:
    return math.sqrt(3) * (q + r / 2), -1.5 * r


def _hexagon(ax: Any, x: float, y: float, size: float, **style: Any) -> None:
    from matplotlib.patches import RegularPolygon

    ax.add_patch(RegularPolygon((x, y), 6, radius=size, **style))


def _terrain(ax: Any, rules: Any, state: Any, centres: list[tuple[float, float]], points: float) -> None:
    ground = dict.fromkeys(tiles_of(rules["rocky"]), "rocky") | dict.fromkeys(
        tiles_of(rules["crater"]), "crater"
    )
    shielded = set(tiles_of(state["shield"]))
    for tile, (x, y) in enumerate(centres):
        kind = ground.get(tile, "flat")
        _hexagon(ax, x, y, 0.97, fc=_GROUND[kind], ec="#8a7468", lw=0.6, hatch=_HATCH[kind], zorder=1)
        if tile in shielded:
            _hexagon(ax, x, y, 0.84, fc="none", ec="#5b3f8c", lw=0.9, ls=(0, (2, 2)), zorder=1.5)
        _piece(ax, rules, state, tile, x, y, points)


def _piece(ax: Any, rules: Any, state: Any, tile: int, x: float, y: float, points: float) -> None:
    """Draw what lies on a tile."""
    from matplotlib.patches import Circle, Rectangle

    what, owner = int(state["what"][tile]), int(state["owner"][tile])
    if what == records.NOTHING:
        return
    if what == records.METEORITE:
        ax.add_patch(Circle((x, y), 0.6, fc="#2b2b2b", ec="white", lw=0.8, zorder=3))
        ax.text(x, y, "met.", color="white", fontsize=0.36 * points, ha="center", va="center", zorder=4)
        return
    if what == records.EMBASSY:
        _hexagon(ax, x, y, 0.8, fc="white", ec=_INK, lw=2.0, zorder=3)
        ax.text(x, y, "Emb", fontsize=0.46 * points, weight="bold", ha="center", va="center", zorder=4)
        return
    if what == records.RUIN:
        ax.add_patch(
            Rectangle((x - 0.5, y - 0.5), 1.0, 1.0, fc="#c9b5d9", ec=_INK, lw=1.2, angle=0, zorder=3)
        )
        name = notation.payer_text(rules, int(state["ruin_owner"][tile])) + "Ruin"
        ax.text(x, y, name, fontsize=0.42 * points, ha="center", va="center", zorder=4)
        return
    face, ink = SEAT_COLOURS[owner], _SEAT_INK[owner]
    if what == records.TUNNEL:
        ax.add_patch(Rectangle((x - 0.62, y - 0.27), 1.24, 0.54, fc=face, ec=_INK, lw=0.7, zorder=3))
        ax.text(
            x, y, f"{SEATS[owner]} tun", color=ink, fontsize=0.36 * points, ha="center", va="center", zorder=4
        )
        return
    dome = what in (records.HQ, records.LSC)
    ax.add_patch(Circle((x, y), 0.72, fc=face, ec=_INK, lw=2.4 if dome else 0.9, zorder=3))
    name = "HQ" if what == records.HQ else _SHORT[STRUCTURES[what]]
    style = {"color": ink, "ha": "center", "va": "center", "zorder": 4}
    ax.text(x, y + 0.24, SEATS[owner], fontsize=0.42 * points, weight="bold", **style)
    ax.text(x, y - 0.24, name, fontsize=0.42 * points, **style)


def _track(ax: Any, rules: Any, state: Any, box: tuple[float, float, float, float], points: float) -> None:
    """Draw the squares round the board, clockwise from the upper left corner, and the rovers on them."""
    from matplotlib.patches import Circle, Rectangle

    left, right, low, high = box
    n = int(rules["n_squares"])
    side = n // 4
    corners = [(left, high), (right, high), (right, low), (left, low)]
    rovers: dict[int, list[int]] = {}
    for seat in range(int(state["players"])):
        if not state["gone"][seat]:
            rovers.setdefault(int(state["square"][seat]), []).append(seat)
    for k in range(n):
        (x0, y0), (x1, y1) = corners[k // side], corners[(k // side + 1) % 4]
        share = (k % side) / side
        x, y = x0 + (x1 - x0) * share, y0 + (y1 - y0) * share
        kind, whose = int(rules["square_kind"][k]), int(rules["square_seat"][k])
        fill = SEAT_COLOURS[whose] if kind == records.STOP and whose >= 0 else _SQUARE_FILL[kind]
        ink = _SEAT_INK[whose] if kind == records.STOP and whose >= 0 else _INK
        ax.add_patch(Rectangle((x - 0.85, y - 0.62), 1.7, 1.24, fc=fill, ec=_INK, lw=0.8, zorder=2))
        name = _SQUARES[kind] if kind != records.STOP else f"{SEATS[whose]} stop" if whose >= 0 else "stop"
        ax.text(x, y + 0.26, name, fontsize=0.44 * points, color=ink, ha="center", va="center", zorder=4)
        for i, seat in enumerate(rovers.get(k, [])):
            spot = x + 0.42 * (i - (len(rovers[k]) - 1) / 2)
            ax.add_patch(Circle((spot, y - 0.24), 0.27, fc=SEAT_COLOURS[seat], ec="white", lw=1.0, zorder=4))
            style = {"color": _SEAT_INK[seat], "ha": "center", "va": "center", "zorder": 5}
            ax.text(spot, y - 0.25, SEATS[seat], fontsize=0.34 * points, weight="bold", **style)


def _players(ax: Any, rules: Any, state: Any, x: float, top: float, points: float) -> None:
    """Write what each player has, and the treasury."""
    from matplotlib.patches import Rectangle

    y = top - 0.7
    over = int(state["phase"]) == OVER
    for seat in range(int(state["players"])):
        ax.add_patch(Rectangle((x, y - 0.42), 0.9, 0.84, fc=SEAT_COLOURS[seat], ec=_INK, lw=0.8))
        ink = _SEAT_INK[seat]
        ax.text(
            x + 0.45,
            y,
            SEATS[seat],
            fontsize=0.6 * points,
            weight="bold",
            color=ink,
            ha="center",
            va="center",
        )
        mark = "  (to decide)" if not over and int(state["seat"]) == seat else ""
        if int(state["winner"]) == seat:
            mark = "  (wins)"
        if state["gone"][seat]:
            mark = "  (has quit)"
        head = f"population {int(state['pop'][seat])}{mark}"
        ax.text(x + 1.2, y, head, fontsize=0.56 * points, weight="bold", va="center")
        cards = "  ".join(f"{name} {int(state['cards'][seat][k])}" for k, name in enumerate(CARDS))
        lines = [
            cards,
            f"reserve {notation.reserve_text(state, seat)}   Salvage {notation.bay_text(state, seat)}",
        ]
        kept = [name for k, name in enumerate(notation.KEPT_NAMES) if state["kept"][seat][k]]
        lines.append(
            f"events kept {' '.join(kept) or '-'}   {notation.marks_text(state, seat)}".replace("   -", "")
        )
        for line in lines:
            y -= 0.95
            ax.text(x + 0.1, y, line, fontsize=0.47 * points, va="center")
        y -= 1.55
    for line in (
        "treasury",
        notation.treasury_text(state),
        f"Ruins in corners {int(state['corners'])}   event cards in the deck {int(state['deck_size'])}",
    ):
        ax.text(x + 0.1, y, line, fontsize=0.47 * points, va="center")
        y -= 0.85


def _legend(ax: Any, x: float, y: float, points: float) -> None:
    start = x
    entries = (("flat", "flat"), ("rocky", "rocky: Tunnels and Ruins"), ("crater", "crater: nothing"))
    for kind, text in entries:
        _hexagon(ax, x + 0.6, y, 0.5, fc=_GROUND[kind], ec="#8a7468", lw=0.6, hatch=_HATCH[kind])
        ax.text(x + 1.3, y, text, fontsize=0.46 * points, va="center")
        x += 2.6 + 0.27 * len(text)
    note = "bold rim: dome, no strikes;  dashed: protected by a Ruin.  Terrain and track are stand-ins."
    ax.text(start, y - 1.1, note, fontsize=0.46 * points, va="center")
