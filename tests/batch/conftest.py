"""The game of numbers, installed the way a third party would: a folder with entry points on the path."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="session", autouse=True)
def numbers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Install the game "numbers" for this process and for those that it starts."""
    from sim.core import game

    site = tmp_path_factory.mktemp("site")
    shutil.copy(HERE / "fake_game.py", site / "whimbrel_numbers.py")
    info = site / "whimbrel_numbers-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: whimbrel-numbers\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[whimbrel.games]\nnumbers = whimbrel_numbers:GAME\n")
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(site), str(HERE.parents[1]), *filter(None, [before])])
    sys.path.insert(0, str(site))
    game._installed.cache_clear()
    yield site
    sys.path.remove(str(site))
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before
    game._installed.cache_clear()
