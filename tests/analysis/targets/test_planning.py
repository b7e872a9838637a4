"""A planned effect is seen as often as the plan says."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from analysis import stats
from analysis.data.dataset import Dataset
from analysis.targets.planning import Reach, changes, reaches
from analysis.targets.table import read_targets
from tests.analysis.small import from_shares, winners

ROTATIONS = 2
"""Games of a deal: one rotation helps what the other one harms, so that a deal tells more than two games."""


def played(rng: np.random.Generator, deals: int, effect: float) -> np.ndarray:
    """The first seat's wins (deals, rotations), with a lean of each deal that turns around with its players."""
    lean = 0.25 * rng.choice([-1, 1], size=deals)
    return (rng.random((deals, 2)) < 0.5 + effect + np.stack([lean, -lean], axis=1)).astype(float)


def pilot(seed: int, deals: int) -> Reach:
    won = played(np.random.default_rng(seed), deals, 0.0).ravel()
    d = from_shares(np.stack([won, 1 - won], axis=1), deal=np.repeat(np.arange(deals), ROTATIONS))
    return reaches(d, read_targets({"seat": 0.02}), len(won))[0]


def test_games_and_effects_agree() -> None:
    one = pilot(1, 2000)
    assert one.to_see(one.effect(3000)) in (3000, 3001)
    assert one.tests == 1
    assert one.spread < 0.97 * 0.5  # less than that of games of their own: deals are played both ways
    assert one.to_prove is not None
    assert one.to_prove > one.to_see(0.02)  # to prove that there is none takes more than to see one
    assert reaches(
        from_shares(np.tile([[1.0, 0.0], [0.0, 1.0]], (40, 1))),
        read_targets({"seat": 0.02, "turns": [1, 50]}),
        80,
    )


@pytest.mark.parametrize("effect", [0.05, 0.02])
def test_the_planned_power_is_what_comes_out(effect: float) -> None:
    """80% within 3 points, by simulation of whole runs, with errors by deal."""
    one, runs = pilot(2, 20_000), 4000 if effect > 0.03 else 1500
    deals = one.to_see(effect) // ROTATIONS
    rng = np.random.default_rng(3)
    seen = 0
    for _ in range(runs):
        means = played(rng, deals, effect).mean(axis=1)
        z = (means.mean() - 0.5) / (means.std(ddof=1) / np.sqrt(deals))
        seen += abs(z) > stats.quantile(deals - 1)
    assert seen / runs == pytest.approx(0.80, abs=0.03)


def two_levels(rng: np.random.Generator, games: int, effect: float, alike: float) -> Dataset:
    """A number at two levels on common deals, of which so many go the same way at both."""
    luck, other = rng.random(games), rng.random(games)
    same = rng.random(games) < alike
    first = np.concatenate([luck < 0.5, np.where(same, luck, other) < 0.5 + effect]).astype(float)
    return from_shares(
        np.stack([first, 1 - first], axis=1),
        cell=np.repeat(np.arange(2, dtype=np.int32), games),
        deal=np.tile(np.arange(games), 2),
        seed=np.tile(np.arange(games), 2).astype(np.uint64),
        cells=pl.DataFrame({"cell": pl.Series([0, 1], dtype=pl.Int32), "coins": [1, 2]}),
    )


@pytest.mark.parametrize("alike", [0.0, 0.6])
def test_a_change_is_planned_with_the_error_of_its_deals(alike: float) -> None:
    """The variance of a difference is that of two means, less what common deals take away; three numbers are tested."""
    games = 4000
    one = next(c for c in changes(two_levels(np.random.default_rng(1), games, 0.0, alike), games))
    assert (one.target, one.about, one.setting) == ("seat change", "Seat A", "coins 2 against coins 1")
    assert one.tests == 2  # that of the length of games, too
    assert one.spread == pytest.approx(np.sqrt(2 * 0.25 * (1 - alike)), rel=0.04)
    assert one.half == 0.02


@pytest.mark.soak
@pytest.mark.parametrize("effect", [0.08, 0.04])
@pytest.mark.parametrize("alike", [0.0, 0.6])
def test_the_planned_power_of_a_change_is_what_comes_out(effect: float, alike: float) -> None:
    """80% within 3 points, as `analysis.compare` tests it; the pilot plays the same levels as the run."""
    one = changes(two_levels(np.random.default_rng(1), 20_000, effect, alike), 20_000)[0]
    games, runs, rng = one.to_see(effect), 1000, np.random.default_rng(5)
    seen = 0
    for _ in range(runs):
        frame = analysis.compare(two_levels(rng, games, effect, alike), what=["seats", "length"])
        seen += frame.filter((pl.col("what") == "seat") & pl.col("differs")).height > 0
    assert seen / runs == pytest.approx(0.80, abs=0.03)


PIECES = ("Crab", "Gull", "Seal", "Tern")


def with_pieces(rng: np.random.Generator, games: int, strong: float) -> Dataset:
    """Two seats with three pieces each, drawn at random; Crabs add so many log odds, each of them."""
    counts = rng.multinomial(3, [0.25] * 4, size=(games, 2)).astype(np.int16)
    odds = strong * counts[:, :, 0] + rng.gumbel(size=(games, 2))
    return from_shares(winners(odds), counts=counts, pieces=PIECES)


@pytest.mark.soak
@pytest.mark.parametrize("strong", [0.30, 0.15])
def test_the_planned_power_of_a_piece_is_what_comes_out(strong: float) -> None:
    """80% within 3 points, by the test of `analysis.piece_strength` corrected over the four pieces."""
    rng = np.random.default_rng(7)
    large = with_pieces(rng, 60_000, strong)
    effect = float(analysis.piece_strength(large).filter(pl.col("piece") == "Crab")["estimate"][0])
    one = reaches(large, read_targets({"piece": 0.03}), 60_000)[0]
    assert one.tests == 4
    games, runs = one.to_see(effect), 1000
    crit = stats.quantile(games - 1, 1 - stats.ALPHA / 4) / stats.quantile(games - 1)
    seen = 0
    for _ in range(runs):
        row = analysis.piece_strength(with_pieces(rng, games, strong)).filter(pl.col("piece") == "Crab")
        value, low = row["estimate"][0], row["low"][0]
        seen += value > crit * (value - low)
    assert seen / runs == pytest.approx(0.80, abs=0.03)
