"""What a run can show, before it is played: from the spread in a short pilot to the smallest effect and the games.

An error falls with the square root of the games; how large it is for one game, deals and all, the pilot tells. An
effect is *seen* when a test, corrected over all that is judged with it, finds it in 80 % of runs; a value in the middle
of its band is *proven* when both of its one-sided tests succeed in 80 % of runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from analysis import stats
from analysis.data.questions import COMPARED, PIECES
from analysis.stats.power import POWER, smallest_seen
from analysis.targets.judging import factors, numbers
from analysis.targets.table import SEATS, Target

if TYPE_CHECKING:
    from analysis.data.dataset import Dataset


@dataclass(frozen=True)
class Reach:
    """What games can show of one target.

    Attributes
    ----------
    target, setting, table, about
        What it is of: the number among those of the target whose error is the largest.
    spread
        Its standard error times the root of the games of each cell.
    tests
        How many numbers are judged with it.
    half
        Half the width of its band; infinite where one end is open.
    """

    target: str
    setting: str
    table: str
    about: str
    spread: float
    tests: int
    half: float

    def effect(self, games: int) -> float:
        """The smallest effect that so many games of each cell show in 80 % of runs."""
        return _reach(self.tests) * self.spread / float(np.sqrt(games))

    def to_see(self, effect: float) -> int:
        """Games of each cell that show an effect in 80 % of runs."""
        return int(np.ceil((_reach(self.tests) * self.spread / effect) ** 2))

    @property
    def to_prove(self) -> int | None:
        """Games of each cell that prove a value in the middle of the band to lie in it; None of an open band."""
        from scipy.special import ndtri

        if not np.isfinite(self.half) or self.half <= 0:
            return None
        z = float(ndtri(1 - stats.ALPHA) + ndtri((1 + POWER) / 2))  # both edges are cleared
        return int(np.ceil((z * self.spread / self.half) ** 2))


def _not_still(found: stats.Estimates) -> np.ndarray:
    """Standard errors: what did not vary in a pilot may yet vary."""
    low, high = found.interval()
    se = np.fmax(found.se, (high - low) / 8)
    return np.where(np.isfinite(se), se, np.nan)


def changes(pilot: Dataset, games: int) -> list[Reach]:
    """What a run can show of the differences between what is compared, from a pilot of so many games of each cell.

    As `analysis.compare` tests them: all as one family, deal by deal where deals are shared. The error is that between
    the levels as the pilot played them: an effect that it does not hold makes common deals differ more.
    """
    from analysis.changes.settings import family

    wanted = [question for question in pilot.asks if question.what in COMPARED]
    if not wanted or not wanted[0].across:
        return []
    pieces = [piece for question in wanted if question.what == PIECES for piece in question.about]
    first = pilot.asks[0]
    every, _ = family(pilot, first.across, [question.what for question in wanted], pieces, first.apart)
    rows = [row for row in every if row["found"] is not None]
    worst: dict[str, Reach] = {}
    for row in rows:
        se, half = float(_not_still(row["found"])[0]), float(row["margin"])
        if not se > 0:
            continue
        about = f"Seat {SEATS[int(row['about'])]}" if row["what"] == "seat" else row["about"] or row["what"]
        table = f"{row['players']} players" if row["players"] else ""
        setting = f"{row['setting']} against {row['against']}"
        half = half if np.isfinite(half) else np.inf
        own = Reach(f"{row['what']} change", setting, table, about, se * games**0.5, len(rows), half)
        if own.target not in worst or own.spread > worst[own.target].spread:
            worst[own.target] = own
    return list(worst.values())


def _reach(tests: int) -> float:
    """Standard errors that a true effect must have, to be found in 80 % of runs."""
    return float(smallest_seen(stats.effects(0.0, 1.0, np.inf), tests=tests)[0])


def reaches(pilot: Dataset, targets: Sequence[Target], games: int) -> list[Reach]:
    """What a run can show of each target, from a pilot that played so many games of each cell."""
    parts = numbers(pilot, targets, factors(pilot))
    tests = max(1, sum(1 if len(p.found) == 2 and p.target.kind == "seat" else len(p.found) for p in parts))
    worst: dict[str, Reach] = {}
    for part in parts:
        se = _not_still(part.found)
        if not np.isfinite(se).any():
            continue
        k = int(np.nanargmax(se))
        half = float(part.high[k] - part.low[k]) / 2
        own = Reach(
            part.target.key, part.setting, part.table, part.about[k], float(se[k]) * games**0.5, tests, half
        )
        if own.target not in worst or own.spread > worst[own.target].spread:
            worst[own.target] = own
    return list(worst.values())
