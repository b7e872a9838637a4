"""The cards that move the earth: Drifting, Splitting, Orogeny and their Ultra kinds (L48-88)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice

from tests.reference.drifting_lands.board import Board
from tests.reference.drifting_lands.map import (
    DIRECTIONS,
    Space,
    around,
    in_one_piece,
    name,
    piece_of,
    read_space,
    reading,
    step,
)


class LandCards(Board):
    """What can be done to land, and doing it."""

    def distance(self, kind: str) -> int:
        """How far a card moves land: one space, unless Ultra means two."""
        return 2 if kind.startswith("Ultra") and self.rule["ultra"] in ("two spaces", "both") else 1

    def targets(self, kind: str) -> list[list[Space]]:
        """The continents that a card, or the drift phase, may be used on."""
        if kind.startswith("Ultra") and self.rule["ultra"] != "two spaces":
            anywhere = True
        elif kind == "drift phase":
            anywhere = False
        else:
            anywhere = self.rule[kind.removeprefix("Ultra ").lower() + "_target"] == "any continent"
        own = set(self.own())
        return [tiles for tiles in self.continents() if anywhere or own & set(tiles)]

    # -- drifting ---------------------------------------------------------------------------------

    def can_shift(self, tiles: Collection[Space], direction: str, times: int) -> bool:
        """No tile leaves the map or comes onto a tile that stays, in any of the single moves (L58)."""
        staying = set(self.land) - set(tiles)
        to = {step(tile, direction, n) for tile in tiles for n in range(1, times + 1)}
        return to <= self.spaces and not to & staying

    def drifts(self, kind: str) -> list[str]:
        return [
            f"{name(tiles[0])} {direction}"
            for tiles in self.targets(kind)
            for direction in DIRECTIONS
            if self.can_shift(tiles, direction, self.distance(kind))
        ]

    # -- splitting --------------------------------------------------------------------------------

    def is_part(self, part: Collection[Space], tiles: Collection[Space], direction: str, times: int) -> bool:
        """Whether a part may split off, told from the words alone (L82-84).

        "Both parts" are there; each is in one piece and they are apart after the move, unless any parts will do: then
        only the one that moves has to be in one piece.
        """
        rest = set(tiles) - set(part)
        if not part or not rest or not set(part) <= set(tiles) or not in_one_piece(part):
            return False
        if not self.can_shift(part, direction, times):
            return False
        if self.rule["split_parts"] == "any":
            return True
        moved = {step(tile, direction, times) for tile in part}
        return in_one_piece(rest) and not any(space in rest for tile in moved for space in around(tile))

    def parts(self, tiles: Collection[Space], direction: str, times: int) -> Iterator[frozenset[Space]]:
        """Every part that may split off.

        A tile takes others along: those in its way and, where the parts must come apart, those of its continent that
        it would lie beside. What takes along a tile that cannot move has to stay.
        """
        land = frozenset(tiles)
        apart = self.rule["split_parts"] == "apart"
        takes: dict[Space, set[Space]] = {}
        stuck = set()
        for tile in land:
            way = [step(tile, direction, n) for n in range(1, times + 1)]
            takes[tile] = land & set(way + (around(way[-1]) if apart else []))
            if any(s not in self.spaces or (s in self.land and s not in land) for s in way):
                stuck.add(tile)
        along = {tile: frozenset(all_along(tile, takes)) for tile in land}
        yield from _divide(
            land,
            frozenset(),
            frozenset(tile for tile in land if along[tile] & stuck),
            along,
            apart,
        )

    def part_actions(self, tiles: Collection[Space], direction: str, times: int) -> list[str]:
        """The parts in words: one more than may be listed, if there are that many."""
        parts = islice(self.parts(tiles, direction, times), self.rule["split_list"] + 1)
        return ["part " + " ".join(name(tile) for tile in reading(part)) for part in parts]

    def splits(self, kind: str) -> list[str]:
        return [
            f"{name(tiles[0])} {direction}"
            for tiles in self.targets(kind)
            for direction in DIRECTIONS
            if next(self.parts(tiles, direction, self.distance(kind)), None)
        ]

    def split(self, part: Collection[Space], direction: str, times: int) -> None:
        """Move a part away: from now on it is a continent by itself."""
        home = next(self.homes)
        for tile in part:
            self.land[tile].home = home
        self.shift(part, direction, times)

    # -- orogeny ----------------------------------------------------------------------------------

    def orogenies(self) -> list[str]:
        """A plain tile beside the ocean is laid on a plain tile next to it (L88)."""
        return [
            f"{name(tile)} onto {name(other)}"
            for tiles in self.targets("Orogeny")
            for tile in tiles
            if not self.land[tile].mountain and any(s not in self.land for s in self.beside(tile))
            for other in self.beside(tile)
            if other in self.land and not self.land[other].mountain
            if self.rule["orogeny_cut"] or in_one_piece(set(tiles) - {tile})
        ]

    def raise_mountain(self, way: str) -> None:
        """The tile below stays where it is and in its continent; the one laid on it shows its value."""
        tile, other = (read_space(word) for word in way.split(" onto "))
        self.remove(tile)
        self.remove(other)
        upper = self.land.pop(tile)
        self.land[other].mountain = True
        self.land[other].printed = upper.printed


def all_along(tile: Space, takes: dict[Space, set[Space]]) -> set[Space]:
    """A tile with all that it takes along, and that those take along."""
    found, edge = {tile}, [tile]
    while edge:
        new = takes[edge.pop()] - found
        found |= new
        edge += new
    return found


def _divide(
    land: frozenset[Space],
    going: frozenset[Space],
    staying: frozenset[Space],
    along: dict[Space, frozenset[Space]],
    apart: bool,
) -> Iterator[frozenset[Space]]:
    """Every way to let the tiles go or stay that are not settled yet."""
    if not _can_hang_together(going, land - staying):
        return
    if apart and not _can_hang_together(staying, land - going):
        return
    if len(going) + len(staying) == len(land):
        if going and staying:
            yield going
        return
    tile = min(land - going - staying)
    if not along[tile] & staying:
        yield from _divide(land, going | along[tile], staying, along, apart)
    with_it = frozenset(other for other in land if tile in along[other])
    if not with_it & going:
        yield from _divide(land, going, staying | with_it, along, apart)


def _can_hang_together(some: frozenset[Space], among: frozenset[Space]) -> bool:
    return not some or some <= piece_of(next(iter(some)), among)
