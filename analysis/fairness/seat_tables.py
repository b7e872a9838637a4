"""The seats of each kind of table, estimated and judged: from all games at once, or added up part by part.

Of more games than are held at once the parts are gone through one after the other (`analysis.data.sampling.parts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.frames import Games, read_games
from analysis.data.sampling import parts
from analysis.stats import power
from analysis.stats.verdicts import UNDECIDED

if TYPE_CHECKING:
    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Counted:
    """The seats of one kind of table, before they are judged.

    Attributes
    ----------
    labels : dict
        What tells this group of games from others.
    fair : float
    side : int array (seats,)
    found : Estimates
        Win shares (seats,).
    capped : float
        Share of the games that were stopped.
    finished : array (seats,)
        Wins in the games that were not, over all games.
    alike : bool array (seats, seats)
        Which seats win the same in every game.
    behind : dict
        Columns ``games, deals, blocks, method, note``; the method only tells how errors are found.
    lines : int or None
        Distinct lines of play; None where they are not known.
    """

    labels: dict[str, Any]
    fair: float
    side: NDArray[np.int64]
    found: stats.Estimates
    capped: float
    finished: Floats
    alike: NDArray[np.bool_]
    behind: dict[str, Any]
    lines: int | None = None

    @property
    def tests(self) -> int:
        """How many of the seats can differ by themselves: all different ones, of two but one."""
        kept = sum(not self.alike[k, :k].any() for k in range(len(self.alike)))
        return 1 if kept == 2 else kept


@dataclass(frozen=True)
class Judged(Counted):
    """The same with the verdict on each seat, its test of equivalence, and how many more games would settle it."""

    ruled: stats.Verdicts = field(kw_only=True)
    p_within: Floats = field(kw_only=True)
    more: Floats = field(kw_only=True)


def judged_tables(d: Dataset, by: str | Sequence[str] | None = None) -> tuple[list[Judged], list[str]]:
    """All kinds of table, judged as one family, and the names of the columns that tell groups apart."""
    counted, names, instead = _counted(d, by)
    margin = d.judge.seat
    at = np.repeat([one.fair for one in counted], [len(one.found) for one in counted])
    tests = float(sum(one.tests for one in counted))
    found = stats.join([one.found for one in counted])
    ruled = stats.judge(found, at - margin, at + margin, stats.FAVOUR, tests=tests, instead=instead)
    out, first = [], 0
    for one in counted:
        low, high = one.fair - margin, one.fair + margin
        own = ruled[first : first + len(one.found)]
        more = power.more_games(one.found, low, high, one.behind["games"], tests=own.tests)
        still = np.array([word == UNDECIDED for word in own.words])
        told: dict[str, Any] = {f.name: getattr(one, f.name) for f in fields(one)}
        within, more = one.found.p_within(low, high), np.where(still, more, 0.0)
        out.append(Judged(**told, ruled=own, p_within=within, more=more))
        first += len(one.found)
    return out, names


def _counted(d: Dataset, by: str | Sequence[str] | None) -> tuple[list[Counted], list[str], str | None]:
    sums: dict[tuple[Any, ...], _Sum] = {}
    games: Games | None = None
    for part in parts(d, by):
        games = read_games(part, by)
        if part is d:
            groups = games.groups(split_players=True)
            return [_whole(games, labels, rows) for labels, rows in groups], games.by, games.no_verdict
        for labels, rows in games.groups(split_players=True):
            key = tuple(labels.values())
            own = _Sum.of(games, labels, rows)
            sums[key] = sums[key] + own if key in sums else own
    assert games is not None
    return [one.counted() for one in sums.values()], games.by, games.no_verdict


def _whole(games: Games, labels: dict[str, Any], rows: NDArray[np.int64]) -> Counted:
    """The seats of a group of games."""
    won, blocks = games.pad(games.win_share, rows), games.blocks[rows]
    mean, cov = stats.block_means(won, blocks)
    found = stats.shares(mean, np.diag(cov), blocks)
    part = _Sum.of(games, labels, rows)
    return replace(part.counted(), found=found, behind=_behind(games, rows), lines=_lines(games, rows))


@dataclass(frozen=True)
class _Sum:
    """What is added up over the parts of a group of games."""

    labels: dict[str, Any]
    fair: float
    side: NDArray[np.int64]
    sums: stats.Sums
    cut: int
    finished: Floats
    alike: NDArray[np.bool_]
    behind: dict[str, Any]

    @classmethod
    def of(cls, games: Games, labels: dict[str, Any], rows: NDArray[np.int64]) -> _Sum:
        won, cut = games.pad(games.win_share, rows), games.stopped[rows]
        fair = 1.0 / int(games.sides[rows[0]])
        sums = stats.Sums.of(won, games.blocks[rows], np.full(won.shape[1], fair))
        alike = np.array([[np.array_equal(a, b) for b in won.T] for a in won.T])
        side, finished = games.pad(games.side, rows[:1])[0], won[~cut].sum(axis=0)
        return cls(labels, fair, side, sums, int(cut.sum()), finished, alike, _behind(games, rows))

    def __add__(self, other: _Sum) -> _Sum:
        return replace(
            self,
            sums=self.sums + other.sums,
            cut=self.cut + other.cut,
            finished=self.finished + other.finished,
            alike=self.alike & other.alike,
        )

    def counted(self) -> Counted:
        sums, n = self.sums, len(self.sums)
        found = stats.shares(sums.mean, sums.variance, sums)
        behind = {**self.behind, "games": n, "deals": sums.distinct, "blocks": sums.number}
        capped, finished = self.cut / n, self.finished / n
        return Counted(self.labels, self.fair, self.side, found, capped, finished, self.alike, behind)


def _behind(games: Games, rows: NDArray[np.int64]) -> dict[str, Any]:
    behind = games.average(rows, "")
    return {**behind, "method": behind["method"].removeprefix("; ")}


def _lines(games: Games, rows: NDArray[np.int64]) -> int | None:
    if "line" not in games.frame.columns or games.frame["line"].null_count():
        return None
    return stats.different(games.frame["line"].to_numpy()[rows])
