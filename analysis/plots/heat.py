"""The heat map of what a ban does to every other piece."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.plots import style
from analysis.plots.style import FONT, INK, MUTED

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

CELL, ROW = 0.43, 0.36  # inches a column, a row
MOST_NUMBERS = 14  # with more columns the cells hold arrows only


def ban_heat(
    frame: pl.DataFrame,
    ax: Axes | None = None,
    *,
    q_below: float = 0.05,
    row: str = "no {}",
    title: str | None = "What does banning one piece do to the others?",
) -> Axes:
    """Draw the change of every piece's strength (columns) when a piece is banned (rows).

    In points of win share for each copy. The size of a change is its darkness, its sign is written out: ▲ gains and
    ▼ loses where the change is beyond chance (q below `q_below`), small grey numbers where it is not. That
    reads the same in greyscale.

    Parameters
    ----------
    frame
        As from `analysis.ban_effects_on_pieces`: `banned`, `piece`, `estimate` (fraction), `q`.
    row
        Label of a row, with the name in place of ``{}``.
    """
    import numpy as np
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap, TwoSlopeNorm

    banned, pieces = frame["banned"].to_list(), frame["piece"].to_list()
    order = list(dict.fromkeys([*banned, *pieces]))
    rows = [name for name in order if name in set(banned)]
    columns = [name for name in order if name in set(pieces)]
    change = np.full((len(rows), len(columns)), np.nan)
    clear = np.zeros(change.shape, dtype=bool)
    for found in frame.iter_rows(named=True):
        at = rows.index(found["banned"]), columns.index(found["piece"])
        if found["estimate"] is not None:
            change[at] = found["estimate"]
        clear[at] = found.get("q") is not None and found["q"] < q_below

    width = max(style.WIDTH, 1.5 + CELL * len(columns))
    ax = style.new_axes(1.5 + ROW * len(rows), ax, width=width)
    most = max(float(np.nanmax(np.abs(change))) if np.isfinite(change).any() else 0.0, 0.01)
    norm = TwoSlopeNorm(0, -most, most)
    # The middle of the map only: its ends are too dark for a number to stand on.
    colours = ListedColormap(colormaps["PuOr_r"](np.linspace(0.14, 0.86, 256)))
    mesh = ax.pcolormesh(
        np.arange(len(columns) + 1) - 0.5,
        np.arange(len(rows) + 1) - 0.5,
        np.ma.masked_invalid(np.where(clear, change, change * 0.55)),
        cmap=colours,
        norm=norm,
        edgecolors=style.PAPER,
        linewidth=1,
    )
    mesh.set_rasterized(False)
    shown = colours(norm(np.where(clear, change, change * 0.55)))
    light = shown[..., :3] @ (0.2126, 0.7152, 0.0722)
    for i, j in np.ndindex(*change.shape):
        value = change[i, j]
        if not np.isfinite(value):
            ax.text(j, i, "·", ha="center", va="center", fontsize=FONT, color=MUTED)
            continue
        arrow = "▲" if value > 0 else "▼"
        number = f"{100 * value:+.1f}".replace("-", "−")
        # Literal colours: cells keep theirs in dark mode, so the text on them must too.
        look: dict[str, Any] = {"ha": "center", "va": "center"}
        look["color"] = "#101010" if light[i, j] > 0.5 else "#ffffff"
        if len(columns) > MOST_NUMBERS:
            if clear[i, j]:
                ax.text(j, i, arrow, fontsize=FONT, **look)
        elif clear[i, j]:
            text = f"{arrow}\n{number}"
            ax.text(j, i, text, fontsize=FONT - 2.2, weight="bold", linespacing=1.05, **look)
        else:
            ax.text(j, i, number, fontsize=FONT - 2.6, **(look | {"color": "#4a4a4a"}))
    ax.xaxis.tick_top()
    ax.set_xticks(range(len(columns)), [style.cut(c) for c in columns])
    for tick in ax.get_xticklabels():
        tick.set(rotation=50, ha="left", rotation_mode="anchor")
    ax.set_yticks(range(len(rows)), [style.cut(row.format(r), 25) for r in rows])
    ax.tick_params(length=0, labelsize=FONT - 0.5, colors=INK)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    for spine in ax.spines.values():
        spine.set_visible(False)
    note = "▲ gains, ▼ loses, beyond chance"
    numbers = ", in points of win share for each copy; small grey numbers may be chance"
    style.caption(ax, note + (numbers if len(columns) <= MOST_NUMBERS else ""), MUTED)
    style.ask(ax, title)
    return ax
