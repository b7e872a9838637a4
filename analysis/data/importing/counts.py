"""A bare table of wins as games: ``97 of 156``, ``97 to 59``, ``12 9 14 8``, or a file with a row a seat."""

from __future__ import annotations

import re
from pathlib import Path

from analysis.data.errors import Refusal
from analysis.data.importing.headings import MOST_SEATS
from analysis.data.importing.rows import Chair, Game, Unclear, letter, whole
from analysis.data.importing.sheets import read_sheet

MOST_GAMES = 5_000_000
WINS = ("wins", "won", "win", "victories")
NAMES = ("seat", "side", "player", "name", "position", "faction")
TIES = ("tie", "ties", "draw", "draws")


def games_of_counts(given: str, players: int | None = None) -> tuple[list[Game], list[str]]:
    """The games behind a table of wins, and notes on how it was read.

    Parameters
    ----------
    given : str
        ``97 of 156`` (the first of two sides won 97 of 156), ``97 to 59``, ``12 9 14 8 [of 43] [3 ties]`` (wins of
        seats A, B, ...), or a file with the columns ``seat`` and ``wins`` (a row called ``ties`` counts those).
    players : int, optional
        How many seats there are; it must agree.
    """
    path = Path(given)
    wins, ties, names = _of_file(path) if path.suffix and path.is_file() else _of_text(given)
    if players is not None and players != len(wins):
        raise Refusal(
            f"--counts '{given}' names the wins of {len(wins)} seats, not of {players}: give those of every seat"
        )
    total = sum(wins) + ties
    if not 2 <= len(wins) <= MOST_SEATS:
        raise Refusal(f"--counts: {len(wins)} seats; 2 to {MOST_SEATS} can be read")
    if not 0 < total <= MOST_GAMES:
        raise Refusal(f"--counts: {total:,} games; 1 to {MOST_GAMES:,} can be read")
    n = len(wins)
    notes = [f"{letter(k)} is {name}" for k, name in enumerate(names)] if names else []
    if ties and n > 2:
        notes.append(f"who tied is not said: {ties:,} ties are shared by all seats")
    games = []
    chairs = [Chair() for _ in range(n)]
    for seat, often in enumerate([*wins, ties]):
        shares = [1.0 / n] * n if seat == n else [float(k == seat) for k in range(n)]
        games += [Game("counts", 0, chairs, shares, None, None, {}, None, None, {})] * often
    return games, notes


def _of_text(text: str) -> tuple[list[int], int, list[str]]:
    plain = text.strip().casefold()
    ties = 0
    if found := re.search(rf"[,;]?\s*(?:and|with)?\s*(\d+)\s*(?:{'|'.join(TIES)})\s*$", plain):
        ties, plain = int(found[1]), plain[: found.start()]
    total = None
    if found := re.search(r"(?:\bof\b|/|\bout of\b)\s*(\d+)\s*(?:games|wins)?\s*$", plain):
        total, plain = int(found[1]), plain[: found.start()].removesuffix("out").strip()
    parts = [part for part in re.split(r"\s*(?:\bto\b|:|-|–|,|;|\s|\|)\s*", plain) if part]
    if not parts or not all(part.isdecimal() for part in parts):
        raise Refusal(
            f"--counts '{text}' cannot be read: write '97 of 156', '97 to 59', '12 9 14 8', or name a file with the "
            "columns seat and wins"
        )
    wins = [int(part) for part in parts]
    if total is not None:
        left = total - sum(wins) - ties
        if left < 0:
            raise Refusal(f"--counts '{text}': {sum(wins) + ties:,} wins of {total:,} games")
        if len(wins) == 1:
            wins.append(left)
        elif left:
            raise Refusal(f"--counts '{text}': {left:,} of the {total:,} games are won by nobody")
    if len(wins) == 1:
        raise Refusal(f"--counts '{text}': of how many? Write '{wins[0]} of 100', or the wins of every seat")
    return wins, ties, []


def _of_file(path: Path) -> tuple[list[int], int, list[str]]:
    sheet = read_sheet(path)
    folded = {head.casefold(): head for head in sheet.heads}
    count = next((folded[name] for name in WINS if name in folded), None)
    if count is None:
        raise Refusal(f"{path}: a table of wins has a column 'wins'; there are {', '.join(sheet.heads)}")
    name = next((folded[word] for word in NAMES if word in folded), None)
    if sheet.left_out:
        raise Refusal(f"{path}: {sheet.left_out[0].reason} in line {sheet.left_out[0].line}")
    wins, ties, names = [], 0, []
    for row in sheet.rows:
        try:
            often = whole(row.cells[count], False, "wins")
        except Unclear as why:
            raise Refusal(f"{path}, line {row.line}: {why}") from None
        if often < 0:
            raise Refusal(f"{path}, line {row.line}: {often} wins")
        if name and row.cells[name].casefold() in TIES:
            ties += often
        else:
            wins.append(often)
            names.append(row.cells[name] if name else "")
    told = [k for k in names if k]
    plain = [letter(k) for k in range(len(names))], [str(k + 1) for k in range(len(names))]
    return wins, ties, names if told and names not in plain else []
