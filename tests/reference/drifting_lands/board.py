"""What lies and stands where in a game of Drifting Lands, and its text: the ground that the rules work on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import Any

from tests.reference.drifting_lands.cards import cards_text, deck_of, full_rules, read_cards
from tests.reference.drifting_lands.map import (
    Map,
    Space,
    around,
    name,
    pieces,
    read_space,
    reading,
    step,
)

SEATS = "ABCD"


@dataclass
class Tile:
    """A tile; `home` tells the continents apart only where they do not merge."""

    mountain: bool
    home: int
    printed: int


class Board:
    """A map with land, pawns and cards; `rule` holds all parameters."""

    def __init__(self, where: Map, params: dict[str, Any], players: int) -> None:
        self.map = where
        self.spaces = where.spaces
        self.rule = full_rules(params)
        self.players = players
        self.cards, self.points = deck_of(self.rule)
        self.homes = count()
        self.land: dict[Space, Tile] = {}
        self.pawns: dict[Space, tuple[int, int]] = {}  # seat and level
        whole = [0, *(self.rule["pawns"][level] for level in "1234")]
        self.supply = [list(whole) for _ in range(players)]
        self.hand: list[list[str]] = [[] for _ in range(players)]
        self.deck: list[list[str]] = [[] for _ in range(players)]
        self.discard: list[list[str]] = [[] for _ in range(players)]
        self.start = ["-"] * players
        self.to_move = 0

    # -- land -------------------------------------------------------------------------------------

    def lay(self, tiles: Iterable[Space]) -> None:
        """Lay plain tiles that are one continent."""
        home = next(self.homes)
        for tile in tiles:
            self.land[tile] = Tile(False, home, self.space_value(tile))

    def space_value(self, space: Space) -> int:
        """What a tile in this space is worth: as the map says, else by how far from the middle row it lies."""
        if self.rule["tile_value"] == "flat":
            return int(self.rule["middle_value"])
        if self.map.values is not None:
            return self.map.values[space]
        rows = [r for _, r in self.spaces]
        far = abs(space[1] - (min(rows) + max(rows)) / 2)
        zone = "equator" if far <= 1 else "middle" if far <= 3 else "polar"
        return int(self.rule[zone + "_value"])

    def continents(self) -> list[list[Space]]:
        """The tiles of each continent, in the reading order of their first tiles."""
        if self.rule["continents_merge"]:
            return pieces(self.land)
        homes: dict[int, list[Space]] = {}
        for space in reading(self.land):
            homes.setdefault(self.land[space].home, []).append(space)
        return list(homes.values())

    def continent(self, tile: str) -> list[Space]:
        return next(tiles for tiles in self.continents() if read_space(tile) in tiles)

    # -- pawns ------------------------------------------------------------------------------------

    def own(self) -> list[Space]:
        """Where the pawns of the seat to decide are."""
        return reading(space for space, (seat, _) in self.pawns.items() if seat == self.to_move)

    def beside(self, space: Space) -> list[Space]:
        """The spaces of the map beside a space."""
        return [other for other in around(space) if other in self.spaces]

    def remove(self, space: Space) -> None:
        """Put the pawn here, if any, back to its owner's supply."""
        if space in self.pawns:
            seat, level = self.pawns.pop(space)
            self.supply[seat][level] += 1

    def place(self, space: Space, level: int, seat: int) -> None:
        """Put a pawn from the supply onto a space."""
        assert space not in self.pawns
        assert self.supply[seat][level] > 0
        self.supply[seat][level] -= 1
        self.pawns[space] = (seat, level)

    def shift(self, tiles: Iterable[Space], direction: str, times: int = 1) -> None:
        """Move tiles space by space with what is on them; pawns in the ocean in their way go (L60)."""
        tiles = list(tiles)
        for _ in range(times):
            riding = {tile: self.pawns.pop(tile) for tile in tiles if tile in self.pawns}
            moving = {tile: self.land.pop(tile) for tile in tiles}
            for tile in tiles:
                self.remove(step(tile, direction))
                self.land[step(tile, direction)] = moving[tile]
            self.pawns |= {step(tile, direction): pawn for tile, pawn in riding.items()}
            tiles = [step(tile, direction) for tile in tiles]

    # -- in words ---------------------------------------------------------------------------------

    def read_land(self, text: str) -> None:
        """Lay the land of a position: continents in brackets, `^` mountains, `=` printed values."""
        self.land = {}
        for group in re.findall(r"\[([^]]*)\]", text) or ([] if text == "-" else [text]):
            tiles = re.findall(r"(-?\d+,-?\d+)(\^?)(?:=(\d+))?", group)
            self.lay(read_space(tile) for tile, _, _ in tiles)
            for tile, mountain, printed in tiles:
                here = self.land[read_space(tile)]
                here.mountain = mountain == "^"
                here.printed = int(printed) if printed else here.printed

    def read_seat(self, seat: int, text: str) -> None:
        """Set what a seat has, as its line of a position says; parts that are left out stay as they are."""
        parts = dict(part.strip().split(" ", 1) for part in text.split(" | ") if part.strip())
        for space, level in re.findall(r"(\S+):(\d)", parts.get("pawns", "-")):
            self.pawns[read_space(space)] = (seat, int(level))
            self.supply[seat][int(level)] = max(0, self.supply[seat][int(level)] - 1)
        if "supply" in parts:
            self.supply[seat] = [0, *(int(n) for n in parts["supply"].split())]
        for word, cards in (("hand", self.hand), ("deck", self.deck), ("discard", self.discard)):
            if word in parts:
                cards[seat] = read_cards(parts[word])
        self.start[seat] = parts.get("start", self.start[seat])

    def land_text(self) -> str:
        groups = [" ".join(self.tile_text(tile) for tile in tiles) for tiles in self.continents()]
        return " ".join(f"[{group}]" for group in groups) or "-"

    def tile_text(self, space: Space) -> str:
        tile = self.land[space]
        printed = f"={tile.printed}" if self.rule["tile_value"] == "printed" else ""
        return name(space) + "^" * tile.mountain + printed

    def seat_text(self, seat: int) -> str:
        own = reading(space for space, pawn in self.pawns.items() if pawn[0] == seat)
        pawns = " ".join(f"{name(space)}:{self.pawns[space][1]}" for space in own) or "-"
        parts = [f"start {self.start[seat]}", f"pawns {pawns}"]
        parts.append("supply " + " ".join(str(n) for n in self.supply[seat][1:]))
        for word, cards in (("hand", self.hand), ("deck", self.deck), ("discard", self.discard)):
            parts.append(f"{word} {cards_text(cards[seat])}")
        return " | ".join(parts)
