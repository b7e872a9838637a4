"""What a million games cost, and what a billion would: ``python -m tests.soak.scale [SECONDS] > tables``.

Measures, for each game and kind of play, CPU time and bytes of a game, and what they grow with (players, map, log),
each for so many CPU seconds (default 2), and puts the figures through `sim.batch.schedule`. Prints the tables of
`reports/scale.md`. Nothing is kept.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sim.batch import store
from sim.batch.dry_run import task_of
from sim.batch.engine import warm_up
from sim.batch.experiment import read_experiment
from sim.batch.layout import MOST, Chunk
from sim.batch.plan import make_plan
from sim.batch.schedule import Cluster, Kind, simulate
from sim.batch.tables import frames
from sim.batch.worker import play

SEARCH = "search:playouts=100"
DEAR = ("drifting_lands", "mars")
"""Games of which a game of search takes seconds: with two players only, and no more of them than four or so."""
BILLION = 1_000_000_000
LARGE = 100.0
"""Longest time of a chunk in the plan, in CPU seconds: a dear game is cut into smaller chunks."""


@dataclass(frozen=True)
class Cost:
    """CPU seconds and bytes of one game, its decisions, and how unlike the times of parts were."""

    seconds: float
    bytes: float
    games: int
    spread: float

    @property
    def hours(self) -> float:
        """Core hours of a million games."""
        return self.seconds * 1e6 / 3600


def measured(seconds: float, **settings: Any) -> Cost:
    """Play one cell for about so many CPU seconds, as a worker does, and encode what it would write."""
    import polars as pl

    data = {"name": "scale", "seed": 11, "games": 1_000_000, **settings}
    plan = make_plan(read_experiment(data))
    warm_up(plan.game, plan.bot_names, plan.experiment.log, plan.cells)
    task = task_of(plan)
    specs, size, start = [plan.specs[0]], 1, 0
    tables: dict[str, list[pl.DataFrame]] = {}
    times: list[tuple[float, int]] = []
    dear = plan.experiment.game in DEAR and SEARCH in plan.bots
    play(task, Chunk(0, range(1), 0, 1 if dear else 24), specs)  # loads code
    while sum(spent for spent, _ in times) < seconds or len(times) < 4:
        begun = time.process_time()
        done = play(task, Chunk(0, range(1), start, start + size), specs)
        start += size
        if done is None:
            continue
        for name, frame in frames(task.tables, done[1], done[0]).items():
            store.parquet_bytes(frame, statistics=name == "games")
            tables.setdefault(name, []).append(frame)
        times.append((time.process_time() - begun, len(done[1].game_id)))
        if times[-1][0] < seconds / 10:
            size = min(2 * size, MOST[plan.experiment.log])
    wide = [(spent, games) for spent, games in times if games >= times[-1][1] / 2] or times
    games = sum(n for _, n in wide)
    rate = sum(spent for spent, _ in wide) / games
    whole = {name: pl.concat(parts) for name, parts in tables.items()}
    kept = whole["games"].height
    size = sum(_size(frame) - _size(frame.head(1)) for frame in whole.values())  # without the head of a file
    each = [spent / n for spent, n in wide]
    mean = sum(each) / len(each)
    spread = (sum((one - mean) ** 2 for one in each) / len(each)) ** 0.5 / mean
    return Cost(rate, size / kept, games, spread)


def _size(frame: Any) -> int:
    return len(store.parquet_bytes(frame, statistics=False))


def settings() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield (table, row, settings) of what is measured."""
    for game, most in (("migration", 4), ("migrato", 2), ("drifting_lands", 4), ("mars", 4)):
        for bot in ("random", "greedy", SEARCH):
            for count in sorted({2, most} if bot != SEARCH or game not in DEAR else {2}):
                table = {"game": game, "players": {"count": count, "bots": [bot]}, "log": "pieces"}
                yield "game and play", f"{game}, {count} players, {bot}", table
    base = {"game": "migration", "players": {"count": 2, "bots": ["greedy"]}}
    for log in ("games", "pieces", "turns", "decisions"):
        yield "log", f"log = {log}", {**base, "log": log}
    for board in ("islands", "archipelago", "wilds", "founder"):
        yield "map", f"map = {board}", {**base, "log": "pieces", "parameters": {"map": board}}
    for count in (2, 3, 4):
        players = {"count": count, "bots": ["greedy"]}
        yield "players", f"{count} players", {**base, "log": "pieces", "players": players}


def commit_seconds(lines: int = 200) -> tuple[float, float]:
    """Return the seconds that a group of lines of the commit log waits for the disk, and that a line adds to it."""
    entry = {"chunk": 0, "of": 0, "from": 0, "to": 16384, "games": 16384, "first_game_id": 0}
    part = {"file": "pieces/part-00000-00000000.parquet", "rows": 1, "bytes": 1, "sha256": "0" * 64}
    entry["parts"] = dict.fromkeys(("games", "seats", "pieces"), part)
    with tempfile.TemporaryDirectory(dir=".") as folder:
        for table in entry["parts"]:
            (Path(folder) / table).mkdir()
        begun = time.perf_counter()
        for _ in range(lines):
            store.append_commit(Path(folder), entry)
        alone = (time.perf_counter() - begun) / lines
        begun = time.process_time()
        for _ in range(20):
            store.append_commit(Path(folder), *[entry] * lines)
        return alone, (time.process_time() - begun) / 20 / lines


def hand_out_seconds(calls: int = 1000) -> float:
    """Return the seconds that the driver takes to hand a chunk to a worker of this machine and to get its line back."""
    import joblib

    plan = make_plan(read_experiment({"name": "scale", "game": "migration", "games": 100_000}))
    call = (task_of(plan), Chunk(0, range(1), 0, 1), [plan.specs[0]])
    pool = joblib.Parallel(n_jobs=2, return_as="generator_unordered", pre_dispatch="2*n_jobs", batch_size=1)
    list(pool(joblib.delayed(repr)(call) for _ in range(20)))
    begun = time.process_time()
    for _ in pool(joblib.delayed(repr)(call) for _ in range(calls)):
        pass
    return (time.process_time() - begun) / calls


def number(value: float) -> str:
    """Three figures, with commas."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def main(arguments: list[str]) -> int:
    """Print the tables."""
    seconds = float(arguments[0]) if arguments else 2.0
    os.environ["POLARS_MAX_THREADS"] = "1"
    costs: dict[str, dict[str, Cost]] = {}
    for table, row, given in settings():
        costs.setdefault(table, {})[row] = measured(seconds, **given)
        print(f"  {row}: {costs[table][row]}", file=sys.stderr, flush=True)
    for table, rows in costs.items():
        print(
            f"\n| {table} | core hours per million games | GB per million | bytes a game | times the first |"
        )
        print("|---|--:|--:|--:|--:|")
        first = next(iter(rows.values())).seconds
        for row, cost in rows.items():
            ratio = "" if table == "game and play" else f"{cost.seconds / first:.2f}"
            print(
                f"| {row} | {number(cost.hours)} | {cost.bytes / 1000:.3g} | {cost.bytes:,.0f} | {ratio or '-'} |"
            )
    wait, line = commit_seconds()
    line += hand_out_seconds()
    print(f"\nThe disk: {1000 * wait:.1f} ms a group of lines; the driver: {1000 * line:.2f} ms a chunk.\n")
    print("| a billion games | chunks | workers | lost | hours | busy | driver | again | core hours | TB |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for row, cost in costs["game and play"].items():
        if not row.startswith("migration, 2"):
            continue
        games = min(MOST["pieces"], max(16, int(LARGE / cost.seconds)))
        kind = Kind(-(-BILLION // games), games * cost.seconds, max(cost.spread, 0.2))
        for workers, losses in ((16, 0.0), (200, 0.0), (200, 24.0), (2000, 24.0)):
            cluster = Cluster(workers, line=line, wait=wait, between_losses=losses)
            found = simulate([kind], cluster)
            print(
                f"| {row} | {kind.chunks:,} of {games:,} games | {workers:,} | "
                f"{found.lost:,} | {number(found.hours)} | {found.busy:.0%} | {found.driver:.0%} | "
                f"{found.again:.2%} | {number(cost.hours * 1000)} | {number(cost.bytes / 1000)} |"
            )
    slow = replace(Cluster(200), line=line, wait=wait)
    for length in (0.1, 1.0, 10.0, 100.0):
        found = simulate([Kind(20_000, length)], slow)
        print(
            f"chunks of {length:g} s on 200 workers: workers busy {found.busy:.0%}, driver {found.driver:.0%}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
