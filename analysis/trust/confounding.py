"""Would the answer turn round if the games were told apart? (X5)"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal, nearest
from analysis.data.frames import Games, read_games, tidy
from analysis.stats.blocks import FEWEST_BLOCKS

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]


def confounding(d: Dataset, having: str = "owned", by: str | list[str] | None = None) -> pl.DataFrame:
    """Each piece's win share with it against without it: pooled, within strata, and adjusted for the other pieces.

    Parameters
    ----------
    having : str
        Column of ``pieces`` that says who has it.
    by : str or list of str, optional
        Columns of cells or games that make up the strata, beside table and seat; by default the cell.

    Returns
    -------
    polars.DataFrame
        One row a piece: ``piece, having, pooled, pooled_low, pooled_high`` (difference of win share less fair share,
        over all games together), ``stratified, stratified_low, stratified_high`` (within table, stratum and seat),
        ``adjusted, adjusted_low, adjusted_high`` (within strata, and beside the copies of all the other pieces),
        ``flips`` (two of them lie on opposite sides of 0, both beyond chance), ``differs`` (the pooled and the adjusted
        one differ beyond chance, corrected over the pieces), ``games, deals, blocks, method, note``.

    Notes
    -----
    All three are least squares on the same rows, which differ in what stands beside the piece: nothing, the strata
    (Frisch and Waugh 1933), the strata and the other pieces; so their difference has an error too. Simpson's paradox is
    a flip between the first two. Association throughout: what a seat came to own is no accident.
    """
    import polars as pl

    have = d.pieces.collect_schema().names()
    if having not in have:
        raise Refusal(f"{d.name}: no column '{having}' in pieces{nearest(having, have)}")
    games = read_games(d, by or "cell")
    names = d.piece_names
    held = games.piece_counts(having, names)
    own = (held > 0).astype(np.float64)
    gap = games.win_share - games.fair
    stratum = _strata(games)
    within_own, within_gap = (_within(values, stratum) for values in (own, gap[:, None]))
    behind = games.average(np.arange(len(games)), f"least squares on having any ({having})")
    rows: list[dict[str, Any]] = []
    for k, name in enumerate(names):
        row: dict[str, Any] = {"piece": name, "having": having}
        there = own[:, k]
        parts: list[tuple[float, Floats]] = []
        if 0 < there.sum() < len(there):
            others = np.delete(within_own, k, axis=1)
            others = others[:, others.any(axis=0)]
            beside = within_own[:, k]
            if others.shape[1]:
                beside = beside - others @ np.linalg.lstsq(others, beside, rcond=None)[0]
            for x, y in (
                (there - there.mean(), gap),
                (within_own[:, k], within_gap[:, 0]),
                (beside, within_gap[:, 0]),
            ):
                parts.append(_slope(games, x, y))
        for what in ("pooled", "stratified", "adjusted"):
            row |= {what: None, f"{what}_low": None, f"{what}_high": None}
        for what, part in zip(("pooled", "stratified", "adjusted"), parts, strict=False):
            if np.isfinite(part[0]):
                found = _found(games, *part)
                low, high = found.interval()
                row |= {what: part[0], f"{what}_low": low[0], f"{what}_high": high[0]}
        clear = [row[w] for w in ("pooled", "stratified", "adjusted") if row[w] is not None and _off(row, w)]
        row["flips"] = bool(clear and min(clear) < 0 < max(clear))
        row["p"] = None
        if parts and np.isfinite([parts[0][0], parts[2][0]]).all() and games.blocks.number >= FEWEST_BLOCKS:
            row["p"] = _found(games, parts[0][0] - parts[2][0], parts[0][1] - parts[2][1]).p()[0]
        rows.append({**row, **behind})
    p = np.array([np.nan if row["p"] is None else row.pop("p") for row in rows])
    q = stats.bh(p)
    for row, value in zip(rows, q, strict=True):
        row.pop("p", None)
        row["differs"] = bool(value < stats.ALPHA)
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    head = ["piece", "having", "pooled", "pooled_low", "pooled_high", "stratified", "stratified_low"]
    return tidy(
        frame, [*head, "stratified_high", "adjusted", "adjusted_low", "adjusted_high", "flips", "differs"]
    )


def _strata(games: Games) -> NDArray[np.int64]:
    """Code of the table, stratum and seat of every seat."""
    code = np.zeros(len(games), dtype=np.int64)
    for k, (_, members) in enumerate(games.groups(split_players=True)):
        code[members] = k
    return np.asarray(code[games.game] * (int(games.players.max()) + 1) + games.seat)


def _within(values: Floats, stratum: NDArray[np.int64]) -> Floats:
    """Values less the mean of their stratum."""
    size = np.maximum(np.bincount(stratum), 1)
    out = np.empty_like(values)
    for k, column in enumerate(values.T):
        out[:, k] = column - (np.bincount(stratum, weights=column) / size)[stratum]
    return out


def _slope(games: Games, x: Floats, y: Floats) -> tuple[float, Floats]:
    """Slope of y on x (both without a level), and each game's influence on it; NaN where x does not vary."""
    square = float(x @ x)
    if square <= 1e-9 * len(x):
        return float("nan"), np.zeros(len(games))
    slope = float(x @ y) / square
    return slope, games.in_game(x * (y - slope * x)) / square


def _found(games: Games, value: float, influence: Floats) -> stats.Estimates:
    se = float(np.sqrt(stats.covariance(influence[:, None], games.blocks)[0, 0]))
    return stats.effects(value, se, games.blocks.number)


def _off(row: dict[str, Any], what: str) -> bool:
    return bool(row[f"{what}_low"] > 0 or row[f"{what}_high"] < 0)
