"""Planted truth for team games: seats of one side win together, and a fair share is one over the sides."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from analysis import stats
from analysis.data.dataset import Dataset
from analysis.pieces.strength import piece_model
from tests.analysis.small import from_shares
from tests.analysis.synthetic import make

TEAM = (0, 1, 0, 1)
NAMES = ["A", "B", "C"]


def teams(
    games: int,
    *,
    side: float = 0.0,
    piece: float = 0.0,
    seed: int = 1,
    total: int = 4,
    ties: float = 0.0,
    **columns: np.ndarray,
) -> Dataset:
    """Two sides of two; side 0 and each copy of A have an effect (log odds) on the side's chance."""
    rng = np.random.default_rng([seed, 61])
    counts = rng.multinomial(total, [1 / 3] * 3, size=(games, 4))
    held = counts[:, :2, 0] + counts[:, 2:, 0]
    utility = piece * held + side * np.array([1, 0]) + rng.gumbel(size=(games, 2))
    share = (utility == utility.max(axis=1, keepdims=True)).astype(float)
    share[rng.random(games) < ties] = 0.5
    return from_shares(share[:, TEAM], counts=counts, pieces=NAMES, team=TEAM, **columns)


def test_a_fair_share_is_one_over_the_sides() -> None:
    data = teams(12_000, ties=0.1)
    found = analysis.seat_balance(data)
    assert found["fair"].to_list() == [0.5] * 4
    assert found["side"].to_list() == list(TEAM)
    assert (found["players"][0], found["sides"][0]) == (4, 2)
    # The shares of all seats add up to the seats of a side, not to 1.
    assert found["estimate"].sum() == pytest.approx(2.0)
    assert set(found["verdict"]) == {"balanced"}
    test = analysis.seat_tests(data).row(0, named=True)
    assert test["verdict"] == "balanced"
    # Two sides move as one number: one degree of freedom, however many seats they have.
    assert test["degrees"] == 1
    assert analysis.audit(data).filter(~pl.col("ok")).is_empty()


def test_partners_are_favoured_together() -> None:
    found = analysis.seat_balance(teams(8_000, side=0.3))
    assert found["verdict"].to_list() == ["favoured", "unfavoured"] * 2
    truth = 1 / (1 + np.exp(-0.3))
    for row in found.iter_rows(named=True):
        aim = truth if row["side"] == 0 else 1 - truth
        assert row["low"] - 0.005 < aim < row["high"] + 0.005
    assert found["estimate"][0] == found["estimate"][2]


def test_the_audit_finds_partners_who_do_not_share() -> None:
    data = teams(200)
    share = data.seats.collect()["win_share"].to_numpy().copy()
    share[0] = 1 - share[0]
    seats = data.seats.with_columns(win_share=pl.Series(share))
    broken = Dataset(data.manifest, data.cells, {**data._tables, "seats": seats})
    failed = analysis.audit(broken).filter(~pl.col("ok"))["check"].to_list()
    assert "partners share every win" in failed


def test_pieces_count_for_the_side() -> None:
    data = teams(10_000, piece=0.3, seed=2)
    row = analysis.piece_strength(data).row(by_predicate=pl.col("piece") == "A", named=True)
    assert row["log_odds_low"] < 0.3 < row["log_odds_high"]
    assert row["verdict"] == "strong"
    # Choosing among four seats as if each played for itself finds half of the effect.
    model = piece_model(data)
    games, rows = model.games, np.arange(10_000)
    naive = stats.conditional_logit(
        games.pad(model.counts, rows), games.pad(games.win_share, rows) / 2, games.blocks
    )
    wrong = float(naive.beta[0] - naive.beta[1:].mean())
    assert wrong < 0.75 * 0.3


def test_null_pieces_raise_few_alarms() -> None:
    p = [row for seed in range(60) for row in analysis.piece_strength(teams(250, seed=seed))["p"].to_list()]
    assert 0.02 < np.mean(np.array(p) < 0.05) < 0.09


def test_opponents_are_the_other_side() -> None:
    rng = np.random.default_rng(62)
    counts = rng.multinomial(4, [1 / 3] * 3, size=(4_000, 4))
    passes = rng.poisson(1.0, (4_000, 4))
    # Each copy of B makes both opponents pass once more, and leaves the partner alone.
    passes += counts[:, [1, 0, 1, 0], 1] + counts[:, [3, 2, 3, 2], 1]
    share = np.repeat([[1.0, 0.0]], 4_000, axis=0)[:, TEAM]
    data = from_shares(share, counts=counts, pieces=NAMES, team=TEAM)
    data._tables["seats"] = data.seats.with_columns(passes=pl.Series(passes.ravel().astype(np.int16)))
    row = (
        analysis.harm(data)
        .filter((pl.col("piece") == "B") & (pl.col("measure") == "opponents' passes"))
        .row(0, named=True)
    )
    assert row["low"] < 1.0 < row["high"]
    assert row["high"] - row["low"] < 0.2


def test_bans_and_roles_know_sides() -> None:
    rng = np.random.default_rng(63)
    banned = np.where(rng.random(8_000) < 0.5, "C", "none")
    founder = rng.integers(0, 4, 8_000)
    utility = 0.4 * (founder % 2 == np.arange(2)[:, None]).T + rng.gumbel(size=(8_000, 2))
    utility[:, 0] += 0.3 * (banned == "C")
    share = (utility == utility.max(axis=1, keepdims=True)).astype(float)[:, TEAM]
    data = from_shares(
        share,
        counts=np.ones((8_000, 4, 3), dtype=int),
        pieces=NAMES,
        team=TEAM,
        bans=banned,
        founder_seat=founder.astype(np.int8),
    )
    ban = analysis.ban_effects_on_seats(data).row(0, named=True)
    assert ban["without_ban"] < 0.02 < ban["with_ban"]
    assert ban["first_seat_low"] < 0.07 < ban["first_seat_high"]
    role = analysis.role_effect(data).filter(~pl.col("apart")).row(0, named=True)
    assert role["fair"] == 0.5
    assert role["low"] < 1 / (1 + np.exp(-0.4)) < role["high"]
    pairs = analysis.win_share_by(data, "bans", of="seat")
    assert set(pairs.filter(pl.col("what") == "level")["fair"]) == {0.5}


def test_bots_meet_opponents_only() -> None:
    data = make(deals=300, players=4, bots=("good", "bad", "good", "bad"), bot={"good": 1.0}, sides=TEAM)
    set_ = data.dataset()
    found = analysis.matchups(set_, of="bot").filter(~pl.col("mirror"))
    # Two good partners against two bad ones, or one of each on both sides.
    row = found.row(by_predicate=pl.col("row") == "good", named=True)
    assert row["estimate"] > 0.6
    assert row["games"] <= 1_200
    assert analysis.audit(set_).filter(~pl.col("ok")).is_empty()


def test_tables_with_and_without_sides_are_told_apart() -> None:
    data = make(
        deals=400, players=4, factors={"teams": [False, True]}, sides=TEAM, seat=(0.5,), log="pieces"
    ).dataset()
    assert data.tables == [(4, 2), (4, 4)]
    found = analysis.seat_balance(data)
    assert found.group_by("sides").len().sort("sides").rows() == [(2, 4), (4, 4)]
    assert found.filter(pl.col("sides") == 4)["estimate"].sum() == pytest.approx(1.0)
    assert found.filter(pl.col("sides") == 2)["estimate"].sum() == pytest.approx(2.0)
    assert analysis.seat_tests(data).height == 2
    assert analysis.length(data).height == 4
    strength = analysis.piece_strength(data).row(by_predicate=pl.col("piece") == "Rats", named=True)
    assert strength["log_odds_low"] < 0.25 < strength["log_odds_high"] + 0.1
    assert analysis.audit(data).filter(~pl.col("ok")).is_empty()
