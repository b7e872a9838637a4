"""Can a player who will not win any more decide who of the others does? (C2)"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import floats, tidy
from analysis.pace.leads import FEWEST, SHARES, Leads, read_leads, rising

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

OUT = 0.05  # chance of winning below which a seat counts as out of contention
FEWEST_TURNS = 30  # turns below which nothing is said of who took them


def kingmaking(d: Dataset) -> pl.DataFrame:
    """How often the turn of a player out of contention decides between the others, with three sides or more.

    Returns
    -------
    polars.DataFrame
        ``players, sides, measure, estimate, low, high, turns, games, deals, blocks, method, note``. Measures: ``made
        king`` (share of games with one winner, in which the winner took the lead for good in the turn of another
        player, who was out of contention), ``turns out`` (share of turns that such players take: what ``made king``
        would be like if every turn decided alike), ``swing`` (win chance that their turn moves between the others,
        mean of a turn), ``swing of contenders`` (the same of the turns of those who still may win).

    Notes
    -----
    Out of contention: a chance of winning below 5 %, read from the lead at this share of the turns by an isotonic
    curve that was fitted to the other half of the deals, over the seats in proportion. It needs turns (log =
    "turns") with the scores as they stand. This shows that such turns do decide, by intent or not. It does not show
    what a player could have done instead: a power that is never used is not seen, so a 0 does not rule kingmaking out.
    """
    import polars as pl

    leads = read_leads(d)
    games = leads.games
    if not any(sides > 2 for _, sides in games.tables):
        raise Refusal(f"{d.name}: with two sides there is no third one that could decide between them")
    schema = d.turns.collect_schema().names()
    if "seat" not in schema:
        raise Refusal(f"{d.name}: the turns do not say who took them")
    who = floats(d.turns.sort("game_id", "turn").select("seat").collect(), "seat")
    won = games.pad(games.win_share, np.arange(len(games)))
    rows: list[dict[str, Any]] = []
    for labels, every in games.groups(split_players=True):
        if labels["sides"] < 3 or labels["sides"] != labels["players"]:
            continue
        members = every[leads.known[every]]
        if len(members) < FEWEST:
            continue
        turn = _Turns(leads, members, who, won)
        rows += turn.rows(labels)
    if not rows:
        raise Refusal(f"{d.name}: no table of three sides or more has enough games with scores turn by turn")
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    return tidy(frame, ["players", "sides", "measure", "estimate", "low", "high", "turns"])


class _Turns:
    """The turns of the games `members` but the first tenth of each: chances before and after, and who took them."""

    def __init__(self, leads: Leads, members: Rows, who: Floats, won: Floats) -> None:
        self.games, self.members, self.won = leads.games, members, won
        n = leads.turns[members]
        own = np.repeat(np.arange(len(members)), n)
        index = np.arange(int(n.sum())) - np.repeat(np.cumsum(n) - n, n)
        row = np.repeat(leads.first[members], n) + index
        slot = np.floor(10 * index / n[own] + 1e-9).astype(np.int64)
        use = (index > 0) & (slot >= 1) & np.isfinite(who[row])
        self.own, self.row, self.slot = own[use], row[use], slot[use]
        self.seat = who[self.row].astype(np.int64)
        self.lead, self.players = leads.lead, int(self.games.players[members[0]])
        fold = np.unique(self.games.blocks[members].deal, return_inverse=True)[1].ravel() % 2
        self.before, self.after = (np.full((len(self.row), self.players), np.nan) for _ in range(2))
        for k, share in enumerate(SHARES, start=1):
            at = self.games.pad(leads.at(share), members)[:, : self.players]
            for half in (0, 1):
                here = np.flatnonzero((self.slot == k) & (fold[self.own] == half))
                known = (fold != half)[:, None] & np.isfinite(at)
                if len(here) == 0 or known.sum() < FEWEST:
                    continue
                starts, chance = rising(at[known], won[members][:, : self.players][known])
                for out, rows in ((self.before, self.row[here] - 1), (self.after, self.row[here])):
                    lead = self.lead[rows][:, : self.players]
                    p = chance[np.clip(np.searchsorted(starts, lead, "right") - 1, 0, None)]
                    out[here] = p / np.maximum(p.sum(axis=1, keepdims=True), 1e-12)
        self.known = np.isfinite(self.before).all(axis=1) & np.isfinite(self.after).all(axis=1)
        mine = self.before[np.arange(len(self.row)), self.seat]
        rivals = (self.before >= OUT).sum(axis=1) - (mine >= OUT)
        self.out = self.known & (mine < OUT) & (rivals >= 2)

    def rows(self, labels: dict[str, Any]) -> list[dict[str, Any]]:
        """A row a measure."""
        games, members = self.games, self.members
        made, clear = self._made_king()
        change = np.abs(self.after - self.before)
        change[np.arange(len(change)), self.seat] = 0.0
        # What the mover itself gains or loses is spread over the others, and is no choice between them.
        others = self.after - self.before
        others[np.arange(len(others)), self.seat] = 0.0
        moved = (change.sum(axis=1) - np.abs(others.sum(axis=1))) / 2
        rest = self.known & ~self.out
        behind = games.average(members, "turns of players out of contention")
        one = np.ones(len(self.row))
        listed = [
            ("made king", made.astype(float), clear.astype(float), True),
            ("turns out", self._by_game(one, self.out), self._by_game(one, self.known), True),
            ("swing", self._by_game(moved, self.out), self._by_game(one, self.out), False),
            ("swing of contenders", self._by_game(moved, rest), self._by_game(one, rest), False),
        ]
        out = []
        for measure, over, under, share in listed:
            row: dict[str, Any] = {"measure": measure, "estimate": None, "low": None, "high": None}
            least = FEWEST if measure == "made king" else FEWEST_TURNS
            if under.sum() >= least:
                value, blocks = float(over.sum() / under.sum()), games.blocks[members]
                variance = stats.covariance(((over - value * under) / under.sum())[:, None], blocks)[0]
                found = (
                    stats.shares(value, variance, blocks)
                    if share
                    else stats.effects(value, np.sqrt(variance), min(blocks.number, float((under > 0).sum())))
                )
                low, high = found.interval()
                row |= {"estimate": value, "low": max(low[0], 0.0), "high": high[0]}
            turns = int(self.out.sum() if measure != "swing of contenders" else rest.sum())
            out.append({**labels, **row, "turns": turns, **behind})
        return out

    def _by_game(self, values: Floats, which: NDArray[np.bool_]) -> Floats:
        own = self.own[which]
        return np.asarray(
            np.bincount(own, weights=values[which], minlength=len(self.members)), dtype=np.float64
        )

    def _made_king(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which games were decided so, and which have one winner who leads at the end."""
        won = self.won[self.members][:, : self.players]
        winner = won.argmax(axis=1)
        lead = self.lead[self.row, winner[self.own]]
        number = np.arange(len(self.row))
        last = np.full(len(self.members), -1)
        np.maximum.at(last, self.own, number)  # rows of a game stand in order
        level = np.full(len(self.members), -1)
        behind = ~(lead > 0)
        np.maximum.at(level, self.own[behind], number[behind])
        clear = (won == 1.0).any(axis=1) & (last >= 0) & (level < last)
        # The turn after the last one at which the winner did not lead.
        took = np.where(level >= 0, level + 1, -1)
        there = clear & (took >= 0)
        made = np.zeros(len(self.members), dtype=bool)
        at = took[there]
        made[there] = (
            self.out[at] & (self.seat[at] != winner[there]) & (self.own[at] == np.flatnonzero(there))
        )
        return made, clear
