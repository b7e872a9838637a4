"""Maps as text: drawings that a person can edit, map files, and hex lists for worked cases.

A drawing has one character a hex, a space between hexes, and each row shifted by one column::

     . o T .
    . T F o .
     . o o .

A map file is TOML: `name`, `about`, an optional `[legend]` of own letters, and one drawing for each number of
players (`[players.2] drawing = '''...'''`). The first hex of the first row is hex 0,0 unless `first = "q,r"`
says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from string import ascii_letters, digits
from typing import Any

from sim.core.errors import Refusal, nearest
from sim.core.files import Parts, check_keys, read_part, read_text
from sim.games.migration.board import TERRAIN, Board, Hex, Region, hex_text

SEA = "."

#: What each letter means; a lower-case letter is the same modifier laid over a printed Forest symbol.
LEGEND: dict[str, str] = {
    "o": "plain land",
    "T": "Forest",
    "F": "Fertile",
    "L": "Lake",
    "M": "Mountain",
    "W": "Deep Woods",
    "D": "Desert",
    "S": "Oasis",
    "f": "Fertile + Forest",
    "l": "Lake + Forest",
    "m": "Mountain + Forest",
    "w": "Deep Woods + Forest",
    "d": "Desert + Forest",
    "s": "Oasis + Forest",
    "~": "sea Desert",
}

_LETTERS = "".join(c for c in ascii_letters + digits if c not in LEGEND)
_Content = tuple[frozenset[str], bool, bool]


# --- what lies on one hex ---------------------------------------------------------------------------------


def parse_content(text: str, where: str) -> _Content:
    """Read what lies on a hex, e.g. "Fertile + Forest" or "sea Desert", as (terrain, forest, sea).

    Raises
    ------
    Refusal
        For an unknown word; the line starts with `where`.
    """
    terrain: set[str] = set()
    forest = sea = False
    for raw in text.split("+"):
        word = " ".join(raw.split())
        if word == "plain land":
            continue
        if word == "Forest":
            forest = True
        elif word == "sea Desert":
            sea = True
            terrain.add("Desert")
        elif word in TERRAIN:
            terrain.add(word)
        else:
            names = [*TERRAIN, "Forest", "sea Desert", "plain land"]
            raise Refusal(f"{where}: unknown terrain {word!r}{nearest(word, names)}")
    return frozenset(terrain), forest, sea


def content_text(region: Region, joiner: str = " + ") -> str:
    """The words for what lies on a Region, "" on plain land; `parse_content` reads them back."""
    words = [name for name in TERRAIN if name in region.terrain and not (region.sea and name == "Desert")]
    words += ["sea Desert"] * region.sea + ["Forest"] * region.forest
    return joiner.join(words)


# --- hex lists (worked cases) -----------------------------------------------------------------------------


def parse_list(text: str, where: str = "map") -> Board:
    """Read a board from a list of hexes: ``0,0 1,0=Lake 2,0=Fertile+Mountain 0,1=Forest 1,1=sea Desert``.

    Raises
    ------
    Refusal
        For anything that is no hex or no terrain, and for a hex given twice.
    """
    regions = []
    for part in re.split(r"\s+(?=-?\d+\s*,\s*-?\d)", text.strip()):
        match = re.fullmatch(r"(-?\d+)\s*,\s*(-?\d+)(?:\s*=\s*(.+))?", part, flags=re.DOTALL)
        if not match:
            raise Refusal(f"{where}: {part!r} is no hex; write q,r or q,r=Terrain")
        q, r, content = int(match[1]), int(match[2]), match[3]
        read = parse_content(content or "plain land", f"{where}, hex {q},{r}")
        regions.append(Region(q, r, *read))
    return Board(tuple(regions))


def print_list(board: Board) -> str:
    """The hex list of a board; `parse_list` reads it back."""
    return " ".join(
        hex_text(region.hex) + (f"={content_text(region, '+')}" if content_text(region) else "")
        for region in board.regions
    )


# --- drawings -----------------------------------------------------------------------------------------------


def parse_drawing(
    drawing: str,
    *,
    first: Hex = (0, 0),
    legend: Mapping[str, str] | None = None,
    where: str = "drawing",
    line: int = 1,
) -> Board:
    """Read a board from a drawing.

    Parameters
    ----------
    drawing
        Rows of letters (`LEGEND`, `legend`); empty lines above and below are ignored.
    first
        Coordinates of the first hex of the first row.
    legend
        Own letters and what they mean, e.g. ``{"X": "Lake + Fertile"}``.
    where, line
        File name and number of the drawing's first line, for refusals.

    Raises
    ------
    Refusal
        Naming file, line and column: an unknown letter, a tab, or a hex that is not half a step beside its
        neighbours above and below.
    """
    letters = _contents(legend, where)
    rows = [(number, row.rstrip()) for number, row in enumerate(drawing.split("\n"), start=line)]
    while rows and not rows[0][1]:
        rows.pop(0)
    while rows and not rows[-1][1]:
        rows.pop()
    if not rows:
        raise Refusal(f"{where}, line {line}: the drawing is empty")
    q0, r0 = first
    start = len(rows[0][1]) - len(rows[0][1].lstrip())
    regions = []
    for down, (number, row) in enumerate(rows):
        if not row:
            raise Refusal(
                f"{where}, line {number}: empty line in the drawing; a row of sea needs one {SEA!r}"
            )
        for column, letter in enumerate(row):
            if letter == " ":
                continue
            spot = f"{where}, line {number}, column {column + 1}"
            if letter != SEA and letter not in letters:
                raise Refusal(f"{spot}: unknown letter {letter!r}; known are {SEA} {' '.join(letters)}")
            if (column - start - down) % 2:
                raise Refusal(
                    f"{spot}: {letter!r} is half a hex off; hexes stand two columns apart, "
                    "and each row is shifted by one column against the row above"
                )
            if letter != SEA:
                q = q0 + (column - start - down) // 2
                regions.append(Region(q, r0 + down, *letters[letter]))
    return Board(tuple(regions))


def print_drawing(board: Board, legend: Mapping[str, str] | None = None) -> tuple[str, Hex, dict[str, str]]:
    """Draw a board, with a rim of sea.

    Parameters
    ----------
    board
        Any board with at least one Region.
    legend
        Own letters to use first.

    Returns
    -------
    drawing, first, legend
        The text, the coordinates of its first hex, and the own letters it needed: what `parse_drawing` takes
        to give the same board again.
    """
    letters: dict[_Content, str] = {}
    for letter, content in _contents(legend, "legend").items():
        letters.setdefault(content, letter)
    own = dict(legend or {})
    spare = (letter for letter in _LETTERS if letter not in own)
    cells: dict[Hex, str] = {}
    for region in board.regions:
        content = (region.terrain, region.forest, region.sea)
        if content not in letters:
            letters[content] = next(spare)
            own[letters[content]] = content_text(region)
        cells[region.hex] = letters[content]
    # A hex (q, r) stands in column 2q + r.
    left = min(2 * q + r for q, r in cells) - 2
    right = max(2 * q + r for q, r in cells) + 2
    top, bottom = min(r for _, r in cells) - 1, max(r for _, r in cells) + 1
    lines = []
    for r in range(top, bottom + 1):
        start = left + (left + r) % 2
        row = (cells.get(((column - r) // 2, r), SEA) for column in range(start, right + 1, 2))
        lines.append(" " * (start - left) + " ".join(row))
    first = ((left + (left + top) % 2 - top) // 2, top)
    used = set(cells.values())
    return "\n".join(lines) + "\n", first, {letter: words for letter, words in own.items() if letter in used}


def _contents(legend: Mapping[str, str] | None, where: str) -> dict[str, _Content]:
    letters = {letter: parse_content(words, where) for letter, words in LEGEND.items()}
    for letter, words in (legend or {}).items():
        if len(letter) != 1 or letter == SEA or letter.isspace():
            raise Refusal(f"{where}: {letter!r} in the legend; a letter is one character, not {SEA!r}")
        if letter in LEGEND:
            raise Refusal(f"{where}: {letter!r} in the legend already means {LEGEND[letter]!r}")
        letters[letter] = parse_content(words, f"{where}, legend {letter!r}")
    return letters


# --- map files --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MapFile:
    """A map family: its name, a sentence about it, and one board for each number of players."""

    name: str
    about: str
    boards: dict[int, Board]
    drawings: dict[int, str]
    legend: dict[str, str]


def map_names() -> list[str]:
    """Names of the map families that come with the game, "default" first."""
    return sorted(MAPS.names(), key=lambda name: name != "default")


def load_map(name_or_path: str, n_players: int, base: Path | None = None) -> Board:
    """The board of a map family for a number of players.

    Parameters
    ----------
    name_or_path
        A name of `map_names()`, or the path of a map file (ending in ``.toml``).
    n_players
        Picks the drawing.
    base
        Folder that relative paths start from (the working folder if None).

    Raises
    ------
    Refusal
        For an unknown name, an unreadable or faulty file, or a family without a drawing for `n_players`.
    """
    family = MAPS.load(name_or_path, base)
    if n_players not in family.boards:
        has = ", ".join(map(str, sorted(family.boards)))
        raise Refusal(f"map {name_or_path!r}: no drawing for {n_players} players (has {has})")
    return family.boards[n_players]


def read_map(path: Path, where: str) -> MapFile:
    """Read a map file; `where` is what refusals call it.

    Raises
    ------
    Refusal
        One line with the file, and line and column where they can be told.
    """
    text = read_text(path, where)
    data = read_part(path, where, ("name", "about", "legend", "players"))
    name = _text(data.get("name", path.stem), f"{where}: name")
    about = _text(data.get("about", ""), f"{where}: about")
    legend = _table(data.get("legend", {}), f"{where}: legend")
    legend = {letter: _text(words, f"{where}: legend {letter!r}") for letter, words in legend.items()}
    players = _table(data.get("players", {}), f"{where}: players")
    if not players:
        raise Refusal(f"{where}: no drawing; write [players.2] and drawing = '''...'''")
    boards: dict[int, Board] = {}
    drawings: dict[int, str] = {}
    for key, entry in players.items():
        if not re.fullmatch(r"[2-4]", key):
            raise Refusal(f"{where}: [players.{key}]; the number of players is 2, 3 or 4")
        entry = _table(entry, f"{where}: players.{key}")
        check_keys(entry, ("drawing", "first"), f"{where}, players.{key}")
        if "drawing" not in entry:
            raise Refusal(f"{where}: [players.{key}] has no drawing")
        drawing = _text(entry["drawing"], f"{where}: players.{key}.drawing")
        board = parse_drawing(
            drawing,
            first=_first(entry.get("first", "0,0"), f"{where}: players.{key}.first"),
            legend=legend,
            where=where,
            line=_line_of(text, key, drawing),
        )
        boards[int(key)] = replace(board, name=name)
        drawings[int(key)] = drawing
    return MapFile(name, about, boards, drawings, legend)


MAPS = Parts("map", Path(__file__).parent / "maps", read_map)


def print_map(family: MapFile) -> str:
    """A map file as text; `read_map` gives the same boards again."""
    legend: dict[str, str] = dict(family.legend)
    parts: list[tuple[int, str, Hex]] = []
    for players, board in sorted(family.boards.items()):
        drawing, first, own = print_drawing(board, legend)
        legend.update(own)
        parts.append((players, drawing, first))
    lines = [*legend_lines(), "", f"name = {_quoted(family.name)}", f"about = {_quoted(family.about)}"]
    if legend:
        lines += ["", "[legend]", *(f"{_quoted(k)} = {_quoted(v)}" for k, v in legend.items())]
    for players, drawing, first in parts:
        lines += ["", f"[players.{players}]", f'first = "{hex_text(first)}"', f"drawing = '''\n{drawing}'''"]
    return "\n".join(lines) + "\n"


def legend_lines() -> list[str]:
    """The comment on top of a map file: every letter and what it means."""
    upper = [f"{k} {v}" for k, v in LEGEND.items() if not (k.islower() and k != "o")]
    return [
        "# One letter a hex, hexes two columns apart, each row shifted by one column.",
        "# " + ", ".join([f"{SEA} sea", *upper]) + ".",
        "# Lower case (f l m w d s): the same modifier laid over a printed Forest symbol.",
        '# "first" names the coordinates q,r of the first hex in the first row.',
    ]


def map_card() -> list[dict[str, Any]]:
    """What a manifest says of each map family: name, about, and per player count a `board_card`."""
    card = []
    for family in map(MAPS.load, map_names()):
        players = {str(n): board_card(board) for n, board in sorted(family.boards.items())}
        card.append({"name": family.name, "about": family.about, "players": players})
    return card


def board_card(board: Board) -> dict[str, Any]:
    """Counts that describe a board, and its drawing (plain Python values, ready for JSON)."""
    hexes = [region.hex for region in board.regions]
    counts = {name: sum(name in region.terrain for region in board.regions) for name in TERRAIN}
    drawing, first, legend = print_drawing(board)
    return {
        "regions": len(hexes),
        "interior": sum(map(board.is_interior, hexes)),
        "coastal": sum(map(board.is_coastal, hexes)),
        "forests": sum(region.forest for region in board.regions),
        "parts": len(board.islands()),
        "terrain": {name: count for name, count in counts.items() if count},
        "drawing": drawing,
        "first": hex_text(first),
        "legend": legend,
    }


def _line_of(text: str, key: str, drawing: str) -> int:
    """Line of the file on which a drawing starts (1 if it is written with escapes and cannot be found)."""
    header = re.search(rf"^\s*\[\s*players\s*\.\s*\"?{key}\"?\s*\]", text, flags=re.MULTILINE)
    at = text.find(drawing, header.end() if header else 0)
    return text.count("\n", 0, at) + 1 if at >= 0 else 1


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise Refusal(f"{where} must be text, not {value!r}")
    return value


def _table(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Refusal(f"{where} must be a table, not {value!r}")
    return value


def _first(value: object, where: str) -> Hex:
    match = re.fullmatch(r"\s*(-?\d+)\s*,\s*(-?\d+)\s*", value) if isinstance(value, str) else None
    if not match:
        raise Refusal(f'{where} must be a hex like "0,-1", not {value!r}')
    return (int(match[1]), int(match[2]))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
