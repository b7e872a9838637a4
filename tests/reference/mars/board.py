"""The terrain of Migration: Mars for the plain referee: what lies where, what is linked, where one may build.

Line numbers after ``M:`` are those of the rulebook's text.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from tests.reference.mars.rules import BUILDINGS, PRODUCTION

Tile = tuple[int, int]

SIDES = 4
PLACES = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}
TRACKS = {
    "default": ["RUIN", "W", "S", "M", "STOP", "W", "S", "M"],
    "short": ["RUIN", "W", "S", "M", "STOP", "W", "S"],
    "long": ["RUIN", "W", "S", "M", "STOP", "W", "S", "M", "W"],
}
MAPS: dict[str, dict[str, Any]] = {
    "default": {
        "radius": 5,
        "embassy": (0, 0),
        "bases": [(4, -3), (1, 3), (-4, 3), (-1, -3)],
        "rocky": [
            *[(1, -1), (0, -1), (0, 1), (-1, 1), (3, -1), (-2, -1), (2, 1), (-3, 1)],
            *[(3, -5), (2, -5), (-2, 5), (-3, 5)],
        ],
        "crater": [(2, -2), (0, -2), (0, 2), (-2, 2), (5, -1), (-4, -1), (4, 1), (-5, 1)],
        "overlays": [
            [(4, -3), (5, -4), (4, -4), (5, -3), (3, -3), (3, -2), (3, -4), (4, -2)],
            [(1, 3), (1, 4), (0, 4), (2, 3), (0, 3), (1, 2), (-1, 4), (2, 2)],
            [(-4, 3), (-5, 4), (-4, 4), (-5, 3), (-3, 3), (-3, 2), (-3, 4), (-4, 2)],
            [(-1, -3), (-1, -4), (0, -4), (-2, -3), (0, -3), (-1, -2), (1, -4), (-2, -2)],
        ],
    },
    "lab": {
        "radius": 5,
        "embassy": (0, 0),
        "bases": [(-4, 0), (0, -4), (4, 0), (0, 4)],
        "rocky": [],
        "crater": [],
    },
}


def reading(tiles: Iterable[Tile]) -> list[Tile]:
    """Tiles in reading order: by row, then along the row."""
    return sorted(tiles, key=lambda tile: (tile[1], tile[0]))


def name(tile: Tile) -> str:
    return f"{tile[0]},{tile[1]}"


def read_tile(text: str) -> Tile:
    q, r = text.split(",")
    return int(q), int(r)


def around(tile: Tile) -> list[Tile]:
    q, r = tile
    return [(q + 1, r), (q + 1, r - 1), (q, r - 1), (q - 1, r), (q - 1, r + 1), (q, r + 1)]


def track_of(rule: dict[str, Any]) -> list[str]:
    """All squares of the track, clockwise."""
    which = rule["track"]
    side = TRACKS.get(which) or tomllib.loads(Path(which).read_text(encoding="utf-8"))["side"]
    return list(side) * SIDES


class Board:
    """What lies on the terrain; `pieces` are the players' structures, owner and kind by tile."""

    def __init__(self, rule: dict[str, Any], places: tuple[int, ...]) -> None:
        which = rule["map"]
        land = MAPS.get(which) or tomllib.loads(Path(which).read_text(encoding="utf-8"))
        size = land["radius"]
        self.rule = rule
        self.tiles = {
            (q, r) for q in range(-size, size + 1) for r in range(-size, size + 1) if abs(q + r) <= size
        }
        self.embassy: Tile = tuple(land["embassy"])
        self.bases: list[Tile] = [tuple(land["bases"][place]) for place in places]
        self.rocky = {tuple(tile) for tile in land["rocky"]}
        self.crater = {tuple(tile) for tile in land["crater"]}
        if rule["overlays"] and land.get("overlays"):
            absent = set(range(SIDES)) - set(places)
            self.crater |= {tuple(tile) for place in absent for tile in land["overlays"][place]}
        self.beside = {tile: [t for t in around(tile) if t in self.tiles] for tile in self.tiles}
        self.pieces: dict[Tile, tuple[int, str]] = {}
        self.ruins: dict[Tile, int] = {}  # whoever paid last; -1 nobody
        self.meteorites: dict[Tile, set[int]] = {}  # who may still clear it (R65)
        self.buried: dict[Tile, int] = {}  # owners of Tunnels below meteorites (R64)

    # -- what is where ----------------------------------------------------------------------------

    def own(self, seat: int, *kinds: str) -> list[Tile]:
        """The tiles of a seat's pieces of these kinds."""
        return reading(t for t, (owner, kind) in self.pieces.items() if owner == seat and kind in kinds)

    def near(self, tile: Tile) -> list[Tile]:
        return self.beside[tile]

    def touches(self, tile: Tile, others: Collection[Tile]) -> bool:
        return any(other in others for other in self.near(tile))

    def contacts(self, tile: Tile) -> list[tuple[int, str]]:
        """Owner and kind of every building that a tile touches; the Embassy's owner is -1."""
        found = [self.pieces[other] for other in self.near(tile) if other in self.pieces]
        met = [(owner, kind) for owner, kind in found if kind != "Tunnel"]
        return [*met, (-1, "Embassy")] if self.embassy in self.near(tile) else met

    # -- the link (M:146, M:248) ------------------------------------------------------------------

    def conducts(self, tile: Tile, seat: int) -> bool:
        if tile in self.ruins:
            below = self.pieces.get(tile) == (seat, "Tunnel")
            return bool(self.rule["ruin_link"] == "anyone" or self.ruins[tile] == seat or below)
        owner, kind = self.pieces.get(tile, (-1, ""))
        return owner == seat and (self.rule["link"] == "structures" or kind in ("HQ", "Tunnel"))

    def conductors(self, seat: int) -> set[Tile]:
        """What carries the link on, from the seat's HQ."""
        reached, edge = {self.bases[seat]}, [self.bases[seat]]
        while edge:
            for tile in self.near(edge.pop()):
                if tile not in reached and self.conducts(tile, seat):
                    reached.add(tile)
                    edge.append(tile)
        return reached

    def linked(self, seat: int) -> set[Tile]:
        """Every tile of the seat's linked network."""
        carrying = self.conductors(seat)
        linked = carrying | {t for t in self.own(seat, *BUILDINGS) if self.touches(t, carrying)}
        centers = [t for t in self.own(seat, "LSC") if t in linked]
        return linked | {t for t in self.own(seat, "Habitat") if self.touches(t, centers)}

    def is_way(self, tile: Tile) -> bool:
        return tile in self.ruins or self.pieces.get(tile, (-1, ""))[1] == "Tunnel"

    def ways(self, seat: int) -> set[Tile]:
        """The linked Tunnels and Ruins of a seat."""
        return {tile for tile in self.conductors(seat) if self.is_way(tile)}

    def at_embassy(self, seat: int) -> bool:
        beside = [tile for tile in self.near(self.embassy) if tile not in self.ruins]
        if self.rule["embassy_link"] == "any contact" and any(
            self.pieces.get(tile, (-1, ""))[0] == seat for tile in beside
        ):
            return True
        return self.touches(self.embassy, self.ways(seat))

    # -- where one may build (M:140-160) ----------------------------------------------------------

    def empty(self, tile: Tile) -> bool:
        taken = tile in self.pieces or tile in self.ruins or tile in self.meteorites
        return not taken and tile != self.embassy

    def terrain_bears(self, tile: Tile, kind: str) -> bool:
        if tile in self.crater:
            return bool(kind == "Ruin" and self.rule["ruin_on_crater"])
        return tile not in self.rocky or kind in ("Tunnel", "Ruin")

    def eligible(self, seat: int, kind: str) -> list[Tile]:
        """Where a seat may put a new structure of a kind, in reading order."""
        bearing = [tile for tile in reading(self.tiles) if self.terrain_bears(tile, kind)]
        if kind == "Ruin":
            return [tile for tile in bearing if self.bears_ruin(tile)]
        free = [tile for tile in bearing if self.empty(tile)]
        if kind == "Tunnel":
            if self.rule["tunnels"] == "anywhere":
                return free
            carrying = self.conductors(seat)
            return [tile for tile in free if self.touches(tile, carrying)]
        needed, allowed = self.contact_rule(seat, kind)
        near = [tile for tile in free if self.touches(tile, needed)]
        return [tile for tile in near if all(met in allowed for met in self.contacts(tile))]

    def bears_ruin(self, tile: Tile) -> bool:
        """Any tile that is free, and anybody's Tunnel (M:154, M:283)."""
        on_tunnel = self.is_way(tile) and tile not in self.ruins
        return self.empty(tile) or on_tunnel

    def contact_rule(self, seat: int, kind: str) -> tuple[set[Tile], list[tuple[int, str]]]:
        """The tiles of which a building must touch one, and the only buildings that it may touch."""
        free = self.rule["contact"] == "free"
        linked = self.linked(seat)
        if kind in PRODUCTION:
            carrying = self.conductors(seat) if self.rule["production_site"] == "gap" else set()
            return self.ways(seat) | {tile for tile in self.tiles if self.touches(tile, carrying)}, []
        if kind == "LSC":
            carry = self.rule["link"] == "structures"
            homes = {tile for tile in self.own(seat, "Habitat") if tile in linked and carry}
            needed = self.ways(seat) | homes | ({self.bases[seat]} if free else set())
            more = [(seat, "HQ"), (seat, "LSC"), (-1, "Embassy")] if free else []
            return needed, [(seat, "Habitat"), *more]
        centers = {tile for tile in self.own(seat, "LSC") if tile in linked and self.has_coupling(seat, tile)}
        return centers, [(seat, "LSC"), (seat, "Habitat"), *([(seat, "HQ"), (-1, "Embassy")] if free else [])]

    def has_coupling(self, seat: int, center: Tile) -> bool:
        """Whether a Life Support Center supports one more Habitat (M:150)."""
        coupled = [tile for tile in self.near(center) if self.pieces.get(tile) == (seat, "Habitat")]
        return len(coupled) < int(self.rule["habitats_per_lsc"])

    def without_center(self, seat: int) -> list[Tile]:
        """Habitats that touch no LSC of their owner."""
        centers = self.own(seat, "LSC")
        return [tile for tile in self.own(seat, "Habitat") if not self.touches(tile, centers)]

    def new_tiles(self, seat: int, kind: str, old: Tile) -> list[Tile]:
        """Where a lifted piece may come down again; it does not lie on the board now."""
        tiles = [tile for tile in self.eligible(seat, kind) if tile != old]
        if kind != "LSC" or self.rule["lsc_move"] == "free":
            return tiles
        kept = []
        for tile in tiles:
            self.pieces[tile] = (seat, "LSC")
            if not self.without_center(seat):
                kept.append(tile)
            del self.pieces[tile]
        return kept

    # -- meteorites (M:225-231) -------------------------------------------------------------------

    def may_strike(self, tile: Tile) -> bool:
        if tile in self.crater or tile in self.meteorites or tile == self.embassy:
            return False
        kind = self.pieces.get(tile, (-1, ""))[1]
        if kind in ("HQ", "LSC") or (kind in BUILDINGS and not self.rule["building_strikes"]):
            return False
        return tile not in self.ruins and not self.touches(tile, self.ruins)

    def strike_tiles(self) -> list[Tile]:
        return [tile for tile in reading(self.tiles) if self.may_strike(tile)]

    # -- in words ---------------------------------------------------------------------------------

    def text(self) -> str:
        words = {self.embassy: "Embassy"}
        words |= {tile: f"{'ABCD'[owner]}:{kind}" for tile, (owner, kind) in self.pieces.items()}
        for tile in self.ruins:
            words[tile] = f"{self.ruin(tile)}/{words[tile]}" if tile in words else self.ruin(tile)
        for tile, seats in self.meteorites.items():
            words[tile] = "meteorite" + (":" + "".join("ABCD"[seat] for seat in sorted(seats))) * bool(seats)
            words[tile] += f"/{'ABCD'[self.buried[tile]]}:Tunnel" if tile in self.buried else ""
        return " ; ".join(f"{name(tile)} {words[tile]}" for tile in reading(words))

    def ruin(self, tile: Tile) -> str:
        """A Ruin in words; its owner only where that matters."""
        named = self.rule["ruin_link"] == "owner" and self.ruins[tile] >= 0
        return f"{'ABCD'[self.ruins[tile]]}:Ruin" if named else "Ruin"

    def read(self, text: str) -> None:
        """Lay out what the board line of a position names."""
        for entry in text.split(" ; "):
            where, words = entry.split()
            tile = read_tile(where)
            for word in words.split("/"):
                if word.endswith("Ruin"):
                    self.ruins[tile] = "ABCD".find(word[0])
                elif word.startswith("meteorite"):
                    self.meteorites[tile] = {"ABCD".index(letter) for letter in word[10:]}
                elif tile in self.meteorites:
                    self.buried[tile] = "ABCD".index(word[0])
                elif word == "Embassy":
                    assert tile == self.embassy, entry
                else:
                    owner, kind = word.split(":")
                    self.pieces[tile] = ("ABCD".index(owner), kind)
        for seat, base in enumerate(self.bases):
            assert self.pieces[base] == (seat, "HQ"), f"no HQ of {'ABCD'[seat]} at {name(base)}"
