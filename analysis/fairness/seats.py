"""Is any seat favoured, and may it be called balanced? (F1, F6; comparisons of win shares)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal, nearest
from analysis.data.frames import Games, floats, read_games, tidy
from analysis.fairness.seat_tables import judged_tables

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

By = str | Sequence[str] | None
Floats = NDArray[np.float64]


def seat_balance(d: Dataset, by: By = None) -> pl.DataFrame:
    """Mean win share of each seat, beside the fair share.

    Parameters
    ----------
    d : Dataset
    by : str or list of str, optional
        Columns of cells or games; one set of rows a level.

    Returns
    -------
    polars.DataFrame
        ``by.., players, sides, seat, side, fair, estimate, low, high, low_joint, high_joint, p, q, p_equivalence,
        capped, capped_low, capped_high, verdict, more_games, games, deals, blocks, method, note``. The joint band holds
        all rows at once, and q is corrected over them: both carry the ``verdict`` (`analysis.stats.verdicts`).
        In team games the members of a ``side`` share every win, and a fair share is 1 over the number of
        ``sides``. ``more_games``: about so many more would settle what is undecided
        (`analysis.stats.power`). ``capped`` is the share of games that were stopped; the estimate counts them as
        they stood, and lies in ``capped_low .. capped_high`` however they would have ended. ``blocks`` is the
        effective number of independent blocks behind the row.
    """
    import polars as pl

    tables, names = judged_tables(d, by)
    rows: list[dict[str, Any]] = []
    for table in tables:
        low, high = table.found.interval()
        p, within, more = table.found.p(table.fair), table.p_within, table.more
        for seat, side in enumerate(table.side.tolist()):
            row = {
                "seat": seat,
                "side": side,
                "fair": table.fair,
                "estimate": table.found.value[seat],
                "low": low[seat],
                "high": high[seat],
                "low_joint": table.ruled.low[seat],
                "high_joint": table.ruled.high[seat],
                "p": p[seat],
                "q": table.ruled.q[seat],
                "p_equivalence": within[seat],
                "capped": table.capped,
                "capped_low": table.finished[seat],
                "capped_high": table.finished[seat] + table.capped,
                "verdict": table.ruled.words[seat],
                "more_games": more[seat],
            }
            behind = {**table.behind, "method": f"mean win share; {table.behind['method']}"}
            rows.append({**table.labels, "players": len(table.side), **row, **behind})
    head = ["players", "sides", "seat", "side", "fair", "estimate", "low", "high", "low_joint", "high_joint"]
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    return tidy(frame, [*names, *head, "p", "q"])


def seat_tests(d: Dataset, by: By = None) -> pl.DataFrame:
    """May the seats together be called balanced?

    Returns
    -------
    polars.DataFrame
        ``by.., players, sides, seat, estimate, low, high, chi2, degrees, p, q, p_equivalence, verdict, more_games,
        lines_used, games, deals, blocks, method, note``. ``estimate`` is the gap (win share less fair share) of the
        seat that is furthest from fair, with its joint band as in `seat_balance`; ``p`` is Pearson's test that all gaps
        are 0, of two sides the exact one. ``verdict``: ``unbalanced`` when some seat is shown to lie beyond the margin,
        ``uneven`` when some seat merely is off the fair share beyond chance, ``balanced`` when every seat is.
        ``p_equivalence`` is the largest of the seats' equivalence tests (intersection-union: it needs no correction).
        ``lines_used`` is null for games that are added up part by part (more than a report holds at once).
    """
    import polars as pl

    tables, names = judged_tables(d, by)
    rows: list[dict[str, Any]] = []
    for table in tables:
        gap = table.found.value - table.fair
        # Of two seats equally far off, the favoured one is named.
        worst = int(np.argmax(np.abs(gap) + 1e-9 * gap))
        one = np.unique(table.side, return_index=True)[1]
        sizes, df = table.found.size[one], float(table.found.df[0])
        chi2, degrees, p = stats.pearson(table.found.value[one], table.fair, sizes, df)
        if round(1 / table.fair) == 2:
            p = float(table.found.p(table.fair)[worst])  # of two sides the exact test, as in `seat_balance`
        rows.append(
            {
                **table.labels,
                "players": len(gap),
                "seat": worst,
                "estimate": gap[worst],
                "low": table.ruled.low[worst] - table.fair,
                "high": table.ruled.high[worst] - table.fair,
                "chi2": chi2,
                "degrees": degrees,
                "p": p,
                "p_equivalence": float(np.max(table.p_within)),
                "verdict": stats.together(table.ruled.words),
                "more_games": np.max(table.more),
                "lines_used": table.lines,
                **table.behind,
                "method": f"Pearson's test of all seats; equivalence of each seat; {table.behind['method']}",
            }
        )
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    frame = frame.with_columns(pl.Series("q", stats.bh(floats(frame, "p")), nan_to_null=True))
    head = ["players", "sides", "seat", "estimate", "low", "high", "chi2", "degrees", "p", "q"]
    return tidy(frame, [*names, *head, "p_equivalence", "verdict"])


def win_share_by(d: Dataset, column: str, of: str = "seat", paired: bool = True) -> pl.DataFrame:
    """Win share at each level of a factor, and its change against the first level.

    Parameters
    ----------
    column : str
        Column of cells or games.
    of : str
        Whose win share: ``seat``, ``player``, ``bot`` or ``deck``. Each counts in the games that it was in,
        without those in which it sat in every seat.
    paired : bool
        Take differences deal by deal where both levels were played on the same deals; otherwise levels count
        as independent. The estimate is over the deals that both levels have.

    Returns
    -------
    polars.DataFrame
        Rows with ``what`` = ``level`` (the win share; ``p`` tests that it is fair) and ``difference`` (against the
        first level; only these have q):
        ``players, sides, of, who, column, level, what, fair, estimate, low, high, p, q, games, deals, paired,
        method, note``.
    """
    import polars as pl

    if of not in ("seat", "player", "bot", "deck"):
        raise Refusal(
            f"of = '{of}': seat, player, bot or deck{nearest(of, ('seat', 'player', 'bot', 'deck'))}"
        )
    games = read_games(d, column)
    shares = games.win_share
    who = games.seat.astype(str) if of == "seat" else games.who(of)
    # Who holds every seat of a game wins the fair share by arithmetic: such a mirror is no result.
    mirror = np.maximum.reduceat(_codes(who), games.first_row) == np.minimum.reduceat(
        _codes(who), games.first_row
    )
    rows: list[dict[str, Any]] = []
    groups = list(games.groups(split_players=True))
    for n, sides in games.tables:
        levels = [(k[games.by[0]], m) for k, m in groups if games.at_table(n, sides)[m[0]]]
        flat = np.concatenate([games.pad(who, members).ravel() for _, members in levels])
        for one in sorted(set(flat.tolist()) - {""}):
            base: tuple[Any, Any] | None = None
            for level, members in levels:
                own = games.pad(who, members) == one
                there = own.any(axis=1)  # a deck or bot counts in the games that it was in
                if not there.any():
                    continue
                there = there & ~mirror[members] if (there & ~mirror[members]).any() else there
                own, members = own[there], members[there]
                part = _Share(games, members, own, games.pad(shares, members))
                if (
                    of != "seat"
                    and not part.everywhere
                    and len(places := np.flatnonzero(own.any(axis=0))) == 1
                ):
                    part.note = f"always in Seat {chr(65 + places[0])}: the seat's effect is part of it"
                head = {
                    "players": n,
                    "sides": sides,
                    "of": of,
                    "who": one,
                    "column": column,
                    "level": level,
                    "fair": 1 / sides,
                }
                rows.append({**head, "what": "level", **part.row(1 / sides), "paired": False})
                if base is None:
                    base = (level, part)
                else:
                    rows.append({**head, "what": "difference", "fair": 0.0, **part.against(base[1], paired)})
    if not rows:
        raise Refusal(f"{d.name}: no '{of}' is named in the seats")
    text = {type(row["level"]) for row in rows if row["level"] is not None}
    if len(text) > 1:
        rows = [{**row, "level": str(row["level"])} for row in rows]
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    p = np.where((frame["what"] == "difference").to_numpy(), floats(frame, "p"), np.nan)
    return tidy(
        frame.with_columns(pl.Series("q", stats.bh(p), nan_to_null=True)),
        [
            "players",
            "sides",
            "of",
            "who",
            "column",
            "level",
            "what",
            "fair",
            "estimate",
            "low",
            "high",
            "p",
            "q",
        ],
    )


class _Share:
    """Win share of one seat, player, bot or deck in a group of games: a ratio over its seats in each game."""

    def __init__(self, games: Games, members: Any, own: Any, shares: Any) -> None:
        self.games, self.members = games, members
        self.seats = own.sum(axis=1).astype(np.float64)
        self.won = (shares * own).sum(axis=1)
        self.blocks = games.blocks[members]
        # Who holds every seat wins the fair share by arithmetic; that is no estimate and has no interval.
        self.everywhere = bool((self.seats == games.players[members]).all())
        self.note = ""

    def mean(self) -> float:
        return float(self.won.sum() / self.seats.sum())

    def influence(self) -> Any:
        return ((self.won - self.mean() * self.seats) / self.seats.sum())[:, None]

    def row(self, fair: float) -> dict[str, Any]:
        mean = self.mean()
        found = stats.shares(mean, stats.covariance(self.influence(), self.blocks)[0], self.blocks)
        low, high = found.interval()
        row = {"estimate": mean, "low": low[0], "high": high[0], "p": found.p(fair)[0]}
        if self.everywhere:
            row |= {"low": None, "high": None, "p": None}
        behind = self.games.behind(self.members, "mean win share")
        behind["note"] = "; ".join(note for note in (behind["note"], self.note) if note)
        return {**row, **behind}

    def against(self, base: _Share, paired: bool) -> dict[str, Any]:
        mine, first = self, base
        shared = np.intersect1d(self._deals(), base._deals())
        together = paired and len(shared) > 1
        if together:
            mine, first = self._on(shared), base._on(shared)
            joined = mine.blocks.join(first.blocks)
            influence = np.concatenate([mine.influence(), -first.influence()])
            se = float(np.sqrt(stats.covariance(influence, joined)[0, 0]))
        else:
            se = float(np.sqrt(sum(stats.covariance(s.influence(), s.blocks)[0, 0] for s in (mine, first))))
        found = stats.effects(mine.mean() - first.mean(), se, min(mine.blocks.number, first.blocks.number))
        low, high = found.interval()
        members = np.concatenate([mine.members, first.members])
        return {
            "estimate": found.value[0],
            "low": low[0],
            "high": high[0],
            "p": found.p()[0],
            "paired": together,
            **self.games.behind(
                members, "difference, deal by deal" if together else "difference of two groups"
            ),
        }

    def _deals(self) -> Any:
        return self.games.frame["deal"].to_numpy()[self.members]

    def _on(self, deals: Any) -> _Share:
        keep = np.isin(self._deals(), deals)
        part = object.__new__(_Share)
        part.games, part.members = self.games, self.members[keep]
        part.everywhere = self.everywhere
        part.seats, part.won, part.blocks = self.seats[keep], self.won[keep], self.blocks[keep]
        return part


def _codes(names: NDArray[Any]) -> NDArray[np.int64]:
    return np.unique(names, return_inverse=True)[1].ravel().astype(np.int64)
