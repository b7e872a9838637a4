"""Small games and bots to begin with: `whimbrel new-game` and `new-bot` copy them under a name of one's own.

They are complete, and kept so by the tests: each is written, checked, played and reported there.
"""

from __future__ import annotations

import importlib.util
import keyword
import re
import sys
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

from sim.core.errors import Refusal

HERE = Path(__file__).resolve().parent
NAME, TITLE, CLASS, PROJECT = "rock_garden", "Rock garden", "RockGarden", "rock-garden"
"""How the game of the templates is called."""

CHECKS = {"health.toml": "health.toml", "balance.yml": ".github/workflows/balance.yml"}
"""Checks of a game's balance, and where they lie in its repository."""


@dataclass(frozen=True)
class Made:
    """What was written.

    Attributes
    ----------
    name
        What the game is called.
    files
        How many there are.
    next_lines
        What to type next.
    """

    name: str
    files: int
    next_lines: tuple[str, ...]


def write_game(folder: Path, name: str | None = None, plain: bool = False, checks: bool = False) -> Made:
    """Write a small, complete game into a new folder.

    Parameters
    ----------
    folder
        Made; it may be there if it is empty.
    name
        The game's name; default: the folder's.
    plain
        One Python class instead of compiled rules.
    checks
        Also what `write_checks` writes.

    Raises
    ------
    Refusal
        The folder is in use, or the name is no name, or taken.
    """
    called = name_of(name if name is not None else folder.resolve().name)
    if folder.exists() and not folder.is_dir():
        raise Refusal(f"'{folder}' is a file; name a new folder")
    if folder.is_dir() and any(folder.iterdir()):
        raise Refusal(f"'{folder}' is there already and not empty; name a new folder")
    source = HERE / ("plain_game" if plain else "game")
    files = [path for path in sorted(source.rglob("*")) if path.is_file() and _is_text(path)]
    try:
        for path in files:
            target = folder / renamed(path.relative_to(source).as_posix(), called)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(renamed(path.read_text(encoding="utf-8"), called), encoding="utf-8")
    except OSError as error:
        raise Refusal(f"cannot write '{folder}': {error.strerror}") from None
    if checks:
        more = write_checks(folder, f"./{called}.py" if plain else ".", called)
        made = _made(folder, called, len(files))
        listed = " and ".join(path.as_posix() for path in more)
        lines = (
            *made.next_lines,
            f"{listed}: its targets, and the workflow that holds them against each change",
        )
        return replace(made, files=len(files) + len(more), next_lines=lines)
    return _made(folder, called, len(files))


def write_checks(folder: Path, game: str, called: str) -> list[Path]:
    """Write the checks of a game's balance into its repository: an experiment with targets, and what runs it.

    Parameters
    ----------
    folder
        The repository.
    game
        Where the game lies, from there; or its name.
    called
        The game's name.

    Raises
    ------
    Refusal
        A file is there already, or cannot be written.
    """
    written = [folder / where for where in CHECKS.values()]
    for path in written:
        if path.exists():
            raise Refusal(f"'{path}' is there already; nothing was written over it")
    for name, path in zip(CHECKS, written, strict=True):
        text = (HERE / "checks" / name).read_text(encoding="utf-8").replace("PLACE", game)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(renamed(text, called), encoding="utf-8")
        except OSError as error:
            raise Refusal(f"cannot write '{path}': {error.strerror}") from None
    return written


def _made(folder: Path, called: str, files: int) -> Made:
    where = folder.as_posix() if folder.is_absolute() else f"./{folder.as_posix()}"
    lines = (
        f"whimbrel check-game {where}",
        f"whimbrel run {(folder / 'experiment.toml').as_posix()}",
        f"whimbrel report runs/{_data_set(folder)}",
        f"{(folder / 'README.md').as_posix()} says how to go on",
    )
    return Made(called, files, lines)


def _data_set(folder: Path) -> str:
    with (folder / "experiment.toml").open("rb") as file:
        return str(tomllib.load(file)["name"])


def write_bot(file: Path, plain: bool = False) -> list[str]:
    """Write a small bot into a new Python file and return what to type next.

    Raises
    ------
    Refusal
        The file is there already, or is no Python file.
    """
    if file.suffix != ".py":
        raise Refusal(f"'{file}': a bot is a Python file; its name ends in .py")
    if file.exists():
        raise Refusal(f"'{file}' is there already")
    text = (HERE / "bot" / ("plain.py" if plain else "compiled.py")).read_text(encoding="utf-8")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refusal(f"cannot write '{file}': {error.strerror}") from None
    where = file.as_posix() if file.is_absolute() else f"./{file.as_posix()}"
    return [
        f"{where}: {'one class' if plain else 'a compiled function'} that plays every game",
        f"  whimbrel check-bot {where}",
        f'  bots = ["greedy", "{where}"]   # in the [players] of an experiment that lies here',
    ]


def name_of(text: str) -> str:
    """Return the name of a game as Python and TOML write it: ``rock_garden`` for "Rock garden".

    Raises
    ------
    Refusal
        It is no name, or it is taken.
    """
    from sim.core.game import game_names

    name = re.sub(r"[\s\-.]+", "_", text.strip()).lower()
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,40}", name) or keyword.iskeyword(name):
        raise Refusal(
            f"a game cannot be called {text!r}; use letters, digits and -, as in rock-garden (--name)"
        )
    if name in game_names():
        raise Refusal(f"there is a game called {name!r} already; choose another name (--name)")
    if name in sys.stdlib_module_names or _is_package(name):
        raise Refusal(f"there is a Python package called {name!r}, which the game would hide; choose --name")
    return name


def _is_package(name: str) -> bool:
    spec = importlib.util.find_spec(name)
    return spec is not None and spec.origin is not None  # a folder that happens to lie here is none


def renamed(text: str, name: str) -> str:
    """Return a text of the templates with the game under another name."""
    words = name.split("_")
    title = " ".join(words).strip().capitalize()
    for old, new in (
        ("NAME", name),
        ("TITLE", title),
        (NAME, name),
        (PROJECT, "-".join(filter(None, words))),
        (TITLE, title),
        (CLASS, "".join(word.capitalize() for word in words)),
    ):
        text = text.replace(old, new)
    return text


def _is_text(path: Path) -> bool:
    return path.suffix in (".py", ".toml", ".md", ".txt") and "__pycache__" not in path.parts
