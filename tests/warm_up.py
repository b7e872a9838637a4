"""Compile once, before the tests start their workers, every kernel that they use: ``python -m tests.warm_up``.

Each game is compiled in a process of its own, as many at a time as there are cores; ``python -m tests.warm_up GAME``
compiles one.
"""

from __future__ import annotations

import tests.conftest  # noqa: F401  (sets the flags of the test run before Numba is imported)

import os  # isort: skip
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor


def main(names: list[str]) -> int:
    """Fill the compile cache of the test run; returns 1 when the rules of a game could not be compiled."""
    from sim.core.game import game_names

    if names:
        for name in names:
            compile_game(name)
        return 0
    begun = time.perf_counter()
    print("compiling the kernels for the tests (once for each version of the rules) ...", flush=True)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        codes = list(pool.map(_in_its_own_process, game_names()))
    print(f"ready after {time.perf_counter() - begun:.0f} s")
    return int(any(codes))


def _in_its_own_process(name: str) -> int:
    begun = time.perf_counter()
    code = subprocess.run([sys.executable, "-m", "tests.warm_up", name], check=False).returncode
    word = "compiled" if code == 0 else "NOT compiled"
    print(f"  {name}: {word} after {time.perf_counter() - begun:.0f} s", flush=True)
    return code


def compile_game(name: str) -> None:
    """Compile what the tests use of one game."""
    from sim.core.game import get_game
    from sim.core.play import warm_up

    for bots in (["random"], ["greedy"], ["greedy", "random"]):
        warm_up(get_game(name), bots, "decisions")
    if name == "migration":
        _compile_more_of_migration()


def _compile_more_of_migration() -> None:
    """Its variants, its co-steps and the small kernels of the core's tests."""
    import numpy as np

    from sim.core.game import get_game
    from tests import conformance
    from tests.core import plain, small_game
    from tests.games import deals
    from tests.games.migration import costep, test_invariants
    from tests.playthroughs import record

    plain.answers()
    small_game.whole_day(np.zeros(1), small_game.record(small_game.Apples), 1)
    small_game.wasps_of_a_day(np.zeros(1), small_game.record(small_game.Apples), 1)
    costep.game(0)
    costep.game(3)
    costep.variant_game(1)
    for parameters in ({}, {"map": "founder"}, {"oaths": True}):
        conformance.check_game(
            get_game("migration"), conformance.Setting(parameters, games=2, decisions=0, compared=0)
        )
    for name in ("2-random", "2-decks-wilds", "2-greedy-founder"):
        record(name)
    test_invariants.no_town_is_worth_less_than_nothing(deals.play(deals.cell(), 1))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
