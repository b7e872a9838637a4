"""`whimbrel assert`, `compare`: are the targets met, and what did a change change?"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated

import typer

from sim.cli.options import Json
from sim.core.errors import Refusal


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
    before: Annotated[Path, typer.Argument(metavar="A", help="A data set: the base.")],
    after: Annotated[Path, typer.Argument(metavar="B", help="Another of the same game: the change.")],
    primary: Annotated[
        str,
        typer.Option(
            help="What the comparison is about: seat gap, first seat, turns, minutes, shared, piece.Rats, ..."
        ),
    ] = "seat gap",
    as_json: Json = False,
) -> None:
    """What does B change against A? One primary question, and guards that nothing else moved.

    Differences are taken deal by deal where both were played on the same deals; guards are corrected for their number.
    Exits with 0 when the primary question is answered, with 3 when it is undecided.

    Example: whimbrel compare runs/v1 runs/v2 --primary turns
    """
    import analysis
    from analysis.report.run_lines import as_text

    runs = [analysis.load(before), analysis.load(after)]
    frame = analysis.compare_runs(*runs, primary=primary)
    differences = analysis.data.pooling.design_differences(runs)
    if as_json:
        print(json.dumps({"differences": differences, "rows": frame.to_dicts()}, ensure_ascii=False))
    else:
        print(as_text(frame, analysis.data.pooling.run_names(runs), differences))
    if "undecided" in frame.filter(frame["role"] == "primary")["verdict"].to_list():
        raise typer.Exit(3)
