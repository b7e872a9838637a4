"""`whimbrel check`, `verify`, `bench`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from sim.core.errors import Refusal

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands of this file."""
    app.command()(check)
    app.command()(verify)
    app.command()(bench)


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
    from sim.batch.verify import verify as look

    if sample < 0:
        raise Refusal(f"--sample must be at least 0, not {sample}")
    found = look(folder, sample, news=say)
    if as_json:
        print(json.dumps(found.data()))
    else:
        for problem in found.problems:
            print(problem)
        sound = f"{found.parts} files with {found.games:,} games are as they were written"
        if found.unplayable:
            print(f"{sound}, but no game could be played again: {found.unplayable}")
        elif not found.problems:
            print(f"{sound}; {found.replayed:,} games played again gave the same rows")
    if found.problems:
        raise typer.Exit(1)
    if found.unplayable:
        raise typer.Exit(3)


def bench(
    game: Annotated[str, typer.Argument(metavar="[GAME]")] = "migration",
    players: Annotated[int, typer.Option(help="How many play.")] = 2,
    seconds: Annotated[float, typer.Option(help="CPU seconds that the games take about without logs.")] = 3.0,
    variants: Annotated[
        bool, typer.Option("--variants", help="Also drafts, Oaths, Age Cards and the like, one at a time.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Measure games and decisions per CPU second, with and without piece logs, on one core.

    Example: whimbrel bench migration --json
    """
    from sim.batch.bench import bench as measure
    from sim.batch.progress import say

    if not 0 < seconds <= 600:
        raise Refusal(f"--seconds must be between 0 and 600, not {seconds:g}")
    rows = []
    if not as_json:
        head = f"{'setting':<12} " if variants else ""
        print(f"{head}{'bot':<8} {'log':<8} {'games':>10} {'games/cpu s':>12} {'decisions/cpu s':>16}")
    for row in measure(game, players, seconds, news=say, variants=variants):
        rows.append(row)
        if not as_json:
            head = f"{row['setting']:<12} " if variants else ""
            speed = f"{row['games_per_cpu_s']:>12,.0f} {row['decisions_per_cpu_s']:>16,.0f}"
            print(f"{head}{row['bot']:<8} {row['log']:<8} {row['games']:>10,} {speed}", flush=True)
    if as_json:
        print(json.dumps(rows))
