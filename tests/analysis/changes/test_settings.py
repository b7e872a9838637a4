"""What was compared is told apart: each level by itself, the tested difference, and never an average."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from analysis.data.errors import Refusal
from tests.analysis.synthetic import make

OLD, NEW = "v1.3", "v1.4"


def versions(levels: tuple[str, str] = (OLD, NEW), **changes: Any) -> Dataset:
    """Two versions: the Wolf is strong in the first and weak in the second, and so is Seat A. On average: nothing."""
    first, second = levels
    return make(
        players=2,
        deals=1_200,
        seat=(0.0,),
        piece={},
        factors={"version": [OLD, NEW]},
        factor_on_piece={("version", first, "Wolf"): 0.35, ("version", second, "Wolf"): -0.35},
        factor_on_seat={("version", first, 0): 0.4, ("version", second, 0): -0.4},
        **changes,
    ).dataset()


def row(frame: pl.DataFrame, what: str, about: str | None, setting: str) -> dict[str, Any]:
    here = (pl.col("what") == what) & (pl.col("setting") == setting)
    found = frame.filter(here & (pl.col("about") == about if about else pl.col("about").is_null()))
    assert found.height == 1
    return found.row(0, named=True)


def test_opposite_effects_are_told_apart_where_their_mean_is_nothing() -> None:
    d = versions()
    pooled = analysis.piece_strength(d).filter(pl.col("piece") == "Wolf").row(0, named=True)
    assert abs(pooled["estimate"]) < 0.015
    frame = analysis.compare(d)
    for what, about in (("piece", "Wolf"), ("seat", "0")):
        base, new = (row(frame, what, about, level) for level in (OLD, NEW))
        assert base["base"]
        assert base["against"] is None
        assert base["estimate"] is None
        assert base["verdict"] in ("strong", "favoured")
        assert new["verdict"] in ("weak", "unfavoured")
        assert new["against"] == OLD
        assert new["estimate"] == pytest.approx(new["value"] - base["value"], abs=0.01)
        assert new["high"] < -0.05
        assert new["differs"]
        assert not new["same"]
    others = frame.filter((pl.col("what") == "piece") & (pl.col("about") != "Wolf") & ~pl.col("base"))
    assert not others["differs"].any()


def test_an_average_over_what_was_compared_says_so() -> None:
    d = versions()
    frames = (
        analysis.seat_balance,
        analysis.seat_tests,
        analysis.piece_strength,
        analysis.length,
        analysis.ties,
    )
    for ask in frames:
        assert all("averages over version (2 levels)" in note for note in ask(d)["note"])
        assert not any("averages over" in note for note in ask(d, by="version")["note"])


def test_levels_that_change_places_change_the_signs() -> None:
    one, other = (analysis.compare(versions(levels), pieces=["Wolf"]) for levels in ((OLD, NEW), (NEW, OLD)))
    for what, about in (("piece", "Wolf"), ("seat", "0")):
        here, there = (row(frame, what, about, NEW) for frame in (one, other))
        assert here["estimate"] < -0.1 < 0.1 < there["estimate"]


def test_the_base_is_the_one_that_is_asked_for() -> None:
    d = versions()
    d.manifest["experiment"]["ask"] = {"piece": ["Wolf"], "compare": {"version": [NEW, OLD]}}
    frame = analysis.compare(d, what="pieces", pieces=["Wolf"])
    assert frame["setting"].to_list() == [NEW, OLD]
    assert frame["about"].unique().to_list() == ["Wolf"]
    assert row(frame, "piece", "Wolf", OLD)["estimate"] > 0.1


def test_the_interval_holds_all_differences_at_once() -> None:
    d = versions()
    alone = row(analysis.compare(d, what="pieces", pieces=["Wolf"]), "piece", "Wolf", NEW)
    beside = row(analysis.compare(d), "piece", "Wolf", NEW)
    assert alone["estimate"] == pytest.approx(beside["estimate"])
    assert beside["high"] - beside["low"] > 1.2 * (alone["high"] - alone["low"])
    assert beside["q"] > alone["q"]


@pytest.mark.parametrize("players", [2, 4])
def test_no_difference_is_seen_where_there_is_none(players: int) -> None:
    seen = 0
    for seed in range(40):
        d = make(
            players=players,
            deals=60,
            seed=seed,
            factors={"map": ["a", "b", "c"]},
            same_noise=0.0,
            rotate=False,
        ).dataset()
        seen += bool(analysis.compare(d, what=["seats", "length"])["differs"].any())
    # 40 data sets at 5 % each: more than 5 false alarms come about once in 70 times.
    assert seen <= 5


def test_settings_of_two_factors_are_no_average_over_either() -> None:
    """The Wolf is strong in one cell and weak in another; in the two others it is neither."""
    d = make(
        players=2,
        deals=800,
        seat=(0.0,),
        piece={},
        factors={"version": [OLD, NEW], "map": ["small", "large"]},
        factor_on_piece={("version", NEW, "Wolf"): 0.4, ("map", "large", "Wolf"): -0.4},
    ).dataset()
    frame = analysis.compare(d, what="pieces", pieces=["Wolf"])
    assert frame["setting"].to_list() == [f"{v}, {m}" for v in (OLD, NEW) for m in ("small", "large")]
    found = {
        r["setting"]: (r["value"] > 0.04, r["value"] < -0.04, r["differs"])
        for r in frame.iter_rows(named=True)
    }
    assert found[f"{NEW}, small"] == (True, False, True)
    assert found[f"{OLD}, large"] == (False, True, True)
    assert found[f"{NEW}, large"] == (False, False, False)


def test_what_is_not_set_against_each_other_is_told_apart_all_the_same() -> None:
    d = make(
        players=2, deals=300, factors={"version": [OLD, NEW], "map": ["small", "large"]}, seat=(0.0,)
    ).dataset()
    frame = analysis.compare(d, "version", what="seats").filter(pl.col("about") == "0")
    pairs = [(r["setting"], r["against"]) for r in frame.iter_rows(named=True)]
    assert sorted(pairs, key=str) == sorted(
        [
            (f"{OLD}, small", None),
            (f"{NEW}, small", f"{OLD}, small"),
            (f"{OLD}, large", None),
            (f"{NEW}, large", f"{OLD}, large"),
        ],
        key=str,
    )


def test_pieces_are_told_apart_by_the_number_of_players_and_seats_by_the_table() -> None:
    d = make(deals=200, factors={"players.count": [2, 3]}).dataset()
    frame = analysis.compare(d)
    pieces, seats = (frame.filter(pl.col("what") == what) for what in ("piece", "seat"))
    assert pieces["setting"].unique().sort().to_list() == ["2 players", "3 players"]
    assert seats["against"].null_count() == seats.height
    assert seats["players"].unique().sort().to_list() == [2, 3]


def test_each_table_has_a_base_of_its_own() -> None:
    """Variants may be tables of other sizes, and two of them of one size."""
    d = make(
        deals=200,
        factors={"variant": ["two", "three", "three, mended"], "players.count": [2, 3]},
        factor_on_seat={("variant", "three, mended", 0): 2.0},
    ).dataset()
    kept = (pl.col("variant") == "two") == (pl.col("players.count") == 2)
    d = d.with_cells(d.cells.filter(kept))
    frame = analysis.compare(d, "variant", what="seats").filter(pl.col("about") == "0")
    found = {r["setting"]: (r["players"], r["against"], r["differs"]) for r in frame.iter_rows(named=True)}
    names = {name.split(", 2")[0].split(", 3")[0]: value for name, value in found.items()}
    assert names == {
        "two": (2, None, False),
        "three": (3, None, False),
        "three, mended": (3, "three", True),
    }


def test_of_many_factors_a_setting_names_those_that_were_moved() -> None:
    d = make(players=2, deals=40, factors={"a": [1, 2], "b": ["x", "y"], "c": [False, True]}).dataset()
    names = analysis.compare(d, what="length")["setting"].to_list()
    assert names[0] == "all at the base"
    assert "b y" in names
    assert "a 2, c true" in names


def test_games_picked_by_an_outcome_are_not_compared() -> None:
    d = versions().filter(pl.col("turns") > 10)
    frame = analysis.compare(d)
    assert not frame["differs"].any()
    assert not frame["same"].any()


def test_refusals() -> None:
    d = versions()
    for arguments, text in (
        ({"what": "seat"}, "did you mean 'seats'"),
        ({"across": "versoin"}, "did you mean 'version'"),
    ):
        with pytest.raises(Refusal, match=text):
            analysis.compare(d, **arguments)  # type: ignore[arg-type]
