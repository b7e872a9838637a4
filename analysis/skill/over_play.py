"""Does a verdict hold when play gets better? What is found of seats and pieces, tier of play by tier. (F2, X3)

A balance number is worth as much as the play behind it. Where an experiment was played at several tiers on the same
deals, the difference between two tiers is tested itself (labels differ by luck), deal by deal, so that what the deals
share falls out. The badge is measured on the step between the two strongest tiers: the same within the margin, and it
holds; beyond chance, and it is still moving; neither, and more games of the dear tier would tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.changes.dependence import depends_on
from analysis.data.frames import tidy
from analysis.skill.tiers import several_tiers

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

HOLDS, MOVING, OPEN = "holds over play", "still moving", "open over play"
BADGES = (HOLDS, MOVING, OPEN)
"""What the measured badge may say."""


def over_play(d: Dataset) -> pl.DataFrame:
    """How the win share of each seat and the strength of each piece move from tier to tier of play.

    Returns
    -------
    polars.DataFrame
        ``what`` (``seat`` or ``piece``), ``about`` (which), ``players, sides``; ``tier, below`` (the strongest tier and
        the next one), ``estimate`` (at `tier`, less `below`), ``low, high, q``, ``badge`` (of `BADGES`);
        ``first, at_first, at_below, at_last`` (the weakest tier, and the effects at these tiers: the gap to the fair
        share of a seat, win share a copy of a piece), ``way`` (from the weakest tier to the strongest: ``holds``,
        ``fades``, ``grows``, ``turns``, or null where no difference was shown), ``way_q``, ``games, deals, blocks,
        method, note``. All differences of one step are corrected together.

    Raises
    ------
    Refusal
        A data set without tiers of play.
    """
    import polars as pl

    whole = d.all_tiers
    tiers = several_tiers(d, "to see whether verdicts hold over play")
    last = _step(whole, tiers[-2], tiers[-1])
    far = last if len(tiers) == 2 else _step(whole, tiers[0], tiers[-1])
    start = {_key(row): row for row in far.iter_rows(named=True)}
    rows: list[dict[str, Any]] = []
    for row in last.iter_rows(named=True):
        fair = 1 / row["sides"] if row["what"] == "seat" else 0.0
        from_first = start.get(_key(row), {})
        at_first = from_first.get("without")
        rows.append(
            {
                **{name: row[name] for name in ("what", "about", "players", "sides")},
                "tier": tiers[-1],
                "below": tiers[-2],
                **{name: row[name] for name in ("estimate", "low", "high", "q")},
                "badge": HOLDS if row["same"] else MOVING if row["depends"] else OPEN,
                "first": tiers[0],
                "at_first": None if at_first is None else at_first - fair,
                "at_below": row["without"] - fair,
                "at_last": row["with"] - fair,
                "way": _way(from_first, fair),
                "way_q": from_first.get("q"),
                **{name: row[name] for name in ("games", "deals", "blocks", "method", "note")},
            }
        )
    frame = pl.DataFrame(rows, infer_schema_length=None)
    return tidy(
        frame, ["what", "about", "players", "sides", "tier", "below", "estimate", "low", "high", "q", "badge"]
    )


def _key(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("what", "about", "players", "sides"))


def _step(whole: Dataset, weaker: str, stronger: str) -> pl.DataFrame:
    """Differences between two tiers: that of the stronger less that of the weaker."""
    return depends_on(whole.filter(tier=[weaker, stronger]), "tier")


def _way(row: dict[str, Any], fair: float) -> str | None:
    """How an effect moves between two tiers: by a tested difference, not by two labels."""
    if not row:
        return None
    if row["same"]:
        return "holds"
    if not row["depends"]:
        return None
    old, new = row["without"] - fair, row["with"] - fair
    # Just beyond zero is faded: the other sign is told only where it is beyond what chance moves the difference by.
    if old * new < 0 and abs(new) > (row["high"] - row["low"]) / 2:
        return "turns"
    return "fades" if abs(new) < abs(old) else "grows"
