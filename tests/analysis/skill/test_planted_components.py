"""Planted truth for what decides who wins."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import analysis
from tests.analysis.small import from_shares

pytestmark = pytest.mark.plain


def played(
    deals: int, n: int, *, seat: float = 0.0, player: float = 0.0, hand: float = 0.0, place: float = 0.0,
    again: int = 1, seed: int = 1,
) -> analysis.Dataset:  # fmt: skip
    """Each deal in all orders, `again` times; what is named is the size of its effect on the chance of winning."""
    rng = np.random.default_rng(seed)
    orders = np.array(list(permutations(range(n))) * again)
    ends = np.where(
        np.arange(n) == 0, 1.0, -1.0 / (n - 1)
    )  # one is better by as much as the others together are worse
    who = np.tile(orders, (deals, 1))
    deal = np.repeat(np.arange(deals), len(orders))

    def drawn(size: float) -> np.ndarray:
        """An effect of a deal on each of n: one is good, by chance, of size +1 or -1."""
        flip = rng.choice([-1.0, 1.0], size=(deals, 1))
        return size * flip * np.array([rng.permutation(ends) for _ in range(deals)])

    hands, places = drawn(hand), drawn(place)
    chance = 1 / n + seat * ends[None, :] + player * ends[who]
    chance = chance + np.take_along_axis(hands[deal], who, axis=1) + places[deal]
    won = (chance.cumsum(axis=1) > rng.random((len(deal), 1))).argmax(axis=1)
    shares = (np.arange(n)[None, :] == won[:, None]).astype(float)
    data = from_shares(shares, player=who, deal=deal, rotations=True)
    data.manifest["categories"]["player"] = [f"player {k}" for k in range(n)]
    return data


def part(size: float, n: int) -> float:
    """Share of the variance of a win that an effect of this size makes."""
    mean_square = (1 + (n - 1) / (n - 1) ** 2) / n
    return size**2 * mean_square / ((n - 1) / n**2)


NAMES = {"seat": "seat", "player": "player", "hand": "deal: with the player", "place": "deal: with the seat"}


def test_all_components_are_recovered_with_three_players() -> None:
    found = analysis.luck_components(played(4_000, 3, seat=0.08, player=0.06, hand=0.1, place=0.08))
    at = {row["component"]: row for row in found.iter_rows(named=True)}
    for name, size in {"seat": 0.08, "player": 0.06, "hand": 0.1, "place": 0.08}.items():
        row = at[NAMES[name]]
        assert row["low"] - 0.002 < part(size, 3) < row["high"] + 0.002, name
        assert row["low"] > 0, name
    assert found["estimate"].sum() == pytest.approx(1)


@pytest.mark.parametrize("of", ["hand", "place"])
def test_a_large_part_of_one_kind_does_not_colour_another_that_is_nothing(of: str) -> None:
    """What one lacks the two others have, so hand and place go together; players of unequal strength are no hand."""
    found = analysis.luck_components(played(1_500, 3, player=0.12, **{of: 0.2}))
    at = {row["component"]: row for row in found.iter_rows(named=True)}
    other = {"hand": "place", "place": "hand"}[of]
    assert at[NAMES[of]]["estimate"] == pytest.approx(part(0.2, 3), abs=0.015)
    assert at[NAMES[other]]["estimate"] == pytest.approx(0, abs=0.01)
    assert at[NAMES[other]]["low"] < 0 < at[NAMES[other]]["high"]
    assert at["player"]["estimate"] == pytest.approx(part(0.12, 3), abs=0.015)


def test_two_who_only_swap_seats_show_a_lower_bound_and_repeats_tell_the_two_apart() -> None:
    once = {
        r["component"]: r for r in analysis.luck_components(played(5_000, 2, hand=0.25)).iter_rows(named=True)
    }
    assert set(once) == {"seat", "player", "deal, at least", "luck of play"}
    assert once["deal, at least"]["estimate"] == pytest.approx(part(0.25, 2), abs=0.03)
    told = analysis.luck_components(played(5_000, 2, hand=0.2, place=0.15, again=2))
    at = {row["component"]: row["estimate"] for row in told.iter_rows(named=True)}
    assert at["deal: with the player"] == pytest.approx(part(0.2, 2), abs=0.025)
    assert at["deal: with the seat"] == pytest.approx(part(0.15, 2), abs=0.025)


def test_pure_luck_is_called_luck_and_the_interval_covers() -> None:
    inside = told = 0
    for seed in range(40):
        found = analysis.luck_components(played(80, 3, seed=seed))
        for row in found.iter_rows(named=True):
            true = float(row["component"] == "luck of play")
            inside += row["low"] <= true <= row["high"]
            told += 1
    assert inside / told > 0.9
    assert told == 200


def test_who_never_changes_seats_and_deals_that_were_played_once() -> None:
    shares = np.tile([[1.0, 0.0]], (60, 1))
    shares[::3] = [0.0, 1.0]
    found = analysis.luck_components(from_shares(shares))
    assert found["component"].to_list() == ["seat or player", "deal and luck of play"]
    assert found["estimate"][0] == pytest.approx((2 / 3 - 1 / 2) ** 2 * 4, abs=0.02)
    with pytest.raises(analysis.Refusal, match="too few to tell luck from skill"):
        analysis.luck_components(from_shares(shares[:5]))
