"""Columns of a data set as arrays in the order of game, seat and piece: read once, shared by all that asks.

Estimators ask for the same few columns over and over, for all games and for some of them. They are read here when
they are first asked for, checked, put in order, and kept in the smallest type that holds them; a view of some of the
games takes its rows from the columns that are there already, and never goes back to the files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from analysis.data.errors import Refusal
from analysis.stats.blocks import Blocks, different, effective_number, make_blocks

if TYPE_CHECKING:
    import polars as pl

Rows = NDArray[np.int64] | slice
T = TypeVar("T")

CLUSTERS = 10  # groups of people are the blocks of the statistics where there are so many, effectively
HELD = 100_000_000  # bytes of fits and the like that are kept for who asks for the same again
CHUNK = 4_000_000  # rows of `pieces` that are looked at together


@dataclass(frozen=True)
class Counts:
    """One column of ``pieces`` as an array.

    Attributes
    ----------
    values : array (flat seats, kinds)
        0 where there is no row, or no value.
    some, none : bool arrays (games,) or None
        Which games have a row with a value, and which a row without one; None: all of them, and no game.
    """

    values: NDArray[Any]
    some: NDArray[np.bool_] | None
    none: NDArray[np.bool_] | None


class Columns:
    """What every source of columns offers; `Read` reads them from tables, `Part` takes those of some games."""

    name: str

    def __init__(self) -> None:
        self._games: dict[str, pl.Series] = {}
        self._seats: dict[str, pl.Series] = {}
        self._pieces: dict[str, Counts] = {}
        self._chosen: dict[tuple[str, tuple[str, ...]], NDArray[Any]] = {}
        self.memo: dict[Any, Any] = {}

    # -- tables ----------------------------------------------------------------------------------

    def games(self, names: Iterable[str]) -> pl.DataFrame:
        """Columns of ``games`` in the order of `game_id`."""
        import polars as pl

        wanted = list(dict.fromkeys(names))
        if missing := [name for name in wanted if name not in self._games]:
            self._games |= self._of_games(missing)
        return pl.DataFrame([self._games[name].alias(name) for name in wanted])

    def seats(self, name: str) -> pl.Series:
        """A column of ``seats`` in the order of games and seats."""
        if name not in self._seats:
            self._seats[name] = self._of_seats(name)
        return self._seats[name]

    def pieces(self, name: str) -> Counts:
        """A column of ``pieces``, over all `kinds`."""
        if name not in self._pieces:
            self._pieces[name] = self._of_pieces(name)
        return self._pieces[name]

    def pieces_of(self, name: str, kinds: Sequence[str]) -> NDArray[Any]:
        """The values of a column of ``pieces`` for some kinds of piece, in their order."""
        values = self.pieces(name).values
        if list(kinds) == self.kinds:
            return values
        key = (name, tuple(kinds))
        if key not in self._chosen:
            place = {kind: k for k, kind in enumerate(self.kinds)}
            out = np.zeros((len(values), len(kinds)), dtype=values.dtype)
            for k, kind in enumerate(kinds):
                if kind in place:
                    out[:, k] = values[:, place[kind]]
            self._chosen[key] = out
        return self._chosen[key]

    def some(self, name: str) -> bool:
        """Whether a column of ``pieces`` has any value."""
        counts = self.pieces(name)
        return bool(len(counts.values)) and (counts.some is None or bool(counts.some.any()))

    @property
    def kinds(self) -> list[str]:
        """Kinds of piece, in the order of the columns of `pieces`."""
        raise NotImplementedError

    @property
    def dense(self) -> bool:
        """Whether each seat has one row of ``pieces`` for each kind."""
        raise NotImplementedError

    def _of_games(self, names: Sequence[str]) -> dict[str, pl.Series]:
        raise NotImplementedError

    def _of_seats(self, name: str) -> pl.Series:
        raise NotImplementedError

    def _of_pieces(self, name: str) -> Counts:
        raise NotImplementedError

    def _has(self, name: str) -> bool:
        """Whether ``games`` have a column."""
        raise NotImplementedError

    # -- what is derived from them -----------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.ids)

    def number(self, name: str) -> NDArray[Any]:
        """A number column of ``games``."""
        return self.games([name])[name].to_numpy()

    @cached_property
    def ids(self) -> NDArray[np.int64]:
        """Every `game_id`, in order."""
        return self.number("game_id")

    @cached_property
    def players(self) -> NDArray[np.int64]:
        """Players of each game."""
        return self.number("players").astype(np.int64)

    @cached_property
    def first_row(self) -> NDArray[np.int64]:
        """Where the seats of each game begin in flat seat arrays."""
        return np.cumsum(self.players) - self.players

    @cached_property
    def alike(self) -> int | None:
        """Players of every game, where all games have as many."""
        least, most = int(self.players.min(initial=0)), int(self.players.max(initial=0))
        return most if least == most and len(self) else None

    @cached_property
    def game(self) -> NDArray[np.int64]:
        """Row of the game of every seat, flat."""
        return np.repeat(np.arange(len(self)), self.players)

    @cached_property
    def seat(self) -> NDArray[np.int64]:
        """Seat number of every flat row."""
        return np.arange(int(self.players.sum())) - np.repeat(self.first_row, self.players)

    @cached_property
    def win_share(self) -> NDArray[np.float64]:
        """Win share of every seat, flat."""
        return self.seats("win_share").cast(_pl().Float64).fill_null(float("nan")).to_numpy()

    @cached_property
    def n_deals(self) -> int:
        """Distinct deals."""
        return different(self.number("deal"))

    @cached_property
    def blocks(self) -> Blocks:
        """Blocks of the games: series where there are any, else deals; and lines of play where they repeat.

        Deals that share one seed are one deal, whatever their numbers say. Of people's games groups are the blocks,
        where there are `CLUSTERS` of them.
        """
        deal, what = self.number("deal"), "deal"
        if self._whole("seed"):
            seed = self.number("seed")
            if different(seed) < self.n_deals:
                deal = np.unique(seed, return_inverse=True)[1]
        if self._has("series"):
            series = self.games(["series"])["series"]
            if series.null_count() < len(self):
                # Games outside of a series keep their deal, under numbers that no series has.
                number = series.fill_null(-1).to_numpy()
                deal, what = np.where(number < 0, -1 - deal, number), "series"
        if self._has("group"):
            # People who play together play alike; fewer groups could not tell how much they differ.
            group = self.games(["group"])["group"].cast(_pl().String)
            rank = group.rank("dense").fill_null(0).to_numpy().astype(np.int64)
            number = np.where(rank > 0, rank, len(self) + 1 + np.arange(len(self)))
            if rank.any() and effective_number(number) >= CLUSTERS:
                deal, what = number, "group"
        return make_blocks(deal, self.number("line") if self._whole("line") else None, what)

    def _whole(self, name: str) -> bool:
        """Whether ``games`` have a column without gaps."""
        return self._has(name) and self.games([name])[name].null_count() == 0

    # -- what was estimated ------------------------------------------------------------------------

    def in_whole(self, rows: NDArray[np.int64]) -> tuple[Columns, NDArray[np.int64]]:
        """The columns that were read, and which of their games the games `rows` are."""
        return self, rows

    def once(self, key: Any, rows: NDArray[np.int64], make: Callable[[], T]) -> T:
        """What `make` gives for the games `rows`, kept under `key` for whoever asks for the same games again.

        Of large results only `HELD` bytes are kept, those that were asked for last.
        """
        whole, at = self.in_whole(rows)
        label = (key, len(at), hash(at.tobytes()))
        known: T = whole.memo.pop(label)[0] if label in whole.memo else make()
        whole.memo[label] = (known, _bytes(known))
        held = sum(size for _, size in whole.memo.values())
        for old in [one for one, (_, size) in whole.memo.items() if size]:
            if held <= HELD or old == label:
                break
            held -= whole.memo.pop(old)[1]
        return known

    # -- parts -----------------------------------------------------------------------------------

    def in_cells(self, cells: Iterable[int]) -> Columns:
        """The games of some cells."""
        return self.of(np.isin(self.number("cell"), np.asarray(list(cells), dtype=np.int64)))

    def with_ids(self, ids: NDArray[np.integer]) -> Columns:
        """The games with these `game_id`."""
        kept = np.zeros(len(self), dtype=bool)
        kept[np.searchsorted(self.ids, ids)] = True
        return self.of(kept)

    def of(self, kept: NDArray[np.bool_]) -> Columns:
        """The games that are `kept`; itself where all are."""
        return self if kept.all() else Part(self, np.flatnonzero(kept))


class Read(Columns):
    """Columns of tables.

    Parameters
    ----------
    name : str
        Name of the data set, for what is said of damage.
    tables : dict
        Its lazy tables.
    """

    def __init__(self, name: str, tables: Mapping[str, pl.LazyFrame]) -> None:
        super().__init__()
        self.name, self.tables = name, dict(tables)

    @cached_property
    def _order(self) -> NDArray[np.int64] | None:
        """Order that sorts the games; None where they stand in order. Refuses no game, and a game twice."""
        ids = self.tables["games"].select("game_id").collect()["game_id"]
        if len(ids) == 0:
            raise Refusal(f"{self.name}: no games")
        values = ids.to_numpy()
        order = None if bool((values[1:] > values[:-1]).all()) else np.argsort(values, kind="stable")
        if order is not None:
            values = values[order]
            if bool((values[1:] == values[:-1]).any()):
                raise Refusal(f"{self.name}: some game_id occur twice")
        return order

    def _of_games(self, names: Sequence[str]) -> dict[str, pl.Series]:
        order = self._order
        frame = self.tables["games"].select(names).collect()
        frame = frame if order is None else frame[order]
        return {name: frame[name].rechunk() for name in names}

    def _has(self, name: str) -> bool:
        return name in self.tables["games"].collect_schema()

    @cached_property
    def _seat_order(self) -> NDArray[np.int64] | None:
        """Order that sorts the seat rows by game and seat; None where they stand in order already."""
        frame = self.tables["seats"].select("game_id", "seat").collect()
        ids, seat = frame["game_id"].to_numpy(), frame["seat"].to_numpy()
        total = int(self.players.sum())
        if len(ids) != total:
            raise Refusal(f"{self.name}: {len(ids):,} seat rows for games of {total:,} seats")
        wanted = np.repeat(self.ids, self.players)
        if np.array_equal(ids, wanted) and np.array_equal(seat, self.seat):
            return None
        order = np.lexsort((seat, ids))
        if not np.array_equal(ids[order], wanted) or not np.array_equal(seat[order], self.seat):
            raise Refusal(f"{self.name}: the seats of some games are missing or doubled")
        return order

    def _of_seats(self, name: str) -> pl.Series:
        order = self._seat_order
        values = self.tables["seats"].select(name).collect()[name].rechunk()
        return values if order is None else values[order]

    @cached_property
    def _kind(self) -> pl.Enum:
        """All kinds of piece as a type."""
        pl = _pl()
        found = self.tables["pieces"].collect_schema()["piece"]
        if isinstance(found, pl.Enum):
            return found
        piece = pl.col("piece").cast(pl.String)
        return pl.Enum(self.tables["pieces"].select(piece.unique().sort().drop_nulls()).collect()["piece"])

    @cached_property
    def _width(self) -> tuple[NDArray[np.int64], bool]:
        """Codes of the kinds of piece in the order of the rows of a seat; false where seats differ in their rows."""
        pl = _pl()
        every = np.arange(len(self._kind.categories))
        rows, seats = int(self.tables["pieces"].select(pl.len()).collect().item()), int(self.players.sum())
        width = rows // seats
        if width == 0 or rows != width * seats:
            return every, False
        code = pl.col("piece").cast(self._kind).to_physical().alias("code")
        table = self.tables["pieces"].select("game_id", "seat", code)
        order: NDArray[np.int64] | None = None
        step = max(CHUNK // width, 1)
        for first in range(0, seats, step):
            some = table.slice(first * width, step * width).collect()
            at = np.s_[first : first + step]
            if some["code"].null_count():
                return every, False
            codes = some["code"].to_numpy().reshape(-1, width)
            order = codes[0].astype(np.int64) if order is None else order
            same = bool((codes == order).all())
            for name, wanted in (("game_id", self.ids[self.game[at]]), ("seat", self.seat[at])):
                same = same and bool((some[name].to_numpy().reshape(-1, width) == wanted[:, None]).all())
            if not same:
                return every, False
        assert order is not None
        return (order, True) if different(order) == width else (every, False)

    @property
    def kinds(self) -> list[str]:
        names = self._kind.categories.to_list()
        return [names[code] for code in self._width[0]]

    @property
    def dense(self) -> bool:
        return self._width[1]

    def _of_pieces(self, name: str) -> Counts:
        if "pieces" not in self.tables:
            raise Refusal(f'{self.name}: no pieces were logged; play it with log = "pieces" to see them')
        table = self.tables["pieces"]
        if name not in table.collect_schema():
            raise Refusal(f"{self.name}: '{name}' of the pieces was not recorded")
        width = len(self._width[0])
        if self.dense:
            column = table.select(name).collect()[name]
            gaps = column.is_null().to_numpy().reshape(-1, width) if column.null_count() else None
            whole = column if gaps is None else column.fill_null(0)
            values = _small(whole.to_numpy()).reshape(-1, width)
            if gaps is None:
                return Counts(values, None, None)
            return Counts(values, ~self._by_game(gaps, np.logical_and), self._by_game(gaps, np.logical_or))
        column = table.select(name).collect()[name]
        known = column.is_not_null().to_numpy() if column.null_count() else None
        counts = _small(column.fill_null(0).to_numpy())
        values = np.zeros(int(self.players.sum()) * width, dtype=counts.dtype)
        at = self._places
        values[at if known is None else at[known]] = counts if known is None else counts[known]
        some, none = (np.zeros(len(self), dtype=bool) for _ in range(2))
        for flags, own in ((some, known), (none, None if known is None else ~known)):
            if own is not None or flags is some:
                seats = np.zeros(len(self.game), dtype=bool)
                seats[(at if own is None else at[own]) // width] = True
                flags |= self._by_game(seats[:, None], np.logical_or)
        return Counts(values.reshape(-1, width), some, none)

    @cached_property
    def _places(self) -> NDArray[Any]:
        """Where each row of the pieces stands among the seats by the kinds of piece, flat."""
        pl = _pl()
        width, ids = len(self._width[0]), self.ids
        code = pl.col("piece").cast(self._kind).to_physical().cast(pl.UInt16).alias("code")
        table = self.tables["pieces"].select("game_id", "seat", code)
        rows = int(table.select(pl.len()).collect().item())
        small = len(self.game) * width < np.iinfo(np.int32).max
        out = np.empty(rows, dtype=np.int32 if small else np.int64)
        for first in range(0, rows, CHUNK):
            some = table.slice(first, CHUNK).collect()
            game_id = some["game_id"].to_numpy()
            game = np.minimum(np.searchsorted(ids, game_id), len(self) - 1)
            if not np.array_equal(ids[game], game_id):
                raise Refusal(f"{self.name}: some pieces belong to no game")
            out[first : first + CHUNK] = (self.first_row[game] + some["seat"].to_numpy()) * width + some[
                "code"
            ].to_numpy()
        return out

    def _by_game(self, flat: NDArray[np.bool_], how: np.ufunc) -> NDArray[np.bool_]:
        """Whether any (all) of the rows of each game hold."""
        return np.asarray(how.reduce(how.reduceat(flat, self.first_row, axis=0), axis=1))


class Part(Columns):
    """Columns of some games of a data set: the rows of columns that are read already."""

    def __init__(self, whole: Columns, rows: NDArray[np.int64]) -> None:
        super().__init__()
        self.whole, self.name = whole, whole.name
        self.rows = _slice(rows)
        if len(rows) == 0:
            raise Refusal(f"{self.name}: no games")

    @cached_property
    def _flat(self) -> Rows:
        """The rows of its seats."""
        first, players = self.whole.first_row, self.whole.players
        if isinstance(self.rows, slice):
            last = self.rows.stop - 1
            return slice(int(first[self.rows.start]), int(first[last] + players[last]))
        n = players[self.rows]
        return np.repeat(first[self.rows], n) + np.arange(int(n.sum())) - np.repeat(np.cumsum(n) - n, n)

    def _of_games(self, names: Sequence[str]) -> dict[str, pl.Series]:
        frame = self.whole.games(names)
        return {name: frame[name][self.rows] for name in names}

    def _of_seats(self, name: str) -> pl.Series:
        return self.whole.seats(name)[self._flat]

    def _of_pieces(self, name: str) -> Counts:
        every = self.whole.pieces(name)
        flags = (None if flag is None else flag[self.rows] for flag in (every.some, every.none))
        return Counts(every.values[self._flat], *flags)

    def _has(self, name: str) -> bool:
        return self.whole._has(name)

    def in_whole(self, rows: NDArray[np.int64]) -> tuple[Columns, NDArray[np.int64]]:
        at = rows + self.rows.start if isinstance(self.rows, slice) else self.rows[rows]
        return self.whole.in_whole(at)

    @property
    def kinds(self) -> list[str]:
        return self.whole.kinds

    @property
    def dense(self) -> bool:
        return self.whole.dense


def _bytes(value: Any) -> int:
    """Bytes of the arrays that a value holds, itself or in what it is made of."""
    if isinstance(value, np.ndarray):
        return int(value.nbytes)
    return sum(_bytes(one) for one in getattr(value, "__dict__", {}).values())


def _slice(rows: NDArray[np.int64]) -> Rows:
    """Rows that follow each other as a slice, which needs no copy."""
    if len(rows) and rows[-1] - rows[0] == len(rows) - 1:
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return rows


def _small(values: NDArray[Any]) -> NDArray[Any]:
    """Whole numbers in the smallest type that holds them, and everything else as it is."""
    if len(values) == 0 or values.dtype == np.bool_:
        return values.astype(np.int8)
    least, most = values.min(), values.max()
    if not (np.isfinite(least) and np.isfinite(most)):
        return values
    for kind in (np.int8, np.int16):
        if np.iinfo(kind).min <= least and most <= np.iinfo(kind).max:
            small = np.empty(len(values), dtype=kind)
            for first in range(0, len(values), CHUNK):  # part by part: what is read may be large
                part = values[first : first + CHUNK]
                small[first : first + CHUNK] = part
                if values.dtype.kind not in "iu" and not np.array_equal(small[first : first + CHUNK], part):
                    return values
            return small
    return values


def _pl() -> Any:
    import polars

    return polars
