"""Bots, written once for every game: they call the verbs of the contract and never import a game.

One bot a module: ``ABOUT``, ``OPTIONS`` and ``choose``. The set of bots of a run is a record type whose field
names carry a hash of each bot's source, so that changed code is never taken from a cache.
"""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from sim.core.errors import Refusal, nearest

_BUILT_IN = ("random", "greedy")
MAX_FEATURES = 32


def bot_names() -> list[str]:
    """Return the names of all bots."""
    return list(_BUILT_IN)


@cache
def module_of(name: str) -> ModuleType:
    """Return the module of bot `name`."""
    if name not in _BUILT_IN:
        raise Refusal(f"there is no bot {name!r}{nearest(name, _BUILT_IN)}")
    return importlib.import_module(f"sim.bots.{name}")


def describe(name: str) -> dict[str, Any]:
    """Return ``{"name", "about", "options"}`` of bot `name`."""
    module = module_of(name)
    return {"name": name, "about": module.ABOUT, "options": module.OPTIONS}


def check_options(name: str, options: dict[str, Any], features: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return `options` after checking names and ranges; features are the names that `weights` may hold."""
    known = module_of(name).OPTIONS
    for key, value in options.items():
        if key not in known:
            raise Refusal(f"bot {name!r} has no option {key!r}{nearest(key, list(known))}")
        limits = known[key]["range"]
        if limits is not None and (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not limits[0] <= value <= limits[1]
        ):
            raise Refusal(f"bot {name!r}: {key} = {value!r} is not between {limits[0]} and {limits[1]}")
        if key == "weights":
            if not isinstance(value, dict):
                raise Refusal(f"bot {name!r}: weights must be a table, such as {{ points = 1.0 }}")
            for feature, weight in value.items():
                if features and feature not in features:
                    raise Refusal(
                        f"bot {name!r}: there is no feature {feature!r}{nearest(feature, features)}"
                    )
                if isinstance(weight, bool) or not isinstance(weight, int | float):
                    raise Refusal(f"bot {name!r}: the weight of {feature!r} must be a number")
    return dict(options)


@cache
def field_of(name: str) -> str:
    """Return the record field of bot `name`, such as ``greedy_1a2b3c4d``, and register its kernel."""
    from sim.core.contract import register_bot
    from sim.core.jit import kernel, source_hash

    module = module_of(name)
    assert module.__file__ is not None
    field = f"{name}_{source_hash(str(Path(module.__file__).resolve()))}"
    register_bot(field, kernel(module.choose))
    return field


@cache
def set_dtype(names: tuple[str, ...]) -> Any:
    """Return the record type of a set of bots (sorted names)."""
    import numpy as np

    from sim.core.records import record_type

    blank = record_type([("unused", np.int32)])
    fields: list[tuple[Any, ...]] = [
        # first and unlike in every set: Numba takes a record that begins like another for a kind of it
        ("_".join(["set", *names]), np.int32),
        ("kind", np.int32),
        ("n_features", np.int32),
        ("jitter", np.float64),
        ("weights", np.float64, (MAX_FEATURES,)),
    ]
    fields += [(field_of(name), blank) for name in names]
    return record_type(fields)


def fill_bot(
    record: Any,
    names: tuple[str, ...],
    name: str,
    options: dict[str, Any],
    features: tuple[str, ...],
    weights: tuple[float, ...],
    jitter: float,
) -> None:
    """Write bot `name` with its `options` into one `record` of the set `names`."""
    record["kind"] = names.index(name)
    record["n_features"] = len(features)
    wanted = options.get("jitter")
    record["jitter"] = jitter if wanted is None else wanted
    own = options.get("weights", {})
    for k, (feature, weight) in enumerate(zip(features, weights)):
        record["weights"][k] = own.get(feature, weight)
