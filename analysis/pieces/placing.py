"""Where is each piece put, and where does it go with winning? (G1)"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import Games, read_games, tidy

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

FEWEST_GAMES = 30  # with fewer games on either side nothing is said of winning
EVERY = ""
"""In place of a piece: all of them together."""


def placements(d: Dataset) -> pl.DataFrame:
    """How often each piece is put on each place of a board, and how much oftener those win who put it there.

    Needs log = "decisions", and a game that tells the places of its boards.

    Returns
    -------
    polars.DataFrame
        ``board`` (number of the board, from 0), ``map`` (where the cells name one), ``players, sides, piece`` (empty:
        all pieces together), ``place`` (its name), ``x, y`` (on the board), ``placed`` (how often), ``share`` (of all
        placements of the piece on this board), ``estimate, low, high`` (win share of seats that put it there, less
        that of seats that put it elsewhere only; null below 30 games on either side), ``p, q, flag`` (``wins`` or
        ``loses`` where beyond chance), ``seats, games, deals, blocks, method, note``.

    Notes
    -----
    Least squares beside the seat, how much the seat put on the board, and how many copies of the piece: a place that
    the first player takes is not good for that, nor one that only those reach who put most. q is Benjamini and
    Hochberg's over all places and pieces of a table. It goes with winning and is no cause: who is ahead can go where
    others cannot.
    """
    import polars as pl

    told = d.manifest.get("places") or {}
    boards = told.get("boards") or []
    if not boards:
        raise Refusal(
            f"{d.name}: where pieces were put is not known "
            '(it takes log = "decisions" and a game with one board a cell)'
        )
    games = read_games(d)
    of_cell = np.array([-1 if board is None else board for board in told["of_cell"]], dtype=np.int64)
    board = of_cell[games.frame["cell"].to_numpy()]
    rows: list[dict[str, Any]] = []
    for number, entry in enumerate(boards):
        if not (board == number).any():
            continue
        flat, piece, place, names = _placed(d, games, entry, board == number)
        label = {"board": number, "map": _map_of(d, np.flatnonzero(of_cell == number))}
        for labels, every in games.groups(split_players=True):
            members = every[board[every] == number]
            if len(members) < FEWEST_GAMES:
                continue
            inside = np.zeros(len(games.seat), dtype=bool)
            inside[games.flat_rows(members)] = True
            use = inside[flat]
            if use.any():
                rows += _rows(
                    {**label, **labels}, games, members, entry, flat[use], piece[use], place[use], names
                )
    if not rows:
        raise Refusal(f"{d.name}: no piece was put on a board in {FEWEST_GAMES} games")
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    head = [
        "board",
        "map",
        "players",
        "sides",
        "piece",
        "place",
        "x",
        "y",
        "placed",
        "share",
        "estimate",
        "low",
        "high",
    ]
    return tidy(frame, head)


def _map_of(d: Dataset, cells: Rows) -> str:
    """What the cells of a board call their map; empty where they do not."""
    if "map" not in d.cells.columns:
        return ""
    own = d.cells.filter(d.cells["cell"].is_in(cells.tolist()))["map"].cast(str).unique().drop_nulls()
    return str(own[0]) if len(own) == 1 else ""


def _placed(
    d: Dataset, games: Games, entry: dict[str, Any], here: NDArray[np.bool_]
) -> tuple[Rows, Rows, Rows, list[str]]:
    """Each placement on a board: the flat seat, the piece and the place; and the names of the pieces."""
    import polars as pl

    names = d.piece_names
    code = (
        pl.col("piece")
        .cast(pl.String)
        .replace_strict({name: k for k, name in enumerate(names)}, default=None, return_dtype=pl.Int64)
    )
    place = pl.col("action").cast(pl.Int64).floordiv(1 << int(entry["shift"])).mod(1 << int(entry["bits"]))
    frame = (
        d.decisions.filter(pl.col("kind").cast(pl.String).is_in(list(entry["kinds"])))
        .select("game_id", "seat", code.alias("piece"), place.alias("place"))
        .filter(pl.col("place") < len(entry["points"]))
        .collect()
    )
    ids = games.frame["game_id"].to_numpy()
    game = np.minimum(np.searchsorted(ids, frame["game_id"].to_numpy()), len(ids) - 1)
    own = (ids[game] == frame["game_id"].to_numpy()) & here[game]
    flat = games.first_row[game] + frame["seat"].to_numpy().astype(np.int64)
    piece = frame["piece"].fill_null(-1).to_numpy().astype(np.int64)
    return flat[own], piece[own], frame["place"].to_numpy().astype(np.int64)[own], names


def _rows(
    labels: dict[str, Any],
    games: Games,
    members: Rows,
    entry: dict[str, Any],
    flat: Rows,
    piece: Rows,
    place: Rows,
    names: list[str],
) -> list[dict[str, Any]]:
    above = games.win_share - games.fair
    total = np.bincount(flat, minlength=len(above))
    listed = [(EVERY, np.ones(len(flat), dtype=bool))]
    listed += [(name, piece == k) for k, name in enumerate(names) if (piece == k).any()]
    out: list[dict[str, Any]] = []
    for name, use in listed:
        often = np.bincount(place[use], minlength=len(entry["points"]))
        users, at = np.unique(flat[use], return_inverse=True)
        there = np.zeros((len(users), len(often)))
        there[at.ravel(), place[use]] = 1.0
        copies = np.bincount(at.ravel(), minlength=len(users))
        beside = _dummies(games.seat[users], total[users], copies)
        game, row = np.unique(games.game[users], return_inverse=True)
        value, se, n = _differences(above[users], there, beside, row.ravel(), games.blocks[game])
        found = stats.effects(value, se, games.blocks[game].number)
        low, high = found.interval()
        p = found.p()
        behind = games.behind(members, "least squares of winning on the place; no cause")
        for k in np.flatnonzero(often):
            x, height = entry["points"][k]
            said = {"piece": name, "place": entry["names"][k], "x": float(x), "y": float(height)}
            said |= {"placed": int(often[k]), "share": float(often[k] / often.sum()), "estimate": value[k]}
            said |= {"low": low[k], "high": high[k], "p": p[k], "seats": int(n[k])}
            out.append({**labels, **said, **behind})
    for row_, q in zip(out, stats.bh([row_["p"] for row_ in out]), strict=True):
        clear = q < stats.ALPHA and not games.conditioned
        row_ |= {"q": q, "flag": ("wins" if row_["estimate"] > 0 else "loses") if clear else ""}
    return out


def _dummies(*codes: Rows) -> Floats:
    """A column for each value of each code but its first, values that are rare taken together with the next one."""
    columns = [np.ones(len(codes[0]))]
    for code in codes:
        low, high = (
            np.quantile(code, (0.02, 0.98), method="inverted_cdf") if len(np.unique(code)) > 8 else (-1, 1e9)
        )
        kept = np.clip(code, low, high)
        columns += [(kept == value).astype(np.float64) for value in np.unique(kept)[1:]]
    return np.stack(columns, axis=1)


def _differences(
    y: Floats, there: Floats, beside: Floats, game: Rows, blocks: stats.Blocks
) -> tuple[Floats, Floats, Rows]:
    """What y is more with each place than without it, its error, and the seats with it; NaN where too few games."""
    places = there.shape[1]
    value, se = np.full(places, np.nan), np.full(places, np.nan)
    yes = there.sum(axis=0)
    basis = np.linalg.qr(beside)[0]
    left = y - basis @ (basis.T @ y)
    for k in np.flatnonzero((yes >= FEWEST_GAMES) & (len(y) - yes >= FEWEST_GAMES)):
        own = there[:, k] > 0
        x = there[:, k] - basis @ (basis.T @ there[:, k])
        square = float(x @ x)
        if min(len(np.unique(game[own])), len(np.unique(game[~own]))) < FEWEST_GAMES or square < 1:
            continue
        value[k] = x @ left / square
        each = x * (left - value[k] * x) / square
        influence: Floats = np.asarray(
            np.bincount(game, weights=each, minlength=len(blocks)), dtype=np.float64
        )
        se[k] = np.sqrt(stats.covariance(influence[:, None], blocks)[0, 0])
    return value, se, yes.astype(np.int64)
