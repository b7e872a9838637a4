"""All that one draw may bring: the numbers of a stream are chosen, instead of drawn, to go through every outcome.

A draw of `sim.core.rng` is a one-to-one function of the stream's state, so that for any 32 leading bits there is a
state that yields them. Draws rise with these bits (`below`, `unit`), hence each outcome has one stretch of them, and
the length of the stretch is its probability: to 2**-32, as played.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.contract import resolve
from sim.core.jit import kernel
from sim.core.rng import GOLDEN

WHOLE = 1 << 32
"""One more than the greatest 32 bits."""
STEPS = 128
"""Places at which an outcome is looked for: of a draw among up to so many, none is overlooked."""
_S30, _S27, _S31, _S54, _S60, _S62, _S32 = (np.uint64(s) for s in (30, 27, 31, 54, 60, 62, 32))
_UNDO_B = np.uint64(pow(0xBF58476D1CE4E5B9, -1, 1 << 64))
_UNDO_C = np.uint64(pow(0x94D049BB133111EB, -1, 1 << 64))
NONE, ONE, SEVERAL = range(3)
"""How many numbers were drawn."""


@kernel
def unmix(z: Any) -> Any:
    """Return the number that `sim.core.rng.mix` stirs into `z`."""
    z = z ^ (z >> _S31) ^ (z >> _S62)
    z = np.multiply(z, _UNDO_C)
    z = z ^ (z >> _S27) ^ (z >> _S54)
    z = np.multiply(z, _UNDO_B)
    return z ^ (z >> _S30) ^ (z >> _S60)


@kernel
def throw(rules: Any, state: Any, stream: Any, bits: Any) -> Any:
    """Let one step of `resolve` draw the number that begins with these 32 bits; return how many it drew."""
    begin = np.subtract(unmix(np.uint64(bits) << _S32), GOLDEN)
    stream[0] = begin
    resolve(rules, state, stream)
    if stream[0] == begin:
        return np.int64(NONE)
    return np.int64(ONE) if stream[0] == np.add(begin, GOLDEN) else np.int64(SEVERAL)
