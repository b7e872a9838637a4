"""Find games worth a look: the longest, the widest margins, or what an expression says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sim.batch.store import CELLS, read_commits, read_manifest
from sim.core.errors import Refusal, nearest

if TYPE_CHECKING:
    import polars as pl

MOST = ("turns", "decisions", "margin", "lead_changes")
_RECORDED = ("date", "group", "map", "players", "minutes")
_SHOWN = ("game_id", "turns", "decisions", "ended", "winner", "tied", "margin", "lead_changes")


def find(folder: Path, most: str | None = None, where: str | None = None, number: int = 10) -> pl.DataFrame:
    """Return games of a data set.

    Parameters
    ----------
    folder
        A data set.
    most
        Sort by this column of `games`, largest first.
    where
        An SQL expression over the columns of `games` and the factors of its cells,
        such as ``"turns > 20 and map = 'islands'"``.
    number
        How many games at most.

    Returns
    -------
    polars.DataFrame
        One row a game: game_id, the factors of its cell, what was drawn, how it went.

    Raises
    ------
    Refusal
        No data set, an unknown column, or an expression that cannot be read.
    """
    import polars as pl

    from sim.batch.manifest import is_played

    manifest = read_manifest(folder)
    if most is not None and most not in MOST:
        raise Refusal(f"--most must be one of {', '.join(MOST)}; not '{most}'{nearest(most, MOST)}")
    if number < 1:
        raise Refusal(f"--number must be at least 1, not {number}")
    files = [
        folder / entry["parts"]["games"]["file"]
        for entry in read_commits(folder)
        if "games" in entry["parts"]
    ]
    if not files:
        raise Refusal(f"'{folder}' holds no games yet")
    drawn = list(manifest.get("drawn") or {})
    factors = [name for name in manifest.get("factors") or [] if name not in drawn]
    try:
        games = pl.scan_parquet(files)
        if factors:
            cells = pl.read_parquet(folder / CELLS, columns=["cell", *factors])
            games = games.join(cells.lazy(), on="cell", how="left", maintain_order="left")
        have = games.collect_schema().names()
        if most is not None and most not in have:
            known = [name for name in MOST if name in have]
            raise Refusal(
                f"'{most}' was not recorded in '{folder}'; recorded are {', '.join(known) or 'none of them'}"
            )
        if where:
            games = games.filter(_expression(where, games.collect_schema().names()))
        if most:
            games = games.sort([most, "game_id"], descending=[True, False])
        own = [] if is_played(manifest) else _RECORDED
        shown = list(dict.fromkeys([_SHOWN[0], *factors, *drawn, *own, *_SHOWN[1:]]))
        return games.select([name for name in shown if name in have]).head(number).collect()
    except (pl.exceptions.PolarsError, OSError) as error:
        reason = str(error).splitlines()[0]
        if where and not isinstance(error, OSError):
            raise Refusal(f"--where cannot be used: {reason}") from None
        raise Refusal(f"'{folder}' is damaged: {reason}; see `whimbrel verify {folder}`") from None


def _expression(where: str, columns: list[str]) -> pl.Expr:
    import polars as pl

    expression = pl.sql_expr(where)
    for name in expression.meta.root_names():
        if name not in columns:
            hint = nearest(name, columns) or f"; there are {', '.join(columns)}"
            raise Refusal(f"--where: there is no column '{name}'{hint}")
    return expression
