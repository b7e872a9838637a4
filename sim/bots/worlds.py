"""What bots that look ahead share: trying things out on copies, never on the table itself.

A *world* is a copy of the position in which everything that the seat cannot know was redrawn (`determinize`) with the
bot's own stream. The desk holds it: ``desk.states[0]`` is the world that is played on, ``desk.states[1]`` the position
after one action; ``desk.lists[LISTED]`` holds legal actions.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sim.core.bots import Option, Room
from sim.core.contract import (
    OVER,
    RESOLVE,
    apply,
    determinize,
    features,
    keep_allowed,
    legal,
    merit,
    resolve,
    score,
    side,
)
from sim.core.jit import kernel
from sim.core.rng import below, unit

LISTED = 1
"""The list of ``desk.lists`` that holds legal actions; 0 belongs to the caller of `choose`."""
MAX_SIDES = 8
MOST_STEPS = 10_000
"""Between two decisions of a world, a guard against rules that never ask again."""
SHARES = 0
"""Where in ``desk.numbers``, beyond the features, the shares of the win by side lie; then merits, then values."""
MERITS = MAX_SIDES
VALUES = 2 * MAX_SIDES


KNOWS = Option(
    "bool",
    False,
    "sees everything that is hidden, and redraws nothing: to be measured against exact endings only",
)


def room_of(game: Any) -> Room:
    """Return the room that the kernels of this file need."""
    return Room(states=2, lists=1, numbers=VALUES + game.max_actions + 1)


@kernel
def imagine(knows: Any, rules: Any, world: Any, seat: Any, stream: Any) -> None:
    """Make a copy of the table a world: redraw all that `seat` cannot know, unless it `knows`."""
    if knows == 0:
        determinize(rules, world, seat, stream)


@kernel
def settle(rules: Any, world: Any, stream: Any) -> None:
    """Do what is due between decisions, with the bot's own stream; a world that waits for ever has ended."""
    for _ in range(MOST_STEPS):
        if world.phase != RESOLVE:
            return
        resolve(rules, world, stream)
    world.phase = OVER


@kernel
def choices(bot: Any, rules: Any, desk: Any, seat: Any) -> Any:
    """List the legal actions in the world (`seat`, the bot's own, keeps to what it may use); return how many.

    0 where the game cannot go on: nothing is legal, or more than the game declares.
    """
    listed = desk.lists[LISTED]
    n = np.int64(legal(rules, desk.states[0], listed))
    if n > desk.most:
        return np.int64(0)
    if bot.never != 0 and n > 1 and desk.states[0].seat == seat:
        n = np.int64(keep_allowed(rules, desk.states[0], listed, n, bot.never, listed))
    return n


@kernel
def worth(weights: Any, bot: Any, rules: Any, position: Any, seat: Any, numbers: Any) -> Any:
    """Return the weighted sum of the features of a position, seen from `seat`."""
    features(rules, position, seat, numbers)
    value = 0.0
    for k in range(bot.n_features):
        value += weights[k] * numbers[k]
    return value


@kernel
def worth_between(
    early: Any, late: Any, share: Any, bot: Any, rules: Any, position: Any, seat: Any, numbers: Any
) -> Any:
    """Return `worth` by weights that lie between `early` and `late`, this `share` of the way."""
    features(rules, position, seat, numbers)
    value = 0.0
    for k in range(bot.n_features):
        value += ((1.0 - share) * early[k] + share * late[k]) * numbers[k]
    return value


@kernel
def worth_after(bot: Any, rules: Any, desk: Any, action: Any) -> Any:
    """Return what the seat to move would think of the position right after an action, as greedy does."""
    mover = np.int64(desk.states[0].seat)
    desk.states[1] = desk.states[0]
    apply(rules, desk.states[1], action)
    return worth(bot.weights, bot, rules, desk.states[1], mover, desk.numbers)


@kernel
def likely(bot: Any, rules: Any, desk: Any, n: Any, sample: Any, epsilon: Any, stream: Any) -> Any:
    """Return the index of an action as the model of a player chooses it.

    With probability `epsilon` any action; else the best to greedy of all `n`, or of `sample` that are drawn.
    """
    if epsilon > 0.0 and unit(stream) < epsilon:
        return np.int64(below(stream, n))
    listed = desk.lists[LISTED]
    tries = n if sample <= 0 or sample >= n else np.int64(sample)
    best = np.int64(0)
    best_value = -1.0e300
    ties = np.int64(0)
    for k in range(tries):
        if tries < n:  # the drawn ones come to the front
            swap = k + np.int64(below(stream, n - k))
            listed[k], listed[swap] = listed[swap], listed[k]
        value = worth_after(bot, rules, desk, listed[k])
        if value > best_value:
            best = np.int64(k)
            best_value = value
            ties = np.int64(1)
        elif value == best_value:
            ties += 1
            if below(stream, ties) == 0:
                best = np.int64(k)
    return best


@kernel
def play_on(
    bot: Any,
    rules: Any,
    desk: Any,
    seat: Any,
    turns: Any,
    limit: Any,
    sample: Any,
    epsilon: Any,
    stream: Any,
) -> None:
    """Play the world on for `turns` turns, at most `limit` decisions, all seats after the same model."""
    world = desk.states[0]
    last = np.int64(world.turn) + turns
    for _ in range(limit):
        settle(rules, world, stream)
        if world.phase == OVER or world.turn >= last:
            return
        n = choices(bot, rules, desk, seat)
        if n <= 0:
            return
        pick = likely(bot, rules, desk, n, sample, epsilon, stream) if n > 1 else np.int64(0)
        apply(rules, world, desk.lists[LISTED][pick])


@kernel
def judge(early: Any, late: Any, share: Any, scale: Any, bot: Any, rules: Any, desk: Any) -> None:
    """Write the share of the win that each side of the world may hope for into ``desk.numbers`` (at `SHARES`).

    At the end: what it has won. Before: odds that grow with the exponential of the value over `scale`, by weights
    between `early` and `late` (`worth_between`); a side of more seats has the mean of theirs. With two sides that is
    the logistic function of the lead in value.
    """
    world = desk.states[0]
    numbers = desk.numbers
    shares = bot.weights.shape[0] + SHARES
    merits = bot.weights.shape[0] + MERITS
    over = world.phase == OVER
    n_sides = np.int64(0)
    for s in range(MAX_SIDES):
        numbers[shares + s] = 0.0
        numbers[merits + s] = 0.0
    for s in range(world.players):
        own = np.int64(side(rules, world, s))
        n_sides = max(n_sides, own + 1)
        if over:
            numbers[merits + own] = merit(rules, world, s, score(rules, world, s))
            numbers[shares + own] = 1.0
        else:
            value = worth_between(early, late, share, bot, rules, world, np.int64(s), numbers)
            numbers[merits + own] += value / scale
            numbers[shares + own] += 1.0
    best = -1.0e300
    for s in range(n_sides):
        if not over:
            numbers[merits + s] /= numbers[shares + s]
        best = max(best, numbers[merits + s])
    total = 0.0
    for s in range(n_sides):
        lag = numbers[merits + s] - best
        if over:
            numbers[shares + s] = 1.0 if lag == 0.0 else 0.0
        else:
            numbers[shares + s] = math.exp(lag)
        total += numbers[shares + s]
    for s in range(n_sides):
        numbers[shares + s] /= total
