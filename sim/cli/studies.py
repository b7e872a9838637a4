"""`whimbrel list`, `rerun`: the studies of a folder, and an old one under today's rules."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.cli.options import Json
from sim.core.errors import Refusal

if TYPE_CHECKING:
    from analysis.data.dataset import Dataset


def list_studies(
    folder: Annotated[Path, typer.Argument(metavar="[FOLDER]", help="Where data sets lie.")] = Path("runs"),
    as_json: Json = False,
) -> None:
    """List the data sets of a folder, newest first: question, games, rules, last chunk, report.

    Folders that are damaged are named, with what is wrong with them.

    Example: whimbrel list runs
    """
    from sim.batch.studies import studies

    found = studies(folder)
    if as_json:
        print(json.dumps(found, ensure_ascii=False))
        return
    sound = [row for row in found if not row["damaged"]]
    for row in sound:
        old = f" (old: {'; '.join(row['old'])})" if row["old"] else ""
        games = f"{row['games']:,} games" + (
            f" of {row['planned']:,}" if row["planned"] and row["planned"] > row["games"] else ""
        )
        print(f"{row['folder']}: {row['question'] or row['name']}")
        print(f"  {row['game']}, {games}, rules {row['rules_version'] or 'none'}{old}")
        print(f"  last chunk {row['last_chunk'] or 'none'}; report: {row['report'] or 'none yet'}")
    for row in found:
        if row["damaged"]:
            print(f"damaged: {row['folder']}: {row['damaged']}")
    if not found:
        print(f"no data set in '{folder}'; next: whimbrel run quickstart")
    elif sound and sound[0]["report"] is None:
        print(f"next: whimbrel report {shlex.quote(sound[0]['folder'])}")


def rerun(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A data set, of older rules or bots.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="A new folder for today's games.")],
    games: Annotated[
        int | None, typer.Option(help="Games per cell [default: as many as were played].")
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Worker processes [default: one a core].")] = None,
    as_json: Json = False,
) -> None:
    """Play an old study again under today's rules, on its own deals, and show which answers moved.

    The old folder is left as it is. A difference is tested deal by deal where the deals are the same still.

    Example: whimbrel rerun runs/first -o runs/first-today
    """
    import analysis
    from sim.batch.experiment import read_experiment
    from sim.batch.manifest import game_of, is_played, other_versions
    from sim.batch.plan import make_plan
    from sim.batch.progress import say
    from sim.batch.store import read_manifest
    from sim.cli.play import _play
    from sim.core.patience import USUAL

    manifest = read_manifest(folder)
    if not is_played(manifest) or not isinstance(manifest.get("experiment"), dict):
        raise Refusal(f"the games of '{folder}' were recorded, not played by Whimbrel: they cannot be rerun")
    if out.resolve() == folder.resolve():
        raise Refusal(f"'{out}' is the old study itself; choose a new folder with -o")
    others = other_versions(folder, manifest, game_of(folder, manifest))
    say(f"old: {'; '.join(others)}" if others else f"'{folder}' was played with today's rules and bots")
    data = {**manifest["experiment"], "name": manifest.get("name") or folder.name}
    batches = (manifest.get("stop") or {}).get("games")  # the same looks again, up to the same cap
    asked = games or (batches[-1] if batches else manifest.get("games_per_cell"))
    read = read_experiment(data, base=folder / "inputs", games=asked)
    _play(read, make_plan(read), out, jobs, as_json, USUAL)
    moved = _moved(analysis.load(folder), analysis.load(out))
    if as_json:
        print(json.dumps({"old": others, "settings": moved}, ensure_ascii=False))
        return
    print()
    for line in _lines(moved):
        print(line)
    print(f"next: whimbrel report {shlex.quote(str(folder))} {shlex.quote(str(out))}")


def _moved(before: Dataset, after: Dataset) -> list[dict[str, Any]]:
    """What moved under each setting by itself; corrected over measures and settings."""
    import analysis

    out = []
    old, new = (_by_setting(d) for d in (before, after))
    common = [name for name in old if name in new]
    for name in common:
        try:
            frame = analysis.compare_runs(old[name], new[name])
        except analysis.Refusal as refusal:
            out.append({"setting": name, "tested": 0, "moved": [], "why_not": str(refusal)})
            continue
        rows = frame.to_dicts()
        for row in rows:
            corrected = row["p_corrected"]
            row["moved"] = (
                row["verdict"] == "differs" and corrected is not None and corrected * len(common) < 0.05
            )
        out.append(
            {
                "setting": name,
                "tested": len(rows),
                "paired": bool(rows[0]["paired"]),
                "moved": [row for row in rows if row["moved"]],
                "largest": max(rows, key=lambda row: -1.0 if row["p"] is None else 1 - row["p"]),
                "why_not": None,
            }
        )
    return out


def _by_setting(d: Dataset) -> dict[str, Dataset]:
    """The data set by setting of what was varied, at its strongest tier of play."""
    from analysis.changes.settings import SETTING, settings

    d = d.at_tier() if len(d.tiers) > 1 else d
    first = d.asks[0]
    told = settings(d, first.across, first.apart)
    cells = told.d.cells
    return {name: d.with_cells(cells.filter(cells[SETTING] == name).drop(SETTING)) for name in told.names}


def _lines(moved: list[dict[str, Any]]) -> list[str]:
    from analysis.report.run_lines import row_line

    lines = []
    for part in moved:
        where = "" if part["setting"] == "all games" else f"with {part['setting']}: "
        if part["why_not"]:
            lines.append(f"{where}cannot be compared ({part['why_not']})")
            continue
        how = "deal by deal" if part["paired"] else "without common deals"
        for row in part["moved"]:
            lines.append(f"{where}moved: {row_line(row)} ({how})")
        if not part["moved"]:
            far = row_line(part["largest"])
            lines.append(
                f"{where}none of {part['tested']} answers moved beyond chance ({how}); nearest to it, {far}"
            )
    return lines
