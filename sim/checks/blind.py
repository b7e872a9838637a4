"""No bot looks at what its seat cannot see: change the hidden part, and it must choose the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sim.checks.table import Broken, Report, Table, differing, stream_of
from sim.core.bots import bot_set
from sim.core.contract import choose, determinize
from sim.core.game import Cell
from sim.core.loop import seat_bot
from sim.core.rng import below

Bot = tuple[str, dict[str, Any]]
"""Name and options of a bot."""


def check_blind(
    game: Any,
    cell: Cell,
    bots: Sequence[Bot],
    seeds: Sequence[int],
    report: Report,
    every: int = 1,
    redraw: Callable[..., Any] = determinize,
) -> None:
    """Play deals at random and ask each bot twice: at the table, and where what its seat cannot see is another.

    Parameters
    ----------
    game, cell
        Where to play; the bots of the cell do not matter.
    bots
        The ones to ask, with their options; a tree search with few playouts is as honest as one with many.
    seeds
        Deals.
    every
        Ask at every so many decisions.
    redraw
        What changes the hidden part.

    Raises
    ------
    Broken
        A bot chose otherwise; the message names it and the place.
    """
    asked = _seated(cell, bots)
    _, bank, desks = bot_set(game, [asked])
    for seed in seeds:
        table, stream, decisions = Table(game, cell, seed), stream_of(seed, 0), 0
        while not table.over:
            actions = table.actions()
            decisions += len(actions) > 1
            if len(actions) > 1 and decisions % every == 0:
                other = table.copy()
                redraw(table.rules, other[0], table.seat, stream_of(seed, 1 + table.plies))
                report.compared += 1
                report.redrawn += bool(differing(table.state, other[0]))
                for place, (name, _) in enumerate(bots):
                    _ask(table, actions, other, bank[0, place : place + 1], desks, name)
            table.play(actions[int(below(stream, len(actions)))])
        report.games += 1
        report.decisions += decisions


def _seated(cell: Cell, bots: Sequence[Bot]) -> Cell:
    from dataclasses import replace

    return replace(cell, bots=list(bots))


def _ask(table: Table, actions: list[int], other: Any, bot: Any, desks: Any, name: str) -> None:
    codes = np.array([*actions, 0], dtype=np.int32)
    picks = []
    for position in (table.copy(), other.copy()):
        asked = bot.copy()[0]
        seat_bot(asked, np.uint64(table.seed), table.seat)
        stream = stream_of(table.seed, 100_000 + table.plies)
        before = position.copy()
        picks.append(int(choose(asked, table.rules, position[0], codes, len(actions), stream, desks)))
        changed = differing(before[0], position[0])
        if changed:
            raise Broken(f"bot {name!r} changed {', '.join(changed)} of the table: {table.where}")
        if not 0 <= picks[-1] < len(actions):
            raise Broken(f"bot {name!r} chose number {picks[-1]} of {len(actions)} actions: {table.where}")
    if picks[0] != picks[1]:
        raise Broken(f"bot {name!r} looked at what it cannot see: {table.where}")
