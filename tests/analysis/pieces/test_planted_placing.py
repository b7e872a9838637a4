"""Planted truth for where pieces are put and win: one place that helps, one where only the winner arrives in time."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from tests.analysis.small import from_shares, winners

pytestmark = pytest.mark.plain

PIECES = ("Rats", "Oak")
BOARD = {
    "kinds": ["put"],
    "shift": 2,
    "bits": 3,
    "points": [[k, 0.0] for k in range(5)],
    "names": list("abcde"),
}


def played(games: int, effect: float, seed: int = 2) -> analysis.Dataset:
    """Rats at place b add `effect` to the log odds; who puts more has better chances and comes to place e oftener."""
    rng = np.random.default_rng(seed)
    puts = rng.integers(2, 5, size=(games, 2))  # how much each seat puts on the board
    utility = 0.8 * puts + 0.0
    rows = []
    for s in range(2):
        for k in range(4):
            there = puts[:, s] > k
            piece = rng.integers(0, 2, games)
            place = np.where(k == 3, 4, rng.integers(0, 4, games))
            utility[:, s] += effect * (there & (piece == 0) & (place == 1))
            rows.append((np.flatnonzero(there), np.full(there.sum(), s), piece[there], place[there]))
    game, seat, piece, place = (np.concatenate(part) for part in zip(*rows, strict=True))
    data = from_shares(winners(utility + rng.gumbel(size=(games, 2))))
    frame = pl.DataFrame(
        {
            "game_id": game,
            "seat": seat.astype(np.int8),
            "kind": ["put"] * len(game),
            "piece": np.array(PIECES)[piece],
            # Above and below the place stand other things that the number of an action tells.
            "action": (5 << 5) | (place << 2) | rng.integers(0, 4, len(game)),
        }
    )
    other = frame.head(50).with_columns(kind=pl.lit("pass"))
    manifest = {**data.manifest, "places": {"boards": [BOARD], "of_cell": [0]}}
    manifest["categories"] = {**manifest["categories"], "piece": list(PIECES)}
    tables = {
        **data._tables,
        "decisions": pl.concat([frame, other]).sample(fraction=1, shuffle=True, seed=1).lazy(),
    }
    return analysis.Dataset(manifest, data.cells, tables)


def test_the_place_that_helps_is_found_and_the_one_where_winners_arrive_is_not() -> None:
    found = analysis.placements(played(6_000, 0.7))
    at = {(row["piece"], row["place"]): row for row in found.iter_rows(named=True)}
    assert at["Rats", "b"]["flag"] == "wins"
    assert 0.07 < at["Rats", "b"]["estimate"] < 0.16
    assert sum(at["Oak", place]["flag"] != "" for place in "abcde") <= 1
    assert at["Oak", "b"]["flag"] == ""
    # Who puts Rats elsewhere has put fewer at the place that helps.
    assert all(at["Rats", place]["estimate"] < 0 for place in "acd")
    # Who has put most is there, and wins for that.
    assert at["Rats", "e"]["placed"] > 1_500
    assert at["Rats", "e"]["flag"] == at["Oak", "e"]["flag"] == ""
    shares = found.filter(pl.col("piece") == "Rats")["share"]
    assert shares.sum() == pytest.approx(1)
    assert at["Rats", "e"]["x"] == 4.0


def test_where_no_place_matters_none_is_flagged_and_intervals_cover() -> None:
    flags = inside = told = 0
    for seed in range(15):
        found = analysis.placements(played(500, 0.0, seed)).drop_nulls("low")
        flags += bool((found["flag"] != "").any())
        inside += int(((found["low"] <= 0) & (found["high"] >= 0)).sum())
        told += len(found)
    assert flags <= 3
    assert inside / told > 0.92


def test_without_places_or_placements_it_is_said() -> None:
    with pytest.raises(analysis.Refusal, match="where pieces were put is not known"):
        analysis.placements(from_shares(np.tile([[1.0, 0.0]], (50, 1))))
    none = played(40, 0.0)
    none.manifest["places"]["boards"] = [{**BOARD, "kinds": ["lay"]}]
    with pytest.raises(analysis.Refusal, match="no piece was put on a board"):
        analysis.placements(none)
