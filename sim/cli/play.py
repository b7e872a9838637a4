"""`whimbrel demo`, `run`, `report`: from an experiment to its report."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.cli.options import Json
from sim.core.errors import Refusal, nearest
from sim.core.patience import USUAL

if TYPE_CHECKING:
    from analysis.data.questions import Question
    from sim.batch.dry_run import Estimate
    from sim.batch.experiment import Experiment
    from sim.batch.plan import Plan

Out = Annotated[Path | None, typer.Option("-o", "--out", help="Folder of the data set [default: runs/NAME].")]
Games = Annotated[int | None, typer.Option(help="Games per cell, in whole blocks.")]
Jobs = Annotated[int | None, typer.Option(help="Worker processes [default: one a core].")]
Patience = Annotated[
    float,
    typer.Option(min=0.0, help="Seconds of work on one decision after which a bot counts as lost; 0: never."),
]


class Interrupted(Exception):
    """Ctrl-C during a run; the text says what is kept."""


def run(
    experiment: Annotated[
        str, typer.Argument(metavar="NAME_OR_FILE", help="A ready experiment or a TOML file.")
    ],
    out: Out = None,
    games: Games = None,
    jobs: Jobs = None,
    seed: Annotated[int | None, typer.Option(help="Seed, instead of the experiment's.")] = None,
    log: Annotated[str | None, typer.Option(help="games, pieces, turns or decisions.")] = None,
    patience: Patience = USUAL,
    backend: Annotated[
        str, typer.Option(help="What runs the workers: loky, dask, or another joblib backend.")
    ] = "loky",
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="With --backend dask: a cluster's scheduler [default: one here]."
        ),
    ] = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Play again what is missing, cut short or changed in the folder.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it would cost.")] = False,
    over: Annotated[
        str | None,
        typer.Option(help="'stand-ins': also under each alternative to what the rulebook leaves out."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Play an experiment, or what is missing of it, into a folder.

    The same command on the same folder goes on where it stopped; more --games adds what is missing.

    Example: whimbrel run quickstart -o runs/first --games 500
    """
    from sim.batch.experiment import read_experiment
    from sim.batch.plan import make_plan
    from sim.cli.targets import check_judge

    read = read_experiment(experiment, games=games, seed=seed, log=log)
    check_judge(read)
    if over is not None:
        if over != "stand-ins":
            raise Refusal(f"--over knows 'stand-ins' only, not '{over}'{nearest(over, ['stand-ins'])}")
        from sim.batch.progress import say
        from sim.batch.stand_ins import over_stand_ins

        read, left_out = over_stand_ins(read)
        for line in left_out:
            say(f"left out: {line}")
    plan = make_plan(read)
    if dry_run:
        _dry_run(plan, jobs, as_json)
    else:
        folder = _play(read, plan, out, jobs, as_json, patience, backend, scheduler, repair)
        if not as_json:
            _next(folder)


def _dry_run(plan: Plan, jobs: int | None, as_json: bool) -> None:
    from sim.batch.dry_run import estimate
    from sim.batch.progress import say

    found = estimate(plan, jobs, news=say)
    if as_json:
        print(json.dumps({**found.data(), "asks": [question.data() for question in _questions(plan)]}))
        return
    print_cost(plan, found)


def print_cost(plan: Plan, found: Estimate) -> None:
    """Print what a run asks and what it costs."""
    for question in _questions(plan):
        print(f"asks     {question.text}")
    blocks = f" (blocks of {found.block})" if found.block > 1 else ""
    print(f"cells    {found.cells:,}")
    print(f"games    {found.games:,}, {found.games_per_cell:,} a cell{blocks}")
    text = f"{found.minutes:,.0f} minutes" if found.minutes >= 2 else f"{found.minutes * 60:,.0f} seconds"
    workers = "1 worker" if found.jobs == 1 else f"{found.jobs} workers"
    print(
        f"time     {text} on {workers} ({found.games_per_second:,.0f} games/s in {found.pilot_games:,} games)"
    )
    for tier in found.tiers:
        print(f"tier     {tier['games']:,} games of {tier['bot']}: {tier['minutes']:,.1f} minutes")
    print(f"disk     {found.megabytes:,.1f} MB")
    for skipped in found.skipped:
        print(f"left out {skipped['cell']}: {skipped['reason']}")


def _questions(plan: Plan) -> Sequence[Question]:
    """What the report of the run will answer, in its order."""
    from analysis.data.questions import questions
    from sim.batch.manifest import cells_frame, make_manifest

    targets = plan.targets(plan.experiment.games)
    return questions(make_manifest(plan, targets), cells_frame(plan, targets))


def _play(
    read: Experiment,
    plan: Plan,
    out: Path | None,
    jobs: int | None,
    as_json: bool,
    patience: float,
    backend: str = "loky",
    scheduler: str | None = None,
    repair: bool = False,
) -> Path:
    from sim.batch import runner
    from sim.batch.progress import say
    from sim.batch.summary import as_text, seat_shares

    for cell, reason in plan.skipped:
        say(f"left out: {cell}: {reason}")

    def once(plan: Plan) -> runner.Result:
        return runner.run(
            plan.experiment,
            out,
            jobs=jobs,
            backend=backend,
            scheduler=scheduler,
            news=say,
            show=True,
            plan=plan,
            patience=patience,
            repair=repair,
        )

    try:
        if read.stop:
            from sim.cli.batches import until_decided

            result = until_decided(plan, Path(out or runner.default_folder(read)), once, say)
        else:
            result = once(plan)
    except runner.Stopped as stop:
        raise Interrupted(str(stop)) from None
    rows = seat_shares(result.folder, result.plan)
    if as_json:
        cells = [{"cell": r.cell, "what": r.what, "games": r.games, "win_shares": r.shares} for r in rows]
        print(json.dumps({"folder": str(result.folder), "played": result.played, "cells": cells}))
        return result.folder
    # Verdicts are read at the strongest tier, so its rows are not those that are cut off.
    print(as_text(sorted(rows, key=lambda row: row.cell not in result.plan.tiers[-1])))
    if result.played:
        rate = f", {result.played / result.seconds:,.0f} games/s" if result.seconds > 0 else ""
        print(f"\n{result.before + result.played:,} games in {result.folder} ({result.played:,} new{rate})")
    else:
        print(f"\n{result.before:,} games in {result.folder}: nothing was missing")
    return result.folder


def _next(folder: Path) -> None:
    print(f"next: whimbrel report {shlex.quote(str(folder))}")


def report(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR...", help="One or more data sets.")],
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="The HTML file [default: in the folder].")
    ] = None,
    one_page: Annotated[
        bool, typer.Option("--one-page", help="One page for a publisher: answer, picture, limits.")
    ] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(help="Only this section (may be repeated), or one piece's own page: piece.Cactus."),
    ] = None,
    kind: Annotated[
        str, typer.Option("--format", help="html, md, json, or csv (every table, one row a cell).")
    ] = "html",
    replays: Annotated[
        bool,
        typer.Option("--replays", help="Write pages beside it that step through its most striking games."),
    ] = False,
) -> None:
    """Write the report of one or more data sets: one HTML file that works offline. Several stand side by side.

    Where sets of bans are compared, it also writes verify.toml beside it: the best sets, to be played again on
    fresh seeds.

    Example: whimbrel report runs/first -o first.html
    """
    old = _what_is_old(folders)
    written = _write_report(folders, out, one_page, only, old, kind, replays)
    print(written)
    for path in _verify_files(folders, written.parent):
        print(f"next: whimbrel run {shlex.quote(str(path))}")


def _what_is_old(folders: list[Path]) -> list[list[str]]:
    """Of each data set, what it was played with that is of another version now: its report is about that."""
    from sim.batch.manifest import game_of, other_versions
    from sim.batch.progress import say
    from sim.batch.store import read_manifest

    found: list[list[str]] = []
    for folder in folders:
        try:
            manifest = read_manifest(folder)
            others = other_versions(folder, manifest, game_of(folder, manifest))
        except Refusal:  # recorded play, or a game that is not installed here: nothing to compare with
            others = []
        if others:
            say(
                f"note: '{folder}' was played with {'; with '.join(others)}; the report is about what was played"
            )
        found.append(others)
    return found


def _verify_files(folders: list[Path], beside: Path) -> list[Path]:
    """Write the experiments that play what came out best again; none where nothing was picked out."""
    import analysis
    from sim.batch.again import write_verify
    from sim.batch.progress import say

    experiment_of = getattr(analysis, "verify_experiment", None)
    if experiment_of is None:
        return []
    written = []
    for folder in folders:
        try:
            again = experiment_of(
                analysis.load(folder).sample()
            )  # picked from the games that the report reads
        except analysis.Refusal:  # no sets of bans to compare
            continue
        name = "verify.toml" if len(folders) == 1 else f"verify-{folder.resolve().name}.toml"
        try:
            path = write_verify(again, folder, beside / name)
        except Refusal as error:
            say(f"no {name}: {error}")
        else:
            written += [path] if path else []
    return written


def _write_report(
    folders: list[Path],
    out: Path | None,
    one_page: bool = False,
    only: list[str] | None = None,
    old: Sequence[Sequence[str]] = (),
    kind: str = "html",
    replays: bool = False,
) -> Path:
    from analysis.report import write

    if not replays:
        return Path(write(folders, out, one_page=one_page, only=only, old=old, kind=kind))
    from analysis.report.page import target_of
    from sim.cli.striking import write_replays

    beside = write_replays(folders, target_of(folders, out, kind))
    return Path(write(folders, out, one_page=one_page, only=only, old=old, kind=kind, replays=beside))


def demo(
    out: Annotated[Path, typer.Option("-o", "--out", help="Folder of the data set.")] = Path(
        "runs/quickstart"
    ),
    games: Games = None,
    jobs: Jobs = None,
) -> None:
    """Play the quickstart experiment and write its report: about two minutes.

    Example: whimbrel demo
    """
    from sim.batch.experiment import read_experiment
    from sim.batch.plan import make_plan

    read = read_experiment("quickstart", games=games)
    folder = _play(read, make_plan(read), out, jobs, False, USUAL)
    print("report: " + str(_write_report([folder], None)))
