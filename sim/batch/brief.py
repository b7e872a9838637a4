"""Is a run so short that workers are not worth starting? Told from a few games that are played and thrown away.

A worker takes about a second of a processor until it plays. A run that takes hardly longer is played by the process of
the command itself: the same games, so the same rows.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.batch.engine import play_chunk
from sim.batch.plan import Plan
from sim.core.contract import TURN_CAP
from sim.core.errors import Refusal
from sim.core.play import Job

BRIEF = 2.0
"""Seconds of play up to which workers are not started."""
DEAR = 0.02
"""Seconds of a game from which no more of it is looked at: the games of a run that is brief cost less."""
GAMES = 16
"""Games of a cell that are timed at once, when one alone is cheap."""
CELLS = 6
"""Most cells that are looked at, from all over the experiment."""


def is_brief(plan: Plan, games: int, bots: Sequence[str]) -> bool:
    """Whether so many games of a compiled game are played, by this process alone, within about `BRIEF` seconds.

    Parameters
    ----------
    bots
        Names of all bots of the run: their machine code must have been loaded (`sim.batch.engine.warm_up`).
    """
    if getattr(plan.game, "plain", False) or hasattr(plan.game, "play_chunk") or games * 1e-6 > BRIEF:
        return False
    tiers = [cells for cells in plan.tiers if len(cells)]
    looked_at = {cells[len(cells) * k // CELLS] for cells in tiers for k in range(CELLS)}
    try:
        dearest = max(_seconds(plan, cell, bots) for cell in sorted(looked_at, reverse=True))
    except Refusal:  # what is wrong is told where it is played
        return False
    return games * dearest <= BRIEF


def _seconds(plan: Plan, cell: int, bots: Sequence[str]) -> float:
    """Return about how long a game of a cell takes; of a dear one, only that it is."""
    brief = copy.copy(plan.game)
    plies = 4
    while plies < plan.game.most_plies:
        brief.most_plies = plies
        spent, cut_off = _timed(plan, brief, cell, 1, bots)
        if spent > DEAR:
            return np.inf
        if not cut_off:
            break
        plies *= 4
    return _timed(plan, plan.game, cell, GAMES, bots)[0] / GAMES


def _timed(plan: Plan, game: Any, cell: int, games: int, bots: Sequence[str]) -> tuple[float, bool]:
    """Play some games of a cell; return the seconds that they took, and whether one of them was cut off."""
    seats = plan.cells[cell].players
    job = Job(
        cell=np.zeros(games, np.int32),
        deal=np.arange(games, dtype=np.int64),
        rotation=np.zeros(games, np.int16),
        seed=np.arange(1, games + 1, dtype=np.uint64),
        who=np.tile(np.arange(seats, dtype=np.int8), (games, 1)),
    )
    begun = time.process_time()
    chunk = play_chunk(game, [plan.cells[cell]], job, plan.experiment.log, bots)
    return time.process_time() - begun, bool((chunk.games["ended"] == TURN_CAP).any())
