"""One data set, one version of the rules and of each bot that it used; whatever else changes does not matter."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.batch import store
from sim.batch.experiment import read_experiment
from sim.batch.manifest import other_versions
from sim.batch.runner import run
from sim.batch.verify import verify
from sim.core import bots, sources
from sim.core.errors import Refusal
from sim.core.game import get_game
from tests.batch.helpers import play
from tests.plug_ins import STONES, altered, install, whimbrel

BOT = """
from sim.core.rng import below

ABOUT = "any legal action"
OPTIONS = {}


def choose(bot, options, rules, state, actions, n, stream, desk):
    return below(stream, n)
"""


@pytest.fixture
def own_bot(tmp_path: Path) -> Iterator[Any]:
    """Write and register a bot of this text; as a new process would see it."""

    def write(name: str, text: str) -> None:
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for remembered in (bots.code_hash, bots.field_of, bots.kind_of, sources._text, sources._imports):
            remembered.cache_clear()
        bots.register(name, module)

    yield write
    for name in ("calm", "wild"):
        bots.forget(name)


def test_editing_a_bot_touches_only_what_it_played(tmp_path: Path, own_bot: Any) -> None:
    own_bot("calm", BOT)
    own_bot("wild", BOT)
    for name in ("calm", "wild"):
        play(tmp_path / name, 20, players={"bots": [name]})
    manifest = store.read_manifest(tmp_path / "wild")
    assert list(manifest["bots_versions"]) == ["wild"]
    own_bot("wild", BOT.replace("return below(stream, n)", "return n - 1"))
    play(tmp_path / "calm", 40, players={"bots": ["calm"]})
    assert verify(tmp_path / "calm").unplayable == ""
    with pytest.raises(
        Refusal, match=r"was played with bot wild [0-9a-f]{8}, this Whimbrel has [0-9a-f]{8}; they ca"
    ):
        play(tmp_path / "wild", 40, players={"bots": ["wild"]})
    assert "was played with bot wild" in verify(tmp_path / "wild").unplayable
    bots.forget("wild")
    bots.code_hash.cache_clear()
    (line,) = other_versions(tmp_path / "wild", manifest, get_game("numbers"))
    assert line.endswith("this Whimbrel has no bot of that name")


EXPERIMENT = """
game = "stones"
name = "few"
games = 8
[players]
count = 2
bots = ["greedy", "random"]
"""


def test_edited_rules_are_refused_and_old_data_is_read(tmp_path: Path) -> None:
    """The rules of a plug-in are edited between two runs into the same folder."""
    (tmp_path / "few.toml").write_text(EXPERIMENT)
    install(tmp_path, {"stones": STONES})
    one = ["run", "few.toml", "--jobs", "1"]
    assert whimbrel(tmp_path, *one).returncode == 0
    assert whimbrel(tmp_path, *one, "--games", "16").returncode == 0
    install(tmp_path, {"stones": altered("1.0 if state.heap == 0", "2.0 if state.heap == 0")})
    done = whimbrel(tmp_path, *one, "--games", "24")
    assert done.returncode == 2
    assert "was played with rules 1+" in done.stderr
    done = whimbrel(tmp_path, "verify", "runs/few")
    assert (done.returncode, "no game could be played again" in done.stdout) == (3, True), done.stderr
    done = whimbrel(tmp_path, "report", "runs/few")
    assert done.returncode == 0, done.stderr
    assert "note: 'runs/few' was played with rules 1+" in done.stderr
    install(tmp_path, {"stones": STONES})
    assert whimbrel(tmp_path, *one, "--games", "24").returncode == 0


def test_changed_files_of_a_game_are_refused(tmp_path: Path) -> None:
    """A map that comes with the game and is edited changes no source, but the boards that cells are played on."""
    text = altered("        fill_rules(found, rules[0])\n", "        fill_rules(found, rules[0])\n"
                   "        rules['stones'] = int((Path(__file__).parent / 'boards.txt').read_text())\n")  # fmt: skip
    install(tmp_path, {"stones": text})
    (tmp_path / "few.toml").write_text(EXPERIMENT)
    said = []
    for stones in ("12", "12", "13"):
        (tmp_path / "boards.txt").write_text(stones)
        done = whimbrel(tmp_path, "run", "few.toml", "--jobs", "1")
        said.append((done.returncode, "was played on other boards, decks or numbers" in done.stderr))
    assert said == [(0, False), (0, False), (2, True)]


def test_a_worker_with_other_sources_is_refused(tmp_path: Path, numbers: Path) -> None:
    """The file of the game is edited while a run is prepared: workers start after that, and load the new one."""
    from joblib.externals.loky import get_reusable_executor

    experiment = read_experiment({"game": "numbers", "name": "late"}, games=4000)
    get_reusable_executor().shutdown(wait=True)
    file = numbers / "whimbrel_numbers.py"
    before = file.read_text()
    file.write_text(before + "\n# another version\n")
    try:
        with pytest.raises(
            Refusal, match=r"the rules 1\+[0-9a-f]{8} are wanted, but a worker has loaded 1\+"
        ):
            run(experiment, tmp_path / "data", jobs=2)
    finally:
        file.write_text(before)
        get_reusable_executor().shutdown(wait=True)
    assert store.read_commits(tmp_path / "data") == []
    assert run(experiment, tmp_path / "data", jobs=2).played == 4000


def test_old_data_sets_state_no_versions_of_bots(tmp_path: Path) -> None:
    """They can be gone on with if their rules are the same; nothing is known of their bots."""
    play(tmp_path / "a", 10)
    path = tmp_path / "a" / store.MANIFEST
    manifest = json.loads(path.read_text())
    del manifest["bots_versions"], manifest["boards_version"]
    path.write_text(json.dumps(manifest))
    assert play(tmp_path / "a", 20).played > 0
    assert set(store.read_manifest(tmp_path / "a")["bots_versions"]) == {"greedy"}
