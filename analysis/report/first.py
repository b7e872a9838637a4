"""The first sentence: the experiment's own question, answered with subject, effect, interval and level of play.

Each question that is asked gives a clause; all of them are made from the estimates of the sections below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from analysis.data.questions import BANS, DRAFTS, LENGTH, MOST_EVEN, PIECES, SEATS, Question
from analysis.report import answer, banned, drafted, piece_clauses, seat_clauses, words
from analysis.report.axes import at, settling
from analysis.report.blocks import TONES, Line, Statement, Text
from analysis.report.clauses import Clause, sentence
from analysis.report.found import Found, lengths_of
from analysis.report.levels import measured

if TYPE_CHECKING:
    from analysis.report.context import Context

CLAUSES = 3
"""Questions that one sentence answers."""


def first(context: Context) -> Line | None:
    """The answer as a line; None where the data allow none."""
    wanted = [q for q in context.asks if q.what in CLAUSE_OF]
    if context.asks and context.asks[0].what in (BANS, DRAFTS):
        wanted = [q for q in wanted if q.what == context.asks[0].what]  # it has sentences enough of its own
    elif context.asks and context.asks[0].what not in CLAUSE_OF:
        return _said(context, context.asks[0])
    wanted = [q for q in wanted if q.what != BANS or MOST_EVEN in q.about][:CLAUSES]
    if len(wanted) == CLAUSES and wanted[-1].what == LENGTH:
        wanted = wanted[:-1]  # the line on pace tells it
    clauses = [clause for q in wanted for clause in CLAUSE_OF[q.what](context, q)]
    if not clauses:
        return _said(context, context.asks[0]) if context.asks else None
    text = sentence(clauses, f", {context.play}.")
    undecided = next((clause.open for clause in clauses if clause.open), ())
    then = settling(context, undecided) if clauses[0].verdict in ("undecided", "too few to say") else ""
    verdict = clauses[0].verdict
    tone = TONES.get(verdict, "note")
    svg = next((clause.svg for clause in clauses if clause.svg), "")
    return Line(wanted[0].what, "", text, words.soften(verdict, context.doubtful), tone, svg, "answer", then)


def _said(context: Context, question: Question) -> Line | None:
    """What the short answer says first of a question that has no clause of its own."""
    blocks = answer.ANSWERS[question.what](context, question)
    for block in blocks:
        if isinstance(block, Statement):
            text = " ".join(block.text.replace(":\n", ": ").split("\n")[:2])
            return Line(question.what, "", text, block.verdict, block.tone, "", "answer")
    for block in blocks:
        if isinstance(block, Text):
            return Line(question.what, "", block.text, "see below", "note", "", "answer")
    return None


def length(context: Context, question: Question) -> list[Clause]:
    """How long a game is: at its shortest and at its longest setting."""
    found = lengths_of(context)
    return [Clause(length_text(context, found), "measured")] if found else []


def length_text(context: Context, found: Sequence[Found]) -> str:
    """'a game takes 12.4 (12.2 to 12.6) turns of all players'."""
    what = found[0].about
    unit = "turns of all players" if what == "turns" else what
    short, long = (end(found, key=lambda one: one.value) for end in (min, max))
    if len(found) == 1 or short.value == long.value:
        return f"a game takes {length_size(found[0])} {unit}"
    return (
        f"a game takes from {length_size(short)} {unit}{at(context, short.setting)} to {length_size(long)}"
        f"{at(context, long.setting)}"
    )


def length_size(one: Found) -> str:
    """A length with its interval; without one where all games are equally long."""
    if one.low is None or one.high is None:
        return measured(one.about, one.value)
    if words.a_point(one.low, one.high):
        return words.exactly(one.value)
    digits = words.carried(one.low, one.high, scale=1.0)
    return f"{one.value:,.{digits}f} ({one.low:,.{digits}f} to {one.high:,.{digits}f})"


CLAUSE_OF: dict[str, Callable[[Context, Question], list[Clause]]] = {
    SEATS: seat_clauses.seats,
    PIECES: piece_clauses.pieces,
    LENGTH: length,
    BANS: banned.bans,
    DRAFTS: drafted.drafts,
}
