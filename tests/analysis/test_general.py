"""The analysis knows no game: what is said of one comes from its card."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import analysis

pytestmark = pytest.mark.plain

PACKAGE = Path(analysis.__file__).parent
# Words of single games; `founder` and `founder_seat` are columns of every data set.
WORDS = (
    r"founder(?!_seat)|explorers?|towns?|regions?|hex(?:es)?|islands?|archipelago|scenarios?|"
    r"pioneers?|spirits?|wastelands?|oaths?|eras?|rats|wolf|wolves|migration|migrato|drifting|mars|stilts?|"
    r"brants?|hunters?|continents?|habitats?|olympium|meteorites?"
)
ALLOWED = re.compile(
    r'aria-label|role="region"|"founder"|`founder`|a continent, a leader|continent to start on|"board", "scenario"'
)


def sources() -> list[Path]:
    return sorted(p for p in PACKAGE.rglob("*") if p.suffix in (".py", ".html", ".js", ".css"))


@pytest.mark.parametrize("path", sources(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_no_word_of_a_single_game(path: Path) -> None:
    found = [
        f"line {number}: {line.strip()}"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(rf"\b(?:{WORDS})\b", line, re.IGNORECASE) and not ALLOWED.search(line)
    ]
    assert not found
