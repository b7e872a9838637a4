"""Handicaps with planted truth: what evens a game out is found, its interval covers, fresh games prove it."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from analysis.data.errors import Refusal
from analysis.fairness.handicap import credit, given_points, points, prove, turned, with_points
from analysis.targets.judging import PROVEN, REFUTED, UNDECIDED
from tests.analysis.small import from_shares


def scored(seed: int, games: int, ahead: tuple[float, ...], whole: bool = True) -> Any:
    """Games whose seats score normally around 20 points, some of them so many points ahead."""
    rng = np.random.default_rng(seed)
    scores = 20 + np.array(ahead) + 4 * rng.standard_normal((games, len(ahead)))
    scores = np.round(scores) if whole else scores
    return with_scores(credit(scores), scores)


def with_scores(shares: np.ndarray, scores: np.ndarray) -> Any:
    d = from_shares(shares)
    seats = d.seats.collect().with_columns(score=pl.Series(scores.ravel()))
    return Dataset.from_frames(d.manifest, d.cells, d.games.collect(), seats)


def test_the_points_that_even_it_out_are_found_and_proved() -> None:
    (one,) = points(scored(1, 3000, (2.5, 0.0)))
    assert one.values[0] == 0
    assert abs(one.values[1] - 2.5) <= 0.5
    assert one.low[1] <= 2.5 <= one.high[1]
    assert one.high[1] - one.low[1] < 1.5
    fresh = scored(2, 8000, (2.5, 0.0))
    assert prove(fresh, {2: one.values})[0].verdict == PROVEN
    assert prove(fresh)[0].verdict == REFUTED  # as it was
    assert prove(fresh, {2: [0.0, 8.0]})[0].verdict == REFUTED  # too much


@pytest.mark.parametrize(("share", "word"), [(0.51, PROVEN), (0.55, REFUTED)])
def test_so_many_more_games_settle_it_in_4_of_5_runs(share: float, word: str) -> None:
    """If it is as it looks in 1,000 games: by the tests of `prove` in 4,000 longer runs."""
    margin, first = 0.03, np.arange(1000) < 1000 * share
    d = from_shares(np.stack([first, ~first], axis=1).astype(float), judge={"seat": margin})
    (one,) = prove(d)
    assert one.verdict == UNDECIDED
    assert one.more_games is not None
    n = 1000 + one.more_games
    seen = np.random.default_rng(1).binomial(n, share, 4000) / n
    se = np.sqrt(seen * (1 - seen) / n)
    proven = np.abs(seen - 0.5) + 1.645 * se < margin
    refuted = np.abs(seen - 0.5) - 1.96 * se > margin
    assert (proven if word == PROVEN else refuted).mean() == pytest.approx(0.8, abs=0.03)
    assert prove(scored(1, 2000, (2.5, 0.0)), {2: [0.0, 8.0]})[0].more_games is None


def test_points_as_somebody_writes_them() -> None:
    assert given_points("2", {2: 0}) == {2: [2.0, 0.0]}
    assert given_points("B=2, C=3.5", {3: 0}) == {3: [0.0, 2.0, 3.5]}
    for text, behind, said in (
        ("2", {3: 0}, "say which seats"),
        ("D=1", {3: 0}, "no Seat D"),
        ("B", {2: 0}, "as in"),
    ):
        with pytest.raises(Refusal, match=said):
            given_points(text, behind)


def test_of_three_seats_the_most_favoured_has_none() -> None:
    (one,) = points(scored(3, 6000, (0.0, 3.0, 1.0)))
    assert one.values[1] == 0
    assert abs(one.values[0] - 3) <= 0.5
    assert abs(one.values[2] - 2) <= 0.5
    assert max(abs(share - 1 / 3) for share in one.after) < 0.02


def test_where_scores_jump_no_points_do_it_and_that_is_said() -> None:
    """All games end by 3 points: up to then nothing helps, then everything does."""
    rng = np.random.default_rng(5)
    first = rng.random(4000) < 0.7
    scores = np.stack([np.where(first, 3.0, 0.0), np.where(first, 0.0, 3.0)], axis=1)
    d = with_scores(credit(scores), scores)
    (one,) = points(d)
    assert prove(d, {2: one.values})[0].verdict == REFUTED


def test_a_number_that_is_turned() -> None:
    """The first seat wins 62% less 3 points a step: even at 4."""
    rng = np.random.default_rng(7)
    levels, games = list(range(9)), 2500
    luck = rng.random(games)
    own = [np.where(rng.random(games) < 0.5, luck, rng.random(games)) for _ in levels]
    first = np.concatenate([(u < 0.62 - 0.03 * k).astype(float) for k, u in zip(levels, own, strict=True)])
    cells = pl.DataFrame({"cell": pl.Series(levels, dtype=pl.Int32), "cards": levels})
    d = from_shares(
        np.stack([first, 1 - first], axis=1),
        cells=cells,
        cell=np.repeat(levels, games).astype(np.int32),
        deal=np.tile(np.arange(games), len(levels)),
    )
    (one,) = turned(d, "cards")
    assert abs(one.values[0] - 4) <= 1
    assert one.low[0] <= 4 <= one.high[0]
    assert one.high[0] - one.low[0] <= 3


def test_who_does_not_win_by_points_is_refused() -> None:
    shares = np.tile([1.0, 0.0], (50, 1))
    with pytest.raises(analysis.Refusal, match="scores were not recorded"):
        points(from_shares(shares))
    backwards = with_scores(shares, np.tile([1.0, 9.0], (50, 1)))
    with pytest.raises(analysis.Refusal, match="not decided by points alone"):
        points(backwards)


@pytest.mark.soak
def test_intervals_cover() -> None:
    covered = 0
    for seed in range(200):
        (one,) = points(scored(1000 + seed, 600, (2.5, 0.0)))
        covered += one.low[1] <= 2.5 <= one.high[1]
    assert covered >= 0.93 * 200 - 6


def test_points_given_make_the_games_of_a_variant() -> None:
    """By hand: three games of two seats; a point more turns the first, ties the second and leaves the third."""
    scores = np.array([[5.0, 4.5], [6.0, 5.0], [9.0, 2.0]])
    d = with_scores(credit(scores), scores)
    d = d.with_cells(d.cells.with_columns(variant=pl.lit("now")))
    both = with_points(d, [("now", "now", {}), ("a point", "now", {1: 1.0})])
    seats = both.seats.collect().sort("game_id", "seat")
    assert seats["win_share"].to_list() == [1, 0, 1, 0, 1, 0, 0, 1, 0.5, 0.5, 1, 0]
    assert both.games.collect().sort("game_id")["tied"].to_list() == [1] * 4 + [2, 1]
    found = analysis.seat_balance(both, by="variant").sort("variant", "seat")
    assert found["estimate"].to_list() == pytest.approx([0.5, 0.5, 1, 0])
    with pytest.raises(Refusal, match="not decided by points alone"):
        with_points(with_scores(credit(scores)[:, ::-1], scores), [("now", "now", {})])
