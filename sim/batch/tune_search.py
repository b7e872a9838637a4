"""Tune search by expert iteration: fit what positions are worth on games, search with that, and do it again.

Positions are taken where a new turn begins, which is where playouts are judged; each is described by the features of
every seat as that seat sees them, and a conditional logit of who won gives weights whose exponentials are odds. The
bot then judges with them at scale 1. What a feature is worth may change in the course of a game: weights are fitted for
the beginning and for the end of a long one, and hold in between in proportion; weights that hold throughout race
beside them. Between games of one deal nothing is shared but the deal.

What a bot is given besides (horizon, exploration, ...) is chosen by racing: all candidates play greedy and the best bot
so far on the same deals, the worse half leaves, the rest goes on with more deals.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sim.batch.tune_match import FRESH, Bot, Floats, Outcome, Table, Trail, mean_and_half
from sim.core.contract import OVER, features, side
from sim.core.play import replay
from sim.core.seeds import deal_seed

ROUNDS = "rounds.jsonl"
CHOICES: dict[str, tuple[float, ...]] = {
    "horizon": (0.5, 1.0, 2.0),
    "exploration": (0.5, 1.0, 2.0),
    "prior": (0.5, 1.0, 2.0),
    "epsilon": (0.0, 1.0),
    "width": (0.5, 1.0),
    "even": (False, True),
}
"""Options that are varied from round to round: as multiples of the best bot's so far, or each value."""


@dataclass(frozen=True)
class Plan:
    """How long search is tuned.

    Attributes
    ----------
    rounds, games
        How often positions are gathered, from how many games.
    candidates, deals
        How many settings race in a round, and on how many deals at first.
    fresh
        Deals that none of them has seen, on which the result must beat the shipped settings.
    """

    rounds: int = 3
    games: int = 200
    candidates: int = 8
    deals: int = 20
    fresh: int = 200
    playouts: int = 100


def tune_search(table: Table, plan: Plan, folder: Path, news: Callable[[str], None]) -> Outcome:
    """Tune the settings of search at `table`; `folder` keeps the state."""
    from sim.core.bots import settled

    usual = settled(table.game, "search", {}, table.cell)
    first = {key: usual[key] for key in ("scale", "late", *CHOICES)}
    trail = Trail(folder, ROUNDS, {**table.label(), **asdict(plan), "options": first}, "rounds")
    best: dict[str, Any] = dict(first)
    for k in range(plan.rounds):
        if k < len(trail.rows):
            best = trail.rows[k]
            continue
        bot: Bot = ("search", {**best, "playouts": plan.playouts}) if k else ("greedy", {"jitter": 0.3})
        x, credit, turn, _ = positions(table, [bot] * table.players, k * plan.games, plan.games)
        values = fitted(table.game.features, x, credit, turn)
        news(f"round {k + 1} of {plan.rounds}: {len(x)} positions of {plan.games} games")
        best = race(table, plan, candidates_of(table, plan, best, values, k), best, k, news)
        trail.add(best)
    rivals: list[Bot] = [("search", {**first, "playouts": plan.playouts})]
    mine: Bot = ("search", {**best, "playouts": plan.playouts})
    share, half = mean_and_half(table.shares([(mine, rivals[0])], FRESH, plan.fresh)[0])
    return Outcome({}, best, share, half, 2 * plan.fresh)


def fitted(features: Sequence[str], x: Floats, credit: Floats, turn: Floats) -> list[dict[str, Any]]:
    """Return options of search with fitted values: first by phase of the game, then the same throughout.

    Late is the turn that nine of ten positions lie before.
    """

    def named(weights: Floats) -> dict[str, float]:
        return {feature: float(f"{weight:.4g}") for feature, weight in zip(features, weights)}

    whole = {"values": named(fit(x, credit)), "late": 0.0, "scale": 1.0}
    late = float(np.quantile(turn, LATE))
    if late < 1:
        return [whole]
    share = np.minimum(1.0, turn / late)[:, None, None]
    early, change = np.split(fit(np.concatenate([x, share * x], axis=2), credit), 2)
    by_phase = {"values": named(early), "late_values": named(early + change), "late": late, "scale": 1.0}
    return [by_phase, whole]


def candidates_of(
    table: Table, plan: Plan, best: dict[str, Any], values: Sequence[dict[str, Any]], k: int
) -> list[dict[str, Any]]:
    """Return the settings that race in round `k`: the best so far with new `values` (options), and changes of all.

    Changes keep the values of the best so far in their turn: new values need not be better, and what the options are
    worth should not depend on that.
    """
    bases = [*({**best, **own} for own in values), best]
    changes = [dict(zip(CHOICES, factors)) for factors in itertools.product(*CHOICES.values())]
    places = np.argsort(deal_seed(table.seed, FRESH + k * len(changes) + np.arange(len(changes))))
    out = bases[:-1][: plan.candidates]
    for place in places[: plan.candidates - len(out)]:
        base = bases[len(out) % len(bases)]
        changed = {name: _times(name, base[name], factor) for name, factor in changes[int(place)].items()}
        out.append({**base, **changed})
    return out


def _times(name: str, value: float, factor: float) -> float:
    from sim.core.bots import kind_of

    option = kind_of("search").options[name]
    if option.type == "bool":
        return bool(factor)
    low, high = option.range or (0.0, 1e9)
    changed = min(max(float(value) * factor, low), high)
    if name == "prior" and value == 0.0:
        changed = 0.0 if factor == 1.0 else factor
    return max(1, round(changed)) if option.type == "int" else float(f"{changed:.3g}")


def race(
    table: Table,
    plan: Plan,
    racers: list[dict[str, Any]],
    best: dict[str, Any],
    k: int,
    news: Callable[[str], None],
) -> dict[str, Any]:
    """Return the best of `racers` against greedy and the best bot so far, which stays if none takes a half from it."""
    budget = {"playouts": plan.playouts}
    rivals: list[Bot] = [("greedy", {}), ("search", {**best, **budget})]
    first, deals = FRESH // 2 + k * 100_000, plan.deals
    played = [np.zeros((2, 0)) for _ in racers]
    left = list(range(len(racers)))
    while True:
        pairs = [(("search", {**racers[r], **budget}), rival) for r in left for rival in rivals]
        shares = table.shares(pairs, first, deals).reshape(len(left), 2, deals)
        for r, own in zip(left, shares):
            played[r] = np.concatenate([played[r], own], axis=1)
        left.sort(key=lambda r: -float(played[r].mean()))
        top = played[left[0]]
        news(
            f"  {len(left)} settings, {top.shape[1]} deals: best {100 * top[0].mean():.1f}% of greedy, "
            f"{100 * top[1].mean():.1f}% of the best so far"
        )
        if len(left) == 1:
            break
        first, deals = first + deals, deals * 2
        left = left[: max(1, len(left) // 2)]
    return racers[left[0]] if float(played[left[0]][1].mean()) > 0.5 else best


LATE = 0.9
"""Share of positions before the turn from which the weights of late positions hold."""
RIDGE = 1.0
"""Strength of the pull towards nothing, for features whose size was brought to one."""


def positions(
    table: Table, bots: Sequence[Bot], first: int, games: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """Play games between `bots` (one a seat) and return what each beginning of a turn looked like.

    Returns
    -------
    x : array (positions, seats, features)
    credit : array (positions, seats)
        Share of the win of each seat's side, split among its seats.
    turn : array (positions,)
        That begins, from 0.
    game : array (positions,)
    """
    game, cell = table.game, table.cell_of(bots)
    out = np.zeros(max(64, len(game.features)), dtype=np.float64)
    rows: list[Floats] = []
    credits: list[Floats] = []
    turns: list[int] = []
    origin: list[int] = []
    for k in range(games):
        seats = [(s + k) % table.players for s in range(table.players)]
        steps = replay(game, cell, int(deal_seed(table.seed, first + k)), seats)
        last = steps[-1]
        if int(last.state["phase"]) != OVER:
            continue
        won = _credit(game, last)
        turn = -1
        for step in steps[:-1]:
            if int(step.state["turn"]) == turn:
                continue
            turn = int(step.state["turn"])
            seen = np.zeros((table.players, len(game.features)))
            for s in range(table.players):
                features(step.rules, step.state, s, out)
                seen[s] = out[: len(game.features)]
            rows.append(seen)
            credits.append(won)
            turns.append(turn)
            origin.append(k)
    return np.array(rows), np.array(credits), np.array(turns), np.array(origin)


def _credit(game: object, last: object) -> Floats:
    from sim.core.contract import merit, score

    rules, state = last.rules, last.state  # type: ignore[attr-defined]
    n = int(state["players"])
    merits = np.array([merit(rules, state, s, score(rules, state, s)) for s in range(n)], dtype=np.float64)
    sides = np.array([side(rules, state, s) for s in range(n)])
    best = np.isclose(merits, merits.max(), rtol=0, atol=0)
    winners = set(sides[best].tolist())
    credit = np.zeros(n)
    for own in winners:
        credit[sides == own] = 1.0 / len(winners) / int((sides == own).sum())
    return credit


def fit(x: Floats, credit: Floats, ridge: float = RIDGE) -> Floats:
    """Return the weights of a conditional logit of who won (a ridge by Newton's method)."""
    size = np.maximum(x.std(axis=(0, 1)), 1e-9)
    z = x / size
    beta = np.zeros(x.shape[2])
    for _ in range(30):
        lead = z @ beta
        lead -= lead.max(axis=1, keepdims=True)
        p = np.exp(lead)
        p /= p.sum(axis=1, keepdims=True)
        slope = np.einsum("gs,gsk->k", credit - p, z) - ridge * beta
        mean = np.einsum("gs,gsk->gk", p, z)
        bend = np.einsum("gs,gsk,gsl->kl", p, z, z) - mean.T @ mean + ridge * np.eye(len(beta))
        step = np.linalg.solve(bend, slope)
        beta += step
        if np.abs(step).max() < 1e-6:
            break
    return np.asarray(beta / size)
