"""Words for seats, places, names and counts that the notations of several games share, and reading them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

from sim.core.errors import Refusal, nearest
from sim.core.kinds import Rules

LETTERS = "ABCDEFGH"
"""Names of the seats, as many as there may be at any table."""


def place_text(rules: Rules, place: int) -> str:
    """Return the coordinates of a place of the board (fields ``q``, ``r`` of the rules): ``2,-1``."""
    return f"{int(rules['q'][place])},{int(rules['r'][place])}"


def place_at(rules: Rules, n: int, text: str, kind: str) -> int:
    """Return the number of the place at ``q,r``.

    Parameters
    ----------
    n
        How many places the board has.
    kind
        What the game calls one: "space", "tile", "Region".

    Raises
    ------
    Refusal
        There is no such place on the board.
    """
    match = re.fullmatch(r"\(?\s*(-?\d+)\s*,\s*(-?\d+)\s*\)?", text.strip())
    if match:
        q, r = int(match[1]), int(match[2])
        for place in range(n):
            if rules["q"][place] == q and rules["r"][place] == r:
                return place
    raise Refusal(f"there is no {kind} {text.strip()!r} on this map")


def read_parts(text: str, names: Collection[str], where: str) -> dict[str, str]:
    """Read a line of parts that begin with their names, ``hand K5 | columns [K4]``, as what follows each name."""
    parts: dict[str, str] = {}
    for part in text.split("|"):
        name, _, rest = part.strip().partition(" ")
        if name not in names:
            raise Refusal(f"{where}: {name!r} is no part of a player's line{nearest(name, names)}")
        if name in parts:
            raise Refusal(f"{where}: {name} is given twice")
        parts[name] = rest.strip()
    return parts


def read_name(word: str, names: Collection[str], kind: str) -> str:
    """Return the one of `names` that `word` writes, blanks and capitals aside; `kind` says what they name."""
    plain = word.replace(" ", "").lower()
    for name in names:
        if name.replace(" ", "").lower() == plain:
            return name
    raise Refusal(f"there is no {kind} {word!r}{nearest(word, names)}")


def counts_text(counts: Iterable[tuple[str, Any]], none: str = "-") -> str:
    """Return things with how many there are of each: ``2xRats Oak``; `none` when there are none."""
    return " ".join(f"{n}x{name}" if n > 1 else name for name, n in counts if n > 0) or none


def read_counts(text: str, names: Collection[str], kind: str, where: str) -> list[int]:
    """Read ``2xRats Poison Oak`` as counts in the order of `names`; ``-`` and "" are none.

    Blanks in a name may be left out, and capitals do not matter; `kind` says what the names name.

    Raises
    ------
    Refusal
        Something in it is none of the names.
    """
    found = dict.fromkeys(names, 0)
    forms = {name: re.escape(name).replace(r"\ ", r"\s?") for name in names}
    longest_first = "|".join(forms[name] for name in sorted(names, key=len, reverse=True))
    rest = "" if text.strip() == "-" else text.strip()
    while rest:
        match = re.match(rf"(?:(\d+)x)?({longest_first})(?:\s+|$)", rest, re.IGNORECASE)
        if not match:
            word = re.sub(r"^\d+x(?=.)", "", rest.split()[0])
            raise Refusal(f"{where}: there is no {kind} {word!r}{nearest(word, names)}")
        found[read_name(re.sub(r"\s", "", match[2]), names, kind)] += int(match[1] or 1)
        rest = rest[match.end() :]
    return list(found.values())
