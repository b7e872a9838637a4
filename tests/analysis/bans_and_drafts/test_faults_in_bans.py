"""Planted data that faulty effects of bans do not pass."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from tests.analysis.small import from_shares, winners

NAMES = [f"P{k}" for k in range(6)]
GAMES = 8_000


def test_a_ban_is_not_blamed_for_how_many_are_banned_beside_it() -> None:
    """With four bans the first seat is favoured, with one it is not; which pieces they are changes nothing."""
    rng = np.random.default_rng(94)
    many = np.arange(GAMES) % 2 == 1
    order = np.argsort(rng.random((GAMES, len(NAMES))), axis=1)
    drawn = [sorted(row[: 4 if more else 1]) for row, more in zip(order, many, strict=True)]
    utility = rng.gumbel(size=(GAMES, 2))
    utility[:, 0] += 0.9 * many
    shares = winners(utility)
    shares[rng.random(GAMES) < 0.2] = 0.5
    banned = np.array([0 in row for row in drawn])
    assert shares[banned, 0].mean() - shares[~banned, 0].mean() > 0.05
    cells = pl.DataFrame({"cell": pl.Series([0, 1], dtype=pl.Int32), "bans": ["random 1", "random 4"]})
    d = from_shares(
        shares,
        counts=np.ones((GAMES, 2, len(NAMES)), dtype=np.int16),
        pieces=NAMES,
        cell=many.astype(np.int32),
        cells=cells,
        bans=["+".join(NAMES[k] for k in row) for row in drawn],
    )
    found = analysis.ban_effects_on_seats(d, "bans")
    assert set(found["banned"]) == set(NAMES)
    assert (found["q"] < 0.05).sum() == 0
    assert (found["first_seat_q"] < 0.05).sum() == 0
    assert found["first_seat"].abs().max() < 0.04


def on_shared_deals(names: list[str], deals: int, seed: int, luck: float = 3.0, seat: float = 0.0) -> Dataset:
    """The same deals and teams under each list of bans (which ban what nobody has), with luck that a deal keeps."""
    rng = np.random.default_rng(seed)
    mood = rng.normal(0, luck, (deals, 1)) * np.array([1.0, -1.0])
    counts = rng.multinomial(4, [0.25] * 4, size=(deals, 2))
    shares = []
    for _ in names:
        lead = mood * (counts[..., 0] - 1) + np.array([seat, 0.0])
        won = winners(lead + rng.gumbel(size=(deals, 2)))
        won[rng.random(deals) < 0.2] = 0.5
        shares.append(won)
    cells = pl.DataFrame({"cell": pl.Series(range(len(names)), dtype=pl.Int32), "bans": names})
    return from_shares(
        np.concatenate(shares),
        counts=np.tile(counts, (len(names), 1, 1)),
        pieces=NAMES[:4],
        deal=np.tile(np.arange(deals), len(names)),
        cell=np.repeat(np.arange(len(names)), deals).astype(np.int32),
        cells=cells,
    )


def test_sets_on_the_same_deals_are_compared_deal_by_deal() -> None:
    """What the deals share falls out of the difference: on deals of their own the interval is wider."""
    shared = on_shared_deals(["none", "P5"], 600, 97)
    games = shared.games.collect()
    own = games.with_columns(deal=pl.col("game_id"), seed=pl.col("game_id").cast(pl.UInt64))
    apart = Dataset(shared.manifest, shared.cells, {**shared._tables, "games": own.lazy()})
    width = []
    for d in (shared, apart):
        row = analysis.ban_effects_on_pieces(d).row(by_predicate=pl.col("piece") == "P0", named=True)
        assert (row["banned"], row["design"]) == ("P5", "paired")
        width.append(row["high"] - row["low"])
    assert width[0] < 0.85 * width[1]


def test_bans_that_change_nothing_are_corrected_together() -> None:
    """Eight sets against none, four pieces each: at 5 % each a data set would hold one that seems to do something."""
    names = ["none", *(f"P4+P5+Q{k}" for k in range(8))]
    alone, called = np.zeros(2, dtype=int), np.zeros(2, dtype=int)
    for seed in range(24):
        d = on_shared_deals(names, 300, 1_000 + seed, luck=0.0, seat=0.8)
        for at, find in enumerate((analysis.ban_effects_on_pieces, analysis.ban_effects_on_seats)):
            frame = find(d)
            alone[at] += bool((frame["p"] < 0.05).any())
            called[at] += bool((frame["q"] < 0.05).any())
    assert (alone > 5).all()
    assert (called <= 4).all()


def test_a_set_is_set_against_no_ban_on_the_same_map() -> None:
    """No ban was played on two maps, the set on one, where the first seat is favoured: the set changes nothing."""
    rng = np.random.default_rng(98)
    deals = 3_000
    cell = np.repeat([0, 1, 2], deals)
    utility = rng.gumbel(size=(3 * deals, 2))
    utility[:, 0] += 1.0 * (cell > 0)
    shares = winners(utility)
    shares[rng.random(len(shares)) < 0.2] = 0.5
    cells = pl.DataFrame(
        {
            "cell": pl.Series([0, 1, 2], dtype=pl.Int32),
            "bans": ["none", "none", "P0+P1"],
            "map": ["even", "steep", "steep"],
        }
    )
    d = from_shares(
        shares, pieces=NAMES, deal=np.tile(np.arange(deals), 3), cell=cell.astype(np.int32), cells=cells
    )
    row = analysis.ban_effects_on_seats(d, "bans").row(0, named=True)
    assert row["first_seat_low"] < 0 < row["first_seat_high"]
    assert row["games"] == 2 * deals


def meant(even: str, seed: int = 99) -> Dataset:
    """P0 adds much in every set but the third, where the first seat is favoured instead."""
    rng = np.random.default_rng(seed)
    names, deals = ["none", "P4", "P5"], 3_000
    counts = rng.multinomial(4, [0.25] * 4, size=(3 * deals, 2))
    third = np.repeat([0, 0, 1], deals)
    utility = rng.gumbel(size=(3 * deals, 2)) + np.where(third, 0.0, 0.45)[:, None] * counts[..., 0]
    utility[:, 0] += 0.8 * third
    return from_shares(
        winners(utility),
        counts=counts,
        pieces=NAMES[:4],
        cell=np.repeat([0, 1, 2], deals).astype(np.int32),
        cells=pl.DataFrame({"cell": pl.Series([0, 1, 2], dtype=pl.Int32), "bans": names}),
        judge={"seat": 0.02, "piece": 0.03, "pieces": {"P0": (0.06, 0.12)}, "even": even},
    )


def test_a_set_is_most_even_where_pieces_are_worth_what_is_meant() -> None:
    """P0 is meant to add 6 to 12: the set that makes it worth nothing is the less even one."""
    d = meant("pieces")
    found = analysis.ban_sets(d)
    assert found["bans"][2] == "P5"
    # What is added up is the strength of the pieces, as it is told elsewhere.
    strength = analysis.piece_strength(d, by="bans").filter(pl.col("bans") == "P5")
    gaps = strength["estimate"].to_numpy() - np.array([0.09, 0.0, 0.0, 0.0])
    assert found["raw_pieces"][2] == pytest.approx(np.sqrt(np.mean(gaps**2)), rel=0.1)
    assert found["verdict"].to_list() == ["among the most even", "among the most even", "less even"]


def test_even_is_what_the_experiment_says_it_is() -> None:
    found = analysis.ban_sets(meant("seats"))
    assert found["bans"][2] == "P5"
    assert found["pieces"].null_count() == 3
    assert found["seats"][2] > 0.1


def test_a_small_set_that_always_came_out_alike_is_not_sure() -> None:
    """Twelve deals that happened to split evenly do not know how even their set is."""
    rng = np.random.default_rng(100)
    shares = [winners(rng.gumbel(size=(600, 2))) for _ in range(3)]
    shares.append(np.full((12, 2), 0.5))
    size = [len(part) for part in shares]
    cells = pl.DataFrame({"cell": pl.Series(range(4), dtype=pl.Int32), "bans": ["none", "P0", "P1", "P2"]})
    d = from_shares(
        np.concatenate(shares),
        pieces=NAMES,
        cell=np.repeat(np.arange(4), size).astype(np.int32),
        cells=cells,
        judge={"seat": 0.02, "piece": 0.03, "even": "seats"},
    )
    row = analysis.ban_sets(d).row(by_predicate=pl.col("bans") == "P2", named=True)
    assert row["high"] > 0.005
    assert row["best"] < 0.9
