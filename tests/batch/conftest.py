"""The fake game, installed the way a third party would: a folder with entry points on the path."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="session", autouse=True)
def numbers(tmp_path_factory: pytest.TempPathFactory):
    """Install the game "numbers" for this process and for those that it starts."""
    site = tmp_path_factory.mktemp("site")
    shutil.copy(HERE / "fake_game.py", site / "whimbrel_numbers.py")
    info = site / "whimbrel_numbers-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: whimbrel-numbers\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[whimbrel.games]\nnumbers = whimbrel_numbers:GAME\n")
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(site), *([before] if before else [])])
    sys.path.insert(0, str(site))
    yield site
    sys.path.remove(str(site))
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before
