"""Games that are given by where they lie: ``./my_game.py``, ``./my_game.py:Name``, or a folder ``./mygame``.

A file holds one class after `sim.plain.PlainGame`, or an object ``GAME`` of a class after `sim.core.game.Game`. A
folder has a ``pyproject.toml`` with an entry point in the group ``whimbrel.games``, or is a package
(``__init__.py``), or has a file ``game.py``.
"""

from __future__ import annotations

import hashlib
import importlib
import re
import sys
import tomllib
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from sim.core.bot_doors import import_file, reason_of
from sim.core.errors import Refusal, nearest
from sim.core.sources import closure

GROUP = "whimbrel.games"
OPENSPIEL = "openspiel:"
KEPT = (".py", ".toml", ".json", ".txt", ".md", ".csv")
"""Files of a game's folder that a data set keeps a copy of."""
_LEFT = frozenset({"tests", "runs", "reports", "build", "dist", "node_modules", "__pycache__"})
_PLACE = re.compile(r"(?P<path>.*?)(?::(?P<name>[A-Za-z_]\w*))?")
_AT: dict[tuple[Path, str], Any] = {}
_SAME: dict[str, Any] = {}
"""Games by a hash over all their files: a copy of a game that is loaded already is that game."""


def is_place(text: str) -> bool:
    """Return whether a game is named by where it lies."""
    if text.startswith(OPENSPIEL):
        return False
    path = _PLACE.fullmatch(text)["path"]  # type: ignore[index]
    return path.endswith(".py") or "/" in path or "\\" in path or path[:1] in (".", "~")


@cache
def spiel_at(name: str) -> Any:
    """Return a game of OpenSpiel."""
    from sim.core.registration import check_face
    from sim.plain.spiel.face import SpielFace

    game = SpielFace(name)
    check_face(name, game)
    return game


def label_of(text: str) -> str:
    """Return what a game is called as a part of a file's name."""
    from sim.core.game import get_game

    return re.sub(r"[^\w.-]+", "-", str(get_game(text).name)).strip("-.")


def split_place(text: str, base: Path | None = None) -> tuple[Path, str]:
    """Return the file or folder that a text names, and the name behind it ("": none).

    Raises
    ------
    Refusal
        There is no such file or folder.
    """
    found = _PLACE.fullmatch(text)
    assert found is not None
    path = ((base or Path.cwd()) / Path(found["path"]).expanduser()).resolve()
    if not path.exists():
        beside = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
        raise Refusal(
            f"game '{text}': there is no file or folder '{found['path']}'{nearest(path.name, beside)}"
        )
    if path.is_file() and path.suffix != ".py":
        raise Refusal(f"game '{text}': a game is a Python file or a folder")
    return path, found["name"] or ""


def game_at(text: str, base: Path | None = None) -> Any:
    """Return the game that lies somewhere.

    Raises
    ------
    Refusal
        It cannot be found or loaded, or it is no game.
    """
    path, name = split_place(text, base)
    if (path, name) not in _AT:
        files = files_of(path)
        digest = hashlib.sha256(name.encode())
        for label, file in sorted(files.items()):
            digest.update(label.encode() + file.read_bytes())
        same = _SAME.get(digest.hexdigest())
        if same is None:
            same = _checked(path, name, _found(path, name))
            same.place = str(path) + (f":{name}" if name else "")
            _SAME[digest.hexdigest()] = same
        _AT[path, name] = same
    return _AT[path, name]


def game_files(text: str) -> dict[str, Path]:
    """Return the files of a game that lies somewhere; none of one that is named."""
    return files_of(split_place(text)[0]) if is_place(text) else {}


def files_of(path: Path) -> dict[str, Path]:
    """Return the files that a game consists of, by the names under which a data set keeps them."""
    if path.is_file():
        return {file.name: file for file in closure(path) if file.parent == path.parent}
    found = {}
    for file in sorted(path.rglob("*")):
        inner = file.relative_to(path)
        left = any(
            part in _LEFT or part.startswith(".") or part.endswith(".egg-info") for part in inner.parts
        )
        if file.is_file() and file.suffix in KEPT and not left:
            found[f"{path.name}/{inner.as_posix()}"] = file
    return found


def _installed_one(name: str) -> Any:
    """Return the game that is installed under a name; None where that one cannot be loaded."""
    from sim.core.game import get_game

    try:
        return get_game(name)
    except Refusal:
        return None


def _checked(path: Path, name: str, found: Any) -> Any:
    """Return what was found as a game, checked like those that are installed."""
    from sim.core.game import game_names
    from sim.core.registration import check_face, guard

    found = as_game(found)
    own = getattr(found, "name", "")
    if own in game_names():
        known = _installed_one(own)
        alike = ("folder", "rules_version")  # it is the one that is installed, or a copy of it in a data set
        if known is not None and any(getattr(known, of, 0) == getattr(found, of, 1) for of in alike):
            return known
        raise Refusal(
            f"game '{path.name}' calls itself {own!r}, and there is a game of that name with other sources; rename one"
        )
    check_face(own, found)
    guard(own, found)
    return found


def as_game(found: Any) -> Any:
    """Return the game that a plain class stands for; all else is returned as it is."""
    if not isinstance(found, type) or not any(base.__name__ == "PlainGame" for base in found.__mro__):
        return found
    from sim.plain.face import PlainFace

    file = getattr(sys.modules.get(found.__module__), "__file__", None)
    face = PlainFace(found, Path(file or f"<{found.__module__}>"))
    _ = (
        face.rules_version
    )  # hashed now: a copy of the game has its tag, and the last one made holds the tag's sources
    return face


def _found(path: Path, name: str) -> Any:
    """Return the object or class that is the game."""
    if path.is_file():
        return _in_module(_module_at(path), path.name, name)
    project = path / "pyproject.toml"
    if project.is_file():
        try:
            data = tomllib.loads(project.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise Refusal(f"game '{path.name}': pyproject.toml cannot be read: {error}") from None
        points = data.get("project", {}).get("entry-points", {}).get(GROUP, {})
        if points:
            wanted = name or next(iter(points))
            if wanted not in points or (len(points) > 1 and not name):
                listed = ", ".join(points)
                raise Refusal(
                    f"game '{path.name}': name one of its games ({listed}), as in ./{path.name}:{listed.split(',')[0]}"
                )
            module, _, attribute = points[wanted].partition(":")
            inside = path / "src" if (path / "src").is_dir() else path
            return _attribute(_imported(module, inside, path), attribute, path)
    if (path / "__init__.py").is_file():
        package = _imported(path.name, path.parent, path)
        if not _games_in(package) and (path / "game.py").is_file():
            package = _imported(f"{path.name}.game", path.parent, path)
        return _in_module(package, path.name, name)
    if (path / "game.py").is_file():
        return _in_module(_module_at(path / "game.py"), path.name, name)
    raise Refusal(
        f"game '{path.name}': the folder has neither a pyproject.toml with an entry point in {GROUP!r}, nor "
        "__init__.py or game.py"
    )


def _attribute(module: ModuleType, attribute: str, path: Path) -> Any:
    found: Any = module
    for part in filter(None, attribute.split(".")):
        if not hasattr(found, part):
            raise Refusal(
                f"game '{path.name}': {module.__name__} has no {part!r}{nearest(part, vars(module))}"
            )
        found = getattr(found, part)
    return found if attribute else _in_module(module, path.name, "")


def _imported(module: str, inside: Path, path: Path) -> ModuleType:
    """Import a module of a folder under its own name."""
    top = module.partition(".")[0]
    there = getattr(sys.modules.get(top), "__file__", None)
    if top in sys.modules and (there is None or inside not in Path(there).resolve().parents):
        raise Refusal(
            f"game '{path.name}': a module called {top!r} is loaded already; give its package another name"
        )
    sys.path.insert(0, str(inside))
    try:
        return importlib.import_module(module)
    except (Exception, SystemExit) as error:
        raise Refusal(f"game '{path.name}' cannot be loaded: {_reason(error, path)}") from error
    finally:
        sys.path.remove(str(inside))


def _reason(error: BaseException, path: Path) -> str:
    import traceback

    frames = [Path(f.filename) for f in traceback.extract_tb(error.__traceback__)]
    own = [file for file in frames if file == path or path in file.parents]
    return reason_of(error, own[-1] if own else None)


def _module_at(path: Path) -> ModuleType:
    label = f"whimbrel_game_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    return import_file(
        path, label, lambda error: f"game '{path.name}' cannot be loaded: {_reason(error, path)}"
    )


def _games_in(module: ModuleType) -> dict[str, Any]:
    from sim.plain.game import PlainGame

    return {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, PlainGame) and value.__module__ == module.__name__
    }


def _in_module(module: ModuleType, shown: str, wanted: str) -> Any:
    if hasattr(module, "GAME") and not wanted:
        return module.GAME
    found = _games_in(module)
    if wanted:
        if not hasattr(module, wanted):
            raise Refusal(f"game '{shown}': there is no {wanted!r} in it{nearest(wanted, found)}")
        return getattr(module, wanted)
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        raise Refusal(
            f"game '{shown}': name one of its classes ({', '.join(found)}): {shown}:{next(iter(found))}"
        )
    raise Refusal(f"game '{shown}': it has neither a class after sim.plain.PlainGame nor an object GAME")
