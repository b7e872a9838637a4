"""The engine's side of a co-step: one deal, looked at only through texts and scores, as a referee can be."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.contract import OVER, apply, legal, merit, score, setup
from sim.core.game import Entrant, get_game
from sim.core.play import banks
from sim.core.rng import CHANCE, start
from sim.core.room import action_room
from sim.core.settling import settle


class EngineSide:
    """One deal of a game between `players` players.

    Parameters
    ----------
    name, params
        The game and its parameters.
    players, seed
        Who sits at the table (in the order of the seats), and the seed of the deal.
    """

    def __init__(self, name: str, params: dict[str, Any], players: int, seed: int) -> None:
        self.players = players
        self.game = get_game(name)
        entrants = [Entrant(f"bot {k}", "random") for k in range(players)]
        self.cell = self.game.prepare(params, players, entrants)
        rules, seated = banks(self.game, [self.cell])
        self.rules = rules[0]
        self.state = np.zeros(1, dtype=self.game.State)[0]
        self.out = action_room(self.game)
        self.chance = np.zeros(1, dtype=np.uint64)
        setup(self.rules, self.state, seated[0], np.arange(players, dtype=np.int8), np.uint64(seed))
        start(self.chance, np.uint64(seed), CHANCE, 0)
        self.settle()

    def settle(self) -> None:
        """Do what is due between decisions."""
        settle(self.rules, self.state, self.chance, lambda: self.game.name)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return int(self.state["phase"]) == OVER

    def actions(self) -> dict[str, int]:
        """The legal actions, code by text."""
        codes = self.out[: int(legal(self.rules, self.state, self.out))].tolist()
        actions = {self.game.action_text(code, self.rules, self.cell, self.state): code for code in codes}
        assert len(actions) == len(codes), f"an action twice: {sorted(actions)}"
        return actions

    def take(self, code: int) -> None:
        """Take an action and do what follows by itself."""
        apply(self.rules, self.state, np.int32(code))
        self.settle()

    def position(self) -> str:
        """The whole position as text."""
        return str(self.game.position_text(self.rules, self.state, self.cell)).strip()

    def scores(self) -> list[float]:
        """Points by seat."""
        return [float(score(self.rules, self.state, seat)) for seat in range(self.players)]

    def merits(self) -> list[float]:
        """What ranks the seats."""
        return [float(merit(self.rules, self.state, s, points)) for s, points in enumerate(self.scores())]
