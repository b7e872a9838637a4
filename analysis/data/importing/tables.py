"""From games to the tables of a data set, as a run of ours would have written them, with what people know of games."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.data.errors import Refusal, nearest
from analysis.data.importing.counts import games_of_counts
from analysis.data.importing.headings import Columns, Mapping, columns_of
from analysis.data.importing.rows import Game, Style, Unclear, games_of, letter, number, style_of
from analysis.data.importing.sheets import LeftOut, Sheet, read_sheet

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

MOST_LEFT_OUT = 0.5
"""Where more rows than this share cannot be read, the columns are not what they seem."""
NOT_NAMED = "not named"
STOPPED, FINISHED = "stopped", "finished"
TAKEN = (
    "game_id",
    "cell",
    "deal",
    "players",
    "seed",
    "line",
    "series",
    "winner",
    "tied",
    "margin",
    "ended",
    "rotation",
)


@dataclass
class Imported:
    """What was read: the manifest and tables of a data set, and what was left out."""

    manifest: dict[str, Any]
    cells: pl.DataFrame
    tables: dict[str, pl.DataFrame]
    left_out: list[LeftOut] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def games(self) -> int:
        """Games read."""
        return self.tables["games"].height

    def dataset(self) -> Dataset:
        """The data set in memory."""
        from analysis.data.dataset import Dataset

        return Dataset.from_frames(self.manifest, self.cells, **self.tables)


def import_games(
    files: Sequence[str | Path] = (),
    mapping: Mapping | None = None,
    counts: str | None = None,
    strict: bool = False,
) -> Imported:
    """Read people's games.

    Parameters
    ----------
    files
        CSV, TSV, Parquet, JSON lines or spreadsheets: a row a game, or a row a game and seat.
    mapping : Mapping, optional
        What the files do not say themselves (`read_mapping`).
    counts : str, optional
        A table of wins in place of files, such as ``97 of 156``.
    strict : bool
        Refuse the files when any row cannot be read; else such rows are listed in `left_out`.

    Raises
    ------
    Refusal
        Nothing can be read, or more rows than not are no games.
    """
    told = mapping or Mapping()
    games: list[Game] = []
    left_out: list[LeftOut] = []
    notes: list[str] = []
    if counts is not None:
        if files:
            raise Refusal("--counts stands in place of files: give one or the other")
        games, notes = games_of_counts(counts, told.players)
        sources: list[dict[str, Any]] = [{"counts": counts}]
    else:
        if not files:
            raise Refusal(
                "import: name a file of games, or --counts '97 of 156' (--template writes an example)"
            )
        if len({Path(file).name for file in files}) < len(files):
            raise Refusal(
                "import: two files have the same name: rename one, so that rows can say where they are from"
            )
        sheets = [read_sheet(Path(file)) for file in files]
        _check_headings(sheets, told)
        for sheet in sheets:
            columns = columns_of(sheet.name, sheet.heads, told)
            style = style_of(sheet, columns, told)
            left_out += sheet.left_out
            notes += [f"{sheet.name}: {note}" for note in (*sheet.notes, *_said(columns, style))]
            for one in games_of(sheet, columns, told, style):
                if isinstance(one, Game):
                    games.append(one)
                else:
                    left_out.append(one)
        sources = [
            {
                "file": Path(f).name,
                "sha256": hashlib.sha256(Path(f).read_bytes()).hexdigest(),
                "rows": len(s.rows),
            }
            for f, s in zip(files, sheets)
        ]
        total = sum(len(sheet.rows) + len(sheet.left_out) for sheet in sheets)
        _check_left_out(left_out, total, games, strict)
    manifest, cells, tables = _tables(games, told, [Path(f).stem for f in files])
    manifest["imported"] = {
        "sources": sources,
        "left_out": len(left_out),
        "reasons": [str(one) for one in left_out[:20]],
        "notes": notes,
        "mapping": asdict(told),
    }
    return Imported(manifest, cells, tables, sorted(left_out, key=lambda one: (one.file, one.line)), notes)


def _check_headings(sheets: Sequence[Sheet], told: Mapping) -> None:
    heads = {head.casefold(): head for sheet in sheets for head in sheet.heads}
    for heading in told.columns:
        if heading.casefold() not in heads:
            raise Refusal(
                f"--map: no file has a column '{heading}'{nearest(heading, heads.values())} "
                f"(columns are {', '.join(heads.values())})"
            )


def _said(columns: Columns, style: Style) -> list[str]:
    said = ["numbers have a decimal comma"] if style.comma else []
    if style.base is not None:
        said.append(f"seats count from {style.base} ({style.base_why}): seat {style.base} is Seat A")
    if columns.row_a_seat and "seat" not in columns.game:
        said.append("no column says the seat: seats are the order in which the rows of a game stand")
    if columns.own:
        said.append(f"kept as they are, for their headings mean nothing known: {', '.join(columns.own)}")
    return said


def _check_left_out(left_out: Sequence[LeftOut], total: int, games: Sequence[Game], strict: bool) -> None:
    if left_out and (strict or not games or len(left_out) > MOST_LEFT_OUT * total):
        first = "; ".join(str(one) for one in left_out[:3])
        more = f"; and {len(left_out) - 3} more" if len(left_out) > 3 else ""
        raise Refusal(f"import: {len(left_out):,} of {total:,} rows cannot be read: {first}{more}")


def _tables(
    games: Sequence[Game], told: Mapping, stems: Sequence[str]
) -> tuple[dict[str, Any], pl.DataFrame, dict[str, pl.DataFrame]]:
    import polars as pl

    versions = list(dict.fromkeys(game.text.get("version") for game in games))
    cell_of = {version: k for k, version in enumerate(versions)}
    varied = len(versions) > 1
    sizes = [sum(1 for game in games if game.text.get("version") == v) for v in versions]
    cells = pl.DataFrame({"cell": pl.Series(range(len(versions)), dtype=pl.Int32)})
    if varied:
        names = [v if v is not None else "not said" for v in versions]
        cells = cells.with_columns(version=pl.Series(names, dtype=pl.String))
    cells = cells.with_columns(games=pl.Series(sizes, dtype=pl.Int64))
    players = list(dict.fromkeys(c.player for game in games for c in game.chairs if c.player))
    if players and any(c.player is None for game in games for c in game.chairs):
        players.append(NOT_NAMED)
    table = _of_games(games, cell_of)
    seats, pieces = _of_chairs(games, cell_of, players)
    kinds = sorted(set(pieces["piece"].to_list())) if pieces is not None else []
    categories: dict[str, list[str]] = {"piece": kinds, "player": players}
    if "deck" in seats.columns:
        categories["deck"] = sorted(set(seats["deck"].drop_nulls().to_list()))
    if "ended" in table.columns:
        categories["ended"] = [FINISHED, STOPPED]
    name = told.name or (stems[0] if stems else "counts")
    manifest: dict[str, Any] = {
        "schema": 2,
        "name": name,
        "question": told.question,
        "game": told.game or "imported",
        "log": "pieces" if pieces is not None else "games",
        "rotations": None,
        "factors": ["version"] if varied else [],
        "drawn": {},
        "lever": None,
        "judge": told.judge,
        "categories": {kind: values for kind, values in categories.items() if values},
        "bots_used": [],
        "card": {"title": told.game or name},
    }
    tables = {"games": table, "seats": seats, **({} if pieces is None else {"pieces": pieces})}
    manifest["schema_tables"] = {
        key: {
            c: "Enum" if c in manifest["categories"] and kind == pl.String else str(kind)
            for c, kind in f.schema.items()
        }
        for key, f in tables.items()
    }
    return manifest, cells, tables


def _of_games(games: Sequence[Game], cell_of: dict[str | None, int]) -> pl.DataFrame:
    import polars as pl

    def column(values: list[Any], kind: Any) -> pl.Series | None:
        return pl.Series(values, dtype=kind) if any(v is not None for v in values) else None

    best = [sorted((c.score for c in g.chairs if c.score is not None), reverse=True) for g in games]
    lead = [abs(b[0] - b[1]) if len(b) == len(g.chairs) else None for b, g in zip(best, games)]
    winners = [[k for k, share in enumerate(g.shares) if share > 0] for g in games]
    ids = range(len(games))
    columns: dict[str, pl.Series | None] = {
        "game_id": pl.Series(ids, dtype=pl.Int64),
        "cell": pl.Series([cell_of[g.text.get("version")] for g in games], dtype=pl.Int32),
        "deal": pl.Series(ids, dtype=pl.Int64),
        "players": pl.Series([len(g.chairs) for g in games], dtype=pl.Int8),
        "first_seat": column([g.first for g in games], pl.Int8),
        "turns": column([g.turns for g in games], pl.Int32),
        "minutes": column([g.minutes for g in games], pl.Float64),
        "ended": column(
            [None if g.early is None else STOPPED if g.early else FINISHED for g in games], pl.String
        ),
        "winner": pl.Series([w[0] if len(w) == 1 else None for w in winners], dtype=pl.Int8),
        "tied": pl.Series([round(1 / max(g.shares)) for g in games], dtype=pl.Int8),
        "margin": column(lead, pl.Float64),
        "source": pl.Series([f"{g.file}:{g.line}" if g.line else g.file for g in games], dtype=pl.String),
    }
    for name in ("date", "group", "map", "bans"):
        columns[name] = column([g.text.get(name) for g in games], pl.String)
    columns["named"] = column([g.text.get("game") for g in games], pl.String)
    for head in dict.fromkeys(head for g in games for head in g.own):
        columns[_free(head, columns)] = _own([g.own.get(head) or None for g in games])
    return pl.DataFrame({name: values for name, values in columns.items() if values is not None})


def _free(head: str, taken: Any) -> str:
    return f"{head} (file)" if head in taken or head in TAKEN else head


def _own(texts: list[str | None]) -> pl.Series | None:
    """A column of the user's own: numbers where all are, else text."""
    import polars as pl

    if not any(texts):
        return None
    try:
        return pl.Series([None if t is None else number(t, "," in t) for t in texts], dtype=pl.Float64)
    except Unclear:
        return pl.Series(texts, dtype=pl.String)


def _of_chairs(
    games: Sequence[Game], cell_of: dict[str | None, int], players: list[str]
) -> tuple[pl.DataFrame, pl.DataFrame | None]:
    import polars as pl

    code = {name: k for k, name in enumerate(players)}
    rows: list[dict[str, Any]] = []
    held: list[dict[str, Any]] = []
    for game_id, game in enumerate(games):
        cell = cell_of[game.text.get("version")]
        teams = list(dict.fromkeys(c.team or letter(k) for k, c in enumerate(game.chairs)))
        ranks = _ranks(game)
        for seat, (chair, share) in enumerate(zip(game.chairs, game.shares)):
            head = {"game_id": game_id, "cell": cell, "seat": seat}
            rows.append(
                {
                    **head,
                    "deal": game_id,
                    "player": code.get(chair.player or NOT_NAMED),
                    "team": teams.index(chair.team or letter(seat)),
                    "deck": chair.deck,
                    "score": chair.score,
                    "rank": ranks[seat],
                    "win_share": share,
                    **{_free(name, TAKEN): text or None for name, text in chair.own.items()},
                }
            )
            for piece, n in (chair.cards or {}).items():
                held.append({**head, "win_share": share, "piece": piece, "owned": n})
    kinds: dict[str, Any] = {
        "game_id": pl.Int64, "cell": pl.Int32, "deal": pl.Int64, "seat": pl.Int8, "player": pl.Int32, "team": pl.Int8,
        "deck": pl.String, "score": pl.Float64, "rank": pl.Int8, "win_share": pl.Float64,
    }  # fmt: skip
    own = dict.fromkeys((name for row in rows for name in row if name not in kinds), pl.String)
    seats = pl.DataFrame(rows, schema={**kinds, **own})
    some = [name for name in seats.columns if seats[name].null_count() == seats.height]
    # places are known of all, or they are told by the shares of the win
    seats = seats.drop(dict.fromkeys([*some, *(["rank"] if seats["rank"].null_count() else [])]))
    if not held:
        return seats, None
    kinds = {name: kinds[name] for name in ("game_id", "cell", "seat", "win_share")}
    return seats, pl.DataFrame(held, schema={**kinds, "piece": pl.String, "owned": pl.Int16})


def _ranks(game: Game) -> list[int | None]:
    """Places: as they were written, else winners first and the others by their scores, where these are known."""
    places = [chair.place for chair in game.chairs]
    if all(p is not None for p in places):
        return list(places)
    scores = [chair.score for chair in game.chairs if chair.score is not None]
    top = max(game.shares)
    if len(scores) < len(game.chairs):
        last = 2 if len(game.chairs) == 2 else None
        return [1 if share == top else last for share in game.shares]
    winners = [s for s, share in zip(scores, game.shares) if share == top]
    others = [s for s, share in zip(scores, game.shares) if share < top]
    low = bool(others) and min(winners) < max(others)
    out: list[int | None] = []
    for s, share in zip(scores, game.shares):
        ahead = sum((o < s) if low else (o > s) for o in others)
        out.append(1 if share == top else len(winners) + 1 + ahead)
    return out
