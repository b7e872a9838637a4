"""The data sets of a folder: what each one asks, how much of it is played, and under which rules."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sim.batch.manifest import game_of, is_played, other_versions
from sim.batch.store import COMMITS, MANIFEST, check_parts, read_commits, read_manifest
from sim.core.errors import Refusal

DEEP = 2
"""Folders below the one that is listed."""


def studies(folder: Path) -> list[dict[str, Any]]:
    """The data sets in a folder (or the folder itself), newest first, damaged ones last.

    Returns
    -------
    list of dict
        ``folder, name, question, game, games, planned, rules_version, old`` (what is of another version now),
        ``last_chunk`` (ISO, UTC), ``report`` and ``damaged``: what is wrong, or None.

    Raises
    ------
    Refusal
        No such folder.
    """
    if not folder.is_dir():
        raise Refusal(f"there is no folder '{folder}'")
    rows = [_study(place) for place in _places(folder)]
    return sorted(rows, key=lambda row: (row["damaged"] is None, row["last_chunk"] or ""), reverse=True)


def _places(folder: Path) -> list[Path]:
    def here(place: Path) -> bool:
        return (place / MANIFEST).exists() or (place / COMMITS).exists()

    if here(folder):
        return [folder]
    found, level = [], [folder]
    for _ in range(DEEP):
        below = [
            p for one in level for p in sorted(one.iterdir()) if p.is_dir() and not p.name.startswith(".")
        ]
        found += [place for place in below if here(place)]
        level = [place for place in below if not here(place)]
    return found


def _study(place: Path) -> dict[str, Any]:
    row: dict[str, Any] = {
        "folder": str(place),
        "name": place.name,
        "question": None,
        "game": None,
        "games": 0,
    }
    row |= {
        "planned": None,
        "rules_version": None,
        "old": [],
        "last_chunk": None,
        "report": None,
        "damaged": None,
    }
    commits = place / COMMITS
    if commits.exists():
        row["last_chunk"] = datetime.fromtimestamp(commits.stat().st_mtime, UTC).isoformat(timespec="seconds")
    try:
        manifest = read_manifest(place)
        committed = read_commits(place)
        check_parts(place, committed)
    except (Refusal, OSError, ValueError, KeyError, TypeError) as error:
        row["damaged"] = str(error) or type(error).__name__
        return row
    row |= {key: manifest.get(key) for key in ("question", "game", "rules_version")}
    row["name"] = manifest.get("name") or place.name
    row["games"] = sum(int(entry.get("games") or 0) for entry in committed)
    row["planned"] = _planned(place)
    reports = sorted(place.glob("*.html"), key=lambda path: path.stat().st_mtime)
    row["report"] = str(reports[-1]) if reports else None
    if is_played(manifest):
        try:
            row["old"] = other_versions(place, manifest, game_of(place, manifest))
        except Refusal as refusal:
            row["old"] = [str(refusal)]
    return row


def _planned(place: Path) -> int | None:
    """Games in all cells; None where they were not planned."""
    import polars as pl

    from sim.batch.store import CELLS

    if not (place / CELLS).exists():
        return None
    cells = pl.read_parquet(place / CELLS)
    return int(cells["games"].sum()) if "games" in cells.columns else None
