"""Parts of a game as TOML files: those that come with it, by name, and a designer's own, by path."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from sim.core.errors import Refusal, nearest


def part_names(folder: Path) -> list[str]:
    """Return the names of the files that come with a game in `folder`."""
    return sorted(path.stem for path in folder.glob("*.toml"))


def part_path(name: str, folder: Path, base: Path | None, kind: str) -> Path:
    """Return the file of a part by its name, or a file of one's own (ending in ``.toml``, from `base`).

    Raises
    ------
    Refusal
        None of this name comes with the game; `kind` says what it should be ("map", "deck").
    """
    if name.endswith(".toml"):
        return (base or Path()) / name
    if name not in part_names(folder):
        near = nearest(name, part_names(folder))
        raise Refusal(f"{kind} = {name!r}: there is no such {kind}{near} (or name a .toml file)")
    return folder / f"{name}.toml"


def read_text(path: Path, where: str) -> str:
    """Return a text file; `Refusal` when it cannot be read. `where`: what refusals call it."""
    try:
        return path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except OSError as error:
        raise Refusal(f"{where}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise Refusal(f"{where}: not a text file in UTF-8 (byte {error.start})") from None


def read_part(path: Path, where: str, keys: Collection[str] | None = None) -> dict[str, Any]:
    """Return what a TOML file holds.

    Parameters
    ----------
    where
        What refusals call it.
    keys
        The keys that it may have at the top, if only these.

    Raises
    ------
    Refusal
        It cannot be read, or has another key.
    """
    try:
        data = tomllib.loads(read_text(path, where))
    except tomllib.TOMLDecodeError as error:
        raise Refusal(f"{where}: {error}") from None
    for key in data:
        if keys is not None and key not in keys:
            raise Refusal(f"{where}: unknown key {key!r}{nearest(key, keys)}")
    return data
