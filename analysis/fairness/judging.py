"""Win shares of whatever it may be (a seat, a role, who ends the game) judged against a fair share and a margin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from analysis import stats
from analysis.data.frames import floats, tidy

if TYPE_CHECKING:
    import polars as pl


def judged(
    frame: pl.DataFrame,
    found: Sequence[stats.Estimates],
    margin: float,
    head: list[str],
    tests: float | None = None,
    instead: str | None = None,
) -> pl.DataFrame:
    """The frame of win shares with intervals and verdicts against ``fair +- margin``, all rows as one family.

    Parameters
    ----------
    frame : polars.DataFrame
        With a column ``fair``; rows without a fair share are no shares, and get neither tests nor verdict.
    found : list of Estimates
        One a row.
    tests : float, optional
        How many of the rows can differ by themselves; by default all.
    instead : str, optional
        What to say in place of a verdict.
    """
    import polars as pl

    every = stats.join(found)
    fair = floats(frame, "fair")
    low, high = every.interval()
    low_joint, high_joint, p, q, within = (np.full(len(fair), np.nan) for _ in range(5))
    words: list[str | None] = [None] * len(fair)
    at = np.flatnonzero(np.isfinite(fair))
    if len(at):
        own, lows, highs = every[at], fair[at] - margin, fair[at] + margin
        ruled = stats.judge(own, lows, highs, stats.FAVOUR, tests=tests, instead=instead)
        low_joint[at], high_joint[at], q[at] = ruled.low, ruled.high, ruled.q
        p[at], within[at] = own.p(fair[at]), own.p_within(lows, highs)
        for k, word in zip(at, ruled.words, strict=True):
            words[k] = word
    columns = {"estimate": every.value, "low": low, "high": high, "low_joint": low_joint}
    columns |= {"high_joint": high_joint, "p": p, "q": q, "p_equivalence": within}
    frame = frame.with_columns(
        *(pl.Series(name, values, nan_to_null=True) for name, values in columns.items()),
        pl.Series("verdict", words, dtype=pl.String),
    )
    return tidy(frame, [*head, "fair", *columns, "verdict"])
