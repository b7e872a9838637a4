"""What a bot thinks of the choices in a position: it is asked, and its desk is read afterwards.

A bot that can tell has a plain function ``opinion(bot, options, desk, actions)`` beside ``choose``: for each action a
dictionary with ``value`` (None: it did not look at it) and whatever else it knows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sim.core.errors import Refusal

Z = 1.959963984540054
"""Half width of a 95% interval in standard errors."""


def opinion(
    game: Any, cell: Any, rules: Any, state: Any, actions: Sequence[int], bot: str
) -> list[dict[str, Any]]:
    """Return one dictionary for each action, in their order.

    Parameters
    ----------
    bot
        As in an experiment: ``search:playouts=400``.

    Returns
    -------
    list of dict
        ``chosen`` (whether the bot plays it), ``value`` and what the bot says of it; of shares of the win with the
        number of playouts behind them (``visits``) also a 95% interval, ``low`` and ``high`` (Wilson's: the odds of a
        playout spread no wider than wins and losses do; what the bot went on with because it looked well is looked at
        after choosing, so that the interval of the best choice leans up).

    Raises
    ------
    Refusal
        The bot is unknown, or cannot say what it thinks.
    """
    from sim.batch.cells import bot_spec
    from sim.core.bots import bot_set, check_options, kind_of, settled, shown
    from sim.core.contract import choose
    from sim.core.params import nested
    from sim.core.rng import BOT, start
    from sim.core.room import action_room

    name, options = bot_spec(bot)
    wanted = nested(options)
    check_options(name, wanted, game)
    kind = kind_of(name)
    if kind.opinion is None:
        raise Refusal(f"bot '{shown(name)}' cannot say how it judges; greedy, flat and search can")
    if not len(actions):
        return []
    still = {"jitter": 0.0} if "jitter" in kind.options else {}
    one = replace(cell, bots=[(name, {**still, **wanted})] * cell.players)
    names, bank, desks = bot_set(game, [one])
    seat = int(state["seat"])
    room = action_room(game)
    room[: len(actions)] = actions
    table = np.zeros(1, dtype=game.State)
    table[0] = state
    stream = np.zeros(1, dtype=np.uint64)
    start(stream, np.uint64(1), BOT, seat)
    picked = 0
    if len(actions) > 1:
        picked = int(choose(bank[0, seat], rules, table[0], room, len(actions), stream, desks))
    whole = settled(game, name, wanted, one)
    rows = kind.opinion(bank[0, seat], whole, desks[names.index(name)], list(actions), game, rules, table[0])
    for k, row in enumerate(rows):
        row["chosen"] = k == picked
        if row.get("visits"):
            row["low"], row["high"] = share_interval(row["value"], row["visits"])
    return list(rows)


def share_interval(share: float, n: float) -> tuple[float, float]:
    """Return Wilson's 95% interval of a share seen in `n` playouts."""
    middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * math.sqrt(max(share * (1 - share), 0.0) / n + Z * Z / (4 * n * n))
    return middle - half, middle + half


def order_of(rows: Sequence[dict[str, Any]]) -> list[int]:
    """Return the places of `rows`, best first: what the bot plays, then by playouts, then by value."""

    def rank(k: int) -> tuple[bool, float, float]:
        row = rows[k]
        value = row["value"]
        return row["chosen"], row.get("visits", 0), -math.inf if value is None else value

    return sorted(range(len(rows)), key=rank, reverse=True)


def lines(rows: Sequence[dict[str, Any]], words: Sequence[str], most: int = 5) -> list[str]:
    """Return the best choices in words, one line each, with what the bot says of them."""
    from sim.batch.opinion_words import said

    best = [k for k in order_of(rows) if rows[k]["value"] is not None][:most]
    width = max((len(words[k]) for k in best), default=0)
    return [f"{words[k]:<{width}}  {said(rows[k])}" for k in best]
