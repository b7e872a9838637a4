"""What a report is made of: sections of paragraphs, pictures and tables, with no HTML in them.

The template (`templates/report.html`) is the only place that knows HTML, and it escapes every text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Tone = Literal[
    "plain", "strong", "weak", "uneven", "above", "below", "off", "balanced", "undecided", "alarm", "note"
]

TONES: dict[str, Tone] = {
    "strong": "strong",
    "favoured": "strong",
    "weak": "weak",
    "unfavoured": "weak",
    "unbalanced": "uneven",
    "above": "above",
    "below": "below",
    "uneven": "off",
    "balanced": "balanced",
    "undecided": "undecided",
    "too few to say": "undecided",
    "not used by these bots": "note",
    "conditioned on an outcome": "note",
    "ahead": "strong",
    "behind": "weak",
    "reproduced": "balanced",
    "not": "weak",
    "seen here": "balanced",
    "not in this play": "weak",
    "wins more": "off",
    "wins less": "off",
    "cannot tell": "undecided",
    "differs": "off",
    "the same": "balanced",
    "may be chance": "undecided",
    "not alike": "off",
    "it depends": "off",
}


@dataclass(frozen=True)
class Cell:
    """One cell of a table: its text, the number or word it sorts by, a badge tone, a page beside the report."""

    text: str
    sort: float | str | None = None
    tone: Tone | None = None
    href: str = ""


@dataclass(frozen=True)
class Column:
    """Head of a column; `number` columns stand flush right, `about` is the tooltip."""

    title: str
    number: bool = False
    about: str = ""


@dataclass(frozen=True)
class Table:
    """A table that scrolls inside its own box; long ones can be sorted by a tap on a head."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    note: str = ""
    folded: bool = False
    kind: str = "table"


@dataclass(frozen=True)
class Picture:
    """An inline picture under the question that it answers."""

    question: str
    svg: str
    note: str = ""
    wide: bool = False
    kind: str = "picture"


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str
    tone: Tone = "plain"
    kind: str = "text"


@dataclass(frozen=True)
class Statement:
    """A sentence of the short answer with its verdict badge."""

    text: str
    verdict: str
    tone: Tone
    kind: str = "statement"


@dataclass(frozen=True)
class Facts:
    """Names and what is to be said of each."""

    items: Sequence[tuple[str, str]]
    title: str = ""
    folded: bool = False
    kind: str = "facts"


@dataclass(frozen=True)
class Command:
    """Lines to type, or a file to keep."""

    text: str
    title: str = ""
    folded: bool = False
    kind: str = "command"


@dataclass(frozen=True)
class Line:
    """A line of the first screen: its topic, a sentence with its badge, a small picture, the section behind it."""

    key: str
    topic: str
    text: str
    verdict: str
    tone: Tone
    svg: str
    section: str
    then: str = ""
    """What would settle it, with the command."""

    @property
    def whole(self) -> str:
        """The sentence and what would settle it."""
        return f"{self.text} {self.then}".rstrip()


@dataclass(frozen=True)
class Glance:
    """The first screen: the answer in one sentence, and the lines below it."""

    head: Line
    lines: Sequence[Line]
    kind: str = "glance"


Block = Table | Picture | Text | Statement | Facts | Command | Glance


@dataclass(frozen=True)
class Section:
    """One numbered part of the report."""

    key: str
    title: str
    blocks: list[Block] = field(default_factory=list)


@dataclass(frozen=True)
class Part:
    """Everything about one data set."""

    key: str
    name: str
    title: str
    question: str
    lead: str
    badges: list[tuple[str, Tone]]
    sections: list[Section]
    alarm: list[str]
    old: list[str] = field(default_factory=list)
    """What it was played with that is of another version now."""
    folder: str = ""


def verdict_cell(verdict: str | None, doubtful: bool = False) -> Cell:
    """Return the badge of a verdict; sorts strong, weak, above, below, balanced, undecided."""
    from analysis.report.words import soften

    word = verdict or "undecided"
    order = {"strong": 0, "uneven": 0, "weak": 1, "above": 2, "off": 2, "below": 3, "balanced": 4}
    tone = TONES.get(word, "undecided")
    return Cell(soften(word, doubtful), order.get(tone, 5), tone)


def text_cell(value: Any) -> Cell:
    """Return a cell of plain text."""
    from analysis.report.words import plain

    return Cell(plain(value))
