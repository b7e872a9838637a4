"""Planted truth for the one line that beats all others."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from tests.analysis.draftset import with_tables
from tests.analysis.skill.test_planted_matchups import CIRCLE, field
from tests.analysis.small import from_shares

pytestmark = pytest.mark.plain

# The first beats all, by little where the third is; the others beat each other in turn.
ONE_ABOVE = np.full((4, 4), 0.5)
ONE_ABOVE[1:, 1:] = CIRCLE
ONE_ABOVE[0, 1:], ONE_ABOVE[1:, 0] = (0.8, 0.64, 0.75), (0.2, 0.36, 0.25)


def all_meet(chance: np.ndarray, deals: int, seed: int) -> Dataset:
    """Bots 0, 1, ... who all meet, in one seat only; ``chance[i, j]``: i beats j."""
    rng = np.random.default_rng([seed, 5])
    k = len(chance)
    i, j = np.repeat(np.array(list(itertools.combinations(range(k), 2))).T, deals, axis=1)
    won = rng.random(len(i)) < chance[i, j]
    names = [f"bot {n}" for n in range(k)]
    data = from_shares(np.stack([won, ~won], axis=1).astype(float))
    bots = pl.Series("bot", np.array(names)[np.stack([i, j], axis=1).ravel()], dtype=pl.Enum(names))
    return with_tables(
        data, {"categories": {"bot": names}}, seats=data.seats.collect().with_columns(bots).lazy()
    )


def test_one_that_beats_all_is_found_and_in_a_circle_nobody_is() -> None:
    found = analysis.dominant(field(ONE_ABOVE, ["a", "rock", "paper", "scissors"], 300, seat=0.1))
    at = {row["name"]: row for row in found.iter_rows(named=True)}
    assert set(found["answer"]) == {"dominant"}
    assert found["name"][0] == "a"
    assert at["a"]["against"] == "paper"
    assert at["a"]["estimate"] == pytest.approx(0.64, abs=0.05)
    assert 0.5 < at["a"]["low"] < 0.64 < at["a"]["high"]
    assert {at[name]["verdict"] for name in ("rock", "paper", "scissors")} == {"beaten"}
    assert (found["opponents"] == 3).all()

    circle = analysis.dominant(field(CIRCLE, ["rock", "paper", "scissors"], 150))
    assert set(circle["answer"]) == {"none"}
    assert set(circle["verdict"]) == {"beaten"}
    loses_to = dict(circle.select("name", "against").iter_rows())
    assert loses_to == {"rock": "scissors", "paper": "rock", "scissors": "paper"}

    # Two that beat everybody and are even with each other: nobody is dominant, and not everybody is beaten.
    two = np.array([[0.5, 0.5, 0.8], [0.5, 0.5, 0.8], [0.2, 0.2, 0.5]])
    even = analysis.dominant(field(two, ["a", "b", "c"], 150))
    assert dict(even.select("name", "verdict").iter_rows()) == {
        "a": "undecided",
        "b": "undecided",
        "c": "beaten",
    }
    assert set(even["answer"]) == {"undecided"}


def test_who_did_not_meet_all_is_not_dominant_and_few_games_say_nothing() -> None:
    data = field(ONE_ABOVE, ["a", "rock", "paper", "scissors"], 300)
    seats = data.seats.collect()
    met = seats.group_by("game_id").agg(pair=pl.col("deck").cast(pl.String).sort().str.join(" "))
    kept = met.filter(pl.col("pair") != "a paper")["game_id"].implode()
    fewer = with_tables(
        data,
        seats=seats.filter(pl.col("game_id").is_in(kept)).lazy(),
        games=data.games.filter(pl.col("game_id").is_in(kept)),
    )
    first = analysis.dominant(fewer).row(0, named=True)
    assert (first["name"], first["verdict"], first["answer"]) == ("a", "undecided", "undecided")
    assert first["low"] > 0.5
    assert "never met paper" in first["note"]
    few = analysis.dominant(all_meet(np.array([[0.5, 1.0], [0.0, 0.5]]), 6, 1))
    assert set(few["verdict"]) == set(few["answer"]) == {"too few to say"}
    assert (few["low"][0], few["high"][0]) == (0, 1)
    picked = analysis.dominant(data.filter(pl.col("turns") > 5))
    assert set(picked["verdict"]) == set(picked["answer"]) == {"conditioned on an outcome"}
    mirror = data.seats.collect().with_columns(deck=pl.lit("a"))
    with pytest.raises(analysis.Refusal, match="fewer than two decks"):
        analysis.dominant(with_tables(data, seats=mirror.lazy()), "deck")


def test_a_deal_played_three_times_is_one_deal() -> None:
    rng = np.random.default_rng(2)
    won = rng.random(60) < 0.68
    names, shares = ["a", "b"], np.stack([won, ~won], axis=1).astype(float)

    def played(times: int) -> Dataset:
        data = from_shares(np.tile(shares, (times, 1)), deal=np.tile(np.arange(60), times))
        seats = data.seats.with_columns(bot=pl.Series(names * 60 * times, dtype=pl.Enum(names)))
        return with_tables(data, {"categories": {"bot": names}}, seats=seats)

    once, thrice = (analysis.dominant(played(times)).row(0, named=True) for times in (1, 3))
    assert thrice["estimate"] == pytest.approx(once["estimate"])
    assert thrice["low"] == pytest.approx(once["low"], abs=0.01)
    assert thrice["deals"] == 60


def test_the_intervals_hold_together_and_false_dominance_is_rare() -> None:
    """Four alike: in 1 of 20 data sets at most, some interval leaves out 1/2. Two above a third: neither is the one."""
    alike = np.full((4, 4), 0.5)
    two = np.array([[0.5, 0.5, 0.9], [0.5, 0.5, 0.9], [0.1, 0.1, 0.5]])
    beyond = false = 0
    for seed in range(200):
        found = analysis.dominant(all_meet(alike, 40, seed))
        beyond += bool(((found["low"] > 0.5) | (found["high"] < 0.5)).any())
        false += "dominant" in found["answer"].to_list()
        false += "dominant" in analysis.dominant(all_meet(two, 40, seed))["answer"].to_list()
    assert beyond <= 10
    assert false <= 10


def sent(chance: dict[tuple[int, str], float], bots: list[str], deals: int, players: int = 2) -> Dataset:
    """Challengers ``k`` (bot ``bots[k]``) against a pool, each deal with the challenger in every seat."""
    rng = np.random.default_rng([3, players])
    variants = list(chance)
    cell = np.repeat(np.arange(len(variants)), deals * players)
    turn = np.tile(np.arange(players), len(variants) * deals)
    player = (np.arange(players)[None, :] - turn[:, None]) % players
    win = rng.random(len(cell)) < np.array([chance[one] for one in variants])[cell]
    winner = np.where(win, 0, rng.integers(1, players, len(cell)))
    data = from_shares(
        (player == winner[:, None]).astype(float),
        player=player,
        cell=cell.astype(np.int32),
        deal=np.tile(np.repeat(np.arange(deals), players), len(variants)),
        rotations=True,
        cells=pl.DataFrame(
            {
                "cell": pl.Series(range(len(variants)), dtype=pl.Int32),
                "variant": [f"{k} against {rival}" for k, rival in variants],
            }
        ),
    )
    names = sorted({*bots, *(rival for _, rival in variants)})
    who = np.array([[bots[k], rival] for k, rival in variants])[cell[:, None], (player > 0).astype(int)]
    categories = {"bot": names, "player": ["me", *(f"them {k}" for k in range(1, players))]}
    seats = data.seats.with_columns(bot=pl.Series(who.ravel(), dtype=pl.Enum(names)))
    return with_tables(data, {"categories": categories}, seats=seats)


@pytest.mark.parametrize("players", [2, 3])
def test_challengers_have_to_beat_every_bot_of_the_pool(players: int) -> None:
    """One beats the whole pool, one only the weaker bot of it; the third stands in the pool, where others beat it."""
    even = 1 / players
    chance = {
        (0, "greedy"): even + 0.25,
        (0, "search"): even + 0.2,
        (1, "greedy"): 0.95,
        (1, "search"): even - 0.2,
        (2, "greedy"): even + 0.25,
        (2, "search"): even,
    }
    data = sent(chance, ["plan", "rush", "search"], 120, players)
    found = analysis.dominant(data)
    at = {row["name"]: row for row in found.iter_rows(named=True)}
    assert {name: row["verdict"] for name, row in at.items()} == {
        "plan": "dominant",
        "rush": "beaten",
        "search": "beaten",
    }
    assert at["plan"]["against"] == at["rush"]["against"] == "search"
    assert at["plan"]["opponents"] == 2
    assert at["search"]["against"] == "plan"
    assert at["search"]["opponents"] == 3, "itself is no opponent"
    assert at["search"]["estimate"] == pytest.approx(1 - at["plan"]["estimate"])
    assert set(found["answer"]) == {"dominant"}
    assert set(found["of"]) == {"challenger"}
    assert set(analysis.dominant(data, "bot")["name"]) == {"greedy", "plan", "rush", "search"}
