"""How often is a game won from behind?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import read_games, tidy
from analysis.pace.leads import read_leads

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset


def comeback_rate(d: Dataset, at: float = 0.5) -> pl.DataFrame:
    """Share of games that are won by who was behind when the share `at` of the turns was over.

    Parameters
    ----------
    at : float
        Between 0 and 1: 0.5 is the middle of the game.

    Returns
    -------
    polars.DataFrame
        ``players, sides, at, estimate, low, high, games, deals, blocks, method, note``; shared wins count in part.
        Refused where no turns were logged (log = "turns").
    """
    import polars as pl

    if not 0 <= at <= 1:
        raise Refusal(
            f"comeback_rate: at = {at:g} should lie between 0 and 1 (0.5 is the middle of the game)"
        )
    leads = read_leads(d)
    games = read_games(d)
    behind = leads.behind(at) > 0
    lost = games.in_game(games.win_share * behind / games.of_sides(np.ones(len(games.seat))))
    rows: list[dict[str, Any]] = []
    for labels, every in games.groups(split_players=True):
        members = every[leads.known[every]]
        if len(members) == 0:
            continue
        mean, cov = stats.block_means(lost[members][:, None], games.blocks[members])
        low, high = stats.shares(mean, cov[0], games.blocks[members]).interval()
        row = {"at": at, "estimate": mean[0], "low": low[0], "high": high[0]}
        rows.append({**labels, **row, **games.average(members, "share of wins from behind")})
    if not rows:
        raise Refusal(f"{d.name}: no game has scores turn by turn")
    return tidy(
        pl.DataFrame(rows, infer_schema_length=None), ["players", "sides", "at", "estimate", "low", "high"]
    )
