"""Nothing depends on what cannot be seen: not the legal actions, not what a decision does, not what a bot chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from sim.checks.table import Broken, Report, Table, differing, keep, stream_of
from sim.core.bots import bot_set
from sim.core.contract import apply, choose, determinize, features, legal
from sim.core.game import Cell
from sim.core.loop import seat_bot
from sim.core.rng import below

SIGHT, REDRAW, APPLY, BOTS = "sight", "redraw", "carrying out", "bots"
"""What may depend on hidden things."""


def check_hidden(
    game: Any,
    cell: Cell,
    seeds: Sequence[int],
    report: Report,
    redraw: Callable[..., Any] = determinize,
) -> None:
    """Nothing depends on what the mover cannot see.

    Raises
    ------
    Broken
        The first thing that `hidden_faults` finds.
    """
    for _, text in hidden_faults(game, cell, seeds, report, redraw):
        raise Broken(text)


def hidden_faults(
    game: Any,
    cell: Cell,
    seeds: Sequence[int],
    report: Report,
    redraw: Callable[..., Any] = determinize,
) -> Iterator[tuple[str, str]]:
    """Yield what depends on things that the mover cannot see: which of the four, and where.

    At every decision the hidden part is redrawn. Then legal actions and features must be the same (`SIGHT`); every bot
    of the cell, with the same stream, must choose the same (`BOTS`); the chosen action must do the same to all that is
    not hidden (`APPLY`); and redrawing again must lead from both positions to one and the same (`REDRAW`: it may not
    read what is hidden, not even to shuffle it).
    """
    _, bank, desks = bot_set(game, [cell])
    for seed in seeds:
        table, plies = Table(game, cell, seed), 0
        while not table.over and plies < game.most_plies:
            actions, seat = table.actions(), table.seat
            where = f"seed {seed}, ply {plies}, seat {seat}"
            here, other = table.copy(), table.copy()
            redraw(table.rules, other[0], seat, stream_of(seed, 2 * plies))
            report.compared += 1
            report.redrawn += bool(differing(here[0], other[0]))
            n = int(legal(table.rules, other[0], table.out))
            if table.out[:n].tolist() != actions:
                yield SIGHT, f"legal actions depend on hidden things, {where}"
                return
            told = []
            for position in (here, other):
                features(table.rules, position[0], seat, table.numbers)
                told.append(table.numbers[: len(game.features)].tolist())
            if told[0] != told[1]:
                yield SIGHT, f"features depend on hidden things, {where}"
            changed = _redrawn_apart(table, redraw, here, other, seat, stream_of(seed, 2 * plies + 1))
            if changed:
                yield REDRAW, f"determinize reads hidden things (in the end {changed} differ), {where}"
                return
            picked = 0
            for player in range(cell.players):
                picks = []
                for position in (here, other):
                    bot = bank[0, player : player + 1].copy()[0]
                    seat_bot(bot, np.uint64(seed), player)
                    stream = stream_of(seed, 100_000 + plies)
                    codes = np.array([*actions, 0], dtype=np.int32)
                    position = position.copy()
                    picks.append(int(choose(bot, table.rules, position[0], codes, n, stream, desks)))
                if picks[0] != picks[1]:
                    yield BOTS, f"bot {cell.bots[player][0]!r} looked at what it cannot see, {where}"
                if player == table.who[seat]:
                    picked = picks[0]
            for position in (here, other):
                apply(table.rules, position[0], np.int32(actions[picked]))
            after = stream_of(seed, 2 * plies + 1)
            changed = _redrawn_apart(table, redraw, here, other, seat, after)
            if changed:
                yield APPLY, f"apply reads hidden things (in the end {changed} differ), after {where}"
            table.play(actions[picked])
            plies += 1
    report.games += len(seeds)


def _redrawn_apart(
    table: Table, redraw: Callable[..., Any], here: Any, other: Any, seat: int, stream: Any
) -> list[str]:
    """Return the fields in which two positions, alike but for hidden things, differ after both were redrawn."""
    one, two = here.copy(), other.copy()
    redraw(table.rules, one[0], seat, stream.copy())
    redraw(table.rules, two[0], seat, stream.copy())
    return differing(one[0], two[0])


def check_redrawn_games(game: Any, cell: Cell, seeds: Sequence[int], report: Report) -> None:
    """A redrawn position can be played to its end, as searching bots do."""
    for seed in seeds:
        table, stream, plies = Table(game, cell, seed), stream_of(seed, 3), 0
        while not table.over:
            if plies % 5 == 0:
                determinize(table.rules, table.state, table.seat, stream)
            actions = table.actions()
            keep(bool(actions), f"no action after determinize, seed {seed}, ply {plies}")
            table.play(actions[int(below(stream, len(actions)))])
            plies += 1
            keep(plies <= game.most_plies, f"no end after determinize, seed {seed}")
        report.decisions += plies
