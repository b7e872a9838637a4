"""Does what is found of a seat or a piece depend on the map, the number of players, a rule?

"Strong" on one map and "undecided" on the next is no difference: it may be the number of games, and of many labels
some differ by luck. What depends on a factor is told by the difference itself, between two of its levels.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
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
Rows = NDArray[np.int64]
Pairs = Sequence[tuple[Any, Any]]


def depends_on(d: Dataset, by: str | Sequence[str]) -> pl.DataFrame:
    """What differs between the levels of a factor: the win share of each seat, the strength of each piece.

    Parameters
    ----------
    by : str or list of str
        Columns of cells or games, each taken by itself.

    Returns
    -------
    polars.DataFrame
        ``factor, what`` (``seat`` or ``piece``), ``about`` (which), ``players, sides, level, against, estimate,
        low, high, p, q, depends, same, without, with, games, deals, blocks, method, note``: one row a pair of levels.
        ``estimate`` is ``with`` (at `level`) less ``without`` (at `against`): win share, or win share a copy
        against the average other piece that both levels have. Errors by deal, over both levels together.
        ``depends``: beyond chance, by q, which is corrected over all rows (Hochberg). ``same``: shown to be smaller
        than the `[judge]` margin, by an equivalence test corrected in the same way.
    """
    import polars as pl

    names = [by] if isinstance(by, str) else list(by)
    rows = [{"factor": name, **row} for name in names for row in differences(d, name)]
    for row in rows:
        del row["found"]
    if not rows:
        raise Refusal(f"{d.name}: no two levels of {' or '.join(names)} can be compared")
    # Levels of several factors are of several types.
    texts = [{**row, "level": str(row["level"]), "against": str(row["against"])} for row in rows]
    frame = pl.DataFrame(texts, infer_schema_length=None, nan_to_null=True)
    q, same = _corrected(floats(frame, "p")), _corrected(floats(frame, "p_same"))
    frame = frame.drop("p_same").with_columns(
        pl.Series("q", q, nan_to_null=True),
        pl.Series("depends", q < stats.ALPHA),
        pl.Series("same", same < stats.ALPHA),
    )
    head = ["factor", "what", "about", "players", "sides", "level", "against", "estimate", "low", "high"]
    return tidy(frame, [*head, "p", "q", "depends", "same", "without", "with"])


def differences(d: Dataset, name: str, pairs: Pairs | None = None) -> list[dict[str, Any]]:
    """Rows of `depends_on` for one factor, without q: between all levels, or between those of the `pairs` named.

    ``found`` is the estimate of each, for a family of the caller's own.
    """
    rows = seat_differences(d, name, pairs)
    if d.manifest.get("lever") and d.has("pieces"):
        rows += piece_differences(d, name, pairs)
    return rows


def seat_differences(d: Dataset, name: str, pairs: Pairs | None = None) -> list[dict[str, Any]]:
    """Those of the seats."""
    return [*_seats(read_games(d, name), pairs)]


def piece_differences(d: Dataset, name: str, pairs: Pairs | None = None) -> list[dict[str, Any]]:
    """Those of the pieces."""
    return [*_pieces(piece_model(d, name), pairs)]


def _pairs(levels: dict[Any, Rows], pairs: Pairs | None) -> Iterable[tuple[Any, Any]]:
    if pairs is None:
        return itertools.combinations(levels, 2)
    return [pair for pair in pairs if set(pair) <= levels.keys()]


def _corrected(p: Floats) -> Floats:
    """p values corrected over all that are known; NaN elsewhere."""
    q = np.full(len(p), np.nan)
    known = np.isfinite(p)
    q[known] = stats.hochberg(p[known])
    return q


def _levels(games: Games, split: bool) -> dict[tuple[int, int] | None, dict[Any, Rows]]:
    """Games at each level, table by table where these are `split`."""
    out: dict[tuple[int, int] | None, dict[Any, Rows]] = {}
    for labels, rows in games.groups(split_players=split):
        table = (int(games.players[rows[0]]), int(games.sides[rows[0]])) if split else None
        out.setdefault(table, {})[labels[games.by[0]]] = rows
    return out


def _row(
    found: stats.Estimates,
    at: int,
    old: float,
    new: float,
    levels: tuple[Any, Any],
    margin: float,
    behind: dict[str, Any],
) -> dict[str, Any]:
    low, high = found.interval()
    return {
        "level": levels[1],
        "against": levels[0],
        "estimate": found.value[at],
        "low": low[at],
        "high": high[at],
        "p": found.p()[at],
        "p_same": found.p_within(-margin, margin)[at],
        "found": found[at : at + 1],
        "without": old,
        "with": new,
        **behind,
    }


def _seats(games: Games, pairs: Pairs | None) -> Iterator[dict[str, Any]]:
    for table, levels in _levels(games, True).items():
        assert table is not None
        shares = {level: games.pad(games.win_share, rows) for level, rows in levels.items()}
        for first, second in _pairs(levels, pairs):
            rows = levels[first], levels[second]
            means = [shares[level].mean(axis=0) for level in (first, second)]
            influence = np.concatenate(
                [
                    sign * (shares[level] - mean) / len(shares[level])
                    for sign, level, mean in zip((-1, 1), (first, second), means, strict=True)
                ]
            )
            blocks = games.blocks[rows[0]].join(games.blocks[rows[1]])
            numbers = [games.blocks[part].number for part in rows]
            spread: Floats = np.diag(stats.covariance(influence, blocks))
            for level, number in zip((first, second), numbers, strict=True):
                spread = spread + unseen(shares[level], number)
            found = stats.effects(means[1] - means[0], np.sqrt(spread), min(numbers))
            behind = games.behind(np.concatenate(rows), "difference of mean win shares", blocks)
            # Of two sides the second says the same as the first.
            for seat in range(len(means[0]) if table[1] > 2 else 1):
                head = {"what": "seat", "about": str(seat), "players": table[0], "sides": table[1]}
                told = means[0][seat], means[1][seat], (first, second), games.data.judge.seat
                yield {**head, **_row(found, seat, *told, behind)}


def unseen(shares: Floats, number: float) -> Floats:
    """Variance of a mean whose games all went alike: as if two more blocks had gone either way, else none.

    Ten wins of ten leave no spread to measure an error by, and are not certain (Agresti and Coull, 1998).
    """
    alike = np.ptp(shares, axis=0) == 0
    share = (shares.mean(axis=0) * number + 2) / (number + 4)
    return np.asarray(np.where(alike, share * (1 - share) / (number + 4), 0.0), dtype=np.float64)


def _pieces(model: PieceModel, pairs: Pairs | None) -> Iterator[dict[str, Any]]:
    games = model.games
    levels = _levels(games, False)[None]
    fits, start = {}, None
    for level, rows in levels.items():
        fits[level] = model.fit(rows, start)
        start = fits[level].beta if fits[level].converged else None
    for first, second in _pairs(levels, pairs):
        pair = fits[first], fits[second]
        if not all(fit.converged for fit in pair):
            continue
        wanted, _ = model.contrasts(model.present(levels[first]) & model.present(levels[second]), pair)
        known: NDArray[np.bool_] = np.asarray(np.isfinite(wanted).all(axis=1))
        if not known.any():
            continue
        c = wanted[known]
        old, new = (fit.slope * (c @ fit.beta) for fit in pair)
        influence = np.concatenate(
            [-pair[0].slope * pair[0].influence(c), pair[1].slope * pair[1].influence(c)]
        )
        blocks = pair[0].blocks.join(pair[1].blocks)
        se = np.sqrt(np.diag(stats.covariance(influence, blocks)))
        found = stats.effects(new - old, se, min(fit.blocks.number for fit in pair))
        rows = np.concatenate([levels[first], levels[second]])
        behind = games.behind(rows, "conditional logit at both levels", blocks)
        for i, at in enumerate(np.flatnonzero(known)):
            head = {"what": "piece", "about": model.names[at], "players": None, "sides": None}
            least, most = games.data.judge.range_of(model.names[at])
            told = float(old[i]), float(new[i]), (first, second), (most - least) / 2
            yield {**head, **_row(found, i, *told, behind)}
