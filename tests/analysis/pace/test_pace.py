"""Length, ties, ends, lead changes and choice width, counted by hand."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from tests.analysis.small import from_shares, winners
from tests.analysis.synthetic import make


def test_length_is_the_plain_mean_and_quantiles_when_nothing_is_cut() -> None:
    made = make(deals=300, players=2, capped=0.0, log="games")
    turns = made.tables["games"]["turns"].to_numpy()
    row = analysis.length(made.dataset()).filter(pl.col("measure") == "turns").row(0, named=True)
    assert row["estimate"] == pytest.approx(turns.mean())
    assert (row["q10"], row["q50"], row["q90"]) == tuple(
        np.quantile(turns, q, method="inverted_cdf") for q in (0.1, 0.5, 0.9)
    )
    assert (row["least"], row["most"], row["capped"], row["note"]) == (turns.min(), turns.max(), 0.0, "")


def test_shares_of_ends_and_lead_changes_add_up() -> None:
    d = make(deals=400, factors={"players.count": [2, 4]}, capped=0.1, log="games").dataset()
    for frame in (analysis.end_reasons(d), analysis.lead_changes(d)):
        sums = frame.group_by("players").agg(pl.col("estimate").sum())["estimate"].to_numpy()
        assert sums == pytest.approx(np.ones(2))
        assert ((frame["low"] <= frame["estimate"]) & (frame["estimate"] <= frame["high"])).all()
    ends = analysis.end_reasons(d).filter(pl.col("ended") == "turn_cap")
    assert (ends["low"] < 0.1).all()
    assert (ends["high"] > 0.1).all()


def test_data_from_before_the_newest_end_code_are_read() -> None:
    made = make(deals=200, players=2, capped=0.1, log="games")
    older = list(made.manifest["categories"]["ended"])[:-1]
    manifest = made.manifest | {"categories": made.manifest["categories"] | {"ended": older}}
    games = made.tables["games"].with_columns(pl.col("ended").cast(pl.String).cast(pl.Enum(older)))
    old = Dataset.from_frames(manifest, made.cells, **(made.tables | {"games": games}))
    new = made.dataset()
    assert analysis.end_reasons(old)["ended"].to_list() == older
    assert analysis.end_reasons(new)["ended"].to_list() == [*older, "all_passed"]
    assert analysis.length(old).equals(analysis.length(new))


def test_share_of_what_never_happened_has_an_upper_end() -> None:
    d = from_shares(winners(np.random.default_rng(1).random((200, 2))))
    row = analysis.ties(d).row(0, named=True)
    assert row["estimate"] == 0
    assert row["low"] == pytest.approx(0, abs=1e-12)
    assert 0.01 < row["high"] < 0.03


def test_choice_width_weighs_decisions() -> None:
    made = make(deals=200, players=2, log="decisions")
    d = made.dataset()
    frame = analysis.choice_width(d)
    seats = made.tables["seats"]
    whole = frame.filter(pl.col("scope") == "game").row(0, named=True)
    expected = (seats["options_mean"] * seats["decisions"]).sum() / seats["decisions"].sum()
    assert whole["estimate"] == pytest.approx(expected, rel=1e-5)
    third = frame.filter((pl.col("scope") == "turn") & (pl.col("turn") == 3)).row(0, named=True)
    options = made.tables["decisions"].filter(pl.col("turn") == 3)["options"]
    assert third["estimate"] == pytest.approx(options.mean())
    assert third["q50"] == options.quantile(0.5)
    assert third["decisions"] == len(options)


def test_choice_width_without_decisions_knows_whole_games() -> None:
    frame = analysis.choice_width(make(deals=50, log="games").dataset())
    assert frame["scope"].to_list() == ["game"]
    assert frame["turn"].to_list() == [None]


def test_lead_changes_mean() -> None:
    made = make(deals=200, log="games")
    frame = analysis.lead_changes(made.dataset())
    assert frame["mean"].unique().item() == pytest.approx(made.tables["games"]["lead_changes"].mean())
    assert frame["games"].sum() == made.tables["games"].height
