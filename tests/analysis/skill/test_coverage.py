"""Planted coverage: who plays as the bots do is covered; slower people, and people who favour a seat, are not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from analysis.data.errors import Refusal
from analysis.report import write
from tests.analysis.small import from_shares


def games(
    n: int, seed: int, longer: float = 0.0, first: float = 0.5, people: bool = True, **more: object
) -> Dataset:
    """Games of a length of about 30 turns and a margin of about 5, of which the first seat wins `first`."""
    rng = np.random.default_rng(seed)
    won = rng.random(n) < first
    d = from_shares(
        np.stack([won, ~won], axis=1).astype(float),
        turns=np.round(rng.normal(30 + longer, 5, n)).astype(np.int32),
        margin=rng.integers(1, 10, n).astype(float),
        **more,  # type: ignore[arg-type]
    )
    d.manifest["name"] = "ours" if people else "bots"
    if people:
        d.manifest |= {
            "imported": {"sources": [{"counts": "planted"}], "notes": []},
            "bots_used": [],
            "lever": None,
        }
    return d


def words(frame: pl.DataFrame) -> dict[str, str]:
    return {f"{r['measure']}{r['about'] or ''}": r["verdict"] for r in frame.to_dicts()}


def test_people_who_play_as_bots_do_are_covered(tmp_path: Path) -> None:
    bots, ours = games(20000, 1, people=False), games(300, 2)
    frame = analysis.coverage(ours, bots)
    found = words(frame)
    assert found["turns"] == found["margin"] == "covered"
    turns = frame.filter(measure="turns").row(0, named=True)
    assert (turns["range_low"], turns["range_high"]) == (22, 38)
    assert turns["low"] < 0.914 < turns["high"]  # what a normal length has between 21.5 and 38.5
    assert found["seat0"] in ("undecided", "the same")
    text = write([ours, bots], tmp_path / "both.html").read_text(encoding="utf-8")
    assert "Do the games of bots (greedy play) cover those of ours?" in text
    assert "Games of ours within the range of bots" in text


def test_slower_people_and_another_first_seat_are_told() -> None:
    bots = games(20000, 1, people=False)
    found = words(analysis.coverage(games(300, 3, longer=9, first=0.68), bots))
    assert found["turns"] == "not covered"
    assert found["margin"] == "covered"
    assert found["seat0"] == found["seat1"] == "differs"
    frame = analysis.coverage(games(300, 3, longer=9), bots).filter(measure="turns")
    assert frame["above"][0] > 0.4
    assert frame["below"][0] < 0.01


def test_few_games_and_few_groups_are_undecided() -> None:
    bots = games(20000, 1, people=False)
    assert words(analysis.coverage(games(12, 4), bots))["turns"] == "undecided"
    group = np.repeat(np.arange(12), 25)
    slow = np.repeat(np.random.default_rng(8).normal(0, 12, 12), 25)
    ours = games(300, 5, group=group)
    lengths = np.round(np.random.default_rng(9).normal(30, 3, 300) + slow).astype(np.int32)
    ours = ours.from_frames(
        ours.manifest, ours.cells, ours.games.collect().with_columns(turns=pl.Series(lengths)), ours.seats
    )
    row = analysis.coverage(ours, bots).filter(measure="turns").row(0, named=True)
    assert row["blocks"] == pytest.approx(12)
    assert row["high"] - row["low"] > 0.3  # twelve groups, not three hundred games


def test_tables_that_bots_never_had_are_named() -> None:
    with pytest.raises(Refusal, match="bots played no game with 2 players"):
        analysis.coverage(games(40, 1), from_shares(np.tile([1.0, 0.0, 0.0], (200, 1))))


@pytest.mark.soak
def test_false_alarms_of_coverage() -> None:
    bots = games(20000, 1, people=False)
    wrong = seats = 0
    for seed in range(200):
        found = words(analysis.coverage(games(60, seed + 10), bots))
        wrong += "not covered" in (found["turns"], found["margin"])
        seats += found["seat0"] == "differs"
    assert wrong <= 4
    assert seats <= 20
