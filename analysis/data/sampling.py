"""Part of a data set that is too large to be held: whole deals of every cell, evenly spread over the run.

Estimators work on whole columns, so their memory grows with the games. Above a number of games they are given a part:
of every so many deals of a cell the first few, the same deals in each cell. Which ones follows from the size of the run
and nothing else: not from workers, files, or chance. Deals come from seeds that know nothing of each other, so a
part like this is as good as a run of that size, and its intervals are those of the games in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from analysis.data import uneven
from analysis.data.errors import Refusal
from analysis.stats.blocks import REPEATED

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

MOST_GAMES = 1_000_000
"""Games that a report holds; the interval of a share of wins is a tenth of a point to either side then."""
MOST_ROWS = 12_000_000
"""Rows of seats and pieces that it holds: of a game with twenty kinds of piece the same memory holds fewer games."""
STRETCHES = 64
"""A part is taken from so many places of the run."""
SHORTEST = 256
"""But from fewer of a run that has not so many deals for each of them: else no share could be kept to."""
CELL = 1 << 32
"""Deals that cells do not share are numbered from a multiple of this on."""


@dataclass(frozen=True)
class Reading:
    """What is read of a large data set.

    Attributes
    ----------
    whole : Dataset
        The data set.
    played : dict
        Games of each cell that were played.
    kept : dict
        (deals at a stretch, deals from one stretch to the next) -> the cells that are read so.
    """

    whole: Dataset
    played: Mapping[int, int]
    kept: Mapping[tuple[int, int], tuple[int, ...]]

    def games(self, d: Dataset) -> int:
        """Games that were played in the cells of a view."""
        return sum(self.played.get(cell, 0) for cell in d.cells["cell"].to_list())

    def how(self) -> str:
        """Which games are read, in words."""
        (some, every), *more = sorted(self.kept)
        told = f"the first {some:,} of every {every:,} deals" if some < every else "every deal"
        return f"{told} of each cell" if not more else "of each tier of play an even share of its deals"


def sample(d: Dataset, most: int | None = None) -> Dataset:
    """At most about `most` games of a data set, or of the same view of one; itself where there are no more.

    Parameters
    ----------
    most : int, optional
        Games; by default `MOST_GAMES`, or as many as make `MOST_ROWS` rows of seats and pieces.

    Returns
    -------
    Dataset
        Its `read` tells what was read of what. A tier of play with many games gives up more of them.
    """
    if d.made is not None:
        source, again = d.made
        part = sample(source, most)
        return d if part is source else again(part)
    whole = d if d.read is None else d.read.whole
    limit = _limit(whole) if most is None else most
    if limit < 1:
        raise Refusal(f"sample: {limit} games; at least 1 is needed")
    key = ("sample", limit)
    if key not in whole.memo:
        whole.memo[key] = _part(whole, limit) if whole.n_games > limit else whole
    known: Dataset = whole.memo[key]
    return d if d.read is not None and known.n_games >= d.n_games else known


def parts(d: Dataset, by: str | Sequence[str] | None = None) -> Iterator[Dataset]:
    """Views of all games that no deal is shared by, each small enough to be held; the data set alone where it is.

    What was read of one is let go of when the next is asked for.

    Only where deals are all that games share, and `by` names columns of the cells: series, groups of people, lines of
    play that repeat and levels that were drawn are told from all games at once.
    """
    if d.made is not None:
        source, again = d.made
        for part in parts(source, by):
            view = d if part is source else again(part)
            if view is d or view.n_games:
                yield view
        return
    import polars as pl

    limit = _limit(d)
    number = -(-d.n_games // limit)
    names = [by] if isinstance(by, str) else list(by or [])
    if number < 2 or not all(d.of_cells(name) for name in names) or not _only_deals(d, number):
        yield d
        return
    deals = int(d.games.select((pl.col("deal") % CELL).max()).collect(engine="streaming").item()) + 1
    every = -(-deals // min(max(deals // SHORTEST, 1), STRETCHES))
    edges = [every * k // number for k in range(number + 1)]
    for low, high in pairwise(edges):
        if low < high:
            part = _cut(d, "deal", {(low, high, every): d.cells["cell"].to_list()})
            yield part
            part.forget()


def _only_deals(d: Dataset, number: int) -> bool:
    """Whether games of a run share deals and nothing else; looked at in `number` steps, by lines of play."""
    import polars as pl

    have = set(d.games.collect_schema().names())
    if (
        "experiment_hash" not in d.manifest
        or _unit(d) != "deal"
        or "group" in have
        or uneven.shares(d.manifest)
    ):
        return False
    if "line" not in have or d.games.select(pl.col("line").null_count()).collect(engine="streaming").item():
        return True
    if "one line" not in d.memo:
        count: dict[int | None, list[int]] = {None: [0, 0]}
        for step in range(number):
            here = d.games.select("cell", "deal", "line").filter(pl.col("line") % number == step)
            found = here.unique().collect(engine="streaming")
            own = [(None, found["line"].n_unique(), found.select("deal", "line").n_unique())]
            own += found.group_by("cell").agg(pl.col("line").n_unique(), pairs=pl.len()).rows()
            for cell, lines, pairs in own:
                known = count.setdefault(cell, [0, 0])
                known[0], known[1] = known[0] + lines, known[1] + pairs
        d.memo["one line"] = all(lines >= REPEATED * pairs for lines, pairs in count.values())
    return bool(d.memo["one line"])


def _limit(d: Dataset) -> int:
    """How many games may be held."""
    import polars as pl

    if "rows" not in d.memo:
        tables = [d.table(name) for name in ("seats", "pieces") if d.has(name)]
        d.memo["rows"] = sum(int(table.select(pl.len()).collect().item()) for table in tables)
    return min(MOST_GAMES, max(1, d.n_games * MOST_ROWS // max(d.memo["rows"], 1)))


def _part(d: Dataset, most: int) -> Dataset:
    import polars as pl

    unit = _unit(d)
    place = pl.col(unit) % CELL
    counts = d.games.group_by("cell").agg(games=pl.len(), deals=place.max() + 1).collect(engine="streaming")
    played = {int(cell): int(games) for cell, games in counts.select("cell", "games").iter_rows()}
    tiers: dict[Any, list[tuple[int, int, int]]] = {}
    of = dict(d.cells.select("cell", "tier").iter_rows()) if "tier" in d.cells.columns else {}
    for cell, games, deals in sorted(counts.select("cell", "games", "deals").iter_rows()):
        tiers.setdefault(of.get(cell), []).append((int(cell), int(games), int(deals)))
    total = {tier: sum(games for _, games, _ in cells) for tier, cells in tiers.items()}
    level = _level(sorted(total.values()), most)
    kept: dict[tuple[int, int], list[int]] = {}
    for tier, cells in tiers.items():
        longest = max(deals for _, _, deals in cells)
        every = -(-longest // min(max(longest // SHORTEST, 1), STRETCHES))
        some = min(every, max(1, int(every * level / total[tier])))
        kept.setdefault((some, every), []).extend(cell for cell, _, _ in cells)
    part = _cut(d, unit, {(0, some, every): cells for (some, every), cells in kept.items()})
    part.read = Reading(d, played, {how: tuple(cells) for how, cells in kept.items()})
    return part


def _cut(d: Dataset, unit: str, kept: Mapping[tuple[int, int, int], list[int]]) -> Dataset:
    """The games of some cells each whose deal (or series) is from `low` to below `high` of each `every`."""
    import polars as pl

    place = pl.col(unit) % CELL
    wanted = pl.any_horizontal(
        pl.col("cell").is_in(cells) & (place % every).is_between(low, high, closed="left")
        for (low, high, every), cells in kept.items()
    )
    tables = d._tables if "experiment_hash" not in d.manifest else _touched(d, unit, kept)
    ids = tables["games"].filter(wanted).select("game_id")
    out = {}
    for name, frame in tables.items():
        here = {"cell", unit} <= set(frame.collect_schema().names())
        out[name] = frame.filter(wanted) if here else frame.join(ids, on="game_id", how="semi")
    return type(d)(d.manifest, d.cells, out, d.path, d.commits, d.conditioned)


def _unit(d: Dataset) -> str:
    """What is read whole or not at all: series where there are any, else deals."""
    import polars as pl

    if "series" not in d.games.collect_schema().names():
        return "deal"
    known = d.games.select(pl.col("series").is_not_null().all()).collect(engine="streaming").item()
    return "series" if known else "deal"


def _level(played: list[int], most: int) -> float:
    """How many games a tier may have at most so that all of them have `most`; small tiers are left whole."""
    left, tiers = float(most), len(played)
    for games in played:
        if games * tiers >= left:
            break
        left, tiers = left - games, tiers - 1
    return left / max(tiers, 1)


def _touched(
    d: Dataset, unit: str, kept: Mapping[tuple[int, int, int], list[int]]
) -> Mapping[str, pl.LazyFrame]:
    """The tables without the parts of the data set in which nothing is read."""
    import polars as pl

    from analysis.data.parts import scan_parts

    if d.path is None or not d.commits:
        return d._tables
    files = [f"{d.path}/{entry['parts']['games']['file']}" for entry in d.commits]
    if "files" not in d.memo:  # where the deals of each begin and end
        place = pl.col(unit) % CELL
        every_file = pl.scan_parquet(files, include_file_paths="file").group_by("file", "cell")
        d.memo["files"] = every_file.agg(low=place.min(), high=place.max()).collect(engine="streaming").rows()
    stretch = {cell: how for how, cells in kept.items() for cell in cells}
    read = set()
    for file, cell, lowest, highest in d.memo["files"]:
        low, high, every = stretch[int(cell)]
        away = (
            0 if low <= lowest % every < high else (low - lowest) % every
        )  # to the next deal that is wanted
        if lowest + away <= highest:
            read.add(str(file))
    commits = [dict(entry) for entry, file in zip(d.commits, files, strict=True) if file in read]
    return scan_parts(d.path, commits, d.manifest) if commits else d._tables
