"""Which sources a piece of code rests on: a file and all that it imports, and a hash over them.

Versions of rules and bots, and the folders of compiled code, are named by such hashes. Only files of this package and
those beside the first file are followed, never a whole working directory and no installed library.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_SIM = Path(__file__).resolve().parent.parent


def closure(*files: str | Path) -> tuple[Path, ...]:
    """Return `files` and everything that they import, directly or not, sorted.

    Parameters
    ----------
    files
        Python files, or folders whose Python files are all meant.

    Returns
    -------
    Paths of files within this package, and of files in the folders of `files`.
    """
    found: set[Path] = set()
    todo = [path for file in files for path in _python_files(Path(file).resolve())]
    while todo:
        path = todo.pop()
        if path not in found:
            found.add(path)
            todo += _imports(path)
    return tuple(sorted(found))


def sources_hash(files: Iterable[str | Path]) -> str:
    """Return 8 hex digits over the names and the text of `files`, in their order."""
    digest = hashlib.sha256()
    for file in files:
        path = Path(file)
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


def _python_files(path: Path) -> list[Path]:
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


@cache
def _imports(path: Path) -> tuple[Path, ...]:
    """Return the files that one file imports, anywhere in its text."""
    found: list[Path] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [file for name in node.names for file in _files_of(path, name.name, 0)]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            found += _files_of(path, module, node.level)
            for name in node.names:  # "from sim.core import rng"
                found += _files_of(path, f"{module}.{name.name}" if module else name.name, node.level)
    return tuple(found)


def _files_of(importer: Path, module: str, level: int) -> list[Path]:
    """Return the file of a module, in a list; nothing when it is not ours."""
    parts = module.split(".") if module else []
    if level:
        root = importer.parents[level - 1]
    elif parts[:1] == [_SIM.name]:
        root, parts = _SIM, parts[1:]
    else:
        root = importer.parent
    path = root.joinpath(*parts)
    if path.with_suffix(".py").is_file():
        return [path.with_suffix(".py")]
    return [path / "__init__.py"] if parts and (path / "__init__.py").is_file() else []
