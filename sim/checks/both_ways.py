"""The same games compiled and as plain Python: another process plays them the other way.

``python -m sim.checks.both_ways`` reads what to play (JSON) from its standard input and writes its games there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sim.checks.perft import check_perft
from sim.checks.table import Broken, make_cell, make_job
from sim.core.errors import Refusal
from sim.core.game import get_game
from sim.core.jit import COMPILED
from sim.core.play import play_chunk

Bots = Sequence[tuple[str, Mapping[str, Any]]]
USUAL: Bots = (("random", {}), ("greedy", {}))


def played(
    game: Any, players: int, parameters: Mapping[str, Any], seeds: Sequence[int], bots: Bots = USUAL
) -> list[list[Any]]:
    """Return for each game its line of play, how it ended and its scores, as plain data."""
    cell = make_cell(game, ["random"], players, dict(parameters))
    cell = replace(
        cell, bots=[(bots[k % len(bots)][0], dict(bots[k % len(bots)][1])) for k in range(players)]
    )
    chunk = play_chunk(game, [cell], make_job([cell], seeds), "pieces")
    names = ("line", "turns", "decisions", "ended", "lead_changes")
    assert chunk.pieces is not None
    rows = []
    for g in range(len(seeds)):
        pieces = {name: values[g].tolist() for name, values in chunk.pieces.items()}
        row = [int(chunk.games[name][g]) for name in names]
        rows.append([*row, chunk.seats["score"][g].tolist(), chunk.drawn[g].tolist(), pieces])
    return rows


def check_both_ways(
    name: str,
    game: Any,
    players: int,
    parameters: Mapping[str, Any],
    seeds: Sequence[int],
    bots: Bots = USUAL,
    perft: Sequence[int] = (),
) -> None:
    """Let another process play the same games the other way, with checks of bounds, and compare.

    Raises
    ------
    Broken
        A game is another one; or the rules cannot be compiled, in the compiler's words.
    """
    task = {"name": name, "players": players, "parameters": dict(parameters), "seeds": list(seeds)}
    task |= {"bots": list(bots), "perft": list(perft)}
    way = {"NUMBA_DISABLE_JIT": "1" if COMPILED else "0", "NUMBA_BOUNDSCHECK": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "sim.checks.both_ways"],
        input=json.dumps(task),
        env={**os.environ, **way, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
    )
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    if done.returncode:
        raise Broken(f"{'plain' if COMPILED else 'compiled'}: {lines[-1] if lines else 'no answer'}")
    there = json.loads(done.stdout.splitlines()[-1])
    here = json.loads(json.dumps(played(game, players, parameters, seeds, bots)))
    for seed, one, other in zip(seeds, here, there):
        if one != other:
            raise Broken(f"seed {seed}, {players} players: {_first_difference(one, other)}")


def _first_difference(one: Sequence[Any], other: Sequence[Any]) -> str:
    names = ("line of play", "turns", "decisions", "end", "changes of lead", "scores", "drawn", "pieces")
    ways = ("compiled", "as plain Python") if COMPILED else ("as plain Python", "compiled")
    which = next(k for k, (a, b) in enumerate(zip(one, other)) if a != b)
    if which == 0 and one[1:3] == other[1:3]:
        return "another line of play when compiled"
    found = [f"{names[k]} {str(a)[:80]} {ways[0]}, {str(b)[:80]} {ways[1]}"
             for k, (a, b) in enumerate(zip(one, other)) if a != b and k]  # fmt: skip
    return found[0] if found else f"another {names[which]} when compiled"


def _answer() -> None:
    task = json.load(sys.stdin)
    try:
        game = get_game(task["name"])
        rows = played(game, task["players"], task["parameters"], task["seeds"], task["bots"])
        if task["perft"]:
            cell = make_cell(game, ["random"], game.min_players, {})
            check_perft(game, cell, task["perft"])
    except Exception as error:
        known = isinstance(error, Refusal | Broken)
        print(str(error) if known else f"{type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(1)
    print(json.dumps(rows))


if __name__ == "__main__":
    _answer()
