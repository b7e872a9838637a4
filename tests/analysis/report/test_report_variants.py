"""The report on variants: sections appear with their data, and say what the frames say."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import analysis
from analysis import plots
from analysis.data.dataset import Dataset
from analysis.report import words
from tests.analysis.author_claims.test_planted_claims import claim, over, with_claims
from tests.analysis.changes.test_planted_cards import CARDS, carded, founded, harmful, in_series
from tests.analysis.draftset import PIECES, drafted, with_tables
from tests.analysis.report.test_report import Page
from tests.analysis.skill.test_planted_matchups import CIRCLE, field

NAMES = ["rush", "control", "wasteland"]


def seen(data: Dataset, tmp_path: Path) -> dict[str, str]:
    """Text of each section, with single spaces, keyed without its prefix."""
    page = Page(analysis.report.write(data, out=tmp_path / "report.html"))
    assert not re.search(r"\bnan\b|\bNone\b|\binf\b", page.text)
    return {name.removeprefix("p1-"): re.sub(r"\s+", " ", text) for name, text in page.sections.items()}


def test_drafts(tmp_path: Path) -> None:
    data = drafted(1_500, 3, appeal={"Rats": 0.6, "Wolf": -0.5}, worth={"Rats": 0.3}, position=(0.4,))
    text = seen(data, tmp_path)
    assert "In the draft Rats is picked eagerly" in text["answer"]
    first = analysis.draft_seats(data).row(0, named=True)
    assert (
        f"Who splits first in the draft wins {words.share(*(first[k] for k in ('estimate', 'low', 'high', 'fair')))}"
        in text["answer"]
    )
    assert "with the seat taken off" in text["answer"]
    for row in analysis.draft_picks(data).iter_rows(named=True):
        assert words.points(row["estimate"]) in text["drafts"]
    assert "to choose from" in text["drafts"]
    # Taken and played are told as what they are.
    assert "they go with winning" in text["drafts"]


def test_cards(tmp_path: Path) -> None:
    text = seen(carded(4_000, none=0.2), tmp_path)
    assert f"Cards change the length, against no card for greedy play: {CARDS[0]}" in text["answer"]
    assert f"{CARDS[1]}" in text["answer"].split("Cards change the seats")[1]
    assert "strength of A" in text["levels"]


def test_matchups(tmp_path: Path) -> None:
    data = field(CIRCLE, NAMES, 400)
    # An experiment over decks varies who plays whom: a column of texts beside the number of players.
    cells = data.cells.with_columns(players=pl.lit("rush vs control"))
    more = pl.concat([cells, cells.with_columns(cell=pl.lit(1, dtype=pl.Int32), players=pl.lit("mirror"))])
    games = data.games.with_columns(cell=(pl.col("deal") % 2).cast(pl.Int32))
    data = with_tables(Dataset({**data.manifest, "factors": ["players"]}, more, data._tables), games=games)
    text = seen(data, tmp_path)
    field_of = analysis.standing(data)
    assert f"Against the field the deck {field_of['name'][0]} does best" in text["answer"]
    for row in field_of.iter_rows(named=True):
        assert words.percent(row["estimate"]) in text["matchups"]
    assert "mirror" in text["matchups"]
    assert "Does players change" not in text["factors"]


def test_founder_and_series(tmp_path: Path) -> None:
    text = seen(in_series(400, role=3.0), tmp_path)
    assert "With 2 players the Founder wins" in text["answer"]
    assert "Over a series of 2 games" in text["answer"]
    assert "400 series" in text["roles"]
    tied = seen(founded(300, role=0.3, moves=False), tmp_path)
    assert "Founder wins" not in tied["answer"]
    assert "cannot be told apart" in tied["roles"]


def test_harm(tmp_path: Path) -> None:
    text = seen(harmful(2_000, 2), tmp_path)
    assert "What does an opponent gain or lose by facing a piece?" in text["harm"]
    assert "opponents' points" in text["harm"]


def test_claims_and_stand_ins(tmp_path: Path) -> None:
    data = over(["set_counts 1", "set_counts 2", "forests 1"], {"set_counts 2": -0.5}, deals=2_000)
    listed = (claim("piece_above_average", piece="Rats"), claim("comebacks", at=0.5, than=0.2))
    text = seen(with_claims(data, *listed), tmp_path)
    assert "Of 2 claims that the game's author makes, 1 is seen" in text["answer"]
    assert "no turns were logged" in text["claims"]
    assert "the verdict on Rats (strong) depends on set_counts" in text["answer"]
    assert "These verdicts hold under all 3 guesses" in text["answer"]
    assert "depends on variant" not in text["answer"]


@pytest.mark.parametrize("games", [1, 2, 6])
def test_few_games_give_no_verdict_and_no_crash(games: int, tmp_path: Path) -> None:
    cards = with_tables(carded(40), {"lever": {"column": "assigned", "text": "random"}}).filter(
        pl.col("game_id") < games
    )
    decks = field(CIRCLE, NAMES, 1).filter(pl.col("game_id") < games)
    listed = [claim("piece_above_average", piece="A"), claim("decides_close_games", piece="A", margin=2)]
    made: dict[str, Any] = {
        "draft": drafted(games, 3),
        "cards": cards,
        "decks": decks,
        "series": in_series(games),
        "founder": founded(games, role=0),
        "harm": harmful(games, 2),
        "claims": with_claims(harmful(games, 2), *listed),
    }
    for data in made.values():
        page = Page(analysis.report.write(data, out=tmp_path / "few.html"))
        badges = re.findall(
            r'<span class="badge (?:strong|weak|uneven|balanced)">([^<]*)</span>', page.source
        )
        assert set(badges) <= {"fine"}
        assert not re.search(r"\bnan\b|\bNone\b|\binf\b", page.text)


# -- pictures ------------------------------------------------------------------------------------------------


def texts(ax: Any) -> list[str]:
    ax.get_figure().canvas.draw()
    return [t.get_text() for t in [*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels()]]


def test_picks_stand_in_order_with_the_share_picked() -> None:
    frame = analysis.draft_picks(drafted(800, 2, appeal={"Rats": 0.8, "Wolf": -0.6}))
    ax = plots.pick_forest(frame)
    labels = [t.get_text() for t in ax.get_yticklabels()]
    assert labels[0] == "Rats"
    assert labels[-1] == "Wolf"
    assert sorted(labels) == sorted(PIECES)
    best = frame.filter(pl.col("piece") == "Rats")["picked"][0]
    assert f"{100 * best:.0f}%" in texts(ax)


def test_matrix_reads_the_same_in_both_directions() -> None:
    ax = plots.matchup_matrix(analysis.matchups(field(CIRCLE, NAMES, 600)))
    shown = texts(ax)
    assert sum("▲" in t for t in shown) == sum("▼" in t for t in shown) == 3
    assert shown.count("–") == 3
    numbers = {t.split()[-1] for t in shown if "▲" in t or "▼" in t}
    assert all(str(100 - int(number)) in numbers or str(99 - int(number)) in numbers for number in numbers)


def test_pairs_that_never_met_are_dots() -> None:
    frame = analysis.matchups(field(CIRCLE, NAMES, 100))
    part = frame.filter(~((pl.col("row") == "rush") & (pl.col("column") == "control")))
    assert "·" in texts(plots.matchup_matrix(part))


def test_plain_numbers_are_written_and_clear_ones_filled() -> None:
    frame = pl.DataFrame(
        {
            "card": ["x" * 60, "b $2$", "c"],
            "estimate": [2.5, -1.25, None],
            "low": [2.0, -2, None],
            "high": [3.0, 0, None],
        }
    ).with_columns(q=pl.Series([0.001, 0.4, None]))
    ax = plots.plain_dots(frame, level="card", label="turns")
    shown = texts(ax)
    assert "+2.50" in shown
    assert "−1.25" in shown
    assert "no data" in shown
    markers = [line.get_markerfacecolor() for line in ax.lines if line.get_marker() not in ("None", None, "")]
    assert len(set(map(str, markers))) == 2


def test_many_decks_still_fit() -> None:
    names = [f"deck number {k}" for k in range(20)]
    rows = [
        {"row": a, "column": b, "estimate": 0.5, "eb": 0.5, "verdict": "undecided", "mirror": a == b}
        for a, b in itertools.product(names, names)
    ]
    ax = plots.matchup_matrix(pl.DataFrame(rows))
    assert ax.get_figure().get_figwidth() > 10
    assert np.isfinite(ax.get_xlim()).all()
