"""The compiled engine of Migrato against the plain referee: 500 random games here, 5,000 in `make soak`."""

from __future__ import annotations

import pytest

from tests.games.migrato.costep import game


@pytest.mark.parametrize("rules", ["printed", "digital"])
@pytest.mark.parametrize("block", range(10))
def test_engine_and_referee_agree(rules: str, block: int) -> None:
    decisions = sum(game(rules, seed) for seed in range(block * 20, block * 20 + 20))
    assert decisions > 1000


@pytest.mark.parametrize("block", range(10))
def test_engine_and_referee_agree_under_any_flags(block: int) -> None:
    decisions = sum(game("flags", seed) for seed in range(block * 10, block * 10 + 10))
    assert decisions > 200


@pytest.mark.soak
@pytest.mark.parametrize("rules", ["printed", "digital"])
@pytest.mark.parametrize("block", range(20))
def test_engine_and_referee_agree_for_long(rules: str, block: int) -> None:
    decisions = sum(game(rules, seed) for seed in range(1000 + block * 100, 1000 + block * 100 + 100))
    assert decisions > 5000


@pytest.mark.soak
@pytest.mark.parametrize("block", range(20))
def test_engine_and_referee_agree_under_any_flags_for_long(block: int) -> None:
    decisions = sum(game("flags", seed) for seed in range(1000 + block * 50, 1000 + block * 50 + 50))
    assert decisions > 1000
