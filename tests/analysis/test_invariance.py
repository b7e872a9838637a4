"""What must not change an answer: labels of seats, names of pieces, order of rows and files, doubled games."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import analysis
from analysis.data.dataset import Dataset
from tests.analysis.small import from_shares, winners
from tests.analysis.synthetic import PIECES, Synthetic, make

NUMBERS = ["estimate", "low", "high", "p", "q", "eb", "log_odds"]


@pytest.fixture(scope="module")
def made() -> Synthetic:
    return make(deals=250, factors={"players.count": [2, 3]}, drawn_bans=2, log="pieces")


@settings(max_examples=15, deadline=None)
@given(st.permutations(range(3)), st.integers(0, 2**16))
def test_seats_carry_their_labels(order: list[int], seed: int) -> None:
    """Permuting seats permutes the seats' rows, and leaves the pieces alone."""
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(5, [0.25] * 4, size=(400, 3))
    shares = winners(counts @ np.array([0.4, 0.0, 0.0, -0.2]) + rng.gumbel(size=(400, 3)))
    names = list("ABCD")
    plain = from_shares(shares, counts=counts, pieces=names)
    turned = from_shares(shares[:, order], counts=counts[:, order], pieces=names)
    a, b = analysis.seat_balance(plain), analysis.seat_balance(turned)
    for column in ("estimate", "low", "high", "p"):
        assert b[column].to_numpy() == pytest.approx(a[column].to_numpy()[order], abs=1e-9)
    first, second = analysis.piece_strength(plain), analysis.piece_strength(turned)
    for column in NUMBERS:
        assert second[column].to_numpy() == pytest.approx(first[column].to_numpy(), abs=1e-7)


@settings(max_examples=10, deadline=None)
@given(st.permutations(range(4)), st.integers(0, 2**16))
def test_names_of_pieces_carry_their_rows(order: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(5, [0.25] * 4, size=(400, 2))
    shares = winners(counts @ np.array([0.4, 0.0, 0.0, -0.2]) + rng.gumbel(size=(400, 2)))
    plain = from_shares(shares, counts=counts, pieces=list("ABCD"))
    other = from_shares(shares, counts=counts[..., order], pieces=[f"new {'ABCD'[k]}" for k in order])
    a = analysis.piece_strength(plain).sort("piece")
    b = analysis.piece_strength(other).with_columns(pl.col("piece").str.replace("new ", "")).sort("piece")
    for column in NUMBERS:
        assert b[column].to_numpy() == pytest.approx(a[column].to_numpy(), abs=1e-7)
    assert a["verdict"].to_list() == b["verdict"].to_list()


def doubled(made: Synthetic) -> Dataset:
    """Every game twice, under a new game_id and the same deal and line."""
    tables = {}
    for name, frame in made.tables.items():
        again = frame.with_columns(pl.col("game_id") + 2**31)
        tables[name] = pl.concat([frame, again])
    return Dataset.from_frames(made.manifest, made.cells, **tables)


@pytest.mark.parametrize(
    "question",
    [
        analysis.seat_balance,
        analysis.seat_tests,
        analysis.piece_strength,
        analysis.goes_with_winning,
        analysis.ban_effects_on_pieces,
        analysis.ban_effects_on_seats,
        analysis.length,
        analysis.ties,
        analysis.end_reasons,
    ],
)
def test_doubling_every_game_narrows_no_interval(made: Synthetic, question: object) -> None:
    once, twice = (question(d) for d in (made.dataset(), doubled(made)))  # type: ignore[operator]
    for column in ("estimate", "low", "high"):
        assert twice[column].to_numpy() == pytest.approx(once[column].to_numpy(), abs=2e-6, nan_ok=True)
    assert twice["games"].to_list() == [2 * n for n in once["games"]]
    assert twice["deals"].to_list() == once["deals"].to_list()


def test_win_shares_add_up_to_the_games(made: Synthetic) -> None:
    frame = analysis.seat_balance(made.dataset())
    total = (frame["estimate"] * frame["games"]).sum()
    assert total == pytest.approx(made.tables["games"].height)


@pytest.mark.parametrize(
    "question",
    [
        analysis.seat_balance,
        analysis.piece_strength,
        analysis.goes_with_winning,
        analysis.ban_effects_on_pieces,
        analysis.lead_changes,
        analysis.audit,
    ],
)
def test_order_of_rows_does_not_matter(made: Synthetic, question: object) -> None:
    shuffled = {name: frame.sample(fraction=1.0, shuffle=True, seed=5) for name, frame in made.tables.items()}
    d = Dataset.from_frames(made.manifest, made.cells, **shuffled)
    assert_frame_equal(question(d), question(made.dataset()))  # type: ignore[operator]


def test_order_and_size_of_files_do_not_matter(made: Synthetic, tmp_path: Path) -> None:
    small = made.write(tmp_path / "small", chunk_games=37)
    large = made.write(tmp_path / "large", chunk_games=100_000)
    lines = (small / "commits.jsonl").read_text().splitlines()
    (small / "commits.jsonl").write_text("\n".join(reversed(lines)) + "\n")
    a, b = analysis.load(small), analysis.load(large)
    assert_frame_equal(analysis.piece_strength(a), analysis.piece_strength(b))
    assert_frame_equal(analysis.seat_tests(a), analysis.seat_tests(b))


def test_missing_zero_rows_of_pieces_count_as_zero(made: Synthetic) -> None:
    held = made.tables["pieces"].filter(pl.col("assigned") > 0)
    d = Dataset.from_frames(made.manifest, made.cells, **{**made.tables, "pieces": held})
    assert_frame_equal(analysis.piece_strength(d), analysis.piece_strength(made.dataset()))


def test_levels_of_a_factor_are_the_single_cells(made: Synthetic) -> None:
    d = made.dataset()
    by = analysis.piece_strength(d, by="players.count")
    alone = analysis.piece_strength(d.filter(**{"players.count": 2}))
    judged = [
        "low_joint",
        "high_joint",
        "q",
        "flag",
        "verdict",
        "more_games",
    ]  # corrected over all levels that are asked for
    two = by.filter(pl.col("players.count") == 2)
    assert_frame_equal(two.drop("players.count", *judged), alone.drop(judged))
    assert (two["low_joint"] < alone["low_joint"]).all()
    assert by["piece"].to_list() == [*PIECES, *PIECES]
