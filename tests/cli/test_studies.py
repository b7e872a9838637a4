"""`whimbrel list` and `rerun`: what lies in a folder, and an old study under today's rules."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import sim
from sim.cli import _run

pytestmark = pytest.mark.plain


def test_data_sets_are_listed_newest_first_and_damaged_ones_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = tmp_path / "runs"
    for age, (name, counts) in enumerate((("young", "97 of 156"), ("aged", "30 of 60"), ("torn", "9 of 20"))):
        assert _run(["import", "--counts", counts, "-o", str(runs / name)]) == 0
        os.utime(runs / name / "commits.jsonl", (1e9 - age, 1e9 - age))
    next((runs / "torn" / "games").iterdir()).unlink()
    (runs / "aged" / "report.html").write_text("", encoding="utf-8")
    (runs / "notes").mkdir()
    capsys.readouterr()
    assert _run(["list", str(runs)]) == 0
    told = capsys.readouterr().out
    assert told.index(f"{runs / 'young'}: ") < told.index(f"{runs / 'aged'}: ")
    assert "156 games" in told
    assert "last chunk 2001-09-09T01:46:40+00:00; report: none yet" in told
    assert f"report: {runs / 'aged' / 'report.html'}" in told
    assert f"damaged: {runs / 'torn'}: " in told
    assert "is missing" in told
    assert "notes" not in told
    assert _run(["list", str(runs), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [Path(row["folder"]).name for row in rows] == ["young", "aged", "torn"]
    assert _run(["list", str(runs / "nowhere")]) == 2
    assert _run(["rerun", str(runs / "young"), "-o", str(tmp_path / "new")]) == 2
    assert "cannot be rerun" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_an_old_study_is_played_again_and_says_what_moved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old games are made to look like those of other rules: Seat A of these won all of them."""
    import polars as pl

    from sim.batch.store import write_part

    experiment = {
        "game": "migration",
        "games": 16,
        "name": "before",
        "players": {"count": 2, "bots": ["random"]},
    }
    old = sim.run(experiment, out=tmp_path / "old", jobs=1)
    manifest = json.loads((old / "manifest.json").read_text(encoding="utf-8"))
    rules = manifest["rules_version"]
    (old / "manifest.json").write_text(json.dumps({**manifest, "rules_version": "0+old"}), encoding="utf-8")
    lines = [json.loads(line) for line in (old / "commits.jsonl").read_text(encoding="utf-8").splitlines()]
    for entry in lines:
        for table in ("games", "seats"):
            frame = pl.read_parquet(old / entry["parts"][table]["file"])
            if table == "seats":
                first = pl.col("seat") == 0
                frame = frame.with_columns(
                    win_share=first.cast(frame.schema["win_share"]),
                    rank=pl.when(first).then(1).otherwise(2).cast(frame.schema["rank"]),
                )
            else:
                frame = frame.with_columns(
                    winner=pl.lit(0).cast(frame.schema["winner"]), tied=pl.lit(1).cast(frame.schema["tied"])
                )
            entry["parts"][table] = write_part(old, table, 900, frame)
    (old / "commits.jsonl").write_text("".join(json.dumps(e) + "\n" for e in lines), encoding="utf-8")
    kept = (old / "commits.jsonl").read_bytes()
    assert _run(["rerun", str(old), "-o", str(old)]) == 2
    capsys.readouterr()
    assert _run(["rerun", str(old), "-o", str(tmp_path / "new"), "--jobs", "1"]) == 0
    heard = capsys.readouterr()
    assert "rules 0+old of migration" in heard.err
    assert "moved: " in heard.out
    assert "first seat" in heard.out.split("moved: ", 1)[1]
    assert (old / "commits.jsonl").read_bytes() == kept
    again = json.loads((tmp_path / "new" / "manifest.json").read_text(encoding="utf-8"))
    assert (again["rules_version"], again["seed"]) == (rules, manifest["seed"])
    assert _run(["report", str(old), "--only", "health"]) == 0
    page = (old / "report.html").read_text(encoding="utf-8")
    assert page.index("This study is of older rules") < page.index("<h1>")

    def drawn(shown: Sequence[object], path: Path, title: str, *_: object) -> Path:
        path.write_text(f"{len(shown)} moments: {title}", encoding="utf-8")
        return path

    monkeypatch.setattr(
        "sim.batch.page.write_page", drawn
    )  # pictures take their time, and have tests of their own
    capsys.readouterr()
    for folder, pages in ((old, 0), (tmp_path / "new", 2)):
        assert _run(["report", str(folder), "--only", "games", "--replays"]) == 0
        text = (folder / "report.html").read_text(encoding="utf-8")
        links = re.findall(r'href="(report-games/[^"]+)"', text)
        assert len(links) >= pages
        assert all("moments: The " in (folder / link).read_text(encoding="utf-8") for link in links)
        assert "whimbrel replay " in text
        assert bool(links) == bool(pages)
    assert "no page of game" in capsys.readouterr().err
