"""Verify, find, dry runs, checking of files: all on the game of numbers."""

from __future__ import annotations

import json
import os
from pathlib import Path

import polars as pl
import pytest

from sim.batch import store
from sim.batch.check_files import check_file, kind_of
from sim.batch.dry_run import estimate
from sim.batch.find import find
from sim.batch.plan import make_plan
from sim.batch.summary import as_text, seat_shares
from sim.batch.verify import verify
from sim.core.errors import Refusal
from tests.batch.helpers import experiment, play


@pytest.fixture
def data(tmp_path: Path) -> Path:
    play(tmp_path / "a", 100, log="decisions")
    return tmp_path / "a"


def test_a_sound_data_set(data: Path) -> None:
    found = verify(data, sample=50)
    assert found.problems == []
    assert found.games == 400
    assert 50 <= found.replayed <= 80


@pytest.mark.parametrize("table", ["games", "seats", "pieces", "turns", "decisions"])
def test_one_byte_is_noticed(data: Path, table: str) -> None:
    part = sorted((data / table).iterdir())[-1]
    raw = bytearray(part.read_bytes())
    raw[len(raw) // 2] ^= 1
    part.write_bytes(raw)
    assert verify(data).problems == [f"'{part}' is damaged: its content is not what was committed"]


def test_a_missing_part_and_a_damaged_manifest(data: Path) -> None:
    part = sorted((data / "seats").iterdir())[0]
    part.unlink()
    assert verify(data).problems == [f"'{part}' is missing"]
    (data / store.MANIFEST).write_text("{}")
    assert "is damaged" in verify(data).problems[0]
    (data / store.MANIFEST).unlink()
    with pytest.raises(Refusal, match="is not a Whimbrel data set"):
        verify(data)


def test_changed_games_are_noticed_by_replaying(data: Path) -> None:
    """A part that is whole, with a hash to match, but says another winner."""
    entries = store.read_commits(data)
    part = entries[0]["parts"]["games"]
    frame = pl.read_parquet(data / part["file"])
    changed = frame.with_columns((pl.col("margin") + 1).alias("margin"))
    entries[0]["parts"]["games"] = store.write_part(data, "games", 0, changed)
    (data / store.COMMITS).write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    (problem,) = verify(data).problems
    assert problem.endswith("games played again do not have the same rows")


def test_other_rules_leave_it_undecided(data: Path) -> None:
    manifest = json.loads((data / store.MANIFEST).read_text())
    manifest["rules_version"] = "1+00000000"
    (data / store.MANIFEST).write_text(json.dumps(manifest))
    found = verify(data)
    assert found.problems == []
    assert "was played with rules 1+00000000 of numbers" in found.unplayable


def test_find(data: Path) -> None:
    longest = find(data, most="margin", number=5)
    assert longest.height == 5
    assert longest["margin"].to_list() == sorted(longest["margin"], reverse=True)
    assert longest.columns[:4] == ["game_id", "worth", "players.count", "bans"]
    some = find(data, where="worth = 2 and bans = 'Bee' and tied = 1", number=1000)
    assert set(some["worth"]) == {2}
    assert set(some["bans"]) == {"Bee"}
    for where, message in (
        ("wroth = 2", "there is no column 'wroth'; did you mean 'worth'"),
        ("worth = = 2", "--where cannot be used"),
        ("worth = 'x'", "--where cannot be used"),
    ):
        with pytest.raises(Refusal, match=message):
            find(data, where=where)
    with pytest.raises(Refusal, match="--most must be one of"):
        find(data, most="turn")


def test_summary(data: Path) -> None:
    plan = make_plan(experiment(100, log="decisions"))
    rows = seat_shares(data, plan)
    assert [row.games for row in rows] == [100] * 4
    assert [len(row.shares) for row in rows] == [2, 3, 2, 3]
    for row in rows:
        assert sum(row.shares) == pytest.approx(1)
    assert "worth = 1, players.count = 3" in as_text(rows)


def test_dry_run_counts_and_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = estimate(make_plan(experiment(5000)), jobs=2, seconds=0.2)
    assert (found.cells, found.games) == (4, 20000)
    assert found.minutes > 0
    assert os.listdir(tmp_path) == []
    play(tmp_path / "a", 1000)
    size = sum(p.stat().st_size for p in (tmp_path / "a").rglob("*.parquet")) / 1e6
    assert found.megabytes / 5 == pytest.approx(size, rel=0.6)


def test_kinds_of_files() -> None:
    assert kind_of({"game": "numbers", "games": 3}) == "experiment"
    assert kind_of({"case": [], "game": "numbers"}) == "case"
    assert kind_of({"players": {"2": {"drawing": "o"}}}) == "map"
    assert kind_of({"Ant": 3, "Bee": 2}) == kind_of({"decks": {"a": {"Ant": 3}}}) == "deck"
    with pytest.raises(Refusal, match="no experiment, map, deck, card or case file; did you mean 'variant'"):
        kind_of({"varaint": 3, "x": "y"})


def test_check_experiments_and_decks(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text('game = "numbers"\ngames = 10\n[vary]\nworth = [1, 2]\n')
    (good,) = check_file(path)
    assert (good.what, good.problem) == ("experiment: 2 cells, 20 games", "")
    path.write_text('game = "numbers"\n[vary]\nworth = [1, 20]\n')
    (bad,) = check_file(path)
    assert bad.problem.startswith("x.toml, line 3: parameter 'worth'")
    path.write_text("[decks]\na = { Ant = 3 }\nb = { Aunt = 3 }\n")
    first, second = check_file(path, "numbers")
    assert (first.what, first.problem) == ("deck a: 3 pieces", "")
    assert second.problem == "x.toml, line 3: deck 'b': there is no piece 'Aunt'; did you mean 'Ant'?"
