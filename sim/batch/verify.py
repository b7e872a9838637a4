"""Is a data set what its games were? Re-hash every part, replay a sample of games to the same rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sim.batch.dry_run import task_of
from sim.batch.manifest import is_played, open_folder
from sim.batch.plan import Plan
from sim.batch.progress import quiet, slow_note
from sim.batch.runner import COMPILING
from sim.batch.store import CELLS, COMMITS, MANIFEST, broken, read_commits, read_manifest
from sim.core.errors import Refusal

MOST_PARTS = 20
"""Parts that the sample of replayed games is spread over."""


@dataclass
class Verdict:
    """What `verify` found.

    Attributes
    ----------
    problems
        One line each, naming the file; none when the data set is sound.
    parts, games
        Files hashed, and games committed.
    replayed
        Games played again, with the same rows.
    unplayable
        Why no game could be replayed, "" when it could.
    recorded
        Whether the games were imported or made by hand: then there is nothing to replay.
    """

    folder: Path
    problems: list[str] = field(default_factory=list)
    parts: int = 0
    games: int = 0
    replayed: int = 0
    unplayable: str = ""
    recorded: bool = False

    def data(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {**vars(self), "folder": str(self.folder), "ok": not self.problems and not self.unplayable}


def verify(folder: Path, sample: int = 200, news: Callable[[str], None] = quiet) -> Verdict:
    """Check a data set.

    Parameters
    ----------
    folder
        A data set.
    sample
        How many games to play again (0: none).
    news
        Called with lines on what is going on.

    Raises
    ------
    Refusal
        `folder` is no data set at all.
    """
    found = Verdict(folder)
    if not (folder / MANIFEST).is_file():
        read_manifest(folder)  # refuses, saying why
    try:
        manifest = read_manifest(folder)
        commits = read_commits(folder)
        table = Path(folder / CELLS).read_bytes()
    except Refusal as error:
        found.problems.append(str(error))
        return found
    except OSError as error:
        found.problems.append(f"'{error.filename}' cannot be read: {error.strerror}")
        return found
    if table[:4] != b"PAR1" or table[-4:] != b"PAR1":
        found.problems.append(f"'{folder / CELLS}' is damaged")
    _check_parts(folder, manifest, commits, found)
    found.recorded = not is_played(manifest)
    if not found.problems and sample and commits and not found.recorded:
        _replay_sample(folder, commits, sample, news, found)
    return found


def _check_parts(
    folder: Path, manifest: dict[str, Any], commits: list[dict[str, Any]], found: Verdict
) -> None:
    tables = set(manifest.get("schema_tables") or {})
    for number, entry in enumerate(commits, start=1):
        found.games += int(entry.get("games") or entry["parts"].get("games", {}).get("rows") or 0)
        if tables and set(entry["parts"]) != tables:
            found.problems.append(
                f"'{folder / COMMITS}', line {number}: the tables are not those of the manifest"
            )
        found.parts += len(entry["parts"])
    for file, matter in broken(folder, commits, deep=True).items():
        found.problems.append(f"'{folder / file}' {matter}")


def _replay_sample(
    folder: Path, commits: list[dict[str, Any]], sample: int, news: Callable[[str], None], found: Verdict
) -> None:
    from sim.batch.engine import warm_up

    try:
        _, _, plan = open_folder(folder)
    except Refusal as error:
        found.unplayable = str(error)
        return
    with slow_note(COMPILING, quiet if getattr(plan.game, "plain", False) else news):
        warm_up(plan.game, plan.bot_names, plan.experiment.log, plan.cells)
    picked = [commits[i] for i in sorted(set(np.linspace(0, len(commits) - 1, MOST_PARTS).astype(int)))]
    each = -(-sample // len(picked))
    for entry in picked:
        for table, games, same in _replayed(folder, entry, plan, each):
            if not same:
                path = folder / entry["parts"][table]["file"]
                found.problems.append(f"'{path}': games played again do not have the same rows")
            elif table == "games":
                found.replayed += games


def _replayed(folder: Path, entry: dict[str, Any], plan: Plan, most: int) -> Iterator[tuple[str, int, bool]]:
    """Play up to `most` games of a part again; yield (table, games, whether the rows are the same)."""
    import polars as pl

    from sim.batch.tables import frames
    from sim.batch.worker import cells_ready, play_games

    files = {table: folder / part["file"] for table, part in entry["parts"].items()}
    stored = pl.read_parquet(files["games"], columns=["game_id", "cell", "deal", "rotation", "series"])
    picked = sorted(set(np.linspace(0, stored.height - 1, min(most, stored.height)).astype(int).tolist()))
    rows = stored[picked]
    if plan.experiment.series:  # what bots do depends on the games before, so that whole series are played
        rows = stored.join(rows.select("cell", "series").unique(), on=["cell", "series"], how="semi")
        rows = rows.sort("game_id")
    cells = rows["cell"].unique().sort().to_list()
    specs = [plan.specs[cell] for cell in cells]
    task = task_of(plan)
    place = np.searchsorted(cells, rows["cell"].to_numpy()).astype(np.int32)
    game_id, deal, rotation = (rows[name].to_numpy() for name in ("game_id", "deal", "rotation"))
    ready = cells_ready(task, plan.game, specs)
    played = play_games(task, plan.game, specs, ready, game_id, deal, rotation, place)
    wanted = rows["game_id"]
    for table, frame in frames(task.tables, played, plan.game).items():
        there = pl.scan_parquet(files[table]).filter(pl.col("game_id").is_in(wanted.implode())).collect()
        keys = ("game_id", "seat", "round", "splitter", "piece", "pile", "taken", "turn", "ply")
        order = [name for name in keys if name in frame.columns]
        same = there.columns == frame.columns and there.sort(order).equals(frame.sort(order))
        yield table, rows.height, same
