"""The report of an experiment with tiers: the badge is measured, verdicts are read at the strongest tier."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.data.dataset import Dataset
from analysis.report import write
from analysis.report.context import Context
from analysis.report.over_play import badge
from tests.analysis.skill.test_planted_over_play import STRENGTH, TIERS, planted


def page(d: Dataset, folder: Path) -> str:
    return write(d, folder / "report.html").read_text()


@pytest.fixture(scope="module")
def moving() -> Dataset:
    return planted((6_000, 6_000, 5_000), 5)


def test_the_badge_names_what_is_still_moving(moving: Dataset, tmp_path: Path) -> None:
    text = badge(Context(moving, "p1"))
    assert text is not None
    assert text.startswith("still moving: ")
    assert "turning" in text
    assert "steady" not in text
    html = page(moving, tmp_path)
    assert text in html
    assert "Verdicts over play" in html
    assert "Verdicts are read at search:playouts=200." in html
    assert "Since greedy:" in html
    assert "turning and plain turn" in html


def test_the_badge_says_that_all_hold_where_nothing_moves() -> None:
    still = dict.fromkeys(TIERS, STRENGTH["greedy"])
    assert badge(Context(planted((9_000, 9_000, 9_000), 3, still), "p1")) == "holds over play"


def test_the_answer_is_that_of_the_strongest_tier(moving: Dataset, tmp_path: Path) -> None:
    """A piece that is strong to the weakest tier and weak to the strongest is called weak, and never strong."""
    context = Context(moving, "p1")
    assert context.pieces is not None
    words = {row["piece"]: row["verdict"] for row in context.pieces.iter_rows(named=True)}
    assert words["turning"] == "weak"
    assert context.d.play == "search:playouts=200 play"
    assert context.whole.n_games == 17_000


def test_one_tier_says_for_which_play_alone_it_holds() -> None:
    text = badge(Context(planted((900, 900, 900), 5).at_tier("greedy"), "p1"))
    assert text is not None
