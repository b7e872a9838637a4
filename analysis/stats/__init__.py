"""Small statistical functions over arrays; nothing here knows of data sets or games.

`blocks` holds means and covariances that respect blocks (deals, repeated lines of play), `intervals` holds
intervals, equivalence tests and corrections for many comparisons, `logit` the conditional logit of who won,
`linear` least squares, and `shrink` the empirical-Bayes shrinkage.
"""

from __future__ import annotations

from analysis.stats.blocks import Blocks, block_means, covariance, effective_number, make_blocks
from analysis.stats.intervals import (
    bh,
    interval,
    joint_quantile,
    quantile,
    score_equivalence,
    score_test,
    share_interval,
    tost,
    two_sided,
    verdict,
    wald,
    wilson,
)
from analysis.stats.linear import LinearFit, against_rest, linear
from analysis.stats.logit import LogitFit, conditional_logit
from analysis.stats.shrink import Shrunk, empirical_bayes

__all__ = [
    "Blocks",
    "LinearFit",
    "LogitFit",
    "Shrunk",
    "against_rest",
    "bh",
    "block_means",
    "conditional_logit",
    "covariance",
    "effective_number",
    "empirical_bayes",
    "interval",
    "joint_quantile",
    "linear",
    "make_blocks",
    "quantile",
    "score_equivalence",
    "score_test",
    "share_interval",
    "tost",
    "two_sided",
    "verdict",
    "wald",
    "wilson",
]
