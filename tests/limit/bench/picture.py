"""A picture of the table: how fast each way of playing is, and each ratio beside what is wanted of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.limit.bench.rounds import AT_LEAST, Row

LIGHT, DARK, MISSED = "#a9b7c6", "#1f4e79", "#c0392b"


def draw(rows: Sequence[Row], path: Path) -> None:
    """Draw what of `rows` can be drawn, as a small PNG."""
    from matplotlib.figure import Figure

    rates = [row for row in rows if row.part in ("connect_four", "hex")]
    wanted = [row for row in rows if row.target is not None and row.ratio is not None]
    heights = [0.8 + 0.22 * len(rates), 0.8 + 0.22 * len(wanted)]
    figure = Figure(figsize=(8.5, sum(heights)), layout="constrained")
    upper, lower = figure.subplots(2, 1, height_ratios=heights)
    _rates(upper, rates)
    _targets(lower, wanted)
    figure.savefig(path, dpi=80, metadata={"Software": None})


def _rates(ax: Any, rows: Sequence[Row]) -> None:
    names, place = [], 0.0
    for k, row in enumerate(rows):
        place += 1.0 if k and rows[k - 1].part == row.part else 1.7 if k else 0.0
        ax.barh(place, row.figure, color=DARK if row.what.startswith("our") else LIGHT, height=0.75)
        ax.text(row.figure * 1.15, place, f"{row.figure:,.0f}", va="center", fontsize=8)
        names.append((place, f"{row.part.replace('_', ' ')}: {row.what}"))
    ax.set_yticks([place for place, _ in names], [name for _, name in names], fontsize=8)
    ax.invert_yaxis()
    ax.set_xscale("log")
    if rows:
        ax.set_xlim(1e4, max(row.figure for row in rows) * 4)
    ax.tick_params(axis="x", labelsize=8)
    ax.set_title("Random games per CPU second, one core", fontsize=10, loc="left")
    ax.spines[["top", "right"]].set_visible(False)


def _targets(ax: Any, rows: Sequence[Row]) -> None:
    """One dot a ratio as a multiple of its target: right of the line is better, whichever way it counts."""
    ax.axvline(1.0, color="#666666", linewidth=1)
    for k, row in enumerate(rows):
        assert row.ratio is not None
        assert row.target is not None
        better = row.ratio / row.target if row.bound == AT_LEAST else row.target / row.ratio
        ax.plot(better, k, "o" if row.kept else "X", color=DARK if row.kept else MISSED, markersize=6)
        ax.text(better * 1.15, k, f"{row.ratio:.3g}", va="center", fontsize=8)
    labels = [f"{row.part.replace('_', ' ')}: {row.what} ({row.bound} {row.target:g})" for row in rows]
    ax.set_yticks(range(len(rows)), labels, fontsize=8)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_xscale("log")
    low, high = ax.get_xlim()
    ax.set_xlim(min(low, 0.5), max(high, 2.0) * 2.5)
    ax.tick_params(axis="x", labelsize=8, which="both")
    ax.set_title(
        "Ratios beside their targets: right of the line as wanted or better", fontsize=10, loc="left"
    )
    ax.spines[["top", "right"]].set_visible(False)
