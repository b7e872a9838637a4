"""Dispatch by record type, bit counting, and the folders of the compile cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.core import jit
from sim.core.errors import Refusal
from tests.core import small_game
from tests.core.plain import count_and_find, squares_below


def test_a_verb_finds_the_rules_of_its_state() -> None:
    rules = np.zeros(1)
    apples, pears = small_game.record(small_game.Apples), small_game.record(small_game.Pears)
    assert small_game.harvest(rules, apples, 3) == 30
    assert small_game.harvest(rules, pears, 3) == 20
    assert (apples.basket, pears.basket, pears.bruised) == (3, 3, 1)


def test_compiled_callers_find_them_too() -> None:
    rules = np.zeros(1)
    apples, pears = small_game.record(small_game.Apples), small_game.record(small_game.Pears)
    assert small_game.whole_day(rules, apples, 3) == 20 + 40 + 60
    assert small_game.whole_day(rules, pears, 3) == (14 - 1) + (28 - 2) + (42 - 3)
    assert (apples.basket, pears.bruised) == (6, 3)


def test_a_record_of_no_game_is_refused() -> None:
    with pytest.raises(TypeError, match="no field 'game_"):
        small_game.harvest(None, small_game.record(small_game.Nothing), 1)
    with pytest.raises((TypeError, numba.TypingError), match="no field 'game_"):
        small_game.whole_day(np.zeros(1), small_game.record(small_game.Nothing), 1)


def test_a_game_without_the_verb_is_refused() -> None:
    with pytest.raises(Refusal, match=r"'game_figs_[0-9a-f]*' has no verb 'harvest'"):
        small_game.harvest(None, small_game.record(small_game.Figs), 1)


def test_a_verb_may_have_a_default() -> None:
    apples, pears = small_game.record(small_game.Apples), small_game.record(small_game.Pears)
    for call in (small_game.wasps, small_game.wasps_of_a_day):
        assert call(None if call is small_game.wasps else np.zeros(1), apples, 2) == 2
        assert call(None if call is small_game.wasps else np.zeros(1), pears, 2) == 6
    assert jit.implemented("wasps", small_game.Pears)
    assert not jit.implemented("wasps", small_game.Apples)


def test_a_verb_carries_its_contract() -> None:
    assert small_game.harvest.__doc__ == "Pick `more` fruit and return what the basket is worth."


@given(st.integers(1, 2**63 - 1))
@settings(deadline=None)
def test_bits(mask: int) -> None:
    count, low = count_and_find(np.int64(mask))
    assert count == bin(mask).count("1") == jit.popcount(mask)
    assert low == bin(mask)[::-1].index("1") == jit.lowest(mask)


def test_no_bits_and_single_bits() -> None:
    assert jit.popcount(0) == 0
    assert [int(jit.bit(k)) for k in (0, 1, 31, 32, 62)] == [1, 2, 2**31, 2**32, 2**62]


def test_room_is_empty_at_every_call_and_belongs_to_it_alone() -> None:
    assert [int(squares_below(n)) for n in (0, 3, 8, 3)] == [0, 5, 140, 5]


def test_room_of_a_length_that_is_not_known_is_refused() -> None:
    @numba.njit
    def any_length(n: int) -> int:
        return jit.room(n)[0]  # type: ignore[no-any-return]

    with pytest.raises(numba.TypingError, match="room"):
        any_length(3)


def test_a_kernel_that_returns_an_array_of_its_own_is_refused() -> None:
    """Its caller counts no references and would never free it."""

    @jit.kernel
    def three(n: Any) -> Any:
        made = np.zeros(n, dtype=np.int64)
        return made, n

    @jit.kernel
    def calls_it(n: Any) -> Any:
        return three(n)[0][0]

    for kernel in (three, calls_it):
        with pytest.raises(numba.TypingError, match=r"three makes arrays and returns one.*test_jit.py, line"):
            kernel(3)


def test_a_kernel_may_return_what_it_was_given() -> None:
    @jit.kernel
    def same(given: Any) -> Any:
        return given

    array = np.arange(3)
    assert same(array) is array or np.shares_memory(same(array), array)


# --- the cache -----------------------------------------------------------------------------------------------


def _folder(source: Path, cache: Path, bounds: str) -> str:
    """Return the name of the cache folder for the kernels of `source`, as a fresh process finds it."""
    run = subprocess.run(
        [
            sys.executable,
            "-c",
            f"from sim.core.jit import _cache_folder as f; print(f({str(source)!r}).name)",
        ],
        env={**os.environ, "NUMBA_BOUNDSCHECK": bounds, "WHIMBREL_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.strip()


def test_code_with_and_without_bounds_checks_is_kept_apart(tmp_path: Path) -> None:
    """Numba itself would serve unchecked code to a checked run."""
    home, cache = tmp_path / "game", tmp_path / "cache"
    home.mkdir()
    (home / "rules.py").write_text("x = 1\n")
    checked, unchecked = _folder(home / "rules.py", cache, "1"), _folder(home / "rules.py", cache, "0")
    assert checked != unchecked
    assert checked.endswith("bounds")
    (home / "rules.py").write_text("x = 2\n")
    assert _folder(home / "rules.py", cache, "1") not in {checked, unchecked}
    assert len(list(cache.glob("game-*"))) == 3


def test_old_folders_are_pruned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "cache_root", lambda: tmp_path)
    old, young, other = (tmp_path / name for name in ("game-1", "game-2", "core-1"))
    for folder in (old, young, other):
        folder.mkdir()
        (folder / "kernel.nbi").write_bytes(b"x")
    month_ago = young.stat().st_mtime - 40 * 86400
    for folder in (old, other):
        os.utime(folder, (month_ago, month_ago))
    jit._prune("game")
    assert [folder.exists() for folder in (old, young, other)] == [False, True, True]


def test_this_run_checks_bounds() -> None:
    """An index out of bounds would silently change the next field of a record."""
    assert jit.COMPILED
    assert numba.config.BOUNDSCHECK
    with pytest.raises(IndexError):
        _beyond(np.zeros(3, dtype=np.int64), 5)


@jit.kernel
def _beyond(numbers, k):  # type: ignore[no-untyped-def]
    return numbers[k]
