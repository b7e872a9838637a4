"""What the varied factors change: who wins at each level, and how long the games of each cell last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis import plots
from analysis.changes.contrasts import LEVELS
from analysis.data.dataset import SIZE
from analysis.data.measures import ENDER, MINUTES, SHARED, STOPPED
from analysis.report import words
from analysis.report.balance import ROWS_SHOWN
from analysis.report.blocks import Block, Cell, Column, Table, Text
from analysis.report.context import MOST_LEVELS
from analysis.report.levels import SHARES, change_cell, changes_table

if TYPE_CHECKING:
    import polars as pl

    from analysis.report.context import Context

MORE = (
    ("minutes", "minutes", "mean, by the pace"),
    ("tied", "tied", "share of games that end in a tie for the first place"),
    ("ender", "ender wins", "win share of who ends the game"),
)
COMPARED = (MINUTES, "turns", "first seat", "seat gap", STOPPED, SHARED, ENDER)
HEADS = {
    STOPPED: "stopped",
    SHARED: "tied",
    ENDER: "ender wins",
    "first seat": "Seat A",
    "seat gap": "gap of seats",
}
CHANGES_SHOWN = 30
SERIES_SHOWN = 5  # more markers a level cannot be told apart


def factors(context: Context) -> list[Block]:
    """Win share at each level of each factor, paired by deal where levels share their deals."""
    blocks: list[Block] = [*_contestants(context)]
    for name in names(context):
        blocks += _factor(context, name)
    blocks += _changes(context)
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
        if entry.get("kind") in LEVELS and not d.of_cells(name):
            levels = d.games.select(pl.col(name).n_unique()).collect().item()
            if 1 < levels <= MOST_LEVELS:
                found.append(name)
    return list(dict.fromkeys(found))


def contestants(context: Context) -> list[tuple[str, pl.DataFrame]]:
    """Win shares of named players, bots and decks, of each kind of which there are several that meet."""
    d = context.d
    if context.made("standing") is None:
        return []
    categories = d.manifest.get("categories") or {}
    kinds = [kind for kind in ("bot", "deck") if len(categories.get(kind) or []) > 1]
    if (d.manifest.get("experiment") or {}).get("player"):
        kinds.insert(0, "player")
    frames = ((kind, context.win_shares(SIZE, kind)) for kind in kinds)
    levels = ((kind, frame.filter(frame["what"] == "level")) for kind, frame in frames if frame is not None)
    return [(kind, frame) for kind, frame in levels if frame["who"].n_unique() > 1]


def _contestants(context: Context) -> list[Block]:
    d = context.d
    blocks: list[Block] = []
    for kind, frame in contestants(context):
        for table, part in context.by_table(frame):
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
    levels = levels.filter(pl.col("level").n_unique().over("players", "sides") > 1)  # else nothing to compare
    blocks: list[Block] = []
    if levels.is_empty():
        return blocks
    if levels["level"].n_unique() <= MOST_LEVELS:
        for table, part in context.by_table(levels):
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
    if levels["level"].n_unique() <= MOST_LEVELS:
        blocks.append(_difference_table(frame.filter(pl.col("what") == "difference"), name))
    else:  # the first of many is no base: each by itself, furthest from fair first
        blocks.append(_levels_table(levels, name))
    return blocks


def _levels_table(frame: pl.DataFrame, name: str) -> Table:
    far = sorted(frame.iter_rows(named=True), key=lambda r: -abs(r["estimate"] - r["fair"]))
    rows = [
        [
            Cell(words.plain(r["level"])),
            Cell(words.table(r), r["players"]),
            Cell(str(r["who"])),
            Cell(words.percent(r["estimate"]), r["estimate"]),
            Cell(words.percent_range(r["low"], r["high"]), "" if r["low"] is None else r["low"]),
            Cell(words.percent(r["fair"]), r["fair"]),
            Cell(words.number(r["games"]), r["games"]),
        ]
        for r in far[:ROWS_SHOWN]
    ]
    heads = [
        Column(name),
        Column("table"),
        Column("seat"),
        Column("wins", True),
        Column("95% interval", True),
    ]
    heads += [Column("fair", True), Column("games", True)]
    left = len(far) - len(rows)
    note = f"{left} more rows, nearer to fair, are left out." if left > 0 else ""
    return Table(
        heads, rows, title=f"{name}: each by itself, furthest from fair first", note=note, folded=True
    )


def _labels(frame: pl.DataFrame, name: str) -> pl.Series:
    import polars as pl

    return pl.Series([words.level([name], {name: value}) for value in frame["level"].to_list()])


def _level_table(frame: pl.DataFrame, kind: str) -> Table:
    rows = [
        [
            Cell(str(r["who"])),
            Cell(words.table(r), r["players"]),
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
        Column("table"),
        Column("wins", True),
        Column("95% interval", True),
        Column("fair", True),
        Column("games", True),
        Column("deals", True),
    ]
    return Table(heads, rows, title=f"Win share by {kind}")


def _difference_table(frame: pl.DataFrame, name: str) -> Table:
    many = len(frame.select("players", "sides").unique()) > 1
    against = str(frame["against"][0]) if "against" in frame.columns and frame.height else "the base"
    rows = [
        [
            Cell(words.plain(r["level"])),
            *([Cell(words.table(r), r["players"])] if many else []),
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
        *([Column("table")] if many else []),
        Column("seat"),
        Column("change", True, f"points of win share against {against}"),
        Column("95% interval", True),
        Column("q", True, "chance of a false alarm, corrected for all rows"),
        Column("same deals", False, "whether both levels were compared deal by deal"),
        Column("deals", True),
    ]
    more = frame.height - len(rows)
    note = f"{more} more rows are left out." if more > 0 else ""
    title = f"{name}: change against {against}"
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
    keys = [*by, "players", "sides"]
    taken = frame.filter(pl.col("measure") == MINUTES).select(*keys, minutes="estimate")
    frame = frame.filter(pl.col("measure") == "turns")
    if not taken.is_empty():
        frame = frame.join(taken, on=keys, how="left", nulls_equal=True, maintain_order="left")
    ties = context.ask("ties by cell", lambda: analysis.ties(d, by=by))
    if ties is not None:
        tied = ties.select(*keys, tied="estimate", tied_low="low", tied_high="high")
        frame = frame.join(tied, on=keys, how="left", nulls_equal=True, maintain_order="left")
    enders = context.ask("enders by cell", lambda: analysis.enders(d, by=by))
    if enders is not None:
        ended = enders.select(*keys, ender="estimate", ender_low="low", ender_high="high")
        frame = frame.join(ended, on=keys, how="left", nulls_equal=True, maintain_order="left")
    more_of = [(n, t, a) for n, t, a in MORE if n in frame.columns]
    sizes = context.many_tables and "players.count" not in by
    rows = [
        [
            *(Cell(words.plain(r[name])) for name in by),
            *([Cell(words.table(r), r["players"])] if sizes else []),
            Cell(words.number(r["estimate"]), r["estimate"]),
            Cell(
                f"{words.number(r['low'])} to {words.number(r['high'])}", "" if r["low"] is None else r["low"]
            ),
            Cell(f"{words.number(r['q10'], 0)} to {words.number(r['q90'], 0)}"),
            Cell(words.percent(r["capped"]), r["capped"]),
            *(Cell(_more(r, n), "" if r[n] is None else r[n]) for n, _, _ in more_of),
            Cell(words.number(r["games"]), r["games"]),
        ]
        for r in frame.head(ROWS_SHOWN).iter_rows(named=True)
    ]
    heads = [
        *(Column(name) for name in by),
        *([Column("table")] if sizes else []),
        Column("turns", True, "mean number of turns of all players"),
        Column("95% interval", True),
        Column("middle 80%", True),
        Column("stopped", True, "share of games stopped before their end"),
        *(Column(title, True, about) for _, title, about in more_of),
        Column("games", True),
    ]
    more = frame.height - len(rows)
    note = f"{more} more rows are left out." if more > 0 else ""
    return [
        Table(
            heads, rows, title="Length and ends of games, setting by setting", note=note, folded=len(rows) > 8
        )
    ]


def _more(row: dict[str, Any], name: str) -> str:
    if name == "minutes":
        return words.number(row[name])
    return words.share(row[name], row.get(f"{name}_low"), row.get(f"{name}_high"))


def _changes(context: Context) -> list[Block]:
    """Each change of a rule, all else alike: a picture of what it does to length, and a table of the rest."""
    import polars as pl

    frame = context.made("rule_changes")
    if frame is None:
        return []
    # The table is too wide to stand beside a picture, so it comes first.
    blocks: list[Block] = [_changes_wide(frame, context)]
    measure = MINUTES if MINUTES in frame["measure"] else "turns"
    long = frame.filter((pl.col("measure") == measure) & pl.col("estimate").is_not_null())
    for table, part in context.by_table(long) if not long.is_empty() else []:
        if 1 < part.height <= CHANGES_SHOWN:
            ax = plots.plain_dots(part, level="change", label=f"change in {measure}")
            note = f"{context.scope.capitalize()}; all else alike, deal by deal. Filled: beyond chance."
            blocks.append(context.picture(ax, f"Which change makes games longer or shorter{table}?", note))
    if not frame.filter(pl.col("piece").is_not_null()).is_empty():
        pieces = frame.filter(pl.col("piece").is_not_null() & (pl.col("q") < 0.05))
        if not pieces.is_empty():
            title = f"Changes of the strength of {context.word('pieces')}, beyond chance"
            blocks.append(changes_table(pieces, "change", "change", title, context))
    return blocks


def _changes_wide(frame: pl.DataFrame, context: Context) -> Table:
    import polars as pl

    plain = frame.filter(pl.col("piece").is_null())
    wanted = [m for m in COMPARED if m in plain["measure"]]
    found: dict[tuple[str, int, int], dict[str, dict[str, Any]]] = {}
    for r in plain.iter_rows(named=True):
        found.setdefault((r["change"], r["players"], r["sides"]), {})[r["measure"]] = r
    rows = [
        [
            Cell(change),
            *([Cell(words.table({"players": n, "sides": sides}))] if context.many_tables else []),
            *(change_cell(row.get(measure)) for measure in wanted),
        ]
        for (change, n, sides), row in list(found.items())[:ROWS_SHOWN]
    ]
    heads = [
        Column("change"),
        *([Column("table")] if context.many_tables else []),
        *(Column(HEADS.get(m, m), True, SHARES.get(m, "")) for m in wanted),
    ]
    left = len(found) - len(rows)
    note = (
        "Against the first level or the variant named, all else alike, deal by deal where deals are shared; 95% "
        "intervals in brackets, framed where beyond chance. Shares in percentage points."
    )
    note += f" {left} more rows are left out." if left > 0 else ""
    return Table(heads, rows, title="What each change does", note=note, folded=len(rows) > 24)
