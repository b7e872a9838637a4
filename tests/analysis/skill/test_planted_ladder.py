"""The ladder of play against planted strengths: ratings, gains by doubling, what is refused."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from analysis.skill.ladder import ELO, budget_of, family_of
from tests.analysis.small import from_shares

RUNGS = {"random": -400.0, "greedy": 0.0, "search:playouts=50": 150.0, "search:playouts=200": 350.0}
RUNGS |= {"search:playouts=400": 350.0}


def planted(
    rungs: dict[str, float], deals: int, seed: int, *, seat: float = 0.6, ties: float = 0.2, meet: int = 99
) -> Dataset:
    """Every pair from both seats; the first seat is favoured, some games are tied; `meet`: pairs that meet at most."""
    rng = np.random.default_rng(seed)
    names = list(rungs)
    shares, bots, deal = [], [], []
    pairs = list(itertools.combinations(range(len(names)), 2))[:meet] + [(k, k) for k in range(len(names))]
    for one, other in pairs:
        for number in range(deals):
            for pair in ((one, other), (other, one))[: 1 + (one != other)]:
                lead = (rungs[names[pair[0]]] - rungs[names[pair[1]]]) / ELO + seat
                first = rng.random() < 1 / (1 + np.exp(-lead))
                share = 0.5 if rng.random() < ties else float(first)
                shares.append((share, 1 - share))
                bots += [names[pair[0]], names[pair[1]]]
                deal.append(number)
    d = from_shares(np.array(shares), deal=np.array(deal))
    seats = d.seats.collect().with_columns(bot=pl.Series(bots))
    manifest = {**d.manifest, "categories": {"piece": [], "bot": names}, "bots_used": names}
    return Dataset.from_frames(manifest, d.cells, d.games.collect(), seats)


def by_bot(frame: pl.DataFrame, column: str) -> dict[str, float]:
    return dict(zip(frame["bot"], frame[column], strict=True))


def test_ratings_and_gains_are_those_planted_whatever_the_seats_are_worth():
    frame = analysis.ladder(planted(RUNGS, 400, 3, ties=0.0))
    for row in frame.iter_rows(named=True):
        assert abs(row["estimate"] - RUNGS[row["bot"]]) < 60, row
    gain, word = by_bot(frame, "gain"), by_bot(frame, "verdict")
    assert gain["search:playouts=200"] == pytest.approx(100, abs=30)  # 200 points over two doublings
    assert by_bot(frame, "doublings")["search:playouts=200"] == 2
    assert word["search:playouts=200"] == "stronger"
    assert word["search:playouts=400"] != "stronger"
    assert gain["greedy"] is None
    assert by_bot(frame, "below")["search:playouts=400"] == "search:playouts=200"


def test_a_step_without_gain_is_called_stronger_in_no_more_than_one_of_twenty_ladders():
    """Ties make games tell less; the interval knows."""
    same = {"greedy": 0.0, "search:playouts=50": 200.0, "search:playouts=100": 200.0}
    called, missed = 0, 0
    for seed in range(60):
        frame = analysis.ladder(planted(same, 40, seed))
        called += by_bot(frame, "verdict")["search:playouts=100"] == "stronger"
        low, high = (by_bot(frame, f"gain_{end}")["search:playouts=100"] for end in ("low", "high"))
        missed += not low <= 0 <= high
    assert called <= 4
    assert missed <= 8


def test_enough_games_say_that_a_doubling_brings_nothing():
    same = {"greedy": 0.0, "search:playouts=50": 100.0, "search:playouts=100": 100.0}
    frame = analysis.ladder(planted(same, 6000, 1, ties=0.0))
    assert by_bot(frame, "verdict")["search:playouts=100"] == "no stronger"


def test_the_first_seat_is_told_among_bots_alike():
    frame = analysis.ladder(planted(RUNGS, 400, 9, seat=1.0, ties=0.0))
    for share in frame["first_seat"]:
        assert share == pytest.approx(1 / (1 + np.exp(-1.0)), abs=0.09)


def test_what_is_no_ladder_is_refused():
    with pytest.raises(analysis.Refusal, match="one kind of bot"):
        analysis.ladder(planted({"greedy": 0.0}, 5, 1))
    with pytest.raises(analysis.Refusal, match="no bot is called 'gredy'; did you mean 'greedy'"):
        analysis.ladder(planted(RUNGS, 5, 1), base="gredy")
    with pytest.raises(analysis.Refusal, match="never met"):
        analysis.ladder(planted(RUNGS, 30, 1, meet=1), base="greedy")


@pytest.mark.parametrize(
    ("label", "budget", "family"),
    [
        ("greedy", None, "greedy"),
        ("search:playouts=50", 50, "search"),
        ("search:never=Wolf,playouts=400", 400, "search:never=Wolf"),
        ("flat:playouts=8,width=3", 8, "flat:width=3"),
    ],
)
def test_budget_and_family_are_read_from_the_label(label: str, budget: int | None, family: str):
    assert (budget_of(label), family_of(label)) == (budget, family)


def test_a_bot_that_never_won_has_no_rating_but_an_end_and_leaves_the_others_alone():
    """Its likelihood grows without end as its rating falls: a number there would be the rounding of the fit."""
    rungs = {**RUNGS, "random": -9000.0}
    frame = analysis.ladder(planted(rungs, 60, 5, ties=0.0))
    worst = frame.row(-1, named=True)
    assert worst["bot"] == "random"
    assert worst["estimate"] is None
    assert worst["low"] is None
    assert -1500 < worst["high"] < -300
    assert "never won" in worst["note"]
    kept = {name: rating for name, rating in rungs.items() if name != "random"}
    alone = by_bot(analysis.ladder(planted(kept, 60, 5, ties=0.0)), "estimate")
    both = by_bot(frame, "estimate")
    assert all(abs(both[name] - alone[name]) < 120 for name in kept)


def test_a_bot_that_always_won_stands_first_and_has_a_lower_end_only():
    frame = analysis.ladder(planted({**RUNGS, "oracle": 9000.0}, 60, 6, ties=0.0))
    best = frame.row(0, named=True)
    assert best["bot"] == "oracle"
    assert best["estimate"] is None
    assert best["high"] is None
    assert best["low"] > 350
    more = analysis.ladder(planted({**RUNGS, "oracle": 9000.0}, 240, 6, ties=0.0)).row(0, named=True)
    assert more["low"] > best["low"] + 150  # four times the games without a loss


def test_the_picture_keeps_the_rungs_apart_whoever_is_far_below():
    from analysis import plots

    frame = analysis.ladder(planted({**RUNGS, "random": -9000.0}, 60, 5, ties=0.0))
    finite = frame.with_columns(estimate=pl.col("estimate").fill_null(-4000.0))
    for shown in (frame, finite):
        ax = plots.ladder_lines(shown)
        low, high = ax.get_ylim()
        assert high - low < 1000
        assert any("random" in text.get_text() for text in ax.texts)
