"""The cards that move and change pawns: Moving, Breeding, Evolving and their stronger kinds (L90-114)."""

from __future__ import annotations

from tests.reference.drifting_lands.board import Board
from tests.reference.drifting_lands.map import Space, name, read_space


class PawnCards(Board):
    """What can be done with pawns, and doing it."""

    # -- moving -----------------------------------------------------------------------------------

    def height(self, space: Space) -> int:
        """Ocean 0, plain 1, mountain 2."""
        return 0 if space not in self.land else 2 if self.land[space].mountain else 1

    def cost(self, space: Space, other: Space) -> int:
        """The steps from a space into one beside it (L92)."""
        up = self.height(other) - self.height(space)
        return int((1, self.rule["cost_up_one"], self.rule["cost_up_two"])[max(0, up)])

    def moves(self, kind: str) -> list[str]:
        """Where each own pawn can end: past own pawns, never past others, on lower ones of others (L92-98)."""
        steps = self.rule["steps_" + kind.lower()]
        found = ["stay"]
        for start in self.own():
            level = self.pawns[start][1]
            cheapest, edge = {start: 0}, [start]
            while edge:
                space = edge.pop()
                if space in self.pawns and self.pawns[space][0] != self.to_move:
                    continue  # here a move can only end
                for other in self.beside(space):
                    cost = cheapest[space] + self.cost(space, other)
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

    def move(self, way: str) -> tuple[int, int, Space, Space] | None:
        """Move a pawn; return what it met there: seat, level, where, and where the mover came from."""
        start, end = (read_space(word) for word in way.split(" to "))
        met = self.pawns.pop(end, None)
        self.pawns[end] = self.pawns.pop(start)
        return None if met is None else (*met, end, start)

    def refuges(self, expelled: tuple[int, int, Space, Space]) -> list[Space]:
        """Where an expelled pawn may go: any landscape without a pawn (L98)."""
        _, _, where, came_from = expelled
        free = [space for space in self.beside(where) if space not in self.pawns]
        return [space for space in free if self.rule["expel_back"] or space != came_from]

    # -- breeding and evolving --------------------------------------------------------------------

    def breedings(self) -> list[str]:
        """A level-1 pawn beside an own one; without any in the supply an Evolving instead (L102-106)."""
        if not self.supply[self.to_move][1]:
            return ["evolve " + name(space) for space in self.own() if self.rise("Evolving", space)]
        beside = {space for own in self.own() for space in self.beside(own)}
        return ["at " + name(space) for space in beside if space not in self.pawns]

    def breed(self, way: str) -> None:
        word, space = way.split()
        if word == "at":
            self.place(read_space(space), 1, self.to_move)
        else:
            self.upgrade("Evolving", read_space(space))

    def rise(self, kind: str, space: Space) -> int:
        """By how much a pawn can be upgraded by Evolving or Mutating; 0: it cannot (L110-112)."""
        level = self.pawns[space][1]
        supply = self.supply[self.to_move]
        for by in (1,) if kind == "Evolving" else (2,) if self.rule["mutating"] == "illegal" else (2, 1):
            if level + by <= 4 and supply[level + by]:
                return by
        return 0

    def upgrade(self, kind: str, space: Space) -> None:
        level = self.pawns[space][1] + self.rise(kind, space)
        self.remove(space)
        self.place(space, level, self.to_move)
