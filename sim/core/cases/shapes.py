"""Small maps by name, for the worked cases of games on hexes: ``flower``, ``row 4``, ``disk 3``."""

from __future__ import annotations

from sim.core.errors import Refusal

Hex = tuple[int, int]
ABOUT = "'flower', 'row N' (or 'line N'), 'disk N'"
_FARTHEST = 24


def small_map(text: str, where: str) -> list[Hex] | None:
    """Return the hexes of a small map, row by row; None when `text` names none.

    A flower is ``0,0`` and the six hexes around it, a row (or line) of N the hexes ``0,0`` to ``N-1,0``, a disk of N
    all hexes at most N steps from ``0,0``.

    >>> small_map("row 3", "here")
    [(0, 0), (1, 0), (2, 0)]
    """
    words = text.split()
    if words == ["flower"]:
        words = ["disk", "1"]
    if not words or words[0] not in ("flower", "row", "line", "disk"):
        return None
    least = 0 if words[0] == "disk" else 1
    if len(words) != 2 or not words[1].isdecimal() or not least <= int(words[1]) <= _FARTHEST:
        raise Refusal(f"{where}: small maps are {ABOUT}, N from {least} to {_FARTHEST}; not {text!r}")
    n = int(words[1])
    if words[0] != "disk":
        return [(q, 0) for q in range(n)]
    span = range(-n, n + 1)
    return [(q, r) for r in span for q in span if abs(q + r) <= n]
