"""Do the verdicts hold under other guesses at what the rulebook leaves out?

A run ``--over stand-ins`` plays the experiment once as it is and once for each alternative, one at a time and
all drawn at random, as variants whose names say which. A verdict is said to depend on a guess only where
another verdict was *shown* under it: "undecided" may be the number of games.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from analysis import stats
from analysis.changes.dependence import differences
from analysis.data.errors import Refusal
from analysis.data.frames import tidy
from analysis.data.questions import AS_THEY_ARE
from analysis.fairness.seats import seat_tests
from analysis.pieces.strength import piece_strength
from analysis.stats import ALPHA
from analysis.stats.verdicts import NO_VERDICT, UNDECIDED

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

MIXED = re.compile(r"all (guesses )?drawn( \d+)?$")
NOT_SHOWN = set(NO_VERDICT)
NUMBER = re.compile(r" \d+$")


@dataclass(frozen=True)
class Change:
    """How far an estimate moves under a guess, and whether that is beyond chance."""

    estimate: float
    low: float
    high: float
    p: float
    clear: bool = False

    @property
    def text(self) -> str:
        """In points: "-7.1, -9.0 to -5.2"."""
        value, low, high = (f"{100 * x:+.1f}".replace("-", "−") for x in (self.estimate, self.low, self.high))
        return f"{value}, {low} to {high}"


def under_stand_ins(d: Dataset) -> pl.DataFrame:
    """How each main verdict fares under the alternatives to the game's stand-ins.

    Returns
    -------
    polars.DataFrame
        ``what, about, players, sides, variant, verdict, estimate, guesses, same, open, depends, change,
        change_low, change_high, says``. One row a
        verdict on seats (``about`` null) or on a piece, and a variant of the experiment (null: it has none of
        its own). ``verdict`` and ``estimate`` are those under the guesses as they are; of the `guesses`
        tried, `same` gave the same verdict and `open` none that differs from it beyond chance; ``depends``
        names the stand-ins under which another verdict was shown and the estimate differs beyond chance, by
        ``change`` (the largest; of a seat, or win share a copy); ``says`` is the sentence: "holds under all 12
        guesses", "depends on set_counts (by ...)", ...
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
    changes = _changes(d, heads, owners)
    rows = [
        {**head, **_judge(mine, change, names, base)}
        for head, mine, change, base in zip(heads, families, changes, owners)
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
    seats: dict[tuple[int, int], dict[str, dict[str, Any]]] = {}
    pieces: dict[str, dict[str, dict[str, Any]]] = {}
    for variant in dict.fromkeys(d.cells["variant"].to_list()):
        # Each variant is judged by itself, as it is where nothing else is played.
        part = d.filter(variant=variant)
        try:
            for row in seat_tests(part).iter_rows(named=True):
                seats.setdefault((row["players"], row["sides"]), {})[str(variant)] = row
            for row in piece_strength(part).iter_rows(named=True):
                pieces.setdefault(str(row["piece"]), {})[str(variant)] = row
        except Refusal:
            continue
    for table, rows in sorted(seats.items()):
        yield "seats", None, table, rows
    for piece in [name for name in d.piece_names if name in pieces] if pieces else []:
        yield "piece", piece, None, pieces[piece]


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
    found: dict[str, dict[str, Any]], changes: dict[str, Change], names: list[str], bases: dict[str, str]
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
        and guess in changes
        and changes[guess].clear
    ]
    depends = list(dict.fromkeys(_stand_in(guess, names) for guess in changed))
    same = sum(row["verdict"] == before[guess] for guess, row in others.items())
    open_ones = len(others) - same - len(changed)
    far = max((changes[guess] for guess in changed), key=lambda change: abs(change.estimate), default=None)
    if verdict in NOT_SHOWN:
        says = "is undecided" if verdict == UNDECIDED else f"is none: {verdict}"
    elif far is not None:
        says = f"depends on {_and(depends)} (by {far.text} points)"
    elif open_ones:
        says = f"holds under {same} of {len(others)} guesses, undecided under the others"
    else:
        says = f"holds under all {len(others)} guesses"
    head = {"verdict": verdict, "estimate": base["estimate"], "guesses": len(others), "same": same}
    size: dict[str, float | None] = {"change": None, "change_low": None, "change_high": None}
    if far is not None:
        size = {"change": far.estimate, "change_low": far.low, "change_high": far.high}
    return {**head, "open": open_ones, "depends": depends, **size, "says": says}


def _changes(
    d: Dataset, heads: list[dict[str, Any]], owners: list[dict[str, str]]
) -> list[dict[str, Change]]:
    """How each verdict's estimate differs between a guess and what it is compared with, deal by deal.

    ``clear`` is corrected for all verdicts and guesses (Hochberg).
    """
    pairs = dict.fromkeys(
        (_variant(head["variant"], base), _variant(head["variant"], guess))
        for head, bases in zip(heads, owners, strict=True)
        for guess, base in bases.items()
    )
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in differences(d, "variant", list(pairs)):
        key = (row["what"], row["players"], row["sides"], row["against"], row["level"])
        found[(*key, row["about"])] = row
    out: list[dict[str, Change]] = []
    for head, bases in zip(heads, owners, strict=True):
        mine: dict[str, Change] = {}
        for guess, base in bases.items():
            ends = _variant(head["variant"], base), _variant(head["variant"], guess)
            if head["what"] == "piece":
                rows = [found.get(("piece", None, None, *ends, head["about"]))]
            else:
                at = ("seat", head["players"], head["sides"], *ends)
                rows = [row for key, row in found.items() if key[:-1] == at]
            known = [row for row in rows if row is not None]
            if known:
                far = max(known, key=lambda row: abs(row["estimate"]))
                mine[guess] = Change(far["estimate"], far["low"], far["high"], far["p"])
        out.append(mine)
    p = [change.p for mine in out for change in mine.values()]
    q = iter(stats.hochberg([1.0 if math.isnan(one) else one for one in p]))
    return [{guess: replace(change, clear=next(q) < ALPHA) for guess, change in mine.items()} for mine in out]


def _variant(own: str | None, guess: str) -> str:
    return f"{own}, {guess}" if own else guess


def _stand_in(guess: str, names: list[str]) -> str:
    if MIXED.match(guess):
        return "all guesses together"
    plain = NUMBER.sub("", guess)
    return plain if plain in names or not names else guess


def _and(names: list[str]) -> str:
    return ", ".join(names[:-1]) + (" and " if names[1:] else "") + names[-1]
