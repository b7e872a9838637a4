"""Flat Monte Carlo: each action is tried in the same redrawn worlds, with the same luck, and half of them are dropped.

No tree: after the action everybody plays after the model of `sim.bots.worlds`, to the end or for some turns. Worlds and
luck are paired, so that actions differ by what they do and not by what they met; budgets go to the actions that are
still in the race (sequential halving: Karnin, Koren and Somekh, 2013). It knows what happens if all play like the model
and nothing of better answers: a second opinion beside `search`, not a stronger player.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from sim.bots.worlds import KNOWS, SHARES, VALUES, imagine, judge, play_on, room_of, worth_after
from sim.core.bots import WEIGHED, Option, Room
from sim.core.contract import apply, side
from sim.core.jit import kernel
from sim.core.rng import u64

ABOUT = "the best of the actions, each played on in the same redrawn worlds"
OPTIONS: dict[str, Option] = {
    **WEIGHED,
    "jitter": replace(WEIGHED["jitter"], default=0.0),
    "playouts": Option("int", 200, "games played on for one decision", (1, 1_000_000)),
    "width": Option("int", 24, "most actions that are tried, the best ones to greedy", (1, 100_000)),
    "horizon": Option("int", 100_000, "turns that a game is played on; by default to its end", (0, 100_000)),
    "epsilon": Option("float", 0.1, "share of decisions that are made at random", (0.0, 1.0)),
    "sample": Option("int", 0, "actions that a decision looks at, drawn at random; 0: all", (0, 100_000)),
    "scale": Option("float", 3.0, "lead in value that makes the odds of winning e to 1", (1e-6, 1e9)),
    "values": Option(
        "weights", None, "table feature = weight that positions are judged by; default: weights"
    ),
    "knows": KNOWS,
}

MOST_DECISIONS = 5000
"""In a game played on: a guard against turns without an end."""
WORLD = 2
"""The state of the desk that keeps the redrawn world while the actions are tried in it."""


def room(options: dict[str, Any], game: Any) -> Room:
    """Return the room of one decision: where the actions in the race stand, and their wins."""
    width = min(int(options["width"]), game.max_actions)
    need = room_of(game)
    return replace(need, states=3, numbers=need.numbers + width, whole=width)


def choose(
    bot: Any,
    options: Any,
    rules: Any,
    state: Any,
    actions: Any,
    n: Any,
    stream: Any,
    desk: Any,
) -> Any:
    race = desk.whole  # indices of the actions in the race, the best one first
    values = bot.weights.shape[0] + VALUES
    wins = values + desk.most + 1
    seat = np.int64(state.seat)
    runners = line_up(bot, options, rules, state, actions, n, desk, values)
    rounds = np.int64(1)
    while (np.int64(1) << rounds) < runners:
        rounds += 1
    left = np.int64(options.playouts)
    for at in range(rounds):
        if runners == 1:
            break
        worlds = max(left // ((rounds - at) * runners), np.int64(1))
        left -= worlds * runners
        for k in range(runners):
            desk.numbers[wins + k] = 0.0
        for _world in range(worlds):
            one_world(bot, options, rules, state, actions, seat, runners, wins, stream, desk)
        runners = keep_half(race, desk.numbers, wins, runners)
    return race[0]


@kernel
def line_up(
    bot: Any, options: Any, rules: Any, state: Any, actions: Any, n: Any, desk: Any, values: Any
) -> Any:
    """Write the best actions to greedy into ``desk.whole``, in their order; return how many."""
    desk.states[0] = state
    for k in range(n):
        desk.numbers[values + k] = worth_after(bot, rules, desk, actions[k])
    runners = min(np.int64(n), np.int64(options.width))
    for place in range(runners):
        best = np.int64(0)
        for k in range(1, n):
            if desk.numbers[values + k] > desk.numbers[values + best]:
                best = np.int64(k)
        desk.whole[place] = best
        desk.numbers[values + best] = -1.0e300
    return runners


@kernel
def one_world(
    bot: Any,
    options: Any,
    rules: Any,
    state: Any,
    actions: Any,
    seat: Any,
    runners: Any,
    wins: Any,
    stream: Any,
    desk: Any,
) -> None:
    """Redraw the hidden things once and try every action of the race there, each with the same luck."""
    desk.states[WORLD] = state
    imagine(options.knows, rules, desk.states[WORLD], seat, stream)
    luck = u64(stream)
    then = stream[0]
    shares = bot.weights.shape[0] + SHARES
    for k in range(runners):
        stream[0] = luck
        desk.states[0] = desk.states[WORLD]
        apply(rules, desk.states[0], actions[desk.whole[k]])
        play_on(
            bot, rules, desk, seat, options.horizon, MOST_DECISIONS, options.sample, options.epsilon, stream
        )
        judge(options.values, options.values, 0.0, options.scale, bot, rules, desk)
        desk.numbers[wins + k] += desk.numbers[shares + np.int64(side(rules, desk.states[0], seat))]
    stream[0] = then


@kernel
def keep_half(race: Any, numbers: Any, wins: Any, runners: Any) -> Any:
    """Sort the race by wins, the first of two alike staying first, and keep its better half; return how many."""
    for k in range(1, runners):
        place = k
        while place > 0 and numbers[wins + place] > numbers[wins + place - 1]:
            numbers[wins + place], numbers[wins + place - 1] = (
                numbers[wins + place - 1],
                numbers[wins + place],
            )
            race[place], race[place - 1] = race[place - 1], race[place]
            place -= 1
    return (runners + 1) // 2


def opinion(
    bot: Any, options: Any, desk: Any, actions: list[int], game: Any, rules: Any, state: Any
) -> list[dict[str, Any]]:
    """Return for each action its mean share of the win in the worlds of the last round that it was in."""
    rows: list[dict[str, Any]] = [{"value": None, "visits": 0} for _ in actions]
    if len(actions) < 2:
        return rows
    wins = int(bot["common"]["weights"].shape[0]) + VALUES + int(desk.most) + 1
    runners = min(len(actions), int(options["width"]))
    rounds = max((runners - 1).bit_length(), 1)
    left = int(options["playouts"])
    for at in range(
        rounds
    ):  # the same schedule as in `choose`; who left the race still has the wins of that round
        if runners == 1:
            break
        worlds = max(left // ((rounds - at) * runners), 1)
        left -= worlds * runners
        for k in range(runners):
            rows[int(desk.whole[k])] = {"value": float(desk.numbers[wins + k]) / worlds, "visits": worlds}
        runners = (runners + 1) // 2
    return rows
