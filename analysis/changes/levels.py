"""What does a level that was drawn for each deal change? (V3)

A drawn level (an event, a card in force for a whole game) is a treatment by chance: it is set against the games
without any where there are such, else against the games with the other levels.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.bans_and_drafts.ban_effects import Arms
from analysis.changes.contrasts import corrected, effects, level_columns
from analysis.data.errors import Refusal
from analysis.data.frames import Games, read_games

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

NOTHING = ("none", "")


def level_effects(d: Dataset, column: str | None = None) -> pl.DataFrame:
    """What each drawn level does to the length of games, to ties and ends, to the seats, and to pieces (V3).

    Parameters
    ----------
    column : str, optional
        Column of games or cells that names the level; by default each that `level_columns` finds.

    Returns
    -------
    polars.DataFrame
        ``column, level, measure, piece, players, sides, against, estimate, low, high, p, q, without, with,
        games, games_with, deals, blocks, design, method, note``. ``measure`` is a measure of a game (see
        `analysis.data.measures`), ``seat gap`` (typical distance of a seat from fair), ``first seat`` (its win
        share), or ``piece`` (win share a copy against the average other piece, where pieces were assigned at
        random). q values are corrected within a measure, over levels, tables and pieces.
    """
    columns = level_columns(d) if column is None else [column]
    if not columns:
        raise Refusal(f"{d.name}: no level (an event, a card) was drawn for each deal")
    rows: list[dict[str, Any]] = []
    for name in columns:
        base = _base(d, name)

        def arms(games: Games, name: str = name) -> Iterator[Arms]:
            return _level_arms(d, games, name)

        found = effects(d, arms)
        if not found:
            raise Refusal(f"{d.name}: only one level of '{name}' was played")
        against = f"no {word_of(d, name)}" if base else f"the other {word_of(d, name, many=True)}"
        rows += [{"column": name, "level": row.pop("arm"), "against": against, **row} for row in found]
    return corrected(rows, ["column", "level"], ["against"])


def word_of(d: Dataset, column: str, many: bool = False) -> str:
    """What a level of a drawn column is called: "event", "card", or "level"."""
    entry = d.drawn.get(column, {})
    one = str(entry.get("word") or ("card" if entry.get("kind") == "card" else "level"))
    return str(entry.get("words") or f"{one}s") if many else one


def _base(d: Dataset, column: str) -> bool:
    games = read_games(d, extra=[column]) if column in d.drawn else read_games(d, column)
    return bool(np.isin(_names(games, column), NOTHING).any())


def _names(games: Games, column: str) -> Any:
    import polars as pl

    return games.frame[column].cast(pl.String).fill_null("none").to_numpy().astype(str)


def _says_whether(d: Dataset, games: Games, base: Any, factor: str) -> bool:
    """Whether a factor's levels only tell games without a level from those with one: no stratum of its own."""
    import polars as pl

    found = games.frame.select("cell", base=pl.Series(base))
    levels = found.join(d.cells.select("cell", level=pl.col(factor).cast(pl.String)), on="cell")
    kinds = levels.group_by("level").agg(pl.col("base").n_unique())
    return levels["level"].n_unique() > 1 and kinds["base"].max() == 1


def _level_arms(d: Dataset, games: Games, column: str) -> Iterator[Arms]:
    """One comparison a level, within the strata that hold games of both arms."""
    if column not in games.frame.columns:
        games = read_games(games.data, column)
    names = _names(games, column)
    base = np.isin(names, NOTHING)
    rest = [n for n in d.factors if n != column and n in d.cells.columns]
    if base.any() and not base.all():
        rest = [n for n in rest if not _says_whether(d, games, base, n)]
    stratum = np.zeros(len(games), dtype=np.int64)
    if rest:
        keys = d.cells.select("cell", key=_struct_rank(d, rest))
        lookup = dict(zip(keys["cell"].to_list(), keys["key"].to_list(), strict=True))
        stratum = np.array([lookup[c] for c in games.frame["cell"].to_list()], dtype=np.int64)
    for name in np.unique(names[~base]):
        own = names == name
        other = base if base.any() else ~own
        both = np.intersect1d(stratum[own], stratum[other])
        inside = np.isin(stratum, both)
        without, with_it = np.flatnonzero(other & inside), np.flatnonzero(own & inside)
        if len(without) and len(with_it):
            design = "drawn" if column in d.drawn else "paired"
            yield Arms(str(name), frozenset(), without, with_it, design, stratum)


def _struct_rank(d: Dataset, names: list[str]) -> pl.Series:
    import polars as pl

    return d.cells.select(pl.struct(names).rank("dense")).to_series()
