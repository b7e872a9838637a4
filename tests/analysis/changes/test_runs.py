"""Runs pooled and runs compared: what is planted is found, what is not is not called a difference."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from analysis.data.errors import Refusal
from analysis.data.importing import import_games
from analysis.data.pooling import RUN, pool
from tests.analysis.small import from_shares, winners


def run(
    name: str, games: int = 1500, seat: float = 0.3, turns: float = 30.0, seed: int = 1, **changes: object
) -> Dataset:
    """Games on deals that give the same luck to every run; `seed` is that of the run's own noise."""
    deals, own = np.random.default_rng(0), np.random.default_rng(seed)
    luck = deals.gumbel(size=(games, 2)) * 2
    length = deals.normal(0, 8, games)
    utility = luck + own.gumbel(size=(games, 2)) * 0.3
    utility[:, 0] += seat
    d = from_shares(
        winners(utility), turns=np.round(turns + length + own.normal(0, 1, games)).astype(np.int32)
    )
    d.manifest |= {"name": name, "experiment": {"rats_points": 1, **changes}, "rotations": None}
    return d


def test_a_difference_on_common_deals_is_taken_deal_by_deal() -> None:
    a, b = run("a"), run("b", turns=30.5, seed=2, rats_points=2)
    frame = analysis.compare_runs(a, b, primary="turns")
    first = frame.row(0, named=True)
    assert (first["role"], first["measure"], first["verdict"], first["paired"]) == (
        "primary",
        "turns",
        "differs",
        True,
    )
    assert first["low"] < 0.5 < first["high"]
    assert first["high"] - first["low"] < 0.3  # unpaired it would be more than 1.1
    guards = frame.filter(pl.col("role") == "guard")
    assert "differs" not in guards["verdict"].to_list()
    assert guards.filter(pl.col("measure") == "first seat")["verdict"][0] == "the same"


@pytest.mark.soak
def test_nothing_is_called_a_difference_that_is_none() -> None:
    primary = guards = 0
    for seed in range(1000):
        frame = analysis.compare_runs(run("a", 300, seed=2 * seed), run("b", 300, seed=2 * seed + 1), "turns")
        primary += frame["verdict"][0] == "differs"
        guards += "differs" in frame.filter(pl.col("role") == "guard")["verdict"].to_list()
    assert primary <= 64  # 5%, and twice the spread of a binomial
    assert guards <= 64


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(Refusal, match="nothing called 'turn' is in both; did you mean 'turns'"):
        analysis.compare_runs(run("a", 100), run("b", 100, seed=2), "turn")
    other = run("c", 100)
    other.manifest["game"] = "chess"
    with pytest.raises(Refusal, match="games of none and of chess cannot be pooled"):
        pool([run("a", 100), other])


def test_runs_of_one_design_are_more_games_and_others_are_told_apart() -> None:
    same = pool([run("a", 300), run("b", 200, seed=3)])
    assert (same.n_games, same.cells.height, RUN in same.cells.columns) == (500, 2, False)
    assert same.n_deals == 300  # two hundred deals were played in both
    assert same.games.select(pl.col("game_id").n_unique()).collect().item() == 500
    assert analysis.seat_balance(same)["games"].to_list() == [500, 500]
    apart = pool([run("a", 300), run("b", 300, seed=3, rats_points=2)])
    assert apart.manifest["pooled"]["differences"] == ["rats_points: 1 / 2"]
    assert apart.factors == [RUN]
    assert analysis.seat_balance(apart, by=RUN)[RUN].unique().sort().to_list() == ["a", "b"]
    frame = analysis.compare(apart)
    assert set(frame["setting"]) == {"a", "b"}


def test_names_and_cards_of_two_groups_are_joined(tmp_path: object) -> None:
    def of(text: str, name: str) -> Dataset:
        path = tmp_path / f"{name}.csv"  # type: ignore[operator]
        path.write_text("player 1;player 2;cards 1;cards 2;winner\n" + text, encoding="utf-8")
        return import_games([path]).dataset()

    one = of("P;Q;Wolf;;P\nQ;P;;Fly;Q\n", "one")
    two = of("R;P;Rats;Wolf;P\nP;R;;;R\n", "two")
    both = pool([one, two])
    seats = both.seats.collect()
    names = np.array(both.manifest["categories"]["player"])
    assert names[seats["player"].to_numpy()].tolist() == ["P", "Q", "Q", "P", "R", "P", "P", "R"]
    assert both.piece_names == ["Fly", "Wolf", "Rats"]
    assert both.n_deals == 4
    assert both.pieces.collect()["game_id"].to_list() == [0, 1, 2, 2]
