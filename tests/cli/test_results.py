"""`whimbrel import`: from what people type to a data set that report, find and verify take."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sim.cli import _run

pytestmark = pytest.mark.plain


def test_counts_are_answered_and_become_a_data_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "counts"
    assert _run(["import", "--counts", "97 of 156", "-o", str(folder)]) == 0
    told = capsys.readouterr().out
    assert "Seat A wins 62.2% (54.1 to 69.8%): favoured, p 0.0029" in told
    for line in (["report", str(folder)], ["verify", str(folder)], ["find", str(folder)]):
        assert _run(line) == 0
    assert "read again, gives the same rows" in capsys.readouterr().out
    assert _run(["replay", str(folder), "0"]) == 2
    assert "nothing to replay" in capsys.readouterr().err
    assert _run(["import", "--counts", "1 of 2", "-o", str(folder)]) == 2
    assert "holds a data set already" in capsys.readouterr().err


def test_rows_that_are_no_games_are_kept_with_their_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, folder = tmp_path / "games.csv", tmp_path / "out"
    path.write_text("players;winner\n2;A\n2;C\n2;B\n2;A\n", encoding="utf-8")
    assert _run(["import", str(path), "-o", str(folder)]) == 0
    told = capsys.readouterr().out
    assert "left out: games.csv, line 3: seat 'C' with 2 players" in told
    kept = (folder / "left_out.csv").read_text(encoding="utf-8-sig").splitlines()
    assert kept[1] == "games.csv;3;seat 'C' with 2 players;\"2;C\""
    assert (folder / "inputs" / "games.csv").read_bytes() == path.read_bytes()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["imported"]["left_out"] == 1
    assert _run(["verify", str(folder)]) == 0
    (folder / "inputs" / "games.csv").write_text("players;winner\n2;A\n2;C\n2;A\n2;A\n", encoding="utf-8")
    assert _run(["verify", str(folder)]) == 1
    assert "do not give the same rows" in capsys.readouterr().out
    assert _run(["import", str(path), "-o", str(tmp_path / "no"), "--strict"]) == 2
    assert not (tmp_path / "no").exists()
    assert _run(["import", "--template"]) == 0
    assert "player 1" in capsys.readouterr().out


def test_two_runs_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = [str(tmp_path / name) for name in "ab"]
    for folder, counts in zip(folders, ("300 to 300", "400 to 200")):
        assert _run(["import", "--counts", counts, "-o", folder]) == 0
    capsys.readouterr()
    assert _run(["compare", *folders, "--primary", "first seat"]) == 0
    told = capsys.readouterr().out
    assert "without common deals" in told
    assert "differs    first seat with 2 players: +16.7 (" in told
    assert _run(["compare", folders[0], folders[0], "--primary", "first seat"]) == 3
    assert "undecided  first seat" in capsys.readouterr().out
    assert _run(["compare", *folders, "--primary", "turns"]) == 2
    assert "nothing called 'turns' is in both" in capsys.readouterr().err
    design = tmp_path / "design.toml"
    design.write_text('game = "mars"\n')
    for pair in ([folders[0], str(design)], [str(design), folders[0]]):
        assert _run(["compare", *pair]) == 2
        said = capsys.readouterr().err
        assert f"'{design}' is a design, '{folders[0]}' a data set: compare two of a kind" in said
