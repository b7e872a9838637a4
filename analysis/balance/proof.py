"""What fresh games say of the proposals: proven, refuted or undecided, and how many games would tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis import stats
from analysis.balance.gauge import Reading
from analysis.targets.verdicts import PROVEN, REFUTED, UNDECIDED


@dataclass(frozen=True)
class Verdict:
    """Of one proposal.

    Attributes
    ----------
    word
        ``proven``: every number lies in its band; ``refuted``: some number lies outside; ``undecided``.
    readings
        All numbers.
    words
        The same of each number by itself.
    needed
        Games of each cell that would settle it, at these estimates; None where nothing would, or nothing is open.
    """

    word: str
    readings: list[Reading]
    words: list[str]
    needed: int | None

    @property
    def missed(self) -> list[Reading]:
        """Numbers that are shown to lie outside, or else those that are not shown to lie inside."""
        for word in (REFUTED, UNDECIDED):
            if found := [r for r, w in zip(self.readings, self.words) if w == word]:
                return found
        return []


def judge(readings: Sequence[Reading], tests: int) -> Verdict:
    """Judge one of several proposals.

    Parameters
    ----------
    readings
        Of this proposal, on games that nothing was chosen by.
    tests
        How many proposals (times looks) share the 5%. All targets of one must hold, so that each is tested at the
        whole level (an intersection-union test); that one misses is judged over all its numbers together.
    """
    alpha = stats.ALPHA / tests
    words = []
    for r in readings:
        low, high = r.found.interval(1 - alpha / max(len(readings), 1))
        if not r.found.enough[0]:
            words.append(UNDECIDED)
        elif float(r.found.p_within(r.band.low, r.band.high)[0]) < alpha:
            words.append(PROVEN)
        elif low[0] > r.band.high or high[0] < r.band.low:
            words.append(REFUTED)
        else:
            words.append(UNDECIDED)
    if readings and all(word == PROVEN for word in words):
        return Verdict(PROVEN, list(readings), words, None)
    if REFUTED in words:
        return Verdict(REFUTED, list(readings), words, None)
    return Verdict(UNDECIDED, list(readings), words, _needed(readings, words, alpha))


def _needed(readings: Sequence[Reading], words: Sequence[str], alpha: float) -> int | None:
    """Games a cell after which every open number would be shown to lie inside, were the estimates true."""
    most = 0
    for r, word in zip(readings, words):
        if word == PROVEN:
            continue
        room = min(r.value - r.band.low, r.band.high - r.value)
        if room <= 0:
            return None
        reach = (stats.quantile(1e9, 1 - 2 * alpha) + 0.84) * r.se
        most = max(most, int(np.ceil(r.games * (reach / room) ** 2)))
    return most
