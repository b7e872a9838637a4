"""Views of a data set: some of its cells, some of its games, one tier of play.

A view shares the columns that the data set has read (`analysis.data.columns`) and remembers how it was made, so that
the same view can be taken of a part of the games (`analysis.data.sampling`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from analysis.data.errors import Refusal, nearest

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.columns import Columns
    from analysis.data.dataset import Dataset

OUTCOMES = (
    "turns", "decisions", "ended", "ended_by", "winner", "tied", "margin", "lead_changes", "line",
)  # columns of games that play decides  # fmt: skip


def of_cells(d: Dataset, cells: pl.DataFrame) -> Dataset:
    """The games of `cells`: rows of the data set's cells, which may have columns of their own."""
    import polars as pl

    ids = cells["cell"].to_list()
    games = d.games.filter(pl.col("cell").is_in(ids))
    tables = {}
    for name, frame in d._tables.items():
        if name == "games":
            tables[name] = games
        elif "cell" in frame.collect_schema().names():
            tables[name] = frame.filter(pl.col("cell").is_in(ids))
        else:
            tables[name] = frame.join(games.select("game_id"), on="game_id", how="semi")
    return _view(
        d,
        lambda whole: of_cells(whole, cells),
        cells=cells,
        tables=tables,
        columns=lambda: d.columns.in_cells(ids),
    )


def of_games(d: Dataset, conditions: list[pl.Expr]) -> Dataset:
    """The games for which all `conditions` hold, over columns of games and cells."""
    import polars as pl

    names = {root for condition in conditions for root in condition.meta.root_names()}
    games, _ = d.with_factors(sorted(names), drawn=names)
    games = games.filter(*conditions).select(d.games.collect_schema().names())
    keep = games.select("game_id")
    tables = {
        name: games if name == "games" else frame.join(keep, on="game_id", how="semi")
        for name, frame in d._tables.items()
    }
    left = games.select(pl.col("cell").unique()).collect()["cell"].to_list()
    picked = dict.fromkeys([*d.conditioned, *(name for name in OUTCOMES if name in names)])
    return _view(
        d,
        lambda whole: of_games(whole, conditions),
        cells=d.cells.filter(pl.col("cell").is_in(left)),
        tables=tables,
        columns=lambda: d.columns.with_ids(keep.collect()["game_id"].to_numpy()),
        conditioned=picked,
    )


def at_tier(d: Dataset, tier: str | None) -> Dataset:
    """One tier of play; by default the strongest. See `Dataset.at_tier`."""
    import polars as pl

    tiers = d.tiers
    if tier is not None and tier not in tiers:
        raise Refusal(f"{d.name}: no tier is called '{tier}'{nearest(tier, tiers)}")
    if not tiers:
        return d
    chosen = tier or tiers[-1]
    view = of_cells(d, d.cells.filter(pl.col("tier") == chosen))
    own = next(entry.get("bots") for entry in d.manifest["tiers"] if entry["bot"] == chosen)
    if own is None:  # an older data set does not say: the seats do, of which there may be many
        own = view.seats.select(pl.col("bot").cast(pl.String).unique()).collect()["bot"].to_list()
    bots = [str(bot) for bot in d.manifest.get("bots_used") or [] if bot in own]
    manifest = {**d.manifest, "bots_used": bots, "factors": [f for f in d.factors if f != "tier"]}
    manifest["categories"] = {**(d.manifest.get("categories") or {}), "bot": bots}
    manifest["tiers"] = [entry for entry in d.manifest["tiers"] if entry["bot"] == chosen]
    made = _view(view, lambda whole: whole, manifest=manifest, columns=lambda: view.columns)
    made.all_tiers = d.all_tiers
    made.made = (d, lambda whole: at_tier(whole, chosen))
    return made


def plain_play(d: Dataset) -> Dataset:
    """Without the cells in which unlike bots meet, where the others are all of one kind. See `Dataset.plain_play`."""
    import polars as pl

    if not d.has("seats") or "bot" not in d.seats.collect_schema().names():
        return d
    bots = d.seats.group_by("cell").agg(pl.col("bot").cast(pl.String).unique()).collect()
    alike = bots.filter(pl.col("bot").list.len() == 1)
    kinds = alike["bot"].explode().unique().to_list()
    if len(alike) == len(bots) or len(kinds) != 1:
        return d
    cells = d.cells.filter(pl.col("cell").is_in(alike["cell"].implode()))
    view = of_cells(d, cells)
    categories = {**(d.manifest.get("categories") or {}), "bot": kinds}
    manifest = {**d.manifest, "bots_used": kinds, "categories": categories}
    made = _view(view, lambda whole: whole, manifest=manifest, columns=lambda: view.columns)
    made.made = (d, plain_play)
    return made


def filtered(d: Dataset, expr: pl.Expr | None, factors: Mapping[str, Any]) -> Dataset:
    """The games for which `expr` holds and each named column has its value. See `Dataset.filter`."""
    import polars as pl

    conditions = {
        name: pl.col(name).is_in(value if isinstance(value, list | tuple | set) else [value])
        for name, value in factors.items()
    }
    wanted: dict[str, list[Any]] = {"cell": [], "game": []}
    game_columns = d.games.collect_schema().names()
    for name, condition in conditions.items():
        if name not in d.cells.columns and name not in game_columns:
            known = [*d.cells.columns, *game_columns]
            raise Refusal(f"{d.name}: no column '{name}' in cells or games{nearest(name, known)}")
        wanted["cell" if _is_of_cells(d, name, factors[name], game_columns) else "game"].append(condition)
    if expr is not None:
        own = set(d.cells.columns) - set(game_columns) | {"cell"}
        wanted["cell" if set(expr.meta.root_names()) <= own else "game"].append(expr)
    view = d
    if wanted["cell"]:
        view = of_cells(view, d.cells.filter(*wanted["cell"]))
    if wanted["game"]:
        view = of_games(view, wanted["game"])
    return view


def _is_of_cells(d: Dataset, name: str, value: Any, game_columns: list[str]) -> bool:
    """Whether a factor is looked up in the cells (``players`` is a text there, a number in games).

    A column of both is that of the cells when one of them has such a value, else what was drawn.
    """
    import polars as pl

    if name == "cell" or name not in game_columns:
        return True
    values = value if isinstance(value, list | tuple | set) else [value]
    text = name in d.cells.columns and all(isinstance(one, str) for one in values)
    if not text or d.cells.schema[name] != pl.String:
        return False
    return name not in d.drawn or bool(set(values) & set(d.cells[name].to_list()))


def _view(
    d: Dataset,
    again: Callable[[Dataset], Dataset],
    *,
    manifest: Mapping[str, Any] | None = None,
    cells: pl.DataFrame | None = None,
    tables: Mapping[str, pl.LazyFrame] | None = None,
    columns: Callable[[], Columns],
    conditioned: Any = None,
) -> Dataset:
    """A data set that is a view of `d`; `again` makes the same view of another part of its games."""
    made = type(d)(
        d.manifest if manifest is None else manifest,
        d.cells if cells is None else cells,
        d._tables if tables is None else tables,
        d.path,
        d.commits,
        d.conditioned if conditioned is None else conditioned,
        None if d.all_tiers is d else d.all_tiers,  # a view of one that is looked at by itself stands alone
        columns,
    )
    made.made, made.read = (d, again), d.read
    return made
