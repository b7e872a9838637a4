"""Sections on what a game may add to its plain form: matchups, roles and series, harm, claims, sets of bans.

Each is empty, and then left out of the page, where the data hold nothing of its kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis import plots
from analysis.report import words
from analysis.report.blocks import Block, Cell, Column, Table, Text, verdict_cell
from analysis.report.tables import notes, shares_table, sort_key

if TYPE_CHECKING:
    import polars as pl

    from analysis.report.context import Context

CLAIMED = {"reproduced": "seen here", "not": "not in this play", "cannot tell": "cannot tell"}
"""What is found of a claim, as the page says it: of this play, not of the author."""
SETTINGS_SHOWN = 8
"""Settings under which each claim has a row in the open; of more they are counted first."""
FEWEST_GAMES = 40  # games a set of bans (median) below which naming the most even ones would be a lottery


def matchups(context: Context) -> list[Block]:
    """Who beats whom, and who stands how against the field."""
    import polars as pl

    frame, field = context.made("matchups"), context.made("standing")
    if frame is None or field is None:
        return []
    of = str(field["of"][0])
    ax = plots.matchup_matrix(frame, title=None)
    note = f"{context.scope.capitalize()}. A {of} against itself tells of the seats, not of the {of}."
    blocks: list[Block] = [context.picture(ax, f"Which {of} beats which?", note, wide=len(field) > 6)]
    shown = field.with_columns(fair=pl.lit(0.5))
    ax = plots.factor_dots(
        shown, level="name", margin=context.d.judge.seat, label="mean share of pairings won"
    )
    note = (
        "Opponents count alike. This depends on who is in the field; the share in the equilibrium does not."
    )
    blocks.append(context.picture(ax, f"Which {of} does well against the field?", note))
    rows = [
        [
            Cell(str(r["name"])),
            Cell(words.percent(r["estimate"]), sort_key(r["estimate"])),
            Cell(words.percent_range(r["low"], r["high"]), sort_key(r["low"])),
            Cell(words.percent(r["nash"], 0), sort_key(r["nash"])),
            Cell(words.percent_range(r["nash_low"], r["nash_high"], 0), sort_key(r["nash_low"])),
            context.behind(r),
        ]
        for r in field.iter_rows(named=True)
    ]
    heads = [
        Column(of),
        Column("wins", True, "mean share of pairings won, over opponents"),
        Column("95% interval", True),
        Column("in equilibrium", True, "how often a field that nobody can exploit would bring it"),
        Column("range", True),
        Column("games / deals", True),
    ]
    blocks.append(Table(heads, rows, title="Against the field"))
    rows = [
        [
            Cell(str(r["row"])),
            Cell(str(r["column"])),
            Cell(words.percent(r["estimate"]), sort_key(r["estimate"])),
            Cell(words.percent_range(r["low"], r["high"]), sort_key(r["low"])),
            Cell(words.percent(r["eb"]), sort_key(r["eb"])),
            verdict_cell(r["verdict"], context.doubtful) if not r["mirror"] else Cell(_mirror(r)),
            context.behind(r),
        ]
        for r in frame.iter_rows(named=True)
        if r["row"] <= r["column"]
    ]
    heads = [
        Column(of),
        Column("against"),
        Column("wins", True),
        Column("95% interval", True),
        Column("shrunk", True, "pulled toward a half as far as the noise asks"),
        Column("verdict"),
        Column("games / deals", True),
    ]
    blocks.append(Table(heads, rows, title="Pairings in figures", folded=len(rows) > 8))
    return [*blocks, *notes(frame)]


def _mirror(row: dict[str, Any]) -> str:
    if row["tells"] == "seat":
        return "mirror: the earlier seat's share"
    return "mirror" if row["p"] is None or row["p"] > 0.001 else "mirror: should be a half"


def roles(context: Context) -> list[Block]:
    """The role at the table and the first turn, and whole series."""
    import polars as pl

    blocks: list[Block] = []
    frame = context.made("role_effect")
    if frame is not None:
        many = context.many_tables
        label = pl.when(pl.col("apart")).then(pl.format("{}, by itself", "role")).otherwise(pl.col("role"))
        if many:
            label = pl.format("{} ({} players)", label, "players")
        named = frame.with_columns(level=label)
        known = named.filter(pl.col("estimate").is_not_null())
        ax = plots.factor_dots(
            known, level="level", margin=context.d.judge.seat, label="share of games won (dashed: fair)"
        )
        note = (
            f"{context.scope.capitalize()}. By itself: seat, bot and the other role are taken "
            "off, where the games can tell."
        )
        blocks.append(
            context.picture(ax, f"Is it good to be the {context.word('role')}, or to go first?", note)
        )
        blocks.append(shares_table(known, [("level", "role")], "Roles in figures", context))
        blocks += notes(frame)
    series = context.made("series_balance")
    if series is not None:
        won = series.filter(pl.col("measure") == "series won")
        if series["players"].n_unique() > 1:
            won = won.with_columns(who=pl.format("{} ({} players)", "who", "players"))
        ax = plots.factor_dots(
            won, level="who", margin=context.d.judge.seat, label="share of series won (dashed: fair)"
        )
        note = (
            f"A series is one game with each player as {context.word('role')}; most points in all win it. "
            f"{words.plural(int(won['series'][0]), 'series', 'series')}."
        )
        blocks.append(context.picture(ax, "Is a whole series fair?", note))
        plain = series.filter(pl.col("measure") != "points a game")
        heads = [("who", "who"), ("measure", "measure")]
        blocks += [shares_table(plain, heads, "Series in figures", context), *notes(series)]
    return blocks


def harm(context: Context) -> list[Block]:
    """What each piece does to the others."""
    import polars as pl

    frame = context.made("harm")
    if frame is None:
        return []
    blocks: list[Block] = []
    done = frame.filter((pl.col("measure") == "harm a copy") & pl.col("estimate").is_not_null())
    what = str(context.d.card.get("harm") or "harm as the game logs it")
    if not done.is_empty() and done["estimate"].max() > 0:  # type: ignore[operator]
        some = done.filter(pl.col("estimate") > 0)
        ax = plots.plain_dots(some, level="piece", label="harm by each copy owned", null=None)
        blocks.append(
            context.picture(
                ax,
                f"Which {context.word('pieces')} harm the others?",
                f"Harm: {what}. {context.scope.capitalize()}.",
            )
        )
    points = frame.filter((pl.col("measure") == "opponents' points") & pl.col("estimate").is_not_null())
    if not points.is_empty():
        ax = plots.plain_dots(
            points,
            level="piece",
            label=f"change of an opponent's {context.word('points')} for each copy faced",
        )
        note = (
            f"Against the average other {context.word('piece')}; who faces what was dealt by lot, so this "
            f"is what it does "
            f"{context.play}. Left of the line an opponent loses, right of it gains. Filled: beyond chance."
        )
        blocks.append(
            context.picture(
                ax, f"What does an opponent gain or lose by facing {words.an(context.word('piece'))}?", note
            )
        )
    if not blocks:
        return []
    # what never happens in this game (passes, harm by what harms nobody) is no row
    happens = pl.col("estimate").is_not_null() & ~((pl.col("low") == 0) & (pl.col("high") == 0))
    rows = [
        [
            Cell(str(r["piece"])),
            Cell(words.said(str(r["measure"]))),
            Cell("yes" if r["cause"] else "no"),
            Cell(_harm(r, "estimate"), sort_key(r["estimate"])),
            Cell(f"{_harm(r, 'low')} to {_harm(r, 'high')}", sort_key(r["low"])),
            Cell(words.p_value(r["q"]), sort_key(r["q"])),
        ]
        for r in frame.filter(happens).iter_rows(named=True)
    ]
    heads = [
        Column(context.word("piece")),
        Column("measure"),
        Column("by lot", False, "whether who faces the piece was chance; else it goes with winning"),
        Column("each copy adds", True, "points and passes as they are; win share in points of win share"),
        Column("95% interval", True),
        Column("q", True),
    ]
    return [*blocks, Table(heads, rows, title="Harm in figures", folded=True), *notes(frame)]


def _harm(row: dict[str, Any], name: str) -> str:
    if row["measure"].endswith("win share"):
        return words.points(row[name])
    return words.DASH if row[name] is None else f"{row[name]:.2f}".replace("-", "−")


def claims(context: Context) -> list[Block]:
    """The author's claims: each is seen in this play, or not, or it cannot be told."""
    frame = context.made("claims")
    if frame is None:
        return []
    tiers = frame["tier"].n_unique() > 1
    rows = [
        [
            Cell(str(r["claim"])),
            *([Cell(str(r["tier"]))] if tiers else []),
            verdict_cell(CLAIMED.get(r["status"], r["status"]), context.doubtful),
            Cell(_contrast(r), sort_key(r["estimate"])),
            Cell(words.p_value(r["q"]), sort_key(r["q"])),
            context.count(r["games"]),
            Cell(words.said(str(r["note"] or r["method"] or ""))),
        ]
        for r in frame.iter_rows(named=True)
    ]
    heads = [
        Column("the author says"),
        *([Column("tried")] if tiers else []),
        Column("found"),
        Column("contrast", False, "the number that would bear the claim out, with its 95% interval"),
        Column("q", True, "chance of a false alarm, corrected for all claims"),
        Column("games", True),
        Column("how, or why not"),
    ]
    lead = f"What the game's author says of the game, tried {context.play}."
    if context.competence:
        lead += f" Where a claim is not found: {context.competence}."
    several = frame["tier"].n_unique() > SETTINGS_SHOWN
    title = "The author's claims, setting by setting" if several else "The author's claims"
    counted = [_claims_counted(frame)] if several else []
    return [Text(lead), *counted, Table(heads, rows, title=title, folded=several)]


def _claims_counted(frame: pl.DataFrame) -> Table:
    """Under how many settings each claim is seen, is not, or cannot be told."""
    rows = []
    for part in frame.partition_by("id", maintain_order=True):
        words_found = [CLAIMED.get(status, status) for status in part["status"].to_list()]
        counts = [sum(word == found for found in words_found) for word in CLAIMED.values()]
        rows.append([Cell(str(part["claim"][0])), *(Cell(f"{count:,}", count) for count in counts)])
    heads = [Column("the author says"), *(Column(word, True, "settings") for word in CLAIMED.values())]
    return Table(heads, rows, title="The author's claims: settings by what is found")


def _contrast(row: dict[str, Any]) -> str:
    if row["estimate"] is None:
        return words.DASH
    unit = words.said(str(row["unit"]))
    if "share" in unit and not unit.startswith("share of"):
        text = f"{words.change(row['estimate'], row['low'], row['high'])} points of {unit}"
    elif unit.startswith("share of"):
        text = f"{words.share(row['estimate'], row['low'], row['high'])}: {unit}"
    else:
        text = f"{row['estimate']:.2f} ({row['low']:.2f} to {row['high']:.2f}) {unit}".replace("-", "−")
    if row["range_low"] is not None:
        return f"{text}, claimed {row['range_low']:g} to {row['range_high']:g}"
    return text + (
        f", claimed {'above' if row['direction'] > 0 else 'below'} {row['null']:g}" if row["null"] else ""
    )


def ban_sets(context: Context) -> list[Block]:
    """The most even sets of bans, where many sets were played."""
    frame = context.made("ban_sets")
    if frame is None or frame["bans"].n_unique() < 8 or frame["games"].median() < FEWEST_GAMES:  # type: ignore[operator]
        return []
    blocks: list[Block] = []
    for table, part in context.by_table(frame):
        top = part.sort("tier", "estimate", nulls_last=True).head(12)
        tied = int((part["tier"] == 1).sum())
        rows = [
            [
                Cell(str(r["bans"]).replace("+", ", ")),
                Cell(words.DASH if r["tier"] is None else str(r["tier"]), sort_key(r["tier"])),
                Cell(f"{100 * r['estimate']:.1f}", sort_key(r["estimate"])),
                Cell(f"{100 * r['low']:.1f} to {100 * r['high']:.1f}", sort_key(r["low"])),
                Cell(words.percent(r["best"], 0), sort_key(r["best"])),
                Cell(str(r["verdict"])),
                context.behind(r),
            ]
            for r in top.iter_rows(named=True)
        ]
        heads = [
            Column("banned"),
            Column("tier", True, "sets of one tier cannot be told apart"),
            Column(
                "unevenness",
                True,
                "how far seats and pieces typically lie from even, points of win share, shrunk",
            ),
            Column("95% range", True),
            Column("most even", True, "chance of being the most even of all"),
            Column("verdict"),
            Column("games / deals", True),
        ]
        note = (
            f"{words.plural(tied, 'set')} of {part.height} cannot be told from the most even one. "
            "Play the first ones again "
            "on fresh deals before believing any of them."
        )
        blocks.append(Table(heads, rows, title=f"The most even sets of bans{table}", note=note))
    return blocks
