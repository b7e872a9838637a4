"""Record types: what states, rules and log rows are made of."""

from __future__ import annotations

from typing import Any

import numpy as np


def record_type(fields: list[tuple[Any, ...]]) -> Any:
    """Return an aligned record dtype whose scalars are `np.record` (fields by attribute).

    ``np.dtype((np.record, fields), align=True)`` would drop the alignment silently.
    """
    return np.dtype((np.record, np.dtype(fields, align=True)))
