"""Suites of endings: positions near the end of games, with the exact value of every choice, one file a game.

A suite is made by playing games between bots and going back from the end of each, as long as the solver gets through;
of each game the earliest decision is kept at which choices are worth different shares of the win. What is stored is
how the game went (its deal and all actions), so that the position is laid out by the rules as they are.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sim.core.errors import Refusal
from sim.core.game import Entrant
from sim.core.seeds import deal_seed
from sim.core.table import Table
from sim.exact.solver import Solver

FILE = "endings.toml"
"""In a game's folder."""
MAKERS = ("greedy", "random")
"""Bots whose games the endings are taken from, deal by deal in turn."""
FIRST = 30_000_000
"""First deal: nothing is tuned on those that follow."""
MOST_NODES = 200_000
DIFFERENT = 1e-9
"""Values that are closer are alike."""


@dataclass(frozen=True)
class Ending:
    """A position, with the exact value of each choice to the side to move.

    Attributes
    ----------
    deal
        Its number.
    actions
        All that was played before.
    wins, lead
        By choice: the share of the win, and points ahead of the best other side, each with best play for it.
    nodes
        Positions that the solver looked at for `wins`.
    """

    deal: int
    actions: list[int]
    wins: list[float]
    lead: list[float]
    nodes: int


@dataclass(frozen=True)
class Suite:
    """The endings of one game under one setting."""

    game: str
    players: int
    parameters: dict[str, Any]
    seed: int
    made: str
    endings: list[Ending]

    def as_tables(self) -> dict[str, Any]:
        """Return it as it stands in the file."""
        return {
            "made": self.made,
            "players": self.players,
            "seed": self.seed,
            "parameters": self.parameters,
            "ending": [vars(ending) for ending in self.endings],
        }


def suite_of(game: Any, path: Path | None = None) -> Suite:
    """Read the suite that comes with a game, or one of yours."""
    path = path or game.folder / FILE
    if not path.is_file():
        raise Refusal(f"there are no endings of {game.name}: no file '{path}'; make them with --make")
    try:
        with path.open("rb") as file:
            rows = tomllib.load(file)
        endings = [Ending(**row) for row in rows.pop("ending")]
        return Suite(game=game.name, endings=endings, **rows)
    except (ValueError, RecursionError, KeyError, TypeError) as error:
        raise Refusal(f"'{path}' is no suite of endings: {error}") from None


def cell_of(game: Any, players: int, parameters: Mapping[str, Any], bot: str = "random") -> Any:
    """Return the cell that endings are played in."""
    entrants = [Entrant(f"player {k + 1}", bot) for k in range(players)]
    cell = game.prepare(dict(parameters), players, entrants, None)
    cell.bots = [(bot, {})] * players
    return cell


def laid_out(game: Any, suite: Suite) -> Iterator[tuple[Ending, Table]]:
    """Lay out one ending after the other; `Refusal` where the rules no longer lead there."""
    cell = cell_of(game, suite.players, suite.parameters)
    for k, ending in enumerate(suite.endings):
        table = _deal(game, cell, suite.seed, ending.deal)
        for action in ending.actions:
            if action not in table.actions:
                break
            table.play(action)
        else:
            if len(table.actions) == len(ending.wins):
                yield ending, table
                continue
        raise Refusal(
            f"ending {k + 1} of {game.name} (deal {ending.deal}) is not reached: the rules have changed; "
            f"make the suite anew: {suite.made}"
        )


def _deal(game: Any, cell: Any, seed: int, deal: int) -> Table:
    return Table(game, cell, int(deal_seed(seed, np.int64(deal))), range(cell.players))


def make_suite(
    game: Any,
    wanted: int,
    made: str,
    *,
    players: int = 2,
    parameters: Mapping[str, Any] | None = None,
    seed: int = 1,
    most_nodes: int = MOST_NODES,
    news: Callable[[str], None] = lambda text: None,
) -> Suite:
    """Make a suite of `wanted` endings; `made` is the line that does it."""
    given = dict(parameters or {})
    cells = [cell_of(game, players, given, bot) for bot in MAKERS]
    endings: list[Ending] = []
    deal = FIRST
    while len(endings) < wanted:
        if deal - FIRST > 20 * wanted + 100:
            raise Refusal(f"only {len(endings)} endings of {game.name} came of {deal - FIRST} games")
        found = _ending_of(game, _deal(game, cells[deal % len(cells)], seed, deal), deal, most_nodes)
        if found is not None:
            endings.append(found)
            news(f"{len(endings)} of {wanted}: deal {deal}, {len(found.wins)} choices")
        deal += 1
    return Suite(game.name, players, given, seed, made, endings)


def _ending_of(game: Any, table: Table, deal: int, most_nodes: int) -> Ending | None:
    """Play a game to its end and return its earliest decision that is solved and matters."""
    played: list[int] = []
    choices: list[tuple[int, Any, list[int]]] = []
    while table.seat >= 0:
        if len(table.actions) > 1:
            choices.append((len(played), table.copies()[1], list(table.actions)))
        played.append(table.ask())
        table.play(played[-1])
    solver = Solver(game, table.rules, "wins", most_nodes)
    points = Solver(game, table.rules, "lead", 4 * most_nodes)
    best: Ending | None = None
    for at, state, actions in reversed(choices):
        won = solver.solve(state, actions)
        if won.values is None:
            break
        if matters(won.values):
            ahead = points.solve(state, actions)
            if ahead.values is None:
                break
            best = Ending(deal, played[:at], _rounded(won.values), _rounded(ahead.values), won.nodes)
    return best


def matters(values: Sequence[float]) -> bool:
    """Whether it is not all the same what one chooses."""
    return max(values) - min(values) > DIFFERENT


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, 9) for value in values]
