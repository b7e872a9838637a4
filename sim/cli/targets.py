"""`whimbrel assert`, `compare`: are the targets met, and what did a change change?"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.cli.options import Json
from sim.cli.play import Interrupted, Jobs
from sim.core.errors import Refusal

if TYPE_CHECKING:
    from sim.batch.experiment import Experiment


def check_judge(read: Experiment) -> None:
    """Refuse targets of an experiment that contradict each other, before a game is played."""
    if read.judge.get("bands"):
        from analysis.targets.table import read_targets

        read_targets(read.judge, f"{read.source.at('judge')}[judge]")


def assert_targets(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A data set.")],
    targets: Annotated[
        str | None,
        typer.Argument(
            metavar="[TARGETS]",
            help="A TOML file with [judge], or a ready one: even-seats, even-game, short-evening [default: the data "
            "set's own [judge]].",
        ),
    ] = None,
    look: Annotated[
        bool,
        typer.Option(
            "--look", help="A look at a run that may go on: intervals that hold at every look together."
        ),
    ] = False,
    markdown: Annotated[Path | None, typer.Option(help="Write a Markdown table to this file.")] = None,
    junit: Annotated[Path | None, typer.Option(help="Write JUnit XML to this file.")] = None,
    as_json: Json = False,
) -> None:
    """Test each target: exits with 0 when all are proven, 1 when one is refuted, 3 when it is undecided.

    Example: whimbrel assert runs/quickstart even-seats --junit targets.xml
    """
    import analysis
    from analysis.report.target_lines import as_junit, as_markdown, as_text
    from analysis.targets.judging import EXIT, verdict_of
    from analysis.targets.table import targets_file

    d = analysis.load(folder)
    wanted = None if targets is None else targets_file(targets)
    frame = analysis.check_targets(d, wanted, True if look else None)
    for path, text in ((markdown, as_markdown), (junit, as_junit)):
        if path is not None:
            try:
                path.write_text(text(d, frame), encoding="utf-8")
            except OSError as error:
                raise Refusal(f"'{path}' cannot be written: {error.strerror}") from None
    verdict = verdict_of(frame)
    if as_json:
        rows = [
            {k: None if isinstance(v, float) and math.isinf(v) else v for k, v in r.items()}
            for r in frame.to_dicts()
        ]
        print(json.dumps({"verdict": verdict, "targets": rows}, ensure_ascii=False))
    else:
        print(as_text(frame))
    if code := EXIT[verdict]:
        raise typer.Exit(code)


def compare(
    before: Annotated[
        str,
        typer.Argument(
            metavar="A", help="A data set: the base. Or a variant's file, or a game as it is printed."
        ),
    ],
    after: Annotated[
        str, typer.Argument(metavar="B", help="Another of the same game: the change. Or a variant's file.")
    ],
    primary: Annotated[
        str,
        typer.Option(
            help="What the comparison is about: seat gap, first seat, turns, minutes, shared, piece.Rats, ..."
        ),
    ] = "seat gap",
    games: Annotated[int, typer.Option(min=20, help="Games of each variant, on common deals.")] = 1000,
    players: Annotated[int | None, typer.Option(help="How many play a variant [default: 2].")] = None,
    against: Annotated[str, typer.Option(help="The bot that plays a variant, at all seats.")] = "greedy",
    seed: Annotated[int, typer.Option(min=0, help="Seed of variants' games.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="Folder of variants' games [default: runs/compare-A-B]."),
    ] = None,
    jobs: Jobs = None,
    as_json: Json = False,
) -> None:
    """What does B change against A? One primary question, and guards that nothing else moved.

    Differences are taken deal by deal where both were played on the same deals; guards are corrected for their number.
    Variants are played first, both on the same deals. Exits with 0 when the primary question is answered, with 3 when
    it is undecided.

    Example: whimbrel compare runs/v1 runs/v2 --primary turns
    """
    import analysis
    from analysis.report.run_lines import as_text

    files = [Path(text).suffix == ".toml" and Path(text).is_file() for text in (before, after)]
    kept = [(Path(text) / "manifest.json").is_file() for text in (before, after)]
    if any(files) and any(kept):
        design, data = (before, after) if files[0] else (after, before)
        raise Refusal(f"'{design}' is a design, '{data}' a data set: compare two of a kind")
    if files[1]:
        folders = _played([before, after], games, players, against, seed, out, jobs)
    else:
        folders = [Path(before), Path(after)]
    runs = [analysis.load(folder) for folder in folders]
    frame = analysis.compare_runs(*runs, primary=primary)
    differences = analysis.data.pooling.design_differences(runs)
    if as_json:
        print(json.dumps({"differences": differences, "rows": frame.to_dicts()}, ensure_ascii=False))
    else:
        print(as_text(frame, analysis.data.pooling.run_names(runs), differences))
    if "undecided" in frame.filter(frame["role"] == "primary")["verdict"].to_list():
        raise typer.Exit(3)


def _played(
    designs: list[str],
    games: int,
    players: int | None,
    bot: str,
    seed: int,
    out: Path | None,
    jobs: int | None,
) -> list[Path]:
    """Play two designs on common deals, each into a data set of its own."""
    from sim.batch import runner
    from sim.batch.experiment import read_experiment
    from sim.batch.progress import say
    from sim.batch.session import table_label

    labels = [table_label(text) for text in designs]
    names = labels if labels[0] != labels[1] else [f"{label}-{k}" for k, label in enumerate(labels, start=1)]
    folder = out or Path("runs") / f"compare-{'-'.join(labels)}"
    reads = [
        read_experiment(
            {
                ("variant" if text.endswith(".toml") else "game"): text,
                "name": name,
                "seed": seed,
                "players": {"count": players or 2, "bots": [bot]},
            },
            games=games,
        )
        for text, name in zip(designs, names, strict=True)
    ]
    if reads[0].game != reads[1].game:
        raise Refusal(f"'{designs[0]}' is of {reads[0].game}, '{designs[1]}' of {reads[1].game}: two games")
    try:
        return [
            runner.run(read, folder / name, jobs=jobs, news=say, show=True).folder
            for read, name in zip(reads, names, strict=True)
        ]
    except runner.Stopped as stop:
        raise Interrupted(str(stop)) from None
