"""Reads a data set and says what it shows. Each folder is a chapter that answers one group of questions.

`data` opens and checks a data set; `fairness`, `pieces`, `bans_and_drafts`, `changes`, `pace`, `skill`,
`author_claims` and `targets` answer from it; `stats` holds the statistics that they share, `plots` and
`report` show the answers.
The opening page of a chapter (its docstring) has the question, the functions and what they promise.

Arrows run one way: report -> plots and chapters -> data and stats. Names are loaded on first use, so that importing
the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_CHAPTERS = {
    "data.dataset": ("load", "Dataset", "Judge"),
    "data.errors": ("Refusal",),
    "data.pooling": ("pool",),
    "data.importing": ("import_games",),
    "data.audit": ("audit",),
    "fairness.seats": ("seat_balance", "seat_tests", "win_share_by"),
    "fairness.roles": ("role_effect", "series_balance"),
    "fairness.endings": ("enders", "tie_breaks"),
    "pieces.strength": ("piece_strength", "goes_with_winning"),
    "pieces.harm": ("harm",),
    "pieces.seat_levels": ("seat_level_effects",),
    "bans_and_drafts.ban_effects": ("ban_effects_on_pieces", "ban_effects_on_seats"),
    "bans_and_drafts.ban_sets": ("ban_sets", "verify_experiment"),
    "bans_and_drafts.misjudged": ("picks_against_worth", "bans_against_worth"),
    "bans_and_drafts.drafts": ("draft_picks", "pick_value", "draft_seats", "offered_taken_played"),
    "changes.settings": ("compare",),
    "changes.ban_settings": ("compare_bans",),
    "changes.rules": ("rule_changes",),
    "changes.runs": ("compare_runs",),
    "changes.screening": ("screen",),
    "changes.response": ("response",),
    "changes.levels": ("level_effects",),
    "changes.no_harm": ("no_harm",),
    "changes.shrunk": ("shrunk_levels",),
    "changes.dependence": ("depends_on",),
    "changes.stand_ins": ("under_stand_ins",),
    "pace.leads": ("comeback_surface", "when_decided", "runaway_leader", "forced_share"),
    "pace.course": ("length", "choice_width", "lead_changes", "ties", "end_reasons"),
    "pace.kingmaking": ("kingmaking",),
    "skill.pairings": ("matchups", "standing"),
    "skill.luck": ("luck_and_skill",),
    "skill.components": ("luck_components",),
    "skill.ladder": ("ladder",),
    "skill.cycles": ("cycles",),
    "skill.dominance": ("dominant",),
    "skill.over_play": ("over_play",),
    "skill.competence": ("competence",),
    "skill.control": ("with_cheap_games",),
    "author_claims.claims": ("claims",),
    "targets.judging": ("check_targets",),
    "trust.needed": ("games_needed",),
    "trust.convergence": ("convergence",),
    "trust.confounding": ("confounding",),
    "trust.ranks": ("rank_intervals",),
    "everyday.questions": ("win_rate", "mean_of", "share_where", "head_to_head"),
    "everyday.comebacks": ("comeback_rate",),
    "fairness.set_up": ("set_up_luck",),
    "pieces.pairs": ("piece_pairs",),
    "pieces.by_turn": ("value_by_turn",),
    "pieces.worth": ("worth_to_owner",),
    "pieces.placing": ("placements",),
    "skill.people": ("seats_among_equals", "rated_players", "held_adjusted"),
    "skill.coverage": ("coverage",),
}
_HOME = {name: home for home, names in _CHAPTERS.items() for name in names}
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
