"""Loading a game of OpenSpiel, and refusing in one line what is none or does not fit."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from sim.core.errors import Refusal, nearest
from sim.core.loop import MAX_SEATS

PREFIX = "openspiel:"
EXTRA = "pip install 'whimbrel[openspiel]'"
PATIENCE = 20.0
"""Seconds after which a game that resamples hidden things is given up."""
_NAME = re.compile(r"\s*(\w+)\s*(\(.*\))?\s*")


@cache
def library() -> Any:
    """Return the module `pyspiel`; a `Refusal` where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        raise Refusal(
            f"games of OpenSpiel need the package open_spiel, which is not installed: {EXTRA}"
        ) from None
    return pyspiel


@contextmanager
def _unheard() -> Iterator[None]:
    """Keep away what the library itself writes to standard error, over a hundred lines for a name it does not know."""
    sys.stderr.flush()
    kept = os.dup(2)
    with tempfile.TemporaryFile() as away:
        os.dup2(away.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def load(text: str) -> Any:
    """Return the game that a text such as ``hex(board_size=5)`` names, as the library has it.

    Raises
    ------
    Refusal
        There is none, it takes no such option, or it does not fit.
    """
    spiel = library()
    where = f"game '{PREFIX}{text}'"
    found = _NAME.fullmatch(text)
    names = spiel.registered_names()
    if found is None or found[1] not in names:
        name = text.partition("(")[0].strip()
        raise Refusal(f"{where}: OpenSpiel has no game {name!r}{nearest(name, names)}")
    try:
        with _unheard():
            game = spiel.load_game(text)
    except Exception as error:
        words = " ".join(str(error).split()) or "OpenSpiel cannot load it, and does not say why"
        hint = ""
        unknown = re.match(r"Unknown parameter '(\w+)'\. Available parameters are: (.*)", words)
        if unknown is not None:
            words = f"{found[1]} has no option {unknown[1]!r}"
            hint = nearest(unknown[1], unknown[2].split(", ")) or f"; it has {unknown[2]}"
        raise Refusal(f"{where}: {words[:200]}{hint}") from None
    reason = _misfit(game, text)
    if reason:
        raise Refusal(f"{where}: {reason}")
    return game


def _misfit(game: Any, text: str) -> str:
    """Say why a game cannot be played here; "" where it can."""
    spiel, kind = library(), game.get_type()
    if kind.dynamics == spiel.GameType.Dynamics.SIMULTANEOUS:
        turned = f"{PREFIX}turn_based_simultaneous_game(game={text})"
        return f"its moves are simultaneous; '{turned}' asks one player after the other"
    if kind.dynamics != spiel.GameType.Dynamics.SEQUENTIAL:
        return "it is a mean field game, with no players at a table"
    if kind.chance_mode == spiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        return "its chance is sampled by the library from a source of its own, so that no game could be played again"
    if game.num_players() < 2:
        return "it is for one player; no seat can be favoured where one plays alone"
    if game.num_players() > MAX_SEATS:
        return f"it is for {game.num_players()} players, and there are {MAX_SEATS} seats at most"
    if kind.utility == spiel.GameType.Utility.IDENTICAL:
        return "all players win or lose together; in a co-operative game no seat can be favoured"
    return ""


_PROBE = """
import random, sys
import pyspiel
game, rng = pyspiel.load_game(sys.argv[1]), random.Random(1)
for _ in range(6):
    state = game.new_initial_state()
    for _ in range(60):
        if state.is_terminal():
            break
        if state.is_chance_node():
            codes, odds = zip(*state.chance_outcomes())
            state.apply_action(rng.choices(codes, odds)[0])
            continue
        seat = state.current_player()
        other = state.resample_from_infostate(seat, rng.random)
        if other.current_player() != seat or other.legal_actions() != state.legal_actions():
            sys.exit("what it makes anew is another position")
        state.apply_action(rng.choice(state.legal_actions()))
"""


@cache
def cannot_resample(text: str) -> str:
    """Say why hidden things of a game cannot be made anew; "" where they can.

    It is tried in a process of its own: some games do not come back, and none of them could be stopped.
    """
    path = os.pathsep.join(filter(None, [*sys.path, os.environ.get("PYTHONPATH")]))
    try:
        tried = subprocess.run(
            [sys.executable, "-c", _PROBE, text],
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"trying it did not come back within {PATIENCE:g} s"
    if tried.returncode == 0:
        return ""
    lines = [line.strip() for line in tried.stderr.splitlines() if line.strip()]
    words = lines[-1] if lines else f"the process ended with {tried.returncode}"
    return re.sub(r"^[\w.]*(?:Error|Exception):\s*", "", words)[:160]
