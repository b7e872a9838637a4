"""What the finished reports were played with: a few games of each, written down, to be played again today.

A version of the rules moves whenever a file of the engine does, most often without any game going otherwise. So a
record keeps, beside the versions, some games of each report with their lines of play. While the versions are those of
the record nothing needs to be played; when they differ these games are, and only a game that goes otherwise makes a
report old.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from sim.batch.dry_run import task_of
from sim.batch.experiment import Experiment, read_experiment
from sim.batch.manifest import boards_version, bots_versions, read_manifest
from sim.batch.plan import Plan, make_plan
from sim.batch.tables import frames
from sim.batch.worker import CELL_SHIFT, cells_ready, play_games

REPORTS = Path(__file__).parents[2] / "reports"
RECORDS = REPORTS / "played"
COLUMNS = ("game_id", "turns", "decisions", "winner", "line")
EVERYWHERE, OF_A_BOT = 4, 1
"""Games of the cheapest bots, spread over the cells, and of every further kind of bot."""


@dataclass(frozen=True)
class Record:
    """What is kept of a finished report.

    Attributes
    ----------
    files
        The report's files, in `reports/`.
    command
        What makes it anew.
    game, rules_version, bots_versions, boards_version
        As in a manifest.
    experiment, inputs
        The experiment that was played, and the text of each file it names.
    games
        A row of `COLUMNS` for each game written down.
    """

    files: list[str]
    command: str
    game: str
    rules_version: str
    bots_versions: dict[str, str]
    boards_version: str
    experiment: dict[str, Any]
    inputs: dict[str, str] = field(default_factory=dict)
    games: list[list[int | None]] = field(default_factory=list)


def names() -> list[str]:
    """Return the names of all records."""
    return sorted(path.stem for path in RECORDS.glob("*.json"))


def read(name: str, folder: Path = RECORDS) -> Record:
    """Read a record."""
    return Record(**json.loads((folder / f"{name}.json").read_text(encoding="utf-8")))


def write(name: str, record: Record, folder: Path = RECORDS) -> Path:
    """Write a record, a game a line."""
    data = asdict(record)
    games = ",\n".join("  " + json.dumps(row) for row in data.pop("games"))
    head = json.dumps(data, indent=1, ensure_ascii=False)
    path = folder / f"{name}.json"
    path.write_text(head[:-2] + f',\n "games": [\n{games}\n ]\n}}\n', encoding="utf-8")
    return path


def plan_of(record: Record, folder: Path) -> Plan:
    """Return the plan of a record's experiment; the files it names are laid into `folder`."""
    for name, text in record.inputs.items():
        path = folder / "inputs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return make_plan(read_experiment(record.experiment, base=folder / "inputs", games=1))


def of_experiment(files: Sequence[str], command: str, experiment: Experiment) -> Record:
    """Play the games that a record of this experiment keeps, and return it."""
    plan = make_plan(experiment)
    return Record(
        list(files),
        command,
        plan.game.name,
        plan.game.rules_version,
        bots_versions(plan),
        boards_version(plan),
        experiment.canonical(),
        dict(experiment.files),
        played(plan, picked(plan)),
    )


def of_data_set(files: Sequence[str], command: str, folder: Path) -> Record:
    """Return the record of a report from its data set, whose rows and versions it takes; nothing is played."""
    import polars as pl

    manifest = read_manifest(folder)
    experiment = read_experiment(manifest["experiment"], base=folder / "inputs", games=1)
    plan = make_plan(experiment)
    wanted = picked(plan)
    rows = pl.scan_parquet(folder / "games" / "*.parquet").select(COLUMNS)
    found = {row[0]: _row(row) for row in rows.filter(pl.col("game_id").is_in(wanted)).collect().iter_rows()}
    return Record(
        list(files),
        command,
        plan.game.name,
        manifest["rules_version"],
        manifest["bots_versions"],
        manifest["boards_version"],
        experiment.canonical(),
        dict(experiment.files),
        [found[number] for number in wanted if number in found],
    )


def picked(plan: Plan) -> list[int]:
    """Return the numbers of a few games, cheap ones, in which every kind of bot of a plan plays."""

    def cost(cell: int) -> tuple[int, float]:
        labels = {player.label for player in plan.specs[cell].players}
        numbers = [value for p in plan.specs[cell].players for value in p.options.values()]
        return len(labels), sum(float(v) for v in numbers if isinstance(v, int | float))

    def kinds(cell: int) -> set[tuple[str, str]]:
        return {(p.bot, str(p.options.get("set", ""))) for p in plan.specs[cell].players}

    order = sorted(range(len(plan.specs)), key=cost)
    cheapest = [cell for cell in order if kinds(cell) == kinds(order[0]) and cost(cell) == cost(order[0])]
    spread = sorted({int(k) for k in np.linspace(0, len(cheapest) - 1, EVERYWHERE)})
    cells = [cheapest[k] for k in spread]
    games = [
        (cell << CELL_SHIFT) + k for cell in cells for k in _first(plan, cell, -(-EVERYWHERE // len(cells)))
    ]
    seen = set().union(*map(kinds, cells))
    for cell in order:
        if kinds(cell) - seen:
            seen |= kinds(cell)
            games += [(cell << CELL_SHIFT) + k for k in _first(plan, cell, OF_A_BOT)]
    return games


def _first(plan: Plan, cell: int, least: int) -> range:
    """Return the numbers of the first games of a cell; whole series where there are any."""
    return range(len(plan.orders[cell]) if plan.experiment.series else least)


def played(plan: Plan, games: Iterable[int]) -> list[list[int | None]]:
    """Play games of a plan, by their numbers; return a row of `COLUMNS` for each.

    Each kind of bots is played by itself: its kernels are then those of other tests.
    """
    groups: dict[tuple[str, ...], list[int]] = {}
    for number in games:
        bots = tuple(sorted({player.bot for player in plan.specs[number >> CELL_SHIFT].players}))
        groups.setdefault(bots, []).append(number)
    rows: dict[Any, list[int | None]] = {}
    for bots, numbers in groups.items():
        rows |= {row[0]: row for row in _played(plan, bots, sorted(numbers))}
    return [rows[number] for number in games]


def _played(plan: Plan, bots: tuple[str, ...], numbers: list[int]) -> list[list[int | None]]:
    game_id = np.array(numbers, dtype=np.int64)
    cells = sorted({number >> CELL_SHIFT for number in numbers})
    specs = [plan.specs[cell] for cell in cells]
    task = replace(task_of(plan), bots=bots, log="decisions")
    ready = cells_ready(task, plan.game, specs)
    place = np.searchsorted(cells, game_id >> CELL_SHIFT).astype(np.int32)
    index = game_id - ((game_id >> CELL_SHIFT) << CELL_SHIFT)
    size = np.array([len(turning) for _, turning in ready])[place]
    deal = task.first_deal + (index if task.series else index // size)
    if not task.share_deals:
        deal = (np.array(cells, dtype=np.int64)[place] << CELL_SHIFT) + deal
    rotation = (index % size).astype(np.int16)
    found = play_games(task, plan.game, specs, ready, game_id, deal, rotation, place)
    frame = frames(task.tables, found, plan.game)["games"].select(COLUMNS)
    return [_row(row) for row in frame.iter_rows()]


def _row(values: Iterable[Any]) -> list[int | None]:
    return [None if value is None else int(value) for value in values]


def moved(record: Record, plan: Plan) -> list[str]:
    """Return which versions of a record are others today; when there are none its games need no playing."""
    here: dict[str, Any] = {"rules": plan.game.rules_version, "boards": boards_version(plan)}
    here |= {f"bot {name}": version for name, version in bots_versions(plan).items()}
    there: dict[str, Any] = {"rules": record.rules_version, "boards": record.boards_version}
    there |= {f"bot {name}": version for name, version in record.bots_versions.items()}
    return [what for what in here | there if here.get(what) != there.get(what)]


def bots_of(plan: Plan, row: Sequence[Any]) -> list[Any]:
    """Return who plays the game of a row."""
    return list(plan.specs[int(row[0]) >> CELL_SHIFT].players)


def otherwise(record: Record, plan: Plan, bots: Collection[str] | None = None) -> list[str]:
    """Play the games of a record, or those that only such bots play; return a line for each that goes otherwise."""
    found = []
    chosen = [r for r in record.games if bots is None or {p.bot for p in bots_of(plan, r)} <= set(bots)]
    for old, new in zip(chosen, played(plan, [int(row[0] or 0) for row in chosen]), strict=True):
        if old != new:
            labels = "+".join(dict.fromkeys(p.label for p in bots_of(plan, old)))
            pairs = zip(COLUMNS, old, new)
            what = ", ".join(f"{name} {b}, was {a}" for name, a, b in pairs if a != b and name != "line")
            found.append(f"game {old[0]} ({labels}): {what or 'another line of play'}")
    return found
