"""Record types: what states, rules and log rows are made of."""

from __future__ import annotations

import keyword
from typing import Any

import numpy as np

from sim.core.errors import Refusal

TAKEN = frozenset(dir(np.record))
"""Names that NumPy's record scalars have themselves: plain Python would read these, compiled code the field."""


def record_type(fields: list[tuple[Any, ...]]) -> Any:
    """Return an aligned record dtype whose scalars are `np.record` (fields by attribute).

    ``np.dtype((np.record, fields), align=True)`` would drop the alignment silently.

    Raises
    ------
    Refusal
        A field cannot have its name.
    """
    check_names([field[0] for field in fields])
    return np.dtype((np.record, np.dtype(fields, align=True)))


def check_names(names: list[str]) -> None:
    """Refuse names that cannot be read as attributes of a record, or that would read something else."""
    for place, name in enumerate(names):
        if name in TAKEN:
            text = "NumPy's records have an attribute of that name, which plain Python would read instead"
            raise Refusal(f"record field {name!r}: {text}; call it {name + '_no'!r}, say")
        if not name.isidentifier() or keyword.iskeyword(name):
            raise Refusal(f"record field {name!r}: no name that can be written as `state.{name}`")
        if name in names[:place]:
            raise Refusal(f"record field {name!r} is there twice")
