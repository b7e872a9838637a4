"""Where bots come from: brought by the package, installed (entry-point group ``whimbrel.bots``), or a file.

A file is named like ``./my_bot.py`` or ``./my_bot.py:Name``. It holds either a module bot (a function ``choose`` that
is compiled, see `sim.core.bots`) or a class with a method ``choose`` that gets a `sim.core.plain_bots.View`: easy to
write, and slow. This file knows no bot by name.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from sim.core.errors import Refusal, nearest
from sim.core.sources import MACHINERY, closure, sources_hash

GROUP = "whimbrel.bots"
_FILE = re.compile(
    r"(?P<file>[^:]*(?::[\\/][^:]*)?\.py)(?::(?P<name>[A-Za-z_]\w*)(?=:|$))?(?::(?P<options>.*))?"
)


@dataclass(frozen=True)
class Kind:
    """A bot as it was brought.

    Attributes
    ----------
    about, options
        One line, and `sim.core.bots.Option` by name.
    choose
        What decides: a function to be compiled, or one that calls the object of a class.
    room
        What says how much room it needs, or None.
    source
        Its file.
    plain
        Whether it cannot be compiled.
    opinion
        What tells how it judges each action after it was asked (`sim.batch.opinions`), or None.
    """

    about: str
    options: dict[str, Any]
    choose: Callable[..., Any]
    room: Callable[..., Any] | None
    source: Path
    plain: bool = False
    opinion: Callable[..., Any] | None = None


_BROUGHT: dict[str, str | ModuleType] = {}


def register(name: str, module: str | ModuleType) -> None:
    """Make a module (or the name of one, imported on first use) the bot `name`."""
    _BROUGHT[name] = module
    kind_of.cache_clear()


def forget(name: str) -> None:
    """Take a bot away again."""
    _BROUGHT.pop(name, None)
    kind_of.cache_clear()


@cache
def _installed() -> dict[str, Any]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP)}


def bot_names() -> list[str]:
    """Return the names of all bots that come without a file, those of the package first."""
    return [*_BROUGHT, *sorted(set(_installed()) - set(_BROUGHT))]


def split_name(text: str, base: Path | None = None) -> tuple[str, str]:
    """Split ``search:playouts=400`` or ``./my_bot.py:Name:depth=2`` into the bot's name and its options.

    A file is named by its whole path from then on; `base` is the folder that it is looked for in.

    Raises
    ------
    Refusal
        There is no such bot, or no such file.
    """
    found = _FILE.fullmatch(text)
    if found is None:
        name, _, rest = text.partition(":")
        if name not in bot_names():
            hint = nearest(name, bot_names())
            raise Refusal(f"there is no bot '{name}'{hint}")
        return name, rest
    path = ((base or Path.cwd()) / Path(found["file"]).expanduser()).resolve()
    if not path.is_file():
        raise Refusal(f"bot '{text}': there is no file '{found['file']}'")
    return str(path) + (f":{found['name']}" if found["name"] else ""), found["options"] or ""


def file_in(text: str) -> str | None:
    """Return the file that a bot is named by, or None."""
    found = _FILE.fullmatch(text)
    return None if found is None else found["file"]


def shown(name: str) -> str:
    """Return a bot's name as tables and messages show it: of a file only its own name."""
    found = _FILE.fullmatch(name)
    return (
        name if found is None else Path(found["file"]).name + (f":{found['name']}" if found["name"] else "")
    )


@cache
def kind_of(name: str) -> Kind:
    """Return the bot called `name`.

    Raises
    ------
    Refusal
        There is none, it cannot be loaded, or it is no bot.
    """
    found = _FILE.fullmatch(name)
    if found is not None:
        path = Path(found["file"])
        module = import_file(
            path,
            f"whimbrel_bot_{path.stem}_{sources_hash([path])}",
            lambda error: f"bot '{shown(name)}' cannot be loaded: {reason_of(error, path)}",
        )
        return _from(shown(name), module, found["name"])
    if name in _BROUGHT:
        brought = _BROUGHT[name]
        return _from(name, importlib.import_module(brought) if isinstance(brought, str) else brought, None)
    if name in _installed():
        with_reason = f"bot {name!r} ({_installed()[name].value}) cannot be loaded"
        try:
            return _from(name, _installed()[name].load(), None)
        except Refusal:
            raise
        except (Exception, SystemExit) as error:
            raise Refusal(f"{with_reason}: {reason_of(error)}") from error
    raise Refusal(f"there is no bot {name!r}{nearest(name, bot_names())}")


def import_file(path: Path, label: str, failed: Callable[[BaseException], str]) -> ModuleType:
    """Import a file as the module `label`; what lies beside it can be imported by it.

    Raises
    ------
    Refusal
        It cannot be imported; `failed` puts that into words.
    """
    spec = importlib.util.spec_from_file_location(label, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[label] = module
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[label]
        raise Refusal(failed(error)) from error
    finally:
        sys.path.remove(str(path.parent))
    return module


def reason_of(error: BaseException, file: Path | None = None) -> str:
    """Return in one line what went wrong, and the line of `file` that led to it."""
    text = str(error) if isinstance(error, Refusal) else f"{type(error).__name__}: {error}"
    if isinstance(error, SyntaxError) and error.lineno:
        return f"{Path(error.filename or '').name}, line {error.lineno}: {error.msg}"
    frames = [f for f in traceback.extract_tb(error.__traceback__) if file and Path(f.filename) == file]
    return f"{file.name}, line {frames[-1].lineno}: {text}" if frames and file else text


def _from(name: str, found: Any, wanted: str | None) -> Kind:
    """Make a `Kind` of a module or a class."""
    if wanted is not None:
        if not hasattr(found, wanted):
            names = [key for key, value in vars(found).items() if _is_class_of(value, found)]
            raise Refusal(f"bot '{name}': the file has no {wanted!r}{nearest(wanted, names)}")
        found = getattr(found, wanted)
    elif isinstance(found, ModuleType) and not callable(getattr(found, "choose", None)):
        classes = [value for value in vars(found).values() if _is_class_of(value, found)]
        if len(classes) != 1:
            listed = ", ".join(c.__name__ for c in classes)
            say = f"name one of its classes ({listed}): {name}:{classes[0].__name__}" if classes else ""
            say = say or "it has neither a function nor a class with a method 'choose'"
            raise Refusal(f"bot '{name}': {say}")
        found = classes[0]
    choose = getattr(found, "choose", None)
    if not callable(choose):
        raise Refusal(f"bot '{name}': {getattr(found, '__name__', found)!r} has no 'choose'")
    about = getattr(found, "ABOUT", None) or (inspect.getdoc(found) or "").partition("\n")[0]
    options = _checked_options(name, getattr(found, "OPTIONS", {}))
    source = Path(inspect.getfile(found)).resolve()
    if isinstance(found, ModuleType):
        _check_parameters(name, choose)
        room, opinion = getattr(found, "room", None), getattr(found, "opinion", None)
        return Kind(about, options, choose, room, source, opinion=opinion)
    if not isinstance(found, type):
        raise Refusal(f"bot '{name}': {found!r} is neither a module nor a class")
    from sim.core.plain_bots import chooser

    return Kind(about, options, chooser(found), None, source, plain=True)


def _is_class_of(value: Any, module: ModuleType) -> bool:
    return isinstance(value, type) and value.__module__ == module.__name__ and hasattr(value, "choose")


PARAMETERS = ("bot", "options", "rules", "state", "actions", "n", "stream", "desk")


def _check_parameters(name: str, choose: Callable[..., Any]) -> None:
    given = tuple(inspect.signature(choose).parameters)
    if len(given) != len(PARAMETERS):
        raise Refusal(f"bot '{name}': choose takes ({', '.join(PARAMETERS)}), not ({', '.join(given)})")


def _checked_options(name: str, options: Any) -> dict[str, Any]:
    from sim.core.bot_options import TYPES, Option

    if not isinstance(options, dict):
        raise Refusal(f"bot '{name}': OPTIONS must be a dictionary, name: Option(...)")
    for key, option in options.items():
        if not isinstance(option, Option):
            raise Refusal(f"bot '{name}': OPTIONS[{key!r}] must be an Option of sim.core.bots")
        if option.type not in TYPES:
            raise Refusal(
                f"bot '{name}': option {key!r} has no type {option.type!r}{nearest(option.type, TYPES)}"
            )
    return dict(options)


# --- versions ------------------------------------------------------------------------------------------------


@cache
def code_hash(name: str) -> str:
    """Return 8 hex digits over the sources that bot `name` rests on: its own, and what it imports of bots and core."""
    files: list[Path] = list(closure(kind_of(name).source, without=MACHINERY))
    files.sort(key=lambda path: path.name)
    return sources_hash(files)  # wherever the bot's file lies
