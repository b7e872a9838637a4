"""Settings of the whole test run: kernels are compiled with bounds checks, in a cache folder of their own."""

from __future__ import annotations

import os

os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")
os.environ.setdefault("POLARS_MAX_THREADS", "2")
os.environ.setdefault("MPLBACKEND", "Agg")
