"""Opening data sets: committed parts only, and one clear line for what cannot be opened."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import analysis
from analysis import Refusal
from tests.analysis.synthetic import make

CELLS = {"rats_points": [1, 2], "players.count": [2, 3]}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "synthetic"
    return make(deals=120, factors=CELLS, drawn_bans=3).write(folder, chunk_games=200)


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written, tmp_path / "run"))


def test_written_and_read_back(written: Path) -> None:
    made = make(deals=120, factors=CELLS, drawn_bans=3)
    d = analysis.load(written)
    for name, frame in made.tables.items():
        assert d.table(name).collect().equals(frame)
    assert (d.n_games, d.n_deals, d.n_players) == (1_200, 120, [2, 3])
    assert d.play == "greedy play"
    assert d.question.startswith("Are Rats")
    assert d.judge.range_of("Rats") == (-0.03, 0.03)


def test_torn_last_line_and_uncommitted_parts_do_not_count(folder: Path) -> None:
    lines = (folder / "commits.jsonl").read_text().splitlines()
    first = json.loads(lines[0])
    (folder / "commits.jsonl").write_text("\n".join(lines[:2]) + "\n" + lines[2][:50])
    d = analysis.load(folder)
    assert d.n_games == sum(json.loads(line)["games"] for line in lines[:2])
    assert d.n_games < 1_200
    (folder / "commits.jsonl").write_text(lines[0] + "\n")
    assert analysis.load(folder).n_games == first["games"]


def test_damage_in_the_middle_is_no_torn_line(folder: Path) -> None:
    lines = (folder / "commits.jsonl").read_text().splitlines()
    (folder / "commits.jsonl").write_text("\n".join([lines[0], lines[1][:40], *lines[2:]]) + "\n")
    with pytest.raises(Refusal, match="line 2: damaged"):
        analysis.load(folder)


def edit_manifest(folder: Path, **changes: object) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | changes))


def lose_a_part(folder: Path) -> None:
    next((folder / "seats").iterdir()).unlink()


def shorten_a_part(folder: Path) -> None:
    part = next((folder / "games").iterdir())
    pl.read_parquet(part).head(3).write_parquet(part)


def shorten_a_part_whose_size_is_not_known(folder: Path) -> None:
    """As in data sets that were written before commit lines told sizes."""
    shorten_a_part(folder)
    log = folder / "commits.jsonl"
    log.write_text(re.sub(r'"bytes": \d+, ', "", log.read_text()))


def spoil_a_part(folder: Path) -> None:
    next((folder / "games").iterdir()).write_bytes(b"PAR1 nothing")


def commit_twice(folder: Path) -> None:
    lines = (folder / "commits.jsonl").read_text().splitlines()
    (folder / "commits.jsonl").write_text("\n".join([*lines, lines[0]]) + "\n")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda f: (f / "manifest.json").unlink(), "not a data set"),
        (lambda f: (f / "manifest.json").write_text("{"), "damaged, not readable"),
        (lambda f: (f / "manifest.json").write_text('{"a": 1}'), "not the manifest of a data set"),
        (lambda f: edit_manifest(f, schema=3), "schema version 3, this version reads 1 and 2"),
        (lambda f: (f / "commits.jsonl").unlink(), "commits.jsonl is missing"),
        (lambda f: (f / "commits.jsonl").write_text(""), "no chunk of games is finished"),
        (lambda f: (f / "cells.parquet").unlink(), "cells.parquet is missing"),
        (lose_a_part, "a committed part is missing"),
        (shorten_a_part, r"bytes where [\d,]+ were committed"),
        (shorten_a_part_whose_size_is_not_known, "rows where 1,200 were committed"),
        (spoil_a_part, "damaged"),
        (commit_twice, "committed twice"),
        (shutil.rmtree, "no such folder"),
    ],
)
def test_what_cannot_be_opened_is_refused_in_one_line(folder: Path, spoil: object, message: str) -> None:
    spoil(folder)  # type: ignore[operator]
    with pytest.raises(Refusal, match=message) as caught:
        analysis.load(folder)
    assert "\n" not in str(caught.value)


def test_a_table_that_was_not_logged_is_named() -> None:
    d = make(deals=20, log="games").dataset()
    assert not d.has("pieces")
    with pytest.raises(Refusal, match='log = "pieces"'):
        _ = d.pieces


def test_views_by_cells_and_by_games(written: Path) -> None:
    d = analysis.load(written)
    small = d.filter(rats_points=1, **{"players.count": 2})
    assert (small.n_games, small.cells.height, small.n_players) == (240, 1, [2])
    assert small.seats.collect().height == 480
    assert small.turns.select("game_id").unique().collect().height == 240
    wolf = d.filter(pl.col("bans").str.contains("Wolf"))
    assert 0 < wolf.n_games < d.n_games
    assert wolf.pieces.filter(piece="Wolf").select(pl.col("assigned").sum()).collect().item() == 0
    assert d.filter(players=3).n_games + d.filter(players=2).n_games == d.n_games
    assert d.filter(players="greedy").n_games == d.n_games
    both = d.filter((pl.col("rats_points") == 2) & (pl.col("players") == 3))
    assert both.n_games == 360


def test_unknown_factor_is_refused_with_the_nearest(written: Path) -> None:
    d = analysis.load(written)
    with pytest.raises(Refusal, match="did you mean 'rats_points'"):
        d.filter(rats_point=1)
    with pytest.raises(Refusal, match="did you mean 'rats_points'"):
        analysis.seat_balance(d, by="rat_points")


def test_importing_analysis_is_light() -> None:
    code = (
        "import sys, analysis; "
        "heavy = {'polars', 'scipy', 'pandas', 'statsmodels', 'matplotlib', 'numba'} & set(sys.modules); "
        "sys.exit(repr(heavy) if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[3])


def test_analysis_does_not_import_sim() -> None:
    for file in (Path(__file__).parents[3] / "analysis").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert "import sim" not in text, file
        assert "from sim" not in text, file


def test_public_names_exist() -> None:
    for name in analysis.__all__:
        if name not in ("plots", "report"):
            assert getattr(analysis, name) is not None
    with pytest.raises(AttributeError):
        _ = analysis.no_such_thing


def test_a_factor_that_is_drawn_in_some_cells_is_compared_by_its_cells() -> None:
    """``[vary] map = ["islands", "founder"]``: every drawn board is not a level of its own."""
    made = make(deals=60, players=2, log="games", drawn_bans=1, factors={"bans": ["none", "random 1"]})
    data = made.dataset()
    games, names = data.with_factors("bans")
    assert names == ["bans"]
    assert sorted(games.collect()["bans"].unique()) == ["none", "random 1"]
    drawn, _ = data.with_factors("bans", drawn=["bans"])
    assert drawn.collect()["bans"].n_unique() > 3
    assert [row["level"] for row in analysis.win_share_by(data, "bans").iter_rows(named=True)][:2] == [
        "none",
        "random 1",
    ]
    # A level of the cells, and a value that was drawn, can both be asked for.
    assert data.filter(bans="random 1").cells["cell"].to_list() == [1]
    one = str(data.games.collect()["bans"][0])
    assert set(data.filter(bans=one).games.collect()["bans"]) == {one}
