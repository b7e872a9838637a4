"""The short answer: plain sentences with their verdicts, in per cent beside the fair share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.report import words
from analysis.report.blocks import TONES, Block, Statement, Text
from analysis.report.context import TABLE
from analysis.report.course_answer import course
from analysis.report.factors import contestants
from analysis.report.variant_answer import statements

if TYPE_CHECKING:
    import polars as pl

    from analysis.report.context import Context

MOST_DEPENDS = 6


def short_answer(context: Context) -> list[Block]:
    """What the data say about seats, pieces and bans, for whose play, and on which maps."""
    blocks: list[Block] = [
        *_seats(context),
        *_contestants(context),
        *_pieces(context),
        *_levels(context),
        *_bans(context),
        *statements(context),
        *course(context),
    ]
    if not blocks:
        blocks = [Text("These data allow no answer yet: " + "; ".join(context.why_not.values()) + ".")]
    judge, one = context.d.judge, context.word("piece")
    margins = (
        f"A seat counts as balanced within ±{100 * judge.seat:g} points of its fair share, {words.an(one)} within "
        f"±{100 * judge.piece:g} points of win share a copy of the average {one}"
    )
    if judge.pieces:
        own = ", ".join(
            f"{name} {words.points_range(low, high)}" for name, (low, high) in judge.pieces.items()
        )
        margins += f"; meant to differ: {own}"
    varied = [name for name in context.factors if name not in TABLE]
    if varied:
        margins += (
            f". Where nothing else is said, the answers average over {words.plural(context.d.cells.height, 'cell')} "
            f"({words.listing(varied)})"
        )
    apart = context.apart
    if apart:
        margins += (
            f". {words.plural(apart, 'cell')}, in which unlike bots meet, "
            f"{'tells' if apart == 1 else 'tell'} of luck and skill alone"
        )
    blocks.append(Text(f"{margins}. Ranges in brackets are 95% intervals.", "note"))
    return blocks


def _statement(context: Context, text: str, verdict: str) -> Statement:
    return Statement(text, words.soften(verdict, context.doubtful), TONES.get(verdict, "undecided"))


def _seats(context: Context) -> list[Block]:
    tests, seats = context.seat_tests, context.seats
    if tests is None or seats is None:
        return []
    return [
        _statement(context, seat_sentence(test, seats, context), str(test["verdict"]))
        for test in tests.iter_rows(named=True)
    ]


def seat_sentence(test: dict[str, Any], seats: pl.DataFrame, context: Context) -> str:
    """Return the sentence on the seats of one table size."""
    import polars as pl

    here = (pl.col("players") == test["players"]) & (pl.col("sides") == test["sides"])
    rows = list(seats.filter(here).sort("seat").iter_rows(named=True))
    fair = words.percent(rows[0]["fair"])
    table = f"With {words.table(test)}"
    margin = f"±{100 * context.d.judge.seat:g} points"
    if test["verdict"] == "balanced":
        low, high = min(r["estimate"] for r in rows), max(r["estimate"] for r in rows)
        return (
            f"{table} the seats {_are(context)} balanced within {margin} {context.scope}: each wins between "
            f"{words.percent(low)} and {words.percent(high)} where a fair share is {fair}."
        )
    if test["verdict"] == "unbalanced":
        uneven = [r for r in rows if r["verdict"] in ("favoured", "unfavoured")] or [_furthest(rows)]
        parts = "; ".join(f"{words.seat(r['seat'])} wins {_share(r)}" for r in uneven)
        uneven_words = "may not be even" if context.doubtful else "are not even"
        return f"{table} the seats {uneven_words} {context.scope}: {parts}, where a fair share is {fair}."
    row = _furthest(rows)
    if test["verdict"] == "too few to say":
        deals = f"{words.plural(int(test['games']), 'game')} on {words.plural(int(test['deals']), 'deal')}"
        return f"{table} {deals} are too few to say whether the seats are even."
    if test["verdict"] == "uneven":
        off = [r for r in rows if r["verdict"] in ("above", "below")]
        parts = "; ".join(f"{words.seat(r['seat'])} wins {_share(r)}" for r in off)
        return (
            f"{table} the seats {_are(context)} off the fair {fair} beyond chance {context.scope}, but not shown to "
            f"be off by more than {margin}: {parts}."
        )
    return (
        f"{table} it is undecided whether the seats are even within {margin} {context.scope}. Furthest from "
        f"the fair {fair} is {words.seat(row['seat'])} with {_share(row)}."
    )


def _are(context: Context, verb: str = "are") -> str:
    return "may be" if context.doubtful else verb


def _furthest(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return max(rows, key=lambda row: abs(row["estimate"] - row["fair"]))


def _share(row: dict[str, Any]) -> str:
    return f"{words.percent(row['estimate'])} ({words.percent_range(row['low'], row['high'])})"


def _change(row: dict[str, Any]) -> str:
    return f"{words.points(row['estimate'])} ({words.points_range(row['low'], row['high'])})"


def _contestants(context: Context) -> list[Block]:
    """Which bot, deck or player wins most; no verdict, for no margin says how even they are meant to be."""
    blocks: list[Block] = []
    on = f" {context.on_maps}" if context.on_maps else ""
    for kind, frame in contestants(context):
        for _, part in context.by_table(frame):
            rows = part.sort("estimate", descending=True).to_dicts()
            if len(rows) < 2:
                continue
            best, others = rows[0], rows[1:4]
            # The best of several is partly the luckiest one.
            beyond = (
                best["p"] is not None and best["p"] * len(rows) < 0.05 and best["estimate"] > best["fair"]
            )
            rest = words.listing(f"{r['who']} {words.percent(r['estimate'])}" for r in others)
            text = (
                f"With {words.table(best)} the {kind} {best['who']} wins most{on}: {_share(best)}, where a "
                f"fair share is {words.percent(best['fair'])}; then {rest}."
            )
            word = "beyond chance" if beyond else "undecided"
            blocks.append(
                Statement(text, words.soften(word, context.doubtful), "note" if beyond else "undecided")
            )
    return blocks


def _pieces(context: Context) -> list[Block]:
    frame = context.pieces
    if frame is None:
        return []
    blocks: list[Block] = []
    for verdict in ("strong", "weak"):
        rows = [r for r in frame.iter_rows(named=True) if r["verdict"] == verdict]
        rows.sort(key=lambda row: -abs(row["estimate"]))
        if rows:
            blocks.append(_statement(context, _beyond(rows, verdict, context), verdict))
    one = context.word("piece")
    for verdict, text in (
        ("above", f"above the average {one} beyond chance, but not shown to lie beyond the margin"),
        ("below", f"below the average {one} beyond chance, but not shown to lie beyond the margin"),
        ("balanced", f"within the margin around the average {one}"),
        ("undecided", "shown neither to lie within the margin nor beyond it"),
        ("too few to say", "too few deals to say anything"),
        ("not used by these bots", "hardly ever played by these bots, so that nothing is said of its worth"),
    ):
        rows = [r for r in frame.iter_rows(named=True) if r["verdict"] == verdict]
        rows = [r for r in rows if r["estimate"] is not None]  # the rest the section on pieces names
        if rows:
            names = [str(r["piece"]) for r in rows]
            if verdict in ("above", "below"):
                names = [
                    f"{r['piece']} {_change(r)}" for r in sorted(rows, key=lambda r: -abs(r["estimate"]))
                ]
            sentence = f"{words.listing(names, 12)}: {text}, {context.scope}."
            blocks.append(_statement(context, sentence, verdict))
    return blocks


def _beyond(rows: list[dict[str, Any]], verdict: str, context: Context) -> str:
    """Return the sentence on strong or on weak pieces."""
    if len(rows) > 1:
        parts = words.listing((f"{r['piece']} {_change(r)}" for r in rows), 8)
        names = words.listing((r["piece"] for r in rows), 8)
        return (
            f"{names} {_are(context)} {verdict} {context.scope}. Points of win share that each copy adds, "
            f"against the average other {context.word('piece')}: {parts}."
        )
    row = rows[0]
    text = (
        f"{row['piece']} {_are(context, 'is')} {verdict} {context.scope}: each copy adds {_change(row)} "
        f"points of win share, against the average other {context.word('piece')}"
    )
    if not context.many_tables:
        fair = 1 / context.d.tables[0][1]
        text += f"; from a fair {words.percent(fair)} to about {words.percent(fair + row['estimate'])}"
    return text + "."


def _levels(context: Context) -> list[Block]:
    """What of the seats and pieces is another at another level of a factor: the largest tested difference of each."""
    import polars as pl

    frame = context.depends
    if frame is None:
        return []
    clear = frame.filter(pl.col("depends")).sort(
        pl.col("estimate").abs().round(6), "about", descending=[True, False]
    )
    kept: dict[tuple[str, str], dict[str, Any]] = {}
    for r in clear.iter_rows(named=True):
        kept.setdefault((r["factor"], r["about"] if r["what"] == "piece" else ""), r)
    order = {name: k for k, name in enumerate(context.factors)}
    rows = sorted(kept.values(), key=lambda r: (order[r["factor"]], r["what"] != "seat"))
    blocks: list[Block] = [
        Statement(_dependence(r, context), words.soften("depends", context.doubtful), "note") for r in rows
    ]
    if len(blocks) > MOST_DEPENDS:
        left = words.plural(len(blocks) - MOST_DEPENDS, "more such difference")
        return [*blocks[:MOST_DEPENDS], Text(f"{left} of seats or pieces below.", "note")]
    return blocks


def _dependence(row: dict[str, Any], context: Context) -> str:
    name = row["factor"]
    level, against = (context.level_of(name, row[end]) for end in ("level", "against"))
    if row["what"] == "seat":
        return (
            f"Which seat wins depends on {name} {context.play}: {words.seat(int(row['about']))}"
            f"{_at_table(context, row)} gets {_change(row)} points with {level} against {against}."
        )
    return (
        f"What {row['about']} is worth depends on {name} {context.play}: {_change(row)} points a copy with {level} "
        f"against {against} ({words.points(row['with'])} against {words.points(row['without'])})."
    )


def _at_table(context: Context, row: dict[str, Any]) -> str:
    return f" with {words.table(row)}" if context.many_tables else ""


def _bans(context: Context) -> list[Block]:
    frame = context.bans_on_pieces
    if frame is None or "q" not in frame.columns:
        return []
    clear = [r for r in frame.iter_rows(named=True) if r["q"] is not None and r["q"] < 0.05]
    if not clear:
        done = words.listing(dict.fromkeys(frame["did"]))
        piece = context.word("piece")
        text = f"No {piece} that is {done} changes the strength of another one beyond chance {context.scope}."
        return [_statement(context, text, "undecided")]
    clear.sort(key=lambda row: -abs(row["estimate"]))
    parts = "; ".join(
        f"with {r['banned']} {r['did']}, {r['piece']} {'gains' if r['estimate'] > 0 else 'loses'} "
        f"{words.points(abs(r['estimate'])).lstrip('+')} points"
        for r in clear[:3]
    )
    more = f" {words.plural(len(clear) - 3, 'more such change')} below." if len(clear) > 3 else ""
    done = words.listing(dict.fromkeys(r["did"] for r in clear))
    return [
        Statement(
            f"It matters what is {done} {context.scope}: {parts} a copy.{more}",
            "beyond chance",
            "note",
        ),
    ]
