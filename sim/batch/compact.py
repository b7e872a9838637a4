"""Fewer and larger files for a data set of many chunks: the same rows, the same commit log in short.

Workers write a part a chunk, so that little is lost when one dies. Who reads ten thousand parts pays for opening each.
Chunks that follow each other are put together here, up to `MOST_ROWS` rows of their longest table; their line in the
commit log then says which chunks of the layout it covers, so that a run goes on behind them. New parts are written
first, then the log is replaced in one step, then what it does not name any more is removed: killed at any moment, the
folder holds all games once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.batch import store
from sim.batch.progress import quiet
from sim.core.errors import Refusal

MOST_ROWS = 1 << 21
"""Rows of the longest table of a part; in memory they take about 100 MB."""
STEPS = 10
"""How often the log is replaced at most: each time, room for that share of the data is needed twice."""


@dataclass(frozen=True)
class Compacted:
    """Committed lines and files before and after."""

    folder: Path
    lines_before: int
    lines: int
    files_before: int
    files: int


def compact(folder: Path, most_rows: int = MOST_ROWS, news: Callable[[str], None] = quiet) -> Compacted:
    """Put the small parts of a data set together.

    Parameters
    ----------
    folder
        A data set that no run is writing to.
    most_rows
        Rows of the longest table of a part.
    news
        Called with lines on what is going on.

    Raises
    ------
    Refusal
        It is no data set, a run is writing to it, or a part is not what was committed.
    """
    store.read_manifest(folder)  # refuses what is no data set
    with store.locked(folder):
        before = store.read_commits(folder, cut=True)
        store.check_parts(folder, before)
        left = sorted(before, key=lambda entry: int(entry["chunk"]))
        groups = [group for group in grouped(left, most_rows) if len(group) > 1]
        step = -(-sum(map(len, groups)) // STEPS)
        done: dict[int, dict[str, Any]] = {}  # new lines by the number of their first chunk
        gone: set[int] = set()
        for number, group in enumerate(groups, start=1):
            done[group[0]["chunk"]] = merged(folder, group)
            gone |= {entry["chunk"] for entry in group}
            if len(gone) >= step or number == len(groups):
                left = [done.get(e["chunk"], e) for e in left if e["chunk"] in done or e["chunk"] not in gone]
                lines = b"".join(json.dumps(entry).encode() + b"\n" for entry in left)
                store.write_bytes(folder / store.COMMITS, lines)
                store.sweep(folder, left)
                news(f"{number:,} of {len(groups):,} large parts written")
                done, gone = {}, set()
        store.sweep(folder, left)
    return Compacted(folder, len(before), len(left), _files(before), _files(left))


def _files(entries: Sequence[dict[str, Any]]) -> int:
    return sum(len(entry["parts"]) for entry in entries)


def grouped(entries: Sequence[dict[str, Any]], most_rows: int) -> Iterator[list[dict[str, Any]]]:
    """Yield lines of the log, in order, that make a part together.

    Their numbers follow each other without a gap: who looks at a run that is going on reads up to the first chunk that
    is missing (`analysis.targets.looks`), and must be able to tell which that is.
    """
    group: list[dict[str, Any]] = []
    for entry in entries:
        if group and not (_follows(group[-1], entry) and _rows([*group, entry]) <= most_rows):
            yield group
            group = []
        group.append(entry)
    if group:
        yield group


def _follows(one: dict[str, Any], other: dict[str, Any]) -> bool:
    told = all("of" in entry or "covers" in entry for entry in (one, other))
    return told and store.last_chunk(one) + 1 == other["chunk"] and set(one["parts"]) == set(other["parts"])


def _rows(group: Sequence[dict[str, Any]]) -> int:
    return max(sum(entry["parts"][table]["rows"] for entry in group) for table in group[0]["parts"])


def merged(folder: Path, group: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Write the parts of a group as one each and return its line of the log."""
    import polars as pl

    # A fault that is not seen here would get a hash that fits.
    for file, matter in store.broken(folder, group, deep=True).items():
        raise Refusal(
            f"'{folder}' is damaged: '{file}' {matter}; `whimbrel run` with --repair plays it again"
        )
    first, last = group[0]["chunk"], store.last_chunk(group[-1])
    parts = {}
    for table in group[0]["parts"]:
        frames = [pl.read_parquet(folder / entry["parts"][table]["file"]) for entry in group]
        parts[table] = store.write_part(folder, table, first, pl.concat(frames))
    return {
        "chunk": first,
        "last": last,
        "covers": [part for entry in group for part in store.covered(entry)],
        "games": sum(entry["games"] for entry in group),
        "first_game_id": min(entry["first_game_id"] for entry in group),
        "parts": parts,
    }
