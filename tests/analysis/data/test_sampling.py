"""A large data set is read in part: always the same whole deals, every cell among them, and the page says so."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import analysis
from analysis.data import sampling
from analysis.report import striking
from analysis.report.context import Context
from tests.analysis.synthetic import make

pytestmark = pytest.mark.plain
CELLS = {"rats_points": [1, 2], "players.count": [2, 3]}


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "synthetic"
    return make(deals=640, factors=CELLS, drawn_bans=3, log="pieces").write(folder, chunk_games=100)


def test_a_part_is_whole_deals_of_every_cell_from_all_over_the_run(large: Path) -> None:
    d = analysis.load(large)
    part = d.sample(1_600)
    assert part.n_games == pytest.approx(1_600, rel=0.05)
    assert part.read is not None
    assert part.read.games(part) == d.n_games == 6_400
    cells = part.games.group_by("cell").agg(games=pl.len(), deals=pl.col("deal").n_unique()).collect()
    assert cells.height == d.cells.height == 4
    assert part.read.how() == "the first 80 of every 320 deals of each cell"
    assert cells["deals"].to_list() == [160, 160, 160, 160]
    own = part.games.select("cell", "deal").unique().collect()
    whole = d.games.collect().join(own, on=["cell", "deal"], how="semi")
    assert whole.height == part.n_games
    deals = own["deal"].unique().sort().to_list()
    assert deals[0] < 10
    assert deals[-1] > 320
    for table in ("seats", "pieces"):
        rows = d.table(table).collect().join(whole, on="game_id", how="semi")
        assert part.table(table).sort("game_id", "seat").collect().height == rows.height
    assert part.columns.number("turns").sum() == whole["turns"].sum()


def test_a_part_is_the_same_whatever_wrote_the_files(large: Path, tmp_path: Path) -> None:
    made = make(deals=640, factors=CELLS, drawn_bans=3, log="pieces")
    other = made.write(tmp_path / "synthetic", chunk_games=2_000)
    ids = [
        analysis.load(one).sample(500).games.select("game_id").collect()["game_id"].sort().to_list()
        for one in (large, other, large)
    ]
    assert ids[0] == ids[1] == ids[2]
    assert made.dataset().sample(500).games.collect()["game_id"].sort().to_list() == ids[0]


def test_what_is_small_is_read_whole_and_views_are_views_of_the_part(large: Path) -> None:
    d = analysis.load(large)
    assert d.sample() is d
    assert d.sample(6_400) is d
    part = d.filter(rats_points=2).sample(1_000)
    assert part.cells["rats_points"].unique().to_list() == [2]
    both = d.sample(1_000)
    assert part.n_games == both.filter(rats_points=2).n_games
    long = d.filter(pl.col("turns") > 20).sample(1_000)
    assert long.conditioned == ("turns",)
    assert 0 < long.n_games < both.n_games
    # a smaller part of a part is a part of the whole
    assert both.sample(300).games.collect().equals(d.sample(300).games.collect())
    assert both.sample(2_000) is both
    with pytest.raises(analysis.Refusal, match="at least 1"):
        d.sample(0)


def test_the_page_says_what_it_reads(large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "MOST_GAMES", 1_600)
    context = Context(analysis.load(large), "p1")
    read = context.whole.n_games
    assert read < 1_700
    assert context.cells["games"].sum() == 6_400
    assert context.doubtful is False  # no check takes a part for a run that is cut short
    target = tmp_path / "report.md"
    page = analysis.report.write(large, target, only=["health", "played", "games"], kind="md").read_text(
        encoding="utf-8"
    )
    assert f"6,400 games, of which {read:,} on " in page
    assert f"{read:,} of the 6,400 games: the first 80 of every 320 deals of each cell" in page
    assert f"the checks below read {read:,} of them" in page
    every = {one.what: one.game for one in striking.striking(analysis.load(large))}
    turns = analysis.load(large).games.filter(pl.col("ended").cast(pl.String) == "finished").collect()
    longest = turns.sort("turns", "game_id", descending=[True, False])["game_id"][0]
    assert every["longest"] == longest
    assert str(longest) in page.replace(",", "")
