"""Tune the weights of greedy: covariance matrix adaptation (Hansen) against a pool of greedies on common deals.

The pool holds the shipped weights and means of earlier generations, so that what wins is not only an answer to one
opponent. What a generation scored is kept in a file; a run that goes on asks for the same candidates again and tells
their scores, so that it ends where an unbroken one does.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sim.batch.tune_match import FRESH, Bot, Floats, Outcome, Table, Trail, mean_and_half, normals
from sim.core.bots import settled
from sim.core.errors import Refusal

DONE = "generations.jsonl"
POOL, EVERY = 3, 6
"""Earlier means in the pool at most, and after how many generations another one enters."""


@dataclass(frozen=True)
class Plan:
    """What is tuned and how long.

    Attributes
    ----------
    generations, deals
        How often new candidates are tried, and on how many deals against each bot of the pool.
    fresh
        Deals that none of them has seen, on which the result must beat the shipped weights.
    """

    generations: int = 40
    deals: int = 100
    fresh: int = 4000
    step: float = 0.3


def tune_greedy(table: Table, plan: Plan, folder: Path, news: Callable[[str], None]) -> Outcome:
    """Tune greedy's weights at `table`; `folder` keeps the state."""
    cma = _cma()
    game = table.game
    options = settled(game, "greedy", {}, table.cell)
    shipped = np.array(
        [options["weights"].get(f, w) for f, w in zip(game.features, game.weights)], dtype=np.float64
    )
    label = {**table.label(), "weights": shipped.tolist(), **asdict(plan)}
    trail = Trail(folder, DONE, label, "generations")
    size = np.abs(shipped[shipped != 0.0])
    unit = np.maximum(np.abs(shipped), 0.25 * float(np.median(size)) if len(size) else 1.0)
    drawn = _Normals(table.seed)
    strategy = cma.CMAEvolutionStrategy(
        shipped / unit, plan.step, {"randn": drawn, "seed": math.nan, "verbose": -9, "verb_log": 0}
    )
    pool = [shipped]
    for generation in range(plan.generations):
        candidates = strategy.ask()
        if generation < len(trail.rows):
            found = trail.rows[generation]
        else:
            bots = [_greedy(game, x * unit) for x in candidates]
            rivals = [_greedy(game, w) for w in pool]
            pairs = [(bot, rival) for bot in bots for rival in rivals]
            shares = table.shares(pairs, generation * plan.deals, plan.deals)
            found = shares.mean(axis=1).reshape(len(bots), len(rivals)).mean(axis=1).tolist()
            trail.add(found)
            news(
                f"generation {generation + 1} of {plan.generations}: best {100 * max(found):.1f}%, "
                f"mean {100 * float(np.mean(found)):.1f}% against {len(pool)} in the pool"
            )
        strategy.tell(candidates, [-share for share in found])
        if (generation + 1) % EVERY == 0:
            pool = [shipped, *[*pool[1:], np.asarray(strategy.mean) * unit][-POOL:]]
    best = np.asarray(strategy.mean) * unit
    fresh = table.shares([(_greedy(game, best), _greedy(game, shipped))], FRESH, plan.fresh)[0]
    share, half = mean_and_half(fresh)
    weights = {f: float(f"{w:.4g}") for f, w in zip(game.features, best)}
    return Outcome(weights, {}, share, half, 2 * plan.fresh)


def _greedy(game: Any, weights: Floats) -> Bot:
    return "greedy", {"weights": {f: float(w) for f, w in zip(game.features, weights)}}


class _Normals:
    """The numbers that the strategy draws, from a stream of the project's own."""

    def __init__(self, seed: int) -> None:
        self.seed, self.used = seed, 0

    def __call__(self, *shape: int) -> Floats:
        count = int(np.prod(shape)) if shape else 1
        out = normals(self.seed, FRESH + self.used, count).reshape(shape)
        self.used += count
        return out


def _cma() -> Any:
    try:
        import cma
    except ImportError:
        raise Refusal("tuning greedy needs the package cma: pip install 'whimbrel[tune]'") from None
    return cma
