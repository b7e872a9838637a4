"""What decides who wins: the seat, the player, what was dealt, or the luck of play? (S3)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import Games, read_games, tidy
from analysis.stats.blocks import FEWEST_BLOCKS

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

PARTS = 40  # groups of deals that are left out in turn, at most
SEAT, PLAYER, EITHER = "seat", "player", "seat or player"
HAND, PLACE, DEAL, AT_LEAST = "deal: with the player", "deal: with the seat", "deal", "deal, at least"
REST, REST_AND_DEAL = "luck of play", "deal and luck of play"


def luck_components(d: Dataset) -> pl.DataFrame:
    """Shares of the variance of who wins: by seat, by player, by what was dealt, and what is left: the luck of play.

    Returns
    -------
    polars.DataFrame
        ``players, sides, component, estimate, low, high`` (share of the variance of a win share; all components of a
        table add up to 1, and one that is nothing may lie a little below 0), ``games, deals, blocks, method, note``.
        Components: ``seat``; ``player`` (bot, deck or person, by the name of the player); ``seat or player`` where
        nobody changed seats; ``deal: with the player`` (its hand) and ``deal: with the seat`` (its place on the
        board); ``deal`` of both where nobody changed seats, ``deal, at least`` where they cannot be told apart;
        ``luck of play``, or ``deal and luck of play`` where no deal was played twice.

    Notes
    -----
    Seat and player: mean squares of the means, over cells. Deal: covariances of games of one deal and cell in which
    the same player, or the same seat, was there twice; what one side has the others lack, so of n sides two have the
    correlation -1 / (n - 1), and two equations tell hand from place wherever they are not the same equation (two
    sides that only swapped seats: then their difference is a lower bound). Intervals and the correction of bias by a
    jackknife over groups of deals (Quenouille 1956, Tukey 1958).
    """
    import polars as pl

    games = read_games(d)
    code, names = games.named("player")
    rows: list[dict[str, Any]] = []
    for labels, members in games.groups(split_players=True):
        if labels["sides"] < 2 or games.blocks[members].number < FEWEST_BLOCKS:
            continue
        table = _read(games, members, code, len(names), int(labels["sides"]))
        behind = games.behind(members, "variance components, jackknife over groups of deals")
        for name, estimate, se in _jackknifed(table):
            low, high = stats.effects(estimate, se, table.parts).interval()
            row = {"component": name, "estimate": estimate, "low": low[0], "high": high[0]}
            rows.append({**labels, **row, **behind})
    if not rows:
        raise Refusal(
            f"{d.name}: fewer than {FEWEST_BLOCKS} deals of any table, too few to tell luck from skill"
        )
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    return tidy(frame, ["players", "sides", "component", "estimate", "low", "high"])


@dataclass
class _Table:
    """What components are made of, summed within each part of the deals (parts, ...)."""

    parts: int
    sides: int
    total: Floats  # (parts, 2): sum of squares about the fair share, and how many
    seat: Floats  # (parts, 2, codes): sums and numbers by cell and seat
    player: Floats  # the same by cell and player
    twice: Floats  # (parts, 2, 3): same player, same seat: covariance, rows, rows whose other place is the same too
    moved: bool


def _read(games: Games, members: Codes, code: Codes, names: int, sides: int) -> _Table:
    flat = games.flat_rows(members)
    game = np.repeat(np.arange(len(members)), games.players[members])
    seat, who = games.side[flat], code[flat]
    y = games.win_share[flat] - games.fair[flat]
    # One row a side: its members win together.
    order = np.lexsort((seat, game))
    first = np.ones(len(order), dtype=bool)
    first[1:] = (game[order][1:] != game[order][:-1]) | (seat[order][1:] != seat[order][:-1])
    kept = order[first]
    y, seat, who, game = y[kept], seat[kept], who[kept], game[kept]
    cell = np.unique(games.frame["cell"].to_numpy()[members], return_inverse=True)[1].ravel()[game]
    deal = np.unique(games.blocks[members].deal, return_inverse=True)[1].ravel()[game]
    parts = min(PARTS, int(deal.max()) + 1)
    part = deal % parts
    of_seat, of_player = cell * sides + seat, cell * names + who
    seats, players = (_sums(part, parts, own, y) for own in (of_seat, of_player))
    moved = len(np.unique(np.stack([of_seat, of_player]), axis=1).T) > len(np.unique(of_seat))
    left = y - _means(of_seat, y)
    if moved:
        left = left - _means(of_player, left)
    unit = deal * (int(cell.max()) + 1) + cell
    twice = np.stack(
        [
            _twice(unit * names + who, seat, left, part, parts),
            _twice(unit * sides + seat, who, left, part, parts),
        ],
        axis=1,
    )
    total = np.stack([np.bincount(part, w, minlength=parts) for w in (y**2, np.ones(len(y)))], axis=1).astype(
        float
    )
    return _Table(parts, sides, total, seats, players, twice, moved)


def _sums(part: Codes, parts: int, own: Codes, y: Floats) -> Floats:
    own = np.unique(own, return_inverse=True)[1].ravel()
    width = int(own.max()) + 1
    at = part * width + own
    kept = [np.bincount(at, w, minlength=parts * width).reshape(parts, width) for w in (y, np.ones(len(y)))]
    return np.asarray(np.stack(kept, axis=1), dtype=np.float64)


def _means(code: Codes, values: Floats) -> Floats:
    where = np.unique(code, return_inverse=True)[1].ravel()
    return np.asarray((np.bincount(where, weights=values) / np.bincount(where))[where])


def _twice(unit: Codes, other: Codes, y: Floats, part: Codes, parts: int) -> Floats:
    """Of rows of one unit: their covariance, the pairs, and the pairs in which `other` is the same as well; by part."""
    where = np.unique(unit, return_inverse=True)[1].ravel()
    n, total, square = (np.bincount(where, weights=w) for w in (np.ones(len(y)), y, y**2))
    finer = np.unique(where * (int(other.max()) + 1) + other, return_inverse=True)[1].ravel()
    same = np.bincount(finer)[finer] - 1.0
    owner = np.zeros(len(n), dtype=np.int64)
    owner[where] = part
    # Each row counts once, however often its unit was played.
    weight = np.where(n > 1, 1 / np.maximum(n - 1, 1), 0.0)
    sums = ((total**2 - square) * weight, np.where(n > 1, n, 0.0), np.bincount(where, weights=same) * weight)
    return np.stack([np.bincount(owner, s, minlength=parts) for s in sums], axis=1)


def _jackknifed(table: _Table) -> list[tuple[str, float, float]]:
    """Components by name, each corrected for bias and with its error; null parts are left out."""
    whole = _components(table, None)
    each = [_components(table, k) for k in range(table.parts)]
    out = []
    for name, value in whole.items():
        values = np.array([one.get(name, np.nan) for one in each])
        mean = values.mean()
        estimate = table.parts * value - (table.parts - 1) * mean
        spread = (table.parts - 1) / table.parts * float(np.square(values - mean).sum())
        out.append((name, float(estimate), float(np.sqrt(spread))))
    return out


def _components(table: _Table, without: int | None) -> dict[str, float]:
    """The components of all parts but one."""

    def over(sums: Floats) -> Floats:
        every = sums.sum(axis=0)
        return every if without is None else every - sums[without]

    square, n = over(table.total)
    variance = square / n

    def between(sums: Floats) -> float:
        total, often = over(sums)
        often = np.maximum(often, 1e-12)
        return float((total**2 / often).sum() / n / variance)

    found = {}
    if table.moved:
        found = {SEAT: between(table.seat), PLAYER: between(table.player)}
    else:
        found = {EITHER: between(table.seat)}
    player, seat = over(table.twice)
    if min(player[1], seat[1]) <= 0:
        return {**found, REST_AND_DEAL: 1 - sum(found.values())}
    apart = -1 / (table.sides - 1)
    share = [one[2] / one[1] for one in (player, seat)]
    equations = np.array([[1.0, share[0] + (1 - share[0]) * apart], [share[1] + (1 - share[1]) * apart, 1.0]])
    covariances = np.array([player[0] / player[1], seat[0] / seat[1]]) / variance
    if not table.moved:
        found[DEAL] = float(covariances[1])
    elif abs(np.linalg.det(equations)) > 0.05:
        found[HAND], found[PLACE] = (float(value) for value in np.linalg.solve(equations, covariances))
    else:
        # The larger of the two less (part of) the other, whichever of them that is in all the games.
        sign = np.sign(table.twice[:, 0, 0].sum()) or 1.0
        found[AT_LEAST] = float(sign * covariances[0])
    return {**found, REST: 1 - sum(found.values())}
