"""`whimbrel check`, `verify`, `compact`: is what a designer writes, or what was played, sound, and quick to read?"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from sim.cli.options import Json
from sim.core.errors import Refusal


def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="TOML files.")],
    game: Annotated[
        str | None, typer.Option(help="The game that a map, a deck, a card or a case is for.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Check experiments, worked cases, maps, decks and Age Cards; exits with 1 when something is wrong.

    Example: whimbrel check my-map.toml my-experiment.toml
    """
    if "numba" not in sys.modules:  # a case is played in milliseconds, compiling takes a minute
        os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
    from sim.batch.check_files import Checked, check_file

    results: list[Checked] = []
    for path in files:
        try:
            results += check_file(path, game)
        except Refusal as error:
            text = str(error)
            results.append(Checked(str(path), "file", text.removeprefix(f"{path.name}: ")))
    wrong = [result for result in results if result.problem]
    if as_json:
        rows = [{"file": r.where, "what": r.what, "ok": not r.problem, "problem": r.problem} for r in results]
        print(json.dumps(rows))
    else:
        for result in wrong:
            print(f"{result.where}: {result.what}: {result.problem}")
        if len(results) == 1 and not wrong:
            print(f"{results[0].where}: {results[0].what}: good")
        else:
            print(f"{len(results) - len(wrong)} of {len(results)} good")
    if wrong:
        raise typer.Exit(1)


def verify(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A data set.")],
    sample: Annotated[int, typer.Option(help="How many games to play again.")] = 200,
    as_json: Json = False,
) -> None:
    """Re-hash every part of a data set and play a sample of its games again.

    Exits with 1 when it is damaged, with 3 when it was played under other rules and cannot be replayed.

    Example: whimbrel verify runs/first
    """
    from sim.batch.progress import say
    from sim.batch.store import read_manifest
    from sim.batch.verify import verify as look

    if sample < 0:
        raise Refusal(f"--sample must be at least 0, not {sample}")
    found = look(folder, sample, news=say)
    imported = found.recorded and not found.problems and sample and "imported" in read_manifest(folder)
    if imported:
        from analysis.data.importing.again import differing

        found.problems += differing(folder, read_manifest(folder))
    if as_json:
        print(json.dumps(found.data()))
    else:
        for problem in found.problems:
            print(problem)
        sound = f"{found.parts} files with {found.games:,} games are as they were written"
        if found.unplayable:
            print(f"{sound}, but no game could be played again: {found.unplayable}")
        elif found.recorded and not found.problems:
            again = "; what they were read from, read again, gives the same rows" if imported else ""
            print(f"{sound}; they were recorded, not played by Whimbrel{again}")
        elif not found.problems:
            print(f"{sound}; {found.replayed:,} games played again gave the same rows")
    if found.problems:
        raise typer.Exit(1)
    if found.unplayable:
        raise typer.Exit(3)


def compact(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A data set that no run is writing to.")],
    as_json: Json = False,
) -> None:
    """Put the many small files of a long run together: the same games, quicker to read.

    A run with more --games goes on as before. Let no report read the folder meanwhile.

    Example: whimbrel compact runs/first
    """
    from sim.batch.compact import compact as put_together
    from sim.batch.progress import say

    found = put_together(folder, news=say)
    if as_json:
        print(json.dumps({**vars(found), "folder": str(found.folder)}))
    elif found.files == found.files_before:
        print(f"nothing to put together: {found.files:,} files")
    else:
        print(f"{found.files_before:,} files are now {found.files:,}, with the same rows")
