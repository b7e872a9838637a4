"""Compile once, before the tests start their workers, every kernel that they use: ``python -m tests.warm_up``."""

from __future__ import annotations

import tests.conftest  # noqa: F401  (sets the flags of the test run before Numba is imported)

import time  # isort: skip


def main() -> None:
    """Fill the compile cache of the test run."""
    from sim.core.game import get_game
    from sim.core.jit import compile_lock
    from sim.core.play import replay, warm_up
    from tests.games import migration_costep

    begun = time.perf_counter()
    game = get_game("migration")
    print("compiling the kernels for the tests (once for each version of the rules) ...", flush=True)
    for bots in (["random"], ["greedy"], ["greedy", "random"]):
        warm_up(game, bots, "decisions")
    with compile_lock():
        migration_costep.game(0)
        migration_costep.game(3)
        from sim.core.game import Entrant

        cell = game.prepare({}, 2, [Entrant("greedy", "greedy"), Entrant("random", "random")])
        replay(game, cell, 1, [0, 1])
    print(f"ready after {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
