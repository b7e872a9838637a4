"""Terrain and track from their files, checked: what cannot be played is refused in one line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.core.errors import Refusal, nearest
from sim.core.files import Parts, read_part
from sim.games.mars.rules.params import CARDS
from sim.games.mars.rules.state import MAX_SQUARES, MAX_TILES, RUIN_CORNER, STOP

_FOLDER = Path(__file__).resolve().parent
PLACES = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}
"""Places (landing base and Supply Stop) of the seats, by number of players."""
DIRECTIONS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
_MAP_KEYS = ("about", "radius", "tiles", "embassy", "bases", "rocky", "crater", "overlays")
_TRACK_KEYS = ("about", "side")
SQUARES = {"M": 0, "W": 1, "S": 2, "RUIN": RUIN_CORNER, "STOP": STOP}

Hex = tuple[int, int]


@dataclass(frozen=True)
class Terrain:
    """A terrain: what refusals call it, tiles in reading order, what they are, bases and overlays by place."""

    where: str
    about: str
    tiles: tuple[Hex, ...]
    embassy: Hex
    bases: tuple[Hex, ...]
    rocky: frozenset[Hex]
    crater: frozenset[Hex]
    overlays: tuple[frozenset[Hex], ...]


def _hexes(value: Any, where: str) -> list[Hex]:
    whole = isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(type(x) is int for x in pair) for pair in value
    )
    if not whole:
        raise Refusal(f"{where}: should be a list of hexes, such as [[0, 1], [2, -1]]")
    return [(pair[0], pair[1]) for pair in value]


def read_terrain(path: Path, where: str) -> Terrain:
    """Return the terrain that a map file describes; `Refusal` names what is wrong."""
    data = read_part(path, where, _MAP_KEYS)
    if ("radius" in data) == ("tiles" in data):
        raise Refusal(f"{where}: give either radius or tiles")
    if "radius" in data:
        n = data["radius"]
        if type(n) is not int or not 2 <= n <= 5:
            raise Refusal(f"{where}: radius = {n!r}: should be a whole number from 2 to 5")
        cells = [(q, r) for r in range(-n, n + 1) for q in range(-n, n + 1) if abs(q + r) <= n]
    else:
        cells = _hexes(data["tiles"], f"{where}: tiles")
    if len(set(cells)) != len(cells):
        twice = next(cell for cell in cells if cells.count(cell) > 1)
        raise Refusal(f"{where}: hex {list(twice)} is given twice")
    if len(cells) > MAX_TILES:
        raise Refusal(f"{where}: {len(cells)} hexes are more than {MAX_TILES}")
    if any(abs(q) > 60 or abs(r) > 60 for q, r in cells):
        raise Refusal(f"{where}: coordinates must lie between -60 and 60")
    terrain = Terrain(
        where=where,
        about=str(data.get("about", "")),
        tiles=tuple(sorted(cells, key=lambda cell: (cell[1], cell[0]))),
        embassy=_hexes([data.get("embassy")], f"{where}: embassy")[0],
        bases=tuple(_hexes(data.get("bases"), f"{where}: bases")),
        rocky=frozenset(_hexes(data.get("rocky", []), f"{where}: rocky")),
        crater=frozenset(_hexes(data.get("crater", []), f"{where}: crater")),
        overlays=_overlays(data.get("overlays", [[], [], [], []]), where),
    )
    _check(terrain, where)
    return terrain


def _overlays(value: Any, where: str) -> tuple[frozenset[Hex], ...]:
    if not isinstance(value, list) or len(value) != 4:
        raise Refusal(f"{where}: overlays should be four lists of hexes, one a place")
    return tuple(frozenset(_hexes(part, f"{where}: overlays")) for part in value)


def _check(terrain: Terrain, where: str) -> None:
    """Refuse what does not fit together."""
    cells = set(terrain.tiles)
    if len(terrain.bases) != 4 or len(set(terrain.bases)) != 4:
        raise Refusal(f"{where}: bases should be four different hexes, one a place")
    groups = {"rocky": terrain.rocky, "crater": terrain.crater, "bases": terrain.bases}
    groups |= {"embassy": (terrain.embassy,), "overlays": frozenset().union(*terrain.overlays)}
    for key, hexes in groups.items():
        off = next((cell for cell in hexes if cell not in cells), None)
        if off is not None:
            raise Refusal(f"{where}: {key}: hex {list(off)} is not on the map")
    both = next(iter(terrain.rocky & terrain.crater), None)
    if both is not None:
        raise Refusal(f"{where}: hex {list(both)} is both rocky and a crater")
    for key, hexes in (("embassy", (terrain.embassy,)), ("bases", terrain.bases)):
        for cell in hexes:
            if cell in terrain.rocky or cell in terrain.crater:
                raise Refusal(f"{where}: {key}: hex {list(cell)} is not flat")
    if terrain.embassy in terrain.bases:
        raise Refusal(f"{where}: the Embassy stands on a landing base")


def craters(terrain: Terrain, players: int, overlays: bool) -> frozenset[Hex]:
    """Return the craters for a number of players: overlays lie at the places of absent ones (M, optional setups)."""
    if not overlays:
        return terrain.crater
    absent = [terrain.overlays[place] for place in range(4) if place not in PLACES[players]]
    return terrain.crater.union(*absent) if absent else terrain.crater


def check_players(terrain: Terrain, players: int, overlays: bool) -> None:
    """Refuse a terrain on which a seat could not build, or never reach the Embassy."""
    where = f"{terrain.where} with {players} players"
    dark = craters(terrain, players, overlays)
    bases = [terrain.bases[place] for place in PLACES[players]]
    for cell in (*bases, terrain.embassy):
        if cell in dark:
            raise Refusal(f"{where}: an overlay covers hex {list(cell)}, a base or the Embassy")
    open_ = set(terrain.tiles) - dark
    for seat, base in enumerate(bases):
        others = {*bases, terrain.embassy} - {base}
        reached, new = {base}, {base}
        while new:
            new = {n for cell in new for n in neighbours(cell)} & open_ - reached - others
            reached |= new
        if len(reached) < 3 or not any(n in reached - {base} for n in neighbours(terrain.embassy)):
            raise Refusal(f"{where}: from the base of seat {'ABCD'[seat]} no Tunnels can reach the Embassy")


def room_for_homes(
    terrain: Terrain, players: int, overlays: bool, *, ways: bool, free_contact: bool, over_craters: bool
) -> bool:
    """Return whether from every base a Life Support Center and a Habitat beside it might be built.

    `ways`: there are Tunnels or Ruins; `free_contact`: both may touch the own HQ and the Embassy; `over_craters`:
    Ruins may lead across craters. A necessary condition, not a sufficient one.
    """
    dark = craters(terrain, players, overlays)
    bases = {terrain.bases[place] for place in PLACES[players]}
    flat = set(terrain.tiles) - dark - terrain.rocky - bases - {terrain.embassy}
    for base in bases:
        banned = bases - {base} if free_contact else bases | {terrain.embassy}
        sites = {cell for cell in flat if not banned.intersection(neighbours(cell))}
        open_ = set(terrain.tiles) - (bases | {terrain.embassy}) - (set() if over_craters else dark)
        reached, new = {base}, {base}
        while new and ways:
            new = {n for cell in new for n in neighbours(cell)} & open_ - reached
            reached |= new
        starts = reached if free_contact else reached - {base}

        def fits(cell: Hex, sites: set[Hex] = sites, starts: set[Hex] = starts) -> bool:
            beside = set(neighbours(cell))
            return any(starts & beside - {home} for home in sites & beside)

        if not any(fits(cell) for cell in sites):
            return False
    return True


def neighbours(cell: Hex) -> list[Hex]:
    """Return the six hexes around a hex."""
    return [(cell[0] + q, cell[1] + r) for q, r in DIRECTIONS]


def read_track(path: Path, where: str) -> tuple[int, ...]:
    """Return the kinds of all squares of the track that a file describes, side after side; or `Refusal`."""
    side = read_part(path, where, _TRACK_KEYS).get("side")
    if not isinstance(side, list) or not all(isinstance(square, str) for square in side):
        raise Refusal(f"{where}: side should be a list of squares")
    for square in side:
        if square not in SQUARES:
            raise Refusal(f"{where}: there is no square {square!r}{nearest(square, SQUARES)}")
    for square in ("RUIN", "STOP"):
        if side.count(square) != 1:
            raise Refusal(f"{where}: a side needs exactly one {square}, not {side.count(square)}")
    if not any(square in CARDS for square in side):
        raise Refusal(f"{where}: a side needs a resource square")
    if 4 * len(side) > MAX_SQUARES:
        raise Refusal(f"{where}: {4 * len(side)} squares are more than {MAX_SQUARES}")
    return tuple(SQUARES[square] for square in side) * 4


MAPS = Parts("map", _FOLDER / "maps", read_terrain)
TRACKS = Parts("track", _FOLDER / "tracks", read_track)
