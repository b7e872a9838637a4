"""Planted truth for matchups, standings and the equilibrium."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from analysis.skill.pairings import nash
from tests.analysis.draftset import with_tables
from tests.analysis.small import from_shares, winners
from tests.analysis.synthetic import make


def field(chance: np.ndarray, names: list[str], deals: int, seat: float = 0.0, seed: int = 1) -> Dataset:
    """Every pair of names, each deal in both seats; ``chance[i, j]``: i beats j."""
    rng = np.random.default_rng([seed, 9])
    shares, decks, deal, player = [], [], [], []
    for pair, (i, j) in enumerate(itertools.combinations_with_replacement(range(len(names)), 2)):
        for turn in range(2):
            here = np.arange(deals) + pair * deals
            a, b = (i, j) if turn == 0 else (j, i)
            won = rng.random(deals) < chance[a, b] + seat
            shares.append(np.stack([won, ~won], axis=1).astype(float))
            decks += [[names[a], names[b]]] * deals
            deal.append(here)
            player += [[turn, 1 - turn]] * deals
    data = from_shares(
        np.concatenate(shares), rotations=True, deal=np.concatenate(deal), player=np.array(player)
    )
    seats = data.seats.with_columns(deck=pl.Series(np.array(decks).ravel(), dtype=pl.Enum(names)))
    return with_tables(data, {"categories": {"deck": names, "bot": ["greedy"]}}, seats=seats)


CIRCLE = np.array([[0.5, 0.7, 0.3], [0.3, 0.5, 0.7], [0.7, 0.3, 0.5]])


def test_matrix_is_recovered_and_adds_up() -> None:
    """Seat A wins 10 points more: both seats are played, so the matrix does not show it."""
    names = ["rush", "control", "wasteland"]
    found = analysis.matchups(field(CIRCLE, names, 1_500, seat=0.1))
    at = {(r["row"], r["column"]): r for r in found.iter_rows(named=True)}
    for i, j in itertools.permutations(range(3), 2):
        row, back = at[names[i], names[j]], at[names[j], names[i]]
        assert row["low"] < CIRCLE[i, j] < row["high"]
        assert row["estimate"] + back["estimate"] == pytest.approx(1)
        assert row["eb"] + back["eb"] == pytest.approx(1)
        assert row["verdict"] == ("ahead" if CIRCLE[i, j] > 0.5 else "behind")
    mirrors = found.filter(pl.col("mirror"))
    assert len(mirrors) == 3
    assert mirrors["p"].min() > 0.001
    assert mirrors["verdict"].null_count() == 3


def test_a_mirror_that_is_off_is_seen() -> None:
    data = field(CIRCLE, ["a", "b", "c"], 600)
    seats = data.seats.collect()
    # Player 0 gets the win of every fourth mirror that it lost.
    ids = seats.filter((pl.col("deck") == "a").all().over("game_id"))["game_id"].unique().sort()[::4]
    seats = seats.with_columns(
        win_share=pl.when(pl.col("game_id").is_in(ids.implode()))
        .then((pl.col("player") == 0).cast(pl.Float64))
        .otherwise(pl.col("win_share"))
    )
    found = analysis.matchups(with_tables(data, seats=seats.lazy())).filter(pl.col("mirror"))
    assert found["p"][0] < 1e-6


def test_pt14_equilibrium_is_not_fooled_by_clones() -> None:
    """Rock, paper, scissors with four more copies of the first: means move, the equilibrium does not."""
    kind = [0, 1, 2, 0, 0, 0, 0]
    chance = CIRCLE[np.ix_(kind, kind)]
    mass = nash(chance)
    by_kind = [sum(m for m, k in zip(mass, kind, strict=True) if k == one) for one in range(3)]
    assert by_kind == pytest.approx([1 / 3] * 3, abs=1e-3)
    assert mass[[0, 3, 4, 5, 6]] == pytest.approx(np.full(5, 1 / 15), abs=2e-3)
    names = [f"{'abc'[k]}{i}" for i, k in enumerate(kind)]
    found = analysis.standing(field(chance, names, 2_000)).sort("name")
    mean = found["estimate"].to_numpy()
    assert mean[found["name"].to_list().index("b1")] < 0.42
    assert mean[found["name"].to_list().index("c2")] > 0.58
    kinds = found.group_by(pl.col("name").str.slice(0, 1)).agg(pl.col("nash").sum()).sort("name")["nash"]
    assert kinds.to_numpy() == pytest.approx(np.full(3, 1 / 3), abs=0.06)
    assert (found["nash_low"] <= found["nash_high"]).all()


def test_standing_counts_opponents_alike() -> None:
    data = field(np.array([[0.5, 0.6, 0.8], [0.4, 0.5, 0.5], [0.2, 0.5, 0.5]]), ["a", "b", "c"], 2_000)
    row = analysis.standing(data).row(0, named=True)
    assert row["name"] == "a"
    assert row["low"] < 0.7 < row["high"]
    assert row["opponents"] == 2


def test_null_field_gives_few_alarms() -> None:
    alarms = 0
    for seed in range(15):
        found = analysis.matchups(field(np.full((4, 4), 0.5), list("abcd"), 100, seed=seed))
        alarms += int((found["q"] < 0.05).any())
    assert alarms <= 3


def test_three_at_a_table_are_compared_by_who_finishes_ahead() -> None:
    data = make(
        deals=2_000, bots=("greedy", "rush", "wild"), bot={"rush": 0.6}, seat=(), piece={}, log="games"
    ).dataset()
    found = analysis.matchups(data)
    at = {(r["row"], r["column"]): r["estimate"] for r in found.iter_rows(named=True)}
    assert at["rush", "greedy"] > 0.58
    assert at["greedy", "wild"] == pytest.approx(0.5, abs=0.03)
    assert analysis.standing(data)["name"][0] == "rush"


def test_alike_players_have_no_matchups() -> None:
    data = from_shares(winners(np.random.default_rng(1).random((30, 2))))
    with pytest.raises(analysis.Refusal, match="all players are alike"):
        analysis.matchups(data)
    with pytest.raises(analysis.Refusal, match="did you mean 'deck'"):
        analysis.matchups(data, of="decks")
