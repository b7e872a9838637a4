"""Estimates with intervals: seats, pieces, bans on seats, and the levels of a varied factor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analysis.plots import style
from analysis.plots.style import FONT, INK, MUTED

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

ROW = 0.3  # inches a row
SEATS = "ABCDEFGH"


def seat_dots(
    frame: pl.DataFrame,
    ax: Axes | None = None,
    *,
    margin: float | None = None,
    by: str | Sequence[str] = (),
    title: str | None = "Is any seat favoured?",
) -> Axes:
    """Draw the win share of each seat beside the fair share of its table size.

    Parameters
    ----------
    frame
        As from `analysis.seat_balance`: one row per (by.., players, seat) with `fair`, `estimate`, `low`,
        `high` (fractions of games), optionally `low_joint`, `high_joint` (drawn as the thin line), and
        `verdict`.
    margin
        The judge's margin (fraction) drawn as a band around the fair share; None draws none.
    by
        Columns that tell the groups of rows apart, besides `players`.
    """
    groups = _groups(frame, [*([by] if isinstance(by, str) else by), "players", "sides"])
    rows = sum(len(part) for _, part in groups) + (len(groups) if len(groups) > 1 else 0)
    ax = style.new_axes(1.15 + ROW * rows, ax)
    # Tables of different sizes have different fair shares: then only the distance from fair can be compared.
    relative = frame["fair"].n_unique() > 1
    y, ticks, labels = 0.0, [], []
    for head, part in groups:
        if len(groups) > 1:
            _heading(ax, y, head)
            y += 1
        fair = 0.0 if relative else part["fair"][0]
        away = part["fair"][0] - fair
        top, bottom = y - 0.5, y + len(part) - 0.5
        if margin:
            _band(ax, fair - margin, fair + margin, top, bottom)
        ax.plot([fair, fair], [top, bottom], color=INK, linewidth=1.1, linestyle=(0, (4, 2)), zorder=2)
        for row in part.sort("seat").iter_rows(named=True):
            # With few deals an interval may reach beyond what a share can be.
            low, high, low_joint, high_joint = (
                None if row.get(end) is None else min(max(row[end], 0.0), 1.0) - away
                for end in ("low", "high", "low_joint", "high_joint")
            )
            if low_joint is not None and high_joint is not None:
                ax.plot([low_joint, high_joint], [y, y], color=MUTED, linewidth=0.8, zorder=2.5)
            style.point(ax, row["estimate"] - away, y, low, high, row.get("verdict"))
            _value(ax, y, f"{100 * row['estimate']:.1f}%")
            ticks.append(y)
            labels.append(f"Seat {SEATS[row['seat']]}")
            y += 1
    _rows(ax, ticks, labels, y)
    label = (
        "points above or below a fair share of wins"
        if relative
        else "share of games won (dashed: a fair share)"
    )
    style.percent_axis(ax, signed=relative, label=label)
    _pad_x(ax)
    _finish(ax, title, frame, margin)
    return ax


def piece_forest(
    frame: pl.DataFrame,
    ax: Axes | None = None,
    *,
    margin: float | None = None,
    title: str | None = "Which pieces win games?",
) -> Axes:
    """Draw what a copy of each piece adds to the win share, strongest on top.

    Parameters
    ----------
    frame
        As from `analysis.piece_strength`: `piece`, `estimate`, `low`, `high` (win share for each copy against the
        average other piece, fractions), `verdict`; optionally `target_low`, `target_high`, the range that the
        designer means a piece to have, drawn as a band.
    margin
        Band around nought for frames without targets.
    """
    frame = frame.sort("estimate", descending=True, nulls_last=True)
    labels = [style.short(piece) for piece in frame["piece"]]
    ax = style.new_axes(1.2 + _row_height(labels) * max(len(frame), 2), ax)
    ax.axvline(0, color=INK, linewidth=1.1, linestyle=(0, (4, 2)), zorder=2)
    bands: list[tuple[float, float]] = []
    for y, row in enumerate(frame.iter_rows(named=True)):
        low, high = row.get("target_low"), row.get("target_high")
        if low is None or high is None:
            low, high = -(margin or 0.0), margin or 0.0
        bands.append((low, high))
        if row["estimate"] is None:
            _value(ax, y, "no data")
            continue
        style.point(ax, row["estimate"], y, row["low"], row["high"], row.get("verdict"))
        _value(ax, y, f"{100 * row['estimate']:+.1f}".replace("-", "−"))
    alike = len(set(bands)) == 1
    for y, (low, high) in enumerate(bands[:1] if alike else bands):
        _band(ax, low, high, y - 0.5, (len(bands) if alike else y + 1) - 0.5)
    _rows(ax, list(range(len(labels))), labels, len(labels))
    style.percent_axis(ax, signed=True, label="points of win share for each copy, against the average piece")
    _pad_x(ax)
    _finish(
        ax,
        title,
        frame,
        max((high for _, high in bands), default=None),
        None if alike else "meant to lie here",
    )
    return ax


def ban_bars(
    frame: pl.DataFrame,
    ax: Axes | None = None,
    *,
    label: str = "change of the gap between seats, points of win share",
    title: str | None = "Which bans make the seats more even?",
) -> Axes:
    """Draw what banning each piece changes, most helpful (most negative) on top.

    Parameters
    ----------
    frame
        As from `analysis.ban_effects_on_seats`: `banned`, `estimate`, `low`, `high`; optionally `q`.
    """
    frame = frame.sort("estimate", nulls_last=True)
    labels = [style.short(piece) for piece in frame["banned"]]
    ax = style.new_axes(1.0 + _row_height(labels) * max(len(frame), 2), ax)
    for y, row in enumerate(frame.iter_rows(named=True)):
        if row["estimate"] is None:
            continue
        clear = row["low"] is not None and (row["low"] > 0 or row["high"] < 0)
        better = row["estimate"] < 0
        colour = style.STRONG if better else style.WEAK
        ax.barh(
            y,
            row["estimate"],
            height=0.62,
            facecolor=colour if clear else style.PAPER,
            edgecolor=colour,
            hatch=None if clear else "////",
            linewidth=1,
            alpha=0.6,
            zorder=2,
        )
        if row["low"] is not None:
            ax.plot([row["low"], row["high"]], [y, y], color=INK, linewidth=1.4, zorder=3)
        _value(ax, y, f"{100 * row['estimate']:+.1f}".replace("-", "−"))
    ax.axvline(0, color=INK, linewidth=1)
    _rows(ax, list(range(len(labels))), labels, len(labels))
    style.percent_axis(ax, signed=True, label=label)
    _pad_x(ax)
    _title(ax, title)
    return ax


def factor_dots(
    frame: pl.DataFrame,
    ax: Axes | None = None,
    *,
    level: str,
    series: str | None = None,
    fair: str | None = "fair",
    margin: float | None = None,
    signed: bool = False,
    label: str | None = None,
    title: str | None = None,
) -> Axes:
    """Draw an estimate at each level of a varied factor, one marker shape a series.

    Parameters
    ----------
    frame
        Columns `level`, `series` (when given), `estimate`, `low`, `high`, and `fair` (a column, drawn as a
        short dashed line a row) when named.
    signed
        The estimates are differences: percentage points around nought.
    """
    from matplotlib.lines import Line2D

    levels = list(dict.fromkeys(frame[level].to_list()))
    names: list[Any] = list(dict.fromkeys(frame[series].to_list())) if series else [None]
    step = 0.0 if len(names) == 1 else min(0.26, 0.8 / len(names))
    ax = style.new_axes(1.25 + len(levels) * max(0.34, 0.17 * len(names)), ax)
    colours = style.series_colours(len(names))
    for y, value in enumerate(levels):
        part = frame.filter(frame[level].eq_missing(value))
        ax.axhline(y + 0.5, color=style.GRID, linewidth=0.6)
        if fair and fair in part.columns and part[fair][0] is not None:
            middle = part[fair][0]
            if margin:
                _band(ax, middle - margin, middle + margin, y - 0.5, y + 0.5)
            ax.plot([middle, middle], [y - 0.5, y + 0.5], color=INK, linewidth=1, linestyle=(0, (4, 2)))
        for row in part.iter_rows(named=True):
            k = names.index(row[series]) if series else 0
            if row["estimate"] is None:
                continue
            at = y + (k - (len(names) - 1) / 2) * step
            if row["low"] is not None:
                ax.plot([row["low"], row["high"]], [at, at], color=colours[k], linewidth=1.5, zorder=3)
            ax.plot(
                row["estimate"],
                at,
                marker=style.SERIES_MARKERS[k % len(style.SERIES_MARKERS)],
                color=colours[k],
                markersize=5.5,
                linestyle="",
                zorder=4,
            )
    if signed:
        ax.axvline(0, color=INK, linewidth=1.1, linestyle=(0, (4, 2)))
    _rows(ax, list(range(len(levels))), [style.short(v) for v in levels], len(levels))
    style.percent_axis(ax, signed=signed, label=label)
    _pad_x(ax, room=False)
    _title(ax, title)
    if series:
        handles = [
            Line2D(
                [],
                [],
                linestyle="",
                marker=style.SERIES_MARKERS[k % 8],
                color=colours[k],
                label=style.say(name),
            )
            for k, name in enumerate(names)
        ]
        style.legend(ax, handles, columns=min(4, len(handles)))
    return ax


def _groups(frame: pl.DataFrame, keys: Sequence[str]) -> list[tuple[str, pl.DataFrame]]:
    """Split a frame by the key columns present, in order of first appearance, each with its heading."""
    present = [key for key in keys if key in frame.columns]
    parts = frame.partition_by(present, maintain_order=True) if present else [frame]
    heads = []
    for part in parts:
        sides = part["sides"][0] if "sides" in present else None
        joint = sides is not None and ("players" not in present or sides != part["players"][0])
        words = [
            f"{part[k][0]} players" if k == "players" else f"{k} {part[k][0]}"
            for k in present
            if k != "sides"
        ]
        words += [f"{sides} sides"] if joint else []
        heads.append(", ".join(words))
    return list(zip(heads, parts))


def _heading(ax: Axes, y: float, text: str) -> None:
    ax.text(
        0.0,
        y + 0.12,
        style.short(text, 60),
        transform=ax.get_yaxis_transform(),
        fontsize=FONT - 0.5,
        color=MUTED,
        style="italic",
        va="center",
    )


def _value(ax: Axes, y: float, text: str) -> None:
    ax.text(
        1.02,
        y,
        text,
        transform=ax.get_yaxis_transform(),
        fontsize=FONT - 0.5,
        color=INK,
        va="center",
        ha="left",
    )


def _row_height(labels: Sequence[str]) -> float:
    """Inches a row: more where labels take two lines."""
    return 0.36 if any("\n" in label for label in labels) else 0.27


def _band(ax: Axes, low: float, high: float, top: float, bottom: float) -> None:
    from matplotlib.patches import Rectangle

    ax.add_patch(
        Rectangle((low, top), high - low, bottom - top, facecolor=style.BAND, edgecolor="none", zorder=0.8)
    )


def _rows(ax: Axes, ticks: Sequence[float], labels: Sequence[str], end: float) -> None:
    ax.set_yticks(list(ticks), list(labels), fontsize=FONT, color=INK)
    ax.set_ylim(end - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)


def _pad_x(ax: Axes, room: bool = True) -> None:
    """Keep at least four points of width, so that noise does not look like an effect."""
    low, high = ax.get_xlim()
    middle, half = (low + high) / 2, max((high - low) / 2, 0.02)
    ax.set_xlim(middle - half * 1.02, middle + half * (1.02 if room else 1.04))


def _title(ax: Axes, title: str | None) -> None:
    style.ask(ax, title)


def _finish(
    ax: Axes, title: str | None, frame: pl.DataFrame, margin: float | None, band: str | None = None
) -> None:
    from matplotlib.patches import Patch

    _title(ax, title)
    handles = style.verdict_handles(frame["verdict"].to_list()) if "verdict" in frame.columns else []
    if margin:
        text = band or f"within ±{100 * margin:g} points"
        handles.append(Patch(facecolor=style.BAND, edgecolor=MUTED, linewidth=0.5, label=text))
    if handles:
        style.legend(ax, handles, columns=3)
