"""Tables of a data set as aligned arrays: one place that reads, orders and checks rows.

Estimators work on arrays over games; this module reads only the columns that are asked for and puts them in
the order of `game_id`, whatever the order of files and rows. Missing piece rows count as 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis.data.dataset import SIZE
from analysis.data.errors import Refusal, nearest
from analysis.data.questions import told
from analysis.data.uneven import even
from analysis.data.views import OUTCOMES
from analysis.stats.blocks import Blocks, different, everything, run_sums
from analysis.stats.verdicts import CONDITIONED

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.columns import Columns
    from analysis.data.dataset import Dataset

SMALL = np.int16  # piece counts and dummies
CUT_SHORT = ("turn_cap", "overflow", "all_passed", "stopped")
"""Ends of games that could have gone on; people say ``stopped``."""
SELDOM = 0.05
"""A piece of which fewer copies than this share of those assigned were played tells of the bots, not of itself."""


FIXED = ("game_id", "cell", "deal", "series", "seed", "line", "players")


@dataclass
class Games:
    """Games of a data set in the order of `game_id`, with access to seat and piece columns.

    Attributes
    ----------
    data : Dataset
    frame : polars.DataFrame
        ``game_id, cell, deal, seed, line, players`` and the columns asked for.
    by : list of str
        Names of the columns asked for, which `groups` goes through.
    """

    data: Dataset
    frame: pl.DataFrame
    by: list[str]

    def __len__(self) -> int:
        return self.frame.height

    @property
    def conditioned(self) -> list[str]:
        """Outcomes by which these games were picked, or are told apart."""
        return [*self.data.conditioned, *(name for name in OUTCOMES if name in self.by)]

    @property
    def no_verdict(self) -> str | None:
        """What is said of these games in place of any verdict; None where they may be judged."""
        return CONDITIONED if self.conditioned else None

    @property
    def columns(self) -> Columns:
        """The columns that these games stand on."""
        return self.data.columns

    @property
    def players(self) -> NDArray[np.int64]:
        """Players of each game."""
        return self.columns.players

    @property
    def first_row(self) -> NDArray[np.int64]:
        """Where the seats of each game begin in flat seat arrays."""
        return self.columns.first_row

    @property
    def blocks(self) -> Blocks:
        """Blocks of the games: series or groups of people where there are any, else deals; and lines that repeat."""
        return self.columns.blocks

    @property
    def n_deals(self) -> int:
        """Distinct deals."""
        return self.columns.n_deals

    @property
    def seat(self) -> NDArray[np.int64]:
        """Seat number of every flat row."""
        return self.columns.seat

    @property
    def game(self) -> NDArray[np.int64]:
        """Row of the game of every flat row."""
        return self.columns.game

    @cached_property
    def side(self) -> NDArray[np.int64]:
        """Side of every seat, flat: 0, 1, ... within its game; the seat itself where each plays for itself."""
        if not self.data.has_sides:
            return self.seat
        team = self.seat_values("team").astype(np.int64)
        code = np.unique(self.game * (int(team.max()) + 1) + team, return_inverse=True)[1].ravel()
        return np.asarray(code - np.minimum.reduceat(code, self.first_row)[self.game])

    @cached_property
    def sides(self) -> NDArray[np.int64]:
        """Sides of each game: as many as players, or fewer where seats play together."""
        if not self.data.has_sides:
            return self.players
        return np.asarray(np.maximum.reduceat(self.side, self.first_row) + 1)

    @cached_property
    def stopped(self) -> NDArray[np.bool_]:
        """Which games could have gone on when they ended; none where it was not recorded."""
        if "ended" not in self.data.games.collect_schema().names():
            return np.zeros(len(self), dtype=bool)
        import polars as pl

        ended = self.columns.games(["ended"])
        cut = pl.col("ended").cast(pl.String).is_in(CUT_SHORT).fill_null(value=False)
        return ended.select(cut).to_series().to_numpy()

    @property
    def fair(self) -> NDArray[np.float64]:
        """Fair share of wins of every seat, flat: 1 over the number of sides."""
        return np.repeat(1.0 / self.sides, self.players)

    @cached_property
    def tables(self) -> list[tuple[int, int]]:
        """Players and sides of each kind of table, in order."""
        if self.columns.alike is not None and not self.data.has_sides:
            return [(self.columns.alike, self.columns.alike)]
        return sorted(set(zip(self.players.tolist(), self.sides.tolist(), strict=True)))

    def at_table(self, players: int, sides: int) -> NDArray[np.bool_]:
        """Which games have so many players and sides."""
        return np.asarray((self.players == players) & (self.sides == sides))

    def of_sides(self, flat: NDArray[Any]) -> NDArray[Any]:
        """Sums of flat seat values over the members of each side, at every seat of it."""
        if not self.data.has_sides:
            return flat
        code = np.cumsum(self.sides)[self.game] - self.sides[self.game] + self.side
        kind = np.result_type(flat.dtype, np.int16)  # room for the sum of small whole numbers
        total = np.zeros((int(self.sides.sum()), *flat.shape[1:]), dtype=kind)
        np.add.at(total, code, flat)
        return np.asarray(total[code])

    def in_game(self, flat: NDArray[Any]) -> NDArray[np.float64]:
        """Sums of flat seat values over all seats of each game; (games, ...)."""
        return run_sums(flat, self.first_row)

    def flat_rows(self, rows: NDArray[np.int64]) -> NDArray[np.int64] | slice:
        """Where the seats of the games `rows` stand in flat seat arrays."""
        if len(rows) == len(self) and everything(rows):
            return slice(None)
        n = self.players[rows]
        return np.repeat(self.first_row[rows] - (np.cumsum(n) - n), n) + np.arange(int(n.sum()))

    def starts(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where each game begins among the seats of the games `rows`."""
        n = self.players[rows]
        return np.asarray(np.cumsum(n) - n)

    def total(self, flat: NDArray[Any], rows: NDArray[np.int64]) -> NDArray[Any]:
        """Sums of flat seat values over all seats of the games `rows`."""
        return np.asarray(flat[self.flat_rows(rows)].sum(axis=0))

    def of_others(self, flat: NDArray[Any]) -> NDArray[Any]:
        """Sums of flat seat values over all seats of the other sides, at every seat."""
        return np.asarray(self.in_game(flat)[self.game] - self.of_sides(flat))

    def seat_values(self, column: str) -> NDArray[Any]:
        """A column of ``seats`` as a flat array over games and their seats, in order."""
        import polars as pl

        have = self.data.seats.collect_schema().names()
        if column not in have:
            raise Refusal(
                f"{self.data.name}: '{column}' of the seats was not recorded{nearest(column, have)}"
            )
        values = self.columns.seats(column)
        if values.dtype in (pl.Enum, pl.Categorical):
            values = values.cast(pl.String)
        return values.to_numpy() if values.null_count() == 0 else np.array(values.to_list(), dtype=object)

    def who(self, of: str) -> NDArray[Any]:
        """Name of the ``player``, ``bot`` or ``deck`` of every seat, flat; empty where none is named."""
        code, names = self.named(of)
        return np.array(names)[code]

    def named(self, of: str) -> tuple[NDArray[np.int64], list[str]]:
        """The ``player``, ``bot`` or ``deck`` of every seat as a code, flat, and the names, sorted: "" for none."""
        import polars as pl

        if of not in self.data.seats.collect_schema().names():
            return np.zeros(len(self.seat), dtype=np.int64), [""]
        values = self.columns.seats(of)
        if of == "player":
            known = [str(name) for name in (self.data.manifest.get("categories") or {}).get("player") or []]
            kinds = values.unique().drop_nulls().to_list()
            names = {v: known[int(v)] if int(v) < len(known) else f"player {v}" for v in kinds}
            values = values.replace_strict(names, return_dtype=pl.String)
        if isinstance(values.dtype, pl.Enum) and values.null_count() == 0:
            texts, code = values.dtype.categories.to_list(), values.to_physical().to_numpy()
            there = np.flatnonzero(np.bincount(code, minlength=len(texts)))
        else:
            values = values.cast(pl.String).fill_null("")
            texts = values.unique().to_list()
            code = values.cast(pl.Enum(texts)).to_physical().to_numpy()
            there = np.arange(len(texts))
        ordered = sorted(there.tolist(), key=lambda k: texts[k])
        place = np.zeros(len(texts), dtype=np.int64)
        place[ordered] = np.arange(len(ordered))
        return place[code], [texts[k] for k in ordered]

    @property
    def win_share(self) -> NDArray[np.float64]:
        """Win share of every seat, flat."""
        return self.columns.win_share

    def piece_counts(self, column: str, names: Sequence[str]) -> NDArray[Any]:
        """A column of ``pieces`` as an array (flat seats, pieces), in the smallest type; 0 where there is no row.

        Raises `Refusal` when the column has no value at all.
        """
        if not self.columns.some(column):
            raise Refusal(f"{self.data.name}: the pieces have no values of '{column}'")
        return self.columns.pieces_of(column, names)

    def played(self, names: Sequence[str]) -> NDArray[Any] | None:
        """Copies of each piece that each seat put to use (flat seats, pieces); None where it was not logged."""
        if "played" not in self.data.pieces.collect_schema().names():
            return None
        try:
            out = self.piece_counts("played", names)
        except Refusal:
            return None
        return out if out.any() else None

    def pad(self, flat: NDArray[Any], rows: NDArray[np.int64]) -> NDArray[Any]:
        """Seats of the games `rows` as (games, most players, ...), 0 beyond a game's players."""
        alike = self.columns.alike
        if alike is not None:
            grid = flat.reshape(-1, alike, *flat.shape[1:])
            return grid if len(rows) == len(grid) and everything(rows) else grid[rows]
        n = self.players[rows]
        most = int(n.max(initial=0))
        place = self.first_row[rows][:, None] + np.minimum(np.arange(most)[None, :], n[:, None] - 1)
        out = flat[place]
        if not (n == most).all():
            out[np.arange(most)[None, :] >= n[:, None]] = 0
        return out

    def mask(self, rows: NDArray[np.int64]) -> NDArray[np.bool_] | None:
        """Which seats of `pad` exist; None when all do."""
        if self.columns.alike is not None:
            return None
        n = self.players[rows]
        most = int(n.max(initial=0))
        return None if (n == most).all() else np.arange(most)[None, :] < n[:, None]

    def choices(
        self, flat: NDArray[Any], rows: NDArray[np.int64]
    ) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_] | None]:
        """Who may win the games `rows`: covariates (games, sides, k), win shares (games, sides), and which exist.

        One place a side: what its members bring is added up, for they win together or not at all.
        """
        if (self.sides[rows] == self.players[rows]).all():
            return self.pad(flat, rows), self.pad(self.win_share, rows), self.mask(rows)
        n, k = self.players[rows], self.sides[rows]
        most = int(k.max(initial=0))
        seats = np.repeat(self.first_row[rows], n) + np.arange(int(n.sum())) - np.repeat(np.cumsum(n) - n, n)
        at = (np.repeat(np.arange(len(rows)), n), self.side[seats])
        x = np.zeros((len(rows), most, *flat.shape[1:]), dtype=np.result_type(flat.dtype, np.int16))
        np.add.at(x, at, flat[seats])
        credit = np.zeros((len(rows), most))
        credit[at] = self.win_share[seats]
        return x, credit, None if (k == most).all() else np.arange(most)[None, :] < k[:, None]

    def behind(
        self, rows: NDArray[np.int64], what: str, blocks: Blocks | None = None, teams: bool = False
    ) -> dict[str, Any]:
        """Columns ``games, deals, blocks, method, note`` of an estimate over the games `rows`.

        With `teams` the note says whose teams it is about, where they were not simply drawn.
        """
        blocks = self.blocks[rows] if blocks is None else blocks
        notes = [blocks.note()]
        if teams:
            notes.append(str((self.data.manifest.get("lever") or {}).get("about", "")))
        if even(self.data, rows) is not rows:
            notes.append("settings count by their games, of which some got more than others")
        if self.conditioned:
            notes.append(
                f"conditioned on an outcome ({', '.join(self.conditioned)}): no cause, and no verdict"
            )
        return {
            "games": len(rows),
            "deals": self._deals(rows),
            "blocks": blocks.number,
            "method": f"{what}; errors by {blocks.kind}",
            "note": "; ".join(note for note in notes if note),
        }

    def _deals(self, rows: NDArray[np.int64]) -> int:
        """Distinct deals of the games `rows`."""
        known = self._counted.get(id(rows))
        if known is None or known[0] is not rows:
            number = different(self.columns.number("deal")[rows])
            self._counted[id(rows)] = known = (rows, number)
        return known[1]

    @cached_property
    def _counted(self) -> dict[int, tuple[NDArray[np.int64], int]]:
        return {}

    def average(
        self, rows: NDArray[np.int64], what: str, blocks: Blocks | None = None, teams: bool = False
    ) -> dict[str, Any]:
        """The columns of `behind` for an estimate that is a mean over all the games `rows`.

        The note says what it is an average over, of all that was compared: nobody plays such a game.
        """
        behind = self.behind(rows, what, blocks, teams)
        if over := self._averages(rows):
            behind["note"] = "; ".join(note for note in (behind["note"], f"averages over {over}") if note)
        return behind

    def _averages(self, rows: NDArray[np.int64]) -> str:
        import polars as pl

        if self.data.cells.height < 2:
            return ""
        cells = np.unique(self.frame["cell"].to_numpy()[rows])
        if len(cells) < 2:
            return ""
        part = self.data.cells.filter(pl.col("cell").is_in(cells.tolist()))
        names = [name for name in told(self.data.manifest, part) if name != "players"]
        return ", ".join(f"{name} ({part[name].n_unique()} levels)" for name in names)

    def groups(self, *, split_players: bool) -> Iterator[tuple[dict[str, Any], NDArray[np.int64]]]:
        """Groups of games by the `by` columns (and the numbers of players and sides): labels and row numbers.

        Levels come in the order of the cells, which is the order in which the experiment names them; levels
        that were drawn for each deal come sorted. Of cells that are grouped together each counts as the plan has it,
        also where one got no more games than it needed (`analysis.data.uneven`).
        """
        if split_players not in self._grouped:
            found = self._groups(split_players)
            self._grouped[split_players] = [(labels, even(self.data, rows)) for labels, rows in found]
        for labels, rows in self._grouped[split_players]:
            yield dict(labels), rows

    @cached_property
    def _grouped(self) -> dict[bool, list[tuple[dict[str, Any], NDArray[np.int64]]]]:
        return {}

    def _groups(self, split_players: bool) -> Iterator[tuple[dict[str, Any], NDArray[np.int64]]]:
        import polars as pl

        keys = list(self.by)
        if not keys and split_players and self.columns.alike is not None and not self.data.has_sides:
            n = self.columns.alike
            yield {"players": n, "sides": n}, np.arange(len(self))
            return
        if keys and all(self.data.of_cells(name) for name in keys) and self._by_cell(split_players):
            yield from self._groups_of_cells(split_players)
            return
        frame = self.frame.with_row_index("row")
        if split_players:
            keys += [name for name in ("players", "sides") if name not in keys]
            frame = frame.with_columns(sides=pl.Series(self.sides))
        if not keys:
            yield {}, np.arange(len(self))
            return
        grouped = frame.group_by(keys).agg("row", pl.col("row").min().alias("first row"))
        if self.by and all(self.data.of_cells(name) for name in self.by):
            first = pl.col("first row").min().over(self.by)
            order = [first, *[pl.col(key) for key in keys]]
        else:
            order = [pl.col(key) for key in keys]
        for line in grouped.sort(order, nulls_last=True).drop("first row").iter_rows(named=True):
            rows = np.asarray(line.pop("row"), dtype=np.int64)
            yield line, np.sort(rows)

    def _by_cell(self, split_players: bool) -> bool:
        """Whether the games of a cell are all of one group."""
        return not split_players or (self.columns.alike is not None and not self.data.has_sides)

    def _groups_of_cells(self, split_players: bool) -> Iterator[tuple[dict[str, Any], NDArray[np.int64]]]:
        """The groups by columns of the cells: found once a cell, not once a game."""
        cell = self.columns.number("cell").astype(np.int64)
        least = int(cell.min())
        often = np.bincount(cell - least)
        # One game of each cell tells its labels; the first of them its place.
        order = np.argsort(cell, kind="stable")
        ends = np.cumsum(often)
        members: dict[tuple[Any, ...], list[NDArray[np.int64]]] = {}
        for k in np.flatnonzero(often):
            own = order[ends[k] - often[k] : ends[k]]
            members.setdefault(self.frame.select(self.by).row(int(own[0])), []).append(own)
        n = self.columns.alike
        sizes = {"players": n, "sides": n} if split_players else {}
        for labels, parts in sorted(members.items(), key=lambda item: min(int(own[0]) for own in item[1])):
            rows = parts[0] if len(parts) == 1 else np.sort(np.concatenate(parts))
            yield {**dict(zip(self.by, labels, strict=True)), **sizes}, rows


def read_games(data: Dataset, by: str | Sequence[str] | None = None, extra: Sequence[str] = ()) -> Games:
    """The games, ordered by `game_id`, with the columns `by` (of cells or games) and `extra` (of games).

    A column that is a factor of the cells and drawn besides is the factor in `by`, and what was drawn in `extra`.
    Raises `Refusal` when there is no game, or a game twice.
    """
    names = [by] if isinstance(by, str) else list(by or [])
    key = ("games", tuple(names), tuple(extra))
    if key not in data.memo:
        have = data.games.collect_schema().names()
        for name in extra:
            if name not in have and name not in data.cells.columns:
                raise Refusal(f"{data.name}: '{name}' of the games was not recorded{nearest(name, have)}")
        fixed = [name for name in FIXED if name in have]
        data.memo[key] = _with_columns(data, fixed, by, extra)
    known: Games = data.memo[key]
    return known


def _with_columns(
    data: Dataset, fixed: Sequence[str], by: str | Sequence[str] | None, extra: Sequence[str]
) -> Games:
    """The games with columns of their own, which all that is read shares, and those of their cells."""
    import polars as pl

    names, from_cells, cells = data.places(by, extra)
    wanted = list(dict.fromkeys([*fixed, *names, *extra]))
    # What is drawn and only told by the cells here is asked for by its place in the games too.
    own = [name for name in wanted if name not in from_cells and name != SIZE]
    frame = data.columns.games(own)
    if SIZE in wanted and SIZE not in from_cells:
        frame = frame.with_columns(pl.col("players").alias(SIZE))
    if from_cells:
        order = np.argsort(cells["cell"].to_numpy(), kind="stable")
        known = cells["cell"].to_numpy()[order]
        at = np.minimum(np.searchsorted(known, frame["cell"].to_numpy()), len(known) - 1)
        row = pl.Series(np.where(known[at] == frame["cell"].to_numpy(), order[at], -1))
        place = pl.select(pl.when(row >= 0).then(row)).to_series()
        frame = frame.with_columns(cells[name].gather(place).alias(name) for name in from_cells)
    return Games(data, frame.select(wanted), names)


def floats(frame: pl.DataFrame, name: str) -> NDArray[np.float64]:
    """A column as floats, NaN where null."""
    import polars as pl

    return frame[name].cast(pl.Float64).fill_null(float("nan")).to_numpy()


def tidy(frame: pl.DataFrame, first: Sequence[str]) -> pl.DataFrame:
    """The frame with the columns `first` in front, and null where a number cannot be had."""
    import polars as pl
    import polars.selectors as cs

    frame = frame.with_columns(cs.float().fill_nan(None), cs.by_dtype(pl.Null).cast(pl.Float64))
    # `players` may be asked for as a grouping column and stand among the others too.
    return frame.select(list(dict.fromkeys([*first, *frame.columns])))
