"""What does a level that was drawn for each deal change, and what does a change of a rule? (V1, V3)

Both compare two groups of games. A drawn level (an event, a card in force for a whole game) is a treatment by
chance: it is set against the games without any where there are such, else against the games with the other
levels. A rule is changed between cells, which share their deals: only cells that differ in nothing else are
compared, deal by deal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import stats
from analysis.bans import Arms, effects_on_pieces, effects_on_seats
from analysis.errors import Refusal
from analysis.frames import Games, floats, read_games, tidy
from analysis.measures import ENDER, MINUTES, POINTS, SHARED, STOPPED, Measures
from analysis.strength import piece_model

if TYPE_CHECKING:
    import polars as pl

    from analysis.dataset import Dataset

LEVELS = ("level", "card")  # kinds of a drawn column that name one level a deal
MEASURED = (MINUTES, "turns", "decisions", "margin", "lead_changes", SHARED, STOPPED, ENDER, POINTS)
NOTHING = ("none", "")
FEWEST_SHARED = 2  # deals in common below which two cells are not compared deal by deal


def level_columns(d: Dataset) -> list[str]:
    """Columns of `games` that name one level drawn for each deal."""
    return [name for name, entry in d.drawn.items() if entry.get("kind") in LEVELS]


def level_effects(d: Dataset, column: str | None = None) -> pl.DataFrame:
    """What each drawn level does to the length of games, to ties and ends, to the seats, and to pieces (V3).

    Parameters
    ----------
    column : str, optional
        Column of games or cells that names the level; by default each that `level_columns` finds.

    Returns
    -------
    polars.DataFrame
        ``column, level, measure, piece, players, sides, against, estimate, low, high, p, q, without, with,
        games, games_with, deals, blocks, design, method, note``. ``measure`` is a measure of a game (see
        `analysis.measures`), ``seat gap`` (typical distance of a seat from fair), ``first seat`` (its win
        share), or ``piece`` (win share a copy against the average other piece, where pieces were assigned at
        random). q values are corrected within a measure, over levels, tables and pieces.
    """
    columns = level_columns(d) if column is None else [column]
    if not columns:
        raise Refusal(f"{d.name}: no level (an event, a card) was drawn for each deal")
    rows: list[dict[str, Any]] = []
    for name in columns:
        base = _base(d, name)

        def arms(games: Games, name: str = name) -> Iterator[Arms]:
            return _level_arms(d, games, name)

        found = _effects(d, arms)
        if not found:
            raise Refusal(f"{d.name}: only one level of '{name}' was played")
        against = f"no {word_of(d, name)}" if base else f"the other {word_of(d, name, many=True)}"
        rows += [{"column": name, "level": row.pop("arm"), "against": against, **row} for row in found]
    return _corrected(rows, ["column", "level"], ["against"])


def word_of(d: Dataset, column: str, many: bool = False) -> str:
    """What a level of a drawn column is called: "event", "card", or "level"."""
    entry = d.drawn.get(column, {})
    one = str(entry.get("word") or ("card" if entry.get("kind") == "card" else "level"))
    return str(entry.get("words") or f"{one}s") if many else one


@dataclass(frozen=True)
class Change:
    """One rule changed: cells that differ in it alone.

    Attributes
    ----------
    factor, before, after : str
        What was changed, from which value to which, as texts.
    setting : str
        What it was changed in, where that is one variant among several; else empty.
    old, new : lists of int
        Cells on both sides; the lists are alike in everything else.
    """

    factor: str
    before: str
    after: str
    setting: str
    old: list[int]
    new: list[int]

    @property
    def label(self) -> str:
        """The change as one text."""
        head = self.after if self.factor == "variant" else f"{self.factor} {self.before} → {self.after}"
        return f"{head} (in {self.setting})" if self.setting else head


def cell_changes(d: Dataset) -> list[Change]:
    """Every comparison of cells that differ in one thing.

    Levels of a varied factor are set against its first level, over all settings of the others that have both.
    A variant is set against the first variant; but where it differs in one parameter only from another that
    was named before it, against that one, under the parameter's name.
    """
    if d.cells.height < 2:
        return []
    import polars as pl

    skip = ("cell", "games", "variant")
    names = [n for n in d.cells.columns if n not in skip and d.cells[n].n_unique() > 1]
    texts = d.cells.select("cell", *[pl.col(n).cast(pl.String).fill_null("none") for n in names])
    cells = {row.pop("cell"): row for row in texts.iter_rows(named=True)}
    variant = dict.fromkeys(cells, "")
    if "variant" in d.cells.columns:
        known = d.cells["variant"].fill_null("").to_list()
        variant = dict(zip(d.cells["cell"].to_list(), known, strict=True))
    experiment = d.manifest.get("experiment") or {}
    varied = [n for n in (experiment.get("vary") or {}) if n in names]
    if not varied and len(set(variant.values())) < 2:
        varied = [n for n in d.factors if n in names]
    return [*_of_factors(cells, variant, varied), *_of_variants(cells, variant, varied)]


def _of_factors(
    cells: dict[int, dict[str, str]], variant: dict[int, str], varied: list[str]
) -> Iterator[Change]:
    table = ("players", "players.count")
    for name in varied:
        if name in table or name.startswith("players."):
            continue
        rest = [n for n in varied if n != name] + [
            n for n in table if n not in varied and n in next(iter(cells.values()))
        ]
        strata: dict[tuple[str, ...], dict[str, int]] = {}
        for cell, row in cells.items():
            strata.setdefault((variant[cell], *(row[n] for n in rest)), {}).setdefault(row[name], cell)
        levels = list(dict.fromkeys(row[name] for row in cells.values()))
        for level in levels[1:]:
            both = [s for s in strata.values() if level in s and levels[0] in s]
            if both:
                old, new = [s[levels[0]] for s in both], [s[level] for s in both]
                yield Change(name, levels[0], level, "", old, new)


def _of_variants(
    cells: dict[int, dict[str, str]], variant: dict[int, str], varied: list[str]
) -> Iterator[Change]:
    members: dict[str, dict[tuple[str, ...], int]] = {}
    for cell, row in cells.items():
        members.setdefault(variant[cell], {}).setdefault(tuple(row[n] for n in varied), cell)
    names = list(members)
    for at, name in enumerate(names[1:], start=1):
        pairs = {
            other: [
                (members[other][key], members[name][key]) for key in members[name] if key in members[other]
            ]
            for other in names[:at]
        }
        found = {other: _differing(cells, both) for other, both in pairs.items() if both}
        if not found:
            continue
        first = next(iter(found))
        base = first if len(found[first]) == 1 else next((o for o in found if len(found[o]) == 1), first)
        old, new = [pair[0] for pair in pairs[base]], [pair[1] for pair in pairs[base]]
        if len(found[base]) == 1:
            column = next(iter(found[base]))
            setting = base if len(names) > 2 and base else ""
            yield Change(column, cells[old[0]][column], cells[new[0]][column], setting, old, new)
        else:
            yield Change("variant", base, name, "" if base == names[0] else base, old, new)


def _differing(cells: dict[int, dict[str, str]], pairs: list[tuple[int, int]]) -> set[str]:
    return {n for old, new in pairs for n in cells[old] if cells[old][n] != cells[new][n] and n != "players"}


def rule_changes(d: Dataset) -> pl.DataFrame:
    """What each change of a rule does, all else alike (V1).

    Returns
    -------
    polars.DataFrame
        ``change`` (as one text), ``factor, before, after, setting, measure, piece, players, sides, estimate,
        low, high, p, q, without, with, games, games_with, deals, blocks, design, method, note``, measures as
        in `level_effects`. ``estimate`` is ``with`` (the change) less ``without``.
    """
    changes = {change.label: change for change in cell_changes(d)}
    if not changes:
        raise Refusal(f"{d.name}: no two cells differ in one thing only")

    def arms(games: Games) -> Iterator[Arms]:
        cell = games.frame["cell"].to_numpy()
        for label, change in changes.items():
            old, new = (np.flatnonzero(np.isin(cell, part)) for part in (change.old, change.new))
            if len(old) and len(new):
                yield Arms(label, frozenset(), old, new, "paired")

    rows = []
    for row in _effects(d, arms):
        change = changes[row.pop("arm")]
        head = {"change": change.label, "factor": change.factor, "before": change.before}
        rows.append({**head, "after": change.after, "setting": change.setting, **row})
    if not rows:
        raise Refusal(f"{d.name}: no two cells that differ in one thing only hold games")
    return _corrected(rows, ["change", "factor", "before", "after", "setting"], [])


def _effects(d: Dataset, arms: Callable[[Games], Iterator[Arms]]) -> list[dict[str, Any]]:
    """Rows of all measures for each comparison; ``arm`` names it."""
    games = read_games(d, extra=level_columns(d))
    found = list(arms(games))
    measures = Measures(games)
    values = {name: measures.of(name) for name in MEASURED if name in measures.names}
    moving = {
        name: value for name, value in values.items() if np.isfinite(value).any() and np.nanstd(value) > 0
    }
    return [*mean_changes(games, found, moving), *_seats(games, found), *_pieces(d, arms)]


def _corrected(rows: list[dict[str, Any]], head: list[str], tail: list[str]) -> pl.DataFrame:
    import polars as pl

    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    p, q = floats(frame, "p"), np.full(frame.height, np.nan)
    for measure in frame["measure"].unique():
        at = (frame["measure"] == measure).to_numpy()
        q[at] = stats.bh(p[at])
    middle = ["measure", "piece", "players", "sides"]
    names = [*head, *middle, *tail, "estimate", "low", "high", "p", "q"]
    return tidy(frame.with_columns(pl.Series("q", q, nan_to_null=True)), names)


def _base(d: Dataset, column: str) -> bool:
    games = read_games(d, extra=[column]) if column in d.drawn else read_games(d, column)
    return bool(np.isin(_names(games, column), NOTHING).any())


def _names(games: Games, column: str) -> Any:
    import polars as pl

    return games.frame[column].cast(pl.String).fill_null("none").to_numpy().astype(str)


def _says_whether(d: Dataset, games: Games, base: Any, factor: str) -> bool:
    """Whether a factor's levels only tell games without a level from those with one: no stratum of its own."""
    import polars as pl

    found = games.frame.select("cell", base=pl.Series(base))
    levels = found.join(d.cells.select("cell", level=pl.col(factor).cast(pl.String)), on="cell")
    kinds = levels.group_by("level").agg(pl.col("base").n_unique())
    return levels["level"].n_unique() > 1 and kinds["base"].max() == 1


def _level_arms(d: Dataset, games: Games, column: str) -> Iterator[Arms]:
    """One comparison a level, within the strata that hold games of both arms."""
    if column not in games.frame.columns:
        games = read_games(games.data, column)
    names = _names(games, column)
    base = np.isin(names, NOTHING)
    rest = [n for n in d.factors if n != column and n in d.cells.columns]
    if base.any() and not base.all():
        rest = [n for n in rest if not _says_whether(d, games, base, n)]
    stratum = np.zeros(len(games), dtype=np.int64)
    if rest:
        keys = d.cells.select("cell", key=_struct_rank(d, rest))
        lookup = dict(zip(keys["cell"].to_list(), keys["key"].to_list(), strict=True))
        stratum = np.array([lookup[c] for c in games.frame["cell"].to_list()], dtype=np.int64)
    for name in np.unique(names[~base]):
        own = names == name
        other = base if base.any() else ~own
        both = np.intersect1d(stratum[own], stratum[other])
        inside = np.isin(stratum, both)
        without, with_it = np.flatnonzero(other & inside), np.flatnonzero(own & inside)
        if len(without) and len(with_it):
            yield Arms(str(name), frozenset(), without, with_it, "drawn" if column in d.drawn else "paired")


def _struct_rank(d: Dataset, names: list[str]) -> pl.Series:
    import polars as pl

    return d.cells.select(pl.struct(names).rank("dense")).to_series()


def mean_changes(
    games: Games, arms: Sequence[Arms], values: dict[str, Any], whole: bool = False
) -> Iterator[dict[str, Any]]:
    """Changes of the means of measures between the two groups of games of each comparison, table by table.

    Where both groups were played on the same deals the difference is over the deals that both have, and its
    error goes deal by deal. With `whole` all tables count as one.
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
                df = min(games.blocks[old].df, games.blocks[new].df)
                before, after = float(value[old].mean()), float(value[new].mean())
                each = np.concatenate([-(value[old] - before) / len(old), (value[new] - after) / len(new)])
                se = float(np.sqrt(stats.covariance(each[:, None], blocks)[0, 0]))
                low, high = stats.interval(after - before, se, df)
                yield {
                    "arm": arm.banned,
                    "measure": measure,
                    "piece": None,
                    "players": n,
                    "sides": sides,
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
