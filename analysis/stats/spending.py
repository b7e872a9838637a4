"""What of the 5 % each look at a run has: a spending function that is linear in the games (Lan and DeMets 1983)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.stats.corrections import ALPHA


def spent(games: Sequence[int], look: int) -> float:
    """The part of the 5 % that a look (from 0) has, of those after so many games."""
    before = games[look - 1] if look else 0
    return ALPHA * (games[look] - before) / games[-1]


def least_alpha(told: Mapping[str, Any] | None) -> float | None:
    """The smallest part of the 5 % that any setting has, by what a manifest tells of looks; None without looks."""
    if not told or not told.get("alpha"):
        return None
    ends = [spent(told["games"], told["games"].index(n)) for n in (told.get("closed") or {}).values()]
    return min([float(told["alpha"]), *ends])
