"""A plug-in whose folder is laid out like the games of the package: its face is a few lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plug_ins import STONES, install, whimbrel

pytestmark = pytest.mark.plain

FACE = """
from heaps import setting_up, words
from heaps.rules import state
from sim.core.folder_game import FolderGame


class Heap(FolderGame, params=state, state=state, views=state, setup=setting_up, words=words):
    name = "heap"
    title = "Heap"
    about = "Take stones from a heap."
    version = "1"
    min_players = 2
    max_players = 2
    most_plies = 5000
    needs_jitter = True
    harm = "nothing"

    def own_card(self):
        return {}

    def drawn_columns(self, cell, drawn):
        return {}

    def action_text(self, action, rules, cell=None, state_=None):
        return f"take {action}"

    def position_text(self, rules, state, cell=None):
        return f"heap {state['heap']}, seat {state['seat']}"

    def draw(self, rules, state, ax, title="", coordinates=False, panel=True):
        ax.set_title(title)


GAME = Heap()
"""
TOLD = """
PIECES = ("Stone",)
PHASES = ("resolve", "over", "take")
KINDS = ("take",)
FEATURES = ("took", "heap")
FEATURE_HELP = {"took": "stones taken", "heap": "stones left"}
WEIGHTS = (1.0, -0.1)
MAX_ACTIONS = 100
"""
WORDS = """
import numpy as np


def kind_of(codes):
    return np.zeros_like(codes)


piece_of = kind_of
"""
TABLE = """
class Table:
    @classmethod
    def check_file(cls, path):
        from sim.core.cases.running import CaseResult
        return [CaseResult(path.name, "1", "a case")]
"""
EXPERIMENT = 'game = "heap"\nname = "few"\ngames = 6\n[players]\ncount = 2\nbots = ["greedy", "random"]\n'


def folder(site: Path) -> Path:
    """Install the stones as a folder: rules, what sets a cell up, words, and the face."""
    install(site, {"heap": "from heaps.game import GAME\n"})
    rules, face = STONES.split("class Stones(Game):")
    start = face.index("    def prepare(self, ")
    prepare = face[start : face.index("    def own_card")].replace(
        "    def prepare(self, ", "    def prepare("
    )
    lines = [line.removeprefix("    ") for line in prepare.splitlines()]
    package = site / "heaps"
    (package / "rules").mkdir(parents=True)
    for name, text in {
        "__init__": "",
        "rules/__init__": "",
        "rules/state": rules + TOLD,
        "setting_up": "from heaps.rules.state import *\nfrom heaps.rules.state import Entrant, Path, Cell\n\n"
        + "\n".join(lines),
        "words": WORDS,
        "game": FACE,
    }.items():
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    return package


LAST_STONE = """
game = "heap"
[[case]]
id = "1"
position = { heap = 1, to_move = "B" }
do = ["take 1"]
illegal = ["take 2"]
after = { ended = true, winner = "B", fields = { heap = 0 } }
[[case]]
id = "dealt"
deal = true
seed = 3
do = ["take 1", "take 2"]
after = { to_move = "A", turn = 2, fields = { took = [1, 2] } }
[[case]]
id = "off"
position = { heap = 1 }
do = ["take 4"]
"""


def test_a_folder_is_a_game(tmp_path: Path) -> None:
    package = folder(tmp_path)
    (tmp_path / "few.toml").write_text(EXPERIMENT)
    done = whimbrel(tmp_path, "run", "few.toml", "--jobs", "1")
    assert (done.returncode, "6 games" in done.stdout) == (0, True), done.stderr
    (tmp_path / "cases.toml").write_text(LAST_STONE)
    done = whimbrel(tmp_path, "check", "cases.toml")  # laid out by the fields of the state
    assert "2 of 3 good" in done.stdout, done.stdout + done.stderr
    assert "case off (): 'take 4' is not legal here; legal: take 1" in done.stdout
    (tmp_path / "cases.toml").write_text('game = "heap"\n[[case]]\nid = "1"\n')
    (package / "cases.py").write_text(TABLE)
    done = whimbrel(tmp_path, "check", "cases.toml")
    assert (done.returncode, done.stdout) == (0, "cases.toml: case 1 (a case): good\n"), done.stderr
    done = whimbrel(tmp_path, "run", "few.toml", "--jobs", "1")
    assert done.returncode == 0, "cases are for looking only: the data set goes on"
    (package / "setting_up.py").write_text((package / "setting_up.py").read_text() + "\n# edited\n")
    done = whimbrel(tmp_path, "run", "few.toml", "--games", "20", "--jobs", "1")
    assert (done.returncode, "rules" in done.stderr) == (2, True), "what sets a cell up is part of the rules"


def test_a_module_that_lacks_a_name_is_one_line(tmp_path: Path) -> None:
    package = folder(tmp_path)
    (package / "rules/state.py").write_text(
        (package / "rules/state.py").read_text().replace("\nKINDS", "\nKINSD")
    )
    done = whimbrel(tmp_path, "games", "heap")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "has no attribute 'KINDS'" in done.stderr
