"""Spaces, pieces of land and map drawings, for the plain referee of Drifting Lands."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

Space = tuple[int, int]
DIRECTIONS: dict[str, Space] = {
    "E": (1, 0),
    "NE": (1, -1),
    "NW": (0, -1),
    "W": (-1, 0),
    "SW": (-1, 1),
    "SE": (0, 1),
}
STARTS = ("NW", "NE", "SE", "SW")  # continents 1-4 of a map, clockwise
DATA = Path(__file__).parents[3] / "sim" / "games" / "drifting_lands"


def reading(spaces: Iterable[Space]) -> list[Space]:
    """The spaces row by row."""
    return sorted(spaces, key=lambda space: (space[1], space[0]))


def name(space: Space) -> str:
    return f"{space[0]},{space[1]}"


def read_space(text: str) -> Space:
    q, r = text.split(",")
    return int(q), int(r)


def step(space: Space, direction: str, times: int = 1) -> Space:
    q, r = DIRECTIONS[direction]
    return space[0] + q * times, space[1] + r * times


def around(space: Space) -> list[Space]:
    """The six spaces beside a space, also those off the map."""
    q, r = space
    return [(q + dq, r + dr) for dq, dr in DIRECTIONS.values()]


def piece_of(first: Space, tiles: Collection[Space]) -> set[Space]:
    """All tiles that hang together with `first`."""
    found, edge = {first}, [first]
    while edge:
        for other in around(edge.pop()):
            if other in tiles and other not in found:
                found.add(other)
                edge.append(other)
    return found


def in_one_piece(tiles: Collection[Space]) -> bool:
    return not tiles or len(piece_of(next(iter(tiles)), tiles)) == len(tiles)


def pieces(tiles: Iterable[Space]) -> list[list[Space]]:
    """The maximal connected sets of tiles, in the reading order of their first tiles."""
    left, found = set(tiles), []
    for first in reading(left):
        if first in left:
            piece = piece_of(first, left)
            left -= piece
            found.append(reading(piece))
    return found


@dataclass
class Map:
    """A board; `tiles` and `starts` are those of the continents NW, NE, SE, SW."""

    spaces: set[Space]
    values: dict[Space, int] | None
    tiles: list[list[Space]]
    starts: list[list[Space]]


def places(drawing: str) -> dict[Space, str]:
    """What is drawn where: column c of row r is space (c - r) / 2."""
    found = {}
    for r, row in enumerate(drawing.splitlines()):
        for c, sign in enumerate(row):
            if sign != " ":
                assert (c - r) % 2 == 0, f"row {r}, column {c}: between two spaces"
                found[(c - r) // 2, r] = sign
    return found


def map_of(spaces: str, values: str | None = None) -> Map:
    """A map from its drawings."""
    signs = places(spaces)
    return Map(
        set(signs),
        {space: int(sign) for space, sign in places(values).items()} if values else None,
        [reading(s for s, sign in signs.items() if sign in both) for both in ("1a", "2b", "3c", "4d")],
        [reading(s for s, sign in signs.items() if sign in both) for both in ("aA", "bB", "cC", "dD")],
    )


def map_names() -> list[str]:
    return sorted(path.stem for path in (DATA / "maps").glob("*.toml"))


def load_map(which: str) -> Map:
    """A map by its name or, ending in .toml, by its path."""
    path = Path(which) if which.endswith(".toml") else DATA / "maps" / f"{which}.toml"
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    return map_of(content["spaces"], content.get("values"))


def open_sea(text: str) -> Map | None:
    """`flower`, `disk R`, `row N` or `line N`, the free-standing boards of worked cases; None for any other name."""
    shape, _, size = text.replace("flower", "disk 1").partition(" ")
    if shape in ("row", "line"):
        spaces = {(q, 0) for q in range(int(size))}
    elif shape == "disk":
        to = range(-int(size), int(size) + 1)
        spaces = {(q, r) for q in to for r in to if abs(q + r) <= int(size)}
    else:
        return None
    return Map(spaces, None, [[], [], [], []], [[], [], [], []])
