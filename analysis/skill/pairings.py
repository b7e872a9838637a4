"""Who beats whom, and who stands how against the field. (P6, M1)

The score of a pairing is 1 for finishing ahead, 1/2 for the same place, 0 for behind; for two players that is
the win share. A mean against the field depends on who is in it (copies of one deck count as often as they
are there); the equilibrium does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal, nearest
from analysis.data.frames import Games, floats, read_games, tidy

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

KINDS = ("deck", "player", "bot")
TURNED = {"ahead": "behind", "behind": "ahead", "above": "below", "below": "above"}
DRAWS = 200  # draws of the matrix for the interval of the equilibrium


@dataclass(frozen=True)
class Pairings:
    """Pairs of seats of one game, each turned so that the first name comes before the second.

    Attributes
    ----------
    games : Games
    of : str
    names : list of str
    game, first, second : int arrays (pairs,)
        Row of the game, and the codes of the two names.
    score : array (pairs,)
        Score of the first.
    earlier : bool array (pairs,)
        Whether the first sits in front of the second.
    alike : bool array (names, names)
        Which names are the same player under two names (or one under its own): a pairing of them is a mirror.
    """

    games: Games
    of: str
    names: list[str]
    game: Whole
    first: Whole
    second: Whole
    score: Floats
    earlier: NDArray[np.bool_]
    alike: NDArray[np.bool_]


def kind_of(d: Dataset, of: str | None = None) -> str:
    """What is paired: `of` as asked for, or the first of deck, player and bot of which there are several."""
    if of is not None and of not in KINDS:
        raise Refusal(f"of = '{of}': deck, player or bot{nearest(of, KINDS)}")
    categories = d.manifest.get("categories") or {}
    several = [kind for kind in ("deck", "bot") if len(categories.get(kind) or []) > 1]
    if (d.manifest.get("experiment") or {}).get("player"):
        several.insert(1 if "deck" in several else 0, "player")
    if of is None and not several:
        raise Refusal(f"{d.name}: all players are alike: no decks, players or bots to set against each other")
    return of or several[0]


def read_pairings(d: Dataset, of: str | None = None) -> Pairings:
    """Read every pair of seats; refuses a data set with fewer than two names."""
    of = kind_of(d, of)
    games = read_games(d)
    found, named = games.named(of)
    names = [name for name in named if name]
    if len(names) < 2:
        raise Refusal(f"{d.name}: fewer than two {of}s are named in the seats")
    code = found - ("" in named)  # "" is the first of all
    who = np.array(named)[found]
    have = d.seats.collect_schema().names()
    place = games.seat_values("rank").astype(np.float64) if "rank" in have else -games.win_share
    player = (
        games.seat_values("player").astype(np.int64) if "player" in have else np.zeros(len(code), dtype=int)
    )
    parts: list[tuple[Whole, ...]] = []
    for s in range(int(games.players.max())):
        for t in range(s + 1, int(games.players.max())):
            rows = np.flatnonzero(games.players > t)
            apart = games.side[games.first_row[rows] + s] != games.side[games.first_row[rows] + t]
            rows = rows[apart]  # partners are no opponents
            one, other = games.first_row[rows] + s, games.first_row[rows] + t
            # Of two seats with one name, the player named first in the experiment counts as the first.
            back = (code[one] > code[other]) | ((code[one] == code[other]) & (player[one] > player[other]))
            first, second = np.where(back, other, one), np.where(back, one, other)
            parts.append((rows, first, second))
    game, first, second = (np.concatenate([part[k] for part in parts]) for k in range(3))
    score = 0.5 + 0.5 * np.sign(place[second] - place[first])
    use = (code[first] >= 0) & (code[second] >= 0)
    return Pairings(
        games,
        of,
        names,
        game[use],
        code[first][use],
        code[second][use],
        score[use],
        (first < second)[use],
        _alike(games, of, who, names),
    )


def _alike(games: Games, of: str, who: NDArray[Any], names: list[str]) -> NDArray[np.bool_]:
    """Which names are of players that are alike: the same bot and deck always, and no setting that differs."""
    same = np.eye(len(names), dtype=bool)
    if of != "player":
        return same
    seats = [games.who(kind) for kind in ("bot", "deck") if kind in games.data.seats.collect_schema().names()]
    kinds: dict[str, Any] = {
        name: sorted({tuple(part[at] for part in seats) for at in np.flatnonzero(who == name)})
        for name in names
    }
    listed = (games.data.manifest.get("experiment") or {}).get("player") or {}
    own = (
        listed if isinstance(listed, dict) else {str(e.get("name")): e for e in listed if isinstance(e, dict)}
    )
    for name in names:
        settings = {k: v for k, v in dict(own.get(name) or {}).items() if k not in ("name", "bot", "deck")}
        kinds[name] = (kinds[name], repr(sorted(settings.items(), key=str)))
    for i, j in np.argwhere(~same):
        same[i, j] = kinds[names[i]] == kinds[names[j]]
    return same


def matchups(d: Dataset, of: str | None = None) -> pl.DataFrame:
    """The matrix of who finishes ahead of whom (P6).

    Parameters
    ----------
    of : str, optional
        ``deck``, ``player`` or ``bot``; by default the first of them of which there are several.

    Returns
    -------
    polars.DataFrame
        ``row, column, estimate, low, high, p, q, verdict, eb, eb_low, eb_high, mirror, tells, games, deals,
        blocks, method, note``. ``estimate`` is the share of pairings that `row` wins; both directions have a row
        and add up to 1. A ``mirror`` pairs players that are alike, under one name or two: no result. Where they
        changed seats it must be 1/2 (``tells``: ``check``); where they did not, it is what the earlier seat wins
        (``tells``: ``seat``); ``p`` tests that it is 1/2. ``eb`` shrinks toward 1/2. Pairs that never met have
        no row.
    """
    import polars as pl

    pairs = read_pairings(d, of)
    margin, k = d.judge.seat, len(pairs.names)
    rows: list[dict[str, Any]] = []
    found: list[stats.Estimates] = []
    turned = d.manifest.get("rotations")
    code = pairs.first * k + pairs.second
    for pair in np.unique(code):
        i, j = divmod(int(pair), k)
        at = np.flatnonzero(code == pair)
        blocks = pairs.games.blocks[pairs.game[at]]
        mean, cov = stats.block_means(pairs.score[at][:, None], blocks)
        found.append(stats.shares(mean, cov[0], blocks))
        behind = pairs.games.behind(np.unique(pairs.game[at]), "mean score of the pairing", blocks)
        alike = bool(pairs.alike[i, j])
        fixed = alike and bool(pairs.earlier[at].all() or not pairs.earlier[at].any())
        if fixed:
            still = "alike, and they did not change seats: what the earlier seat wins"
            behind["note"] = f"{behind['note']}; {still}" if behind["note"] else still
        elif turned is False:
            still = "seats were not exchanged: the seat is part of it"
            behind["note"] = f"{behind['note']}; {still}" if behind["note"] else still
        rows.append(
            {
                "row": pairs.names[i],
                "column": pairs.names[j],
                "mirror": alike,
                "tells": ("seat" if fixed else "check") if alike else None,
                **behind,
            }
        )
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    mirror, every = frame["mirror"].to_numpy(), stats.join(found)
    low, high = every.interval()
    shrunk = stats.empirical_bayes(np.where(mirror, np.nan, every.value), every.se, centre=0.5)
    at = np.flatnonzero(~mirror)
    ruled = stats.judge(
        every[at],
        0.5 - margin,
        0.5 + margin,
        stats.DUEL,
        shrunk=shrunk.estimate[at],
        instead=pairs.games.no_verdict,
    )
    q, words = np.full(len(every), np.nan), np.full(len(every), None, dtype=object)
    q[at], words[at] = ruled.q, ruled.words
    eb, eb_se = np.where(mirror, 0.5, shrunk.estimate), np.where(mirror, 0.0, shrunk.se)
    columns = {"estimate": every.value, "low": low, "high": high, "p": every.p(0.5), "q": q, "eb": eb}
    columns |= {"eb_low": eb - 1.96 * eb_se, "eb_high": eb + 1.96 * eb_se}
    frame = frame.with_columns(
        *(pl.Series(name, values, nan_to_null=True) for name, values in columns.items()),
        pl.Series("verdict", words.tolist(), dtype=pl.String),
    )
    other = frame.filter(pl.col("row") != pl.col("column")).with_columns(
        row=pl.col("column"),
        column=pl.col("row"),
        estimate=1 - pl.col("estimate"),
        low=1 - pl.col("high"),
        high=1 - pl.col("low"),
        eb=1 - pl.col("eb"),
        eb_low=1 - pl.col("eb_high"),
        eb_high=1 - pl.col("eb_low"),
        verdict=pl.col("verdict").replace(TURNED),
    )
    head = [
        "row",
        "column",
        "estimate",
        "low",
        "high",
        "p",
        "q",
        "verdict",
        "eb",
        "eb_low",
        "eb_high",
        "mirror",
        "tells",
    ]
    both = pl.concat([frame, other.select(frame.columns)]).sort("row", "column")
    return tidy(both.with_columns(of=pl.lit(pairs.of)), head)


def standing(d: Dataset, of: str | None = None) -> pl.DataFrame:
    """How each deck, player or bot stands against the field, and its part in the equilibrium.

    Returns
    -------
    polars.DataFrame
        ``name, estimate, low, high, p, q, opponents, nash, nash_low, nash_high, games, deals, blocks, method,
        note``. ``estimate`` is the mean score against each opponent met, opponents counting alike. ``nash``
        is the share in the most even equilibrium of the shrunken matrix: how often a field that nobody can
        exploit would bring it (null where some pair never met), with its range over what the matrix may be.
        Players that are alike are no opponents of each other, and share one part of the equilibrium alike.
    """
    import polars as pl

    pairs = read_pairings(d, of)
    k, games = len(pairs.names), pairs.games
    met = ~pairs.alike[pairs.first, pairs.second]
    code = pairs.first * k + pairs.second
    size = np.bincount(code[met], minlength=k * k).astype(np.float64)
    mean = np.bincount(code[met], weights=pairs.score[met], minlength=k * k) / np.maximum(size, 1)
    rows: list[dict[str, Any]] = []
    for i, name in enumerate(pairs.names):
        at = np.flatnonzero(met & ((pairs.first == i) | (pairs.second == i)))
        if len(at) == 0:
            continue
        sign = np.where(pairs.first[at] == i, 1.0, -1.0)
        own = 0.5 + sign * (pairs.score[at] - 0.5)
        own_mean = 0.5 + sign * (mean[code[at]] - 0.5)
        opponents = len(np.unique(code[at]))
        blocks = games.blocks[pairs.game[at]]
        influence = (own - own_mean) / (size[code[at]] * opponents)
        value = float((own_mean / size[code[at]]).sum() / opponents)
        found = stats.shares(value, stats.covariance(influence[:, None], blocks)[0], blocks)
        low, high = found.interval()
        head = {"name": name, "of": pairs.of, "estimate": value, "low": low[0], "high": high[0]}
        behind = games.behind(np.unique(pairs.game[at]), "mean over opponents of the score", blocks)
        rows.append({**head, "p": found.p(0.5)[0], "opponents": opponents, **behind})
    if not rows:
        raise Refusal(f"{d.name}: no two {pairs.of}s that differ met as opponents: those who met are alike")
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    kept = [pairs.names.index(name) for name in frame["name"]]
    nash = _equilibrium(matchups(d, of), frame["name"].to_list(), pairs.alike[np.ix_(kept, kept)])
    frame = frame.with_columns(
        pl.Series("q", stats.bh(floats(frame, "p")), nan_to_null=True),
        *(pl.Series(f"nash{end}", part, nan_to_null=True) for end, part in zip(("", "_low", "_high"), nash)),
    )
    head_names = ["name", "estimate", "low", "high", "p", "q", "opponents", "nash", "nash_low", "nash_high"]
    return tidy(frame.sort("estimate", "name", descending=[True, False]), head_names)


def _equilibrium(
    frame: pl.DataFrame, names: list[str], alike: NDArray[np.bool_]
) -> tuple[Floats, Floats, Floats]:
    """Mass of each name in the equilibrium of the shrunken matrix, and its 95 % range over draws of the matrix.

    Names that are `alike` are one class: its row is the mean of theirs, and its mass is shared out among them.
    """
    k = len(names)
    value, error = np.full((k, k), np.nan), np.zeros((k, k))
    for r in frame.filter(~frame["mirror"]).iter_rows(named=True):
        if r["row"] in names and r["column"] in names and r["eb"] is not None and r["eb_low"] is not None:
            at = names.index(r["row"]), names.index(r["column"])
            value[at], error[at] = r["eb"], (r["eb_high"] - r["eb_low"]) / (2 * 1.96)
    kinds = np.unique(np.argmax(alike, axis=1), return_inverse=True)[1].ravel()
    n = int(kinds.max()) + 1
    share, noise = np.full((n, n), np.nan), np.zeros((n, n))
    for a, b in np.ndindex(n, n):
        part = np.ix_(kinds == a, kinds == b)
        known = np.isfinite(value[part])
        if a == b:
            share[a, b] = 0.5
        elif known.any():
            share[a, b] = value[part][known].mean()
            noise[a, b] = np.sqrt(np.square(error[part][known]).sum()) / known.sum()
    if np.isnan(share).any():
        return (np.full(k, np.nan),) * 3
    rng = np.random.default_rng(20_013)
    upper = np.triu(np.ones((n, n), dtype=bool), 1)
    drawn = []
    for _ in range(DRAWS):
        luck = np.where(upper, rng.standard_normal((n, n)) * noise, 0.0)
        drawn.append(nash(np.clip(share + luck - luck.T, 0.0, 1.0), even=False))
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    members = np.bincount(kinds)[kinds]
    mass, low, high = (part[kinds] / members for part in (nash(share), low, high))
    return mass, low, high


def nash(score: Floats, even: bool = True) -> Floats:
    """The equilibrium (k,) of a symmetric game with scores (k, k), ``score[i, j] + score[j, i] = 1``.

    Where there are several, the one of greatest entropy, so that copies of one deck share its part (`even`;
    otherwise any one of them, which is quicker).
    """
    from scipy.optimize import linprog, minimize

    gain = np.asarray(score, dtype=np.float64) - 0.5
    k = len(gain)
    found = linprog(
        np.zeros(k), A_ub=-gain.T, b_ub=np.full(k, 1e-9), A_eq=np.ones((1, k)), b_eq=[1.0], bounds=(0, 1)
    )
    x = np.clip(found.x, 0.0, None) if found.x is not None else np.full(k, 1.0 / k)
    x /= x.sum()
    if not even:
        return np.asarray(x)
    start = np.clip(0.9 * x + 0.1 / k, 1e-9, 1.0)
    how: dict[str, Any] = {
        "jac": lambda y: np.log(np.maximum(y, 1e-12)) + 1.0,
        "bounds": [(0.0, 1.0)] * k,
        "constraints": [
            {"type": "eq", "fun": lambda y: y.sum() - 1.0, "jac": lambda _: np.ones(k)},
            {"type": "ineq", "fun": lambda y: gain.T @ y + 1e-9, "jac": lambda _: gain.T},
        ],
        "method": "SLSQP",
        "options": {"maxiter": 300, "ftol": 1e-10},
    }

    def order(y: Floats) -> float:
        return float(np.sum(y * np.log(np.maximum(y, 1e-12))))

    best = minimize(order, start, **how)
    y = np.clip(best.x, 0.0, None)
    fine = best.success and (gain.T @ y).min() > -1e-6
    return np.asarray(y / y.sum() if fine else x)
