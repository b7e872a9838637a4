"""The section on the ladder of play: ratings, what a doubling of the budget brings, and what it costs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis import plots
from analysis.report import words
from analysis.report.blocks import Block, Cell, Column, Table, Text
from analysis.report.tables import notes, sort_key

if TYPE_CHECKING:
    from analysis.report.context import Context

COSTS = "costs.json"  # written by `whimbrel ladder` beside the data


def ladder(context: Context) -> list[Block]:
    """How strong each bot is and what twice the thinking buys, where bots of several budgets met."""
    frame = context.made("ladder")
    if frame is None or frame["gain"].null_count() == len(frame):
        return []
    costs = _costs(context)
    gains = [r for r in frame.iter_rows(named=True) if r["gain"] is not None]
    blocks: list[Block] = [Text(_sentence(gains))]
    blocks.append(context.picture(plots.ladder_lines(frame, title=None), "What does more thinking buy?"))
    rows = [
        [
            Cell(str(r["bot"])),
            Cell(_within(r["estimate"], r["low"], r["high"]), sort_key(r["estimate"])),
            Cell(_within(r["gain"], r["gain_low"], r["gain_high"]), sort_key(r["gain"])),
            Cell(f"{costs[r['bot']]:.3g}" if r["bot"] in costs else words.DASH, costs.get(r["bot"], "")),
            Cell(r["verdict"] or words.DASH),
            Cell(words.percent(r["first_seat"]), sort_key(r["first_seat"])),
            context.behind(r),
        ]
        for r in frame.iter_rows(named=True)
    ]
    heads = [
        Column("bot"),
        Column("rating", True, "points of Elo, with a 95% interval; 400 are odds of ten to one"),
        Column("a doubling brings", True, "points of Elo, from the next lower budget of the same bot"),
        Column("ms a decision", True, "CPU milliseconds on the machine that played it"),
        Column("step"),
        Column("first seat", True, "win share of the first seat where only this bot plays"),
        Column("games / deals", True),
    ]
    return [*blocks, Table(heads, rows, title="The rungs"), *notes(frame)]


def _sentence(gains: list[dict[str, Any]]) -> str:
    ordered = sorted(gains, key=lambda r: r["playouts"])
    last = ordered[-1]
    span = f"{last['gain']:+.0f} points a doubling, {_span(last['gain_low'], last['gain_high'])}"
    if last["verdict"] == "stronger":
        step = f"from {last['below']} to {last['bot']} ({span})"
        return f"Play still gets better at the dearest step, {step}: a verdict read at this budget may still move."
    if last["verdict"] == "no stronger":
        return f"More thinking buys nothing to speak of from {last['below']} to {last['bot']} ({span})."
    return f"Whether more thinking helps from {last['below']} to {last['bot']} is undecided ({span})."


def _span(low: float | None, high: float | None) -> str:
    """Tell an interval; one end alone where a bot never won, or always."""
    if low is None:
        return words.DASH if high is None else f"below {high:+.0f}"
    if high is None:
        return f"above {low:+.0f}"
    return f"{low:+.0f} to {high:+.0f}"


def _within(value: float | None, low: float | None, high: float | None) -> str:
    """Return a number with its interval; without one where it is what the others are measured from."""
    if value is None:
        return _span(low, high)
    return f"{value:+.0f}" + (f" ({_span(low, high)})" if low != high else "")


def _costs(context: Context) -> dict[str, float]:
    """CPU milliseconds a decision by bot, where the ladder measured them."""
    folder = context.whole.path
    path = None if folder is None else Path(folder) / COSTS
    if path is None or not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8")).get("cpu_ms_per_decision", {})
        return {str(bot): float(ms) for bot, ms in found.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}
