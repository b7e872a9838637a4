"""Has an answer settled while games came in? (X2)"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import read_games, tidy
from analysis.pieces.strength import piece_model

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]

STEPS = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0)
FIRST_LOOK = 100  # blocks before which a confidence sequence is not read


def convergence(d: Dataset) -> pl.DataFrame:
    """Win shares of the seats, and agreement of two halves on the pieces, as the deals came in.

    Returns
    -------
    polars.DataFrame
        ``players, sides, what`` (``seat``, or ``pieces``), ``about, deals_so_far, estimate, low, high``, and
        ``settled``: every later estimate lay within this interval. ``seat``: the win share after so many deals; the
        interval is a confidence sequence, which holds at all looks at once, at 95 %. ``pieces``: rank correlation
        (Spearman) of the pieces' strengths between the even and the odd ones of so many deals, which have no game in
        common; no interval. ``games, deals, blocks, method, note``.

    Notes
    -----
    The sequence is the asymptotic one of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024), theorem 2.2, tightest
    at half of the blocks that there are, from `FIRST_LOOK` blocks on. Deals come in their order, not as they finished.
    """
    import polars as pl

    games = read_games(d)
    rows: list[dict[str, Any]] = []
    for labels, members in games.groups(split_players=True):
        won = games.pad(games.win_share, members)
        deal = np.unique(games.blocks[members].deal, return_inverse=True)[1].ravel()
        size = np.bincount(deal).astype(np.float64)
        behind = games.average(members, "mean of deals, confidence sequence")
        for seat in range(won.shape[1]):
            total = np.asarray(np.bincount(deal, weights=won[:, seat]), dtype=np.float64)
            mean, low, high = sequence(total, size)
            looks = [max(int(len(size) * step), 1) for step in STEPS]
            for n in dict.fromkeys(looks):
                later = [mean[k - 1] for k in looks if k > n]
                inside = all(low[n - 1] <= value <= high[n - 1] for value in later)
                row = {"what": "seat", "about": str(seat), "deals_so_far": n, "estimate": mean[n - 1]}
                row |= {"low": low[n - 1], "high": high[n - 1], "settled": inside if later else None}
                rows.append({**labels, **row, **behind})
    rows += _pieces(d)
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    return tidy(
        frame, ["players", "sides", "what", "about", "deals_so_far", "estimate", "low", "high", "settled"]
    )


def sequence(total: Floats, size: Floats, alpha: float = stats.ALPHA) -> tuple[Floats, Floats, Floats]:
    """Running ratio of two sums over blocks, and a confidence sequence for it; NaN before `FIRST_LOOK` blocks."""
    n = np.arange(1, len(total) + 1)
    below = np.cumsum(size)
    mean = np.cumsum(total) / below
    # Variance of the blocks about the running ratio, in blocks of the mean size.
    square = np.cumsum(total**2) - 2 * mean * np.cumsum(total * size) + mean**2 * np.cumsum(size**2)
    variance = square / n / np.square(below / n)
    best = max(len(total) / 2, 1.0)
    rho2 = (-2 * np.log(alpha) + np.log(-2 * np.log(alpha) + 1)) / best
    with np.errstate(invalid="ignore"):
        half = np.sqrt(
            np.clip(variance, 0.0, None)
            * 2
            * (n * rho2 + 1)
            / (n**2 * rho2)
            * np.log(np.sqrt(n * rho2 + 1) / alpha)
        )
    half = np.where(n < FIRST_LOOK, np.nan, half)
    return mean, mean - half, mean + half


def _pieces(d: Dataset) -> list[dict[str, Any]]:
    if not d.manifest.get("lever") or not d.has("pieces"):
        return []
    try:
        model = piece_model(d)
    except Refusal:
        return []
    deal = np.unique(model.games.blocks.deal, return_inverse=True)[1].ravel()
    deals = int(deal.max()) + 1
    if deals < 2:
        return []  # one deal has no halves
    rows = []
    for step in STEPS:
        n = max(int(deals * step), 2)
        halves = [np.flatnonzero((deal < n) & (deal % 2 == k)) for k in (0, 1)]
        strength = [_strength(model, half) for half in halves]
        both = np.isfinite(strength[0]) & np.isfinite(strength[1])
        agree = _spearman(strength[0][both], strength[1][both]) if both.sum() > 2 else float("nan")
        members = np.concatenate(halves)
        row: dict[str, Any] = {
            "players": None,
            "sides": None,
            "what": "pieces",
            "about": None,
            "deals_so_far": n,
        }
        row |= {"estimate": agree, "low": None, "high": None, "settled": None}
        rows.append(
            {**row, **model.games.average(np.sort(members), "rank correlation of two halves of the deals")}
        )
    return rows


def _strength(model: Any, rows: NDArray[np.int64]) -> Floats:
    fit = model.fit(rows)
    wanted, _ = model.contrasts(model.present(rows), [fit])
    return np.asarray(wanted @ fit.beta) if fit.converged else np.full(len(wanted), np.nan)


def _spearman(one: Floats, other: Floats) -> float:
    from scipy.stats import rankdata

    return float(np.corrcoef(rankdata(one), rankdata(other))[0, 1])
