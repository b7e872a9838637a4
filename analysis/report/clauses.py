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
    """A part of the first sentence, its verdict, and what of it is undecided; `more` is said where there is room."""

    text: str
    verdict: str
    open: Sequence[Found] = field(default_factory=tuple)
    svg: str = ""
    more: Sequence[str] = ()


LONGEST = 300
"""Characters of a sentence that is read in one breath."""


def sentence(clauses: Sequence[Clause], end: str) -> str:
    """The clauses in one breath: always the first, then the head of each other one, then the rest, while they fit."""
    said: list[tuple[int, int, str]] = []
    heads = [(number, 0, one.text) for number, one in enumerate(clauses)]
    rest = [
        (number, place, text) for number, one in enumerate(clauses) for place, text in enumerate(one.more, 1)
    ]
    for part in heads + rest:
        if part[1] and not any(one[:2] == (part[0], part[1] - 1) for one in said):
            continue  # what it goes on from was left out
        longer = sorted([*said, part])
        if not said or len(_joined(longer) + end) <= LONGEST:
            said = longer
    return cap(_joined(said)) + end


def _joined(parts: Sequence[tuple[int, int, str]]) -> str:
    return "; ".join(text for _, _, text in parts)


def cap(text: str) -> str:
    """The text with a capital in front."""
    return text[:1].upper() + text[1:]
