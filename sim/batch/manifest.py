"""The manifest of a data set, and the rest of its head: experiment, inputs, cells."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from sim.batch import screening, seat_points
from sim.batch.experiment import Experiment, read_experiment
from sim.batch.plan import Plan, make_plan
from sim.batch.store import (
    CELLS,
    EXPERIMENT,
    MANIFEST,
    parquet_bytes,
    read_manifest,
    write_bytes,
    write_json,
)
from sim.batch.toml_text import to_toml
from sim.core.errors import Refusal


def versions() -> dict[str, str]:
    """Return the versions that rows may depend on."""
    found = {"python": platform.python_version()}
    for name in ("numpy", "numba", "polars"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def bots_versions(plan: Plan) -> dict[str, str]:
    """Return the version of each bot that plays, by the name that data sets know it by."""
    from sim.core.bots import bot_version, shown

    return {shown(name): bot_version(name, plan.game) for name in plan.bot_names}


def boards_version(plan: Plan) -> str:
    """Return 8 hex digits over what the cells are played on: boards, decks and numbers, as the game prepared them."""
    digest = hashlib.sha256()
    for cell in plan.cells:
        records: list[Any] = [getattr(cell, "rules", None), getattr(cell, "entrants", None)]
        for record in records:
            if getattr(getattr(record, "dtype", None), "names", None) is not None:
                for name in record.dtype.names:  # by field: what lies between them means nothing
                    digest.update(record[name].tobytes())
    return digest.hexdigest()[:8]


def make_manifest(plan: Plan, targets: Sequence[int]) -> dict[str, Any]:
    """Return the manifest of a data set with so many games a cell, by tier of play."""
    from sim import __version__

    experiment, tables = plan.experiment, plan.tables()
    levers = [cell.lever for cell in plan.cells if cell.lever is not None]
    totals = {cell.piece_total for cell in plan.cells}
    return {
        "schema": 2,
        "whimbrel": __version__,
        "name": experiment.name,
        "question": experiment.question,
        "design_version": experiment.design_version,
        "game": plan.game.name,
        "rules_version": plan.game.rules_version,
        "bots_versions": bots_versions(plan),
        "boards_version": boards_version(plan),
        "experiment": experiment.canonical(),
        "experiment_hash": experiment.hash(),
        "seed": experiment.seed,
        "log": experiment.log,
        "design": experiment.design,
        "screen": _screen(plan),
        "share_deals": experiment.share_deals,
        "rotations": plan.rotated,
        "series": experiment.series,
        "games_per_cell": targets[0],
        "tiers": [
            {"bot": bot, "games": n, "bots": plan.bots_in(cells)}
            for (bot, _), n, cells in zip(experiment.tiers, targets, plan.tiers)
        ]
        or None,
        "players_max": tables.players_max,
        "factors": plan.factors,
        "drawn": plan.drawn,
        "lever": _one_lever(levers),
        "piece_total": totals.pop() if len(totals) == 1 else None,
        "judge": experiment.judge,
        "pace": experiment.pace or None,
        "stop": {**experiment.stop, **plan.looks} or None,
        "categories": {kind: list(names) for kind, names in tables.categories.items()},
        "schema_tables": tables.schema(),
        "stand_ins_run": {"names": list(experiment.over), "bases": experiment.bases}
        if experiment.over
        else None,
        "skipped_cells": [{"cell": cell, "reason": reason} for cell, reason in plan.skipped],
        **({"places": _places(plan)} if experiment.log == "decisions" else {}),
        "card": _card(plan),
        "bots_used": plan.bots,
        "versions": versions(),
    }


def _card(plan: Plan) -> dict[str, Any]:
    card = plan.game.card(plan.cells[0].parameters)
    more = seat_points.rows_of([spec.points for spec in plan.specs])
    return {**card, "parameters": [*card["parameters"], *more]} if more else dict(card)


def _places(plan: Plan) -> dict[str, Any] | None:
    """Return the boards on which actions put pieces, each once, and the board of each cell; None: there are none."""
    boards: list[Any] = []
    of_cell: list[int | None] = []
    for cell in plan.cells:
        board = plan.game.places(cell) if hasattr(plan.game, "places") else None
        if board is not None and board not in boards:
            boards.append(board)
        of_cell.append(None if board is None else boards.index(board))
    return {"boards": boards, "of_cell": of_cell} if boards else None


def _screen(plan: Plan) -> dict[str, Any] | None:
    """Return which level each number has in each cell of a screen; None where nothing is screened."""
    experiment = plan.experiment
    if experiment.design != "screen":
        return None
    return screening.told(experiment.vary, len(plan.specs))


def write_head(folder: Path, plan: Plan, targets: Sequence[int]) -> None:
    """Write experiment, inputs, cells, and last the manifest: a folder with a manifest is complete."""
    experiment = plan.experiment
    if experiment.files:
        (folder / "inputs").mkdir(exist_ok=True)
        for name, text in experiment.files.items():
            (folder / "inputs" / name).parent.mkdir(parents=True, exist_ok=True)
            write_bytes(folder / "inputs" / name, text.encode())
    text = to_toml({"name": experiment.name, "games": targets[0], **experiment.canonical(folder="inputs/")})
    write_bytes(folder / EXPERIMENT, text.encode())
    write_bytes(folder / CELLS, parquet_bytes(cells_frame(plan, targets), statistics=False))
    write_json(folder / MANIFEST, make_manifest(plan, targets))


def cells_frame(plan: Plan, targets: Sequence[int]) -> Any:
    """Return the frame of `cells.parquet`."""
    import polars as pl

    columns: dict[str, pl.Series] = {}
    for name, values in plan.cell_rows(targets).items():
        known = [v for v in values if v is not None]
        kind: Any = pl.String
        if known and all(isinstance(v, bool) for v in known):
            kind = pl.Boolean
        elif known and all(isinstance(v, int) and not isinstance(v, bool) for v in known):
            kind = pl.Int64
        elif known and all(isinstance(v, int | float) and not isinstance(v, bool) for v in known):
            kind = pl.Float64
        if kind == pl.String:
            values = [v if v is None else str(v) for v in values]
        columns[name] = pl.Series(values, dtype=pl.Int32 if name == "cell" else kind)
    return pl.DataFrame(columns)


def check_same(folder: Path, manifest: Mapping[str, Any], plan: Plan) -> None:
    """Refuse to go on in a folder that holds another experiment, or games under other rules."""
    if manifest.get("experiment_hash") != plan.experiment.hash():
        what = _difference(manifest.get("experiment", {}), plan.experiment.canonical())
        raise Refusal(f"'{folder}' holds another experiment{what}; choose another folder with -o")
    check_versions(folder, manifest, plan.game)
    check_boards(folder, manifest, plan)


def other_versions(folder: Path, manifest: Mapping[str, Any], game: Any) -> list[str]:
    """Return what a data set was played with that is of another version now, in words that name both.

    Bots that it did not use do not matter, nor do the versions of data sets that state none.
    """
    from sim.core.bots import bot_version, split_name

    found = []
    if manifest.get("rules_version") != game.rules_version:
        there = f"rules {manifest.get('rules_version')} of {game.name}"
        found.append(f"{there}, this Whimbrel has {game.rules_version}")
    for name, there in (manifest.get("bots_versions") or {}).items():
        try:
            here = bot_version(split_name(name, folder / "inputs")[0], game)
        except Refusal:
            here = "no bot of that name"
        if there != here:
            found.append(f"bot {name} {there}, this Whimbrel has {here}")
    return found


def check_versions(folder: Path, manifest: Mapping[str, Any], game: Any, bots: bool = True) -> None:
    """Refuse a data set that was played with another version of the rules, or of a bot that it used."""
    asked = manifest if bots else {**manifest, "bots_versions": {}}
    others = other_versions(folder, asked, game)
    if others:
        raise Refusal(f"'{folder}' was played with {'; with '.join(others)}; they cannot be mixed")


def check_boards(folder: Path, manifest: Mapping[str, Any], plan: Plan) -> None:
    """Refuse a data set whose maps, decks or numbers are prepared otherwise now."""
    if manifest.get("boards_version", here := boards_version(plan)) != here:
        raise Refusal(
            f"'{folder}' was played on other boards, decks or numbers than {plan.game.name} makes of the same "
            "experiment now (one of the game's own files has changed); they cannot be mixed"
        )


def _difference(there: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    if there.get("game") != here["game"]:
        return f" ('{there.get('name')}' on {there.get('game')})"
    ignored = ("name", "question", "design_version", "judge", "pace", "ask", "stop")
    keys = [k for k in {**there, **here} if there.get(k) != here.get(k) and k not in ignored]
    return f" ('{there.get('name')}'; it differs in {', '.join(keys) or 'a file that it names'})"


def game_of(folder: Path, manifest: Mapping[str, Any]) -> Any:
    """Return the game of a data set: one that was given by where it lay is the copy that the data set keeps."""
    from sim.batch.engine import get_game

    data = manifest.get("experiment") or {}
    return get_game(str(data.get("game") or manifest.get("game")), folder / "inputs")


def is_played(manifest: Mapping[str, Any]) -> bool:
    """Whether a run of ours wrote the data set; else its games were imported, or made by hand."""
    return "experiment" in manifest or "experiment_hash" in manifest


def open_folder(folder: Path) -> tuple[dict[str, Any], Experiment, Plan]:
    """Return manifest, experiment and plan of a data set, to replay games of it.

    Raises
    ------
    Refusal
        No data set, a damaged one, another version of the rules or of a bot, or a game that is not installed.
    """
    manifest = read_manifest(folder)
    if not is_played(manifest):
        raise Refusal(
            f"the games of '{folder}' were recorded, not played by Whimbrel: there is nothing to replay"
        )
    try:
        data, asked = manifest["experiment"], manifest["games_per_cell"]
    except KeyError as error:
        raise Refusal(f"'{folder / MANIFEST}' is damaged: it lacks {error}") from None
    check_versions(folder, manifest, game_of(folder, manifest), bots=False)
    experiment = read_experiment(data, base=folder / "inputs", games=asked)
    plan = make_plan(experiment)
    check_versions(folder, manifest, plan.game)
    check_boards(folder, manifest, plan)
    return manifest, experiment, plan


def _one_lever(levers: Sequence[dict[str, str]]) -> dict[str, str] | None:
    """Return what is said of all cells in which pieces are a matter of chance, together where they differ."""
    if not levers:
        return None
    texts = list(dict.fromkeys(lever["text"] for lever in levers))
    abouts = list(dict.fromkeys(lever["about"] for lever in levers if "about" in lever))
    only = "" if all("about" in lever for lever in levers) else "in part "
    return {**levers[0], "text": ", or ".join(texts), **({"about": only + abouts[0]} if abouts else {})}
