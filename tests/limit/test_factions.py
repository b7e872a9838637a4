"""Unlike sides: factions are decks that move with a player, and every one meets every other."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import analysis
from tests.plug_ins import whimbrel

pytestmark = pytest.mark.plain

EXPERIMENT = """
name = "sides"
game = "{file}"
games = 60
seed = 3
[[player]]
name = "side"
bot = "random"
deck = "every deck"
[decks]
oxen = {{ Ox = 1 }}
foxes = {{ Fox = 1 }}
"""


def test_factions_meet_in_every_seat_and_the_data_set_can_be_played_again_without_the_file(
    tmp_path: Path,
) -> None:
    file = tmp_path / "factions.py"
    file.write_text((Path(__file__).parent / "factions.py").read_text())
    (tmp_path / "sides.toml").write_text(EXPERIMENT.format(file=file))
    done = whimbrel(tmp_path, "run", "sides.toml", "-o", "data", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    file.unlink()
    d = analysis.load(tmp_path / "data")
    table = d.seats.group_by("deck", "seat").agg(pl.len(), pl.col("win_share").mean()).collect()
    assert table.height == 4
    assert set(table["len"]) == {30}, "each faction sits in each seat equally often"
    shares = dict(d.seats.group_by("deck").agg(pl.col("win_share").mean()).collect().iter_rows())
    assert shares["foxes"] > 0.65 > shares["oxen"]
    done = whimbrel(tmp_path, "verify", "data")
    assert (done.returncode, "gave the same rows" in done.stdout) == (0, True), done.stdout + done.stderr


def test_a_deck_that_cannot_be_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "sides.toml").write_text(
        EXPERIMENT.format(file=Path(__file__).parent / "factions.py").replace("Fox = 1", "Fox = 0.5")
    )
    done = whimbrel(tmp_path, "run", "sides.toml", "--jobs", "1")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "0.5 copies of Fox; write a whole number" in done.stderr
