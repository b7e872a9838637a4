"""Whole commands: what of a short run is start-up, and what a second worker brings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from sim.batch.toml_text import to_toml
from tests.limit.bench.rounds import AT_LEAST, AT_MOST, Row, say

RUN = """
import json, sys
from sim.batch import runner
own = runner.run
def told(*given, **named):
    result = own(*given, **named)
    print(json.dumps({"seconds": result.seconds, "cpu": result.cpu_seconds, "played": result.played}))
    return result
runner.run = told
from sim.cli import main
main(sys.argv[1:])
"""
"""The command itself, which also tells what it measured of its play."""
SHORT = 12_000
TWO_AGAINST_ONE = 1.85
WORK = {"greedy": 400_000, "search:playouts=100": 3_000}


def started(data: dict[str, Any], jobs: int) -> dict[str, float]:
    """Run an experiment in a process of its own; returns its own figures and those of the whole process.

    The process may keep what Python compiles of our modules, as a user's does: it is not compiled in each run.
    """
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory(prefix="whimbrel-bench-") as folder:
        file = Path(folder) / "bench.toml"
        file.write_text(to_toml(data), encoding="utf-8")
        line = [sys.executable, "-c", RUN, "run", str(file), "--jobs", str(jobs), "-o", f"{folder}/data"]
        before, begun = os.times(), time.perf_counter()
        done = subprocess.run(line, env=own, capture_output=True, text=True, check=False)
        seconds, after = time.perf_counter() - begun, os.times()
    if done.returncode:
        raise SystemExit(f"the run failed: {done.stderr.strip().splitlines()[-1]}")
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return {**json.loads(done.stdout.splitlines()[0]), "whole": seconds, "whole_cpu": spent}


def experiment(bot: str, games: int) -> dict[str, Any]:
    """Return Migration between two such bots."""
    return {"game": "migration", "name": "bench", "games": games, "players": {"count": 2, "bots": [bot, bot]}}


def measure_start(rounds: int) -> Iterator[Row]:
    """Measure what a run of 12,000 games spends before and after it plays, beside what it plays."""
    say(f"a run of {SHORT:,} games: start-up")
    started(experiment("greedy", SHORT), 1)
    found = [started(experiment("greedy", SHORT), 1) for _ in range(rounds)]
    outside = [one["whole_cpu"] - one["cpu"] for one in found]
    share = [out / one["cpu"] for out, one in zip(outside, found)]
    spread = (min(share), max(share))
    what = f"start-up of {SHORT:,} greedy games"
    yield Row("whimbrel run", what, median(outside), "CPU s", median(share), "play", AT_MOST, 1.0, spread)


def measure_workers(rounds: int, share: int = 1) -> Iterator[Row]:
    """Measure runs of one worker and of two, in pairs; `share`: only so small a part of the games."""
    for bot, games in WORK.items():
        say(f"one worker against two: {games // share:,} games of {bot}")
        data = experiment(bot, games // share)
        pairs = [(started(data, 1), started(data, 2)) for _ in range(rounds)]
        clock = [one["seconds"] / two["seconds"] for one, two in pairs]
        work = [2 * one["whole_cpu"] / two["whole_cpu"] for one, two in pairs]
        seconds, spread = median(two["seconds"] for _, two in pairs), (min(clock), max(clock))
        yield Row(
            "two workers",
            f"{bot}, by the clock",
            seconds,
            "s",
            median(clock),
            "one",
            AT_LEAST,
            TWO_AGAINST_ONE,
            spread,
        )
        # what the clock would say if each worker had a core to itself from first to last
        spread, seconds = (min(work), max(work)), median(two["whole_cpu"] for _, two in pairs)
        yield Row(
            "two workers",
            f"{bot}, by CPU time",
            seconds,
            "CPU s",
            median(work),
            "one",
            AT_LEAST,
            TWO_AGAINST_ONE,
            spread,
        )
