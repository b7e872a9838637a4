"""Small statistical functions over arrays; nothing here knows of data sets or games.

`blocks`: means and covariances that respect blocks (deals, repeated lines of play). `estimates`: an estimate with
the one interval that belongs to it. `verdicts`: the one rule of the verdicts, corrected over a family.
`corrections`: many p values at once. `logit`: the conditional logit of who won. `linear`: least squares.
`shrink`: empirical-Bayes shrinkage. `sums`: means and errors of games that are added up part by part.

Promised: shares stay inside 0 and 1; no interval is without width; with independent games the test of a share is
the exact one; of all verdicts in one table, any is false in at most about 5 % of data sets.
"""

from __future__ import annotations

from analysis.stats.blocks import (
    Blocks,
    block_means,
    covariance,
    different,
    effective_number,
    make_blocks,
)
from analysis.stats.corrections import ALPHA, bh, hochberg, pearson, wald
from analysis.stats.estimates import Estimates, effects, join, quantile, shares
from analysis.stats.linear import LinearFit, against_rest, linear
from analysis.stats.logit import LogitFit, conditional_logit
from analysis.stats.shrink import Shrunk, empirical_bayes
from analysis.stats.sums import Sums
from analysis.stats.verdicts import DUEL, FAVOUR, STRENGTH, Verdicts, free_tests, judge, together

__all__ = [
    "ALPHA",
    "DUEL",
    "FAVOUR",
    "STRENGTH",
    "Blocks",
    "Estimates",
    "LinearFit",
    "LogitFit",
    "Shrunk",
    "Sums",
    "Verdicts",
    "against_rest",
    "bh",
    "block_means",
    "conditional_logit",
    "covariance",
    "different",
    "effective_number",
    "effects",
    "empirical_bayes",
    "free_tests",
    "hochberg",
    "join",
    "judge",
    "linear",
    "make_blocks",
    "pearson",
    "quantile",
    "shares",
    "together",
    "wald",
]
