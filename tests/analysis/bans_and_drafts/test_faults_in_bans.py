"""Planted data that faulty effects of bans do not pass."""

from __future__ import annotations

import numpy as np
import polars as pl

import analysis
from tests.analysis.small import from_shares, winners

NAMES = [f"P{k}" for k in range(6)]
GAMES = 8_000


def test_a_ban_is_not_blamed_for_how_many_are_banned_beside_it() -> None:
    """With four bans the first seat is favoured, with one it is not; which pieces they are changes nothing."""
    rng = np.random.default_rng(94)
    many = np.arange(GAMES) % 2 == 1
    order = np.argsort(rng.random((GAMES, len(NAMES))), axis=1)
    drawn = [sorted(row[: 4 if more else 1]) for row, more in zip(order, many, strict=True)]
    utility = rng.gumbel(size=(GAMES, 2))
    utility[:, 0] += 0.9 * many
    shares = winners(utility)
    shares[rng.random(GAMES) < 0.2] = 0.5
    banned = np.array([0 in row for row in drawn])
    assert shares[banned, 0].mean() - shares[~banned, 0].mean() > 0.05
    cells = pl.DataFrame({"cell": pl.Series([0, 1], dtype=pl.Int32), "bans": ["random 1", "random 4"]})
    d = from_shares(
        shares,
        counts=np.ones((GAMES, 2, len(NAMES)), dtype=np.int16),
        pieces=NAMES,
        cell=many.astype(np.int32),
        cells=cells,
        bans=["+".join(NAMES[k] for k in row) for row in drawn],
    )
    found = analysis.ban_effects_on_seats(d, "bans")
    assert set(found["banned"]) == set(NAMES)
    assert (found["q"] < 0.05).sum() == 0
    assert (found["first_seat_q"] < 0.05).sum() == 0
    assert found["first_seat"].abs().max() < 0.04
