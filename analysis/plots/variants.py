"""Pictures for drafts, cards, harm and matchups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.plots import style
from analysis.plots.estimates import _pad_x, _row_height, _rows, _value
from analysis.plots.style import FONT, INK, MUTED

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

PICKED = {"eager": "strong", "reluctant": "weak"}  # how the flag of a pick is marked
CELL, ROW = 0.62, 0.42  # inches a column, a row of the matrix
MOST_NUMBERS = 16


def pick_forest(
    frame: pl.DataFrame, ax: Axes | None = None, *, title: str | None = "Which pieces are picked eagerly?"
) -> Axes:
    """Draw what a copy of each piece adds to the chance that its pile is chosen, most wanted on top.

    Parameters
    ----------
    frame
        As from `analysis.draft_picks`: `piece`, `estimate`, `low`, `high` (fractions), `flag`, `picked`.
    """
    from matplotlib.lines import Line2D

    frame = frame.sort("estimate", descending=True, nulls_last=True)
    labels = [style.short(piece) for piece in frame["piece"]]
    ax = style.new_axes(1.2 + _row_height(labels) * max(len(frame), 2), ax)
    ax.axvline(0, color=INK, linewidth=1.1, linestyle=(0, (4, 2)), zorder=2)
    for y, row in enumerate(frame.iter_rows(named=True)):
        if row["estimate"] is None:
            _value(ax, y, "no data")
            continue
        style.point(ax, row["estimate"], y, row["low"], row["high"], PICKED.get(row["flag"]))
        _value(ax, y, "" if row["picked"] is None else f"{100 * row['picked']:.0f}%")
    _rows(ax, list(range(len(labels))), labels, len(labels))
    label = "points of chance that a copy adds to its pile, against the average piece (right: share picked)"
    style.percent_axis(ax, signed=True, label=label)
    _pad_x(ax)
    style.ask(ax, title)
    words = [
        *(flag for flag in PICKED if flag in frame["flag"]),
        *(["average"] if "" in frame["flag"] else []),
    ]
    marks = [(word, style.mark_of(PICKED.get(word))) for word in words]
    handles = [
        Line2D(
            [],
            [],
            linestyle="",
            marker=mark.marker,
            color=mark.colour,
            markerfacecolor=mark.colour if mark.filled else style.PAPER,
            label=word,
        )
        for word, mark in marks
    ]
    if handles:
        style.legend(ax, handles, columns=3)
    return ax


def plain_dots(
    frame: pl.DataFrame,
    ax: Axes | None = None,
    *,
    level: str,
    label: str,
    null: float | None = 0.0,
    title: str | None = None,
) -> Axes:
    """Draw plain numbers (turns, points) with their intervals, largest on top; filled where beyond chance.

    Parameters
    ----------
    frame
        Columns `level`, `estimate`, `low`, `high`, optionally `q`.
    null
        Where the dashed line stands; None draws none.
    """
    frame = frame.sort("estimate", descending=True, nulls_last=True)
    labels = [style.short(value) for value in frame[level]]
    ax = style.new_axes(1.1 + _row_height(labels) * max(len(frame), 2), ax)
    if null is not None:
        ax.axvline(null, color=INK, linewidth=1.1, linestyle=(0, (4, 2)), zorder=2)
    for y, row in enumerate(frame.iter_rows(named=True)):
        if row["estimate"] is None:
            _value(ax, y, "no data")
            continue
        clear = row.get("q") is not None and row["q"] < 0.05
        word = ("strong" if row["estimate"] > (null or 0.0) else "weak") if clear else None
        style.point(ax, row["estimate"], y, row["low"], row["high"], word)
        number = f"{row['estimate']:+.2f}" if null == 0 else f"{row['estimate']:.2f}"
        _value(ax, y, number.replace("-", "−"))
    _rows(ax, list(range(len(labels))), labels, len(labels))
    ax.tick_params(axis="x", labelsize=FONT - 0.5)
    ax.grid(True, axis="x", color=style.GRID, linewidth=0.7)
    style.caption(ax, label)
    style.ask(ax, title)
    return ax


def matchup_matrix(
    frame: pl.DataFrame, ax: Axes | None = None, *, title: str | None = "Who beats whom?"
) -> Axes:
    """Draw how often the name of a row finishes ahead of that of a column, in per cent, best rows on top.

    Distance from a half is darkness, its side is written: ▲ ahead and ▼ behind, beyond the margin and beyond
    chance; small grey numbers where it is not.

    Parameters
    ----------
    frame
        As from `analysis.matchups`: `row`, `column`, `estimate`, `eb`, `verdict`, `mirror`.
    """
    import numpy as np
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap, TwoSlopeNorm

    names = list(dict.fromkeys(frame["row"].to_list()))
    share = np.full((len(names), len(names)), np.nan)
    words: dict[tuple[int, int], Any] = {}
    at = {name: k for k, name in enumerate(names)}
    for found in frame.iter_rows(named=True):
        i, j = at[found["row"]], at[found["column"]]
        value = found["eb"] if found["eb"] is not None else found["estimate"]
        share[i, j] = 0.5 if found["mirror"] else value
        words[i, j] = None if found["mirror"] else found["verdict"]
    mean = np.nansum(np.nan_to_num(share - 0.5), axis=1)
    order = np.argsort(-mean, kind="stable")
    share = share[np.ix_(order, order)]
    ax = style.new_axes(1.5 + ROW * len(names), ax, width=max(style.WIDTH, 1.8 + CELL * len(names)))
    most = max(float(np.nanmax(np.abs(share - 0.5))) if np.isfinite(share).any() else 0.0, 0.05)
    norm = TwoSlopeNorm(0.5, 0.5 - most, 0.5 + most)
    colours = ListedColormap(colormaps["PuOr_r"](np.linspace(0.14, 0.86, 256)))
    edges = np.arange(len(names) + 1) - 0.5
    mesh = ax.pcolormesh(
        edges,
        edges,
        np.ma.masked_invalid(share),
        cmap=colours,
        norm=norm,
        edgecolors=style.PAPER,
        linewidth=1,
    )
    mesh.set_rasterized(False)
    light = colours(norm(np.nan_to_num(share, nan=0.5)))[..., :3] @ (0.2126, 0.7152, 0.0722)
    for i, j in np.ndindex(*share.shape):
        word = words.get((int(order[i]), int(order[j])))
        look: dict[str, Any] = {
            "ha": "center",
            "va": "center",
            "color": "#101010" if light[i, j] > 0.5 else "#ffffff",
        }
        if not np.isfinite(share[i, j]):
            ax.text(j, i, "·", fontsize=FONT, **(look | {"color": MUTED}))
        elif i == j:
            ax.text(j, i, "–", fontsize=FONT - 1, **(look | {"color": "#4a4a4a"}))
        elif word in ("ahead", "behind"):
            arrow = "▲" if word == "ahead" else "▼"
            text = f"{arrow} {100 * share[i, j]:.0f}" if len(names) <= MOST_NUMBERS else arrow
            ax.text(j, i, text, fontsize=FONT - 1.5, weight="bold", **look)
        elif len(names) <= MOST_NUMBERS:
            ax.text(j, i, f"{100 * share[i, j]:.0f}", fontsize=FONT - 2, **(look | {"color": "#4a4a4a"}))
    ax.xaxis.tick_top()
    ax.set_xticks(range(len(names)), [style.cut(names[k]) for k in order])
    for tick in ax.get_xticklabels():
        tick.set(rotation=50, ha="left", rotation_mode="anchor")
    ax.set_yticks(range(len(names)), [style.cut(names[k], 25) for k in order])
    ax.tick_params(length=0, labelsize=FONT - 0.5, colors=INK)
    ax.set_ylim(len(names) - 0.5, -0.5)
    for spine in ax.spines.values():
        spine.set_visible(False)
    style.caption(
        ax, "per cent of pairings that the row wins, shrunk; ▲ ahead, ▼ behind beyond the margin", MUTED
    )
    style.ask(ax, title)
    return ax
