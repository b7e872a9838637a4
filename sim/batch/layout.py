"""Which games make a chunk: by the experiment only, so that a longer run has the shorter one's chunks.

Games are laid out by their *rank*, the number of games that a cell has when they are reached. Ranks are cut
into layers that double, and a layer into chunks of several cells (early, few games a cell) or of several rank
ranges (later), each about a quarter of all games before it, until chunks are as large as they may be. A run
may commit a chunk in parts (some ranks at a time): so that several workers end at about the same time, a killed
run loses little, and a longer run goes on within the chunk where a shorter one ended. Cells of a run of `[stop]` that
are *closed* at some number of games leave the chunks there; the others play the same games as ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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

    Attributes
    ----------
    cells
        In order; a range where they are `whole`.
    whole
        Whether these are all cells that the chunk has in the layout; else the line of the commit log names them.
    """

    number: int
    cells: Sequence[int]
    start: int
    stop: int
    whole: bool = True


Done = tuple[int, int, int] | tuple[int, int, int, Sequence[int]]
"""What is committed: chunk of the layout, first rank, rank behind the last; the cells where these are not all."""


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


def pending(
    cells: int, log: str, target: int, done: Iterable[Done], closed: Mapping[int, int] | None = None
) -> Iterator[Chunk]:
    """Yield what is left to play up to `target` games a cell.

    Parameters
    ----------
    done
        What is committed.
    closed
        Cells that play fewer games, and how many.

    Yields
    ------
    Chunk
        Whole chunks or parts of them, with the number of the chunk that they belong to.
    """
    by_chunk: dict[int, list[Done]] = {}
    for one in done:
        by_chunk.setdefault(one[0], []).append(one)
    for chunk in chunks(cells, log):
        if chunk.start >= target:
            return
        whole = replace(chunk, stop=min(chunk.stop, target))
        yield from _left(whole, by_chunk.get(chunk.number, []), closed or {})


def _left(chunk: Chunk, done: Sequence[Done], closed: Mapping[int, int]) -> Iterator[Chunk]:
    """Yield what is left of a chunk: runs of ranks in which the same cells have games to play."""
    ends = {closed[cell] for cell in chunk.cells if cell in closed}
    edges = {chunk.start, chunk.stop, *ends, *(edge for one in done for edge in one[1:3])}
    within = sorted(edge for edge in edges if chunk.start <= edge <= chunk.stop)
    found: list[Chunk] = []
    for low, high in pairwise(within):
        there = [one for one in done if one[1] <= low and high <= one[2]]
        if any(len(one) == 3 for one in there):
            continue
        taken = {cell for one in there for cell in one[-1]}  # type: ignore[union-attr]
        mine = [cell for cell in chunk.cells if cell not in taken and closed.get(cell, high) >= high]
        whole = len(mine) == len(chunk.cells)
        part = Chunk(chunk.number, chunk.cells if whole else tuple(mine), low, high, whole)
        if found and found[-1].stop == low and found[-1].cells == part.cells:
            found[-1] = replace(found[-1], stop=high)
        elif mine:
            found.append(part)
    yield from found


def pending_in_tiers(
    tiers: Sequence[range],
    log: str,
    targets: Sequence[int],
    done: Iterable[Done],
    closed: Mapping[int, int] | None = None,
) -> list[list[Chunk]]:
    """Return what is left to play of each tier (its cells, its games a cell): each is laid out for itself.

    Chunk `n` of tier `t` of `T` has the number ``n * T + t``.
    """
    count, found = len(tiers), []
    committed = list(done)
    for t, (cells, target) in enumerate(zip(tiers, targets)):
        mine = [_own(one, count, cells.start) for one in committed if one[0] % count == t]
        ends = {cell - cells.start: n for cell, n in (closed or {}).items() if cell in cells}
        found.append(
            [
                replace(among(cells, chunk), number=chunk.number * count + t)
                for chunk in pending(len(cells), log, target, mine, ends)
            ]
            if len(cells)
            else []
        )
    return found


def _own(one: Done, count: int, first: int) -> Done:
    """What is committed, in the numbers that a tier counts its chunks and cells by."""
    number, start, stop = one[0] // count, one[1], one[2]
    return (number, start, stop) if len(one) == 3 else (number, start, stop, [c - first for c in one[3]])


def among(cells: range, chunk: Chunk) -> Chunk:
    """Return a chunk whose cells were counted from 0 with those that they are of `cells`."""
    own = chunk.cells
    here = cells[own.start : own.stop] if isinstance(own, range) else tuple(cells[k] for k in own)
    return replace(chunk, cells=here)


def cut(left: Sequence[Chunk], jobs: int, small: int = SMALL) -> Iterator[Chunk]:
    """Cut chunks into parts, by ranks, so that `jobs` workers end at about the same time."""
    games = [len(chunk.cells) * (chunk.stop - chunk.start) for chunk in left]
    most = max(small, sum(games) // (PARTS * jobs))
    for chunk, size in zip(left, games):
        width = chunk.stop - chunk.start
        pieces = min(width, -(-size // most))
        edges = [chunk.start + width * i // pieces for i in range(pieces + 1)]
        for start, stop in pairwise(edges):
            yield replace(chunk, start=start, stop=stop)


def blocks(size: int, start: int, stop: int) -> range:
    """Return the numbers of a cell's blocks (of `size` games) that ranks start <= rank < stop hold."""
    return range(-(-start // size), -(-stop // size))
