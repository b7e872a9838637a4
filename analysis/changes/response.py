"""How does a measure move with a number of the rules? (R2)

A number that was tried at three levels or more is a curve of which some points were played. A line and a quadratic
are fitted to the means of the levels; which of them is told is decided by how well each foretells a level that it has
not seen. The levels may have been played on the same deals: every error comes from the covariance of the means of
the levels, which holds what they share. Nothing is said of numbers beyond those that were tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.changes.shapes import FEWEST_LEVELS, Optimum, Shape, choose, crossings, fit, optimum
from analysis.data.errors import Refusal, nearest
from analysis.data.frames import Games, floats, read_games, tidy
from analysis.data.measures import ENDER, FIRST, Measures
from analysis.data.questions import SIZE, level_text

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]

MOST_NUMBERS = 2
LESS_FAIR = (FIRST, ENDER)
"""Measures that are 0 where all is even."""
OFF = 0.01
"""Levels that lie off the fit with a smaller chance than this are not of its shape: nothing between them is told."""


def response(
    d: Dataset,
    measure: str = FIRST,
    of: str | Sequence[str] | None = None,
    target: float | None = None,
) -> pl.DataFrame:
    """How a measure of the games moves with one or two numbers that were varied, and where it reaches a target.

    Parameters
    ----------
    measure : str
        As in `mean_of`: a number column of ``games``, ``first seat`` (win share of Seat A, less fair), ``minutes``, ...
    of : str or list of str, optional
        One or two factors with numbers for levels, at least three each; by default those that were varied. Each
        setting of what else was varied, and each number of players, has a fit of its own.
    target : float, optional
        In the units of the measure; by default 0 for measures that are told less fair, else none.

    Returns
    -------
    polars.DataFrame
        One row a level (with two numbers: a setting of both): ``of.., (what else was varied).., players, sides,
        measure``; ``estimate, low, high`` (mean of its games alone, 95 %); ``fitted, fitted_low, fitted_high`` (holds
        all levels of the fit at once, at 95 %); ``degree`` (1: a line, 2: a quadratic); ``error`` (root mean square
        by which levels that were left out are missed), ``floor`` (what it would be by chance alone), ``error_line,
        error_curve`` (of both), ``lack`` (p value that the levels are of this shape). ``slope, slope_low,
        slope_high``: of the line, a unit of the number (``slope_other..``: of the second one). ``p``: that nothing
        moves at all, by the quadratic; ``moves``: below 5 %. ``target, crossing, crossing_low, crossing_high``
        (``again..``: a second time): where the fit reaches the target within the levels tried, and the numbers there
        that are not excluded (95 %); these alone where only its interval reaches it. With two numbers: the first
        number, at the second one of the row. ``optimum, optimum_low, optimum_high`` (``optimum_other..``) and
        ``optimum_is`` (``highest``, ``lowest``). Null where it is not within the levels tried, or not told; the note
        says which. Then ``games, deals, blocks, method, note``.

    Notes
    -----
    Least squares on the means of the levels, each weighing as its games, with their block-robust covariance. The
    quadratic is told where it misses levels that were left out by less than the line, and the line misses them by
    more than chance. Where three levels leave nothing to foretell, it is told where no line fits (``lack`` below
    5 %). Sets of crossings and of optima are inverted tests (Fieller 1954).
    """
    import polars as pl

    numbers = _numbers(d, of)
    rest = [n for n in d.factors if n not in (*numbers, SIZE) and n in d.cells.columns]
    rest = [n for n in rest if d.cells[n].n_unique() > 1]
    games, told = read_games(d, rest), read_games(d, numbers).frame
    values = Measures(games).of(measure)
    levels = np.stack([floats(told, name) for name in numbers], axis=1)
    known = np.isfinite(values) & np.isfinite(levels).all(axis=1)
    if not known.any():
        raise Refusal(f"{d.name}: '{measure}' is not known of any game")
    if target is None and measure in LESS_FAIR:
        target = 0.0
    rows: list[dict[str, Any]] = []
    left_out = 0
    for labels, members in games.groups(split_players=True):
        there = members[known[members]]
        if len(there) == 0 or min(len(np.unique(column)) for column in levels[there].T) < FEWEST_LEVELS:
            left_out += 1
            continue
        head = {"measure": measure, "target": target, "lost": len(members) - len(there)}
        rows += _rows(games, there, levels[there], values[there], numbers, {**labels, **head})
    if not rows:
        by = f" at any setting of {', '.join(rest)}" if rest else ""
        raise Refusal(f"{d.name}: {' and '.join(numbers)}: fewer than {FEWEST_LEVELS} levels were played{by}")
    if left_out:
        said = f"{left_out} settings with fewer than {FEWEST_LEVELS} levels are left out"
        for row in rows:
            row["note"] = "; ".join(note for note in (row["note"], said) if note)
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    frame = frame.with_columns(pl.col(name).cast(d.cells.schema[name]) for name in numbers)
    return tidy(frame, [*numbers, *games.by, "players", "sides", "measure", "estimate", "low", "high"])


def _numbers(d: Dataset, of: str | Sequence[str] | None) -> list[str]:
    """The factors whose levels are numbers that are asked for, or that there are."""
    varied = [n for n in d.factors if n in d.cells.columns and d.cells[n].n_unique() > 1]
    if not varied:
        raise Refusal(f"{d.name}: nothing was varied ([vary]), so nothing moves with a number")
    if of is None:
        able = [n for n in varied if n != SIZE and d.cells.schema[n].is_numeric()]
        if not able:
            raise Refusal(f"{d.name}: no number was varied, only {', '.join(varied)}")
        names = [n for n in able if d.cells[n].n_unique() >= FEWEST_LEVELS] or able[:1]
        if len(names) > MOST_NUMBERS:
            raise Refusal(f"{d.name}: {', '.join(names)} were varied: name one or two of them (of=...)")
    else:
        names = list(dict.fromkeys([of] if isinstance(of, str) else of))
        if not 1 <= len(names) <= MOST_NUMBERS:
            raise Refusal(f"{d.name}: name one or two numbers, not {len(names)}")
    for name in names:
        if name == SIZE:
            raise Refusal(f"{d.name}: tables of other sizes are told apart, not put on one line ({SIZE})")
        if name not in varied:
            raise Refusal(f"{d.name}: '{name}' was not varied{nearest(name, varied)}")
        if not d.cells.schema[name].is_numeric():
            shown = ", ".join(dict.fromkeys(level_text(v) for v in d.cells.sort("cell")[name].to_list()))
            raise Refusal(f"{d.name}: the levels of '{name}' are no numbers ({shown})")
        number = d.cells[name].n_unique()
        if number < FEWEST_LEVELS:
            raise Refusal(f"{d.name}: '{name}' has {number} levels, and a line that can be wrong needs 3")
    return names


def _rows(
    games: Games,
    members: NDArray[np.int64],
    levels: Floats,
    values: Floats,
    numbers: Sequence[str],
    head: dict[str, Any],
) -> Iterator[dict[str, Any]]:
    """The rows of one fit: over the games `members`, with their levels (games, numbers) and values."""
    settings, which = np.unique(levels, axis=0, return_inverse=True)
    which = which.ravel()
    count = np.bincount(which).astype(np.float64)
    mean = np.bincount(which, weights=values) / count
    influence = np.zeros((len(values), len(settings)))
    influence[np.arange(len(values)), which] = (values - mean[which]) / count[which]
    blocks = games.blocks[members]
    cov, df = stats.covariance(influence, blocks), blocks.df
    line = fit(settings, mean, cov, count, 1, df)
    if line is None:
        raise Refusal(f"{games.data.name}: {' and '.join(numbers)} moved together: name one of them (of=...)")
    curve = fit(settings, mean, cov, count, 2, df)
    shape = choose(line, curve)
    p = (curve or line).p_still
    why_not = _silent(games, shape, blocks.number, p)
    best = optimum(shape) if not why_not else None
    fitted, spread = shape.at(settings)
    wide = stats.quantile(df, 1 - stats.ALPHA / len(settings)) * spread
    lost, target = head.pop("lost"), head.pop("target")
    fields: dict[str, Any] = {
        "degree": shape.degree,
        "error": shape.error,
        "floor": shape.floor,
        "error_line": line.error,
    }
    fields |= {"error_curve": curve.error if curve else None, "lack": shape.lack}
    for k, end in enumerate(("", "_other")[: len(numbers)]):
        middle, far = line.slope(k)
        fields |= {f"slope{end}": middle, f"slope{end}_low": middle - far, f"slope{end}_high": middle + far}
    fields |= {"p": p, "moves": bool(p < stats.ALPHA) and not games.conditioned, "target": target}
    for k, level in enumerate(settings):
        own = which == k
        there = members[own]
        deals, far = games.blocks[there], float(values[own].std())
        low, high = stats.effects(mean[k], np.sqrt(cov[k, k]), deals.number, far).interval()
        row = {**dict(zip(numbers, level, strict=True)), **head}
        row |= {"estimate": mean[k], "low": low[0], "high": high[0]}
        row |= {"fitted": fitted[k], "fitted_low": fitted[k] - wide[k], "fitted_high": fitted[k] + wide[k]}
        row |= fields
        notes = [f"{lost:,} games without a value are left out"] if lost else []
        row |= _told(shape, level, target, best, why_not, notes)
        behind = games.average(
            there, f"{'line' if shape.degree == 1 else 'quadratic'} through means of levels"
        )
        behind["note"] = "; ".join(note for note in (behind["note"], *notes) if note)
        yield {**row, **behind}


def _silent(games: Games, shape: Shape, number: float, p: float) -> str:
    """Why no crossing and no optimum is told; empty where they are."""
    if games.conditioned:
        return "games picked by an outcome: no crossing and no optimum"
    if number < stats.blocks.FEWEST_BLOCKS:
        return "no verdict: too few deals for a crossing or an optimum"
    if shape.lack < OFF:
        return f"the levels lie off this shape (p = {shape.lack:.2g}): between them nothing is told"
    if not p < stats.ALPHA:
        return "does not move beyond chance: no crossing and no optimum"
    return ""


def _told(
    shape: Shape,
    level: Floats,
    target: float | None,
    best: Optimum | None,
    why_not: str,
    notes: list[str],
) -> dict[str, Any]:
    """Crossings and optimum as columns of one row; what is to be said of them is added to `notes`."""
    out: dict[str, Any] = {}
    if why_not:
        notes.append(why_not)
    found = crossings(shape, level, target) if target is not None and not why_not else []
    for k, name in enumerate(("crossing", "again")):
        ends = found[k] if k < len(found) else (None, None, None)
        out |= dict(zip((name, f"{name}_low", f"{name}_high"), ends, strict=True))
    low, high = shape.tried(level)
    if target is not None and not why_not:
        if not found:
            notes.append(f"does not reach {target:g} within the levels tried ({low:g} .. {high:g})")
        elif not np.isfinite(found[0][0]):
            notes.append(
                f"the fit does not reach {target:g} within the levels tried ({low:g} .. {high:g}), "
                "but its interval does"
            )
        elif any(one[1] <= low or one[2] >= high for one in found):
            notes.append("the interval of the crossing ends where the levels tried do")
    for k, end in enumerate(("", "_other")[: shape.numbers]):
        ends = (best.at[k], best.low[k], best.high[k]) if best else (None, None, None)
        name = f"optimum{end}"
        out |= dict(zip((name, f"{name}_low", f"{name}_high"), ends, strict=True))
    out["optimum_is"] = best.kind if best else None
    if not why_not and shape.degree == 2 and best is None:
        notes.append("no optimum is clear within the levels tried")
    elif best and best.at_end:
        notes.append("the interval of the optimum ends where the levels tried do")
    return out
