"""How many games an answer takes: against closed forms, and against the verdicts of simulated runs."""

from __future__ import annotations

import numpy as np
import pytest

import analysis
from analysis import stats
from analysis.stats.power import about, chance_settled, games_to_see, more_games
from analysis.stats.verdicts import UNDECIDED
from tests.analysis.small import from_shares, winners


def duels(games: int, seat: float = 0.0, seed: int = 1) -> analysis.Dataset:
    """Games of two: the first seat has this head start in log odds; pieces are worth nothing."""
    rng = np.random.default_rng(seed)
    won = winners(rng.gumbel(size=(games, 2)) + np.array([seat, 0.0]))
    return from_shares(
        won, counts=rng.multinomial(4, [0.25] * 4, size=(games, 2)), pieces=("A", "B", "C", "D")
    )


def test_games_that_show_an_effect_are_those_of_the_tables() -> None:
    assert games_to_see([0.05, 0.03, 0.02, 0.01]).tolist() == [783, 2178, 4904, 19620]
    assert games_to_see(0.02, ratio=0.5)[0] == pytest.approx(4904 / 2, abs=1)
    assert games_to_see(0.0)[0] == -1


@pytest.mark.parametrize("value", [0.0, 0.012, 0.02, 0.031])
@pytest.mark.parametrize("tests", [1.0, 6.0])
def test_the_chance_of_a_verdict_is_that_of_the_rule_of_verdicts(value: float, tests: float) -> None:
    """Judge many runs that differ by chance alone, one by one as a family of their own."""
    rng = np.random.default_rng(3)
    for se in (0.006, 0.009, 0.015):
        runs = stats.effects(rng.normal(value, se, 400), se, 1e6)
        words = [stats.judge(runs[[i]], -0.02, 0.02, stats.FAVOUR, tests=tests).words[0] for i in range(400)]
        settled = np.mean([word != UNDECIDED for word in words])
        assert settled == pytest.approx(chance_settled(value, se, -0.02, 0.02, tests=tests), abs=0.08)


def test_so_many_more_games_settle_it_in_four_of_five_runs() -> None:
    rng = np.random.default_rng(4)
    for value in (0.0, 0.015, 0.03):
        now = stats.effects(value, 0.02, 5_000.0)
        more = more_games(now, -0.02, 0.02, 5_000)[0]
        assert more > 0
        se = 0.02 * np.sqrt(5_000 / (5_000 + more))
        runs = stats.effects(rng.normal(value, se, 500), se, 1e6)
        words = [stats.judge(runs[[i]], -0.02, 0.02, stats.FAVOUR).words[0] for i in range(500)]
        assert np.mean([word != UNDECIDED for word in words]) == pytest.approx(0.8, abs=0.06)
    assert more_games(stats.effects(0.1, 0.01, 5_000.0), -0.02, 0.02, 5_000)[0] == 0
    assert np.isnan(more_games(stats.effects(np.nan, 0.01, 5_000.0), -0.02, 0.02, 5_000)[0])
    assert about(13_420) == 14_000
    assert about(7) == 7


def test_undecided_seats_say_how_many_more_games_and_settled_ones_none() -> None:
    few = analysis.seat_balance(duels(600, 0.03, 2))
    assert few["verdict"].to_list() == [UNDECIDED] * 2
    assert 500 < few["more_games"][0] < 20_000
    strong = analysis.seat_balance(duels(3_000, 0.6))
    assert (strong["more_games"] == 0).all()
    frame = analysis.games_needed(duels(600, 0.03, 2))
    seat = frame.row(0, named=True)
    assert seat["games_0.02"] == pytest.approx(4_904 * seat["ratio"], rel=0.01)
    assert set(frame["what"]) == {"seat", "piece"}


@pytest.mark.soak
def test_runs_with_so_many_more_games_come_to_a_verdict() -> None:
    """The whole way: play, ask how many more, play them anew, and see how often there is a verdict."""
    first = analysis.seat_balance(duels(800, 0.03, 2)).row(0, named=True)
    n = 800 + int(first["more_games"])
    # The truth of these runs is what the first one seemed to be.
    odds = float(np.log(first["estimate"] / (1 - first["estimate"])))
    words = [analysis.seat_balance(duels(n, odds, s))["verdict"][0] for s in range(100, 220)]
    assert np.mean([word != UNDECIDED for word in words]) == pytest.approx(0.8, abs=0.12)
