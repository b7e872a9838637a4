"""What is new in a position's text since the one before: a replay shows the rest once."""

from __future__ import annotations

import re
from collections.abc import Collection

_PART = " | "
_LABEL = re.compile(r"(.+?)(?::|\s{2,})")


def changed_lines(before: str, after: str, once: Collection[str] = ()) -> str:
    """Return the lines of `after` that are not in `before`; of a line in parts (`` | ``) the parts.

    The first line, which says where the game stands, is always there.

    Parameters
    ----------
    before, after
        Two positions of a game as text, one labelled line a thing: ``deck: E5 E3`` or ``board   0,0 A:Rats``.
    once
        Labels of lines that are left out.
    """
    old = {label_of(line): line for line in before.splitlines()[1:]}
    first, *rest = after.splitlines() or [""]
    shown = [first]
    for line in rest:
        label = label_of(line)
        if label not in once and old.get(label) != line:
            shown.append(_changed_parts(old.get(label, ""), line))
    return "\n".join(shown)


def without(text: str, once: Collection[str]) -> str:
    """Return a position's text without the lines labelled so."""
    return "\n".join(line for line in text.splitlines() if label_of(line) not in once)


def label_of(line: str) -> str:
    """Return what a line of a position's text is about: ``deck`` of ``deck: E5 E3``."""
    match = _LABEL.match(line)
    return match[1] if match else line


def _changed_parts(old: str, new: str) -> str:
    was, now = old.split(_PART), new.split(_PART)
    if len(was) != len(now) or len(now) == 1:
        return new
    match = _LABEL.match(new)
    head = match[0].strip() if match else ""
    parts = [part for part, before in zip(now, was) if part != before]
    text = _PART.join(parts)
    return text if text.startswith(head) else f"{head} {text}"
