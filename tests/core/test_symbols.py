"""Machine code of several processes is mixed in one cache: its symbols must mean the same in all of them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sim.core.jit import COMPILED

PROGRAM = """
import sys
import numba
import numpy as np
from numba.core.itanium_mangler import mangle
import sim.core.jit
names = {}
for field in sys.argv[1:]:
    record = np.zeros(1, dtype=np.dtype([(field, np.int32), ("rows", np.int8, (3,))], align=True))
    names[field] = mangle("kernel", [numba.typeof(record[0]), numba.typeof(record)])
print(names["one"], names["two"])
"""


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_symbols_name_records_by_what_they_hold_and_not_by_their_order() -> None:
    found = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM, *order], capture_output=True, text=True, check=True
        ).stdout
        for order in (["one", "two"], ["two", "other", "one"])
    ]
    assert found[0] == found[1]
    one, two = found[0].split()
    assert one != two
