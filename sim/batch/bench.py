"""How fast a game is played, through the batch runner, in one process, by CPU seconds."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from sim.batch.dry_run import task_of
from sim.batch.engine import get_game, warm_up
from sim.batch.experiment import Experiment, read_experiment
from sim.batch.layout import pending
from sim.batch.plan import Plan, make_plan
from sim.batch.progress import quiet, slow_note
from sim.batch.runner import COMPILING, run
from sim.batch.worker import play
from sim.core.errors import Refusal

LOGS = ("none", "pieces")
BOTS = ("random", "greedy")
PILOT = 1000
"""Games that the number of games to measure is taken from."""


def bench(
    game: str,
    players: int = 2,
    seconds: float = 3.0,
    news: Callable[[str], None] = quiet,
    variants: bool = False,
) -> Iterator[dict[str, Any]]:
    """Measure each bot with and without piece logs.

    Parameters
    ----------
    game, players
        What is played, with the game's default parameters.
    seconds
        CPU seconds that the games should take about without logs.
    variants
        Also measure the game's `bench_settings`.

    Yields
    ------
    dict
        game, players, bot, log, games, games_per_cpu_s, decisions_per_cpu_s, with `variants` also setting. CPU
        seconds of this process, compiling left out.

    Raises
    ------
    Refusal
        There is no such game, or nothing to compare it with.
    """
    os.environ.setdefault("POLARS_MAX_THREADS", "1")  # as in a worker; too late if polars is loaded already
    settings = getattr(get_game(game), "bench_settings", {}) if variants else {"": {}}
    if not settings:
        raise Refusal(f"--variants: {game} has no settings to measure beside the plain game")
    for setting, parameters in settings.items():
        for row in _measured(game, players, seconds, parameters, news):
            yield {**row, "setting": setting} if variants else row


def _measured(
    game: str, players: int, seconds: float, parameters: dict[str, Any], news: Callable[[str], None]
) -> Iterator[dict[str, Any]]:
    """Measure one setting."""
    for bot in BOTS:
        data = {"game": game, "name": "bench", "players": {"count": players, "bots": [bot]}}
        experiment = read_experiment({**data, "parameters": parameters})
        for log in LOGS:
            with slow_note(COMPILING, news):
                warm_up(make_plan(experiment).game, [bot], log, make_plan(experiment).cells)
            _measure(replace(experiment, games=PILOT), log)  # loads what is loaded once
        spent, _ = _measure(replace(experiment, games=PILOT), "none")
        games = min(max(PILOT, int(PILOT * seconds / max(spent, 1e-3))), 4_000_000)
        for log in LOGS:  # the same games both times
            spent, decisions = _measure(replace(experiment, games=games), log)
            yield {
                "game": game,
                "players": players,
                "bot": bot,
                "log": log,
                "games": games,
                "games_per_cpu_s": games / spent,
                "decisions_per_cpu_s": decisions / spent,
            }


def _measure(experiment: Experiment, log: str) -> tuple[float, int]:
    """Return CPU seconds and decisions of a whole run."""
    plan = make_plan(experiment)
    if log == "none":
        return _unlogged(plan)
    import polars as pl

    with tempfile.TemporaryDirectory(prefix="whimbrel-bench-") as folder:
        spent = run(experiment, Path(folder) / "data", jobs=1, plan=plan).cpu_seconds
        games = pl.scan_parquet(Path(folder) / "data" / "games" / "*.parquet")
        return spent, int(games.select(pl.col("decisions").cast(pl.Int64).sum()).collect().item())


def _unlogged(plan: Plan) -> tuple[float, int]:
    task = replace(task_of(plan), log="none")
    decisions = 0
    begun = time.process_time()
    for chunk in pending(len(plan.cells), "none", plan.experiment.games, []):
        done = play(task, chunk, [plan.specs[i] for i in chunk.cells])
        if done is not None:
            decisions += int(done[1].chunk.games["decisions"].sum())
    return time.process_time() - begun, decisions
