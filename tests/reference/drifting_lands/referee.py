"""A plain referee for Drifting Lands: the rules once more, without speed; this file has the course of a game.

The map and its text, the cards for land and for pawns, and the scoring have files of their own.
"""

from __future__ import annotations

from typing import Any

from tests.reference.drifting_lands.board import SEATS
from tests.reference.drifting_lands.cards import KINDS
from tests.reference.drifting_lands.land import LandCards
from tests.reference.drifting_lands.map import STARTS, Map, Space, load_map, name, read_space
from tests.reference.drifting_lands.pawns import PawnCards
from tests.reference.drifting_lands.scoring import Scoring


class Referee(LandCards, PawnCards, Scoring):
    """A game with the parameters `params`; `deal` sets it up."""

    def __init__(self, where: Map, params: dict[str, Any], players: int) -> None:
        super().__init__(where, params, players)
        self.round, self.turn, self.first = 1, 0, 0
        self.phase = "start"
        self.chosen: dict[int, str] = {}
        self.splitting: tuple[str, list[Space], str] | None = None
        self.expelled: tuple[int, int, Space, Space] | None = None  # seat, level, where, mover's old space

    @classmethod
    def deal(
        cls,
        params: dict[str, Any],
        players: int,
        decks: list[list[str]] | None = None,
        starts: list[str] | None = None,
    ) -> Referee:
        """The game as it is set up (L28-38); `decks` and `starts` tell what chance drew."""
        where = load_map(params.get("map", "devonian"))
        referee = cls(where, params, players)
        for tiles in where.tiles:
            referee.lay(tiles)
        referee.deck = [list(cards) for cards in decks or [referee.cards] * players]
        how = referee.rule["start_continents"]
        if how == "by seat":
            starts = ["NW", "SE"] if players == 2 else list(STARTS[:players])
        if how != "chosen":
            assert starts is not None
            assert len(set(starts)) == players
            for seat, corner in enumerate(starts):
                referee.settle(seat, corner)
            referee.phase = "drift"
        elif referee.rule["start_order"] == "last player first":
            referee.to_move = players - 1
        return referee

    # -- the start --------------------------------------------------------------------------------

    def corners(self) -> list[str]:
        """The continents that may still be chosen; with two players the one across (L142)."""
        taken = [corner for corner in self.start if corner != "-"]
        if taken and self.players == 2 and self.rule["two_player_start"] == "diagonal":
            return [STARTS[(STARTS.index(taken[0]) + 2) % 4]]
        return [corner for corner in STARTS if corner not in taken]

    def settle(self, seat: int, corner: str) -> None:
        """Choose a continent and place the first pawns (L36)."""
        self.start[seat] = corner
        for space in self.map.starts[STARTS.index(corner)][: self.rule["start_pawns"]]:
            self.place(space, 1, seat)

    # -- what may be done -------------------------------------------------------------------------

    def ways(self, kind: str) -> list[str]:
        """What a card can do."""
        if kind.endswith("Drifting"):
            return self.drifts(kind)
        if kind.endswith("Splitting"):
            return self.splits(kind)
        if kind == "Orogeny":
            return self.orogenies()
        if kind in ("Moving", "Migrating"):
            return self.moves(kind)
        if kind in ("Breeding", "Reproducing"):
            return self.breedings()
        return [name(space) for space in self.own() if self.rise(kind, space)]

    def plays(self, kind: str) -> set[str]:
        """Every action that plays a card of a kind."""
        ways = self.ways(kind)
        if not ways or (self.rule["decline"] and kind not in ("Moving", "Migrating")):
            ways = [*ways, "without effect"]
        return {f"{kind} {way}" for way in ways}

    def actions(self) -> set[str]:
        """Every legal action of the seat to decide; of a split all parts, also if they are too many to list."""
        if self.phase == "start":
            return {"start " + corner for corner in self.corners()}
        if self.phase == "drift":
            drifts = {"drift " + way for way in self.drifts("drift phase")}
            return drifts | {"stay"} if not drifts or self.rule["drifting_phase"] == "may" else drifts
        if self.phase == "select":
            return {"select " + kind for kind in self.deck[self.to_move]}
        if self.phase == "play":
            return {action for kind in set(self.hand[self.to_move]) for action in self.plays(kind)}
        if self.phase == "part":
            assert self.splitting is not None
            kind, tiles, direction = self.splitting
            return set(self.part_actions(tiles, direction, self.distance(kind)))
        if self.phase == "expel":
            assert self.expelled is not None
            places = {"expel to " + name(space) for space in self.refuges(self.expelled)}
            return places | {"remove"} if self.rule["expelling"] == "may remove" else places
        if self.phase == "second":
            return set(self.breedings()) | ({"stop"} if self.rule["decline"] else set())
        return set()

    # -- doing it ---------------------------------------------------------------------------------

    def do(self, action: str) -> None:
        """Take a legal action."""
        words = action.split()
        if self.phase == "start":
            self.settle(self.to_move, words[1])
            back = self.rule["start_order"] == "last player first"
            self.to_move = (self.to_move + (-1 if back else 1)) % self.players
            if "-" not in self.start:
                self.phase, self.to_move = "drift", self.first
        elif self.phase == "drift":
            if action != "stay":
                self.shift(self.continent(words[1]), words[2])
            self.turn += 1
            self.next_seat()
        elif self.phase == "select":
            kind = action.removeprefix("select ")
            self.deck[self.to_move].remove(kind)
            self.hand[self.to_move].append(kind)
            if self.has_selected():
                self.next_seat()
        elif self.phase == "part":
            assert self.splitting is not None
            kind, _, direction = self.splitting
            self.split([read_space(word) for word in words[1:]], direction, self.distance(kind))
            self.splitting = None
            self.end_turn()
        elif self.phase == "expel":
            self.expel(None if action == "remove" else read_space(words[2]))
            self.end_turn()
        elif self.phase == "second":
            if action != "stop":
                self.breed(action)
            self.end_turn()
        else:
            kind = next(kind for kind in KINDS if action.startswith(kind + " "))
            self.hand[self.to_move].remove(kind)
            self.discard[self.to_move].append(kind)
            self.play(kind, action.removeprefix(kind + " "))

    def play(self, kind: str, way: str) -> None:
        """Resolve a card as far as it goes without another decision."""
        if way in ("without effect", "stay"):
            pass
        elif kind.endswith("Drifting"):
            tile, direction = way.split()
            self.shift(self.continent(tile), direction, self.distance(kind))
        elif kind.endswith("Splitting"):
            tile, direction = way.split()
            self.splitting, self.phase = (kind, self.continent(tile), direction), "part"
        elif kind == "Orogeny":
            self.raise_mountain(way)
        elif kind in ("Moving", "Migrating"):
            self.expelled = self.move(way)
            if self.expelled and self.refuges(self.expelled):
                self.phase = "expel"
            elif self.expelled:
                self.expel(None)
        elif kind in ("Breeding", "Reproducing"):
            self.breed(way)
            if kind == "Reproducing" and self.breedings():
                self.phase = "second"
        else:
            self.upgrade(kind, read_space(way))
        if self.phase == "play":
            self.end_turn()

    def expel(self, to: Space | None) -> None:
        """Put the expelled pawn on a space beside, or remove it."""
        assert self.expelled is not None
        seat, level = self.expelled[:2]
        if to is None:
            self.supply[seat][level] += 1
        else:
            self.pawns[to] = (seat, level)
        self.expelled = None

    # -- whose turn it is -------------------------------------------------------------------------

    def has_selected(self) -> bool:
        """Whether the seat to decide has its cards, or no more to choose from."""
        full = len(self.hand[self.to_move]) >= self.rule["cards_per_round"]
        return full or not self.deck[self.to_move]

    def next_seat(self) -> None:
        """The next seat clockwise drifts or selects; after the last the next phase begins (L56, L64)."""
        self.to_move = (self.to_move + 1) % self.players
        if self.to_move == self.first:
            self.phase = "select" if self.phase == "drift" else "play"
        if self.phase == "select" and self.has_selected():
            self.next_seat()
        elif self.phase == "play":
            self.find_player(self.first)

    def end_turn(self) -> None:
        self.turn += 1
        self.phase = "play"
        self.find_player(self.to_move + 1)

    def find_player(self, start: int) -> None:
        """The next seat with cards in hand plays; if there is none the round ends (L68-72)."""
        for k in range(self.players):
            seat = (start + k) % self.players
            if self.hand[seat]:
                self.to_move = seat
                return
        if self.round == self.rule["rounds"]:
            self.phase = "over"
            return
        self.round += 1
        self.first = self.to_move = (self.first + 1) % self.players
        self.phase = "drift"

    # -- in words ---------------------------------------------------------------------------------

    def pending_text(self) -> str:
        if self.splitting is not None:
            kind, tiles, direction = self.splitting
            return f"{kind} {name(tiles[0])} {direction}"
        if self.expelled is not None:
            seat, level, where, start = self.expelled
            return f"{SEATS[seat]} {level} at {name(where)} from {name(start)}"
        return "Reproducing" if self.phase == "second" else "-"

    def position_text(self) -> str:
        """The position, as the engine writes it."""
        who = "" if self.phase == "over" else f"{SEATS[self.to_move]}: "
        lines = [f"round {self.round}, turn {self.turn}, {who}{self.phase}", f"first: {SEATS[self.first]}"]
        lines.append("land: " + self.land_text())
        lines += [f"{SEATS[seat]}: {self.seat_text(seat)}" for seat in range(self.players)]
        return "\n".join([*lines, f"pending: {self.pending_text()}"])
