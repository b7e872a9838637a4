"""Read the copies of the files again: are the rows of a data set what its files say?"""

from __future__ import annotations

from collections.abc import Mapping as Table
from pathlib import Path
from typing import Any

from analysis.data.errors import Refusal
from analysis.data.importing.headings import Mapping
from analysis.data.importing.tables import import_games


def differing(folder: Path, manifest: Table[str, Any]) -> list[str]:
    """What of an imported data set is not what its files say, one line each; none when all is as it was read."""
    import polars as pl

    from analysis.data.dataset import load

    read = manifest.get("imported") or {}
    sources = read.get("sources") or []
    counts = next((s["counts"] for s in sources if "counts" in s), None)
    files = [folder / "inputs" / s["file"] for s in sources if "file" in s]
    if missing := [file for file in files if not file.is_file()]:
        return [f"'{missing[0]}' is missing: the games cannot be read again"]
    if not sources or (counts is not None and Path(counts).suffix):
        return []  # made by hand, or a table of wins in a file of the user's own
    try:
        found = import_games(files, Mapping(**(read.get("mapping") or {})), counts)
        there = load(folder)
    except (Refusal, TypeError) as error:
        return [f"'{folder}': the files cannot be read again: {error}"]
    texts = pl.selectors.by_dtype(pl.Enum, pl.Categorical)
    out = []
    for table, frame in found.tables.items():
        kept = there.table(table).with_columns(texts.cast(pl.String)).select(frame.columns).collect()
        if not kept.equals(frame.with_columns(texts.cast(pl.String))):
            out.append(f"'{folder / table}': the files, read again, do not give the same rows")
    return out
