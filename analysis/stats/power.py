"""How many games does an answer take? (X1)

Two questions. Before a run: how many independent games show an effect of a size, in 80 % of cases. After one: how many
more would settle what is undecided, if the value is what it seems to be. The second uses the error that was measured,
so that blocks, ties and covariates are in it, and the rule of `analysis.stats.verdicts`: a value is settled when it is
shown to lie within the margin, or beyond chance off the middle.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.stats.corrections import ALPHA
from analysis.stats.estimates import Estimates

Floats = NDArray[np.float64]

POWER = 0.8  # in how many of many runs as large the answer would come out
MOST_GAMES = 1e9  # more than that is never, and not said


def games_to_see(
    effect: ArrayLike, share: float = 0.5, *, power: float = POWER, alpha: float = ALPHA, ratio: float = 1.0
) -> NDArray[np.int64]:
    """Games that show a share of wins off by `effect` from `share`, beyond chance (two-sided), with this power.

    Parameters
    ----------
    effect : scalar or array
        Distance in win share (0.02: two points).
    share : float
        The share if nothing were there, e.g. 1 over the number of seats.
    power, alpha : float
    ratio : float
        Variance of a share over that of independent games, as measured: below 1 where deals are played in rotations,
        above 1 where deals or lines of play repeat (the design effect).

    Returns
    -------
    int array
        Number of games; that of the normal approximation, with the variance at the alternative.

    Notes
    -----
    Fleiss, Levin and Paik (2003), section 2.5.
    """
    from scipy.special import ndtri

    away = np.abs(np.atleast_1d(np.asarray(effect, dtype=np.float64)))
    there = np.clip(share + away, 0.0, 1.0)
    spread = -ndtri(alpha / 2) * np.sqrt(share * (1 - share)) + ndtri(power) * np.sqrt(there * (1 - there))
    with np.errstate(divide="ignore"):
        found = np.square(spread / away) * ratio
    return np.where(found < MOST_GAMES, np.ceil(found), -1).astype(np.int64)


def smallest_seen(found: Estimates, *, tests: float = 1.0, power: float = POWER) -> Floats:
    """The smallest distance from the middle that so many games would show with this power; (k,)."""
    from scipy.special import ndtri

    return np.asarray((-ndtri(ALPHA / tests / 2) + ndtri(power)) * found.se)


def chance_settled(
    value: float, se: float, low: float, high: float, *, middle: float | None = None, tests: float = 1.0
) -> float:
    """The chance that an estimate with this error is settled if `value` is true: even, or off the middle."""
    from scipy.special import ndtr, ndtri

    centre = (low + high) / 2 if middle is None else middle
    inside, off = -ndtri(ALPHA) * se, -ndtri(ALPHA / tests / 2) * se
    # Undecided lies between the values that are balanced and those that are clear, on either side.
    least, most = min(low + inside, high - inside), max(low + inside, high - inside)
    if low + inside > high - inside:
        least = most = centre  # nothing could be shown to be balanced
    below = max(ndtr((least - value) / se) - ndtr((centre - off - value) / se), 0.0)
    above = max(ndtr((centre + off - value) / se) - ndtr((most - value) / se), 0.0)
    return float(1.0 - below - above)


def more_games(
    found: Estimates,
    low: ArrayLike,
    high: ArrayLike,
    games: ArrayLike,
    *,
    middle: ArrayLike | None = None,
    tests: float = 1.0,
    power: float = POWER,
) -> NDArray[np.float64]:
    """How many more games would settle each estimate with this power, if its value is the true one.

    Parameters
    ----------
    found : Estimates (k,)
    low, high : scalars or arrays (k,)
        The range that counts as even.
    games : scalar or array (k,)
        Games behind each; the error shrinks as one over their square root.
    middle : scalar or array (k,), optional
        By default that of the range.
    tests : float
        How many tests the verdicts are corrected for.

    Returns
    -------
    array (k,)
        0 where it is settled in so many games already as often as that, NaN where nothing can be said. The value is an
        estimate itself, so this says "about": it is never more than the games at which the margin is wider than both
        zones of doubt together, whatever the value.
    """
    shape = found.value.shape
    lows, highs, number = (
        np.broadcast_to(np.asarray(x, dtype=np.float64), shape) for x in (low, high, games)
    )
    centre = (
        (lows + highs) / 2 if middle is None else np.broadcast_to(np.asarray(middle, dtype=np.float64), shape)
    )
    out = np.full(shape, np.nan)
    for i in np.flatnonzero(
        np.isfinite(found.value) & (found.se > 0) & found.enough & (highs > lows)
    ).tolist():
        value, se, n = float(found.value[i]), float(found.se[i]), float(number[i])

        def settled(factor: float, i: int = i, value: float = value, se: float = se) -> bool:
            chance = chance_settled(
                value, se / np.sqrt(factor), lows[i], highs[i], middle=float(centre[i]), tests=tests
            )
            return chance >= power

        top = 1.0
        while not settled(top) and top * n < MOST_GAMES:
            top *= 2
        if top == 1.0:
            out[i] = 0.0
        elif top * n < MOST_GAMES:
            least = top / 2
            for _ in range(40):
                half = (least + top) / 2
                least, top = (least, half) if settled(half) else (half, top)
            out[i] = np.ceil(n * (top - 1))
    return out


def about(games: float) -> float:
    """A number of games to two figures, upward: no more is known of it."""
    if not np.isfinite(games) or games <= 0:
        return games
    step = 10.0 ** max(np.floor(np.log10(games)) - 1, 0)
    return float(np.ceil(games / step) * step)
