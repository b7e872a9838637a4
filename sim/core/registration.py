"""A game at the door: loaded, and checked for what every game has before anything is asked of it."""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import inspect
import textwrap
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import sim.core.starting  # noqa: F401  (before kernels are declared)
from sim.core import contract
from sim.core.errors import Refusal, nearest
from sim.core.game import Cell, Game
from sim.core.jit import functions_in, implemented, is_implementation, missing_verbs, tag_of
from sim.core.loop import MAX_SEATS
from sim.core.optional import WithDrafts, WithFounder
from sim.core.records import TAKEN
from sim.core.reserved import RESERVED
from sim.core.sources import sources_of_rules

_CORE = Path(__file__).resolve().parent


def load(name: str, where: str) -> Any:
    """Return what ``module:attribute`` holds.

    Raises
    ------
    Refusal
        Importing it raises; the line says what and where.
    """
    module, _, attribute = where.partition(":")
    try:
        found = importlib.import_module(module)
        for part in filter(None, attribute.split(".")):
            found = getattr(found, part)
    except (Exception, SystemExit) as error:
        raise Refusal(f"game {name!r} ({where}) cannot be loaded: {_reason(error)}") from error
    return found


def _reason(error: BaseException, folder: Path | None = None) -> str:
    """Return in one line what went wrong, and the line of the game's own source (in `folder`) that led to it."""
    text = str(error) if isinstance(error, Refusal) else f"{type(error).__name__}: {error}"
    text = " ".join(text.split())
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_own(frame.filename)]
    near = [frame for frame in frames if folder and folder in Path(frame.filename).resolve().parents]
    frames = near or frames
    if not frames:
        return text
    place = f"{Path(frames[-1].filename).name}, line {frames[-1].lineno}"
    return text if text.startswith(place) else f"{place}: {text}"


def _is_own(file: str) -> bool:
    path = Path(file)
    return path.is_file() and _CORE not in path.resolve().parents and "importlib" not in path.parts


def guard(name: str, game: Any) -> None:
    """Let every mistake in a method of a plug-in's face be one line that names the game, the method and the place.

    Its methods are replaced, on this one object, by ones that turn an error, or a result of a wrong type, into a
    `Refusal`. The first cause is kept (`__cause__`).
    """
    if not isinstance(game, Game):
        return
    for key, method in vars(Game).items():
        if inspect.isfunction(method) and not key.startswith("_"):
            setattr(game, key, _guarded(name, game, key, getattr(game, key)))


_RESULTS: dict[str, type] = {
    "prepare": Cell,
    "own_card": Mapping,
    "drawn_columns": Mapping,
    "action_kind": np.ndarray,
    "action_piece": np.ndarray,
    "action_text": str,
    "position_text": str,
    "happened": list,
    "check_cases": list,
    "facts": list,
    "maps": list,
    "stand_ins": list,
    "rulings": list,
    "scores": list,
}


def _guarded(name: str, game: Game, key: str, method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def called(*given: Any, **named: Any) -> Any:
        try:
            found = method(*given, **named)
        except Refusal:
            raise
        except Exception as error:
            raise Refusal(f"game {name!r}: {key} raised {_reason(error, game.folder)}") from error
        wanted = _RESULTS.get(key)
        if wanted is not None and not isinstance(found, wanted):
            raise Refusal(f"game {name!r}: {key} returned {_a(type(found))}, not {_a(wanted)}")
        return found

    return called


def _a(kind: type) -> str:
    """Return how a type is called in a sentence."""
    if kind is type(None):
        return "nothing"
    word = {"str": "text", "Mapping": "dict", "ndarray": "NumPy array"}.get(kind.__name__, kind.__name__)
    return word if kind is str else f"a {word}"


def check_face(name: str, game: Any) -> None:
    """Refuse a game that lacks an attribute, a verb or a field, or has one whose name is nearly that of another.

    A game that is no `Game` must bring `play_chunk` of its own, and is taken as it is.
    """
    where = f"game {name!r}"
    if isinstance(game, type):
        raise Refusal(f"{where}: {game.__name__} is a class; register one object of it ({game.__name__}())")
    if not isinstance(game, Game):
        if not hasattr(game, "play_chunk"):
            raise Refusal(f"{where}: {type(game).__name__} is no sim.core.game.Game")
        return
    _check_attributes(where, game)
    if game.name != name:
        raise Refusal(f"{where}: it is registered under that name and calls itself {game.name!r}")
    _check_state(where, game.State)
    for verb in missing_verbs(contract, game.State):
        raise Refusal(f'{where}: no function implements the verb {verb!r} (@implements("{verb}", State))')
    if game.pieces and not implemented("tally", game.State):
        raise Refusal(
            f"{where}: it has pieces, but no function implements the verb 'tally', which counts them"
        )
    own = game.features is not Game.features
    if implemented("features", game.State) != own:
        told = "names no features, but implements" if not own else "names features, but does not implement"
        raise Refusal(f"{where}: it {told} the verb 'features'")
    _check_fields(where, game)
    _check_lists(where, game)
    game.rules_version  # noqa: B018  (the sources count as they are now, not as they may be edited later)


def _check_attributes(where: str, game: Game) -> None:
    known = [key for key in Game.__annotations__ if not key.startswith("_")]
    own = [
        key
        for kind in type(game).__mro__
        if issubclass(kind, Game) and kind is not Game
        for key in vars(kind)
    ]
    own = [key for key in own if not key.startswith("_")]
    strange = sorted({key for key in own if not hasattr(Game, key) and key not in known})
    for key in known:
        if not hasattr(game, key):
            raise Refusal(f"{where}: {type(game).__name__} has no attribute {key!r}{nearest(key, strange)}")
    optional = {**vars(WithDrafts), **vars(WithFounder)}
    open_names = [
        key for key in (*known, *vars(Game), *optional) if key not in own and not key.startswith("_")
    ]
    for key in strange:
        hint = nearest(key, open_names, cutoff=0.8)
        if hint:
            raise Refusal(f"{where}: nothing asks for the attribute {key!r}{hint}")


def _check_state(where: str, state: Any) -> None:
    try:
        known = sources_of_rules(tag_of(state.names or ()))
    except (AttributeError, TypeError):
        known = None
    if known is None:
        raise Refusal(f"{where}: its `State` is no record that sim.core.records.state_type made")


def _check_fields(where: str, game: Game) -> None:
    """Refuse rules that read or write a field of the state, or of the rules, that there is not.

    Compiled, they would end in a traceback out of the compiler that names no line of theirs. What is called ``state``
    in a function that implements no verb may be something else: there a field must be nearly one of the state's.
    """
    files = sources_of_rules(tag_of(game.State.names)) or ()
    fields = {"state": set(game.State.names), "rules": set(game.Rules.names)}
    usual = set().union(*fields.values(), vars(builtins), vars(np))
    for function in functions_in([path for path in files if path.parent != _CORE]):
        code = function.__code__
        given = {name for name in code.co_varnames[: code.co_argcount] if name in fields}
        if not given or all(name in usual or name in function.__globals__ for name in code.co_names):
            continue  # nothing that could be a field that there is not: no need to read its source
        verb = is_implementation(function)
        for record, field, line in _fields_read(function):
            if record in given and field not in fields[record] and field not in TAKEN:
                hint = nearest(field, fields[record])
                if hint or (verb and record == "state"):
                    place = f"{Path(code.co_filename).name}, line {line}"
                    raise Refusal(f"{where}: {place}: {record} has no field {field!r}{hint}")


def _fields_read(function: Callable[..., Any]) -> list[tuple[str, str, int]]:
    """Return (record, field, line) of everything like ``state.heap`` in a function."""
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, SyntaxError):
        return []
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    found = [(n.value.id, n.attr, first + n.lineno - 1) for n in nodes if isinstance(n.value, ast.Name)]
    return sorted(found, key=lambda entry: entry[2])


def _check_lists(where: str, game: Game) -> None:
    if tuple(game.phases[:2]) != ("resolve", "over"):
        raise Refusal(f"{where}: phases must begin with 'resolve' and 'over', not {game.phases[:2]}")
    if len(game.weights) != len(game.features):
        raise Refusal(f"{where}: {len(game.features)} features, but {len(game.weights)} weights")
    for key in ("pieces", "features", "kinds", "phases"):
        names = getattr(game, key)
        twice = next((n for k, n in enumerate(names) if n in names[:k]), None)
        if twice is not None:
            raise Refusal(f"{where}: {key} has {twice!r} twice")
    for feature in game.features:
        if feature not in game.feature_help:
            hint = nearest(feature, set(game.feature_help) - set(game.features))
            raise Refusal(f"{where}: feature_help says nothing of {feature!r}{hint}")
    for key in game.Parameters.model_fields:
        if key in RESERVED:
            text = "tables of results have a column of that name"
            raise Refusal(f"{where}: parameter {key!r}: {text}; call it {'the_' + key!r}, say")
    if not 1 <= game.min_players <= game.max_players <= MAX_SEATS:
        text = f"{game.min_players} to {game.max_players} players"
        raise Refusal(f"{where}: {text}; there may be 1 to {MAX_SEATS}")
    if game.max_actions < 1 or game.most_plies < 1:
        raise Refusal(f"{where}: max_actions and most_plies must be at least 1")
