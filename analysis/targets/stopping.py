"""Runs that stop when all that is asked is decided: planned batches, each with its part of the 5 %.

A run of `[stop]` plays a batch, looks, and goes on unless every target is proven or refuted. The 5 % are spent on the
looks in proportion to the games that each adds (a spending function of Lan and DeMets 1983, linear in the games),
and no more of them is used at a look than its own part: so the verdicts of all looks together are false in at most 5 %
of runs, however games of the batches hang together. When to stop depends on committed games of whole batches only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analysis.stats.corrections import ALPHA
from analysis.targets.table import Target, read_targets

if TYPE_CHECKING:
    from analysis.data.dataset import Dataset


def batches(cap: int, looks: int) -> list[int]:
    """Games a cell at each look: they double up to the cap."""
    found = [max(1, -(-cap // 2 ** (looks - 1 - k))) for k in range(looks)]
    return sorted(set(found))


def spent(games: Sequence[int], look: int) -> float:
    """The part of the 5 % that a look (from 0) has, of those after so many games."""
    before = games[look - 1] if look else 0
    return ALPHA * (games[look] - before) / games[-1]


def alpha_of(d: Dataset) -> float | None:
    """The part of the 5 % that the last look at a data set has; None where it was not played in batches."""
    told = d.manifest.get("stop") or {}
    return float(told["alpha"]) if told.get("alpha") else None


def asked(d: Dataset, when: Sequence[str] = ()) -> tuple[Target, ...]:
    """The targets that must be decided: those named, else those of what the experiment asks.

    Parameters
    ----------
    when
        Targets as they are written: ``seat``, ``piece.Ant``, ``minutes``; or the beginning of several: ``piece``.
    """
    judge: dict[str, Any] = {"seat": d.judge.seat, **dict(d.manifest.get("judge") or {})}
    if d.manifest.get("lever") and d.has("pieces"):
        judge.setdefault("piece", d.judge.piece)
    else:
        judge = {k: v for k, v in judge.items() if k not in ("piece", "pieces")}
    every = read_targets(judge, d.name)
    kinds = [*when] or _of_questions(d)
    return tuple(t for t in every if not kinds or t.key in kinds or t.kind in kinds) or every


def _of_questions(d: Dataset) -> list[str]:
    ask: Mapping[str, Any] = dict((d.manifest.get("experiment") or {}).get("ask") or {})
    named = {"seats": ["seat"], "pieces": ["piece"], "length": ["turns", "minutes", "decisions"]}
    found = [kind for key in ask for kind in named.get(key, [])]
    return found + [f"piece.{name}" for name in ask.get("piece", [])]
