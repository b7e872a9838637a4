"""A closer look: short answers to questions that not every game raises, each shown only where there is one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from analysis import plots
from analysis.report import words
from analysis.report.alive import MOST_FITTED
from analysis.report.blocks import Block, Cell, Column, Table, Text
from analysis.report.tables import notes, sort_key

if TYPE_CHECKING:
    from analysis.report.context import Context

Rows = list[dict[str, Any]]
MOST_ROWS = 15  # of a long table those furthest from nothing are shown


def worth(context: Context) -> list[Block]:
    """What each piece is worth to its owner, where one player alone went without it."""
    import polars as pl

    frame = context.made("worth_to_owner")
    if frame is None:
        return []
    shapley = frame.filter(pl.col("value") == "Shapley")
    best = shapley.row(0, named=True)
    one = context.word("piece")
    text = (
        f"A player who may not use {best['piece']} loses most, {words.points(best['estimate'])} points of win share "
        f"({words.points_range(best['low'], best['high'])}), averaged over which other {context.word('pieces')} "
        f"it lacks too (up to {best['others']}), {context.play}."
    )
    rows = shapley.iter_rows(named=True)
    heads = [
        Column(one),
        Column("worth to its owner", True, "points of win share with it less without it"),
        SPAN,
    ]
    heads += [Column("by one ban", True, "the same with all others allowed"), Column("verdict")]
    table = [
        [
            Cell(r["piece"]),
            *_change(r),
            Cell(words.points(r["alone"]), sort_key(r["alone"])),
            Cell(r["verdict"]),
        ]
        for r in rows
    ]
    return [Text(text), Table(heads, table, title="Shapley values by bans of one player"), *notes(shapley)]


def places(context: Context) -> list[Block]:
    """A map of each board, where the game tells places and decisions were logged."""
    import polars as pl

    frame = context.made("placements")
    if frame is None:
        return []
    blocks: list[Block] = []
    keys = ["board", "players", "sides"]
    for part in frame.partition_by(keys, maintain_order=True)[:4]:
        every = part.filter(pl.col("piece") == "")
        row = every.sort("placed", descending=True).row(0, named=True)
        where = f" on {row['map']}" if row["map"] else ""
        table = f" with {words.table(row)}" if context.many_tables else ""
        blocks.append(
            Text(
                f"Most is put on {row['place']}{where}{table} ({words.percent(row['share'], 0)} of all); what goes "
                f"with winning need not be the reason, for who is ahead can go where others cannot, {context.play}."
            )
        )
        ax = plots.place_map(every, title=None)
        blocks.append(context.picture(ax, f"Where are {context.word('pieces')} put{where}{table}?"))
        clear = part.filter((pl.col("flag") != "") & (pl.col("piece") != ""))
        if clear.height:
            clear = clear.sort(pl.col("estimate").abs(), descending=True).head(MOST_ROWS)
            heads = [Column(context.word("piece")), Column("place"), Column("of its placements", True)]
            heads += [Column("win share", True, "points against putting it elsewhere"), SPAN]
            rows = [
                [
                    Cell(r["piece"]),
                    Cell(r["place"]),
                    Cell(words.percent(r["share"], 0), r["share"]),
                    *_change(r),
                ]
                for r in clear.iter_rows(named=True)
            ]
            blocks.append(Table(heads, rows, title="Places that go with winning or losing", folded=True))
    return blocks


def closer(context: Context) -> list[Block]:
    """The other questions, in the order of the catalogue; empty where the data raise none of them."""
    few = context.of_at_most(MOST_FITTED)
    blocks: list[Block] = []
    for tell in (_decides, _others, _forced, _circle, _choices, _when, _apart, _levels, _moved, _settled):
        blocks += tell(few)
    return [*few.says_so(), *blocks] if blocks and few is not context else blocks


SPAN = Column("95% interval", True)


def _change(row: dict[str, Any]) -> list[Cell]:
    """A difference of win share and its interval."""
    low, high = row["low"], row["high"]
    return [
        Cell(words.points(row["estimate"]), sort_key(row["estimate"])),
        Cell(words.points_range(low, high), sort_key(low)),
    ]


def _folded(title: str, heads: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> Table:
    return Table(list(heads), list(rows), title=title, folded=True)


def _decides(context: Context) -> list[Block]:
    frame = context.made("luck_components")
    if frame is None or frame["component"].n_unique() < 3:
        return []
    blocks: list[Block] = []
    for name, part in context.by_table(frame):
        known = [r for r in part.iter_rows(named=True) if r["low"] is not None and r["low"] > 0]
        told = [f"{r['component']} {words.percent(r['estimate'], 0)}" for r in known]
        if not told:
            continue
        blocks.append(Text(f"Of the differences in who wins{name}: {words.listing(told)}."))
        rows = [
            [
                Cell(r["component"]),
                Cell(words.percent(r["estimate"]), sort_key(r["estimate"])),
                Cell(words.percent_range(r["low"], r["high"]), sort_key(r["low"])),
            ]
            for r in part.iter_rows(named=True)
        ]
        heads = [Column("component"), Column("share of the variance", True), SPAN]
        blocks.append(_folded(f"What decides who wins{name}?", heads, rows))
    return blocks


def _others(context: Context) -> list[Block]:
    frame = context.made("kingmaking")
    if frame is None:
        return []
    out: list[Block] = []
    for name, part in context.by_table(frame):
        at = {r["measure"]: r for r in part.iter_rows(named=True)}
        made, turns = at["made king"], at["turns out"]
        if made["estimate"] is None or not turns["estimate"]:
            continue
        out.append(
            Text(
                f"In {words.percent(made['estimate'])} of games{name} "
                f"({words.percent_range(made['low'], made['high'])}) the winner took the lead for good in the turn of "
                f"another player who was out of contention; such players take {words.percent(turns['estimate'], 0)} of "
                "the turns."
            )
        )
    return out


def _forced(context: Context) -> list[Block]:
    frame = context.made("forced_share") if context.d.has("decisions") else None
    if frame is None:
        return []
    return [
        Text(
            f"{words.percent(r['estimate'], 0)} of the turns{name} left nothing to decide "
            f"({words.percent_range(r['low'], r['high'], 0)})."
        )
        for name, part in context.by_table(frame)
        for r in part.head(1).iter_rows(named=True)
        if r["estimate"]
    ]


def _circle(context: Context) -> list[Block]:
    frame = context.made("cycles")
    if frame is None:
        return []
    row = frame.row(0, named=True)
    if row["p"] is None or row["p"] >= context.alpha or not row["cycle"]:
        return []
    return [
        Text(
            f"Who beats whom is no mere ladder: {words.percent(row['estimate'], 0)} of it goes round in circles, "
            f"most of all {row['cycle']}."
        )
    ]


def _choices(context: Context) -> list[Block]:
    blocks: list[Block] = []
    for name, verb in (("picks_against_worth", "pick"), ("bans_against_worth", "ban")):
        if name == "picks_against_worth" and not context.d.has("drafts"):
            continue
        frame = context.made(name)
        if frame is None:
            continue
        row = frame.row(0, named=True)
        follows = "strong" if row["slope_low"] > 0 else "weak" if row["slope_high"] < 0 else ""
        odd = [r for r in frame.iter_rows(named=True) if r["flag"]]
        text = (
            f"They {verb} what is {follows}"
            if follows
            else f"Whether they {verb} what is strong cannot be told from these games"
        )
        if odd:
            text += "; beyond the others, " + words.listing(f"{r['piece']} is {r['flag']}" for r in odd)
        blocks.append(Text(f"{text} (worth: {row['source']})."))
    return blocks


def _when(context: Context) -> list[Block]:
    if not context.d.has("pieces"):
        return []
    frame = context.made("value_by_turn")
    if frame is None:
        return []
    early = [part for part in frame.partition_by("piece", maintain_order=True) if part.height > 1]
    fading = [p["piece"][0] for p in early if p["low"][0] > p["high"][-1]]
    growing = [p["piece"][0] for p in early if p["high"][0] < p["low"][-1]]
    if len(growing) > len(early) / 2:
        growing = []  # who is alive late does well with anything
    if not fading and not growing:
        return []
    told = [f"{words.listing(names)} {how}" for names, how in ((fading, "early"), (growing, "late")) if names]
    rows = [
        [Cell(r["piece"]), Cell(f"{r['turn_from']} to {r['turn_to']}", r["turn_from"]), *_change(r)]
        for r in frame.filter(frame["piece"].is_in([*fading, *growing])).iter_rows(named=True)
    ]
    heads = [
        Column(context.word("piece")),
        Column("first played in turns"),
        _above("not yet having it"),
        SPAN,
    ]
    return [
        Text(f"When {words.an(context.word('piece'))} comes goes with winning: {'; '.join(told)}."),
        _folded("When is it worth having?", heads, rows),
    ]


def _above(what: str) -> Column:
    return Column("win share", True, f"points against {what}: it goes with winning")


def _apart(context: Context) -> list[Block]:
    frame = context.made("confounding") if context.d.has("pieces") else None
    if frame is None:
        return []
    rows = [r for r in frame.iter_rows(named=True) if r["flips"] or r["differs"]]
    if not rows:
        return []
    kinds = (("all together", "pooled"), ("told apart", "stratified"), ("beside the others", "adjusted"))
    heads = [Column(context.word("piece")), *(Column(f"win share, {word}", True) for word, _ in kinds)]
    table = [
        [Cell(r["piece"]), *(Cell(words.points(r[name]), sort_key(r[name])) for _, name in kinds)]
        for r in rows
    ]
    turned = [r["piece"] for r in rows if r["flips"]]
    text = (
        f"Owning {words.listing(turned)} looks the other way round once the games are told apart"
        if turned
        else f"What goes with owning {words.listing(r['piece'] for r in rows)} is in part due to what comes with it"
    )
    return [Text(f"{text}."), _folded("Would the answer turn round if games were told apart?", heads, table)]


def _levels(context: Context) -> list[Block]:
    import analysis

    out: list[Block] = []
    for factor in context.factors[:3]:
        if factor in ("players", "players.count") or context.d.cells[factor].n_unique() < 3:
            continue  # of two levels nothing is shrunk
        frame = context.ask(f"shrunk {factor}", partial(analysis.shrunk_levels, context.d, factor))
        if frame is None:
            continue
        clear = frame.filter(frame["q_alike"] < context.alpha)
        if clear.is_empty():
            continue
        about = list(dict.fromkeys(_about(r) for r in clear.iter_rows(named=True)))
        rows = [
            [
                Cell(_about(r)),
                Cell(context.level_of(factor, str(r["level"]))),
                Cell(words.points(r["eb"]), sort_key(r["eb"])),
                Cell(words.points_range(r["eb_low"], r["eb_high"]), sort_key(r["eb_low"])),
            ]
            for r in clear.iter_rows(named=True)
        ]
        out.append(Text(f"Not the same at each {factor}: {words.listing(about)}."))
        heads = [Column(""), Column(factor), Column("win share", True, "points, small samples shrunk"), SPAN]
        out.append(_folded(f"What depends on {factor}?", heads, rows))
    return out


def _about(row: dict[str, Any]) -> str:
    return words.seat(int(row["about"])) if row["what"] == "seat" else str(row["about"])


def _moved(context: Context) -> list[Block]:
    frame = context.made("no_harm") if len(context.factors) else None
    if frame is None:
        return []
    out: list[Block] = []
    for part in frame.partition_by("change", maintain_order=True):
        names = {
            word: list(dict.fromkeys(_measure(r) for r in part.iter_rows(named=True) if r["verdict"] == word))
            for word in ("unmoved", "moved")
        }
        if not names["unmoved"] and not names["moved"]:
            continue
        told = [f"moved: {words.listing(names['moved'], 8)}"] if names["moved"] else []
        if names["unmoved"]:
            told.append(f"shown to stay within its margin: {words.listing(names['unmoved'], 8)}")
        out.append(Text(f"With {part['change'][0]} {'; '.join(told)}."))
    return out[:8]


def _measure(row: dict[str, Any]) -> str:
    return f"{row['piece']}" if row["piece"] else str(row["measure"])


def _settled(context: Context) -> list[Block]:
    import polars as pl

    frame = context.made("convergence")
    if frame is None:
        return []
    halves = frame.filter((pl.col("what") == "pieces") & pl.col("estimate").is_not_null())
    if halves.is_empty():
        return []
    last = halves.row(-1, named=True)
    word = (
        "agree" if last["estimate"] >= 0.9 else "agree in part" if last["estimate"] >= 0.5 else "do not agree"
    )
    return [
        Text(
            f"Two halves of the deals {word} on the order of the {context.word('pieces')} (rank correlation "
            f"{last['estimate']:.2f} of {words.number(last['deals_so_far'])} deals)."
        )
    ]


SECTIONS: dict[str, tuple[str, Callable[[Context], list[Block]]]] = {
    "worth": ("Worth to its owner", worth),
    "places": ("Where {pieces} are put", places),
    "closer": ("A closer look", closer),
}
