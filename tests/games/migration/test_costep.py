"""The compiled engine against the plain referee: 400 random games and 300 ends here, ten times that in `make soak`."""

from __future__ import annotations

import pytest

from tests.games.migration.costep import game, late_game, variant_game


@pytest.mark.parametrize("block", range(20))
def test_engine_and_referee_agree(block: int) -> None:
    decisions = sum(game(seed) for seed in range(block * 10, block * 10 + 10))
    assert decisions > 20


@pytest.mark.parametrize("block", range(20))
def test_engine_and_referee_agree_on_variants(block: int) -> None:
    decisions = sum(variant_game(seed) for seed in range(block * 10, block * 10 + 10))
    assert decisions > 100


@pytest.mark.parametrize("block", range(10))
def test_engine_and_referee_agree_on_the_end(block: int) -> None:
    decisions = [late_game(seed) for seed in range(block * 30, block * 30 + 30)]
    assert min(decisions) == 0 < max(decisions)  # over at once, and not


@pytest.mark.soak
@pytest.mark.parametrize("block", range(20))
def test_engine_and_referee_agree_on_the_end_for_long(block: int) -> None:
    decisions = [late_game(seed) for seed in range(1000 + block * 200, 1000 + block * 200 + 200)]
    assert min(decisions) == 0 < max(decisions)


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
