"""The picture of a search: how near to the targets, for how large a change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.plots import style
from analysis.plots.style import FONT, INK, MUTED

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

MARKED = {"proven": "balanced", "refuted": "weak", "undecided": "undecided"}


def trade_off(
    frame: pl.DataFrame, ax: Axes | None = None, *, title: str | None = "What does a change buy?"
) -> Axes:
    """Draw the distance to the targets over the size of each change that was tried; proposals with their labels.

    Parameters
    ----------
    frame
        `label`, `size`, `distance`, `verdict` (null: merely tried).
    """
    import polars as pl
    from matplotlib.lines import Line2D

    ax = style.new_axes(3.4, ax)
    tried = frame.filter(pl.col("verdict").is_null())
    ax.plot(tried["size"], tried["distance"], linestyle="", marker=".", markersize=5, color=MUTED, zorder=2)
    ax.axhline(0, color=INK, linewidth=1.0, linestyle=(0, (4, 2)), zorder=1)
    named = frame.filter(pl.col("verdict").is_not_null()).sort("size", "distance")
    top = max([1.0, *frame["distance"].to_list()])
    before: tuple[float, float, int] = (-1.0, 0.0, 0)
    for row in named.iter_rows(named=True):
        close = row["size"] - before[0] < 0.15 and row["distance"] - before[1] < 0.08 * top
        k = before[2] + 1 if close else 0  # of points that lie together, labels stand side by side
        before = (row["size"], row["distance"], k)
        style.point(ax, row["size"], row["distance"], None, None, MARKED.get(row["verdict"]), 7)
        ax.annotate(
            style.short(row["label"], 26),
            (row["size"], row["distance"]),
            xytext=(7 + 12 * k, 4),
            textcoords="offset points",
            fontsize=FONT,
            color=INK,
        )
    ax.set_ylim(-0.05 * top, 1.12 * top)
    ax.set_xlim(-0.3, max([1.5, *frame["size"].to_list()]) + 1.0)
    ax.grid(True, color=style.GRID, linewidth=0.7)
    ax.set_ylabel("distance from the targets", fontsize=FONT - 0.5, color=INK)
    style.caption(ax, "size of the change (settings changed, a tenth more a further step)")
    style.ask(ax, title)
    handles = [
        Line2D(
            [],
            [],
            linestyle="",
            marker=(mark := style.mark_of(MARKED[word])).marker,
            color=mark.colour,
            markerfacecolor=mark.colour if mark.filled else style.PAPER,
            label=word,
        )
        for word in MARKED
        if word in named["verdict"].to_list()
    ]
    handles.append(Line2D([], [], linestyle="", marker=".", color=MUTED, label="tried"))
    style.legend(ax, handles, columns=4)
    return ax
