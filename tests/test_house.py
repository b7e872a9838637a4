"""The house of the tests: none depends on how fast the machine is, and their folders are those of the code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.plain

TESTS = Path(__file__).parent
CLOCKS = {
    "perf_counter",
    "process_time",
    "monotonic",
    "time_ns",
    "perf_counter_ns",
    "times",
    "timeit",
    "time",
}
ELSEWHERE = {
    "soak",
    "limit",
    "cases",
    "data",
    "notebooks",
    "plug_ins",
    "reference",
    "reports",
    "reference_tests",
    "analysis",
}
"""Folders of tests that mirror none of `sim`: data, referees, games of others; analysis is mirrored by its own test."""


def reads_a_clock(node: ast.AST) -> bool:
    """Whether a clock of the modules time or os is read in it."""
    for function in [n.func for n in ast.walk(node) if isinstance(n, ast.Call)]:
        if isinstance(function, ast.Name) and function.id in CLOCKS - {"time", "times"}:
            return True
        if isinstance(function, ast.Attribute) and function.attr in CLOCKS:
            return isinstance(function.value, ast.Name) and function.value.id in ("time", "os", "timeit")
    return False


def timed_asserts(text: str) -> list[int]:
    """Return the lines of the asserts of a file that rest on what a clock showed."""
    found = []
    tree = ast.parse(text)
    for function in [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]:
        told: set[str] = set()
        for _ in range(3):  # a difference of differences is a time too
            for node in ast.walk(function):
                if isinstance(node, ast.Assign):
                    names = {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
                    if reads_a_clock(node.value) or names & told:
                        told |= {n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)}
        for node in ast.walk(function):
            if isinstance(node, ast.Assert):
                names = {n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)}
                if reads_a_clock(node.test) or names & told:
                    found.append(node.lineno)
    return found


def test_no_test_asserts_seconds() -> None:
    """A busy machine fails no test: speed is measured by `whimbrel bench`."""
    timed = {
        str(path.relative_to(TESTS)): lines
        for path in sorted(TESTS.rglob("*.py"))
        if (lines := timed_asserts(path.read_text(encoding="utf-8")))
    }
    assert timed == {}


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("begun = time.perf_counter()\n    work()\n    assert time.perf_counter() - begun < 1", [4]),
        ("begun = time.monotonic()\n    spent = time.monotonic() - begun\n    assert spent < 1", [4]),
        ("a = process_time()\n    b = a * 2\n    c = b + 1\n    assert c", [5]),
        (
            "end = time.monotonic() + 9\n    while time.monotonic() < end:\n        work()\n    assert done",
            [],
        ),
        ("assert table.time() > 1", []),
    ],
)
def test_a_timed_assert_is_seen(body: str, lines: list[int]) -> None:
    assert timed_asserts(f"def test():\n    {body}\n") == lines


def test_the_tests_stand_in_the_folders_of_the_code() -> None:
    rooms = {path.parent.name for path in (TESTS.parent / "sim").glob("*/__init__.py")}
    folders = {path.parent.name for path in TESTS.glob("*/*.py")} - ELSEWHERE
    assert folders <= rooms
    games = {path.parent.name for path in (TESTS.parent / "sim" / "games").glob("*/__init__.py")}
    assert {path.parent.name for path in (TESTS / "games").glob("*/test_*.py")} == games
    assert games <= {path.parent.name for path in (TESTS / "reference").glob("*/*.py")}


def sets_the_environment(text: str) -> bool:
    """Whether importing a file changes the environment of the whole test run, which compiles or does not by it."""
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.If) and "__name__" in ast.unparse(statement.test):
            continue
        if isinstance(statement, ast.Expr | ast.Assign | ast.AugAssign | ast.If | ast.Delete):
            words = ast.unparse(statement)
            if re.search(
                r"os\.environ(\[[^]]*\] =|\.(setdefault|update|pop)\()|os\.(putenv|unsetenv)\(", words
            ):
                return True
    return False


def test_no_file_of_the_tests_sets_the_environment_when_it_is_imported() -> None:
    files = [path for path in TESTS.rglob("*.py") if path.name not in ("conftest.py", "__main__.py")]
    assert not [str(path.relative_to(TESTS)) for path in files if sets_the_environment(path.read_text())]
    for line in (
        'os.environ["A"] = "1"',
        'os.environ.setdefault("A", "1")',
        'if 1:\n    os.environ.pop("A")',
    ):
        assert sets_the_environment(f"import os\n\n{line}\n"), line
    assert not sets_the_environment('if __name__ == "__main__":\n    os.environ["A"] = "1"\n')
