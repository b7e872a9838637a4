"""Parts of a game as TOML files: those that come with it, by name, and a designer's own, by path."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from sim.core.errors import Refusal, nearest
from sim.core.notation import read_name

Part = TypeVar("Part")


@dataclass(frozen=True)
class Parts(Generic[Part]):
    """The parts of one kind that a game is played with: maps, decks, ...

    Attributes
    ----------
    kind
        What refusals call one: "map", "deck".
    folder
        Where those lie that come with the game, a TOML file each.
    read
        Makes one of its file; the text tells refusals where.
    """

    kind: str
    folder: Path
    read: Callable[[Path, str], Part]
    _ready: dict[str, Part] = field(default_factory=dict, repr=False, compare=False)

    def names(self) -> list[str]:
        """Return the names of the parts that come with the game."""
        return sorted(path.stem for path in self.folder.glob("*.toml"))

    def load(self, name: str, base: Path | None = None) -> Part:
        """Return the part of this name, or the one in a file of one's own (ending in ``.toml``, from `base`).

        What comes with the game is read once, a file of one's own each time: it may have been edited.

        Raises
        ------
        Refusal
            None of this name comes with the game, or the file is no such part.
        """
        where = f"{self.kind} {name!r}"
        if name.endswith(".toml"):
            return self.read((base or Path()) / name, where)
        if name not in self._ready:
            if name not in self.names():
                near = nearest(name, self.names())
                raise Refusal(
                    f"{self.kind} = {name!r}: there is no such {self.kind}{near} (or name a .toml file)"
                )
            self._ready[name] = self.read(self.folder / f"{name}.toml", where)
        return self._ready[name]

    def all(self) -> dict[str, Part]:
        """Return the parts that come with the game, by name."""
        return {name: self.load(name) for name in self.names()}


def read_text(path: Path, where: str) -> str:
    """Return a text file; `Refusal` when it cannot be read. `where`: what refusals call it."""
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
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
    text = read_text(path, where)
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refusal(f"{where}: {error}") from None
    if keys is not None:
        check_keys(data, keys, where)
    return data


def check_keys(table: Collection[str], keys: Collection[str], where: str, prefix: str = "") -> None:
    """Refuse a table that has another key than `keys`, with the nearest of them; `prefix` is what it lies in."""
    for key in table:
        if key not in keys:
            raise Refusal(f"{where}: unknown key {prefix + key!r}{nearest(key, keys)}")


def read_numbers(
    table: Any, names: Sequence[str], kind: str, where: str, most: int, short: Sequence[str] = ()
) -> dict[str, int]:
    """Return a table of whole numbers by name, such as the copies of each card in a deck.

    Parameters
    ----------
    names, kind
        What may be numbered, and what one is called; blanks and capitals do not matter.
    most
        The largest number; 0 is the least.
    short
        Short forms of the names, in their order.

    Raises
    ------
    Refusal
        It is no table, or something in it is none of the names, is there twice, or has no such number.
    """
    if not isinstance(table, Mapping):
        raise Refusal(f"{where} must be a table with a number for each {kind}")
    found: dict[str, int] = {}
    for word, number in table.items():
        try:
            name = read_name(word, (*names, *short), kind)
        except Refusal as refusal:
            raise Refusal(f"{where}: {refusal}") from None
        name = names[short.index(name)] if name in short else name
        if name in found:
            raise Refusal(f"{where}: {name} is given twice")
        if type(number) is not int or not 0 <= number <= most:
            raise Refusal(f"{where}: {word} = {number!r} is no whole number from 0 to {most}")
        found[name] = number
    return found
