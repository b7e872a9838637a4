"""Clauses on pieces: which are strong or weak, by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.data.questions import Question
from analysis.report import words
from analysis.report.axes import NAMED, at, axis
from analysis.report.clauses import Clause
from analysis.report.found import Found, found_of

if TYPE_CHECKING:
    from analysis.report.context import Context


def pieces(context: Context, question: Question) -> list[Clause]:
    """Which pieces are strong or weak, by name; else what is furthest from the average."""
    found = [one for one in found_of(context, "piece") if not question.about or one.about in question.about]
    if not found:
        return []
    settings = len({one.setting for one in found})
    piece = context.word("piece")
    parts: list[str] = []
    for verdict, says in SIDES.items():
        by: dict[str, list[Found]] = {}
        for one in found:
            if one.verdict == verdict:
                by.setdefault(one.about, []).append(one)
        order = sorted(by.items(), key=lambda item: (-len(item[1]), -max(one.gap for one in item[1])))
        if order and (verdict in ("strong", "weak") or not parts):
            names = [piece_text(context, name, mine, settings) for name, mine in order]
            parts.append(
                f"{says.format(piece=piece, pieces=context.word('pieces'))}: {words.listing(names, NAMED)}"
            )
    undecided = [one for one in found if one.verdict == "undecided"]
    if parts:
        first = f"{parts[0]} (points of win share for each copy)"
        return [Clause(first, "not alike", undecided, more=parts[1:])]
    far = max(found, key=lambda one: one.gap)
    several = len({one.about for one in found}) > 1
    same = all(one.verdict == "balanced" for one in found)
    if same:
        text = f"every {piece} lies within {100 * context.d.judge.piece:g} points of the average one"
    elif several:
        text = f"which {context.word('pieces')} are strong or weak is undecided"
    else:
        text = f"the worth of {far.about} is undecided"
    verdict = "balanced" if same else "undecided"
    return [
        Clause(
            f"{text}; furthest from the average is {piece_text(context, far.about, [far], settings, ' points')}",
            verdict,
            undecided,
        )
    ]


SIDES = {
    "strong": "strong {pieces}",
    "weak": "weak {pieces}",
    "above": "above the average {piece}",
    "below": "below the average {piece}",
}


def piece_text(context: Context, name: str, mine: Sequence[Found], settings: int, unit: str = "") -> str:
    """A piece with what each copy adds, at the setting where it is furthest from the average."""
    top = max(mine, key=lambda one: one.gap)
    size = f"{name} {words.change(top.value, top.low, top.high)}{unit}"
    if settings == 1:
        return size
    if len(mine) == 1:
        return f"{size}{at(context, top.setting)}"
    return f"{size}{at(context, top.setting)}, and {axis(context)[0]} {len(mine) - 1} more of {settings}"
