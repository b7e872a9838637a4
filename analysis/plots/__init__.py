"""Pictures: functions `(frame, ax=None, **kw) -> Axes` over the frames of the analysis.

Every picture carries the question that it answers as its title, draws intervals, writes shares in per cent,
and stays legible in greyscale.  Names are loaded on first use: matplotlib costs half a second.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOME = {
    "seat_dots": "estimates",
    "piece_forest": "estimates",
    "ban_bars": "estimates",
    "factor_dots": "estimates",
    "ban_heat": "heat",
    "place_map": "places",
    "pick_forest": "variants",
    "plain_dots": "variants",
    "matchup_matrix": "variants",
    "ecdf_length": "pace",
    "end_bars": "pace",
    "choice_ribbon": "pace",
    "lead_hist": "pace",
    "ladder_lines": "ladder",
    "tier_lines": "ladder",
    "lever_matrix": "levers",
    "lever_dots": "levers",
    "lever_curve": "levers",
    "trade_off": "tradeoff",
}

__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"analysis.plots.{_HOME[name]}"), name)
    raise AttributeError(f"module 'analysis.plots' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
