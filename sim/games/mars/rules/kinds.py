"""What the arguments of the rules are, beside the kinds that all games share (`sim.core.kinds`)."""

from __future__ import annotations

from typing import Any, TypeAlias

Tile: TypeAlias = Any
"""A place of the board, from 0; -1 for none."""
Bundle: TypeAlias = Any
"""What is given for what, packed (see `state.GIVEN_AT`)."""
