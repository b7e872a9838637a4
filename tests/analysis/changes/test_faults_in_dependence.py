"""Planted data that faulty differences between levels and settings do not pass; a fifth of the games are tied."""

from __future__ import annotations

import numpy as np
import polars as pl

import analysis
from analysis.data.dataset import Dataset
from tests.analysis.small import from_shares, winners

NAMES = list("ABCD")


def on_maps(
    levels: int, deals: int, seed: int, *, seat: tuple[float, ...] = (), players: int = 2, luck: float = 0.0
) -> Dataset:
    """The same deals and teams on several maps; `seat` adds to the first one, map by map; `luck` stays with a deal."""
    rng = np.random.default_rng([56, seed])
    counts = rng.multinomial(4, [0.25] * 4, size=(deals, players))
    mood = rng.normal(0, luck, (deals, 1)) if luck else np.zeros((deals, 1))
    shares = []
    for level in range(levels):
        lead = mood * counts[..., 0]
        lead[:, 0] += seat[level] if seat else 0.0
        won = winners(lead + rng.gumbel(size=(deals, players)))
        won[rng.random(deals) < 0.2] = 1 / players
        shares.append(won)
    cells = pl.DataFrame({"cell": pl.Series(range(levels), dtype=pl.Int32), "map": list("abcdefgh")[:levels]})
    return from_shares(
        np.concatenate(shares),
        counts=np.tile(counts, (levels, 1, 1)),
        pieces=NAMES,
        deal=np.tile(np.arange(deals), levels),
        cell=np.repeat(np.arange(levels), deals).astype(np.int32),
        cells=cells,
        judge={"seat": 0.02, "piece": 0.06},
    )


def test_pieces_on_shared_deals_are_compared_deal_by_deal() -> None:
    """What a deal makes of a piece falls out of the difference: on deals of their own the interval is wider."""
    shared = on_maps(2, 800, 1, luck=2.0)
    games = shared.games.collect()
    own = games.with_columns(deal=pl.col("game_id"), seed=pl.col("game_id").cast(pl.UInt64))
    apart = Dataset(shared.manifest, shared.cells, {**shared._tables, "games": own.lazy()})
    width = []
    for d in (shared, apart):
        row = analysis.depends_on(d, "map").row(by_predicate=pl.col("about") == "A", named=True)
        width.append(row["high"] - row["low"])
    assert width[0] < 0.85 * width[1]


def test_sameness_of_seats_goes_by_the_margin_of_seats() -> None:
    """The first seat differs by 4 points: more than the margin of seats (2), less than that of pieces (6)."""
    d = on_maps(2, 30_000, 2, seat=(0.0, 0.2))
    row = analysis.depends_on(d, "map").row(by_predicate=pl.col("what") == "seat", named=True)
    assert 0.03 < row["estimate"] < 0.055
    assert row["depends"]
    assert not row["same"]


def test_sameness_is_corrected_over_all_rows() -> None:
    """A seat whose difference lies on the margin, on four maps: "the same" of any pair is false one time in twenty."""
    alone = called = 0
    for seed in range(60):
        d = on_maps(2, 2_500, 10 + seed, seat=(0.0, 0.125, 0.25, 0.375), players=4)
        found = analysis.depends_on(d, "map").filter(pl.col("what") == "seat")
        called += bool(found["same"].any())
        half = (found["high"] - found["low"]) / 2 * (1.645 / 1.96)
        alone += bool(((found["estimate"].abs() + half) < 0.02).any())
    assert alone > called
    assert called <= 6


def test_settings_that_change_nothing_are_corrected_together() -> None:
    alone = called = 0
    for seed in range(40):
        frame = analysis.compare(on_maps(5, 250, 100 + seed), "map", what=["seats", "pieces"])
        alone += bool((frame["p"] < 0.05).any())
        called += bool((frame["q"] < 0.05).any())
        assert bool((frame["q"] < 0.05).any()) == bool(frame["differs"].any())
    assert alone > 10
    assert called <= 6
