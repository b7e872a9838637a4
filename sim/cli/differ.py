"""`whimbrel diff`: what differs between two designs, in words."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from sim.cli.options import Json

PARTS = {
    "rules": "Rules",
    "numbers": "Parameters",
    "pieces": "Pieces and their copies",
    "map": "Map",
    "files": "Within the files",
    "decks": "Decks",
    "variants": "Variants",
    "varied": "Varied",
    "run": "How it is played",
}
SIDE = "A variant, an experiment, a data set, or a game as it is printed"


def diff(
    a: Annotated[str, typer.Argument(metavar="A", help=f"{SIDE}: before.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The same: after.")],
    as_json: Json = False,
) -> None:
    """Say in words what differs between two designs; exits with 0 where nothing does, with 1 where something does.

    Example: whimbrel diff migration tame-wolf
    """
    from sim.batch.differing import design_of, differences

    found = differences(design_of(a), design_of(b))
    if as_json:
        print(json.dumps([one.data() for one in found], ensure_ascii=False))
    elif not found:
        print(f"{a} and {b} are the same design")
    else:
        print(f"{a} -> {b}")
        part = ""
        for one in found:
            if one.part != part:
                part = one.part
                print(PARTS[part])
            print(f"  {one.line()}")
    if found:
        raise typer.Exit(1)
