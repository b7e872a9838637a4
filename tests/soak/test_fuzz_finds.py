"""What fuzzing has found (`tests.soak.fuzz`), and the harness itself: each file is read or refused in one line."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.soak import fuzz

pytestmark = pytest.mark.plain
TOML = ("experiment", "case", "map", "targets")
DEEP = [
    b"a = " + b"[" * 3000,
    b"a = " + b"[" * 3000 + b"]" * 3000,
    b"a = " + b"{a=" * 900 + b"1" + b"}" * 900,
]
LONG_NUMBER = b"a = " + b"1" * 4500
FINDS = [
    ("map", f"players = [1, {2**70}]".encode()),  # as many entrants were made
    ("map", f"players = [1, {10**9}]".encode()),
    ("map", '[players."²"]\nregions = "0,0"\n'.encode()),
    *((reader, data) for reader in TOML for data in [*DEEP, LONG_NUMBER]),
    ("import", b"[" * 3000),
    ("import", b"sep=;\n"),
    ("import", b"sep=;\n\n"),
    ("import", b'players,winner\n",A\n2,B\n",A\n'),  # a cell of several lines is quoted in one
    ("import", b'{"a":' * 2000 + b"1" + b"}" * 2000),
]


@pytest.mark.parametrize(("reader", "data"), FINDS)
def test_what_was_found_is_refused(tmp_path: Path, reader: str, data: bytes) -> None:
    assert fuzz.read(reader, data, tmp_path)


@pytest.mark.parametrize("reader", sorted(fuzz.READERS))
def test_the_seeds_are_read(tmp_path: Path, reader: str) -> None:
    """A fuzzer that begins with files that are refused would learn nothing."""
    found = fuzz.seeds(reader)
    assert found
    for text in random.Random(1).sample(found, min(len(found), 3)):
        assert fuzz.read(reader, text.encode(), tmp_path) == ""


def test_values_are_spoilt_and_the_file_stays_one() -> None:
    text = fuzz.seeds("targets")[0].encode()
    changed = {fuzz.spoil(text, 4096, seed) for seed in range(20)}
    assert len(changed) > 10
    assert max(map(len, changed)) <= 4096
    assert fuzz.spoil(b"= no toml", 4096, 1) == b"= no toml"
