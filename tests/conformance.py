"""The shipped suite (`sim.checks`) in the settings in which the games of the package are checked.

``check_game(game, Setting())`` plays a few games in each setting and raises `AssertionError`, naming the place, where a
promise of the contract is broken.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sim.checks.games import check_ends, check_order, check_replay, check_scores, check_seats, check_streams
from sim.checks.hidden import check_hidden, check_redrawn_games
from sim.checks.positions import check_positions
from sim.checks.setups import check_setup
from sim.checks.table import Report, make_cell
from sim.core.loop import MAX_SEATS


@dataclass(frozen=True)
class Setting:
    """How a game is played to be checked.

    Attributes
    ----------
    parameters
        What differs from the game's defaults.
    players
        The fewest and the most players; default: the game's own.
    bots
        Who plays.
    games
        Deals in each check; the slow checks take fewer.
    hidden
        Whether there are hidden things, so that `determinize` must change something now and then.
    decisions, compared
        Decisions that are replayed, and positions that are redrawn, at least: fewer would check nothing.
    """

    parameters: dict[str, Any] = field(default_factory=dict)
    players: tuple[int, int] | None = None
    bots: tuple[str, ...] = ("random", "greedy")
    games: int = 4
    hidden: bool = True
    decisions: int = 100
    compared: int = 40


def check_game(game: Any, setting: Setting, games: int | None = None) -> Report:
    """Run the whole suite in one setting, with the fewest and with the most players.

    Parameters
    ----------
    game
        The game (`sim.core.game.Game`).
    games
        Deals in each check, if not those of the setting.

    Raises
    ------
    AssertionError
        Where a promise is broken.
    """
    report = Report()
    seeds = list(range(1, (games or setting.games) + 1))
    few = seeds[: max(3, len(seeds) // 4)]
    fewest, most = setting.players or (game.min_players, game.max_players)
    cells = [make_cell(game, setting.bots, n, setting.parameters) for n in (fewest, most)]
    assert all(cell.players <= MAX_SEATS for cell in cells)
    check_order(game, cells, seeds, report)
    for cell in cells:
        check_setup(game, cell, few, report)
        check_positions(game, cell, few, report)
        check_ends(game, cell, seeds, report)
        check_scores(game, cell, seeds, report)
        check_replay(game, cell, few, report)
        check_seats(game, cell, seeds, report)
        check_streams(game, setting.parameters, cell.players, few)
        check_hidden(game, cell, few, report)
        check_redrawn_games(game, cell, few, report)
    if setting.hidden:
        assert report.redrawn > report.compared / 2, f"determinize hardly changes anything: {report}"
    assert report.decisions > setting.decisions, f"too little was played to tell: {report}"
    assert report.compared > setting.compared, f"too little was redrawn to tell: {report}"
    return report
