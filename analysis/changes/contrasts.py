"""Two groups of games set against each other: every measure of a game, the seats, the pieces.

Levels that were drawn and rules that were changed are both told by these contrasts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import stats
from analysis.bans_and_drafts.ban_effects import Arms, effects_on_pieces, effects_on_seats
from analysis.data.frames import Games, floats, read_games, tidy
from analysis.data.measures import ENDER, MINUTES, POINTS, SHARED, STOPPED, Measures
from analysis.pieces.strength import piece_model

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

LEVELS = ("level", "card")  # kinds of a drawn column that name one level a deal
MEASURED = (MINUTES, "turns", "decisions", "margin", "lead_changes", SHARED, STOPPED, ENDER, POINTS)
FEWEST_SHARED = 2  # deals in common below which two cells are not compared deal by deal


def level_columns(d: Dataset) -> list[str]:
    """Columns of `games` that name one level drawn for each deal."""
    return [name for name, entry in d.drawn.items() if entry.get("kind") in LEVELS]


def effects(d: Dataset, arms: Callable[[Games], Iterator[Arms]]) -> list[dict[str, Any]]:
    """Rows of all measures for each comparison; ``arm`` names it."""
    games = read_games(d, extra=level_columns(d))
    found = list(arms(games))
    measures = Measures(games)
    values = {name: measures.of(name) for name in MEASURED if name in measures.names}
    moving = {
        name: value for name, value in values.items() if np.isfinite(value).any() and np.nanstd(value) > 0
    }
    means = [{k: v for k, v in row.items() if k != "found"} for row in mean_changes(games, found, moving)]
    return [*means, *_seats(games, found), *_pieces(d, arms)]


def corrected(rows: list[dict[str, Any]], head: list[str], tail: list[str]) -> pl.DataFrame:
    import polars as pl

    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    p, q = floats(frame, "p"), np.full(frame.height, np.nan)
    for measure in frame["measure"].unique():
        at = (frame["measure"] == measure).to_numpy()
        q[at] = stats.bh(p[at])
    middle = ["measure", "piece", "players", "sides"]
    names = [*head, *middle, *tail, "estimate", "low", "high", "p", "q"]
    return tidy(frame.with_columns(pl.Series("q", q, nan_to_null=True)), names)


def mean_changes(
    games: Games, arms: Sequence[Arms], values: dict[str, Any], whole: bool = False
) -> Iterator[dict[str, Any]]:
    """Changes of the means of measures between the two groups of games of each comparison, table by table.

    Where both groups were played on the same deals the difference is over the deals that both have, and its
    error goes deal by deal. With `whole` all tables count as one. ``found`` is the estimate of each, for a family of
    the caller's own.
    """
    everywhere = np.ones(len(games), dtype=bool)
    tables = [(None, None, everywhere)] if whole else [(n, k, games.at_table(n, k)) for n, k in games.tables]
    deal = games.frame["deal"].to_numpy()
    for arm in arms:
        for n, sides, here in tables:
            for measure, value in values.items():
                old = arm.without_rows[here[arm.without_rows] & np.isfinite(value[arm.without_rows])]
                new = arm.with_rows[here[arm.with_rows] & np.isfinite(value[arm.with_rows])]
                if arm.design == "paired":
                    shared = np.intersect1d(deal[old], deal[new])
                    if len(shared) >= FEWEST_SHARED:
                        old, new = old[np.isin(deal[old], shared)], new[np.isin(deal[new], shared)]
                if min(len(old), len(new)) == 0:
                    continue
                blocks = games.blocks[old].join(games.blocks[new])
                number = min(games.blocks[old].number, games.blocks[new].number)
                means, each = arm.means(value[:, None], old, new)
                before, after = (float(mean[0]) for mean in means)
                se = float(np.sqrt(stats.covariance(np.concatenate([-each[0], each[1]]), blocks)[0, 0]))
                reach = float(np.concatenate([value[old], value[new]]).std())
                found = stats.effects(after - before, se, number, reach)
                low, high = found.interval()
                yield {
                    "arm": arm.banned,
                    "measure": measure,
                    "piece": None,
                    "players": n,
                    "sides": sides,
                    "estimate": found.value[0],
                    "low": low[0],
                    "high": high[0],
                    "p": found.p()[0],
                    "found": found,
                    "without": before,
                    "with": after,
                    "games_with": len(new),
                    "design": arm.design,
                    **games.behind(np.concatenate([old, new]), "difference of means", blocks),
                }


SHARED_COLUMNS = ("games", "games_with", "deals", "blocks", "design", "method", "note")


def _seats(games: Games, arms: list[Arms]) -> Iterator[dict[str, Any]]:
    for row in effects_on_seats(games, arms):
        head = {"arm": row["banned"], "piece": None, "players": row["players"], "sides": row["sides"]}
        tail = {name: row[name] for name in SHARED_COLUMNS}
        gap = {name: row[name] for name in ("estimate", "low", "high", "p")}
        arms_of = {"without": row["without_ban"], "with": row["with_ban"]}
        yield {**head, "measure": "seat gap", **gap, **arms_of, **tail}
        first = {"estimate": row["first_seat"], "p": row["first_seat_p"]}
        first |= {"low": row["first_seat_low"], "high": row["first_seat_high"]}
        yield {**head, "measure": "first seat", **first, "without": None, "with": None, **tail}


def _pieces(d: Dataset, arms: Callable[[Games], Iterator[Arms]]) -> Iterator[dict[str, Any]]:
    """Changes of the strength of pieces; none where pieces were not logged or not assigned at random."""
    if not d.manifest.get("lever") or not d.has("pieces"):
        return
    model = piece_model(d, extra=level_columns(d))
    for row in effects_on_pieces(model, arms(model.games)):
        yield {
            "arm": row["banned"],
            "measure": "piece",
            "piece": row["piece"],
            "players": None,
            "sides": None,
            **{name: row[name] for name in ("estimate", "low", "high", "p")},
            "without": row["without_ban"],
            "with": row["with_ban"],
            **{name: row[name] for name in SHARED_COLUMNS},
        }
