"""The recorded games play out as they are written; `make playthroughs` writes them anew."""

from __future__ import annotations

import re

import pytest

from tests.playthroughs import FOLDER, GAMES, record
from tests.playthroughs_as_text import parts_of

MIGRATION = [name for name, entry in GAMES.items() if "game" not in entry]
AGAIN = "the rules or a bot play another game; look at the difference, then run `make playthroughs`"


@pytest.mark.parametrize("name", GAMES)
def test_playthrough(name: str) -> None:
    recorded = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    assert recorded == record(name).splitlines(), AGAIN


@pytest.mark.parametrize("name", MIGRATION)
def test_the_changes_lead_from_the_first_position_to_the_last(name: str) -> None:
    """Nothing happens on the board that a reader does not see."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    board: dict[str, str] = {}
    for line in text.splitlines():
        if " | " in line:
            changes = re.sub(r"\(.* passed\)", "", line.split(" | ")[1])
            for change in (part.split() for part in changes.split(";") if part.strip()):
                board[change[0]] = change[1]
    last = text.splitlines()[[line.startswith("the end") for line in text.splitlines()].index(True) + 1]
    parts = [part.split() for part in last.removeprefix("board").split(";")]
    assert {hex_: top for hex_, top in board.items() if top != "-"} == dict(parts)


def test_they_are_small_and_show_every_kind_of_action() -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt")}
    assert set(texts) == set(GAMES)
    assert sum(len(texts[name]) for name in MIGRATION) < 60_000
    assert max(map(len, texts.values())) < 40_000
    kinds = set(re.findall(r"> ([a-z]+)", "\n".join(texts[name] for name in MIGRATION)))
    assert kinds >= {"expand", "enter", "migrate", "pay", "oak", "lake", "decline", "pass"}


@pytest.mark.parametrize("name", [name for name in GAMES if name not in MIGRATION])
def test_what_changed_adds_up_to_the_last_position(name: str) -> None:
    """Nothing happens that a reader does not see."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    _, first, decisions, last = text.strip().split("\n\n")
    parts = parts_of(first)
    for line in decisions.splitlines():
        if " > " in line:
            for change in line.split(" | ", 1)[1].split("; "):
                if change != "-":
                    where, piece = change.split(": ", 1)
                    word = piece.split(" ", 1)[0]
                    if piece == f"{word} -" and where == "board":
                        del parts[where, word]
                        continue
                    key = word if where == "board" or (where, word) in parts else ""
                    parts[where, key] = piece
    assert parts == parts_of(last)
