"""Random streams: a splittable 64-bit generator whose every number depends on a seed and a place.

The mixing function is the finaliser of SplitMix64 (Steele, Lea and Flood, 2014). Only unsigned 64-bit
constants meet the state: a plain integer would turn it into a signed one when compiled, without an error.
"""

from __future__ import annotations

import numpy as np

from sim.core.jit import kernel
from sim.core.kinds import Count, Fraction, Index, Seed, Stream, Word

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_B = np.uint64(0xBF58476D1CE4E5B9)
_C = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32, _S11 = (np.uint64(s) for s in (30, 27, 31, 32, 11))
_TO_UNIT = 1.0 / 9007199254740992.0  # 2**-53

# Streams of one deal. A bot that draws one number more can never change the next shuffle.
DEAL, DRAFT, CHANCE, BOT, JITTER, BANS, FOUNDING, TEAM, CARDS, TASTE = range(10)


@kernel
def mix(z: Word) -> Word:
    """Return a well-stirred 64-bit number for `z` (uint64; also elementwise on arrays)."""
    z = np.multiply(z ^ (z >> _S30), _B)
    z = np.multiply(z ^ (z >> _S27), _C)
    return z ^ (z >> _S31)


@kernel
def keyed(seed: Seed, stream: Index, item: Index) -> Word:
    """Return the number that belongs to (`seed`, `stream`, `item`): always the same, unlike all others.

    Parameters
    ----------
    seed : uint64
    stream : int
        One of the streams of this module.
    item : int
        Any non-negative number below 2**48.
    """
    place = np.uint64(np.int64(stream) * np.int64(281474976710656) + np.int64(item) + np.int64(1))
    return mix(np.add(mix(np.add(seed, np.multiply(place, GOLDEN))), GOLDEN))


@kernel
def start(stream_state: Stream, seed: Seed, stream: Index, item: Index) -> None:
    """Set `stream_state` (uint64 array of length 1) to the beginning of the stream (`seed`, `stream`, `item`)."""
    stream_state[0] = keyed(seed, stream, item)


@kernel
def u64(stream_state: Stream) -> Word:
    """Draw 64 random bits and move the stream on."""
    stream_state[0] = np.add(stream_state[0], GOLDEN)
    return mix(stream_state[0])


@kernel
def below(stream_state: Stream, n: Count) -> Index:
    """Draw a whole number from 0 to `n` - 1 (`n` below 2**31)."""
    return np.int64(np.multiply(u64(stream_state) >> _S32, np.uint64(n)) >> _S32)


@kernel
def unit(stream_state: Stream) -> Fraction:
    """Draw a float from [0, 1)."""
    return np.float64(u64(stream_state) >> _S11) * _TO_UNIT


@kernel
def to_unit(number: Word) -> Fraction:
    """Turn a uint64 into a float from [0, 1)."""
    return np.float64(number >> _S11) * _TO_UNIT


@kernel
def to_below(number: Word, n: Count) -> Index:
    """Turn a uint64 into a whole number from 0 to `n` - 1 (`n` below 2**31)."""
    return np.int64(np.multiply(number >> _S32, np.uint64(n)) >> _S32)
