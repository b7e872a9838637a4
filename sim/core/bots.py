"""What a bot is to the loop: its record, its options, the room it works in.

A bot is a module with ``ABOUT``, ``OPTIONS`` (name: `Option`), ``choose`` and, if it needs more room than a state,
``room``. Which bots there are is told by whoever brings them (`sim.core.bot_doors`); this file knows none.

A set of bots is a record type: first a part that is alike in all bots of a game (``common``), then one part for each
bot with its own options, named by a hash of the sources that the bot rests on. So changed code is never taken from a
cache, and each bot is compiled for itself, whatever plays beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from sim.core.bot_doors import bot_names, code_hash, forget, kind_of, register, shown, split_name
from sim.core.bot_options import (
    COMMON,
    NO_IDLE,
    WEIGHED,
    Option,
    bot_version,
    check_options,
    describe,
    never_mask,
    settings_of,
    settled,
)

__all__ = [
    "WEIGHED",
    "Desk",
    "Option",
    "Room",
    "bot_names",
    "bot_set",
    "bot_version",
    "check_options",
    "describe",
    "forget",
    "kind_of",
    "register",
    "room_for",
    "settings_of",
    "settled",
    "shown",
    "split_name",
]


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
            ("never", np.int64),  # pieces as bits; `NO_IDLE`
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
    for key, option in kind_of(name).options.items():
        if key in COMMON or option.type == "text":
            continue
        if option.type == "weights":
            fields.append((key, np.float64, (features,)))
        else:
            fields.append((key, np.float64 if option.type == "float" else np.int64))
    return record_type(fields)


def name_of(name: str) -> str:
    """Return a bot's name as a part of a field's name."""
    return "".join(c if c.isalnum() else "_" for c in shown(name))


@cache
def field_of(name: str, plainly: bool = False) -> str:
    """Return the record field of bot `name`, such as ``greedy_1a2b3c4d``, and register its kernel.

    `plainly` asks for its uncompiled twin.
    """
    from sim.core.contract import register_bot
    from sim.core.jit import kernel
    from sim.core.twins import uncompiled

    written = f"{name_of(name)}_{'plain_' * plainly}{code_hash(name)}"
    kind = kind_of(name)
    make = uncompiled if plainly else kernel
    register_bot(written, kind.choose if kind.plain else make(kind.choose))
    return written


@cache
def set_type(names: tuple[str, ...], features: int, plainly: bool = False) -> Any:
    """Return the record type of a set of bots (sorted names) at a game with room for so many features."""
    import numpy as np

    from sim.core.records import quick_type, record_type

    fields: list[tuple[Any, ...]] = [
        # first and unlike in every set: Numba takes a record that begins like another for a kind of it
        ("_".join(["set", *map(name_of, names)]), np.int64),
        ("common", common_type(features)),
    ]
    own = ((field_of(name, plainly), options_type(name, features)) for name in names)
    kind = record_type([*fields, *own])
    return quick_type(kind) if plainly else kind


def fill_bot(record: Any, names: tuple[str, ...], name: str, options: Mapping[str, Any], game: Any) -> None:
    """Write bot `name` with all its `options` (see `settled`) into one `record` of the set `names`."""
    common, own = record["common"], record[field_of(name, game.plain)]
    common["kind"] = names.index(name)
    common["n_features"] = len(game.features)
    common["never"] = never_mask(options.get("never", ""), tuple(game.pieces))
    if options.get("idle", "any") == "last":
        common["never"] |= NO_IDLE
    known = kind_of(name).options
    jitter = options.get("jitter")
    common["jitter"] = (
        (0.1 if game.needs_jitter and "jitter" in known else 0.0) if jitter is None else float(jitter)
    )
    _write_weights(common["weights"], game, game.weights, options.get("weights", {}))
    none = [0.0] * len(game.features)
    for key, option in known.items():
        if key in COMMON or option.type == "text":
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


def are_compiled(names: Iterable[str], game: Any = None) -> bool:
    """Whether all these bots, and the game that they play, can be compiled."""
    return not any(kind_of(name).plain for name in names) and not (game is not None and game.plain)


def bot_set(
    game: Any, cells: Sequence[Any], others: Sequence[str] = ()
) -> tuple[tuple[str, ...], Any, tuple[Desk, ...]]:
    """Prepare the bots of `cells`, in a set with the `others` of the run.

    Machine code belongs to a set of bots: chunks of a run in which different ones play share it so. A bot that is
    plain Python would make all of them play uncompiled; then the others are left out.

    Returns
    -------
    names
        Of the bots, sorted.
    bank : record array (cells, players)
    desks
        Room for each bot to work in.
    """
    import numpy as np

    here = {name for cell in cells for name, _ in cell.bots}
    names = tuple(sorted(here | set(others)))
    if not are_compiled(names):
        names = tuple(sorted(here))
    if not are_compiled(names):
        from sim.core.plain_bots import sit_down  # needs NumPy, which naming bots does not

        sit_down(game)
    width = max(len(cell.bots) for cell in cells)
    bank = np.zeros((len(cells), width), dtype=set_type(names, room_for(game.features), game.plain))
    rooms: dict[str, list[Room]] = {name: [] for name in names}
    for c, cell in enumerate(cells):
        for p, (name, options) in enumerate(cell.bots):
            whole = settled(game, name, options, cell)
            fill_bot(bank[c, p], names, name, whole, game)
            room = kind_of(name).room
            rooms[name].append(room(whole, game) if room is not None else Room())
    for name in set(names) - here:  # a desk of the same types, though nobody sits at it
        room = kind_of(name).room
        rooms[name].append(room(settled(game, name, {}, cells[0]), game) if room is not None else Room())
    return names, bank, _desks(game, [rooms[name] for name in names])


def _desks(game: Any, rooms: Iterable[list[Room]]) -> tuple[Desk, ...]:
    """Return a desk for each bot: all share their room but for the nodes, whose type is a bot's own."""
    import numpy as np

    from sim.core.records import quick_type
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
        if game.plain and kind is not np.int8:
            kind = quick_type(kind)
        nodes = np.zeros(max(room.nodes for room in own), dtype=kind)
        desks.append(Desk(states, lists, numbers, whole, nodes, int(game.max_actions)))
    return tuple(desks)
