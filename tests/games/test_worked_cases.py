"""Worked cases of all games: every one holds, and what is badly written is refused in the same way everywhere."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from sim.core.cases import CaseResult, Table
from sim.core.errors import Refusal

pytestmark = pytest.mark.plain

CASES = Path(__file__).parents[1] / "cases"
FILES = sorted(CASES.glob("*/*.toml"))
GAMES = sorted({path.parent.name for path in FILES})

BASE: dict[str, dict[str, Any]] = {
    "migration": {
        "map": "row 4",
        "position": "0,0 A:Bass*",
        "hands": {"A": "Rats Oak", "B": "Bass"},
    },
    "drifting_lands": {
        "board": "disk 3",
        "players": 2,
        "position": {"land": "0,0 1,0", "A": "pawns 1,0:3 | hand Splitting"},
    },
    "migrato": {"position": {"A": "hand K5 S1 Xd", "deck": "E2 B4D K4"}},
    "mars": {"position": {"A": "M 2 S 2 | reserve Tunnel"}},
}
"""A position of each game that can occur."""

LEGAL = {
    "migration": "expand Rats 1,0",
    "drifting_lands": "Splitting 0,0 E",
    "migrato": "play K5 new",
    "mars": "build Tunnel -3,0",
}
"""An action that is legal there."""


def table_of(game: str) -> type[Table]:
    found: type[Table] = importlib.import_module(f"sim.games.{game}.cases").Table
    return found


def case_of(game: str, **changes: Any) -> dict[str, Any]:
    return {"id": "x", **BASE[game], **changes}


def run(game: str, **changes: Any) -> CaseResult:
    return table_of(game).run_case(case_of(game, **changes), "file.toml", CASES / game)


def refusal(game: str, **changes: Any) -> str:
    """Return why a case is refused; it must be, in one line without the place that the result names anyway."""
    result = run(game, **changes)
    assert result.refused, result
    (problem,) = result.problems
    assert "\n" not in problem
    assert "file.toml" not in problem
    return problem


def in_lists(entry: str) -> list[dict[str, Any]]:
    """Return a case for each place in which a list of actions may stand, with `entry` in it."""
    lists = [
        {when: {key: [entry]}} for when in ("before", "after") for key in ("legal", "includes", "illegal")
    ]
    return [*lists, {"do": [entry]}, {"illegal": [entry]}, {"illegal": entry}]


# --- the shipped ones ----------------------------------------------------------------------------------------


def test_every_game_has_cases() -> None:
    assert GAMES == ["drifting_lands", "mars", "migration", "migrato"] == sorted(BASE)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_worked_cases(path: Path) -> None:
    failed = [
        f"{result.id} ({result.title}): {'; '.join(result.problems)}"
        for result in table_of(path.parent.name).check_file(path)
        if not result.ok
    ]
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_impossible_is_said_only_where_it_is_needed(path: Path) -> None:
    import tomllib

    for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]:
        if case.pop("impossible", False):
            assert table_of(path.parent.name).run_case(case, path.name, path.parent).refused, case["id"]


def test_the_example_of_the_guide_holds(tmp_path: Path) -> None:
    text = (CASES / "README.md").read_text(encoding="utf-8")
    path = tmp_path / "example.toml"
    path.write_text(text.split("```toml\n")[1].split("```")[0])
    (result,) = table_of("migration").check_file(path)
    assert result.problems == []


@pytest.mark.parametrize("game", GAMES)
def test_every_key_is_told(game: str) -> None:
    from sim.core.cases.table import CASE_KEYS, COMMON

    text = (CASES / "README.md").read_text(encoding="utf-8")
    own = {"A", "B"}
    known = {*CASE_KEYS, *COMMON, *table_of(game).keys, *table_of(game).own_checks} - own - {"game"}
    assert not [key for key in known if f"`{key}`" not in text]


# --- actions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_actions_are_read_with_any_blanks(game: str) -> None:
    spaced = "  " + LEGAL[game].replace(" ", "   ") + " "
    assert run(game, before={"includes": [spaced]}, do=[spaced]).ok
    assert "offered" in run(game, before={"illegal": [spaced]}).problems[0]
    assert "offered" in run(game, illegal=spaced).problems[0]


@pytest.mark.parametrize(
    ("game", "entry", "words"),
    [
        ("migration", "expnad Rats 1,0", "is no action of this game; did you mean 'expand'?"),
        ("migration", "expand Rtas 1,0", "no Explorer 'Rtas'; did you mean 'Rats'?"),
        ("migration", "expand Rats 9,9", "no Region '9,9' on this map"),
        ("migration", "expand Rats", "should look like 'expand PIECE REGION'"),
        ("migration", "reveal Bass Ratz", "name two Explorers"),
        ("migration", "split Bass Oak", "name two piles"),
        ("migration", "enact Famin", "no Age Card 'Famin'; did you mean 'Famine'?"),
        ("drifting_lands", "Movign 0,0 to 1,0", "no card like Moving 'Movign'; did you mean 'Moving'?"),
        ("drifting_lands", "Moving 0,0 E", "no card like Drifting 'Moving'"),
        ("drifting_lands", "drift 0,0 EE", "no direction 'EE'"),
        ("drifting_lands", "Splitting 9,9 E", "no space '9,9' on this map"),
        ("drifting_lands", "dirft 0,0 E", "did you mean"),
        ("migrato", "plya K5 new", "is no action of this game; did you mean 'play CARD new'?"),
        ("migrato", "play K9 new", "no card 'K9'"),
        ("migrato", "play K5 on 9", "no column '9'"),
        ("migrato", "Xdd take 1", "no danger card 'Xdd'"),
        ("mars", "bulid Mine -2,0", "is no action of this game; did you mean 'build'?"),
        ("mars", "build Mien -2,0", "no structure 'Mien'; did you mean 'Mine'?"),
        ("mars", "build Mine 9,9", "no tile '9,9' on this map"),
        ("mars", "offer C M for W", "'C' does not play"),
        ("mars", "offer B M for Tunnel", "no card 'Tunnel'"),
    ],
)
def test_what_is_no_action_is_refused_in_every_list(game: str, entry: str, words: str) -> None:
    for change in in_lists(entry):
        assert words in refusal(game, **change), change


@pytest.mark.parametrize("game", GAMES)
def test_every_action_that_is_offered_is_one_of_the_forms(game: str) -> None:
    """Whatever the engine writes in the shipped cases can be read again, as the same."""
    for path in sorted((CASES / game).glob("*.toml")):
        for case in importlib.import_module("sim.core.cases.running").read_cases(path):
            table = table_of(game)(case, path.name, path.parent)
            for action in table.actions():
                assert table.here(table.plain(action)) == action, (case["id"], action)


@pytest.mark.parametrize("game", GAMES)
def test_a_text_where_a_list_belongs_is_refused(game: str) -> None:
    entry = LEGAL[game]
    for change in ({"do": entry}, {"before": {"legal": entry}}, {"after": {"legal": entry}}):
        assert f"should be a list: ['{entry}']" in refusal(game, **change)
    for change in ({"do": [1]}, {"before": {"includes": [1]}}, {"illegal": 3}, {"do": {"a": "b"}}):
        assert "list of texts" in refusal(game, **change)


# --- players -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "change"),
    [
        *((game, {when: {"scores": {"C": 1}}}) for game in GAMES for when in ("before", "after")),
        *((game, {"before": {"to_move": "D"}}) for game in GAMES),
        *((game, {"before": {"first": "C"}}) for game in GAMES),
        *((game, {"before": {"winner": "A+C"}}) for game in GAMES),
        ("migration", {"before": {"hands": {"C": "Rats"}}}),
        ("migration", {"before": {"spirits": {"C": ""}}}),
        ("migration", {"before": {"passes": {"E": 1}}}),
        ("migration", {"turns": {"C": 1}}),
        ("migration", {"to_move": "C"}),
        ("migration", {"founder": "C"}),
        ("migration", {"standing": {"D": 4}}),
        ("migration", {"agenda": {"C": "Famine"}, "parameters": {"age_mode": "agenda"}}),
        ("migration", {"revealed": {"C": "Rats"}, "parameters": {"oaths": True}}),
        ("migration", {"position": "0,0 C:Bass*"}),
        ("migration", {"position": "0,0 C*"}),
        ("drifting_lands", {"before": {"cards": {"D": 0}}}),
        ("drifting_lands", {"position": {"first": "C"}}),
        ("drifting_lands", {"position": {"to_move": "C"}}),
        ("migrato", {"position": {"to_move": "C"}}),
        ("mars", {"before": {"capacity": {"C": 2}}}),
        ("mars", {"position": {"storm": "C"}}),
        ("mars", {"position": {"board": "-3,0 C:Tunnel"}}),
        ("mars", {"position": {"offers": "D"}}),
        ("mars", {"before": {"board_has": ["-3,0 C:Tunnel"]}}),
    ],
)
def test_players_who_do_not_play_are_refused(game: str, change: dict[str, Any]) -> None:
    if set(change) <= {"before", "after"}:
        words = refusal(game, **change)
    else:
        words = refusal(game, **{"before": {"scores": {"A": 0}}, **change})
    assert "the players are A, B" in words or "should be of A, B" in words


@pytest.mark.parametrize("game", ["drifting_lands", "migrato", "mars"])
def test_lines_of_players_who_do_not_play_are_refused(game: str) -> None:
    for change in ({"position": {"C": "hand -"}}, {"before": {"C": "hand -"}}):
        assert "unknown key" in refusal(game, **change)


# --- what a case must be -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_case_that_checks_nothing_is_refused(game: str) -> None:
    for change in ({}, {"do": []}):
        assert "it checks nothing" in refusal(game, **change)
    for change in (
        {"before": {}},
        {"after": {}},
        {"before": {"scores": {}}},
        {"before": {"includes": []}},
        {"illegal": []},
        {"before": {"to_move": "A"}, "after": {}},
    ):
        assert "empty: it checks nothing" in refusal(game, **change)
    assert run(game, do=[LEGAL[game]]).ok, "that an action is legal is something"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"befor": {}}, "unknown key 'befor'; did you mean 'before'?"),
        ({"before": {"score": {"A": 1}}}, "unknown key 'before.score'; did you mean 'scores'?"),
        ({"before": 3}, "before must be a table"),
        ({"before": {"scores": 3}}, "before.scores = 3 should be a table"),
        ({"before": {"scores": {"A": "3"}}}, "before.scores.A = '3' should be a whole number"),
        ({"before": {"ended": "yes"}}, "should be true or false"),
        ({"before": {"phase": "foo"}}, "before.phase: there is no phase 'foo'"),
        ({"before": {"how": "finishd"}}, "no end 'finishd'; did you mean 'finished'?"),
        ({"before": {"turn": "1"}}, "should be a whole number"),
        ({"parameters": {"foo": 1}, "before": {"ended": False}}, "unknown parameter 'foo'"),
        ({"parameters": 3, "before": {"ended": False}}, "parameters = 3 should be a table"),
        ({"impossible": "yes", "before": {"ended": False}}, "impossible = 'yes' should be true or false"),
        ({"seed": 3, "before": {"ended": False}}, "seed = 3 is for deal = true"),
        ({"deal": True, "before": {"ended": False}}, "deal = true and "),
    ],
)
def test_keys_and_values_are_refused_by_kind(game: str, change: dict[str, Any], words: str) -> None:
    assert words in refusal(game, **change)


def file_of(game: str, folder: Path, *cases: str) -> Path:
    """Write a file of cases on the position of `BASE`, each with these lines."""
    given = {key: value for key, value in BASE[game].items() if key != "id"}

    def toml(value: Any) -> str:
        if isinstance(value, dict):
            return "{ " + ", ".join(f'"{k}" = {toml(v)}' for k, v in value.items()) + " }"
        return f'"{value}"' if isinstance(value, str) else str(value).lower()

    head = "\n".join(f"{key} = {toml(value)}" for key, value in given.items())
    path = folder / "own.toml"
    path.write_text(
        f'game = "{game}"\n'
        + "".join(f'[[case]]\nid = "{k}"\n{head}\n{text}\n' for k, text in enumerate(cases))
    )
    return path


@pytest.mark.parametrize("game", GAMES)
def test_one_bad_case_does_not_hide_the_others(game: str, tmp_path: Path) -> None:
    good, wrong = f"do = ['{LEGAL[game]}']", "before.ended = true"
    path = file_of(game, tmp_path, good, "nonsense = 1", wrong, "do = ['fly to the moon']", good)
    results = table_of(game).check_file(path)
    assert [result.ok for result in results] == [True, False, False, False, True]
    assert [result.refused for result in results] == [False, True, False, True, False]
    assert results[2].problems == ["before.ended: expected true, found false"]


def test_the_command_tells_each_case_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from sim.cli import main

    path = file_of(
        "mars", tmp_path, "do = ['roll the dice']", "do = ['build Tunnel -3,0']", "before.ended = true"
    )
    with pytest.raises(SystemExit) as stop:
        main(["check", str(path), str(path)])
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert (stop.value.code, err, len(lines), lines[-1]) == (1, "", 5, "2 of 6 good")
    assert lines[0].endswith(
        "case 0 (): do: 'roll the dice' is no action of this game; it should look like 'roll'"
    )
    assert lines[1].endswith("case 2 (): before.ended: expected true, found false")


@pytest.mark.parametrize("game", GAMES)
def test_files_that_are_none_are_refused_and_ids_are_told(game: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    for text, words in (
        ("case = 3", "no [[case]] in it"),
        ("case = [3]", "each under a line [[case]]"),
        ("nonsense = 3", "unknown key 'nonsense'"),
        ("[[case]", "own.toml"),
    ):
        path.write_text(text)
        with pytest.raises(Refusal, match=r"own\.toml") as caught:
            table_of(game).check_file(path)
        assert words in str(caught.value)
    good = f"do = ['{LEGAL[game]}']"
    text = file_of(game, tmp_path, good, good).read_text().replace('id = "1"', 'id = "0"')
    path.write_text(text)
    one, two = table_of(game).check_file(path)
    assert one.ok
    assert two.problems == ["an earlier case has this id"]
    path.write_text(text.replace('id = "0"\n', ""))
    assert [result.id for result in table_of(game).check_file(path)] == ["number 1", "number 2"]


# --- wrong cases fail ----------------------------------------------------------------------------------------

WRONG: dict[str, list[tuple[dict[str, Any], str]]] = {
    "migration": [
        ({"before": {"scores": {"A": 2}}}, "before.scores: expected A 2, found A 1"),
        ({"before": {"hands": {"A": "Rats 2xOak"}}}, "expected A 2xOak Rats, found A Oak Rats"),
        ({"before": {"targets": {"Rats": ["1,0"]}}}, "before.targets Rats: expected 1,0, found 1,0, 2,0"),
        ({"before": {"position": "0,0 A:Rats*"}}, "expected 0,0 A:Rats*, found 0,0 A:Bass*"),
        ({"before": {"spirits": {"A": ""}}}, "expected A nothing, found A 0,0"),
        ({"do": ["pass"], "after": {"spirits": {"A": "0,0"}}}, "after.spirits"),
    ],
    "drifting_lands": [
        ({"before": {"legal": ["Splitting 0,0 E"]}}, "offered too: Splitting 0,0 NE"),
        ({"before": {"scores": {"A": 1}}}, "before.scores: expected A 1"),
        (
            {"do": ["Splitting 0,0 E", "part 1,0"], "after": {"land": "[0,0 1,0]"}},
            "after.land: expected [0,0 1,0]",
        ),
        ({"do": ["Splitting 0,0 E", "part 1,0"], "after": {"A": "pawns 1,0:3"}}, "after.A pawns"),
        ({"do": ["Drifting 0,0 E"]}, "'Drifting 0,0 E' is not legal here; legal: Splitting 0,0 E"),
    ],
    "migrato": [
        ({"before": {"A": "hand K4"}}, "before.A hand: expected K4, found K5 S1 Xd"),
        ({"before": {"deck": "E2"}}, "before.deck: expected E2, found E2 B4D K4"),
        (
            {"do": ["play K5 new"], "after": {"A": "columns [K4]"}},
            "after.A columns: expected [K4], found [K5]",
        ),
        ({"before": {"counts": {"deck": 2}}}, "expected deck 2, found deck 3"),
    ],
    "mars": [
        ({"before": {"capacity": {"A": 3}}}, "before.capacity: expected A 3, found A 2"),
        ({"before": {"linked": {"A": True}}}, "expected A true, found A false"),
        ({"before": {"A": "M 3"}}, "before.A cards: expected M 3, found M 2"),
        ({"before": {"A": "reserve Mine"}}, "before.A reserve: expected Mine, found Tunnel"),
        ({"before": {"board_has": ["-3,0 A:Tunnel"]}}, "'-3,0 A:Tunnel' is not on the board"),
        ({"do": ["build Tunnel -3,0"], "after": {"board_lacks": ["-3,0 A:Tunnel"]}}, "is on the board"),
        ({"do": ["build Tunnel -3,0"], "chance": ["roll 1"]}, "the case tells roll 1; the game drew nothing"),
    ],
}


@pytest.mark.parametrize(
    ("game", "change", "words"), [(game, *row) for game, rows in WRONG.items() for row in rows]
)
def test_a_wrong_case_fails_and_says_it_in_names(game: str, change: dict[str, Any], words: str) -> None:
    result = run(game, **change)
    assert not result.refused, result.problems
    assert len(result.problems) == 1
    assert words in result.problems[0]


@pytest.mark.parametrize("game", GAMES)
def test_each_list_of_actions_can_fail(game: str) -> None:
    entry = LEGAL[game]
    for change in ({"before": {"legal": []}}, {"before": {"illegal": entry}}, {"illegal": [entry], "do": []}):
        assert len(run(game, **change).problems) == 1
    done = {"do": [entry]}
    assert len(run(game, **done, after={"includes": [entry]}).problems) == 1
    assert "action 2: " in run(game, do=[entry, entry]).problems[0]


@pytest.mark.parametrize(
    ("order", "bans", "words"),
    [
        (["Wolf", "Fly"], "random 3", "should be long enough to ban 3; these ban 2"),
        (["Wolf", "Bass", "Fly"], "random 3", "should be long enough to ban 3; these ban 2"),
        (["Wolf", "Wolf", "Fly"], "random 3", "should be Explorers, each turned up once"),
        (["Wolf", "Flyy", "Oak"], "random 3", "no Explorer 'Flyy'; did you mean 'Fly'?"),
        (["Wolf"], ["Wolf"], "should be for a Random Ban, such as bans = 'random 3'"),
        ("Wolf", "random 1", "should be a list: ['Wolf']"),
    ],
)
def test_the_order_of_a_random_ban_must_be_whole(order: Any, bans: Any, words: str) -> None:
    change = {"position": "", "hands": {"A": "Rats", "B": "Rats"}, "parameters": {"bans": bans}}
    assert words in refusal("migration", reveals=order, before={"ended": False}, **change)


# --- whole games ---------------------------------------------------------------------------------------------

WHOLE: list[tuple[str, int, dict[str, Any]]] = [
    ("migration", 2, {}),
    ("migration", 3, {"oaths": True}),
    ("migration", 2, {"map": "founder-bot"}),
    ("migration", 2, {"draft": True, "age_mode": "era", "bans": "random 3"}),
    ("drifting_lands", 2, {"rounds": 1, "unused_cards": 20}),
    (
        "drifting_lands",
        4,
        {"team_variety": True, "rounds": 1, "unused_cards": 20, "start_continents": "drawn"},
    ),
    ("migrato", 2, {"rules": "printed"}),
    ("migrato", 2, {"rules": "digital", "turn_cap": 60}),
    ("mars", 2, {"turn_cap": 30}),
    ("mars", 4, {"turn_cap": 12, "cards": "hidden"}),
]


@pytest.mark.parametrize(("game", "players", "parameters"), WHOLE)
def test_a_whole_given_game_can_be_told(game: str, players: int, parameters: dict[str, Any]) -> None:
    """A game as experiments play it, written down action by action, comes to the same end as a case."""
    from sim.checks.table import Table as Deal
    from sim.checks.table import make_cell, stream_of
    from sim.core.game import get_game
    from sim.core.rng import below

    played = get_game(game)
    cell = make_cell(played, ["random"], players, parameters)
    deal, stream, words = Deal(played, cell, 5), stream_of(5, 0), []
    while not deal.over:
        actions = deal.actions()
        action = actions[int(below(stream, len(actions)))]
        words.append(played.action_text(action, deal.rules, cell, deal.state))
        deal.play(action)
    case: dict[str, Any] = {"parameters": parameters, "deal": True, "seed": 5, "do": words}
    if game != "migrato":
        case["players"] = players
    if game == "drifting_lands":
        case["board"] = "devonian"
    if game == "mars":
        case["parameters"] = {"map": "default", **parameters}
    scores = {letter: int(points) for letter, points in zip("ABCD", deal.scores())}
    after = {"ended": True, "scores": scores, "turn": int(deal.state["turn"]), "legal": []}
    assert table_of(game).run_case({"id": "w", **case, "after": after}, "here", CASES).problems == []
    other = {**after, "scores": {**scores, "A": scores["A"] + 1}}
    wrong = table_of(game).run_case({"id": "w", **case, "after": other}, "here", CASES)
    assert len(wrong.problems) == 1
