"""How many more games would settle a target that is undecided."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from analysis import stats
from analysis.targets.looks import width
from analysis.targets.verdicts import UNDECIDED

POWER = 0.8
MOST_GAMES = 1e9


def spread_of(found: stats.Estimates) -> np.ndarray:
    """Standard errors; of shares those of a share drawn towards a half, which are never 0 (Agresti and Coull 1998)."""
    with np.errstate(invalid="ignore"):
        drawn = (found.value * found.size + 2) / (found.size + 4)
        own = np.sqrt(drawn * (1 - drawn) / found.size)
    return np.where(np.isfinite(found.size), np.fmax(own, found.se), found.se)


def needed(
    found: stats.Estimates,
    low: np.ndarray,
    high: np.ndarray,
    games: np.ndarray,
    tests: float,
    words: Sequence[str],
    alone: np.ndarray | float = stats.ALPHA,
    look: float | None = None,
) -> list[int | None]:
    """More games until an undecided target is settled in 80 % of cases, if the value is what it seems to be.

    Parameters
    ----------
    found, low, high
        Numbers, and the bands that they are meant to lie in.
    games
        Behind each of them.
    tests
        Numbers that share the 5 %.
    alone
        What each has of it to be proven.
    look
        Of a look at a run that goes on: blocks seen by blocks planned.
    """
    from scipy.special import ndtr, ndtri

    out: list[int | None] = []
    spread = spread_of(found) if look is not None else np.where(found.se > 0, found.se, spread_of(found))
    alone = np.broadcast_to(alone, len(found))
    for i, word in enumerate(words):
        above, below = found.value[i] - low[i], high[i] - found.value[i]
        reach, se = min(above, below), float(spread[i])
        if word != UNDECIDED or reach == 0 or not np.isfinite(reach) or not se > 0:
            out.append(None)
            continue
        level = float(alone[i]) if reach > 0 else stats.ALPHA / tests
        z = -ndtri(level if reach > 0 else level / 2) if look is None else width(level, look)
        edge = float(low[i] if above < below else high[i])
        # a share is tested with the error that it would have at the edge: of rare things a larger one
        if look is None and np.isfinite(found.size[i]) and 0 < edge < 1:
            z *= math.sqrt(edge * (1 - edge) / found.size[i]) / se
        root = (z + ndtri(POWER)) * se / abs(reach)
        if reach > 0:  # both edges of the band must be cleared: never more than twice the doubt of one
            least = root
            for root in np.linspace(least, 1.5 * least, 200):
                cleared = sum(ndtr(room / se * root - z) for room in (above, below)) - 1
                if cleared >= POWER:
                    break
        wanted = games[i] * max(float(root) ** 2 - 1.0, 0.0)
        out.append(max(round(wanted), 1) if wanted < MOST_GAMES else None)
    return out
