"""What the many games of weaker play tell of the few games of stronger play, on the deals that both played.

A deal that favours a seat among weak players may favour it among strong ones. Then the mean of the weak games on the
common deals, less their mean on all deals, tells by how much the common deals are out of the ordinary, and the
strong games are set right by it: a control variate, with the weight that the common deals call for (Lavenberg and
Welch, 1981). The estimate stays unbiased to within 1/deals; what it saves grows with the square of the correlation
between tiers, deal by deal: at most 1 / (1 - r^2) times the games.

On three of the games that come with it, this was measured to be little: a deal's mean win share of the first seat at
the strongest tier and at the one below correlate by .31 at best (search with 50 and 200 playouts, five games a deal:
5 to 10% of the games), and by -.06 to .18 from greedy to search: 3% of the games or less. So the report prints it
only where it is worth a tenth more games; the effects of pieces, in which weak play is mostly wrong, are left as they
are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.frames import Games, read_games
from analysis.skill.tiers import several_tiers
from analysis.stats.blocks import FEWEST_BLOCKS, block_sums

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]

HELPS = 1.1
"""From how many times the games on it is worth being told."""


def with_cheap_games(d: Dataset) -> pl.DataFrame:
    """Win shares of the seats at the strongest tier, set right by the games of the tier below on more deals.

    Returns
    -------
    polars.DataFrame
        ``players, sides, seat, tier, below, estimate, low, high`` (set right), ``plain, plain_low, plain_high`` (the
        strongest tier by itself), ``r`` (between the tiers' means of a deal), ``worth`` (games of the strongest tier
        that would tell as much by themselves), ``games, deals``. No row for tables at which deals have unlike numbers
        of games within a tier, or fewer deals in common than verdicts need.

    Raises
    ------
    Refusal
        A data set without tiers of play.
    """
    import polars as pl

    whole = d.all_tiers
    tiers = several_tiers(d, "and give the cheap one more games")
    weak, strong = (_by_deal(read_games(whole.filter(tier=tier))) for tier in tiers[-2:])
    rows: list[dict[str, Any]] = []
    for table in strong.keys() & weak.keys():
        (deals, dear, games), (many, cheap, _) = strong[table], weak[table]
        here = np.flatnonzero(np.isin(deals, many))
        if len(here) < FEWEST_BLOCKS or len(here) < len(deals) or len(many) <= len(deals):
            continue
        place = np.searchsorted(many, deals)
        for seat in range(dear.shape[1] if table[1] > 2 else 1):
            row = _set_right(dear[:, seat], cheap[:, seat], place)
            head = {
                "players": table[0],
                "sides": table[1],
                "seat": seat,
                "tier": tiers[-1],
                "below": tiers[-2],
            }
            rows.append({**head, **row, "games": games, "deals": len(deals)})
            rows[-1]["worth"] = row["worth"] * games
    schema = None if rows else {"seat": pl.Int64, "worth": pl.Float64, "games": pl.Int64}
    frame = pl.DataFrame(rows, schema=schema, infer_schema_length=None, nan_to_null=True)
    return frame.sort("players", "sides", "seat") if rows else frame


def _set_right(dear: Floats, cheap: Floats, place: NDArray[np.int64]) -> dict[str, Any]:
    """Estimate a mean of `dear` (common deals) with `cheap` (all deals, of which those at `place` are common)."""
    n, both = len(dear), cheap[place]
    spread = float(np.var(both, ddof=1))
    weight = float(np.cov(dear, both, ddof=1)[0, 1]) / spread if spread > 0 else 0.0
    plain, out = float(dear.mean()), float(both.mean() - cheap.mean())
    left = dear - plain - weight * (both - both.mean())  # what the cheap games do not tell
    influence = weight * (cheap - cheap.mean()) / len(cheap)
    influence[place] += left / n
    # One number was fitted to the common deals.
    variance = float(np.square(influence).sum()) * n / max(n - 2, 1)
    alone = float(np.var(dear, ddof=1)) / n
    value = plain - weight * out
    low, high = stats.effects([plain, value], np.sqrt([alone, variance]), [n, n - 1.0]).interval()
    far = alone > 0 and spread > 0
    return {
        "estimate": value,
        "low": low[1],
        "high": high[1],
        "plain": plain,
        "plain_low": low[0],
        "plain_high": high[0],
        "r": float(np.corrcoef(dear, both)[0, 1]) if far else 0.0,
        "worth": alone / variance if variance > 0 else 1.0,
    }


def _by_deal(games: Games) -> dict[tuple[int, int], tuple[NDArray[np.int64], Floats, int]]:
    """Mean win shares of the seats by deal, table by table: the deals in order, (deals, seats), games.

    Only of tables whose deals have one number of games each, for only then is the mean of the deals that of the games.
    """
    found = {}
    deal = games.frame["deal"].to_numpy()
    for table in sorted(set(zip(games.players.tolist(), games.sides.tolist()))):
        rows = np.flatnonzero((games.players == table[0]) & (games.sides == table[1]))
        names, at, counts = np.unique(deal[rows], return_inverse=True, return_counts=True)
        if counts.min() < counts.max():
            continue
        shares = games.pad(games.win_share, rows)
        found[table] = names, block_sums(shares, at.ravel()) / counts[0], len(rows)
    return found
