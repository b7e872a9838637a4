"""`[ask]`: what may be asked, what is refused, and that the questions follow from it, or from what was varied."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analysis.data.questions import Question, questions
from sim.batch.experiment import Experiment, read_experiment
from sim.batch.manifest import cells_frame, check_same, make_manifest
from sim.batch.plan import make_plan
from sim.batch.stand_ins import over_stand_ins
from sim.batch.toml_text import to_toml
from sim.core.errors import Refusal

HEAD = """\
name = "asked"
game = "numbers"
parameters.teams = "random"
parameters.bans = "random 1"
"""
TWO = '[[variant]]\nname = "v1.3"\n[[variant]]\nname = "v1.4"\nworth = 2\n'
MAPS = '[vary]\nmap = ["plain", "drawn"]\nworth = [1, 2]\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "e.toml"
    path.write_text(text)
    return path


def asked(experiment: Experiment) -> tuple[Question, ...]:
    plan = make_plan(experiment)
    targets = plan.targets(experiment.games)
    return questions(make_manifest(plan, targets), cells_frame(plan, targets))


def test_several_things_at_once_in_their_order(tmp_path: Path) -> None:
    text = (
        HEAD
        + TWO
        + '[ask]\nlength = true\npiece = "BigCow"\ncompare = ["v1.4", "v1.3"]\nseats = true\nbans = "most even"\n'
    )
    read = read_experiment(written(tmp_path, text))
    assert list(read.ask) == ["length", "piece", "compare", "seats", "bans"]
    assert read.ask["piece"] == ["Big Cow"]
    found = asked(read)
    assert [(q.what, q.about) for q in found] == [
        ("length", ()),
        ("pieces", ("Big Cow",)),
        ("seats", ()),
        ("bans", ("most even",)),
    ]
    assert all(q.asked and q.across[0].levels == ("v1.4", "v1.3") for q in found)
    assert found[0].across[0].base == "v1.4"


@pytest.mark.parametrize(
    ("ask", "want"),
    [
        ('compare = "map"', {"map": ["plain", "drawn"]}),
        ('compare = ["drawn", "plain"]', {"map": ["drawn", "plain"]}),
        ("compare = { worth = [2, 1] }", {"worth": [2, 1]}),
        ("compare = [2, 1]", {"worth": [2, 1]}),
        (
            'compare = { map = ["plain", "drawn"], worth = [1, 2] }',
            {"map": ["plain", "drawn"], "worth": [1, 2]},
        ),
    ],
)
def test_levels_are_found_where_they_are_varied(ask: str, want: dict[str, Any], tmp_path: Path) -> None:
    read = read_experiment(written(tmp_path, f"{HEAD}{MAPS}[ask]\n{ask}\n"))
    assert read.ask["compare"] == want
    first = asked(read)[0]
    assert {one.factor: list(one.levels) for one in first.across} == {
        name: [str(level) for level in levels] for name, levels in want.items()
    }
    assert set(first.apart) == {"map", "worth"} - set(want)


def test_what_is_asked_reads_back_and_changes_no_row(tmp_path: Path) -> None:
    text = HEAD + MAPS + '[ask]\npiece = ["Ant", "Big Cow"]\ncompare = { map = ["drawn", "plain"] }\n'
    read, plain = (read_experiment(written(tmp_path, part)) for part in (text, HEAD + MAPS))
    again = read_experiment(read.canonical())
    assert again.ask == read.ask
    assert read_experiment(written(tmp_path, to_toml({"name": "asked", **read.canonical()}))).ask == read.ask
    assert read.hash() == plain.hash()
    assert "ask" not in plain.canonical()
    plan = make_plan(read)
    check_same(tmp_path, make_manifest(make_plan(plain), (30,)), plan)  # a data set may be asked anew
    assert make_manifest(plan, (30,))["experiment"]["ask"] == read.ask


BAD = [
    ("seat = true", "line 9: unknown key 'ask.seat'", "did you mean 'seats'"),
    ("seats = false", "line 9: 'ask.seats' is asked by true", ""),
    ("seats = 1", "line 9: 'ask.seats' is asked by true", ""),
    ('piece = "Aunt"', "line 9: 'ask.piece': there is no piece 'Aunt'", "did you mean 'Ant'"),
    ("piece = []", "line 9: 'ask.piece' must be a piece", ""),
    ('piece = ["Ant", "ant"]', "names Ant twice", ""),
    ('compare = ["plain", "drwan"]', "no level is called 'drwan'", "did you mean 'drawn'"),
    ('compare = ["plain", 2]', "are not levels of one thing", "compare = {"),
    ('compare = "mapp"', "line 9: 'ask.compare' must be what is varied", "did you mean 'map'"),
    ('compare = ["plain"]', "needs two levels of map", ""),
    ('compare = ["plain", "plain"]', "names the level plain twice", ""),
    ("compare = { wort = [1, 2] }", "'wort' is not varied", "did you mean 'worth'"),
    ("compare = { worth = [1, 3] }", "worth has no level '3'", ""),
    ("compare = 3", "must be what is varied", ""),
    ('bans = "most evn"', "line 9: 'ask.bans' must be", "did you mean 'most even'"),
    ("drafts = true", "line 9: 'ask.drafts': no cell has a draft", ""),
    ("drawn = true", "line 9: 'ask.drawn': no level", ""),
    ("players = true", "line 9: 'ask.players': all players are alike", ""),
]


@pytest.mark.parametrize(("ask", "start", "hint"), BAD, ids=[b[0] for b in BAD])
def test_refused_with_one_line(ask: str, start: str, hint: str, tmp_path: Path) -> None:
    text = f"{HEAD}{MAPS}[ask]\n{ask}\n"
    assert text.splitlines()[8] == ask
    with pytest.raises(Refusal) as caught:
        make_plan(read_experiment(written(tmp_path, text)))
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("e.toml, line ")
    assert start in message
    assert hint in message


def test_a_comparison_needs_something_that_is_compared(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=r"line 6: 'ask\.compare': nothing is compared"):
        read_experiment(written(tmp_path, HEAD + '[ask]\ncompare = ["v1.3", "v1.4"]\n'))
    with pytest.raises(Refusal, match=r"no bans are drawn or varied"):
        make_plan(read_experiment({"game": "numbers", "ask": {"bans": "each"}}))
    with pytest.raises(Refusal, match=r"log = \"pieces\" at least"):
        make_plan(
            read_experiment(
                {
                    "game": "numbers",
                    "log": "games",
                    "parameters": {"teams": "random"},
                    "ask": {"pieces": True},
                }
            )
        )
    with pytest.raises(Refusal, match=r"^'ask' must be a table"):
        read_experiment({"game": "numbers", "ask": True})


@pytest.mark.parametrize(
    ("text", "want"),
    [
        (HEAD, [("seats", 0), ("pieces", 0), ("bans", 0), ("length", 0)]),
        (HEAD + TWO, [("seats", 1), ("pieces", 1), ("bans", 1), ("length", 1)]),
        (HEAD + MAPS, [("seats", 2), ("pieces", 2), ("bans", 2), ("length", 2)]),
    ],
)
def test_without_it_the_questions_follow_from_what_was_varied(
    text: str, want: list[tuple[str, int]], tmp_path: Path
) -> None:
    found = asked(read_experiment(written(tmp_path, text)))
    assert [(q.what, len(q.across)) for q in found] == want
    assert not any(q.asked for q in found)


def test_bots_of_several_tiers_never_meet(tmp_path: Path) -> None:
    tiers = '[tiers]\nbots = ["random", "greedy"]\n'
    assert "players" not in [q.what for q in asked(read_experiment(written(tmp_path, HEAD + tiers)))]
    with pytest.raises(Refusal, match=r"all players are alike"):
        make_plan(read_experiment(written(tmp_path, f"{HEAD}{tiers}[ask]\nplayers = true\n")))
    meet = '[players]\nbots = ["random", "greedy"]\n'
    assert "players" in [q.what for q in asked(read_experiment(written(tmp_path, HEAD + meet)))]


def test_a_comparison_alone_asks_for_all_that_it_may_change(tmp_path: Path) -> None:
    read = read_experiment(written(tmp_path, HEAD + TWO + '[ask]\ncompare = ["v1.3", "v1.4"]\n'))
    assert [q.what for q in asked(read)] == ["seats", "pieces", "length"]


def test_over_stand_ins_compares_the_guesses_as_they_are() -> None:
    data = {
        "game": "migration",
        "parameters": {"teams": "random"},
        "variant": [{"name": "one"}, {"name": "two", "rats_points": 1}],
        "ask": {"compare": ["two", "one"]},
    }
    over, _ = over_stand_ins(read_experiment(data))
    assert over.ask["compare"] == {"variant": ["two, guesses as they are", "one, guesses as they are"]}
    assert read_experiment(over.canonical()).ask == over.ask
