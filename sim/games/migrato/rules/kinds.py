"""What the arguments of the rules are, beside the kinds that all games share (`sim.core.kinds`)."""

from __future__ import annotations

from typing import Any, TypeAlias

Column: TypeAlias = Any
"""A column of cards as one int64, eight bits a card (see `state`)."""
Card: TypeAlias = Any
"""The byte of a card in a column: piece + 1, DOWN, LOST."""
Species: TypeAlias = Any
"""One of the five species, from 0; UNKNOWN for none."""
