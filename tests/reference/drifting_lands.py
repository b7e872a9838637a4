"""A plain referee for Drifting Lands: the rules once more, without speed, from the drift phase on."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import groupby

from tests.reference.drifting_lands_map import (
    BIG,
    DIRECTIONS,
    Space,
    around,
    in_one_piece,
    name,
    pieces,
    read_space,
    reading,
    step,
    whole_parts,
)

# The stand-in deck: what a card that is left over scores.
POINTS = {
    "Drifting": 1,
    "Ultra Drifting": 2,
    "Splitting": 1,
    "Ultra Splitting": 2,
    "Orogeny": 2,
    "Moving": 1,
    "Migrating": 2,
    "Breeding": 1,
    "Reproducing": 2,
    "Evolving": 1,
    "Mutating": 2,
}
KINDS = list(POINTS)


def cards_text(cards: list[str]) -> str:
    """Cards in the order of the kinds, copies counted."""
    groups = [(kind, len(list(group))) for kind, group in groupby(sorted(cards, key=KINDS.index))]
    return " ".join(f"{n}x{kind}" if n > 1 else kind for kind, n in groups) or "-"


def read_cards(text: str) -> list[str]:
    found = re.findall(r"(?:(\d+)x)?((?:Ultra )?\w+)", text) if text != "-" else []
    return [kind for n, kind in found for _ in range(int(n or 1))]


class Referee:
    """A game from a position of the default rules on; `spaces` are the spaces of the map."""

    def __init__(self, position: str, spaces: Collection[Space]) -> None:
        head, first, land, *seats, pending = position.strip().splitlines()
        found = re.fullmatch(r"round (\d+), turn (\d+), (?:([A-D]): )?(\w+)", head)
        assert found is not None, head
        self.spaces = set(spaces)
        self.round, self.turn, self.phase = int(found[1]), int(found[2]), found[4]
        self.first = "ABCD".index(first.removeprefix("first: "))
        self.to_move = "ABCD".index(found[3] or "A")
        tiles = re.findall(r"(-?\d+,-?\d+)(\^?)", land)
        self.land = {read_space(tile): mountain == "^" for tile, mountain in tiles}
        self.pawns: dict[Space, tuple[int, int]] = {}
        self.supply: list[list[int]] = []
        self.hand: list[list[str]] = []
        self.deck: list[list[str]] = []
        self.discard: list[list[str]] = []
        self.start: list[str] = []
        for seat, line in enumerate(seats):
            parts = dict(part.split(" ", 1) for part in line.split(": ", 1)[1].split(" | "))
            for space, level in re.findall(r"(\S+):(\d)", parts["pawns"]):
                self.pawns[read_space(space)] = (seat, int(level))
            self.supply.append([0, *(int(n) for n in parts["supply"].split())])
            self.hand.append(read_cards(parts["hand"]))
            self.deck.append(read_cards(parts["deck"]))
            self.discard.append(read_cards(parts["discard"]))
            self.start.append(parts["start"])
        assert pending == "pending: -", "a referee begins between two turns"
        self.splitting: tuple[str, list[Space], str] | None = None
        self.expelled: tuple[int, int, Space, Space] | None = None  # seat, level, where, mover's old space

    @property
    def players(self) -> int:
        return len(self.supply)

    def continents(self) -> list[list[Space]]:
        return pieces(self.land)

    def own(self) -> list[Space]:
        """Where the pawns of the seat to decide are."""
        return reading(space for space, (seat, _) in self.pawns.items() if seat == self.to_move)

    def targets(self, anywhere: bool) -> list[list[Space]]:
        own = set(self.own())
        return [tiles for tiles in self.continents() if anywhere or own & set(tiles)]

    # -- what may be done -------------------------------------------------------------------------

    def can_shift(self, tiles: Collection[Space], direction: str) -> bool:
        """No tile leaves the map or comes onto a tile that stays (L58)."""
        to = {step(tile, direction) for tile in tiles}
        return to <= self.spaces and not to & (set(self.land) - set(tiles))

    def drifts(self, anywhere: bool = False) -> list[str]:
        return [
            f"{name(tiles[0])} {direction}"
            for tiles in self.targets(anywhere)
            for direction in DIRECTIONS
            if self.can_shift(tiles, direction)
        ]

    def is_part(self, part: Collection[Space], tiles: Collection[Space], direction: str) -> bool:
        """Both parts are there, each in one piece, and apart after the move (L82-84)."""
        rest = set(tiles) - set(part)
        whole = part and rest and in_one_piece(part) and in_one_piece(rest)
        return bool(whole) and self.comes_apart(part, tiles, direction)

    def comes_apart(self, part: Collection[Space], tiles: Collection[Space], direction: str) -> bool:
        moved = {step(tile, direction) for tile in part}
        rest = set(tiles) - set(part)
        if moved & rest or any(space in rest for tile in moved for space in around(tile)):
            return False
        return self.can_shift(part, direction)

    def parts(self, tiles: list[Space], direction: str) -> list[str]:
        """The parts that may split off; only for continents that are not too big."""
        assert len(tiles) <= BIG
        return [
            "part " + " ".join(name(tile) for tile in reading(part))
            for part in whole_parts(frozenset(tiles), True)
            if self.comes_apart(part, tiles, direction)
        ]

    def splits(self, anywhere: bool) -> list[str]:
        """What may be split; of continents that are too big for a list nothing is said."""
        return [
            f"{name(tiles[0])} {direction}"
            for tiles in self.targets(anywhere)
            if len(tiles) <= BIG
            for direction in DIRECTIONS
            if self.parts(tiles, direction)
        ]

    def orogenies(self) -> list[str]:
        """A plain tile beside the ocean is laid on a plain tile next to it (L88)."""
        return [
            f"{name(tile)} onto {name(other)}"
            for tiles in self.targets(False)
            for tile in tiles
            if not self.land[tile] and any(s in self.spaces and s not in self.land for s in around(tile))
            for other in around(tile)
            if self.land.get(other) is False
        ]

    def height(self, space: Space) -> int:
        return 0 if space not in self.land else 2 if self.land[space] else 1

    def moves(self, steps: int) -> list[str]:
        """Where each own pawn can end (L92-98)."""
        found = ["stay"]
        for start in self.own():
            level = self.pawns[start][1]
            cheapest, edge = {start: 0}, [start]
            while edge:
                space = edge.pop()
                if space in self.pawns and self.pawns[space][0] != self.to_move:
                    continue  # here a move can only end
                for other in around(space):
                    if other not in self.spaces:
                        continue
                    cost = cheapest[space] + 1 + max(0, self.height(other) - self.height(space))
                    seat, their = self.pawns.get(other, (self.to_move, 0))
                    closed = seat != self.to_move and their >= level
                    if cost <= steps and cost < cheapest.get(other, steps + 1) and not closed:
                        cheapest[other] = cost
                        edge.append(other)
            found += [
                f"{name(start)} to {name(end)}"
                for end in cheapest
                if end not in self.pawns or self.pawns[end][0] != self.to_move
            ]
        return found

    def breedings(self) -> list[str]:
        if not self.supply[self.to_move][1]:
            return ["evolve " + name(space) for space in self.upgrades(1)]
        beside = {space for own in self.own() for space in around(own)}
        return ["at " + name(space) for space in beside & self.spaces if space not in self.pawns]

    def upgrades(self, by: int) -> list[Space]:
        supply = self.supply[self.to_move]
        return [s for s in self.own() if self.pawns[s][1] + by <= 4 and supply[self.pawns[s][1] + by]]

    def ways(self, kind: str) -> list[str]:
        """What a card can do."""
        if kind.endswith("Drifting"):
            return self.drifts(kind.startswith("Ultra"))
        if kind.endswith("Splitting"):
            return self.splits(kind.startswith("Ultra"))
        if kind == "Orogeny":
            return self.orogenies()
        if kind in ("Moving", "Migrating"):
            return self.moves(3 if kind == "Moving" else 5)
        if kind in ("Breeding", "Reproducing"):
            return self.breedings()
        return [name(space) for space in self.upgrades(1 if kind == "Evolving" else 2)]

    def actions(self) -> set[str]:
        """Every legal action of the seat to decide."""
        if self.phase == "drift":
            return {"drift " + way for way in self.drifts()} or {"stay"}
        if self.phase == "select":
            return {"select " + kind for kind in self.deck[self.to_move]}
        if self.phase == "part":
            assert self.splitting is not None
            return set(self.parts(*self.splitting[1:]))
        if self.phase == "expel":
            return {"expel to " + name(space) for space in self.refuges()}
        if self.phase == "second":
            return set(self.breedings())
        hand = set(self.hand[self.to_move])
        return {f"{kind} {way}" for kind in hand for way in self.ways(kind) or ["without effect"]}

    def refuges(self) -> list[Space]:
        assert self.expelled is not None
        return [s for s in around(self.expelled[2]) if s in self.spaces and s not in self.pawns]

    # -- doing it ---------------------------------------------------------------------------------

    def remove(self, space: Space) -> None:
        if space in self.pawns:
            seat, level = self.pawns.pop(space)
            self.supply[seat][level] += 1

    def shift(self, tiles: Collection[Space], direction: str) -> None:
        """Move tiles with what is on them; pawns in the ocean in their way are removed (L60)."""
        riding = {tile: self.pawns.pop(tile) for tile in tiles if tile in self.pawns}
        sides = {tile: self.land.pop(tile) for tile in tiles}
        for tile, mountain in sides.items():
            self.remove(step(tile, direction))
            self.land[step(tile, direction)] = mountain
        self.pawns |= {step(tile, direction): pawn for tile, pawn in riding.items()}

    def upgrade(self, space: Space, by: int) -> None:
        level = self.pawns[space][1]
        self.remove(space)
        self.place(space, level + by)

    def place(self, space: Space, level: int) -> None:
        self.supply[self.to_move][level] -= 1
        self.pawns[space] = (self.to_move, level)

    def breed(self, way: str) -> None:
        word, space = way.split()
        if word == "at":
            self.place(read_space(space), 1)
        else:
            self.upgrade(read_space(space), 1)

    def continent(self, tile: str) -> list[Space]:
        return next(tiles for tiles in self.continents() if read_space(tile) in tiles)

    def do(self, action: str) -> None:
        """Take a legal action."""
        words = action.split()
        if self.phase == "drift":
            if action != "stay":
                self.shift(self.continent(words[1]), words[2])
            self.turn += 1
            self.next_seat()
        elif self.phase == "select":
            kind = action.removeprefix("select ")
            self.deck[self.to_move].remove(kind)
            self.hand[self.to_move].append(kind)
            if len(self.hand[self.to_move]) == 4:
                self.next_seat()
        elif self.phase == "part":
            assert self.splitting is not None
            self.shift([read_space(word) for word in words[1:]], self.splitting[2])
            self.splitting = None
            self.end_turn()
        elif self.phase == "expel":
            assert self.expelled is not None
            self.pawns[read_space(words[2])] = self.expelled[:2]
            self.expelled = None
            self.end_turn()
        elif self.phase == "second":
            self.breed(action)
            self.end_turn()
        else:
            kind = next(kind for kind in KINDS if action.startswith(kind + " "))
            self.hand[self.to_move].remove(kind)
            self.discard[self.to_move].append(kind)
            self.play(kind, action.removeprefix(kind + " "))

    def play(self, kind: str, way: str) -> None:
        words = way.split()
        if way in ("without effect", "stay"):
            pass
        elif kind.endswith("Drifting"):
            self.shift(self.continent(words[0]), words[1])
        elif kind.endswith("Splitting"):
            self.splitting = (kind, self.continent(words[0]), words[1])
            self.phase = "part"
        elif kind == "Orogeny":
            for word in (words[0], words[2]):
                self.remove(read_space(word))
            del self.land[read_space(words[0])]
            self.land[read_space(words[2])] = True
        elif kind in ("Moving", "Migrating"):
            start, end = read_space(words[0]), read_space(words[2])
            met = self.pawns.pop(end, None)
            self.pawns[end] = self.pawns.pop(start)
            if met is not None:
                self.expelled = (*met, end, start)
                self.phase = "expel"
                if not self.refuges():
                    self.supply[met[0]][met[1]] += 1
                    self.expelled, self.phase = None, "play"
        elif kind in ("Breeding", "Reproducing"):
            self.breed(way)
            if kind == "Reproducing" and self.breedings():
                self.phase = "second"
        else:
            self.upgrade(read_space(way), 1 if kind == "Evolving" else 2)
        if self.phase == "play":
            self.end_turn()

    def next_seat(self) -> None:
        """The next seat clockwise drifts or selects; after the last the next phase begins."""
        self.to_move = (self.to_move + 1) % self.players
        if self.to_move == self.first:
            self.phase = "select" if self.phase == "drift" else "play"

    def end_turn(self) -> None:
        self.turn += 1
        self.phase = "play"
        for k in range(1, self.players + 1):
            seat = (self.to_move + k) % self.players
            if self.hand[seat]:
                self.to_move = seat
                return
        if self.round == 4:
            self.phase = "over"
            return
        self.round += 1
        self.first = self.to_move = (self.first + 1) % self.players
        self.phase = "drift"

    # -- the end ----------------------------------------------------------------------------------

    def value(self, tile: Space) -> int:
        """A space is worth more the nearer to the middle row it lies; mountains double."""
        rows = [r for _, r in self.spaces]
        far = abs(tile[1] - (min(rows) + max(rows)) / 2)
        return (3 if far <= 1 else 2 if far <= 3 else 1) * (2 if self.land[tile] else 1)

    def scores(self) -> list[int]:
        """Continents, pawns and unused cards (L116-144)."""
        points = [sum(POINTS[kind] for kind in self.deck[s] + self.hand[s]) for s in range(self.players)]
        for seat, level in self.pawns.values():
            points[seat] += level
        for tiles in self.continents():
            value = sum(self.value(tile) for tile in tiles)
            sums = [0] * self.players
            for seat, level in (self.pawns[tile] for tile in tiles if tile in self.pawns):
                sums[seat] += level
            least = 2 if self.players == 2 else 0  # L144
            ranks = sorted({total for total in sums if total > least}, reverse=True)
            firsts = [seat for seat, total in enumerate(sums) if ranks and total == ranks[0]]
            seconds = [seat for seat, total in enumerate(sums) if len(ranks) > 1 and total == ranks[1]]
            for seat in firsts:
                points[seat] += value // len(firsts)
            if len(firsts) == 1:
                for seat in seconds:
                    points[seat] += value // 2 // len(seconds)
        return points

    # -- in words ---------------------------------------------------------------------------------

    def pending_text(self) -> str:
        if self.splitting is not None:
            kind, tiles, direction = self.splitting
            return f"{kind} {name(tiles[0])} {direction}"
        if self.expelled is not None:
            seat, level, where, start = self.expelled
            return f"{'ABCD'[seat]} {level} at {name(where)} from {name(start)}"
        return "Reproducing" if self.phase == "second" else "-"

    def position_text(self) -> str:
        """The position, as the engine writes it."""
        who = "" if self.phase == "over" else f"{'ABCD'[self.to_move]}: "
        groups = [" ".join(name(t) + "^" * self.land[t] for t in tiles) for tiles in self.continents()]
        lines = [f"round {self.round}, turn {self.turn}, {who}{self.phase}", f"first: {'ABCD'[self.first]}"]
        lines.append("land: " + (" ".join(f"[{group}]" for group in groups) or "-"))
        for seat in range(self.players):
            own = reading(space for space, pawn in self.pawns.items() if pawn[0] == seat)
            pawns = " ".join(f"{name(space)}:{self.pawns[space][1]}" for space in own) or "-"
            parts = [f"start {self.start[seat]}", f"pawns {pawns}"]
            parts.append("supply " + " ".join(str(n) for n in self.supply[seat][1:]))
            for word, cards in (("hand", self.hand), ("deck", self.deck), ("discard", self.discard)):
                parts.append(f"{word} {cards_text(cards[seat])}")
            lines.append(f"{'ABCD'[seat]}: " + " | ".join(parts))
        return "\n".join([*lines, f"pending: {self.pending_text()}"])
