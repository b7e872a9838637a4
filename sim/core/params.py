"""From a game's parameter model to the record that its rules read.

A parameter is declared once, in the game's pydantic model. Whole numbers, switches and named choices become
``int32`` fields (a choice is its place in the `Literal`), floats ``float64``, tables with fixed keys arrays.
Parameters marked ``json_schema_extra={"rules": False}`` (a map's name, a list of bans) stay outside.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin

import numpy as np
from pydantic import BaseModel, ConfigDict, Field
from pydantic.fields import FieldInfo

from sim.core.records import record_type


class ParameterModel(BaseModel):
    """What a game's parameter model is made from: no other keys, and no number where a word should be."""

    model_config = ConfigDict(extra="forbid", strict=True)


def rule(default: Any, help_text: str, ruling: str = "", **limits: Any) -> Any:
    """Declare a parameter that becomes a field of the rules record.

    Parameters
    ----------
    ruling
        The readings that it chooses among, by their ids.
    limits
        What pydantic's `Field` takes: ``ge``, ``le``.
    """
    return Field(default=default, description=help_text, json_schema_extra={"ruling": ruling}, **limits)


def setting(
    default: Any, help_text: str, ruling: str = "", ge: int | None = None, le: int | None = None, **extra: Any
) -> Any:
    """Declare a parameter that stays outside the rules record; `extra` is kept beside its ruling."""
    limits: dict[str, Any] = {name: limit for name, limit in (("ge", ge), ("le", le)) if limit is not None}
    more = {"rules": False, "ruling": ruling, **extra}
    return Field(default=default, description=help_text, json_schema_extra=more, **limits)


def rule_table(make: Any, help_text: str, ruling: str = "") -> Any:
    """Declare a table of parameters that becomes an array of the rules record; `make` is its model."""
    return Field(default_factory=make, description=help_text, json_schema_extra={"ruling": ruling})


def is_rule(field: FieldInfo) -> bool:
    """Return whether this parameter becomes a field of the rules record."""
    extra = field.json_schema_extra
    return not (isinstance(extra, dict) and extra.get("rules") is False)


def choices(field: FieldInfo) -> tuple[Any, ...]:
    """Return the named choices of a parameter, or () when it is no choice."""
    return get_args(field.annotation) if get_origin(field.annotation) is Literal else ()


def choice(model: type[BaseModel], name: str, value: Any) -> int:
    """Return the number under which the rules record holds the choice `value` of parameter `name`."""
    return choices(model.model_fields[name]).index(value)


def rule_fields(model: type[BaseModel]) -> list[tuple[Any, ...]]:
    """Return the dtype fields for a parameter model, in the order of declaration."""
    fields: list[tuple[Any, ...]] = []
    for name, field in model.model_fields.items():
        if not is_rule(field):
            continue
        kind = field.annotation
        if kind is float:
            fields.append((name, np.float64))
        elif kind in (int, bool) or choices(field):
            fields.append((name, np.int32))
        elif isinstance(kind, type) and issubclass(kind, BaseModel):
            fields.append((name, np.int32, (len(kind.model_fields),)))
        else:
            raise TypeError(f"parameter {name!r}: {kind!r} has no place in a rules record")
    return fields


def rules_type(game: str, model: type[BaseModel], fields: list[tuple[Any, ...]] | None = None) -> Any:
    """Return the record type of a game's rules: `players` (how many play), its parameters, `fields` of its own."""
    head = [(f"{game}_rules", np.int32), ("players", np.int32)]
    return record_type([*head, *rule_fields(model), *(fields or [])])


def fill_rules(parameters: BaseModel, record: Any) -> None:
    """Write the values of `parameters` into the fields of `record` that `rule_fields` made."""
    for name, field in type(parameters).model_fields.items():
        if not is_rule(field):
            continue
        value = getattr(parameters, name)
        options = choices(field)
        if options:
            value = options.index(value)
        elif isinstance(value, BaseModel):
            value = [getattr(value, key) for key in type(value).model_fields]
        record[name] = value


def flatten(parameters: BaseModel) -> dict[str, Any]:
    """Return the parameters as one flat dict: tables become dotted names (by alias), lists stay lists."""
    flat: dict[str, Any] = {}
    for name in type(parameters).model_fields:
        value = getattr(parameters, name)
        if isinstance(value, BaseModel):
            for key, inner in type(value).model_fields.items():
                flat[f"{name}.{inner.alias or key}"] = getattr(value, key)
        else:
            flat[name] = list(value) if isinstance(value, tuple) else value
    return flat


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Return dotted keys as tables: ``{"pawns.1": 4}`` becomes ``{"pawns": {"1": 4}}``."""
    tables: dict[str, Any] = {}
    for key, value in flat.items():
        name, dot, inner = key.partition(".")
        if dot:
            tables.setdefault(name, {})[inner] = value
        else:
            tables[name] = value
    return tables


def _type_name(annotation: Any) -> str:
    names = {int: "int", bool: "bool", float: "float", str: "str"}
    if annotation in names:
        return names[annotation]
    if get_origin(annotation) is Literal:
        return "choice"
    if get_origin(annotation) in (list, tuple):
        return "list"
    if get_origin(annotation) in (typing.Union, types.UnionType):
        return " or ".join(_type_name(part) for part in get_args(annotation))
    return "table"


def _range(field: FieldInfo) -> Any:
    options = choices(field)
    if options:
        return list(options)
    if field.annotation is bool:
        return [False, True]
    low = high = None
    for item in field.metadata:
        low = getattr(item, "ge", low)
        high = getattr(item, "le", high)
    return None if low is None and high is None else [low, high]


def describe(model: type[BaseModel]) -> list[dict[str, Any]]:
    """Return one dict a parameter: name, type, default, range, help, ruling (tables one row a key)."""
    rows = []
    blank = model()
    for name, field in model.model_fields.items():
        extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
        row = {"help": field.description or "", "ruling": extra.get("ruling", "")}
        value = getattr(blank, name)
        if isinstance(value, BaseModel):
            for key, inner in type(value).model_fields.items():
                default = getattr(value, key)
                label = f"{name}.{inner.alias or key}"
                rows.append({"name": label, "type": "int", "default": default, "range": _range(inner), **row})
        else:
            default = list(value) if isinstance(value, tuple) else value
            kind = _type_name(field.annotation)
            limits = extra.get("range") or _range(field)
            rows.append({"name": name, "type": kind, "default": default, "range": limits, **row})
    return rows
