"""Verdicts say what was shown: asked through the public functions, at sizes where the wrong rule is seen."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom, binomtest, multinomial

import analysis
from tests.analysis.draftset import with_tables
from tests.analysis.false_verdicts import ALLOWED, CASES, Case, share_false
from tests.analysis.small import from_shares, winners
from tests.analysis.synthetic import make

TRIALS = 40


@pytest.mark.parametrize("one", CASES, ids=lambda one: one.name)
def test_false_verdicts_are_rare(one: Case) -> None:
    """A glance; `make soak` looks at 500 data sets a case."""
    assert share_false(one, TRIALS) * TRIALS <= binom.ppf(0.9999, TRIALS, ALLOWED)


@pytest.mark.parametrize(
    ("won", "games", "words"),
    [
        (29, 30, ["favoured", "unfavoured"]),
        (30, 30, ["favoured", "unfavoured"]),
        (97, 156, ["favoured", "unfavoured"]),
        (92, 156, ["above", "below"]),
        (245, 457, ["undecided", "undecided"]),
        (9, 9, ["too few to say", "too few to say"]),
    ],
)
def test_small_tables_get_the_answer_of_the_exact_test(won: int, games: int, words: list[str]) -> None:
    first = (np.arange(games) < won).astype(float)
    d = from_shares(np.stack([first, 1 - first], axis=1))
    seats, test = analysis.seat_balance(d), analysis.seat_tests(d).row(0, named=True)
    exact = binomtest(won, games, 0.5)
    assert seats["p"].to_list() == pytest.approx([exact.pvalue] * 2)
    assert (seats["low"][0], seats["high"][0]) == pytest.approx(exact.proportion_ci())
    assert seats["verdict"].to_list() == words
    lot = {"favoured": "unbalanced", "above": "uneven"}
    assert test["verdict"] == lot.get(words[0], words[0])
    # The words are those of the band, and two seats that share out every game are one test.
    assert (seats["low_joint"][0], seats["high_joint"][0]) == pytest.approx(exact.proportion_ci())
    assert ((seats["low"] >= 0) & (seats["high"] <= 1) & (seats["low"] < seats["high"])).all()


@pytest.mark.parametrize(("games", "n"), [(30, 4), (100, 4), (30, 8), (100, 8)])
def test_the_most_uneven_table_that_chance_allows_is_called_by_the_exact_joint_test(
    games: int, n: int
) -> None:
    """The most wins of any seat that fair tables reach in 5 % of cases: one less is no verdict, two more is one."""
    rng = np.random.default_rng(50)
    most = multinomial.rvs(games, [1 / n] * n, size=20_000, random_state=rng).max(axis=1)
    edge = int(np.quantile(most, 0.95, method="inverted_cdf"))
    for wins, off in ((edge - 1, False), (edge + 2, True)):
        rest = np.arange(games - wins) % (n - 1) + 1
        d = from_shares(np.eye(n)[np.concatenate([np.zeros(wins, dtype=int), rest])])
        assert (analysis.seat_balance(d)["verdict"][0] in ("above", "favoured")) == off
        assert (analysis.seat_tests(d)["verdict"][0] in ("uneven", "unbalanced")) == off


def test_pearson_is_printed_for_72_games_of_four() -> None:
    d = from_shares(np.eye(4)[np.repeat(np.arange(4), [26, 12, 19, 15])])
    row = analysis.seat_tests(d).row(0, named=True)
    assert row["p"] == pytest.approx(0.107, abs=0.005)
    assert row["verdict"] == "undecided"


def test_a_point_beyond_the_margin_is_not_enough() -> None:
    """54 % of 1,000 games, margin 2: off a fair share beyond chance, and no more is shown."""
    first = (np.arange(1_000) < 540).astype(float)
    d = from_shares(np.stack([first, 1 - first], axis=1))
    assert analysis.seat_balance(d)["verdict"].to_list() == ["above", "below"]
    assert analysis.seat_tests(d)["verdict"].to_list() == ["uneven"]
    enough = np.tile(first, 10)
    d = from_shares(np.stack([enough, 1 - enough], axis=1))
    assert analysis.seat_tests(d)["verdict"].to_list() == ["unbalanced"]


def test_the_seats_are_judged_by_their_own_margin() -> None:
    first = (np.arange(20_000) < 10_700).astype(float)
    shares = np.stack([first, 1 - first], axis=1)
    for seat, word in ((0.02, "unbalanced"), (0.05, "balanced")):
        d = from_shares(shares, judge={"seat": seat, "piece": 0.07 - seat})
        assert analysis.seat_tests(d)["verdict"].to_list() == [word]


def test_a_change_that_changes_nothing_is_zero() -> None:
    """The same games under two rules; what the sums leave over is rounding, and no effect."""
    rng = np.random.default_rng(51)
    shares = winners(rng.random((400, 3)))
    shares[rng.random(400) < 0.2] = 1 / 3
    cells = pl.DataFrame({"cell": pl.Series([0, 1], dtype=pl.Int32), "rats_points": [1, 2]})
    length = rng.normal(30, 8, 400)
    d = from_shares(
        np.concatenate([shares, shares + 1e-13 * rng.standard_normal(shares.shape)]),
        cell=np.repeat([0, 1], 400).astype(np.int32),
        deal=np.tile(np.arange(400), 2),
        line=np.tile(np.arange(400), 2).astype(np.uint64),
        margin=np.concatenate([length, length + 3e-12 * rng.standard_normal(400) + 1e-12]),
        cells=cells,
    )
    changes = analysis.rule_changes(d).filter(pl.col("measure").is_in(["margin", "first seat"]))
    assert changes.height == 2
    by_seat = analysis.win_share_by(d, "rats_points").filter(pl.col("what") == "difference")
    for frame in (changes, by_seat):
        assert frame["estimate"].to_list() == [0.0] * frame.height
        assert frame["p"].to_list() == [1.0] * frame.height
        assert (frame["low"] < 0).all()
        assert (frame["high"] > 0).all()


def test_the_verdict_sees_the_shrunk_value() -> None:
    """A rare piece far off by few games, among pieces that are alike: the shrunk value lies inside the margin."""
    rng = np.random.default_rng(1)
    counts = rng.multinomial(5, [0.006, *[0.994 / 29] * 29], size=(6_000, 2))
    won = winners(0.5 * counts[..., 0] + rng.gumbel(size=(6_000, 2)))
    d = from_shares(won, counts=counts, pieces=[f"P{k}" for k in range(30)])
    rare = analysis.piece_strength(d).row(0, named=True)
    assert rare["low_joint"] > 0.03
    assert rare["eb"] < 0.03
    assert rare["verdict"] == "above"


def idle(made: object, name: str, share: float) -> object:
    """The data set, with only this share of the copies of a piece put to use."""
    d = made.dataset()  # type: ignore[attr-defined]
    own = (pl.col("piece").cast(pl.String) == name) & (pl.col("game_id") % 100 >= round(100 * share))
    rows = d.pieces.with_columns(played=pl.when(own).then(0).otherwise(pl.col("assigned")).cast(pl.Int8))
    return with_tables(d, {"lever": d.manifest["lever"]}, pieces=rows)


@pytest.mark.parametrize(("share", "used"), [(0.0, False), (0.02, False), (0.3, True)])
def test_a_piece_that_bots_hardly_use_gets_no_verdict(share: float, used: bool) -> None:
    """Assigned and never placed: its effect is what these bots do with it, and the health check says so."""
    made = make(deals=2_000, players=2, piece={"Rats": -0.4}, log="pieces")
    d = idle(made, "Rats", share)
    row = analysis.piece_strength(d).row(by_predicate=pl.col("piece") == "Rats", named=True)  # type: ignore[arg-type]
    assert row["used"] == pytest.approx(share, abs=0.03)
    assert row["verdict"] == ("weak" if used else "not used by these bots")
    check = analysis.audit(d).row(by_predicate=pl.col("check") == "assigned pieces are played", named=True)  # type: ignore[arg-type]
    assert check["ok"] is (True if used else None)
    assert ("Rats" in check["detail"]) is not used


def test_a_deck_counts_in_the_games_that_it_was_in() -> None:
    """The second seat plays deck Y, in every third game Z: each deck has its own number of games behind it."""
    d = from_shares(winners(np.random.default_rng(53).random((300, 2))))
    second = pl.when(pl.col("game_id") % 3 == 0).then(pl.lit("Z")).otherwise(pl.lit("Y"))
    deck = pl.when(pl.col("seat") == 0).then(pl.lit("X")).otherwise(second)
    d = with_tables(d, seats=d.seats.with_columns(deck=deck))
    rows = analysis.win_share_by(d, "cell", of="deck").filter(pl.col("what") == "level")
    assert dict(zip(rows["who"], rows["games"], strict=True)) == {"X": 300, "Y": 200, "Z": 100}


OUTCOME = "conditioned on an outcome"


def test_games_picked_by_an_outcome_are_not_judged() -> None:
    """Long games are lost by the first seat, short ones won: the whole is fair, and no part of it says otherwise."""
    rng = np.random.default_rng(56)
    first = rng.random(6_000) < 0.5
    turns = np.where(first, rng.integers(8, 20, 6_000), rng.integers(14, 26, 6_000)).astype(np.int32)
    counts = rng.multinomial(3, [1 / 3] * 3, size=(6_000, 2))
    d = from_shares(np.stack([first, ~first], axis=1) * 1.0, turns=turns, counts=counts, pieces=list("ABC"))
    assert set(analysis.seat_balance(d)["verdict"]) == {"balanced"}
    long = d.filter(pl.col("turns") > 15)
    assert analysis.seat_balance(long)["high"][0] < 0.45
    for view in (long, d.filter(turns=list(range(16, 30))), long.filter(pl.col("deal") > 5)):
        assert view.conditioned == ("turns",)
        for frame in (analysis.seat_balance(view), analysis.seat_tests(view), analysis.piece_strength(view)):
            assert set(frame["verdict"]) == {OUTCOME}
            assert frame["note"].str.contains(r"conditioned on an outcome \(turns\)").all()
        assert set(analysis.piece_strength(view)["flag"]) == {""}
        assert not analysis.harm(view).filter(pl.col("measure").str.starts_with("opponents"))["cause"].any()
    by = analysis.seat_balance(d, by="turns")
    assert set(by["verdict"]) == {OUTCOME}
    assert d.filter(pl.col("deal") < 3_000).conditioned == ()
    assert OUTCOME not in analysis.seat_balance(d.filter(pl.col("deal") < 3_000))["verdict"]
