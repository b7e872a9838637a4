"""Which sources a piece of code rests on: a file and all that it imports, and a hash over them.

Versions of rules and bots, the tags of states and the folders of compiled code are named by such hashes. Only files
of this package, of the first file's own package, and those beside a file that is in none are followed: never a whole
working directory, and no installed library. A file is read once: what a process has loaded is what counts, not what
has been edited since.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path

_SIM = Path(__file__).resolve().parent.parent
CORE = _SIM / "core"
MACHINERY = frozenset(
    CORE / f"{name}.py"
    for name in (
        *(
            "__init__",
            "blame",
            "bot_doors",
            "bot_options",
            "bots",
            "contract",
            "errors",
            "folder_game",
            "game",
            "jit",
            "kinds",
        ),
        *(
            "linking",
            "notation",
            "optional",
            "patience",
            "plain_bots",
            "play",
            "records",
            "registration",
            "reserved",
            "room",
            "settling",
            "sources",
            "table",
            "twins",
            "game_doors",
        ),
    )
)
"""Files of the core that carry no play: they change no row of a data set."""
ALWAYS = tuple(CORE / name for name in ("defaults.py", "loop.py", "preparing.py", "rng.py", "seeds.py"))
"""Files of the core that every game is played with."""
KERNELS = tuple(CORE / name for name in ("contract.py", "hexgrid.py", "jit.py", "loop.py", "rng.py"))
"""Files of the core that hold compiled code."""
LOOKING = frozenset(
    (
        *("card", "own_card", "draw", "position_text", "action_text", "happened"),
        *("check_cases", "case_table", "case_of", "check_cards", "check_map"),
    )
)
"""Methods of a game that are for looking only: what they alone import changes no row."""

_IMPORT = re.compile(
    r"^([ \t]*)(from[ \t]+[.\w]+[ \t]+import[ \t]*(?:\([^)]*\)|[^\n#]*)|import[ \t]+[^\n#]+)", re.MULTILINE
)
_DEF = re.compile(r"^([ \t]*)(?:async[ \t]+)?def[ \t]+(\w+)", re.MULTILINE)


def closure(*files: str | Path, without: Collection[Path] = (), looking: bool = True) -> tuple[Path, ...]:
    """Return `files` and everything that they import, directly or not, sorted.

    Parameters
    ----------
    files
        Python files, or folders whose Python files are all meant.
    without
        Files that are neither returned nor followed.
    looking
        Whether what only methods of `LOOKING` import counts too.

    Returns
    -------
    Paths of files within this package, within the packages of `files`, and beside those that are in no package.
    """
    found: set[Path] = set()
    todo = [path for file in files for path in _python_files(Path(file).resolve())]
    while todo:
        path = todo.pop()
        if path not in found and path not in without:
            found.add(path)
            todo += [file for file, within in _imports(path) if looking or within not in LOOKING]
    return tuple(sorted(found))


def sources_hash(files: Iterable[str | Path]) -> str:
    """Return 8 hex digits over the names and the text of `files`, in their order."""
    digest = hashlib.sha256()
    for file in files:
        path = Path(file)
        digest.update(path.name.encode())
        digest.update(_text(path))
    return digest.hexdigest()[:8]


# --- rules ---------------------------------------------------------------------------------------------------

_RULES: dict[str, tuple[Path, ...]] = {}
_ROOTS: dict[str, Path] = {}
"""All sources of the rules of each game, and the file or folder that they begin with, by the tag of its state."""


def tag_rules(game: str, file: Path, alone: bool = False) -> str:
    """Return the tag of a state that is declared in `file`: the name of the game and a hash of its sources.

    They are the package that the file is in (for ``rules/state.py`` the folder ``rules``), or the file alone (`alone`:
    even in a package), and what these import. Of a file that does not exist, such as a cell of a notebook, nothing is
    known: its tag is made by chance, so that nothing that was compiled for another one is ever used for it.
    """
    path = file.resolve()
    if not path.is_file():
        import secrets

        tag = f"game_{game}_{secrets.token_hex(4)}"
        _RULES[tag] = ()
        return tag
    root = path.parent if (path.parent / "__init__.py").is_file() and not alone else path
    files = closure(root)
    tag = f"game_{game}_{sources_hash(files)}"
    _RULES[tag], _ROOTS[tag] = files, root
    return tag


def sources_of_rules(tag: str) -> tuple[Path, ...] | None:
    """Return the sources that a tag is made of; () when they are not known, None when `tag_rules` has not made it."""
    return _RULES.get(tag)


def rules_hash(face: Path, tag: str = "") -> str:
    """Return a hash over all that decides the rows of a game: its rules, what prepares them, the core that plays them.

    `face` is the file of the game's class, `tag` that of its state, if it is played over records.
    """
    own = [_ROOTS[tag]] if tag in _ROOTS else []
    return sources_hash(_by_name(closure(*ALWAYS, *own, face, without=MACHINERY, looking=False)))


def _by_name(files: Iterable[Path]) -> list[Path]:
    """Return files in an order that does not hang on where they lie: a copy of a game has the version of the game."""
    return sorted(files, key=lambda path: (path.name, _text(path)))


# --- files ---------------------------------------------------------------------------------------------------


def _python_files(path: Path) -> list[Path]:
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


@cache
def _text(path: Path) -> bytes:
    return path.read_bytes().replace(b"\r\n", b"\n")


@cache
def _imports(path: Path) -> tuple[tuple[Path, str], ...]:
    """Return the files that one file imports, anywhere in its text, and the function in which it does ("": none)."""
    text = _text(path).decode("utf-8", "replace")
    heads = [(match.start(), len(match[1]), match[2]) for match in _DEF.finditer(text)]
    found: list[tuple[Path, str]] = []
    for match in _IMPORT.finditer(text):
        try:
            (statement,) = ast.parse(match[2].strip()).body
        except (SyntaxError, ValueError):  # words of a docstring
            continue
        depth = len(match[1])
        around = [name for at, indent, name in heads if at < match.start() and indent < depth]
        within = around[-1] if depth and around else ""
        found += [(file, within) for file in _named(path, statement)]
    return tuple(found)


def _named(path: Path, statement: ast.stmt) -> list[Path]:
    if isinstance(statement, ast.Import):
        return [file for name in statement.names for file in _files_of(path, name.name, 0)]
    if not isinstance(statement, ast.ImportFrom):
        return []
    module = statement.module or ""
    found = _files_of(path, module, statement.level)
    for name in statement.names:  # "from sim.core import rng"
        found += _files_of(path, f"{module}.{name.name}" if module else name.name, statement.level)
    return found


def _files_of(importer: Path, module: str, level: int) -> list[Path]:
    """Return the file of a module, in a list; nothing when it is not ours."""
    parts = module.split(".") if module else []
    if level:
        root = importer.parents[level - 1]
    elif parts[:1] == [_SIM.name]:
        root, parts = _SIM, parts[1:]
    else:
        root = _above(importer)
        if importer.parent != root and parts[:1] != [importer.relative_to(root).parts[0]]:
            return []  # another package than its own
    path = root.joinpath(*parts)
    if path.with_suffix(".py").is_file():
        return [path.with_suffix(".py")]
    inside = importer.parent == root and root.name in ("site-packages", "dist-packages")
    if not parts or (inside and not level):  # beside a module there: installed libraries
        return []
    return [path / "__init__.py"] if (path / "__init__.py").is_file() else []


@cache
def _above(file: Path) -> Path:
    """Return the folder above the package that a file is in; its own folder when it is in none."""
    folder = file.parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder
