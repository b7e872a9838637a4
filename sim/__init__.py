"""Whimbrel's player: rules, bots and batches. Writes data sets; knows nothing of statistics.

What notebooks need of it is here: `sim.run`, `sim.replay` and `sim.games`. Heavy packages are loaded by the functions
that use them, so that `import sim` stays cheap.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim import games

if TYPE_CHECKING:
    from sim.batch.replay import Position

import sim.bots  # noqa: F401  (brings the bots of the package; none is loaded before it is used)

__version__ = "0.1.0"
__all__ = ["__version__", "games", "replay", "run"]


def run(
    experiment: str | Path | Mapping[str, Any],
    *,
    games: int | None = None,
    seed: int | None = None,
    log: str | None = None,
    out: str | Path | None = None,
    jobs: int | None = None,
) -> Path:
    """Play an experiment, or what is missing of it, and return the folder of its data set.

    Parameters
    ----------
    experiment
        A dictionary as in an experiment file, the path of a file, or the name of a ready experiment.
    games, seed, log
        Beat what the experiment says; games are per cell.
    out
        The folder; default ``runs/<name>``.
    jobs
        Worker processes; default one a core.

    Raises
    ------
    Refusal
        The experiment or the folder cannot be used.

    Examples
    --------
    >>> sim.run({"game": "migration", "games": 500, "vary": {"rats_points": [1, 2]}})  # doctest: +SKIP
    PosixPath('runs/migration')
    """
    from sim.batch import runner
    from sim.batch.experiment import read_experiment
    from sim.batch.progress import say

    checked = read_experiment(experiment, games=games, seed=seed, log=log)
    target = Path(out) if out is not None else None
    return runner.run(checked, target, jobs=jobs, news=say, show=True).folder


def replay(folder: str | Path, game_id: int) -> list[Position]:
    """Play one game of a data set again and return all its positions, the last one being the end.

    Parameters
    ----------
    folder
        A data set.
    game_id
        As in its tables; `whimbrel find` lists some.

    Raises
    ------
    Refusal
        No data set, no such game, or another version of the rules.

    Examples
    --------
    >>> sim.replay("runs/migration", 17)[-1].text  # doctest: +SKIP
    """
    from sim.batch.replay import replay as play_again

    return play_again(Path(folder), game_id)
