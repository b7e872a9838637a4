"""What a game of Drifting Lands is worth to each player, and who wins it (L116-158)."""

from __future__ import annotations

from tests.reference.drifting_lands.board import SEATS, Board
from tests.reference.drifting_lands.map import Space


class Scoring(Board):
    """Continents, pawns and unused cards, as if the game ended now."""

    def value(self, space: Space) -> int:
        """What the tile here is worth."""
        tile = self.land[space]
        value = tile.printed if self.rule["tile_value"] == "printed" else self.space_value(space)
        return value * (int(self.rule["mountain_factor"]) if tile.mountain else 1)

    def least(self) -> int:
        """The total level that has to be exceeded (L144)."""
        whom = self.rule["threshold_for"]
        applies = whom == "all" or (whom == "two players" and self.players == 2)
        return int(self.rule["threshold"]) if applies else 0

    def continent_score(self, tiles: list[Space]) -> list[int]:
        """The points of each seat for one continent."""
        value = sum(self.value(tile) for tile in tiles)
        sums = [0] * self.players
        for tile in tiles:
            if tile in self.pawns:
                seat, level = self.pawns[tile]
                sums[seat] += level
        least = self.least()
        points = [0] * self.players
        if max(sums) <= least:
            return points
        if self.rule["threshold_second"] == "first only":
            least = 0
        ranks = sorted({total for total in sums if total > least}, reverse=True)
        firsts = [seat for seat, total in enumerate(sums) if total == ranks[0]]
        for seat in firsts:
            points[seat] = value // len(firsts)
        if len(firsts) == 1 and len(ranks) > 1:
            seconds = [seat for seat, total in enumerate(sums) if total == ranks[1]]
            for seat in seconds:
                points[seat] = value // 2 // len(seconds)
        return points

    def continent_scores(self) -> list[int]:
        each = [self.continent_score(tiles) for tiles in self.continents()]
        return [sum(points[seat] for points in each) for seat in range(self.players)]

    def levels(self, seat: int) -> list[int]:
        """The levels of a seat's pawns on the board."""
        return [level for owner, level in self.pawns.values() if owner == seat]

    def scores(self) -> list[int]:
        """The points of each seat."""
        return [
            on_land
            + sum(self.levels(seat))
            + sum(self.points[kind] for kind in self.deck[seat] + self.hand[seat])
            for seat, on_land in enumerate(self.continent_scores())
        ]

    def sides(self) -> list[list[int]]:
        """Who wins together: two teams across the table, or everybody alone."""
        if self.rule["team_variety"]:
            return [[0, 2], [1, 3]]
        return [[seat] for seat in range(self.players)]

    def standings(self) -> list[tuple[int, int]]:
        """What ranks each side: its points, then what breaks ties."""
        points, broken = self.scores(), self.rule["tie_break"]
        ties = [
            len(self.levels(seat))
            if broken == "pawns"
            else sum(self.levels(seat))
            if broken == "levels"
            else 0
            for seat in range(self.players)
        ]
        return [
            (sum(points[seat] for seat in side), sum(ties[seat] for seat in side)) for side in self.sides()
        ]

    def winners(self) -> list[list[int]]:
        """The sides that are ahead."""
        standings = self.standings()
        return [side for side, standing in zip(self.sides(), standings) if standing == max(standings)]

    def winner_text(self) -> str:
        """Who is ahead: a seat, a side, several of more, or a tie of all."""
        ahead = self.winners()
        if len(ahead) > 1 and len(ahead) == len(self.sides()):
            return "tie"
        return "+".join(SEATS[seat] for side in ahead for seat in side)
