"""Do the verdicts hold under other guesses at what the rulebook leaves out?

A run ``--over stand-ins`` plays the experiment once as it is and once for each alternative, one at a time and
all drawn at random, as variants whose names say which. A verdict is said to depend on a guess only where
another verdict was *shown* under it: "undecided" may be the number of games.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from analysis.errors import Refusal
from analysis.fairness import seat_tests
from analysis.frames import tidy
from analysis.strength import piece_strength

if TYPE_CHECKING:
    import polars as pl

    from analysis.dataset import Dataset

AS_THEY_ARE = "guesses as they are"  # the variant with nothing changed, as the run names it
MIXED = re.compile(r"all drawn \d+$")
NUMBER = re.compile(r" \d+$")


def under_stand_ins(d: Dataset) -> pl.DataFrame:
    """How each main verdict fares under the alternatives to the game's stand-ins.

    Returns
    -------
    polars.DataFrame
        ``what, about, players, variant, verdict, estimate, guesses, same, open, depends, says``. One row a
        verdict on seats (``about`` null) or on a piece, and a variant of the experiment (null: it has none of
        its own). ``verdict`` and ``estimate`` are those under the guesses as they are; of the `guesses`
        tried, `same` gave the same verdict and `open` none; ``depends`` names the stand-ins under which
        another verdict was shown; ``says`` is the sentence: "holds under all 12 guesses", "depends on
        set_counts", ...
    """
    import polars as pl

    if not d.manifest.get("stand_ins_run") or "variant" not in d.cells.columns:
        raise Refusal(f"{d.name}: it was not played over stand-ins (whimbrel run ... --over stand-ins)")
    names = [str(n) for n in d.manifest["stand_ins_run"].get("names") or []]
    rows: list[dict[str, Any]] = []
    for what, about, players, found in _verdicts(d):
        for own in dict.fromkeys(_split(v)[0] for v in found):
            mine = {guess: row for v, row in found.items() for o, guess in [_split(v)] if o == own}
            if AS_THEY_ARE in mine:
                head = {"what": what, "about": about, "players": players, "variant": own}
                rows.append({**head, **_judge(mine, names)})
    if not rows:
        raise Refusal(f"{d.name}: no game was played under the guesses as they are")
    frame = pl.DataFrame(rows, infer_schema_length=None)
    frame = frame.with_columns(pl.col("about", "variant").cast(pl.String), pl.col("players").cast(pl.Int64))
    return tidy(frame, ["what", "about", "players", "variant", "verdict", "estimate"])


def _verdicts(d: Dataset) -> Iterator[tuple[str, str | None, int | None, dict[str, dict[str, Any]]]]:
    """Each verdict: what it is on, and its row under each variant."""
    tests = seat_tests(d, by="variant")
    for (n,), part in tests.group_by("players", maintain_order=True):
        yield "seats", None, int(str(n)), {str(r["variant"]): r for r in part.iter_rows(named=True)}
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


def _judge(found: dict[str, dict[str, Any]], names: list[str]) -> dict[str, Any]:
    base = found[AS_THEY_ARE]
    verdict = str(base["verdict"])
    others = {guess: str(row["verdict"]) for guess, row in found.items() if guess != AS_THEY_ARE}
    if verdict == "undecided":
        # Nothing was shown as things are; then a guess counts once it shows anything.
        changed = {guess: word for guess, word in others.items() if word != "undecided"}
    else:
        changed = {guess: word for guess, word in others.items() if word not in (verdict, "undecided")}
    depends = list(dict.fromkeys(_stand_in(guess, names) for guess in changed))
    same = sum(word == verdict for word in others.values())
    open_ones = sum(word == "undecided" for word in others.values())
    if verdict == "undecided":
        says = (
            f"decided only with other guesses at {_and(depends)}"
            if depends
            else "undecided under all guesses"
        )
    elif depends:
        says = f"depends on {_and(depends)}"
    elif open_ones:
        says = f"holds under {same} of {len(others)} guesses, undecided under the others"
    else:
        says = f"holds under all {len(others)} guesses"
    head = {"verdict": verdict, "estimate": base["estimate"], "guesses": len(others), "same": same}
    return {**head, "open": open_ones, "depends": depends, "says": says}


def _stand_in(guess: str, names: list[str]) -> str:
    if MIXED.match(guess):
        return "all guesses together"
    plain = NUMBER.sub("", guess)
    return plain if plain in names or not names else guess


def _and(names: list[str]) -> str:
    return ", ".join(names[:-1]) + (" and " if names[1:] else "") + names[-1]
