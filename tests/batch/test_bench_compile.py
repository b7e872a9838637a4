"""What compiling costs, counted in pieces of machine code: from cold, warm, and after a bot was edited."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.plug_ins import STONES, install, whimbrel


def test_an_edited_bot_compiles_itself_and_the_loop_alone(tmp_path: Path) -> None:
    site = install(tmp_path / "site", {"stones": STONES})
    done = whimbrel(site, "bench", "stones", "--compile", "--bots", "greedy,random", "--json", compiled=True)
    assert (done.returncode, done.stderr) == (0, "")
    cold, warm, edited = json.loads(done.stdout)
    assert [row["cache"] for row in (cold, warm, edited)] == ["cold", "warm", "random edited"]
    assert all(
        row["game"] == "stones" and row["bots"] == ["greedy", "random"] for row in (cold, warm, edited)
    )
    assert warm["functions"] == 0
    assert 0 < edited["functions"] < cold["functions"] / 2
    assert all(row["cpu_seconds"] > 0 and row["seconds"] > 0 for row in (cold, warm, edited))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["stonse"], "whimbrel: there is no game 'stonse'; did you mean 'stones'?"),
        (["stones", "--bots", "greedy"], "whimbrel: --bots = 'greedy': write two different bots"),
        (["stones", "--bots", "greedy,serach"], "whimbrel: there is no bot 'serach'; did you mean 'search'?"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, arguments: list[str], line: str) -> None:
    site = install(tmp_path / "site", {"stones": STONES})
    done = whimbrel(site, "bench", "--compile", *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(line)
    assert done.stderr.count("\n") == 1
