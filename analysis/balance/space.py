"""What may be changed, and how large a change is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

NOW = "as it is"
Change = tuple[tuple[str, int], ...]
"""Keys and which of their values, sorted by key; () leaves all as it is."""


@dataclass(frozen=True)
class Space:
    """Settings by key, the value now first, and what a step of each counts.

    Attributes
    ----------
    levels
        Values of each key.
    weights
        How much a change of a key counts against the others (1).
    """

    levels: Mapping[str, Sequence[Any]]
    weights: Mapping[str, float] = field(default_factory=dict)

    def singles(self) -> list[Change]:
        """Every change of one key."""
        return [((key, k),) for key in sorted(self.levels) for k in range(1, len(self.levels[key]))]

    def beside(self, change: Change) -> Iterator[Change]:
        """The change with one more key changed."""
        taken = {key for key, _ in change}
        for one in self.singles():
            if one[0][0] not in taken:
                yield tuple(sorted((*change, *one)))

    def settings(self, change: Change) -> dict[str, Any]:
        """Values of all keys under a change."""
        picks = dict(change)
        return {key: values[picks.get(key, 0)] for key, values in self.levels.items()}

    def size(self, change: Change) -> float:
        """How large a change is: 1 for each key, and a tenth for each further step or piece, times its weight."""
        return sum(self.weights.get(key, 1.0) * (1 + 0.1 * (self._steps(key, k) - 1)) for key, k in change)

    def _steps(self, key: str, k: int) -> float:
        values = self.levels[key]
        now, new = values[0], values[k]
        if isinstance(new, list) or isinstance(now, list):
            old, fresh = (set(map(str, v)) if isinstance(v, list) else set() for v in (now, new))
            return max(1, len(old ^ fresh))
        if all(isinstance(v, int | float) and not isinstance(v, bool) for v in values):
            order = sorted({float(v) for v in values})
            return max(1, abs(order.index(float(new)) - order.index(float(now))))
        return 1

    def words(self, change: Change) -> str:
        """A change in words: ``hand_size 9 → 8, bans none → Ant``."""
        parts = [f"{key} {_said(self.levels[key][0])} → {_said(self.levels[key][k])}" for key, k in change]
        return ", ".join(parts) or NOW


def _said(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "+".join(map(str, value)) or "none"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
