"""The tables of a data set: their columns and types, and frames made from a chunk of played games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.batch.points_given import given

if TYPE_CHECKING:
    import polars as pl

GAMES = {
    "game_id": "Int64",
    "cell": "Int32",
    "deal": "Int64",
    "rotation": "Int16",
    "series": "Int64",
    "seed": "UInt64",
    "players": "Int8",
    "first_seat": "Int8",
    "founder_seat": "Int8",
    "turns": "Int32",
    "decisions": "Int32",
    "ended": "Enum",
    "ended_by": "Int8",
    "winner": "Int8",
    "tied": "Int8",
    "margin": "Float32",
    "lead_changes": "Int16",
    "line": "UInt64",
}
"""Columns and types of `games`; drawn columns (String) follow `players`."""
SEATS = {
    "game_id": "Int64",
    "cell": "Int32",
    "deal": "Int64",
    "seat": "Int8",
    "player": "Int8",
    "team": "Int8",
    "bot": "Enum",
    "deck": "Enum",
    "founder": "Boolean",
    "score": "Float32",
    "rank": "Int8",
    "win_share": "Float64",
    "decisions": "Int32",
    "options_mean": "Float32",
    "passes": "Int16",
}
PIECES = {
    "game_id": "Int64",
    "cell": "Int32",
    "deal": "Int64",
    "seat": "Int8",
    "bot": "Enum",
    "win_share": "Float64",
    "piece": "Enum",
    "assigned": "Int8",
    "offered": "Int8",
    "taken": "Int8",
    "owned": "Int8",
    "played": "Int8",
    "first_turn": "Int16",
    "paid": "Int8",
    "lost": "Int8",
    "scored": "Float32",
    "harm": "Float32",
}
DRAFTS = {
    "game_id": "Int64",
    "cell": "Int32",
    "deal": "Int64",
    "round": "Int8",
    "splitter": "Int8",
    "chooser": "Int8",
    "piece": "Enum",
    "pile": "Int8",
    "taken": "Boolean",
}
"""One row a piece that was dealt into a group: who split it (seat), who chose (seat), whether the chooser took it."""
DECISIONS = {
    "game_id": "Int64",
    "ply": "Int16",
    "turn": "Int16",
    "seat": "Int8",
    "phase": "Enum",
    "action": "Int32",
    "kind": "Enum",
    "piece": "Enum",
    "options": "Int16",
}
LEVELS = {"games": 0, "pieces": 1, "turns": 2, "decisions": 3}


@dataclass(frozen=True)
class TableSpec:
    """What fixes the types of a data set's tables, whatever values a part happens to hold.

    Attributes
    ----------
    log
        The log level: which tables there are.
    categories
        Names behind the codes of every Enum column.
    drawn
        Names of the columns of `games` that are drawn per deal.
    players_max
        Most players of any cell: how many score columns `turns` has.
    drafts
        Whether pieces are drafted in some cell.
    in_play
        Codes of the pieces that are logged; None: all.
    """

    log: str
    categories: Mapping[str, Sequence[str]]
    drawn: tuple[str, ...]
    players_max: int
    drafts: bool = False
    in_play: tuple[int, ...] | None = None

    def schema(self) -> dict[str, dict[str, str]]:
        """Return the column types of every table, by name."""
        games: dict[str, str] = {}
        for name, kind in GAMES.items():
            games[name] = kind
            if name == "players":
                games.update(dict.fromkeys(self.drawn, "String"))
        tables = {"games": games, "seats": dict(SEATS)}
        level = LEVELS[self.log]
        if level >= 1 and self.categories["piece"]:
            tables["pieces"] = dict(PIECES)
            if self.drafts:
                tables["drafts"] = dict(DRAFTS)
        if level >= 2:
            scores = {f"score_{seat}": "Float32" for seat in range(self.players_max)}
            tables["turns"] = {"game_id": "Int64", "turn": "Int16", "seat": "Int8", **scores}
        if level >= 3:
            tables["decisions"] = dict(DECISIONS)
        return tables


@dataclass(frozen=True)
class Played:
    """A chunk and what the batch knows of its games (arrays over games; `place`: cell in the chunk)."""

    chunk: Any
    game_id: np.ndarray
    cell: np.ndarray
    place: np.ndarray
    deal: np.ndarray
    rotation: np.ndarray
    seed: np.ndarray
    who: np.ndarray
    bots: np.ndarray
    decks: np.ndarray
    drawn: Mapping[str, Sequence[str | None]]
    lever: np.ndarray
    """Bool by place: whether pieces were assigned at random there."""
    series: np.ndarray | None = None
    points: np.ndarray | None = None
    """What each seat is given at the end (games, seats); None: nothing."""


def frames(spec: TableSpec, played: Played, game: Any) -> dict[str, pl.DataFrame]:
    """Return the tables of a chunk, with exactly the columns and types of `spec.schema()`."""
    played = given(played)
    tables = {"games": _games(spec, played)}
    seats = _Seats(played)
    tables["seats"] = seats.frame(spec)
    wanted = spec.schema()
    if "pieces" in wanted:
        tables["pieces"] = _pieces(spec, played, seats)
    if "drafts" in wanted:
        tables["drafts"] = _drafts(spec, played)
    if "turns" in wanted:
        tables["turns"] = _turns(spec, played)
    if "decisions" in wanted:
        tables["decisions"] = _decisions(spec, played, game)
    return tables


def _enum(codes: np.ndarray, names: Sequence[str]) -> pl.Series:
    """Turn codes (negative: null) into an Enum without going through strings."""
    import polars as pl

    kind = np.uint8 if len(names) < 256 else np.uint16
    if codes.size and codes.min() < 0:
        there = codes >= 0
        series = pl.select(pl.when(pl.Series(there)).then(_series(codes * there, kind))).to_series()
    else:
        series = _series(codes, kind)
    return series.cat.to(pl.Enum(list(names)))


def _nullable(values: np.ndarray, kind: type) -> pl.Series:
    """Return whole numbers of type `kind` with null for -1."""
    import polars as pl

    series = _series(values, kind)
    if not values.size or values.min() >= 0:
        return series
    if values.max() < 0:
        return pl.Series([None], dtype=series.dtype).new_from_index(0, len(series))
    return pl.select(pl.when(series >= 0).then(series)).to_series()


def _series(values: np.ndarray, kind: type) -> pl.Series:
    import polars as pl

    return pl.Series(np.ascontiguousarray(values, dtype=kind))


def _games(spec: TableSpec, played: Played) -> pl.DataFrame:
    import polars as pl

    data, n = played.chunk.games, len(played.game_id)
    columns: dict[str, pl.Series] = {
        "game_id": _series(played.game_id, np.int64),
        "cell": _series(played.cell, np.int32),
        "deal": _series(played.deal, np.int64),
        "rotation": _series(played.rotation, np.int16),
        "series": pl.Series([None] * n, dtype=pl.Int64)
        if played.series is None
        else _series(played.series, np.int64),
        "seed": _series(played.seed, np.uint64),
        "players": _series(data["players"], np.int8),
    }
    for name in spec.drawn:
        columns[name] = pl.Series(played.drawn[name], dtype=pl.String)
    columns |= {
        "first_seat": _nullable(data["first_seat"], np.int8),
        "founder_seat": _nullable(data["founder_seat"], np.int8),
        "turns": _series(data["turns"], np.int32),
        "decisions": _series(data["decisions"], np.int32),
        "ended": _enum(data["ended"], spec.categories["ended"]),
        "ended_by": _nullable(data["ended_by"], np.int8),
        "winner": _nullable(data["winner"], np.int8),
        "tied": _series(data["tied"], np.int8),
        "margin": _series(data["margin"], np.float32),
        "lead_changes": _series(data["lead_changes"], np.int16),
        "line": _series(data["line"], np.uint64),
    }
    return pl.DataFrame(columns)


class _Seats:
    """Rows of games x seats; seats that a game does not have are left out."""

    def __init__(self, played: Played) -> None:
        self.played = played
        data = played.chunk.seats
        self.n, self.width = data["score"].shape
        players = played.chunk.games["players"]
        there = np.arange(self.width)[None, :] < players[:, None]
        self.there = None if there.all() else there
        self.seat = self.pick(np.broadcast_to(np.arange(self.width, dtype=np.int8), (self.n, self.width)))
        self.game = self.pick(np.broadcast_to(np.arange(self.n)[:, None], (self.n, self.width)))
        who = self.pick(played.who[:, : self.width])
        self.who = who
        place = played.place[self.game]
        self.bot, self.deck = played.bots[place, who], played.decks[place, who]
        self.win_share = self.pick(data["win_share"])

    def pick(self, values: np.ndarray) -> np.ndarray:
        """Return (games, seats, ...) as rows."""
        if self.there is None:
            return np.ascontiguousarray(values).reshape(-1, *values.shape[2:])
        return values[self.there]

    def frame(self, spec: TableSpec) -> pl.DataFrame:
        import polars as pl

        played, data, game = self.played, self.played.chunk.seats, self.game
        decisions = self.pick(data["decisions"])
        options = self.pick(data["options_sum"]) / np.maximum(decisions, 1)
        founder = played.chunk.games["founder_seat"][game] == self.seat
        mean = _series(options, np.float32)
        if (decisions == 0).any():
            mean = pl.select(pl.when(pl.Series(decisions > 0)).then(mean)).to_series()
        return pl.DataFrame(
            {
                "game_id": _series(played.game_id[game], np.int64),
                "cell": _series(played.cell[game], np.int32),
                "deal": _series(played.deal[game], np.int64),
                "seat": _series(self.seat, np.int8),
                "player": _series(self.who, np.int8),
                "team": _series(self.pick(data["side"]), np.int8),
                "bot": _enum(self.bot, spec.categories["bot"]),
                "deck": _enum(self.deck, spec.categories["deck"]),
                "founder": pl.Series(founder),
                "score": _series(self.pick(data["score"]), np.float32),
                "rank": _series(self.pick(data["rank"]), np.int8),
                "win_share": _series(self.win_share, np.float64),
                "decisions": _series(decisions, np.int32),
                "options_mean": mean,
                "passes": _series(self.pick(data["passes"]), np.int16),
            }
        )


def _pieces(spec: TableSpec, played: Played, seats: _Seats) -> pl.DataFrame:
    import polars as pl

    data, logged = played.chunk.pieces, np.arange(len(spec.categories["piece"]), dtype=np.uint8)
    if spec.in_play is not None:
        logged = np.array(spec.in_play, dtype=np.uint8)
        data = {name: values[..., logged] for name, values in data.items()}
    kinds = len(logged)
    rows = {name: seats.pick(values).reshape(-1) for name, values in data.items()}
    if not played.lever.all():
        random = played.lever[played.place[seats.game]].repeat(kinds)
        rows["assigned"] = np.where(random, rows["assigned"], -1)

    def each(values: np.ndarray, kind: type) -> pl.Series:  # repeating is several times faster than indexing
        return _series(values.astype(kind, copy=False).repeat(kinds), kind)

    codes = np.tile(logged, len(seats.game))
    return pl.DataFrame(
        {
            "game_id": each(played.game_id[seats.game], np.int64),
            "cell": each(played.cell[seats.game], np.int32),
            "deal": each(played.deal[seats.game], np.int64),
            "seat": each(seats.seat, np.int8),
            "bot": _enum(seats.bot.repeat(kinds), spec.categories["bot"]),
            "win_share": each(seats.win_share, np.float64),
            "piece": _enum(codes, spec.categories["piece"]),
            "assigned": _nullable(rows["assigned"], np.int8),
            "offered": _nullable(rows["offered"], np.int8),
            "taken": _nullable(rows["taken"], np.int8),
            "owned": _series(rows["owned"], np.int8),
            "played": _series(rows["played"], np.int8),
            "first_turn": _nullable(rows["first_turn"], np.int16),
            "paid": _series(rows["paid"], np.int8),
            "lost": _series(rows["lost"], np.int8),
            "scored": _series(rows["scored"], np.float32),
            "harm": _series(rows["harm"], np.float32),
        }
    )


def _drafts(spec: TableSpec, played: Played) -> pl.DataFrame:
    import polars as pl

    data = getattr(played.chunk, "drafts", None)
    if data is None:  # no cell of this chunk drafts
        names = ("game", "round", "splitter", "chooser", "piece", "pile", "taken")
        data = dict.fromkeys(names, np.zeros(0, dtype=np.int64))
    game = data["game"]
    return pl.DataFrame(
        {
            "game_id": _series(played.game_id[game], np.int64),
            "cell": _series(played.cell[game], np.int32),
            "deal": _series(played.deal[game], np.int64),
            "round": _series(data["round"], np.int8),
            "splitter": _nullable(data["splitter"], np.int8),
            "chooser": _nullable(data["chooser"], np.int8),
            "piece": _enum(data["piece"], spec.categories["piece"]),
            "pile": _nullable(data["pile"], np.int8),
            "taken": pl.Series(np.asarray(data["taken"]) > 0, dtype=pl.Boolean),
        }
    )


def _turns(spec: TableSpec, played: Played) -> pl.DataFrame:
    import polars as pl

    data = played.chunk.turns
    game = data["game"]
    columns: dict[str, pl.Series] = {
        "game_id": _series(played.game_id[game], np.int64),
        "turn": _series(data["turn"], np.int16),
        "seat": _series(data["seat"], np.int8),
    }
    players = played.chunk.games["players"][game]
    for seat in range(spec.players_max):
        if seat < data["score"].shape[1]:
            score = _series(data["score"][:, seat], np.float32)
            there = players > seat
            whole = score if there.all() else pl.select(pl.when(pl.Series(there)).then(score)).to_series()
        else:
            whole = pl.Series([None] * len(game), dtype=pl.Float32)
        columns[f"score_{seat}"] = whole
    return pl.DataFrame(columns)


def _decisions(spec: TableSpec, played: Played, game: Any) -> pl.DataFrame:
    import polars as pl

    data = played.chunk.decisions
    return pl.DataFrame(
        {
            "game_id": _series(played.game_id[data["game"]], np.int64),
            "ply": _series(data["ply"], np.int16),
            "turn": _series(data["turn"], np.int16),
            "seat": _series(data["seat"], np.int8),
            "phase": _enum(data["phase"], spec.categories["phase"]),
            "action": _series(data["action"], np.int32),
            "kind": _enum(np.asarray(game.action_kind(data["action"])), spec.categories["kind"]),
            "piece": _enum(np.asarray(game.action_piece(data["action"])), spec.categories["piece"]),
            "options": _series(data["options"], np.int16),
        }
    )
