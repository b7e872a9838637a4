"""The ladder of play: every bot against every other from all seats, on the same deals, and what each one costs."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sim.batch.dry_run import task_of
from sim.batch.engine import get_game
from sim.batch.layout import pending
from sim.batch.plan import Plan
from sim.batch.worker import Task, play
from sim.core.errors import Refusal
from sim.core.game_doors import label_of

COSTS = "costs.json"
"""File in the folder of a ladder: CPU milliseconds a decision by bot. Apart from the data: no row knows a clock."""
BUDGETS = (25, 50, 100, 200, 400)
CPU_SECONDS = 2.0
"""Of games that a bot's cost is taken from, about."""


def default_bots(game: str, budgets: Sequence[int] = BUDGETS) -> list[str]:
    """Return the rungs of the usual ladder of a game: random, every set of greedy, flat, search at doubling budgets."""
    from sim.core.bots import settings_of

    sets = [name for name in settings_of(get_game(game), "greedy").names() if name != "shipped"]
    tuned = [f"greedy:set={name}" for name in sets]
    return ["random", "greedy", *tuned, "flat:playouts=50", *(f"search:playouts={n}" for n in budgets)]


def ladder_experiment(
    game: str,
    bots: Sequence[str],
    *,
    games: int,
    players: int | None = None,
    seed: int = 1,
    parameters: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the experiment of a ladder: a cell for each pair of bots, and one for each bot among its like.

    Parameters
    ----------
    game, bots
        Who meets; at least two different ones.
    games
        Of each pairing, from all seats.
    players
        At the table; by default the fewest that the game takes, but two. With an odd number each pair meets twice, so
        that each bot has the extra seat once.
    """
    names = list(dict.fromkeys(bots))
    if len(names) < 2:
        raise Refusal("a ladder needs at least two different bots")
    count = max(2, get_game(game).min_players) if players is None else players
    tables: list[list[str]] = []
    for one, other in itertools.combinations(names, 2):
        tables.append([(one, other)[seat % 2] for seat in range(count)])
        if count % 2:
            tables.append([(other, one)[seat % 2] for seat in range(count)])
    tables += [[name] * count for name in names]
    return {
        "name": f"ladder-{label_of(game)}",
        "question": "How much better does play get with more thought, and where does it stop?",
        "game": game,
        "games": games,
        "seed": seed,
        "log": "games",
        "players": {"count": count},
        "parameters": parameters or {},
        "vary": {"players.bots": tables},
    }


def costs(plan: Plan) -> dict[str, float]:
    """Measure what each bot of a ladder's plan costs among its like: CPU milliseconds a decision of this process."""
    found: dict[str, float] = {}
    for k, spec in enumerate(plan.specs):
        labels = {player.label for player in spec.players}
        if len(labels) > 1:
            continue
        alone = replace(plan, specs=(replace(spec, index=0),), cells=(plan.cells[k],))
        spent, decisions, games = 0.0, 0, 1
        _timed(alone, 1)  # loads code
        while spent < CPU_SECONDS and games <= 4096:
            spent, decisions = _timed(alone, games)
            games *= 4 if spent < CPU_SECONDS / 8 else 2
        found[labels.pop()] = 1000 * spent / max(decisions, 1)
    return found


def _task(plan: Plan) -> Task:
    """Return the task of a plan of one cell, under a key of its own: prepared cells are kept by key and number."""
    task = task_of(plan)
    return replace(task, log="none", key=f"{task.key} {plan.specs[0].opponents}")


def _timed(plan: Plan, games: int) -> tuple[float, int]:
    task, decisions = _task(plan), 0
    begun = time.process_time()
    for chunk in pending(1, "none", games, []):
        done = play(task, chunk, list(plan.specs))
        if done is not None:
            decisions += int(done[1].chunk.games["decisions"].sum())
    return time.process_time() - begun, decisions


def keep_costs(folder: Path, found: dict[str, float]) -> None:
    """Write what bots cost into the folder of a ladder."""
    text = json.dumps({"cpu_ms_per_decision": found}, indent=1, sort_keys=True)
    (folder / COSTS).write_text(text + "\n", encoding="utf-8")
