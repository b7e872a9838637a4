"""Pictures: they draw what the frame says, in words that a reader can check, and labels keep apart."""

from __future__ import annotations

import itertools
import subprocess
import sys
from typing import Any

import numpy as np
import polars as pl
import pytest

from analysis import plots
from analysis.plots import style
from tests.analysis.synthetic import PIECES

LONG = [f"The Very Long Name of Building Number {i}" if i % 3 == 0 else f"Oak ${i}$" for i in range(20)]


def strengths(names: list[str]) -> pl.DataFrame:
    value = np.linspace(0.07, -0.06, len(names))
    words = ["strong" if v > 0.04 else "weak" if v < -0.04 else "balanced" for v in value]
    words[len(words) // 2] = "undecided"
    return pl.DataFrame(
        {
            "piece": names,
            "estimate": value,
            "low": value - 0.01,
            "high": value + 0.01,
            "verdict": words,
            "target_low": -0.03,
            "target_high": 0.03,
        }
    )


def seats(*counts: int) -> pl.DataFrame:
    rows = [
        {"players": n, "seat": s, "fair": 1 / n, "estimate": 1 / n + (0.05 if s == 0 else -0.05 / (n - 1))}
        for n in counts
        for s in range(n)
    ]
    frame = pl.DataFrame(rows).with_columns(low=pl.col("estimate") - 0.01, high=pl.col("estimate") + 0.01)
    return frame.with_columns(
        verdict=pl.Series(["favoured" if r["seat"] == 0 else "undecided" for r in rows])
    )


def bans(names: list[str]) -> pl.DataFrame:
    rows = [
        {
            "banned": a,
            "piece": b,
            "estimate": 0.04 if (i + j) % 2 else -0.04,
            "q": 0.01 if i % 5 == 0 else 0.6,
        }
        for i, a in enumerate(names)
        for j, b in enumerate(names)
        if a != b
    ]
    return pl.DataFrame(rows)


def ban_gaps(names: list[str]) -> pl.DataFrame:
    frame = strengths(names).rename({"piece": "banned"})
    return frame.select("banned", "estimate", "low", "high")


def levels() -> pl.DataFrame:
    rows = [
        {"level": f"points {k}", "who": f"Seat {w}", "estimate": 0.3 + 0.02 * k, "fair": 1 / 3}
        for k in range(4)
        for w in "ABC"
    ]
    return pl.DataFrame(rows).with_columns(low=pl.col("estimate") - 0.01, high=pl.col("estimate") + 0.01)


def lengths() -> pl.DataFrame:
    return pl.DataFrame(
        {"turns": [10, 12, 14, 60], "games": [10, 40, 40, 10], "stopped": [False, False, False, True]}
    )


def ends() -> pl.DataFrame:
    return pl.DataFrame({"ended": ["finished", "turn_cap", "stuck"], "estimate": [0.9, 0.08, 0.02]})


def options() -> pl.DataFrame:
    return pl.DataFrame(
        {"turn": [1, 2, 3], "estimate": [9.0, 7.0, 5.0], "q10": [4, 3, 2], "q90": [14, 12, 9]}
    )


def leads() -> pl.DataFrame:
    return pl.DataFrame({"lead_changes": list(range(30)), "games": [30 - k for k in range(30)]})


EVERY: dict[str, tuple[Any, pl.DataFrame, dict[str, Any]]] = {
    "seat_dots": (plots.seat_dots, seats(2, 3, 4), {"margin": 0.02}),
    "piece_forest": (plots.piece_forest, strengths(LONG), {}),
    "ban_heat": (plots.ban_heat, bans(list(PIECES)), {}),
    "ban_heat long": (plots.ban_heat, bans(LONG), {}),
    "ban_bars": (plots.ban_bars, ban_gaps(LONG), {}),
    "factor_dots": (plots.factor_dots, levels(), {"level": "level", "series": "who", "title": "Who wins?"}),
    "ecdf_length": (plots.ecdf_length, lengths(), {}),
    "end_bars": (plots.end_bars, ends(), {}),
    "choice_ribbon": (plots.choice_ribbon, options(), {}),
    "lead_hist": (plots.lead_hist, leads(), {}),
}


def texts(ax: Any) -> list[str]:
    """All words on the figure, as drawn."""
    from matplotlib.text import Text

    figure = style.figure_of(ax)
    figure.draw_without_rendering()
    return [t.get_text() for t in figure.findobj(Text) if t.get_visible() and t.get_text()]


def boxes(labels: list[Any], ax: Any) -> list[Any]:
    figure = style.figure_of(ax)
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    return [label.get_window_extent(renderer) for label in labels if label.get_text()]


@pytest.mark.parametrize("name", EVERY)
def test_the_title_is_a_question_and_the_picture_stands_on_its_own_figure(name: str) -> None:
    draw, frame, options = EVERY[name]
    ax = draw(frame, **options)
    assert any(text.endswith("?") for text in texts(ax))
    assert style.figure_of(ax).axes == [ax]


@pytest.mark.parametrize("name", EVERY)
def test_a_given_axes_is_drawn_on_and_returned(name: str) -> None:
    from matplotlib.figure import Figure

    draw, frame, options = EVERY[name]
    mine = Figure(figsize=(7, 5)).add_subplot()
    assert draw(frame, mine, **options) is mine
    assert mine.has_data()


@pytest.mark.parametrize("name", EVERY)
def test_nothing_is_cut_off_at_the_edge_of_the_figure(name: str) -> None:
    from matplotlib.text import Text

    draw, frame, options = EVERY[name]
    ax = draw(frame, **options)
    figure = style.figure_of(ax)
    figure.draw_without_rendering()
    beyond = set()  # matplotlib makes tick labels beyond the limits and does not draw them
    for axis, (low, high) in ((ax.xaxis, sorted(ax.get_xlim())), (ax.yaxis, sorted(ax.get_ylim()))):
        for tick in axis.get_major_ticks():
            if not low - 1e-9 <= tick.get_loc() <= high + 1e-9:
                beyond |= {tick.label1, tick.label2}
    shown = [t for t in figure.findobj(Text) if t.get_visible() and t not in beyond]
    for box in boxes(shown, ax):
        assert box.x0 >= -1
        assert box.y0 >= -1
        assert box.x1 <= figure.bbox.x1 + 1
        assert box.y1 <= figure.bbox.y1 + 1


@pytest.mark.parametrize(
    "name", ["seat_dots", "piece_forest", "ban_bars", "ban_heat", "ban_heat long", "factor_dots"]
)
def test_row_labels_do_not_run_into_each_other(name: str) -> None:
    draw, frame, options = EVERY[name]
    ax = draw(frame, **options)
    rows = sorted(boxes(ax.get_yticklabels(), ax), key=lambda box: box.y0)
    assert len(rows) > 1
    assert all(lower.y1 <= upper.y0 + 0.5 for lower, upper in itertools.pairwise(rows))


def test_verdicts_differ_by_marker_not_by_colour_alone() -> None:
    kinds = {
        (mark.marker, mark.filled)
        for word, mark in style.MARKS.items()
        if word not in ("favoured", "unfavoured")
    }
    assert len(kinds) == 9
    assert style.mark_of("nonsense") == style.mark_of(None) == style.MARKS["undecided"]


def test_series_colours_grow_lighter() -> None:
    from matplotlib.colors import to_rgb

    for n in (2, 5, 8):
        light = [0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in map(to_rgb, style.series_colours(n))]
        assert light == sorted(light)
        assert len(set(light)) == n


def test_seats_of_one_table_size_are_drawn_in_per_cent_at_their_share() -> None:
    ax = plots.seat_dots(seats(3), margin=0.02)
    assert "38.3%" in texts(ax)
    low, high = ax.get_xlim()
    assert low < 1 / 3 < high
    assert high < 0.6


def test_seats_of_several_table_sizes_are_drawn_as_distance_from_fair() -> None:
    ax = plots.seat_dots(seats(2, 4))
    said = texts(ax)
    assert {"2 players", "4 players", "55.0%", "30.0%"} <= set(said)
    low, high = ax.get_xlim()
    assert low < 0 < high < 0.2


def test_intervals_of_shares_stay_within_what_a_share_can_be() -> None:
    frame = seats(2).with_columns(low=pl.lit(-0.6), high=pl.lit(1.7))
    low, high = plots.seat_dots(frame).get_xlim()
    assert low > -0.1
    assert high < 1.1


def test_the_forest_stands_in_order_and_survives_a_piece_without_an_estimate() -> None:
    frame = strengths(["Bass", "Oak", "Rats"]).with_columns(
        estimate=pl.when(pl.col("piece") == "Oak").then(None).otherwise("estimate")
    )
    ax = plots.piece_forest(frame.reverse())
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == ["Bass", "Rats", "Oak"]
    assert "no data" in texts(ax)


def test_own_targets_are_drawn_where_they_lie() -> None:
    frame = strengths(["Bass", "Oak", "Rats"]).with_columns(
        target_low=pl.when(pl.col("piece") == "Rats").then(0.02).otherwise("target_low"),
        target_high=pl.when(pl.col("piece") == "Rats").then(0.06).otherwise("target_high"),
    )
    ax = plots.piece_forest(frame)
    assert (0.02, 0.04) in {(round(p.get_x(), 6), round(p.get_width(), 6)) for p in ax.patches}
    assert "meant to lie here" in texts(ax)


def test_the_heat_map_says_the_sign_in_words_not_in_colour() -> None:
    said = texts(plots.ban_heat(bans(["Bass", "Oak", "Rats"])))
    assert any("▲" in text and "+4.0" in text for text in said)
    assert any("▼" in text and "−4.0" in text for text in said)
    assert "−4.0" in said or "+4.0" in said  # without arrow: may be chance


def test_stopped_games_never_count_as_over() -> None:
    ax = plots.ecdf_length(lengths())
    assert max(ax.lines[0].get_ydata()) == pytest.approx(0.9)
    assert "half by 12" in texts(ax)


def test_the_tail_of_lead_changes_is_gathered() -> None:
    ax = plots.lead_hist(leads())
    assert "15+" in texts(ax)
    assert sum(bar.get_height() for bar in ax.patches) == pytest.approx(1)


def test_dollars_and_line_breaks_in_names_are_plain_text() -> None:
    ax = plots.piece_forest(strengths(["$x_1$", "a\nb", "5$"]))
    figure = style.figure_of(ax)
    figure.draw_without_rendering()
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == [r"\$x_1\$", "a b", r"5\$"]


def test_unknown_plots_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="pie_chart"):
        _ = plots.pie_chart


def test_importing_the_plots_does_not_load_matplotlib() -> None:
    code = "import sys, analysis, analysis.plots, analysis.report; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
