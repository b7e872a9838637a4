"""The plain referee of Migration: Mars in random play: nothing is lost, and games end as the rules say."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.reference.mars.random import SCENES, check, lively, random_params, random_position
from tests.reference.mars.referee import Referee


def play_out(referee: Referee, rng: random.Random, steps: int) -> None:
    for _ in range(steps):
        if referee.phase == "over":
            return
        check(referee)
        assert referee.actions()
        referee.do(lively(referee, rng))


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_referee_mars_loses_nothing(scene: str, players: int) -> None:
    rng = random.Random(f"{scene} {players}")
    params = random_params(rng, players, scene)
    params.pop("track", None)  # a file of the co-step's
    position = random_position(rng, players, params)
    referee = Referee(position, params, rng)
    assert referee.position_text().splitlines()[3:] == position.splitlines()[3:] or "quit" in params
    play_out(referee, rng, 150)


@pytest.mark.parametrize("victory", ["after event", "at report", "at once"])
def test_referee_mars_short_games_are_won(victory: str) -> None:
    won = 0
    for seed in range(4):
        rng = random.Random(seed)
        params: dict[str, Any] = {"target": 2, "trading": "off", "victory": victory}
        referee = Referee(random_position(rng, 2, params), params, rng)
        play_out(referee, rng, 600)
        if referee.winner is not None:
            won += 1
            assert referee.phase == "over"
            assert referee.seats[referee.winner].pop >= 2
    assert won > 1


def test_referee_mars_games_end_at_the_cap() -> None:
    rng = random.Random(3)
    params: dict[str, Any] = {"turn_cap": 9}
    referee = Referee(random_position(rng, 3, params), params, rng)
    play_out(referee, rng, 400)
    assert (referee.phase, referee.turn, referee.winner) == ("over", 9, None)
