"""When is a piece worth having? (P3)"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import floats, read_games, tidy

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

FEWEST_GAMES = 30  # with fewer games on either side nothing is said
PARTS = 5  # spans of turns in which as many first copies came into play, at most


def value_by_turn(d: Dataset) -> pl.DataFrame:
    """Win share of seats whose first copy of a piece came at this time, against those that had none yet.

    Returns
    -------
    polars.DataFrame
        ``piece, turn_from, turn_to, estimate, low, high`` (win share less fair share of seats whose first copy was
        played in these turns, less that of the seats of games still going on that had none before or in them), ``par``
        (win share over fair share of the former), ``seats, waiting`` (seats on either side), ``games, deals, blocks,
        method, note``.

    Notes
    -----
    The comparison is with the risk set: seats that could still have played it. Set against *all* seats without it, an
    early piece would look better merely because short games leave less time (CouncilRoom's curve has that flaw). It
    goes with winning, and is no cause: who is ahead may afford it.
    """
    import polars as pl

    have = d.pieces.collect_schema().names()
    if "first_turn" not in have:
        raise Refusal(f"{d.name}: when a piece was first played was not logged")
    games = read_games(d, extra=["turns"])
    names = d.piece_names
    first = games.piece_counts("first_turn", names)
    # No row and no value are 0; turns are counted from 1, and 0 is a piece that was there before the first turn.
    played = games.played(names)
    if played is None:
        raise Refusal(f"{d.name}: no piece was played")
    used = played > 0
    length = floats(games.frame, "turns")[games.game]
    above = games.win_share - games.fair
    rows: list[dict[str, Any]] = []
    for k, name in enumerate(names):
        when = np.where(used[:, k], first[:, k].astype(np.float64), np.inf)
        known = when[np.isfinite(when)]
        if len(known) == 0:
            continue
        edges = np.unique(np.quantile(known, np.linspace(0, 1, PARTS + 1), method="inverted_cdf"))
        spans = (
            zip(edges[:-1] + (np.arange(len(edges) - 1) > 0), edges[1:], strict=True)
            if len(edges) > 1
            else []
        )
        for start, end in spans or [(edges[0], edges[0])]:
            now = (when >= start) & (when <= end)
            waiting = (when > end) & (length >= end)
            yes, no = games.in_game(now), games.in_game(waiting)
            if min(np.count_nonzero(yes), np.count_nonzero(no)) < FEWEST_GAMES:
                continue
            value, influence = 0.0, np.zeros(len(games))
            for flags, n, sign in ((now, yes, 1), (waiting, no, -1)):
                mean = float(above[flags].mean())
                value += sign * mean
                influence += sign * (games.in_game(np.where(flags, above, 0.0)) - mean * n) / n.sum()
            members = np.flatnonzero((yes > 0) | (no > 0))
            blocks = games.blocks[members]
            se = float(np.sqrt(stats.covariance(influence[members][:, None], blocks)[0, 0]))
            low, high = stats.effects(value, se, blocks.number).interval()
            fair = games.fair[now]
            row = {"piece": name, "turn_from": int(start), "turn_to": int(end), "estimate": value}
            row |= {"low": low[0], "high": high[0], "par": float(games.win_share[now].sum() / fair.sum())}
            row |= {"seats": int(now.sum()), "waiting": int(waiting.sum())}
            rows.append({**row, **games.average(members, "first copy now against none yet; no cause")})
    if not rows:
        raise Refusal(f"{d.name}: no piece was first played in enough games")
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    return tidy(
        frame, ["piece", "turn_from", "turn_to", "estimate", "low", "high", "par", "seats", "waiting"]
    )
