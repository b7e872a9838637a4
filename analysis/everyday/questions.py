"""Plain rates, means and shares, each with its interval: what anybody asks first, without a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal, nearest
from analysis.data.frames import Games, read_games, tidy
from analysis.data.measures import Measures
from analysis.skill.pairings import read_pairings

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

By = str | Sequence[str] | None
Floats = NDArray[np.float64]


def win_rate(d: Dataset, piece: str, having: str = "owned", by: By = None) -> pl.DataFrame:
    """How often a seat with at least one copy of a piece wins. It goes with winning; whether it causes it is not asked.

    Parameters
    ----------
    piece : str
        A kind of piece.
    having : str
        Column of ``pieces`` that says who has it: ``owned``, ``played``, ``assigned``, ``taken``, ...
    by : str or list of str, optional
        Columns of cells or games; one row a level.

    Returns
    -------
    polars.DataFrame
        ``by.., players, sides, piece, having, estimate, low, high`` (share of wins of the seats with it), ``fair``,
        ``par`` (estimate over fair: 1.00 is fair), ``seats, games, deals, blocks, method, note``.

    Notes
    -----
    A ratio over the seats of each game, with errors by block, so that two owners in one game count as one game.
    """
    names = d.piece_names
    if piece not in names:
        raise Refusal(f"{d.name}: no piece is called '{piece}'{nearest(piece, names)}")
    columns = d.pieces.collect_schema().names()
    if having not in columns:
        raise Refusal(f"{d.name}: no column '{having}' in pieces{nearest(having, columns)}")
    games = read_games(d, by)
    own = games.piece_counts(having, [piece])[:, 0] > 0
    seats, won = games.in_game(own), games.in_game(own * games.win_share)
    rows = []
    for labels, members in games.groups(split_players=True):
        there = members[seats[members] > 0]
        if len(there) == 0:
            continue
        fair = 1 / labels["sides"]
        row = _ratio(games, there, won[there], seats[there])
        head = {**labels, "piece": piece, "having": having, **row}
        rows.append(
            {**head, "fair": fair, "par": row["estimate"] / fair, "seats": int(seats[there].sum())}
            | games.average(there, f"share of wins of seats with at least one {having}")
        )
    if not rows:
        raise Refusal(f"{d.name}: no seat has any {piece} {having}")
    return _frame(
        rows, [*games.by, "players", "sides", "piece", "having", "estimate", "low", "high", "fair", "par"]
    )


def mean_of(d: Dataset, measure: str, by: By = None) -> pl.DataFrame:
    """Mean of a measure of the games, at each level.

    Parameters
    ----------
    measure : str
        A number column of ``games`` (turns, margin, lead_changes, ...), or ``minutes``, ``stopped``, ``shared``,
        ``ender``, ``first seat``, ``points`` (`analysis.data.measures`).
    by : str or list of str, optional
        Columns of cells or games.

    Returns
    -------
    polars.DataFrame
        ``by.., players, sides, measure, estimate, low, high, spread`` (standard deviation between games), ``games,
        deals, blocks, method, note``. Errors by block; games in which the measure is not known are left out and said.
    """
    games = read_games(d, by)
    measures = Measures(games)
    values = measures.of(measure)
    rows = []
    for labels, members in games.groups(split_players=True):
        there = members[np.isfinite(values[members])]
        if len(there) == 0:
            continue
        found, base = measures.mean(measure, there)
        low, high = found.interval()
        row = {
            "measure": measure,
            "estimate": found.value[0] - base,
            "low": low[0] - base,
            "high": high[0] - base,
        }
        row["spread"] = float(values[there].std())
        behind = games.average(there, "mean over games")
        if len(there) < len(members):
            lost = f"{len(members) - len(there):,} games without a value are left out"
            behind["note"] = "; ".join(note for note in (behind["note"], lost) if note)
        rows.append({**labels, **row, **behind})
    if not rows:
        raise Refusal(f"{d.name}: '{measure}' is not known of any game")
    return _frame(rows, [*games.by, "players", "sides", "measure", "estimate", "low", "high", "spread"])


def share_where(d: Dataset, condition: pl.Expr, by: By = None) -> pl.DataFrame:
    """Share of games for which a condition on columns of ``games`` holds, e.g. ``pl.col("tied") > 1``.

    Returns
    -------
    polars.DataFrame
        ``by.., players, sides, estimate, low, high, count, games, deals, blocks, method, note``. Exact intervals where
        every game is a block of its own. A game for which the condition is null does not count as one where it holds.
    """
    have = d.games.collect_schema().names()
    wanted = condition.meta.root_names()
    for name in wanted:
        if name not in have:
            raise Refusal(f"{d.name}: no column '{name}' in games{nearest(name, have)}")
    games = read_games(d, by, [name for name in wanted if name not in ("game_id", "cell", "deal", "players")])
    holds = (
        games.frame.select(condition.fill_null(value=False).alias("holds"))["holds"].to_numpy().astype(bool)
    )
    rows = []
    for labels, members in games.groups(split_players=True):
        flags = holds[members].astype(np.float64)
        mean, cov = stats.block_means(flags[:, None], games.blocks[members])
        low, high = stats.shares(mean, cov[0], games.blocks[members]).interval()
        row = {"estimate": mean[0], "low": low[0], "high": high[0], "count": int(flags.sum())}
        rows.append({**labels, **row, **games.average(members, "share of games")})
    return _frame(rows, [*games.by, "players", "sides", "estimate", "low", "high", "count"])


def head_to_head(d: Dataset, one: str, other: str, of: str | None = None) -> pl.DataFrame:
    """How often `one` finishes ahead of `other` where they meet as opponents; ties count half.

    Parameters
    ----------
    one, other : str
        Names of players, bots or decks (teams).
    of : str, optional
        ``player``, ``bot`` or ``deck``; by default the first of deck, player and bot of which there are several.

    Returns
    -------
    polars.DataFrame
        One row: ``one, other, of, estimate, low, high, p`` (of 1/2), ``won, shared, lost`` (pairings), ``pairings,
        games, deals, blocks, method, note``.
    """
    pairs = read_pairings(d, of)
    for name in (one, other):
        if name not in pairs.names:
            raise Refusal(f"{d.name}: no {pairs.of} is called '{name}'{nearest(name, pairs.names)}")
    if one == other:
        raise Refusal(f"{d.name}: '{one}' against itself is no comparison")
    a, b = pairs.names.index(one), pairs.names.index(other)
    at = np.flatnonzero((pairs.first == min(a, b)) & (pairs.second == max(a, b)))
    if len(at) == 0:
        raise Refusal(f"{d.name}: {one} and {other} never met as opponents")
    score = pairs.score[at] if a < b else 1 - pairs.score[at]
    blocks = pairs.games.blocks[pairs.game[at]]
    mean, cov = stats.block_means(score[:, None], blocks)
    found = stats.shares(mean, cov[0], blocks)
    low, high = found.interval()
    row = {"one": one, "other": other, "of": pairs.of, "estimate": mean[0], "low": low[0], "high": high[0]}
    row |= {"p": found.p(0.5)[0]}
    row |= {
        name: int((score == value).sum()) for name, value in (("won", 1.0), ("shared", 0.5), ("lost", 0.0))
    }
    games = np.unique(pairs.game[at])
    behind = pairs.games.behind(games, "mean score of the pairing", blocks)
    return _frame(
        [{**row, "pairings": len(at), **behind}], ["one", "other", "of", "estimate", "low", "high", "p"]
    )


def _ratio(games: Games, members: NDArray[np.int64], over: Floats, under: Floats) -> dict[str, Any]:
    value = float(over.sum() / under.sum())
    blocks = games.blocks[members]
    influence = ((over - value * under) / under.sum())[:, None]
    low, high = stats.shares(value, stats.covariance(influence, blocks)[0], blocks).interval()
    return {"estimate": value, "low": low[0], "high": high[0]}


def _frame(rows: list[dict[str, Any]], head: list[str]) -> pl.DataFrame:
    import polars as pl

    return tidy(pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True), head)
