"""One game at a table, decision by decision: what `sim.core.play.replay` and a game with people at it both stand on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import sim.core.starting  # noqa: F401  (before kernels are declared)
from sim.core.blame import astray, mover, naming_the_bot
from sim.core.bots import bot_set
from sim.core.contract import OVER, RESOLVE, apply, choose, legal, resolve, setup
from sim.core.game import Cell
from sim.core.jit import compiling
from sim.core.loop import MAX_SEATS, MOST_RESOLVES, seat_bot
from sim.core.optional import carry
from sim.core.rng import BOT, CHANCE, start
from sim.core.room import action_room
from sim.core.settling import place, waits_for_ever
from sim.core.twins import uncompiled


class Table:
    """A deal that is being played.

    Parameters
    ----------
    game, cell
        The game and its prepared cell, whose bots sit at the table.
    seed
        Of the deal.
    who
        The player at each seat.
    standing
        What each seat has won in the games before of a series; None: no series.

    Attributes
    ----------
    rules, state
        Records.
    seat
        Whose decision it is; -1 at the end.
    actions
        The legal actions; empty at the end.
    plies
        Actions that were played, forced ones too.
    resolved
        What went by itself after the last action, step by step: position before and after, and the words for it.
    """

    def __init__(
        self, game: Any, cell: Cell, seed: int, who: Sequence[int], standing: Sequence[float] | None = None
    ) -> None:
        from sim.core.play import banks

        self.game, self.cell, self.seed = game, cell, seed
        self.names, bank, self._desks = bot_set(game, [cell])
        rules, entrants = banks(game, [cell])
        self.rules = rules[0]
        self._states = np.zeros(1, dtype=game.State)
        self.state = self._states[0]
        self._room = action_room(game)
        deal, seats = np.uint64(seed), np.array(who, dtype=np.int8)
        setup(self.rules, self.state, entrants[0], seats, deal)
        if standing is not None:
            before = np.zeros(MAX_SEATS, dtype=np.float64)
            before[: len(standing)] = standing
            carry(self.rules, self.state, before)
        self._streams = np.zeros((MAX_SEATS, 1), dtype=np.uint64)
        self._chance = np.zeros(1, dtype=np.uint64)
        start(self._chance, deal, CHANCE, 0)
        self._seated = np.zeros(MAX_SEATS, dtype=bank.dtype)
        sit = uncompiled(seat_bot) if game.plain else seat_bot
        for s in range(int(self.state["players"])):
            start(self._streams[s], deal, BOT, int(seats[s]))
            self._seated[s] = bank[0, int(seats[s])]
            sit(self._seated[s], deal, int(seats[s]))
        self.plies = 0
        self.seat = -1
        self.actions: list[int] = []
        self.resolved: list[tuple[Any, Any, list[str]]] = []
        self.opening = self._go_on()

    def play(self, action: int) -> list[str]:
        """Play an action and what follows by itself; return the latter in words."""
        apply(self.rules, self.state, np.int32(action))
        self.plies += 1
        return self._go_on()

    def ask(self) -> int:
        """Return what the bot at the seat to move chooses; without a choice, what must be done."""
        n = len(self.actions)
        if n == 1:
            return self.actions[0]
        with naming_the_bot(self.game, self.names, self._seated, self._states), compiling(self.game.name):
            bot = self._seated[self.seat]
            stream = self._streams[self.seat]
            picked = int(choose(bot, self.rules, self.state, self._room, n, stream, self._desks))
        if not 0 <= picked < n:
            raise astray(self.game, mover(self.names, self._seated, self.state), self.state, picked, n)
        return self.actions[picked]

    def copies(self) -> tuple[Any, Any]:
        """Return copies of the rules and of the position."""
        return self.rules.copy(), self._states.copy()[0]

    def keep(self) -> tuple[Any, ...]:
        """Return what `restore` needs to come back to this moment."""
        parts = (self._states, self._streams, self._chance)
        return (*(part.copy() for part in parts), self.plies, self.seat, list(self.actions))

    def restore(self, kept: tuple[Any, ...]) -> None:
        """Come back to a moment that was kept: chance and the bots' streams too."""
        states, streams, chance, self.plies, self.seat, actions = kept
        self._states[:], self._streams[:], self._chance[:] = states, streams, chance
        self.actions = list(actions)
        self._room[: len(actions)] = actions

    def _go_on(self) -> list[str]:
        """Do what is due and list the legal actions; return in words what went by itself."""
        came: list[str] = []
        self.resolved = []
        waited = 0
        self.seat, self.actions = -1, []
        while int(self.state["phase"]) == RESOLVE:
            if waited >= MOST_RESOLVES:
                where = place(self.game.name, f"seed {self.seed}", self.plies, int(self.state["turn"]))
                raise waits_for_ever(where)
            earlier = self._states.copy()[0]
            resolve(self.rules, self.state, self._chance)
            words = self.game.happened(self.rules, earlier, self.state, self.cell)
            self.resolved.append((earlier, self._states.copy()[0], words))
            came += words
            waited += 1
        if int(self.state["phase"]) != OVER and self.plies < self.game.most_plies:
            n = int(legal(self.rules, self.state, self._room))
            if 0 < n <= self.game.max_actions:
                self.seat, self.actions = int(self.state["seat"]), self._room[:n].tolist()
        return came
