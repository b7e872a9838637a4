"""Bots in endings of known value: the suites that come with the games, and what is made of the choices."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import analysis
from sim.batch.toml_text import to_toml
from sim.core.errors import Refusal
from sim.core.game import game_names, get_game
from sim.exact.competence import EXACT, WORST, choices
from sim.exact.endings import FILE, laid_out, make_suite, matters, suite_of
from sim.exact.solver import Solver

pytestmark = pytest.mark.plain
GAMES = [name for name in game_names() if (get_game(name).folder / FILE).is_file()]


def test_games_have_suites() -> None:
    assert "migration" in GAMES


@pytest.mark.parametrize("name", GAMES)
def test_a_suite_is_reached_and_says_what_the_solver_says(name: str) -> None:
    game = get_game(name)
    suite = suite_of(game)
    assert len({ending.deal for ending in suite.endings}) == len(suite.endings)
    assert all(matters(ending.wins) for ending in suite.endings)
    assert f"competence {name} --make {len(suite.endings)}" in suite.made
    small = replace(suite, endings=sorted(suite.endings, key=lambda ending: ending.nodes)[:3])
    for ending, table in laid_out(game, small):
        solved = Solver(game, table.rules, kept=12).solve(table.state, table.actions)
        assert solved.values == pytest.approx(ending.wins, abs=1e-8)


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_every_ending_has_the_value_that_is_kept(name: str) -> None:
    game = get_game(name)
    for ending, table in laid_out(game, suite_of(game)):
        for aim, known in (("wins", ending.wins), ("lead", ending.lead)):
            solved = Solver(game, table.rules, aim, 10_000_000).solve(table.state, table.actions)
            assert solved.values == pytest.approx(known, abs=1e-8)


def test_right_choices_lose_nothing_and_wrong_ones_most() -> None:
    game = get_game("migration")
    suite = suite_of(game)
    few = replace(suite, endings=suite.endings[:8])
    bots = [EXACT, "random", "greedy", WORST]
    found = choices(game, few, bots, repeats=2)
    assert found.height == 8 * 2 * len(bots)
    assert found["regret"].min() == 0.0
    told = {row["bot"]: row for row in analysis.competence(found).iter_rows(named=True)}
    assert (told[EXACT]["estimate"], told[EXACT]["best"]) == (0.0, 1.0)
    assert told[EXACT]["high"] > 0, "eight endings prove no perfection"
    assert told[WORST]["best"] == 0.0
    for bot in bots[1:-1]:
        assert 0 < told[bot]["estimate"] < told[WORST]["estimate"]
        assert told[bot]["low"] <= told[bot]["estimate"] <= told[bot]["high"]
        mean = found.filter(bot=bot)["regret"].mean()
        assert told[bot]["estimate"] == pytest.approx(mean)
    pieces = analysis.competence(found, by_piece=True)
    assert set(pieces["piece"]) == set(found["piece"].drop_nulls())
    assert pieces.filter(bot=EXACT)["endings"].sum() <= 8


def test_endings_are_made_and_read(tmp_path: Path) -> None:
    game = get_game("migration")
    suite = make_suite(game, 1, "the line", most_nodes=25)
    path = tmp_path / FILE
    path.write_text(to_toml(suite.as_tables()))
    assert suite_of(game, path) == suite
    assert json.dumps(tomllib.loads(path.read_text())["ending"][0]["wins"]) == json.dumps(
        suite.endings[0].wins
    )
    broken = replace(suite.endings[0], actions=[7, *suite.endings[0].actions])
    with pytest.raises(Refusal, match="is not reached"):
        list(laid_out(game, replace(suite, endings=[broken])))
    path.write_text("endings = 3\n")
    with pytest.raises(Refusal, match="no suite of endings"):
        suite_of(game, path)
    with pytest.raises(analysis.Refusal, match="regret"):
        analysis.competence(pl.DataFrame({"bot": ["a"], "ending": [1], "piece": [""], "best": [True]}))
