"""What a game says of itself in words and pictures: actions, kinds, pieces, positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.checks.table import Broken, Report, Table, keep, stream_of
from sim.core.game import Cell
from sim.core.rng import below


def check_words(game: Any, cell: Cell, seeds: Sequence[int], report: Report) -> None:
    """Each legal action has words of its own, a kind and a piece that there are; positions have a text and a picture.

    Raises
    ------
    Broken
        A place where this does not hold.
    """
    for seed in seeds:
        table, stream = Table(game, cell, seed), stream_of(seed, 7)
        while not table.over:
            actions = table.actions()
            _check_actions(table, actions)
            table.play(actions[int(below(stream, len(actions)))])
            report.decisions += 1
        _check_position(table)
    _check_picture(Table(game, cell, seeds[0]))


def _check_actions(table: Table, actions: list[int]) -> None:
    where = table.where
    game, codes = table.game, np.array(actions, dtype=np.int32)
    said: dict[str, int] = {}
    for action in actions:
        text = game.action_text(action, table.rules, table.cell, table.state)
        keep(bool(text.strip()), f"action {action} has no words: {where}")
        keep("\n" not in text, f"the words of action {action} are more than one line: {where}")
        keep(text not in said, f"actions {said.get(text)} and {action} are both called {text!r}: {where}")
        said[text] = action
    for what, found, names in (
        ("action_kind", game.action_kind(codes), game.kinds),
        ("action_piece", game.action_piece(codes), game.pieces),
    ):
        least = -1 if what == "action_piece" else 0
        keep(len(found) == len(actions), f"{what} tells {len(found)} of {len(actions)} actions: {where}")
        wrong = [int(code) for code in found if not least <= int(code) < len(names)]
        keep(not wrong, f"{what} says {wrong[0] if wrong else 0}, of {len(names)} names: {where}")
    _check_position(table)


def _check_position(table: Table) -> None:
    text = table.game.position_text(table.rules, table.state, table.cell)
    keep(bool(text.strip()), f"a position has no text: seed {table.seed}, after {table.plies} actions")
    phase = int(table.state["phase"])
    if not 0 <= phase < len(table.game.phases):
        raise Broken(f"phase {phase} has no name in `phases`: {table.where}")


def _check_picture(table: Table) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure()
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    table.game.draw(table.rules, table.state, axes, title="a deal")
    (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
    keep(x0 != x1 and y0 != y1, "`draw` leaves a picture without width or height")
    figure.canvas.draw()
