"""Planted truth for the deal's part in who wins."""

from __future__ import annotations

import numpy as np
import pytest

import analysis
from tests.analysis.small import from_shares


def dealt(deals: int, spread: float, repeats: int = 2, seed: int = 1) -> analysis.Dataset:
    """Each deal is played in both seats; a player's chance is 1/2 and what the deal gave it, plus or minus spread."""
    rng = np.random.default_rng(seed)
    gift = rng.choice([-spread, spread], size=deals)
    shares, player, deal = [], [], []
    for turn in range(repeats):
        first = rng.random(deals) < 0.5 + gift  # whether player 0 wins
        won = np.stack([first, ~first], axis=1).astype(float)
        seat = turn % 2
        shares.append(won[:, ::-1] if seat else won)
        player.append(np.tile([1, 0] if seat else [0, 1], (deals, 1)))
        deal.append(np.arange(deals))
    return from_shares(
        np.concatenate(shares), rotations=True, deal=np.concatenate(deal), player=np.concatenate(player)
    )


@pytest.mark.parametrize("spread", [0.0, 0.2, 0.4])
def test_the_deals_part_is_recovered(spread: float) -> None:
    """Variance of a win is 1/4, that of the chance between deals is spread squared."""
    row = analysis.set_up_luck(dealt(4_000, spread)).row(0, named=True)
    assert row["low"] < 4 * spread**2 < row["high"]
    assert row["high"] - row["low"] < 0.1
    assert row["what"] == "player"
    if spread:
        # Who changes seats takes its luck along: what stays with the seat is as far below 0.
        place = analysis.set_up_luck(dealt(4_000, spread)).row(1, named=True)
        assert place["estimate"] == pytest.approx(-row["estimate"], abs=0.01)
        assert row["spread"] == pytest.approx(spread, abs=0.05)


def test_deals_played_once_tell_nothing_and_say_so() -> None:
    with pytest.raises(analysis.Refusal, match="played once a cell"):
        analysis.set_up_luck(dealt(500, 0.2, repeats=1))


def test_false_alarms_of_a_deal_that_gives_nothing_are_few() -> None:
    off = 0
    for seed in range(60):
        row = analysis.set_up_luck(dealt(200, 0.0, seed=seed)).row(0, named=True)
        off += not row["low"] <= 0 <= row["high"]
    assert off <= 8
