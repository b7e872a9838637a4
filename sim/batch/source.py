"""Where the text of an experiment came from: its name in messages, its folder, the line of each key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sim.core.errors import Refusal

Path_ = tuple[str | int, ...]
"""The way to a value: table names, the number of an entry of an array of tables, keys."""

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""^\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=""")
_PART = re.compile(r""""([^"]*)"|'([^']*)'|([\w-]+)""")


@dataclass(frozen=True)
class Source:
    """Name, folder and key lines of an experiment (or deck, or map) text.

    Attributes
    ----------
    name
        What messages call it: the file's name, or "" for a dictionary.
    base
        Folder that relative paths in it start from.
    lines
        Line number (from 1) of each key, by its way.
    """

    name: str = ""
    base: Path = field(default_factory=Path.cwd)
    lines: Mapping[Path_, int] = field(default_factory=dict)

    def at(self, *way: str | int) -> str:
        """Return "file.toml, line 3: ", as much of it as is known, ready to stand before a message."""
        for end in range(len(way), 0, -1):
            if way[:end] in self.lines:
                return f"{self.name}, line {self.lines[way[:end]]}: "
        return f"{self.name}: " if self.name else ""


def _split(dotted: str) -> tuple[str, ...]:
    return tuple(a or b or c for a, b, c in _PART.findall(dotted))


def scan(text: str) -> tuple[dict[Path_, int], tuple[Path_, int, int] | None]:
    """Find the line of every key of a TOML text.

    Returns
    -------
    lines
        Line number by way; entries of arrays of tables count from 0.
    twice
        The first key that is set twice, with both lines, or None.
    """
    lines: dict[Path_, int] = {}
    counts: dict[tuple[str, ...], int] = {}
    table: Path_ = ()
    twice: tuple[Path_, int, int] | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            names = _split(header[2])
            if header[1] == "[[":
                counts[names] = counts.get(names, -1) + 1
                table = (*names, counts[names])
            elif names[:1] in counts:  # [player.options] belongs to the last [[player]]
                table = (names[0], counts[names[:1]], *names[1:])
            else:
                table = names
            way = table
        elif key := _KEY.match(line):
            way = (*table, *_split(key[1]))
        else:
            continue
        if way in lines and twice is None:
            twice = (way, lines[way], number)
        lines.setdefault(way, number)
    return lines, twice


def read_toml(path: Path) -> tuple[dict[str, Any], Source]:
    """Read a TOML file.

    Raises
    ------
    Refusal
        The file is missing, unreadable, or no TOML; with the line where that can be told.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors write a byte order mark
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise Refusal(f"cannot read '{path}': {reason}") from None
    return parse_toml(text, path.name, path.resolve().parent)


def parse_toml(text: str, name: str, base: Path) -> tuple[dict[str, Any], Source]:
    """Parse TOML text that messages shall call `name`; see `read_toml`."""
    lines, twice = scan(text)
    try:
        return tomllib.loads(text), Source(name, base, lines)
    except tomllib.TOMLDecodeError as error:
        if twice is not None:
            way, first, again = twice
            label = ".".join(str(part) for part in way if isinstance(part, str))
            raise Refusal(f"{name}, line {again}: '{label}' is already set in line {first}") from None
        found = re.search(r"\s*\(at (?:line (\d+), column \d+|end of document)\)", str(error))
        reason = str(error).replace(found[0], "") if found else str(error)
        line = found[1] if found and found[1] else str(len(text.splitlines()) or 1)
        raise Refusal(f"{name}, line {line}: this is not valid TOML: {reason}") from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, brackets within brackets
        raise Refusal(f"{name}: this cannot be read as TOML: {error}") from None
