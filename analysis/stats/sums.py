"""Means and errors by block from sums alone: what parts of the games add up to, when they cannot be held at once.

A mean and its block-robust covariance need no more of the games than the sums of their values, and the products of the
sums within blocks. Parts that share no block add these up, and give what all games together would give, to rounding.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.stats.blocks import FEW_BLOCKS, FEWEST_BLOCKS, Blocks, Clusters

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sums:
    """Sums of values (games, k), in place of the values and their blocks.

    Attributes
    ----------
    middle : array (k,)
        Taken off each value before it is added up, so that nothing is lost to rounding.
    total : array (k + 1,)
        Sums of the values less their middle; the last one counts the games.
    products : array (k + 1, k + 1)
        Outer products of the same sums within blocks, added up over the blocks.
    distinct : int
        How many different blocks there are.
    """

    middle: Floats
    total: Floats
    products: Floats
    distinct: int

    @classmethod
    def of(cls, values: Floats, blocks: Blocks, middle: Floats) -> Sums:
        """Sums over games whose blocks are deals (or the like) by themselves; lines of play are not looked at."""
        told = np.column_stack([values - middle, np.ones(len(values))])
        clusters = Clusters(blocks.deal)
        return cls(middle, told.sum(axis=0), clusters.products(told), clusters.number)

    def __add__(self, other: Sums) -> Sums:
        """The sums of two parts that have no block in common, with one middle."""
        return Sums(
            self.middle,
            self.total + other.total,
            self.products + other.products,
            self.distinct + other.distinct,
        )

    def __len__(self) -> int:
        return round(float(self.total[-1]))

    @property
    def mean(self) -> Floats:
        """Means of the values; (k,)."""
        return np.asarray(self.middle + self.total[:-1] / self.total[-1])

    @property
    def variance(self) -> Floats:
        """Block-robust variances of the means; (k,), NaN below two blocks."""
        k, n, g = len(self.middle), self.total[-1], self.distinct
        if g < 2:
            return np.full(k, np.nan)
        less = np.column_stack(
            [np.eye(k), -self.total[:-1] / n]
        )  # sums less the mean of each game in the block
        return np.asarray(np.clip(np.diag(less @ self.products @ less.T) / n**2 * (g / (g - 1)), 0.0, None))

    @property
    def number(self) -> float:
        """Effective number of blocks."""
        return float(self.total[-1] ** 2 / self.products[-1, -1])

    @property
    def single(self) -> bool:
        """Whether every game is a block of its own."""
        return self.distinct == len(self)

    @property
    def df(self) -> float:
        """Degrees of freedom for t quantiles."""
        return max(self.number - 1.0, 0.0)

    def note(self) -> str:
        """What a reader must know about these blocks; empty when all is well."""
        if self.number < FEWEST_BLOCKS:
            return f"no verdict: only {self.number:.0f} deals"
        return (
            f"few deals ({self.number:.0f}): the interval may be too narrow"
            if self.number < FEW_BLOCKS
            else ""
        )
