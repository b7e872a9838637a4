"""`whimbrel sensitivity`: which numbers of the rules matter, and for what."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Annotated

import typer

from sim.cli.options import Json
from sim.cli.play import Interrupted, Jobs
from sim.core.errors import Refusal

TOLD = 12
"""Numbers that are printed."""


def sensitivity(
    experiment: Annotated[
        str, typer.Argument(metavar="NAME_OR_FILE", help="A ready experiment or a TOML file.")
    ],
    parameters: Annotated[
        list[str] | None,
        typer.Option(
            help="Parameters apart by spaces, each with a range (rats_points=1..3) or without; or 'numbers', "
            "'rulings', 'all' [default: what the experiment varies, else numbers]."
        ),
    ] = None,
    games: Annotated[int | None, typer.Option(min=1, help="Games of each cell of the screen.")] = None,
    curves: Annotated[int, typer.Option(min=0, help="So many of the strongest are drawn as curves.")] = 3,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed, instead of the experiment's.")] = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Folder [default: runs/sensitivity-NAME].")
    ] = None,
    jobs: Jobs = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be screened.")] = False,
    as_json: Json = False,
) -> None:
    """Find out which numbers of the rules matter for what: screen many at once, draw the strongest as curves.

    The same command on the same folder goes on where it stopped.

    Example: whimbrel sensitivity quickstart --parameters "rats_points=1..3 wolf_needs hand_size"
    """
    from sim.batch import sensitivity as batch
    from sim.batch.progress import say
    from sim.batch.runner import Stopped

    named = [part for text in parameters or () for part in text.split()]
    screen = batch.screening(experiment, named, games, seed)
    folder = out or Path("runs") / f"sensitivity-{screen.base.name}"
    for line in screen.left_out:
        say(f"left out: {line}")
    if dry_run:
        _dry_run(screen, as_json)
        return
    import analysis
    from analysis.changes.screening import levers
    from analysis.report.sensitivity import write

    try:
        played = batch.play_screen(screen, folder / "screen", jobs, say, True)
        frame = analysis.screen(analysis.load(played))
        turned = batch.play_curves(screen, levers(frame, curves), folder / "curves", jobs, say, True)
    except Stopped as stop:
        raise Interrupted(str(stop)) from None
    except analysis.Refusal as error:
        raise Refusal(str(error)) from None
    page = write(played, turned, folder / "report.html")
    if as_json:
        print(json.dumps({"folder": str(folder), "report": str(page), "effects": frame.to_dicts()}))
        return
    _table(frame)
    print(f"report: {shlex.quote(str(page))}")


def _dry_run(screen: object, as_json: bool) -> None:
    from sim.batch.plan import make_plan
    from sim.batch.sensitivity import Screening

    assert isinstance(screen, Screening)
    cells = len(make_plan(screen.experiment).specs)
    if as_json:
        told = {"levels": screen.levels, "left_out": screen.left_out, "cells": cells}
        print(json.dumps(told | {"games": cells * screen.experiment.games}))
        return
    for name, (low, high) in screen.levels.items():
        print(f"{name:30} {low} → {high}")
    print(f"{len(screen.levels)} numbers in {cells} cells, {cells * screen.experiment.games:,} games")


def _table(frame: object) -> None:
    """Print the strongest effects, one line each."""
    import polars as pl

    from analysis.report.screening import line_of

    assert isinstance(frame, pl.DataFrame)
    clear = frame.filter(pl.col("verdict") == "differs")
    for row in clear.head(TOLD).iter_rows(named=True):
        print(line_of(row))
    if clear.is_empty():
        print("no number is shown to matter for anything")
    rest = frame["factor"].n_unique() - clear["factor"].n_unique()
    if rest:
        print(f"of {rest} of {frame['factor'].n_unique()} numbers no effect is shown")
