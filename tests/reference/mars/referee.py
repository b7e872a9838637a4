"""A plain referee for Migration: Mars: the rules once more, without speed, from a position before a roll on."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from tests.reference.mars.build import act
from tests.reference.mars.events import draw_card, exercise, stays
from tests.reference.mars.rules import BUILDINGS, FACES, KEPT, RESOURCES
from tests.reference.mars.stop import choose, injury_in_ruin, strike, supply_stop
from tests.reference.mars.table import Asking, Table, Won


class Referee(Table):
    """A game of 2 to 4 players; `actions`, `do` and `position_text` are its face.

    The rules are one long course (`course`) that stops wherever a player decides.
    """

    def __init__(self, position: str, params: dict[str, Any], rng: random.Random | None = None) -> None:
        super().__init__(position, params, rng)
        self.options: list[str] = []
        self.running = self.course()
        self.step(None)

    # -- the face ---------------------------------------------------------------------------------

    def actions(self) -> set[str]:
        """The legal actions of the seat to decide."""
        return set(self.options)

    def do(self, action: str, chance: Iterable[str] = ()) -> None:
        """Take a legal action; `chance` is what was drawn after it, in order."""
        assert action in self.options, f"not legal: {action}"
        self.told = list(chance)
        self.step(action)
        assert not self.told, f"told too much: {self.told}"

    def step(self, action: str | None) -> None:
        """Let the course run to the next decision, or to the end."""
        try:
            self.to_move, self.phase, self.options = (
                next(self.running) if action is None else self.running.send(action)
            )
        except (StopIteration, Won) as end:
            if isinstance(end, Won):
                self.winner = end.seat
            self.phase, self.options = "over", []
            self.doing, self.asked, self.closed, self.propagated = "-", [], False, False

    # -- the course of the game -------------------------------------------------------------------

    def course(self) -> Asking:
        seat, begun = self.to_move, self.phase == "act"
        if self.phase == "start":
            yield from self.choose_start()
            seat = self.first
        while True:
            if not begun:
                while self.leaves(seat):
                    seat = self.next_seat(seat)
            begun = False
            yield from act(self, seat)
            yield from self.rove(seat)
            self.doing = "-"
            if self.has_won(seat):
                self.winner = seat
            self.turn += 1
            if self.winner is not None or self.turn >= self.rule["turn_cap"]:
                return
            seat = self.next_seat(seat)

    def choose_start(self) -> Asking:
        """Each player chooses a free building, from the first player clockwise (M:80)."""
        chosen = 0
        while self.to_move != (self.first + chosen) % len(self.seats):
            chosen += 1
        for k in range(chosen, len(self.seats)):
            seat = (self.first + k) % len(self.seats)
            player = self.seats[seat]
            kinds = [kind for kind in BUILDINGS if kind not in player.never and self.in_stock(seat, kind)]
            if kinds:
                action = yield seat, "start", [f"start with {kind}" for kind in kinds]
                player.reserve[action.split()[2]] += 1

    def next_seat(self, seat: int) -> int:
        return self.round_from((seat + 1) % len(self.seats))[0]

    def leaves(self, seat: int) -> bool:
        """The turn of a seat starts: its storm ends; a quitter leaves now (M:298)."""
        player, leaver = self.seats[seat], self.rule["quit"]
        if self.storm == seat:
            self.storm = None
        if seat != leaver["seat"] or self.turn < leaver["turn"] or player.gone:
            return False
        for kind, count in player.cards.items():
            self.pay(seat, kind, count)
        kept = [card for kind in KEPT for card in player.events if card == kind]
        for card in [*kept, *([player.dealt] if player.dealt else [])]:
            self.bottom(card)
        player.events, player.bay, player.dealt = [], [], None
        player.reserve.clear()
        player.pop = player.embassy = 0
        player.dust = player.cut = False
        player.gone = True
        for may in self.board.meteorites.values():
            may.discard(seat)
        if len(self.in_play()) == 1:
            raise Won(self.in_play()[0])
        return True

    def has_won(self, seat: int) -> bool:
        """After the event of the own stop: reported enough and still there (M:289-294)."""
        target = self.rule["target"]
        if self.rule["victory"] != "after event" or self.report is None:
            return False
        reported = self.report >= target or self.rule["late_report"]
        return bool(reported and self.seats[seat].pop >= target)

    # -- the rover --------------------------------------------------------------------------------

    def rove(self, seat: int, *, by_event: bool = False) -> Asking:
        """Roll the numbered die, go and land; `by_event`: an event lets one roll again."""
        player = self.seats[seat]
        rolled = int(self.draw("roll", [str(n) for n in range(1, self.rule["move_die"] + 1)]))
        if self.rule["overshoot"] == "halt":
            rolled = min(rolled, len(self.track) - player.steps)
        self.advance(seat, rolled)
        yield from self.land(seat, by_event)

    def advance(self, seat: int, squares: int) -> None:
        player = self.seats[seat]
        player.square = (player.square + squares) % len(self.track)
        player.steps = (player.steps + squares) % len(self.track)

    def land(self, seat: int, by_event: bool) -> Asking:
        square = self.seats[seat].square
        kind = self.track[square]
        if kind in RESOURCES:
            yield from self.collect(seat, kind, by_event)
        elif kind == "RUIN":
            yield from self.explore(seat)
        elif square == self.stops[seat]:
            yield from supply_stop(self, seat)
            yield from self.event(seat, after_stop=True)
        elif square in [self.stops[other] for other in self.in_play()] or self.rule["unused_stop_event"]:
            yield from self.event(seat)

    def collect(self, seat: int, kind: str, by_event: bool) -> Asking:
        """One card and one more for each Mine (M:118), of the kind landed on or of choice (R11)."""
        if self.storm is not None:
            return
        player = self.seats[seat]
        mines = self.board.own(seat, "Mine")
        if not self.rule["unlinked_mines"]:
            linked = self.board.linked(seat)
            mines = [tile for tile in mines if tile in linked]
        more = 0 if player.dust else len(mines)
        player.dust = False
        chosen = self.rule["mine_kind"] == "choice"
        got = self.gain(seat, kind, 1 if chosen else 1 + more)
        thieves = [other for other in self.round_from(seat) if "E8" in self.seats[other].events]
        thieves = [other for other in thieves if other != seat]
        if by_event and not self.rule["event8_on_event_moves"]:
            thieves = []  # what comes of an event is not for the taking (M:336, R95)
        if got and thieves:
            stolen = got if self.rule["event8_all"] else 1
            player.cards[kind] -= stolen
            self.seats[thieves[0]].cards[kind] += stolen
            self.seats[thieves[0]].events.remove("E8")
            self.bottom("E8")
        for left in range(more if chosen else 0, 0, -1):
            self.doing = f"mines {left}"
            yield from choose(self, seat, RESOURCES)

    def explore(self, seat: int) -> Asking:
        """A ruin corner: one Olympium, then the exploration die (M:263-273)."""
        self.doing = "exploration"
        self.gain(seat, "Oly")
        face = self.draw("face", [face for face in FACES for _ in range(self.rule["die"][face])])
        if face == "blueprint":
            self.gain(seat, "BP")
        elif face == "olympium":
            self.gain(seat, "Oly", self.rule["olympium_bonus"])
        elif face == "population" and self.room(seat):
            self.arrive(seat)
        elif face == "meteorite":
            yield from strike(self, seat)
        elif face == "injury":
            yield from injury_in_ruin(self, seat)

    # -- events -----------------------------------------------------------------------------------

    def event(self, seat: int, *, after_stop: bool = False) -> Asking:
        """Draw a card and do what it says; it goes to the bottom unless it is kept.

        Events that move the rover on may do nothing at the own Supply Stop, which is not passed before the next
        turn (M:181, R98).
        """
        card = draw_card(self, seat)
        if card is None:
            return
        if stays(self, seat, card):
            self.seats[seat].events.append(card)
            return
        self.doing = f"event {card}"
        yield from exercise(self, seat, card)
        self.bottom(card)
        if after_stop and self.rule["event_after_stop"] == "stays":
            return
        if card == "E2":
            yield from self.rove(seat, by_event=True)
        elif card == "E9" and "RUIN" in self.track:
            self.advance(seat, self.to_ruin(seat))
            yield from self.explore(seat)

    def to_ruin(self, seat: int) -> int:
        """How far the next ruin corner is, clockwise."""
        square, length = self.seats[seat].square, len(self.track)
        return next(k for k in range(1, length + 1) if self.track[(square + k) % length] == "RUIN")
