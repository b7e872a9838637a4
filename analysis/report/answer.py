"""The short answer: plain sentences with their verdicts, in per cent beside the fair share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from analysis.bans_and_drafts.ban_effects import done_word, set_columns
from analysis.changes.contrasts import level_columns
from analysis.data.questions import MOST_EVEN, SCREEN, Question
from analysis.report import across, screening, words
from analysis.report.axes import settled_by
from analysis.report.blocks import TONES, Block, Statement, Text, Tone
from analysis.report.course_answer import course, luck
from analysis.report.factors import contestants
from analysis.report.people import among_equals
from analysis.report.seat_words import ruled_out
from analysis.report.variant_answer import (
    claims,
    drafts,
    drawn_levels,
    matchups,
    most_even,
    roles,
    seat_levels,
    stand_ins,
)

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset
    from analysis.report.context import Context


VERDICTS: dict[str, Tone] = {"proven": "balanced", "refuted": "weak"}
NOTHING = "No"  # how a sentence on bans begins that do nothing
MOST_PARTS = 12  # settings that are looked at one by one


def short_answer(context: Context) -> list[Block]:
    """The answer to each question that is asked, in their order, each level of what was compared by itself."""
    blocks: list[Block] = []
    for question in context.asks:
        found = ANSWERS[question.what](context, question)
        if not found and question.asked:
            found = [Text(f"{question.text} These data cannot tell{_why(context)}.", "note")]
        blocks += found
    blocks += stand_ins(context)
    blocks += stopped(context)
    if not blocks:
        blocks = [Text("These data allow no answer yet: " + "; ".join(context.why_not.values()) + ".")]
    blocks.append(Text(_margins(context), "note"))
    return blocks


def stopped(context: Context) -> list[Block]:
    """Of a run that stopped when all that was asked was decided: which verdicts that leaves standing."""
    from analysis.targets.judging import check_targets
    from analysis.targets.lines import line
    from analysis.targets.stopping import asked

    told = context.whole.manifest.get("stop") or {}
    if not told.get("alpha"):
        return []
    here, cap = told["games"][told["look"]], told["games"][-1]
    least = min((told.get("closed") or {}).values(), default=here)
    at = f"{here:,}" if least == here else f"{least:,} to {here:,}"
    text = (
        f"This run looked after planned batches and stopped at {at} of {cap:,} games for each setting"
        f"{' with all decided' if not told['open'] else ''}. What is said here below allows for all looks together; "
        "the other intervals of this page are those of a run of fixed length."
    )
    if least < here:
        text += " A setting in which all was decided got no more games, so that settings have unlike many."
    frame = check_targets(context.all, asked(context.all, told.get("when") or []))
    return [
        Text(text, "note"),
        *(
            Statement(f"{line(r)}.", r["verdict"], VERDICTS.get(r["verdict"], "undecided"))
            for r in frame.iter_rows(named=True)
        ),
    ]


def _why(context: Context) -> str:
    return ": " + "; ".join(dict.fromkeys(context.why_not.values())) if context.why_not else ""


def _margins(context: Context) -> str:
    judge, one = context.d.judge, context.word("piece")
    margins = (
        f"A seat counts as balanced within ±{100 * judge.seat:g} points of its fair share, {words.an(one)} within "
        f"±{100 * judge.piece:g} points of win share for each copy of the average {one}"
    )
    if judge.pieces:
        own = ", ".join(
            f"{name} {words.points_range(low, high)}" for name, (low, high) in judge.pieces.items()
        )
        margins += f"; meant to differ: {own}"
    frame = context.compared
    if frame is not None and (tested := int(frame["estimate"].is_not_null().sum())):
        margins += (
            f". Nothing is averaged over what was compared; differences from the base are on the same deals where "
            f"these are shared, and their intervals hold all {tested:,} of them at once"
            if tested > 1
            else ". Nothing is averaged over what was compared"
        )
    apart = context.apart
    if apart:
        margins += (
            f". {words.plural(apart, 'setting')}, in which unlike bots meet, "
            f"{'tells' if apart == 1 else 'tell'} of luck and skill alone"
        )
    return f"{margins}. Ranges in brackets are 95% intervals."


def _of_seats(context: Context, question: Question) -> list[Block]:
    found = _seats(context.parts()[0][1]) if context.single else across.seats(context, question, _seats)
    return [*found, *among_equals(context), *_each(context, roles), *_each(context, seat_levels)]


def _of_pieces(context: Context, question: Question) -> list[Block]:
    found = across.pieces(context, question, lambda part: _pieces(part, question.about))
    return found or _pieces(context.parts(sizes=True)[0][1], question.about)


def _of_length(context: Context, question: Question) -> list[Block]:
    if context.single:
        return course(context.parts()[0][1])
    return across.length(context, question, course)


def _of_players(context: Context, question: Question) -> list[Block]:
    found = _each(context, _contestants)
    return [*found, *_each(context, matchups, d=context.skill), *_each(context, luck, d=context.skill)]


def _of_bans(context: Context, question: Question) -> list[Block]:
    without = [*set_columns(context.d), *context.whether(set_columns(context.d))]
    found = _each(context, most_even, without=without) if MOST_EVEN in question.about else []
    told = _each(context, _bans, sizes=True, without=without)
    return [*found, *_alike(told, context, without), *across.bans(context, question, without)]


def _alike(blocks: Sequence[Block], context: Context, without: Sequence[str]) -> list[Block]:
    """The sentences on bans, but one alone for all settings under which no ban does anything."""
    nothing = [b for b in blocks if isinstance(b, Statement) and b.text.startswith(NOTHING)]
    if len(nothing) < 2:
        return list(blocks)
    told = context.settings(sizes=True, without=without)
    where = f"with {len(nothing)} of the settings"
    if told is not None and len(nothing) == len(told.names):
        where = f"with {words.listing(told.names, 12)}"
    done = words.listing(done_word(context.d, name) for name in set_columns(context.d))
    text = (
        f"{NOTHING} {context.word('piece')} that is {done} changes the strength of another one beyond chance"
    )
    one = _statement(context, f"{text} {context.play}, {where} alike.", "undecided")
    return [*(b for b in blocks if b not in nothing), one]


def _of_drafts(context: Context, question: Question) -> list[Block]:
    return _each(context, drafts, sizes=True)


def _of_drawn(context: Context, question: Question) -> list[Block]:
    return _each(context, drawn_levels, sizes=True, without=context.whether(level_columns(context.d)))


ANSWERS: dict[str, Callable[[Context, Question], list[Block]]] = {
    "seats": _of_seats,
    "pieces": _of_pieces,
    "players": _of_players,
    "bans": _of_bans,
    "drafts": _of_drafts,
    "drawn": _of_drawn,
    "claims": lambda context, question: claims(context),
    "length": _of_length,
    SCREEN: screening.short_answer,
}


def _each(
    context: Context,
    tell: Callable[[Context], list[Block]],
    sizes: bool = False,
    without: Sequence[str] = (),
    d: Dataset | None = None,
) -> list[Block]:
    """What is told of each setting by itself; of many settings only of the base, and that there are others."""
    found = [(name, tell(part)) for name, part in context.parts(sizes, without, d)[:MOST_PARTS]]
    told = [(name, blocks) for name, blocks in found if blocks]
    shown = told if len(told) <= across.FEW else told[:1]
    out = [
        across.labelled(block, name) if isinstance(block, Statement) else block
        for name, blocks in shown
        for block in blocks
    ]
    if len(told) > len(shown):
        out.append(Text(f"This is told of {shown[0][0]} alone, the first of several settings.", "note"))
    return out


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
        f"the fair {fair} is {words.seat(row['seat'])} with {_share(row)}. {ruled_out(rows)} "
        f"{settled_by(context, rows)}"
    ).rstrip()


def _are(context: Context, verb: str = "are") -> str:
    return "may be" if context.doubtful else verb


def _furthest(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return max(rows, key=lambda row: abs(row["estimate"] - row["fair"]))


def _share(row: dict[str, Any]) -> str:
    return words.share(row["estimate"], row["low"], row["high"], row.get("fair"))


def _change(row: dict[str, Any]) -> str:
    return words.change(row["estimate"], row["low"], row["high"])


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
                best["p"] is not None
                and best["p"] * len(rows) < context.alpha
                and best["estimate"] > best["fair"]
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


def _pieces(context: Context, only: Sequence[str] = ()) -> list[Block]:
    frame = context.pieces
    if frame is None:
        return []
    if only:
        frame = frame.filter(frame["piece"].is_in(list(only)))
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
        ("undecided", "undecided: within the margin or beyond it, more games must say"),
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
            if verdict == "undecided":
                sentence = f"{sentence} {settled_by(context, rows)}".rstrip()
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


def _bans(context: Context) -> list[Block]:
    frame = context.bans_on_pieces
    if frame is None or "q" not in frame.columns:
        return []
    clear = [r for r in frame.iter_rows(named=True) if r["q"] is not None and r["q"] < context.alpha]
    if not clear:
        done = words.listing(dict.fromkeys(frame["did"]))
        piece = context.word("piece")
        text = f"{NOTHING} {piece} that is {done} changes the strength of another one beyond chance {context.scope}."
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
            f"It matters what is {done} {context.scope}: {parts} for each copy.{more}",
            "beyond chance",
            "note",
        ),
    ]
