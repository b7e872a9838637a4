"""Pictures of pace: how long games last, how they end, how wide the choice is, how often the lead changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.plots import style
from analysis.plots.style import FONT, INK, MUTED

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

REASON_COLOURS = ("#bccac4", style.STRONG, style.WEAK, style.MUTED)
LINES = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))


def ecdf_length(
    frame: pl.DataFrame,
    ax: Axes | None = None,
    *,
    value: str = "turns",
    series: str | None = None,
    label: str = "turns of all players",
    title: str | None = "How long does a game last?",
) -> Axes:
    """Draw the share of games that are over after so many turns, with the median and the middle 80% marked.

    Parameters
    ----------
    frame
        One row a game, or counts: column `value`, optionally `games` (how many games), `stopped` (a limit
        stopped the game: it never counts as over, so the curve ends below 100%), and `series`.
    """
    import polars as pl

    if "games" not in frame.columns:
        frame = frame.with_columns(games=pl.lit(1))
    if "stopped" not in frame.columns:
        frame = frame.with_columns(stopped=pl.lit(False))
    names: list[Any] = list(dict.fromkeys(frame[series].to_list())) if series else [None]
    ax = style.new_axes(2.7, ax)
    colours = style.series_colours(len(names))
    for k, name in enumerate(names):
        part = frame.filter(pl.col(series).eq_missing(name)) if series else frame
        total = part["games"].sum()
        over = pl.col("games").filter(~pl.col("stopped")).sum()
        part = part.group_by(value).agg(over).sort(value)
        share = (part["games"].cum_sum() / total).to_list()
        at = part[value].to_list()
        text = None if name is None else style.cut(name, 30)
        ax.step(
            [at[0], *at],
            [0.0, *share],
            where="post",
            color=colours[k],
            linewidth=1.9,
            linestyle=LINES[k % len(LINES)],
            label=text,
        )
        if len(names) == 1:
            for level, word in ((0.1, "10%"), (0.5, "half"), (0.9, "90%")):
                x = next((t for t, s in zip(at, share) if s >= level - 1e-12), None)
                if x is None:
                    continue
                ax.plot(x, level, marker="o", color=colours[k], markersize=5)
                ax.annotate(
                    f"{word} by {x:g}",
                    (x, level),
                    xytext=(5, -2),  # below to the right: the curve only rises
                    textcoords="offset points",
                    fontsize=FONT - 1,
                    color=INK,
                    va="top",
                )
    style.percent_axis(ax, "y", label="games that are over")
    ax.set_ylim(0, 1.02)
    _whole_numbers(ax)
    finished = frame.filter(~pl.col("stopped"))
    if finished.height:
        least, most = min(frame[value].to_list()), max(finished[value].to_list())
        ax.set_xlim(least - 0.5, most + max(1.0, 0.04 * (most - least)))
    style.caption(ax, label)
    style.ask(ax, title)
    if len(names) > 1:
        style.legend(ax, ax.get_legend_handles_labels()[0], columns=min(3, len(names)))
    return ax


def end_bars(
    frame: pl.DataFrame,
    ax: Axes | None = None,
    *,
    reason: str = "ended",
    series: str | None = None,
    title: str | None = "How do games end?",
) -> Axes:
    """Draw one bar a group, divided by the reason for which games ended; hatches tell the reasons apart.

    Parameters
    ----------
    frame
        As from `analysis.end_reasons`: `ended`, `estimate` (share of games), and `series` when given.
    """
    reasons = list(dict.fromkeys(frame[reason].cast(str).to_list()))
    names: list[Any] = list(dict.fromkeys(frame[series].to_list())) if series else [None]
    ax = style.new_axes(1.05 + 0.36 * len(names), ax)
    for y, name in enumerate(names):
        left = 0.0
        for k, word in enumerate(reasons):
            share = sum(
                row["estimate"] or 0.0
                for row in frame.iter_rows(named=True)
                if str(row[reason]) == word and (series is None or row[series] == name)
            )
            ax.barh(
                y,
                share,
                left=left,
                height=0.62,
                facecolor=REASON_COLOURS[k % len(REASON_COLOURS)],
                edgecolor=style.PAPER,
                hatch=style.HATCHES[k % len(style.HATCHES)],
                linewidth=0.8,
                label=style.say(word.replace("_", " ")) if y == 0 else None,
            )
            left += share
    ax.set_yticks(range(len(names)), ["" if n is None else style.short(n) for n in names], fontsize=FONT)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    style.percent_axis(ax, label="share of games")
    ax.set_xlim(0, 1)
    style.ask(ax, title)
    style.legend(ax, ax.get_legend_handles_labels()[0], columns=min(4, len(reasons)))
    return ax


def choice_ribbon(
    frame: pl.DataFrame,
    ax: Axes | None = None,
    *,
    at: str = "turn",
    label: str = "turn",
    title: str | None = "How many real choices does a player have?",
) -> Axes:
    """Draw the number of options at a decision over the game: the mean, and the middle 80% as a ribbon.

    Parameters
    ----------
    frame
        One row a turn: `at`, `estimate` (mean number of options), and `q10`, `q90` or `low`, `high`.
    """
    frame = frame.sort(at)
    low, high = ("q10", "q90") if "q10" in frame.columns else ("low", "high")
    ax = style.new_axes(2.6, ax)
    x = frame[at].to_list()
    ax.fill_between(x, frame[low].to_list(), frame[high].to_list(), color=style.BAND, linewidth=0)
    for edge in (low, high):
        ax.plot(x, frame[edge].to_list(), color=MUTED, linewidth=0.8, linestyle=(0, (3, 2)))
    ax.plot(x, frame["estimate"].to_list(), color=style.STRONG, linewidth=2)
    ax.grid(True, axis="y", color=style.GRID, linewidth=0.7)
    ax.set_ylim(bottom=0)
    _whole_numbers(ax)
    ax.set_ylabel("options at a decision", fontsize=FONT - 0.5, color=INK)
    style.caption(ax, label)
    style.ask(ax, title)
    return ax


def lead_hist(
    frame: pl.DataFrame,
    ax: Axes | None = None,
    *,
    value: str = "lead_changes",
    title: str | None = "How often does the lead change?",
) -> Axes:
    """Draw the share of games with each number of lead changes; the tail beyond 15 is one last bar.

    Parameters
    ----------
    frame
        `value` and `games` (how many games had it), or one row a game.
    """
    import polars as pl

    if "games" not in frame.columns:
        frame = frame.with_columns(games=pl.lit(1))
    most = 15
    counts = (
        frame.with_columns(pl.col(value).cast(pl.Int64).clip(upper_bound=most))
        .group_by(value)
        .agg(pl.col("games").sum())
        .sort(value)
    )
    total = counts["games"].sum()
    ax = style.new_axes(2.4, ax)
    x = counts[value].to_list()
    shares = [games / total for games in counts["games"]]
    ax.bar(x, shares, width=0.78, facecolor=style.EVEN, edgecolor=INK, linewidth=0.7)
    if len(x) <= 8:
        for place, share in zip(x, shares):
            ax.text(
                place, share, f"{100 * share:.0f}%", ha="center", va="bottom", fontsize=FONT - 1, color=INK
            )
    ticks = list(range(min(x), max(x) + 1)) if max(x) - min(x) <= 15 else x
    ax.set_xticks(ticks, [f"{most}+" if t == most else str(t) for t in ticks])
    style.percent_axis(ax, "y", label="share of games")
    ax.margins(y=0.12)
    style.caption(ax, "times that another player took the lead")
    style.ask(ax, title)
    return ax


def _whole_numbers(ax: Axes) -> None:
    """Turns are counted: ticks at whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    ax.xaxis.set_major_locator(MaxNLocator(nbins=8, integer=True))
