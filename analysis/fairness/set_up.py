"""How much of who wins is decided by the deal? (F4)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import read_games, tidy

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

By = str | Sequence[str] | None


def set_up_luck(d: Dataset, by: By = None) -> pl.DataFrame:
    """Share of the variance of who wins that belongs to the deal: to what a player was given before the first move.

    Parameters
    ----------
    by : str or list of str, optional
        Columns of cells or games; one row a level.

    Returns
    -------
    polars.DataFrame
        ``by.., players, sides, what, estimate, low, high`` (share of the variance of a win share: 0, the deal tells
        nothing, 1, it tells all), one row for what goes with the ``player`` (its hand) and one for what stays with the
        ``seat`` (its place on the map), ``spread`` (standard deviation of a chance of winning between deals, win
        share; null where the estimate is below 0), ``games, deals, blocks, method, note``.

    Notes
    -----
    Within a deal and cell the same player has the same hand, and the same seat the same place, in each game. The
    covariance of the win shares of two such games (seat and player means taken off) over the variance of one is the
    intraclass correlation (Donner 1986); a ratio of means over deals, with errors by deal. Where players change seats,
    what the place decides works against what the hand decides and the other way round: each is the one less (part of)
    the other, so the larger is a lower bound of the deal's whole part, and the smaller may lie below 0. It needs
    deals that were played more than once in a cell, with bots or luck that do not repeat the game move by move.
    """
    import polars as pl

    games = read_games(d, by)
    if "player" not in d.seats.collect_schema().names():
        raise Refusal(
            f"{d.name}: the seats do not say which player sat where, so the deal's part cannot be told"
        )
    player = games.seat_values("player").astype(np.int64)
    cell = games.frame["cell"].to_numpy().astype(np.int64)
    rows: list[dict[str, Any]] = []
    for labels, members in games.groups(split_players=True):
        flat = games.flat_rows(members)
        game = np.repeat(np.arange(len(members)), games.players[members])
        who, seat, won = player[flat], games.seat[flat], games.win_share[flat]
        deal = np.unique(games.blocks[members].deal, return_inverse=True)[1].ravel()
        # Off comes what belongs to the seat and to the player, in each cell.
        own_cell = np.unique(cell[members], return_inverse=True)[1].ravel()[game]
        most = int(max(who.max(), seat.max())) + 1
        y = won - _mean_of((own_cell * most + who) * most + seat, won)
        behind = games.average(members, "covariance of games of one deal over their variance")
        cells = int(own_cell.max()) + 1
        for what, whose in (("player", who), ("seat", seat)):
            row = _part(y, deal[game] * cells + own_cell, whose, cells)
            if row:
                rows.append({**labels, "what": what, **row, **behind})
    if not rows:
        raise Refusal(
            f"{d.name}: each deal was played once a cell, so its part cannot be told from the luck of play; "
            "let unlike players play each deal in all seats"
        )
    head = [*games.by, "players", "sides", "what", "estimate", "low", "high", "spread"]
    return tidy(pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True), head)


def _part(y: np.ndarray, deal: np.ndarray, whose: np.ndarray, cells: int) -> dict[str, Any]:
    """Intraclass correlation of the values of one deal, cell and player (or seat); empty where none stands twice."""
    most = int(whose.max()) + 1
    codes, unit = np.unique(deal * most + whose, return_inverse=True)
    n, total, square = (np.bincount(unit.ravel(), weights=w) for w in (np.ones(len(y)), y, y**2))
    several = n > 1
    owner = codes // most // cells
    pairs = np.where(several, (total**2 - square) / np.maximum(n - 1, 1), 0.0)
    over, under = np.bincount(owner, weights=pairs), np.bincount(owner, weights=square * several)
    if under.sum() <= 0:
        return {}
    value = float(over.sum() / under.sum())
    blocks = stats.make_blocks(np.arange(len(over)))
    influence = ((over - value * under) / under.sum())[:, None]
    low, high = stats.effects(
        value, np.sqrt(stats.covariance(influence, blocks)[0]), blocks.number
    ).interval()
    variance = float(under.sum() / (n * several).sum())
    row = {"estimate": value, "low": max(low[0], -1.0), "high": min(high[0], 1.0)}
    return {**row, "spread": float(np.sqrt(value * variance)) if value > 0 else None}


def _mean_of(code: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Mean of the values with the same code, at each."""
    where = np.unique(code, return_inverse=True)[1].ravel()
    return np.asarray((np.bincount(where, weights=values) / np.bincount(where))[where])
