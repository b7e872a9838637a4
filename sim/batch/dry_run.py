"""What a run would cost: cells, games, minutes and disk, from a short pilot that writes nothing."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from itertools import takewhile
from typing import Any

from sim.batch.engine import warm_up
from sim.batch.layout import Chunk, chunks, pending
from sim.batch.plan import Plan
from sim.batch.progress import quiet, slow_note
from sim.batch.runner import COMPILING, _cores, target_of
from sim.batch.store import parquet_bytes
from sim.batch.tables import frames
from sim.batch.worker import Task, play

PROBE = 64
"""Games of a cell that are timed first: a slow game is not played by the thousand to find that it is slow."""


@dataclass(frozen=True)
class Estimate:
    """The answer of a dry run.

    Attributes
    ----------
    games
        Of all cells, in whole blocks.
    minutes
        On `jobs` workers, compiling left out.
    megabytes
        On disk.
    pilot_games
        How many games the estimate rests on.
    """

    cells: int
    games: int
    games_per_cell: int
    block: int
    jobs: int
    games_per_second: float
    minutes: float
    megabytes: float
    pilot_games: int
    skipped: list[dict[str, str]]

    def data(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)


def task_of(plan: Plan) -> Task:
    """Return a task that keeps nothing on disk."""
    experiment = plan.experiment
    return Task(
        key=f"{experiment.hash()} {experiment.source.base} pilot",
        game=experiment.game,
        seed=experiment.seed,
        share_deals=experiment.share_deals,
        tables=plan.tables(),
        base=experiment.source.base,
        folder=None,
        log=experiment.log,
        series=experiment.series,
    )


def _ranks(task: Task, plan: Plan, chunk: Chunk, seconds: float) -> int:
    """Return how many games of each cell of a chunk are played in about a quarter of the time."""
    probe = replace(chunk, stop=min(chunk.stop, chunk.start + PROBE))
    specs = [plan.specs[i] for i in probe.cells]
    play(task, probe, specs)  # loads code
    begun = time.perf_counter()
    play(task, probe, specs)
    return max(PROBE, int(PROBE * seconds / 4 / (time.perf_counter() - begun)))


def estimate(
    plan: Plan, jobs: int | None = None, seconds: float = 3.0, news: Callable[[str], None] = quiet
) -> Estimate:
    """Play a few chunks from all over the cells for about `seconds` and scale up."""
    import polars as pl

    asked = target_of(plan, plan.experiment.games)
    first = list(
        takewhile(lambda c: c.start == 0 or c.number < 64, chunks(len(plan.cells), plan.experiment.log))
    )
    random.Random(0).shuffle(first)
    with slow_note(COMPILING, news):
        warm_up(plan.game, plan.bot_names, plan.experiment.log, plan.cells)
    task, games, spent = task_of(plan), 0, 0.0
    most = _ranks(task, plan, first[0], seconds)
    first = [replace(chunk, stop=min(chunk.stop, chunk.start + most)) for chunk in first]
    tables: dict[str, list[pl.DataFrame]] = {}
    for number, chunk in enumerate(first):
        begun = time.perf_counter()
        done = play(task, chunk, [plan.specs[i] for i in chunk.cells])
        if done is None:
            continue
        for name, frame in frames(task.tables, done[1], done[0]).items():
            tables.setdefault(name, []).append(frame)
        if number or len(first) == 1:  # the first one loads code
            games += len(done[1].game_id)
            spent += time.perf_counter() - begun
        if spent > seconds or games >= plan.total(asked):
            break
    whole = [pl.concat(parts) for parts in tables.values()]
    kept, total, workers = len(pl.concat(tables["games"])), plan.total(asked), jobs or _cores()
    files = sum(1 for _ in pending(len(plan.cells), plan.experiment.log, asked, []))
    head = sum(len(parquet_bytes(frame.head(1), statistics=False)) for frame in whole)
    size = sum(len(parquet_bytes(frame, statistics=False)) for frame in whole)
    rate = games / spent
    return Estimate(
        cells=len(plan.cells),
        games=total,
        games_per_cell=asked,
        block=plan.block,
        jobs=workers,
        games_per_second=rate * workers,
        minutes=total / rate / workers / 60,
        megabytes=(files * head + (size - head) / kept * total) / 1e6,
        pilot_games=games,
        skipped=[{"cell": cell, "reason": reason} for cell, reason in plan.skipped],
    )
