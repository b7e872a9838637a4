"""Seeds of deals depend on the experiment's seed and the deal's number, and on nothing else."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sim.core.seeds import deal_seed


def test_seeds_never_change() -> None:
    """Data sets name their seeds: another function would make every old one unrepeatable."""
    assert [int(s) for s in deal_seed(7, np.arange(3))] == [
        0xB7C2D69EB1631FB5,
        0x9A314585756207AD,
        0xCD3F6468B36D8D3B,
    ]
    assert int(deal_seed(0, 0)) == 0xBE08CCE75CF1194B


@given(st.integers(-(2**70), 2**70), st.lists(st.integers(0, 2**60), min_size=1, max_size=5))
def test_an_array_of_deals_is_its_deals_one_by_one(seed: int, deals: list[int]) -> None:
    together = deal_seed(seed, np.array(deals, dtype=np.int64))
    assert together.dtype == np.uint64
    assert together.tolist() == [int(deal_seed(seed, deal)) for deal in deals]


def test_neighbouring_experiments_share_no_deal() -> None:
    seeds = np.concatenate([deal_seed(seed, np.arange(2000)) for seed in range(20)])
    assert len(np.unique(seeds)) == len(seeds)
