"""The solver's plain face: the exact value of every choice in a position, or why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.bots.worlds import MAX_SIDES
from sim.core.contract import apply, side
from sim.core.errors import Refusal, nearest
from sim.core.jit import compiling
from sim.core.room import action_room
from sim.exact.kernels import FRAME, KEPT, MOST_DEEP, SOLVED, SPARE, solve

AIMS = ("wins", "lead")
"""What is sought: the share of the win, or points ahead of the best other side."""
UNSOLVED = ("", "too many positions", "too deep", "several draws at once", "no legal action")


@dataclass(frozen=True)
class Solution:
    """What came of a position.

    Attributes
    ----------
    values
        To the side to move, in the order of the actions; None where it was not solved.
    nodes
        Positions that were looked at.
    why
        Why it was not solved; "" when it was.
    """

    values: list[float] | None
    nodes: int
    why: str = ""


class Solver:
    """Solves endings of one game with nothing hidden and chance taken whole.

    Parameters
    ----------
    game, rules
        The game, and the rules record of its cell.
    aim
        One of `AIMS`.
    most_nodes
        Positions to look at before it gives up, for all choices of a position together.
    kept
        Values that are remembered: 2 to this power.
    """

    def __init__(
        self, game: Any, rules: Any, aim: str = "wins", most_nodes: int = 1_000_000, kept: int = 18
    ) -> None:
        if aim not in AIMS:
            raise Refusal(f"aim = '{aim}': wins or lead{nearest(aim, AIMS)}")
        self.game, self.rules, self.most_nodes = game, rules, most_nodes
        self.aim = AIMS.index(aim)
        self._states = np.zeros(SPARE + 1, dtype=game.State)
        self._words = self._states.view(np.uint32).reshape(len(self._states), -1)
        self._lists = action_room(game, MOST_DEEP + 1)
        self._frames = np.zeros(MOST_DEEP + 1, dtype=FRAME)
        self._kept = np.zeros(1 << kept, dtype=KEPT)
        self._stream = np.zeros(1, dtype=np.uint64)
        self._found = np.zeros(MAX_SIDES, dtype=np.float64)

    def solve(self, state: Any, actions: Sequence[int]) -> Solution:
        """Return the exact value of each of the legal `actions` of a position."""
        self._kept["bound"] = 0  # the same bytes may stand for another deal's position
        sides = 1 + max(int(side(self.rules, state, seat)) for seat in range(int(state["players"])))
        mine = int(side(self.rules, state, np.int64(state["seat"])))
        values, nodes = [], 0
        for action in actions:
            self._states[0] = state
            apply(self.rules, self._states[0], np.int32(action))
            with compiling(self.game.name):
                how, took = solve(
                    *(self.rules, self._states, self._words, self._lists, self._frames, self._kept),
                    *(self._stream, self._found, self.game.max_actions),
                    *(self.most_nodes - nodes, self.aim, sides),
                )
            nodes += int(took)
            if how != SOLVED:
                return Solution(None, nodes, UNSOLVED[how])
            values.append(float(self._found[mine]))
        return Solution(values, nodes)
