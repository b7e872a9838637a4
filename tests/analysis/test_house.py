"""The house: few names on the ground floor, and a chapter whose opening page names what it answers."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

import analysis

PACKAGE = Path(analysis.__file__).parent
MOST_NAMES = 17
BENEATH = ("data", "stats")  # what every chapter stands on
SHOWN_BY = ("plots", "report")  # what shows the answers of the chapters


def chapters() -> list[str]:
    return sorted(p.parent.name for p in PACKAGE.glob("*/__init__.py"))


def test_the_ground_floor_is_small() -> None:
    names = [p.name for p in PACKAGE.iterdir() if p.name != "__pycache__"]
    assert len(names) <= MOST_NAMES, sorted(names)


@pytest.mark.parametrize("name", [n for n in analysis.__all__ if n not in (*BENEATH, *SHOWN_BY)])
def test_the_opening_page_names_each_public_function(name: str) -> None:
    home = getattr(analysis, name).__module__.split(".")
    assert home[0] == "analysis"
    assert home[1] in chapters()
    if name[0].islower():
        assert f"`analysis.{name}`" in str(import_module(f"analysis.{home[1]}").__doc__)


def test_the_tests_stand_in_the_folders_of_the_chapters() -> None:
    own = Path(__file__).parent
    assert {p.parent.name for p in own.glob("*/test_*.py")} == set(chapters())


@pytest.mark.parametrize("chapter", chapters())
def test_arrows_run_one_way(chapter: str) -> None:
    """A chapter imports no picture and no report; what lies beneath the chapters imports none of them."""
    above = set(SHOWN_BY) if chapter not in BENEATH else set(chapters()) - set(BENEATH)
    if chapter in SHOWN_BY:
        above = {"report"} - {chapter}
    for file in (PACKAGE / chapter).rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert not [name for name in above if f"from analysis.{name}" in text], file
