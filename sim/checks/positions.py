"""Legal actions and looking: what holds in every position that a game comes to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sim.checks.table import Broken, Report, Table, differing, stream_of
from sim.core.contract import MEASURES, features, idle, piece_of, tally
from sim.core.game import Cell
from sim.core.jit import implemented
from sim.core.rng import below

NEVER_WRITTEN = -9999
MAY_BE_NULL = ("assigned", "offered", "taken", "first_turn")
"""Measures of `tally` for which -1 stands for a value that is not known."""


def check_positions(game: Any, cell: Cell, seeds: Sequence[int], report: Report) -> None:
    """Play deals at random: legal actions are unique and fit, and looking at a position does not change it.

    Raises
    ------
    Broken
        A position in which this does not hold; the message names it.
    """
    _walk(game, cell, seeds, report, look)


def check_actions(game: Any, cell: Cell, seeds: Sequence[int], report: Report) -> None:
    """Play deals at random: there are legal actions, each once, for a seat that plays."""
    _walk(game, cell, seeds, report, _legal_of)


def check_looking(game: Any, cell: Cell, seeds: Sequence[int], report: Report) -> None:
    """Play deals at random: asking for anything leaves the position as it is."""
    _walk(game, cell, seeds, report, lambda table: look(table, judged=False))


def check_features(game: Any, cell: Cell, seeds: Sequence[int], report: Report) -> None:
    """Play deals at random: features are finite."""
    _walk(game, cell, seeds, report, lambda table: _each_seat(table, _features_from))


def check_pieces(game: Any, cell: Cell, seeds: Sequence[int], report: Report) -> None:
    """Play deals at random: every measure of every piece is written, and actions name the pieces that they use."""

    def told(table: Table) -> None:
        _each_seat(table, _pieces_from)
        _pieces_of_actions(table, table.actions())

    _walk(game, cell, seeds, report, told)


def _walk(
    game: Any, cell: Cell, seeds: Sequence[int], report: Report, see: Callable[[Table], object]
) -> None:
    for seed in seeds:
        table, stream = Table(game, cell, seed), stream_of(seed, 0)
        while not table.over:
            see(table)
            actions = _legal_of(table)
            table.play(actions[int(below(stream, len(actions)))])
            if table.plies > game.most_plies:
                raise Broken(f"no end within most_plies = {game.most_plies} actions: {table.where}")
        report.decisions += table.plies


def _each_seat(table: Table, see: Callable[[Table, int], None]) -> None:
    for seat in range(table.cell.players):
        see(table, seat)


def _legal_of(table: Table) -> list[int]:
    actions = table.actions()
    if not 0 <= table.seat < table.cell.players:
        raise Broken(f"seat {table.seat} of {table.cell.players} is to move: {table.where}")
    if not actions:
        raise Broken(f"no legal action: {table.where}")
    if len(set(actions)) != len(actions):
        raise Broken(f"an action twice: {table.where}")
    return actions


def look(table: Table, judged: bool = True) -> list[int]:
    """Look at a position in every way and return its legal actions; `judged`: what is told must make sense too."""
    before = table.copy()
    actions = _legal_of(table)
    if table.actions() != actions:
        raise Broken(f"other legal actions when asked again: {table.where}")
    if judged:
        _each_seat(table, _features_from)
        _each_seat(table, _pieces_from)
        _pieces_of_actions(table, actions)
        _idle_or_not(table, actions)
    else:
        marks = np.zeros((len(MEASURES), len(table.game.pieces)), dtype=np.int16)
        for seat in range(table.cell.players):
            features(table.rules, table.state, seat, table.numbers)
            tally(table.rules, table.state, seat, marks)
    table.scores()
    changed = differing(before[0], table.state)
    if changed:
        raise Broken(f"looking at the position changed {', '.join(changed)}: {table.where}")
    return actions


def _pieces_of_actions(table: Table, actions: list[int]) -> None:
    pieces = [int(piece_of(table.rules, table.state, np.int32(action))) for action in actions]
    told = [int(piece) for piece in table.game.action_piece(np.array(actions, dtype=np.int32))]
    if implemented("piece_of", table.game.State) and pieces != told:
        wrong = next(a for a, one, other in zip(actions, pieces, told) if one != other)
        raise Broken(f"piece_of and action_piece differ for action {wrong}: {table.where}")


def _idle_or_not(table: Table, actions: list[int]) -> None:
    for action in actions:
        told = idle(table.rules, table.state, np.int32(action))
        if int(told) not in (0, 1):
            raise Broken(f"idle says {told!r} of action {action}, neither true nor false: {table.where}")


def _features_from(table: Table, seat: int) -> None:
    game = table.game
    features(table.rules, table.state, seat, table.numbers)
    for name, number in zip(game.features, table.numbers):
        if not np.isfinite(number):
            raise Broken(f"feature {name!r} of seat {seat} is {number}: {table.where}")


def _pieces_from(table: Table, seat: int) -> None:
    game = table.game
    if not game.pieces:
        return
    marks = np.full((len(MEASURES), len(game.pieces)), NEVER_WRITTEN, dtype=np.int16)
    tally(table.rules, table.state, seat, marks)
    for measure, row in zip(MEASURES, marks):
        least = -1 if measure in MAY_BE_NULL else NEVER_WRITTEN + 1 if measure == "scored" else 0
        if row.min() < least:
            piece = game.pieces[int(row.argmin())]
            what = "not written" if row.min() == NEVER_WRITTEN else int(row.min())
            raise Broken(f"{measure} of seat {seat} and piece {piece!r} is {what}: {table.where}")
