"""An experiment that plays again, on fresh seeds, what another one has found: checked and written as TOML."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sim.batch.experiment import read_experiment
from sim.batch.store import write_bytes
from sim.batch.toml_text import to_toml
from sim.core.errors import Refusal
from sim.core.game import game_names
from sim.core.game_doors import is_place

HEAD = (
    "# What came out best in '{folder}', to be played again on fresh seeds: a best of many is partly luck.\n"
)


def write_verify(data: Mapping[str, Any] | None, folder: Path, path: Path) -> Path | None:
    """Write an experiment beside a report.

    Parameters
    ----------
    data
        The experiment as plain data; files (maps) are named as in the manifest of `folder`. None, or one on a game
        that is not installed, is not written.
    folder
        The data set that it comes from, which keeps those files.
    path
        Where to write.

    Returns
    -------
    The file, or None when there is nothing to write.

    Raises
    ------
    Refusal
        The experiment is none, or cannot be written.
    """
    if data is None or not (is_place(str(data.get("game"))) or data.get("game") in game_names()):
        return None
    read_experiment(data, base=folder / "inputs")  # refuses what `whimbrel run` would refuse
    inputs = Path(os.path.relpath((folder / "inputs").resolve(), path.resolve().parent))
    kept = {file.name for file in (folder / "inputs").glob("*.toml")}
    if is_place(str(data["game"])):
        data = {**data, "game": f"./{(inputs / str(data['game'])).as_posix()}"}
    text = HEAD.format(folder=folder.name) + to_toml(_placed(data, kept, inputs))
    try:
        write_bytes(path, text.encode())
    except OSError as error:
        raise Refusal(f"cannot write '{path}': {error.strerror}") from None
    return path


def _placed(value: Any, kept: set[str], inputs: Path) -> Any:
    """Return a value with the names of kept files as paths."""
    if isinstance(value, Mapping):
        return {key: _placed(entry, kept, inputs) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_placed(entry, kept, inputs) for entry in value]
    return (inputs / value).as_posix() if isinstance(value, str) and value in kept else value
