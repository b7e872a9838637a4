"""`whimbrel replay`: one game again, as text and as pictures."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.cli.options import Json
from sim.core.notation import LETTERS

if TYPE_CHECKING:
    from sim.batch.replay import Moment, Position


def replay(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A data set.")],
    game_id: Annotated[int, typer.Argument(metavar="GAME_ID", help="As `whimbrel find` lists them.")],
    every: Annotated[
        str | None,
        typer.Option(help="Show every 'turn' or 'decision' [default: as text decisions, in pictures turns]."),
    ] = None,
    first: Annotated[int | None, typer.Option("--from", help="Begin with this turn.")] = None,
    last: Annotated[int | None, typer.Option("--to", help="End with this turn.")] = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="Print every position in full, not only what changed.")
    ] = False,
    png: Annotated[
        Path | None, typer.Option(help="Write pictures of the turns (or decisions) into this folder.")
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(help="Write one page with pictures that steps through the game; works offline."),
    ] = None,
    gif: Annotated[Path | None, typer.Option(help="Write an animated picture to this file.")] = None,
    coordinates: Annotated[
        bool, typer.Option("--coordinates", help="Let places in pictures bear their coordinates.")
    ] = False,
    explain: Annotated[
        str | None,
        typer.Option(metavar="BOT", help="Say what this bot thinks of the choices: search:playouts=400."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Play one game again and step through it (Enter: next, q: stop).

    Example: whimbrel replay runs/first 17 --gif game17.gif
    """
    from sim.batch.replay import moments
    from sim.batch.replay import replay as play_again

    positions = play_again(folder, game_id)
    drawn = png is not None or gif is not None
    usual = "turn" if drawn or (html is not None and explain is None) else "decision"
    shown = moments(positions, every or usual, first, last)
    if as_json:
        print(json.dumps([_plain(moment, explain) for moment in shown]))
    if drawn:
        from sim.batch.pictures import write_pictures
        from sim.batch.progress import say

        say(f"drawing {len(shown)} pictures ...")
        for path in write_pictures(shown, png, gif, coordinates):
            print(path, flush=True)
    if html is not None:
        from sim.batch.page import write_page

        title = f"Game {game_id} of {folder.resolve().name}: {positions[-1].game.title}"
        print(write_page(shown, html, title, explain, coordinates))
    elif not drawn and not as_json:
        _step(shown, positions[-1].number, whole, explain)


def _plain(moment: Moment, explain: str | None) -> dict[str, Any]:
    p = moment.position
    done = [{"seat": seat, "words": words, "options": options} for seat, words, options in moment.done]
    head = {"number": p.number, "turn": p.turn, "seat": p.seat, "done": done}
    row = {**head, "text": p.text, "legal": p.legal, "action": p.action}
    return row | ({"opinion": p.judged(explain)} if explain is not None else {})


def _step(shown: Sequence[Moment], end: int, whole: bool, explain: str | None) -> None:
    from sim.batch.opinions import lines

    pause = sys.stdin.isatty() and sys.stdout.isatty()
    before = None
    for moment in shown:
        last = moment is shown[-1]
        for line in _lines(moment, before, end, whole or last):
            print(line)
        if explain is not None and len(moment.position.legal) > 1:
            print(f"{explain} thinks:")
            for line in lines(moment.position.judged(explain), moment.position.legal):
                print(f"  {line}")
        before = moment.position
        if pause and not last and input("").strip().lower() == "q":
            break
        if not last:
            print()


def _lines(moment: Moment, before: Position | None, end: int, whole: bool) -> Iterator[str]:
    """Return what led to a moment, and its position; only what is new in it, unless it is wanted whole."""
    from sim.show.changes import changed_lines, without

    for seat, words, options in moment.done:
        yield f"{LETTERS[seat]}: {words}   (of {options})" if seat >= 0 else f"   {words}"
    position = moment.position
    once = getattr(position.game, "said_once", ())
    yield f"--- {position.number} of {end}, turn {position.turn}"
    if before is None:
        text = position.text
    elif whole:
        text = without(position.text, once)
    else:
        text = changed_lines(before.text, position.text, once)
    yield re.sub(r"\bturn \d+, ", "", text, count=1)  # some games count the turns that were taken
