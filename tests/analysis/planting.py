"""Plant a fault into a copy of `analysis/` and run the test that must see it (see `tests.analysis.mutations`)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
CAUGHT, SURVIVED = "caught", "survived"


@dataclass(frozen=True)
class Fault:
    """A fault: `old` becomes `new` in `file` of `analysis/`, and `test` (below ``tests/analysis``) must fail."""

    name: str
    file: str
    old: str
    new: str
    test: str

    def changed(self, text: str) -> str:
        """The text of the file with the fault in it; refuses one where the place is gone or not the only one."""
        found = text.count(self.old)
        if found != 1:
            raise LookupError(
                f"fault '{self.name}': the text to be changed stands {found} times in analysis/{self.file}, not "
                f"once; the code has moved on, so write the fault anew: {self.old!r}"
            )
        return text.replace(self.old, self.new)


def package(folder: Path) -> Path:
    """A copy of `analysis/` and its tests in `folder`, to be spoilt; the rest is only linked to."""
    away = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "analysis", folder / "analysis", ignore=away)
    shutil.copytree(ROOT / "tests" / "analysis", folder / "tests" / "analysis", ignore=away)
    for name in ("tests/__init__.py", "tests/conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "sim").symlink_to(ROOT / "sim", target_is_directory=True)
    return folder


def run(folder: Path, *tests: str) -> tuple[int, str]:
    """Run tests of the copy; pytest's exit code, and what it printed."""
    # Bytecode is told apart by the second and the size of its source, and a fault may keep both.
    own = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    own.pop("PYTEST_ADDOPTS", None)
    at = [f"tests/analysis/{test}" for test in tests]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *at]
    done = subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def plant(fault: Fault, folder: Path) -> str:
    """Plant the fault into the copy in `folder`, run its test, take it back: ``caught`` or ``survived``.

    A test that could not be run (no such test, a fault that is no Python) is an error of the list, and raised.
    """
    file = folder / "analysis" / fault.file
    sound = file.read_text(encoding="utf-8")
    file.write_text(fault.changed(sound), encoding="utf-8")
    try:
        code, told = run(folder, fault.test)
    finally:
        file.write_text(sound, encoding="utf-8")
    # A fault that merely breaks the code is no fault that a test has seen.
    if code not in (0, 1) or "NameError" in told or "ImportError" in told:
        raise RuntimeError(f"fault '{fault.name}': the test could not be run (exit code {code})\n{told}")
    return CAUGHT if code else SURVIVED
