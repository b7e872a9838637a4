"""The page of `whimbrel balance`: the proposals and their proof, what a change buys, and how it was searched."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis import plots
from analysis.report import words
from analysis.report.blocks import Block, Cell, Column, Command, Statement, Table, Text, Tone
from analysis.report.context import Context
from analysis.report.study import write_page
from analysis.targets.verdicts import PROVEN, REFUTED

if TYPE_CHECKING:
    from analysis.balance.proposing import Found, Proposal
    from analysis.data.dataset import Dataset

TONE: dict[str, Tone] = {"proven": "balanced", "refuted": "weak", "undecided": "undecided"}


def headline(found: Found) -> str:
    """What came of the search, in a sentence."""
    if found.now.verdict.word == PROVEN:
        return "The game as it is meets every target on fresh games: nothing needs to change."
    proved = [p for p in found.proposals if p.verdict.word == PROVEN]
    if proved:
        more = f" ({len(proved)} proposals are proven)" if len(proved) > 1 else ""
        return f"The smallest change that fresh games prove to meet every target: {proved[0].name}{more}."
    if found.word == REFUTED:
        way = _in_the_way(found)
        return (
            f"No change meets the targets: of {found.looked_at:,} looked at, the nearest "
            f"{len(found.proposals)} all miss them on fresh games{f'; in the way: {way}' if way else ''}."
        )
    return (
        f"No change is proven to meet the targets: of {found.looked_at:,} looked at, the nearest are undecided or miss "
        "them on fresh games."
    )


def _in_the_way(found: Found) -> str:
    """The numbers that every proposal misses."""
    missed = [
        {r.what for r, word in zip(p.verdict.readings, p.verdict.words) if word == REFUTED}
        for p in found.proposals
    ]
    common = set.intersection(*missed) if missed else set()
    return words.listing(sorted(common))


def sentence(one: Proposal) -> str:
    """What fresh games say of a proposal."""
    missed = one.verdict.missed
    name = one.name if one.change else f"The game {one.name}"
    if one.verdict.word == PROVEN:
        return f"{name}: every target is met."
    what = "misses" if one.verdict.word == REFUTED else "is not shown to meet"
    more = f", and {len(missed) - 3} more" if len(missed) > 3 else ""
    need = one.verdict.needed
    settle = f" About {need:,} games of each setting would tell, if it is as it looks." if need else ""
    return f"{name} {what} {'; '.join(r.line() for r in missed[:3])}{more}.{settle}"


def write(
    proof: Dataset, found: Found, files: Mapping[str, Path], designs: Mapping[str, Path], out: Path
) -> Path:
    """Write the page and return its path; `files` and `designs` are those of the proposals, by their name."""
    context = Context(proof, "p1")
    answer: list[Block] = [Text(headline(found))]
    answer += [
        Statement(f"{k}. {sentence(p)}", p.verdict.word, TONE[p.verdict.word])
        for k, p in enumerate(found.proposals, start=1)
    ]
    answer.append(Statement(sentence(found.now), found.now.verdict.word, TONE[found.now.verdict.word]))
    chapters: dict[str, tuple[str, list[Block]]] = {
        "answer": ("The short answer", answer),
        "trade": ("What a change buys", _picture(context, found)),
        "proof": ("The proof, number by number", _table(found)),
        "files": (
            "The proposals as files",
            _files(files, designs),
        ),
        "search": ("How it was searched", _search(found)),
    }
    lead = f"Proof: {proof.n_games:,} fresh games, {context.scope}."
    return write_page(context, "Which change meets the targets?", lead, chapters, out)


def _files(files: Mapping[str, Path], designs: Mapping[str, Path]) -> list[Block]:
    if not files:
        return []
    listed = ", ".join(path.name for path in designs.values())
    return [
        Command("\n".join(f"whimbrel run {path}   # {name}" for name, path in files.items())),
        Text(f"The same as designs, which compare, diff and [vary] variant take: {listed}."),
    ]


def _picture(context: Context, found: Found) -> list[Block]:
    import polars as pl

    verdicts = {p.name: p.verdict.word for p in (*found.proposals, found.now)}
    labels = {p.name: str(k) for k, p in enumerate(found.proposals, start=1)}
    rows = [
        {"label": labels.get(n, n), "size": s, "distance": d, "verdict": verdicts.get(n)}
        for n, s, d in found.tried
    ]
    ax = plots.trade_off(pl.DataFrame(rows, schema_overrides={"verdict": pl.String}), title=None)
    note = (
        "Each point is a change that was played in the search, the proposals with their numbers; distance: how far its "
        "numbers lie beyond their bands (drawn in by what the proof could not tell apart), in half widths, added up; 0 "
        "meets every target."
    )
    return [context.picture(ax, "How near to the targets, for how large a change?", note, wide=True)]


def _table(found: Found) -> list[Block]:
    rows: list[list[Cell]] = []
    for one in (*found.proposals, found.now):
        for reading, word in zip(one.verdict.readings, one.verdict.words):
            rows.append(
                [
                    Cell(one.name),
                    Cell(reading.line()),
                    Cell(word, word, TONE[word]),
                    Cell(f"{reading.games:,} / {reading.deals:,}", reading.games),
                ]
            )
    heads = [Column("change"), Column("number"), Column("verdict"), Column("games / deals", True)]
    return [Table(heads, rows, "On fresh games", folded=len(rows) > 20)]


def _search(found: Found) -> list[Block]:
    text = (
        f"{len(found.tried) - 1:,} changes were played in {found.games:,} games, {found.looked_at:,} were looked at by "
        "an additive model of them. Nothing of that counts for the proof: each proposal is judged on fresh seeds, at a "
        "level divided by the number of proposals and of looks, so that in at most 5% of searches a proposal is "
        "wrongly called proven."
    )
    blocks: list[Block] = [Text(text)]
    if found.left_out:
        blocks.append(Text(f"Left out: {words.listing(found.left_out, 10)}.", "note"))
    return blocks


def data(found: Found) -> dict[str, Any]:
    """The result as plain data for JSON."""

    def one(p: Proposal) -> dict[str, Any]:
        numbers = [
            {
                "what": r.what,
                "estimate": r.value,
                "low": float(r.found.interval()[0][0]),
                "high": float(r.found.interval()[1][0]),
                "wanted": [None if abs(e) == float("inf") else e for e in (r.band.low, r.band.high)],
                "verdict": word,
                "games": r.games,
            }
            for r, word in zip(p.verdict.readings, p.verdict.words)
        ]
        head = {"name": p.name, "settings": p.settings, "size": p.size, "verdict": p.verdict.word}
        return {**head, "games_needed": p.verdict.needed, "numbers": numbers}

    return {
        "verdict": found.word,
        "says": headline(found),
        "proposals": [one(p) for p in found.proposals],
        "now": one(found.now),
        "looked_at": found.looked_at,
        "games": found.games,
        "left_out": found.left_out,
    }
