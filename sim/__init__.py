"""Whimbrel's player: rules, bots and batches. Writes data sets; knows nothing of statistics.

The Python face for notebooks is `sim.run`, `sim.replay` and `sim.games`; it is loaded on first use, so that
`import sim` stays cheap.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"
__all__ = ["__version__", "games", "replay", "run"]


def __getattr__(name: str) -> Any:
    if name in {"run", "replay"}:
        from sim import face

        return getattr(face, name)
    if name == "games":
        return import_module("sim.games")
    raise AttributeError(f"module 'sim' has no attribute {name!r}")
