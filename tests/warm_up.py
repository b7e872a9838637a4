"""Compile once, before the tests start their workers, every kernel that they use: ``python -m tests.warm_up``."""

from __future__ import annotations

import tests.conftest  # noqa: F401  (sets the flags of the test run before Numba is imported)

import time  # isort: skip


def main() -> None:
    """Fill the compile cache of the test run."""
    import numpy as np

    from sim.core.game import game_names, get_game
    from sim.core.jit import compile_lock
    from sim.core.play import warm_up
    from tests import conformance
    from tests.core import plain, small_game
    from tests.games import deals
    from tests.games.migration import costep as migration_costep
    from tests.games.migration import test_invariants as test_migration_invariants
    from tests.playthroughs import record

    begun = time.perf_counter()
    print("compiling the kernels for the tests (once for each version of the rules) ...", flush=True)
    for name in game_names():
        for bots in (["random"], ["greedy"], ["greedy", "random"]):
            warm_up(get_game(name), bots, "decisions")
    game = get_game("migration")
    with compile_lock():
        plain.answers()
        small_game.whole_day(np.zeros(1), small_game.record(small_game.Apples), 1)
        small_game.wasps_of_a_day(np.zeros(1), small_game.record(small_game.Apples), 1)
        migration_costep.game(0)
        migration_costep.game(3)
        migration_costep.variant_game(1)
        for parameters in ({}, {"map": "founder"}, {"oaths": True}):
            conformance.check_game(game, parameters=[parameters], games=2)
        for name in ("2-random", "2-decks-wilds", "2-greedy-founder"):
            record(name)
        test_migration_invariants.no_town_is_worth_less_than_nothing(deals.play(deals.cell(), 1))
    print(f"ready after {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
