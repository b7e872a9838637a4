"""The report on games of other kinds: sides, drawn levels, minutes, enders, luck, changes of rules, own words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from analysis.report import words
from tests.analysis.draftset import with_tables
from tests.analysis.fairness.test_planted_sides import TEAM
from tests.analysis.pace.test_planted_course import ruled
from tests.analysis.report.test_report_variants import seen
from tests.analysis.small import from_shares, winners
from tests.analysis.synthetic import make

STARTS = {"kind": "seat level", "sep": "+", "word": "harbour"}
EVENTS = {"kind": "level", "word": "event"}


def drawn(games: int, stop: str = "turn_cap", **manifest: Any) -> Dataset:
    """Events that make games longer, harbours of which North is worth more; `stop` ends a twentieth of the games."""
    rng = np.random.default_rng(91)
    event = np.array(["Flood", "Feast", "Frost"])[rng.integers(0, 3, games)]
    order = np.argsort(rng.random((games, 2)), axis=1)
    utility = rng.gumbel(size=(games, 2)) + 0.6 * (order == 0)
    start = np.array(["+".join(row) for row in np.array(["North", "South"])[order]])
    turns = 20 + rng.integers(-3, 4, games) + 5 * (event == "Flood")
    ended = np.where(rng.random(games) < 0.05, stop, "finished")
    data = from_shares(
        winners(utility),
        event=event,
        start=start,
        turns=turns.astype(np.int32),
        ended=ended,
        ended_by=rng.integers(0, 2, games).astype(np.int8),
    )
    return with_tables(data, {"drawn": {"event": EVENTS, "start": STARTS}, **manifest})


def test_drawn_levels_have_their_own_words(tmp_path: Path) -> None:
    data = drawn(3_000, pace={"turn": 30, "source": "by the clock"})
    text = seen(data, tmp_path)
    flood = analysis.level_effects(data).filter(
        (pl.col("level") == "Flood") & (pl.col("measure") == "minutes")
    )["estimate"][0]
    assert "Events change the minutes, against the other events" in text["answer"]
    assert f"Flood {flood:+.2f}" in text["answer"]
    assert "Which event takes more or fewer minutes?" in text["levels"]
    assert "the harbour North helps most" in text["answer"]
    assert "Which harbour is worth more?" in text["seat-levels"]
    assert "drawn by lot, so this is what it does for" in text["seat-levels"]
    chosen = with_tables(data, {"drawn": {"start": {**STARTS, "chosen": True}}})
    told = seen(chosen, tmp_path)
    assert "the harbour North goes with winning most" in told["answer"]
    assert "goes with winning" in told["seat-levels"]


@pytest.mark.parametrize("count", [3, 40])
def test_land_drawn_for_each_deal_is_counted_not_spelt_out(tmp_path: Path, count: int) -> None:
    rng = np.random.default_rng(5)
    land = np.array([f"land {k}" for k in range(count)])[np.arange(80) % count]
    data = with_tables(
        from_shares(winners(rng.gumbel(size=(80, 2))), land=land), {"drawn": {"land": {"kind": "board"}}}
    )
    analysis.report.write(data, out=tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    assert ("on the 40 maps played" in text) == (count == 40)
    assert ("on land 0, land 1 and land 2" in text) == (count == 3)


@pytest.mark.parametrize(
    ("stop", "by"), [("turn_cap", "by the limit"), ("all_passed", "because all went on passing")]
)
def test_games_that_are_stopped_say_by_what(stop: str, by: str, tmp_path: Path) -> None:
    data = drawn(2_000, stop)
    share = analysis.end_reasons(data).filter(pl.col("ended") == stop)["estimate"][0]
    assert analysis.length(data)["capped"][0] == pytest.approx(share)
    assert analysis.seat_balance(data)["capped"][0] == pytest.approx(share)
    text = seen(data, tmp_path)
    assert f"are stopped {by}" in text["answer"]
    assert (
        f"Not every game ended by the rules: stopped {'at' if stop == 'turn_cap' else 'because'}"
        in text["pace"]
    )


def test_minutes_cap_and_ender_are_told_with_intervals(tmp_path: Path) -> None:
    data = drawn(2_000, card={"pace": {"turn": 30, "source": "the box says so"}})
    text = seen(data, tmp_path)
    length = analysis.length(data)
    mean = length.filter(pl.col("measure") == "minutes")["estimate"][0]
    assert f"about {words.number(mean, 0)} minutes (a guess at the pace (the box says so))" in text["answer"]
    cap = analysis.end_reasons(data).filter(pl.col("ended") == "turn_cap").row(0, named=True)
    assert (
        f"{words.percent(cap['estimate'])} ({words.percent_range(cap['low'], cap['high'])}) are stopped"
        in (text["answer"])
    )
    ender = analysis.enders(data).row(0, named=True)
    assert (
        f"Who ends the game wins {words.share(*(ender[k] for k in ('estimate', 'low', 'high', 'fair')))}"
        in text["answer"]
    )
    assert "How many minutes does a game take?" in text["pace"]
    assert "Does who ends the game win it?" in text["pace"]
    # Without a pace nobody speaks of minutes.
    assert "minutes" not in seen(drawn(200), tmp_path)["answer"]


def test_team_games_name_sides_and_partners(tmp_path: Path) -> None:
    data = make(deals=300, players=4, factors={"teams": [False, True]}, sides=TEAM, log="pieces").dataset()
    text = seen(data, tmp_path)
    assert "With 4 players in 2 sides" in text["answer"]
    assert "where a fair share is 50.0%" in text["answer"] or "fair 50.0%" in text["answer"]
    assert "Seat A (with C)" in text["seats"]
    page = analysis.report.write(data, out=tmp_path / "lead.html").read_text(encoding="utf-8")
    assert "4 players and 4 players in 2 sides" in page


def test_changes_of_rules_stand_side_by_side(tmp_path: Path) -> None:
    rows = [{"a": False, "b": False}, {"a": True, "b": False}, {"a": False, "b": True}]
    text = seen(ruled(rows, {"a": [False, True], "b": [False, True]}, {"a": 4.0, "b": -6.0}), tmp_path)
    assert "in turns of all players, by a and b for greedy play: a no, b no (the base) " in text["answer"]
    assert re.search(r"a no, b yes [^.]*\.[^;]*; −6\.\d+ \([^)]*\) against the base\.", text["answer"])
    assert "What each change does" in text["factors"]
    assert "Which change makes games longer or shorter?" in text["factors"]


def test_what_follows_from_a_variant_is_no_factor(tmp_path: Path) -> None:
    rows = [{"variant": "old", "a": False, "b": False}, {"variant": "new", "a": True, "b": True}]
    text = seen(ruled(rows, {}, {"a": 4.0, "b": -6.0}), tmp_path)
    assert "Does variant change which seat wins?" in text["factors"]
    assert "Does a change which seat wins?" not in text["factors"]
    assert "Varied" + "variant" in text["played"].replace(" ", "").replace(":", "")


def test_luck_is_told_where_bots_differ(tmp_path: Path) -> None:
    data = make(deals=500, players=2, bots=("sage", "fool"), bot={"sage": 1.0}, log="games").dataset()
    text = seen(data, tmp_path)
    assert "Luck and skill: sage finishes ahead of fool in" in text["answer"]
    assert "How often does the better one win?" in text["luck"]


@pytest.mark.parametrize("words_of", [{}, {"piece": "bird", "pieces": "birds"}])
def test_pieces_are_called_as_the_game_calls_them(tmp_path: Path, words_of: dict[str, str]) -> None:
    data = make(deals=60, players=2, drawn_bans=1, log="pieces").dataset()
    data.manifest["card"] = {**data.card, "words": words_of}
    text = seen(data, tmp_path)
    many = words_of.get("pieces", "pieces")
    assert f"Which {many} win games?" in text["pieces"]
    assert "goes with winning" in text["pieces"]
    assert f"the average {words_of.get('piece', 'piece')}" in text["answer"]
    assert "Explorer" not in text["answer"] + text["pieces"] + text["bans"]


def unlike(games: int) -> Dataset:
    """Cell 0: alike players who never move, the first seat ahead. Cell 1: one better player, who moves."""
    rng = np.random.default_rng(92)
    plain = rng.gumbel(size=(games, 2)) + np.array([0.6, 0.0])
    player = np.tile([[0, 1], [1, 0]], (games // 2, 1))
    mixed = rng.gumbel(size=(games, 2)) + np.array([0.6, 0.0]) + 1.5 * (player == 0)
    deal = np.concatenate([np.arange(games), np.repeat(np.arange(games // 2), 2)])
    data = from_shares(
        winners(np.concatenate([plain, mixed])),
        rotations=True,
        player=np.concatenate([np.tile([0, 1], (games, 1)), player]),
        cells=pl.DataFrame({"cell": pl.Series([0, 1], dtype=pl.Int32), "variant": ["plain", "unlike"]}),
        cell=np.repeat([0, 1], games).astype(np.int32),
        deal=deal.astype(np.int64),
        rotation=np.concatenate([np.zeros(games), np.tile([0, 1], games // 2)]).astype(np.int16),
    )
    bot = (
        pl.when((pl.col("cell") == 1) & (pl.col("player") == 1))
        .then(pl.lit("fool"))
        .otherwise(pl.lit("sage"))
    )
    more = {"bots_used": ["sage", "fool"], "categories": {"piece": [], "bot": ["sage", "fool"]}}
    return with_tables(data, more, seats=data.seats.with_columns(bot=bot))


def test_cells_in_which_unlike_bots_meet_tell_of_skill_alone(tmp_path: Path) -> None:
    data = unlike(4_000)
    judged = data.plain_play()
    assert judged.cells["variant"].to_list() == ["plain"]
    assert judged.play == "sage play"
    assert judged.plain_play() is judged
    text = seen(data, tmp_path)
    plain = analysis.seat_balance(judged).row(0, named=True)
    share = words.share(*(plain[k] for k in ("estimate", "low", "high", "fair")))
    assert f"Seat A wins {share}" in text["answer"]
    assert "for sage play" in text["answer"]
    assert "1 setting, in which unlike bots meet, tells of luck and skill alone" in text["answer"]
    skill = analysis.luck_and_skill(data).row(0, named=True)
    assert f"sage finishes ahead of fool in {words.percent(skill['estimate'])}" in text["answer"]
    both = with_tables(
        data, {"bots_used": ["sage", "fool"]}, seats=data.seats.with_columns(bot=pl.lit("sage"))
    )
    assert both.plain_play() is both


def test_players_that_never_move_raise_no_alarm() -> None:
    """Seats differ in the cell of alike players, and so do they: that is the seat, not the player."""
    found = analysis.audit(unlike(4_000))
    assert found["ok"].fill_null(True).all(), found.filter(~pl.col("ok"))
    assert "players sit in each seat equally often" in found["check"].to_list()


def test_bots_that_never_meet_are_a_factor_and_no_matchup(tmp_path: Path) -> None:
    data = unlike(2_000)
    bot = pl.when(pl.col("cell") == 1).then(pl.lit("fool")).otherwise(pl.lit("sage"))
    apart = with_tables(data, {"bots_used": ["sage", "fool"]}, seats=data.seats.with_columns(bot=bot))
    with pytest.raises(analysis.Refusal, match="no two bots that differ met as opponents"):
        analysis.standing(apart, of="bot")
    text = seen(apart, tmp_path)
    assert "matchups" not in text
    assert "for play between sage and fool" in text["answer"]
    assert "wins most" not in text["answer"]


def test_stand_ins_say_what_was_played_in_their_place(tmp_path: Path) -> None:
    def told(**values: Any) -> str:
        parameters = [
            {"name": name, "value": values.get(name, default), "default": default}
            for name, default in {"cost.M": 2, "cost.W": 1, "fee": 3, "counts.Ace": -1}.items()
        ]
        card = {
            "parameters": parameters,
            "stand_ins": [
                {"name": "prices", "fact": "what things cost", "default": "2M W", "parameters": ["cost"]},
                {"name": "fees", "fact": "the fee", "default": 3, "alternatives": [{"fee": 4}]},
                {"name": "aces", "fact": "how many aces", "default": "as the deck", "parameters": ["counts"]},
            ],
        }
        return seen(with_tables(drawn(500), {"card": card}), tmp_path)["stand-ins"]

    plain = told(**{"counts.Ace": 4})
    assert "but here" not in plain
    changed = told(**{"cost.M": 5, "fee": 3})
    assert "2M W; but here cost.M = 5" in changed
    assert changed.count("but here") == 1
