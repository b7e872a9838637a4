"""Record types: what states, rules and log rows are made of."""

from __future__ import annotations

import keyword
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sim.core.errors import Refusal
from sim.core.sources import tag_rules

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


@cache
def quick_type(kind: Any) -> Any:
    """Return a record type of the same layout whose scalars have a property for each field.

    Plain Python reads these eight times as fast as the attributes of `np.record`; nothing compiled may meet them.
    """
    assert kind.names is not None
    parts = [kind.fields[name] for name in kind.names]
    formats = [quick_type(part[0]) if part[0].names is not None else part[0] for part in parts]
    layout: Any = {"names": list(kind.names), "formats": formats, "offsets": [part[1] for part in parts]}
    layout["itemsize"] = kind.itemsize

    def field(name: str) -> property:
        return property(lambda record: record[name], lambda record, value: record.__setitem__(name, value))

    scalar = type("Quick", (np.void,), {"__slots__": (), **{name: field(name) for name in kind.names}})
    return np.dtype((scalar, np.dtype(layout)))


FIELDS = ("phase", "seat", "players", "turn", "ended")
"""Fields that every state record has, all int32 (`sim.core.contract` says what they mean)."""


def state_type(game: str, fields: list[tuple[Any, ...]]) -> Any:
    """Return the record type of a game's state: the fields that every state has, then the game's own.

    The first field is the state's tag. It names the game and a hash of its sources, found from the file that calls this
    function: its package (for ``rules/state.py`` the folder ``rules``), or the one file, and all that these import. By
    the tag verbs find the game, and machine code that was compiled from other sources is never run.

    Raises
    ------
    Refusal
        A field cannot have its name, or is there already.
    """
    caller = sys._getframe(1)
    alone = "." not in str(caller.f_globals.get("__name__"))  # imported as a file, whatever lies beside it
    tag = tag_rules(game, Path(caller.f_code.co_filename), alone)
    given = [(tag, np.int32), *((name, np.int32) for name in FIELDS)]
    for name, *_ in fields:
        if name in FIELDS:
            raise Refusal(f"record field {name!r}: every state has it, `state_type` adds it itself")
    return record_type([*given, *fields])


def same_position(one: Any, other: Any) -> bool:
    """Return whether two states hold the same, whatever lies between their fields; objects are compared as such."""
    return all(bool(np.array_equal(one[name], other[name])) for name in one.dtype.names)


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
