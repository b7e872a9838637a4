"""Who ends a game, and who gains by the tie-breaks? (F5, T6)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import floats, read_games, tidy
from analysis.data.measures import ENDER, Measures
from analysis.fairness.judging import judged

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

By = str | Sequence[str] | None
Floats = NDArray[np.float64]


def enders(d: Dataset, by: By = None) -> pl.DataFrame:
    """Does the player who ends the game win it?

    Returns
    -------
    polars.DataFrame
        ``by.., players, sides, fair, estimate, low, high, low_joint, high_joint, p, q, p_equivalence, verdict``
        (win share of the seat that made the last turn), ``first`` (share of games ended by Seat A), ``games``
        (ended by the rules, with a known ender), ``of_games, deals, blocks, method, note``. Ending is a choice:
        this goes with winning, and is no cause.
    """
    import polars as pl

    if "ended_by" not in d.games.collect_schema().names():
        raise Refusal(f"{d.name}: who ended a game was not logged")
    games = read_games(d, by)
    value = Measures(games).of(ENDER)
    who = floats(read_games(d, extra=["ended_by"]).frame, "ended_by")
    rows: list[dict[str, Any]] = []
    found: list[stats.Estimates] = []
    for labels, members in games.groups(split_players=True):
        known = members[np.isfinite(value[members])]
        if len(known) == 0:
            continue
        fair, blocks = 1.0 / int(games.sides[known[0]]), games.blocks[known]
        mean, cov = stats.block_means(value[known][:, None], blocks)
        found.append(stats.shares(fair + mean, cov[0], blocks))
        row = {"fair": fair, "first": float(np.mean(who[known] == 0)), "of_games": len(members)}
        behind = games.average(known, "mean win share of who ended the game", blocks)
        rows.append({**labels, **row, **behind})
    if not rows:
        raise Refusal(f"{d.name}: no game was ended by a player")
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    return judged(frame, found, d.judge.seat, [*games.by, "players", "sides"], instead=games.no_verdict)


def tie_breaks(d: Dataset, by: By = None) -> pl.DataFrame:
    """Who gains by the tie-breaks: wins as they fell against the same games with equal points shared (F5).

    Returns
    -------
    polars.DataFrame
        ``by.., players, sides, seat, estimate, low, high, p, q`` (change of the seat's win share by the
        tie-breaks), ``level`` (share of games in which several sides have the best points), ``broken`` (share
        of games that a tie-break decided), ``shared, games, deals, blocks, method, note``. Refused where wins
        do not go by points, or where no tie was ever broken.
    """
    import polars as pl

    if "score" not in d.seats.collect_schema().names():
        raise Refusal(f"{d.name}: no points were logged")
    games = read_games(d, by)
    points = games.of_sides(games.seat_values("score").astype(np.float64))
    best = points >= np.maximum.reduceat(points, games.first_row)[games.game] - 1e-6
    won, members_of = games.win_share > 0, games.of_sides(np.ones(len(points)))
    if bool((won & ~best).any()):
        raise Refusal(f"{d.name}: wins do not go by points here")
    level = np.rint(np.add.reduceat(best / members_of, games.first_row))
    shared = np.rint(np.add.reduceat(won / members_of, games.first_row))
    broken = level > shared
    if not broken.any():
        raise Refusal(f"{d.name}: no tie on points was broken")
    gain = games.win_share - best / level[games.game]
    rows: list[dict[str, Any]] = []
    for labels, members in games.groups(split_players=True):
        blocks = games.blocks[members]
        mean, cov = stats.block_means(games.pad(gain, members), blocks)
        found = stats.effects(mean, np.sqrt(np.diag(cov)), blocks.number)
        low, high = found.interval()
        p = found.p()
        shares = {
            "level": float(np.mean(level[members] > 1)),
            "broken": float(np.mean(broken[members])),
            "shared": float(np.mean(shared[members] > 1)),
        }
        behind = games.behind(members, "win share less that with equal points shared", blocks)
        for seat in range(int(games.players[members[0]])):
            row = {"estimate": found.value[seat], "low": low[seat], "high": high[seat], "p": p[seat]}
            rows.append({**labels, "seat": seat, **row, **shares, **behind})
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    frame = frame.with_columns(pl.Series("q", stats.bh(floats(frame, "p")), nan_to_null=True))
    head = ["players", "sides", "seat", "estimate", "low", "high", "p", "q", "level", "broken", "shared"]
    return tidy(frame, [*games.by, *head])
