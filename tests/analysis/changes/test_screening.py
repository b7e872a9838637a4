"""Screens with planted truth: what matters is found, nothing else is, and interplay does not pass for an effect."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import analysis
from analysis.changes.screening import DIFFERS, levers
from analysis.report.sensitivity import write
from sim.batch.screening import hadamard, signs, told
from tests.analysis.small import from_shares

NUMBERS = 7


def screened(
    seed: int,
    deals: int,
    chance: dict[tuple[int, ...], float] | None = None,
    turns: dict[tuple[int, ...], float] | None = None,
    deal_spread: float = 0.0,
) -> Any:
    """A screen of seven numbers: products of signs move the first seat's share (half of it a step) and the turns."""
    rng = np.random.default_rng(seed)
    rows, _ = signs(NUMBERS)
    cells = len(rows)

    def moved(by: dict[tuple[int, ...], float] | None) -> np.ndarray:
        return sum(
            (size / 2 * rows[:, list(which)].prod(axis=1) for which, size in (by or {}).items()),
            np.zeros(cells),
        )

    deal = np.tile(np.arange(deals), cells)
    cell = np.repeat(np.arange(cells), deals)
    lean = deal_spread * rng.standard_normal(deals)
    first = (rng.random(deals * cells) < np.clip(0.5 + moved(chance)[cell] + lean[deal], 0, 1)).astype(float)
    length = 40 + moved(turns)[cell] + 8 * rng.standard_normal(deals)[deal] + rng.standard_normal(len(deal))
    d = from_shares(
        np.stack([first, 1 - first], axis=1),
        cells=pl.DataFrame(
            {"cell": pl.Series(range(cells), dtype=pl.Int32)}
            | {f"x{k}": rows[:, k].astype(np.int64) for k in range(NUMBERS)}
        ),
        cell=cell.astype(np.int32),
        deal=deal,
        turns=np.round(length).astype(np.int32),
    )
    d.manifest["screen"] = told({f"x{k}": [-1, 1] for k in range(NUMBERS)}, cells)
    return d


def found(frame: pl.DataFrame, measure: str) -> dict[str, dict[str, Any]]:
    return {row["factor"]: row for row in frame.filter(pl.col("measure") == measure).iter_rows(named=True)}


def test_designs_are_orthogonal_and_two_at_a_time_pass_for_nothing() -> None:
    for numbers in (4, 5, 7, 12, 21, 35, 70):
        rows, spare = signs(numbers)
        both = np.concatenate([rows, spare], axis=1).astype(int)
        assert (both.T @ both == len(both) * np.eye(both.shape[1])).all()
        assert (both.sum(axis=0) == 0).all()
        for column in both.T[:5]:  # products of two are orthogonal to every single one
            assert ((both * column[:, None]).T @ both == 0).all()
        assert spare.shape[1] >= 4
    assert len(np.unique(signs(3)[0], axis=0)) == len(signs(3)[0]) == 8
    assert hadamard(52) is None


def test_what_is_planted_is_found_and_pairing_by_deal_shows_what_chance_would_hide() -> None:
    d = screened(1, 40, chance={(0,): 0.16}, turns={(1,): 1.0}, deal_spread=0.2)
    frame = analysis.screen(d)
    first, turns = found(frame, "first seat"), found(frame, "turns")
    assert {name for name, row in first.items() if row["verdict"] == DIFFERS} == {"x0"}
    assert first["x0"]["low"] < 0.16 < first["x0"]["high"]
    assert {
        name for name, row in turns.items() if row["verdict"] == DIFFERS
    } == set()  # within 5% of the mean
    assert turns["x1"]["verdict"] == "the same"
    assert turns["x1"]["q"] < 0.001  # and yet beyond chance, by deals
    assert turns["x1"]["low"] < 1.0 < turns["x1"]["high"]
    values = d.games.collect()["turns"].to_numpy().astype(float)
    high = d.games.collect().join(d.cells.select("cell", "x1"), on="cell")["x1"].to_numpy() > 0
    naive = np.hypot(values[high].std() / np.sqrt(high.sum()), values[~high].std() / np.sqrt((~high).sum()))
    ours = (
        (turns["x1"]["high"] - turns["x1"]["low"]) / 2 / 2.9
    )  # the joint band of seven, at 39 degrees of freedom
    assert naive > 5 * ours  # errors of games as if they shared no deals are eight times too wide
    assert levers(frame, 1) == ["x0"]


def test_what_three_do_together_raises_the_floor_instead_of_passing_for_an_effect() -> None:
    """x0 x1 x2 is not orthogonal to single columns: naive tests call most of them real."""
    d = screened(2, 60, turns={(0, 1, 2): 12.0})
    frame = found(analysis.screen(d), "turns")
    naive = [name for name, row in frame.items() if row["q"] < 0.05]
    assert len(naive) >= 2
    assert not [name for name, row in frame.items() if row["verdict"] == DIFFERS]
    assert min(row["floor"] for row in frame.values()) > 2


def wrong(repetitions: int, begin: int) -> int:
    """Data sets without any effect in which some number is said to matter for the first seat or the turns."""
    count = 0
    for seed in range(begin, begin + repetitions):
        frame = analysis.screen(screened(seed, 40, deal_spread=0.1))
        verdicts = [found(frame, "first seat"), found(frame, "turns")]
        count += any(row["q"] < 0.05 for measure in verdicts for row in measure.values())
    return count


def test_nothing_is_found_where_there_is_nothing() -> None:
    assert wrong(6, 100) <= 2


@pytest.mark.soak
def test_false_alarms_of_a_whole_screen_are_rare() -> None:
    """Two families, each at 5%: at most 10% of screens, 2 standard errors above."""
    assert wrong(300, 1000) <= 300 * 0.0975 + 2 * np.sqrt(300 * 0.0975 * 0.9025)


def test_the_page_says_it_in_words(tmp_path: Any) -> None:
    d = screened(1, 40, chance={(0,): 0.3}, turns={(1,): 9.0})
    text = write(d, None, tmp_path / "page.html").read_text()
    assert "x1 -1 → 1 matters" in text
    assert "x0 -1 → 1 matters" in text
    assert "Of x2, x3, x4, x5 and x6 no effect is shown" in text
    assert "What moves this: win share of Seat A" in text


def test_a_data_set_without_a_screen_is_refused() -> None:
    with pytest.raises(analysis.Refusal, match="nothing was screened"):
        analysis.screen(from_shares(np.tile([1.0, 0.0], (20, 1))))
