"""One piece's own page: its worth, over tiers, taken and played, what it scores, whom it hurts, who answers it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import stats
from analysis.data.errors import Refusal, nearest
from analysis.report import words
from analysis.report.axes import at
from analysis.report.blocks import (
    TONES,
    Block,
    Cell,
    Column,
    Glance,
    Line,
    Section,
    Table,
    Text,
    verdict_cell,
)
from analysis.report.clauses import cap
from analysis.report.found import Found, found_of
from analysis.report.sparks import Mark, spark
from analysis.report.tables import sort_key

if TYPE_CHECKING:
    import polars as pl

    from analysis.report.context import Context

Row = dict[str, Any]
KEY = "piece."
"""How a piece is asked for: `--only piece.Cactus`."""


def named(wanted: str, context: Context) -> str:
    """The piece that is asked for, as the game calls it; refuses what is none of the game's."""
    name = wanted.removeprefix(KEY)
    known = {piece.lower(): piece for piece in context.whole.piece_names}
    if name.lower() not in known:
        raise Refusal(
            f"report: {context.game_title} has no {context.word('piece')} "
            f"'{name}'{nearest(name, known.values())}"
        )
    return known[name.lower()]


def sections(piece: str, context: Context) -> list[Section]:
    """The sections of the page of one piece; what these data do not hold is left out."""
    found: list[tuple[str, str, list[Block]]] = [
        ("glance", "At a glance", _glance(piece, context)),
        ("worth", "What it is worth", _worth(piece, context)),
        ("tiers", "As play gets better", _tiers(piece, context)),
        ("used", "Taken and played", _used(piece, context)),
        ("scores", "What it scores", _scores(piece, context)),
        ("places", "Where it is put", _places(piece, context)),
        ("harm", "What it does to the others", _harm(piece, context)),
        ("answers", "Who answers it", _answers(piece, context)),
        ("bans", "When others are gone", _bans(piece, context)),
    ]
    return [Section(key, title, blocks) for key, title, blocks in found if blocks]


def _glance(piece: str, context: Context) -> list[Block]:
    found = [one for one in found_of(context, "piece") if one.about == piece]
    if not found:
        text = (
            f"What {piece} is worth cannot be told from these games: "
            f"{context.why_not.get('pieces', 'too few of them')}."
        )

        return [Glance(Line("piece", "", text, "undecided", "undecided", "", "worth"), [])]
    by: dict[str, list[Found]] = {}
    for one in found:
        by.setdefault(one.verdict, []).append(one)
    parts = [f"{_is(word)}{_sizes(mine, context, len(found))}" for word, mine in by.items()]
    average = f"the average {context.word('piece')}"
    text = (
        f"{piece} {'; '.join(parts)} (points of win share that each copy adds, against {average}), "
        f"{context.play}."
    )

    marks = [Mark(one.setting or piece, one.value, _end(one.low), _end(one.high), one.tone) for one in found]
    picture = spark(marks, 0.0, context.d.judge.piece, text)
    verdict = next(iter(by)) if len(by) == 1 else "it depends"
    line = Line(
        "piece",
        "",
        text,
        words.soften(verdict, context.doubtful),
        TONES.get(verdict, "note"),
        picture,
        "worth",
    )
    return [Glance(line, [])]


def _is(word: str) -> str:
    return {"undecided": "is undecided", "balanced": "is average within the margin"}.get(word, f"is {word}")


def _sizes(mine: Sequence[Found], context: Context, total: int) -> str:
    top = max(mine, key=lambda one: one.gap)
    size = words.change(top.value, top.low, top.high)
    if total == 1:
        return f": {size}"
    others = f", and {len(mine) - 1} more of {total} settings" if len(mine) > 1 else ""
    return f"{at(context, top.setting)}: {size}{others}"


def _end(value: float | None) -> float:
    return float("nan") if value is None else value


# -- tables from frames --------------------------------------------------------------------------------------


def _rows(frame: pl.DataFrame | None, piece: str, column: str = "piece") -> list[Row]:
    if frame is None or column not in frame.columns:
        return []
    return [
        r for r in frame.iter_rows(named=True) if str(r[column]) == piece and r.get("estimate") is not None
    ]


def _table(
    rows: Iterable[Row],
    heads: Sequence[tuple[str, Callable[[Row], str]]],
    title: str,
    context: Context,
    size: Callable[[Row, str], str] | None = None,
    note: str = "",
) -> list[Block]:
    """A table of estimates with their intervals and the games behind them; nothing without rows."""
    say = size or (lambda row, key: words.points(row[key]))
    body = [
        [
            *(Cell(make(row)) for _, make in heads),
            Cell(say(row, "estimate"), sort_key(row["estimate"])),
            Cell(f"{say(row, 'low')} to {say(row, 'high')}", sort_key(row["low"])),
            verdict_cell(row["verdict"], context.doubtful)
            if row.get("verdict")
            else Cell("goes with winning"),
            Cell(words.number(row.get("games")), row.get("games")),
        ]
        for row in rows
    ]
    columns = [*(Column(name) for name, _ in heads), Column("value", True), Column("95% interval", True)]
    return (
        [Table([*columns, Column("verdict"), Column("games", True)], body, title=title, note=note)]
        if body
        else []
    )


def _worth(piece: str, context: Context) -> list[Block]:
    found = [one for one in found_of(context, "piece") if one.about == piece]
    rows = [
        {"where": one.setting or "all games", "estimate": one.value, "low": one.low, "high": one.high}
        | {"verdict": one.verdict, "games": one.games}
        for one in found
    ]
    table = _table(
        rows, [("setting", lambda r: r["where"])], "What each copy adds, setting by setting", context
    )
    return [Text(f"What one more copy adds to the win share. {context.by_lot}"), *table] if table else []


def _tiers(piece: str, context: Context) -> list[Block]:
    table = _table(
        _rows(context.by_tier(), piece), [("play", lambda r: str(r["tier"]))], "By level of play", context
    )
    return [Text(f"Whether {piece} is worth the same to stronger play."), *table] if table else []


def _used(piece: str, context: Context) -> list[Block]:
    rows = [{**r, "verdict": None} for r in _rows(context.associations, piece) if r["share"]]
    heads = [("measure", lambda r: str(r["measure"])), ("of seats", lambda r: words.percent(r["share"], 0))]
    blocks = _table(rows, heads, "Who has it wins more by", context)
    picks = [{**r, "verdict": r["flag"] or "average"} for r in _rows(context.made("draft_picks"), piece)]
    picked = [("picked", lambda r: words.percent(r["picked"], 0))]
    blocks += _table(
        picks, picked, "How eagerly it is taken in drafts (points of chance for its pile)", context
    )
    offered = _rows(context.made("offered_taken_played"), piece)
    blocks += _table(
        offered, [("measure", lambda r: str(r["measure"]))], "Offered, taken and played", context
    )
    lead = f"How often {piece} is had and played, and how those fare who have it: who is winning plays more."
    return [Text(lead), *blocks] if blocks else []


def _scores(piece: str, context: Context) -> list[Block]:
    import polars as pl

    have = context.d.pieces.collect_schema().names() if context.d.has("pieces") else []
    if not {"scored", "played"} <= set(have):
        return []
    rows = []
    for name, part in context.parts(sizes=True):
        frame = (
            part.d.pieces.filter((pl.col("piece").cast(pl.String) == piece) & (pl.col("played") > 0))
            .select("deal", "game_id", points=pl.col("scored") / pl.col("played"))
            .collect()
        )
        if frame["deal"].n_unique() < 2:
            continue
        values = frame["points"].to_numpy().astype(np.float64)
        mean, cov = stats.block_means(
            values[:, None], stats.Blocks(np.unique(frame["deal"].to_numpy(), return_inverse=True)[1])
        )
        found = stats.effects(mean, np.sqrt(cov[0]), frame["deal"].n_unique(), float(values.std()))
        low, high = found.interval()
        rows.append(
            {
                "where": name or "all games",
                "estimate": float(mean[0]),
                "low": float(low[0]),
                "high": float(high[0]),
            }
            | {"verdict": "measured", "games": frame["game_id"].n_unique()}
        )
    points = context.word("points")
    table = _table(
        rows,
        [("setting", lambda r: r["where"])],
        f"{cap(points)} for each copy played",
        context,
        lambda r, key: f"{r[key]:.2f}",
    )
    return (
        [Text(f"What {piece} scores for who plays it, by each copy that was played."), *table]
        if table
        else []
    )


def _places(piece: str, context: Context) -> list[Block]:
    rows = sorted(_rows(context.made("placements"), piece), key=lambda r: -r["placed"])[:20]
    told = [{**r, "verdict": r["flag"] or None} for r in rows]
    heads = [("place", lambda r: str(r["place"])), ("of its places", lambda r: words.percent(r["share"], 0))]
    table = _table(told, heads, "Where it is put most, and how much more those win", context)
    return [Text(f"Where {piece} is put on the board."), *table] if table else []


def _harm(piece: str, context: Context) -> list[Block]:
    rows = [{**r, "verdict": _beyond(r)} for r in _rows(context.made("harm"), piece)]

    def size(row: Row, key: str) -> str:
        if str(row["measure"]).endswith("win share"):
            return words.points(row[key])
        return words.DASH if row[key] is None else f"{row[key]:.2f}".replace("-", "−")

    what = context.d.card.get("harm")
    table = _table(
        rows,
        [("measure", lambda r: words.said(str(r["measure"])))],
        "For each copy that others face",
        context,
        size,
    )
    lead = f"What {piece} does to the others{f' ({what})' if what else ''}; below 0 they lose."
    return [Text(lead), *table] if table else []


def _beyond(row: Row) -> str:
    if row.get("q") is None:
        return "measured"
    return "differs" if row["q"] < 0.05 else "may be chance"


def _answers(piece: str, context: Context) -> list[Block]:
    frame = context.made("piece_pairs")
    rows = [] if frame is None else frame.to_dicts()
    against, together = [], []
    for row in rows:
        if row["estimate"] is None or piece not in (row["piece"], row["other"]):
            continue
        mine = row["piece"] == piece
        other = row["other"] if mine else row["piece"]
        if row["what"] == "together":
            together.append({**row, "with": other})
        else:  # a counter is its mirror with the sign changed
            sign = 1 if mine else -1
            low, high = (row["low"], row["high"]) if mine else (_less(row["high"]), _less(row["low"]))
            against.append(
                {**row, "with": other, "estimate": sign * row["estimate"], "low": low, "high": high}
            )
    against.sort(key=lambda row: row["estimate"])
    for row in (*against, *together):
        row["verdict"] = "may be chance" if row["verdict"] == "may be chance" else "differs"
    heads = [(context.word("piece"), lambda r: str(r["with"]))]
    blocks = _table(against, heads, f"How much better or worse {piece} does against", context)
    blocks += _table(
        sorted(together, key=lambda r: -r["estimate"]), heads, "Beyond the sum of both in one hand", context
    )
    lead = (
        f"Which {context.word('pieces')} of an opponent answer {piece}, the best answer first, and "
        "which go well with it."
    )
    return [Text(lead), *blocks] if blocks else []


def _less(value: float | None) -> float | None:
    return None if value is None else -value


def _bans(piece: str, context: Context) -> list[Block]:
    rows = [{**r, "verdict": _beyond(r)} for r in _rows(context.bans_on_pieces, piece)]
    rows.sort(key=lambda row: -abs(row["estimate"]))
    table = _table(
        [{**row, "games": row.get("games_with")} for row in rows],
        [("without", lambda r: str(r["banned"]))],
        f"What each copy of {piece} adds more or less",
        context,
    )
    lead = f"How the worth of {piece} changes when another {context.word('piece')} is not in the game."
    return [Text(lead), *table] if table else []
