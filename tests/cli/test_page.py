"""`whimbrel replay --html`: one page that holds everything it shows."""

from __future__ import annotations

import base64
import gzip
import json
import re
import shlex
from pathlib import Path

import pytest

import sim
from sim.cli import _run

pytestmark = pytest.mark.plain


def test_a_page_holds_pictures_and_what_a_bot_thinks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = sim.run(
        {"game": "migration", "games": 2, "players": {"bots": ["random"]}}, out=tmp_path / "d", jobs=1
    )
    page = tmp_path / "game.html"
    assert _run(shlex.split(f"replay {folder} 1 --html {page} --explain search:playouts=2 --to 2")) == 0
    assert str(page) in capsys.readouterr().out
    text = page.read_text()
    assert len(text) < 2e6
    assert not re.search(r"https?://|<link|src=\"(?!$)", text)  # pictures come from the page itself
    data = json.loads(re.search(r'type="application/json">(.*?)</script>', text, re.S)[1])  # type: ignore[index]
    positions = sim.replay(folder, 1)
    for step, position in zip(data["steps"], positions):
        assert gzip.decompress(base64.b64decode(step["svg"])).lstrip().startswith(b"<?xml")
        assert step["text"] == position.text
        if len(position.legal) > 1:
            assert [c["words"] for c in step["choices"] if c["played"]] == [position.action]
            assert any("playouts" in c["said"] for c in step["choices"])
    assert len(data["steps"]) >= 2


def test_a_page_without_opinions_has_a_picture_a_turn(tmp_path: Path) -> None:
    folder = sim.run(
        {"game": "migrato", "games": 2, "players": {"bots": ["random"]}}, out=tmp_path / "d", jobs=1
    )
    page = tmp_path / "game.html"
    assert _run(shlex.split(f"replay {folder} 0 --html {page} --to 2")) == 0
    assert '"choices":[]' in page.read_text()
    assert _run(shlex.split(f"replay {folder} 0 --html {tmp_path}/none/game.html")) == 2
