"""Which numbers of the rules can be turned, and how far: from an experiment and a game's parameters to their levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sim.batch.cells import literal
from sim.batch.experiment import Experiment, read_experiment
from sim.batch.screening import cells_of
from sim.core.errors import Refusal, nearest
from sim.core.params import describe

GROUPS = {
    "all": ("int", "float", "bool", "choice"),
    "numbers": ("int", "float"),
    "rulings": ("bool", "choice"),
}
"""Names of many parameters at once, and their kinds: every one, what is counted, what can be read or switched."""
NOTCH = 0.25
"""A number moves by so much of itself, and at least by one, where no range is named."""
SWEPT = 7
"""Most values of a sweep."""
NO_RULE = ("turn_cap", "check_deck", "memory")
"""What bounds or judges the play, and is no rule of the game."""

Levels = dict[str, list[Any]]


def plain(experiment: Experiment, files: str | None = None) -> dict[str, Any]:
    """Return an experiment as plain data, its first values in place of all that is varied, and the cheapest tier.

    Files are named as they are, to be read from the same folder, or as copies in the folder `files`.
    """
    data = experiment.canonical(files)
    first = {key: values[0] for key, values in experiment.vary.items() if key != "players.count"}
    first |= experiment.variants[0][1] if experiment.variants else {}
    for key, value in first.items():
        if key.startswith("player."):
            raise Refusal(f"'{key}' is varied: whose play is to be looked at? leave it in [[player]]")
        table, name = (
            ("players", key.partition(".")[2]) if key.startswith("players.") else ("parameters", key)
        )
        data[table] = {**data.get(table, {}), name: experiment.own_files({key: value}, files)[key]}
    counts = experiment.vary.get("players.count")
    data["vary"] = {"players.count": counts} if counts else {}
    if experiment.tiers:
        data["players"] = {**data.get("players", {}), "bots": [experiment.tiers[0][0]]}
        del data["tiers"]
    for key in ("ask", "cells", "variant"):
        data.pop(key, None)
    data["design"] = "grid"
    data["skip_impossible"] = False
    return data


def base_of(experiment: Experiment) -> dict[str, Any]:
    """Return the value now of every parameter of the game, by dotted name, as the experiment sets it."""
    from sim.batch.engine import get_game

    rows = describe(get_game(experiment.game).Parameters)
    now = {row["name"]: row["default"] for row in rows}
    now |= {key: value for key, value in experiment.fixed.items() if key in now}
    return now | {key: values[0] for key, values in experiment.vary.items() if key in now}


def wanted(experiment: Experiment, named: Sequence[str]) -> tuple[Levels, list[str]]:
    """Return the levels of the parameters asked for, the value now (or the lower one) first, and what was left out.

    Parameters
    ----------
    named
        Parameters (``rats_points``), with a range (``rats_points=1..3``) or two values (``islands=allowed,forbidden``),
        or one of `GROUPS`; nothing: what the experiment varies, else ``numbers``.

    Raises
    ------
    Refusal
        A name that is no parameter, or a range that is none.
    """
    from sim.batch.engine import get_game

    rows = {row["name"]: row for row in describe(get_game(experiment.game).Parameters)}
    now = base_of(experiment)
    levels: Levels = {}
    left: list[str] = []
    if not named:
        varied = {k: v for k, v in experiment.vary.items() if k != "players.count"}
        levels = {key: [values[0], values[-1]] for key, values in varied.items() if len(values) > 1}
        named = () if levels else ("numbers",)
    for text in named:
        if text in GROUPS:
            of_kind = {key: row for key, row in rows.items() if row["type"] in GROUPS[text]}
            found, out = _every(of_kind, now, experiment)
            levels = {**found, **levels}
            left += out
            continue
        name, equals, span = text.partition("=")
        if name not in rows:
            raise Refusal(
                f"--parameters: {experiment.game} has no parameter '{name}'{nearest(name, [*rows, *GROUPS])}"
            )
        given = _span(name, span) if equals else experiment.vary.get(name)
        both = [given[0], given[-1]] if given and len(given) > 1 else two_levels(rows[name], now[name])
        if both is None:
            raise Refusal(
                f"--parameters: '{name}' has no range of its own; name two values, as in {name}=a,b"
            )
        levels[name] = both
    return levels, left


def _span(name: str, text: str) -> list[Any]:
    low, dots, high = text.partition("..")
    parts = [low, high] if dots else text.split(",")
    values = [literal(part.strip()) for part in parts]
    if len(values) != 2 or "" in values or values[0] == values[1]:
        raise Refusal(f"--parameters: '{name}={text}' is no range; write two values, as in {name}=1..3")
    return values


def two_levels(row: Mapping[str, Any], now: Any) -> list[Any] | None:
    """Return two levels about the value now: a notch down and up, or the other choice; None where there is no range."""
    span, kind = row["range"], row["type"]
    if kind not in GROUPS["all"] or span is None:
        return None
    if kind in ("bool", "choice"):
        others = [value for value in span if value != now]
        return [now, others[0]] if others and now in span else None
    if isinstance(now, bool) or not isinstance(now, int | float):
        return None
    step = max(1, round(abs(now) * NOTCH)) if kind == "int" else abs(now) * NOTCH or 1.0
    low, high = now - step, now + step
    if span[0] is not None:
        low = max(low, span[0])
    if span[1] is not None:
        high = min(high, span[1])
    return [low, high] if low < high else None


def _every(
    rows: Mapping[str, Any], now: Mapping[str, Any], experiment: Experiment
) -> tuple[Levels, list[str]]:
    found: Levels = {}
    left: list[str] = []
    for name, row in rows.items():
        if row["range"] is None or name in NO_RULE:
            continue
        if name in experiment.fixed:
            left.append(f"{name}: the experiment sets it")
            continue
        both = two_levels(row, now[name])
        if both is None or (row["type"] == "int" and now[name] < 0):
            left.append(f"{name}: no two levels about {now[name]}")
        else:
            found[name] = both
    return found, left


def possible(experiment: Experiment, levels: Levels) -> tuple[Levels, list[str]]:
    """Return those levels whose screen can be played, and what was left out for that.

    What cannot be played by itself goes first. Where some cell of the screen is impossible, the number goes whose value
    now would make it possible.
    """
    from sim.batch.plan import make_plan

    now, left = base_of(experiment), []
    data = plain(experiment)

    def fails(settings: Mapping[str, Any]) -> str:
        try:
            make_plan(_one(experiment, data, settings))
        except Refusal as error:
            return str(error)
        return ""

    make_plan(_one(experiment, data, {}))  # what is wrong with the experiment itself is no number's fault
    kept = dict(levels)
    for name, both in levels.items():
        said = next(filter(None, (fails({name: value}) for value in both)), "")
        if said:
            left.append(f"{name}: {said}")
            del kept[name]
    while kept:
        numbers = list(kept)
        for picks in cells_of(dict.fromkeys(numbers, 2)):
            cell = {name: kept[name][pick] for name, pick in zip(numbers, picks)}
            said = fails(cell)
            if not said:
                continue
            # of several that would do, the one whose name or size the game complains of, or else the first
            ways = [name for name in numbers if not fails({**cell, name: now.get(name, kept[name][0])})]
            if not ways:
                raise Refusal(f"these numbers cannot be turned together: {said}")
            out = next((name for name in ways if name in said), ways[0])
            left.append(f"{out}: not with the others ({said})")
            del kept[out]
            break
        else:
            return kept, left
    return kept, left


def _one(experiment: Experiment, data: Mapping[str, Any], settings: Mapping[str, Any]) -> Experiment:
    parameters = {k: v for k, v in data["parameters"].items() if k not in settings}
    whole = {**data, "parameters": {**parameters, **settings}}
    return replace(read_experiment(whole, base=experiment.source.base, games=1), files=experiment.files)


def screen_data(experiment: Experiment, levels: Levels) -> dict[str, Any]:
    """Return the experiment that screens these levels, as plain data."""
    data = plain(experiment)
    data["parameters"] = {k: v for k, v in data["parameters"].items() if k not in levels}
    data["vary"] = {**data["vary"], **levels}
    return data | {
        "name": f"{experiment.name}-screen",
        "design": "screen",
        "question": "Which numbers matter?",
    }


def sweep_values(row: Mapping[str, Any], both: Sequence[Any], now: Any) -> list[Any]:
    """Return the values of a sweep: the one now first, then all between the two levels, or some evenly spaced."""
    if row["type"] in ("bool", "choice"):
        return [now, *(value for value in row["range"] if value != now)]
    low, high = min(both), max(both)
    if row["type"] == "int":
        whole = range(int(low), int(high) + 1)
        step = -(-len(whole) // SWEPT)
        values = sorted({*whole[::step], int(high)})
    else:
        values = [low + (high - low) * k / 4 for k in range(5)]
    return [now, *(value for value in values if value != now)]


def sweep_data(experiment: Experiment, swept: Levels) -> dict[str, Any]:
    """Return the experiment that turns one number at a time, on deals of its own, as plain data."""
    data = plain(experiment)
    data["parameters"] = {k: v for k, v in data["parameters"].items() if k not in swept}
    data["vary"] = {**data["vary"], **swept}
    return data | {
        "name": f"{experiment.name}-curves",
        "design": "one-at-a-time",
        "question": "How does each move?",
    }
