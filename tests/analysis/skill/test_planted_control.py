"""The cheap tier as a control variate: unbiased, intervals that cover, and as many games saved as the theory says."""

from __future__ import annotations

import numpy as np
import pytest

import analysis
from analysis.skill.control import _set_right
from tests.analysis.skill.test_planted_over_play import planted

MEAN = 0.56


def deals(rng: np.random.Generator, common: int, every: int, rho: float) -> tuple[np.ndarray, np.ndarray]:
    """Wins of the strong and of the weak tier by deal, with a common part."""
    shared = rng.standard_normal(every)
    own = [np.sqrt(rho) * shared + np.sqrt(1 - rho) * rng.standard_normal(every) for _ in range(2)]
    cut = 0.1510  # the normal's 56th per cent
    dear, cheap = own[0][:common] < cut, own[1] < cut + 0.3
    return dear.astype(float), cheap.astype(float)


def covered(sets: int, common: int, every: int, rho: float, seed: int) -> tuple[float, float, float, float]:
    """Share of intervals that hold the truth, mean error, mean of what it says it saves, and what it saves."""
    rng = np.random.default_rng(seed)
    rows = [_set_right(*deals(rng, common, every, rho), np.arange(common)) for _ in range(sets)]
    held = np.mean([row["low"] <= MEAN <= row["high"] for row in rows])
    value, plain = (np.array([row[name] for row in rows]) for name in ("estimate", "plain"))
    said = float(np.median([row["worth"] for row in rows]))
    return float(held), float(value.mean() - MEAN), said, float(plain.var() / value.var())


@pytest.mark.parametrize("rho", [0.0, 0.9])
def test_intervals_cover_and_games_are_saved(rho: float) -> None:
    held, bias, said, saved = covered(400, 100, 800, rho, 8)
    assert 0.93 <= held <= 0.97
    assert abs(bias) < 3 * np.sqrt(MEAN * (1 - MEAN) / 100 / 400)
    assert said == pytest.approx(saved, rel=0.2)
    assert (saved > 1.3) == (rho > 0.5)


@pytest.mark.soak
@pytest.mark.parametrize("common", [40, 400])
@pytest.mark.parametrize("rho", [0.0, 0.5, 0.9])
def test_intervals_cover_for_long(common: int, rho: float) -> None:
    held, bias, _, _ = covered(2000, common, 8 * common, rho, 9)
    assert 0.93 <= held <= 0.97
    assert abs(bias) < 4 * np.sqrt(MEAN * (1 - MEAN) / common / 2000) + 0.02 / common


def test_a_data_set_is_set_right() -> None:
    d = planted((2000, 2000, 300), 3, seat=(0.4, 0.3, 0.2), luck=0.95)
    row = analysis.with_cheap_games(d).row(0, named=True)
    assert (row["tier"], row["below"], row["seat"]) == ("search:playouts=200", "search:playouts=50", 0)
    games = d.all_tiers.filter(tier=row["tier"]).seats.collect().filter(seat=0)
    assert row["plain"] == pytest.approx(games["win_share"].mean())
    assert row["games"] == row["deals"] == 300
    assert row["r"] > 0.5
    assert row["worth"] > 1.2 * row["games"]
    assert row["high"] - row["low"] < row["plain_high"] - row["plain_low"]


def test_as_many_deals_at_both_tiers_tell_nothing_more() -> None:
    assert analysis.with_cheap_games(planted((500, 300, 300), 3)).height == 0
