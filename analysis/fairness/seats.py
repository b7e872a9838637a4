"""Is any seat favoured, and may it be called balanced? (F1, F6; comparisons of win shares)"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal, nearest
from analysis.data.frames import Games, floats, read_games, tidy
from analysis.data.measures import CUT_SHORT
from analysis.stats.blocks import FEWEST_BLOCKS

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
        capped, capped_low, capped_high, verdict, games, deals, blocks, method, note``. The joint band holds
        all seats of a game size at once. In team games the members of a ``side`` share every win, and a fair
        share is 1 over the number of ``sides``. ``capped`` is the share of games that were stopped; the estimate
        counts them as they stood, and lies in ``capped_low .. capped_high`` however they would have ended.
        ``blocks`` is the effective number of independent blocks behind the row.
    """
    import polars as pl

    games = read_games(d, by, ("ended",))
    stopped = np.isin(games.frame["ended"].cast(pl.String).to_numpy(), CUT_SHORT)
    margin = d.judge.seat
    rows: list[dict[str, Any]] = []
    for labels, members in games.groups(split_players=True):
        n, fair = int(games.players[members[0]]), 1.0 / int(games.sides[members[0]])
        shares = games.pad(games.win_share, members)
        cut = stopped[members]
        finished = shares[~cut].sum(axis=0) / len(shares)
        seats = _Seats.of(shares, fair, games.blocks[members], margin)
        side = games.pad(games.side, members[:1])[0]
        for seat in range(n):
            beyond = not seats.low_joint[seat] <= seats.fair <= seats.high_joint[seat]
            row = {
                "seat": seat,
                "side": int(side[seat]),
                "fair": seats.fair,
                "estimate": seats.mean[seat],
                "low": seats.low[seat],
                "high": seats.high[seat],
                "low_joint": seats.low_joint[seat],
                "high_joint": seats.high_joint[seat],
                "p": seats.p[seat],
                "p_equivalence": seats.p_equivalence[seat],
                "capped": float(cut.mean()),
                "capped_low": finished[seat],
                "capped_high": finished[seat] + float(cut.mean()),
                "verdict": stats.verdict(
                    seats.mean[seat],
                    0.0 if beyond else 1.0,
                    seats.p_equivalence[seat],
                    seats.fair - margin,
                    seats.fair + margin,
                    ("favoured", "unfavoured"),
                    seats.enough,
                ),
            }
            rows.append({**labels, "players": n, **row, **games.behind(members, "mean win share")})
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    return tidy(
        frame.with_columns(pl.Series("q", stats.bh(floats(frame, "p")), nan_to_null=True)),
        [
            *games.by,
            "players",
            "sides",
            "seat",
            "side",
            "fair",
            "estimate",
            "low",
            "high",
            "low_joint",
            "high_joint",
            "p",
            "q",
        ],
    )


def seat_tests(d: Dataset, by: By = None) -> pl.DataFrame:
    """May the seats together be called balanced?

    Returns
    -------
    polars.DataFrame
        ``by.., players, sides, seat, estimate, low, high, chi2, degrees, p, q, p_equivalence, verdict, lines_used,
        games, deals, blocks, method, note``. ``estimate`` is the gap (win share less fair share) of the seat
        that is furthest from fair, with a simultaneous interval; ``p`` the joint test that all gaps are 0;
        ``p_equivalence`` the largest of the seats' equivalence tests (an intersection-union test needs no
        correction), which carries the verdict ``balanced``.
    """
    import polars as pl

    games = read_games(d, by)
    margin = d.judge.seat
    rows: list[dict[str, Any]] = []
    for labels, members in games.groups(split_players=True):
        n, fair = int(games.players[members[0]]), 1.0 / int(games.sides[members[0]])
        seats = _Seats.of(games.pad(games.win_share, members), fair, games.blocks[members], margin)
        gap = seats.mean - seats.fair
        # Of two seats equally far off, the favoured one is named.
        worst = int(np.argmax(np.abs(gap) + 1e-9 * gap))
        rows.append(
            {
                **labels,
                "players": n,
                "seat": worst,
                "estimate": seats.mean[worst] - seats.fair,
                "low": seats.low_joint[worst] - seats.fair,
                "high": seats.high_joint[worst] - seats.fair,
                "chi2": seats.chi2,
                "degrees": seats.degrees,
                "p": seats.joint_p,
                "p_equivalence": float(np.max(seats.p_equivalence)),
                "enough": seats.enough,
                "lines_used": _lines(games, members),
                **games.behind(members, "joint test of all seats; equivalence of each seat"),
            }
        )
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    q = stats.bh(floats(frame, "p"))
    verdicts = [
        stats.verdict(
            abs(row["estimate"]),
            q[i] if np.isfinite(q[i]) else 1.0,
            row["p_equivalence"] if row["p_equivalence"] is not None else 1.0,
            -margin,
            margin,
            ("unbalanced", "unbalanced"),
            row["enough"],
        )
        for i, row in enumerate(frame.iter_rows(named=True))
    ]
    frame = frame.with_columns(pl.Series("q", q, nan_to_null=True), pl.Series("verdict", verdicts))
    head = [
        *games.by,
        "players",
        "sides",
        "seat",
        "estimate",
        "low",
        "high",
        "chi2",
        "degrees",
        "p",
        "q",
        "p_equivalence",
    ]
    return tidy(frame.drop("enough"), [*head, "verdict"])


@dataclass(frozen=True)
class _Seats:
    """Means of all seats of one table size (arrays over seats), their intervals and tests.

    A seat whose share is the same in every block (it always wins, say) has no standard error; Wilson's interval
    and the score test with every block counting once take over.
    """

    fair: float
    mean: Floats
    low: Floats
    high: Floats
    low_joint: Floats
    high_joint: Floats
    p: Floats
    p_equivalence: Floats
    chi2: float
    degrees: int
    joint_p: float
    enough: bool

    @classmethod
    def of(cls, shares: Floats, fair: float, blocks: stats.Blocks, margin: float) -> _Seats:
        n = shares.shape[1]
        mean, cov = stats.block_means(shares, blocks)
        se, df = np.sqrt(np.diag(cov)), blocks.df
        band = stats.joint_quantile(cov, df)
        low, high = stats.interval(mean, se, df)
        low_joint, high_joint = mean - band * se, mean + band * se
        p = stats.two_sided(mean, se, df, fair)
        same = stats.tost(mean, se, fair - margin, fair + margin, df)
        chi2, degrees, joint_p = stats.wald(mean - fair, cov, df)
        still = np.isfinite(se) & (se < 1e-9)
        if still.any():
            size = blocks.number
            low[still], high[still] = stats.wilson(mean[still], size)
            low_joint[still], high_joint[still] = stats.wilson(mean[still], size, 1 - 0.05 / n)
            p[still] = stats.score_test(mean[still], size, fair)
            same[still] = stats.score_equivalence(mean[still], size, fair - margin, fair + margin)
            joint_p = float(np.nanmin([joint_p, min(1.0, n * float(p[still].min()))]))
        enough = blocks.number >= FEWEST_BLOCKS
        return cls(fair, mean, low, high, low_joint, high_joint, p, same, chi2, degrees, joint_p, enough)


def win_share_by(d: Dataset, column: str, of: str = "seat", paired: bool = True) -> pl.DataFrame:
    """Win share at each level of a factor, and its change against the first level.

    Parameters
    ----------
    column : str
        Column of cells or games.
    of : str
        Whose win share: ``seat``, ``player``, ``bot`` or ``deck``.
    paired : bool
        Take differences deal by deal where both levels were played on the same deals; otherwise levels count
        as independent. The estimate is over the deals that both levels have.

    Returns
    -------
    polars.DataFrame
        Rows with ``what`` = ``level`` (the win share) and ``difference`` (against the first level):
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
    if of == "seat":
        who = games.seat
    else:
        who = games.seat_values(of)
    rows: list[dict[str, Any]] = []
    groups = list(games.groups(split_players=True))
    for n, sides in games.tables:
        levels = [(k[column], m) for k, m in groups if games.at_table(n, sides)[m[0]]]
        flat = np.concatenate([games.pad(who, members).ravel() for _, members in levels])
        for one in sorted({value for value in flat.tolist() if value is not None}):
            base: tuple[Any, Any] | None = None
            for level, members in levels:
                own = games.pad(who, members) == one
                if not own.any():
                    continue
                part = _Share(games, members, own, games.pad(shares, members))
                head = {
                    "players": n,
                    "sides": sides,
                    "of": of,
                    "who": str(one),
                    "column": column,
                    "level": level,
                    "fair": 1 / sides,
                }
                rows.append({**head, "what": "level", **part.row(), "paired": False})
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

    def mean(self) -> float:
        return float(self.won.sum() / self.seats.sum())

    def influence(self) -> Any:
        return ((self.won - self.mean() * self.seats) / self.seats.sum())[:, None]

    def row(self) -> dict[str, Any]:
        se = float(np.sqrt(stats.covariance(self.influence(), self.blocks)[0, 0]))
        mean = self.mean()
        low, high = stats.interval(mean, se, self.blocks.df)
        row = {"estimate": mean, "low": float(low), "high": float(high), "p": None}
        if se < 1e-9:
            row |= dict(
                zip(("low", "high"), stats.share_interval(mean, 0.0, self.blocks.number), strict=True)
            )
        if self.everywhere:
            row |= {"low": None, "high": None}
        return {**row, **self.games.behind(self.members, "mean win share")}

    def against(self, base: _Share, paired: bool) -> dict[str, Any]:
        mine, first = self, base
        shared = np.intersect1d(self._deals(), base._deals())
        together = paired and len(shared) > 1
        if together:
            mine, first = self._on(shared), base._on(shared)
            joined = mine.blocks.join(first.blocks)
            influence = np.concatenate([mine.influence(), -first.influence()])
            se = float(np.sqrt(stats.covariance(influence, joined)[0, 0]))
            df = min(mine.blocks.df, first.blocks.df)
        else:
            parts = [stats.covariance(s.influence(), s.blocks)[0, 0] for s in (mine, first)]
            se, df = float(np.sqrt(sum(parts))), min(mine.blocks.df, first.blocks.df)
        change = mine.mean() - first.mean()
        low, high = stats.interval(change, se, df)
        members = np.concatenate([mine.members, first.members])
        return {
            "estimate": change,
            "low": float(low),
            "high": float(high),
            "p": float(stats.two_sided(change, se, df)),
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


def _lines(games: Games, members: Any) -> int | None:
    if "line" not in games.frame.columns or games.frame["line"].null_count():
        return None
    return len(np.unique(games.frame["line"].to_numpy()[members]))
