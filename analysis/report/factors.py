"""What the varied factors change: who wins at each level, and how long the games of each cell last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis import plots
from analysis.report import words
from analysis.report.balance import ROWS_SHOWN
from analysis.report.blocks import Block, Cell, Column, Table, Text
from analysis.report.context import MOST_LEVELS

if TYPE_CHECKING:
    import polars as pl

    from analysis.report.context import Context

SERIES_SHOWN = 5  # more markers a level cannot be told apart


def factors(context: Context) -> list[Block]:
    """Win share at each level of each factor, paired by deal where levels share their deals."""
    blocks: list[Block] = [*_contestants(context)]
    for name in names(context):
        blocks += _factor(context, name)
    blocks += _length_by_cell(context)
    if not blocks:
        blocks = [Text("Nothing was varied: all games were played under the same rules.")]
    return blocks


def names(context: Context) -> list[str]:
    """Factors of the cells and factors drawn for each deal, each with two or more levels.

    The number of players is none of them: win shares of tables of different sizes cannot be compared.
    """
    import polars as pl

    d = context.d
    found = [name for name in context.cell_factors if name != "players.count"]
    for name, entry in d.drawn.items():
        if entry.get("kind") != "piece set":
            levels = d.games.select(pl.col(name).n_unique()).collect().item()
            if 1 < levels <= MOST_LEVELS:
                found.append(name)
    return list(dict.fromkeys(found))


def contestants(context: Context) -> list[tuple[str, pl.DataFrame]]:
    """Win shares of named players, bots and decks, of each kind of which there are several."""
    d = context.d
    categories = d.manifest.get("categories") or {}
    kinds = [kind for kind in ("bot", "deck") if len(categories.get(kind) or []) > 1]
    if (d.manifest.get("experiment") or {}).get("player"):
        kinds.insert(0, "player")
    frames = ((kind, context.win_shares("players", kind)) for kind in kinds)
    levels = ((kind, frame.filter(frame["what"] == "level")) for kind, frame in frames if frame is not None)
    return [(kind, frame) for kind, frame in levels if frame["who"].n_unique() > 1]


def _contestants(context: Context) -> list[Block]:
    d = context.d
    blocks: list[Block] = []
    for kind, frame in contestants(context):
        for (n,), part in frame.group_by("players", maintain_order=True):
            table = f" with {n} players" if len(d.n_players) > 1 else ""
            ax = plots.factor_dots(
                part, level="who", margin=d.judge.seat, label="share of games won (dashed: fair)"
            )
            note = f"Win share of each {kind}, {context.scope}, with 95% intervals."
            blocks.append(context.picture(ax, f"Which {kind} wins{table}?", note))
        blocks.append(_level_table(frame, kind))
    return blocks


def _factor(context: Context, name: str) -> list[Block]:
    import polars as pl

    frame = context.win_shares(name, "seat")
    if frame is None:
        return [Text(f"{name}: {context.why_not[f'factor {name}']}.")]
    levels = frame.filter(pl.col("what") == "level")
    blocks: list[Block] = []
    if levels["level"].n_unique() <= MOST_LEVELS:
        for (n,), part in levels.group_by("players", maintain_order=True):
            table = f" with {n} players" if len(context.d.n_players) > 1 else ""
            shown = part.filter(pl.col("who").is_in(part["who"].unique().sort()[:SERIES_SHOWN].to_list()))
            ax = plots.factor_dots(
                shown.with_columns(level=_labels(shown, name)),
                level="level",
                series="who",
                margin=context.d.judge.seat,
                label="share of games won (dashed: fair)",
            )
            note = f"{context.scope.capitalize()}, averaged over the other factors, with 95% intervals."
            blocks.append(context.picture(ax, f"Does {name} change which seat wins{table}?", note))
    blocks.append(_difference_table(frame.filter(pl.col("what") == "difference"), name))
    return blocks


def _labels(frame: pl.DataFrame, name: str) -> pl.Series:
    import polars as pl

    return pl.Series([words.level([name], {name: value}) for value in frame["level"].to_list()])


def _level_table(frame: pl.DataFrame, kind: str) -> Table:
    rows = [
        [
            Cell(str(r["who"])),
            Cell(str(r["players"]), r["players"]),
            Cell(words.percent(r["estimate"]), r["estimate"]),
            Cell(words.percent_range(r["low"], r["high"]), "" if r["low"] is None else r["low"]),
            Cell(words.percent(r["fair"]), r["fair"]),
            Cell(words.number(r["games"]), r["games"]),
            Cell(words.number(r["deals"]), r["deals"]),
        ]
        for r in frame.sort("players", "estimate", descending=[False, True]).iter_rows(named=True)
    ]
    heads = [
        Column(kind),
        Column("players", True),
        Column("wins", True),
        Column("95% interval", True),
        Column("fair", True),
        Column("games", True),
        Column("deals", True),
    ]
    return Table(heads, rows, title=f"Win share by {kind}")


def _difference_table(frame: pl.DataFrame, name: str) -> Table:
    many = frame["players"].n_unique() > 1
    rows = [
        [
            Cell(words.plain(r["level"])),
            *([Cell(str(r["players"]), r["players"])] if many else []),
            Cell(str(r["who"])),
            Cell(words.points(r["estimate"]), r["estimate"]),
            Cell(words.points_range(r["low"], r["high"]), "" if r["low"] is None else r["low"]),
            Cell(words.p_value(r["q"]), "" if r["q"] is None else r["q"]),
            Cell("yes" if r["paired"] else "no"),
            Cell(words.number(r["deals"]), r["deals"]),
        ]
        for r in frame.head(ROWS_SHOWN).iter_rows(named=True)
    ]
    heads = [
        Column(name),
        *([Column("players", True)] if many else []),
        Column("seat"),
        Column("change", True, "points of win share against the first level"),
        Column("95% interval", True),
        Column("q", True, "chance of a false alarm, corrected for all rows"),
        Column("same deals", False, "whether both levels were compared deal by deal"),
        Column("deals", True),
    ]
    more = frame.height - len(rows)
    note = f"{more} more rows are left out." if more > 0 else ""
    title = f"{name}: change against the first level"
    return Table(heads, rows, title=title, note=note, folded=len(rows) > 8)


def _length_by_cell(context: Context) -> list[Block]:
    import polars as pl

    import analysis

    d = context.d
    by = context.cell_factors
    if not by:
        return []
    frame = context.ask("length by cell", lambda: analysis.length(d, by=by))
    if frame is None:
        return []
    frame = frame.filter(pl.col("measure") == "turns")
    sizes = len(d.n_players) > 1 and "players.count" not in by
    rows = [
        [
            *(Cell(words.plain(r[name])) for name in by),
            *([Cell(str(r["players"]), r["players"])] if sizes else []),
            Cell(words.number(r["estimate"]), r["estimate"]),
            Cell(
                f"{words.number(r['low'])} to {words.number(r['high'])}", "" if r["low"] is None else r["low"]
            ),
            Cell(f"{words.number(r['q10'], 0)} to {words.number(r['q90'], 0)}"),
            Cell(words.percent(r["capped"]), r["capped"]),
            Cell(words.number(r["games"]), r["games"]),
        ]
        for r in frame.head(ROWS_SHOWN).iter_rows(named=True)
    ]
    heads = [
        *(Column(name) for name in by),
        *([Column("players", True)] if sizes else []),
        Column("turns", True, "mean number of turns of all players"),
        Column("95% interval", True),
        Column("middle 80%", True),
        Column("stopped", True, "share of games stopped by a limit"),
        Column("games", True),
    ]
    more = frame.height - len(rows)
    note = f"{more} more rows are left out." if more > 0 else ""
    return [Table(heads, rows, title="Length of games, cell by cell", note=note, folded=len(rows) > 8)]
