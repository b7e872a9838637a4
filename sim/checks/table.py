"""One deal, ready to be played decision by decision from plain Python, and what the checks share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.core.bots import room_for
from sim.core.contract import OVER, apply, legal, score, setup
from sim.core.game import Cell, Entrant
from sim.core.kinds import Records, Stream
from sim.core.play import Job, banks
from sim.core.rng import BOT, CHANCE, start
from sim.core.room import action_room
from sim.core.settling import place, settle


class Broken(AssertionError):
    """A promise of the contract that a game or a bot does not keep; the message names the place."""


def keep(kept: Any, text: str) -> None:
    """Raise `Broken` with `text` where a promise is not kept."""
    if not kept:
        raise Broken(text)


@dataclass
class Report:
    """How much was checked: `redrawn` of `compared` positions looked different after `determinize`."""

    games: int = 0
    decisions: int = 0
    compared: int = 0
    redrawn: int = 0


def make_cell(game: Any, bots: Sequence[str], players: int, parameters: dict[str, Any] | None = None) -> Cell:
    """Return a cell in which the bots sit in turn at the seats of `players` players."""
    names = [bots[k % len(bots)] for k in range(players)]
    entrants = [Entrant(f"{name} {k}", name) for k, name in enumerate(names)]
    cell: Cell = game.prepare(parameters or {}, players, entrants, None)
    return cell


def make_job(cells: Sequence[Cell], seeds: Sequence[int], who: Sequence[Sequence[int]] | None = None) -> Job:
    """Return the job of playing every seed in every cell, once for each seating of `who`."""
    width = max(cell.players for cell in cells)
    rows = []
    for c, cell in enumerate(cells):
        seatings = who or [range(cell.players)]
        rows += [(c, seed, [*seats, *[0] * (width - len(seats))]) for seed in seeds for seats in seatings]
    return Job(
        cell=np.array([row[0] for row in rows], dtype=np.int32),
        deal=np.arange(len(rows), dtype=np.int64),
        rotation=np.zeros(len(rows), dtype=np.int16),
        seed=np.array([row[1] for row in rows], dtype=np.uint64),
        who=np.array([row[2] for row in rows], dtype=np.int8),
    )


class Table:
    """One deal, ready to be played decision by decision from plain Python."""

    def __init__(self, game: Any, cell: Cell, seed: int, who: Sequence[int] | None = None) -> None:
        self.game, self.cell, self.seed = game, cell, seed
        bank, entrants = banks(game, [cell])
        self.rules = bank[0]
        self.who = np.array(who if who is not None else range(cell.players), dtype=np.int8)
        self.states = np.zeros(3, dtype=game.State)
        self.state = self.states[0]
        self.out = action_room(game)
        self.numbers = np.zeros(room_for(game.features), dtype=np.float64)
        self.chance = np.zeros(1, dtype=np.uint64)
        self.plies = 0
        setup(self.rules, self.state, entrants[0], self.who, np.uint64(seed))
        self.start_chance()
        self.settle()

    def start_chance(self) -> None:
        """Begin the game's own chance as it is at the set-up."""
        start(self.chance, np.uint64(self.seed), CHANCE, 0)

    def settle(self) -> None:
        """Do what is due between decisions."""
        deal = f"seed {self.seed}, {self.cell.players} players"
        settle(
            *(self.rules, self.state, self.chance),
            lambda: place(self.game.name, deal, self.plies, int(self.state["turn"])),
        )

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return int(self.state["phase"]) == OVER

    @property
    def seat(self) -> int:
        """Whose decision it is."""
        return int(self.state["seat"])

    def actions(self) -> list[int]:
        """Return the legal actions."""
        n = int(legal(self.rules, self.state, self.out))
        if n > self.game.max_actions:
            text = f"max_actions is {self.game.max_actions}, but there are {n} legal actions"
            raise Broken(f"{text}: {self.where}")
        return self.out[:n].tolist()

    def play(self, action: int) -> None:
        """Carry out an action and what follows by itself."""
        apply(self.rules, self.state, np.int32(action))
        self.plies += 1
        self.settle()

    @property
    def where(self) -> str:
        """The place in words: which deal, how far, and the position."""
        try:
            text = " ".join(str(self.game.position_text(self.rules, self.state, self.cell)).split())
        except Exception as error:  # a position that its own notation does not know
            text = f"no text ({type(error).__name__}: {error})"
        return f"seed {self.seed}, {self.cell.players} players, after {self.plies} actions, position: {text}"

    def copy(self) -> Records:
        """Return the position in an array of its own (length 1)."""
        return self.states[:1].copy()

    def scores(self) -> list[float]:
        """Return the points of every seat."""
        return [float(score(self.rules, self.state, s)) for s in range(self.cell.players)]


def differing(one: Any, other: Any) -> list[str]:
    """Return the names of the fields in which two records differ (padding does not count)."""
    return [name for name in one.dtype.names if not np.array_equal(one[name], other[name])]


def stream_of(seed: int, item: int) -> Stream:
    """Return a stream that no bot and no game uses."""
    stream = np.zeros(1, dtype=np.uint64)
    start(stream, np.uint64(seed), BOT, 1000 + item)
    return stream
