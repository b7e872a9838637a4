"""Do the verdicts hold under other guesses at what the rulebook leaves out?

A run ``--over stand-ins`` plays the experiment once as it is and once for each alternative, one at a time and
all drawn at random, as variants whose names say which. A verdict is said to depend on a guess only where
another verdict was *shown* under it: "undecided" may be the number of games.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import tidy
from analysis.fairness.seats import seat_tests
from analysis.pieces.strength import piece_strength
from analysis.stats import ALPHA
from analysis.stats.verdicts import NO_VERDICT, UNDECIDED

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

AS_THEY_ARE = "guesses as they are"  # the variant with nothing changed, as the run names it
MIXED = re.compile(r"all (guesses )?drawn( \d+)?$")
NOT_SHOWN = set(NO_VERDICT)
NUMBER = re.compile(r" \d+$")


def under_stand_ins(d: Dataset) -> pl.DataFrame:
    """How each main verdict fares under the alternatives to the game's stand-ins.

    Returns
    -------
    polars.DataFrame
        ``what, about, players, sides, variant, verdict, estimate, guesses, same, open, depends, says``. One row a
        verdict on seats (``about`` null) or on a piece, and a variant of the experiment (null: it has none of
        its own). ``verdict`` and ``estimate`` are those under the guesses as they are; of the `guesses`
        tried, `same` gave the same verdict and `open` none that differs from it beyond chance; ``depends``
        names the stand-ins under which another verdict was shown; ``says`` is the sentence: "holds under all
        12 guesses", "depends on set_counts", ...
    """
    import polars as pl

    if not d.manifest.get("stand_ins_run") or "variant" not in d.cells.columns:
        raise Refusal(f"{d.name}: it was not played over stand-ins (whimbrel run ... --over stand-ins)")
    names = [str(n) for n in d.manifest["stand_ins_run"].get("names") or []]
    bases = {str(k): str(v) for k, v in (d.manifest["stand_ins_run"].get("bases") or {}).items()}
    heads: list[dict[str, Any]] = []
    families: list[dict[str, dict[str, Any]]] = []
    for what, about, table, found in _verdicts(d):
        players, sides = table or (None, None)
        for own in dict.fromkeys(_split(v)[0] for v in found):
            mine = {guess: row for v, row in found.items() for o, guess in [_split(v)] if o == own}
            if AS_THEY_ARE in mine:
                heads.append(
                    {"what": what, "about": about, "players": players, "sides": sides, "variant": own}
                )
                families.append(mine)
    if not families:
        raise Refusal(f"{d.name}: no game was played under the guesses as they are")
    owners = [_bases_of(mine, head["variant"], bases) for head, mine in zip(heads, families)]
    apart = _apart(families, owners)
    rows = [
        {**head, **_judge(mine, clear, names, base)}
        for head, mine, clear, base in zip(heads, families, apart, owners)
    ]
    frame = pl.DataFrame(rows, infer_schema_length=None)
    frame = frame.with_columns(
        pl.col("about", "variant").cast(pl.String), pl.col("players", "sides").cast(pl.Int64)
    )
    return tidy(frame, ["what", "about", "players", "sides", "variant", "verdict", "estimate"])


def _verdicts(
    d: Dataset,
) -> Iterator[tuple[str, str | None, tuple[int, int] | None, dict[str, dict[str, Any]]]]:
    """Each verdict: what it is on, and its row under each variant."""
    tests = seat_tests(d, by="variant")
    for (n, sides), part in tests.group_by("players", "sides", maintain_order=True):
        table = (int(str(n)), int(str(sides)))
        yield "seats", None, table, {str(r["variant"]): r for r in part.iter_rows(named=True)}
    try:
        strength = piece_strength(d, by="variant")
    except Refusal:
        return
    for (piece,), part in strength.group_by("piece", maintain_order=True):
        yield "piece", str(piece), None, {str(r["variant"]): r for r in part.iter_rows(named=True)}


def _split(variant: str) -> tuple[str | None, str]:
    """The experiment's own variant (None: it has none) and the guess, of a variant named by the run."""
    own, comma, guess = variant.rpartition(", ")
    return (own, guess) if comma else (None, variant)


def _bases_of(found: dict[str, Any], own: str | None, bases: dict[str, str]) -> dict[str, str]:
    """What each guess is compared with: the guesses as they are, under the same setting where it needs one."""
    out = {}
    for guess in found:
        if guess.startswith(AS_THEY_ARE):
            continue
        base = bases.get(f"{own}, {guess}" if own else guess)
        name = _split(base)[1] if base else AS_THEY_ARE
        out[guess] = name if name in found else AS_THEY_ARE
    return out


def _judge(
    found: dict[str, dict[str, Any]], apart: set[str], names: list[str], bases: dict[str, str]
) -> dict[str, Any]:
    base = found[AS_THEY_ARE]
    verdict = str(base["verdict"])
    others = {guess: found[guess] for guess in bases}
    before = {guess: str(found[name]["verdict"]) for guess, name in bases.items()}
    changed = [
        guess
        for guess, row in others.items()
        if not NOT_SHOWN & {before[guess], str(row["verdict"])}
        and row["verdict"] != before[guess]
        and guess in apart
    ]
    depends = list(dict.fromkeys(_stand_in(guess, names) for guess in changed))
    same = sum(row["verdict"] == before[guess] for guess, row in others.items())
    open_ones = len(others) - same - len(changed)
    if verdict in NOT_SHOWN:
        says = "is undecided" if verdict == UNDECIDED else f"is none: {verdict}"
    elif depends:
        says = f"depends on {_and(depends)}"
    elif open_ones:
        says = f"holds under {same} of {len(others)} guesses, undecided under the others"
    else:
        says = f"holds under all {len(others)} guesses"
    head = {"verdict": verdict, "estimate": base["estimate"], "guesses": len(others), "same": same}
    return {**head, "open": open_ones, "depends": depends, "says": says}


def _apart(families: list[dict[str, dict[str, Any]]], owners: list[dict[str, str]]) -> list[set[str]]:
    """The guesses of each verdict whose estimate differs from that of what they are compared with, beyond chance.

    Corrected for all verdicts and guesses; the two are taken as independent, which shared deals make too
    careful.
    """
    found = [
        (k, guess, _p_of_change(mine[base], mine[guess]))
        for k, (mine, bases) in enumerate(zip(families, owners, strict=True))
        for guess, base in bases.items()
    ]
    clear = stats.bh([p for _, _, p in found]) < ALPHA
    out: list[set[str]] = [set() for _ in families]
    for (k, guess, _), here in zip(found, clear, strict=True):
        if here:
            out[k].add(guess)
    return out


def _p_of_change(one: dict[str, Any], other: dict[str, Any]) -> float:
    if None in (one["low"], one["high"], other["low"], other["high"]):
        return math.nan
    se = math.hypot(*((row["high"] - row["low"]) / (2 * 1.96) for row in (one, other)))
    return float(stats.effects(one["estimate"] - other["estimate"], se, np.inf).p()[0])


def _stand_in(guess: str, names: list[str]) -> str:
    if MIXED.match(guess):
        return "all guesses together"
    plain = NUMBER.sub("", guess)
    return plain if plain in names or not names else guess


def _and(names: list[str]) -> str:
    return ", ".join(names[:-1]) + (" and " if names[1:] else "") + names[-1]
