"""Open, check and describe a data set: a folder that a run wrote, or frames made by hand.

The format is the project's schema version 2; version 1, without tiers of play, is read as well. Only parts named in
``commits.jsonl`` are read, so a run that is still going on, or that was stopped in the middle of a write, gives whole
chunks and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.data.errors import Refusal, nearest
from analysis.data.judge import Judge
from analysis.data.parts import TABLES, committed, read_cells, with_categories
from analysis.data.served import frame_of, served

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.columns import Columns
    from analysis.data.questions import Question
    from analysis.data.sampling import Reading

SCHEMAS = (1, 2)  # 2 has tiers of play
LOG_OF = {"pieces": "pieces", "drafts": "pieces", "turns": "turns", "decisions": "decisions"}
PAIRING, SIZE = (
    "pairing",
    "players.count",
)  # who plays whom, and how many: `players` of the cells and of the games
REQUIRED_KEYS = ("schema", "name", "game", "log", "factors", "judge")


class Dataset:
    """A data set with lazy tables.

    Attributes
    ----------
    path : Path or None
        Folder it came from.
    manifest : dict
        The manifest; ``card`` is its description of the game.
    cells : polars.DataFrame
        One row a cell that this view holds.
    conditioned : tuple of str
        Outcomes by which games were picked out of the run (`OUTCOMES`): what is left is no comparison by chance any
        more, so nothing of it is judged or called a cause.
    games, seats, pieces, turns, decisions, drafts : polars.LazyFrame
        Committed rows. A table that the run did not log raises `Refusal` when asked for; see `has`.
    """

    def __init__(
        self,
        manifest: Mapping[str, Any],
        cells: pl.DataFrame,
        tables: Mapping[str, pl.LazyFrame],
        path: Path | None = None,
        commits: Iterable[Mapping[str, Any]] = (),
        conditioned: Iterable[str] = (),
        all_tiers: Dataset | None = None,
        columns: Callable[[], Columns] | None = None,
    ) -> None:
        self.all_tiers = all_tiers or self
        """The same data set with all its tiers of play (itself where it has none, or shows them all)."""
        self.conditioned = tuple(conditioned)
        self.manifest: dict[str, Any] = dict(manifest)
        self.cells = cells
        self.path = path
        self.commits = list(commits)
        self._tables = dict(tables)
        self._columns = columns
        self.made: tuple[Dataset, Callable[[Dataset], Dataset]] | None = None
        """Of a view: what it is a view of, and how to take the same view of another part of the games."""
        self.read: Reading | None = None
        """Of a part of a large data set: what is read of it."""
        self.memo: dict[Any, Any] = {}
        """What was read or estimated of this view and may be asked for again."""

    @cached_property
    def columns(self) -> Columns:
        """Columns of the tables as arrays, read once; those of a view are part of those of the whole."""
        from analysis.data.columns import Read

        return Read(self.name, self._tables) if self._columns is None else self._columns()

    @classmethod
    def from_frames(
        cls,
        manifest: Mapping[str, Any] | None,
        cells: Any,
        games: Any,
        seats: Any,
        pieces: Any = None,
        turns: Any = None,
        decisions: Any = None,
        drafts: Any = None,
    ) -> Dataset:
        """A data set from frames in memory: of tests, of imported play, of any other program.

        Parameters
        ----------
        manifest : mapping or None
            As in ``manifest.json``; what is missing takes a default. Text columns that it lists under ``categories``
            become Enums, as in a written data set.
        cells : frame or None
            One row a cell: ``cell`` and the factors that tell cells apart (name them under ``factors`` of the
            manifest). None: all games are of one kind.
        games : frame
            ``game_id`` (whole numbers, one row each). Where there are any: ``deal`` (games of one set-up are one
            block of the statistics; else each game by itself), ``cell``, ``players`` (else counted), ``turns,
            decisions, minutes, margin, tied, lead_changes, ended`` (``finished``, ``stopped``, ``turn_cap``, ...),
            ``ended_by, first_seat, group``, and columns of your own.
        seats : frame
            One row a game and seat: ``game_id``, ``seat`` (from 0: Seat A is 0) and who won: ``win_share`` (1/k of k
            who share the win), or ``score`` (the most wins), or ``rank`` (1 is first). Where there are any:
            ``player`` (number of the name in the manifest's categories), ``team`` (seats that win together), ``bot,
            deck, decisions, options_mean``, `founder`.
        pieces : frame, optional
            One row a game, seat and piece: ``game_id, seat, piece`` and counts ``assigned`` (by chance: only these are
            judged), ``owned``, ``played``.
        turns, decisions, drafts : frame, optional
            As in a written data set.

        Frames are of polars (lazy or not) or pandas. A column without any value counts as missing. What is missing
        is named by the analysis that needs it.

        Raises
        ------
        Refusal
            A needed column is missing, seats count from 1, or a seat has no share of the win.
        """
        given = {
            "games": games,
            "seats": seats,
            "pieces": pieces,
            "turns": turns,
            "decisions": decisions,
            "drafts": drafts,
        }
        pl = _pl()
        base: dict[str, Any] = {
            "schema": SCHEMAS[-1],
            "name": "frames",
            "game": "none",
            "factors": [],
            "judge": {},
        }
        full = {**base, "log": "games" if pieces is None else "pieces", **(manifest or {})}
        check_manifest(full, "the manifest")
        where = str(full["name"])
        tables = {
            name: frame_of(frame, f"{where}: {name}") for name, frame in given.items() if frame is not None
        }
        one = pl.DataFrame({"cell": pl.Series([0], dtype=pl.Int32)})
        kinds = one if cells is None else frame_of(cells, f"{where}: cells").collect()
        if "cell" not in kinds.columns:
            raise Refusal(f"{where}: the cells have no column 'cell'")
        whole = served(full, tables, kinds)
        return cls(full, kinds, {name: with_categories(frame, full) for name, frame in whole.items()})

    # -- tables ----------------------------------------------------------------------------------

    def has(self, table: str) -> bool:
        """Whether the run logged this table."""
        return table in self._tables

    def table(self, name: str) -> pl.LazyFrame:
        """A table by its name; raises `Refusal` when it was not logged."""
        if name in self._tables:
            return self._tables[name]
        if name not in TABLES:
            raise Refusal(f"no table is called '{name}'{nearest(name, TABLES)}")
        level = LOG_OF.get(name, name)
        raise Refusal(
            f'{self.name}: no {name} were logged (log = "{self.manifest["log"]}"); '
            f'play it with log = "{level}" to see them'
        )

    @property
    def games(self) -> pl.LazyFrame:
        """One row a game."""
        return self.table("games")

    @property
    def seats(self) -> pl.LazyFrame:
        """One row a game and seat."""
        return self.table("seats")

    @property
    def pieces(self) -> pl.LazyFrame:
        """One row a game, seat and kind of piece."""
        return self.table("pieces")

    @property
    def drafts(self) -> pl.LazyFrame:
        """One row a drafted choice."""
        return self.table("drafts")

    @property
    def turns(self) -> pl.LazyFrame:
        """One row a turn."""
        return self.table("turns")

    @property
    def decisions(self) -> pl.LazyFrame:
        """One row a decision."""
        return self.table("decisions")

    # -- description -----------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Name of the experiment."""
        return str(self.manifest["name"])

    @property
    def question(self) -> str:
        """The question that the experiment asks (heads the report)."""
        return str(self.manifest.get("question") or "")

    @property
    def card(self) -> dict[str, Any]:
        """What the game says of itself: pieces, parameters, stand-ins, rulings."""
        return dict(self.manifest.get("card") or {})

    @cached_property
    def judge(self) -> Judge:
        """Margins of the verdicts."""
        return Judge.from_manifest(self.manifest.get("judge") or {})

    @property
    def play(self) -> str:
        """For whose play a verdict holds, e.g. ``greedy play``."""
        bots = [str(bot) for bot in self.manifest.get("bots_used") or []]
        if not bots:
            return "these people's play" if self.manifest.get("imported") else "recorded play"
        if len(bots) == 1:
            return f"{bots[0]} play"
        return f"play between {', '.join(bots[:-1])} and {bots[-1]}"

    @cached_property
    def piece_names(self) -> list[str]:
        """Kinds of piece in the game's order; where pieces were logged, those that were in play."""
        listed = (self.manifest.get("categories") or {}).get("piece")
        names = [str(p) for p in listed] if listed else [str(p["name"]) for p in self.card.get("pieces", [])]
        if not self.has("pieces"):
            return names
        if self.n_games and self.columns.dense:
            seen = set(self.columns.kinds)
        else:
            piece = _pl().col("piece").cast(_pl().String)
            seen = set(self.pieces.select(piece.unique()).collect()["piece"])
        return [name for name in names if name in seen] if seen else names

    @property
    def factors(self) -> list[str]:
        """Columns of `cells` that vary between cells."""
        return [str(name) for name in self.manifest.get("factors") or []]

    @property
    def tiers(self) -> list[str]:
        """The tiers of play of this view (their bots), weakest first; empty where there are none."""
        return [str(tier["bot"]) for tier in self.manifest.get("tiers") or []]

    @cached_property
    def asks(self) -> tuple[Question, ...]:
        """What is asked of these data, in order: by the experiment's ``[ask]``, else by what was varied."""
        from analysis.data.questions import questions

        return questions(self.manifest, self.cells, self._tables)

    def at_tier(self, tier: str | None = None) -> Dataset:
        """A view of one tier of play; by default of the strongest, at which verdicts are read.

        `all_tiers` of the view leads back. A data set without tiers is its own only tier.
        """
        from analysis.data import views

        return views.at_tier(self, tier)

    @property
    def drawn(self) -> dict[str, Any]:
        """Columns of `games` that were drawn for each deal."""
        return dict(self.manifest.get("drawn") or {})

    @cached_property
    def n_games(self) -> int:
        """Number of games."""
        return int(self.games.select(_pl().len()).collect().item())

    @cached_property
    def n_deals(self) -> int:
        """Number of distinct deals, the blocks of the statistics."""
        return self.columns.n_deals if self.n_games else 0

    @cached_property
    def n_players(self) -> list[int]:
        """Player counts that occur, in order."""
        return np.unique(self.columns.players).tolist() if self.n_games else []

    @cached_property
    def has_sides(self) -> bool:
        """Whether seats play together in some game (column `team` of ``seats``)."""
        if "team" not in self.seats.collect_schema().names():
            return False
        pl = _pl()
        apart = pl.col("team").cast(pl.Int64) != pl.col("seat").cast(pl.Int64)
        return bool(self.seats.select(apart.any()).collect().item())

    @cached_property
    def tables(self) -> list[tuple[int, int]]:
        """Players and sides of each kind of table, in order."""
        if not self.has_sides:
            return [(n, n) for n in self.n_players]
        pl = _pl()
        per_game = self.seats.group_by("game_id").agg(players=pl.len(), sides=pl.col("team").n_unique())
        return sorted(
            (int(n), int(k)) for n, k in per_game.select("players", "sides").unique().collect().rows()
        )

    def of_cells(self, name: str) -> bool:
        """Whether a column is looked up in the cells: a factor is, even where it was drawn in some of them."""
        if name == PAIRING:
            return True
        if name not in self.cells.columns or name == "players":
            return False
        return name in self.factors or name not in self.drawn

    def __repr__(self) -> str:
        return f"<Dataset {self.name}: {self.n_games:,} games, {self.n_deals:,} deals, {self.play}>"

    # -- views -----------------------------------------------------------------------------------

    @cached_property
    def varies_pairings(self) -> bool:
        """Whether the cells have different players at tables of one size: who plays is a factor by itself."""
        if "players" not in self.factors or "players" not in self.cells.columns:
            return False
        pl = _pl()
        size = self.games.group_by("cell").agg(size=pl.col("players").first()).collect()
        who = self.cells.select("cell", pl.col("players").cast(pl.String)).join(size, on="cell")
        return bool(who.group_by("size").agg(pl.col("players").n_unique())["players"].max() > 1)  # type: ignore[operator]

    def with_factors(
        self, by: str | Iterable[str] | None, drawn: Iterable[str] = ()
    ) -> tuple[pl.LazyFrame, list[str]]:
        """Games with the columns `by` joined from the cells where they live there; see `places`.

        Returns
        -------
        games : polars.LazyFrame
        names : list of str
            `by` as a list.
        """
        names, from_cells, cells = self.places(by, drawn)
        games = self.games
        if SIZE in names and SIZE not in cells.columns:
            games = games.with_columns(_pl().col("players").alias(SIZE))
        if from_cells:
            games = games.drop(from_cells, strict=False)
            several = cells.lazy().select("cell", *from_cells)
            games = games.join(several, on="cell", how="left", maintain_order="left")
        return games, names

    def places(
        self, by: str | Iterable[str] | None, drawn: Iterable[str] = ()
    ) -> tuple[list[str], list[str], pl.DataFrame]:
        """Where the columns `by` live: in the cells or in the games.

        A factor that is drawn in some cells (`[vary] map = ["plain", "random"]`) is a column of both: the cell
        says which level it is, unless the column is named in `drawn` too. The factor ``players`` gives the column
        `PAIRING` (who plays whom) where it is more than the number of players, which is ``players.count``.

        Returns
        -------
        names : list of str
            `by` as a list.
        from_cells : list of str
            Those of them that are looked up in `cells`.
        cells : polars.DataFrame
            The cells with these columns.
        """
        names = [by] if isinstance(by, str) else list(by or [])
        names = [PAIRING if name == "players" and self.varies_pairings else name for name in names]
        in_games, asked, cells = self.games.collect_schema().names(), set(drawn), self.cells
        if PAIRING in names and PAIRING not in cells.columns and "players" in cells.columns:
            cells = cells.with_columns(_pl().col("players").cast(_pl().String).alias(PAIRING))
        if SIZE in names and SIZE not in cells.columns:
            in_games = [*in_games, SIZE]
        from_cells = [n for n in names if n not in in_games or (self.of_cells(n) and n not in asked)]
        for name in from_cells:
            if name not in cells.columns:
                known = [*cells.columns, *in_games]
                raise Refusal(f"{self.name}: no column '{name}' in cells or games{nearest(name, known)}")
        return names, [name for name in from_cells if name != "cell"], cells

    def filter(self, expr: pl.Expr | None = None, **factors: Any) -> Dataset:
        """A view of the games for which `expr` holds and each named column has the given value.

        Parameters
        ----------
        expr : polars.Expr, optional
            Over the columns of ``games`` and of ``cells``.
        **factors
            Column of cells or games = value, or a list of values; dotted names as ``**{"players.count": 3}``.

        Games that are picked by an outcome (how long they took, who won) are `conditioned` on it.
        """
        from analysis.data import views

        return views.filtered(self, expr, factors)

    def plain_play(self) -> Dataset:
        """A view without the cells in which unlike bots meet, where one kind of bot has all the others to itself.

        Such cells measure skill; they would blur what is said of the seats and pieces. All games where there are
        no such cells, or where several kinds of bot have cells of their own.
        """
        from analysis.data import views

        return views.plain_play(self)

    def forget(self) -> None:
        """Let go of what was read and estimated: it is read again when it is asked for."""
        self.memo.clear()
        self.__dict__.pop("columns", None)

    def sample(self, most: int | None = None) -> Dataset:
        """At most about `most` games of this view: whole deals of every cell, evenly spread over the run.

        By default as many as a report holds in memory. Itself where there are no more. Always the same games; `read`
        tells how they are picked (`analysis.data.sampling`).
        """
        from analysis.data.sampling import sample

        return sample(self, most)

    def with_cells(self, cells: pl.DataFrame) -> Dataset:
        """A view of the games of `cells`: rows of this data set's cells, which may have columns of their own."""
        from analysis.data import views

        return views.of_cells(self, cells)


def load(folder: str | Path | Sequence[str | Path], tier: str | None = None) -> Dataset:
    """Open the data set in `folder`; several folders are pooled (`analysis.data.pooling`).

    Parameters
    ----------
    tier : str, optional
        The tier of play to look at, or "all"; by default the strongest, at which verdicts are read.

    Raises
    ------
    Refusal
        When the folder is missing, holds something else, is damaged, or was written by a newer version.
    """
    if not isinstance(folder, str | Path):
        from analysis.data.pooling import pool

        return pool([load(one, tier) for one in folder]) if len(folder) != 1 else load(folder[0], tier)
    path = Path(folder)
    if not path.is_dir():
        raise Refusal(f"{path}: no such folder")
    manifest_path = path / "manifest.json"
    if not manifest_path.is_file():
        raise Refusal(f"{path}: not a data set (it has no manifest.json)")
    try:
        manifest = json.loads(manifest_path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise Refusal(f"{manifest_path}: damaged, not readable as JSON ({error})") from None
    check_manifest(manifest, str(manifest_path))
    cells = read_cells(path / "cells.parquet")
    commits, tables = committed(path, manifest)
    if "experiment_hash" not in manifest:  # no run of ours wrote it, so nobody promises its columns
        tables = served(manifest, tables, cells)
    whole = Dataset(manifest, cells, tables, path, commits)
    return whole if tier == "all" else whole.at_tier(tier)


def check_manifest(manifest: Any, where: str) -> None:
    """Refuse what is no manifest of a schema version that this version reads."""
    if not isinstance(manifest, Mapping) or "schema" not in manifest:
        raise Refusal(f"{where}: not the manifest of a data set (no 'schema')")
    if manifest["schema"] not in SCHEMAS:
        known = " and ".join(map(str, SCHEMAS))
        raise Refusal(f"{where}: schema version {manifest['schema']}, this version reads {known}")
    missing = [key for key in REQUIRED_KEYS if key not in manifest]
    if missing:
        raise Refusal(f"{where}: damaged, '{missing[0]}' is missing")


def _pl() -> Any:
    import polars

    return polars
