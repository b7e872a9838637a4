"""Planted truth for the course of games: minutes, who ends them, tie-breaks, luck, changes of a rule, drawn levels."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.changes.rules import cell_changes
from analysis.data.dataset import Dataset
from tests.analysis.draftset import with_tables
from tests.analysis.small import from_shares, winners
from tests.analysis.synthetic import make

KINDS = ("buy", "trade")


def paced(data: Dataset, *, card: bool = False, **seconds: Any) -> Dataset:
    keys = {"card": {**data.card, "pace": seconds}} if card else {"pace": seconds}
    return with_tables(data, keys)


def plain(games: int, seed: int = 1, players: int = 2, **columns: Any) -> Dataset:
    rng = np.random.default_rng([seed, 71])
    return from_shares(winners(rng.gumbel(size=(games, players))), **columns)


# -- minutes -------------------------------------------------------------------------------------------------


def test_minutes_are_seconds_a_turn_a_decision_and_a_game() -> None:
    data = plain(50, turns=np.full(50, 30, dtype=np.int32))
    assert set(analysis.length(data)["measure"]) == {"turns", "decisions"}
    found = analysis.length(paced(data, turn=20, decision=3, game=120))
    row = found.row(by_predicate=pl.col("measure") == "minutes", named=True)
    assert row["estimate"] == pytest.approx((120 + 30 * 20 + 20 * 3) / 60)
    assert row["method"].startswith("pace given in the experiment")
    guess = analysis.length(paced(data, card=True, turn=20, source="the box")).filter(
        pl.col("measure") == "minutes"
    )
    assert guess["method"][0].startswith("a guess at the pace (the box)")
    assert guess["estimate"][0] == pytest.approx(10.0)


def test_kinds_of_decision_have_a_pace_of_their_own_where_they_were_logged() -> None:
    data = paced(plain(2), decision=6, trade=60)
    # 20 decisions a game by the log of games: all count alike.
    assert analysis.length(data).filter(pl.col("measure") == "minutes")["estimate"][0] == pytest.approx(2.0)
    kinds = ["trade"] * 5 + ["buy"] * 15 + ["buy"] * 20
    logged = pl.DataFrame(
        {"game_id": np.repeat([0, 1], 20), "turn": [1] * 40, "kind": kinds, "options": [2] * 40}
    )
    both = Dataset(data.manifest, data.cells, {**data._tables, "decisions": logged.lazy()})
    row = analysis.length(both).row(by_predicate=pl.col("measure") == "minutes", named=True)
    assert row["most"] == pytest.approx((5 * 60 + 15 * 6) / 60)
    assert row["least"] == pytest.approx(20 * 6 / 60)


# -- endings -------------------------------------------------------------------------------------------------


def test_who_ends_the_game_is_set_against_a_fair_share() -> None:
    rng = np.random.default_rng(72)
    ender = rng.integers(0, 3, 9_000)
    utility = rng.gumbel(size=(9_000, 3))
    utility[np.arange(9_000), ender] += 0.4
    ended = np.where(rng.random(9_000) < 0.1, "turn_cap", "finished")
    data = from_shares(winners(utility), ended_by=ender.astype(np.int8), ended=ended)
    row = analysis.enders(data).row(0, named=True)
    assert row["low"] < np.exp(0.4) / (np.exp(0.4) + 2) < row["high"]
    assert row["verdict"] == "favoured"
    # Nobody ended a game that the cap stopped.
    assert (row["games"], row["of_games"]) == ((ended == "finished").sum(), 9_000)
    null = from_shares(winners(rng.gumbel(size=(9_000, 3))), ended_by=ender.astype(np.int8))
    assert analysis.enders(null)["verdict"][0] == "balanced"


def test_tie_breaks_show_who_gains() -> None:
    """A tenth of the games are level on points, and all of these go to the second seat."""
    rng = np.random.default_rng(73)
    score = rng.integers(10, 40, (6_000, 2)).astype(float)
    score[:, 1] += score[:, 0] == score[:, 1]
    level = rng.random(6_000) < 0.1
    score[level, 1] = score[level, 0]
    share = winners(score + np.array([0.0, 0.5]))
    data = from_shares(share)
    seats = data.seats.with_columns(score=pl.Series(score.ravel().astype(np.float32)))
    found = analysis.tie_breaks(with_tables(data, seats=seats))
    second = found.row(1, named=True)
    assert second["low"] < 0.05 < second["high"]
    assert second["estimate"] == pytest.approx(-found["estimate"][0])
    assert second["broken"] == second["level"] == pytest.approx(level.mean())
    # A win without the best points: no matter of ties.
    odd = seats.with_columns(score=-pl.col("score"))
    with pytest.raises(analysis.Refusal, match="do not go by points"):
        analysis.tie_breaks(with_tables(data, seats=odd))


def test_luck_is_what_the_better_bot_does_not_win() -> None:
    data = make(deals=2_000, players=2, bots=("sage", "fool"), bot={"sage": 1.0}, seat=(), piece={}, ties=0.0)
    row = analysis.luck_and_skill(data.dataset()).row(0, named=True)
    truth = 1 / (1 + np.exp(-1.0))
    assert (row["better"], row["worse"], row["clear"]) == ("sage", "fool", True)
    assert row["low"] < truth + 0.02
    assert row["high"] > truth - 0.02
    assert row["luck"] == pytest.approx(2 * (1 - row["estimate"]))
    with pytest.raises(analysis.Refusal, match="one kind of bot"):
        analysis.luck_and_skill(plain(20))


# -- changes of a rule -----------------------------------------------------------------------------------------


def ruled(
    rows: list[dict[str, Any]], vary: dict[str, Any], effect: dict[str, float], deals: int = 400
) -> Dataset:
    """Cells on the same deals; each parameter that is true makes games longer by `effect`."""
    rng = np.random.default_rng(74)
    base = rng.integers(20, 40, deals)
    turns = [base + sum(v for k, v in effect.items() if row[k]) + rng.integers(-2, 3, deals) for row in rows]
    n = len(rows)
    cells = pl.DataFrame(rows).with_columns(cell=pl.Series(range(n), dtype=pl.Int32))
    data = from_shares(
        winners(rng.gumbel(size=(n * deals, 2))),
        cells=cells,
        cell=np.repeat(np.arange(n), deals).astype(np.int32),
        deal=np.tile(np.arange(deals), n).astype(np.int64),
        turns=np.concatenate(turns).astype(np.int32),
    )
    return with_tables(data, {"experiment": {"vary": vary}})


def turns_of(data: Dataset) -> dict[str, dict[str, Any]]:
    frame = analysis.rule_changes(data).filter(pl.col("measure") == "turns")
    return {row["change"]: row for row in frame.iter_rows(named=True)}


def test_one_rule_at_a_time_is_set_against_the_base_alone() -> None:
    """Averaging over the other factors would mix their changes into the base; here only one thing differs."""
    rows = [{"a": False, "b": False}, {"a": True, "b": False}, {"a": False, "b": True}]
    data = ruled(rows, {"a": [False, True], "b": [False, True]}, {"a": 4.0, "b": -6.0})
    found = turns_of(data)
    assert set(found) == {"a false → true", "b false → true"}
    assert found["a false → true"]["low"] < 4.0 < found["a false → true"]["high"]
    assert found["b false → true"]["low"] < -6.0 < found["b false → true"]["high"]
    # The same deals on both sides: the spread of the deals (variance 33) is no part of the error.
    assert found["a false → true"]["high"] - found["a false → true"]["low"] < 0.6
    naive = data.games.join(data.cells.lazy(), on="cell").group_by("a").agg(pl.col("turns").mean()).collect()
    mixed = dict(naive.rows())
    assert mixed[True] - mixed[False] > 6.0


def test_a_grid_averages_over_the_settings_that_both_levels_have() -> None:
    rows = [{"a": a, "b": b} for a in (False, True) for b in (False, True)]
    found = turns_of(ruled(rows, {"a": [False, True], "b": [False, True]}, {"a": 4.0, "b": -6.0}))
    assert set(found) == {"a false → true", "b false → true"}
    assert found["a false → true"]["games"] == 1_600


def test_bundles_are_compared_with_what_they_differ_least_from() -> None:
    rows = [
        {"variant": "old", "a": False, "b": False, "c": False},
        {"variant": "new", "a": True, "b": True, "c": False},
        {"variant": "old with a", "a": True, "b": False, "c": False},
        {"variant": "new with c", "a": True, "b": True, "c": True},
        {"variant": "odd", "a": False, "b": True, "c": True},
    ]
    changes = cell_changes(ruled(rows, {}, {"a": 2.0, "b": 3.0, "c": 0.0}))
    assert [c.label for c in changes] == [
        "new",
        "a false → true (in old)",
        "c false → true (in new)",
        # It differs from "new with c" in one thing, from "old" in two.
        "a true → false (in new with c)",
    ]


def test_null_changes_give_few_alarms() -> None:
    rows = [{f"r{i}": i == k for i in range(8)} for k in range(-1, 8)]
    data = ruled(rows, {f"r{i}": [False, True] for i in range(8)}, {"r0": 0.0})
    found = analysis.rule_changes(data)
    assert found["change"].n_unique() == 8
    assert (found["q"] < 0.05).sum() <= 1


# -- what was drawn ------------------------------------------------------------------------------------------


def test_levels_of_seats_are_told_apart_from_the_seat() -> None:
    rng = np.random.default_rng(75)
    names = np.array(["North", "East", "South"])
    order = np.argsort(rng.random((8_000, 3)), axis=1)
    utility = rng.gumbel(size=(8_000, 3)) + 0.4 * (order == 0)
    utility[:, 0] += 0.5
    text = np.array(["+".join(row) for row in names[order]])
    data = from_shares(winners(utility), start=text)
    entry = {"kind": "seat level", "sep": "+", "word": "start"}
    found = analysis.seat_level_effects(with_tables(data, {"drawn": {"start": entry}}))
    north = found.row(by_predicate=pl.col("level") == "North", named=True)
    assert north["low"] < 0.4 * 0.21 < north["high"]
    assert north["verdict"] == "strong"
    assert found["held"].to_list() == pytest.approx([1 / 3] * 3)
    chosen = with_tables(data, {"drawn": {"start": {**entry, "chosen": True}}})
    assert analysis.seat_level_effects(chosen)["verdict"].to_list() == [None] * 3
    # A level that always goes with one seat cannot be told from it.
    tied = from_shares(winners(utility), start=np.full(8_000, "North+East+South"))
    always = analysis.seat_level_effects(with_tables(tied, {"drawn": {"start": entry}}))
    assert always["estimate"].null_count() == 3
    assert "cannot tell it from the seat" in always["note"][0]
    # Corners that only meet their opposite are set against it alone.
    corner = rng.integers(0, 4, 8_000)
    pairs = np.array([["NW", "SE"], ["SE", "NW"], ["NE", "SW"], ["SW", "NE"]])[corner]
    lift = np.where(pairs == "NW", 0.5, 0.0) + np.where(pairs == "NE", -0.3, 0.0)
    two = from_shares(
        winners(rng.gumbel(size=(8_000, 2)) + lift), start=np.array(["+".join(p) for p in pairs])
    )
    opposite = analysis.seat_level_effects(with_tables(two, {"drawn": {"start": entry}}))
    worth = {row["level"]: row for row in opposite.iter_rows(named=True)}
    assert worth["NW"]["low"] < 0.5 / 4 < worth["NW"]["high"]
    assert worth["NE"]["low"] < -0.3 / 4 < worth["NE"]["high"]
    assert worth["NW"]["estimate"] == pytest.approx(-worth["SE"]["estimate"])
    assert "NW and SE meet nobody else" in worth["NW"]["note"]
    broken = from_shares(winners(utility), start=np.full(8_000, "North+East"))
    with pytest.raises(analysis.Refusal, match="one level a seat"):
        analysis.seat_level_effects(with_tables(broken, {"drawn": {"start": entry}}))


def test_any_set_of_pieces_is_read_like_bans() -> None:
    rng = np.random.default_rng(76)
    out = np.where(rng.random(8_000) < 0.5, "A+B", "none")
    utility = rng.gumbel(size=(8_000, 2))
    utility[:, 0] += 0.5 * (out == "A+B")
    data = from_shares(
        winners(utility), counts=np.ones((8_000, 2, 3), dtype=int), pieces=list("ABC"), left_out=out
    )
    data = with_tables(data, {"drawn": {"left_out": {"kind": "piece set", "sep": "+", "none": "none"}}})
    found = analysis.ban_effects_on_seats(data)
    assert found["banned"].to_list() == ["A", "B"]
    assert set(found["did"]) == {"left out"}
    assert found["first_seat_low"][0] < 1 / (1 + np.exp(-0.5)) - 0.5 < found["first_seat_high"][0]


def test_a_set_is_judged_in_the_cells_that_draw_it() -> None:
    """Another rule makes cell 0 unfair, where nothing is left out: that is no effect of leaving pieces out."""
    rng = np.random.default_rng(79)
    cell = np.repeat([0, 1], 4_000).astype(np.int32)
    out = np.where((cell == 1) & (rng.random(8_000) < 0.5), "A", "none")
    utility = rng.gumbel(size=(8_000, 2))
    utility[:, 0] += 1.0 * (cell == 0)
    cells = pl.DataFrame({"cell": pl.Series([0, 1], dtype=pl.Int32), "rule": ["old", "new"]})
    ones = np.ones((8_000, 2, 3), dtype=int)
    data = from_shares(
        winners(utility), counts=ones, pieces=list("ABC"), left_out=out, cell=cell, cells=cells
    )
    data = with_tables(data, {"drawn": {"left_out": {"kind": "piece set", "sep": "+", "none": "none"}}})
    row = analysis.ban_effects_on_seats(data).row(0, named=True)
    assert row["games"] == 4_000
    assert row["first_seat_low"] < 0 < row["first_seat_high"]


def test_a_copy_over_none_is_told_where_the_number_of_pieces_differs() -> None:
    """One kind is withheld from one player: every kind is worth 0.3 log odds, so none is above the average."""
    rng = np.random.default_rng(77)
    counts = np.full((12_000, 2, 4), 3)
    game = np.arange(12_000)
    counts[game, rng.integers(0, 2, 12_000), rng.integers(0, 4, 12_000)] -= 1
    utility = 0.3 * counts.sum(axis=2) + rng.gumbel(size=(12_000, 2))
    found = analysis.piece_strength(from_shares(winners(utility), counts=counts, pieces=list("ABCD")))
    # Log odds of 0.3 near an even chance are 0.3 / 4 of win share.
    assert found["alone_low"].max() < 0.076
    assert found["alone_high"].min() > 0.071
    assert not set(found["verdict"]) & {"strong", "weak"}
    fixed = rng.multinomial(3, [0.25] * 4, size=(2_000, 2))
    same = analysis.piece_strength(plain_with(fixed))
    assert same["alone"].null_count() == 4


def plain_with(counts: np.ndarray) -> Dataset:
    rng = np.random.default_rng(78)
    return from_shares(winners(rng.gumbel(size=counts.shape[:2])), counts=counts, pieces=list("ABCD"))


def test_kinds_that_are_assigned_apart_are_judged_apart() -> None:
    """One building and one event each: only differences within a kind can be told, and they are."""
    rng = np.random.default_rng(83)
    building, event = rng.integers(0, 3, (9_000, 2)), rng.integers(0, 3, (9_000, 2))
    counts = np.concatenate([np.eye(3, dtype=int)[building], np.eye(3, dtype=int)[event]], axis=2)
    counts = np.concatenate([counts, np.full((9_000, 2, 1), 2)], axis=2)
    utility = 0.4 * (building == 0) + rng.gumbel(size=(9_000, 2))
    names = ["Mine", "Farm", "Port", "Storm", "Feast", "Frost", "Pawn"]
    data = from_shares(winners(utility), counts=counts, pieces=names)
    groups = dict(zip(names, ["building"] * 3 + ["event"] * 3 + ["man"], strict=True))
    data.manifest["card"] = {"pieces": [{"name": n, "group": g} for n, g in groups.items()]}
    found = {r["piece"]: r for r in analysis.piece_strength(data).iter_rows(named=True)}
    assert found["Mine"]["log_odds_low"] < 0.4 < found["Mine"]["log_odds_high"]
    assert found["Mine"]["group"] == "building"
    assert found["Storm"]["verdict"] == "balanced"
    # What everybody has alike was not assigned by chance, and spoils nothing.
    assert found["Pawn"]["estimate"] is None
