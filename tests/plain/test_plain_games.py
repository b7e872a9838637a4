"""A plain game is a game like any other: cells, bots, logs, replays, reports; its mistakes are told in one line."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sim.batch.experiment import read_experiment
from sim.batch.replay import replay
from sim.batch.runner import run
from sim.batch.verify import verify
from sim.checks.blind import check_blind
from sim.checks.table import Report, make_cell
from sim.core.errors import Refusal
from sim.core.game import Entrant, get_game

DUEL = Path(__file__).parent / "games" / "duel.py"


def _cell(game: Any) -> Any:
    return make_cell(game, ["greedy"], 2)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of the duel under two handicaps, played from a file."""
    data = {
        "name": "duel",
        "game": "./duel.py",
        "games": 200,
        "seed": 3,
        "log": "decisions",
        "players": {"bots": ["greedy"]},
        "vary": {"handicap": [0, 6]},
    }
    out = tmp_path_factory.mktemp("runs") / "duel"
    return run(read_experiment(data, base=DUEL.parent), out, jobs=1).folder


def test_it_answers_which_handicap_is_even_and_which_card_is_strong(played: Path) -> None:
    import analysis

    d = analysis.load(played)
    seats = d.seats.filter(pl.col("seat") == 0).group_by("cell").agg(pl.col("win_share").mean()).collect()
    even, uneven = (seats.filter(pl.col("cell") == cell)["win_share"][0] for cell in (0, 1))
    assert even > 0.5 > uneven
    strength = analysis.piece_strength(d, by="handicap")
    effect = {row["piece"]: row["estimate"] for row in strength.iter_rows(named=True) if row["handicap"] == 0}
    assert max(effect, key=lambda name: effect[name]) == "Queen"
    assert effect["Queen"] > 0.05 > -0.05 > effect["Spy"]


def test_its_games_are_played_again_from_the_copy_in_the_data_set(played: Path) -> None:
    assert (played / "inputs" / "duel.py").read_text() == DUEL.read_text()
    assert str(DUEL.parent) not in (played / "manifest.json").read_text()
    verify(played)
    steps = replay(played, 0)
    rows = pl.read_parquet(played / "decisions" / "*.parquet").filter(pl.col("game_id") == 0).sort("ply")
    assert rows["piece"].to_list() == [p.action for p in steps if len(p.legal) > 1]
    assert "A " in "".join(str(p.came) for p in steps)


def test_a_position_is_told_by_seat_with_the_points_as_they_count(tmp_path: Path) -> None:
    game = _race(tmp_path, players="def scores(self, t): return [p * 10 for p in t.points]")
    position = game.begin(_cell(game).rules[0], _cell(game).entrants, [0, 1], np.uint64(5))
    after = position.after(position.codes()[0]).resolved(np.ones(1, dtype=np.uint64))
    first = after.table.points[0]
    assert first > 0
    assert after.game.text(after.table).splitlines() == [f"points: A {first * 10} | B 0", "now: 0", "left: 5"]


def test_lines_of_play_are_told_apart_by_their_deals(played: Path) -> None:
    games = pl.read_parquet(played / "games" / "*.parquet").filter(pl.col("cell") == 0)
    assert games["line"].n_unique() == games.height


def test_no_bot_sees_a_secret_choice_or_a_hand_that_is_not_its_own() -> None:
    game = get_game(str(DUEL))
    bots: list[Any] = [("greedy", {}), ("flat", {"playouts": 8}), ("search", {"playouts": 8})]
    report = Report()
    check_blind(game, _cell(game), bots, range(1, 5), report)
    assert report.redrawn > 10


def test_a_deck_moves_with_its_player(tmp_path: Path) -> None:
    """Each draws from what it brought, what is redrawn of it stays with it, and no piece is there by chance."""
    data = {
        "name": "decks",
        "game": str(DUEL),
        "games": 20,
        "player": [{"name": "queens", "deck": "queens"}, {"name": "pawns", "deck": "pawns"}],
        "decks": {"queens": {"Queen": 8, "Spy": 1}, "pawns": {"Pawn": 8, "Knight": 1}},
    }
    folder = run(read_experiment(data), tmp_path / "decks", jobs=1).folder
    seats = pl.read_parquet(folder / "seats" / "*.parquet")
    assert set(seats.filter(pl.col("player") == 0)["seat"]) == {0, 1}
    assert seats.filter(pl.col("deck") == "queens")["win_share"].mean() > 0.9
    assert json.loads((folder / "manifest.json").read_text())["lever"] is None
    step = replay(folder, 0)[0].step
    world = step.state["world"].guessed(0, np.ones(1, dtype=np.uint64)).table
    assert set(world.hands[1]) | set(world.deck[1]) <= {"Pawn", "Knight"}


def test_greedy_goes_by_the_game_s_own_value() -> None:
    game = get_game(str(DUEL))
    position = game.begin(_cell(game).rules[0], _cell(game).entrants, [0, 1], np.uint64(5))
    seen = np.zeros(32)
    values = {}
    for code in position.codes():
        position.after(code).look(0, seen)
        values[position.action(code)] = seen[0]
    strength = game.kind.strength
    assert max(values, key=lambda card: values[card]) == max(values, key=lambda card: strength[card])


BASE = """
from sim.plain import Parameter, PlainGame

class Race(PlainGame):
    '''Who rolls most.'''
    {players}
    rolls = Parameter(3, "rolls of each", low=1, high=9)

    def setup(self, t):
        {setup}

    def actions(self, t, seat):
        return ["roll", "wait"]

    def apply(self, t, seat, action):
        {apply}

    def chance(self, t):
        t.points[t.now] += t.luck.roll()
        {chance}
"""
PARTS = {
    "players": "players = (2, 4)",
    "setup": "t.now, t.left = 0, self.rolls * t.players",
    "apply": "t.now, t.left = seat, t.left - 1; t.ask_chance()",
    "chance": "t.end() if t.left == 0 else None",
}


def _race(folder: Path, **parts: str) -> Any:
    path = folder / f"race_{len(list(folder.iterdir()))}.py"
    path.write_text(textwrap.dedent(BASE.format(**{**PARTS, **parts})))
    return get_game(str(path))


def test_a_game_of_dice_for_several_numbers_of_players(tmp_path: Path) -> None:
    game = _race(tmp_path)
    data = {
        "name": "race",
        "game": game.place,
        "games": 30,
        "players": {"bots": ["random"]},
        "vary": {"players.count": [2, 4], "rolls": [1, 2]},
    }
    folder = run(read_experiment(data), tmp_path / "race", jobs=1).folder
    games = pl.read_parquet(folder / "games" / "*.parquet").sort("game_id")
    assert games.group_by("cell").agg(pl.col("turns").max()).sort("cell")["turns"].to_list() == [2, 4, 4, 8]
    assert set(games["ended"]) == {"finished"}


def test_parameters_of_every_kind_reach_the_game(tmp_path: Path) -> None:
    kinds = """size = Parameter(0.5, "how large", low=0, high=2)
    pace = Parameter("slow", "how fast", choices=("slow", "quick"))
    open = Parameter(False, "whether all is seen")"""
    game = _race(tmp_path, players=kinds)
    cell = game.prepare(
        {"size": 1.5, "pace": "quick", "open": True, "rolls": 2}, 2, [Entrant("a", "random")] * 2
    )
    found, players = game.bound(cell.rules[0])
    assert (found.size, found.pace, found.open, found.rolls, players) == (1.5, "quick", True, 2, 2)
    assert [row["range"] for row in game.card()["parameters"]] == [
        [0, 2],
        ["slow", "quick"],
        [False, True],
        [1, 9],
    ]
    for wrong, text in (
        ({"pace": "quik"}, "did you mean 'quick'"),
        ({"size": 3.0}, "less than or equal to 2"),
    ):
        with pytest.raises(Refusal, match=text):
            game.prepare(wrong, 2, [])


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({"players": "players = 1"}, "solo games are not for Whimbrel"),
        ({"chance": "t.points = [t.luck.roll()] * t.players; t.end()"}, "co-operative game"),
        ({"apply": "t.left -= t.luck.roll()"}, "a choice never draws"),
        ({"apply": "t.left -= t.nothing"}, r"apply raised race_\d+.py, line 16: AttributeError: .*'nothing'"),
        (
            {"players": "most_actions = Parameter(3, 'of each')"},
            "a parameter cannot be called 'most_actions'",
        ),
        ({"setup": "t.ask(7)"}, r"setup: .*ask\(7\): seats are numbered 0 to"),
        ({"players": "hidden = {'hand': 'ownr'}"}, "did you mean 'owner'"),
        ({"players": "valeu = 2"}, "nothing asks for 'valeu'; did you mean 'value'"),
        ({"players": "def scores(self, t): t.left += 1; return t.points"}, "changed the table"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, parts: dict[str, str], text: str) -> None:
    with pytest.raises(Refusal, match=text):
        _cell(_race(tmp_path, **parts))


def test_a_place_without_a_game_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "two.py").write_text("from sim.plain import PlainGame\n")
    with pytest.raises(Refusal, match=r"there is no file or folder './twoo.py'; did you mean 'two.py'"):
        get_game("./twoo.py", tmp_path)
    with pytest.raises(Refusal, match=r"neither a pyproject.toml"):
        get_game("./mine", tmp_path)
    with pytest.raises(Refusal, match=r"neither a class after sim.plain.PlainGame nor an object GAME"):
        get_game("./two.py", tmp_path)
