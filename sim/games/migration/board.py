"""The map of a game: Regions, Island Plates, and what makes a map legal.

Hexes are axial pairs ``(q, r)``; ``r`` grows downwards (south), ``q`` eastwards. The shapes of the plates and
their Forests are stand-ins F6 and F7, the counts of the modifiers stand-in F9 (``facts/stand_ins.toml``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NoReturn

from sim.core.errors import Refusal

Hex = tuple[int, int]

#: E, NE, NW, W, SW, SE: also the six directions of a Migration.
DIRECTIONS: tuple[Hex, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))

#: Terrain modifiers in the order in which they are printed.
TERRAIN: tuple[str, ...] = ("Fertile", "Lake", "Mountain", "Deep Woods", "Desert", "Oasis")

#: Modifiers in the box (stand-in F9).
MODIFIER_COUNTS: dict[str, int] = {
    "Fertile": 8,
    "Lake": 2,
    "Mountain": 2,
    "Deep Woods": 2,
    "Desert": 2,
    "Oasis": 2,
}

#: Regions that an action code can name.
MAX_REGIONS = 62

#: Land hexes of one Island Plate: a half of four and a half of three.
PLATE_REGIONS = 7

# Stand-in F6: the halves of a plate, laid so that together they are the flower around (0, 0).
# Stand-in F7: the hex of each half that shows a Forest.
PLATE_FOUR: tuple[Hex, ...] = ((0, 0), (1, 0), (1, -1), (0, -1))
PLATE_THREE: tuple[Hex, ...] = ((-1, 0), (-1, 1), (0, 1))
FOREST_FOUR: Hex = (1, -1)
FOREST_THREE: Hex = (-1, 1)


@dataclass(frozen=True)
class Half:
    """One half of an Island Plate as it lies: its land hexes and which of them shows the Forest symbol."""

    cells: tuple[Hex, ...]
    forest: Hex

    def turned(self, steps: int) -> Half:
        """The half turned by `steps` sixths of a circle (clockwise) around hex (0, 0)."""
        return Half(tuple(rotate(cell, steps) for cell in self.cells), rotate(self.forest, steps))

    def moved(self, by: Hex) -> Half:
        """The half shifted by the vector `by`."""
        return Half(tuple(add(cell, by) for cell in self.cells), add(self.forest, by))


#: Named pairs of halves (four, three). "flower" is the default of stand-in F6, the others its alternatives.
PLATE_SHAPES: dict[str, tuple[Half, Half]] = {
    "flower": (Half(PLATE_FOUR, FOREST_FOUR), Half(PLATE_THREE, FOREST_THREE)),
    "bars": (
        Half(((0, 0), (1, 0), (2, 0), (3, 0)), (1, 0)),
        Half(((0, 1), (1, 1), (2, 1)), (1, 1)),
    ),
    "star and triangle": (
        Half(((0, 0), (1, 0), (-1, 1), (0, -1)), (0, 0)),
        Half(((0, 1), (1, 1), (0, 2)), (0, 1)),
    ),
}


def add(a: Hex, b: Hex) -> Hex:
    """Sum of two hex vectors."""
    return (a[0] + b[0], a[1] + b[1])


def rotate(cell: Hex, steps: int) -> Hex:
    """`cell` turned by `steps` sixths of a circle (clockwise) around hex (0, 0)."""
    q, r = cell
    for _ in range(steps % 6):
        q, r = -r, q + r
    return (q, r)


def around(cell: Hex) -> tuple[Hex, ...]:
    """The six hexes next to `cell`, land or sea, in the order of `DIRECTIONS`."""
    return tuple(add(cell, step) for step in DIRECTIONS)


def rotations(half: Half) -> tuple[Half, ...]:
    """All distinct ways to lay a half, each with its first cell in reading order on (0, 0).

    The Forest tells ways apart: the four of the flower has 6 (3 outlines, 2 places of the Forest each), its
    three has 6. Both halves of the flower are their own mirror images, so turning a half over adds none.
    """
    ways: dict[tuple[frozenset[Hex], Hex], Half] = {}
    for steps in range(6):
        turned = half.turned(steps)
        first = min(turned.cells, key=reading_order)
        way = turned.moved((-first[0], -first[1]))
        way = Half(tuple(sorted(way.cells, key=reading_order)), way.forest)
        ways.setdefault((frozenset(way.cells), way.forest), way)
    return tuple(ways.values())


def _anchored(cells: frozenset[Hex]) -> frozenset[Hex]:
    first = min(cells, key=reading_order)
    return frozenset(add(cell, (-first[0], -first[1])) for cell in cells)


def reading_order(cell: Hex) -> tuple[int, int]:
    """Sort key of hexes: row by row from the north, each from the west."""
    return (cell[1], cell[0])


def hex_text(cell: Hex) -> str:
    """A hex as it is written in actions and positions: ``q,r``."""
    return f"{cell[0]},{cell[1]}"


@dataclass(frozen=True)
class Region:
    """One land hex (or a Desert laid in the sea).

    `forest` is the *printed* symbol; whether it counts under a modifier is ruling A7 (`covered_forest`).
    `sea` marks a Desert laid on a sea hex; such a Region belongs to no Island Plate.
    """

    q: int
    r: int
    terrain: frozenset[str] = frozenset()
    forest: bool = False
    sea: bool = False

    @property
    def hex(self) -> Hex:
        """Axial coordinates."""
        return (self.q, self.r)


@dataclass(frozen=True)
class Board:
    """A map: its Regions sorted by (r, q), the halves it was laid from (empty if unknown), and a name."""

    regions: tuple[Region, ...]
    halves: tuple[Half, ...] = ()
    name: str = ""

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.regions, key=lambda region: reading_order(region.hex)))
        object.__setattr__(self, "regions", ordered)
        for before, after in pairwise(ordered):
            if before.hex == after.hex:
                self._refuse(before, "is given twice")
        for region in ordered:
            unknown = sorted(region.terrain - set(TERRAIN))
            if unknown:
                self._refuse(region, f"has unknown terrain {unknown[0]!r}")
            if region.sea and "Desert" not in region.terrain:
                self._refuse(region, "lies in the sea, where only a Desert may be")
            if region.sea and region.forest:
                self._refuse(region, "lies in the sea and cannot show a Forest symbol")

    def _refuse(self, region: Region, reason: str) -> NoReturn:
        raise Refusal(f"map{_named(self.name)}: hex {hex_text(region.hex)} {reason}")

    @cached_property
    def index(self) -> dict[Hex, int]:
        """Hex -> place of its Region in `regions`."""
        return {region.hex: i for i, region in enumerate(self.regions)}

    def at(self, cell: Hex) -> Region | None:
        """The Region on a hex, None for open sea."""
        i = self.index.get(cell)
        return None if i is None else self.regions[i]

    def neighbours(self, cell: Hex) -> tuple[Hex, ...]:
        """Hexes next to `cell` that are Regions, in the order of `DIRECTIONS`."""
        return tuple(other for other in around(cell) if other in self.index)

    def is_interior(self, cell: Hex) -> bool:
        """Whether the Region on `cell` has land on all six sides (a Desert in the sea is land, A8, A15)."""
        return cell in self.index and len(self.neighbours(cell)) == 6

    def is_coastal(self, cell: Hex, enclosed_sea: str = "coastal", sea_desert_is_region: bool = True) -> bool:
        """Whether the Region on `cell` touches the sea.

        Parameters
        ----------
        enclosed_sea
            Ruling A2. "coastal": any sea hex counts; "neither": only sea that is joined to the open sea, so
            that a Region at an enclosed hole alone is neither Coastal nor Interior.
        sea_desert_is_region
            Ruling A8. False: a Desert in the sea is never Coastal itself.
        """
        region = self.at(cell)
        if region is None or (region.sea and not sea_desert_is_region):
            return False
        sea = (other for other in around(cell) if other not in self.index)
        if enclosed_sea == "coastal":
            return any(True for _ in sea)
        return any(other not in self._enclosed for other in sea)

    @cached_property
    def _enclosed(self) -> frozenset[Hex]:
        """Sea hexes that cannot be reached from outside the map without crossing land."""
        if not self.regions:
            return frozenset()
        low_q, high_q = min(x.q for x in self.regions) - 1, max(x.q for x in self.regions) + 1
        low_r, high_r = min(x.r for x in self.regions) - 1, max(x.r for x in self.regions) + 1
        box = {(q, r) for q in range(low_q, high_q + 1) for r in range(low_r, high_r + 1)} - set(self.index)
        rim = [c for c in box if c[0] in (low_q, high_q) or c[1] in (low_r, high_r)]
        return frozenset(box - set().union(*components(box, starts=rim)))

    def islands(self, sea_deserts: bool = True) -> list[frozenset[Hex]]:
        """Connected parts of the land, the largest first; False leaves out Deserts in the sea."""
        land = {region.hex for region in self.regions if sea_deserts or not region.sea}
        return sorted(components(land), key=lambda part: (-len(part), min(map(reading_order, part))))


def components(cells: Iterable[Hex], starts: Iterable[Hex] | None = None) -> list[frozenset[Hex]]:
    """Connected parts of a set of hexes; with `starts`, only the parts that hold one of these."""
    left = set(cells)
    parts: list[frozenset[Hex]] = []
    for start in sorted(left if starts is None else starts, key=reading_order):
        if start not in left:
            continue
        left.discard(start)
        part, front = {start}, [start]
        while front:
            for other in around(front.pop()):
                if other in left:
                    left.discard(other)
                    part.add(other)
                    front.append(other)
        parts.append(frozenset(part))
    return parts


def ways_to_lay(plate_shapes: str) -> tuple[tuple[Half, ...], tuple[Half, ...]]:
    """All ways to lay a half of four and a half of three: a key of `PLATE_SHAPES`, or "any" joined hexes.

    With "any" the Forests of the halves mean nothing.
    """
    if plate_shapes == "any":
        parts = {frozenset({(0, 0)})}
        sizes: list[tuple[Half, ...]] = []
        for _ in range(3):
            rims = ((part, {new for cell in part for new in around(cell)} - part) for part in parts)
            parts = {_anchored(part | {new}) for part, rim in rims for new in rim}
            sizes.append(tuple(Half(tuple(cells), cells[0]) for cells in sorted(map(sorted, parts))))
        return sizes[2], sizes[1]
    four, three = PLATE_SHAPES[plate_shapes]
    return rotations(four), rotations(three)


def cover(
    board: Board, n_players: int, plate_shapes: str = "flower", printed: bool = False
) -> tuple[Half, ...] | None:
    """One way to lay the land from `n_players` halves of four and as many of three, None if there is none.

    No half shows more than one Forest symbol. With `printed`, each half must show it exactly where stand-in
    F7 puts it (a symbol under a modifier may be drawn or not). Deserts in the sea are no part of a plate.
    """
    land = {region.hex: region for region in board.regions if not region.sea}
    four, three = ways_to_lay(plate_shapes)
    dead: set[tuple[frozenset[Hex], int]] = set()

    def fits(half: Half) -> bool:
        shown = [cell for cell in half.cells if land[cell].forest]
        if not printed:
            return len(shown) <= 1
        return shown == [half.forest] or (not shown and bool(land[half.forest].terrain))

    def lay(free: frozenset[Hex], fours: int, threes: int) -> tuple[Half, ...] | None:
        if not free:
            return ()
        if (free, fours) in dead:
            return None
        first = min(free, key=reading_order)
        for ways, left in ((four, (fours - 1, threes)), (three, (fours, threes - 1))):
            for half in (way.moved(first) for way in ways if min(left) >= 0):
                if free.issuperset(half.cells) and fits(half):
                    rest = lay(free.difference(half.cells), *left)
                    if rest is not None:
                        return (half, *rest)
        dead.add((free, fours))
        return None

    return lay(frozenset(land), n_players, n_players) if len(land) == PLATE_REGIONS * n_players else None


def validate(
    board: Board,
    *,
    n_players: int,
    islands: str = "allowed",
    modifiers_per_region: int = 1,
    modifier_counts: Mapping[str, int] = MODIFIER_COUNTS,
    enclosed_sea: str = "coastal",
    plate_shapes: str = "flower",
) -> None:
    """Refuse a map that the Founder could not have laid, with the first reason found.

    Parameters
    ----------
    board
        The map, modifiers and printed Forests included.
    n_players
        One Island Plate each.
    islands
        Ruling A3. "allowed": halves may lie apart from the mainland, at most one half of each plate (A4), and
        an island is exactly one half. "forbidden": all plates hang together.
    modifiers_per_region
        Ruling A6, 1 to 3.
    modifier_counts
        Modifiers in the box (stand-in F9).
    enclosed_sea
        Ruling A2; only the wording of the refusal depends on it.
    plate_shapes
        Key of `PLATE_SHAPES`, or "any" for plates of unknown shape (stand-in F6).

    Raises
    ------
    Refusal
        One line with the reason.

    Notes
    -----
    Where the halves show their Forest is a guess (F7), so a drawing is taken at its word as long as the map
    can be laid with at most one symbol on each half; the maps that come with the game follow F7 exactly.
    """
    title = f"map{_named(board.name)}"
    _check_plates(board, title, n_players, islands, plate_shapes)
    _check_supply(board, title, modifiers_per_region, modifier_counts)
    _check_fertile(board, title, modifier_counts.get("Fertile", 0), enclosed_sea)


def _named(name: str) -> str:
    return f" {name!r}" if name else ""


def _check_plates(board: Board, title: str, n_players: int, islands: str, plate_shapes: str) -> None:
    if len(board.regions) > MAX_REGIONS:
        raise Refusal(f"{title}: {len(board.regions)} Regions, at most {MAX_REGIONS} can be played")
    land = {region.hex for region in board.regions if not region.sea}
    needed = PLATE_REGIONS * n_players
    if len(land) != needed:
        raise Refusal(
            f"{title}: {len(land)} Regions, but {n_players} players need {needed}, one Island Plate of "
            f"{PLATE_REGIONS} each (Deserts in the sea apart)"
        )
    for region in board.regions:
        if region.sea and not land.intersection(around(region.hex)):
            raise Refusal(f"{title}: the Desert in the sea at {hex_text(region.hex)} does not touch the land")
    parts = board.islands(sea_deserts=False)
    if islands == "forbidden" and len(parts) > 1:
        raise Refusal(
            f"{title}: the land is in {len(parts)} parts, which islands = 'forbidden' does not allow "
            f"(apart: {hex_text(min(parts[-1], key=reading_order))})"
        )
    # A part of 3 or 4 Regions is one half in every way to lay the map, so islands need no search.
    larger = [part for part in parts if len(part) not in (3, 4)]
    if len(parts) > 1 and (len(larger) > 1 or len(parts) - 1 > n_players):
        raise Refusal(
            f"{title}: the land is in {len(parts)} parts; an island must be one half of an Island Plate, "
            "with at most one half of each plate apart and the rest one mainland"
        )
    if cover(board, n_players, plate_shapes) is not None:
        return
    bare = Board(tuple(Region(*cell) for cell in land))
    if cover(bare, n_players, plate_shapes) is not None:
        raise Refusal(
            f"{title}: too many Forests, however its halves are laid one of them shows two (each shows one)"
        )
    raise Refusal(
        f"{title}: the land cannot be laid from {n_players} halves of four and {n_players} halves of three "
        f"Regions (plate shapes: {plate_shapes})"
    )


def _check_supply(board: Board, title: str, per_region: int, counts: Mapping[str, int]) -> None:
    for region in board.regions:
        if len(region.terrain) > per_region:
            raise Refusal(
                f"{title}: {len(region.terrain)} modifiers on {hex_text(region.hex)}, "
                f"modifiers_per_region allows {per_region}"
            )
    used = Counter(name for region in board.regions for name in region.terrain)
    for name in TERRAIN:
        held = counts.get(name, 0)
        if used[name] > held:
            raise Refusal(f"{title}: {used[name]} x {name}, the box holds {held} (modifier_counts)")


def _check_fertile(board: Board, title: str, supply: int, enclosed_sea: str) -> None:
    fertile = {region.hex for region in board.regions if "Fertile" in region.terrain}
    for cell in sorted(fertile, key=reading_order):
        if not board.is_interior(cell):
            where = "a Coastal" if board.is_coastal(cell, enclosed_sea) else "not an Interior"
            raise Refusal(f"{title}: Fertile at {hex_text(cell)}, {where} Region")
    plates = Board(tuple(region for region in board.regions if not region.sea))
    # Interior Regions that only a Desert in the sea makes come later and are the Founder's choice (A10).
    first = [region.hex for region in plates.regions if plates.is_interior(region.hex)]
    missing = [cell for cell in first if cell not in fertile]
    if missing and len(first) - len(missing) < supply:
        raise Refusal(
            f"{title}: Interior Region {hex_text(missing[0])} has no Fertile although "
            f"{supply - (len(first) - len(missing))} of {supply} remain for the Interior of the plates"
        )
