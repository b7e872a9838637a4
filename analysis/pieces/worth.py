"""What is a piece worth to its owner, told by bans that one player alone has to bear? (P4)"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.bans_and_drafts.ban_effects import names_in
from analysis.data.errors import Refusal, nearest
from analysis.data.frames import Games, read_games, tidy

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]

SHAPLEY, BANZHAF = "Shapley", "Banzhaf"
BETTER_WITH, BETTER_WITHOUT, UNCLEAR = "better with it", "better without it", "may be chance"


def worth_to_owner(d: Dataset) -> pl.DataFrame:
    """How much of a win a player loses when it may not use a piece, over sets of other pieces that it lacks too.

    Needs an experiment that bans pieces for one player: ``[vary] "player.owner.bans" = ["every 1", "orders 40"]``.

    Returns
    -------
    polars.DataFrame
        ``players, sides, piece, value`` (``Shapley`` or ``Banzhaf``), ``estimate, low, high`` (win share of the owner
        with the piece less without it), ``alone`` (the same with all other pieces allowed; null where it was not
        played), ``others`` (up to how many other pieces are lacking), ``pairs`` (of sets that differ by the piece),
        ``se_deals, se_sets`` (errors from the games, and from the sets that were not played), ``p, q, verdict``
        (``better with it``, ``better without it`` or ``may be chance``), ``games, deals, blocks, method, note``.

    Notes
    -----
    The mean marginal contribution of a piece by how many others are lacking: the Shapley value (1953) gives each
    number the same weight, the Banzhaf value (1965) as much as there are such sets. Sets of one number count alike,
    which is unbiased as the orders are drawn (Castro, Gomez and Tejada 2009); sets that the game forbids are no part
    of it. Numbers go as far as every piece has two pairs or all of them: with fewer than all other pieces lacking,
    ``others`` says so, and neither value adds up over the pieces. Errors of the games are by deal, over both sets of
    a pair; to them comes what the pairs of one number differ by beyond those errors, as far as pairs were left out. q
    is Benjamini and Hochberg's over the pieces of one table.
    """
    import polars as pl

    column, owner = _owner(d)
    beside = [name for name in d.factors if name in d.cells.columns and name not in (column, "players.count")]
    beside = [name for name in beside if d.cells[name].n_unique() > 1]
    games = read_games(d, beside)
    names = (d.manifest.get("categories") or {}).get("piece") or d.piece_names
    banned = [frozenset(names_in(text or "none") & set(names)) for text in d.cells[column].to_list()]
    sets = list(dict.fromkeys(banned))
    cells = d.cells["cell"].to_numpy().astype(np.int64)
    of_cell = np.zeros(int(cells.max()) + 1, dtype=np.int64)
    of_cell[cells] = [sets.index(one) for one in banned]
    code = of_cell[games.frame["cell"].to_numpy()]
    won = _won(games, owner)
    rows: list[dict[str, Any]] = []
    for labels, members in games.groups(split_players=True):
        found = _Sets(sets, code[members], won[members], games.blocks[members], list(names))
        if not found.told:
            continue
        behind = games.behind(members, "paired sets of bans of one player")
        family = [row for value in (SHAPLEY, BANZHAF) for row in found.values(value)]
        for value in (SHAPLEY, BANZHAF):
            own = [row for row in family if row["value"] == value]
            for row, q in zip(own, stats.bh([row["p"] for row in own]), strict=True):
                clear = q < stats.ALPHA and not games.conditioned
                word = BETTER_WITH if row["estimate"] > 0 else BETTER_WITHOUT
                rows.append({**labels, **row, "q": q, "verdict": word if clear else UNCLEAR, **behind})
    if not rows:
        raise Refusal(
            f"{d.name}: no piece has two sets of bans that differ by it alone for each number of others; "
            f'play more, as in "{column}" = ["every 1", "orders 40"]'
        )
    head = [
        *games.by,
        "players",
        "sides",
        "piece",
        "value",
        "estimate",
        "low",
        "high",
        "alone",
        "others",
        "pairs",
    ]
    order = [pl.col(name) for name in (*games.by, "players", "sides")]
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    shapley = pl.col("estimate").filter(pl.col("value") == SHAPLEY).first()
    frame = frame.with_columns(place=shapley.over([*games.by, "players", "sides", "piece"]))
    frame = frame.sort(*order, "place", "value", descending=[False] * len(order) + [True, True])
    return tidy(frame.drop("place"), head)


def _owner(d: Dataset) -> tuple[str, int]:
    """Column of the cells that says what a player may not use, and the number of that player."""
    columns = [name for name in d.cells.columns if name.startswith("player.") and name.endswith(".bans")]
    columns = [name for name in columns if d.cells[name].n_unique() > 1]
    if not columns:
        raise Refusal(
            f'{d.name}: no bans of one player were varied ([vary] "player.owner.bans" = ["every 1", "orders 40"])'
        )
    if len(columns) > 1:
        raise Refusal(
            f"{d.name}: bans of several players were varied ({', '.join(columns)}); of one at a time"
        )
    name = columns[0].removeprefix("player.").removesuffix(".bans")
    known = [str(player) for player in (d.manifest.get("categories") or {}).get("player") or []]
    if name not in known:
        raise Refusal(
            f"{d.name}: '{columns[0]}' holds for all players alike; give its owner a [[player]] of its own"
            f"{nearest(name, known)}"
        )
    return columns[0], known.index(name)


def _won(games: Games, owner: int) -> Floats:
    """Win share of the owner in each game."""
    own = games.seat_values("player").astype(np.int64) == owner
    return games.in_game(np.where(own, games.win_share, 0.0))


@dataclass
class _Piece:
    """Pairs of sets that differ by one piece: by how many others both lack."""

    with_it: list[list[int]]
    without: list[list[int]]


class _Sets:
    """Sets of bans of one kind of table, and what each says of the pieces.

    Parameters
    ----------
    sets
        Every set.
    code : int array (games,)
        The set of each game.
    won : array (games,)
        Win share of the owner.
    """

    def __init__(
        self, sets: list[frozenset[str]], code: Any, won: Floats, blocks: stats.Blocks, names: list[str]
    ) -> None:
        self.blocks, self.code, self.won = blocks, code, won
        self.size = np.bincount(code, minlength=len(sets)).astype(np.float64)
        self.mean = np.bincount(code, weights=won, minlength=len(sets)) / np.maximum(self.size, 1)
        place = {sets[k]: k for k in range(len(sets)) if self.size[k]}
        banned = frozenset().union(*place) if place else frozenset()
        self.names = [name for name in names if name in banned]
        # Pieces that nobody was ever without are the same in all sets, and no part of the count.
        self.n = len(self.names)
        self.pieces: list[_Piece] = []
        for name in self.names:
            pairs = _Piece([[] for _ in range(self.n)], [[] for _ in range(self.n)])
            for chosen, k in place.items():
                other = place.get(chosen | {name})
                if name not in chosen and other is not None:
                    pairs.with_it[len(chosen)].append(k)
                    pairs.without[len(chosen)].append(other)
            self.pieces.append(pairs)
        self.others = self._reach()

    @property
    def told(self) -> bool:
        """Whether anything can be said."""
        return self.others >= 0 and self.blocks.number > 1

    def _reach(self) -> int:
        """Up to how many others lacking every piece has two pairs, or all that there are; -1: nowhere."""
        for k in range(self.n):
            if any(len(one.with_it[k]) < min(2, comb(self.n - 1, k)) for one in self.pieces):
                return k - 1
        return self.n - 1

    def values(self, value: str) -> list[dict[str, Any]]:
        """A row a piece."""
        reach = self.others + 1
        weight = (
            np.ones(reach)
            if value == SHAPLEY
            else np.array([comb(self.n - 1, k) for k in range(reach)], float)
        )
        weight /= weight.sum()
        signs = np.zeros((len(self.size), self.n))
        spread, free = np.zeros(self.n), np.zeros(self.n)
        for i, one in enumerate(self.pieces):
            for k in range(reach):
                here, there = np.array(one.with_it[k]), np.array(one.without[k])
                np.add.at(signs[:, i], here, weight[k] / len(here))
                np.add.at(signs[:, i], there, -weight[k] / len(here))
                left = 1 - len(here) / comb(self.n - 1, k)
                if left > 0:
                    spread[i] += left * weight[k] ** 2 * self._beyond(here, there) / len(here)
                    free[i] += len(here) - 1
        estimate = self.mean @ signs
        each = (self.won - self.mean[self.code]) / self.size[self.code]
        games = np.diag(stats.covariance(each[:, None] * signs[self.code], self.blocks))
        variance = games + spread
        # Degrees of freedom of a sum of two variances (Satterthwaite 1946).
        with np.errstate(invalid="ignore", divide="ignore"):
            df = variance**2 / (
                games**2 / self.blocks.df + np.where(spread > 0, spread**2 / np.maximum(free, 1), 0)
            )
        found = stats.effects(estimate, np.sqrt(variance), np.minimum(df + 1, self.blocks.number))
        low, high = found.interval()
        p = found.p()
        rows = []
        for i, name in enumerate(self.names):
            first = self.pieces[i]
            alone = (
                self.mean[first.with_it[0][0]] - self.mean[first.without[0][0]] if first.with_it[0] else None
            )
            row = {"piece": name, "value": value, "estimate": estimate[i], "low": low[i], "high": high[i]}
            row |= {"alone": alone, "others": self.others, "pairs": sum(map(len, first.with_it[:reach]))}
            row |= {"se_deals": np.sqrt(games[i]), "se_sets": np.sqrt(spread[i]), "p": p[i]}
            rows.append(row)
        return rows

    def _beyond(self, here: NDArray[np.int64], there: NDArray[np.int64]) -> float:
        """Variance of what the piece is worth between sets, beyond the luck of the games; 0 where there is none."""
        worth = self.mean[here] - self.mean[there]
        signs = np.zeros((len(self.size), len(here)))
        signs[here, np.arange(len(here))] = 1
        signs[there, np.arange(len(here))] -= 1
        signs -= signs.mean(axis=1, keepdims=True)
        touched: NDArray[np.bool_] = np.asarray(signs.any(axis=1))
        rows = np.flatnonzero(touched[self.code])
        each = (self.won - self.mean[self.code])[rows] / self.size[self.code][rows]
        luck = np.diag(stats.covariance(each[:, None] * signs[self.code[rows]], self.blocks[rows]))
        return max(0.0, float(worth.var(ddof=1) - luck.sum() / (len(here) - 1)))
