"""Planted data that faulty ratings do not pass; a fifth of the games are tied."""

from __future__ import annotations

import numpy as np
import polars as pl

import analysis
from analysis.data.dataset import Dataset
from analysis.skill.ladder import ELO
from tests.analysis.small import from_shares

BOTS = ["greedy", "search:playouts=50"]


def met(
    front: np.ndarray, names: list[str], rating: list[float], seed: int, *, seat: float = 0.0, rows: int = 1
) -> Dataset:
    """Pairs of bots (games, 2) as numbers, at two seats; the games of `rows` in a row are one deal that sways them."""
    rng = np.random.default_rng([57, seed])
    games = len(front)
    elo = np.array(rating)[front] / ELO
    sway = np.repeat(rng.normal(0, 2.0, games // rows + 1), rows)[:games] if rows > 1 else 0.0
    lead = elo[:, 0] - elo[:, 1] + seat + sway
    first = (rng.random(games) < 1 / (1 + np.exp(-lead))).astype(float)
    shares = np.stack([first, 1 - first], axis=1)
    shares[rng.random(games) < 0.2] = 0.5
    d = from_shares(shares, deal=np.arange(games) // rows)
    seats = d.seats.collect().with_columns(bot=pl.Series([names[k] for k in front.ravel()]))
    manifest = {**d.manifest, "categories": {"piece": [], "bot": names}, "bots_used": names}
    return Dataset.from_frames(manifest, d.cells, d.games.collect(), seats)


def rated(d: Dataset, bot: str) -> dict[str, float]:
    return analysis.ladder(d, base="greedy").row(by_predicate=pl.col("bot") == bot, named=True)


def test_a_bot_that_sits_in_the_good_seat_oftener_is_no_stronger() -> None:
    """The searcher is no better, and sits in the favoured seat in 80 % of games."""
    rng = np.random.default_rng(58)
    behind = rng.random(8_000) < 0.2
    front = np.where(behind[:, None], [0, 1], [1, 0])
    row = rated(met(front, BOTS, [0.0, 0.0], 1, seat=1.0), BOTS[1])
    assert row["low"] < 0 < row["high"]
    assert abs(row["estimate"]) < 40


def test_games_of_one_deal_are_one_block() -> None:
    """Ten games a deal that sways them: as if independent, the interval of a rating would miss it far too often."""
    missed = 0
    for seed in range(40):
        front = np.tile([[1, 0]], (600, 1))
        mirror = np.tile([[0, 0], [1, 1]], (100, 1))
        row = rated(met(np.concatenate([front, mirror]), BOTS, [0.0, 0.0], seed, rows=10), BOTS[1])
        missed += not row["low"] <= 0 <= row["high"]
    assert missed <= 7


def test_no_stronger_is_corrected_over_all_steps() -> None:
    """Six doublings that bring nothing: each must be shown to lie within the margin at a sixth of 5 %."""
    names = [f"search:playouts={50 * 2**k}" for k in range(7)]
    little = ELO * np.log(0.52 / 0.48)
    between = shown = 0
    for seed in range(6):
        rng = np.random.default_rng([59, seed])
        low = rng.integers(0, 6, 30_000)
        front = np.stack([low, low + 1], axis=1)
        front[::2] = front[::2, ::-1]
        frame = analysis.ladder(met(front, names, [0.0] * 7, seed), base=names[0])
        for row in frame.filter(pl.col("gain").is_not_null()).iter_rows(named=True):
            error = (row["gain_high"] - row["gain_low"]) / (2 * 1.96)
            inside = (little - abs(row["gain"])) / error
            between += 1.75 < inside < 2.3
            shown += row["verdict"] == "no stronger"
            assert row["verdict"] != "no stronger" or inside > 2.35
    assert between > 3
    assert shown > 3
