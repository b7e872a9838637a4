"""`[ask]`: what the report of an experiment must answer, checked against what is played.

Which questions follow from what was varied where nothing is asked is decided in one place, by who reads the data
(`analysis.data.questions`); here it is only made sure that what is asked can be.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sim.batch.sections import LETTERS, Names, Reader, piece_named
from sim.batch.source import Path_, Source
from sim.core.errors import Refusal, nearest

if TYPE_CHECKING:
    from sim.batch.plan import Plan

SWITCHES = ("seats", "pieces", "players", "length", "drafts", "drawn", "claims")
"""Asked by `= true`."""
KEYS = (*SWITCHES, "piece", "compare", "bans")
BANS = ("most even", "each")
"""Which set of bans makes the game most even; what does each ban do."""
PIECE_SET, DRAWN = "piece set", ("level", "card")
"""Kinds of columns that are drawn for each deal."""

Levels = Mapping[str, Sequence[Any]]


def read_ask(read: Reader, names: Names, vary: Levels, variants: Sequence[str]) -> dict[str, Any]:
    """Return `[ask]` in its order: `piece` as a list of names, `compare` as levels by factor, the base first."""
    levels: dict[str, Sequence[Any]] = {"variant": variants, **vary} if variants else dict(vary)
    asked: dict[str, Any] = {}
    for key, value in read.table("ask").items():
        way: Path_ = ("ask", key)
        if key in SWITCHES:
            if value is not True:
                read.refuse(way, f"'ask.{key}' is asked by true, or left out; not {value!r}")
            asked[key] = True
        elif key == "piece":
            asked[key] = _pieces(read, names, value)
        elif key == "bans":
            if value not in BANS:
                known = " or ".join(f'"{one}"' for one in BANS)
                read.refuse(way, f"'ask.bans' must be {known}; not {value!r}{nearest(value, BANS)}")
            asked[key] = value
        elif key == "compare":
            asked[key] = _compared(read, levels, value)
        else:
            read.refuse(way, f"unknown key 'ask.{key}'{nearest(key, KEYS)}")
    return asked


def _pieces(read: Reader, names: Names, value: Any) -> list[str]:
    given = value if isinstance(value, list) else [value]
    if not given or not all(isinstance(one, str) for one in given):
        read.refuse(("ask", "piece"), f"'ask.piece' must be a piece, or a list of them; not {value!r}")
    found = []
    for one in given:
        piece = piece_named(one, names.pieces)
        if piece is None:
            read.refuse(
                ("ask", "piece"), f"'ask.piece': there is no piece '{one}'{nearest(one, names.pieces)}"
            )
        if piece in found:
            read.refuse(("ask", "piece"), f"'ask.piece' names {piece} twice")
        found.append(piece)
    return found


def _compared(read: Reader, levels: Levels, value: Any) -> dict[str, list[Any]]:
    """Return the levels to be compared, by factor, from a factor's name, a list of levels, or a table of lists."""
    way: Path_ = ("ask", "compare")
    if not levels:
        read.refuse(way, "'ask.compare': nothing is compared; there is no [vary] and no [[variant]]")
    if isinstance(value, str):
        value = {value: [*levels[value]]} if value in levels else value
    elif isinstance(value, list):
        value = {_factor_of(read, levels, value): value}
    if not isinstance(value, Mapping) or not value:
        hint = nearest(value, levels) if isinstance(value, str) else ""
        text = "must be what is varied, or two or more of its levels, the base first"
        read.refuse(way, f"'ask.compare' {text}; not {value!r}{hint}")
    return {factor: _levels(read, levels, factor, wanted) for factor, wanted in _flat(value).items()}


def _flat(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table of levels by dotted factor, however its key was written."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            flat |= {f"{key}.{rest}": levels for rest, levels in _flat(value).items()}
        else:
            flat[key] = value
    return flat


def _factor_of(read: Reader, levels: Levels, wanted: list[Any]) -> str:
    """Return the one factor that has all these levels."""
    way: Path_ = ("ask", "compare")
    for one in wanted:
        if not any(_found(one, known) for known in levels.values()):
            known = [text(level) for several in levels.values() for level in several]
            hint = nearest(text(one), known) or f"; the levels are {', '.join(known[:12])}"
            read.refuse(way, f"'ask.compare': no level is called '{text(one)}'{hint}")
    having = [name for name, known in levels.items() if all(_found(one, known) for one in wanted)]
    if len(having) != 1:
        example = f"compare = {{ {json.dumps(having[0] if having else next(iter(levels)))} = [...] }}"
        what = f"are levels of {' and '.join(having)}" if having else "are not levels of one thing"
        read.refuse(
            way, f"'ask.compare': {', '.join(map(text, wanted)) or 'no levels'} {what}; write {example}"
        )
    return having[0]


def _levels(read: Reader, levels: Levels, factor: str, wanted: Any) -> list[Any]:
    way: Path_ = ("ask", "compare")
    if factor not in levels:
        read.refuse(way, f"'ask.compare': '{factor}' is not varied{nearest(factor, levels)}")
    if not isinstance(wanted, list) or len(wanted) < 2:
        read.refuse(way, f"'ask.compare' needs two levels of {factor} or more, the base first")
    found = []
    for one in wanted:
        match = _found(one, levels[factor])
        if not match:
            hint = nearest(text(one), list(map(text, levels[factor])))
            read.refuse(way, f"'ask.compare': {factor} has no level '{text(one)}'{hint}")
        if match[0] in found:
            read.refuse(way, f"'ask.compare' names the level {match[0]} twice")
        found += match
    return found


def _found(one: Any, known: Sequence[Any]) -> list[Any]:
    """Return the level of `known` that is meant, as the data set names it; nothing where there is none."""
    for level in known:
        if json.dumps(level) == json.dumps(one) or (isinstance(one, str) and text(level) == one):
            return [text(level) if isinstance(level, list | tuple) else level]
    return []


def text(level: Any) -> str:
    """Return a level as one text: sets of pieces with a plus, nothing as "none"."""
    if isinstance(level, list | tuple):
        return "+".join(map(str, level)) or "none"
    return str(level).lower() if isinstance(level, bool) else str(level)


def check_answerable(plan: Plan) -> None:
    """Refuse to ask for what no game of the plan can tell."""
    experiment = plan.experiment
    asked, kinds = experiment.ask, {entry.get("kind") for entry in plan.drawn.values()}
    source: Source = experiment.source
    levers = any(cell.lever is not None for cell in plan.cells)
    can = {
        "piece": (levers, "no piece is dealt by chance, so that nothing can be said of its worth"),
        "pieces": (levers, "no piece is dealt by chance, so that nothing can be said of their worth"),
        "bans": (PIECE_SET in kinds or "bans" in experiment.vary, "no bans are drawn or varied"),
        "drafts": (any(getattr(cell, "drafts", False) for cell in plan.cells), "no cell has a draft"),
        "drawn": (bool(kinds & set(DRAWN)), "no level (an event, a card) is drawn for each deal"),
        "players": (
            len(plan.bots) > max(1, len(experiment.tiers)) or len(plan.decks) > 1 or bool(experiment.players),
            "all players are alike",
        ),
        "claims": (
            "claims" not in asked or bool(plan.game.card(plan.cells[0].parameters).get("claims")),
            "the game has no claims",
        ),
    }
    for key in asked:
        fine, why = can.get(key, (True, ""))
        if not fine:
            raise Refusal(f"{source.at('ask', key)}'ask.{key}': {why}")
    if {"piece", "pieces", "drafts"} & set(asked) and experiment.log == "games":
        raise Refusal(f'{source.at("log")}\'ask\' needs log = "pieces" at least; it is "games"')
    _check_measurable(plan, levers)


def _check_measurable(plan: Plan, levers: bool) -> None:
    """Refuse targets of `[judge]`, and of `[stop]`, that no game of the plan can be measured by."""
    experiment = plan.experiment
    source, bands = experiment.source, dict(experiment.judge.get("bands") or {})
    most = max(spec.count for spec in plan.specs)
    paced = experiment.pace or plan.game.card(plan.cells[0].parameters).get("pace")
    for key in bands:
        kind, _, of = key.partition(".")
        where = source.at("judge", key)
        if kind == "seat" and LETTERS.index(of) >= most:
            raise Refusal(f"{where}'judge.{key}': no game has a Seat {of}; {most} play")
        if kind == "minutes" and not paced:
            raise Refusal(f"{where}'judge.{key}': neither [pace] nor the game says how long a turn takes")
    where = source.at("stop", "when")
    for key in experiment.stop.get("when", []):
        kind = key.partition(".")[0]
        if kind == "piece" and not levers:
            raise Refusal(
                f"{where}'stop.when': no piece is dealt by chance, so that '{key}' is never decided"
            )
        if kind == "piece" and experiment.log == "games":
            raise Refusal(f"{where}'stop.when': '{key}' needs log = \"pieces\" at least; it is \"games\"")
        named = [one for one in bands if key in (one, one.partition(".")[0])]
        if kind != "piece" and key != "seat" and not named:
            raise Refusal(f"{where}'stop.when': [judge] says nothing of '{key}'")
