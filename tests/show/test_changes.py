"""What a replay prints of a position: what is new in it."""

from __future__ import annotations

from sim.show.changes import changed_lines, without

BEFORE = """\
turn 3, A: act
A: pop 1 | M 2 W 2 | reserve Tunnel
B: pop 1 | M 0 W 2 | reserve -
deck: E5 E3 E1
board: 0,0 A:HQ"""
AFTER = """\
turn 4, B: act
A: pop 2 | M 2 W 2 | reserve -
B: pop 1 | M 0 W 2 | reserve -
deck: E3 E1
board: 0,0 A:HQ ; 1,0 A:Mine"""


def test_only_what_is_new_is_shown() -> None:
    assert changed_lines(BEFORE, AFTER).splitlines() == [
        "turn 4, B: act",
        "A: pop 2 | reserve -",
        "deck: E3 E1",
        "board: 0,0 A:HQ ; 1,0 A:Mine",
    ]


def test_lines_that_are_told_otherwise_are_left_out() -> None:
    assert "deck" not in changed_lines(BEFORE, AFTER, ("deck",))
    assert without(AFTER, ("deck", "A")).splitlines() == [
        "turn 4, B: act",
        "B: pop 1 | M 0 W 2 | reserve -",
        "board: 0,0 A:HQ ; 1,0 A:Mine",
    ]


def test_a_line_with_other_parts_is_shown_whole() -> None:
    assert changed_lines("x\nA: a 1 | b 2", "x\nA: a 1 | b 2 | c 3") == "x\nA: a 1 | b 2 | c 3"


def test_labels_may_stand_before_spaces() -> None:
    before = "turn 1\nboard   (empty)\nA       0 points, hand Rats"
    after = "turn 2\nboard   0,0 A:Rats\nA       0 points, hand Rats"
    assert changed_lines(before, after) == "turn 2\nboard   0,0 A:Rats"


def test_the_same_position_again_is_its_first_line() -> None:
    assert changed_lines(AFTER, AFTER) == "turn 4, B: act"
