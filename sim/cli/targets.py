"""`whimbrel assert`: are the targets met?"""

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
    from analysis.targets.judging import EXIT, verdict_of
    from analysis.targets.table import targets_file
    from analysis.targets.written import as_junit, as_markdown, as_text

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
