"""Reading experiments: what is understood, and what is refused with one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from sim.batch.experiment import read_experiment
from sim.batch.plan import make_plan
from sim.batch.toml_text import to_toml
from sim.core.errors import Refusal

FULL = """\
name = "full"
question = "Is it fair?"
game = "numbers"
games = 30
seed = 7

[parameters]
bans = "random 1"
set_counts.Ant = 2

[vary]
map = ["plain", "drawn"]
"players.count" = [2, 3]

[[variant]]
name = "old"

[[variant]]
name = "new"
worth = 2
"set_counts.Big Cow" = 1

[[player]]
name = "rush"
bot = "greedy:jitter=0.1"
deck = "heavy"

[decks]
heavy = { BigCow = 3, Ant = 1 }

[judge]
seat = 0.03
"piece.Ant" = [0.01, 0.05]
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "e.toml"
    path.write_text(text)
    return path


def test_full_experiment(tmp_path: Path) -> None:
    plan = make_plan(read_experiment(written(tmp_path, FULL)))
    assert [spec.describe() for spec in plan.specs][:3] == [
        "variant = old, map = plain, players.count = 2",
        "variant = old, map = plain, players.count = 3",
        "variant = old, map = drawn, players.count = 2",
    ]
    assert len(plan.cells) == 8
    assert plan.cells[0].parameters["set_counts.Ant"] == 2
    assert plan.cells[-1].parameters["set_counts.Big Cow"] == 1
    assert plan.experiment.decks == {"heavy": {"Big Cow": 3, "Ant": 1}}
    assert plan.experiment.judge == {
        "seat": 0.03,
        "piece": 0.03,
        "even": "seats+pieces",
        "pieces": {"Ant": [0.01, 0.05]},
    }
    assert plan.bots == ["greedy:jitter=0.1"]
    assert plan.factors == ["variant", "map", "players.count", "worth", "set_counts.Big Cow"]


def test_canonical_form_reads_back_as_the_same_experiment(tmp_path: Path) -> None:
    first = read_experiment(written(tmp_path, FULL))
    again = read_experiment(first.canonical(), base=tmp_path)
    as_text = read_experiment(written(tmp_path, to_toml({"games": 5, **first.canonical()})))
    assert first.canonical() == again.canonical() == as_text.canonical()
    assert first.hash() == again.hash() == as_text.hash()


def test_hash_follows_rows_only(tmp_path: Path) -> None:
    first = read_experiment(written(tmp_path, FULL))
    words = read_experiment(
        written(tmp_path, FULL.replace("Is it fair?", "Really?").replace("seat = 0.03", "seat = 0.1"))
    )
    more = read_experiment(written(tmp_path, FULL), games=9999)
    other = read_experiment(written(tmp_path, FULL.replace("worth = 2", "worth = 3")))
    assert first.hash() == words.hash() == more.hash()
    assert first.hash() != other.hash()


def test_a_map_files_text_is_part_of_the_experiment(tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "mine.toml").write_text("x = 1\n")
    path = written(tmp_path, 'game = "numbers"\n[parameters]\nmap = "maps/mine.toml"\n')
    first = read_experiment(path)
    assert first.files == {"mine.toml": "x = 1\n"}
    assert first.canonical()["parameters"]["map"] == "mine.toml"
    (tmp_path / "maps" / "mine.toml").write_text("x = 2\n")
    assert read_experiment(path).hash() != first.hash()


HEAD = 'game = "numbers"\n'
TWO_DECKS = "[decks]\na = { Ant = 4 }\nb = { Bee = 4 }\n"
BAD = [
    ("name = 'x'", "e.toml: 'game' is missing", ""),
    ('game = "numbrs"', "line 1: there is no game 'numbrs'", "did you mean 'numbers'"),
    (HEAD + "gmaes = 4", "line 2: unknown key 'gmaes'", "'games'"),
    (HEAD + "worth = 4", "line 2: unknown key 'worth'", "stands under [parameters]"),
    (HEAD + "games = 0", "line 2: 'games' must be at least 1, not 0", ""),
    (HEAD + "games = -3", "line 2", "at least 1"),
    (HEAD + "games = 2.5", "line 2: 'games' must be a whole number", "2.5"),
    (HEAD + 'games = "many"', "line 2: 'games' must be a whole number", "many"),
    (HEAD + "games = true", "line 2: 'games' must be a whole number", ""),
    (HEAD + "seed = -1", "line 2: 'seed'", "at least 0"),
    (HEAD + 'log = "piece"', "line 2: 'log' must be one of", "did you mean 'pieces'"),
    (HEAD + 'log = "none"', "line 2: log 'none'", "bench"),
    (HEAD + 'design = "gird"', "line 2", "did you mean 'grid'"),
    (HEAD + 'design = "sample"', "line 2", "go together"),
    (HEAD + "cells = 4", "line 2", "go together"),
    (HEAD + "series = 1", "line 2: 'series' must be true or false", ""),
    (
        HEAD + '[parameters]\nteams = "bot:plian"',
        "line 3: teams: no team builder 'plian'",
        "did you mean 'plain'",
    ),
    (HEAD + '[[player]]\nname = "x"\ndeck = "bots"', "line 4: there is no deck 'bots'", ""),
    (HEAD + "[decks]\nbot = { Ant = 4 }", "line 3: a deck may not be called 'bot'", ""),
    (HEAD + '[vary]\nbans = "every"', "line 3: 'bans' in [vary] needs a list", ""),
    (HEAD + '[vary]\nworth = "every 3"', "line 3: 'worth' in [vary] needs a list", ""),
    (HEAD + "share_deals = 1", "line 2: 'share_deals' must be true or false", ""),
    (HEAD + 'name = "a/b"', "line 2: 'name'", "no slashes"),
    (HEAD + "seed = 1\nseed = 2", "line 3: 'seed' is already set in line 2", ""),
    (HEAD + "seed = ", "line 2: this is not valid TOML", ""),
    (
        HEAD + "[parameters]\nwroth = 3",
        "line 3: 'wroth' is not a parameter of numbers",
        "did you mean 'worth'",
    ),
    (HEAD + '[parameters]\nworth = "3"', "line 3", "worth"),
    (HEAD + "[parameters]\nworth = 30", "line 3", "worth"),
    (HEAD + '[parameters]\nmap = "plane"', "line 3: unknown map 'plane'", "did you mean 'plain'"),
    (HEAD + '[parameters]\npace = "quick"', "line 3", "pace"),
    (HEAD + '[parameters]\nbans = ["Ent"]', "line 3", "did you mean 'Ant'"),
    (HEAD + '[parameters]\nbans = ["Ant", "Bee", "Big Cow"]', "line 3", "leave no legal team"),
    (HEAD + "[parameters]\nset_counts.Bea = 3", "line 3: 'Bea' is not in 'set_counts'", "did you mean 'Bee'"),
    (HEAD + "[parameters]\nset_counts = 3", "line 3: 'set_counts' is a table", ""),
    (HEAD + "parameters = 3", "line 2: 'parameters' must be a table", ""),
    (
        HEAD + "[parameters]\nworth = 1\n[vary]\nworth = [1, 2]",
        "line 5: 'worth' is set in [parameters] and in [vary]",
        "",
    ),
    (
        HEAD + '[parameters]\n"set_counts.Bee" = 1\n[[variant]]\nname = "v"\nset_counts.Bee = 2',
        "line 6: 'set_counts.Bee' is set in [parameters] and in [[variant]]",
        "",
    ),
    (
        HEAD + '[players]\ncount = 2\n[vary]\n"players.count" = [2, 3]',
        "line 5: 'players.count' is set in",
        "[players]",
    ),
    (
        HEAD + '[[player]]\nname = "x"\nbot = "random"\n[vary]\n"player.x.bot" = ["random"]',
        "line 6",
        "[[player]] and in [vary]",
    ),
    (HEAD + "[vary]\nworth = 3", "line 3: 'worth' in [vary] needs a list", ""),
    (HEAD + "[vary]\nworth = []", "line 3: 'worth' in [vary] needs a list", ""),
    (HEAD + "[vary]\nworth = [1, 1]", "line 3", "twice"),
    (HEAD + "[vary]\nworht = [1, 2]", "line 3", "did you mean 'worth'"),
    (HEAD + '[vary]\n"judge.seat" = [0.1, 0.2]', "line 3: 'judge.seat' is one for the whole experiment", ""),
    (HEAD + "[[variant]]\nworth = 3", "line 2: a [[variant]] needs a name", ""),
    (HEAD + '[[variant]]\nname = "a"\n[[variant]]\nname = "a"', "line 5: two variants are called 'a'", ""),
    (HEAD + '[[variant]]\nname = "a"\nwort = 2', "line 4", "did you mean 'worth'"),
    (HEAD + "[players]\ncount = 5", "line 3: 'players.count' is 5; numbers is for 2 to 4 players", ""),
    (HEAD + "[players]\ncount = 1", "line 3: 'players.count' is 1", ""),
    (HEAD + '[players]\ncount = "two"', "line 3: 'players.count' must be a whole number", ""),
    (HEAD + "[players]\nnumber = 2", "line 3: unknown key 'players.number'", ""),
    (HEAD + '[players]\nbots = ["gredy"]', "line 3: there is no bot 'gredy'", "did you mean 'greedy'"),
    (HEAD + '[players]\nbots = ["greedy:"]\n', "", ""),
    (HEAD + '[players]\nbots = ["greedy:jitter"]\n', "line 3", "greedy:key=value"),
    (HEAD + '[players]\nbots = ["greedy", "random", "random"]', "line 3: 3 bots for 2 players", ""),
    (HEAD + '[players]\nbots = ["greedy:jiter=1"]', "line 3: bot 'greedy' has no option 'jiter'", "'jitter'"),
    (HEAD + '[players]\nbots = ["greedy:jitter=9"]', "line 3: bot 'greedy': jitter = 9", "between"),
    (HEAD + '[[player]]\nname = "a"\noptions.jiter = 1', "line 4: bot 'greedy' has no option 'jiter'", ""),
    (HEAD + "[players]\nbots = [3]", "line 3: 'players.bots' must be a list of bots", ""),
    (HEAD + '[players]\nbots = ["greedy"]\n[[player]]\nname = "a"', "line 3: bots are set in", ""),
    (HEAD + '[[player]]\nbot = "greedy"', "line 2: a [[player]] needs a name", ""),
    (
        HEAD + '[[player]]\nname = "a"\nbott = "greedy"',
        "line 4: player 'a': unknown key 'bott'",
        "did you mean 'bot'",
    ),
    (
        HEAD + '[[player]]\nname = "a"\ndeck = "b"\n' + TWO_DECKS.replace("b =", "bb ="),
        "line 4: there is no deck 'b'",
        "",
    ),
    (HEAD + '[[player]]\nname = "a"\nbans = ["Aunt"]', "line 4", "did you mean 'Ant'"),
    (HEAD + '[[player]]\nname = "a"\nbans = "Ant"', "line 4: a player's bans are a list", ""),
    (HEAD + '[[player]]\nname = "a"\n[[player]]\nname = "a"', "line 5: two players are called 'a'", ""),
    (
        HEAD + '[players]\ncount = 3\n[[player]]\nname = "a"\n[[player]]\nname = "b"',
        "line 3: 3 players, but 2",
        "",
    ),
    (HEAD + '[[player]]\nname = "a"\ndeck = "every deck"', "'every deck' needs [decks]", ""),
    (HEAD + '[vary]\n"player.z.bot" = ["random", "greedy"]', "line 3", "there is no player 'z'"),
    (HEAD + "[decks]\na = { Aunt = 3 }", "line 3: deck 'a': there is no piece 'Aunt'", "did you mean 'Ant'"),
    (HEAD + "[decks]\na = { Ant = -3 }", "line 3: deck 'a': Ant must be a number of at least 0", ""),
    (HEAD + "[decks]\na = {}", "line 3: deck 'a' must be a table", ""),
    (HEAD + "[decks]\na = { Ant = 0 }", "line 3: deck 'a' is empty", ""),
    (HEAD + '[decks]\na = "nowhere.toml"', "cannot read", "No such file"),
    (HEAD + '[parameters]\nteams = "c"\n' + TWO_DECKS, "line 3: there is no deck 'c'", ""),
    (HEAD + "[pace]\ntern = 20", "line 3: unknown key 'pace.tern'", "did you mean 'turn'"),
    (HEAD + "[pace]\nput = -1", "line 3: 'pace.put' must be a number of seconds", ""),
    (HEAD + "[judge]\nseat = 2", "line 3: 'judge.seat' must be a win share", ""),
    (HEAD + '[judge]\n"piece.Aunt" = [0.1, 0.2]', "line 3", "did you mean 'Ant'"),
    (HEAD + '[judge]\n"piece.Ant" = [0.3, 0.2]', "line 3: 'judge.piece.Ant' must be two win shares", ""),
    (HEAD + '[judge]\neven = "seat"', "line 3", "did you mean 'seats'"),
    (HEAD + "[judge]\nseats = 0.1", "line 3: unknown key 'judge.seats'", "did you mean 'seat'"),
    (
        HEAD + '[players]\ncount = 3\n[vary]\nmap = ["plain", "narrow"]',
        "line 5: map 'narrow': no drawing for 3 players (has 2) (in the cell with map = narrow)",
        "",
    ),
    (HEAD + '[parameters]\nmap = "mine.toml"', "line 3: map file mine.toml: no such file", ""),
    (
        HEAD + 'skip_impossible = true\n[vary]\nmap = ["plain", "plian"]',
        "line 4: unknown map 'plian'",
        "possible in no cell",
    ),
]


@pytest.mark.parametrize(
    ("text", "start", "hint"), BAD, ids=[f"{i}-{b[0][-24:]!r}" for i, b in enumerate(BAD)]
)
def test_refused_with_one_line(tmp_path: Path, text: str, start: str, hint: str) -> None:
    if not start and not hint:
        make_plan(read_experiment(written(tmp_path, text)))
        return
    with pytest.raises(Refusal) as caught:
        make_plan(read_experiment(written(tmp_path, text)))
    message = str(caught.value)
    assert "\n" not in message
    assert start in message
    assert hint in message
    assert message.startswith("e.toml") or "cannot read" in message or start.startswith("line 1")


def test_impossible_cells_are_left_out_and_listed() -> None:
    data = {
        "game": "numbers",
        "vary": {"map": ["plain", "narrow"], "players.count": [2, 3]},
        "skip_impossible": True,
    }
    plan = make_plan(read_experiment(data))
    assert [(s.index, s.describe()) for s in plan.specs] == [
        (0, "map = plain, players.count = 2"),
        (1, "map = plain, players.count = 3"),
        (2, "map = narrow, players.count = 2"),
    ]
    assert plan.skipped == (
        ("map = narrow, players.count = 3", "map 'narrow': no drawing for 3 players (has 2)"),
    )


def test_names_of_experiments() -> None:
    for name, message in (
        ("quickstrat", "did you mean 'quickstart'"),
        ("no.toml", "no file"),
        (".", "is a folder"),
    ):
        with pytest.raises(Refusal, match=message):
            read_experiment(name)


def test_pace_is_kept_and_changes_no_row() -> None:
    plain = read_experiment({"game": "numbers"})
    paced = read_experiment({"game": "numbers", "pace": {"turn": 20, "put": 3}})
    assert paced.pace == {"turn": 20.0, "put": 3.0}
    assert plain.hash() == paced.hash()
    assert read_experiment(paced.canonical()).pace == paced.pace
    assert "pace" not in plain.canonical()
