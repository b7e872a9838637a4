"""Is the game alive to the end? Comebacks, when it is decided, drama, the runaway leader, forced turns. (T2 to T5)

All of it needs the scores after each turn (log = "turns"). A *lead* is the distance to the best other side. Leads of
different games are set against each other at the same share of their turns.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import Games, floats, read_games, tidy

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

SHARES = tuple(k / 10 for k in range(1, 10))  # of the turns of a game
BINS = 6  # of leads, at most: alike in how often they occur
DECIDED = 0.9  # chance of winning from which a game counts as decided
FEWEST = 30  # games below which a bin of the surface says nothing


@dataclass
class Leads:
    """Scores after each turn.

    Attributes
    ----------
    games : Games
    first, turns : int arrays (games,)
        Where the turns of each game begin, and how many were logged (0: none).
    score : array (turns of all games, seats)
        Score of each seat's side.
    """

    games: Games
    first: Rows
    turns: Rows
    score: Floats

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which games have scores."""
        return np.asarray(self.turns > 0)

    @cached_property
    def lead(self) -> Floats:
        """Each seat's score less the best score of another side, after each turn; NaN where there is no seat."""
        games, out = self.games, np.full_like(self.score, np.nan)
        game = np.repeat(np.arange(len(games)), self.turns)
        seats = self.score.shape[1]
        side = np.full((len(games), seats), -1)
        side[games.game, games.seat] = games.side
        for s in range(seats):
            others = np.where((side[game] != side[game, s][:, None]) & (side[game] >= 0), self.score, -np.inf)
            best = others.max(axis=1)
            there = (side[game, s] >= 0) & np.isfinite(best)
            out[there, s] = self.score[there, s] - best[there]
        return out

    def at(self, share: float) -> Floats:
        """Each seat's lead when a share of the turns was over, flat over seats; NaN where it is not known."""
        games, out = self.games, np.full(len(self.games.seat), np.nan)
        turn = np.floor(self.turns * share).astype(np.int64) - 1
        there = np.flatnonzero(self.known & (turn >= 0))
        now = self.lead[self.first[there] + turn[there]]
        kept = np.isin(games.game, there) if len(there) < len(games) else np.ones(len(out), dtype=bool)
        place = np.full(len(games), -1)
        place[there] = np.arange(len(there))
        out[kept] = now[place[games.game[kept]], games.seat[kept]]
        return out

    def behind(self, share: float) -> Floats:
        """How far each seat was behind when a share of the turns was over, flat; 0 for who led or was level."""
        return np.clip(-np.nan_to_num(self.at(share)), 0.0, None)


def read_leads(d: Dataset) -> Leads:
    """The scores turn by turn; refuses a data set in which no turns were logged."""
    key = "leads"
    if key not in d.memo:
        games = read_games(d)
        frame = d.turns.sort("game_id", "turn").collect()
        seats = int(games.players.max())
        names = [f"score_{s}" for s in range(seats)]
        if frame.height == 0 or any(name not in frame.columns for name in names):
            raise Refusal(f"{d.name}: the turns have no scores")
        at = np.searchsorted(games.frame["game_id"].to_numpy(), frame["game_id"].to_numpy())
        turns = np.bincount(at, minlength=len(games)).astype(np.int64)
        score = np.stack([floats(frame, name) for name in names], axis=1)
        if d.has_sides:
            score = _of_sides(games, at, score)
        d.memo[key] = Leads(games, np.cumsum(turns) - turns, turns, score)
    known: Leads = d.memo[key]
    return known


def _of_sides(games: Games, game: Rows, score: Floats) -> Floats:
    """Scores of the seats of each side added up, at every seat of it."""
    seats = score.shape[1]
    side = np.full((len(games), seats), -1)
    side[games.game, games.seat] = games.side
    out = np.zeros_like(score)
    for s in range(seats):
        same = (side[game] == side[game, s][:, None]) & (side[game] >= 0)
        out[:, s] = np.where(same, np.nan_to_num(score), 0.0).sum(axis=1)
    return out


def comeback_surface(d: Dataset) -> pl.DataFrame:
    """How often a seat that is so far ahead or behind at some time wins (T4).

    Returns
    -------
    polars.DataFrame
        ``players, sides, share`` (of the turns), ``lead_from, lead_to, lead`` (mean lead of the bin, points; negative:
        behind), ``estimate, low, high`` (win share), ``fair, seats, games, deals, blocks, method, note``. Bins are
        alike in how often they occur; those of fewer than 30 games are left out.
    """
    leads = read_leads(d)
    games = leads.games
    rows: list[dict[str, Any]] = []
    for labels, members in games.groups(split_players=True):
        flat = np.zeros(len(games.seat), dtype=bool)
        flat[games.flat_rows(members)] = True
        for share in SHARES:
            lead = leads.at(share)
            use = np.flatnonzero(flat & np.isfinite(lead))
            if len(use) == 0:
                continue
            edges = np.unique(np.quantile(lead[use], np.linspace(0, 1, BINS + 1), method="inverted_cdf"))
            where = np.clip(np.searchsorted(edges, lead[use], side="right") - 1, 0, max(len(edges) - 2, 0))
            for k in range(max(len(edges) - 1, 1)):
                own = use[where == k]
                game = np.unique(games.game[own])
                if len(game) < FEWEST:
                    continue
                inside = np.zeros(len(flat))
                inside[own] = 1.0
                n, won = games.in_game(inside)[game], games.in_game(inside * games.win_share)[game]
                value, blocks = float(won.sum() / n.sum()), games.blocks[game]
                influence = ((won - value * n) / n.sum())[:, None]
                low, high = stats.shares(value, stats.covariance(influence, blocks)[0], blocks).interval()
                row = {"share": share, "lead_from": lead[own].min(), "lead_to": lead[own].max()}
                row |= {"lead": lead[own].mean(), "estimate": value, "low": low[0], "high": high[0]}
                row |= {"fair": 1 / labels["sides"], "seats": len(own)}
                rows.append({**labels, **row, **games.average(game, "share of wins at such a lead")})
    return _frame(
        d, rows, ["players", "sides", "share", "lead_from", "lead_to", "lead", "estimate", "low", "high"]
    )


def when_decided(d: Dataset) -> pl.DataFrame:
    """When a game is decided, and how often the winner came from behind (T3, T4).

    Returns
    -------
    polars.DataFrame
        ``players, sides, measure, estimate, low, high, q10, q50, q90, games, deals, blocks, method, note``. Measures,
        of games with one winner: ``led for good`` (share of the turns after which the winner never was behind or level
        again), ``decided`` (share of the turns from which the leader's chance of winning never fell below 90 %, by the
        surface of the other half of the deals), ``behind`` (share of turns at which the winner was behind), ``drama``
        (Browne's: mean over these turns of the square root of how far, in standard deviations of the final margins; 0
        where it never was).

    Notes
    -----
    Browne (2009), *Automatic generation and evaluation of recombination games*, on drama and decisiveness. A score that
    only says at the end who is ahead makes all games look undecided: compare games under the same way of scoring.
    """
    leads = read_leads(d)
    games = leads.games
    won = games.pad(games.win_share, np.arange(len(games)))
    rows: list[dict[str, Any]] = []
    for labels, every in games.groups(split_players=True):
        clear = (won[every] == 1.0).sum(axis=1) == games.players[every] // labels["sides"]
        members = every[clear & leads.known[every]]
        if len(members) < 2:
            continue
        winner = won[members].argmax(axis=1)
        last = leads.lead[leads.first[members] + leads.turns[members] - 1, winner]
        unit = float(np.nanstd(np.concatenate([last, -last]))) or 1.0
        each = np.array(
            [
                _course(leads.lead[first : first + n, seat], unit)
                for first, n, seat in zip(leads.first[members], leads.turns[members], winner, strict=True)
            ]
        )
        values = dict(zip(("led for good", "behind", "drama"), each.T, strict=True))
        values["decided"] = _decided(leads, members, won)
        for measure in ("led for good", "decided", "behind", "drama"):
            value = values[measure]
            blocks = games.blocks[members]
            mean, cov = stats.block_means(value[:, None], blocks)
            low, high = stats.effects(mean, np.sqrt(cov[0]), blocks.number, value.std()).interval()
            spread = dict(zip(("q10", "q50", "q90"), np.quantile(value, (0.1, 0.5, 0.9)), strict=True))
            row = {"measure": measure, "estimate": mean[0], "low": low[0], "high": high[0], **spread}
            rows.append({**labels, **row, **games.average(members, "mean over games with one winner")})
    return _frame(d, rows, ["players", "sides", "measure", "estimate", "low", "high", "q10", "q50", "q90"])


def _course(lead: Floats, unit: float) -> tuple[float, float, float]:
    """When the winner led for good (share of turns), share of turns behind, and Browne's drama."""
    not_ahead = np.flatnonzero(~(lead > 0))
    for_good = (not_ahead[-1] + 1) / len(lead) if len(not_ahead) else 0.0
    behind = lead < 0
    drama = float(np.sqrt(-lead[behind] / unit).mean()) if behind.any() else 0.0
    return min(float(for_good), 1.0), float(behind.mean()), drama


def _decided(leads: Leads, members: Rows, won: Floats) -> Floats:
    """Share of the turns from which the leader's chance was never below `DECIDED`; 1 where that was never so."""
    games = leads.games
    fold = np.unique(games.blocks[members].deal, return_inverse=True)[1].ravel() % 2
    out = np.ones(len(members))
    safe = np.zeros((len(members), len(SHARES)), dtype=bool)
    for k, share in enumerate(SHARES):
        lead = games.pad(leads.at(share), members)
        lead = np.where(np.isfinite(lead), lead, -np.inf)
        ahead = lead.argmax(axis=1)
        by = lead.max(axis=1)
        hit = won[members, ahead]
        for half in (0, 1):
            other, own = (fold != half) & np.isfinite(by), (fold == half) & np.isfinite(by)
            if other.sum() >= FEWEST and own.any():
                edges, chance = rising(by[other], hit[other])
                safe[own, k] = (
                    chance[np.clip(np.searchsorted(edges, by[own], "right") - 1, 0, None)] >= DECIDED
                )
    for k in reversed(range(len(SHARES))):
        out = np.where(safe[:, k:].all(axis=1), SHARES[k], out)
    return out


def rising(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Chance of y at each x and above, which never falls as x grows (isotonic, by pooling adjacent violators)."""
    at, code = np.unique(x, return_inverse=True)
    weight = np.bincount(code.ravel()).astype(np.float64)
    mean = np.bincount(code.ravel(), weights=y) / weight
    blocks: list[list[float]] = []
    for k, (value, size) in enumerate(zip(mean, weight, strict=True)):
        blocks.append([value, size, float(k)])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            late = blocks.pop()
            total = blocks[-1][1] + late[1]
            blocks[-1][:2] = [(blocks[-1][0] * blocks[-1][1] + late[0] * late[1]) / total, total]
    starts = np.array([int(block[2]) for block in blocks])
    return at[starts], np.array([block[0] for block in blocks])


def runaway_leader(d: Dataset) -> pl.DataFrame:
    """Does a lead feed a lead? Slope of what a lead gains on how large it is (T5).

    Returns
    -------
    polars.DataFrame
        ``players, sides, share`` (of the turns at which it is looked at), ``estimate`` (points gained in the next tenth
        of the game a point of lead: 0 is a random walk, above it leads grow by themselves, below it they are caught),
        ``low, high, p, q`` (of 0, corrected over the rows), ``games, deals, blocks, method, note``. The lead of one
        seat drawn by the deal's number, so that no game counts twice.
    """
    import polars as pl

    leads = read_leads(d)
    games = leads.games
    rows: list[dict[str, Any]] = []
    for labels, every in games.groups(split_players=True):
        # Seats in turn: in games of two the other seat's lead is this one's with the sign changed.
        seat = every % labels["players"]
        for share in SHARES[:-1]:
            now, later = (
                games.pad(leads.at(s), every)[np.arange(len(every)), seat] for s in (share, share + 0.1)
            )
            use = np.isfinite(now) & np.isfinite(later)
            members, x, y = every[use], now[use], (later - now)[use]
            if len(members) < FEWEST or np.ptp(x) == 0:
                continue
            blocks, flat = games.blocks[members], x - x.mean()
            slope = float(flat @ y) / float(flat @ flat)
            left = y - y.mean() - slope * flat
            influence = (flat * left / float(flat @ flat))[:, None]
            found = stats.effects(slope, np.sqrt(stats.covariance(influence, blocks)[0]), blocks.number)
            low, high = found.interval()
            row = {"share": share, "estimate": slope, "low": low[0], "high": high[0], "p": found.p()[0]}
            rows.append({**labels, **row, **games.average(members, "least squares of the gain on the lead")})
    frame = _frame(d, rows, ["players", "sides", "share", "estimate", "low", "high", "p"])
    return frame.with_columns(pl.Series("q", stats.bh(floats(frame, "p")), nan_to_null=True))


def forced_share(d: Dataset) -> pl.DataFrame:
    """Share of turns in which nothing was left to decide (T2).

    Returns
    -------
    polars.DataFrame
        ``players, sides, estimate, low, high, turns, games, deals, blocks, method, note``. A turn without a decision
        of two or more options was forced or passed over. Needs log = "decisions".
    """
    import polars as pl

    games = read_games(d, extra=["turns"])
    total = floats(games.frame, "turns")
    chosen = (
        d.decisions.select("game_id", "turn").unique().group_by("game_id").agg(pl.len().alias("n")).collect()
    )
    free = np.zeros(len(games))
    free[np.searchsorted(games.frame["game_id"].to_numpy(), chosen["game_id"].to_numpy())] = chosen[
        "n"
    ].to_numpy()
    rows: list[dict[str, Any]] = []
    for labels, every in games.groups(split_players=True):
        members = every[np.isfinite(total[every]) & (total[every] > 0)]
        if len(members) == 0:
            continue
        forced, n = np.clip(total - free, 0.0, None)[members], total[members]
        value, blocks = float(forced.sum() / n.sum()), games.blocks[members]
        found = stats.effects(
            value,
            np.sqrt(stats.covariance(((forced - value * n) / n.sum())[:, None], blocks)[0]),
            blocks.number,
        )
        low, high = found.interval()
        row = {"estimate": value, "low": max(low[0], 0.0), "high": min(high[0], 1.0), "turns": int(n.sum())}
        rows.append({**labels, **row, **games.average(members, "turns without a decision over turns")})
    return _frame(d, rows, ["players", "sides", "estimate", "low", "high", "turns"])


def _frame(d: Dataset, rows: list[dict[str, Any]], head: list[str]) -> pl.DataFrame:
    import polars as pl

    if not rows:
        raise Refusal(f"{d.name}: no game has what is asked for turn by turn")
    return tidy(pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True), head)
