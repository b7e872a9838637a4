"""Do the bots' games cover those of people? Length, margin, score and seats, by number of players. (H1)

Verdicts on bots' games hold for people only as far as both play the same game. The range of the bots holds the middle
90 % of their games; were people's games like them, nine of ten would lie in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import Games, read_games, tidy
from analysis.data.measures import MINUTES, Measures

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]
RANGE = (0.05, 0.95)
ENOUGH = 0.8
"""Shown to be at least this share of people's games: covered; shown to be less: not covered."""
FEWEST_BOTS = 100
OF_GAMES = ("turns", MINUTES, "margin", "lead_changes")
COVERED, NOT, UNDECIDED = "covered", "not covered", "undecided"
SEAT_WORDS = {"balanced": "the same", "ahead": "differs", "behind": "differs"}


def coverage(people: Dataset, bots: Dataset) -> pl.DataFrame:
    """Whether the bots' games cover those of people.

    Parameters
    ----------
    people, bots : Dataset
        Two data sets of one game; bots at their strongest tier.

    Returns
    -------
    polars.DataFrame
        ``measure`` (``turns``, ``minutes``, ``margin``, ``lead_changes``, ``score``, ``seat``), ``about`` (the seat),
        ``players, sides, range_low, range_high`` (the bots' middle 90 %), ``bots`` (their median, or win share of the
        seat), ``people`` (the same of people), ``estimate`` (share of people's games inside; of a seat the difference
        of win shares, people less bots), ``low, high, below, above`` (share of people's games on either side), ``p, q``
        (of seats), ``verdict`` (``covered``: at least `ENOUGH` of the games are shown to lie inside, ``not covered``,
        ``undecided``; of seats ``the same`` within the margin, ``differs``, ``undecided``), ``games, games_bots, deals,
        blocks, method, note``. Measures that only one of the two recorded have no row.
    """
    import polars as pl

    theirs = (bots.at_tier() if len(bots.tiers) > 1 else bots).plain_play()
    mine, other = read_games(people), read_games(theirs)
    tables = [table for table in mine.tables if table in other.tables]
    if not tables:
        raise Refusal(
            f"{people.name}: bots played no game with {', '.join(str(n) for n, _ in mine.tables)} players"
        )
    rows = [row for table in tables for row in _of_table(mine, other, *table)]
    rows += _seats(mine, other, tables)
    left_out = [str(n) for n, k in mine.tables if (n, k) not in tables]
    note = f"bots played no game with {', '.join(left_out)} players" if left_out else ""
    for row in rows:
        row["note"] = "; ".join(part for part in (row["note"], note) if part)
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    head = ["measure", "about", "players", "sides", "range_low", "range_high", "bots", "people"]
    tail = ["estimate", "low", "high", "below", "above", "p", "q", "verdict", "games", "games_bots"]
    return tidy(frame, [*head, *tail])


def _values(games: Games) -> dict[str, Floats]:
    """What is known of each game, and scores as (flat) seats."""
    measures = Measures(games)
    out = {}
    for name in OF_GAMES:
        if name in measures.names:
            out[name] = measures.of(name)
    if "score" in games.data.seats.collect_schema().names():
        out["score"] = games.seat_values("score").astype(np.float64)
    return {name: values for name, values in out.items() if np.isfinite(values).any()}


def _of_table(mine: Games, other: Games, n: int, sides: int) -> Iterator[dict[str, Any]]:
    people, bots = _values(mine), _values(other)
    here, there = (np.flatnonzero(games.at_table(n, sides)) for games in (mine, other))
    for name in people:
        if name not in bots:
            continue
        own, of_bots = (
            _each(g, v[name], rows, n) for g, v, rows in ((mine, people, here), (other, bots, there))
        )
        known = np.isfinite(own).all(axis=1)
        base = of_bots[np.isfinite(of_bots)]
        if len(base) < FEWEST_BOTS or not known.any():
            continue
        rows, own = here[known], own[known]
        low, high = np.quantile(base, RANGE, method="inverted_cdf")
        inside = ((own >= low) & (own <= high)).mean(axis=1)
        blocks = mine.blocks[rows]
        mean, cov = stats.block_means(inside[:, None], blocks)
        found = stats.shares(mean, cov[0], blocks)
        ends = found.interval()
        verdict = UNDECIDED
        if found.enough[0] and not mine.no_verdict:
            # one-sided tests: of at least so much, of less
            if found.p_within(ENOUGH, 2.0)[0] < stats.ALPHA:
                verdict = COVERED
            elif found.p_within(-1.0, ENOUGH)[0] < stats.ALPHA:
                verdict = NOT
        yield {
            "measure": name,
            "about": None,
            "players": n,
            "sides": sides,
            "range_low": float(low),
            "range_high": float(high),
            "bots": float(np.median(base)),
            "people": float(np.median(own)),
            "estimate": found.value[0],
            "low": ends[0][0],
            "high": ends[1][0],
            "below": float((own < low).mean()),
            "above": float((own > high).mean()),
            "p": None,
            "q": None,
            "verdict": verdict,
            "games_bots": len(there),
            **mine.behind(
                rows, f"share of people's games within the bots' middle {100 * (RANGE[1] - RANGE[0]):.0f}%"
            ),
        }


def _each(games: Games, values: Floats, rows: NDArray[np.int64], n: int) -> Floats:
    """Values of the games `rows`, one column, or one a seat."""
    if len(values) == len(games):
        return values[rows][:, None]
    return values[games.first_row[rows][:, None] + np.arange(n)]


def _seats(mine: Games, other: Games, tables: list[tuple[int, int]]) -> list[dict[str, Any]]:
    """Win shares of the seats, people less bots, as one family."""
    rows: list[dict[str, Any]] = []
    found: list[stats.Estimates] = []
    for n, sides in tables:
        parts = []
        for games in (mine, other):
            members = np.flatnonzero(games.at_table(n, sides))
            mean, cov = stats.block_means(games.pad(games.win_share, members), games.blocks[members])
            parts.append((members, mean, np.diag(cov), games.blocks[members].number))
        (members, own, var, number), (there, bots, var_bots, number_bots) = parts
        # with the smaller of both numbers of blocks: that of the people, as a rule
        found.append(stats.effects(own - bots, np.sqrt(var + var_bots), min(number, number_bots)))
        for seat in range(n):
            rows.append(
                {
                    "measure": "seat",
                    "about": str(seat),
                    "players": n,
                    "sides": sides,
                    "range_low": None,
                    "range_high": None,
                    "bots": float(bots[seat]),
                    "people": float(own[seat]),
                    "below": None,
                    "above": None,
                    "games_bots": len(there),
                    **mine.behind(members, "difference of win shares, people less bots"),
                }
            )
    every = stats.join(found)
    margin = mine.data.judge.seat
    tests = float(sum(1 if len(part) == 2 else len(part) for part in found))
    ruled = stats.judge(every, -margin, margin, stats.DUEL, tests=tests, instead=mine.no_verdict)
    low, high = every.interval()
    for i, row in enumerate(rows):
        word = (
            "differs" if ruled.low[i] > 0 or ruled.high[i] < 0 else SEAT_WORDS.get(ruled.words[i], UNDECIDED)
        )
        row |= {
            "estimate": every.value[i],
            "low": low[i],
            "high": high[i],
            "p": every.p()[i],
            "q": ruled.q[i],
        }
        row["verdict"] = word
    return rows
