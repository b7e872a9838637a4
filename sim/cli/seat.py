"""`whimbrel play`: a game at the terminal, against bots or each other."""

from __future__ import annotations

import shlex
import shutil
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.core.errors import Refusal, nearest
from sim.core.notation import LETTERS

if TYPE_CHECKING:
    from sim.batch.session import Session

HELP = """NUMBER, or words of a choice: choose it
u: take your last choice back    h: what a bot would do    l: list the choices again
p: the whole position again      q: stop and keep the game"""
MOST_LISTED = 60
"""Choices that are listed unasked."""


def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="A game, or a variant's file; not needed with --from."),
    ] = None,
    seat: Annotated[
        list[str] | None, typer.Option(help="A seat of a person, A to D; repeat it for several [default: A].")
    ] = None,
    against: Annotated[
        str, typer.Option(help="The bot at the other seats, and the one that gives hints.")
    ] = "search:playouts=200",
    players: Annotated[int | None, typer.Option(help="How many play [default: 2].")] = None,
    seed: Annotated[
        int | None, typer.Option(help="Which deal [default: the first one not yet played].")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A parameter of the game; repeat it."),
    ] = None,
    logged: Annotated[
        tuple[Path, int] | None,
        typer.Option("--from", metavar="DIR GAME_ID", help="Play on from a game of a data set."),
    ] = None,
    ply: Annotated[
        int | None,
        typer.Option(help="With --from: the decision to begin with, as `whimbrel replay` numbers them."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", help="Folder to keep the game in [default: runs/play-GAME-SEED]."),
    ] = None,
) -> None:
    """Play a game at the terminal; it is kept as a data set of one game.

    Choices are numbered; h gives a hint, u takes back, q stops and keeps. Lines may also come from a pipe.

    Example: whimbrel play migration --seat A --against search:playouts=200
    """
    from sim.batch.session import Session, first_free_seed, session_from, session_of, table_label

    letters = [text.strip().upper() for text in seat or ["A"]]
    for letter in letters:
        if letter not in LETTERS or len(letter) != 1:
            raise Refusal(f"--seat is a letter from A to {LETTERS[-1]}, not '{letter}'")
    if logged is None:
        if game is None:
            raise Refusal(
                "which game? `whimbrel games` lists them; or play on from a logged one with --from DIR GAME_ID"
            )
        if ply is not None:
            raise Refusal("--ply goes with --from DIR GAME_ID")
        number = first_free_seed(game) if seed is None else seed
        experiment = session_of(game, against, players or 2, number, settings or [])
        folder = out or Path("runs") / f"play-{table_label(game)}-{number}"
    else:
        if game is not None or players is not None or seed is not None or settings:
            raise Refusal("with --from, game, players, deal and parameters are those of the logged game")
        experiment = session_from(*logged, against)
        folder = out or Path("runs") / f"play-{logged[0].resolve().name}-{logged[1]}"
    if folder.exists():
        raise Refusal(f"'{folder}' exists already; keep the game elsewhere with --out")
    table = Session(experiment, [LETTERS.index(letter) for letter in letters])
    if logged is not None:
        table.follow(*logged, ply)
    _talk(table, against)
    table.save(folder)
    print(f"kept in {folder}; next: whimbrel replay {shlex.quote(str(folder))} 0")


def _talk(table: Session, against: str) -> None:
    print(HELP)
    table.go_on()
    show = True
    while not table.over:
        seat = table.table.seat
        choices = table.choices
        if show:
            _show(table, seat)
            if len(choices) <= MOST_LISTED:
                _list(choices)
            else:
                print(f"{len(choices)} choices: l lists them, or type the beginning of one")
        show = False
        line = _ask(f"{LETTERS[seat]}> ")
        word = "q" if line is None else line.strip()
        if word in ("q", "quit"):
            left = table.decisions
            print(
                f"stopped before decision {left}; what is left of the game is played at random. To play on from here:"
            )
            print(f"  whimbrel play --from DIR 0 --ply {left}")
            return
        if word in ("", "?", "help"):
            print(HELP)
        elif word in ("u", "undo"):
            show = table.undo()
            print("taken back" if show else "there is nothing to take back")
        elif word in ("l", "list"):
            _list(choices)
        elif word in ("p", "position"):
            _say(table.text(seat))
        elif word in ("h", "hint"):
            for row in table.opinion(against)[:5]:
                print("  " + row)
        else:
            number = _number(word, choices)
            if number is not None:
                table.choose(number)
                show = True
    for seat, words in table.read_news(min(table.people)):
        print(f"{LETTERS[seat]}: {words}" if seat >= 0 else f"   {words}")
    print("--- the end")
    _say(table.text())
    print("points: " + ", ".join(f"{LETTERS[s]} {points:g}" for s, points in enumerate(table.scores)))


def _show(table: Session, seat: int) -> None:
    for by, words in table.read_news(seat):
        print(f"{LETTERS[by]}: {words}" if by >= 0 else f"   {words}")
    print(f"--- decision {table.decisions}")
    _say(table.text(seat))


def _say(text: str) -> None:
    """Print a position; lines that are wider than the terminal go on below, set in."""
    wide = shutil.get_terminal_size((110, 40)).columns
    for line in text.splitlines():
        print(textwrap.fill(line, wide, subsequent_indent=" " * 8) if len(line) > wide else line)


def _list(choices: list[str]) -> None:
    width = max(map(len, choices)) + 7
    columns = max(1, min(4, shutil.get_terminal_size((110, 40)).columns // width))
    rows = -(-len(choices) // columns)
    for row in range(rows):
        cells = [f"{k + 1:>3} {choices[k]}" for k in range(row, len(choices), rows)]
        print("  ".join(cell.ljust(width) for cell in cells).rstrip())


def _number(word: str, choices: list[str]) -> int | None:
    """Return which choice was meant, or say why none was."""
    if word.lstrip("-").isdecimal():
        number = int(word)
        if 1 <= number <= len(choices):
            return number - 1
        print(f"choices are numbered 1 to {len(choices)}")
        return None
    exact = [k for k, text in enumerate(choices) if text.lower() == word.lower()]
    found = exact or [k for k, text in enumerate(choices) if text.lower().startswith(word.lower())]
    if len(found) == 1:
        return found[0]
    if found:
        for k in found[:MOST_LISTED]:
            print(f"{k + 1:>3} {choices[k]}")
    else:
        print(f"there is no choice '{word}'{nearest(word, choices)}; ? for help")
    return None


def _ask(prompt: str) -> str | None:
    """Return a line, None at the end of input."""
    if sys.stdin.isatty():
        try:
            return input(prompt)
        except EOFError:
            print()
            return None
    line = sys.stdin.readline()
    print(f"{prompt}{line.rstrip()}")
    return line if line else None
