"""The section on pace: length, choice, lead changes, ties, and how games end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis import plots
from analysis.report import words
from analysis.report.blocks import Block, Cell, Column, Table, Text

if TYPE_CHECKING:
    import polars as pl

    from analysis.report.context import Context

TAIL = 0.05  # turns that fewer games reach are left out of the choice picture
ENDINGS = {"turn_cap": "stopped at the limit of turns", "stuck": "stuck", "overflow": "too many options"}
STOPPED = ("turn_cap", "overflow")


def pace(context: Context) -> list[Block]:
    """How long games last, how many real choices they offer, how they swing and how they end."""
    import analysis

    d = context.d
    length = context.ask("length", lambda: analysis.length(d))
    ties = context.ask("ties", lambda: analysis.ties(d))
    ends = context.ask("ends", lambda: analysis.end_reasons(d))
    leads = context.ask("leads", lambda: analysis.lead_changes(d))
    choice = context.ask("choice", lambda: analysis.choice_width(d))
    if length is None:
        return [Text(f"Left out: {context.why_not['length']}.")]
    blocks: list[Block] = [Text(_sentence(n, length, ties, leads, choice)) for n in d.n_players]
    if ends is not None:
        blocks.append(Text(_endings(ends)))
    blocks += _pictures(context, ends, leads, choice)
    blocks.append(_table(length))
    notes = list(dict.fromkeys(str(note) for note in length["note"] if note))
    if notes:
        blocks.append(Text(f"Note: {'; '.join(notes[:4])}.", "note"))
    return blocks


def _only(frame: pl.DataFrame | None, **wanted: Any) -> dict[str, Any] | None:
    """Return the first row with these values, or None."""
    import polars as pl

    if frame is None:
        return None
    rows = frame.filter(*(pl.col(k) == v for k, v in wanted.items())).head(1).to_dicts()
    return rows[0] if rows else None


def _sentence(
    n: int,
    length: pl.DataFrame,
    ties: pl.DataFrame | None,
    leads: pl.DataFrame | None,
    choice: pl.DataFrame | None,
) -> str:
    turns = _only(length, players=n, measure="turns") or {}
    decisions = _only(length, players=n, measure="decisions") or {}
    text = (
        f"With {n} players half of the games are over after {words.number(turns.get('q50'), 0)} turns, and "
        f"the middle 80% take {words.number(turns.get('q10'), 0)} to {words.number(turns.get('q90'), 0)}; a "
        f"game holds {words.number(decisions.get('estimate'), 0)} real decisions"
    )
    width = _only(choice, players=n, scope="game")
    if width:
        text += f", each among {words.number(width['estimate'])} options on average"
    text += "."
    lead = _only(leads, players=n)
    if lead:
        text += f" The lead changes {words.number(lead['mean'])} times a game."
    tie = _only(ties, players=n)
    if tie:
        text += (
            f" {words.percent(tie['estimate'])} of games ({words.percent_range(tie['low'], tie['high'])}) "
            "end in a tie for the first place."
        )
    return text


def _endings(ends: pl.DataFrame) -> str:
    import polars as pl

    counts = ends.group_by("ended", maintain_order=True).agg(pl.col("count").sum())
    total = counts["count"].sum()
    other = [
        f"{ENDINGS.get(str(row['ended']), str(row['ended']))} {words.percent(row['count'] / total)}"
        for row in counts.iter_rows(named=True)
        if row["count"] and row["ended"] != "finished"
    ]
    if not other:
        return "Every game ended by the rules."
    return f"Not every game ended by the rules: {words.listing(other)} of games."


def _pictures(
    context: Context, ends: pl.DataFrame | None, leads: pl.DataFrame | None, choice: pl.DataFrame | None
) -> list[Block]:
    import polars as pl

    d = context.d
    many = len(d.n_players) > 1
    lengths = (
        d.games.with_columns(
            series=pl.format("{} players", "players"), stopped=pl.col("ended").cast(pl.String).is_in(STOPPED)
        )
        .group_by("players", "series", "turns", "stopped")
        .agg(games=pl.len())
        .sort("players", "turns")
        .collect()
    )
    ax = plots.ecdf_length(lengths, series="series" if many else None, title=None)
    note = "Games that were stopped by a limit never count as over." if lengths["stopped"].any() else ""
    blocks: list[Block] = [context.picture(ax, "How long does a game last?", note)]
    for n in d.n_players:
        table = f" with {n} players" if many else ""
        if choice is not None:
            turns = choice.filter((pl.col("scope") == "turn") & (pl.col("players") == n))
            if turns.height > 2:
                turns = turns.filter(pl.col("games") >= TAIL * pl.col("games").max())
                ax = plots.choice_ribbon(turns, title=None)
                note = "Line: mean number of options at a decision; band: the middle 80% of decisions."
                blocks.append(context.picture(ax, f"How many real choices are there{table}?", note))
        if leads is not None:
            part = leads.filter(pl.col("players") == n)
            ax = plots.lead_hist(part, title=None)
            blocks.append(context.picture(ax, f"How often does the lead change{table}?"))
    if ends is not None and (ends.filter(pl.col("ended") != "finished")["count"].sum() > 0):
        seen = ends.filter(pl.col("count").sum().over("ended") > 0)
        named = seen.with_columns(series=pl.format("{} players", "players"))
        ax = plots.end_bars(named, series="series", title=None)
        blocks.append(context.picture(ax, "How do games end?"))
    return blocks


def _table(length: pl.DataFrame) -> Table:
    rows = [
        [
            Cell(str(r["players"]), r["players"]),
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
        Column("players", True),
        Column("measure"),
        Column("mean", True),
        Column("95% interval", True),
        Column("least", True),
        Column("10%", True),
        Column("median", True),
        Column("90%", True),
        Column("most", True),
        Column("stopped", True, "share of games stopped by a limit; quantiles allow for them"),
    ]
    return Table(heads, rows, title="Length of games", folded=len(rows) > 8)
