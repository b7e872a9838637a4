"""Spaces, continents and the ways to split them, for the plain referee of Drifting Lands."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

Space = tuple[int, int]
DIRECTIONS: dict[str, Space] = {
    "E": (1, 0),
    "NE": (1, -1),
    "NW": (0, -1),
    "W": (-1, 0),
    "SW": (-1, 1),
    "SE": (0, 1),
}
BIG = 14  # continents of more tiles have too many parts to list them all


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
    return [step(space, direction) for direction in DIRECTIONS]


def in_one_piece(tiles: Collection[Space]) -> bool:
    return not tiles or len(piece_of(next(iter(tiles)), tiles)) == len(tiles)


def piece_of(first: Space, tiles: Collection[Space]) -> set[Space]:
    """All tiles that hang together with `first`."""
    found, edge = {first}, [first]
    while edge:
        for other in around(edge.pop()):
            if other in tiles and other not in found:
                found.add(other)
                edge.append(other)
    return found


def pieces(tiles: Iterable[Space]) -> list[list[Space]]:
    """The maximal connected sets of tiles, in the reading order of their first tiles."""
    left, found = set(tiles), []
    for first in reading(left):
        if first in left:
            piece = piece_of(first, left)
            left -= piece
            found.append(reading(piece))
    return found


def connected_parts(tiles: frozenset[Space]) -> Iterator[frozenset[Space]]:
    """Every connected proper part of some tiles, small ones first."""
    layer = {frozenset({tile}) for tile in tiles}
    while layer:
        yield from (part for part in layer if part != tiles)
        layer = {part | {other} for part in layer for tile in part for other in around(tile)
                 if other in tiles and other not in part}  # fmt: skip


@lru_cache(maxsize=2000)
def whole_parts(tiles: frozenset[Space], apart: bool) -> tuple[frozenset[Space], ...]:
    """The parts that could split off wherever they go; `apart`: what stays is in one piece as well."""
    return tuple(part for part in connected_parts(tiles) if not apart or in_one_piece(tiles - part))
