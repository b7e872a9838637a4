"""Information-set tree search: one tree over what its seat can see, a freshly redrawn world for each playout.

After Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search" (2012): single observer, open loop. Each
playout redraws what the seat cannot know, walks down the tree along actions that are legal in that world, opens one new
branch, plays on for a few turns and judges the position there. Branches are tried in the order of their greedy value,
more of them the oftener a node was visited (progressive widening: Coulom, 2007; Chaslot et al., 2008). Each node keeps
the share of the win of the side that moved to it, so that any number of players and teams are served.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from sim.bots.worlds import (
    KNOWS,
    LISTED,
    SHARES,
    VALUES,
    choices,
    imagine,
    judge,
    play_on,
    room_of,
    settle,
    worth_after,
)
from sim.core.bots import WEIGHED, Option, Room
from sim.core.contract import OVER, apply, side
from sim.core.jit import kernel
from sim.core.records import record_type

ABOUT = "tree search over redrawn hidden things, with short playouts"
OPTIONS: dict[str, Option] = {
    **WEIGHED,
    "jitter": replace(WEIGHED["jitter"], default=0.0),
    "playouts": Option("int", 200, "worlds that are played through for one decision", (1, 1_000_000)),
    "exploration": Option(
        "float", 0.5, "how much branches that were seldom tried are favoured", (0.0, 100.0)
    ),
    "widen": Option("float", 1.0, "branches open at a node: this times the root of its visits", (0.0, 1e6)),
    "width": Option("int", 24, "most branches at a node, the best ones to greedy", (1, 100_000)),
    "horizon": Option("int", 2, "turns that a playout goes on beyond the tree", (0, 100_000)),
    "even": Option(
        "bool",
        False,
        "the horizon counts from the decision instead, so that all playouts end in the same turn",
    ),
    "epsilon": Option("float", 0.1, "share of decisions in a playout that are made at random", (0.0, 1.0)),
    "sample": Option(
        "int", 0, "actions that a decision in a playout looks at, drawn at random; 0: all", (0, 100_000)
    ),
    "scale": Option("float", 3.0, "lead in value that makes the odds of winning e to 1", (1e-6, 1e9)),
    "prior": Option(
        "float",
        0.0,
        "lead in greedy value that makes a branch e times as interesting (PUCT); 0: all alike (UCT)",
        (0.0, 1e9),
    ),
    "values": Option(
        "weights", None, "table feature = weight that positions are judged by; default: weights"
    ),
    "late_values": Option(
        "weights", {}, "table feature = weight that late positions are judged by; see late"
    ),
    "late": Option(
        "float",
        0.0,
        "turn from which late_values hold; before it weights lie between values and these; 0: values throughout",
        (0.0, 1e6),
    ),
    "knows": KNOWS,
}

MOST_DEEP = 64
MOST_DECISIONS = 1000
"""In a playout: a guard against turns without an end."""

NODE = record_type(
    [
        ("node", np.int32),
        ("first", np.int32),  # child, the best one to greedy; -1: none yet
        ("after", np.int32),  # sibling, the next best; -1: none
        ("action", np.int32),  # that leads here
        ("mover", np.int32),  # the seat that chose it
        ("visits", np.int32),
        ("liking", np.float64),  # greedy value
        ("won", np.float64),  # shares of the win of the mover's side, summed over visits
    ]
)


def room(options: dict[str, Any], game: Any) -> Room:
    """Return the room of one decision: a playout opens at most one node's branches."""
    branches = min(int(options["width"]), game.max_actions)
    nodes = min(1 + int(options["playouts"]) * branches, 4_000_000)
    return replace(room_of(game), whole=MOST_DEEP, node=NODE, nodes=nodes)


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
    seat = np.int64(state.seat)
    used = clear_node(desk.nodes, 0, 0, seat, 0.0)
    for _playout in range(options.playouts):
        desk.states[0] = state
        imagine(options.knows, rules, desk.states[0], seat, stream)
        used = one_playout(bot, options, rules, desk, seat, used, stream)
    best = np.int64(-1)
    child = np.int64(desk.nodes[0].first)
    while child >= 0:
        if best < 0 or is_better(desk.nodes[child], desk.nodes[best]):
            best = child
        child = np.int64(desk.nodes[child].after)
    chosen = desk.nodes[best].action
    place = np.int64(0)
    while actions[place] != chosen:
        place += 1
    return place


@kernel
def is_better(one: Any, other: Any) -> Any:
    """Whether a branch was tried more often than another; of two alike, the one that won more."""
    if one.visits != other.visits:
        return one.visits > other.visits
    return one.won > other.won


@kernel
def clear_node(nodes: Any, at: Any, action: Any, mover: Any, liking: Any) -> Any:
    """Make a new node at a place and return the next place."""
    node = nodes[at]
    node.first = -1
    node.after = -1
    node.action = action
    node.mover = mover
    node.visits = 0
    node.liking = liking
    node.won = 0.0
    return np.int64(at + 1)


@kernel
def one_playout(bot: Any, options: Any, rules: Any, desk: Any, seat: Any, used: Any, stream: Any) -> Any:
    """Play one world through and remember what came of it; returns how many nodes are used."""
    world = desk.states[0]
    nodes = desk.nodes
    path = desk.whole
    here = np.int64(0)
    depth = 0
    last = np.int64(world.turn) + options.horizon if options.even != 0 else np.int64(2**62)
    for _ in range(MOST_DECISIONS):
        settle(rules, world, stream)
        if world.phase == OVER or world.turn >= last or depth >= MOST_DEEP:
            break
        n = choices(bot, rules, desk, seat)
        if n <= 0:
            break
        if n == 1:
            apply(rules, world, desk.lists[LISTED][0])
            continue
        open_ = np.int64(
            max(1.0, min(options.widen * math.sqrt(nodes[here].visits + 1.0), 1.0 * options.width))
        )
        child = best_branch(options, world, desk, here, n, min(open_, n), min(open_, n))
        if child < 0:
            used = add_branches(bot, options, rules, desk, here, n, used)
            child = best_branch(options, world, desk, here, n, min(open_, n), np.int64(1))
        if child < 0:  # no room for more
            break
        apply(rules, world, nodes[child].action)
        path[depth] = child
        depth += 1
        here = child
        if nodes[child].visits == 0:
            break
    turns = last - world.turn if options.even != 0 else np.int64(options.horizon)
    play_on(bot, rules, desk, seat, turns, MOST_DECISIONS, options.sample, options.epsilon, stream)
    share = min(1.0, world.turn / options.late) if options.late > 0.0 else 0.0
    judge(options.values, options.late_values, share, options.scale, bot, rules, desk)
    shares = bot.weights.shape[0] + SHARES
    nodes[0].visits += 1
    for k in range(depth):
        node = nodes[path[k]]
        node.visits += 1
        node.won += desk.numbers[shares + np.int64(side(rules, world, np.int64(node.mover)))]
    return used


@kernel
def place_in(actions: Any, n: Any, action: Any) -> Any:
    """Return where `action` stands among the `n` first ones, -1 if nowhere."""
    for k in range(n):
        if actions[k] == action:
            return np.int64(k)
    return np.int64(-1)


@kernel
def best_branch(options: Any, world: Any, desk: Any, here: Any, n: Any, wanted: Any, least: Any) -> Any:
    """Return the branch to follow among the `wanted` best to greedy that are legal in this world.

    -1 when fewer than `least` are known, so that more must be added first.
    """
    nodes = desk.nodes
    listed = desk.lists[LISTED]
    visits = 1.0 + nodes[here].visits
    log_visits = math.log(visits)
    root_visits = math.sqrt(visits)
    best = np.int64(-1)
    best_score = -1.0e300
    best_liking = 0.0
    known = np.int64(0)
    child = np.int64(nodes[here].first)
    while child >= 0 and known < wanted:
        node = nodes[child]
        if node.mover == world.seat and place_in(listed, n, node.action) >= 0:
            if known == 0:
                best_liking = node.liking
            known += 1
            tried = float(node.visits)
            won = node.won / tried if tried > 0.0 else 0.5
            if options.prior > 0.0:
                interest = math.exp((node.liking - best_liking) / options.prior)
                value = won + options.exploration * interest * root_visits / (1.0 + tried)
            elif tried == 0.0:
                value = 1.0e9 - known
            else:
                value = won + options.exploration * math.sqrt(log_visits / tried)
            if value > best_score:
                best = child
                best_score = value
        child = np.int64(node.after)
    return best if known >= least else np.int64(-1)


@kernel
def add_branches(bot: Any, options: Any, rules: Any, desk: Any, here: Any, n: Any, used: Any) -> Any:
    """Add the best legal actions that are no branches yet, so that `width` of them are known; returns nodes used."""
    nodes = desk.nodes
    listed = desk.lists[LISTED]
    values = bot.weights.shape[0] + VALUES
    mover = np.int64(desk.states[0].seat)
    known = np.int64(0)
    child = np.int64(nodes[here].first)
    for k in range(n):
        desk.numbers[values + k] = 0.0
    while child >= 0:
        place = place_in(listed, n, nodes[child].action)
        if place >= 0 and nodes[child].mover == mover:
            desk.numbers[values + place] = -1.0e300
            known += 1
        child = np.int64(nodes[child].after)
    for k in range(n):
        if desk.numbers[values + k] == 0.0:
            desk.numbers[values + k] = worth_after(bot, rules, desk, listed[k])
    while known < options.width and known < n and used < nodes.shape[0]:
        best = np.int64(0)
        for k in range(1, n):
            if desk.numbers[values + k] > desk.numbers[values + best]:
                best = np.int64(k)
        liking = desk.numbers[values + best]
        desk.numbers[values + best] = -1.0e300
        used = insert(nodes, here, used, listed[best], mover, liking)
        known += 1
    return used


@kernel
def insert(nodes: Any, here: Any, at: Any, action: Any, mover: Any, liking: Any) -> Any:
    """Put a new node at `at` among the branches of `here`, which are sorted by liking; returns the next place."""
    free = clear_node(nodes, at, action, mover, liking)
    before = np.int64(-1)
    child = np.int64(nodes[here].first)
    while child >= 0 and nodes[child].liking >= liking:
        before = child
        child = np.int64(nodes[child].after)
    nodes[at].after = child
    if before < 0:
        nodes[here].first = at
    else:
        nodes[before].after = at
    return free


def opinion(
    bot: Any, options: Any, desk: Any, actions: list[int], game: Any, rules: Any, state: Any
) -> list[dict[str, Any]]:
    """Return for each action its share of the win and how many playouts went through it, read from the tree."""
    found = dict.fromkeys(actions, (0, 0.0))
    child = int(desk.nodes[0]["first"])
    while len(actions) > 1 and child >= 0:
        node = desk.nodes[child]
        if int(node["action"]) in found:
            found[int(node["action"])] = (int(node["visits"]), float(node["won"]))
        child = int(node["after"])
    return [
        {"value": won / visits if visits else None, "visits": visits}
        for visits, won in (found[action] for action in actions)
    ]
