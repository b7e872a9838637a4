"""Maps as text: hex lists, drawings and map files, read and printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.core.errors import Refusal
from sim.games.migration.board import TERRAIN, Board, Region
from sim.games.migration.board_text import (
    LEGEND,
    content_text,
    load_map,
    map_names,
    parse_content,
    parse_drawing,
    parse_list,
    print_drawing,
    print_list,
    print_map,
    read_map,
)

MAPS = Path(__file__).parents[2] / "sim" / "games" / "migration" / "maps"

# --- text --------------------------------------------------------------------------------------------------

contents: st.SearchStrategy[tuple[frozenset[str], bool, bool]] = st.builds(
    lambda terrain, forest, sea: (
        frozenset(terrain | ({"Desert"} if sea else set())),
        forest and not sea,
        sea,
    ),
    st.sets(st.sampled_from(TERRAIN), max_size=3),
    st.booleans(),
    st.booleans(),
)
boards = st.dictionaries(
    st.tuples(st.integers(-5, 5), st.integers(-5, 5)), contents, min_size=1, max_size=30
).map(lambda cells: Board(tuple(Region(q, r, *content) for (q, r), content in cells.items())))


@settings(max_examples=150, deadline=None)
@given(boards)
def test_boards_survive_their_text(board: Board) -> None:
    assert parse_list(print_list(board)) == board
    drawing, first, legend = print_drawing(board)
    assert parse_drawing(drawing, first=first, legend=legend) == board
    assert print_drawing(parse_drawing(drawing, first=first, legend=legend)) == (drawing, first, legend)


@given(contents)
def test_contents_survive_their_words(content: tuple[frozenset[str], bool, bool]) -> None:
    assert parse_content(content_text(Region(0, 0, *content)) or "plain land", "here") == content


@pytest.mark.parametrize("name", map_names())
def test_shipped_files_are_printed_as_they_are(name: str) -> None:
    path = MAPS / f"{name}.toml"
    assert print_map(read_map(path, path.name)) == path.read_text(encoding="utf-8")


def test_every_letter_reads_as_its_words() -> None:
    for letter, words in LEGEND.items():
        (region,) = parse_drawing(letter).regions
        assert (content_text(region) or "plain land") == words


def test_rows_shift_by_half_a_hex() -> None:
    board = parse_drawing(". o\n o o\no . o", first=(0, 0))
    assert {region.hex for region in board.regions} == {(1, 0), (0, 1), (1, 1), (-1, 2), (1, 2)}


def test_first_moves_the_whole_drawing() -> None:
    assert [region.hex for region in parse_drawing("o o", first=(-3, 2)).regions] == [(-3, 2), (-2, 2)]


@pytest.mark.parametrize(
    ("drawing", "reason"),
    [
        ("o o\no o", r"m.toml, line 7, column 1: 'o' is half a hex off"),
        ("o o\n ? o", r"m.toml, line 7, column 2: unknown letter '\?'"),
        ("o\to", r"m.toml, line 6, column 2: unknown letter '\\t'"),
        ("o o\n\n o", r"m.toml, line 7: empty line"),
        ("  \n ", r"m.toml, line 6: the drawing is empty"),
    ],
)
def test_faulty_drawings(drawing: str, reason: str) -> None:
    with pytest.raises(Refusal, match=reason):
        parse_drawing(drawing, where="m.toml", line=6)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0,0 1", "'0,0 1' is no hex"),
        ("0,0=Lak", "unknown terrain 'Lak'; did you mean 'Lake'"),
        ("zero", "'zero' is no hex"),
    ],
)
def test_faulty_lists(text: str, reason: str) -> None:
    with pytest.raises(Refusal, match=reason):
        parse_list(text)


# --- map files ---------------------------------------------------------------------------------------------

GOOD = """\
name = "mine"
about = "two flowers"
[legend]
X = "Fertile + Mountain"
[players.2]
first = "3,-2"
drawing = '''
      o T
 o T o F o
o X o T o
 T o
'''
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    write(tmp_path, GOOD)
    board = load_map("mine.toml", 2, tmp_path)
    assert board.name == "mine"
    assert len(board.regions) == 14
    assert (3, -2) in board.index
    assert {"Fertile", "Mountain"} in [region.terrain for region in board.regions]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("o X o T o", "o X o t o", r"mine.toml, line 10, column 7: unknown letter 't'"),
        ("o X o T o", " o X o T o", r"mine.toml, line 10, column 2: 'o' is half a hex off"),
        ("[legend]", "[legnd]", "unknown key 'legnd'; did you mean 'legend'"),
        ("drawing =", "drawin =", "unknown key 'drawin'; did you mean 'drawing'"),
        ("[players.2]", "[players.5]", "the number of players is 2, 3 or 4"),
        ('X = "Fertile', 'o = "Fertile', "'o' in the legend already means 'plain land'"),
        ('X = "Fertile', 'XX = "Fertile', "'XX' in the legend; a letter is one character"),
        ("Fertile + Mountain", "Fertile + Montain", "unknown terrain 'Montain'; did you mean 'Mountain'"),
        ('"3,-2"', '"3"', "players.2.first must be a hex"),
        ('"two flowers"', "2", "about must be text"),
        ("[players.2]", "[players.2", r"mine.toml: .*line 5"),
    ],
)
def test_faulty_files(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert old in GOOD
    path = write(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(Refusal, match=reason) as caught:
        read_map(path, path.name)
    assert "\n" not in str(caught.value)


def test_no_drawing_for_the_players(tmp_path: Path) -> None:
    write(tmp_path, GOOD)
    with pytest.raises(Refusal, match=r"no drawing for 3 players \(has 2\)"):
        load_map("mine.toml", 3, tmp_path)


def test_a_file_without_drawings(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="no drawing"):
        read_map(write(tmp_path, 'name = "mine"\n'), "map")


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Refusal, match="not a text file"):
        read_map(path, path.name)


def test_names_that_are_nearly_right(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="there is no such map; did you mean 'ridge'"):
        load_map("ridg", 2)
    with pytest.raises(Refusal, match=r"nowhere\.toml': No such file"):
        load_map("nowhere.toml", 2, tmp_path)
