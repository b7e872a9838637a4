"""Planted data that faulty effects of drawn levels do not pass."""

from __future__ import annotations

import numpy as np
import polars as pl

import analysis
from analysis.data.dataset import Dataset
from tests.analysis.draftset import with_tables
from tests.analysis.small import from_shares, winners


def on_two_maps(games: int) -> Dataset:
    """Famine adds 2 turns and is drawn on the short map only; the long map, 15 turns more, knows no event."""
    rng = np.random.default_rng(87)
    long = np.arange(games) % 2 == 1
    famine = ~long & (rng.random(games) < 0.5)
    turns = (20 + rng.integers(-3, 4, games) + 15 * long + 2 * famine).astype(np.int32)
    utility = rng.gumbel(size=(games, 2))
    utility[:, 0] += 0.8 * long  # the first seat is favoured there
    shares = winners(utility)
    shares[rng.random(games) < 0.2] = 0.5
    cells = pl.DataFrame({"cell": pl.Series([0, 1], dtype=pl.Int32), "map": ["short", "long"]})
    event = np.where(famine, "Famine", "none")
    d = from_shares(shares, cell=long.astype(np.int32), cells=cells, turns=turns, event=event)
    return with_tables(d, {"drawn": {"event": {"kind": "card"}}})


def test_an_event_is_set_against_games_of_its_own_map() -> None:
    found = analysis.level_effects(on_two_maps(6_000))
    at = {row["measure"]: row for row in found.iter_rows(named=True)}
    assert at["turns"]["low"] < 2 < at["turns"]["high"]
    assert at["turns"]["low"] > 1.5
    assert at["first seat"]["low"] < 0 < at["first seat"]["high"]
    assert at["turns"]["games"] == 3_000
