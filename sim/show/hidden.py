"""A position's text with what a seat cannot see left open: told from worlds in which that was redrawn."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sim.show.changes import label_of

UNSEEN = "?"
_PARTS = re.compile(r"( \| | ; |, )")


def seen_alike(texts: Sequence[str]) -> str:
    """Return what the texts of several worlds have in common, line by line and part by part; the rest is "?".

    Parameters
    ----------
    texts
        The same position in worlds that differ in what is hidden: nothing that a seat cannot know is in all of them
        but by chance.
    """
    first, *others = [text.splitlines() for text in texts]
    by_label = [{label_of(line): line for line in lines} for lines in others]
    shown = []
    for number, line in enumerate(first):
        label = label_of(line)
        same = [
            lines.get(label, other[number] if number < len(other) else "")
            for lines, other in zip(by_label, others)
        ]
        shown.append(_line(line, same))
    return "\n".join(shown)


def _line(line: str, others: Sequence[str]) -> str:
    if all(other == line for other in others):
        return line
    parts = _PARTS.split(line)
    rest = [_PARTS.split(other) for other in others]
    if any(len(other) != len(parts) for other in rest):
        return _words(line, others)
    return "".join(_words(part, [other[k] for other in rest]) for k, part in enumerate(parts))


def _words(part: str, others: Sequence[str]) -> str:
    """Return the words that all begin with, and "?" for what follows."""
    if all(other == part for other in others):
        return part
    words = re.split(r"( +)", part)
    rest = [re.split(r"( +)", other) for other in others]
    alike = 0
    while alike < len(words) and all(alike < len(o) and o[alike] == words[alike] for o in rest):
        alike += 1
    return "".join(words[:alike]) + UNSEEN
