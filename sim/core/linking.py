"""Verbs as symbols: compiled code calls a game's rules where they are, instead of taking them in.

Numba links everything that a function calls into it and optimises all of it once more: the playing loop and each bot
would compile the whole game again. Here a verb is called by a symbol of its own, whose address is told to the linker of
this process. Machine code that comes from the cache names the symbols that it needs, and they are told first.

Like `sim.core.jit`, with which it is the only place that touches Numba's insides.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from typing import Any

import llvmlite.binding
from numba.core import cgutils, types
from numba.extending import intrinsic

_PREFIX = "whimbrel_verb_"

Finder = Callable[[str, str], Any]
"""From a verb and the tag of a state to the compiled implementation."""

_FINDERS: list[Finder] = []
_KNOWN: dict[str, tuple[str, str, tuple[Any, ...], Any]] = {}
"""By symbol: verb, tag, types of the arguments, and the compiled code, which must stay alive."""


def find_by(finder: Finder) -> None:
    """Tell how implementations are found."""
    _FINDERS[:] = [finder]


def tell(verb: str, tag: str, arguments: tuple[Any, ...]) -> str:
    """Compile (or load) a verb for these types, tell the linker where it is, and return its symbol."""
    text = "/".join([verb, tag, *map(str, arguments)])
    symbol = f"{_PREFIX}{verb}_{hashlib.sha256(text.encode()).hexdigest()[:24]}"
    if symbol not in _KNOWN:
        implementation = _FINDERS[0](verb, tag)
        implementation.compile(arguments)
        code = implementation.overloads[arguments]
        address = code.library.get_pointer_to_function(code.fndesc.llvm_func_name)
        llvmlite.binding.add_symbol(symbol, address)
        _KNOWN[symbol] = (verb, tag, arguments, code)
    return symbol


def caller(verb: str, tag: str, parameters: str) -> Any:
    """Return a function for compiled code that calls the implementation of `verb` for states of `tag` by its symbol."""

    def write(*given: Any) -> tuple[Any, Any]:
        arguments = tuple(map(types.unliteral, given))
        symbol = tell(verb, tag, arguments)
        code = _KNOWN[symbol][3]
        result = code.signature.return_type

        def call(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            convention = context.call_conv
            kind = convention.get_function_type(code.fndesc.restype, code.fndesc.argtypes)
            function = cgutils.get_or_insert_function(builder.module, kind, symbol)
            status, value = convention.call_function(
                builder, function, code.fndesc.restype, code.fndesc.argtypes, values
            )
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return value

        return result(*arguments), call

    scope: dict[str, Any] = {"write": write}
    exec(f"def {verb}_there(typingctx, {parameters}):\n    return write({parameters})\n", scope)
    return intrinsic(scope[f"{verb}_there"])


def with_symbols(code: Any) -> Any:
    """Return compiled code that, when it is loaded from the cache, first tells the symbols that it calls."""
    functions = code.library._final_module.functions
    called = sorted(f.name for f in functions if f.is_declaration and f.name.startswith(_PREFIX))
    before = tuple(partial(tell, *_KNOWN[symbol][:3]) for symbol in called)
    return code._replace(reload_init=(*before, *code.reload_init)) if before else code
