"""What a bot is to the loop: its record, its options, the room it works in.

A bot is a module with ``ABOUT``, ``OPTIONS`` (name: `Option`), ``choose`` and, if it needs more room than two states,
``room``. Which bots there are is told by whoever brings them (`register`); this file knows none.

A set of bots is a record type: first a part that is alike in all bots of a game (``common``), then one part for each
bot with its own options, named by a hash of the sources that the bot rests on. So changed code is never taken from a
cache, and each bot is compiled for itself, whatever plays beside it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from sim.core.errors import Refusal, nearest


@dataclass(frozen=True)
class Option:
    """One option of a bot.

    Attributes
    ----------
    type
        "int", "float" or "bool"; "choice" (one of `choices`, held as its number); "weights" (a table of numbers by
        feature, held by feature; with the default None an empty one stands for the bot's `weights`); "text" (only
        read when the bot is prepared: no compiled code sees it).
    default
        Its value unless the game's settings or the user say otherwise; None: the game decides.
    range
        Least and greatest value of a number.
    """

    type: str
    default: Any
    help: str
    range: tuple[float, float] | None = None
    choices: tuple[str, ...] = ()

    def card(self) -> dict[str, Any]:
        """Return it as plain data."""
        limits = None if self.range is None else list(self.range)
        data = {"type": self.type, "default": self.default, "range": limits, "help": self.help}
        return data | ({"choices": list(self.choices)} if self.choices else {})


WEIGHED: dict[str, Option] = {
    "jitter": Option(
        "float",
        None,
        "how far the weights wander from deal to deal (share of each weight); "
        "default 0.1 in games without chance after set-up, else 0",
        (0.0, 1.0),
    ),
    "weights": Option("weights", {}, "table feature = weight, instead of the game's own"),
    "set": Option("text", "shipped", "a named set of weights and options that comes with the game"),
}
"""Options of bots that judge positions by the game's weighted features."""

FOR_ALL: dict[str, Option] = {
    "never": Option("text", "", "pieces, joined by +, that it does not use while it can do anything else"),
}
"""Options that every bot has."""

_COMMON = ("jitter", "weights", "set", "never")
"""Options that are held in the part alike in all bots, or nowhere."""


@dataclass(frozen=True)
class Room:
    """What a bot needs to work in: handed in, for nothing is allocated within a decision.

    Attributes
    ----------
    states, lists
        Positions, and lists of legal actions.
    numbers, whole
        Floats beyond those for the game's features, and 64-bit integers.
    node, nodes
        Record type of a tree's nodes, and how many.
    """

    states: int = 1
    lists: int = 0
    numbers: int = 0
    whole: int = 0
    node: Any = None
    nodes: int = 0


class Desk(NamedTuple):
    """Room that is handed to `choose`.

    Attributes
    ----------
    states : record array of states
    lists : int32 array (lists, room for any number of actions)
    numbers : float64 array
        The first ones have room for the game's features.
    whole : int64 array
    nodes : record array
    most : int
        Actions that a position has at most, as the game declares: a longer list is no position to play on from.
    """

    states: Any
    lists: Any
    numbers: Any
    whole: Any
    nodes: Any
    most: int


# --- which bots there are ------------------------------------------------------------------------------------

_MODULES: dict[str, str | ModuleType] = {}


def register(name: str, module: str | ModuleType) -> None:
    """Make a module (or the name of one, imported on first use) the bot `name`."""
    _MODULES[name] = module


def forget(name: str) -> None:
    """Take a bot away again."""
    _MODULES.pop(name, None)


def bot_names() -> list[str]:
    """Return the names of all bots, in the order in which they were brought."""
    return list(_MODULES)


def module_of(name: str) -> ModuleType:
    """Return the module of bot `name`."""
    module = _MODULES.get(name)
    if module is None:
        raise Refusal(f"there is no bot {name!r}{nearest(name, _MODULES)}")
    return importlib.import_module(module) if isinstance(module, str) else module


def options_of(name: str) -> dict[str, Option]:
    """Return the options of bot `name`, those that every bot has included."""
    return {**module_of(name).OPTIONS, **FOR_ALL}


def describe(name: str) -> dict[str, Any]:
    """Return ``{"name", "about", "options"}`` of bot `name`."""
    about = module_of(name).ABOUT
    return {"name": name, "about": about, "options": {k: o.card() for k, o in options_of(name).items()}}


# --- options -------------------------------------------------------------------------------------------------


def check_options(name: str, options: Mapping[str, Any], game: Any) -> dict[str, Any]:
    """Return `options` after checking names, types and ranges.

    Parameters
    ----------
    name
        A bot.
    options
        By name; tables are nested: ``{"weights": {"points": 1.0}}``.
    game
        Whose features, pieces and named sets options may name.
    """
    known = options_of(name)
    for key, value in options.items():
        if key not in known:
            raise Refusal(f"bot {name!r} has no option {key!r}{nearest(key, list(known))}")
        _check_value(f"bot {name!r}", key, known[key], value, tuple(getattr(game, "features", ())))
    never_mask(options.get("never", ""), tuple(getattr(game, "pieces", ())), f"bot {name!r}: ")
    if "set" in options:
        settings_of(game, name).named(options["set"])
    return dict(options)


def _check_value(who: str, key: str, option: Option, value: Any, features: tuple[str, ...]) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if option.type in ("int", "float") and option.range is not None:
        low, high = option.range
        if not number or not low <= value <= high:
            raise Refusal(f"{who}: {key} = {value!r} is not between {low} and {high}")
        if option.type == "int" and value != int(value):
            raise Refusal(f"{who}: {key} = {value!r} is not a whole number")
    elif option.type == "bool" and not isinstance(value, bool):
        raise Refusal(f"{who}: {key} = {value!r} is neither true nor false")
    elif option.type == "choice" and value not in option.choices:
        words = ", ".join(option.choices)
        raise Refusal(f"{who}: {key} = {value!r} is not one of {words}{nearest(value, option.choices)}")
    elif option.type == "text" and not isinstance(value, str | list | tuple):
        raise Refusal(f"{who}: {key} = {value!r} is not text")
    elif option.type == "weights":
        if not isinstance(value, Mapping):
            raise Refusal(f"{who}: {key} must be a table, such as {{ points = 1.0 }}")
        for feature, weight in value.items():
            if features and feature not in features:
                raise Refusal(f"{who}: there is no feature {feature!r}{nearest(feature, features)}")
            if isinstance(weight, bool) or not isinstance(weight, int | float):
                word = "the weight" if key == "weights" else f"{key}: the weight"
                raise Refusal(f"{who}: {word} of {feature!r} must be a number")


def never_mask(never: str | Sequence[str], pieces: tuple[str, ...], where: str = "") -> int:
    """Return the pieces of an option `never` ("Skunk+Fly", or a list) as bits."""
    names = never.split("+") if isinstance(never, str) else list(never)
    mask = 0
    for name in filter(None, (str(name).strip() for name in names)):
        plain = {"".join(piece.lower().split()): k for k, piece in enumerate(pieces)}
        code = plain.get("".join(name.lower().split()))
        if code is None or code > 62:
            raise Refusal(f"{where}never = {name!r}: there is no such piece{nearest(name, pieces)}")
        mask |= 1 << code
    return mask


# --- what comes with a game ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Settings:
    """Settings of one bot that come with a game, from ``play/<bot>.toml`` in the game's folder.

    Each entry may have ``set`` (its name, default "shipped"), ``players`` (numbers of players that it is for), ``when``
    (parameters that it is for), ``options``, ``weights`` and ``made`` (the line that made it).
    """

    bot: str
    file: str
    entries: tuple[dict[str, Any], ...] = field(default=())

    def names(self) -> list[str]:
        """Return the names of the sets."""
        return list(dict.fromkeys(["shipped", *(str(e.get("set", "shipped")) for e in self.entries)]))

    def named(self, name: str) -> list[dict[str, Any]]:
        """Return the entries of a set."""
        if name not in self.names():
            raise Refusal(
                f"bot {self.bot!r}: there is no set {name!r}{nearest(name, self.names())}; "
                f"there are: {', '.join(self.names())}"
            )
        return [entry for entry in self.entries if entry.get("set", "shipped") == name]

    def pick(self, name: str, players: int, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return options (weights among them) of a set; later entries that fit go over earlier ones."""
        found: dict[str, Any] = {}
        for entry in self.named(name):
            when = entry.get("when", {})
            if players not in entry.get("players", [players]):
                continue
            if all(parameters.get(key) == value for key, value in when.items()):
                found |= entry.get("options", {})
                found |= {"weights": entry["weights"]} if "weights" in entry else {}
        return found


@cache
def _read_settings(name: str, path: Path) -> Settings:
    import tomllib

    with path.open("rb") as file:
        rows = tomllib.load(file).get("setting", [])
    return Settings(name, path.name, tuple(rows))


def settings_of(game: Any, name: str) -> Settings:
    """Return the settings of bot `name` that come with `game`; empty when there are none."""
    path = _settings_file(game, name)
    return Settings(name, "") if path is None else _read_settings(name, path)


def _settings_file(game: Any, name: str) -> Path | None:
    folder = getattr(game, "folder", None)
    path = Path(folder or "") / "play" / f"{Path(name).stem}.toml"
    return path if folder is not None and path.is_file() else None


def settled(game: Any, name: str, options: Mapping[str, Any], cell: Any) -> dict[str, Any]:
    """Return all options of a bot at a table: the user's, else the game's settings, else the bot's defaults."""
    known = options_of(name)
    defaults = {key: option.default for key, option in known.items()}
    chosen = settings_of(game, name).pick(
        options.get("set", "shipped"), int(cell.players), getattr(cell, "parameters", None) or {}
    )
    whole = {**defaults, **chosen, **options}
    for key, option in known.items():  # tables: feature by feature
        if option.type == "weights":
            whole[key] = {**(option.default or {}), **chosen.get(key, {}), **options.get(key, {})}
    return whole


# --- records -------------------------------------------------------------------------------------------------


def room_for(features: Sequence[str]) -> int:
    """Return for how many features records are made: a step of 32, so that a new feature keeps most types."""
    return max(32, -(-len(features) // 32) * 32)


@cache
def common_type(features: int) -> Any:
    """Return the record type of the part that is alike in all bots."""
    import numpy as np

    from sim.core.records import record_type

    return record_type(
        [
            ("common_part", np.int64),
            ("kind", np.int64),
            ("n_features", np.int64),
            ("never", np.int64),  # pieces as bits
            ("jitter", np.float64),
            ("weights", np.float64, (features,)),
        ]
    )


@cache
def options_type(name: str, features: int) -> Any:
    """Return the record type of the own options of bot `name`.

    Every field takes 8 bytes: a record of another width misaligns its neighbours in a set.
    """
    import numpy as np

    from sim.core.records import record_type

    fields: list[tuple[Any, ...]] = [(f"options_{name_of(name)}", np.int64)]
    for key, option in module_of(name).OPTIONS.items():
        if key in _COMMON or option.type == "text":
            continue
        if option.type == "weights":
            fields.append((key, np.float64, (features,)))
        else:
            fields.append((key, np.float64 if option.type == "float" else np.int64))
    return record_type(fields)


def name_of(name: str) -> str:
    """Return a bot's name as a part of a field's name."""
    return "".join(c if c.isalnum() else "_" for c in Path(name).stem)


def source_of(name: str) -> Path:
    """Return the file of bot `name`."""
    module = module_of(name)
    assert module.__file__ is not None
    return Path(module.__file__).resolve()


@cache
def code_hash(name: str) -> str:
    """Return 8 hex digits over the sources that bot `name` rests on: its own, and what it imports of bots and core."""
    from sim.core.sources import MACHINERY, closure, sources_hash

    return sources_hash(closure(source_of(name), without=MACHINERY))


def bot_version(name: str, game: Any) -> str:
    """Return the version of a bot at a game, such as ``1a2b3c4d`` or ``1a2b3c4d+5e6f7a8b`` with the game's settings."""
    from sim.core.sources import sources_hash

    path = _settings_file(game, name)
    return code_hash(name) + ("" if path is None else f"+{sources_hash([path])}")


@cache
def field_of(name: str) -> str:
    """Return the record field of bot `name`, such as ``greedy_1a2b3c4d``, and register its kernel."""
    from sim.core.contract import register_bot
    from sim.core.jit import kernel

    written = f"{name_of(name)}_{code_hash(name)}"
    register_bot(written, kernel(module_of(name).choose))
    return written


@cache
def set_type(names: tuple[str, ...], features: int) -> Any:
    """Return the record type of a set of bots (sorted names) at a game with room for so many features."""
    import numpy as np

    from sim.core.records import record_type

    fields: list[tuple[Any, ...]] = [
        # first and unlike in every set: Numba takes a record that begins like another for a kind of it
        ("_".join(["set", *map(name_of, names)]), np.int64),
        ("common", common_type(features)),
    ]
    return record_type([*fields, *((field_of(name), options_type(name, features)) for name in names)])


def fill_bot(record: Any, names: tuple[str, ...], name: str, options: Mapping[str, Any], game: Any) -> None:
    """Write bot `name` with all its `options` (see `settled`) into one `record` of the set `names`."""
    common, own = record["common"], record[field_of(name)]
    common["kind"] = names.index(name)
    common["n_features"] = len(game.features)
    common["never"] = never_mask(options.get("never", ""), tuple(game.pieces))
    known = module_of(name).OPTIONS
    jitter = options.get("jitter")
    common["jitter"] = (
        (0.1 if game.needs_jitter and "jitter" in known else 0.0) if jitter is None else float(jitter)
    )
    _write_weights(common["weights"], game, game.weights, options.get("weights", {}))
    none = [0.0] * len(game.features)
    for key, option in known.items():
        if key in _COMMON or option.type == "text":
            continue
        if option.type == "weights":
            usual = common["weights"] if option.default is None and not options[key] else none
            _write_weights(own[key], game, usual, options[key])
        elif option.type == "choice":
            own[key] = option.choices.index(options[key])
        else:
            own[key] = options[key]


def _write_weights(out: Any, game: Any, usual: Sequence[float], wanted: Mapping[str, float]) -> None:
    for k, (feature, weight) in enumerate(zip(game.features, usual)):
        out[k] = wanted.get(feature, weight)


def bot_set(game: Any, cells: Sequence[Any]) -> tuple[tuple[str, ...], Any, tuple[Desk, ...]]:
    """Prepare the bots of `cells`.

    Returns
    -------
    names
        Of the bots, sorted.
    bank : record array (cells, players)
    desks
        Room for each bot to work in.
    """
    import numpy as np

    names = tuple(sorted({name for cell in cells for name, _ in cell.bots}))
    width = max(len(cell.bots) for cell in cells)
    bank = np.zeros((len(cells), width), dtype=set_type(names, room_for(game.features)))
    rooms: dict[str, list[Room]] = {name: [] for name in names}
    for c, cell in enumerate(cells):
        for p, (name, options) in enumerate(cell.bots):
            whole = settled(game, name, options, cell)
            fill_bot(bank[c, p], names, name, whole, game)
            room: Callable[..., Room] | None = getattr(module_of(name), "room", None)
            rooms[name].append(room(whole, game) if room is not None else Room())
    return names, bank, _desks(game, [rooms[name] for name in names])


def _desks(game: Any, rooms: Iterable[list[Room]]) -> tuple[Desk, ...]:
    """Return a desk for each bot: all share their room but for the nodes, whose type is a bot's own."""
    import numpy as np

    from sim.core.room import action_room

    rooms = list(rooms)
    every = [room for own in rooms for room in own]
    states = np.zeros(max(room.states for room in every), dtype=game.State)
    lists = action_room(game, 1 + max(room.lists for room in every))
    numbers = np.zeros(room_for(game.features) + max(room.numbers for room in every), dtype=np.float64)
    whole = np.zeros(max(room.whole for room in every), dtype=np.int64)
    desks = []
    for own in rooms:
        kind = next((room.node for room in own if room.node is not None), np.int8)
        nodes = np.zeros(max(room.nodes for room in own), dtype=kind)
        desks.append(Desk(states, lists, numbers, whole, nodes, int(game.max_actions)))
    return tuple(desks)
