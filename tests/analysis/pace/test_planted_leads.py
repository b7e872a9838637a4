"""Planted truth for what is told from the scores turn by turn."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.pace.leads import _course, rising
from tests.analysis.small import from_shares


def walked(
    games: int, feed: float = 0.0, turns: int = 40, seed: int = 1, step: float = 1.0
) -> analysis.Dataset:
    """Scores of two seats whose lead walks at random; a share `feed` of the lead is added to it each turn."""
    rng = np.random.default_rng(seed)
    lead = np.zeros((games, turns))
    now = np.zeros(games)
    for t in range(turns):
        now = now * (1 + feed) + rng.normal(0, step, games)
        lead[:, t] = now
    won = np.stack([lead[:, -1] > 0, lead[:, -1] <= 0], axis=1).astype(float)
    data = from_shares(won, turns=np.full(games, turns, dtype=np.int32))
    frame = pl.DataFrame(
        {
            "game_id": np.repeat(np.arange(games), turns),
            "turn": np.tile(np.arange(1, turns + 1, dtype=np.int16), games),
            "score_0": (20 + lead).ravel(),
            "score_1": np.full(games * turns, 20.0),
        }
    )
    return analysis.Dataset(data.manifest, data.cells, {**data._tables, "turns": frame.lazy()})


@pytest.mark.parametrize("feed", [-0.05, 0.0, 0.05])
def test_a_lead_that_feeds_itself_is_told_from_a_random_walk(feed: float) -> None:
    """In a tenth of forty turns a point of lead becomes (1 + feed) to the fourth."""
    found = analysis.runaway_leader(walked(4_000, feed))
    truth = (1 + feed) ** 4 - 1
    middle = found.filter(pl.col("share").is_between(0.35, 0.75))
    assert ((middle["low"] < truth) & (middle["high"] > truth)).sum() >= len(middle) - 1
    if feed:
        assert (np.sign(middle["estimate"]) == np.sign(feed)).all()
        assert middle["q"].max() < 0.05
    else:
        assert middle["q"].min() > 0.01


def test_chances_of_coming_back_are_those_of_the_walk() -> None:
    """A lead of x with n steps to go is kept with the chance that a sum of n normal steps stays above -x."""
    from scipy.special import ndtr

    found = analysis.comeback_surface(walked(6_000))
    late = found.filter(pl.col("share").is_between(0.45, 0.55))
    assert late["lead"].is_sorted()
    truth = ndtr(late["lead"].to_numpy() / np.sqrt(20))
    assert np.abs(late["estimate"].to_numpy() - truth).max() < 0.03
    assert late["estimate"].is_sorted()
    assert late.filter(pl.col("lead") < 0)["estimate"].max() < 0.5


def test_when_a_game_is_decided() -> None:
    """A walk is decided late; where the first step says it all, at once."""
    walk = {row["measure"]: row for row in analysis.when_decided(walked(3_000)).iter_rows(named=True)}
    quick = {
        row["measure"]: row for row in analysis.when_decided(walked(3_000, feed=1.0)).iter_rows(named=True)
    }
    # Arcsine law: the last time a walk is level lies in the middle on average, and somewhat before it in few steps.
    assert walk["led for good"]["estimate"] == pytest.approx(0.45, abs=0.06)
    assert walk["led for good"]["q90"] > 0.9
    assert walk["behind"]["estimate"] == pytest.approx(0.25, abs=0.04)
    assert quick["led for good"]["estimate"] < 0.1
    assert quick["decided"]["estimate"] < 0.2 < walk["decided"]["estimate"]
    assert quick["drama"]["estimate"] < walk["drama"]["estimate"]


def test_the_course_of_one_game_by_hand() -> None:
    for_good, behind, drama = _course(np.array([1.0, -4.0, 0.0, 2.0]), 4.0)
    assert (for_good, behind, drama) == (0.75, 0.25, 1.0)
    assert _course(np.array([1.0, 2.0]), 1.0) == (0.0, 0.0, 0.0)
    starts, chance = rising(np.array([1.0, 2.0, 3.0]), np.array([0.0, 1.0, 0.0]))
    assert starts.tolist() == [1.0, 2.0]
    assert chance.tolist() == [0.0, 0.5]


def test_turns_without_a_choice_are_counted() -> None:
    data = from_shares(np.tile([[1.0, 0.0]], (50, 1)), turns=np.full(50, 10, dtype=np.int32))
    chosen = pl.DataFrame(
        {"game_id": np.repeat(np.arange(50), 8), "turn": np.tile([1, 2, 3, 4, 5, 6, 7, 7], 50)}
    )
    data = analysis.Dataset(data.manifest, data.cells, {**data._tables, "decisions": chosen.lazy()})
    row = analysis.forced_share(data).row(0, named=True)
    assert row["estimate"] == pytest.approx(0.3)
    with pytest.raises(analysis.Refusal, match="no turns were logged"):
        analysis.when_decided(data)
