"""A recorded game of any game as text: its positions in full at both ends, and between them what changed.

A position's text is read as lines ``name: part | part | ...``; after each decision the parts that look different are
written. The first line (turn and phase) changes all the time and is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from sim.core.game import Entrant, get_game
from sim.core.play import replay

SEATS = "ABCD"
LIST = " ; "
"""Stands between the things of a list; one that is gone is written as ``board: 1,2 -``."""


def record(entry: Mapping[str, Any]) -> str:
    """Play a game again and return its text.

    Parameters
    ----------
    entry
        ``game``, ``bots``, ``seed`` and maybe ``parameters``.
    """
    game, bots = get_game(entry["game"]), entry["bots"]
    cell = game.prepare(
        entry.get("parameters", {}), len(bots), [Entrant(f"{b} {k}", b) for k, b in enumerate(bots)]
    )
    steps = replay(game, cell, entry["seed"], range(len(bots)))
    texts = [game.position_text(step.rules, step.state, cell) for step in steps]
    lines = [*head(game, entry), texts[0], "", *_decisions(game, cell, steps, texts), "", texts[-1]]
    return as_text(lines)


def head(game: Any, entry: Mapping[str, Any]) -> list[str]:
    """Return the lines above a recorded game: what was played, by whom, with which seed."""
    changes = [f"{key} = {value!r}" for key, value in entry.get("parameters", {}).items()]
    return [
        f"game     {game.name} (rules {game.version})",
        f"bots     {', '.join(entry['bots'])}",
        f"seed     {entry['seed']}",
        f"changed  {', '.join(changes) or 'nothing'}",
        "",
    ]


def as_text(lines: Sequence[str]) -> str:
    """Return lines, of which each may be several, as a text without blanks at their ends."""
    return "\n".join(line.rstrip() for line in "\n".join(lines).splitlines()) + "\n"


def _decisions(game: Any, cell: Any, steps: Sequence[Any], texts: Sequence[str]) -> list[str]:
    lines, turn = [], -1
    for number, (step, after) in enumerate(pairwise(zip(steps, texts)), start=1):
        moment, before = step
        if int(moment.state["turn"]) != turn:
            turn = int(moment.state["turn"])
            lines.append(f"turn {turn + 1}")
        words = game.action_text(moment.action, moment.rules, cell, moment.state)
        line = f"{number:4} {SEATS[moment.seat]} {len(moment.actions):3} > {words}"
        lines.append(f"{line:<44} | {'; '.join(changed(before, after[1])) or '-'}")
    return lines


def parts_of(text: str) -> dict[tuple[str, str], str]:
    """Return the parts of a position's text by line and first word."""
    parts = {}
    for line in text.splitlines()[1:]:
        name, _, rest = line.partition(": ")
        pieces = rest.split(LIST) if LIST in rest else rest.split(" | ") if name in SEATS else [rest]
        for piece in pieces:
            key = piece.split(" ", 1)[0] if len(pieces) > 1 else ""
            parts[name, key] = piece
    return parts


def changed(before: str, after: str) -> list[str]:
    """Return the parts of a position's text that differ, as ``A: pawns 1,1:2``."""
    old, new = parts_of(before), parts_of(after)
    gone = [f"{name}: {key} -" for name, key in old if (name, key) not in new]
    return gone + [f"{name}: {piece}" for (name, key), piece in new.items() if old.get((name, key)) != piece]
