"""Seeds of deals: from the experiment's seed and the number of the deal, never from a chunk or a worker."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.kinds import Counts, Word

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def _mix(z: Word) -> Word:
    z = np.multiply(z ^ (z >> np.uint64(30)), np.uint64(0xBF58476D1CE4E5B9))
    z = np.multiply(z ^ (z >> np.uint64(27)), np.uint64(0x94D049BB133111EB))
    return z ^ (z >> np.uint64(31))


def deal_seed(experiment_seed: int, deal: Counts) -> Any:
    """Return the seed of each deal.

    Parameters
    ----------
    experiment_seed : int
    deal : int or int64 array
        Non-negative deal numbers.

    Returns
    -------
    uint64 array of the same shape (a 0-d array gives a NumPy scalar).
    """
    with np.errstate(over="ignore"):
        root = _mix(np.array(experiment_seed % 2**64, dtype=np.uint64) ^ _GOLDEN)
        number = np.asarray(deal, dtype=np.int64).astype(np.uint64)
        return _mix(np.add(_mix(np.add(root, np.multiply(number, _GOLDEN))), np.uint64(0xD1B54A32D192ED03)))
