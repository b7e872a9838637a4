"""A handful of games: no crash, no warning, no verdict, and never an interval made of nothing."""

from __future__ import annotations

import pytest

import analysis
from tests.analysis.synthetic import make

QUESTIONS = [
    "audit",
    "seat_balance",
    "seat_tests",
    "piece_strength",
    "goes_with_winning",
    "length",
    "ties",
    "choice_width",
    "lead_changes",
    "end_reasons",
]


@pytest.mark.parametrize("deals", [1, 2, 3, 5, 9])
@pytest.mark.parametrize(
    "plan", [{"players": 2}, {"players": 4, "rotate": False}, {"factors": {"players.count": [2, 3]}}]
)
def test_few_games_give_no_verdict_and_no_crash(deals: int, plan: dict[str, object]) -> None:
    d = make(deals=deals, drawn_bans=3, piece={"Rats": 3.0}, seat=(3.0,), **plan).dataset()
    for name in QUESTIONS:
        frame = getattr(analysis, name)(d)
        assert frame.height > 0, name
        if "verdict" in frame.columns:
            assert set(frame["verdict"]) == {"too few to say"}, name
            assert frame["note"].str.contains("no verdict").all(), name
        # One deal says nothing of how much deals differ.
        if deals == 1 and name != "audit":
            assert frame["low"].null_count() == frame.height, name


@pytest.mark.parametrize("deals", [1, 2, 3, 5, 9])
def test_few_games_of_bans_are_refused_or_answered(deals: int) -> None:
    d = make(deals=deals, players=2, drawn_bans=3, piece={"Rats": 3.0}).dataset()
    if deals == 1:
        for question in (analysis.ban_effects_on_pieces, analysis.ban_effects_on_seats):
            with pytest.raises(analysis.Refusal, match="no ban leaves"):
                question(d)
    else:
        assert analysis.ban_effects_on_seats(d).height > 0


@pytest.mark.parametrize("deals", [12, 30])
def test_overwhelming_effects_are_called_where_they_can_be(deals: int) -> None:
    d = make(deals=deals, players=2, seat=(4.0,), deal_spread=0.0, log="games").dataset()
    assert analysis.seat_tests(d)["verdict"].to_list() == ["unbalanced"]
    assert analysis.seat_balance(d)["verdict"].to_list() == ["favoured", "unfavoured"]


def test_a_seat_that_always_wins_has_an_interval_and_a_verdict() -> None:
    """No spread between deals gives no standard error; the count of deals still bounds the share."""
    d = make(deals=200, players=2, seat=(60.0,), deal_spread=0.0, ties=0.0, log="games").dataset()
    seats = analysis.seat_balance(d)
    assert seats["estimate"].to_list() == [1.0, 0.0]
    assert 0.97 < seats["low"][0] < 1.0
    assert seats["verdict"].to_list() == ["favoured", "unfavoured"]
    assert analysis.seat_tests(d)["verdict"].to_list() == ["unbalanced"]


def test_comparisons_of_few_games() -> None:
    for deals in (1, 2, 4):
        d = make(deals=deals, players=2, factors={"rats_points": [1, 2]}, log="games").dataset()
        for of in ("seat", "player", "bot"):
            assert analysis.win_share_by(d, "rats_points", of=of).height > 0
