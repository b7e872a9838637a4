"""Small games of third parties, installed for a test the way pip would: a folder with entry points on the path."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
STONES = (HERE / "stones.py").read_text(encoding="utf-8")
"""The text of a whole small game; tests change a line of it."""


def altered(old: str, new: str, text: str = STONES) -> str:
    """Return the text of a game with one line changed."""
    assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
    return text.replace(old, new)


def install(site: Path, games: Mapping[str, str], others: Mapping[str, str] | None = None) -> Path:
    """Write games (text by name, each with a `GAME`) and other modules into `site`, with entry points."""
    site.mkdir(exist_ok=True)
    for name, text in {**games, **(others or {})}.items():
        (site / f"{name}.py").write_text(text, encoding="utf-8")
    info = site / "plug_ins-1.0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plug-ins\nVersion: 1.0\n")
    points = "".join(f"{name} = {name}:GAME\n" for name in games)
    (info / "entry_points.txt").write_text(f"[whimbrel.games]\n{points}")
    return site


def whimbrel(
    site: Path, *arguments: str, compiled: bool = False, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the command with the games of `site` installed; uncompiled unless told otherwise."""
    return subprocess.run(
        [sys.executable, "-m", "sim.cli", *arguments],
        env=environment_of(site, compiled) | environment,
        cwd=site,
        capture_output=True,
        text=True,
        timeout=300,
    )


def environment_of(site: Path, compiled: bool) -> dict[str, str]:
    """Return the environment of a process that finds the games of `site`."""
    path = os.pathsep.join([str(site), str(ROOT)])
    return {**os.environ, "PYTHONPATH": path, "NUMBA_DISABLE_JIT": "0" if compiled else "1"}
