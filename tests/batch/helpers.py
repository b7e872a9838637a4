"""Small experiments on the game of numbers, and reading what a run has written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from sim.batch.experiment import Experiment, read_experiment
from sim.batch.runner import Result, run
from sim.batch.store import read_commits


def experiment(games: int = 60, **more: Any) -> Experiment:
    """Four cells, two and three players, drawn bans."""
    data: dict[str, Any] = {
        "game": "numbers",
        "name": "trial",
        "seed": 5,
        "parameters": {"bans": "random 1"},
        "vary": {"worth": [1, 2], "players.count": [2, 3]},
    }
    return read_experiment({**data, **more}, games=games)


def play(folder: Path, games: int = 60, jobs: int = 1, **more: Any) -> Result:
    """Run such an experiment into `folder`."""
    return run(experiment(games, **more), folder, jobs=jobs)


def tables(folder: Path) -> dict[str, pl.DataFrame]:
    """Read all committed parts, rows in order."""
    found: dict[str, list[pl.DataFrame]] = {}
    for entry in read_commits(folder):
        for table, part in entry["parts"].items():
            found.setdefault(table, []).append(pl.read_parquet(folder / part["file"]))
    keys = ("game_id", "seat", "round", "splitter", "piece", "pile", "turn", "ply")
    result = {}
    for table, parts in found.items():
        frame = pl.concat(parts)
        result[table] = frame.sort([key for key in keys if key in frame.columns])
    return result


def same_rows(one: Path, other: Path) -> bool:
    """Whether two data sets hold the same rows in every table."""
    left, right = tables(one), tables(other)
    return left.keys() == right.keys() and all(left[name].equals(right[name]) for name in left)
