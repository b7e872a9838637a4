"""Planted truth for cards in force, the Founder, series, and harm."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from tests.analysis.draftset import with_tables
from tests.analysis.small import from_shares, winners
from tests.analysis.synthetic import make

NAMED = {"categories": {"player": ["Ann", "Ben"], "bot": ["greedy"]}}
CARDS = ("Age of Famine", "Age of Strife", "Age of Treaties")
NAMES = ["A", "B", "C", "D"]


def carded(
    games: int, *, none: float = 0.0, longer: float = 3.0, seat: float = 0.5, piece: float = 0.5
) -> Dataset:
    """Cards drawn for each game: Famine is longer, Strife favours the first seat, Treaties make A strong."""
    rng = np.random.default_rng(41)
    card = np.array(CARDS)[rng.integers(0, 3, games)]
    card[rng.random(games) < none] = "none"
    counts = rng.multinomial(4, [0.25] * 4, size=(games, 2))
    utility = rng.gumbel(size=(games, 2))
    utility[:, 0] += seat * (card == CARDS[1])
    utility += piece * counts[..., 0] * (card == CARDS[2])[:, None]
    turns = (20 + rng.integers(-4, 5, games) + longer * (card == CARDS[0])).astype(np.int32)
    data = from_shares(winners(utility), counts=counts, pieces=NAMES, turns=turns, age=card)
    return with_tables(
        data, {"drawn": {"age": {"kind": "card"}}, "lever": {"column": "assigned", "text": "random"}}
    )


def of(frame: pl.DataFrame, card: str, measure: str, piece: str | None = None) -> dict[str, Any]:
    rows = frame.filter((pl.col("level") == card) & (pl.col("measure") == measure))
    return rows.row(by_predicate=pl.col("piece").eq_missing(piece), named=True)


def test_each_card_shows_what_was_planted_and_nothing_else() -> None:
    found = analysis.level_effects(carded(12_000, none=0.25))
    assert set(found["against"]) == {"no card"}
    famine = of(found, CARDS[0], "turns")
    assert famine["low"] < 3.0 < famine["high"]
    strife = of(found, CARDS[1], "first seat")
    assert strife["low"] < 0.1225 < strife["high"]
    assert of(found, CARDS[1], "seat gap")["low"] > 0.05
    treaties = of(found, CARDS[2], "piece", "A")
    assert treaties["low"] > 0.05
    # The average other piece of B, C and D gets a third of what A gains taken off.
    clear = found.filter((pl.col("q") < 0.05) & (pl.col("piece").is_null()))
    assert set(zip(clear["level"], clear["measure"], strict=True)) == {
        (CARDS[0], "turns"),
        (CARDS[1], "seat gap"),
        (CARDS[1], "first seat"),
    }
    pieces = found.filter((pl.col("q") < 0.05) & pl.col("piece").is_not_null())
    assert set(pieces["level"]) == {CARDS[2]}


def test_a_factor_that_only_says_whether_cards_are_played_parts_no_games() -> None:
    one = carded(8_000, none=0.4)
    games, seats = one.games.collect(), one.seats.collect()
    cell = games.select("game_id", cell=(pl.col("age") != "none").cast(pl.Int32))
    cells = pl.concat([one.cells, one.cells]).with_columns(
        cell=pl.Series([0, 1], dtype=one.cells["cell"].dtype), age_mode=pl.Series(["none", "scenario"])
    )
    data = Dataset.from_frames(
        one.manifest | {"factors": ["age_mode"]},
        cells,
        games.drop("cell").join(cell, on="game_id"),
        seats.drop("cell").join(cell, on="game_id"),
        one.pieces.collect().drop("cell").join(cell, on="game_id"),
    )
    famine = of(analysis.level_effects(data), CARDS[0], "turns")
    assert famine["low"] < 3.0 < famine["high"]


def test_without_a_game_that_has_no_card_the_others_are_the_yardstick() -> None:
    found = analysis.level_effects(carded(6_000))
    assert set(found["against"]) == {"the other cards"}
    famine = of(found, CARDS[0], "turns")
    assert famine["low"] < 3.0 < famine["high"]
    assert of(found, CARDS[1], "turns")["estimate"] == pytest.approx(-1.5, abs=0.3)


def test_cards_as_a_factor_are_compared_deal_by_deal() -> None:
    data = make(
        deals=1_500,
        players=2,
        piece={},
        factors={"age": ["none", *CARDS]},
        factor_on_piece={("age", CARDS[2], "Rats"): 0.5},
    )
    found = analysis.level_effects(data.dataset(), "age")
    assert set(found["design"]) == {"paired"}
    best = found.filter(pl.col("measure") == "piece").sort("estimate", descending=True).row(0, named=True)
    assert (best["level"], best["piece"]) == (CARDS[2], "Rats")
    assert best["q"] < 0.01


def test_null_cards_give_few_alarms() -> None:
    found = analysis.level_effects(carded(6_000, longer=0, seat=0, piece=0))
    assert (found["q"] < 0.05).sum() <= 1


def founded(games: int, *, role: float, seat: float = 0.0, moves: bool = True, seed: int = 1) -> Dataset:
    rng = np.random.default_rng([seed, 3])
    founder = rng.integers(0, 3, games) if moves else np.full(games, 1)
    utility = rng.gumbel(size=(games, 3))
    utility[np.arange(games), founder] += role
    utility[:, 0] += seat
    data = from_shares(
        winners(utility), founder_seat=founder.astype(np.int8), first_seat=((founder + 1) % 3).astype(np.int8)
    )
    return with_tables(data, {"card": {"words": {"role": "Founder"}}})


def test_the_founder_is_told_apart_from_the_seat() -> None:
    found = analysis.role_effect(founded(9_000, role=0.3, seat=0.5))
    own = found.filter((pl.col("role") == "Founder") & pl.col("apart")).row(0, named=True)
    assert own["estimate"] == pytest.approx(1 / 3 + 0.3 * 0.21, abs=0.02)
    assert own["verdict"] == "favoured"
    first = found.filter((pl.col("role") == "first turn") & pl.col("apart")).row(0, named=True)
    assert first["low"] < 1 / 3 < first["high"]
    null = analysis.role_effect(founded(9_000, role=0.0, seat=0.5))
    assert set(null.filter(pl.col("apart"))["verdict"]) == {"balanced"}


def test_a_founder_who_always_has_the_same_seat_is_said() -> None:
    found = analysis.role_effect(founded(2_000, role=0.3, moves=False))
    apart = found.filter((pl.col("role") == "Founder") & pl.col("apart")).row(0, named=True)
    assert apart["estimate"] is None
    assert apart["verdict"] == "undecided"
    assert "cannot be told apart" in apart["note"]
    plain = found.filter((pl.col("role") == "Founder") & ~pl.col("apart")).row(0, named=True)
    assert plain["low"] > 1 / 3


def in_series(series: int, *, role: float = 0.0, player: float = 0.0, seed: int = 1) -> Dataset:
    """Two players, two games a series; the Founder of game k is seat k, and a mood lasts a whole series."""
    rng = np.random.default_rng([seed, 4])
    number = np.repeat(np.arange(series), 2)
    founder = np.tile([0, 1], series)
    mood = np.repeat(rng.normal(0, 4, (series, 2)), 2, axis=0)
    score = 20 + mood + rng.normal(0, 3, (2 * series, 2))
    score[np.arange(2 * series), founder] += role
    score[:, 0] += player
    data = from_shares(winners(score), series=number, founder_seat=founder.astype(np.int8))
    seats = data.seats.with_columns(
        score=pl.Series(score.ravel().astype(np.float32)),
        founder=pl.Series((np.arange(2)[None, :] == founder[:, None]).ravel()),
    )
    return with_tables(data, {**NAMED, "card": {"words": {"role": "Founder"}}}, seats=seats)


def test_a_series_is_the_block() -> None:
    """Moods last a series: taking its games as independent makes the interval of a player too narrow."""
    data = in_series(800)
    seats = analysis.seat_balance(data)
    assert seats["blocks"][0] == 800
    assert "errors by series" in seats["method"][0]
    naive = with_tables(data, games=data.games.with_columns(series=pl.lit(None, dtype=pl.Int64)))
    wide, narrow = ((f["high"] - f["low"])[0] for f in (seats, analysis.seat_balance(naive)))
    assert wide > 1.12 * narrow


def test_a_founders_advantage_evens_out_over_a_series() -> None:
    data = in_series(3_000, role=3.0)
    found = analysis.series_balance(data)
    assert analysis.role_effect(data).filter(~pl.col("apart"))["low"][0] > 0.6
    won = found.filter(pl.col("measure") == "series won")
    assert set(won["of"]) == {"player", "Founder in game"}
    assert set(won["who"]) == {"Ann", "Ben", "Founder in game 1", "Founder in game 2"}
    assert set(won["series"]) == {3_000}
    assert won["low"].min() < 0.5 < won["high"].max()
    assert (won["estimate"] - 0.5).abs().max() < 0.03


def test_a_better_player_wins_series() -> None:
    found = analysis.series_balance(in_series(2_000, player=2.0)).filter(pl.col("of") == "player")
    ann = {r["measure"]: r for r in found.filter(pl.col("who") == "Ann").iter_rows(named=True)}
    assert ann["series won"]["verdict"] == "favoured"
    assert ann["points a game"]["low"] < 1.0 < ann["points a game"]["high"]
    assert ann["points a game"]["verdict"] is None
    assert ann["series won"]["estimate"] > ann["games won"]["estimate"] > 0.55


def test_what_is_no_series_and_no_founder_is_said() -> None:
    data = make(deals=20, players=2, log="games").dataset()
    with pytest.raises(analysis.Refusal, match="in series"):
        analysis.series_balance(data)
    with pytest.raises(analysis.Refusal, match="no game had a Founder"):
        analysis.role_effect(data)


def harmful(games: int, players: int) -> Dataset:
    """A takes 2 points from each opponent a copy, B gives its owner 2: logged harm is A's alone."""
    rng = np.random.default_rng(43)
    counts = rng.multinomial(4, [0.25] * 4, size=(games, players))
    taken = 2.0 * (counts[..., 0].sum(axis=1, keepdims=True) - counts[..., 0])
    score = 20 + 2.0 * counts[..., 1] - taken + rng.normal(0, 4, (games, players))
    data = from_shares(winners(score), counts=counts, pieces=NAMES)
    seats = data.seats.with_columns(score=pl.Series(score.ravel().astype(np.float32)))
    done = (counts * np.array([1.5, 0, 0, 0])).astype(np.float32).ravel()
    lever = {"lever": {"column": "assigned", "text": "random"}}
    return with_tables(data, lever, seats=seats, pieces=data.pieces.with_columns(harm=pl.Series(done)))


@pytest.mark.parametrize("players", [2, 3])
def test_harm_is_what_facing_a_piece_costs(players: int) -> None:
    """Both A and B help their owner to win; only A takes points from the others."""
    found = analysis.harm(harmful(6_000, players))
    at = {(r["piece"], r["measure"]): r for r in found.iter_rows(named=True)}
    assert at["A", "harm a copy"]["estimate"] == pytest.approx(1.5)
    points = at["A", "opponents' points"]
    assert points["low"] < -2.0 < points["high"]
    other = at["B", "opponents' points"]
    assert other["low"] < 2 / 3 < other["high"]
    assert at["A", "opponents' win share"]["high"] < 0
    assert at["B", "opponents' win share"]["high"] < 0
    assert at["A", "opponents' points"]["cause"]
    assert not at["A", "harm a copy"]["cause"]


def test_harm_without_random_assignment_is_only_the_log() -> None:
    data = with_tables(harmful(200, 2))
    assert set(analysis.harm(data)["measure"]) == {"harm a copy"}
