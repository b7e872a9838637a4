"""What the arguments of the rules are, beside the kinds that all games share (`sim.core.kinds`)."""

from __future__ import annotations

from typing import Any, TypeAlias

Space: TypeAlias = Any
"""A place of the board, from 0; -1 for off the map."""
Pawn: TypeAlias = Any
"""A pawn as a byte: whose it is and its level; 0 for none."""
Card: TypeAlias = Any
"""One of the six cards, from 0."""
Direction: TypeAlias = Any
"""One of the six directions, from 0."""
Level: TypeAlias = Any
"""The level of a pawn."""
