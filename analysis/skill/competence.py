"""How well do bots play where the truth is known? Their regret in endings that are solved exactly. (X3)

A rating says who beats whom; regret says how far a bot is from right, and with which pieces. One ending is one block:
what a bot chooses in it again and again tells of its luck, not of other endings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis import stats
from analysis.data.errors import Refusal, nearest

if TYPE_CHECKING:
    import polars as pl

NEEDED = ("bot", "ending", "piece", "best", "regret", "lead_lost")


def competence(choices: pl.DataFrame, by_piece: bool = False) -> pl.DataFrame:
    """Regret and the share of best choices of each bot.

    Parameters
    ----------
    choices : polars.DataFrame
        What bots chose, as `sim.exact.competence.choices` (or ``whimbrel competence --out``) gives it.
    by_piece : bool
        One row a bot and piece: over the endings in which the best choice uses the piece.

    Returns
    -------
    polars.DataFrame
        ``bot`` (and ``piece``), ``estimate, low, high`` (regret: the share of the win that is lost a decision, in these
        endings), ``best, best_low, best_high`` (share of choices that no other beats), ``lead_lost`` (points),
        ``endings``. In the order of the bots in `choices`; pieces by name.
    """
    import polars as pl

    missing = [name for name in NEEDED if name not in choices.columns]
    if missing:
        raise Refusal(
            f"no column '{missing[0]}'{nearest(missing[0], choices.columns)}: these are no choices in endings"
        )
    keys = ["bot", "piece"] if by_piece else ["bot"]
    rows = []
    for names, part in choices.drop_nulls(keys).group_by(keys, maintain_order=True):
        blocks = stats.make_blocks(part["ending"].to_numpy(), what="ending")
        values = part.select(pl.col("regret", "best").cast(pl.Float64)).to_numpy()
        mean, cov = stats.block_means(values, blocks)
        low, high = stats.shares(mean, cov.diagonal(), blocks).interval()
        rows.append(
            {
                **dict(zip(keys, names)),
                "estimate": mean[0],
                "low": low[0],
                "high": high[0],
                "best": mean[1],
                "best_low": low[1],
                "best_high": high[1],
                "lead_lost": part["lead_lost"].mean(),
                "endings": blocks.distinct,
            }
        )
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    return frame.sort("piece", maintain_order=True) if by_piece and rows else frame
