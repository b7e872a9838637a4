"""What the first sentence is put together from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from analysis.report.found import Found

BEYOND = ("favoured", "unfavoured", "unbalanced", "strong", "weak", "above", "below", "uneven")
OFF = {
    "favoured": "is favoured",
    "unfavoured": "is at a disadvantage",
    "above": "wins more than its share",
    "below": "wins less than its share",
}
"""What is said of Seat A where there are two seats."""


@dataclass(frozen=True)
class Clause:
    """A part of the first sentence, its verdict, and what of it is undecided."""

    text: str
    verdict: str
    open: Sequence[Found] = field(default_factory=tuple)
    svg: str = ""


def cap(text: str) -> str:
    """The text with a capital in front."""
    return text[:1].upper() + text[1:]
