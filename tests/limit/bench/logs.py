"""What piece logs cost: beside a bare write of the same frames, and beside the play of a search."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median

from sim.batch.dry_run import task_of
from sim.batch.engine import warm_up
from sim.batch.layout import Chunk
from sim.batch.store import write_part
from sim.batch.tables import frames
from sim.batch.worker import play
from tests.limit.bench.limit import plan_of, without_logs
from tests.limit.bench.rounds import AT_LEAST, AT_MOST, Row, in_turns, ratios, say, spent

GAMES = ("migration", "migrato", "drifting_lands", "mars")
CHUNK = {"migration": 16384, "migrato": 8192, "drifting_lands": 8192, "mars": 4096}
"""Games whose tables are written; at most as many as a run writes at once."""
SEARCH = "search:playouts=100"
SEARCHED = {"migration": 60, "migrato": 8, "drifting_lands": 2, "mars": 2}
TIMES_BARE, SHARE_OF_SEARCH = 1.5, 0.01


def measure(rounds: int, games: tuple[str, ...] = GAMES, share: int = 1) -> Iterator[Row]:
    """Measure the tables of one chunk; `share`: only so small a part of the games."""
    import polars as pl

    for name in games:
        say(f"{name}: piece logs")
        plan, n = plan_of(name, ["greedy", "greedy"]), CHUNK[name] // share
        warm_up(plan.game, plan.bot_names, "pieces", plan.cells)
        task = replace(task_of(plan), log="pieces")
        done = play(task, Chunk(0, range(1), 0, n), plan.specs)
        assert done is not None
        game, played = done
        finished = frames(task.tables, played, game)
        with tempfile.TemporaryDirectory(prefix="whimbrel-bench-") as text:
            folder = Path(text)
            for table in finished:
                (folder / table).mkdir()

            def bare(folder: Path = folder, finished: dict[str, pl.DataFrame] = finished) -> None:
                for table, frame in finished.items():
                    frame.write_parquet(folder / f"{table}.parquet")

            def ours(folder: Path = folder, task=task, played=played, game=game) -> None:  # type: ignore[no-untyped-def]
                for table, frame in frames(task.tables, played, game).items():
                    write_part(folder, table, 0, frame)

            found = in_turns({"ours": ours, "bare": bare}, rounds)
        ratio, spread = ratios(found["ours"], found["bare"])
        each = median(found["ours"]) / n
        yield Row(
            name,
            "piece logs, frames and files",
            1e6 * each,
            "us/game",
            ratio,
            "bare polars",
            AT_MOST,
            TIMES_BARE,
            spread,
        )
        if share > 1 and name != "migration":
            continue
        searching = plan_of(name, [SEARCH, SEARCH])
        warm_up(searching.game, searching.bot_names, "none", searching.cells)
        seconds = spent(without_logs(searching, SEARCHED[name])) / SEARCHED[name]
        found_share = each / seconds
        yield Row(
            name,
            f"logs beside {SEARCH}",
            1e3 * seconds,
            "ms/game",
            found_share,
            "search",
            AT_MOST,
            SHARE_OF_SEARCH,
        )


RANDOM = {
    "migration": ("random",),
    "migrato": ("random", "random:idle=last"),
    "drifting_lands": ("random",),
    "mars": ("random", "random:idle=last"),
}
PER_ROUND = {"migration": 8000, "migrato": 1000, "drifting_lands": 1000, "mars": 200}
WANTED = {("migrato", "random:idle=last"): 20_000.0, ("mars", "random:idle=last"): 3_000.0}


def measure_random(rounds: int) -> Iterator[Row]:
    """Measure random games of each game, without logs."""
    for name, bots in RANDOM.items():
        say(f"{name}: random games")
        tasks = {}
        for bot in bots:
            plan = plan_of(name, [bot, bot])
            warm_up(plan.game, plan.bot_names, "none", plan.cells)
            tasks[bot] = without_logs(plan, PER_ROUND[name])
        for bot, seconds in in_turns(tasks, rounds).items():
            wanted = WANTED.get((name, bot))
            bound = AT_LEAST if wanted else ""
            yield Row(name, bot, PER_ROUND[name] / median(seconds), "games/s", bound=bound, target=wanted)
