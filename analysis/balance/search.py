"""What was played so far, a model of what each change does, and what to play next.

For every number that a target asks for, the model is additive: the game as it is on the deals of a round, plus what
each changed setting does by itself, by least squares over all rounds, drawn towards nothing as far as the noise asks
(Efron and Morris 1975). What changes do only together shows in the changes that were played themselves: each of these
is estimated by the model and by its own games, weighed by their errors, the model's widened by what it was wrong by
elsewhere. So luck does not choose: the best of many is judged by what its parts do in other games too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from analysis.balance.space import Change, Space

Floats = NDArray[np.float64]

BEAM = 60
"""Changes of each size that are built upon."""
NOTICED = 0.02
"""Half widths that a larger change must be nearer by, to be worth its size."""
FEWEST, SLACK = 3, 16.0
"""With fewer settings nothing is drawn; and never further than to a spread of a quarter of the usual error."""
LOOSE = 1e6
"""Variance of what a setting may do, in units of squared errors: as good as unknown."""


@dataclass(frozen=True)
class Band:
    """What a number is meant to lie in; either end may be infinite."""

    low: float
    high: float

    @property
    def scale(self) -> float:
        """Half the width; of a band with one end the size of that end."""
        if np.isfinite(self.low) and np.isfinite(self.high):
            return max((self.high - self.low) / 2, 1e-9)
        ends = [abs(end) for end in (self.low, self.high) if np.isfinite(end)]
        return max([*ends, 1e-9]) / 10

    def excess(self, value: float, guard: float) -> float:
        """How far beyond the band (drawn in by `guard`, at most to its middle) a value lies, in half widths."""
        if not np.isfinite(value):
            return 0.0  # there is no such number: a piece that is banned, say
        low, high = self.low + guard, self.high - guard
        if low > high:
            low = high = (self.low + self.high) / 2
        return max(low - value, value - high, 0.0) / self.scale


@dataclass
class Search:
    """The rounds so far.

    Attributes
    ----------
    space
        What may be changed.
    bands
        The band of each number that the targets ask for, by name.
    guard
        How many standard errors of the proof a number should keep from the ends of its band.
    impossible
        Changes that the game refuses, and with them all that hold them.
    looked_at
        How many changes the last ranking went through.
    """

    space: Space
    bands: dict[str, Band] = field(default_factory=dict)
    guard: float = 2.5
    seen: list[tuple[int, Change, dict[str, tuple[float, float]], int]] = field(default_factory=list)
    impossible: set[Change] = field(default_factory=set)
    looked_at: int = 0
    _fits: dict[str, _Fit] = field(default_factory=dict)
    _known: dict[tuple[Change, float, float], float] = field(default_factory=dict)
    _guards: dict[str, float] = field(default_factory=dict)
    _gone: dict[Change, set[str]] = field(default_factory=dict)

    def add(
        self,
        number: int,
        change: Change,
        readings: Mapping[str, tuple[float, float]],
        bands: Mapping[str, Band],
        games: int,
    ) -> None:
        """Take in what a round says of one change: value and standard error of each number, and games."""
        self.bands.update(bands)
        self.seen.append((number, change, dict(readings), games))
        self._fits.clear()
        self._known.clear()
        self._guards.clear()
        self._gone.clear()

    @property
    def played(self) -> set[Change]:
        """All changes that were played."""
        return {change for _, change, _, _ in self.seen}

    def estimate(self, name: str, change: Change) -> tuple[float, float]:
        """Value and standard error of one number under a change; NaN where there is no such number."""
        if name not in self._fits:
            self._fits[name] = _Fit.of([(n, c, r[name]) for n, c, r, _ in self.seen if name in r])
        return self._fits[name].at(change)

    def distance(self, change: Change, games: float, optimism: float = 0.0) -> float:
        """How far from the targets a change is in all, in half widths of their bands.

        Parameters
        ----------
        games
            Of the proof: each number should keep so far from the ends that so many games show it.
        optimism
            Standard errors by which each number may be luckier than estimated.
        """
        key = (change, games, optimism)
        if key not in self._known:
            self._known[key] = self._distance(change, games, optimism)
        return self._known[key]

    def _distance(self, change: Change, games: float, optimism: float) -> float:
        lacking = self._lacking(change)
        total = 0.0
        for name, band in self.bands.items():
            if name in lacking:
                continue
            value, se = self.estimate(name, change)
            total += max(0.0, band.excess(value, self._guard(name, games)) - optimism * se / band.scale)
        return total

    def _lacking(self, change: Change) -> set[str]:
        """Numbers that are not there under this change, or under a part of it: those of a piece that is banned."""
        if not self._gone:
            for _, c, readings, _ in self.seen:
                self._gone.setdefault(c, set()).update(set(self.bands) - set(readings))
        if change in self._gone:
            return self._gone[change]
        return {name for one in change for name in self._gone.get((one,), ())}

    def _guard(self, name: str, games: float) -> float:
        if name not in self._guards:
            all_of = [r[name][1] * np.sqrt(n) for _, _, r, n in self.seen if name in r]
            spread = [one for one in all_of if np.isfinite(one)]
            self._guards[name] = self.guard * float(np.median(spread)) if spread else 0.0
        return self._guards[name] / float(np.sqrt(games))

    def games_to_tell(self, name: str, reach: float) -> float:
        """Games of a change after which `reach` standard errors fit into half the band of a number."""
        band = self.bands[name]
        if not (np.isfinite(band.low) and np.isfinite(band.high)):
            return 0.0
        half = (band.high - band.low) / 2
        return float((self._guard(name, 1.0) / self.guard * reach / half) ** 2)

    def ranked(self, games: float, most: int, optimism: float = 0.0) -> list[Change]:
        """Changes of up to `most` settings, the nearest to the targets first; of equals the smaller."""
        found: dict[Change, float] = {(): self.distance((), games, optimism)}
        level: list[Change] = [()]
        for _ in range(most):
            wider = sorted(
                {new for change in level for new in self.space.beside(change) if self._may_be(new)}
            )
            scores = {change: self.distance(change, games, optimism) for change in wider}
            found |= scores
            level = sorted(wider, key=lambda c: (round(scores[c], 9), self.space.size(c), c))[:BEAM]
            if not level:
                break
        self.looked_at = len(found)
        return sorted(found, key=lambda c: (round(found[c], 9), self.space.size(c), c))

    def _may_be(self, change: Change) -> bool:
        return not any(set(part) <= set(change) for part in self.impossible)

    def front(self, games: float, most: int, played: bool = False) -> list[Change]:
        """Changes that no other one beats in both distance and size, the smallest first (no change is none of them)."""
        best, out = np.inf, []
        ranked = [c for c in self.ranked(games, most) if not played or c in self.played]
        for change in sorted(ranked, key=lambda c: (self.space.size(c), self.distance(c, games), c)):
            distance = self.distance(change, games)
            if distance < best - NOTICED:
                best = distance
                out.append(change)
        return [change for change in out if change]

    def next(self, games: float, most: int, wanted: int) -> list[Change]:
        """What to play next: the front, those beside it, and those that may be better than they look."""
        order = self.ranked(games, most)
        hopeful = self.ranked(games, most, optimism=1.0)
        picked = self.front(games, most)[-max(1, wanted // 2) :]
        for one, other in zip(order, hopeful):
            for change in (one, other):
                if change and change not in picked and len(picked) < wanted:
                    picked.append(change)
        return picked[:wanted]


@dataclass(frozen=True)
class _Fit:
    """The additive model of one number."""

    places: dict[tuple[str, int], int]
    beta: Floats
    cov: Floats
    spread: float
    base: Floats
    direct: dict[Change, tuple[float, float]]

    @classmethod
    def of(cls, seen: Sequence[tuple[int, Change, tuple[float, float]]]) -> _Fit:
        seen = [row for row in seen if np.isfinite(row[2][0]) and np.isfinite(row[2][1])]
        rounds = sorted({number for number, _, _ in seen})
        settings = sorted({one for _, change, _ in seen for one in change})
        places = {one: len(rounds) + k for k, one in enumerate(settings)}
        width = len(rounds) + len(settings)
        x = np.zeros((len(seen), width))
        for i, (number, change, _) in enumerate(seen):
            x[i, rounds.index(number)] = 1.0
            for one in change:
                x[i, places[one]] = 1.0
        y = np.array([value for _, _, (value, _) in seen])
        var = np.array([max(se, 1e-6) ** 2 for _, _, (_, se) in seen])
        ridge = np.zeros(width)
        effects = slice(len(rounds), None)
        ridge[effects] = 1.0 / (LOOSE * np.median(var)) if len(var) else 0.0
        joint = np.array([len(change) > 1 for _, change, _ in seen])
        spread = 0.0
        for turn in range(4):  # what changes do only together widens the errors of those that are several
            w = 1.0 / (var + np.where(joint, spread, 0.0))
            cov: Floats = np.asarray(
                np.linalg.pinv((x * w[:, None]).T @ x + np.diag(ridge)), dtype=np.float64
            )
            beta = cov @ (x.T @ (w * y))
            rest = y - x @ beta
            if joint.any():
                spread = max(0.0, float(np.mean(np.square(rest[joint]) - var[joint])))
            # many settings, few of which do anything: drawn towards nothing as far as the noise asks
            noise = np.diag(cov)[effects]
            if len(noise) > FEWEST and turn == 0:
                true = float(np.mean(np.square(beta[effects]) - noise))
                ridge[effects] = 1.0 / max(true, float(np.median(var)) / SLACK)
        base = np.zeros(width)
        # errors of all at once: a round counts by the precision of its games
        weight = np.array([sum(w[i] for i, row in enumerate(seen) if row[0] == number) for number in rounds])
        base[: len(rounds)] = weight / weight.sum() if len(rounds) else 0.0
        level = float(base @ beta)
        own: dict[Change, list[tuple[float, float]]] = {}
        for i, (number, change, _) in enumerate(seen):
            own.setdefault(change, []).append((y[i] - beta[rounds.index(number)] + level, var[i]))
        direct = {}
        for change, values in own.items():
            weights = np.array([1 / v for _, v in values])
            direct[change] = (
                float(weights @ np.array([v for v, _ in values]) / weights.sum()),
                float(1 / weights.sum()),
            )
        return cls(places, beta, cov, spread, base, direct)

    def at(self, change: Change) -> tuple[float, float]:
        if not len(self.beta):
            return float("nan"), float("nan")
        x = self.base.copy()
        known = [one for one in change if one in self.places]
        for one in known:
            x[self.places[one]] = 1.0
        value = float(x @ self.beta)
        var = float(x @ self.cov @ x) + (self.spread if len(change) > 1 else 0.0)
        if len(known) < len(change):
            return float("nan"), float("nan")
        if len(change) > 1 and change in self.direct:
            own, noise = self.direct[change]
            if self.spread <= 0:
                return value, float(np.sqrt(var))  # its own games are in the model already
            part = self.spread / (self.spread + noise)
            value += part * (own - value)
            var = self.spread * noise / (self.spread + noise) + (1 - part) ** 2 * (var - self.spread)
        return value, float(np.sqrt(max(var, 0.0)))
