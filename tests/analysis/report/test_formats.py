"""The report for programs and for paper: Markdown, JSON, CSV, one page, one piece, two data sets, striking games."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from analysis.report import words
from analysis.report.striking import striking
from tests.analysis.synthetic import make

pytestmark = pytest.mark.plain


@pytest.fixture(scope="module")
def d() -> Dataset:
    plan = {
        "players": 2,
        "deals": 400,
        "seat": (0.5,),
        "piece": {"Wolf": 0.7},
        "drawn_bans": 2,
        "log": "decisions",
    }
    made: Dataset = make(**plan).dataset()
    return made


def test_each_format_says_the_same(d: Dataset, tmp_path: Path) -> None:
    names = ["glance", "seats", "pieces"]
    paths = {
        kind: analysis.report.write(d, tmp_path / f"r.{kind}", only=names, kind=kind)
        for kind in ("md", "json", "csv")
    }
    row = analysis.seat_balance(d).row(0, named=True)
    share = words.share(row["estimate"], row["low"], row["high"], row["fair"])
    part = json.loads(paths["json"].read_text(encoding="utf-8"))["parts"][0]
    assert share in part["answer"]["text"]
    assert [section["key"] for section in part["sections"]] == names
    markdown = paths["md"].read_text(encoding="utf-8")
    assert f"**{part['answer']['text']}**" in markdown
    assert "| Wolf |" in markdown
    frame = pl.read_csv(paths["csv"])
    seats = frame.filter((pl.col("section") == "seats") & (pl.col("column") == "wins"))
    assert seats["value"].to_list() == pytest.approx([row["estimate"], 1 - row["estimate"]])
    with pytest.raises(analysis.Refusal, match="did you mean 'json'"):
        analysis.report.write(d, tmp_path / "r.x", kind="jsn")


def test_one_page_is_for_a_publisher(d: Dataset, tmp_path: Path) -> None:
    text = analysis.report.write(d, tmp_path / "one.html", one_page=True).read_text(encoding="utf-8")
    for said in (
        "Seat A is favoured: it wins",
        "How it was tested",
        "Date of the data",
        "What it does not say",
        "Versions",
    ):
        assert said in text
    assert text.count("<figure") == 1
    assert len(text) < 200_000


def test_one_piece_has_a_page(d: Dataset, tmp_path: Path) -> None:
    text = analysis.report.write(d, tmp_path / "wolf.html", only="piece.wolf").read_text(encoding="utf-8")
    row = analysis.piece_strength(d).filter(pl.col("piece") == "Wolf").row(0, named=True)
    assert row["verdict"] == "strong"
    assert f"Wolf is strong: {words.change(row['estimate'], row['low'], row['high'])}" in text
    for said in ("What it is worth", "Taken and played", "Who answers it", "When others are gone"):
        assert f"<h2>{said}</h2>" in text
    other = analysis.report.write(d, tmp_path / "fly.html", only="piece.Fly").read_text(encoding="utf-8")
    assert "Fly is strong" not in other
    with pytest.raises(analysis.Refusal, match="no Explorer 'Wlf'; did you mean 'Wolf'"):
        analysis.report.write(d, tmp_path / "x.html", only="piece.Wlf")


def test_two_data_sets_are_set_against_each_other(d: Dataset, tmp_path: Path) -> None:
    other = make(players=2, deals=400, seat=(-0.5,), piece={}, log="games", name="after", seed=1).dataset()
    path = analysis.report.write([d, other], tmp_path / "two.html", only="glance")
    text = path.read_text(encoding="utf-8")
    assert "What differs" in text
    assert "from synthetic (before) to after (after)" in text
    rows = analysis.compare_runs(d, other)
    assert f"Of {rows.height} answers {(rows['verdict'] == 'differs').sum()} differ" in text


def test_striking_games_are_those_of_the_tables(d: Dataset, tmp_path: Path) -> None:
    found = {one.what: one for one in striking(d)}
    games = d.games.collect().filter(pl.col("ended").cast(pl.String) == "finished")
    at = {row["game_id"]: row for row in games.iter_rows(named=True)}
    assert at[found["longest"].game]["turns"] == games["turns"].max()
    assert at[found["closest"].game]["margin"] == games.filter(pl.col("margin") > 0)["margin"].min()
    game = found["longest"].game
    path = analysis.report.write(
        d, tmp_path / "r.html", only="games", replays=[{game: "r-games/longest.html"}]
    )
    text = path.read_text(encoding="utf-8")
    assert f'<a href="r-games/longest.html">{game:,}</a>' in text
    assert f"whimbrel replay synthetic {game}" in text
