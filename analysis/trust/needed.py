"""How many games does an answer take, with the errors that were measured? (X1)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import tidy
from analysis.fairness.seats import seat_balance
from analysis.pieces.strength import piece_strength
from analysis.stats.power import games_to_see, smallest_seen

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

EFFECTS = (0.05, 0.03, 0.02, 0.01)


def games_needed(d: Dataset, effects: Sequence[float] = EFFECTS) -> pl.DataFrame:
    """Games that the answers on seats and pieces take: so many more, and so many for effects of a size.

    Parameters
    ----------
    effects : list of float
        Distances in win share to plan for (0.02: two points).

    Returns
    -------
    polars.DataFrame
        One row a seat (by players and sides) and piece: ``what, about, players, sides, estimate, verdict, more_games``
        (about so many more settle it, in 80 % of cases and if it is as it seems; 0: settled), ``smallest_seen`` (the
        smallest distance from even that these games show in 80 % of cases, win share), ``ratio`` (variance of the
        estimate over that of as many independent games; of seats only), then ``games_0.05, ...``: games in all that
        show such a distance beyond chance in 80 % of cases, of this row by itself; ``games, deals, note``.
    """
    import polars as pl

    rows: list[dict[str, Any]] = []
    for row in seat_balance(d).iter_rows(named=True):
        rows.append(_row("seat", str(row["seat"]), row, row["fair"], effects))
    if d.manifest.get("lever") and d.has("pieces"):
        for row in piece_strength(d).iter_rows(named=True):
            rows.append(
                _row("piece", str(row["piece"]), {**row, "players": None, "sides": None}, 0.0, effects)
            )
    if not rows:
        raise Refusal(f"{d.name}: neither seats nor pieces are judged")
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    return tidy(frame, ["what", "about", "players", "sides", "estimate", "verdict", "more_games"])


def _row(
    what: str, about: str, row: dict[str, Any], middle: float, effects: Sequence[float]
) -> dict[str, Any]:
    known = row["low"] is not None and row["high"] is not None
    se = float("nan")
    if known:
        # The interval is t's or the binomial's; half its width over the quantile is the error that it rests on.
        se = (row["high"] - row["low"]) / (2 * stats.quantile(max(row["blocks"] - 1.0, 1.0)))
    n = row["games"]
    found = stats.effects(row["estimate"] if known else np.nan, se, row["blocks"])
    alone = middle * (1 - middle) / n
    out = {
        "what": what,
        "about": about,
        "players": row["players"],
        "sides": row["sides"],
        "estimate": row["estimate"],
        "verdict": row["verdict"],
        "more_games": row["more_games"],
        "smallest_seen": smallest_seen(found)[0],
        "ratio": se**2 / alone if what == "seat" and alone > 0 else None,
    }
    for size in effects:
        if what == "seat":
            wanted = float(games_to_see(size, middle, ratio=se**2 / alone)[0]) if known else float("nan")
        else:
            wanted = float(np.ceil(n * (smallest_seen(found)[0] / size) ** 2)) if known else float("nan")
        out[f"games_{size:g}"] = wanted
    return {**out, "games": n, "deals": row["deals"], "note": row["note"]}
