"""Maps as text files: spaces, land, starting spaces and (maybe) the worth of spaces.

A TOML file with name, about, grade, and the drawings ``spaces`` and (maybe) ``values``. The character in column c of
row r of a drawing (both from 0) is the space q = (c - r) / 2 of that row, so that rows alternate: ``.`` is ocean,
``1`` to ``4`` a plain tile of continent NW, NE, SE, SW, ``a`` to ``d`` the same with a start space on it, ``A`` to
``D`` ocean with a start space of that continent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sim.core.errors import Refusal
from sim.core.files import Parts, read_part
from sim.core.hexgrid import DIRECTIONS
from sim.games.drifting_lands.rules.params import STARTS
from sim.games.drifting_lands.rules.state import MAX_SPACES, TILES

Space = tuple[int, int]
_KEYS = ("name", "about", "grade", "spaces", "values")
FARTHEST = 100


@dataclass(frozen=True)
class Board:
    """Spaces in reading order (row by row), and what lies on them at the start.

    Attributes
    ----------
    spaces
        (q, r) of each space.
    land
        Continent (0 to 3) of each space with a tile.
    starts
        Start spaces of each continent, in reading order.
    values
        Worth of each space, or None: by latitude.
    """

    name: str
    spaces: tuple[Space, ...]
    land: Mapping[Space, int] = field(default_factory=dict)
    starts: tuple[tuple[Space, ...], ...] = ((),) * len(STARTS)
    values: Mapping[Space, int] | None = None
    about: str = ""
    grade: str = ""


def reading_order(space: Space) -> tuple[int, int]:
    """Return the key by which spaces are sorted: row, then place in the row."""
    return space[1], space[0]


def near(space: Space) -> list[Space]:
    """Return the six spaces around a space, by direction."""
    return [(space[0] + int(q), space[1] + int(r)) for q, r in DIRECTIONS]


def read_board(path: Path, where: str) -> Board:
    """Return the board that a map file describes; `Refusal` names what is wrong."""
    data = read_part(path, where, _KEYS)
    for key, value in data.items():
        if not isinstance(value, str):
            raise Refusal(f"{where}: {key} must be a text")
    if "spaces" not in data:
        raise Refusal(f"{where}: it has no drawing 'spaces'")
    marks = dict(_cells(data["spaces"], where, ".1234abcdABCD"))
    spaces = tuple(sorted(marks, key=reading_order))
    land = {s: "1a2b3c4d".index(marks[s]) // 2 for s in spaces if marks[s] in "1a2b3c4d"}
    starts = tuple(tuple(s for s in spaces if marks[s] in ("abcd"[c], "ABCD"[c])) for c in range(len(STARTS)))
    values = None
    if "values" in data:
        digits = dict(_cells(data["values"], where, "0123456789"))
        if set(digits) != set(marks):
            odd = min(set(digits) ^ set(marks), key=reading_order)
            raise Refusal(f"{where}: the drawings of spaces and values differ at {odd[0]},{odd[1]}")
        values = {s: int(digit) for s, digit in digits.items()}
    about, grade = data.get("about", ""), data.get("grade", "own")
    return Board(data.get("name", path.stem), spaces, land, starts, values, about, grade)


def _cells(drawing: str, where: str, allowed: str) -> list[tuple[Space, str]]:
    found = []
    for r, row in enumerate(drawing.splitlines()):
        for c, mark in enumerate(row):
            if mark == " ":
                continue
            if mark not in allowed:
                raise Refusal(f"{where}: {mark!r} in row {r + 1} of a drawing; it may hold {allowed}")
            if (c - r) % 2:
                text = "rows alternate: even rows begin at the margin, odd rows one character to the right"
                raise Refusal(
                    f"{where}: {mark!r} in row {r + 1}, column {c + 1} is between two spaces ({text})"
                )
            found.append((((c - r) // 2, r), mark))
    return found


MAPS = Parts("map", Path(__file__).resolve().parent / "maps", read_board)


def validate(board: Board, start_pawns: int, equal: bool, file: str = "") -> None:
    """Refuse a map on which the game cannot be set up.

    Parameters
    ----------
    start_pawns
        Start spaces that every continent needs.
    equal
        Whether all continents must have the same number of tiles.
    file
        The file it was read from, where it is not one of the game's.
    """
    what = f"map {file or board.name!r}"
    if len(board.spaces) > MAX_SPACES:
        raise Refusal(f"{what}: {len(board.spaces)} spaces, at most {MAX_SPACES} are possible")
    if any(abs(x) > FARTHEST for space in board.spaces for x in space):
        raise Refusal(f"{what}: a drawing of more than {FARTHEST} rows or columns")
    if len(board.land) != TILES:
        raise Refusal(f"{what}: {len(board.land)} land tiles, there must be {TILES}")
    for c, start in enumerate(STARTS):
        mine = {space for space, continent in board.land.items() if continent == c}
        if not mine or (equal and len(mine) != TILES // len(STARTS)):
            wanted = f"there must be {TILES // len(STARTS)}" if equal else "there must be some"
            raise Refusal(f"{what}: continent {c + 1} ({start}) has {len(mine)} tiles, {wanted}")
        if len(_piece(mine)) < len(mine):
            raise Refusal(f"{what}: continent {c + 1} ({start}) is not in one piece")
        for space in mine:
            for other in near(space):
                if board.land.get(other, c) != c:
                    text = f"continents {c + 1} and {board.land[other] + 1} touch at {space[0]},{space[1]}"
                    raise Refusal(f"{what}: {text}")
        if len(board.starts[c]) < start_pawns:
            have = len(board.starts[c])
            raise Refusal(
                f"{what}: continent {c + 1} ({start}) has {have} start spaces, start_pawns is {start_pawns}"
            )


def _piece(spaces: set[Space]) -> set[Space]:
    """Return the spaces that hang together with the first."""
    found = {min(spaces)}
    edge = list(found)
    while edge:
        for other in near(edge.pop()):
            if other in spaces and other not in found:
                found.add(other)
                edge.append(other)
    return found


def worth_of(board: Board, equator: int, middle: int, polar: int, flat: bool) -> list[int]:
    """Return the worth of each space: the map's own, by rows from the equator, or the same everywhere."""
    if flat:
        return [middle] * len(board.spaces)
    if board.values is not None:
        return [board.values[space] for space in board.spaces]
    rows = [r for _, r in board.spaces]
    twice_the_equator = min(rows) + max(rows)
    by_distance = []
    for r in rows:
        twice_off = abs(2 * r - twice_the_equator)
        by_distance.append(equator if twice_off <= 2 else middle if twice_off <= 6 else polar)
    return by_distance
