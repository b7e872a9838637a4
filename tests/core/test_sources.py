"""Versions of rules: every source that a game loads, nothing beside them, and never what is for looking only."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from sim.core.game import game_names, get_game
from sim.core.jit import tag_of
from sim.core.sources import ALWAYS, CORE, KERNELS, MACHINERY, _imports, closure, sources_of_rules
from tests.plug_ins import STONES, altered, environment_of, install

PROGRAM = """
import json, sys
from sim.core.game import get_game
from sim.core.jit import tag_of
game = get_game("stones")
print(json.dumps([tag_of(game.State.names), game.rules_version]))
"""


def versions(site: Path) -> tuple[str, str]:
    """Return tag and version of the game in `site`, as a new process finds them."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment_of(site, False), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    tag, version = json.loads(done.stdout)
    return tag, version


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_a_game_in_one_file(tmp_path: Path) -> None:
    """It is its file and what it imports of the files beside it; not whatever else lies in the folder."""
    text = altered("TAKE = 2\n", "from counting import MOST\n\nTAKE = 2\n")
    text = altered("    def draw(self, rules, state, ax):\n", "    def draw(self, rules, state, ax):\n"
                   "        import painting\n\n        painting.paint()\n", text)  # fmt: skip
    install(tmp_path, {"stones": text}, {"counting": "MOST = 3\n", "painting": "", "stranger": ""})
    seen = [versions(tmp_path)]
    write(tmp_path / "stranger.py", "x = 1\n")
    write(tmp_path / "notes/deep/other.py", "x = 1\n")
    assert versions(tmp_path) == seen[0]
    write(tmp_path / "painting.py", "def paint():\n    return\n")
    assert versions(tmp_path)[1] == seen[0][1], "a picture changes no row"
    for name, more in (("stones", text + "\n"), ("counting", "MOST = 4\n")):
        write(tmp_path / f"{name}.py", more)
        seen.append(versions(tmp_path))
    assert len({tag for tag, _ in seen}) == len({version for _, version in seen}) == 3
    assert all(tag.startswith("game_stones_") and version.startswith("1+") for tag, version in seen)


def test_a_game_in_a_package(tmp_path: Path) -> None:
    """Its tag covers the folder of the state, its version also what prepares a game; other packages neither."""
    state = STONES[STONES.index("Rules = record_type") : STONES.index("\n\n@implements")]
    head = STONES[: STONES.index("Rules = record_type")]
    inner = head + state + "\n"
    verbs = (
        head
        + "from heap.rules.state import *\n"
        + STONES[STONES.index("@implements") : STONES.index("class Stones")]
    )
    face = head + "from heap.rules.state import *\nfrom heap.rules import verbs\nfrom . import setting\n\n\n"
    face += STONES[STONES.index("class Stones") :]
    install(tmp_path, {"stones": "from heap.game import GAME\n"})
    package = tmp_path / "heap"
    texts = {"rules/state.py": inner, "rules/verbs.py": verbs, "rules/deep/more.py": "", "game.py": face}
    texts |= {"__init__.py": "", "rules/__init__.py": "", "setting.py": "import other\n", "unused.py": ""}
    for name, text in texts.items():
        write(package / name, text)
    write(tmp_path / "other/__init__.py", "")
    first = versions(tmp_path)
    changes = {}
    for name in [*texts, "../other/__init__.py"]:
        write(package / name, texts.get(name, "") + "\n# more\n")
        tag, version = versions(tmp_path)
        changes[name] = (tag != first[0], version != first[1])
        write(package / name, texts.get(name, ""))
    inside = ("rules/state.py", "rules/verbs.py", "rules/deep/more.py", "rules/__init__.py")
    assert all(changes[name] == (True, True) for name in inside), changes
    assert changes["game.py"] == changes["setting.py"] == (False, True)
    assert changes["unused.py"] == changes["../other/__init__.py"] == (False, False)
    assert versions(tmp_path) == first


def test_a_function_outside_the_sources_is_refused(tmp_path: Path) -> None:
    """Its changes would not be seen, and old machine code would run."""
    verbs = STONES[STONES.index('@implements("legal", State)') : STONES.index('@implements("apply", State)')]
    other = "from sim.core.jit import implements\nfrom stones import State\n\n\n" + verbs
    text = STONES.replace(verbs, "").replace("GAME = Stones()", "import elsewhere\n\nGAME = Stones()")
    install(tmp_path, {"stones": text}, {"elsewhere": other})
    assert versions(tmp_path)  # the file of the state imports it: so it is known
    text = text.replace("import elsewhere\n", '__import__("elsewhere")\n')
    install(tmp_path, {"stones": text}, {"elsewhere": other})
    with pytest.raises(AssertionError, match=r"elsewhere.py, line \d+: 'legal' is outside the sources"):
        versions(tmp_path)


@pytest.mark.parametrize("name", game_names())
def test_the_sources_of_our_games(name: str) -> None:
    game = get_game(name)
    rules = sources_of_rules(tag_of(game.State.names))
    assert rules is not None
    folder = CORE.parent / "games" / name / "rules"
    assert set(folder.rglob("*.py")) <= set(rules)
    assert all(path.parent == CORE or path.is_relative_to(folder.parent) for path in rules)
    whole = closure(*ALWAYS, *rules, folder.parent / "game.py", without=MACHINERY, looking=False)
    assert {CORE / "rng.py", CORE / "loop.py", folder.parent / "setup_cell.py"} <= set(whole)
    assert folder.parent / "picture.py" not in whole
    assert not any(path.is_relative_to(CORE.parent / "bots") for path in whole)


def test_the_core_that_plays_is_no_machinery() -> None:
    """What is not listed counts as play where a game imports it: the list names files that there are."""
    assert all(path.is_file() for path in (*MACHINERY, *ALWAYS, *KERNELS))
    played = {CORE / name for name in ("hexgrid.py", "params.py", "files.py")} | set(ALWAYS)
    assert not played & MACHINERY


def test_compiled_code_of_the_core_is_known() -> None:
    """What else is edited there compiles nothing anew."""
    texts = {path: path.read_text(encoding="utf-8") for path in CORE.rglob("*.py")}
    assert set(KERNELS) == {path for path, text in texts.items() if "@kernel" in text}
    assert CORE / "defaults.py" in closure(*KERNELS)
    assert CORE / "registration.py" not in closure(*KERNELS)


def test_imports_are_found_as_python_finds_them() -> None:
    """Against the whole syntax tree, over all of our own files."""
    for path in sorted(CORE.parent.rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        modules = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
        wanted = {
            CORE.parent.parent / f"{name.replace('.', '/')}.py" for name in modules if name.startswith("sim")
        }
        found = {file for file, _ in _imports(path)}
        assert {file for file in wanted if file.is_file()} <= found, path
