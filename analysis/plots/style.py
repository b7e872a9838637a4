"""The look of every picture: palette, fonts, and the helpers that keep labels apart.

Pictures must survive greyscale print, so a verdict is told by its *marker* first and by a colour second, and
colours are ordered by luminance (dark = strong or favoured, lighter = weaker claims).  `matplotlib` is
imported inside the functions: `analysis` stays quick to import.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# The report swaps these few colours for CSS variables (analysis/report/svg.py), which gives it a dark mode.
INK = "#1c2b33"  # text, axes, strong claims
MUTED = "#5c6b73"  # second-rank text, undecided marks
GRID = "#d8dee1"
BAND = "#e6e1d3"  # the judge's margin around the fair share
PAPER = "#fffffe"  # the inside of open markers; not exactly white, so that it can be told from other whites
STRONG = "#0b4a5e"
WEAK = "#b0541c"
EVEN = "#5d8a72"
SERIES = ("#12343b", "#2a7586", "#c06a2b", "#8fae7b", "#d9b44a")  # from dark to light

WIDTH = 5.0  # inches; 360 units of the SVG, about one phone screen
FONT = 9.5


class Mark(NamedTuple):
    """How a verdict is drawn: matplotlib marker, colour, and whether the marker is filled."""

    marker: str
    colour: str
    filled: bool


MARKS: dict[str, Mark] = {
    "strong": Mark("^", STRONG, True),
    "favoured": Mark("^", STRONG, True),
    "weak": Mark("v", WEAK, True),
    "unfavoured": Mark("v", WEAK, True),
    "above": Mark("^", INK, False),
    "below": Mark("v", INK, False),
    "balanced": Mark("o", EVEN, True),
    "undecided": Mark("o", MUTED, False),
    "too few to say": Mark(".", MUTED, False),
    "not used by these bots": Mark("x", MUTED, False),
    "conditioned on an outcome": Mark("|", MUTED, False),
}
SERIES_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "++++")


def mark_of(verdict: object) -> Mark:
    """Return the mark of a verdict word; unknown words and None look undecided."""
    return MARKS.get(str(verdict), MARKS["undecided"])


def series_colours(n: int) -> list[str]:
    """Return `n` colours from dark to light, to be told apart in greyscale (beyond five: by markers)."""
    if n <= len(SERIES):
        return list(SERIES[:n])
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    ramp = colormaps["viridis"]
    return [to_hex(ramp(0.08 + 0.72 * i / max(n - 1, 1))) for i in range(n)]


def new_axes(height: float, ax: Axes | None = None, width: float = WIDTH) -> Axes:
    """Return `ax`, or the axes of a new figure that belongs to no global state (no pyplot).

    Parameters
    ----------
    height, width
        Inches of the new figure; ignored when `ax` is given.
    """
    if ax is None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.layout_engine import ConstrainedLayoutEngine

        layout = ConstrainedLayoutEngine(w_pad=0.06, h_pad=0.06)
        figure = Figure(figsize=(width, height), layout=layout)
        FigureCanvasAgg(figure)
        figure.patch.set_alpha(0.0)
        ax = figure.add_subplot()
    ax.patch.set_alpha(0.0)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(MUTED)
    ax.tick_params(colors=INK, labelsize=FONT, length=3)
    ax.set_axisbelow(True)
    return ax


def figure_of(ax: Axes) -> Figure:
    """Return the figure that `ax` is drawn on."""
    return ax.get_figure(root=True)  # type: ignore[return-value]


def say(text: object) -> str:
    """Return user text made safe for matplotlib: one line, and dollars that do not start mathematics."""
    return " ".join(str(text).split()).replace("$", r"\$")


def short(text: object, width: int = 24) -> str:
    """Return a label of at most two lines of `width` characters; what does not fit ends in an ellipsis."""
    lines = textwrap.wrap(" ".join(str(text).split()), width) or [""]
    if len(lines) > 2:
        lines = [lines[0], textwrap.shorten(" ".join(lines[1:]), width, placeholder=" …") or "…"]
    return "\n".join(say(line) for line in lines)


def cut(text: object, width: int = 22) -> str:
    """Return a label of one line of at most `width` characters."""
    line = " ".join(str(text).split())
    return say(line if len(line) <= width else line[: width - 1].rstrip() + "…")


def ask(ax: Axes, question: str | None, width: int | None = None) -> None:
    """Set the question that the picture answers as its title, wrapped to the picture and flush left."""
    if not question:
        return
    figure = figure_of(ax)
    wrapped = textwrap.wrap(" ".join(question.split()), width or max(24, int(figure.get_figwidth() * 9.4)))
    text = "\n".join(say(line) for line in wrapped)
    look: dict[str, Any] = {"fontsize": FONT + 1.5, "color": INK, "weight": "bold"}
    if owns_figure(ax):
        # Flush with the figure rather than with the axes, whose left edge depends on the longest label.
        figure.suptitle(text, x=0.012, ha="left", **look)
    else:
        ax.set_title(text, loc="left", pad=9, **look)


def owns_figure(ax: Axes) -> bool:
    """Return whether `ax` stands alone on a figure of `new_axes`, which places titles and legends itself."""
    figure = figure_of(ax)
    return len(figure.axes) == 1 and figure.get_layout_engine() is not None


def caption(ax: Axes, text: str | None, colour: str = INK) -> None:
    """Label the horizontal axis, wrapped to the width of the picture."""
    if text:
        lines = textwrap.wrap(text, max(24, int(figure_of(ax).get_figwidth() * 9)))
        ax.set_xlabel("\n".join(say(line) for line in lines), fontsize=FONT - 0.5, color=colour)


def percent_axis(ax: Axes, axis: str = "x", signed: bool = False, label: str | None = None) -> None:
    """Write the ticks of an axis whose data are fractions in per cent (`signed`: as percentage points)."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    target = ax.xaxis if axis == "x" else ax.yaxis
    target.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 2.5, 5, 10]))

    def text(value: float, _: Any) -> str:
        number = f"{100 * value:+.3g}" if signed else f"{100 * value:.3g}"
        if abs(value) < 1e-12:
            number = "0"
        return number.replace("-", "−") + ("" if signed else "%")

    target.set_major_formatter(FuncFormatter(text))
    if axis == "x":
        caption(ax, label)
    elif label:
        ax.set_ylabel(label, fontsize=FONT - 0.5, color=INK)
    ax.grid(True, axis=axis, color=GRID, linewidth=0.7)  # type: ignore[arg-type]


def legend(ax: Axes, handles: Sequence[Any], columns: int = 2) -> None:
    """Put a frameless legend below the axes, where it cannot cover data."""
    figure = figure_of(ax)
    options: dict[str, Any] = {
        "handles": list(handles),
        "ncols": columns,
        "frameon": False,
        "fontsize": FONT - 1,
        "labelcolor": INK,
        "handletextpad": 0.5,
        "columnspacing": 1.2,
    }
    if owns_figure(ax):
        figure.legend(loc="outside lower left", **options)
    else:
        ax.legend(loc="upper left", bbox_to_anchor=(0, -0.18), **options)


def verdict_handles(verdicts: Iterator[str] | Sequence[str]) -> list[Any]:
    """Return legend handles for the verdict words that occur, in a fixed order."""
    from matplotlib.lines import Line2D

    present = {str(v) for v in verdicts}
    return [
        Line2D(
            [],
            [],
            linestyle="",
            marker=mark.marker,
            markersize=6,
            color=mark.colour,
            markerfacecolor=mark.colour if mark.filled else PAPER,
            label=word,
        )
        for word, mark in MARKS.items()
        if word in present
    ]


def point(
    ax: Axes, x: float, y: float, low: float | None, high: float | None, verdict: object, size: float = 6
) -> None:
    """Draw one estimate with its interval at height `y`, marked by its verdict."""
    mark = mark_of(verdict)
    if low is not None and high is not None:
        ax.plot([low, high], [y, y], color=mark.colour, linewidth=1.6, solid_capstyle="butt", zorder=3)
        for end in (low, high):
            ax.plot([end, end], [y - 0.13, y + 0.13], color=mark.colour, linewidth=1.2, zorder=3)
    ax.plot(
        [x],
        [y],
        marker=mark.marker,
        markersize=size,
        color=mark.colour,
        markerfacecolor=mark.colour if mark.filled else PAPER,
        markeredgewidth=1.3,
        linestyle="",
        zorder=4,
    )
