"""`--over stand-ins`: the same experiment under each alternative to what the rulebook leaves out.

Every alternative becomes a variant (one at a time), and a few variants draw all of them at random. What the
experiment sets itself is left alone: an alternative that touches it is left out and said.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sim.batch.experiment import Experiment
from sim.batch.sections import flatten
from sim.core.errors import Refusal

AS_THEY_ARE = "guesses as they are"
MIXES = 6
"""Variants in which every stand-in is drawn from its default and its alternatives."""

Choice = tuple[str, dict[str, Any]]


def over_stand_ins(experiment: Experiment) -> tuple[Experiment, list[str]]:
    """Return the experiment with one variant for each alternative, and what was left out, in words.

    Raises
    ------
    Refusal
        The game has no stand-ins with alternatives that the experiment leaves open.
    """
    from sim.batch.engine import get_game

    taken = {
        *experiment.fixed,
        *experiment.vary,
        *(key for _, bundle in experiment.variants for key in bundle),
    }
    open_ones: list[tuple[str, list[Choice]]] = []
    left_out = []
    for row in get_game(experiment.game).stand_ins():
        choices: list[Choice] = []
        for number, settings in enumerate(map(flatten, row.get("alternatives", ())), start=1):
            name = f"{row['name']} {number}"
            clash = sorted(taken & set(settings))
            if clash:
                left_out.append(f"{name}: the experiment sets '{clash[0]}' itself")
            else:
                choices.append((name, settings))
        if choices:
            open_ones.append((row["name"], choices))
    if not open_ones:
        raise Refusal(
            "--over stand-ins: there is no stand-in with an alternative that the experiment leaves open"
        )
    guesses: list[Choice] = [(AS_THEY_ARE, {})]
    guesses += [choice for _, choices in open_ones for choice in choices]
    guesses += _mixes(experiment.seed, open_ones)
    variants = [
        (f"{name}, {guess}" if name else guess, {**bundle, **settings})
        for name, bundle in experiment.variants or (("", {}),)
        for guess, settings in guesses
    ]
    names = tuple(name for name, _ in open_ones)
    return replace(experiment, variants=tuple(variants), over=names), left_out


def _mixes(seed: int, open_ones: list[tuple[str, list[Choice]]]) -> list[Choice]:
    """Draw every stand-in, keyed by the seed; of two that set the same thing the first one has it."""
    mixes: list[Choice] = []
    if len(open_ones) < 2:
        return mixes
    for number in range(1, MIXES + 1):
        mix: dict[str, Any] = {}
        for name, choices in open_ones:
            pick = _draw(f"{seed}/stand-in/{number}/{name}", len(choices) + 1)
            settings: Mapping[str, Any] = choices[pick - 1][1] if pick else {}
            if not any(key in mix and mix[key] != value for key, value in settings.items()):
                mix.update(settings)
        if mix and mix not in [settings for _, settings in mixes]:
            mixes.append((f"all drawn {number}", mix))
    return mixes


def _draw(key: str, below: int) -> int:
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "big") % below
