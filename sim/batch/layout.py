"""Which games make a chunk: by the experiment only, so that a longer run has the shorter one's chunks.

Games are laid out by their *rank*, the number of games that a cell has when they are reached. Ranks are cut
into layers that double, and a layer into chunks of several cells (early, few games a cell) or of several rank
ranges (later), each about a quarter of all games before it, until chunks are as large as they may be. A run
may commit a chunk in parts (some ranks at a time): so that several workers end at about the same time, a killed
run loses little, and a longer run goes on within the chunk where a shorter one ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

SHARE = 4
"""A chunk holds about 1/SHARE of the games played before its layer."""
LEAST = 256
"""Games in the smallest chunks; a part costs about as much as writing 1,000 games."""
PARTS = 16
"""A run is cut into at least so many parts for each worker, unless they become small."""
SMALL = 128
"""Games of a part that is not cut further."""
SMALL_DEAR = 16
"""The same for tiers of play beyond the first: a game of a searching bot takes a thousand times as long."""
MOST = {"none": 16384, "games": 16384, "pieces": 16384, "turns": 8192, "decisions": 4096}
"""Games in the largest chunks, by log level: what a worker holds in memory."""


@dataclass(frozen=True)
class Chunk:
    """Some cells, and the ranks start <= rank < stop of their games.

    A cell plays whole blocks: with blocks of b games, the blocks ceil(start / b) to ceil(stop / b) - 1.
    """

    number: int
    cells: range
    start: int
    stop: int


def chunks(cells: int, log: str) -> Iterator[Chunk]:
    """Yield the chunks of an experiment with so many cells, in order, without end."""
    number = 0
    start, stop = 0, max(1, SHARE * LEAST // cells)
    while True:
        size = min(max(LEAST, cells * stop // SHARE), MOST[log])
        pieces = max(1, round((stop - start) / size))
        group = max(1, size // (stop - start))
        cuts = [start + (stop - start) * i // pieces for i in range(pieces + 1)]
        for low, high in pairwise(cuts):
            for first in range(0, cells, group):
                yield Chunk(number, range(first, min(first + group, cells)), low, high)
                number += 1
        start, stop = stop, 2 * stop


def pending(cells: int, log: str, target: int, done: Iterable[tuple[int, int, int]]) -> Iterator[Chunk]:
    """Yield what is left to play up to `target` games a cell.

    Parameters
    ----------
    done
        (chunk number, start, stop) of what is committed.

    Yields
    ------
    Chunk
        Whole chunks or parts of them, with the number of the chunk that they belong to.
    """
    by_chunk: dict[int, list[tuple[int, int]]] = {}
    for number, start, stop in done:
        by_chunk.setdefault(number, []).append((start, stop))
    for chunk in chunks(cells, log):
        if chunk.start >= target:
            return
        for start, stop in _gaps(chunk.start, min(chunk.stop, target), by_chunk.get(chunk.number, [])):
            yield Chunk(chunk.number, chunk.cells, start, stop)


def pending_in_tiers(
    tiers: Sequence[range], log: str, targets: Sequence[int], done: Iterable[tuple[int, int, int]]
) -> list[list[Chunk]]:
    """Return what is left to play of each tier (its cells, its games a cell): each is laid out for itself.

    Chunk `n` of tier `t` of `T` has the number ``n * T + t``.
    """
    count, found = len(tiers), []
    committed = list(done)
    for t, (cells, target) in enumerate(zip(tiers, targets)):
        own = [(number // count, start, stop) for number, start, stop in committed if number % count == t]
        found.append(
            [
                Chunk(c.number * count + t, cells[c.cells.start : c.cells.stop], c.start, c.stop)
                for c in pending(len(cells), log, target, own)
            ]
            if len(cells)
            else []
        )
    return found


def cut(left: Sequence[Chunk], jobs: int, small: int = SMALL) -> Iterator[Chunk]:
    """Cut chunks into parts, by ranks, so that `jobs` workers end at about the same time."""
    games = [len(chunk.cells) * (chunk.stop - chunk.start) for chunk in left]
    most = max(small, sum(games) // (PARTS * jobs))
    for chunk, size in zip(left, games):
        width = chunk.stop - chunk.start
        pieces = min(width, -(-size // most))
        edges = [chunk.start + width * i // pieces for i in range(pieces + 1)]
        for start, stop in pairwise(edges):
            yield Chunk(chunk.number, chunk.cells, start, stop)


def _gaps(start: int, stop: int, taken: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    for low, high in sorted(taken):
        if start < low:
            yield start, min(low, stop)
        start = max(start, high)
    if start < stop:
        yield start, stop


def blocks(size: int, start: int, stop: int) -> range:
    """Return the numbers of a cell's blocks (of `size` games) that ranks start <= rank < stop hold."""
    return range(-(-start // size), -(-stop // size))
