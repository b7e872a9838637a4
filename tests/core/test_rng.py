"""Random streams: known values, no signed arithmetic, separate streams, even draws."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from sim.core import rng
from tests.core.plain import answers

M64 = 2**64 - 1
seeds = st.integers(0, M64)
STREAMS = (rng.DEAL, rng.DRAFT, rng.CHANCE, rng.BOT, rng.JITTER, rng.BANS, rng.FOUNDING, rng.TEAM)


def mix(z: int) -> int:
    """SplitMix64's finaliser in whole numbers of Python."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & M64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & M64
    return z ^ (z >> 31)


def stream(seed: int) -> np.ndarray:
    return np.array([seed], dtype=np.uint64)


def test_the_published_numbers_of_splitmix64() -> None:
    s = stream(0)
    published = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]
    assert [int(rng.u64(s)) for _ in published] == published


@given(seeds)
@settings(deadline=None)
def test_u64_in_whole_numbers_of_python(seed: int) -> None:
    s = stream(seed)
    golden = 0x9E3779B97F4A7C15
    assert int(rng.u64(s)) == mix((seed + golden) & M64)
    assert int(s[0]) == (seed + golden) & M64


@given(seeds, st.sampled_from(STREAMS), st.integers(0, 2**48 - 1))
@settings(deadline=None)
def test_keyed_in_whole_numbers_of_python(seed: int, name: int, item: int) -> None:
    golden = 0x9E3779B97F4A7C15
    place = name * 2**48 + item + 1
    wanted = mix((mix((seed + place * golden) & M64) + golden) & M64)
    assert int(rng.keyed(np.uint64(seed), name, item)) == wanted
    s = stream(0)
    rng.start(s, np.uint64(seed), name, item)
    assert int(s[0]) == wanted


@given(seeds, st.integers(1, 2**31 - 1))
@settings(deadline=None)
def test_draws_stay_in_their_range(seed: int, n: int) -> None:
    s = stream(seed)
    assert 0 <= rng.below(s, n) < n
    assert 0.0 <= rng.unit(s) < 1.0
    assert 0 <= rng.to_below(np.uint64(seed), n) < n
    assert 0.0 <= rng.to_unit(np.uint64(seed)) < 1.0


def test_keyed_numbers_all_differ() -> None:
    keys = {
        int(rng.keyed(np.uint64(seed), name, item))
        for seed in (0, 1, 2, 2**63)
        for name in STREAMS
        for item in range(200)
    }
    assert len(keys) == 4 * len(STREAMS) * 200


def test_streams_of_neighbouring_places_have_nothing_in_common() -> None:
    """Bits of the first draws of neighbouring streams agree as often as those of coins."""
    first = []
    for name in STREAMS:
        for item in range(64):
            s = stream(0)
            rng.start(s, np.uint64(7), name, item)
            first.append([int(rng.u64(s)) for _ in range(4)])
    draws = np.array(first, dtype=np.uint64)
    assert len(np.unique(draws)) == draws.size
    bits = np.unpackbits(draws.view(np.uint8).reshape(len(first), -1), axis=1).astype(float)
    agree = (bits[1:] == bits[:-1]).mean()
    assert abs(agree - 0.5) < 5 * 0.5 / np.sqrt(bits[1:].size)
    assert abs(bits.mean(axis=0) - 0.5).max() < 5 * 0.5 / np.sqrt(len(first))


@pytest.mark.parametrize("n", [2, 3, 7, 12, 100])
def test_below_is_even(n: int) -> None:
    s = stream(99)
    counts = np.bincount([rng.below(s, n) for _ in range(200 * n)], minlength=n)
    assert stats.chisquare(counts).pvalue > 1e-5


@pytest.mark.parametrize("n", [2, 3, 11])
def test_keyed_draws_are_even(n: int) -> None:
    keys = [np.uint64(rng.keyed(np.uint64(5), rng.BANS, item)) for item in range(400 * n)]
    counts = np.bincount([rng.to_below(key, n) for key in keys], minlength=n)
    assert stats.chisquare(counts).pvalue > 1e-5


def test_unit_is_even() -> None:
    s = stream(3)
    draws = [rng.unit(s) for _ in range(3000)]
    assert stats.kstest(draws, "uniform").pvalue > 1e-5


def test_compiled_and_plain_agree() -> None:
    """Random streams, bit counting and hex tables give the same numbers without compiling, and no warning."""
    run = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-m", "tests.core.plain"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    plain, compiled = json.loads(run.stdout), json.loads(json.dumps(answers()))
    assert plain.keys() == compiled.keys()
    assert {key for key in plain if plain[key] != compiled[key]} == set()
