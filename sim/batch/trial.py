"""A small data set of a game, checked: every table is written in its types, and its games can be played again."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sim.batch.experiment import read_experiment
from sim.batch.runner import run
from sim.batch.verify import verify
from sim.checks.table import Broken

GAMES = 12


def check_data_set(name: str, players: int, parameters: Mapping[str, Any], seed: int = 7) -> str:
    """Play a few games into a data set and verify it.

    Parameters
    ----------
    name
        The game, by name or by where it lies.
    players, parameters
        How it is played.

    Returns
    -------
    What was written, in words.

    Raises
    ------
    Broken
        A game in the data set is not what is played again.
    """
    data: dict[str, Any] = {"name": "trial", "game": name, "games": GAMES, "seed": seed, "log": "decisions"}
    data["players"] = {"count": players, "bots": ["random"]}
    experiment = read_experiment({**data, "parameters": dict(parameters)})
    with tempfile.TemporaryDirectory(prefix="whimbrel-trial-") as folder:
        out = Path(folder) / "data"
        run(experiment, out, jobs=1)
        found = verify(out, GAMES)
        tables = sorted(path.name for path in out.iterdir() if any(path.glob("*.parquet")))
        for problem in found.problems:
            raise Broken(problem)
        if found.unplayable:
            raise Broken(found.unplayable)
    return f"{found.games} games, tables {', '.join(tables)}"
