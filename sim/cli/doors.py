"""`whimbrel new-game`, `check-game`, `new-bot`, `check-bot`: a designer brings her own."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.cli.options import Json
from sim.core.errors import Refusal

if TYPE_CHECKING:
    from sim.checks.suite import Promise

Players = Annotated[
    str | None, typer.Option(metavar="N or N-M", help="How many play (default: the fewest and the most).")
]
Setting = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A parameter; may be repeated.")
]


def new_game(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that is not there yet.")],
    name: Annotated[
        str | None, typer.Option(help="What the game is called, as in rock-garden (default: as the folder).")
    ] = None,
    plain: Annotated[
        bool,
        typer.Option("--plain", help="One Python class instead of compiled rules: slow, quickly written."),
    ] = False,
    checks: Annotated[
        bool,
        typer.Option(
            "--ci",
            help="Also health.toml, the targets that the game must keep to, and a workflow that plays and judges it "
            "at each change; where DIR holds a game already, only these.",
        ),
    ] = False,
) -> None:
    """Write a small, complete game to change into your own: rules, a worked case, a test, an experiment.

    Example: whimbrel new-game rock-garden
    """
    from sim.templates import write_checks, write_game

    if checks and folder.is_dir() and any(folder.iterdir()):
        place, called = _game_in(folder, name)
        for path in write_checks(folder, place, called):
            print(path.as_posix())
        print(
            f"  whimbrel run {(folder / 'health.toml').as_posix()}   # then: whimbrel assert runs/{called}-health"
        )
        return
    made = write_game(folder, name, plain, checks)
    print(f"{folder}: {made.files} files, the game {made.name!r}")
    print("\n".join(f"  {line}" for line in made.next_lines))


def _game_in(folder: Path, name: str | None) -> tuple[str, str]:
    """Return where the game of a folder lies, from there, and its name; `Refusal` where there is none."""
    from sim.core.game import get_game

    refusals = []
    for place in (".", *(f"./{path.name}" for path in sorted(folder.glob("*.py")))):
        try:
            return place, name or str(get_game(place, folder).name)
        except Refusal as error:
            refusals.append(str(error))
    raise Refusal(f"'{folder}' holds no game: {refusals[0]}")


def new_bot(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A Python file that is not there yet.")],
    plain: Annotated[
        bool, typer.Option("--plain", help="One Python class instead of a compiled function.")
    ] = False,
) -> None:
    """Write a small bot to change into your own; it plays every game.

    Example: whimbrel new-bot my_bot.py
    """
    from sim.templates import write_bot

    for line in write_bot(file, plain):
        print(line)


def check_game(
    game: Annotated[
        str, typer.Argument(metavar="NAME_OR_FOLDER", help="An installed game, a folder or a file.")
    ],
    players: Players = None,
    games: Annotated[int, typer.Option(help="Deals that are played for each promise.")] = 4,
    setting: Setting = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Do not compile: the compiled rules are not looked at.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check what a game owes to bots, logs and reports, a line for each promise; exits with 1 when one is broken.

    Example: whimbrel check-game ./rock-garden
    """
    _uncompiled()
    from sim.batch.trial import check_data_set
    from sim.checks.suite import KEPT, Promise, Settings
    from sim.checks.suite import check_game as promises
    from sim.core.game import game_names, get_game
    from sim.core.game_doors import is_place, split_place

    _check_count(games)
    place = is_place(game) and not game.startswith("openspiel:")
    name = str(split_place(game)[0]) + _behind(game) if place else game
    if not place and ":" not in game and game not in game_names():
        get_game(game)  # which says what was meant
    text = "its verbs, records and lists agree with each other"
    found = _loaded(lambda: get_game(name), text, as_json)
    span = _span(players, found)
    parameters = _parameters(setting or [])
    cases = split_place(game)[0] if place else found.folder
    settings = Settings(name, parameters, span, games, not quick, cases)
    least = span[0] if span else found.min_players
    trial = {
        "log": (
            "its games are logged in every table and can be played again",
            lambda: check_data_set(name, least, parameters),
        )
    }
    face = Promise("face", text, KEPT, found.title)
    _tell(chain([face], promises(found, settings, trial)), as_json)


def check_bot(
    bot: Annotated[str, typer.Argument(metavar="NAME_OR_FILE", help="An installed bot, or ./my_bot.py.")],
    game: Annotated[
        str,
        typer.Option(help="Where it plays, by name, folder or file; a game with hidden things says most."),
    ] = "migration",
    players: Players = None,
    games: Annotated[int, typer.Option(help="Deals that are played for each promise.")] = 2,
    setting: Setting = None,
    quick: Annotated[bool, typer.Option("--quick", help="Do not compile.")] = False,
    as_json: Json = False,
) -> None:
    """Check what a bot owes to the table, a line for each promise; exits with 1 when one is broken.

    Example: whimbrel check-bot ./my_bot.py --game migrato
    """
    _uncompiled()
    from sim.batch.cells import bot_spec
    from sim.checks.bots import check_bot as promises
    from sim.checks.suite import Settings
    from sim.core.bots import check_options, kind_of
    from sim.core.game import get_game

    _check_count(games)
    name, options = bot_spec(bot, base=Path.cwd())
    where = get_game(game)
    _loaded(lambda: kind_of(name), "it can be loaded, and its options have types", as_json)
    check_options(name, options, where)
    settings = Settings(game, _parameters(setting or []), _span(players, where), games, not quick)
    _tell(promises(name, options, where, settings), as_json)


def _loaded(load: Callable[[], Any], text: str, as_json: bool) -> Any:
    """Return what `load` does; what it refuses is the first broken promise."""
    from sim.checks.suite import BROKEN, UNREACHED, Promise

    try:
        found = load()
    except Refusal as error:
        _tell([Promise("face", text, BROKEN, str(error)), Promise("the others", "", UNREACHED)], as_json)
        raise
    return found


def _check_count(games: int) -> None:
    if not 1 <= games <= 10_000:
        raise Refusal(f"--games must be from 1 to 10000, not {games}")


def _behind(text: str) -> str:
    """Return the class behind the name of a file, with its colon."""
    from sim.core.game_doors import split_place

    name = split_place(text)[1]
    return f":{name}" if name else ""


def _uncompiled() -> None:
    """Let this process run rules as plain Python, in which a mistake has a place."""
    if "numba" not in sys.modules:
        os.environ.setdefault("NUMBA_DISABLE_JIT", "1")


def _span(text: str | None, game: Any) -> tuple[int, int] | None:
    if text is None:
        return None
    first, dash, last = text.partition("-")
    try:
        span = int(first), int(last if dash else first)
    except ValueError:
        raise Refusal(f"--players {text!r}: write a number, or two as in 2-4") from None
    if not game.min_players <= span[0] <= span[1] <= game.max_players:
        raise Refusal(f"--players {text}: {game.title} is for {game.min_players} to {game.max_players}")
    return span


def _parameters(given: Iterable[str]) -> dict[str, Any]:
    from sim.batch.cells import literal
    from sim.core.params import nested

    flat = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise Refusal(f"--set {text!r}: write NAME=VALUE")
        flat[name.strip()] = literal(value.strip())
    return nested(flat)


def _tell(promises: Iterable[Promise], as_json: bool) -> None:
    """Print a line for each promise as it comes, and exit with 1 when one is broken."""
    from sim.checks.suite import BROKEN, IDLE, KEPT

    told = []
    for promise in promises:
        told.append(promise)
        if as_json:
            continue
        if promise.state == BROKEN:
            print(f"BROKEN   {promise.name}: {promise.text}\n         {promise.found}", flush=True)
        else:
            found = f" ({promise.found})" if promise.found else ""
            print(f"{promise.state:<8} {promise.name}: {promise.text}{found}", flush=True)
    if as_json:
        print(json.dumps([{**vars(promise), "ok": promise.ok} for promise in told]))
    else:
        count = {state: sum(promise.state == state for promise in told) for state in (KEPT, IDLE)}
        wrong = [promise.name for promise in told if promise.state == BROKEN]
        text = f"{count[KEPT]} promises kept" + f", {count[IDLE]} not for this one" * bool(count[IDLE])
        print(text + f"; broken: {', '.join(wrong)}" * bool(wrong))
    if not all(promise.ok for promise in told):
        raise typer.Exit(1)
