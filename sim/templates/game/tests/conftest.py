"""Tests run the rules as plain Python: no waiting for the compiler, and a mistake has a line."""

import os

os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
