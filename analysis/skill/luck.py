"""How much of winning is skill, how much luck? (S3, in short: where bots of different skill meet)

Two bots that meet as opponents: how often does the better one finish ahead? A game that is all luck gives a
half, a game that is all skill gives 1. ``luck`` says the same as a share: the games that fall as a fair coin
would, if the better one won all others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.data.errors import Refusal
from analysis.data.frames import tidy
from analysis.skill.pairings import matchups

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset


def luck_and_skill(d: Dataset) -> pl.DataFrame:
    """How often the better of two bots finishes ahead of the other.

    Returns
    -------
    polars.DataFrame
        ``better, worse, estimate, low, high`` (share of pairings that `better` wins, ties a half), ``luck,
        luck_low, luck_high`` (``2 (1 - estimate)``: share of pairings that fall like a coin), ``p, q, clear``
        (which of the two is better is beyond chance), ``games, deals, blocks, method, note``.
    """
    import polars as pl

    bots = (d.manifest.get("categories") or {}).get("bot") or d.manifest.get("bots_used") or []
    if len(set(bots)) < 2:
        raise Refusal(f"{d.name}: one kind of bot played, so skill was the same everywhere")
    frame = matchups(d, of="bot").filter(~pl.col("mirror"))
    rows: list[dict[str, Any]] = []
    for row in frame.iter_rows(named=True):
        ahead = row["estimate"] > 0.5 or (row["estimate"] == 0.5 and row["row"] < row["column"])
        if not ahead:
            continue
        low, high = row["low"], row["high"]
        head = {"better": row["row"], "worse": row["column"]}
        head |= {name: row[name] for name in ("estimate", "low", "high")}
        luck = {"luck": 2 * (1 - row["estimate"])}
        luck |= {
            "luck_low": None if high is None else 2 * (1 - high),
            "luck_high": None if low is None else min(2 * (1 - low), 1.0),
        }
        tail = {name: row[name] for name in ("p", "q", "games", "deals", "blocks", "method", "note")}
        rows.append({**head, **luck, "clear": row["q"] is not None and row["q"] < 0.05, **tail})
    if not rows:
        raise Refusal(f"{d.name}: bots of different kinds never met as opponents")
    found = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    head_names = ["better", "worse", "estimate", "low", "high", "luck", "luck_low", "luck_high"]
    return tidy(found.sort("estimate", "better", descending=[True, False]), head_names)
