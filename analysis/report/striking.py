"""The section on striking games: the closest, the longest, the greatest comeback, each to be stepped through."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.report import words
from analysis.report.blocks import Block, Cell, Column, Table, Text

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset
    from analysis.report.context import Context

FEWEST = 10
"""Of fewer games none is striking."""


@dataclass(frozen=True)
class Striking:
    """A game worth a look: what is striking of it, its number, how it went."""

    what: str
    game: int
    how: str


def striking(d: Dataset) -> list[Striking]:
    """The closest, the longest and the most turned game of the strongest play; only what was logged."""
    import polars as pl

    d = d.at_tier() if len(d.tiers) > 1 else d
    games = d.games.collect()
    if games.height < FEWEST or d.manifest.get("imported"):
        return []
    if "ended" in games.columns:
        games = games.filter(pl.col("ended").cast(pl.String) == "finished")
    found: list[Striking] = []
    if "margin" in games.columns:
        close = games.filter(pl.col("margin") > 0)
        order = ["margin", *(["turns"] if "turns" in games.columns else []), "game_id"]
        found += _first(
            close, "closest", order, [False, *([True] if len(order) > 2 else []), False], "margin"
        )
    if "turns" in games.columns:
        found += _first(games, "longest", ["turns", "game_id"], [True, False], "turns")
    turned = _comebacks(d, games)
    if turned is not None:
        found += _first(turned, "greatest comeback", ["behind", "game_id"], [True, False], "behind")
    elif "lead_changes" in games.columns:
        found += _first(
            games, "most changes of the lead", ["lead_changes", "game_id"], [True, False], "lead_changes"
        )
    seen: set[int] = set()
    return [one for one in found if not (one.game in seen or seen.add(one.game))]  # type: ignore[func-returns-value]


SAYS = {
    "margin": "won by {} points",
    "turns": "{} turns",
    "behind": "the winner was {} points behind",
    "lead_changes": "{} changes of the lead",
}


def _first(games: pl.DataFrame, what: str, order: list[str], down: list[bool], by: str) -> list[Striking]:
    games = games.filter(games[by].is_not_null() & (games[by] > 0))
    if games.is_empty():
        return []
    row = games.sort(order, descending=down).row(0, named=True)
    return [Striking(what, int(row["game_id"]), SAYS[by].format(f"{row[by]:g}"))]


def _comebacks(d: Dataset, games: pl.DataFrame) -> pl.DataFrame | None:
    """How far behind the sole winner of each game was at its worst turn; None without turns."""
    import polars as pl

    if not d.has("turns") or not {"winner", "tied"} <= set(games.columns):
        return None
    scores = sorted(c for c in d.turns.collect_schema().names() if c.startswith("score_"))
    won = games.filter(pl.col("tied") == 1).select("game_id", "winner")
    turns = d.turns.select("game_id", *scores).collect().join(won, on="game_id")
    mine = pl.coalesce(pl.when(pl.col("winner") == k).then(pl.col(name)) for k, name in enumerate(scores))
    gap = pl.max_horizontal(scores) - mine
    return turns.group_by("game_id").agg(behind=gap.max())


def section(context: Context) -> list[Block]:
    """The striking games, with the line that steps through each (or its page, where there is one)."""
    found = striking(context.whole)
    if not found:
        return []
    folder = shlex.quote(context.folder_name)
    rows = [
        [
            Cell(one.what),
            Cell(one.how),
            Cell(words.number(one.game), one.game, href=context.replays.get(one.game, "")),
            Cell(f"whimbrel replay {folder} {one.game}"),
        ]
        for one in found
    ]
    heads = [Column("game"), Column("how it went"), Column("number", True), Column("to step through it")]
    return [
        Text("Single games worth a look; they prove nothing, and show how play goes."),
        Table(heads, rows, title="Striking games"),
    ]
