"""A first look at what a run has made: win share of each seat in each cell (no statistics, no claims)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sim.batch.plan import Plan
from sim.batch.store import read_commits
from sim.core.notation import LETTERS


@dataclass(frozen=True)
class Row:
    """One cell: what sets it apart, its games, and the win share of each seat."""

    cell: int
    what: str
    games: int
    shares: tuple[float, ...]


def seat_shares(folder: Path, plan: Plan) -> list[Row]:
    """Add up the committed parts, one at a time."""
    import polars as pl

    total = None
    for entry in read_commits(folder):
        path = folder / entry["parts"]["seats"]["file"]
        part = pl.read_parquet(path, columns=["cell", "seat", "win_share"])
        sums = part.group_by("cell", "seat").agg(pl.len().alias("games"), pl.col("win_share").sum())
        total = sums if total is None else pl.concat([total, sums]).group_by("cell", "seat").sum()
    if total is None:
        return []
    rows = []
    for (cell,), mine in total.sort("cell", "seat").group_by("cell", maintain_order=True):
        games = int(mine["games"][0])
        shares = tuple(won / games for won in mine["win_share"])
        number = int(str(cell))
        rows.append(Row(number, plan.specs[number].describe() or plan.specs[number].opponents, games, shares))
    return rows


def as_text(rows: Sequence[Row], most: int = 40) -> str:
    """Return the rows as a small table in per cent; beyond `most` cells the rest is only counted."""
    if not rows:
        return "no games"
    seats = max(len(row.shares) for row in rows)
    width = max(4, *(len(row.what) for row in rows[:most]))
    head = ["seat " + LETTERS[seat] for seat in range(seats)]
    lines = [f"{'cell':<{width}}  {'games':>9}  " + "  ".join(head) + "    fair"]
    for row in rows[:most]:
        cells = [f"{share:6.1%}" for share in row.shares] + [" " * 6] * (seats - len(row.shares))
        fair = sum(row.shares) / len(row.shares)  # partners share their wins: a half each for two sides
        lines.append(f"{row.what:<{width}}  {row.games:>9,}  " + "  ".join(cells) + f"  {fair:6.1%}")
    if len(rows) > most:
        lines.append(f"... and {len(rows) - most} more cells")
    return "\n".join(lines)
