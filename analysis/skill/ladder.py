"""The ladder of play: how much stronger is each bot, and what does twice the thinking buy? (S1, S2)

Ratings come from one conditional logit of who won, with the bot and the seat of each player as what may matter
(Bradley and Terry 1952, for any number of seats), errors by deal. They are told in points of Elo: 400 points are odds
of ten to one. A rating speaks of all who met, so a bot that exploits one weak opponent is not taken for a strong one;
the share against each opponent is `analysis.matchups`.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal, nearest
from analysis.data.frames import Games, read_games, tidy

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]

ELO = 400 / math.log(10)
"""Points of Elo that make the odds e to 1."""
BUDGET = re.compile(r"(?<=[:,])playouts=(\d+)")


def budget_of(bot: str) -> int | None:
    """Return the playouts that a bot's label names; None where it names none."""
    found = BUDGET.search(bot)
    return int(found[1]) if found else None


def family_of(bot: str) -> str:
    """Return a bot's label without its budget: what is the same on all rungs of one ladder."""
    name, _, options = bot.partition(":")
    rest = [part for part in options.split(",") if part and not part.startswith("playouts=")]
    return name + (":" + ",".join(rest) if rest else "")


def ladder(d: Dataset, base: str | None = None) -> pl.DataFrame:
    """Ratings of the bots of a data set, and the gain of each step up in budget.

    Parameters
    ----------
    base : str, optional
        The bot whose rating is 0; by default ``greedy``, else the one that searches least.

    Returns
    -------
    polars.DataFrame
        ``bot, family, playouts, estimate, low, high`` (points of Elo above `base`), ``below`` (the next lower budget
        of the family), ``doublings`` (from it), ``gain, gain_low, gain_high`` (points of Elo a doubling), ``q`` (of
        that gain, corrected over all gains), ``verdict`` (``stronger``, ``no stronger`` or ``undecided``: whether the
        step shows beyond chance, or lies within the `[judge]` margin for seats), ``first_seat`` (win share of the
        first seat among its like: how the seat's worth moves with play), ``games, deals, blocks, method, note``.
        Strongest first. A bot that never won anything from others, or lost nothing, has no finite rating: `estimate`
        is null, and so is the end of its interval that is open.

    Raises
    ------
    Refusal
        Fewer than two bots, or bots that never met (some rating then has no meaning).
    """
    import polars as pl

    games = read_games(d)
    named, bots = games.named("bot")
    names = sorted(bots, key=lambda bot: (budget_of(bot) or 0, bot))
    if len(names) < 2:
        raise Refusal(f"{d.name}: one kind of bot played; a ladder needs several that meet")
    if base is not None and base not in names:
        raise Refusal(f"{d.name}: no bot is called '{base}'{nearest(base, names)}")
    zero = names.index(base or ("greedy" if "greedy" in names else names[0]))
    code = np.array([names.index(bot) for bot in bots])[named]
    fit = _fit(games, code, len(names))
    contrasts = np.zeros((len(names), fit.beta.shape[0]))
    contrasts[np.arange(len(names)), np.arange(len(names))] = 1.0
    contrasts[:, zero] -= 1.0
    at = [k for k in range(len(names)) if k != zero]
    if not fit.identified(contrasts[at]).all():
        lost = [names[k] for k in at if not fit.identified(contrasts[[k]])[0]]
        raise Refusal(
            f"{d.name}: {', '.join(lost)} and {names[zero]} never met, not even by way of other bots"
        )
    rating, rating_se = _told(fit, contrasts)
    found = stats.effects(rating, rating_se, fit.blocks.number, ELO)
    low, high = found.interval()
    records = [_record(games, code, k) if k != zero else 0 for k in range(len(names))]
    open_ended = [k for k in range(len(names)) if records[k]]
    rating[open_ended] = np.nan
    ends = {k: _end(games, code, rating, k, records[k]) for k in open_ended}
    steps = [step for step in _steps(names) if not records[step[0]] and not records[step[1]]]
    rows: list[dict[str, Any]] = []
    for k, name in enumerate(names):
        own = np.flatnonzero(np.bincount(games.game[code == k], minlength=len(games)) > 0)
        rows.append(
            {
                "bot": name,
                "family": family_of(name),
                "playouts": budget_of(name),
                "estimate": rating[k],
                "low": 0.0 if k == zero else low[k],
                "high": 0.0 if k == zero else high[k],
                "first_seat": _first_seat(games, code, k),
                **games.behind(own, "conditional logit of who won on bot and seat"),
            }
        )
        if records[k]:
            rows[-1] |= {
                "estimate": None,
                "low": None,
                "high": None,
                ("high" if records[k] < 0 else "low"): ends[k],
            }
            said = "never won" if records[k] < 0 else "always won"
            rows[-1]["note"] = "; ".join(
                filter(None, (rows[-1]["note"], f"{said}: the rating has one end only"))
            )
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    frame = frame.with_columns(**_gains(fit, names, steps, d.judge.seat))
    head = ["bot", "family", "playouts", "estimate", "low", "high", "below", "doublings"]
    head += ["gain", "gain_low", "gain_high", "q", "verdict", "first_seat"]
    frame = frame.sort(pl.coalesce("estimate", "high", "low"), "bot", descending=[True, False])
    return tidy(frame, head)


def _fit(games: Games, code: NDArray[np.int64], k: int) -> stats.LogitFit:
    """The conditional logit on dummies of bots and of seats; games of one bot alone tell of seats only."""
    most = int(games.players.max())
    x = np.zeros((len(code), k + most), dtype=np.int8)
    x[np.arange(len(code)), code] = 1
    x[np.arange(len(code)), k + games.seat] = 1
    rows = np.arange(len(games))
    padded, credit, mask = games.choices(x, rows)
    return stats.conditional_logit(padded, credit, games.blocks, mask)


def _record(games: Games, code: NDArray[np.int64], k: int) -> int:
    """Return -1 for a bot that won nothing from others, 1 for one that lost nothing to them, else 0."""
    own = np.bincount(games.game, weights=code == k, minlength=len(games))
    won = np.bincount(games.game, weights=np.where(code == k, games.win_share, 0.0), minlength=len(games))
    every = np.bincount(games.game, weights=games.win_share, minlength=len(games))
    mixed = (own > 0) & (own < games.players) & (every > 0)
    if not mixed.any():
        return 0
    return -1 if not won[mixed].any() else int((won[mixed] == every[mixed]).all())


def _end(games: Games, code: NDArray[np.int64], rating: Floats, k: int, record: int) -> float | None:
    """Return the rating at which a record without a win (-1) or a loss (1) has a chance of one in forty.

    Games of one deal against the same others count as one; seats are left aside.
    """
    strength = np.bincount(games.game, weights=np.exp(np.where(code == k, -np.inf, rating[code]) / ELO))
    own = np.bincount(games.game, weights=code == k, minlength=len(games))
    use = (own > 0) & (own < games.players) & np.isfinite(strength)
    if not use.any():
        return None
    met = np.unique(np.stack([games.blocks.deal[use], strength[use], own[use]], axis=1), axis=0)
    deals = len(met) / int(use.sum())
    low, high = -10_000.0, 10_000.0
    for _ in range(60):
        middle = (low + high) / 2
        odds = own[use] * math.exp(middle / ELO) / strength[use]
        chance = deals * -np.log1p(odds if record < 0 else 1 / odds).sum()
        if (chance > math.log(0.025)) == (record < 0):
            low = middle
        else:
            high = middle
    return low


def _told(fit: stats.LogitFit, contrasts: Floats) -> tuple[Floats, Floats]:
    value, cov = fit.contrast(contrasts)
    return ELO * value, ELO * np.sqrt(np.clip(np.diag(cov), 0.0, None))


def _steps(names: list[str]) -> list[tuple[int, int]]:
    """Pairs (rung, the next lower rung of its family), as places in `names`."""
    steps = []
    for k, name in enumerate(names):
        budget = budget_of(name)
        lower = [
            (budget_of(other) or 0, j)
            for j, other in enumerate(names)
            if budget is not None
            and family_of(other) == family_of(name)
            and (budget_of(other) or budget) < budget
        ]
        if lower:
            steps.append((k, max(lower)[1]))
    return steps


def _gains(
    fit: stats.LogitFit, names: list[str], steps: list[tuple[int, int]], margin: float
) -> dict[str, Any]:
    """Columns of the gain by doubling, null where a bot has no lower rung."""
    import polars as pl

    columns: dict[str, list[Any]] = {
        name: [None] * len(names)
        for name in ("below", "doublings", "gain", "gain_low", "gain_high", "q", "verdict")
    }
    if steps:
        contrasts = np.zeros((len(steps), fit.beta.shape[0]))
        doublings = np.zeros(len(steps))
        for row, (upper, lower) in enumerate(steps):
            doublings[row] = math.log2((budget_of(names[upper]) or 1) / (budget_of(names[lower]) or 1))
            contrasts[row, upper], contrasts[row, lower] = 1 / doublings[row], -1 / doublings[row]
        value, se = _told(fit, contrasts)
        found = stats.effects(value, se, fit.blocks.number, ELO)
        low, high = found.interval()
        q = stats.bh(found.p(0.0))
        # What a win share of a half and the margin is in points: a doubling that brings less is none to speak of.
        little = ELO * math.log((0.5 + margin) / (0.5 - margin))
        none = found.p_within(-little, little)
        for row, (upper, lower) in enumerate(steps):
            word = "undecided"
            if found.enough[row] and q[row] < 0.05 and value[row] > 0:
                word = "stronger"
            elif found.enough[row] and none[row] * len(steps) < 0.05:
                word = "no stronger"
            told = (names[lower], doublings[row], value[row], low[row], high[row], q[row], word)
            for name, entry in zip(columns, told, strict=True):
                columns[name][upper] = entry
    text = {"below", "verdict"}
    return {
        name: pl.Series(name, values, dtype=pl.String if name in text else pl.Float64, nan_to_null=True)
        for name, values in columns.items()
    }


def _first_seat(games: Games, code: NDArray[np.int64], k: int) -> float | None:
    """Mean win share of the first seat where only bot `k` plays; None where it never played among its like."""
    unlike = np.add.reduceat((code != k).astype(np.int64), games.first_row)
    first = (unlike[games.game] == 0) & (games.seat == 0)
    return float(np.mean(games.win_share[first])) if first.any() else None
