"""Clauses on sets of bans: the most even one, and what its rank is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analysis.bans_and_drafts.ban_sets import MOST_EVEN as RANKED_FIRST
from analysis.data.questions import MOST_EVEN, Question
from analysis.report import words
from analysis.report.clauses import Clause
from analysis.report.found import Found
from analysis.report.sparks import MOST, Mark, spark
from analysis.report.variants import FEWEST_GAMES

if TYPE_CHECKING:
    from analysis.report.context import Context


def bans(context: Context, question: Question) -> list[Clause]:
    """The most even set of bans, beside playing without one, with what its rank is worth."""
    frame = context.made("ban_sets") if MOST_EVEN in question.about else None
    if frame is None:
        return []
    clauses = []
    for table, part in context.by_table(frame):
        rows = part.sort("tier", "best", descending=[False, True], nulls_last=True).to_dicts()
        if rows[0]["tier"] is None or float(part["games"].median()) < FEWEST_GAMES:  # type: ignore[arg-type]
            games = words.plural(int(part["games"].median()), "game")  # type: ignore[arg-type]
            text = (
                f"which set of bans is the most even cannot be told yet: {len(rows):,} sets{table} with {games} each "
                f"are too few to rank, it takes {FEWEST_GAMES}"
            )
            clauses.append(Clause(text, "too few to say", _unranked(rows)))
            continue
        best, tied = rows[0], [row for row in rows if row["tier"] == 1]
        names = str(best["bans"]).split("+")
        what = f"banning {words.listing(names)}" if best["bans"] != "none" else "playing without a ban"
        text = f"of {len(rows):,} sets{table} {what} looks most even: {_uneven(context, best)}"
        plain = next((row for row in rows if row["bans"] == "none"), None)
        if plain is not None and plain is not best:
            text += f", against {_spread(plain)} without a ban"
        chance = words.percent(best["best"], 0)
        others = len(tied) - 1
        text += f"; the chance that it is the most even of all is {chance}"
        text += (
            f", and {others:,} others may be as even"
            if others
            else ", and all others are shown to be less even"
        )
        clauses.append(
            Clause(
                text,
                "undecided" if others else RANKED_FIRST,
                _unranked(tied) if others else (),
                _picture(rows, plain, text),
            )
        )
    return clauses


def _picture(rows: Sequence[dict[str, Any]], plain: dict[str, Any] | None, text: str) -> str:
    """The most even sets, and playing without a ban."""
    kept = [*rows[: MOST - 1], *([plain] if plain is not None and plain not in rows[: MOST - 1] else [])]
    marks = [
        Mark(
            str(row["bans"]).replace("+", ", "),
            100 * row["estimate"],
            100 * row["low"],
            100 * row["high"],
            "balanced" if row["tier"] == 1 else "undecided",
            _spread(row),
        )
        for row in kept
    ]
    return spark(marks, 0.0, 0.0, f"Points from even: {text}")


def _unranked(rows: Sequence[dict[str, object]]) -> list[Found]:
    """Sets that cannot be told apart: four times the games would halve their ranges."""
    return [
        Found(str(row["bans"]), "", 0.0, None, None, None, "undecided", None, None, int(row["games"]))  # type: ignore[call-overload]
        for row in rows
    ]


def _uneven(context: Context, row: dict[str, object]) -> str:
    wanted = context.d.judge.even.split("+")
    what = [
        name for name, wants in (("seats", "seats"), (context.word("pieces"), "pieces")) if wants in wanted
    ]
    return f"{words.listing(what)} lie {_spread(row)} from even"


def _spread(row: dict[str, object]) -> str:
    low, value, high = (100 * float(row[name]) for name in ("low", "estimate", "high"))  # type: ignore[arg-type]
    digits = words.carried(low, high, scale=1.0)
    return f"{value:.{digits}f} points ({low:.{digits}f} to {high:.{digits}f})"
