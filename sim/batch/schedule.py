"""What a run on many workers would take: a simulation of its schedule, from measured costs of chunks.

One driver hands chunks out, two a worker as `sim.batch.cluster` and joblib do, and writes a line for each that comes
back: all that have come while it waited for the disk go there together. Chunks take unlike times, workers are lost,
what a lost worker had is played again by another. Nothing is played here and no clock is read.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

AHEAD = 2
"""Chunks that are handed out for each worker: one that it plays and the next."""


@dataclass(frozen=True)
class Kind:
    """Chunks of one kind, of a tier of play for instance.

    Attributes
    ----------
    chunks
        How many there are.
    seconds
        Mean time that one takes on one core.
    spread
        Standard deviation of it over the mean, of a lognormal distribution.
    """

    chunks: int
    seconds: float
    spread: float = 0.3


@dataclass(frozen=True)
class Cluster:
    """Who plays.

    Attributes
    ----------
    workers
        Cores that play, each by itself.
    start
        Seconds until a worker, new or in place of a lost one, plays: starting, loading of compiled code.
    line
        Seconds that the driver takes for one chunk: to hand it out and to append its line.
    wait
        Seconds until a group of lines, of one or of many, is on the disk.
    between_losses
        Mean hours until one worker is lost; 0: none is.
    """

    workers: int
    start: float = 20.0
    line: float = 0.001
    wait: float = 0.01
    between_losses: float = 0.0


@dataclass(frozen=True)
class Schedule:
    """What came out.

    Attributes
    ----------
    hours
        From the start to the last line of the commit log.
    busy
        Share of the workers' time in which they played what was kept.
    driver
        Share of the time in which the driver was busy.
    lost
        Workers lost, each with the chunk that it was playing.
    again
        Share of all playing that was played for nothing.
    tail
        Hours from the moment when the first worker found nothing left to play to the end.
    """

    hours: float
    busy: float
    driver: float
    lost: int
    again: float
    tail: float


def simulate(kinds: Sequence[Kind], cluster: Cluster, seed: int = 1) -> Schedule:
    """Play through the schedule of a run, kind after kind as a run hands them out.

    Parameters
    ----------
    kinds
        In the order in which they are handed out.
    cluster
        The workers and the driver.
    seed
        Of the times and the losses.
    """
    rng = np.random.default_rng(seed)
    left = _times(kinds, rng)[::-1].tolist()  # not handed out yet, the next one last
    ready = deque(left.pop() for _ in range(min(len(left), AHEAD * cluster.workers)))
    mean = cluster.between_losses * 3600
    played = wasted = writing = end = 0.0
    chunks, lost, idle, began_to_idle = len(left) + len(ready), 0, 0, 0.0
    written = waiting = under_way = 0
    count = itertools.count()
    events: list[tuple[float, int, str, float]] = []  # when, order, what, seconds of the chunk

    def later(when: float, what: str, seconds: float = 0.0) -> None:
        heapq.heappush(events, (when, next(count), what, seconds))

    for _ in range(cluster.workers):
        later(cluster.start, "free")
    while written < chunks:
        now, _, what, seconds = heapq.heappop(events)
        if what == "free":
            idle += 1
        elif what == "done":
            waiting += 1
            idle += 1
            if left:
                ready.append(left.pop())
        elif what == "written":
            written, under_way, end = written + under_way, 0, now
        else:  # lost: another worker gets its chunk, and in time another worker comes
            lost += 1
            ready.appendleft(seconds)
            later(now + cluster.start, "free")
        if waiting and not under_way:
            under_way, waiting = waiting, 0
            spent = cluster.wait + under_way * cluster.line
            writing += spent
            later(now + spent, "written")
        while idle and ready:
            idle -= 1
            seconds = ready.popleft()
            dies = rng.exponential(mean) if mean else np.inf
            played, wasted = (played, wasted + dies) if dies < seconds else (played + seconds, wasted)
            later(now + min(dies, seconds), "lost" if dies < seconds else "done", seconds)
        if idle and not left and not began_to_idle:
            began_to_idle = now
    return Schedule(
        hours=end / 3600,
        busy=played / (end * cluster.workers),
        driver=writing / end,
        lost=lost,
        again=wasted / (played + wasted),
        tail=(end - began_to_idle) / 3600,
    )


def _times(kinds: Sequence[Kind], rng: np.random.Generator) -> np.ndarray:
    """Return the seconds of each chunk, in order."""
    parts = []
    for kind in kinds:
        sigma = np.sqrt(np.log1p(kind.spread**2))
        parts.append(rng.lognormal(np.log(kind.seconds) - sigma**2 / 2, sigma, kind.chunks))
    return np.concatenate(parts)
