"""Planted truth for the most even sets of bans."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from tests.analysis.synthetic import make


def test_best_bans_are_not_the_luckiest() -> None:
    """Seat A is favoured unless Oak is banned; 55 pairs with 80 games each."""
    data = make(
        deals=4_400, players=2, rotate=False, seat=(0.5,), piece={}, deal_spread=0.0, drawn_bans=2,
        ban_on_seat={("Oak", 0): -0.5}, log="pieces",
        judge={"seat": 0.02, "piece": 0.03, "pieces": {}, "even": "seats"},
    ).dataset()  # fmt: skip
    found = analysis.ban_sets(data)
    assert len(found) == 55
    raw = found.sort("raw_seats").head(10)["bans"].to_list()
    assert sum("Oak" in {*text.split("+")} for text in raw) < 9
    best = found.sort("estimate").head(10)["bans"].to_list()
    assert all("Oak" in {*text.split("+")} for text in best)
    first = found.filter(pl.col("tier") == 1)["bans"].to_list()
    assert set(best) <= set(first)
    truth = np.where([("Oak" in {*text.split("+")}) for text in found["bans"]], 0.0, 0.122)
    inside = (found["low"].to_numpy() <= truth + 0.02) & (truth <= found["high"].to_numpy())
    assert inside.mean() > 0.85
    assert found["best"].sum() == pytest.approx(1)


def test_equal_sets_are_all_in_one_tier() -> None:
    data = make(
        deals=3_300, players=2, piece={}, seat=(), deal_spread=0.0, drawn_bans=2, log="pieces"
    ).dataset()
    found = analysis.ban_sets(data)
    assert (found["tier"] == 1).mean() > 0.9
    assert found["pieces"].max() < found["raw_pieces"].mean()


def test_bans_as_a_factor_and_the_experiment_that_verifies() -> None:
    levels = ["none", "Oak", "Wolf", "Oak+Wolf", "Rats"]
    data = make(
        deals=1_500, players=2, piece={"Rats": 0.5}, seat=(), factors={"bans": levels}, log="pieces"
    ).dataset()
    found = analysis.ban_sets(data)
    assert found["bans"][0] == "Rats"
    written = analysis.verify_experiment(data, top=2)
    assert written["vary"]["bans"][0] == ["Rats"]
    assert len(written["vary"]["bans"]) == 2
    assert written["seed"] != data.manifest["seed"]
    assert written["games"] >= 2_000
    assert written["game"] == "migration"
    assert "bans" not in written["parameters"]
    assert analysis.verify_experiment(data, games=50)["games"] == 50
    with pytest.raises(analysis.Refusal, match="no bans were drawn or varied"):
        analysis.ban_sets(make(deals=20, log="pieces").dataset())


def test_a_set_on_a_handful_of_deals_is_too_few_to_say() -> None:
    """Seven deals a set: none is called the most even, and the note says how few there are."""
    data = make(
        deals=7, players=2, piece={}, seat=(), factors={"bans": ["none", "Oak", "Wolf", "Rats"]}, log="pieces"
    )
    found = analysis.ban_sets(data.dataset())
    assert set(found["verdict"]) == {"too few to say"}
    assert found["best"].null_count() == found["tier"].null_count() == 4
    assert found["note"].str.contains("no verdict: only 7 deals").all()
    # Beside sets that were played often enough, those on a few deals get no part of the chance.
    mixed = make(
        deals=60,
        players=2,
        piece={},
        seat=(),
        factors={"bans": ["none", "Oak", "Wolf", "Rats"]},
        log="pieces",
    )
    d = mixed.dataset()
    found = analysis.ban_sets(d.filter((pl.col("cell") != 1) | (pl.col("deal") % 10 == 0)))
    few = found.row(by_predicate=pl.col("bans") == "Oak", named=True)
    assert (few["verdict"], few["best"]) == ("too few to say", None)
    assert found["best"].sum() == pytest.approx(1)
    assert found["verdict"][0] == "among the most even"
