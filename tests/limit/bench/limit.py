"""Connect four and Hex: the playing loop beside C, a bare Numba function and OpenSpiel."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from sim.batch.dry_run import task_of
from sim.batch.engine import warm_up
from sim.batch.experiment import read_experiment
from sim.batch.layout import Chunk
from sim.batch.plan import Plan, make_plan
from sim.batch.store import append_commit
from sim.batch.worker import play, play_chunk_file
from sim.checks.table import make_cell
from sim.core.play import Job, play_chunk
from sim.core.seeds import deal_seed
from tests.limit import bare, native
from tests.limit.bench.rounds import AT_LEAST, Row, in_turns, ratios, say

GAMES = {"connect_four": 100_000, "hex": 6_000}
"""Games of a round."""
OPENSPIEL = {"connect_four": ("connect_four", 2_000), "hex": ("hex(board_size=11)", 300)}
SHARE_OF_C = 0.5


def plan_of(game: str, bots: list[str], **more: Any) -> Plan:
    """Return the plan of a game between these bots."""
    data = {"game": game, "name": "bench", "players": {"count": len(bots), "bots": bots}, "seed": 7}
    return make_plan(read_experiment({**data, **more}))


def without_logs(plan: Plan, games: int) -> Callable[[], Any]:
    """Return a task: `games` games through the batch's own player, nothing logged."""
    task = replace(task_of(plan), log="none")
    chunk = Chunk(0, range(1), 0, games)
    return lambda: play(task, chunk, plan.specs)


def with_logs(plan: Plan, games: int, folder: Path, log: str = "pieces") -> Callable[[], Any]:
    """Return a task: the same games, their tables written and committed as a run does."""
    for table in plan.tables().schema():
        (folder / table).mkdir(parents=True, exist_ok=True)
    task = replace(task_of(plan), log=log, folder=folder)
    chunk = Chunk(0, range(1), 0, games)
    return lambda: append_commit(folder, play_chunk_file(task, 0, chunk, plan.specs))


def check_same_games(name: str, seeds: np.ndarray) -> None:
    """Refuse to compare what are not the same games."""
    game = import_module(f"tests.limit.{name}").GAME
    cell, n = make_cell(game, ["random"], 2), len(seeds)
    turn = np.tile(np.arange(2, dtype=np.int8), (n, 1))
    job = Job(np.zeros(n, np.int32), np.arange(n), np.zeros(n, np.int16), seeds, turn)
    ours = play_chunk(game, [cell], job, "games").games
    turns, winners = np.zeros(n, np.int32), np.zeros(n, np.int32)
    getattr(bare, name)(seeds, turns, winners)
    found = {"bare Numba": (turns, winners)}
    if native.compiler() is not None:
        found["C"] = native.play(name, seeds)
    for who, (length, won) in found.items():
        if not (np.array_equal(length, ours["turns"]) and np.array_equal(won, ours["winner"])):
            raise SystemExit(f"{name}: {who} plays other games than the loop; nothing is compared")


def rollouts(name: str) -> tuple[Callable[[], Any], int] | None:
    """Return a task of OpenSpiel's own random games in C++, and how many they are; None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    words, games = OPENSPIEL[name]
    game = pyspiel.load_game(words)
    start = game.new_initial_state()

    def task() -> None:  # a search of one simulation judges the first position by so many rollouts
        evaluator = pyspiel.RandomRolloutEvaluator(games, 7)
        pyspiel.MCTSBot(game, evaluator, 1.0, 1, 10, False, 7, False).mcts_search(start)

    return task, games


def measure(rounds: int) -> Iterator[Row]:
    """Measure both games."""
    for name, games in GAMES.items():
        say(f"{name}: the loop, C, bare Numba, OpenSpiel")
        seeds = deal_seed(7, np.arange(games))
        check_same_games(name, seeds[: games // 10])
        plan = plan_of(str(Path(__file__).parents[1] / f"{name}.py"), ["random", "random"])
        for log in ("none", "pieces"):
            warm_up(plan.game, plan.bot_names, log, plan.cells)
        turns, winners = np.zeros(games, np.int32), np.zeros(games, np.int32)
        with tempfile.TemporaryDirectory(prefix="whimbrel-bench-") as folder:
            tasks: dict[str, Any] = {
                "our loop, no logs": without_logs(plan, games),
                "our loop, default log, written": with_logs(plan, games, Path(folder)),
                "bare Numba": partial(getattr(bare, name), seeds, turns, winners),
            }
            if native.compiler() is not None:
                tasks["C, -O3"] = partial(native.play, name, seeds)
            spiel = rollouts(name)
            if spiel is not None:
                tasks["OpenSpiel, C++ rollouts"] = spiel[0]
            counts = {what: spiel[1] if spiel and what.startswith("Open") else games for what in tasks}
            found = in_turns(tasks, rounds)
        each = {what: [s / counts[what] for s in seconds] for what, seconds in found.items()}
        for what, seconds in each.items():
            row = Row(name, what, 1 / median(seconds), "games/s")
            if what == "C, -O3":
                yield row
            elif "C, -O3" in each:
                ratio, spread = ratios(each["C, -O3"], seconds)
                wanted = SHARE_OF_C if what == "our loop, no logs" else None
                yield replace(
                    row, ratio=ratio, spread=spread, to="C", bound=AT_LEAST if wanted else "", target=wanted
                )
            else:
                ratio, spread = ratios(each["bare Numba"], seconds)
                yield replace(row, ratio=ratio, spread=spread, to="bare Numba")
