"""Pictures of play that gets better: the ladder of bots, and what is found of each piece from tier to tier."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from analysis.plots import style
from analysis.plots.style import FONT, INK

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

LINES = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))


def ladder_lines(
    frame: pl.DataFrame,
    ax: Axes | None = None,
    *,
    title: str | None = "What does more thinking buy?",
) -> Axes:
    """Draw the rating of each bot over its budget; bots without a budget are level lines.

    Parameters
    ----------
    frame
        As from `analysis.ladder`: `bot`, `family`, `playouts`, `estimate`, `low`, `high`.
    """
    import polars as pl

    ax = style.new_axes(3.0, ax)
    budgeted = frame.filter(pl.col("playouts").is_not_null()).sort("playouts")
    families = list(dict.fromkeys(budgeted["family"].to_list()))
    colours = style.series_colours(max(len(families), 1))
    for k, family in enumerate(families):
        part = budgeted.filter(pl.col("family") == family)
        x, y = part["playouts"].to_list(), part["estimate"].to_list()
        ends = [
            [value - (low if low is not None else value) for value, low in zip(y, part["low"])],
            [(high if high is not None else value) - value for value, high in zip(y, part["high"])],
        ]
        ax.errorbar(
            x,
            y,
            yerr=ends,
            color=colours[k],
            linestyle=LINES[k % len(LINES)],
            marker=style.SERIES_MARKERS[k % len(style.SERIES_MARKERS)],
            markersize=5,
            capsize=3,
            linewidth=1.7,
            label=style.short(family, 28),
        )
    if families:
        ax.set_xscale("log", base=2)
        ticks = sorted(set(budgeted["playouts"].to_list()))
        ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks], fontsize=FONT - 0.5)
        ax.minorticks_off()
        ax.set_xlim(ticks[0] / 1.25, ticks[-1] * 1.25)
    else:
        ax.set_xticks([])
    _levels(ax, frame.filter(pl.col("playouts").is_null()))
    ax.grid(True, axis="y", color=style.GRID, linewidth=0.7)
    ax.tick_params(axis="y", labelsize=FONT - 0.5)
    ax.set_ylabel("rating (points of Elo)", fontsize=FONT - 0.5, color=INK)
    style.caption(ax, "playouts a decision (each mark: twice or more of the one before)")
    style.ask(ax, title)
    if families:
        ax.legend(fontsize=FONT - 1, frameon=False, loc="lower right")
    return ax


FAR = 1.0
"""A level this many times as far below all others as these lie apart is named at the edge, so that they stay apart."""
APART = 0.075
"""Least distance of names beside the picture, as a share of its height."""


def _levels(ax: Axes, frame: pl.DataFrame) -> None:
    """Draw bots without a budget as level lines, with their names beside them; who is far below is only named."""
    rows = sorted(
        frame.iter_rows(named=True), key=lambda row: row["estimate"] if row["estimate"] is not None else -1e9
    )
    low, high = ax.get_ylim() if ax.has_data() else (math.inf, -math.inf)
    drawn = []
    for row in reversed(rows):
        at = row["estimate"]
        if at is not None and not at < low - max(FAR * (high - low), 1.0):
            ax.axhline(at, color=INK, linewidth=0.9, linestyle=(0, (2, 3)), zorder=1)
            low, high = min(low, at), max(high, at)
            drawn.append(row)
    low, high = ax.get_ylim()
    ax.set_ylim(low, high)
    free = -math.inf
    for row in rows:
        below = row not in drawn
        place = 0.02 if below else (row["estimate"] - low) / (high - low)
        free = max(place, free + APART)
        text = str(style.short(row["bot"], 28))
        if below:
            if row["estimate"] is not None:
                text += f"\n({row['estimate']:+,.0f})"
            else:
                text += "\n(never won)" if row["high"] is None else f"\n(below {row['high']:+,.0f})"
            free += APART / 2
        ax.annotate(
            text,
            (1.0, free),
            xycoords="axes fraction",
            xytext=(4, 0),
            textcoords="offset points",
            fontsize=FONT - 1,
            color=INK,
            va="center",
        )


def tier_lines(
    frame: pl.DataFrame,
    ax: Axes | None = None,
    *,
    label: str = "win share for each copy",
    title: str | None = "Do verdicts hold when play gets better?",
) -> Axes:
    """Draw the effect of each piece at each tier of play, with intervals, the names at the strongest tier.

    Parameters
    ----------
    frame
        As from `analysis.piece_strength` by tier: `tier`, `piece`, `estimate`, `low`, `high`; tiers weakest first.
    """
    import polars as pl

    tiers = list(dict.fromkeys(frame["tier"].to_list()))
    order = frame.filter(pl.col("tier") == tiers[-1]).sort("estimate", descending=True, nulls_last=True)
    names = order["piece"].to_list()
    ax = style.new_axes(3.6, ax)
    ax.axhline(0, color=INK, linewidth=1.0, linestyle=(0, (4, 2)), zorder=1)
    colours = style.series_colours(5)
    ends: list[tuple[float, str, str]] = []
    for k, name in enumerate(names):
        part = {row["tier"]: row for row in frame.filter(pl.col("piece") == name).iter_rows(named=True)}
        at = [t for t, tier in enumerate(tiers) if part.get(tier, {}).get("estimate") is not None]
        if not at:
            continue
        rows = [part[tiers[t]] for t in at]
        x = [t + 0.03 * (k % 5 - 2) for t in at]  # side by side, so that intervals do not hide each other
        y = [row["estimate"] for row in rows]
        error = [
            [row["estimate"] - row["low"] for row in rows],
            [row["high"] - row["estimate"] for row in rows],
        ]
        colour = colours[k % len(colours)]
        ax.errorbar(
            x,
            y,
            yerr=error,
            color=colour,
            linestyle=LINES[k // len(colours) % len(LINES)],
            marker=style.SERIES_MARKERS[k % len(style.SERIES_MARKERS)],
            markersize=4.5,
            linewidth=1.5,
            elinewidth=0.8,
            capsize=2,
        )
        ends.append((y[-1], str(name), colour))
    low, high = ax.get_ylim()
    step, place = (high - low) / 18, float("inf")
    for end, name, colour in sorted(
        ends, reverse=True
    ):  # from the top down, never closer than a line of text
        place = min(end, place - step)
        ax.annotate(
            style.short(name, 16),
            (len(tiers) - 1 + 0.12, place),
            fontsize=FONT - 1,
            color=colour,
            va="center",
            annotation_clip=False,
        )
    ax.set_xticks(range(len(tiers)), [style.short(tier, 20) for tier in tiers], fontsize=FONT - 0.5)
    ax.set_xlim(-0.2, len(tiers) - 1 + 0.75)
    style.percent_axis(ax, "y", signed=True, label=label)
    style.ask(ax, title)
    return ax
