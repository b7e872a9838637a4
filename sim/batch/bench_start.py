"""How long the command takes to start: whole processes, timed from outside."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

from sim.batch.engine import get_game

TIMES = 5
"""Each command is started so often; the first time also warms the file cache and is not counted."""


def bench_start(game: str) -> Iterator[dict[str, Any]]:
    """Measure commands that a designer waits for before anything is played.

    Yields
    ------
    dict
        command, seconds (the median), best, cpu_seconds (the mean; of the started process).

    Raises
    ------
    Refusal
        There is no such game.
    """
    get_game(game)
    for arguments in (["--help"], ["run", "--help"], ["experiments"], ["games", game]):
        yield {"command": " ".join(arguments), **_started(arguments)}


def _started(arguments: list[str]) -> dict[str, float]:
    seconds = []
    for number in range(TIMES + 1):
        if number == 1:
            before = os.times()
        begun = time.perf_counter()
        line = [sys.executable, "-m", "sim.cli", *arguments]
        subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - begun)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return {"seconds": median(seconds[1:]), "best": min(seconds[1:]), "cpu_seconds": spent / TIMES}
