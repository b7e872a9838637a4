"""The one place that touches Numba's insides: compiling, dispatch by record type, the cache on disk.

Rules are plain Python functions over NumPy records. `kernel` compiles them (or leaves them alone under
``NUMBA_DISABLE_JIT=1``), `verb` makes a function that finds a game's implementation by the type of its
state record, and every compiled function is kept in a folder named by a hash of the sources it may call:
Numba's own cache does not notice that a *called* function changed, nor whether bounds were checked.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.errors import NumbaError, TypingError
from numba.extending import intrinsic, overload

from sim.core.errors import Refusal, nearest
from sim.core.linking import caller, find_by, with_symbols
from sim.core.sources import CORE, KERNELS, closure, sources_hash, sources_of_rules

config: Any = numba.config

COMPILED = not config.DISABLE_JIT
"""False when the same sources run as ordinary Python (``NUMBA_DISABLE_JIT=1``)."""

_SIM = Path(__file__).resolve().parent.parent
_KEEP_DAYS = 30
_MAKERS = {"zeros", "empty", "full", "ones", "array", "copy"}
_SMALL = 4_000
"""Bytes of bytecode of a game's kernels up to which its verbs are taken into the loop, not called by their symbols."""
_IMPLEMENTATIONS: dict[tuple[str, str], Callable[..., Any]] = {}
_FUNCTIONS: list[Callable[..., Any]] = []


class _Verb(NamedTuple):
    parameters: str
    needed: bool
    default: Callable[..., Any] | None


_VERBS: dict[str, _Verb] = {}


def _record_name(record: Any) -> tuple[str, tuple[str]]:
    """Name a record type by what it holds.

    Numba names it in the symbols of machine code by a number that counts the types of this process. Code that comes
    from the cache of another process then may bear the name of code for another record, and the first one that was
    loaded is run for both.
    """
    return "Record", (hashlib.sha256(record.name.encode()).hexdigest()[:16],)


_records: Any = types.Record
_records.mangling_args = property(_record_name)


# --- the cache on disk ---------------------------------------------------------------------------------------


@cache
def cache_root() -> Path:
    """Return the folder under which all compiled code is kept (``WHIMBREL_CACHE`` overrides it)."""
    override = os.environ.get("WHIMBREL_CACHE")
    if override:
        return Path(override)
    from platformdirs import user_cache_path

    return user_cache_path("whimbrel", appauthor=False)


@cache
def _flags() -> str:
    return "-".join(
        [
            f"numba{numba.__version__}",
            f"numpy{np.__version__}",
            f"py{sys.version_info[0]}.{sys.version_info[1]}",
            "bounds" if config.BOUNDSCHECK else "plain",
        ]
    )


@cache
def _cache_folder(source: str) -> Path:
    """Return the cache folder for the kernels of the file `source`.

    A game's rules rest on the files of their folder and on what these import; so nothing that bots do makes them
    compiled anew. A bot rests on what it imports, and like the playing loop on the kernels of the core. Rules that a
    bot or the loop calls by verbs are told apart by the tag of the state in its signature.
    """
    file = Path(source)
    home = file.parent
    if home == _SIM / "core":
        name, rests = "core", closure(*KERNELS)
    elif home == _SIM / "bots" or not (home / "__init__.py").is_file():
        name, rests = f"{home.name}-{file.stem}", closure(*KERNELS, file)
    else:
        name, rests = home.name, closure(*home.glob("*.py"))
        name = f"{home.parent.name}-{name}"
    stem, name = name, f"{name}-{sources_hash(rests)}-{_flags()}"
    folder = cache_root() / name
    if not folder.exists():
        _prune(stem)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:  # a read-only home: Numba then compiles in memory
        pass
    return folder


def _prune(stem: str) -> None:
    """Remove this component's folders that nobody has used for a month."""
    if not cache_root().is_dir():
        return
    horizon = time.time() - _KEEP_DAYS * 86400
    for folder in cache_root().glob(f"{stem}-*"):
        try:
            if folder.stat().st_mtime < horizon:
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue


@cache
def compile_lock() -> Any:
    """Return the file lock to hold while the cache is read or written (re-entrant)."""
    from filelock import FileLock

    if not COMPILED:
        return nullcontext()
    try:
        cache_root().mkdir(parents=True, exist_ok=True)
        return FileLock(str(cache_root() / "compile.lock"))
    except OSError:  # nowhere to keep compiled code: nothing to protect
        return nullcontext()


def _source(function: Callable[..., Any]) -> str:
    return str(Path(function.__code__.co_filename).resolve())


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` on first use and keep the machine code on disk; a no-op without compiling.

    Only kernels that make arrays (by a name in `_MAKERS`) count references to them: for all others the atomic
    counting at each call and each view would take a fifth of the time. Such kernels return numbers or tuples, or
    an array that was handed in, never a part of a record, and copy no slice into a slice. What makes an array keeps
    it: a caller that does not count would never free it, so that returning one is refused when it is compiled.
    """
    _FUNCTIONS.append(function)
    if not COMPILED:
        return function
    before = config.CACHE_DIR
    config.CACHE_DIR = str(_cache_folder(_source(function)))
    try:
        jit: Any = numba.njit  # its stubs do not know `_nrt`
        return _locked(jit(cache=True, nogil=True, _nrt=_makes(function))(function))
    finally:
        config.CACHE_DIR = before


def _makes(function: Callable[..., Any]) -> bool:
    return not _MAKERS.isdisjoint(function.__code__.co_names)


def functions_in(files: Collection[Path]) -> list[Callable[..., Any]]:
    """Return the plain functions behind all kernels that lie in `files`."""
    return [function for function in _FUNCTIONS if Path(_source(function)) in files]


def _alone(function: Callable[..., Any]) -> Callable[..., Any]:
    def alone(*given: Any) -> Any:
        with compile_lock():
            return function(*given)

    return alone


def _locked(dispatcher: Any) -> Any:
    """Let a kernel hold the cache's lock while it looks into the cache and while it writes to it.

    Numba's index has no lock of its own: two processes that add entries at once can leave one that points to the
    other's machine code, which is then run without any check where the record layouts agree.
    """
    cache = dispatcher._cache
    save = cache.save_overload
    cache.load_overload = _alone(cache.load_overload)
    cache.save_overload = _alone(lambda signature, code: save(signature, with_symbols(code)))
    if _makes(dispatcher.py_func):
        _refuse_made_arrays(dispatcher)
    return dispatcher


def _refuse_made_arrays(dispatcher: Any) -> None:
    """Refuse to compile what returns an array that it made: callers that count no references never free it."""
    function, compile_ = dispatcher.py_func, dispatcher._compiler.compile

    def checked(*given: Any) -> Any:
        compiled = compile_(*given)
        returned = compiled.signature.return_type
        parts = getattr(returned, "types", (returned,))
        if any(isinstance(part, types.Array) for part in parts):
            code = function.__code__
            raise TypingError(
                f"{function.__name__} makes arrays and returns one, which its caller would never free: let the "
                f"caller make it and hand it in ({Path(code.co_filename).name}, line {code.co_firstlineno})"
            )
        return compiled

    dispatcher._compiler.compile = checked


@contextmanager
def compiling(who: str) -> Iterator[None]:
    """Tell in one line what the compiler cannot compile, instead of all the calls that led there."""
    try:
        yield
    except NumbaError as error:
        text = _what_the_compiler_says(str(error))
        raise Refusal(
            f"{who} cannot be compiled: {text} (NUMBA_DISABLE_JIT=1 runs it as plain Python)"
        ) from error


def _what_the_compiler_says(text: str) -> str:
    """Return the innermost complaint and its place: messages of callers stand around it."""
    inner = text[max(text.rfind("Failed in nopython mode pipeline"), 0) :]
    lines = [line.strip() for line in inner.splitlines()]
    said = lines[1 if inner.startswith("Failed in") else 0 :]
    words = " ".join(
        takewhile(lambda line: line and not line.startswith(("File ", "During", "raised ")), said)
    )
    own = re.split(r"<intrinsic|typing of call at <string>", inner)[
        0
    ]  # what comes after is the caller of a verb
    place = re.search(r'at (\S+\.py) \((\d+)\)|File "([^"]+\.py)", line (\d+)', own)
    if place is not None:
        return f"{Path(place[1] or place[3]).name}, line {place[2] or place[4]}: {words}"
    verb = re.search(r"<intrinsic (\w+)_there>|CPUDispatcher\(<function (\w+) at", inner)
    return words if verb is None else f"in the verb {verb[1] or verb[2]!r} or what it calls: {words}"


# --- dispatch by record type ---------------------------------------------------------------------------------


def tag_of(names: Any) -> str:
    """Return the field name that marks a game's state record, e.g. ``game_migration_1a2b3c4d``."""
    for name in names:
        if name.startswith("game_"):
            return str(name)
    raise TypeError("this record is no game state: it has no field 'game_...'")


def implements(verb_name: str, state_dtype: np.dtype) -> Callable[[Callable[..., Any]], Any]:
    """Register the decorated function as a game's implementation of a verb, and compile it.

    Raises
    ------
    Refusal
        There is no such verb, it takes other parameters, or the game has another function for it.
    """

    def register(function: Callable[..., Any]) -> Any:
        tag = _check_implementation(verb_name, state_dtype, function)
        compiled = kernel(function)
        _IMPLEMENTATIONS[verb_name, tag] = compiled
        return compiled

    return register


def implement_uncompiled(functions: Mapping[str, Callable[..., Any]], state_dtype: np.dtype) -> None:
    """Register plain functions as a game's implementation of verbs: its positions are Python objects.

    What verbs do by default is left uncompiled for it too.
    """
    import sim.core.contract
    import sim.core.optional  # noqa: F401  (the verbs of the contract are known from here on)

    tag = tag_of(state_dtype.names or ())
    for name, known in _VERBS.items():
        function = functions.get(name, known.default)
        if function is not None:
            _IMPLEMENTATIONS[name, tag] = function


def _check_implementation(verb_name: str, state_dtype: np.dtype, function: Callable[..., Any]) -> str:
    """Refuse what would go wrong later, or unnoticed; return the state's tag."""
    import sim.core.contract
    import sim.core.optional  # noqa: F401  (the verbs of the contract are known from here on)

    code = function.__code__
    where = f"{Path(code.co_filename).name}, line {code.co_firstlineno}"
    if verb_name not in _VERBS:
        raise Refusal(f"{where}: there is no verb {verb_name!r}{nearest(verb_name, _VERBS)}")
    wanted = _VERBS[verb_name].parameters
    given = code.co_varnames[: code.co_argcount]
    if len(given) != len(wanted.split(",")):
        raise Refusal(f"{where}: {verb_name!r} takes ({wanted}), not ({', '.join(given)})")
    try:
        tag = tag_of(state_dtype.names or ())
    except TypeError as error:
        raise Refusal(f"{where}: {verb_name!r}: {error}") from None
    sources = sources_of_rules(tag)
    if sources is None:
        raise Refusal(f"{where}: {verb_name!r}: the state was not made by sim.core.records.state_type")
    if sources and Path(code.co_filename).resolve() not in sources:
        known = ", ".join(path.name for path in sources if CORE not in path.parents)
        raise Refusal(
            f"{where}: {verb_name!r} is outside the sources that the state is known by ({known}): "
            "they are the package of the file that calls `state_type`, or all that this file imports"
        )
    before = _IMPLEMENTATIONS.get((verb_name, tag))
    if before is not None and _place_of(before) != _place_of(function):
        raise Refusal(f"{where}: {verb_name!r} is already implemented by {' '.join(_place_of(before))}")
    return tag


def _place_of(function: Any) -> tuple[str, str]:
    plain = getattr(function, "py_func", function)
    return plain.__qualname__, f"in {Path(plain.__code__.co_filename).name}"


def is_implementation(function: Callable[..., Any]) -> bool:
    """Return whether a plain function implements a verb."""
    return any(getattr(found, "py_func", found) is function for found in _IMPLEMENTATIONS.values())


def missing_verbs(module: Any, state_dtype: np.dtype) -> list[str]:
    """Return the verbs of `module` (the contract) that a game must implement and does not."""
    needed = [name for name in vars(module) if name in _VERBS and _VERBS[name].needed]
    return [name for name in needed if not implemented(name, state_dtype)]


def implemented(verb_name: str, state_dtype: np.dtype) -> bool:
    """Return whether a game has its own implementation of a verb."""
    assert state_dtype.names is not None
    return (verb_name, tag_of(state_dtype.names)) in _IMPLEMENTATIONS


@cache
def _is_small(tag: str) -> bool:
    """Whether a game's rules are short enough to be taken into the playing loop and bots, and optimised with them.

    A call by a symbol takes as long as all else that the loop does for a decision of a game like connect four.
    """
    own = [getattr(found, "py_func", found) for (_, whose), found in _IMPLEMENTATIONS.items() if whose == tag]
    files = {Path(_source(function)) for function in own}
    return sum(len(function.__code__.co_code) for function in functions_in(files)) <= _SMALL


def verb(
    name: str,
    parameters: str,
    help_text: str,
    default: Callable[..., Any] | None = None,
    large: bool = False,
) -> Callable[..., Any]:
    """Make the verb `name`: a function that calls the implementation for its argument ``state``.

    Parameters
    ----------
    name, parameters
        Its name and its parameter list, which contains ``state``.
    help_text
        Its docstring: the contract.
    default
        What a game does that does not implement it; None: every game must.
    large
        Whether those that do implement it do so at length: then it is called by its symbol, not taken in.
    """
    otherwise = None if default is None else kernel(default)
    _VERBS[name] = _Verb(parameters, needed=default is None, default=default)

    def implementation_for(names: Any) -> Any:
        found = _IMPLEMENTATIONS.get((name, tag_of(names)), otherwise)
        if found is None:
            raise Refusal(f"the game of the state {tag_of(names)!r} has no verb {name!r}")
        return found

    scope: dict[str, Any] = {"implementation_for": implementation_for}
    exec(
        f"def {name}({parameters}):\n"
        f"    return implementation_for(state.dtype.names)({parameters})\n"
        f"def chooser({parameters}):\n"
        f"    return write(state)\n",
        scope,
    )
    function: Callable[..., Any] = scope[name]
    function.__doc__ = help_text
    function.__module__ = "sim.core.contract"

    def write(state: Any) -> Any:
        if not isinstance(state, types.Record):
            return None
        inner: dict[str, Any] = {"implementation": implementation_for(state.fields)}
        own = (name, tag_of(state.fields)) in _IMPLEMENTATIONS
        if (default is None or (large and own)) and not _is_small(tag_of(state.fields)):
            # what others do by default is next to nothing: that is better taken in
            inner["implementation"] = caller(name, tag_of(state.fields), parameters)
        exec(f"def {name}_here({parameters}):\n    return implementation({parameters})\n", inner)
        return inner[f"{name}_here"]

    scope["write"] = write
    if COMPILED:
        overload(function)(scope["chooser"])
    return function


find_by(lambda name, tag: _IMPLEMENTATIONS[name, tag])


def chain(name: str, parameters: str, writer: Callable[[Any], Callable[..., Any]], plain: Any) -> Any:
    """Make a function whose compiled body is written for the type of its first argument.

    `writer` gets the field names of that record and returns the body; `plain` does the same for records
    met without compiling.
    """
    first = parameters.split(",")[0].strip()
    scope: dict[str, Any] = {"plain": plain}
    exec(
        f"def {name}({parameters}):\n"
        f"    return plain({first}.dtype.names)({parameters})\n"
        f"def chooser({parameters}):\n"
        f"    return write({first})\n",
        scope,
    )
    scope["write"] = lambda record: writer(record.fields) if isinstance(record, types.Record) else None
    if COMPILED:
        overload(scope[name])(scope["chooser"])
    return scope[name]


def where(marker: str, name: str, parameters: str, there: Any, otherwise: Any) -> Any:
    """Make a function that is `there` for rules records with a field `marker`, else `otherwise`.

    The choice is made by the type of the first argument when the caller is compiled, so that a run without
    the marked rules neither compiles them nor asks for them.
    """

    def pick(names: Any) -> Any:
        chosen = there if marker in names else otherwise
        if not COMPILED:
            return chosen
        inner: dict[str, Any] = {"chosen": chosen}
        exec(f"def {name}_here({parameters}):\n    return chosen({parameters})\n", inner)
        return inner[f"{name}_here"]

    return chain(name, parameters, pick, pick)


# --- room for the time of a call -----------------------------------------------------------------------------


def _room_instruction(typingctx: Any, length: Any) -> Any:
    if not isinstance(length, types.IntegerLiteral):
        return None  # how long it is must be known when the caller is compiled
    n = length.literal_value
    numbers = types.Array(types.int64, 1, "C")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = cgutils.alloca_once(builder, context.get_value_type(types.int64), size=n)
        cgutils.memset(builder, place, context.get_constant(types.intp, 8 * n), 0)
        array = context.make_array(numbers)(context, builder)
        context.populate_array(
            array,
            data=place,
            shape=(context.get_constant(types.intp, n),),
            strides=(context.get_constant(types.intp, 8),),
            itemsize=context.get_constant(types.intp, 8),
            meminfo=None,
        )
        return array._getvalue()

    return numbers(length), codegen


def _room(length: int) -> Any:
    return np.zeros(length, dtype=np.int64)


room: Any = intrinsic(prefer_literal=True)(_room_instruction) if COMPILED else _room
"""``room(length)``: zeros (int64, `length` a constant) that last as long as the call of the kernel that asks for them.

They lie on the stack: nothing is allocated and no references are counted, which for a few numbers takes longer than
what is done with them. A kernel that returns them, or a view of them, returns rubbish.
"""


# --- bit counting --------------------------------------------------------------------------------------------


def _ctpop_instruction(typingctx: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


def _cttz_instruction(typingctx: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], cgutils.false_bit)

    return types.int64(types.int64), codegen


_ctpop: Any = intrinsic(_ctpop_instruction)
_cttz: Any = intrinsic(_cttz_instruction)


def popcount(mask: Any) -> int:
    """Return how many bits of a non-negative 64-bit `mask` are set."""
    return int(mask).bit_count()


def lowest(mask: Any) -> int:
    """Return the number of the lowest set bit of a positive 64-bit `mask`."""
    value = int(mask)
    return (value & -value).bit_length() - 1


if COMPILED:

    @overload(popcount, inline="always")
    def _popcount_compiled(mask):
        return lambda mask: _ctpop(np.int64(mask))

    @overload(lowest, inline="always")
    def _lowest_compiled(mask):
        return lambda mask: _cttz(np.int64(mask))


@kernel
def bit(index: Any) -> Any:
    """Return a 64-bit mask with only bit `index` (0 to 62) set."""
    return np.int64(1) << np.int64(index)
