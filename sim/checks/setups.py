"""Set-up: it writes all that matters, whatever was in the record before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.checks.table import Broken, Report, Table, differing, keep, stream_of
from sim.core.contract import OVER, setup
from sim.core.game import Cell
from sim.core.play import banks
from sim.core.rng import below

DIRT = 0x55
"""What every byte of a record holds before the second set-up."""


def check_setup(game: Any, cell: Cell, seeds: Sequence[int], report: Report) -> None:
    """A deal that is set up over a used record is the same deal: it may differ only in fields that play never reads.

    Raises
    ------
    Broken
        The two are played apart; the message names the fields that `setup` left as they were.
    """
    for seed in seeds:
        clean, used = Table(game, cell, seed), Table(game, cell, seed)
        bank, entrants = banks(game, [cell])
        used.rules = bank[0]
        soil(used.states)
        setup(used.rules, used.state, entrants[0], used.who, np.uint64(seed))
        used.start_chance()
        used.settle()
        _check_fields(game, cell, clean)
        left = differing(clean.state, used.state)
        if left:
            _play_both(clean, used, left, stream_of(seed, 5))
        report.games += 1


def soil(states: Any) -> None:
    """Fill records with rubbish; Python objects stay."""
    for name in states.dtype.names[1:]:  # the first one is the tag, which nobody reads
        field = states[name]
        if not field.dtype.hasobject:
            field[...] = np.frombuffer(bytes([DIRT]) * field.dtype.itemsize, dtype=field.dtype)[0]


def _check_fields(game: Any, cell: Cell, table: Table) -> None:
    """The fields that every state has hold what they should after set-up."""
    state = table.state
    players, phase = int(state["players"]), int(state["phase"])
    keep(players == cell.players, f"`setup` sets players to {players}, not {cell.players}: {table.where}")
    keep(0 <= int(state["seat"]) < players, f"`setup` gives the first decision to seat {int(state['seat'])}")
    keep(0 <= phase < len(game.phases), f"phase {phase} after `setup` has no name in `phases`")
    keep(phase == OVER or int(state["ended"]) == 0, f"`ended` is {int(state['ended'])} after `setup`, not 0")


def _play_both(clean: Table, used: Table, left: list[str], stream: Any) -> None:
    """Play two positions with the same choices; they may not come apart."""
    text = f"`setup` leaves {', '.join(left)} as it finds it, and the game changes with it"
    try:
        while not clean.over and clean.plies < clean.game.most_plies:
            actions = clean.actions()
            same = not used.over and used.actions() == actions and used.seat == clean.seat
            keep(same and used.scores() == clean.scores(), f"{text}: {clean.where}")
            action = actions[int(below(stream, len(actions)))]
            clean.play(action)
            used.play(action)
        keep(used.over == clean.over and used.scores() == clean.scores(), f"{text}: {clean.where}")
    except Broken:
        raise
    except Exception as error:
        raise Broken(f"{text} ({type(error).__name__}: {error}): {clean.where}") from error
