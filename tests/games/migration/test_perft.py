"""Leaf counts of fixed positions; the plain referee counts the first two depths along."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.perft import count_engine, count_referee, hands_agree, positions, referee_of, table_of

POSITIONS = positions()


@pytest.mark.parametrize("entry", POSITIONS, ids=lambda entry: entry["name"])
def test_leaf_counts(entry: dict[str, Any]) -> None:
    counts = entry["counts"]
    assert len(counts) >= 4
    assert [count_engine(table_of(entry), depth) for depth in range(1, len(counts) + 1)] == counts
    assert hands_agree(entry)
    assert [count_referee(referee_of(entry), depth) for depth in (1, 2)] == counts[:2]


@pytest.mark.soak
@pytest.mark.parametrize("entry", POSITIONS, ids=lambda entry: entry["name"])
def test_leaf_counts_by_the_referee(entry: dict[str, Any]) -> None:
    counts = entry["counts"]
    assert [count_referee(referee_of(entry), depth) for depth in range(1, len(counts) + 1)] == counts
