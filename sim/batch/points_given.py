"""Games whose seats are given points at the end (`sim.batch.seat_points`): their scores, ranks, and who wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sim.batch.seat_points import TABLE
from sim.core.errors import Refusal

if TYPE_CHECKING:
    from sim.batch.tables import Played

SELDOM = 0.05
"""Refused where more games than this part of them, beyond chance, are decided by something else than points."""
DIGITS = 6
"""Scores are compared to so many digits after the point."""


def given(played: Played) -> Played:
    """Return games with the points that their seats are given: scores, ranks and who wins."""
    if played.points is None or not played.points.any():
        return played
    games = {**played.chunk.games, **_copies(played.chunk.games, "winner", "tied", "margin")}
    seats = {**played.chunk.seats, **_copies(played.chunk.seats, "score", "rank", "win_share")}
    mine = np.flatnonzero(played.points.any(axis=1))
    width = seats["score"].shape[1]
    there = np.arange(width)[None, :] < games["players"][mine][:, None]
    score = np.where(there, seats["score"][mine].astype(np.float64), -np.inf)
    before = np.where(there, seats["rank"][mine], width + 1)
    decided = np.asarray(((before > 1) | (score >= score.max(axis=1, keepdims=True))).all(axis=1))
    _check(seats["side"][mine], there, decided)
    old, score = score, np.round(score + np.where(there, played.points[mine, :width], 0.0), DIGITS)
    seats["score"][mine] = np.where(there, score, seats["score"][mine])
    rows, there, score = mine[decided], there[decided], score[decided]
    rank = _ranks(score, old[decided], before[decided])
    best = there & (rank == 1)
    number = best.sum(axis=1)
    seats["rank"][rows] = np.where(there, rank, seats["rank"][rows])
    seats["win_share"][rows] = best / number[:, None]
    top = best.argmax(axis=1)
    others = np.where(np.arange(width)[None, :] == top[:, None], -np.inf, score)
    games["winner"][rows] = np.where(number == 1, top, -1)
    games["tied"][rows] = number
    games["margin"][rows] = score[np.arange(len(rows)), top] - others.max(axis=1)
    return replace(played, chunk=replace(played.chunk, games=games, seats=seats), points=None)


def _copies(columns: Mapping[str, Any], *names: str) -> dict[str, NDArray[Any]]:
    return {name: np.array(columns[name]) for name in names}


def _ranks(score: NDArray[np.float64], old: NDArray[np.float64], before: NDArray[Any]) -> NDArray[np.int64]:
    """Ranks by points; seats that were level without them stay as the game broke the tie, others that are share."""
    ahead = score[:, None, :] > score[:, :, None]
    level = (score[:, None, :] == score[:, :, None]) & (old[:, None, :] == old[:, :, None])
    return 1 + np.asarray((ahead | (level & (before[:, None, :] < before[:, :, None]))).sum(axis=2))


def _check(side: NDArray[Any], there: NDArray[np.bool_], decided: NDArray[np.bool_]) -> None:
    alone = np.where(there, side, -1 - np.arange(side.shape[1])[None, :])
    if (np.diff(np.sort(alone, axis=1), axis=1) == 0).any():
        raise Refusal(f"'{TABLE}': seats play in teams; points are given to seats that play alone")
    usual = SELDOM * len(decided)
    if not decided.any() or (~decided).sum() > usual + 5 * np.sqrt(usual):
        share = f"{100 * (1 - decided.mean()):.0f}%"
        text = f"{share} of these games are not decided by points, so that points given at the end would not tell"
        raise Refusal(f"'{TABLE}': {text}; turn a number of the rules")
