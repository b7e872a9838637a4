"""What every bot promises to the table at which it plays, checked in one game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from sim.checks.blind import check_blind
from sim.checks.both_ways import check_both_ways
from sim.checks.suite import BROKEN, UNREACHED, Promise, Settings, look
from sim.checks.table import Report, Table, keep, make_cell, stream_of
from sim.core.bots import bot_set, kind_of
from sim.core.contract import choose
from sim.core.loop import seat_bot
from sim.core.rng import below

EVERY = 4
"""Asked at every so many decisions."""


def check_bot(name: str, options: Mapping[str, Any], game: Any, settings: Settings) -> Iterator[Promise]:
    """Check one promise after the other and tell what became of each.

    Parameters
    ----------
    name, options
        The bot.
    game
        Where it plays.
    settings
        How the game is played.
    """
    bot = (name, dict(options))
    count = settings.players[0] if settings.players else game.min_players
    seeds = range(1, settings.games + 1)
    cell = make_cell(game, ["random"], count, dict(settings.parameters))

    def blind() -> str:
        report = Report()
        check_blind(game, cell, [bot], seeds, report, EVERY)
        return f"{report.redrawn} of {report.compared} positions had something hidden"

    def both_ways() -> str | None:
        if kind_of(name).plain or game.plain or not settings.compiled:
            return None
        check_both_ways(settings.name, game, count, settings.parameters, list(seeds), [bot])
        return f"{len(seeds)} games"

    promises: dict[str, tuple[str, Callable[[], str | None]]] = {
        "choice": (
            "it chooses one of the legal actions",
            lambda: _same_choice(game, cell, bot, seeds, False),
        ),
        "stream": (
            "the same position and stream, the same choice",
            lambda: _same_choice(game, cell, bot, seeds, True),
        ),
        "blind": ("it does not look at what its seat cannot see, and leaves the table as it is", blind),
        "compiled": ("compiled, with bounds checked, it plays the same games", both_ways),
    }
    stopped = False
    for what, (text, check) in promises.items():
        if stopped:
            yield Promise(what, text, UNREACHED)
            continue
        promise = look(what, text, check, kind_of(name).source.parent)
        yield promise
        stopped = promise.state == BROKEN and what == "choice"


def _same_choice(game: Any, cell: Any, bot: tuple[str, dict[str, Any]], seeds: Any, again: bool) -> str:
    """Ask at decisions of games at random: what is chosen must be there, and (`again`) be the same when asked again."""
    from dataclasses import replace

    _, bank, desks = bot_set(game, [replace(cell, bots=[bot])])
    asked = 0
    for seed in seeds:
        table, stream, decisions = Table(game, cell, seed), stream_of(seed, 0), 0
        while not table.over:
            actions = table.actions()
            decisions += len(actions) > 1
            if len(actions) > 1 and decisions % EVERY == 0:
                asked += 1
                picks = []
                for _ in range(2 if again else 1):
                    record, position = bank[0, :1].copy()[0], table.copy()
                    seat_bot(record, np.uint64(seed), table.seat)
                    codes = np.array([*actions, 0], dtype=np.int32)
                    own = stream_of(seed, 100_000 + table.plies)
                    picks.append(
                        int(choose(record, table.rules, position[0], codes, len(actions), own, desks))
                    )
                there = 0 <= picks[0] < len(actions)
                keep(there, f"it chose number {picks[0]} of {len(actions)} actions: {table.where}")
                keep(picks[0] == picks[-1], f"it chose {picks[0]}, then {picks[-1]}: {table.where}")
            table.play(actions[int(below(stream, len(actions)))])
    return f"{asked} decisions"
