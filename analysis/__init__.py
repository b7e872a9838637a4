"""Reads a data set and says what it shows: fairness, strength of pieces, bans, drafts, cards, matchups, pace.

Names are loaded on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOME = {
    "load": "dataset",
    "Dataset": "dataset",
    "Judge": "dataset",
    "Refusal": "errors",
    "audit": "auditing",
    "seat_balance": "fairness",
    "seat_tests": "fairness",
    "win_share_by": "fairness",
    "piece_strength": "strength",
    "goes_with_winning": "strength",
    "ban_effects_on_pieces": "bans",
    "ban_effects_on_seats": "bans",
    "length": "pace",
    "ties": "pace",
    "choice_width": "pace",
    "lead_changes": "pace",
    "end_reasons": "pace",
    "draft_picks": "drafts",
    "pick_value": "drafts",
    "draft_seats": "drafts",
    "offered_taken_played": "drafts",
    "level_effects": "treatments",
    "rule_changes": "treatments",
    "seat_level_effects": "seat_levels",
    "enders": "endings",
    "tie_breaks": "endings",
    "luck_and_skill": "skill",
    "matchups": "pairings",
    "standing": "pairings",
    "role_effect": "roles",
    "series_balance": "roles",
    "harm": "harming",
    "claims": "claiming",
    "under_stand_ins": "stand_ins",
    "ban_sets": "best_bans",
    "verify_experiment": "best_bans",
}
_MODULES = ("stats", "plots", "report")

__all__ = [*_HOME, *_MODULES]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"analysis.{name}")
    if name in _HOME:
        module = import_module(f"analysis.{_HOME[name]}")
        value = getattr(module, name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'analysis' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
