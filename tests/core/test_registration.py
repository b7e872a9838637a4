"""Mistakes of a plug-in: one line when it is registered, with the nearest valid name; the other games go on."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.core import game as games
from sim.core.errors import Refusal
from tests.plug_ins import STONES, altered, install, whimbrel

_numbers = itertools.count(1)
Door = Callable[..., Any]


@pytest.fixture
def door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Door]:
    """Register a game of this text in this process, under a name (and a tag) of its own."""
    monkeypatch.syspath_prepend(str(tmp_path))
    made: list[str] = []

    def register(text: str) -> Any:
        name = f"heap{next(_numbers)}"
        made.append(name)
        text = text.replace('name = "stones"', f'name = "{name}"').replace(
            'state_type("stones"', f'state_type("{name}"'
        )
        install(tmp_path, {name: text})
        games._installed.cache_clear()
        return games.get_game(name)

    yield register
    games._installed.cache_clear()
    for name in made:
        sys.modules.pop(name, None)


def test_a_whole_game_is_registered(door: Door) -> None:
    assert door(STONES).title == "Stones"


LEGAL = '@implements("legal", State)'
MISTAKES = [
    (LEGAL, '@implements("leagl", State)', r"heap\d+.py, line \d+: there is no verb 'leagl'; did you mean 'legal'"),
    (LEGAL, "", r"no function implements the verb 'legal' \(@implements\(\"legal\", State\)\)"),
    ('@implements("drawn", State)', '@implements("dravn", State)', "no verb 'dravn'; did you mean 'drawn'"),
    # verbs with a default: nothing else would ask for them
    (LEGAL, f'@implements("mertit", State)\ndef m(rules, state, seat, points):\n    return points\n\n\n{LEGAL}',
     "there is no verb 'mertit'; did you mean 'merit'"),
    ("def legal(rules, state, out):", "def legal(rules, state):",
     r"'legal' takes \(rules, state, out\), not \(rules, state\)"),
    ("def resolve(rules, state, stream):", "def resolve(rules, state, stream, more):", "'resolve' takes"),
    (LEGAL, '@implements("apply", State)\ndef other(rules, state, action):\n    return\n\n\n' + LEGAL,
     "'apply' is already implemented by other"),
    ('state_type("stones", [', "record_type([", "'setup': this record is no game state: it has no field 'game_"),
    ('state_type("stones", [', 'record_type([("game_stones_1a2b3c4d", np.int32), ',
     "'setup': the state was not made by sim.core.records.state_type"),
    ("    State = State", "    State = Rules", "its `State` is no record that sim.core.records.state_type made"),
    ('("heap", np.int32)', '("turn", np.int8), ("heap", np.int32)', "'turn': every state has it"),
    ('("heap", np.int32)', '("size", np.int32)', r"heap\d+.py, line \d+: record field 'size': NumPy's"),
    ("    state.heap -= action", "    state.haep -= action",
     r"heap\d+.py, line \d+: state has no field 'haep'; did you mean 'heap'"),
    ("    state.took[state.seat] += action", "    state.xyz[state.seat] += action", "state has no field 'xyz'"),
    ("range(1, min(rules.at_most, state.heap) + 1)", "range(1, min(rules.at_moost, state.heap) + 1)",
     r"heap\d+.py, line \d+: rules has no field 'at_moost'; did you mean 'at_most'"),
    (LEGAL, f"@kernel\ndef more(state):\n    return state.tooky[0]\n\n\n{LEGAL}",
     r"heap\d+.py, line \d+: state has no field 'tooky'; did you mean 'took'"),
    ("    at_most: int", "    value: int = Field(1)\n    at_most: int",
     "parameter 'value': tables of results have a column of that name; call it 'the_value', say"),
    ("    max_actions = 100", "    max_action = 100", "no attribute 'max_actions'; did you mean 'max_action'"),
    ('    about = "Take', '    abuot = "Take', "Stones has no attribute 'about'; did you mean 'abuot'"),
    ('@implements("features", State)', "", "names features, but does not implement the verb 'features'"),
    ('    features = ("took", "heap")', "", "names no features, but implements the verb 'features'"),
    ('@implements("tally", State)', "", "it has pieces, but no function implements the verb 'tally'"),
    ("    max_actions = 100", "    max_actions = 0", "max_actions and most_plies must be at least 1"),
    ("    needs_jitter = True", "    needs_jitter = True\n    most_draftd = 3",
     "nothing asks for the attribute 'most_draftd'; did you mean 'most_drafted'"),
    ("    def check_cases(self, path):", "    def expnad(self, name, value):\n        return None\n\n"
     "    def check_cases(self, path):", "nothing asks for the attribute 'expnad'; did you mean 'expand'"),
    ("    def check_cases(", "    def check_case(",
     "nothing asks for the attribute 'check_case'; did you mean 'check_cases'"),
    ("    def drawn_columns(", "    def drawn_colums(",
     "nothing asks for the attribute 'drawn_colums'; did you mean 'drawn_columns'"),
    ("    def action_text(", "    def action_txt(", "no method 'action_text'; did you mean 'action_txt'"),
    ("weights = (1.0, -0.1)", "weights = (1.0,)", "2 features, but 1 weights"),
    ('features = ("took", "heap")', 'features = ("took", "took")', "features has 'took' twice"),
    ('"heap": "stones left"', '"haep": "stones left"', "says nothing of 'heap'; did you mean 'haep'"),
    ('phases = ("resolve", "over", "take")', 'phases = ("take", "over")', "phases must begin with 'resolve'"),
    ("    max_players = 2", "    max_players = 9", "2 to 9 players; there may be 1 to 8"),
    ("    title = ", "    titel = ", "no attribute 'title'; did you mean 'titel'"),
    ('    name = "stones"', '    name = "pebbles"', "calls itself 'pebbles'"),
    ("GAME = Stones()", "GAME = Stones", r"Stones is a class; register one object of it \(Stones\(\)\)"),
    ("GAME = Stones()", "", "cannot be loaded: AttributeError: .*has no attribute 'GAME'"),
    ("GAME = Stones()", "GAME = 7", "int is no sim.core.game.Game"),
    ("TAKE = 2", "TAKE = 2 +", r"cannot be loaded: SyntaxError"),
    ("TAKE = 2", "raise SystemExit(5)", r"heap\d+.py, line \d+: SystemExit: 5"),
    ("TAKE = 2", "import nothing_of_that_name", r"heap\d+.py, line \d+: ModuleNotFoundError"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line"), MISTAKES)
def test_a_mistake_is_one_line(door: Door, old: str, new: str, line: str) -> None:
    with pytest.raises(Refusal, match=line) as caught:
        door(altered(old, new))
    assert "\n" not in str(caught.value)


def test_the_command_says_so_and_exits_with_2(tmp_path: Path) -> None:
    broken = altered('@implements("legal", State)', '@implements("leagl", State)')
    install(tmp_path, {"stones": broken})
    for arguments in (["games", "stones"], ["run", "exp.toml"], ["bench", "stones"]):
        (tmp_path / "exp.toml").write_text('game = "stones"\ngames = 2\n')
        done = whimbrel(tmp_path, *arguments)
        assert done.returncode == 2, done.stderr
        (said,) = done.stderr.splitlines()
        assert said.endswith("there is no verb 'leagl'; did you mean 'legal'?")


PREPARE = "        rules = np.zeros(1, dtype=Rules)"
SLIPS = [  # a slip in a method, what calls it, and what is said
    (PREPARE, "        rules = np.zeros(1, dtype=Rulse)", ["run"],
     "prepare raised stones.py, line {}: NameError: name 'Rulse'"),
    (PREPARE, "        rules = np.zeros(-1, dtype=Rules)", ["run"], "prepare raised stones.py, line {}: ValueError"),
    ("        return Cell(", "        Cell(", ["run"], "prepare returned nothing, not a Cell"),
    ('''    def own_card(self):
        return {}''', '''    def own_card(self):
        return {}["pace"]''',
     ["games", "stones"], "own_card raised stones.py, line {}: KeyError: 'pace'"),
    ('''    def action_piece(self, codes):
        return np.zeros_like(codes)''', '''    def action_piece(self, codes):
        return []''',
     ["run"], "action_piece returned a list, not a NumPy array"),
    ("""    def action_kind(self, codes):
        return np.zeros_like(codes)""", """    def action_kind(self, codes):
        return np.zeros_like(codse)""",
     ["run"], "action_kind raised stones.py, line {}: NameError"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "command", "line"), SLIPS)
def test_a_slip_in_a_method_of_the_face_is_one_line(
    tmp_path: Path, old: str, new: str, command: list[str], line: str
) -> None:
    text = altered(old, new)
    install(tmp_path, {"stones": text})
    (tmp_path / "few.toml").write_text('game = "stones"\nname = "few"\ngames = 2\nlog = "decisions"\n')
    done = whimbrel(tmp_path, *command, *(["few.toml", "--jobs", "1"] if command == ["run"] else []))
    assert done.returncode == 2, done.stderr
    said = [text for text in done.stderr.splitlines() if text.startswith("whimbrel: ")]
    assert len(said) == 1
    assert "Traceback" not in done.stderr
    number = next((k for k, (a, b) in enumerate(zip(text.splitlines(), STONES.splitlines()), 1) if a != b), 0)
    assert f"game 'stones': {line.format(number)}" in said[0]


def test_a_broken_game_is_listed_and_the_others_work(tmp_path: Path) -> None:
    install(tmp_path, {"stones": STONES, "gravel": "import nothing_of_that_name\n"})
    done = whimbrel(tmp_path, "games")
    assert done.returncode == 0, done.stderr
    lines = {line.split()[0]: line for line in done.stdout.splitlines()}
    assert lines["stones"].endswith("who takes the last one wins.")
    assert "broken: game 'gravel' (gravel:GAME) cannot be loaded: gravel.py, line 1:" in lines["gravel"]
    assert "migration" in lines
    rows = {row["name"]: row for row in json.loads(whimbrel(tmp_path, "games", "--json").stdout)}
    assert "nothing_of_that_name" in rows["gravel"]["broken"]
    assert "broken" not in rows["stones"]
    (tmp_path / "exp.toml").write_text('game = "stones"\ngames = 2\nname = "few"\n')
    done = whimbrel(tmp_path, "run", "exp.toml", "--jobs", "1")
    assert done.returncode == 0, done.stderr


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (
            "    state.heap -= action",
            "    state.heap -= lost_name(2)",
            "in the verb 'apply' or what it calls: NameError",
        ),
        (
            "    return to_below(keyed(seed, 1, 0), 3)",
            "    return seed.lower()",
            "stones.py, line 35: Unknown attribute",
        ),
    ],
)
def test_what_cannot_be_compiled_is_one_line(tmp_path: Path, old: str, new: str, line: str) -> None:
    install(tmp_path, {"stones": altered(old, new)})
    (tmp_path / "few.toml").write_text('game = "stones"\nname = "few"\ngames = 4\n')
    done = whimbrel(tmp_path, "run", "few.toml", "--jobs", "1", compiled=True)
    assert done.returncode == 2
    said = [text for text in done.stderr.splitlines() if text.startswith("whimbrel: ")]
    assert len(said) == 1
    assert f"game 'stones' cannot be compiled: {line}" in said[0]
    assert done.stderr.count("\n") <= 2
