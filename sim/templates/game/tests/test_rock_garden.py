"""The game keeps what every game promises, and its own worked cases hold."""

from pathlib import Path

from rock_garden.game import GAME

from sim.checks.suite import Settings, check_game

FOLDER = Path(__file__).parents[1]


def test_it_keeps_what_every_game_promises():
    for promise in check_game(GAME, Settings(str(FOLDER), compiled=False, folder=FOLDER)):
        assert promise.ok, f"{promise.name}: {promise.found}"


def test_the_worked_cases_hold():
    for result in GAME.check_cases(FOLDER / "cases" / "rock_garden.toml"):
        assert result.ok, f"{result.id}: {result.problems}"
