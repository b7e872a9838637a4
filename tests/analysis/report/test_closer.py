"""The closer look says what the data raise, each in a plain sentence, and nothing where they raise nothing."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import analysis
from analysis.report import closer
from analysis.report.context import Context
from tests.analysis.pace.test_planted_kingmaking import played as with_a_hopeless_third
from tests.analysis.pieces.test_planted_placing import played as placed
from tests.analysis.pieces.test_planted_worth import EVERY
from tests.analysis.pieces.test_planted_worth import played as worth
from tests.analysis.skill.test_planted_components import played as rotated
from tests.analysis.small import from_shares

pytestmark = pytest.mark.plain


def said(blocks: list[closer.Block]) -> str:
    return " ".join(str(getattr(block, "text", "")) for block in blocks)


def test_each_is_told_where_it_was_planted() -> None:
    text = said(closer.worth(Context(worth(EVERY, 600), "p1")))
    assert re.match(r"A player who may not use Rats loses most, \+\d+\.\d points of win share", text)
    text = said(closer._others(Context(with_a_hopeless_third(500, 1.0), "p1")))
    share = analysis.kingmaking(with_a_hopeless_third(500, 1.0)).row(0, named=True)["estimate"]
    assert f"In {100 * share:.1f}% of games" in text
    text = said(closer._decides(Context(rotated(600, 3, hand=0.2), "p1")))
    assert "deal: with the player" in text
    assert "luck of play" in text


def test_of_many_games_a_part_is_read_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    many = Context(rotated(600, 3, hand=0.2), "p1")
    every = said(closer.closer(many))
    assert "Read here" not in every
    monkeypatch.setattr(closer, "MOST_FITTED", 900)
    part = said(closer.closer(many))
    assert part.startswith("Read here: 900 of 3,600 games, the first 75 of every 300 deals of each cell.")
    assert "Of the differences in who wins" in part


def test_a_board_is_drawn_where_pieces_were_put(tmp_path: Path) -> None:
    page = analysis.report.write(placed(500, 0.8), tmp_path / "r.html", only="places").read_text(
        encoding="utf-8"
    )
    assert "Most is put on" in page
    assert page.count("<svg") >= 1
    assert "Places that go with winning or losing" in page


def test_nothing_is_shown_where_there_is_nothing_to_say() -> None:
    plain = Context(from_shares(np.tile([[1.0, 0.0], [0.0, 1.0]], (40, 1))), "p1")
    assert closer.worth(plain) == closer.places(plain) == []
    assert closer.closer(plain) == []
