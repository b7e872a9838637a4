"""The compiled engine against the plain referee: 200 random games here, 2,000 in `make soak`."""

from __future__ import annotations

import pytest

from tests.games.migration_costep import game, variant_game


@pytest.mark.parametrize("block", range(20))
def test_engine_and_referee_agree(block: int) -> None:
    decisions = sum(game(seed) for seed in range(block * 10, block * 10 + 10))
    assert decisions > 20


@pytest.mark.parametrize("block", range(20))
def test_engine_and_referee_agree_on_variants(block: int) -> None:
    decisions = sum(variant_game(seed) for seed in range(block * 10, block * 10 + 10))
    assert decisions > 100


@pytest.mark.soak
@pytest.mark.parametrize("block", range(20))
def test_engine_and_referee_agree_on_variants_for_long(block: int) -> None:
    decisions = sum(variant_game(seed) for seed in range(1000 + block * 100, 1000 + block * 100 + 100))
    assert decisions > 1000


@pytest.mark.soak
@pytest.mark.parametrize("block", range(20))
def test_engine_and_referee_agree_for_long(block: int) -> None:
    decisions = sum(game(seed) for seed in range(1000 + block * 100, 1000 + block * 100 + 100))
    assert decisions > 500
