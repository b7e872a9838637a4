"""What bots choose in endings whose exact values are known, and what it costs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.batch.progress import quiet
from sim.exact.endings import DIFFERENT, Ending, Suite, cell_of, laid_out

if TYPE_CHECKING:
    import polars as pl

EXACT, WORST = "exact", "worst"
"""No bots, but choices to compare with: the best one, and the one that costs most."""
REPEATS = 8
"""Times that a bot is asked about one ending, with other random numbers."""


def choices(
    game: Any,
    suite: Suite,
    bots: Sequence[str],
    *,
    knows: bool = True,
    repeats: int = REPEATS,
    news: Callable[[str], None] = quiet,
) -> pl.DataFrame:
    """Ask every bot about every ending.

    Parameters
    ----------
    bots
        As in an experiment, such as ``search:playouts=100``; also `EXACT` and `WORST`.
    knows
        Whether bots that look ahead see what is hidden, as the exact values do. Else they see what their seat may,
        and what they lose tells of hidden things too.

    Returns
    -------
    polars.DataFrame
        One row a bot, ending and repeat: ``game, bot, ending`` (from 1), ``deal, repeat, options, nodes, choice`` (in
        words), ``piece`` (that the best choice uses; null where best ones differ in it, or use none), ``best``
        (whether the choice is), ``regret`` (share of the win lost), ``lead_lost`` (points lost against the best
        choice by points).
    """
    import polars as pl

    rows: list[dict[str, Any]] = []
    places = list(laid_out(game, suite))
    for bot in dict.fromkeys(bots):
        ask = _asker(game, suite, bot, knows)
        for k, (ending, table) in enumerate(places):
            top, most = max(ending.wins), max(ending.lead)
            piece = _piece(game, [a for a, won in zip(table.actions, ending.wins) if top - won <= DIFFERENT])
            for repeat in range(repeats):
                at = ask(ending, table, repeat)
                rows.append(
                    {
                        "game": game.name,
                        "bot": bot,
                        "ending": k + 1,
                        "deal": ending.deal,
                        "repeat": repeat,
                        "options": len(ending.wins),
                        "nodes": ending.nodes,
                        "choice": game.action_text(table.actions[at], table.rules, table.cell, table.state),
                        "piece": piece,
                        "best": top - ending.wins[at] <= DIFFERENT,
                        "regret": top - ending.wins[at],
                        "lead_lost": most - ending.lead[at],
                    }
                )
        news(f"{bot}: {len(places)} endings")
    return pl.DataFrame(rows, infer_schema_length=None)


def _piece(game: Any, actions: Sequence[int]) -> str | None:
    """Return the piece that all these actions use."""
    used = {int(piece) for piece in game.action_piece(np.array(actions, dtype=np.int32))}
    only = used.pop()
    return None if used or only < 0 else str(game.pieces[only])


def _end_of(ending: Ending, end: Callable[..., Any]) -> int:
    """Return the place of the best choice (`max`) or the worst (`min`), by points among those alike."""
    return int(end(range(len(ending.wins)), key=lambda k: (ending.wins[k], ending.lead[k])))


def _asker(game: Any, suite: Suite, bot: str, knows: bool) -> Callable[[Any, Any, int], int]:
    """Return the function that tells a bot's choice as a place among the actions."""
    if bot == EXACT:
        return lambda ending, table, repeat: _end_of(ending, max)
    if bot == WORST:
        return lambda ending, table, repeat: _end_of(ending, min)
    from sim.batch.cells import bot_spec
    from sim.core.bots import bot_set, check_options, kind_of
    from sim.core.contract import choose
    from sim.core.jit import compiling
    from sim.core.loop import seat_bot
    from sim.core.params import nested
    from sim.core.rng import BOT, start
    from sim.core.room import action_room

    name, options = bot_spec(bot)
    wanted = nested(options)
    check_options(name, wanted, game)
    if knows and "knows" in kind_of(name).options:
        wanted = {"knows": True, **wanted}
    cell = cell_of(game, suite.players, suite.parameters)
    cell.bots = [(name, wanted)] * suite.players
    _, bank, desks = bot_set(game, [cell])
    room, stream = action_room(game), np.zeros(1, dtype=np.uint64)
    seated = np.zeros(1, dtype=bank.dtype)
    copy = np.zeros(1, dtype=game.State)

    def ask(ending: Any, table: Any, repeat: int) -> int:
        n, seat, seed = len(table.actions), table.seat, np.uint64(repeat + 1)
        seated[0], copy[0] = bank[0, seat], table.state
        room[:n] = table.actions
        seat_bot(seated[0], seed, seat)
        start(stream, seed, BOT, seat)
        with compiling(game.name):
            return int(choose(seated[0], table.rules, copy[0], room, n, stream, desks))

    return ask
