"""Write plain dictionaries as TOML (the standard library only reads it)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_BARE = re.compile(r"^[A-Za-z0-9_-]+$")


def _key(name: str) -> str:
    return name if _BARE.match(name) else json.dumps(name, ensure_ascii=False)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return (
            "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }" if value else "{}"
        )
    return "[" + ", ".join(_value(v) for v in value) + "]"


def to_toml(data: Mapping[str, Any]) -> str:
    """Return `data` (strings, numbers, lists, tables, lists of tables; no None) as TOML text."""
    head = [f"{_key(k)} = {_value(v)}" for k, v in data.items() if not _is_table(v)]
    blocks = ["\n".join(head)] if head else []
    for name, value in data.items():
        if isinstance(value, Mapping):
            blocks.append(
                "\n".join([f"[{_key(name)}]", *(f"{_key(k)} = {_value(v)}" for k, v in value.items())])
            )
        elif _is_table(value):
            for entry in value:
                lines = [f"[[{_key(name)}]]", *(f"{_key(k)} = {_value(v)}" for k, v in entry.items())]
                blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _is_table(value: Any) -> bool:
    if isinstance(value, Mapping):
        return True
    return isinstance(value, list | tuple) and len(value) > 0 and all(isinstance(v, Mapping) for v in value)
