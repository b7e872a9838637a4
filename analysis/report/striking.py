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
    if d.n_games < FEWEST or d.manifest.get("imported"):
        return []
    games, have = d.games, d.games.collect_schema().names()
    if "ended" in have:
        games = games.filter(pl.col("ended").cast(pl.String) == "finished")
    found: list[Striking] = []
    longest = {"turns": True} if "turns" in have else {}
    if "margin" in have:
        short = dict.fromkeys(longest, True)
        found += _first(games, "closest", {"margin": False, **short, "game_id": False}, "margin")
    if longest:
        found += _first(games, "longest", {"turns": True, "game_id": False}, "turns")
    turned = _comebacks(d.sample(), have)
    if turned is not None:
        found += _first(turned, "greatest comeback", {"behind": True, "game_id": False}, "behind")
    elif "lead_changes" in have:
        order = {"lead_changes": True, "game_id": False}
        found += _first(games, "most changes of the lead", order, "lead_changes")
    seen: set[int] = set()
    return [one for one in found if not (one.game in seen or seen.add(one.game))]  # type: ignore[func-returns-value]


SAYS = {
    "margin": "won by {} points",
    "turns": "{} turns",
    "behind": "the winner was {} points behind",
    "lead_changes": "{} changes of the lead",
}


def _first(games: pl.LazyFrame, what: str, order: dict[str, bool], by: str) -> list[Striking]:
    """The first game by columns in their `order` (true: the largest first), found without holding the games."""
    import polars as pl

    games = games.filter(pl.col(by).is_not_null() & (pl.col(by) > 0))
    at: dict[str, float] = {}
    for name, down in order.items():
        end = pl.col(name).max() if down else pl.col(name).min()
        value = games.select(end).collect(engine="streaming").item()
        if value is None:
            return []
        at[name] = value
        games = games.filter(pl.col(name) == pl.lit(value, dtype=games.collect_schema()[name]))
    return [Striking(what, int(at["game_id"]), SAYS[by].format(f"{at[by]:g}"))]


def _comebacks(d: Dataset, have: list[str]) -> pl.LazyFrame | None:
    """How far behind the sole winner of each game was at its worst turn; None without turns."""
    import polars as pl

    if not d.has("turns") or not {"winner", "tied"} <= set(have):
        return None
    games = d.games
    if "ended" in have:
        games = games.filter(pl.col("ended").cast(pl.String) == "finished")
    scores = sorted(c for c in d.turns.collect_schema().names() if c.startswith("score_"))
    won = games.filter(pl.col("tied") == 1).select("game_id", "winner")
    turns = d.turns.select("game_id", *scores).join(won, on="game_id")
    mine = pl.coalesce(pl.when(pl.col("winner") == k).then(pl.col(name)) for k, name in enumerate(scores))
    gap = pl.max_horizontal(scores) - mine
    return turns.group_by("game_id").agg(behind=gap.max())


def section(context: Context) -> list[Block]:
    """The striking games, with the line that steps through each (or its page, where there is one)."""
    found = striking(context.all)
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
