"""The compiled engine of Drifting Lands against the plain referee: 36 random games here, 990 in `make soak`."""

from __future__ import annotations

import pytest

from tests.games.drifting_lands_costep import Engine, co_step, compare_actions, devonian
from tests.reference.drifting_lands import KINDS, Referee

PHASES = {"drift", "select", "play", "part", "expel", "second"}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_engine_and_referee_agree(players: int) -> None:
    games = [co_step(players, seed) for seed in range(12)]
    assert sum(decisions for decisions, _ in games) > 12 * 32 * players
    needed = PHASES | {kind.split()[-1] for kind in KINDS}
    if players == 2:
        needed.remove("expel")  # two seldom meet in random games
    assert set().union(*(seen for _, seen in games)) >= needed


def test_a_difference_is_seen() -> None:
    engine = Engine(2, 1)
    while engine.position().splitlines()[0].endswith(": start"):
        engine.do(min(engine.actions().values()))
    referee, actions = Referee(engine.position(), devonian()), set(engine.actions())
    compare_actions(actions, referee, "")
    with pytest.raises(AssertionError, match="only referee"):
        compare_actions(actions - {min(actions)}, referee, "")
    referee.do(min(actions))
    assert referee.position_text() != engine.position()


@pytest.mark.soak
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("block", range(10))
def test_engine_and_referee_agree_for_long(players: int, block: int) -> None:
    first = 1000 + block * 33
    assert sum(co_step(players, seed)[0] for seed in range(first, first + 33)) > 33 * 32 * players
