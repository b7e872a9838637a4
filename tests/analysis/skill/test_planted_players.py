"""Planted players: a seat that looks favoured because the better one sits there, a card picked with a good one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from analysis.report import write
from tests.analysis.small import from_shares, winners

NAMES = [f"N{k}" for k in range(8)]
STRENGTH = np.linspace(-1.2, 1.2, 8)


def people(games: int, seat: float = 0.0, choosy: float = 0.85, seed: int = 1, players: int = 2) -> Dataset:
    """Named players of known strength; the stronger one takes Seat A in a share `choosy` of the games."""
    rng = np.random.default_rng(seed)
    who = np.array([rng.permutation(8)[:players] for _ in range(games)])
    strongest = np.argmax(STRENGTH[who], axis=1)
    swap = rng.random(games) < choosy
    for g in np.flatnonzero(swap):
        who[g, [0, strongest[g]]] = who[g, [strongest[g], 0]]
    utility = STRENGTH[who] + rng.gumbel(size=who.shape)
    utility[:, 0] += seat
    d = from_shares(winners(utility), player=who)
    d.manifest["categories"]["player"] = NAMES
    d.manifest["imported"] = {"sources": [{"counts": "planted"}], "left_out": 0, "notes": []}
    d.manifest["lever"] = None
    return d


def test_a_seat_that_only_the_better_player_likes_is_even_among_equals(tmp_path: Path) -> None:
    d = people(1500)
    raw = analysis.seat_balance(d)
    assert raw["verdict"][0] == "favoured"  # the naive reading: 10 points and more beyond fair
    assert raw["estimate"][0] > 0.6
    frame = analysis.seats_among_equals(d)
    assert frame["low"][0] < 0.5 < frame["high"][0]
    assert frame["sits"][0] > 0.1 > -0.1 > frame["sits"][1]
    assert frame["verdict"][0] not in ("favoured", "unfavoured", "above", "below")
    text = write(d, tmp_path / "report.html").read_text(encoding="utf-8")
    assert "because the better players sit there" in text
    rated = analysis.rated_players(d)
    assert rated["player"].to_list()[0] in ("N7", "N6")
    assert np.corrcoef(rated.sort("player")["log_odds"], STRENGTH)[0, 1] > 0.95


def test_a_seat_that_is_favoured_stays_so_among_equals() -> None:
    d = people(1500, seat=0.6)
    truth = np.exp(0.6) / (1 + np.exp(0.6))
    frame = analysis.seats_among_equals(d)
    assert frame["low"][0] < truth < frame["high"][0]
    assert frame["verdict"][0] == "favoured"
    assert analysis.seat_balance(d)["estimate"][0] > truth + 0.05


def test_who_never_changes_seats_cannot_be_told_from_the_seat() -> None:
    rng = np.random.default_rng(4)
    who = np.tile([0, 1], (400, 1))
    d = from_shares(winners(STRENGTH[[7, 0]] + rng.gumbel(size=(400, 2))), player=who)
    d.manifest["categories"]["player"] = NAMES[:2]
    frame = analysis.seats_among_equals(d)
    assert frame["own"][0] < 0.01
    assert set(frame["verdict"]) == {"cannot be told apart"}


def test_a_card_that_is_picked_with_a_good_one_is_nothing_beside_it() -> None:
    rng = np.random.default_rng(2)
    games = 3000
    good = rng.random((games, 2)) < 0.4
    fellow = np.where(rng.random((games, 2)) < 0.85, good, rng.random((games, 2)) < 0.4)
    other = rng.random((games, 2)) < 0.4
    counts = np.stack([good, fellow, other], axis=2).astype(int)
    d = from_shares(
        winners(1.0 * good + rng.gumbel(size=good.shape)), counts=counts, pieces=("Good", "Fellow", "Other")
    )
    d.manifest["lever"] = None
    rows = {r["name"]: r for r in analysis.held_adjusted(d).to_dicts()}
    assert rows["Fellow"]["raw_low"] > 0.05  # by itself it seems to win
    assert rows["Fellow"]["low"] < 0 < rows["Fellow"]["high"]
    assert not rows["Fellow"]["clear"]
    assert rows["Good"]["clear"]
    assert rows["Good"]["low"] > 0.1
    assert rows["Other"]["low"] < 0 < rows["Other"]["high"]
    assert "association" in rows["Good"]["note"]


def test_equal_players_have_no_spread_and_change_nothing() -> None:
    rng = np.random.default_rng(6)
    who = np.array([rng.permutation(8)[:3] for _ in range(900)])
    d = from_shares(winners(rng.gumbel(size=(900, 3))), player=who)
    d.manifest["categories"]["player"] = NAMES
    frame = analysis.seats_among_equals(d)
    assert frame["spread"][0] < 0.25
    assert np.abs(frame["estimate"] - frame["raw"]).max() < 0.01


@pytest.mark.soak
@pytest.mark.parametrize("seat", [0.0, 0.5])
@pytest.mark.parametrize("games", [150, 600])
def test_intervals_among_equals_hold_the_truth(seat: float, games: int) -> None:
    truth = np.exp(seat) / (1 + np.exp(seat))
    held = raw = 0
    for seed in range(200):
        d = people(games, seat, choosy=0.7, seed=seed + 10)
        row = analysis.seats_among_equals(d).row(0, named=True)
        held += row["low"] <= truth <= row["high"]
        raw += row["raw_low"] <= truth <= row["raw_high"]
    assert held >= 184  # 95 % of 200, less three standard errors
    assert raw < held - 20


def test_groups_are_clusters() -> None:
    rng = np.random.default_rng(9)
    d = people(600, choosy=0.5)
    lean = np.repeat(rng.normal(0, 1.2, 30), 20)  # each group has a way of its own to favour a seat
    won = rng.random(600) < 1 / (1 + np.exp(-lean))
    shares = np.stack([won, ~won], axis=1).astype(float)
    who = d.seats.collect()["player"].to_numpy().reshape(-1, 2)
    plain, grouped = (
        from_shares(shares, player=who, **more) for more in ({}, {"group": np.repeat(np.arange(30), 20)})
    )
    for one in (plain, grouped):
        one.manifest["categories"]["player"] = NAMES
    narrow, wide = (analysis.seats_among_equals(one) for one in (plain, grouped))
    span = [(f["high"] - f["low"])[0] for f in (narrow, wide)]
    assert span[1] > 1.4 * span[0]
    assert wide["blocks"][0] == pytest.approx(30)
    assert isinstance(wide, pl.DataFrame)


@pytest.mark.parametrize("games", [40, 400])
def test_what_makes_no_difference_is_not_a_certain_nothing(games: int) -> None:
    rng = np.random.default_rng(12)
    counts = (rng.random((games, 2, 3)) < 0.4).astype(int)
    who = np.array([rng.permutation(8)[:2] for _ in range(games)])
    d = from_shares(winners(rng.gumbel(size=(games, 2))), counts=counts, pieces=("X", "Y", "Z"), player=who)
    d.manifest["lever"] = None
    d.manifest["categories"]["player"] = NAMES
    for row in analysis.held_adjusted(d).to_dicts():
        assert row["low"] < 0 < row["high"]
        assert row["high"] - row["low"] > 1 / games**0.5
    rated = analysis.rated_players(d)
    assert (rated["high"] - rated["low"]).min() > 0.05
