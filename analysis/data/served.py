"""What columns a table needs, for data sets that no run of ours wrote: frames made by hand, folders, people's games.

What can be told from the rest is filled in, what is missing is left out and named by whoever asks for it, and what
makes no sense (seats that count from 1, a seat without a share of the win) is refused in words. A column without any
value is no column.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from analysis.data.errors import Refusal, nearest

if TYPE_CHECKING:
    import polars as pl

NEEDED = {
    "games": ("game_id",),
    "seats": ("game_id", "seat"),
    "pieces": ("game_id", "seat", "piece"),
    "drafts": ("game_id",),
    "turns": ("game_id", "turn"),
    "decisions": ("game_id",),
}
"""Columns without which a table cannot be read."""
WHOLE = ("game_id", "cell", "deal", "seat", "players", "player", "team", "tied", "first_seat", "founder_seat")
"""Columns of whole numbers."""
ROUNDING = 1e-9
"""What a share may be off by where it was made of fractions."""
OUTCOME = ("win_share", "score", "rank")
"""Any of them says who won."""


def frame_of(given: Any, what: str) -> pl.LazyFrame:
    """A table as a lazy polars frame: polars (lazy or not), pandas, or a dictionary of columns."""
    import polars as pl

    if isinstance(given, pl.LazyFrame):
        return given
    if isinstance(given, pl.DataFrame):
        return given.lazy()
    if isinstance(given, Mapping):
        return pl.DataFrame(dict(given)).lazy()
    if type(given).__module__.partition(".")[0] == "pandas":
        try:
            return pl.from_pandas(given).lazy()
        except (pl.exceptions.PolarsError, TypeError, ValueError) as error:
            raise Refusal(f"{what}: pandas columns of mixed types ({str(error).splitlines()[0]})") from None
    raise Refusal(f"{what}: a polars or pandas frame is wanted, not {type(given).__name__}")


def served(
    manifest: Mapping[str, Any], tables: Mapping[str, pl.LazyFrame], cells: pl.DataFrame
) -> dict[str, pl.LazyFrame]:
    """The tables with what can be filled in, and without empty columns that the manifest does not promise.

    ``games``: ``players`` is counted in the seats, ``deal`` is the game itself, ``cell`` the only cell. ``seats``:
    ``win_share`` follows from ``score`` (the most points) or ``rank`` (1 is first), ties are shared.

    Raises
    ------
    Refusal
        A table lacks what it needs, or its seats cannot be what they say.
    """
    import polars as pl

    name, promised = str(manifest["name"]), manifest.get("schema_tables") or {}
    for table in ("games", "seats"):
        if table not in tables:
            raise Refusal(f"{name}: there is no table '{table}'")
    out = {table: _checked(name, table, frame, promised.get(table) or ()) for table, frame in tables.items()}
    seats = _shares(name, out["seats"])
    _check_seats(name, seats)
    games, have = out["games"], out["games"].collect_schema().names()
    if "players" not in have:
        games = games.join(
            seats.group_by("game_id").agg(players=pl.len()), on="game_id", how="left", maintain_order="left"
        )
        games = games.with_columns(pl.col("players").fill_null(0).cast(pl.Int8))
    if "deal" not in have:
        games = games.with_columns(deal=pl.col("game_id"))
    if "cell" not in have:
        if cells.height > 1:
            raise Refusal(f"{name}: the games have no column 'cell', and there are {cells.height} cells")
        games = games.with_columns(cell=pl.lit(cells["cell"][0], dtype=pl.Int32))
    for column in ("cell", "deal"):
        if column not in seats.collect_schema().names():
            seats = seats.join(
                games.select("game_id", column), on="game_id", how="left", maintain_order="left"
            )
    return {**out, "games": games, "seats": seats}


def _checked(name: str, table: str, frame: pl.LazyFrame, promised: Collection[str]) -> pl.LazyFrame:
    """A table without empty columns, whole numbers as such, and all that it needs."""
    import polars as pl

    schema = frame.collect_schema()
    for column in NEEDED.get(table, ()):
        if column not in schema.names():
            hint = nearest(column, schema.names()) or f"; there are {', '.join(schema.names())}"
            raise Refusal(f"{name}: the {table} have no column '{column}'{hint}")
    counted = frame.select(pl.len().alias("rows of it"), pl.all().null_count()).collect().row(0, named=True)
    rows = counted.pop("rows of it")
    if rows and (empty := [column for column, nulls in counted.items() if nulls == rows]):
        if needed := [column for column in empty if column in NEEDED.get(table, ())]:
            raise Refusal(f"{name}: '{needed[0]}' of the {table} has no value at all")
        frame = frame.drop([column for column in empty if column not in promised])
    for column in NEEDED.get(table, ()):
        if rows and 0 < counted[column] < rows:
            raise Refusal(f"{name}: {counted[column]:,} rows of the {table} have no '{column}'")
    casts = []
    for column in WHOLE:
        kind = frame.collect_schema().get(column)
        if kind is None or kind.is_integer() or isinstance(kind, pl.Enum):
            continue
        if not kind.is_float():
            raise Refusal(f"{name}: '{column}' of the {table} must be whole numbers, not {kind}")
        if not frame.select((pl.col(column).fill_null(0) % 1 == 0).all()).collect().item():
            raise Refusal(f"{name}: '{column}' of the {table} must be whole numbers")
        casts.append(pl.col(column).cast(pl.Int64))
    return frame.with_columns(casts) if casts else frame


def _shares(name: str, seats: pl.LazyFrame) -> pl.LazyFrame:
    """The seats with the share of the win of each."""
    import polars as pl

    have = seats.collect_schema()
    if "win_share" in have:
        if not have["win_share"].is_numeric():
            raise Refusal(f"{name}: 'win_share' must be numbers (1 won, 0 lost, 1/k of k who share it)")
        share = pl.col("win_share")
        sound = share.is_between(-ROUNDING, 1 + ROUNDING)
        nulls, odd = seats.select(share.null_count(), odd=(~sound).sum()).collect().row(0)
        if nulls or odd:
            what = "have no win_share" if nulls else "have a win_share that does not lie between 0 and 1"
            raise Refusal(f"{name}: {nulls or odd:,} seats {what} (1 won, 0 lost, 1/k of k who share it)")
        return seats.with_columns(share.cast(pl.Float64)) if have["win_share"].is_integer() else seats
    known = [column for column in OUTCOME[1:] if column in have]
    if not known:
        raise Refusal(f"{name}: nothing says who won: the seats need one of {', '.join(OUTCOME)}")
    value = pl.col(known[0])
    if not have[known[0]].is_numeric():
        raise Refusal(f"{name}: '{known[0]}' of the seats must be numbers")
    missing = int(seats.select(value.null_count()).collect().item())
    if missing:
        raise Refusal(f"{name}: {missing:,} seats have no {known[0]}, so that nothing says who won")
    best = value.max() if known[0] == "score" else value.min()
    first = (value == best.over("game_id")).cast(pl.Float64)
    return seats.with_columns(win_share=first / first.sum().over("game_id"))


def _check_seats(name: str, seats: pl.LazyFrame) -> None:
    """Refuse seats that count from 1, and games in which a seat is left out."""
    import polars as pl

    per_game = seats.group_by("game_id").agg(
        low=pl.col("seat").min(), high=pl.col("seat").max(), n=pl.len(), different=pl.col("seat").n_unique()
    )
    frame = per_game.collect()
    if frame.is_empty():
        return
    if int(frame["low"].min()) == 1 and bool((frame["high"] == frame["n"]).all()):  # type: ignore[arg-type]
        raise Refusal(
            f"{name}: the seats count from 1 here, and 'seat' counts from 0 (Seat A is 0, the last of n is n - 1): "
            "take 1 off, as in seats.with_columns(pl.col('seat') - 1)"
        )
    wrong = frame.filter(
        (pl.col("low") != 0) | (pl.col("high") != pl.col("n") - 1) | (pl.col("different") != pl.col("n"))
    )
    if wrong.height:
        one = wrong.row(0, named=True)
        raise Refusal(
            f"{name}: the seats of {wrong.height:,} games are missing or doubled: game {one['game_id']} has {one['n']} "
            f"seats from {one['low']} to {one['high']}, where 0 to {one['n'] - 1} are wanted"
        )
