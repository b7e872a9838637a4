"""Runs that stop when all is decided: verdicts are false in at most 5% of them, and intervals cover."""

from __future__ import annotations

import numpy as np
import pytest

import analysis
from analysis.targets.judging import PROVEN, REFUTED
from analysis.targets.stopping import batches, spent
from analysis.targets.table import read_targets
from tests.analysis.small import from_shares

CAP, LOOKS, MARGIN = 4000, 4, 0.03


def run(seed: int, share: float) -> tuple[str, int, bool, str]:
    """The verdict of a run that stops, its games, whether its interval covers, and what naive looks say."""
    rng = np.random.default_rng(seed)
    first = (rng.random(CAP) < share).astype(float)
    games, naive = batches(CAP, LOOKS), ""
    for look, n in enumerate(games):
        d = from_shares(np.stack([first[:n], 1 - first[:n]], axis=1))
        wanted = read_targets({"seat": MARGIN})
        plain = analysis.check_targets(d, wanted, look=False)["verdict"][0]
        naive = naive or (plain if plain in (PROVEN, REFUTED) else "")
        row = analysis.check_targets(d, wanted, look=False, alpha=spent(games, look)).row(0, named=True)
        if row["verdict"] in (PROVEN, REFUTED):
            break
    return row["verdict"], n, row["low"] <= share <= row["high"], naive


def rates(repetitions: int, share: float, word: str) -> tuple[float, float, float, float]:
    """How often `word` is said by a run that stops and by naive looks; how often the interval covers; mean games."""
    found = [run(seed, share) for seed in range(repetitions)]
    own = np.mean([verdict == word for verdict, *_ in found])
    naive = np.mean([last == word for *_, last in found])
    return own, naive, np.mean([c for _, _, c, _ in found]), np.mean([n for _, n, *_ in found])


def test_batches_double_and_share_the_5_per_cent() -> None:
    assert batches(4000, 4) == [500, 1000, 2000, 4000]
    assert batches(3, 10) == [1, 2, 3]
    games = batches(4000, 4)
    assert sum(spent(games, look) for look in range(4)) == pytest.approx(0.05)


def test_a_clear_case_is_decided_early() -> None:
    verdict, games, covers, _ = run(1, 0.7)
    assert (verdict, games, covers) == (REFUTED, 500, True)


@pytest.mark.soak
def test_false_verdicts_and_coverage() -> None:
    """At the edge of the margin, where looking four times at 5% is wrong far more often."""
    n = 400
    slack = 2 * np.sqrt(0.05 * 0.95 / n)
    proven, naive, covers, _ = rates(n, 0.5 + MARGIN, PROVEN)
    assert naive > 0.08
    assert proven <= 0.05 + slack
    assert covers >= 0.93
    refuted, naive, covers, _ = rates(n, 0.5 + MARGIN, REFUTED)
    assert refuted <= 0.05 + slack
    good, _, covers, games = rates(200, 0.5, PROVEN)
    assert good > 0.85
    assert games < 0.9 * CAP
    assert covers >= 0.93
