"""Every value that a parameter may have by its declaration is refused in words, or can be played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sim.checks.table import Broken, Report, Table, make_cell, stream_of
from sim.core.errors import Refusal
from sim.core.params import describe
from sim.core.rng import below


def settings_to_try(game: Any) -> Iterator[tuple[str, Any]]:
    """Yield each parameter with the ends of its range, its choices or its switches, where they are no defaults."""
    for row in describe(game.Parameters):
        span, default = row["range"], row["default"]
        if not isinstance(span, list | tuple):
            continue
        for value in span:
            if value is not None and value != default:
                yield row["name"], value


def check_parameters(
    game: Any, players: int, given: Mapping[str, Any], report: Report, most: int = 40
) -> tuple[int, int]:
    """Play a game at random under each of (at most) `most` settings.

    Returns
    -------
    How many were played, and how many were refused in words.

    Raises
    ------
    Broken
        Under a setting a rule raises, or finds no action; the message names both.
    """
    every = [(name, value) for name, value in settings_to_try(game) if name not in given]
    step = max(1, -(-len(every) // most))
    played = refused = 0
    for name, value in every[::step]:
        head, dot, key = name.partition(".")
        setting = {**given, head: {key: value} if dot else value}
        try:
            cell = make_cell(game, ["random"], players, setting)
        except Refusal:
            refused += 1
            continue
        try:
            table, stream = Table(game, cell, 1), stream_of(1, 11)
            while not table.over and table.plies <= game.most_plies:
                actions = table.actions()
                if not actions:
                    raise Broken(f"no legal action: {table.where}")
                table.play(actions[int(below(stream, len(actions)))])
        except Exception as error:
            what = str(error) if isinstance(error, Broken | Refusal) else f"{type(error).__name__}: {error}"
            raise Broken(f"with {name} = {value!r}: {what}") from error
        played += 1
        report.decisions += table.plies
    return played, refused
