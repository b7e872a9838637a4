"""The section on pace: length, choice, lead changes, ties, and how games end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis import plots
from analysis.data.frames import read_games
from analysis.data.measures import MINUTES, minutes, pace_of
from analysis.report import words
from analysis.report.alive import alive, set_up
from analysis.report.blocks import Block, Cell, Column, Table, Text
from analysis.report.course_answer import ENDS, ties_stopped
from analysis.report.tables import notes, shares_table, sort_key

if TYPE_CHECKING:
    import polars as pl

    from analysis.report.context import Context

TAIL = 0.05  # turns that fewer games reach are left out of the choice picture
ENDINGS = {
    "stopped": "ended early by the players",
    "not recorded": "not recorded",
    "turn_cap": "stopped at the limit of turns",
    "stuck": "stuck",
    "overflow": "too many options",
    "all_passed": "stopped because all went on passing",
}


def pace(context: Context) -> list[Block]:
    """How long games last, how many real choices they offer, how they swing and how they end."""
    length, ties, ends = context.made("length"), context.made("ties"), context.made("end_reasons")
    leads, choice = context.made("lead_changes"), context.made("choice_width")
    if length is None:
        return [Text(f"Left out: {context.why_not['length']}.")]
    frames = {"length": length, "ties": ties, "leads": leads, "choice": choice}
    blocks: list[Block] = [Text(_sentence(table, frames, context)) for table in context.d.tables]
    if ends is not None:
        blocks += [Text(_endings(part, table)) for table, part in context.by_table(ends)]
    blocks += _pictures(context, ends, leads, choice)
    blocks.append(_table(length, context))
    blocks += [*_enders(context), *_tie_breaks(context), *alive(context)]
    found = list(dict.fromkeys(str(note) for note in length["note"] if note))
    if found:
        blocks.append(Text(f"Note: {'; '.join(found[:4])}.", "note"))
    return blocks


def _only(frame: pl.DataFrame | None, table: tuple[int, int], **wanted: Any) -> dict[str, Any]:
    """Return the first row of a kind of table with these values; empty when there is none."""
    import polars as pl

    if frame is None:
        return {}
    wanted |= {"players": table[0], "sides": table[1]}
    rows = frame.filter(*(pl.col(k) == v for k, v in wanted.items())).head(1).to_dicts()
    return rows[0] if rows else {}


def _sentence(table: tuple[int, int], frames: dict[str, Any], context: Context) -> str:
    length = frames["length"]
    turns = _only(length, table, measure="turns")
    decisions = _only(length, table, measure="decisions")
    taken = _only(length, table, measure=MINUTES)
    first, unit = (turns, "turns") if turns else (taken or decisions, MINUTES if taken else "decisions")
    if not first:
        return f"How long games with {words.table({'players': table[0], 'sides': table[1]})} took was not recorded."
    text = (
        f"With {words.table(first)} half of the games are over after {words.number(first['q50'], 0)} {unit}, and "
        f"the middle 80% take {words.number(first['q10'], 0)} to {words.number(first['q90'], 0)}"
    )
    if turns and decisions:
        text += f"; a game holds {words.number(decisions['estimate'], 0)} real decisions"
    width = _only(frames["choice"], table, scope="game")
    if width:
        text += f", each among {words.number(width['estimate'])} options on average"
    text += "."
    pace = pace_of(context.d)
    if taken and pace and turns:
        text += (
            f" At the table that is {words.number(taken['estimate'], 0)} minutes "
            f"({words.number(taken['low'])} to {words.number(taken['high'])}) on average, half of the games under "
            f"{words.number(taken['q50'], 0)}: {pace.label}."
        )
    lead = _only(frames["leads"], table)
    if lead:
        text += f" The lead changes {words.number(lead['mean'])} times a game."
    tie = _only(frames["ties"], table)
    if tie:
        text += (
            f" {words.percent(tie['estimate'])} of games ({words.percent_range(tie['low'], tie['high'])}) "
            f"end in a tie for the first place{ties_stopped(context, tie)}."
        )
    return text


def _endings(ends: pl.DataFrame, table: str) -> str:
    other = [
        f"{ENDINGS.get(str(row['ended']), str(row['ended']))} {words.percent(row['estimate'], 2)} "
        f"({words.percent_range(row['low'], row['high'], 2)})"
        for row in ends.iter_rows(named=True)
        if row["count"] and row["ended"] != "finished"
    ]
    if not other:
        return f"Every game{table} ended by the rules."
    return f"Not every game{table} ended by the rules: {words.listing(other)} of games."


def _pictures(
    context: Context, ends: pl.DataFrame | None, leads: pl.DataFrame | None, choice: pl.DataFrame | None
) -> list[Block]:
    import polars as pl

    d = context.d
    blocks: list[Block] = _curves(context)
    for n, sides in d.tables:
        here = (pl.col("players") == n) & (pl.col("sides") == sides)
        table = f" with {words.table({'players': n, 'sides': sides})}" if context.many_tables else ""
        if choice is not None:
            turns = choice.filter((pl.col("scope") == "turn") & here)
            if turns.height > 2:
                turns = turns.filter(pl.col("games") >= TAIL * pl.col("games").max())
                ax = plots.choice_ribbon(turns, title=None)
                note = "Line: mean number of options at a decision; band: the middle 80% of decisions."
                blocks.append(context.picture(ax, f"How many real choices are there{table}?", note))
        if leads is not None:
            ax = plots.lead_hist(leads.filter(here), title=None)
            blocks.append(context.picture(ax, f"How often does the lead change{table}?"))
    if ends is not None and (ends.filter(pl.col("ended") != "finished")["count"].sum() > 0):
        seen = ends.filter(pl.col("count").sum().over("ended") > 0)
        names = [words.table(r) for r in seen.iter_rows(named=True)]
        ax = plots.end_bars(seen.with_columns(series=pl.Series(names)), series="series", title=None)
        blocks.append(context.picture(ax, "How do games end?"))
    return blocks


def _curves(context: Context) -> list[Block]:
    """The shares of games that are over, by turns, and by minutes where there is a pace."""
    import polars as pl

    d = context.d
    have = d.games.collect_schema().names()
    recorded = [name for name in ("turns", MINUTES) if name in have]
    games = read_games(d, extra=recorded)
    guessed = MINUTES not in have and pace_of(d) is not None and {"turns", "decisions"} <= set(have)
    names = {(n, k): words.table({"players": n, "sides": k}) for n, k in games.tables}
    frame = games.frame.with_columns(
        series=pl.lit(next(iter(names.values())))
        if len(names) == 1
        else pl.Series([names[pair] for pair in zip(games.players.tolist(), games.sides.tolist())]),
        stopped=pl.Series(games.stopped),
        **({MINUTES: pl.Series(minutes(games)).round(0)} if guessed else {}),
    )
    blocks: list[Block] = []
    for value, label, question in (
        ("turns", "turns of all players", "How long does a game last?"),
        (MINUTES, "minutes at the table", "How many minutes does a game take?"),
    ):
        if value not in frame.columns:
            continue
        counts = (
            frame.filter(pl.col(value).is_not_null())
            .group_by("players", "series", value, "stopped")
            .agg(games=pl.len())
            .sort("players", "series", value)
        )
        series = "series" if context.many_tables else None
        ax = plots.ecdf_length(counts, value=value, label=label, series=series, title=None)
        note = "Games that were stopped never count as over." if counts["stopped"].any() else ""
        pace = pace_of(d) if guessed else None
        if value == MINUTES and pace:
            note = f"{pace.label.capitalize()}. {note}".strip()
        blocks.append(context.picture(ax, question, note))
    return blocks


def _enders(context: Context) -> list[Block]:
    """Whether who ends the game wins it, by kind of table."""
    import polars as pl

    frame = context.made("enders")
    if frame is None:
        return []
    frame = frame.filter(frame["estimate"] < 1)  # else the rules force it
    if frame.is_empty():
        return []
    shown = frame.with_columns(level=_names(frame))
    title = "Does who ends the game win it?"
    note = f"Win share of the seat that made the last turn. {context.word('ending')}"
    shown = shown.with_columns(verdict=shown["verdict"].cast(pl.String).replace(ENDS))
    table = shares_table(shown, [("level", "table")], title, context)
    return [Text(note, "note"), table]


def _tie_breaks(context: Context) -> list[Block]:
    """Who gains by the tie-breaks."""
    frame = context.made("tie_breaks")
    if frame is None:
        return []
    rows = [
        [
            *([Cell(words.table(r))] if context.many_tables else []),
            Cell(words.seat(r["seat"]), r["seat"]),
            Cell(words.points(r["estimate"], 2), sort_key(r["estimate"])),
            Cell(words.points_range(r["low"], r["high"], 2), sort_key(r["low"])),
            Cell(words.p_value(r["q"]), sort_key(r["q"])),
            Cell(words.percent(r["level"]), sort_key(r["level"])),
            Cell(words.percent(r["broken"]), sort_key(r["broken"])),
        ]
        for r in frame.iter_rows(named=True)
    ]
    heads = [
        *([Column("table")] if context.many_tables else []),
        Column("seat"),
        Column("gains", True, "points of win share by the tie-breaks, against sharing the win"),
        Column("95% interval", True),
        Column("q", True),
        Column("level on points", True, "share of games in which several have the best points"),
        Column("broken", True, "share of games that a tie-break decided"),
    ]
    return [Table(heads, rows, title="Who gains by the tie-breaks?")]


def _names(frame: pl.DataFrame) -> pl.Series:
    import polars as pl

    return pl.Series([words.table(r) for r in frame.iter_rows(named=True)], dtype=pl.String)


def luck(context: Context) -> list[Block]:
    """How often the better of two bots finishes ahead, and how much the deal decides."""
    dealt = set_up(context)
    frame = context.made("luck_and_skill")
    if frame is None:
        return dealt
    rows = [
        [
            Cell(str(r["better"])),
            Cell(str(r["worse"])),
            Cell(words.percent(r["estimate"]), sort_key(r["estimate"])),
            Cell(words.percent_range(r["low"], r["high"]), sort_key(r["low"])),
            Cell(words.percent(r["luck"], 0), sort_key(r["luck"])),
            Cell(words.percent_range(r["luck_low"], r["luck_high"], 0), sort_key(r["luck_low"])),
            Cell(words.p_value(r["q"]), sort_key(r["q"])),
            context.behind(r),
        ]
        for r in frame.iter_rows(named=True)
    ]
    heads = [
        Column("better"),
        Column("than"),
        Column("finishes ahead", True, "share of pairings as opponents, ties a half"),
        Column("95% interval", True),
        Column("luck", True, "share of pairings that fall like a coin, if the better bot won all others"),
        Column("95% interval", True),
        Column("q", True, "chance of a false alarm on which of the two is better"),
        Column("games / deals", True),
    ]
    note = "A game of pure luck gives 50%, of pure skill 100%. It depends on how far apart the bots are."
    return [Table(heads, rows, title="How often does the better one win?", note=note), *notes(frame), *dealt]


def _table(length: pl.DataFrame, context: Context) -> Table:
    rows = [
        [
            *([Cell(words.table(r), r["players"])] if context.many_tables else []),
            Cell(str(r["measure"])),
            Cell(words.number(r["estimate"]), r["estimate"]),
            Cell(
                f"{words.number(r['low'])} to {words.number(r['high'])}", "" if r["low"] is None else r["low"]
            ),
            *(
                Cell(words.number(r[q], 0), "" if r[q] is None else r[q])
                for q in ("least", "q10", "q50", "q90", "most")
            ),
            Cell(words.percent(r["capped"]), r["capped"]),
        ]
        for r in length.iter_rows(named=True)
    ]
    heads = [
        *([Column("table")] if context.many_tables else []),
        Column("measure"),
        Column("mean", True),
        Column("95% interval", True),
        Column("least", True),
        Column("10%", True),
        Column("median", True),
        Column("90%", True),
        Column("most", True),
        Column("stopped", True, "share of games stopped before their end; quantiles allow for them"),
    ]
    return Table(heads, rows, title="Length of games", folded=len(rows) > 8)
