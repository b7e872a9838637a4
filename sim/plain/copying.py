"""Copies of what a table holds: plain containers quickly, all else by `copy.deepcopy`."""

from __future__ import annotations

import copy
from typing import Any

_ATOMS = frozenset({int, str, float, bool, type(None), range, frozenset, bytes, complex, type})


def copied(value: Any) -> Any:
    """Return a copy of `value` that shares nothing with it that can be changed."""
    kind = type(value)
    if kind in _ATOMS:
        return value
    if kind is list:
        return [v if type(v) in _ATOMS else copied(v) for v in value]
    if kind is tuple:
        return value if all(type(v) in _ATOMS for v in value) else tuple(map(copied, value))
    if kind is dict:
        return {k: v if type(v) in _ATOMS else copied(v) for k, v in value.items()}
    if kind is set:
        return set(value)
    if getattr(value, "is_shared", False):
        return value
    return copy.deepcopy(value)


def canonical(value: Any) -> str:
    """Return a text that is the same for values that are equal."""
    if isinstance(value, dict):
        return "{" + ",".join(sorted(f"{k!r}:{canonical(v)}" for k, v in value.items())) + "}"
    if isinstance(value, set | frozenset):
        return "{" + ",".join(sorted(map(canonical, value))) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(canonical, value)) + "]"
    return repr(value)
