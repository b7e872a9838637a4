"""The page of `whimbrel handicap`: what makes the seats even, its proof, and how it was found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from analysis import plots
from analysis.report import words
from analysis.report.blocks import Block, Cell, Column, Statement, Table, Text, Tone
from analysis.report.context import Context
from analysis.report.study import write_page
from analysis.report.words import percent
from analysis.targets.lines import rounded
from analysis.targets.verdicts import PROVEN, REFUTED

if TYPE_CHECKING:
    from analysis.data.dataset import Dataset
    from analysis.fairness.handicap import Handicap, Proof

SEATS = "ABCDEFGHIJKL"
TONE: dict[str, Tone] = {PROVEN: "balanced", REFUTED: "weak"}


def line(one: Handicap, proof: Proof, key: str) -> str:
    """What makes one kind of table even, and what fresh games say, in a sentence."""
    if key:
        text = f"{key} = {one.values[0]:g} ({one.low[0]:g} to {one.high[0]:g}) is the most even"
    else:
        ranges = [f" ({low:g} to {high:g})" for low, high in zip(one.low, one.high, strict=True)]
        text = _points(one.values, ranges) or "no points are needed"
    if asked(one, proof):
        said = f"{key} = {proof.given[0]:g}" if key else _points(proof.given) or "no points"
        text = f"{said}, as asked (found: {text.removeprefix('give ')})"
    before = " : ".join(percent(x) for x in one.before)
    after = " : ".join(percent(x) for x in proof.shares)
    return (
        f"{one.players} players: {text}; shares {before} before, {after} on {proof.games:,} fresh games: "
        f"{proof.verdict} even within {100 * proof.margin:g} points{_more(proof)}"
    )


def asked(one: Handicap, proof: Proof) -> bool:
    """Whether the proof is of another handicap than the one that was found."""
    return bool(proof.given) and list(proof.given) != list(one.values)


def _points(values: Sequence[float], ranges: Sequence[str] = ()) -> str:
    given = [f"Seat {SEATS[k]} {v:g} points{ranges[k] if ranges else ''}" for k, v in enumerate(values) if v]
    return f"give {', '.join(given)}" if given else ""


def _more(proof: Proof) -> str:
    if proof.verdict in (PROVEN, REFUTED):
        return ""
    if proof.more_games is None:
        return "; no number of games is sure to settle it"
    return f"; about {rounded(proof.more_games)} more games would settle it, if it is as it looks"


def write(data: Dataset, found: Sequence[Handicap], proofs: Sequence[Proof], key: str, out: Path) -> Path:
    """Write the page and return its path; `data` are the games of the proof, `key` the number that was turned."""
    context = Context(data, "p1")
    pairs = list(zip(found, proofs, strict=True))
    answer: list[Block] = [
        Statement(f"{line(one, proof, key)}.", proof.verdict, TONE.get(proof.verdict, "undecided"))
        for one, proof in pairs
    ]
    chapters: dict[str, tuple[str, list[Block]]] = {
        "answer": ("The short answer", answer),
        "proof": ("The proof, seat by seat", _picture(context, pairs)),
        "found": ("What is given", _table(pairs, key)),
        "how": ("How it was found", [Text(_how(pairs, key))]),
    }
    lead = f"Proof: {words.plural(sum(p.games for p in proofs), 'fresh game')}, {context.scope}."
    return write_page(context, "What handicap makes it even?", lead, chapters, out)


def _picture(context: Context, pairs: Sequence[tuple[Handicap, Proof]]) -> list[Block]:
    import polars as pl

    verdict = {PROVEN: "balanced", REFUTED: "uneven"}
    rows = [
        {
            "players": proof.players,
            "sides": proof.players,
            "seat": seat,
            "fair": 1 / proof.players,
            "estimate": share,
            "low": proof.low[seat],
            "high": proof.high[seat],
            "verdict": verdict.get(proof.verdict, "undecided"),
        }
        for _, proof in pairs
        for seat, share in enumerate(proof.shares)
    ]
    ax = plots.seat_dots(pl.DataFrame(rows), margin=pairs[0][1].margin, title=None)
    note = "Fresh games, with the handicap: share of wins of each seat, 95% intervals, the margin shaded."
    return [context.picture(ax, "Is any seat still favoured, with the handicap?", note, wide=True)]


def _table(pairs: Sequence[tuple[Handicap, Proof]], key: str) -> list[Block]:
    rows: list[list[Cell]] = []
    claim = any(asked(one, proof) for one, proof in pairs)
    for one, proof in pairs:
        for seat, share in enumerate(proof.shares):
            k = 0 if key else seat
            found = f"{one.values[k]:g} ({one.low[k]:g} to {one.high[k]:g})"
            rows.append(
                [
                    Cell(str(one.players), one.players),
                    Cell(f"Seat {SEATS[seat]}", seat),
                    *([Cell(f"{proof.given[k]:g}", proof.given[k])] if claim else []),
                    Cell(found, one.values[k]),
                    Cell(percent(one.before[seat]), one.before[seat]),
                    Cell(percent(share), share),
                    Cell(f"{percent(proof.low[seat])} to {percent(proof.high[seat])}", proof.low[seat]),
                ]
            )
    what = key or "points"
    heads = [Column("players", True), Column("seat")]
    heads += [Column(f"{what}, as asked", True)] if claim else []
    heads += [Column(f"{what}, as found (95%)" if claim else key or "points given (95%)", True)]
    heads += [Column("share before", True), Column("share with it, fresh games", True), Column("95%", True)]
    return [Table(heads, rows)]


def _how(pairs: Sequence[tuple[Handicap, Proof]], key: str) -> str:
    games = sum(one.games for one, _ in pairs)
    what = (
        f"Each value of {key} was played, and the one taken that leaves the seats most even; the interval holds the "
        "values that come out so in 95% of resamples of the deals."
        if key
        else "Points were added to the final scores of games that were played without them, so that this is a handicap "
        "for players who play as if there were none; the interval is from games drawn anew deal by deal."
    )
    return (
        f"{what} {words.plural(games, 'game')} were used to find it. None of them counts for the proof, which is "
        "played on fresh seeds: of many values one always looks even."
        f"{' It is of the handicap that was asked about.' if any(asked(*pair) for pair in pairs) else ''}"
    )
