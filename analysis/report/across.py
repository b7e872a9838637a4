"""The short answer where something was compared: the base, each level, the tested difference; never an average."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import analysis
from analysis.changes.settings import SETTING
from analysis.data.questions import SIZE
from analysis.report import words
from analysis.report.across_sections import DIFFERS, OPEN, ROWS_SHOWN, SAME, matrix
from analysis.report.axes import settled_by
from analysis.report.blocks import TONES, Block, Cell, Column, Statement, Table, Text, verdict_cell
from analysis.report.levels import measured, measured_range
from analysis.report.tables import sort_key
from analysis.stats import together
from analysis.stats.verdicts import CONDITIONED, TOO_FEW

if TYPE_CHECKING:
    from analysis.data.questions import Question
    from analysis.report.context import Context

Row = dict[str, Any]
Say = Callable[[Row], str]

FEW = 5  # settings that a sentence can list; of more it tells the base and what differs most
NAMED = 3  # of those that differ
PIECES_NAMED = 6  # pieces that get a sentence of their own


def seats(context: Context, question: Question, alone: Callable[[Context], list[Block]]) -> list[Block]:
    """The seats of each kind of table under each setting; `alone` tells of one setting by itself."""
    frame = context.compared
    if frame is None:
        return []
    blocks: list[Block] = []
    rows = [r for r in frame.iter_rows(named=True) if r["what"] == "seat"]
    for table in dict.fromkeys((r["players"], r["sides"]) for r in rows):
        mine = [r for r in rows if (r["players"], r["sides"]) == table]
        names = list(dict.fromkeys(r["setting"] for r in mine))
        if len(names) == 1:
            blocks += _by_itself(context, names[0], alone, table)
            continue
        merged = _merged(mine)
        fair = f"a fair share is {words.percent(mine[0]['fair'])}"
        what = "Seat A" if table == (2, 2) else "the seats"
        by = _factors(question, sizes=False)
        head = f"With {words.table(mine[0])}, {what} by {by} {context.scope_of(question)} ({fair})"
        title = f"Seats with {words.table(mine[0])}, setting by setting"
        blocks += _told(context, head, merged, _seat_value, _seat_change, title)
    return blocks


def _by_itself(
    context: Context, name: str, alone: Callable[[Context], list[Block]], table: tuple[int, int]
) -> list[Block]:
    """What was played under one setting only, at tables of this kind."""
    part = context.part_of(name)
    found: list[Block] = []
    for block in alone(part) if part is not None else []:
        if isinstance(
            block, Statement
        ) and f"With {words.table({'players': table[0], 'sides': table[1]})} " in (f"{block.text} "):
            found.append(labelled(block, name))
    return found


def labelled(block: Statement, name: str) -> Statement:
    """The sentence with the setting that it holds for."""
    if not name or name in block.text:
        return block
    return Statement(f"With {name}: {block.text}", block.verdict, block.tone)


def _merged(rows: Sequence[Row]) -> list[Row]:
    """One row a setting: the seat furthest from fair there, the seat that moves most, and a word on all of them."""
    out = []
    for key in dict.fromkeys((r["setting"], r["against"]) for r in rows):
        mine = [r for r in rows if (r["setting"], r["against"]) == key]
        far = max(mine, key=lambda r: abs(r["value"] - r["fair"]))
        if len(mine) == 2:
            far = mine[0]
        tested = [r for r in mine if r["estimate"] is not None]
        moved = max(tested, key=lambda r: (r["differs"], abs(r["estimate"])), default=far)
        own = together([str(r["verdict"]) for r in mine])
        change = {name: moved[name] for name in ("estimate", "low", "high", "about")}
        every = bool(tested) and all(r["same"] for r in tested)
        out.append(
            {
                **far,
                "moved": change["about"],
                **{k: change[k] for k in ("estimate", "low", "high")},
                "differs": any(r["differs"] for r in mine),
                "same": every,
                "seat": far["about"],
                "word": str(far["verdict"]) if len(mine) == 2 else own,
                "two": len(mine) == 2,
            }
        )
    return out


def _seat_value(row: Row) -> str:
    share = words.share(row["value"], row["value_low"], row["value_high"], row["fair"])
    if row["two"]:
        return f"{share} {row['word']}"
    return f"{row['word']}, furthest {words.seat(int(row['seat']))} {share}"


def _seat_change(row: Row) -> str:
    who = "" if row["two"] else f"{words.seat(int(row['moved']))} "
    return f"{who}{words.change(row['estimate'], row['low'], row['high'])}"


def pieces(context: Context, question: Question, alone: Callable[[Context], list[Block]]) -> list[Block]:
    """Each piece that is asked for, or that differs; then what each setting says of all."""
    frame = context.compared
    if frame is None:
        return []
    rows = [r for r in frame.iter_rows(named=True) if r["what"] == "piece" and r["value"] is not None]
    names = list(dict.fromkeys(r["setting"] for r in rows))
    if not names:
        return alone(context)
    if len(names) == 1:
        part = context.part_of(names[0], sizes=True)
        return [
            labelled(b, "" if context.single else names[0]) if isinstance(b, Statement) else b
            for b in (alone(part) if part else [])
        ]
    blocks: list[Block] = []
    every = list(dict.fromkeys(str(r["about"]) for r in rows))
    far = {
        p: max((abs(r["estimate"]) for r in rows if r["about"] == p and r["differs"]), default=0.0)
        for p in every
    }
    moved = sorted((p for p in every if far[p]), key=lambda p: -far[p])
    named = list(question.about) or moved[:PIECES_NAMED]
    for piece in named:
        mine = [r for r in rows if r["about"] == piece]
        if not mine:
            blocks.append(Text(f"These data say nothing of {piece}.", "note"))
            continue
        head = (
            f"{piece} by {_factors(question)} {context.scope_of(question)}, in points of win share for "
            f"each copy"
        )

        title = f"{piece}, setting by setting, in points of win share for each copy"
        blocks += _told(context, head, mine, _piece_value, _points_change, title)
    if question.about:
        return blocks
    if len(moved) > PIECES_NAMED:
        left = words.listing(moved[PIECES_NAMED:], 12)
        blocks.append(Text(f"{left}: differ too, less; see below.", "note"))
    still = [p for p in every if not far[p]]
    if not moved:
        others = names[1] if len(names) == 2 else "any other setting"
        text = (
            f"No {context.word('piece')} is shown to be worth more or less with {others} than with {names[0]} "
            f"{context.play}. {settled_by(context, rows)}"
        ).rstrip()
        blocks.append(_say(context, text, OPEN))
    elif still:
        open_rows = [r for r in rows if r["about"] in still]
        text = f"{words.listing(still, 14)}: not shown to differ by {_factors(question)}."
        text = f"{text} {settled_by(context, open_rows)}".rstrip()
        blocks.append(_say(context, text, OPEN))
    shown = names if len(names) <= FEW else names[:1]
    alike: dict[str, list[str]] = {}
    for name in shown:
        here = [r for r in rows if r["setting"] == name]
        only = {str(r["verdict"]) for r in here}
        if len(only) == 1:
            alike.setdefault(only.pop(), []).append(name)
        else:
            blocks.append(_say(context, _verdicts(here, name, context), "by itself"))
    for word, several in alike.items():
        text = (
            f"With {words.listing(several)}, every {context.word('piece')} against the average other "
            f"one: {word}."
        )

        if word == "undecided":
            text = f"{text} {settled_by(context, [r for r in rows if r['setting'] in several])}".rstrip()
        blocks.append(_say(context, text, word))
    if len(names) > FEW:
        blocks.append(matrix(rows, names, context))
    return blocks


def _piece_value(row: Row) -> str:
    return f"{words.change(row['value'], row['value_low'], row['value_high'])}, {row['verdict']}"


def _points_change(row: Row) -> str:
    return words.change(row["estimate"], row["low"], row["high"])


def _verdicts(rows: Sequence[Row], name: str, context: Context) -> str:
    """What one setting says of all pieces."""
    parts = []
    seen = {str(r["about"]): r for r in rows}.values()
    for verdict in words.VERDICT_MEANS:
        mine = [r for r in seen if r["verdict"] == verdict]
        mine.sort(key=lambda r: -abs(r["value"]))
        if mine:
            sized = verdict in ("strong", "weak", "above", "below")
            listed = [f"{r['about']} {words.points(r['value'])}" if sized else str(r["about"]) for r in mine]
            parts.append(f"{words.soften(verdict, context.doubtful)}: {words.listing(listed, 14)}")
    return f"With {name}, each {context.word('piece')} against the average other one:\n{'; '.join(parts)}."


def bans(context: Context, question: Question, without: Sequence[str]) -> list[Block]:
    """Whether what a ban does depends on what was compared."""
    axes = [one for one in question.across if one.factor not in without]
    told = context.settings(sizes=True, without=without)
    if not axes or told is None or len(told.names) < 2:
        return []
    beside = [name for name in question.apart if name not in without]
    frame = context.ask("bans compared", lambda: analysis.compare_bans(context.d, axes, beside))
    rows = [] if frame is None else frame.to_dicts()
    tested = [r for r in rows if r["estimate"] is not None]
    if not tested:
        return []
    by = words.listing([*(one.factor for one in axes), *beside])
    clear = sorted((r for r in tested if r["differs"]), key=lambda r: -abs(r["estimate"]))
    if not clear:
        text = (
            f"What a ban does is not shown to depend on {by} {context.play}, of {len(tested):,} "
            f"differences tested."
        )

        return [_say(context, text, OPEN)]
    lines = [f"What a ban does depends on {by} {context.play}, in points:"]
    lines += [_ban(r, {x["setting"]: x for x in rows if _alike(x, r)}) for r in clear[:NAMED]]
    lines += [f"{len(clear) - NAMED} more of {len(tested):,} tested."] if len(clear) > NAMED else []
    return [_say(context, "\n".join(lines), DIFFERS)]


def _alike(row: Row, other: Row) -> bool:
    return all(row[name] == other[name] for name in ("what", "banned", "about", "players", "sides"))


def _ban(row: Row, by: dict[str, Row]) -> str:
    """What a ban does to one piece, or to Seat A, at the base and elsewhere."""
    what = str(row["about"]) if row["about"] else f"Seat A with {words.table(row)}"
    base = by[row["against"]]
    return (
        f"{row['banned']} banned, {what}: {row['against']} (the base) {words.points(base['value'])}; "
        f"{row['setting']} "
        f"{words.points(row['value'])}, {_points_change(row)} against the base."
    )


def length(context: Context, question: Question, alone: Callable[[Context], list[Block]]) -> list[Block]:
    """How long games are under each setting."""
    frame = context.compared
    if frame is None:
        return []
    blocks: list[Block] = []
    rows = [r for r in frame.iter_rows(named=True) if r["what"] not in ("seat", "piece")]
    beside = _beside(context)
    for table in dict.fromkeys((r["players"], r["sides"]) for r in rows):
        mine = [
            {**r, "beside": beside.get((r["setting"], *table), "")}
            for r in rows
            if (r["players"], r["sides"]) == table
        ]
        named = list(dict.fromkeys(r["setting"] for r in mine))
        unit = "turns of all players" if mine[0]["what"] == "turns" else mine[0]["what"]
        head = f"A game with {words.table(mine[0])}"
        if len(named) == 1:
            text = f"{head} takes {_length_value(mine[0])} {unit}{mine[0]['beside']}, {context.play}."
            blocks.append(labelled(_say(context, text, "measured"), named[0]))
            continue
        head += f", in {unit}, by {_factors(question, sizes=False)} {context.play}"
        few = len(named) <= FEW
        title = f"Length with {words.table(mine[0])}, setting by setting, in {unit}"
        blocks += _told(context, head, mine, _length_and if few else _length_value, _length_change, title)
    return blocks


def _length_and(row: Row) -> str:
    return f"{_length_value(row)}{row['beside']}"


def _length_value(row: Row) -> str:
    low, high = row["value_low"], row["value_high"]
    if words.missing(low) or words.missing(high):
        return measured(row["what"], row["value"])
    if words.a_point(low, high):
        return words.exactly(row["value"])
    digits = words.carried(low, high, scale=1.0)
    ends = f"{words.number(float(low), digits)} to {words.number(float(high), digits)}"
    return f"{words.number(float(row['value']), digits)} ({ends})"


def _length_change(row: Row) -> str:
    what = row["what"]
    return f"{measured(what, row['estimate'], True)} ({measured_range(what, row['low'], row['high'])})"


def _beside(context: Context) -> dict[tuple[Any, ...], str]:
    """How often games of a setting are stopped and tied, and how often who ends them wins."""
    told = context.settings()
    out: dict[tuple[Any, ...], str] = {}
    if told is None:
        return out
    frames = {
        "stopped": context.ask("stopped by setting", lambda: analysis.length(told.d, by=SETTING)),
        "tied": context.ask("ties by setting", lambda: analysis.ties(told.d, by=SETTING)),
        "won by who ends them": context.ask("enders by setting", lambda: analysis.enders(told.d, by=SETTING)),
    }
    for what, frame in frames.items():
        if frame is None:
            continue
        for r in frame.iter_rows(named=True):
            if r.get("measure", "turns") != "turns":
                continue
            share = r["capped"] if what == "stopped" else r["estimate"]
            if (
                share and round(share, 3) and not (what.startswith("won") and share == 1)
            ):  # the rules force it
                key = (r[SETTING], r["players"], r["sides"])
                out[key] = f"{out.get(key, '')}, {words.percent(share)} {what}"
    return out


def _told(
    context: Context, head: str, rows: Sequence[Row], value: Say, change: Say, title: str
) -> list[Block]:
    """One sentence for each base, and a table where there are too many levels for it."""
    blocks: list[Block] = []
    bases = [r for r in rows if r["base"]]
    for base in bases:
        others = [r for r in rows if r["against"] == base["setting"]]
        if not others:
            continue
        if len(others) >= FEW and not _stated(base, context):
            every = [base, *others]
            word = (
                together([str(r["verdict"]) for r in every if r["verdict"] is not None])
                if base["verdict"]
                else "measured"
            )
            text = f"{head}: {_range_of(every, value)}\n{settled_by(context, every)}"
            blocks.append(_say(context, text.rstrip(), word))
            blocks.append(_table(every, value, change, title, based=False))
            continue
        body = (_few if len(others) < FEW else _many)(base, others, value, change)
        badge = _badge(base, others)
        then = settled_by(context, [base, *others]) if badge == OPEN else ""
        blocks.append(_say(context, f"{head}:\n{body}\n{then}".rstrip(), badge))
        if len(others) >= FEW:
            blocks.append(_table([base, *others], value, change, title))
    return blocks


def _few(base: Row, others: Sequence[Row], value: Say, change: Say) -> str:
    parts = [f"{base['setting']} (the base) {value(base)}"]
    parts += [f"{r['setting']} {value(r)}; {_against(r, change)}" for r in others]
    return "\n".join(f"{part}." for part in parts)


def _against(row: Row, change: Say) -> str:
    """The tested difference, and what the test says."""
    if row["estimate"] is None:
        return "too few to compare with the base"
    if row["same"]:
        return f"the same within the margin, {change(row)} against the base"
    return f"{change(row)} against the base{'' if row['differs'] else ', which may be chance'}"


PLAIN = ("no bans", "none", "default", "printed", "standard", "all at the base")
"""Settings that are a base by their name."""


def _stated(base: Row, context: Context) -> bool:
    """Whether the first of many settings is a base, and not merely the first in a list."""
    first = context.asks[0]
    chosen = (context.whole.manifest.get("experiment") or {}).get("ask", {}).get("compare") is not None
    names = {one.factor for one in first.across}
    said = str(base["setting"]).removeprefix("bans ")
    return (
        chosen
        or "variant" in names
        or any(said.startswith(word) or said.endswith(f" {word}") for word in PLAIN)
    )


def _range_of(rows: Sequence[Row], value: Say) -> str:
    """Of many settings without a base among them: the ends, and how many the middle half lies between."""
    order = sorted(rows, key=lambda r: r["value"])
    low, high = order[0], order[-1]
    return (
        f"from {value(low)} with {low['setting']} to {value(high)} with {high['setting']}, of {len(rows)} "
        f"settings, each "
        "judged by itself."
    )


def _many(base: Row, others: Sequence[Row], value: Say, change: Say) -> str:
    text = f"{base['setting']} (the base) {value(base)}.\n"
    tested = sorted((r for r in others if r["estimate"] is not None), key=lambda r: -abs(r["estimate"]))
    clear = [r for r in tested if r["differs"]]
    named = [f"{r['setting']} {value(r)}; {_against(r, change)}" for r in clear[:NAMED] or tested[:1]]
    if clear:
        verb = "differs" if len(clear) == 1 else "differ"
        text += f"Of {len(others)} others {len(clear)} {verb} from it beyond chance:\n" + "\n".join(
            f"{one}." for one in named
        )
        return text + (f"\n{len(clear) - NAMED} more below." if len(clear) > NAMED else "")
    text += f"None of {len(others)} others is shown to differ from it"
    return f"{text}; furthest is {named[0]}." if named else f"{text}."


def _badge(base: Row, others: Sequence[Row]) -> str:
    for word in (CONDITIONED, TOO_FEW):
        if base["verdict"] == word:
            return word
    if any(r["differs"] for r in others):
        return DIFFERS
    return SAME if all(r["same"] for r in others) else OPEN


def _table(rows: Sequence[Row], value: Say, change: Say, title: str, based: bool = True) -> Table:
    # The base, then what differs from it, then the rest as it was played; without a base, the largest first.
    ordered = sorted(rows, key=lambda r: (not r["base"], not r["differs"]) if based else (-r["value"],))
    left = len(ordered) - ROWS_SHOWN
    note = f"{left} more settings are left out; those that differ come first." if left > 0 else ""
    title = f"{title}: all {len(rows)}" if left <= 0 else f"{title}: {ROWS_SHOWN} of {len(rows)}"
    body = [
        [
            Cell(r["setting"]),
            Cell(value(r), sort_key(r["value"])),
            *(_against_base(r, change) if based else []),
        ]
        for r in ordered[:ROWS_SHOWN]
    ]
    heads = [
        Column("setting"),
        Column("by itself", True),
        *AGAINST[: 2 * based],
    ]
    return Table(heads, body, title=title, note=note, folded=True)


AGAINST = (Column("against the base", True, "interval that holds all differences at once"), Column("tested"))


def _against_base(row: Row, change: Say) -> list[Cell]:
    text = "the base" if row["base"] else words.DASH if row["estimate"] is None else change(row)
    tested = verdict_cell(DIFFERS if row["differs"] else SAME if row["same"] else OPEN)
    return [Cell(text, sort_key(row["estimate"])), Cell("") if row["base"] else tested]


def _factors(question: Question, sizes: bool = True) -> str:
    names = [*(one.factor for one in question.across), *question.apart]
    return words.listing([name for name in names if sizes or name != SIZE])


def _say(context: Context, text: str, verdict: str) -> Statement:
    return Statement(text, words.soften(verdict, context.doubtful), TONES.get(verdict, "note"))
