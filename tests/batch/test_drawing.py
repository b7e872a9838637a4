"""Drawing what a designer writes: cases of files, and positions as replays print them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sim.batch.drawing import lay_case, lay_text
from sim.core.cases.running import read_cases
from sim.core.errors import Refusal
from tests.games.recorded import positions

CASES = Path(__file__).parents[1] / "cases"
MAPS = {
    "2-random": "default/2",
    "2-decks-wilds": "wilds/2",
    "3-random-wilds": "wilds/3",
    "drifting_lands-3-mixed-gondwana": "gondwana",
    "drifting_lands-2-random": "",
    "migrato-greedy-printed": "",
    "mars-3-mixed": "",
}
"""Recorded games, and their map where it is not the usual one."""


@pytest.mark.compiled
@pytest.mark.parametrize("name", MAPS)
def test_what_a_replay_prints_is_laid_out_again(name: str) -> None:
    for position in positions(name)[::5]:
        laid = lay_text(position.text, position.game.name, MAPS[name])
        again = laid.game.position_text(laid.rules, laid.state)
        if "pending: -" in position.text or "pending:" not in position.text or name.startswith("mars"):
            assert again.splitlines()[1:] == position.text.splitlines()[1:]
        if position.seat >= 0:
            assert (int(laid.state["seat"]), int(laid.state["turn"])) == (position.seat, position.turn - 1)


WRITTEN = [
    ("migration", "0,0 A:Rats* ; 1,0 w2", "row 4", "board   0,0 A:Rats* ; 1,0 w2"),
    (
        "migration",
        "board: 0,0 C:Rats\nA: 2xFly",
        "row 4",
        "A       0 points, Spirit off the board, hand 2xFly",
    ),
    (
        "migration",
        "turn 7, pay, B to move\nboard: 0,0 B:Fly*",
        "row 4",
        "B       1 points, Spirit 0,0, hand (empty)",
    ),
    ("drifting_lands", "0,0 1,0^", "disk 2", "land: [0,0 1,0^]"),
    (
        "migrato",
        "hand K5 S1* | columns [K5 K4] [(S3)]",
        "",
        "A: hand K5 S1* | columns [K5 K4] [(S3)] | arrived -",
    ),
    ("mars", "-3,0 A:Tunnel", "lab", "board: -4,0 A:HQ ; -3,0 A:Tunnel ; 0,0 Embassy ; 4,0 B:HQ"),
]


@pytest.mark.compiled
@pytest.mark.parametrize(("game", "text", "board", "line"), WRITTEN)
def test_less_than_a_whole_position_will_do(game: str, text: str, board: str, line: str) -> None:
    laid = lay_text(text, game, board)
    found = laid.game.position_text(laid.rules, laid.state).splitlines()
    assert line in found


NOT_READ = [
    ("migration", "0,0 A:Rats\n1,0 w", "row 4", "'board' is said twice"),
    ("migration", "bored: 0,0 A:Rats", "row 4", "unknown line 'bored'; did you mean 'board'?"),
    ("migration", "  \n", "row 4", "there is nothing in it"),
    ("migration", "0,0 A:Rats", "", "a case needs a map"),
    ("migrato", "hand K9", "", "K9"),
    ("migrato", "hand K5", "wilds", "Migrato has no map"),
    ("mars", "bored: 0,0 A:Mine", "", "unknown key 'position.bored'; did you mean 'board'"),
    ("drifting_lands", "9,9", "disk 2", "there is no space '9,9'"),
]


@pytest.mark.parametrize(("game", "text", "board", "message"), NOT_READ)
def test_what_cannot_be_read_is_one_line(game: str, text: str, board: str, message: str) -> None:
    with pytest.raises(Refusal, match=re.escape(message)):
        lay_text(text, game, board)


def case_file(folder: Path, *lines: str) -> Path:
    path = folder / "mine.toml"
    path.write_text("\n".join(['game = "migration"', *lines]))
    return path


@pytest.mark.compiled
def test_a_case_as_it_is_written_and_after_its_actions(tmp_path: Path) -> None:
    path = case_file(
        tmp_path,
        *("[[case]]", 'map = "row 4"', 'position = "0,0 A:Bass ; 2,0 B:Bass*"'),
        *('hands = { A = "Bass", B = "Rats" }', 'to_move = "B"', 'do = ["expand Rats 3,0"]'),
    )
    laid, after = lay_case(path), lay_case(path, after=True)
    assert int(laid.state["seat"]) == 1
    assert "3,0" not in laid.game.position_text(laid.rules, laid.state)
    assert "3,0 B:Rats*" in after.game.position_text(after.rules, after.state)
    path.write_text(path.read_text().replace("expand Rats 3,0", "expand Rats 0,0"))
    with pytest.raises(Refusal, match=r"mine\.toml, case 'number 1': 'expand Rats 0,0' is not legal here"):
        lay_case(path, after=True)


@pytest.mark.compiled
def test_nothing_follows_by_itself_in_a_picture(tmp_path: Path) -> None:
    """Nobody can move, so that play would end at once: the picture still shows what is written."""
    path = case_file(
        tmp_path, "[[case]]", 'id = "x"', 'map = "row 2"', 'position = "0,0 A:Wolf ; 1,0 B:Bass"'
    )
    path.write_text(path.read_text() + '\nhands = { A = "", B = "" }\n')
    laid = lay_case(path, "x")
    assert "0,0 A:Wolf ; 1,0 B:Bass" in laid.game.position_text(laid.rules, laid.state)
    assert int(laid.state["ended"]) == 0
    assert int(lay_case(path, "x", after=True).state["ended"]) != 0


def test_which_case(tmp_path: Path) -> None:
    path = case_file(tmp_path, "[[case]]", 'id = "wolf"', "[[case]]", 'id = "bass"')
    with pytest.raises(Refusal, match=r"mine\.toml: which of its 2 cases \(wolf, bass\)"):
        lay_case(path)
    with pytest.raises(Refusal, match="there is no case 'wlof'; did you mean 'wolf'"):
        lay_case(path, "wlof")


@pytest.mark.compiled
@pytest.mark.parametrize(
    "file", ["migration/flow.toml", "mars/links.toml", "migrato/columns.toml", "drifting_lands/worked.toml"]
)
def test_cases_are_drawn(file: str, tmp_path: Path) -> None:
    for case in read_cases(CASES / file)[::9]:
        laid = lay_case(CASES / file, str(case["id"]))
        laid.draw(tmp_path / "case.svg", width=80)
        text = (tmp_path / "case.svg").read_text()
        width = float(re.search(r'<svg[^>]* width="([\d.]+)pt"', text)[1])
        assert width == pytest.approx(80 / 25.4 * 72, abs=0.5)
