"""The picture of a ladder of play: rating against budget, one line a family of bots."""

from __future__ import annotations

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
    for row in frame.filter(pl.col("playouts").is_null()).iter_rows(named=True):
        ax.axhline(row["estimate"], color=INK, linewidth=0.9, linestyle=(0, (2, 3)), zorder=1)
        ax.annotate(
            style.short(row["bot"], 28),
            (1.0, row["estimate"]),
            xycoords=ax.get_yaxis_transform(),
            xytext=(4, 0),
            textcoords="offset points",
            fontsize=FONT - 1,
            color=INK,
            va="center",
        )
    ax.grid(True, axis="y", color=style.GRID, linewidth=0.7)
    ax.tick_params(axis="y", labelsize=FONT - 0.5)
    ax.set_ylabel("rating (points of Elo)", fontsize=FONT - 0.5, color=INK)
    style.caption(ax, "playouts a decision (each mark: twice or more of the one before)")
    style.ask(ax, title)
    if families:
        ax.legend(fontsize=FONT - 1, frameon=False, loc="lower right")
    return ax
