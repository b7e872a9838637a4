"""Which numbers of the rules matter, and for what? (R1)

A screen (`design = "screen"`) plays many numbers at once, each at two levels, in cells that hold either level of every
number equally often, with all others alike on both sides. So the effect of a number is the difference between
two halves of all games, deal by deal. The columns of the design that no number has are treated in the same way: what
they "do" is noise and what numbers do only together, three at a time. Below that floor nothing is said to matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import stats
from analysis.bans_and_drafts.ban_effects import Arms
from analysis.changes.contrasts import effects
from analysis.data.errors import Refusal
from analysis.data.frames import Games, tidy
from analysis.data.measures import ENDER, MINUTES, SHARED, STOPPED
from analysis.data.uneven import evened

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

DIFFERS, SAME, CHANCE = "differs", "the same", "may be chance"
FEWEST_SPARE = 3
"""With fewer spare columns there is no noise floor."""
NOTABLE = 0.05
"""A change of a measure without a margin of its own counts as the same within this share of its mean."""
LEFT_OUT = ("turns", "decisions")
"""Told only where there are no minutes."""


@dataclass(frozen=True)
class Screen:
    """What the manifest says of a screen: levels of each number, its sign in each cell, and the spare columns."""

    levels: dict[str, tuple[str, str]]
    signs: dict[str, str]
    spare: tuple[str, ...]


def screen_of(d: Dataset) -> Screen:
    """Return the screen of a data set; refuse one without."""
    found = d.manifest.get("screen")
    if not found:
        raise Refusal(f'{d.name}: nothing was screened (design = "screen")')
    levels = {f["name"]: (_text(f["levels"][0]), _text(f["levels"][1])) for f in found["factors"]}
    return Screen(levels, {f["name"]: f["signs"] for f in found["factors"]}, tuple(found["spare"]))


def _text(level: Any) -> str:
    if isinstance(level, list):
        return "+".join(map(str, level)) or "none"
    return ("yes" if level else "no") if isinstance(level, bool) else str(level)


def screen(d: Dataset) -> pl.DataFrame:
    """What each number of a screen does to each measure, from its first level to its second.

    Returns
    -------
    polars.DataFrame
        ``factor, from, to, measure, piece, players, sides, estimate, low, high, p, q, floor, margin, size, verdict,
        without, with, games, games_with, deals, blocks, design, method, note``. Measures as in `level_effects`.
        ``low .. high`` holds all numbers (and pieces) of a measure at once, at 95%; ``q`` likewise (Bonferroni).
        ``floor``: how large an effect of nothing is among so many numbers, at 95%, by the spare columns. ``margin``:
        that of `[judge]` for seats and pieces, else 5% of the mean. ``size`` is the estimate in margins. ``verdict``:
        ``differs`` (the interval leaves out 0, and the effect is above the floor), ``the same`` (the interval lies
        within the margin), or ``may be chance``. Largest size first.
    """
    import polars as pl

    told, d = screen_of(d), evened(d)
    columns = {**told.signs, **{f" {k}": text for k, text in enumerate(told.spare)}}

    def arms(games: Games) -> Iterator[Arms]:
        cell = games.frame["cell"].to_numpy()
        for name, text in columns.items():
            high = np.frombuffer(text.encode(), dtype=np.uint8)[cell] == ord("+")
            old, new = np.flatnonzero(~high), np.flatnonzero(high)
            if len(old) and len(new):
                yield Arms(name, frozenset(), old, new, "paired")

    rows = effects(d, arms)
    have = {row["measure"] for row in rows}
    rows = [r for r in rows if not (MINUTES in have and r["measure"] in LEFT_OUT)]
    families: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        families.setdefault((row["measure"], row["players"], row["sides"]), []).append(row)
    found = [row for family in families.values() for row in _judged(d, family, told)]
    if not found:
        raise Refusal(f"{d.name}: the cells of the screen hold no games yet")
    frame = pl.DataFrame(found, infer_schema_length=None, nan_to_null=True)
    frame = frame.sort(pl.col("size").abs(), descending=True, nulls_last=True, maintain_order=True)
    head = [
        "factor",
        "from",
        "to",
        "measure",
        "piece",
        "players",
        "sides",
        "estimate",
        "low",
        "high",
        "p",
        "q",
    ]
    return tidy(frame, [*head, "floor", "margin", "size", "verdict"])


def _judged(d: Dataset, family: list[dict[str, Any]], told: Screen) -> Iterator[dict[str, Any]]:
    """The rows of one measure, corrected together, beside their noise floor."""
    real = [row for row in family if row["arm"] in told.signs]
    known = max(1, sum(np.isfinite(row["p"]) for row in real))
    floor = _floor(np.array([r["estimate"] for r in family if r["arm"] not in told.signs]), told, known)
    for row in real:
        low, high = _joint(row, known)
        margin = _margin(d, row)
        clear = (low > 0 or high < 0) and not abs(row["estimate"]) <= floor
        same = -margin < low and high < margin
        if row["blocks"] < stats.blocks.FEWEST_BLOCKS:
            verdict = stats.verdicts.TOO_FEW
        else:
            verdict = DIFFERS if clear and not same else SAME if same else CHANCE
        old, new = told.levels[row["arm"]]
        yield {
            "factor": row["arm"],
            "from": old,
            "to": new,
            **{k: v for k, v in row.items() if k not in ("arm", "low", "high")},
            "low": low,
            "high": high,
            "q": min(1.0, known * row["p"]),
            "floor": floor,
            "margin": margin,
            "size": row["estimate"] / margin if margin > 0 else float("nan"),
            "verdict": verdict,
        }


def _floor(spare: Any, told: Screen, known: int) -> float:
    """How large the largest of so many effects of nothing is, at 95%, from the effects of spare columns."""
    spare = spare[np.isfinite(spare)]
    if len(told.spare) < FEWEST_SPARE or not len(spare):
        return float("nan")
    scale = float(np.sqrt(np.mean(np.square(spare))))
    return scale * stats.quantile(len(told.spare), 1 - stats.ALPHA / known)


def _joint(row: dict[str, Any], known: int) -> tuple[float, float]:
    """The interval of a row widened so that it holds all of its family at once."""
    free = max(row["blocks"] - 1.0, 1.0)
    wider = stats.quantile(free, 1 - stats.ALPHA / known) / stats.quantile(free)
    middle = row["estimate"]
    return middle - wider * (middle - row["low"]), middle + wider * (row["high"] - middle)


def _margin(d: Dataset, row: dict[str, Any]) -> float:
    measure = row["measure"]
    if measure in ("seat gap", "first seat", SHARED, STOPPED, ENDER):
        return float(d.judge.seat)
    if measure == "piece":
        low, high = d.judge.range_of(row["piece"])
        return float(high - low) / 2
    means = [abs(row[arm]) for arm in ("without", "with") if row[arm] is not None]
    return NOTABLE * float(np.mean(means)) if means else float("nan")


def levers(frame: pl.DataFrame, most: int = 3) -> list[str]:
    """The numbers that change anything at all, the one with the largest effect (in margins) first."""
    clear = frame.filter(frame["verdict"] == DIFFERS)
    return list(dict.fromkeys(clear["factor"].to_list()))[:most]
