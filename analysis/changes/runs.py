"""Two runs set against each other: one primary question, and guards that nothing else moved. (V1, V2)

The primary question is tested by itself at 5 %; the guards are one family (Holm). A difference is taken deal by deal
where both runs were played on the same deals. Nothing is called a difference because it is the largest of many.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import stats
from analysis.bans_and_drafts.ban_effects import Arms
from analysis.changes.contrasts import effects
from analysis.data.errors import Refusal, nearest
from analysis.data.frames import Games, floats, tidy
from analysis.data.measures import ENDER, FIRST, SHARED, STOPPED
from analysis.data.pooling import RUN, pool
from analysis.data.questions import level_text, told
from analysis.data.uneven import evened

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

PRIMARY = "seat gap"
DIFFERS, SAME, UNDECIDED = "differs", "the same", "undecided"
SHARE_MEASURES = (SHARED, STOPPED, ENDER, FIRST, "seat gap")
GUARD = 0.05
"""Of a mean that is no share: changes within this part of its size are as good as none."""
POWER = 0.8


def compare_runs(a: Dataset, b: Dataset, primary: str = PRIMARY) -> pl.DataFrame:
    """What `b` changes against `a`.

    Parameters
    ----------
    a, b : Dataset
        Runs of one game; at their strongest tiers.
    primary : str
        The measure that the comparison is about: ``seat gap`` (how far a seat typically is from fair), ``first seat``,
        ``turns``, ``minutes``, ``shared``, ..., or ``piece.NAME``.

    Returns
    -------
    polars.DataFrame
        ``role`` (``primary`` or ``guard``), ``measure, piece, players, sides, before`` (in `a`), ``after, estimate``
        (after less before), ``low, high`` (95 %), ``p, p_corrected, margin, p_same, verdict`` (``differs``, ``the
        same``: shown to be smaller than the margin, ``undecided``), ``more_games`` (a run, that would settle it at
        80 % if it is as it looks), ``games, deals, paired, method, note``; the primary question first.
    """
    import polars as pl

    both, left_out = _alike(pool([_plain(a), _plain(b)], apart=True))
    names = both.manifest["pooled"]["runs"]
    run = dict(zip(both.cells["cell"].to_list(), both.cells[RUN].to_list(), strict=True))

    def arms(games: Games) -> Iterator[Arms]:
        of = np.array([run[cell] for cell in games.frame["cell"].to_list()])
        old, new = (np.flatnonzero(of == name) for name in names)
        yield Arms(names[1], frozenset(), old, new, "paired")

    rows = [_row(row, both) for row in effects(both, arms) if row["p"] is not None]
    keys = [_key(row) for row in rows]
    if primary not in keys:
        raise Refusal(
            f"compare: nothing called '{primary}' is in both{nearest(primary, keys)} ({_listed(keys)})"
        )
    for row, key in zip(rows, keys, strict=True):
        row["role"] = "primary" if key == primary else "guard"
    judged = [_judged([row for row in rows if row["role"] == role]) for role in ("primary", "guard")]
    shared = int(both.manifest["pooled"]["shared_deals"])
    for row in (rows := [row for part in judged for row in part]):
        row["paired"] = shared > 1
        row["note"] = "; ".join(part for part in (row["note"], left_out) if part)
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    head = ["role", "measure", "piece", "players", "sides", "before", "after", "estimate", "low", "high", "p"]
    tail = [
        "p_corrected",
        "margin",
        "p_same",
        "verdict",
        "more_games",
        "games",
        "deals",
        "paired",
        "method",
        "note",
    ]
    return tidy(frame, [*head, *tail]).select([*head, *tail])


def _plain(d: Dataset) -> Dataset:
    return evened((d.at_tier() if len(d.tiers) > 1 else d).plain_play())


def _alike(both: Dataset) -> tuple[Dataset, str]:
    """The cells of settings that both runs have; and what is left out, in words."""
    import polars as pl

    names = [n for n in told(both.manifest, both.cells) if n not in (RUN, "players", "tier", "variant")]
    keys: dict[str, set[tuple[str, ...]]] = {}
    cells = {}
    for row in both.cells.iter_rows(named=True):
        key = tuple(level_text(row[n]) for n in names)
        keys.setdefault(row[RUN], set()).add(key)
        cells[row["cell"]] = key
    first, second = keys.values()
    if len(first) == len(second) == 1:
        return both, ""  # one setting each: what tells them apart is what is compared
    common = first & second
    if not common:
        raise Refusal(f"{both.name}: no setting of {', '.join(names)} was played in both")
    if not (first ^ second):
        return both, ""
    kept = [cell for cell, key in cells.items() if key in common]
    gone = ", ".join(" ".join(key) for key in sorted(first ^ second))
    return both.with_cells(both.cells.filter(pl.col("cell").is_in(kept))), f"only in one of them: {gone}"


def _key(row: dict[str, Any]) -> str:
    return f"piece.{row['piece']}" if row["measure"] == "piece" else str(row["measure"])


def _listed(keys: list[str]) -> str:
    return ", ".join(dict.fromkeys(keys))


def _row(row: dict[str, Any], d: Dataset) -> dict[str, Any]:
    before, after = row.get("without"), row.get("with")
    if row["measure"] in SHARE_MEASURES:
        margin = d.judge.seat
    elif row["measure"] == "piece":
        margin = d.judge.piece
    else:
        margin = GUARD * abs(before or 0.0)
    kept = (
        "measure",
        "piece",
        "players",
        "sides",
        "estimate",
        "low",
        "high",
        "p",
        "blocks",
        "games",
        "deals",
    )
    out = {name: row[name] for name in (*kept, "method", "note")}
    return {**out, "before": before, "after": after, "margin": margin}


def _judged(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give the rows of one family their verdicts."""
    import polars as pl
    from scipy.special import ndtri

    if not rows:
        return []
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    value, low, high, p, blocks, margin = (
        floats(frame, name) for name in ("estimate", "low", "high", "p", "blocks", "margin")
    )
    t = np.array([stats.quantile(max(b - 1.0, 0.0)) for b in blocks])
    found = stats.effects(value, (high - low) / (2 * t), blocks, np.maximum(np.abs(value), margin))
    enough = found.enough & np.isfinite(value)
    corrected = _holm(p, enough)
    p_same = np.full(len(rows), np.nan)
    has = enough & (margin > 0) & np.isfinite(found.se)
    p_same[has] = found[has].p_within(-margin[has], margin[has])
    same = np.full(len(rows), np.nan)
    same[has] = stats.hochberg(p_same[has])
    for i, row in enumerate(rows):
        clear = bool(enough[i]) and corrected[i] < stats.ALPHA
        row["verdict"] = DIFFERS if clear else SAME if same[i] < stats.ALPHA else UNDECIDED
        row |= {"p_corrected": corrected[i], "p_same": p_same[i], "more_games": None}
        if row["verdict"] == UNDECIDED and enough[i] and found.se[i] > 0:
            tests = max(float(enough.sum()), 1.0)
            apart = (ndtri(POWER) - ndtri(stats.ALPHA / tests / 2)) * found.se[i] / max(abs(value[i]), 1e-12)
            room = margin[i] - abs(value[i])
            alike = (ndtri(POWER) - ndtri(stats.ALPHA)) * found.se[i] / room if room > 0 else np.inf
            more = row["games"] / 2 * (min(apart, alike) ** 2 - 1)
            row["more_games"] = round(more) if 0 < more < 1e9 else None
    return rows


def _holm(p: np.ndarray, known: np.ndarray) -> np.ndarray:
    """p values corrected step by step (Holm 1979): the chance of any false one is at most that of each."""
    out = np.full(len(p), np.nan)
    at = np.flatnonzero(known & np.isfinite(p))
    order = at[np.argsort(p[at])]
    steps = p[order] * np.arange(len(order), 0, -1)
    out[order] = np.minimum(1.0, np.maximum.accumulate(steps)) if len(order) else []
    return out
