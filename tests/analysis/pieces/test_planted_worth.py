"""Planted truth for what a piece is worth to its owner."""

from __future__ import annotations

from itertools import combinations, permutations
from math import factorial

import numpy as np
import polars as pl
import pytest

import analysis
from tests.analysis.draftset import with_tables
from tests.analysis.small import from_shares

pytestmark = pytest.mark.plain

PIECES = ("Rats", "Oak", "Fly", "Bass", "Wolf")
ALONE = {"Rats": 0.10, "Oak": -0.05}
PAIR = 0.12
"""Fly and Bass are worth this together, and nothing alone."""


def chance(banned: frozenset[str]) -> float:
    """Win share of an owner who may not use these pieces."""
    lost = sum(ALONE.get(name, 0.0) for name in banned)
    return 0.5 - lost - (PAIR if banned & {"Fly", "Bass"} else 0.0)


def truth(name: str, value: str, most: int = 4) -> float:
    """Shapley or Banzhaf value by the definition, over sets of up to `most` others."""
    others = [piece for piece in PIECES if piece != name]
    total = weights = 0.0
    for k in range(most + 1):
        for chosen in combinations(others, k):
            lacking = frozenset(chosen)
            weight = factorial(k) * factorial(4 - k) if value == "Shapley" else 1.0
            total += weight * (chance(lacking) - chance(lacking | {name}))
            weights += weight
    return total / weights


def played(sets: list[frozenset[str]], deals: int, seed: int = 0) -> analysis.Dataset:
    """Each set on the same deals; what a deal brings the owner is the same under every set."""
    rng = np.random.default_rng(seed)
    luck = np.repeat(rng.random(deals)[None, :], len(sets), axis=0)
    # Half of the games are decided by a luck that all sets share.
    luck = np.where(rng.random(luck.shape) < 0.5, luck, rng.random(luck.shape))
    won = (luck < np.array([chance(one) for one in sets])[:, None]).ravel().astype(float)
    cell = np.repeat(np.arange(len(sets), dtype=np.int32), deals)
    cells = pl.DataFrame(
        {
            "cell": pl.Series(range(len(sets)), dtype=pl.Int32),
            "player.owner.bans": ["+".join(p for p in PIECES if p in one) or "none" for one in sets],
        }
    )
    data = from_shares(
        np.stack([won, 1 - won], axis=1),
        cell=cell,
        cells=cells,
        deal=np.tile(np.arange(deals), len(sets)),
    )
    data.manifest["categories"] |= {"piece": list(PIECES), "player": ["owner", "other"]}
    return data


def orders(n: int, rng: np.random.Generator, most: int = 5) -> list[frozenset[str]]:
    """No ban, each single one, and those of `n` random orders."""
    found = [frozenset(), *(frozenset({piece}) for piece in PIECES)]
    for _ in range(n):
        order = rng.permutation(PIECES).tolist()
        found += [frozenset(order[:k]) for k in range(1, most + 1)]
    return list(dict.fromkeys(found))


EVERY = [frozenset(c) for k in range(6) for c in combinations(PIECES, k)]


def test_values_are_those_of_the_definition_where_every_set_was_played() -> None:
    data = played(EVERY, 2_000)
    found = analysis.worth_to_owner(data)
    assert (found["others"] == 4).all()
    assert found["se_sets"].max() == 0
    for row in found.iter_rows(named=True):
        true = truth(row["piece"], row["value"])
        assert row["estimate"] == pytest.approx(true, abs=0.025)
        assert row["low"] - 0.003 < true < row["high"] + 0.003
    at = {(row["piece"], row["value"]): row for row in found.iter_rows(named=True)}
    # A pair that counts together is seen by all sets, and by one ban alone twice.
    assert at["Fly", "Shapley"]["alone"] == pytest.approx(PAIR, abs=0.04)
    assert at["Fly", "Shapley"]["high"] < PAIR
    assert at["Rats", "Shapley"]["verdict"] == "better with it"
    assert at["Oak", "Shapley"]["verdict"] == "better without it"
    assert at["Wolf", "Shapley"]["verdict"] == "may be chance"
    shapley = found.filter(pl.col("value") == "Shapley")["estimate"].sum()
    games = EVERY.index(frozenset(PIECES))
    mean = data.seats.filter(pl.col("seat") == 0).group_by("cell").agg(pl.col("win_share").mean())
    v = dict(mean.collect().iter_rows())
    assert shapley == pytest.approx(v[0] - v[games]), "what the pieces are worth adds up to all of them"


def together(banned: frozenset[str]) -> float:
    """Fly and Bass count only beside Wolf, and either of Rats and Oak is as good as both."""
    return 0.2 + 0.4 * (not banned & {"Fly", "Bass", "Wolf"}) + 0.2 * (not {"Rats", "Oak"} <= banned)


def test_both_values_are_those_of_the_definition_where_they_differ() -> None:
    """No luck at all: what was planted comes back exactly, counted out over all orders and over all sets."""
    won = np.repeat([together(one) for one in EVERY], 12)
    data = played(EVERY, 12)
    owner = pl.Series("win_share", np.stack([won, 1 - won], axis=1).ravel())
    found = analysis.worth_to_owner(with_tables(data, seats=data.seats.with_columns(owner)))
    at = {(row["piece"], row["value"]): row["estimate"] for row in found.iter_rows(named=True)}
    for piece in PIECES:
        # Shapley: what a piece loses when it goes, mean over all orders of going; Banzhaf: over all sets of others.
        gone = [frozenset(order[: order.index(piece)]) for order in permutations(PIECES)]
        sets = [one for one in EVERY if piece not in one]
        shapley, banzhaf = (np.mean([together(s) - together(s | {piece}) for s in of]) for of in (gone, sets))
        assert abs(shapley - banzhaf) > 0.03 or piece in ("Rats", "Oak")
        assert at[piece, "Shapley"] == pytest.approx(shapley)
        assert at[piece, "Banzhaf"] == pytest.approx(banzhaf)


def test_the_interval_covers_with_sampled_sets_too() -> None:
    """Twelve orders of the 120 on many deals: the sets that were left out are most of the error."""
    inside = narrow = told = 0
    for seed in range(14):
        sets = orders(12, np.random.default_rng(seed), most=3)
        found = analysis.worth_to_owner(played(sets, 2_000, seed))
        for row in found.filter(pl.col("others") > 0, pl.col("value") == "Shapley").iter_rows(named=True):
            true = truth(row["piece"], "Shapley", row["others"])
            told += 1
            inside += row["low"] <= true <= row["high"]
            narrow += abs(row["estimate"] - true) <= 1.96 * row["se_deals"]
    assert told > 25
    assert inside / told > 0.9
    assert narrow < inside


def test_pieces_worth_nothing_are_seldom_called_anything() -> None:
    false = 0
    for seed in range(20):
        sets = EVERY[:16]
        data = played([frozenset()] * 16, 300, seed)
        data.cells = data.cells.with_columns(
            pl.Series("player.owner.bans", ["+".join(one) or "none" for one in sets])
        )
        found = analysis.worth_to_owner(data)
        false += bool((found["verdict"] != "may be chance").any())
    assert false <= 4


def test_what_is_missing_is_said() -> None:
    with pytest.raises(analysis.Refusal, match=r"no bans of one player were varied"):
        analysis.worth_to_owner(played([frozenset()], 20))
    with pytest.raises(analysis.Refusal, match=r"no piece has two sets"):
        analysis.worth_to_owner(played([frozenset(), frozenset({"Rats", "Oak"})], 20))
    everybody = played(EVERY[:4], 20)
    everybody.manifest["categories"]["player"] = ["owner 1", "owner 2"]
    with pytest.raises(analysis.Refusal, match=r"holds for all players alike"):
        analysis.worth_to_owner(everybody)
