"""`--over stand-ins`: the same experiment under each alternative to what the rulebook leaves out.

Every alternative becomes a variant (one at a time), and at last a few variants draw all of them at random. What
the experiment sets itself is left alone: an alternative that would change it is left out and said.

Some guesses only show under a setting that all their alternatives share: the shape of plates on a founder's land
(`map = "founder"`), say. That setting is no guess: such alternatives, and the draws of all guesses, are compared
with a base variant of their own, the guesses as they are under the same setting. `Experiment.bases` tells which.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sim.batch.experiment import Experiment
from sim.batch.sections import flatten
from sim.core.errors import Refusal

AS_THEY_ARE = "guesses as they are"
ALL_DRAWN = "all guesses drawn"
MIXES = 6
"""Variants in which every stand-in is drawn from its default and its alternatives."""

Choice = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Guess:
    """One stand-in: its name, the setting under which it shows, and its alternatives."""

    name: str
    where: dict[str, Any]
    choices: list[Choice]


def over_stand_ins(experiment: Experiment) -> tuple[Experiment, list[str]]:
    """Return the experiment with one variant for each alternative, and what was left out, in words.

    Raises
    ------
    Refusal
        The game has no stand-ins with alternatives that the experiment leaves open.
    """
    from sim.batch.engine import get_game

    left_out: list[str] = []
    guesses = [_guess(experiment, row, left_out) for row in get_game(experiment.game).stand_ins()]
    guesses = [guess for guess in guesses if guess.choices]
    if not guesses:
        raise Refusal(
            "--over stand-ins: there is no stand-in with an alternative that the experiment leaves open"
        )
    played = _played(experiment.seed, guesses)
    variants, bases = [], {}
    for name, bundle in experiment.variants or (("", {}),):
        for variant, settings, base in played:
            full = f"{name}, {variant}" if name else variant
            variants.append((full, {**bundle, **settings}))
            if base:
                bases[full] = f"{name}, {base}" if name else base
    names = tuple(guess.name for guess in guesses)
    ask = dict(experiment.ask)
    if "variant" in ask.get("compare", {}):
        compared = [f"{name}, {AS_THEY_ARE}" for name in ask["compare"]["variant"]]
        ask["compare"] = {**ask["compare"], "variant": compared}
    changed = replace(experiment, variants=tuple(variants), over=names, bases=bases, ask=ask)
    return changed, left_out


def _guess(experiment: Experiment, row: Mapping[str, Any], left_out: list[str]) -> Guess:
    """Return a stand-in with the alternatives that the experiment leaves open."""
    varied = {*experiment.vary, *(key for _, bundle in experiment.variants for key in bundle)}
    alternatives = [flatten(settings) for settings in row.get("alternatives", ())]
    where = _shared(alternatives)
    choices: list[Choice] = []
    for number, settings in enumerate(alternatives, start=1):
        name = f"{row['name']} {number}"
        # what a guess needs around it may be set already, to the same value
        there = {key for key, value in where.items() if experiment.fixed.get(key) == value}
        clash = sorted((varied | set(experiment.fixed)) & set(settings) - there)
        if clash:
            left_out.append(f"{name}: the experiment sets '{clash[0]}' itself")
        else:
            choices.append((name, {key: value for key, value in settings.items() if key not in there}))
    return Guess(row["name"], {k: v for k, v in where.items() if k not in experiment.fixed}, choices)


def _shared(alternatives: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the settings that all of several alternatives have in common."""
    if len(alternatives) < 2:
        return {}
    first, *others = alternatives
    return {k: v for k, v in first.items() if all(k in other and other[k] == v for other in others)}


def _played(seed: int, guesses: list[Guess]) -> list[tuple[str, dict[str, Any], str]]:
    """Return (variant, settings, the variant that it is compared with or "") in the order of play."""
    together: dict[str, Any] = {}
    for guess in guesses:
        together |= {key: value for key, value in guess.where.items() if key not in together}
    settings_of_bases = [guess.where for guess in guesses] + ([together] if len(guesses) > 1 else [])
    bases = {_base(where): where for where in [{}, *settings_of_bases]}
    played = [(name, where, "") for name, where in bases.items()]
    played += [(name, settings, _base(guess.where)) for guess in guesses for name, settings in guess.choices]
    return played + [(name, settings, _base(together)) for name, settings in _mixes(seed, guesses, together)]


def _base(where: Mapping[str, Any]) -> str:
    """Name the variant in which all guesses are as they are."""
    words = " and ".join(f"{key} = {value}" for key, value in where.items())
    return f"{AS_THEY_ARE} ({words})" if words else AS_THEY_ARE


def _mixes(seed: int, guesses: list[Guess], together: Mapping[str, Any]) -> list[Choice]:
    """Draw every stand-in, keyed by the seed; of two that set the same thing the first one has it."""
    mixes: list[Choice] = []
    if len(guesses) < 2:
        return mixes
    for number in range(1, MIXES + 1):
        mix = dict(together)
        for guess in guesses:
            pick = _draw(f"{seed}/stand-in/{number}/{guess.name}", len(guess.choices) + 1)
            settings: Mapping[str, Any] = guess.choices[pick - 1][1] if pick else {}
            if not any(key in mix and mix[key] != value for key, value in settings.items()):
                mix.update(settings)
        if mix != together and mix not in [settings for _, settings in mixes]:
            mixes.append((f"{ALL_DRAWN} {number}", mix))
    return mixes


def _draw(key: str, below: int) -> int:
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "big") % below
