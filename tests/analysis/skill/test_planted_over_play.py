"""Verdicts over play: planted pieces that hold, fade and turn; the same deals at each tier; errors by deal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.changes.dependence import seat_differences
from analysis.data.dataset import Dataset
from analysis.skill.over_play import BADGES, HOLDS, MOVING, OPEN
from tests.analysis.small import from_shares, winners

TIERS = ("greedy", "search:playouts=50", "search:playouts=200")
PIECES = ("steady", "fading", "turning", "plain", "other")
STRENGTH = {  # the sums agree: the yardstick of the average other piece stays where it is
    "greedy": (0.4, 0.7, 0.5, -0.8, -0.8),
    "search:playouts=50": (0.4, 0.45, 0.0, -0.4, -0.45),
    "search:playouts=200": (0.4, 0.05, -0.5, 0.05, 0.0),
}


def planted(
    games: Sequence[int],
    seed: int,
    strength: dict[str, tuple[float, ...]] = STRENGTH,
    *,
    seat: Sequence[float] = (0.0, 0.0, 0.0),
    ties: float = 0.2,
    luck: float = 1.0,
) -> Dataset:
    """The same deals at each tier (the dear ones play the first of them), with the luck of a deal in common."""
    rng = np.random.default_rng(seed)
    most = max(games)
    held = rng.multinomial(6, [1 / len(PIECES)] * len(PIECES), size=(most, 2))
    common = rng.gumbel(size=(most, 2)) * luck
    level = rng.random(most) < ties
    shares, counts, cell, deal, bots = [], [], [], [], []
    for t, (tier, n) in enumerate(zip(TIERS, games)):
        utility = held[:n] @ np.array(strength[tier]) + common[:n] + rng.gumbel(size=(n, 2)) * (1 - luck)
        utility[:, 0] += seat[t]
        won = winners(utility)
        won[level[:n]] = 0.5
        shares.append(won)
        counts.append(held[:n])
        cell.append(np.full(n, t, dtype=np.int32))
        deal.append(np.arange(n))
        bots += [tier] * (2 * n)
    cells = pl.DataFrame({"cell": pl.Series([0, 1, 2], dtype=pl.Int32), "tier": list(TIERS)})
    d = from_shares(
        np.concatenate(shares),
        counts=np.concatenate(counts),
        pieces=PIECES,
        cells=cells,
        cell=np.concatenate(cell),
        deal=np.concatenate(deal),
    )
    manifest = {**d.manifest, "schema": 2, "bots_used": list(TIERS)}
    manifest["categories"] = {"piece": list(PIECES), "bot": list(TIERS)}
    manifest["tiers"] = [{"bot": bot, "games": n} for bot, n in zip(TIERS, games)]
    seats = d.seats.collect().with_columns(bot=pl.Series(bots))
    return Dataset.from_frames(manifest, cells, d.games.collect(), seats, d.pieces.collect())


def rows_of(frame: pl.DataFrame) -> dict[str, dict[str, object]]:
    return {row["about"]: row for row in frame.filter(pl.col("what") == "piece").iter_rows(named=True)}


def test_pieces_that_hold_fade_and_turn_are_told_apart() -> None:
    found = rows_of(analysis.over_play(planted((12_000, 12_000, 8_000), 5)))
    assert {name: found[name]["badge"] for name in PIECES[:3]} == {
        "steady": HOLDS,
        "fading": MOVING,
        "turning": MOVING,
    }
    assert {name: found[name]["way"] for name in PIECES[1:3]} == {"fading": "fades", "turning": "turns"}
    assert found["turning"]["at_first"] > 0.05 > -0.05 > found["turning"]["at_last"]


def test_what_does_not_move_holds_and_no_more_than_one_of_twenty_families_says_it_moves() -> None:
    still = dict.fromkeys(TIERS, STRENGTH["greedy"])
    moved = 0
    for seed in range(40):
        found = analysis.over_play(planted((600, 600, 300), seed, still, luck=0.0))
        moved += MOVING in found["badge"].to_list()
        assert set(found["badge"]) <= set(BADGES)
    assert moved <= 6
    found = analysis.over_play(planted((12_000, 12_000, 12_000), 3, still))
    assert set(found["badge"]) == {HOLDS}
    assert set(found["way"]) == {"holds"}


def test_few_games_at_the_dear_tier_leave_it_open() -> None:
    still = dict.fromkeys(TIERS, STRENGTH["greedy"])
    found = analysis.over_play(planted((2_000, 2_000, 40), 1, still, luck=0.0))
    assert OPEN in found["badge"].to_list()
    assert HOLDS not in found["badge"].to_list()


def test_the_luck_of_shared_deals_falls_out_of_the_difference() -> None:
    """As many games on deals of their own make the interval several times as wide."""
    still = dict.fromkeys(TIERS, STRENGTH["greedy"])
    shared = planted((3_000, 3_000, 3_000), 2, still, luck=0.9)
    apart = Dataset.from_frames(
        shared.manifest,
        shared.cells,
        shared.games.collect().with_columns(deal=pl.col("game_id"), seed=pl.col("game_id").cast(pl.UInt64)),
        shared.seats.collect(),
        shared.pieces.collect(),
    )
    width = [
        (frame["high"] - frame["low"]).mean()  # type: ignore[operator]
        for frame in map(analysis.over_play, (shared, apart))
    ]
    assert width[0] < 0.6 * width[1]


def test_a_seat_that_gains_with_play_is_still_moving() -> None:
    still = dict.fromkeys(TIERS, STRENGTH["greedy"])
    d = planted((6_000, 6_000, 6_000), 4, still, seat=(0.3, 0.4, 1.0))
    row = analysis.over_play(d).row(by_predicate=pl.col("what") == "seat", named=True)
    assert (row["badge"], row["way"], row["about"]) == (MOVING, "grows", "0")
    assert row["estimate"] > 0.05
    assert row["at_last"] == pytest.approx(row["at_below"] + row["estimate"])


def test_the_strongest_tier_is_what_is_judged() -> None:
    d = planted((4_000, 1_000, 2_000), 6)
    top = d.at_tier()
    assert (top.n_games, top.play, top.factors) == (2_000, "search:playouts=200 play", [])
    strength = {row["piece"]: row["estimate"] for row in analysis.piece_strength(top).iter_rows(named=True)}
    assert strength["turning"] < 0
    assert rows_of(analysis.over_play(top)) == rows_of(analysis.over_play(d))
    assert d.at_tier("greedy").n_games == 4_000
    assert top.filter(pl.col("deal") < 100).all_tiers.n_games == 7_000
    with pytest.raises(analysis.Refusal, match="no tier is called 'gredy'; did you mean 'greedy'"):
        d.at_tier("gredy")


def test_one_tier_is_refused() -> None:
    with pytest.raises(analysis.Refusal, match=r"one tier of play; name several under \[tiers\]"):
        analysis.over_play(from_shares(winners(np.random.default_rng(1).random((50, 2)))))


def test_what_moved_below_holds_at_the_top() -> None:
    """From greedy to search everything moves, from search to more search nothing: the badge is on the last step."""
    moving = {TIERS[0]: STRENGTH["greedy"], TIERS[1]: STRENGTH[TIERS[2]], TIERS[2]: STRENGTH[TIERS[2]]}
    found = rows_of(analysis.over_play(planted((12_000, 12_000, 12_000), 7, moving)))
    assert {found[name]["badge"] for name in PIECES} == {HOLDS}
    assert found["turning"]["way"] == "turns"


def test_what_has_faded_turns_by_luck_alone() -> None:
    """A piece that is worth nothing at the top lies below zero in half of all runs, and has faded, not turned."""
    faded = {**STRENGTH, TIERS[2]: (0.4, 0.0, -0.4, 0.0, 0.0)}
    below = turned = 0
    for seed in range(24):
        row = rows_of(analysis.over_play(planted((3_000, 3_000, 1_500), 100 + seed, faded)))["fading"]
        below += row["at_last"] < 0
        turned += row["way"] == "turns"
    assert below > 6
    assert turned <= 2


def test_ten_wins_of_ten_are_not_certain() -> None:
    """A seat that wins nine of ten at both tiers: where it happens to win all of the few dear games, nothing moved."""
    moved = 0
    for seed in range(40):
        d = planted((400, 400, 10), seed, seat=(2.2, 2.2, 2.2), ties=0.0, luck=0.0)
        (row,) = seat_differences(d.all_tiers, "tier", [(TIERS[1], TIERS[2])])
        moved += row["p"] < 0.05
    assert moved <= 5
