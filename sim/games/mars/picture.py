"""A picture of a position: the track round the board, terrain and colonies, and a panel of the players.

All sizes are in hex radii. Owners are told apart by letter and by a frame, terrain by hatching, structures by letters,
so that a copy without colours says the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.core.contract import OVER
from sim.games.mars import notation
from sim.games.mars.notation import SEATS
from sim.games.mars.rules import state as records
from sim.games.mars.rules.params import CARDS, STRUCTURES
from sim.show.drawing import INK, SEAT_COLOURS, SEAT_INK, Pen, Point, hex_centre

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_GROUND = {"flat": "#f0d9c8", "rocky": "#cfa58c", "crater": "#6f5a52"}
_HATCH = {"flat": "", "rocky": "..", "crater": "xxx"}
_EDGE = "#8a7468"
_SHORT = {
    "Habitat": "Hab",
    "LSC": "LSC",
    "Hospital": "Hos",
    "Plant": "Pla",
    "Export": "Exp",
    "Mine": "Min",
}
_SQUARES = ("M", "W", "S", "Ruin", "stop")
_SQUARE_FILL = ("#d9d9d9", "#cfe3f0", "#e8e2cf", "#c9b5d9", "white")
_RUIN = "#c9b5d9"
_AROUND = 2.4  # from the outer tiles' centres to the middle of the track's squares
_SQUARE = (1.9, 1.3)
_PANEL = 13.2
_SEAT, _LINE = 4.4, 0.95  # heights in the panel
_LEGEND = 2.5


def draw_position(
    ax: Axes, rules: Any, state: Any, title: str = "", coordinates: bool = False, panel: bool = True
) -> None:
    """Draw a position on `ax`, whose contents and limits are replaced; about 12 x 8 inches show it well.

    Parameters
    ----------
    ax
        The axes.
    rules, state
        Records of the game.
    title
        Written above; empty: turn and phase.
    coordinates
        Whether each tile bears its coordinates, and each square of the track its number.
    panel
        Whether players, treasury and legend are drawn too.
    """
    tiles = range(int(rules["n_tiles"]))
    centres = [hex_centre(int(rules["q"][t]), int(rules["r"][t])) for t in tiles]
    left, right = min(x for x, _ in centres) - _AROUND, max(x for x, _ in centres) + _AROUND
    low, high = min(y for _, y in centres) - _AROUND, max(y for _, y in centres) + _AROUND
    head = 1.4 if panel or title else 0.2
    bottom = low - 0.9
    if panel:
        bottom = min(bottom, high - _SEAT * int(state["players"]) - 4 * _LINE) - _LEGEND
    edge = right + 1.1 + (_PANEL if panel else 0.0)
    pen = Pen(ax, left - 1.1, bottom, edge, high + 0.75 + head)
    _terrain(pen, rules, state, centres, coordinates)
    _track(pen, rules, state, (left, right, low, high), coordinates)
    if panel:
        _players(pen, rules, state, right + 1.6, high + 0.1)
        _legend(pen, left - 0.7, bottom + 1.8)
    if panel or title:
        text = title or _moment(rules, state)
        pen.text(left - 0.9, high + 1.45, text, 0.7, ha="left", weight="bold", within=edge - left)


def _moment(rules: Any, state: Any) -> str:
    turn = int(state["turn"])
    if int(state["phase"]) == OVER:
        winner = int(state["winner"])
        return f"over after {turn} turns: {f'{SEATS[winner]} wins' if winner >= 0 else 'no winner'}"
    return f"turn {turn + 1}, {SEATS[int(state['seat'])]}: {records.PHASES[int(state['phase'])]}"


def tiles_of(mask: Any) -> list[int]:
    """Return the tiles of a set."""
    return [records.WORD * w + k for w in range(2) for k in range(records.WORD) if int(mask[w]) >> k & 1]


def _terrain(pen: Pen, rules: Any, state: Any, centres: list[Point], coordinates: bool) -> None:
    ground = dict.fromkeys(tiles_of(rules["rocky"]), "rocky") | dict.fromkeys(
        tiles_of(rules["crater"]), "crater"
    )
    shielded = set(tiles_of(state["shield"]))
    for tile, (x, y) in enumerate(centres):
        kind = ground.get(tile, "flat")
        pen.hexagon(x, y, 0.97, _GROUND[kind], edgecolor=_EDGE, lw=0.03, hatch=_HATCH[kind], zorder=1)
        if tile in shielded:
            pen.hexagon(x, y, 0.84, "none", edgecolor="#5b3f8c", lw=0.05, ls=(0, (2, 2)), zorder=1.5)
        _piece(pen, rules, state, tile, x, y)
        if coordinates:
            where = notation.tile_text(rules, tile)
            dark = kind == "crater"
            if _HATCH[kind]:  # nothing is read on a hatching
                pen.card(x - 0.32, y - 0.88, x + 0.32, y - 0.66, _GROUND[kind], edgecolor="none", zorder=5)
            pen.text(x, y - 0.77, where, 0.22, within=0.55, color="white" if dark else INK)


def _piece(pen: Pen, rules: Any, state: Any, tile: int, x: float, y: float) -> None:
    """Draw what lies on a tile."""
    what, owner = int(state["what"][tile]), int(state["owner"][tile])
    if what == records.NOTHING:
        return
    if what == records.METEORITE:
        pen.circle(x, y + 0.05, 0.6, "#2b2b2b", edgecolor="white", lw=0.04, zorder=3)
        pen.text(x, y + 0.05, "met.", 0.4, within=0.95, color="white")
        return
    if what == records.EMBASSY:
        pen.hexagon(x, y + 0.12, 0.74, "white", lw=0.1, zorder=3)
        pen.text(x, y + 0.12, "Emb", 0.5, within=0.95, weight="bold")
        return
    if what == records.RUIN:
        pen.box(x - 0.5, y - 0.5, x + 0.5, y + 0.5, _RUIN, edgecolor=INK, lw=0.06, zorder=3)
        pen.text(x, y, notation.payer_text(rules, int(state["ruin_owner"][tile])) + "Ruin", 0.42, within=0.85)
        return
    face, ink = SEAT_COLOURS[owner], SEAT_INK[owner]
    if what == records.TUNNEL:
        pen.box(x - 0.66, y - 0.27, x + 0.66, y + 0.27, face, edgecolor=INK, lw=0.04, zorder=3)
        pen.text(x, y - 0.02, f"{SEATS[owner]} tun", 0.4, within=1.15, color=ink)
        return
    dome = what in (records.HQ, records.LSC)
    pen.circle(x, y + 0.1, 0.66, face, lw=0.12 if dome else 0.045, zorder=3)
    name = "HQ" if what == records.HQ else _SHORT[STRUCTURES[what]]
    pen.text(x, y + 0.34, SEATS[owner], 0.42, weight="bold", color=ink)
    pen.text(x, y - 0.12, name, 0.42, within=0.95, color=ink)


def _track(
    pen: Pen, rules: Any, state: Any, box: tuple[float, float, float, float], coordinates: bool
) -> None:
    """Draw the squares round the board, clockwise from the upper left corner, and the rovers on them."""
    left, right, low, high = box
    n = int(rules["n_squares"])
    side = n // 4
    ends = [(left, high), (right, high), (right, low), (left, low)]
    rovers: dict[int, list[int]] = {}
    for seat in range(int(state["players"])):
        if not state["gone"][seat]:
            rovers.setdefault(int(state["square"][seat]), []).append(seat)
    across, up = _SQUARE[0] / 2, _SQUARE[1] / 2
    for k in range(n):
        (x0, y0), (x1, y1) = ends[k // side], ends[(k // side + 1) % 4]
        share = (k % side) / side
        x, y = x0 + (x1 - x0) * share, y0 + (y1 - y0) * share
        kind, whose = int(rules["square_kind"][k]), int(rules["square_seat"][k])
        owned = kind == records.STOP and whose >= 0
        fill, ink = (SEAT_COLOURS[whose], SEAT_INK[whose]) if owned else (_SQUARE_FILL[kind], INK)
        pen.box(x - across, y - up, x + across, y + up, fill, edgecolor=INK, lw=0.04, zorder=2)
        name = f"{SEATS[whose]} stop" if owned else _SQUARES[kind]
        if coordinates:
            pen.text(x - across + 0.1, y + 0.36, str(k), 0.3, ha="left", within=0.4, color=ink)
        pen.text(
            x + 0.2 * coordinates,
            y + 0.36,
            name,
            0.46,
            within=_SQUARE[0] - 0.5 - 0.3 * coordinates,
            color=ink,
        )
        for i, seat in enumerate(rovers.get(k, [])):
            spot = x + 0.46 * (i - (len(rovers[k]) - 1) / 2)
            pen.circle(spot, y - 0.25, 0.3, SEAT_COLOURS[seat], edgecolor="white", lw=0.05, zorder=4)
            pen.text(spot, y - 0.27, SEATS[seat], 0.36, color=SEAT_INK[seat], weight="bold")


def _players(pen: Pen, rules: Any, state: Any, x: float, top: float) -> None:
    """Write what each player has, and the treasury."""
    over = int(state["phase"]) == OVER
    width = _PANEL - 0.9
    for seat in range(int(state["players"])):
        y = top - _SEAT * seat
        pen.box(x, y - 0.42, x + 0.9, y + 0.42, SEAT_COLOURS[seat], edgecolor=INK, lw=0.04)
        pen.text(x + 0.45, y - 0.02, SEATS[seat], 0.6, weight="bold", color=SEAT_INK[seat])
        mark = "  (to decide)" if not over and int(state["seat"]) == seat else ""
        if int(state["winner"]) == seat:
            mark = "  (wins)"
        if state["gone"][seat]:
            mark = "  (has quit)"
        head = f"population {int(state['pop'][seat])}{mark}"
        pen.text(x + 1.2, y, head, 0.56, ha="left", weight="bold", within=width - 1.2)
        kept = [name for k, name in enumerate(notation.KEPT_NAMES) if state["kept"][seat][k]]
        lines = (
            "  ".join(f"{name} {int(state['cards'][seat][k])}" for k, name in enumerate(CARDS)),
            f"reserve {notation.reserve_text(state, seat)}   Salvage {notation.bay_text(state, seat)}",
            f"events kept {' '.join(kept) or '-'}   {notation.marks_text(state, seat)}".replace("   -", ""),
        )
        for k, line in enumerate(lines, start=1):
            pen.text(x + 0.1, y - _LINE * k, line, 0.48, ha="left", within=width)
    stock = notation.treasury_text(state).split()
    half = len(CARDS) // 2 * 2
    common = (
        "treasury   " + "  ".join(f"{name} {n}" for name, n in zip(stock[:half:2], stock[1:half:2])),
        "   ".join(f"{name} {n}" for name, n in zip(stock[half::2], stock[half + 1 :: 2])),
        f"Ruins in corners {int(state['corners'])}   event cards in the deck {int(state['deck_size'])}",
    )
    for k, line in enumerate(common):
        y = top - _SEAT * int(state["players"]) - _LINE * k
        pen.text(x + 0.1, y, line, 0.48, ha="left", within=width)


def _legend(pen: Pen, x: float, y: float) -> None:
    start = x
    for kind, text in (
        ("flat", "flat"),
        ("rocky", "rocky: Tunnels and Ruins"),
        ("crater", "crater: nothing"),
    ):
        pen.hexagon(x + 0.6, y, 0.5, _GROUND[kind], edgecolor=_EDGE, lw=0.03, hatch=_HATCH[kind])
        pen.text(x + 1.3, y, text, 0.46, ha="left")
        x += 2.6 + 0.27 * len(text)
    note = "bold rim: dome, no strikes;  dashed: protected by a Ruin.  Terrain and track are stand-ins."
    pen.text(start, y - 1.1, note, 0.46, ha="left")
