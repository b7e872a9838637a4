"""What handicap makes it even? Points that a seat is given, or a number of the rules that is turned.

Points are added to the final scores of games that were played without them: nobody played for them, so that the figure
is one for players who play as these bots did. A number of the rules is turned in the games themselves. Either way the
value comes with an interval, from games drawn anew deal by deal (Efron 1979), and counts only when fresh games prove
it: of many values one always looks even.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import Games, read_games
from analysis.targets.needing import needed
from analysis.targets.table import SEATS
from analysis.targets.verdicts import PROVEN, REFUTED, TOO_FEW, UNDECIDED

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]

DRAWS = {2: 400, 3: 120}
"""Resamples by number of players (of more players as for three)."""
SWEEPS = 12
STEP = 0.5
"""Points are found to the half: half a point only breaks ties."""
FAITHFUL = 0.99
"""At least so many games must be decided by points as logged."""
DIGITS = 6
"""Scores are compared to so many digits after the point."""


@dataclass(frozen=True)
class Handicap:
    """What makes one kind of table even.

    Attributes
    ----------
    players
        How many play.
    values
        Points of each seat, the most favoured one with none; or one value, that of the number that was turned.
    low, high
        95% intervals of them.
    before, after
        Win shares of the seats without and with it, in the games that it was found in.
    games, deals
        Those games.
    """

    players: int
    values: list[float]
    low: list[float]
    high: list[float]
    before: list[float]
    after: list[float]
    games: int
    deals: int


@dataclass(frozen=True)
class Proof:
    """What fresh games say: win shares with their intervals, and whether all lie within the margin of fair.

    `given` is what they were played or counted with: points of each seat, or the value of the number that is turned.
    `more_games`: so many more would settle it in 80 % of cases, if it is as it looks; None where nothing is open, or no
    number is sure to.
    """

    players: int
    shares: list[float]
    low: list[float]
    high: list[float]
    margin: float
    verdict: str
    games: int
    deals: int
    more_games: int | None = None
    given: tuple[float, ...] = ()


def points(d: Dataset) -> list[Handicap]:
    """Points that make each kind of table even.

    Raises
    ------
    Refusal
        Scores were not logged, do not decide who wins, or seats play in teams.
    """
    rng = np.random.default_rng(20_018)
    out = []
    for scores, games, rows in _scores(d):
        n = scores.shape[1]
        deal = np.unique(games.blocks[rows].deal, return_inverse=True)[1].ravel()
        every = np.ones(len(scores))
        values = _even(scores, every)
        drawn = []
        for _ in range(DRAWS[min(n, 3)]):
            times = np.bincount(rng.integers(0, deal.max() + 1, deal.max() + 1), minlength=deal.max() + 1)
            drawn.append(_even(scores, times[deal].astype(np.float64)))
        low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
        before, after = credit(scores).mean(axis=0), credit(scores + values).mean(axis=0)
        given, low, high, before, after = (part.tolist() for part in (values, low, high, before, after))
        out.append(Handicap(n, given, low, high, before, after, len(scores), int(deal.max()) + 1))
    return out


def turned(d: Dataset, key: str) -> list[Handicap]:
    """The value of a varied number of the rules at which each kind of table is most even.

    The interval holds the values that come out most even in 95% of resamples.
    """
    rng = np.random.default_rng(20_018)
    games = read_games(d, key)
    parts: dict[int, dict[float, NDArray[np.int64]]] = {}
    for labels, rows in games.groups(split_players=True):
        parts.setdefault(int(labels["players"]), {})[float(labels[key])] = rows
    out = []
    for n, levels in parts.items():
        order = sorted(levels)
        shares = [games.pad(games.win_share, levels[v]) for v in order]
        deals = [games.blocks[levels[v]].deal for v in order]
        size = int(max(part.max() for part in deals)) + 1

        def best(
            times: NDArray[Any], shares: list[Floats] = shares, deals: list[Any] = deals, n: int = n
        ) -> int:
            means = [
                np.average(s, axis=0, weights=times[g] + 1e-12) for s, g in zip(shares, deals, strict=True)
            ]
            return int(np.argmin([np.abs(m - 1 / n).max() for m in means]))

        at = best(np.ones(size))
        picks = [order[best(np.bincount(rng.integers(0, size, size), minlength=size))] for _ in range(400)]
        low, high = np.quantile(picks, [0.025, 0.975], method="nearest")
        before, after = shares[0].mean(axis=0).tolist(), shares[at].mean(axis=0).tolist()
        number = len(np.unique(deals[at]))
        out.append(
            Handicap(n, [order[at]], [float(low)], [float(high)], before, after, len(shares[at]), number)
        )
    return out


def prove(d: Dataset, given: Mapping[int, Sequence[float]] | None = None) -> list[Proof]:
    """Whether fresh games are even, with points `given` to the seats of each kind of table (none: as played)."""
    out = []
    if given is None:
        games = read_games(d)
        tables = [
            (games.pad(games.win_share, rows), games, rows) for _, rows in games.groups(split_players=True)
        ]
    else:
        tables = [
            (credit(scores + np.asarray(given[scores.shape[1]])), games, rows)
            for scores, games, rows in _scores(d)
            if scores.shape[1] in given
        ]
    for won, games, rows in tables:
        blocks, fair, margin = games.blocks[rows], 1 / won.shape[1], d.judge.seat
        mean, cov = stats.block_means(won, blocks)
        found = stats.shares(mean, np.diag(cov), blocks)
        low, high = found.interval()
        tests = 1 if won.shape[1] == 2 else won.shape[1]
        wide_low, wide_high = found.interval(1 - stats.ALPHA / tests)
        word = UNDECIDED
        if not found.enough.all():
            word = TOO_FEW
        elif (found.p_within(fair - margin, fair + margin) < stats.ALPHA).all():
            word = PROVEN
        elif (wide_low > fair + margin).any() or (wide_high < fair - margin).any():
            word = REFUTED
        told = (mean.tolist(), low.tolist(), high.tolist())
        more = None if word in (PROVEN, REFUTED) else _more(found, fair, margin, len(won), tests)
        points = tuple(given[won.shape[1]]) if given else ()
        deals = len(np.unique(blocks.deal))
        out.append(Proof(won.shape[1], *told, margin, word, len(won), deals, more, points))
    return out


def _more(found: stats.Estimates, fair: float, margin: float, games: int, tests: int) -> int | None:
    """More games that settle it: until one seat is shown to lie outside, else until all are shown to lie within."""
    k = len(found)
    low, high = np.full(k, fair - margin), np.full(k, fair + margin)
    each = needed(found, low, high, np.full(k, games), tests, [UNDECIDED] * k)
    beyond = np.abs(found.value - fair) > margin
    some = [more for more, out in zip(each, beyond, strict=True) if out or not beyond.any()]
    if any(more is None for more in some):
        return None
    return (min if beyond.any() else max)(more for more in some if more is not None)


def given_points(text: str, behind: Mapping[int, int]) -> dict[int, list[float]]:
    """Points that somebody wants proven, by number of players.

    Parameters
    ----------
    text
        Points by seat, ``B=2`` or ``B=2,C=3.5``; with two players a number alone, for the seat that is behind.
    behind
        The seat that is behind, by number of players.

    Raises
    ------
    Refusal
        No such text, or no such seat.
    """
    named: dict[int, float] = {}
    alone = _number(text)
    for part in () if alone is not None else text.split(","):
        seat, _, value = (one.strip() for one in part.partition("="))
        number = _number(value)
        if len(seat) != 1 or seat not in SEATS or number is None:
            raise Refusal(f"'{text}' is no handicap: points by seat, as in B=2 or B=2,C=3.5")
        named[SEATS.index(seat)] = number
    out = {}
    for players, last in behind.items():
        if alone is not None and players > 2:
            raise Refusal(
                f"'{text}': with {players} players say which seats are given points, as in B=2,C=3.5"
            )
        points = {last: alone} if alone is not None else named
        if missing := [SEATS[seat] for seat in points if seat >= players]:
            raise Refusal(f"'{text}': with {players} players there is no Seat {missing[0]}")
        out[players] = [points.get(seat, 0.0) for seat in range(players)]
    return out


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def with_points(d: Dataset, asked: Sequence[tuple[str, str, Mapping[int, float]]]) -> Dataset:
    """A data set whose variants are those of another one with points given to seats, as (name, of which, points).

    Raises
    ------
    Refusal
        Points do not decide who wins, or seats play in teams.
    """
    import polars as pl

    from analysis.data.dataset import Dataset
    from analysis.data.parts import TABLES
    from analysis.data.pooling import pool

    for _ in _scores(d):
        pass  # refuses games that points do not decide
    parts = []
    for name, of, given in asked:
        cells = d.cells.filter(pl.col("variant") == of).with_columns(variant=pl.lit(name))
        one = d.with_cells(cells)
        tables = {table: one.table(table) for table in TABLES if one.has(table)}
        if any(given.values()):
            tables |= _given(tables, given)
        factors = list(dict.fromkeys([*one.manifest["factors"], "variant"]))
        parts.append(Dataset({**one.manifest, "factors": factors}, cells, tables, None, []))
    return pool(parts, apart=False) if len(parts) > 1 else parts[0]


def _given(tables: Mapping[str, pl.LazyFrame], given: Mapping[int, float]) -> dict[str, pl.LazyFrame]:
    """Tables of the same games with points given to seats at the end.

    It is what an experiment with `seat_points` writes (`sim.batch.seat_points`), from games played without.
    """
    import polars as pl

    seats, games = tables["seats"], tables["games"]
    types, kinds = seats.collect_schema(), games.collect_schema()
    score, before = pl.col("score").cast(pl.Float64), pl.col("rank").cast(pl.Int64)
    if "rank" not in types:  # games that people kept may tell scores alone
        seats = seats.with_columns(rank=score.rank("min", descending=True).over("game_id"))
    # a game that points did not decide stays as it ended
    decided = ((before > 1) | (score >= score.max().over("game_id"))).all().over("game_id")
    more = pl.lit(0.0)
    for seat, points in given.items():
        more = more + pl.when(pl.col("seat") == seat).then(float(points)).otherwise(0.0)
    seats = seats.with_columns(
        _decided=decided, score=(score + more).round(DIGITS), _before=before, _old=score
    )
    ahead = pl.col("score").rank("min", descending=True).over("game_id").cast(pl.Int64)
    level = pl.col("_before").rank("min").over("game_id", "score", "_old").cast(pl.Int64)
    seats = seats.with_columns(_rank=pl.when("_decided").then(ahead + level - 1).otherwise("_before"))
    number = (pl.col("_rank") == 1).sum().over("game_id")
    share = pl.when(pl.col("_rank") == 1).then(1 / number).otherwise(0.0)
    seats = seats.with_columns(
        rank=pl.col("_rank"), win_share=pl.when("_decided").then(share).otherwise("win_share")
    )
    first = pl.col("_rank") == 1
    told = seats.group_by("game_id").agg(
        _decided=pl.col("_decided").first(),
        _tied=first.sum(),
        _winner=pl.col("seat").filter(first).min(),
        _margin=pl.col("score").max() - pl.col("score").sort(descending=True).get(1),
    )
    new = {"tied": pl.col("_tied"), "margin": pl.col("_margin")}
    new["winner"] = pl.when(pl.col("_tied") == 1).then("_winner")
    games = games.join(told, on="game_id", how="left", maintain_order="left").with_columns(
        pl.when("_decided").then(value).otherwise(name).cast(kinds[name]).alias(name)
        for name, value in new.items()
        if name in kinds
    )
    out = {
        "seats": seats.select(pl.col(name).cast(kind) for name, kind in types.items()),
        "games": games.select(list(kinds)),
    }
    if "pieces" in tables:
        names = list(tables["pieces"].collect_schema())
        shares = out["seats"].select("game_id", "seat", "win_share")
        pieces = tables["pieces"].drop("win_share")
        out["pieces"] = pieces.join(shares, on=["game_id", "seat"], how="left", maintain_order="left").select(
            names
        )
    return out


def credit(scores: Floats) -> Floats:
    """Win shares by score: 1 over the number of those who have the most."""
    best = scores >= scores.max(axis=1, keepdims=True) - 1e-9
    return np.asarray(best / best.sum(axis=1, keepdims=True))


def _scores(d: Dataset) -> Iterator[tuple[Floats, Games, NDArray[np.int64]]]:
    if "score" not in d.seats.collect_schema().names():
        raise Refusal(f"{d.name}: scores were not recorded, so that no points can be given")
    games = read_games(d)
    score = games.seat_values("score").astype(np.float64)
    for labels, rows in games.groups(split_players=True):
        if labels["sides"] != labels["players"]:
            raise Refusal(f"{d.name}: seats play in teams; a handicap in points is for seats that play alone")
        scores = games.pad(score, rows)
        won = games.pad(games.win_share, rows)
        same = float((np.abs(credit(scores) - won) < 1e-6).all(axis=1).mean())
        if same < FAITHFUL:
            text = f"{100 * (1 - same):.0f}% of games are not decided by points alone"
            raise Refusal(
                f"{d.name}: {text}, so that points given at the end would not tell; turn a number of the rules"
            )
        yield scores, games, rows


def _even(scores: Floats, weight: Floats) -> Floats:
    """Points of each seat that even the win shares, to the half; the seat that needs least has none."""
    n = scores.shape[1]
    given = np.zeros(n)
    reach = float(np.ceil(scores.max() - scores.min())) + 1
    for _ in range(1 if n == 2 else SWEEPS):
        before = given.copy()
        for seat in range(1, n):
            given[seat] = _seat(scores + given - given[seat] * (np.arange(n) == seat), seat, weight, reach)
        if np.array_equal(before, given):
            break
    return given - given.min()


def _seat(scores: Floats, seat: int, weight: Floats, reach: float) -> float:
    """Points, of those to the half, that bring one seat nearest to its fair share; its share rises with them."""
    others = np.delete(scores, seat, axis=1)
    top = others.max(axis=1)
    tied = (others >= top[:, None] - 1e-9).sum(axis=1)
    lead, total = scores[:, seat] - top, weight.sum()

    def share(steps: int) -> float:
        gap = lead + steps * STEP
        return float(weight @ np.where(gap > 1e-9, 1.0, np.where(gap < -1e-9, 0.0, 1 / (tied + 1)))) / total

    fair = 1 / scores.shape[1]
    low, high = -int(reach / STEP), int(reach / STEP)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if share(middle) <= fair else (low, middle)
    nearer = low if abs(share(low) - fair) <= abs(share(high) - fair) else high
    return nearer * STEP
