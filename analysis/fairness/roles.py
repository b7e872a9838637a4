"""Is it fair to whoever has the special role at the table, and over a whole series? (F7)

A role (column `founder` of ``seats``; the game's card has its name) is no seat: in some set-ups the two always go
together, and then no number of games can tell them apart, which is said.
A series is one block: its games share their players.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import Games, read_games
from analysis.fairness.judging import judged
from analysis.pieces.strength import seats_and_bots

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

By = str | Sequence[str] | None
Floats = NDArray[np.float64]

TIED = "{} always goes with the same seat or role here: the two cannot be told apart"


def role_effect(d: Dataset, by: By = None) -> pl.DataFrame:
    """Does who has the role win more than a fair share, and how much of it is the seat or the first turn?

    Returns
    -------
    polars.DataFrame
        ``by.., players, role, apart, fair, estimate, low, high, low_joint, high_joint, p, q, p_equivalence,
        verdict, games, deals, blocks, method, note``. ``role`` is the role's name or ``first turn``. ``apart``
        false: the plain mean win share of that role; true: what the role itself makes of a fair share, with seat,
        bot and the other role taken off (null where the games cannot tell them apart). Games without the role
        are left out.
    """
    import polars as pl

    have = d.games.collect_schema().names()
    games = read_games(d, by, [name for name in ("first_seat", "founder_seat") if name in have])
    seat = games.seat
    roles: dict[str, Any] = {}
    name = role_name(d)
    if "founder_seat" in have and games.frame["founder_seat"].null_count() < len(games):
        roles[name] = _role(games, "founder_seat")
    elif "founder" in d.seats.collect_schema().names():
        roles[name] = np.where(games.seat_values("founder").astype(bool), seat, -1)
        roles[name] = np.maximum.reduceat(roles[name], games.first_row)
    if name not in roles or (roles[name] < 0).all():
        raise Refusal(f"{d.name}: no game had a {name}")
    if "first_seat" in have and games.frame["first_seat"].null_count() < len(games):
        roles["first turn"] = _role(games, "first_seat")
    marks = np.stack([seat == np.repeat(held, games.players) for held in roles.values()], axis=1)
    flat = np.concatenate([marks.astype(np.int16), seats_and_bots(games)], axis=1)
    rows: list[dict[str, Any]] = []
    found: list[stats.Estimates] = []
    for labels, members in games.groups(split_players=True):
        kept = members[roles[name][members] >= 0]
        for row, one in _role_rows(games, list(roles), flat, kept) if len(kept) else ():
            rows.append({**labels, **row})
            found.append(one)
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    return judged(
        frame, found, d.judge.seat, [*games.by, "players", "role", "apart"], instead=games.no_verdict
    )


def role_name(d: Dataset) -> str:
    """What the special role at the table is called."""
    return str((d.card.get("words") or {}).get("role") or "lead seat")


def _role(games: Games, column: str) -> NDArray[np.int64]:
    return games.frame[column].fill_null(-1).to_numpy().astype(np.int64)


def _role_rows(
    games: Games, roles: list[str], flat: Any, rows: NDArray[np.int64]
) -> Iterator[tuple[dict[str, Any], stats.Estimates]]:
    fair = 1 / int(games.sides[rows[0]])
    (x, credit, mask), blocks = games.choices(flat, rows), games.blocks[rows]
    fit = stats.conditional_logit(x, credit, blocks, mask)
    for k, role in enumerate(roles):
        mean, cov = stats.block_means((x[:, :, k] * credit).sum(axis=1)[:, None], blocks)
        what = games.behind(rows, "mean win share")
        yield {"role": role, "apart": False, "fair": fair, **what}, stats.shares(mean, cov[0], blocks)
        c = np.zeros((1, flat.shape[1]))
        c[0, k] = 1.0
        what = games.behind(rows, "conditional logit on the roles, seat and bot")
        value, variance = np.nan, np.nan
        if fit.converged and fit.identified(c)[0]:
            odds, cov = fit.contrast(c)
            value, variance = fair + fit.slope * odds[0], fit.slope**2 * cov[0, 0]
        else:
            tied = TIED.format(role)
            what["note"] = f"{what['note']}; {tied}" if what["note"] else tied
        one = stats.shares(value, variance, blocks, fitted=True)
        yield {"role": role, "apart": True, "fair": fair, **what}, one


def series_balance(d: Dataset) -> pl.DataFrame:
    """Who wins series: by player, and by the game in which a player had the special role.

    Returns
    -------
    polars.DataFrame
        ``players, of, who, measure, fair, estimate, low, high, low_joint, high_joint, p, q, p_equivalence,
        verdict, series, games, deals, blocks, method, note``. ``measure`` is ``series won`` (most points in all,
        shared by those who tie), ``games won`` (mean win share of a game), or ``points a game`` (less the mean
        of the table; no verdict). ``of`` is ``player``, or ``<role> in game`` 1, 2, ... of the series. Series
        that are not whole are left out.
    """
    import polars as pl

    have = d.games.collect_schema().names()
    if "series" not in have:
        raise Refusal(f"{d.name}: no games were played in series (series = true)")
    games = read_games(d)
    frame = games.frame.with_row_index("row").filter(pl.col("series").is_not_null())
    if frame.height == 0:
        raise Refusal(f"{d.name}: no games were played in series (series = true)")
    player = games.seat_values("player").astype(np.int64)
    score, share = games.seat_values("score").astype(np.float64), games.win_share
    role = f"{role_name(d)} in game"
    lead = games.seat_values("founder").astype(bool)
    known = [str(name) for name in (d.manifest.get("categories") or {}).get("player") or []]
    rows: list[dict[str, Any]] = []
    found: list[stats.Estimates] = []
    for n in d.n_players:
        own = frame.filter(pl.col("players") == n).sort("cell", "series", "game_id")
        sizes = own.group_by("cell", "series", maintain_order=True).agg(pl.len(), "row")
        sizes = sizes.filter(pl.col("len") == n)
        if sizes.height == 0:
            continue
        at = np.array(sizes["row"].to_list(), dtype=np.int64)  # (series, games)
        seats = games.first_row[at][:, :, None] + np.arange(n)
        who = player[seats]
        totals = {name: np.zeros((len(at), n)) for name in ("score", "share", "game")}
        series = np.broadcast_to(np.arange(len(at))[:, None, None], who.shape)
        for name, values in (("score", score[seats]), ("share", share[seats])):
            np.add.at(totals[name], (series, who), values)
        number = np.broadcast_to(np.arange(n)[None, :, None], who.shape)
        np.add.at(totals["game"], (series, who), lead[seats] * number)
        once = np.zeros((len(at), n))
        np.add.at(once, (series, who), lead[seats])
        best = totals["score"] >= totals["score"].max(axis=1, keepdims=True) - 1e-6
        won = best / best.sum(axis=1, keepdims=True)
        points = (totals["score"] - totals["score"].mean(axis=1, keepdims=True)) / n
        blocks = games.blocks[at[:, 0]]
        groups = [("player", np.arange(n)[None, :].repeat(len(at), axis=0))]
        if (once == 1).all():
            groups.append((role, totals["game"].astype(np.int64)))
        for of, place in groups:
            behind = games.behind(at.ravel(), "mean over series", blocks)
            for k in range(n):
                mine = place == k
                name = known[k] if of == "player" and k < len(known) else f"{of} {k + 1}"
                if not (mine.sum(axis=1) == 1).all():
                    continue
                head = {"players": n, "of": of, "who": name, "series": len(at)}
                for measure, value in (
                    ("series won", won),
                    ("games won", totals["share"] / n),
                    ("points a game", points),
                ):
                    mean, cov = stats.block_means(value[mine][:, None], blocks)
                    fair = None if measure == "points a game" else 1 / n
                    rows.append({**head, "measure": measure, "fair": fair, **behind})
                    if fair is None:
                        reach = float(value.std())
                        one = stats.effects(mean, np.sqrt(cov[0]), blocks.number, reach)
                    else:
                        one = stats.shares(mean, cov[0], blocks)
                    found.append(one)
    if not rows:
        raise Refusal(f"{d.name}: no series is whole")
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    return judged(frame, found, d.judge.seat, ["players", "of", "who", "measure"], instead=games.no_verdict)
