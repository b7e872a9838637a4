"""`whimbrel draw`: a position that a designer writes, as a picture for a rulebook."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.core.errors import Refusal

if TYPE_CHECKING:
    from sim.batch.drawing import Laid


def draw(
    what: Annotated[
        str,
        typer.Argument(
            metavar="CASE_OR_POSITION",
            help="A case as FILE.toml:ID; a position's text, or a file with one (-: standard input).",
        ),
    ],
    out: Annotated[Path, typer.Option("-o", "--out", help="The file: .svg or .png.")],
    game: Annotated[str | None, typer.Option(help="The game of a position's text.")] = None,
    board: Annotated[
        str, typer.Option("--map", help="The map of a position's text, as cases name theirs.")
    ] = "",
    width: Annotated[float | None, typer.Option(help="Width in millimetres.")] = None,
    title: Annotated[str, typer.Option(help="What stands above the picture.")] = "",
    coordinates: Annotated[
        bool, typer.Option("--coordinates", help="Let places bear their coordinates.")
    ] = False,
    only_board: Annotated[bool, typer.Option("--board", help="Only the board, without the players.")] = False,
    after: Annotated[bool, typer.Option("--after", help="The case after its actions.")] = False,
) -> None:
    """Draw a worked case or any position, for a rulebook.

    Example: whimbrel draw "0,0 A:Rats* ; 1,0 w" --game migration --map "row 4" --board -o rats.svg
    """
    laid = _laid(what, game, board, after)
    options = {
        **({"title": title} if title else {}),
        **({"coordinates": True} if coordinates else {}),
        **({"panel": False} if only_board else {}),
    }
    laid.draw(out, width, **options)
    print(out)


def _laid(what: str, game: str | None, board: str, after: bool) -> Laid:
    from sim.batch.drawing import lay_case, lay_text

    file, colon, name = what.rpartition(".toml:")
    path = Path(f"{file}.toml") if colon else Path(what) if what.endswith(".toml") else None
    if path is not None:
        if board:
            raise Refusal("--map is for a position's text; a case names its own")
        return lay_case(path, name if colon else "", game, after)
    if after:
        raise Refusal("--after is for a case with actions, FILE.toml:ID")
    if game is None:
        raise Refusal(
            f"'{what.splitlines()[0] if what else ''}' is no case (FILE.toml:ID); of which --game is it a position?"
        )
    return lay_text(_text(what), game, board)


def _text(what: str) -> str:
    """Return the text itself, or what is in the file that it names."""
    if what == "-":
        return sys.stdin.read()
    if "\n" in what or not what.endswith(".txt"):
        return what
    try:
        return Path(what).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise Refusal(
            f"cannot read '{what}': {getattr(error, 'strerror', None) or 'it is no text'}"
        ) from None
