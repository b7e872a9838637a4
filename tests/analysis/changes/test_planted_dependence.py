"""What depends on a map, a rule, the table: the difference itself is tested, not the words at its levels."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from tests.analysis.false_verdicts import dependence_words, label_words, maps
from tests.analysis.small import from_shares
from tests.analysis.synthetic import make


def test_labels_differ_by_luck_where_nothing_depends_on_the_map() -> None:
    """A piece at the margin on four maps that change nothing: the words differ in most data sets."""
    labels = ours = 0
    for seed in range(25):
        d = maps(5_000, 0.045)(np.random.default_rng([54, seed]))
        labels += bool(label_words(d))
        ours += bool(dependence_words(d))
    assert labels > 12
    assert ours <= 4


def test_a_planted_dependence_is_found_with_its_size() -> None:
    d = make(
        deals=2_500,
        players=2,
        piece={"Rats": 0.2},
        factors={"map": ["a", "b"], "rats_points": [1, 2]},
        factor_on_piece={("map", "b", "Rats"): 0.3},
        factor_on_seat={("map", "b", 0): 0.4},
        ties=0.2,
        seed=2,
        log="pieces",
    ).dataset()
    found = analysis.depends_on(d, ["map", "rats_points"])
    rats = found.row(by_predicate=(pl.col("factor") == "map") & (pl.col("about") == "Rats"), named=True)
    # What 0.3 and 0.4 of log odds come to in win share, with 20 % ties, on 60,000 games a map.
    assert rats["low"] < 0.0458 < rats["high"]
    assert rats["estimate"] == pytest.approx(rats["with"] - rats["without"])
    seat = found.row(by_predicate=(pl.col("factor") == "map") & (pl.col("what") == "seat"), named=True)
    assert seat["low"] < 0.0696 < seat["high"]
    assert (rats["level"], rats["against"]) == ("b", "a")
    assert {(r["factor"], r["about"]) for r in found.filter("depends").iter_rows(named=True)} == {
        ("map", "Rats"),
        ("map", "0"),
    }


def test_the_errors_of_a_dependence_go_by_deal() -> None:
    """Both maps are played on the same deals, whose luck cancels in the difference."""
    rng = np.random.default_rng(55)
    luck = rng.normal(0, 2.0, 300)
    shares, naive = [], 0.0
    for _ in range(2):
        won = (rng.random(300) < 1 / (1 + np.exp(-luck))).astype(float)
        naive += won.var() / 300
        shares.append(np.stack([won, 1 - won], axis=1))
    cells = pl.DataFrame({"cell": pl.Series([0, 1], dtype=pl.Int32), "map": ["a", "b"]})
    d = from_shares(
        np.concatenate(shares),
        deal=np.tile(np.arange(300), 2),
        cell=np.repeat([0, 1], 300).astype(np.int32),
        cells=cells,
    )
    row = analysis.depends_on(d, "map").row(0, named=True)
    difference = shares[1][:, 0] - shares[0][:, 0]
    assert row["estimate"] == pytest.approx(difference.mean())
    assert (row["high"] - row["low"]) / 2 == pytest.approx(
        1.968 * difference.std(ddof=1) / np.sqrt(300), rel=0.01
    )
    assert (row["high"] - row["low"]) / 2 < 0.85 * 1.968 * np.sqrt(naive)


def test_a_factor_with_one_level_cannot_be_compared() -> None:
    with pytest.raises(analysis.Refusal, match="no two levels"):
        analysis.depends_on(make(deals=20, players=2, log="games").dataset(), "map")
