"""`whimbrel replay`: one game again, as text and as pictures."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.cli.options import Json

if TYPE_CHECKING:
    from sim.batch.replay import Position


def replay(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A data set.")],
    game_id: Annotated[int, typer.Argument(metavar="GAME_ID", help="As `whimbrel find` lists them.")],
    png: Annotated[
        Path | None, typer.Option(help="Write a picture of every position into this folder.")
    ] = None,
    gif: Annotated[Path | None, typer.Option(help="Write an animated picture to this file.")] = None,
    as_json: Json = False,
) -> None:
    """Play one game again and step through it (Enter: next, q: stop).

    Example: whimbrel replay runs/first 17 --gif game17.gif
    """
    from sim.batch.replay import replay as play_again

    positions = play_again(folder, game_id)
    if as_json:
        print(
            json.dumps(
                [{"seat": p.seat, "text": p.text, "legal": p.legal, "action": p.action} for p in positions]
            )
        )
    if png is not None or gif is not None:
        from sim.batch.pictures import write_pictures

        for path in write_pictures(positions, png, gif):
            print(path)
    elif not as_json:
        _step(positions)


def _step(positions: Sequence[Position]) -> None:
    pause = sys.stdin.isatty() and sys.stdout.isatty()
    for position in positions:
        print(f"--- {position.number} of {len(positions) - 1}")
        print(position.text)
        if position.action is None:
            break
        print(f"{'ABCDEFGH'[position.seat]}: {position.action}   (of {len(position.legal)})\n")
        if pause and input("").strip().lower() == "q":
            break
