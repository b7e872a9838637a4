"""What a run would cost: cells, games, minutes and disk, from a short pilot that writes nothing."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from itertools import takewhile
from typing import Any

from sim.batch.engine import warm_up
from sim.batch.layout import Chunk, among, chunks, pending_in_tiers
from sim.batch.plan import Plan
from sim.batch.progress import quiet, slow_note
from sim.batch.runner import COMPILING, _cores
from sim.batch.store import parquet_bytes
from sim.batch.tables import frames
from sim.batch.worker import Task, play

PROBE = 64
"""Most games of a cell that are timed first: a slow game is not played by the thousand to find that it is slow."""


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
    tiers
        Bot, games and minutes of each tier of play, where there are any.
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
    tiers: list[dict[str, Any]] = field(default_factory=list)

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
        seating=experiment.seating,
        first_deal=experiment.first_deal,
        bots=tuple(plan.bot_names),
    )


def _ranks(task: Task, plan: Plan, chunk: Chunk, seconds: float) -> int:
    """Return how many games of each cell of a chunk are played in about a quarter of the time."""
    specs = [plan.specs[i] for i in chunk.cells]
    play(task, replace(chunk, stop=chunk.start + 1), specs)  # loads code
    ranks = 1
    while True:
        probe = replace(chunk, stop=min(chunk.stop, chunk.start + ranks))
        begun = time.perf_counter()
        play(task, probe, specs)
        spent = time.perf_counter() - begun
        if spent > seconds / 8 or ranks >= PROBE or probe.stop == chunk.stop:
            return max(ranks, int(ranks * seconds / 4 / max(spent, 1e-6)))
        ranks *= 2


def estimate(
    plan: Plan, jobs: int | None = None, seconds: float = 3.0, news: Callable[[str], None] = quiet
) -> Estimate:
    """Play a few chunks from all over the cells for about `seconds` and scale up, tier by tier."""
    targets = plan.targets(plan.experiment.games)
    with slow_note(COMPILING, quiet if getattr(plan.game, "plain", False) else news):
        warm_up(plan.game, plan.bot_names, plan.experiment.log, plan.cells)
    workers, rows, log = jobs or _cores(), [], plan.experiment.log
    for cells, target in zip(plan.tiers, targets):
        tier = _measured(plan, cells, target, seconds / len(targets))
        if tier is not None:
            rows.append(tier)
    total, spent = plan.total(targets), sum(tier.games / tier.rate for tier in rows)
    files = sum(map(len, pending_in_tiers(plan.tiers, log, targets, [])))
    head = max(tier.head for tier in rows)
    names = [bot for bot, _ in plan.experiment.tiers]
    return Estimate(
        cells=len(plan.cells),
        games=total,
        games_per_cell=targets[0],
        block=plan.block,
        jobs=workers,
        games_per_second=total / spent * workers,
        minutes=spent / workers / 60,
        megabytes=(files * head + sum(tier.bytes_a_game * tier.games for tier in rows)) / 1e6,
        pilot_games=sum(tier.pilot for tier in rows),
        skipped=[{"cell": cell, "reason": reason} for cell, reason in plan.skipped],
        tiers=[
            {"bot": bot, "games": tier.games, "minutes": tier.games / tier.rate / workers / 60}
            for bot, tier in zip(names, rows)
        ],
    )


@dataclass(frozen=True)
class _Measured:
    """What some cells cost: games in all, games a second on one core, bytes a file and a game, games tried."""

    games: int
    rate: float
    head: float
    bytes_a_game: float
    pilot: int


def _measured(plan: Plan, cells: range, target: int, seconds: float) -> _Measured | None:
    """Play a few chunks from all over some cells for about `seconds`."""
    import polars as pl

    if not len(cells):
        return None
    total = sum(plan.games_of(cell, [target] * len(plan.tiers)) for cell in cells)
    first = [
        among(cells, chunk)
        for chunk in takewhile(
            lambda c: c.start == 0 or c.number < 64, chunks(len(cells), plan.experiment.log)
        )
    ]
    random.Random(0).shuffle(first)
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
        if games and (spent > seconds or games >= total):
            break
    whole = [pl.concat(parts) for parts in tables.values()]
    kept = len(pl.concat(tables["games"]))
    head = sum(len(parquet_bytes(frame.head(1), statistics=False)) for frame in whole)
    size = sum(len(parquet_bytes(frame, statistics=False)) for frame in whole)
    return _Measured(total, games / spent, head, (size - head) / kept, games)
