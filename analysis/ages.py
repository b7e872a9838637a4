"""What does a scenario card, or any other rule in force for a whole game, change? (V3)

The card is a treatment: drawn by chance for each deal, or a factor whose levels share their deals. Each card
is set against the games without a card where there are such, else against the games with the other cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import stats
from analysis.bans import Arms, effects_on_pieces, effects_on_seats
from analysis.errors import Refusal
from analysis.frames import Games, floats, read_games, tidy
from analysis.strength import piece_model

if TYPE_CHECKING:
    import polars as pl

    from analysis.dataset import Dataset

CARD = "card"  # kind of a drawn column
FACTOR = "age"  # the factor that names cards, unless another is asked for
MEASURES = ("turns", "margin")  # of games; margin: best score less second best
NO_CARD = ("none", "")


def card_columns(d: Dataset) -> list[str]:
    """Columns that say which card was in force: those drawn as cards, and the factor `age`."""
    drawn = [name for name, entry in d.drawn.items() if entry.get("kind") == CARD]
    varied = FACTOR in d.cells.columns and FACTOR not in drawn and d.cells[FACTOR].n_unique() > 1
    return [*drawn, *([FACTOR] if varied else [])]


def card_effects(d: Dataset, column: str | None = None) -> pl.DataFrame:
    """What each card does to the length of games, to the seats, and to the strength of pieces (V3).

    Parameters
    ----------
    column : str, optional
        Column of games or cells with the card in force; by default each that `card_columns` finds.

    Returns
    -------
    polars.DataFrame
        ``column, card, measure, piece, players, against, estimate, low, high, p, q, without, with, games,
        games_with, deals, blocks, design, method, note``. ``measure`` is ``turns``, ``margin`` (of victory),
        ``seat gap`` (typical distance of a seat from fair), ``first seat`` (its win share), or ``piece`` (win
        share a copy against the average other piece, where pieces were assigned at random). q values are
        corrected within a measure, over cards, tables and pieces.
    """
    import polars as pl

    columns = card_columns(d) if column is None else [column]
    if not columns:
        raise Refusal(f"{d.name}: no card was drawn for each deal or varied between cells")
    rows: list[dict[str, Any]] = []
    for name in columns:
        games = read_games(d, name)
        have = d.games.collect_schema().names()
        values = read_games(d, name, [m for m in MEASURES if m in have]).frame
        arms = list(_arms(d, games, name))
        against = "no card" if _base(games, name) else "the other cards"
        if not arms:
            raise Refusal(f"{d.name}: only one level of '{name}' was played")
        found = [
            *_means(games, arms, {m: floats(values, m) for m in MEASURES if m in values.columns}),
            *_seats(games, arms),
            *_pieces(d, name),
        ]
        rows += [{"column": name, "against": against, **row} for row in found]
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    p, q = floats(frame, "p"), np.full(frame.height, np.nan)
    for measure in frame["measure"].unique():
        at = (frame["measure"] == measure).to_numpy()
        q[at] = stats.bh(p[at])
    head = ["column", "card", "measure", "piece", "players", "against", "estimate", "low", "high", "p", "q"]
    return tidy(frame.with_columns(pl.Series("q", q, nan_to_null=True)), head)


def _base(games: Games, column: str) -> bool:
    return bool(np.isin(_cards(games, column), NO_CARD).any())


def _cards(games: Games, column: str) -> Any:
    import polars as pl

    return games.frame[column].cast(pl.String).fill_null("none").to_numpy().astype(str)


def _says_whether(d: Dataset, games: Games, base: Any, factor: str) -> bool:
    """Whether a factor's levels only tell games without a card from those with one: no stratum of its own."""
    import polars as pl

    cards = games.frame.select("cell", base=pl.Series(base))
    levels = cards.join(d.cells.select("cell", level=pl.col(factor).cast(pl.String)), on="cell")
    kinds = levels.group_by("level").agg(pl.col("base").n_unique())
    return levels["level"].n_unique() > 1 and kinds["base"].max() == 1


def _arms(d: Dataset, games: Games, column: str) -> Iterator[Arms]:
    """One comparison a card, within the strata that hold games of both arms."""
    cards = _cards(games, column)
    base = np.isin(cards, NO_CARD)
    drawn = column in d.drawn
    rest = [n for n in d.factors if n != column and n in d.cells.columns]
    if base.any() and not base.all():
        rest = [n for n in rest if not _says_whether(d, games, base, n)]
    stratum = np.zeros(len(games), dtype=np.int64)
    if rest:
        keys = d.cells.select("cell", key=_struct_rank(d, rest))
        lookup = dict(zip(keys["cell"].to_list(), keys["key"].to_list(), strict=True))
        stratum = np.array([lookup[c] for c in games.frame["cell"].to_list()], dtype=np.int64)
    for card in np.unique(cards[~base]):
        own = cards == card
        other = base if base.any() else ~own
        both = np.intersect1d(stratum[own], stratum[other])
        inside = np.isin(stratum, both)
        without, with_card = np.flatnonzero(other & inside), np.flatnonzero(own & inside)
        if len(without) and len(with_card):
            yield Arms(str(card), frozenset(), without, with_card, "drawn" if drawn else "paired")


def _struct_rank(d: Dataset, names: list[str]) -> pl.Series:
    import polars as pl

    return d.cells.select(pl.struct(names).rank("dense")).to_series()


def _means(games: Games, arms: list[Arms], values: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for arm in arms:
        for n in games.data.n_players:
            old = arm.without_rows[games.players[arm.without_rows] == n]
            new = arm.with_rows[games.players[arm.with_rows] == n]
            if min(len(old), len(new)) == 0:
                continue
            blocks = games.blocks[old].join(games.blocks[new])
            df = min(games.blocks[old].df, games.blocks[new].df)
            for measure, value in values.items():
                before, after = float(value[old].mean()), float(value[new].mean())
                each = np.concatenate([-(value[old] - before) / len(old), (value[new] - after) / len(new)])
                se = float(np.sqrt(stats.covariance(each[:, None], blocks)[0, 0]))
                low, high = stats.interval(after - before, se, df)
                yield {
                    "card": arm.banned,
                    "measure": measure,
                    "piece": None,
                    "players": n,
                    "estimate": after - before,
                    "low": float(low),
                    "high": float(high),
                    "p": float(stats.two_sided(after - before, se, df)),
                    "without": before,
                    "with": after,
                    "games_with": len(new),
                    "design": arm.design,
                    **games.behind(np.concatenate([old, new]), "difference of means", blocks),
                }


SHARED = ("games", "games_with", "deals", "blocks", "design", "method", "note")


def _seats(games: Games, arms: list[Arms]) -> Iterator[dict[str, Any]]:
    for row in effects_on_seats(games, arms):
        head = {"card": row["banned"], "piece": None, "players": row["players"]}
        tail = {name: row[name] for name in SHARED}
        gap = {name: row[name] for name in ("estimate", "low", "high", "p")}
        yield {
            **head,
            "measure": "seat gap",
            **gap,
            "without": row["without_ban"],
            "with": row["with_ban"],
            **tail,
        }
        first = {"estimate": row["first_seat"], "p": row["first_seat_p"]}
        first |= {"low": row["first_seat_low"], "high": row["first_seat_high"]}
        yield {**head, "measure": "first seat", **first, "without": None, "with": None, **tail}


def _pieces(d: Dataset, column: str) -> Iterator[dict[str, Any]]:
    """Changes of the strength of pieces; none where pieces were not logged or not assigned at random."""
    if not d.manifest.get("lever") or not d.has("pieces"):
        return
    model = piece_model(d, column)
    for row in effects_on_pieces(model, _arms(d, model.games, column)):
        yield {
            "card": row["banned"],
            "measure": "piece",
            "piece": row["piece"],
            "players": None,
            **{name: row[name] for name in ("estimate", "low", "high", "p")},
            "without": row["without_ban"],
            "with": row["with_ban"],
            **{name: row[name] for name in SHARED},
        }
