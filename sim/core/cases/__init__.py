"""Worked cases: a position, decisions, and what must hold before and after, written as data for every game.

A file names its ``game`` and holds a ``[[case]]`` each. Keys of every case: ``id``, ``title``, ``tag`` (T: the
rulebook decides; R(..): a ruling), ``note``, ``parameters``, ``position`` or ``deal = true`` (with ``seed``),
``before``, ``do``, ``after``, ``illegal`` (after everything) and ``impossible = true``, which lays a position that
cannot occur. In ``before`` and ``after`` every game knows ``legal`` (all of them), ``includes``, ``illegal``,
``to_move``, ``phase``, ``turn``, ``first``, ``scores``, ``ended``, ``how`` and ``winner``; more is in each game's
RULES.md.
"""

from __future__ import annotations

from sim.core.cases import checks
from sim.core.cases.checks import Check
from sim.core.cases.given import Given
from sim.core.cases.running import CaseResult
from sim.core.cases.shapes import small_map
from sim.core.cases.table import Table
from sim.core.cases.words import Forms, Gap, names_gap

__all__ = [
    "CaseResult",
    "Check",
    "Forms",
    "Gap",
    "Given",
    "Table",
    "checks",
    "names_gap",
    "small_map",
]
