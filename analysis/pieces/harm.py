"""What does a piece do to the others? (P9)

The log names the harm that each piece did. Beside it stands what it costs to sit opposite to it: where pieces
were assigned at random, an opponent's piece is chance, so the effect of facing it is a cause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import Games, floats, read_games, tidy
from analysis.pieces.strength import PieceModel, piece_model

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]

DONE = "harm a copy"
OUTCOMES = {"win_share": "win share", "score": "points", "passes": "passes"}


def harm(d: Dataset) -> pl.DataFrame:
    """Harm that a copy of each piece does, and what facing one more copy does to an opponent (P9).

    Returns
    -------
    polars.DataFrame
        ``piece, measure, cause, estimate, low, high, p, q, games, deals, blocks, method, note``. ``harm a
        copy``: what the log counts as harm, a copy owned. ``opponents' win share``, ``opponents' points``,
        ``opponents' passes``: change of an opponent's mean when one more copy stands in place of the average
        other piece; only where pieces were assigned at random, as a cause. q values are corrected within a
        measure.
    """
    import polars as pl

    rows = [*_logged(d), *facing(d, "opponents")]
    if not rows:
        raise Refusal(f"{d.name}: no harm was logged, and no piece was assigned at random")
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    p, q = floats(frame, "p"), np.full(len(rows), np.nan)
    for measure in frame["measure"].unique():
        at = (frame["measure"] == measure).to_numpy()
        q[at] = stats.bh(p[at])
    frame = frame.with_columns(pl.Series("q", q, nan_to_null=True))
    return tidy(frame, ["piece", "measure", "cause", "estimate", "low", "high", "p", "q"])


def _logged(d: Dataset) -> list[dict[str, Any]]:
    have = d.pieces.collect_schema().names()
    if "harm" not in have or "owned" not in have:
        return []
    games = read_games(d)
    try:
        held = games.in_game(games.piece_counts("owned", d.piece_names))
        done = piece_sums(games, "harm", d.piece_names)
    except Refusal:
        return []
    rows = []
    for k, name in enumerate(d.piece_names):
        value, se = ratio(done[:, k], held[:, k], games.blocks)
        reach = float(done[:, k].std()) or 1.0
        low, high = stats.effects(value, se, games.blocks.number, reach).interval()
        behind = games.behind(np.arange(len(games)), "harm over copies owned")
        head = {"piece": name, "measure": DONE, "cause": False, "estimate": value}
        rows.append({**head, "low": max(float(low[0]), 0.0), "high": high[0], "p": None, **behind})
    return rows


def piece_sums(games: Games, column: str, names: list[str]) -> Floats:
    """Sums over the seats of each game of a column of ``pieces``; (games, pieces)."""
    return games.in_game(games.columns.pieces_of(column, names))


def ratio(over: Floats, under: Floats, blocks: stats.Blocks) -> tuple[float, float]:
    """Ratio of two sums over games and its block-robust error; NaN when the lower sum is 0."""
    total = float(under.sum())
    if total <= 0:
        return float("nan"), float("nan")
    value = float(over.sum()) / total
    return value, float(np.sqrt(stats.covariance(((over - value * under) / total)[:, None], blocks)[0, 0]))


def facing(d: Dataset, whose: str, columns: tuple[str, ...] = tuple(OUTCOMES)) -> list[dict[str, Any]]:
    """Effect of one more copy on columns of ``seats``, of its owner or of the opponents; none without a lever.

    Parameters
    ----------
    whose : str
        ``owner`` or ``opponents`` (the mean of them; seats of the same side are none).
    """
    have = d.seats.collect_schema().names()
    wanted = [name for name in columns if name in have]
    if not d.manifest.get("lever") or not d.has("pieces") or not wanted:
        return []
    model = piece_model(d)
    games = model.games
    game = games.game
    opponents = games.of_others(np.ones(len(game)))
    values = np.empty((len(game), len(wanted)))
    for m, name in enumerate(wanted):
        own = games.seat_values(name).astype(np.float64)
        values[:, m] = own if whose == "owner" else games.of_others(own) / np.maximum(opponents, 1)
    spread = values.std(axis=0)
    fit, contrasts, known = _fit(model, values, game)
    del values
    rows = []
    behind = games.behind(np.arange(len(games)), "least squares on pieces assigned, table size, seat and bot")
    owner = "owner's" if whose == "owner" else "opponents'"
    for m, name in enumerate(wanted):
        value, se = np.full(len(known), np.nan), np.full(len(known), np.nan)
        if known.any():
            value[known], cov = fit.contrast(contrasts[known], m)
            se[known] = np.sqrt(np.clip(np.diag(cov), 0.0, None))
        found = stats.effects(value, se, fit.blocks.number, float(spread[m]))
        low, high = found.interval()
        p = found.p()
        for k, piece in enumerate(model.names):
            head = {
                "piece": piece,
                "measure": f"{owner} {OUTCOMES.get(name, name)}",
                "cause": not games.conditioned,
            }
            rows.append(
                {**head, "estimate": found.value[k], "low": low[k], "high": high[k], "p": p[k], **behind}
            )
    return rows


def _fit(
    model: PieceModel, y: Floats, game: NDArray[np.int64]
) -> tuple[stats.LinearFit, Floats, NDArray[np.bool_]]:
    games = model.games
    n = np.repeat(games.players, games.players)
    sizes = [(n == size).astype(np.int8) for size in np.unique(games.players)]
    x = np.concatenate([model.counts, model.others, np.stack(sizes, axis=1)], axis=1)
    fit = stats.linear(x, y, game, games.blocks)
    contrasts = stats.against_rest((model.counts != 0).any(axis=0), x.shape[1])
    known: NDArray[np.bool_] = np.asarray(np.isfinite(contrasts).all(axis=1))
    known[known] = fit.identified(contrasts[known])
    return fit, contrasts, known
