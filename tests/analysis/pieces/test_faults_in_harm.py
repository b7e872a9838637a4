"""Planted data that faulty effects on the others do not pass."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from tests.analysis.draftset import with_tables
from tests.analysis.small import from_shares, winners

NAMES = ["A", "B", "C", "D"]
LEVER = {"lever": {"column": "assigned", "text": "random"}}


def scored(counts: list[np.ndarray], score: list[np.ndarray]) -> Dataset:
    """Tables with teams and points; who has most points wins, a fifth of the games is shared."""
    rng = np.random.default_rng(44)
    shares = []
    for points in score:
        won = winners(points)
        won[rng.random(len(won)) < 0.2] = 1 / won.shape[1]
        shares.append(won)
    d = from_shares(shares, counts=counts, pieces=NAMES)
    flat = np.concatenate([points.ravel() for points in score]).astype(np.float32)
    return with_tables(d, LEVER, seats=d.seats.with_columns(score=pl.Series(flat)))


def test_harm_a_copy_is_as_sure_as_its_copies_are_alike() -> None:
    """Every copy of A does 1.5: however many copies a game holds, nothing about it is unsure."""
    rng = np.random.default_rng(45)
    counts = rng.multinomial(4, [0.25] * 4, size=(1_000, 2))
    d = scored([counts], [rng.normal(20, 4, (1_000, 2))])
    done = (counts * np.array([1.5, 0, 0, 0])).astype(np.float32).ravel()
    found = analysis.harm(with_tables(d, LEVER, pieces=d.pieces.with_columns(harm=pl.Series(done))))
    row = found.row(by_predicate=(pl.col("piece") == "A") & (pl.col("measure") == "harm a copy"), named=True)
    assert row["estimate"] == pytest.approx(1.5)
    assert row["high"] - row["low"] < 0.03


def test_points_of_large_tables_are_not_what_a_piece_does() -> None:
    """At tables of four, where A is dealt oftener, everybody has 15 points less: A takes nothing from anybody."""
    rng = np.random.default_rng(46)
    counts = [
        rng.multinomial(4, chance, size=(2_000, n))
        for n, chance in ((2, [0.1, 0.3, 0.3, 0.3]), (4, [0.55, 0.15, 0.15, 0.15]))
    ]
    score = [rng.normal(30, 4, (2_000, 2)), rng.normal(15, 4, (2_000, 4))]
    found = analysis.harm(scored(counts, score))
    row = found.row(
        by_predicate=(pl.col("piece") == "A") & (pl.col("measure") == "opponents' points"), named=True
    )
    assert row["low"] < 0 < row["high"]
    assert abs(row["estimate"]) < 0.5


def test_harmless_pieces_are_corrected_together() -> None:
    rng = np.random.default_rng(47)
    alone = called = 0
    for _ in range(40):
        counts = rng.multinomial(4, [0.25] * 4, size=(400, 2))
        found = analysis.harm(scored([counts], [rng.normal(20, 4, (400, 2))]))
        found = found.filter(pl.col("measure") == "opponents' points")
        alone += bool((found["p"] < 0.05).any())
        called += bool((found["q"] < 0.05).any())
    assert alone > 4
    assert called <= 5
    assert called < alone
