"""The parts of a written data set: which are committed, whether they are whole, and what types they have."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.data.errors import Refusal

if TYPE_CHECKING:
    import polars as pl

TABLES = ("games", "seats", "pieces", "drafts", "turns", "decisions")


def read_commits(path: Path) -> list[dict[str, Any]]:
    """Committed chunks in the order of their first game; a torn last line is ignored.

    Sorting makes every later step independent of the order in which workers finished.
    """
    if not path.is_file():
        raise Refusal(f"{path.parent}: damaged, commits.jsonl is missing")
    lines = path.read_bytes().split(b"\n")
    while lines and not lines[-1].strip():
        lines.pop()
    commits: list[dict[str, Any]] = []
    for number, line in enumerate(lines, start=1):
        try:
            entry = json.loads(line)
            if not isinstance(entry, dict) or "parts" not in entry:
                raise ValueError("no parts")
        except (ValueError, RecursionError) as error:
            if number == len(lines):
                break
            raise Refusal(f"{path} line {number}: damaged, not a committed chunk ({error})") from None
        commits.append(entry)
    if not commits:
        raise Refusal(f"{path.parent}: no chunk of games is finished yet")
    chunks = [entry.get("chunk") for entry in commits]
    if len(set(chunks)) < len(chunks):
        twice = next(chunk for chunk in chunks if chunks.count(chunk) > 1)
        raise Refusal(f"{path}: damaged, chunk {twice} is committed twice")
    return sorted(commits, key=lambda entry: (entry.get("first_game_id", 0), entry.get("chunk", 0)))


def read_cells(path: Path) -> pl.DataFrame:
    pl = _pl()
    if not path.is_file():
        raise Refusal(f"{path.parent}: damaged, cells.parquet is missing")
    try:
        return pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise Refusal(f"{path}: damaged ({_first_line(error)})") from None


def committed(
    folder: Path, manifest: Mapping[str, Any]
) -> tuple[list[dict[str, Any]], dict[str, pl.LazyFrame]]:
    """The commit log and scans of the parts that it names.

    Small parts may be put together and removed between reading the log and looking for them: then the log says so by
    now, and is read again.
    """
    while True:
        commits = read_commits(folder / "commits.jsonl")
        try:
            return commits, scan_parts(folder, commits, manifest)
        except Refusal:
            if read_commits(folder / "commits.jsonl") == commits:
                raise


def scan_parts(
    folder: Path, commits: list[dict[str, Any]], manifest: Mapping[str, Any]
) -> dict[str, pl.LazyFrame]:
    """Lazy scans of the committed parts, after their files, rows and types were checked."""
    pl = _pl()
    tables: dict[str, Any] = {}
    for name in TABLES:
        parts = [entry["parts"][name] for entry in commits if name in entry["parts"]]
        if not parts:
            continue
        if len(parts) < len(commits):
            raise Refusal(f"{folder}: damaged, {len(commits) - len(parts)} chunks have no {name}")
        files = _whole(folder, name, parts)
        frame = pl.scan_parquet(files)
        try:
            schema = frame.collect_schema()
            # an older data set does not tell the size of a part: the ends of all files are read instead
            if any("bytes" not in part for part in parts):
                _check_rows(folder / name, int(frame.select(pl.len()).collect().item()), parts)
        except (pl.exceptions.PolarsError, OSError) as error:
            raise Refusal(f"{folder}/{name}: damaged ({_first_line(error)})") from None
        for column in (manifest.get("schema_tables") or {}).get(name, {}):
            if column not in schema.names():
                raise Refusal(f"{folder}/{name}: damaged, column '{column}' is missing")
        tables[name] = with_categories(frame, manifest)
    if "games" not in tables or "seats" not in tables:
        raise Refusal(f"{folder}: damaged, no games or no seats are committed")
    return tables


def _whole(folder: Path, table: str, parts: list[dict[str, Any]]) -> list[str]:
    """Return the files of the parts, each there and as long as it was written."""
    files = []
    for part in parts:
        file = f"{folder}/{part['file']}"
        try:
            size = os.stat(file).st_size
        except OSError:
            raise Refusal(f"{file}: damaged, a committed part is missing") from None
        if size != part.get("bytes", size):
            raise Refusal(f"{file}: damaged, {size:,} bytes where {part['bytes']:,} were committed")
        files.append(file)
    return files


def _check_rows(where: Path, rows: int, parts: list[dict[str, Any]]) -> None:
    promised = sum(int(part["rows"]) for part in parts)
    if rows != promised:
        raise Refusal(f"{where}: damaged, {rows:,} rows where {promised:,} were committed")


def with_categories(frame: pl.LazyFrame, manifest: Mapping[str, Any]) -> pl.LazyFrame:
    """Text columns that have a fixed list of categories become Enums; written Enums stay as they are."""
    pl = _pl()
    categories = manifest.get("categories") or {}
    schema = frame.collect_schema()
    casts = [
        pl.col(column).cast(pl.Enum([str(c) for c in categories[column]]))
        for column in schema.names()
        if column in categories and schema[column] in (pl.String, pl.Categorical)
    ]
    return frame.with_columns(casts) if casts else frame


def _first_line(error: BaseException) -> str:
    return str(error).split("\n", 1)[0]


def _pl() -> Any:
    import polars

    return polars
