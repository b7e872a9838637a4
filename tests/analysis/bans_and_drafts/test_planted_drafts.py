"""Planted truth for drafts: what is picked, what it buys, and what drafting first is worth."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.bans_and_drafts.drafts import read_offers
from analysis.data.dataset import Dataset
from tests.analysis.draftset import PIECES, drafted, with_tables
from tests.analysis.small import from_shares


def gap(effects: dict[str, float]) -> np.ndarray:
    value = np.array([effects.get(name, 0.0) for name in PIECES])
    return value - (value.sum() - value) / (len(value) - 1)


def near(frame: pl.DataFrame, truth: np.ndarray, errors: float = 3.2) -> bool:
    se = (frame["log_odds_high"] - frame["log_odds_low"]).to_numpy() / (2 * 1.96)
    return bool((np.abs(frame["log_odds"].to_numpy() - truth) < errors * se).all())


def test_picks_recover_what_choosers_like() -> None:
    """Big piles are liked: every piece is picked more often than not, which says nothing about the piece."""
    like = {"Rats": 0.5, "Wolf": -0.4}
    found = analysis.draft_picks(drafted(4_000, 3, appeal=like))
    assert found["picked"].min() > 0.52
    assert found["log_odds"].to_numpy() == pytest.approx(gap(like), abs=0.06)
    flags = dict(zip(found["piece"], found["flag"], strict=True))
    assert flags["Rats"] == "eager"
    assert flags["Wolf"] == "reluctant"
    assert found["dealt"].sum() == 4_000 * 9 * 5
    assert found["picked_all"][0] == pytest.approx(
        (found["picked"] * found["dealt"]).sum() / found["dealt"].sum()
    )


def test_choosers_that_never_stray_still_get_a_value() -> None:
    found = analysis.draft_picks(drafted(1_500, 2, appeal={"Rats": 0.5}, noise=0.0))
    assert set(found["method"]) == {"linear model of the pile chosen; errors by deal"}
    best = found.sort("estimate", descending=True).row(0, named=True)
    assert best["piece"] == "Rats"
    assert best["low"] > 0
    assert found.filter(pl.col("piece") != "Rats")["flag"].to_list().count("eager") == 0


def test_an_empty_pile_may_be_chosen() -> None:
    data = from_shares(np.array([[1.0, 0.0]] * 2), counts=np.zeros((2, 2, 1), dtype=int), pieces=["A"])
    rows = {
        "game_id": [0, 0, 1, 1],
        "round": [0] * 4,
        "splitter": [0] * 4,
        "chooser": [1] * 4,
        "piece": ["A"] * 4,
    }
    rows |= {"pile": [0] * 4, "taken": [False, False, True, True]}
    data._tables["drafts"] = pl.DataFrame(rows).lazy()
    offers = read_offers(data)
    assert offers.chosen.tolist() == [1, 0]
    assert offers.piles[:, :, 0].tolist() == [[2, 0], [2, 0]]


@pytest.mark.parametrize("players", [2, 3])
def test_a_strong_piece_that_is_picked_makes_good_groups_worth_choosing_from(players: int) -> None:
    data = drafted(6_000, players, appeal={"Rats": 0.8}, worth={"Rats": 0.35})
    found = analysis.pick_value(data)
    roles = set(found["role"])
    if players == 2:
        assert roles == {"choosing rather than splitting"}
        assert found["low"].min() > 0
    else:
        assert found.filter(pl.col("role") == "choosing")["low"].min() > 0
    null = analysis.pick_value(drafted(4_000, players, appeal={"Rats": 0.8}, seed=2))
    assert (null["q"] < 0.05).sum() == 0


def test_pt11_drafting_first_is_told_apart_from_the_seat() -> None:
    """Seat A wins more and mostly splits first; splitting first itself is worth nothing."""
    data = drafted(12_000, 2, seat=(0.4,), first="often A")
    found = analysis.draft_seats(data)
    first = found.row(0, named=True)
    assert first["raw"] > 0.56
    assert abs(first["estimate"] - 0.5) < 0.02
    assert first["verdict"] == "balanced"
    planted = analysis.draft_seats(drafted(12_000, 2, seat=(0.4,), position=(0.3,), first="often A")).row(
        0, named=True
    )
    assert planted["low"] < 0.5 + 0.25 * 0.3 < planted["high"]
    assert planted["verdict"] == "favoured"


def test_pt11_a_null_piece_that_the_first_drafter_takes_is_worth_nothing() -> None:
    """Whoever splits first wins more and takes Rats oftener; the order of the draft must not colour Rats."""
    rng = np.random.default_rng(7)
    data = drafted(8_000, 2, position=(0.5,))
    held = rng.binomial(1, np.where(read_offers(data).position.reshape(-1, 2) == 0, 0.75, 0.25))
    pieces = data.pieces.collect()
    count = pieces["taken"].to_numpy().copy()
    count[pieces["piece"].to_numpy() == "Rats"] = held.ravel()
    changed = pieces.with_columns(taken=pl.Series(count), played=pl.Series(count)).lazy()
    data = Dataset(data.manifest, data.cells, {**data._tables, "pieces": changed})
    won = analysis.goes_with_winning(data).filter(
        (pl.col("piece") == "Rats") & (pl.col("measure") == "played")
    )
    assert won["low"][0] > 0.04
    ours = analysis.offered_taken_played(data).filter(
        (pl.col("piece") == "Rats") & (pl.col("measure") == "taken")
    )
    assert ours["low"][0] < 0 < ours["high"][0]


def test_a_draft_tied_to_the_seat_is_said() -> None:
    found = analysis.draft_seats(drafted(400, 2, first="A"))
    assert not found["adjusted"].any()
    assert "cannot be told apart" in found["note"][0]


@pytest.mark.parametrize("players", [2, 3])
def test_offered_is_the_cause_and_taken_is_not(players: int) -> None:
    """Rats are worth 0.3 to who has them; being offered one is worth the part of it that one gets."""
    worth = {"Rats": 0.3, "Fly": -0.25}
    data = drafted(8_000, players, appeal={"Rats": 0.6}, worth=worth)
    found = analysis.offered_taken_played(data)
    taken = found.filter(pl.col("measure") == "taken")
    assert near(taken, gap(worth))
    assert taken["verdict"].null_count() == len(taken)
    rats = {r["measure"]: r for r in found.filter(pl.col("piece") == "Rats").iter_rows(named=True)}
    assert rats["to choose from"]["cause"]
    assert 0 < rats["to choose from"]["low"] < rats["to choose from"]["high"] < rats["taken"]["low"]
    if players == 2:
        assert rats["offered"]["estimate"] is None
        assert "alike for all seats" in rats["offered"]["note"]
    else:
        assert rats["offered"]["low"] > 0
        assert rats["offered"]["high"] < rats["taken"]["low"]


def test_games_without_a_draft_are_no_part_of_it() -> None:
    """A run that compares drafted games with others: every figure is that of the drafted games alone."""
    data = drafted(1_200, 3, appeal={"Rats": 0.5}, worth={"Rats": 0.3}, position=(0.3,))
    alone = data.filter(pl.col("game_id") < 700)
    mixed = with_tables(data, drafts=data.drafts.filter(pl.col("game_id") < 700))
    for question in (
        analysis.draft_picks,
        analysis.pick_value,
        analysis.draft_seats,
        analysis.offered_taken_played,
    ):
        assert question(mixed).equals(question(alone))


def test_no_draft_is_said() -> None:
    data = from_shares(np.array([[1.0, 0.0]] * 20))
    with pytest.raises(analysis.Refusal, match="no drafts were logged"):
        analysis.draft_picks(data)
