"""Pictures of which numbers of the rules matter: all at a glance, one measure at a time, one number as a curve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from analysis.plots import style
from analysis.plots.style import FONT, INK, MUTED

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

ROW, COLUMN = 0.36, 1.05  # inches
FULL = 5.0
"""A change of so many margins has the full colour."""


def lever_matrix(
    frame: pl.DataFrame,
    names: Sequence[str],
    measures: Sequence[tuple[str, str]],
    said: Callable[[str, float], str],
    ax: Axes | None = None,
    *,
    title: str | None = "Which numbers matter, and for what?",
) -> Axes:
    """Draw what each number does to each measure: the change in words, the darker the more margins it is.

    Parameters
    ----------
    frame
        As from `analysis.screen`, one row a number and ``column``.
    names
        The numbers, the strongest first.
    measures
        ``column`` and its head.
    said
        The change of a column in words.
    """
    from matplotlib.patches import Rectangle

    ax = style.new_axes(1.3 + ROW * max(len(names), 2), ax, width=2.6 + COLUMN * len(measures))
    rows = {(row["factor"], row["column"]): row for row in frame.iter_rows(named=True)}
    for y, name in enumerate(names):
        for x, (column, _) in enumerate(measures):
            row = rows.get((name, column))
            if row is None or row["estimate"] is None:
                continue
            if row["verdict"] != "differs":
                ax.text(
                    x, y, "=" if row["verdict"] == "the same" else "·", ha="center", va="center", color=MUTED
                )
                continue
            depth = min(1.0, abs(row["size"] or 0.0) / FULL)
            colour = style.STRONG if row["estimate"] > 0 else style.WEAK
            ax.add_patch(
                Rectangle(
                    (x - 0.47, y - 0.44), 0.94, 0.88, color=colour, alpha=0.08 + 0.26 * depth, linewidth=0
                )
            )
            ax.text(
                x,
                y,
                said(column, row["estimate"]),
                ha="center",
                va="center",
                fontsize=FONT - 1,
                color=INK,
                weight="bold" if depth > 0.4 else "normal",
            )
    ax.set_xlim(-0.5, len(measures) - 0.5)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_yticks(range(len(names)), [style.short(name, 28) for name in names], fontsize=FONT - 0.5)
    ax.set_xticks(range(len(measures)), [style.short(head, 15) for _, head in measures], fontsize=FONT - 1)
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    style.ask(ax, title)
    return ax


def lever_dots(
    frame: pl.DataFrame,
    ax: Axes | None = None,
    *,
    label: str,
    shares: bool,
    title: str | None = None,
) -> Axes:
    """Draw the effect of each number on one measure with its joint interval, and the noise floor as a band.

    Parameters
    ----------
    frame
        Rows of `analysis.screen` on one measure: `label`, `estimate`, `low`, `high`, `floor`, `verdict`.
    shares
        Whether the measure is a share, told in points.
    """
    frame = frame.filter(frame["estimate"].is_not_null())
    names = frame["label"].to_list()
    ax = style.new_axes(1.2 + 0.34 * max(len(names), 2), ax)
    floor = frame["floor"][0]
    if floor is not None:
        ax.axvspan(-floor, floor, color=style.BAND, linewidth=0, zorder=0)
    ax.axvline(0, color=INK, linewidth=1.0, linestyle=(0, (4, 2)), zorder=2)
    marks = {"differs": ("strong", "weak"), "the same": ("balanced", "balanced")}
    for y, row in enumerate(frame.iter_rows(named=True)):
        verdict = marks.get(row["verdict"], ("undecided", "undecided"))[int(row["estimate"] < 0)]
        style.point(ax, row["estimate"], y, row["low"], row["high"], verdict)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_yticks(range(len(names)), [style.short(name, 30) for name in names], fontsize=FONT - 0.5)
    if shares:
        style.percent_axis(ax, signed=True, label=label)
    else:
        style.caption(ax, label)
        ax.grid(True, axis="x", color=style.GRID, linewidth=0.7)
    style.ask(ax, title)
    return ax


def lever_curve(
    frame: pl.DataFrame,
    base: str,
    ax: Axes | None = None,
    *,
    label: str,
    shares: bool,
    title: str | None = None,
) -> Axes:
    """Draw how a measure moves with one number, from its value now, on common deals.

    Parameters
    ----------
    frame
        Rows of `analysis.rule_changes` on one factor and measure: `after`, `estimate`, `low`, `high`.
    base
        The value now, where the change is none.
    """
    rows = {row["after"]: row for row in frame.iter_rows(named=True) if row["estimate"] is not None}
    rows[base] = {"estimate": 0.0, "low": 0.0, "high": 0.0}
    order = sorted(rows, key=_place)
    numeric = all(_place(level)[0] == 0 for level in order)
    x = [_place(level)[1] for level in order] if numeric else list(range(len(order)))
    ax = style.new_axes(2.7, ax)
    ax.axhline(0, color=INK, linewidth=1.0, linestyle=(0, (4, 2)), zorder=1)
    y = [rows[level]["estimate"] for level in order]
    ends = [
        [value - rows[level]["low"] for value, level in zip(y, order)],
        [rows[level]["high"] - value for value, level in zip(y, order)],
    ]
    ax.errorbar(
        x,
        y,
        yerr=ends,
        color=style.STRONG,
        linestyle="-" if numeric else "",
        marker="o",
        markersize=5,
        linewidth=1.6,
        capsize=3,
        zorder=3,
    )
    at = order.index(base)
    ax.plot([x[at]], [0.0], marker="o", markersize=7, color=style.PAPER, markeredgecolor=INK, zorder=4)
    ax.set_xticks(x, [style.short(level, 14) for level in order], fontsize=FONT - 0.5)
    if shares:
        style.percent_axis(ax, "y", signed=True, label=label)
    else:
        ax.set_ylabel(label, fontsize=FONT - 0.5, color=INK)
        ax.grid(True, axis="y", color=style.GRID, linewidth=0.7)
    style.ask(ax, title)
    return ax


def _place(level: str) -> tuple[int, float, str]:
    """Numbers in their order, then words in theirs."""
    try:
        return 0, float(level), level
    except ValueError:
        return 1, 0.0, level
