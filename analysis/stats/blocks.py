"""Means and covariances whose errors come from blocks, not from rows.

A block is one deal, across seat rotations and across cells, or one series where games were played in series.
Where lines of play repeat beyond their deal
(deterministic bots on a fixed set-up), a game is new evidence only as far as its line is new, so errors
are clustered both by deal and by line: ``V(deal) + V(line) - V(deal and line)`` (Cameron, Gelbach and
Miller 2011).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

FEW_BLOCKS = 50  # below this, cluster-robust intervals are known to run narrow (and say so)
FEWEST_BLOCKS = 10  # below this no verdict is given
KEPT = 64  # subsets of blocks that are remembered
KEPT_ROWS = 4  # how often the rows of the whole these may hold
REPEATED = 0.95  # lines count as repeated when fewer than this share of (deal, line) pairs are new lines


@dataclass(frozen=True)
class Blocks:
    """Labels of the rows' blocks.

    Whether lines of play count as blocks beside the deals is decided for each subset of rows anew: one cell may
    repeat itself while the others do not.

    Attributes
    ----------
    deal, line, both : int arrays (rows,)
        Codes of the deal, of the line of play (None: not known), and of the pair of them.
    what : str
        What `deal` holds, in words: ``deal``, or ``series`` where games were played in series.
    """

    deal: Codes
    line: Codes | None = None
    both: Codes | None = None
    what: str = "deal"

    def __getitem__(self, rows: NDArray[np.bool_] | Codes | slice) -> Blocks:
        """The blocks of a subset of rows; itself for all of them in order."""
        if isinstance(rows, slice):
            rows = np.arange(len(self))[rows]
        if len(rows) == len(self) and everything(rows):
            return self
        known = self._parts.get(id(rows))
        if known is not None and known[0] is rows:
            return known[1]
        if self.line is None or self.both is None:
            part = Blocks(self.deal[rows], what=self.what)
        else:
            part = Blocks(self.deal[rows], self.line[rows], self.both[rows], self.what)
        self._parts[id(rows)] = (rows, part)
        held = sum(len(one) for one, _ in self._parts.values())
        while len(self._parts) > KEPT or (held > KEPT_ROWS * len(self) and len(self._parts) > 1):
            held -= len(self._parts.pop(next(iter(self._parts)))[0])
        return part

    @cached_property
    def _parts(self) -> dict[int, tuple[NDArray[Any], Blocks]]:
        """The last subsets that were asked for: the same rows are asked for by one analysis after the other."""
        return {}

    def __len__(self) -> int:
        return len(self.deal)

    @cached_property
    def repeats(self) -> bool:
        """Whether lines repeat across deals (within one deal they are one block anyhow)."""
        if self.line is None or self.both is None or len(self) == 0:
            return False
        return different(self.line) < REPEATED * different(self.both)

    @property
    def labels(self) -> tuple[Codes, ...]:
        """The labellings that errors are clustered by: the deal, and the line where lines repeat."""
        return (self.deal, self.line) if self.repeats and self.line is not None else (self.deal,)

    @cached_property
    def clusters(self) -> tuple[Clusters, ...]:
        """The rows by deal; where lines repeat by line as well, and by both together unless that is by deal."""
        found = tuple(Clusters(label) for label in self.labels)
        if len(found) == 1 or self.both is None or found[0].number == len(self):
            return found
        return (*found, Clusters(self.both))

    @property
    def _many(self) -> str:
        return self.what if self.what.endswith("s") else f"{self.what}s"

    @property
    def kind(self) -> str:
        """What a block is, in words."""
        return f"{self.what} and line" if self.repeats else self.what

    @cached_property
    def number(self) -> float:
        """Effective number of blocks, the smallest over the labellings."""
        return min(effective_number(label) for label in self.labels)

    @cached_property
    def distinct(self) -> int:
        """How many different blocks there are, the fewest over the labellings."""
        return min(different(label) for label in self.labels) if len(self) else 0

    @property
    def single(self) -> bool:
        """Whether every row is a block of its own."""
        return len(self.labels) == 1 and self.distinct == len(self)

    @property
    def df(self) -> float:
        """Degrees of freedom for t quantiles: effective number of blocks less one, at least 0."""
        return max(self.number - 1.0, 0.0)

    def join(self, other: Blocks) -> Blocks:
        """The blocks of these rows followed by those of `other`; equal labels are the same block."""
        deal = np.concatenate([self.deal, other.deal])
        if self.line is None or other.line is None or self.both is None or other.both is None:
            return Blocks(deal, what=self.what)
        line, both = (np.concatenate(pair) for pair in ((self.line, other.line), (self.both, other.both)))
        return Blocks(deal, line, both, self.what)

    def note(self) -> str:
        """What a reader must know about these blocks; empty when all is well."""
        number, games = self.number, len(self)
        if self.repeats and number < effective_number(self.deal):
            if number < FEWEST_BLOCKS:
                return f"no verdict: {games:,} games are only {number:.0f} distinct lines of play"
            return f"lines of play repeat: {games:,} games are worth about {number:,.0f} distinct lines"
        if number < FEWEST_BLOCKS:
            return f"no verdict: only {number:.0f} {self.what if round(number) == 1 else self._many}"
        if number < FEW_BLOCKS:
            return f"few {self._many} ({number:.0f}): the interval may be too narrow"
        return ""


def make_blocks(
    deal: NDArray[np.integer], line: NDArray[np.integer] | None = None, what: str = "deal"
) -> Blocks:
    """Choose the blocks of games: the deal, and the line of play too where lines repeat across deals.

    Parameters
    ----------
    deal, line : int arrays (games,)
        Deal number and hash of all actions of each game.
    what : str
        What `deal` holds, in words.
    """
    deals = _codes(deal)
    # Where no line was played twice, none repeats in any subset either.
    if line is None or len(line) == 0 or different(line) == len(line):
        return Blocks(deals, what=what)
    lines = _codes(line)
    return Blocks(deals, lines, _codes(deals * (int(lines.max()) + 1) + lines), what)


def effective_number(labels: NDArray[np.integer]) -> float:
    """Effective number of blocks, ``(sum n)^2 / sum n^2`` over sizes n; equal sizes give their number."""
    if len(labels) == 0:
        return 0.0
    sizes = np.bincount(labels if _compact(labels) else _codes(labels))
    return float(len(labels) ** 2 / np.square(sizes.astype(np.float64)).sum())


def block_sums(values: Floats, labels: NDArray[np.integer]) -> Floats:
    """Sums of `values` (rows, k) within each label; (blocks, k), in the order of the labels."""
    if not _compact(labels):
        labels = _codes(labels)
    sums: Floats = np.stack([np.bincount(labels, weights=column) for column in values.T], axis=1)
    return sums[np.bincount(labels, minlength=len(sums)) > 0]


def covariance(influence: Floats, blocks: Blocks) -> Floats:
    """Covariance (k, k) of an estimate from each row's influence on it (rows, k), summed within blocks.

    One labelling gives ``G/(G-1) * sum of outer products of block sums``; two give the two-way form, with
    negative eigenvalues set to 0. NaN when there are fewer than two blocks.
    """
    parts = [clusters.spread(influence) for clusters in blocks.clusters]
    if len(parts) == 1:
        return parts[0]
    total = parts[0] + parts[1] - (parts[2] if len(parts) > 2 else parts[0])
    if not np.isfinite(total).all():
        return np.full_like(total, np.nan)
    values, vectors = np.linalg.eigh((total + total.T) / 2)
    clipped: Floats = (vectors * np.clip(values, 0.0, None)) @ vectors.T
    # Never below the larger one-way variance: the subtraction may leave less than either shows by itself.
    floor = np.maximum(np.diag(parts[0]), np.diag(parts[1]))
    scale = np.sqrt(np.maximum(floor / np.maximum(np.diag(clipped), 1e-300), 1.0))
    scale = np.where(np.diag(clipped) > 0, scale, 1.0)
    return clipped * np.outer(scale, scale)


def block_means(values: Floats, blocks: Blocks) -> tuple[Floats, Floats]:
    """Means over rows and their block-robust covariance.

    Parameters
    ----------
    values : array (games, k)
        One row a game, e.g. the win shares of its k seats.

    Returns
    -------
    means : array (k,)
    covariance : array (k, k)
    """
    means = values.mean(axis=0)
    return means, covariance((values - means) / len(values), blocks)


class Clusters:
    """Rows by label: each alone, clusters of one size that follow each other, or a code for each row."""

    def __init__(self, labels: Codes) -> None:
        rows = len(labels)
        self.code: Codes | None = None
        """The cluster of each row; None where rows are alone, or stand together in runs of `size`."""
        self.size = 1
        self.number = rows
        steps = labels[1:] != labels[:-1]
        if bool((labels[1:] >= labels[:-1]).all()):
            self.number = min(rows, 1) + int(np.count_nonzero(steps))
            size, left = divmod(rows, max(self.number, 1))
            if left == 0 and np.count_nonzero(steps[size - 1 :: max(size, 1)]) == self.number - 1:
                self.size = size
                return
        code = labels if _compact(labels) else _codes(labels)
        self.number = int(np.count_nonzero(np.bincount(code)))
        if self.number < rows:
            self.code = code

    def spread(self, influence: Floats) -> Floats:
        """``G/(G-1)`` times the sum over clusters of the outer product of their sums; NaN below two clusters."""
        k, g = influence.shape[1], self.number
        return np.full((k, k), np.nan) if g < 2 else np.asarray(self.products(influence) * (g / (g - 1)))

    def products(self, values: Floats) -> Floats:
        """The sum over clusters of the outer product of their sums of `values` (rows, k); (k, k)."""
        if self.code is None:
            sums = values if self.size == 1 else run_sums(values, np.arange(0, len(values), self.size))
            return np.asarray(sums.T @ sums)
        # Column by column: a sum that stays in reach of the processor is quicker than an order of the rows.
        by_column = np.empty((values.shape[1], int(self.code.max()) + 1))
        for at, column in zip(by_column, values.T, strict=True):
            at[:] = np.bincount(self.code, weights=column)
        return np.asarray(by_column @ by_column.T)


def run_sums(values: NDArray[Any], starts: Codes) -> Floats:
    """Sums of `values` (rows,) or (rows, k) over runs of rows that begin at `starts`, to the end; (runs,) or (runs, k).

    `np.add.reduceat` by another way: it takes ten times as long over many short runs.
    """
    sizes = np.diff(np.append(starts, len(values)))
    size = int(sizes[0]) if len(sizes) else 0
    if size and bool((sizes == size).all()):
        out = values[0::size].astype(np.float64)
        for k in range(1, size):
            out += values[k::size]
        return out
    code = np.repeat(np.arange(len(starts)), sizes)
    if values.ndim == 1:
        return np.asarray(np.bincount(code, weights=values, minlength=len(starts)))
    out = np.empty((len(starts), values.shape[1]))
    for k, column in enumerate(values.T):
        out[:, k] = np.bincount(code, weights=column, minlength=len(starts))
    return out


def different(labels: NDArray[np.integer]) -> int:
    """Number of different labels."""
    if len(labels) == 0:
        return 0
    steps = labels[1:] != labels[:-1]
    if bool((labels[1:] >= labels[:-1]).all()):
        return 1 + int(np.count_nonzero(steps))
    if _compact(labels):
        return int(np.count_nonzero(np.bincount(labels)))
    ordered = np.sort(labels)  # far quicker than the hashing of np.unique
    return 1 + int(np.count_nonzero(ordered[1:] != ordered[:-1]))


def everything(rows: NDArray[np.bool_] | Codes) -> bool:
    """Whether these are all rows, in order."""
    if rows.dtype == np.bool_:
        return bool(rows.all())
    if len(rows) and (rows[0] != 0 or rows[-1] != len(rows) - 1):
        return False
    return np.array_equal(rows, np.arange(len(rows)))


def _compact(labels: NDArray[np.integer]) -> bool:
    """Whether labels are small enough to count by index, e.g. codes or a subset of them."""
    if labels.dtype != np.int64 or len(labels) == 0:
        return False
    return int(labels.min()) >= 0 and int(labels.max()) < 20 * len(labels) + 100_000


def _codes(labels: NDArray[np.integer]) -> Codes:
    """Labels as codes 0, 1, ... in their order."""
    if len(labels) and bool((labels[1:] >= labels[:-1]).all()):
        return np.concatenate([[0], np.cumsum(labels[1:] != labels[:-1])]).astype(np.int64)
    return np.unique(labels, return_inverse=True)[1].astype(np.int64).ravel()
