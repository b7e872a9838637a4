"""`whimbrel tune`: a planted fault is mended, a broken run ends as an unbroken one, luck is not kept."""

from __future__ import annotations

import json
import shlex
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sim.batch.tune_match import Table, mean_and_half, normals
from sim.batch.tune_search import Plan, candidates_of, fit, fitted, positions, race
from sim.cli import _run as run_command
from sim.core import game as games
from sim.core.play import replay
from sim.core.seeds import deal_seed
from tests.plug_ins import stones

pytestmark = pytest.mark.plain

LINE = "tune stones --setting rules.toml --generations 3 --deals 2 --fresh 10 --state state"


class BadStones(stones.Stones):
    """Stones whose weights rank actions the wrong way round: one stone at a time, though all may be taken."""

    weights = (-0.3, -0.25)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.toml").write_text("[parameters]\nat_most = 100\n")
    monkeypatch.setattr(sys.modules[__name__], "BAD", BadStones(), raising=False)
    monkeypatch.setattr(sys.modules[__name__], "GOOD", stones.GAME, raising=False)

    def use(which: str) -> None:
        point = SimpleNamespace(name="stones", module=__name__, attr=which)
        monkeypatch.setattr(games, "_installed", lambda: {"stones": point})
        games._known_game.cache_clear()

    yield use
    games._known_game.cache_clear()


def whimbrel(line: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = run_command(shlex.split(line))
    out, err = capsys.readouterr()
    return code, out, err


def test_a_weight_of_the_wrong_sign_is_mended(here: Any, capsys: pytest.CaptureFixture[str]) -> None:
    here("BAD")
    code, out, _ = whimbrel(f"{LINE} -o found.toml", capsys)
    assert code == 0
    assert "100.0" in out
    (entry,) = tomllib.loads(Path("found.toml").read_text())["setting"]
    assert entry["set"] == "tuned"
    assert entry["players"] == [2]
    assert entry["when"] == {"at_most": 100}
    assert entry["weights"]["took"] > entry["weights"]["heap"]
    assert entry["made"].startswith(
        "whimbrel tune stones --bot greedy --players 2 --set tuned --setting rules.toml"
    )
    table = Table("stones", 2, {"at_most": 100}, seed=99)
    shares = table.shares([(("greedy", {"weights": entry["weights"]}), ("greedy", {}))], 0, 30)
    assert shares.mean() == 1.0


def test_what_fresh_deals_do_not_confirm_is_not_written(
    here: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    here("GOOD")  # takes the whole heap at once: nothing is better
    code, out, _ = whimbrel(f"{LINE} -o found.toml", capsys)
    assert code == 1
    assert "nothing is written" in out
    assert not Path("found.toml").exists()


def test_a_run_that_was_cut_off_ends_as_an_unbroken_one(
    here: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    here("BAD")
    _, whole, news = whimbrel(f"{LINE} --json", capsys)
    assert news.count("generation ") == 3
    state = Path("state") / "generations.jsonl"
    rows = state.read_text().splitlines(keepends=True)
    state.write_text("".join(rows[:1]) + rows[1][:7])
    _, again, news = whimbrel(f"{LINE} --json", capsys)
    assert news.count("generation ") == 2
    assert json.loads(again) == json.loads(whole)
    assert state.read_text() == "".join(rows)


BAD_LINES = [
    ("tune stone", "'stone'"),
    ("tune stones --bot serch", "'serch'"),
    ("tune stones --players 7", "7"),
    ("tune stones --generations 0", "--generations"),
    ("tune stones --deals 0", "--deals"),
    ("tune stones --fresh 0", "--fresh"),
    ("tune stones --setting nowhere.toml", "nowhere.toml"),
    ("tune stones -o nowhere/found.toml", "nowhere"),
    (LINE.replace("--deals 2", "--deals 5"), "deals"),
]


@pytest.mark.parametrize(("line", "word"), BAD_LINES)
def test_bad_input_is_told_in_one_line(
    here: Any, capsys: pytest.CaptureFixture[str], line: str, word: str
) -> None:
    here("GOOD")
    Path("state").mkdir()
    (Path("state") / "tune.json").write_text(json.dumps({"game": "stones", "deals": 2}))
    code, _, err = whimbrel(line, capsys)
    assert code == 2
    assert word in err
    assert err.count("\n") == 1


def test_without_the_package_one_line_names_it(
    here: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here("GOOD")
    monkeypatch.setitem(sys.modules, "cma", None)
    code, _, err = whimbrel(LINE, capsys)
    assert (code, err.count("\n")) == (2, 1)
    assert "whimbrel[tune]" in err


def test_every_bot_has_as_many_seats_as_its_rival(here: Any) -> None:
    here("GOOD")
    table = Table("stones", 2, {"at_most": 100})
    shares = table.shares([(("greedy", {}), ("greedy", {}))], 0, 10)
    assert shares.tolist() == [[0.5] * 10]
    assert mean_and_half(shares[0]) == (0.5, 0.0)


def test_numbers_of_a_stream_do_not_depend_on_how_many_are_drawn_at_once() -> None:
    whole = normals(5, 0, 4000)
    assert np.array_equal(whole, np.concatenate([normals(5, 0, 7), normals(5, 7, 3993)]))
    assert abs(whole.mean()) < 4 / np.sqrt(4000)
    assert abs(whole.std() - 1.0) < 0.05


# --- search ----------------------------------------------------------------------------------------------------

SEARCH = "tune stones --bot search --generations 2 --games 6 --deals 1 --fresh 3 --playouts 3 --state state"


def test_the_fit_finds_the_odds_that_the_results_were_drawn_from() -> None:
    truth = np.array([0.8, -0.5, 0.0])
    x = normals(3, 0, 6000 * 3 * 3).reshape(6000, 3, 3)
    odds = np.exp(x @ truth)
    upto = (odds / odds.sum(axis=1, keepdims=True)).cumsum(axis=1)
    drawn = (deal_seed(4, np.arange(6000)) >> np.uint64(11)).astype(float) / 2.0**53
    credit = np.eye(3)[(drawn[:, None] > upto).sum(axis=1)]
    assert np.abs(fit(x, credit) - truth).max() < 0.08
    assert np.abs(fit(x * 100.0, credit) * 100.0 - truth).max() < 0.08


@pytest.mark.parametrize("late", [(0.8, -0.5), (-0.4, 1.0)], ids=["the same throughout", "another late"])
def test_values_are_found_that_change_in_the_course_of_a_game(late: tuple[float, float]) -> None:
    early, last = np.array([0.8, -0.5]), 10.0
    turn = np.arange(8000) % 12 * 1.0
    x = normals(5, 0, 8000 * 2 * 2).reshape(8000, 2, 2)
    share = np.minimum(turn / last, 1.0)[:, None, None]
    odds = np.exp((x * ((1 - share) * early + share * np.array(late))).sum(axis=2))
    drawn = (deal_seed(6, np.arange(8000)) >> np.uint64(11)).astype(float) / 2.0**53
    credit = np.eye(2)[(drawn > odds[:, 0] / odds.sum(axis=1)).astype(int)]
    by_phase, whole = fitted(["room", "points"], x, credit, turn)
    assert by_phase["late"] == last
    assert (by_phase["scale"], whole["scale"], whole["late"]) == (1.0, 1.0, 0.0)
    assert list(by_phase["values"].values()) == pytest.approx(early, abs=0.15)
    assert list(by_phase["late_values"].values()) == pytest.approx(late, abs=0.15)
    assert list(whole["values"].values()) == pytest.approx((early + np.array(late)) / 2, abs=0.25)


def test_a_game_of_one_turn_has_no_phases() -> None:
    (only,) = fitted(["room"], np.ones((2, 2, 1)), np.full((2, 2), 0.5), np.zeros(2))
    assert only["late"] == 0.0


def test_positions_are_beginnings_of_turns_and_know_who_won(here: Any) -> None:
    here("GOOD")
    table = Table("stones", 2, {"at_most": 100})
    x, credit, turn, origin = positions(table, [("greedy", {})] * 2, 0, 4)
    assert origin.tolist() == [0, 1, 2, 3]  # the first takes all
    assert turn.tolist() == [0, 0, 0, 0]
    assert credit.tolist() == [[1.0, 0.0]] * 4
    assert (x[:, :, 0] == 0.0).all()
    assert (x[:, :, 1] >= 12).all()
    again, *_ = positions(table, [("greedy", {})] * 2, 2, 2)
    assert np.array_equal(again, x[2:])


def test_a_tuning_of_search_that_was_cut_off_ends_as_an_unbroken_one(
    here: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    here("GOOD")
    code, whole, news = whimbrel(f"{SEARCH} --json", capsys)
    assert code == (0 if json.loads(whole)["better"] else 1)
    assert news.count("round ") == 2
    state = Path("state") / "rounds.jsonl"
    rows = state.read_text().splitlines(keepends=True)
    state.write_text(rows[0] + rows[1][:9])
    _, again, news = whimbrel(f"{SEARCH} --json", capsys)
    assert news.count("round ") == 1
    assert json.loads(again) == json.loads(whole)
    assert state.read_text() == "".join(rows)


def test_options_are_tried_with_the_new_values_and_with_those_of_the_best_so_far(here: Any) -> None:
    here("GOOD")
    usual = {"horizon": 2, "exploration": 0.5, "prior": 1.0, "epsilon": 0.1, "width": 24, "even": False}
    best = {**usual, "scale": 2.0, "values": {"took": 1.0}}
    new = [{"values": {"took": value}, "scale": 1.0} for value in (0.5, 0.25)]
    racers = candidates_of(Table("stones", 2, {"at_most": 100}), Plan(candidates=9), best, new, 0)
    assert racers[:2] == [{**best, **values} for values in new]
    told = [(racer["values"]["took"], racer["scale"]) for racer in racers]
    assert [told.count(one) for one in ((0.5, 1.0), (0.25, 1.0), (1.0, 2.0))] == [3, 3, 3]
    assert len({tuple(racer[name] for name in usual) for racer in racers[2:]}) > 4


def test_search_judges_by_late_values_as_the_turns_go_by(here: Any) -> None:
    here("GOOD")
    table = Table("stones", 2, {"at_most": 3})
    likes, dislikes = ({"took": sign, "heap": 0.1 * sign} for sign in (1.0, -1.0))

    def played(options: dict[str, Any]) -> list[list[int]]:
        bot = ("search", {"playouts": 12, "horizon": 1, "epsilon": 0.0, **options})
        cell = table.cell_of([bot, bot])
        return [[int(s.action) for s in replay(table.game, cell, deal, [0, 1])[:-1]] for deal in range(6)]

    once = played({"values": likes})
    assert played({"values": dislikes}) != once
    assert played({"values": likes, "late_values": likes, "late": 4.0}) == once
    assert played({"values": dislikes, "late_values": likes, "late": 1e-9}) == once, (
        "late from the first turn on"
    )
    assert played({"values": likes, "late_values": dislikes, "late": 1e6}) == once, "late never comes"
    assert played({"values": likes, "late_values": dislikes, "late": 2.0}) != once


def test_a_race_keeps_the_bot_that_wins_and_the_champion_if_none_does(here: Any) -> None:
    here("BAD")  # greedy takes one stone
    table = Table("stones", 2, {"at_most": 100})
    plan = Plan(deals=2, playouts=24)
    dull = {"width": 1, "horizon": 0}
    keen = {"width": 24, "widen": 100.0, "horizon": 0}
    lines: list[str] = []
    assert race(table, plan, [dull, keen], dull, 0, lines.append) is keen
    assert len(lines) == 2
    assert race(table, plan, [dull, {**dull, "horizon": 1}], keen, 0, lines.append) is keen
