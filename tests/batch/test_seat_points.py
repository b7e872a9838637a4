"""Points that seats are given at the end: who wins by them, what a proposal's file plays, what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.fairness.handicap import with_points
from sim.batch.differing import design_of, differences
from sim.batch.experiment import read_experiment
from sim.batch.plan import make_plan
from sim.batch.points_given import given
from sim.batch.runner import run
from sim.batch.tables import Played
from sim.batch.verify import verify
from sim.core.errors import Refusal
from sim.core.play import Chunk
from tests.batch.helpers import tables

pytestmark = pytest.mark.plain

ONE: dict[str, Any] = {"game": "numbers", "name": "one", "games": 60, "seed": 3, "log": "pieces"}


def told(score: list[float], rank: list[int], points: list[float], side: list[int] | None = None) -> Any:
    """One game by the scores and ranks that it ended with, its seats given points."""
    ranks = np.array([rank], dtype=np.int8)
    seats = {
        "side": np.array([side or range(len(score))]),
        "score": np.array([score], dtype=np.float32),
        "rank": ranks,
        "win_share": (ranks == 1) / (ranks == 1).sum(),
    }
    games = {"players": np.array([len(score)]), "winner": np.array([0]), "tied": np.array([1])}
    chunk = Chunk({**games, "margin": np.array([0.0])}, seats, None, None, None, np.zeros(0))
    names = ("game_id", "cell", "place", "deal", "rotation", "seed", "who", "bots", "decks", "drawn", "lever")
    return given(Played(chunk=chunk, **dict.fromkeys(names), points=np.array([points]))).chunk  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("score", "rank", "points", "ranks", "winner", "margin"),
    [
        ([10, 8, 3], [1, 2, 3], [0, 1.5, 0], [1, 2, 3], 0, 0.5),
        ([10, 8, 3], [1, 2, 3], [0, 2, 0], [1, 1, 3], -1, 0.0),  # level by the points: shared
        ([10, 8, 3], [1, 2, 3], [0, 2.5, 8], [3, 2, 1], 2, 0.5),
        ([10, 10, 8], [1, 2, 3], [0, 0, 1], [1, 2, 3], 0, 0.0),  # the game itself broke this tie
        ([10, 10, 8], [1, 2, 3], [0, 0, 2], [1, 2, 1], -1, 0.0),
    ],
)
def test_points_decide_by_hand(
    score: list[float], rank: list[int], points: list[float], ranks: list[int], winner: int, margin: float
) -> None:
    chunk = told(score, rank, points)
    assert chunk.seats["rank"][0].tolist() == ranks
    best = ranks.count(1)
    assert chunk.seats["win_share"][0].tolist() == [1 / best if r == 1 else 0.0 for r in ranks]
    assert chunk.seats["score"][0].tolist() == [s + p for s, p in zip(score, points)]
    found = (int(chunk.games["winner"][0]), int(chunk.games["tied"][0]), float(chunk.games["margin"][0]))
    assert found == (winner, best, margin)


def test_where_points_do_not_decide_that_is_said() -> None:
    with pytest.raises(Refusal, match="100% of these games are not decided by points"):
        told([4, 9], [1, 2], [0, 3])
    with pytest.raises(Refusal, match="seats play in teams"):
        told([10, 8, 7, 3], [1, 2, 1, 2], [0, 1, 0, 0], side=[0, 1, 0, 1])


def test_what_a_proposal_plays_is_what_was_proven(tmp_path: Path) -> None:
    """The search gives points to games that were played without; the file of a proposal plays them with."""
    counts = {"vary": {"players.count": [2, 3]}}
    named = {"variant": [{"name": "as it is"}], **counts}
    plain = run(read_experiment({**ONE, **named}), tmp_path / "plain", jobs=1).folder
    points = {"seat_points.B": 2, "seat_points.C": 0.5}
    with_them = run(
        read_experiment({**ONE, **counts, "parameters": points}), tmp_path / "with", jobs=1
    ).folder
    proven = with_points(analysis.load(plain), [("even", "as it is", {1: 2.0, 2: 0.5})])
    played = tables(with_them)
    for name in ("games", "seats", "pieces"):
        keys = [key for key in ("game_id", "seat", "piece") if key in played[name].columns]
        assert proven.table(name).collect().sort(keys).equals(played[name].sort(keys)), name
    assert not played["seats"].equals(tables(plain)["seats"])
    assert not verify(with_them).problems
    rows = {row["name"]: row for row in analysis.load(with_them).card["parameters"]}
    assert (rows["seat_points.B"]["value"], rows["seat_points.B"]["default"]) == (2.0, 0)


def test_points_may_be_varied_and_are_told_apart(tmp_path: Path) -> None:
    varied = {"vary": {"seat_points.B": [0, 1.5]}, "parameters": {"bonus": 2.0}}
    d = analysis.load(run(read_experiment({**ONE, **varied}), tmp_path / "varied", jobs=1).folder)
    assert d.factors == ["seat_points.B"]
    shares = d.seats.filter(pl.col("seat") == 1).group_by("cell").agg(pl.col("win_share").mean()).sort("cell")
    without, with_them = shares.collect()["win_share"]
    assert with_them > without
    (tmp_path / "even.toml").write_text('game = "numbers"\n[parameters]\nseat_points.B = 2\n')
    (one,) = differences(design_of("numbers"), design_of(str(tmp_path / "even.toml")))
    assert (one.what, one.before, one.after) == ("seat_points.B", "0", "2")


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"seat_points.F": 1}, "seat_points.A to seat_points.D"),
        ({"seat_points.B": -1}, "a number of points from 0 up"),
        ({"seat_points.B": True}, "a number of points from 0 up"),
        ({"seat_points.C": 1}, "with 2 players there is no such seat"),
        ({"seat_point.B": 1}, "did you mean 'seat_points.A'"),
    ],
)
def test_bad_points_are_one_line(parameters: dict[str, Any], said: str) -> None:
    with pytest.raises(Refusal, match=said.replace("(", r"\(")):
        make_plan(read_experiment({**ONE, "parameters": parameters}))


def test_a_parameter_of_that_kind_is_no_compensation() -> None:
    """A game may have a parameter `points`, as Migrato has: it is no compensation."""
    from sim.batch import seat_points

    assert not seat_points.is_key("points.B")
    assert seat_points.told({"points.B": 3, "seat_points.D": 1}) == {3: 1.0}
