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


def test_pt4_an_event_that_is_drawn_oftener_on_the_long_map_is_not_what_makes_games_long() -> None:
    """Famine adds 2 turns; it is drawn in 80 % on the long map, where the first seat wins, in 20 % on the other."""
    rng = np.random.default_rng(93)
    long = np.arange(6_000) % 2 == 1
    famine = rng.random(6_000) < np.where(long, 0.8, 0.2)
    turns = (20 + rng.integers(-3, 4, 6_000) + 15 * long + 2 * famine).astype(np.int32)
    assert turns[famine].mean() - turns[~famine].mean() > 9
    utility = rng.gumbel(size=(6_000, 2))
    utility[:, 0] += 0.8 * long
    shares = winners(utility)
    shares[rng.random(6_000) < 0.2] = 0.5
    cells = pl.DataFrame({"cell": pl.Series([0, 1], dtype=pl.Int32), "map": ["short", "long"]})
    event = np.where(famine, "Famine", "none")
    d = from_shares(shares, cell=long.astype(np.int32), cells=cells, turns=turns, event=event)
    found = analysis.level_effects(with_tables(d, {"drawn": {"event": {"kind": "card"}}}))
    at = {row["measure"]: row for row in found.iter_rows(named=True)}
    assert 1.8 < at["turns"]["low"] < 2 < at["turns"]["high"] < 2.2
    assert at["first seat"]["low"] < 0 < at["first seat"]["high"]
    assert at["seat gap"]["low"] <= 0 <= at["seat gap"]["high"]


def test_levels_are_compared_on_the_deals_that_both_have() -> None:
    """The event was played on the first 300 deals only, which are longer than the rest: it changes nothing."""
    rng = np.random.default_rng(90)
    deal = np.concatenate([np.arange(1_000), np.arange(300)])
    turns = (20 + 15 * (deal < 300) + rng.integers(-3, 4, 1_300)).astype(np.int32)
    cell = (np.arange(1_300) >= 1_000).astype(np.int32)
    cells = pl.DataFrame({"cell": pl.Series([0, 1], dtype=pl.Int32), "event": ["none", "Famine"]})
    shares = winners(rng.gumbel(size=(1_300, 2)))
    found = analysis.level_effects(
        from_shares(shares, cell=cell, cells=cells, turns=turns, deal=deal), "event"
    )
    row = found.row(by_predicate=pl.col("measure") == "turns", named=True)
    assert row["low"] < 0 < row["high"]
    assert (row["high"] - row["low"]) < 2
    assert row["deals"] == 300


def test_null_cards_are_corrected_over_all_of_a_measure() -> None:
    """Ten cards that change nothing: at 5 % each, a third of all decks would hold one that makes games longer."""
    rng = np.random.default_rng(91)
    alone = called = 0
    for _ in range(40):
        card = np.array(["none", *[f"Card {k}" for k in range(10)]])[rng.integers(0, 11, 1_500)]
        turns = (20 + rng.integers(-5, 6, 1_500)).astype(np.int32)
        d = from_shares(winners(rng.gumbel(size=(1_500, 2))), turns=turns, event=card)
        found = analysis.level_effects(with_tables(d, {"drawn": {"event": {"kind": "card"}}}))
        found = found.filter(pl.col("measure") == "turns")
        alone += bool((found["p"] < 0.05).any())
        called += bool((found["q"] < 0.05).any())
    assert alone > 8
    assert called <= 6


def test_pt4_an_event_drawn_oftener_where_a_piece_is_strong_does_not_make_it_strong() -> None:
    """A copy of A adds much on the long map and nothing on the other; the event, oftener on the long one, nothing."""
    rng = np.random.default_rng(94)
    games = 12_000
    long = np.arange(games) % 2 == 1
    famine = rng.random(games) < np.where(long, 0.8, 0.2)
    counts = rng.multinomial(4, [1 / 3] * 3, size=(games, 2))
    pull = np.where(long, 0.8, 0.0)[:, None] * counts[..., 0]
    shares = winners(pull + rng.gumbel(size=(games, 2)))
    shares[rng.random(games) < 0.2] = 0.5
    cells = pl.DataFrame({"cell": pl.Series([0, 1], dtype=pl.Int32), "map": ["short", "long"]})
    event = np.where(famine, "Famine", "none")
    turns = np.full(games, 20, dtype=np.int32)
    d = from_shares(
        shares,
        counts=counts,
        pieces=list("ABC"),
        cell=long.astype(np.int32),
        cells=cells,
        event=event,
        turns=turns,
    )
    d = with_tables(d, {"drawn": {"event": {"kind": "card"}}, "lever": d.manifest["lever"]})
    by_event = analysis.piece_strength(d, by="event")
    pooled = dict(by_event.filter(pl.col("piece") == "A").select("event", "estimate").iter_rows())
    assert pooled["Famine"] - pooled["none"] > 0.05
    found = analysis.level_effects(d)
    row = found.row(by_predicate=(pl.col("measure") == "piece") & (pl.col("piece") == "A"), named=True)
    assert row["low"] < 0 < row["high"]
    assert abs(row["estimate"]) < 0.03
    assert row["with"] - row["without"] == row["estimate"]


def test_an_event_that_makes_a_piece_strong_is_found_among_strata_of_several_sizes() -> None:
    """A copy of A adds 0.3 log odds under the event on both maps, whatever it adds without; errors stay honest."""
    inside = 0
    for trial in range(40):
        rng = np.random.default_rng([95, trial])
        games = 3_000
        long = np.arange(games) % 2 == 1
        famine = rng.random(games) < np.where(long, 0.8, 0.2)
        counts = rng.multinomial(4, [1 / 3] * 3, size=(games, 2))
        pull = (np.where(long, 0.2, 0.0) + 0.3 * famine)[:, None] * counts[..., 0]
        shares = winners(pull + rng.gumbel(size=(games, 2)))
        cells = pl.DataFrame({"cell": pl.Series([0, 1], dtype=pl.Int32), "map": ["short", "long"]})
        event = np.where(famine, "Famine", "none")
        d = from_shares(
            shares, counts=counts, pieces=list("ABC"), cell=long.astype(np.int32), cells=cells, event=event
        )
        d = with_tables(d, {"drawn": {"event": {"kind": "card"}}, "lever": d.manifest["lever"]})
        found = analysis.level_effects(d)
        row = found.row(by_predicate=(pl.col("measure") == "piece") & (pl.col("piece") == "A"), named=True)
        # Win share a copy: log odds times the mean of p (1 - p), about .22 to .25 here.
        inside += row["low"] < 0.3 * 0.23 < row["high"]
        assert row["estimate"] > 0
    assert inside >= 35
