"""How long compiling takes before the first game of a run: whole processes with a cache of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sim.batch.engine import get_game
from sim.core.bot_doors import kind_of, shown, split_name
from sim.core.errors import Refusal

_WARM_UP = """
import sys
from sim.batch.engine import get_game, warm_up
warm_up(get_game(sys.argv[1]), sys.argv[2:], "pieces")
"""


def bench_compile(game: str, bots: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Measure a process that prepares a run of two kinds of bots, from an empty cache on.

    Parameters
    ----------
    bots
        Two bots without options; the second one is edited for the third row.

    Yields
    ------
    dict
        game, bots, cache ("cold", "warm", "<bot> edited"), functions (how many were compiled and kept), cpu_seconds,
        seconds. A warm start compiles nothing; an edited bot compiles itself and the playing loop.

    Raises
    ------
    Refusal
        There is no such game or bot, or a process fails.
    """
    get_game(game)
    names = [split_name(bot)[0] for bot in bots]
    source = kind_of(names[1]).source
    with tempfile.TemporaryDirectory() as folder:
        cache, edited = Path(folder) / "cache", Path(folder) / "edited" / source.name
        edited.parent.mkdir()
        edited.write_text(source.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
        cases = {"cold": names, "warm": names, f"{shown(names[1])} edited": [names[0], str(edited)]}
        for case, players in cases.items():
            before = _kept(cache)
            times = _prepared(game, players, cache)
            kept = _kept(cache) - before
            yield {"game": game, "bots": list(map(shown, names)), "cache": case, "functions": kept, **times}


def _kept(cache: Path) -> int:
    """Return how many pieces of machine code a cache holds."""
    return sum(1 for _ in cache.rglob("*.nbc"))


def _prepared(game: str, bots: Sequence[str], cache: Path) -> dict[str, float]:
    environment = {**os.environ, "WHIMBREL_CACHE": str(cache), "NUMBA_DISABLE_JIT": "0"}
    before, begun = os.times(), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", _WARM_UP, game, *bots],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    after, seconds = os.times(), time.perf_counter() - begun
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise Refusal(
            f"--compile: {game} with {', '.join(map(shown, bots))}: {said[-1] if said else 'failed'}"
        )
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return {"cpu_seconds": spent, "seconds": seconds}
