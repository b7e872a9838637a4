"""A position's text, as a replay prints it or a designer writes it, line by line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sim.core.errors import Refusal

_LINE = re.compile(r"([A-Za-z_]+)(?::(?=\s|$)|\s{2,})\s*(.*)")
_HEAD = re.compile(r"(?:turn|round|over|the end)\b")


@dataclass(frozen=True)
class Lines:
    """What the lines of a position's text say.

    Attributes
    ----------
    head
        The first line where it says how far the game is (``turn 3, A: act``), else "".
    said
        The other lines by what they are about: ``{"A": "pop 1 | M 2", "board": "0,0 A:Mine"}``.
    """

    head: str
    said: dict[str, str]

    def turn(self) -> int | None:
        """Return the number after the word ``turn``, None when there is none."""
        match = re.search(r"\bturn (\d+)|after (\d+) turns", self.head)
        return int(match[1] or match[2]) if match else None

    def decider(self) -> tuple[str, str] | None:
        """Return seat and phase of a head such as ``turn 3, A: act``."""
        match = re.search(r"\b([A-D]): ([a-z ]+)$", self.head)
        return (match[1], match[2]) if match else None


def read_lines(text: str, main: str) -> Lines:
    """Read a position's text.

    Parameters
    ----------
    main
        What a line without a label is about: ``board``.

    Raises
    ------
    Refusal
        Nothing is in it, or a line is there twice.
    """
    head = ""
    said: dict[str, str] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        if not said and not head and _HEAD.match(line):
            head = line
            continue
        match = _LINE.fullmatch(line)
        label, rest = (match[1], match[2]) if match else (main, line)
        if label in said:
            raise Refusal(f"position: '{label}' is said twice: {rest!r}")
        said[label] = rest.strip()
    if not said:
        raise Refusal(f"position {text!r}: there is nothing in it")
    return Lines(head, said)
