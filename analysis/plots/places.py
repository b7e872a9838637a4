"""The map of where pieces are put, and where that goes with winning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.plots import style
from analysis.plots.style import FONT, MUTED

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

LEAST, MOST = (
    0.30,
    0.92,
)  # of the distance of neighbours: how wide the discs of the rarest and the commonest place are
INCH = 0.5  # a step of the board


def place_map(
    frame: pl.DataFrame,
    ax: Axes | None = None,
    *,
    title: str | None = "Where are pieces put, and where does it go with winning?",
) -> Axes:
    """Draw the board: a disc a place, the larger the oftener something is put there.

    How dark a disc is, is how much more often those win who put something there; ▲ and ▼ where that is beyond chance.
    Places whose games are too few have a ring only.

    Parameters
    ----------
    frame
        Rows of one board, table and piece, as from `analysis.placements`.
    """
    import numpy as np
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap, TwoSlopeNorm
    from matplotlib.patches import Circle

    x, y = frame["x"].to_numpy(), frame["y"].to_numpy()
    step = _step(x, y)
    width, height = (np.ptp(side) / step + 1.4 for side in (x, y))
    wide = max(style.WIDTH, INCH * width + 0.4)
    ax = style.new_axes(INCH * height + 0.5, ax, width=wide)
    share = frame["share"].to_numpy()
    value = frame["estimate"].cast(float).fill_null(float("nan")).to_numpy()
    most = max(float(np.nanmax(np.abs(value))) if np.isfinite(value).any() else 0.0, 0.01)
    norm = TwoSlopeNorm(0, -most, most)
    colours = ListedColormap(colormaps["PuOr_r"](np.linspace(0.14, 0.86, 256)))
    for k, row in enumerate(frame.iter_rows(named=True)):
        size = LEAST + (MOST - LEAST) * float(np.sqrt(share[k] / share.max()))
        known = np.isfinite(value[k])
        face = colours(norm(value[k])) if known else "none"
        ax.add_patch(Circle((x[k], y[k]), size * step / 2, facecolor=face, edgecolor=MUTED, linewidth=0.6))
        if not known:
            continue
        light = float(np.dot(face[:3], (0.2126, 0.7152, 0.0722)))
        look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": FONT - 2.2}
        look["color"] = "#101010" if light > 0.5 else "#ffffff"
        arrow = {"wins": "▲", "loses": "▼"}.get(row["flag"], "")
        number = f"{100 * value[k]:+.0f}".replace("-", "−")
        ax.text(x[k], y[k], f"{arrow}\n{number}" if arrow else number, linespacing=1.0, **look)
    ax.set_xlim(x.min() - 0.7 * step, x.max() + 0.7 * step)
    ax.set_ylim(y.min() - 0.7 * step, y.max() + 0.7 * step)
    ax.set_aspect("equal")
    ax.set_xticks([])
    ax.set_yticks([])
    for spine in ax.spines.values():
        spine.set_visible(False)
    style.caption(ax, "points of win share; ▲ ▼ beyond chance; the larger, the oftener", MUTED)
    style.ask(ax, title)
    return ax


def _step(x: Any, y: Any) -> float:
    """The distance of the nearest two places."""
    import numpy as np

    if len(x) < 2:
        return 1.0
    apart = np.hypot(x[:, None] - x, y[:, None] - y)
    return float(apart[apart > 0].min()) if (apart > 0).any() else 1.0
