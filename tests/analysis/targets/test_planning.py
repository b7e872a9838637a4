"""A planned effect is seen as often as the plan says."""

from __future__ import annotations

import numpy as np
import pytest

from analysis import stats
from analysis.targets.planning import Reach, reaches
from analysis.targets.table import read_targets
from tests.analysis.small import from_shares

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


def test_the_planned_power_is_what_comes_out() -> None:
    """80% within 3 points, by simulation of whole runs, with errors by deal."""
    one, effect, runs = pilot(2, 20_000), 0.05, 4000
    deals = one.to_see(effect) // ROTATIONS
    rng = np.random.default_rng(3)
    seen = 0
    for _ in range(runs):
        means = played(rng, deals, effect).mean(axis=1)
        z = (means.mean() - 0.5) / (means.std(ddof=1) / np.sqrt(deals))
        seen += abs(z) > stats.quantile(deals - 1)
    assert seen / runs == pytest.approx(0.80, abs=0.03)
