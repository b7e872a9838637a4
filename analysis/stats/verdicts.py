"""The rule of the verdicts: one for every estimator, corrected over all that is judged together.

A word is said only of what was shown. ``strong`` or ``weak`` (or another pair of words) needs the whole interval,
corrected over the family, beyond the margin, and the shrunk value too. Where the interval leaves out the middle
but not the margin, the value is merely ``above`` or ``below``. ``balanced`` is a claim of its own: an equivalence
test places the value inside the margin. Everything else is ``undecided``: a missing star is no proof of balance.
With too few blocks nothing is judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.stats.corrections import ALPHA, hochberg
from analysis.stats.estimates import Estimates

Floats = NDArray[np.float64]

STRENGTH, FAVOUR, DUEL = ("strong", "weak"), ("favoured", "unfavoured"), ("ahead", "behind")
ABOVE, BELOW = "above", "below"
BALANCED, UNDECIDED, TOO_FEW, NOT_USED = "balanced", "undecided", "too few to say", "not used by these bots"
CONDITIONED = "conditioned on an outcome"
NO_VERDICT = (UNDECIDED, TOO_FEW, NOT_USED, CONDITIONED)
"""Words that say why nothing is said."""


@dataclass(frozen=True)
class Verdicts:
    """Verdicts (k,) on a family of estimates, with the numbers that they rest on.

    Attributes
    ----------
    low, high : arrays (k,)
        Ends of the joint band: it holds all of the family at once, at 95 %.
    q : array (k,)
        p values against the middle, corrected over the family: below 5 % where the band leaves out the middle.
    q_same : array (k,)
        p values of equivalence, corrected over the family (Hochberg 1988): all are balanced when each is at 5 %.
    words : list of str
    tests : float
        How many tests the family is corrected for.
    clear : bool array (k,)
        Whether the band leaves out 0.
    """

    low: Floats
    high: Floats
    q: Floats
    q_same: Floats
    words: list[str]
    tests: float

    @property
    def clear(self) -> NDArray[np.bool_]:
        return np.asarray((self.low > 0) | (self.high < 0))

    def __getitem__(self, rows: slice) -> Verdicts:
        return Verdicts(
            self.low[rows], self.high[rows], self.q[rows], self.q_same[rows], self.words[rows], self.tests
        )


def judge(
    found: Estimates,
    low: ArrayLike,
    high: ArrayLike,
    words: tuple[str, str],
    *,
    middle: ArrayLike | None = None,
    tests: float | None = None,
    shrunk: Floats | None = None,
    unused: NDArray[np.bool_] | None = None,
    instead: str | None = None,
) -> Verdicts:
    """Judge a family of estimates against the ranges ``low .. high`` that are meant.

    Parameters
    ----------
    low, high, middle : scalars or arrays (k,)
        What is meant; the middle of the range unless it is given.
    words : (str, str)
        What to call a value shown to lie above the range, and below it.
    tests : float, optional
        How many of the estimates can differ by themselves; by default all that are known.
    shrunk : array (k,), optional
        The estimates after shrinkage: a value that lies beyond the range only before it is not called so.
    unused : bool array (k,), optional
        What was in the game and hardly ever used: its estimate says nothing of its worth.
    instead : str, optional
        What to say of all of them in place of a verdict.
    """
    lows, highs = (
        np.broadcast_to(np.asarray(end, dtype=np.float64), found.value.shape) for end in (low, high)
    )
    centre = (lows + highs) / 2 if middle is None else np.broadcast_to(middle, found.value.shape)
    known = np.isfinite(found.value) & found.enough
    m = max(float(known.sum()) if tests is None else tests, 1.0)
    band_low, band_high = found.interval(1 - ALPHA / m)
    q = np.minimum(1.0, m * found.p(centre))
    q_same = np.full(len(found), np.nan)
    within = known & np.isfinite(found.se)
    q_same[within] = hochberg(found[within].p_within(lows[within], highs[within]))
    out = []
    for i in range(len(found)):
        value = found.value[i]
        kept = value if shrunk is None or not np.isfinite(shrunk[i]) else shrunk[i]
        if instead is not None:
            out.append(instead)
        elif unused is not None and unused[i]:
            out.append(NOT_USED)
        elif not found.enough[i]:
            out.append(TOO_FEW)
        elif not np.isfinite(value):
            out.append(UNDECIDED)
        elif q_same[i] < ALPHA:
            out.append(BALANCED)
        elif band_low[i] > highs[i] and kept > highs[i]:
            out.append(words[0])
        elif band_high[i] < lows[i] and kept < lows[i]:
            out.append(words[1])
        elif band_low[i] > centre[i] or band_high[i] < centre[i]:
            out.append(ABOVE if value > centre[i] else BELOW)
        else:
            out.append(UNDECIDED)
    return Verdicts(band_low, band_high, q, q_same, out, m)


def together(words: Sequence[str], beyond: str = "unbalanced", off: str = "uneven") -> str:
    """One verdict on all of a family: the strongest that was shown of a member; balanced only when all are."""
    for word in (CONDITIONED, TOO_FEW):
        if word in words:
            return word
    if set(words) - {ABOVE, BELOW, BALANCED, UNDECIDED}:
        return beyond
    if set(words) & {ABOVE, BELOW}:
        return off
    return BALANCED if set(words) == {BALANCED} else UNDECIDED


def free_tests(columns: Floats) -> int:
    """How many columns of shares that add up to one can differ by themselves: all different ones, of two but one."""
    kept: list[Floats] = []
    for column in columns.T:
        if not any(np.array_equal(column, other) for other in kept):
            kept.append(column)
    return 1 if len(kept) == 2 else len(kept)
