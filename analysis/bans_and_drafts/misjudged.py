"""Is what players take and ban what is strong? (D4, B4)"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.bans_and_drafts.ban_effects import COLUMN, names_in
from analysis.bans_and_drafts.drafts import CHOSEN, draft_picks, offered_taken_played
from analysis.data.errors import Refusal
from analysis.data.frames import Games, read_games, tidy
from analysis.pieces.strength import goes_with_winning, piece_strength

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]

FEWEST_PIECES = 5  # with fewer there is no line to stray from
BAN = "ban"  # the kind of decision that bans a piece
HEAD = (
    "piece",
    "chosen",
    "chosen_low",
    "chosen_high",
    "worth",
    "worth_low",
    "worth_high",
    "expected",
    "estimate",
)


def picks_against_worth(d: Dataset, strength: Dataset | None = None) -> pl.DataFrame:
    """Where choosers of a draft misjudge: what a piece is worth, less what pieces picked as eagerly are worth (D4).

    Parameters
    ----------
    strength : Dataset, optional
        Games in which the pieces were assigned at random; by default worth is what a copy to choose from adds in the
        drafts themselves, which is a cause too.

    Returns
    -------
    polars.DataFrame
        ``piece, chosen, chosen_low, chosen_high`` (pick value: points of chance that a copy adds to its pile),
        ``worth, worth_low, worth_high`` (win share a copy against the average other piece), ``expected`` (worth on
        the line through all other pieces), ``estimate, low, high`` (worth less expected), ``p, q, flag`` (``better
        than its picks`` or ``worse than its picks``, where beyond the scatter of the others), ``slope, slope_low,
        slope_high`` (of that line over all pieces: above 0, the choosers prefer what is strong), ``source`` (of the
        worth), ``games, deals, blocks, method, note``. Furthest from its picks first.

    Notes
    -----
    The deleted residual of each piece (Belsley, Kuh and Welsch 1980), in units of the scatter of the other pieces
    about their own line and of the errors of the worths, whichever is larger: a piece that is misjudged does not bend
    the line that it is measured by. Where the choice has nothing to do with worth at all, the slope says so, and no
    piece stands out.
    """
    picks = draft_picks(d)
    if strength is not None:
        worth, source = piece_strength(strength), f"random assignment in {strength.name}"
    else:
        import polars as pl

        worth = offered_taken_played(d).filter(pl.col("measure") == CHOSEN)
        source = "copies to choose from, in these drafts"
    chosen = {row["piece"]: (row["estimate"], row["low"], row["high"]) for row in picks.iter_rows(named=True)}
    words = ("better than its picks", "worse than its picks")
    behind = {name: picks[name][0] for name in ("games", "deals", "blocks", "note")}
    return _against(
        d, chosen, worth, source, words, {**behind, "method": "deleted residuals of worth on pick value"}
    )


def bans_against_worth(d: Dataset, strength: Dataset | None = None) -> pl.DataFrame:
    """Do those who ban, ban what is strong? How often each piece is banned, against what it is worth (B4).

    Bans are choices of play: decisions of the kind ``ban`` (log = "decisions"), or the bans of imported games. Bans
    that an experiment drew or varied were chosen by nobody, and are refused.

    Parameters
    ----------
    strength : Dataset, optional
        Games that tell what the pieces are worth; by default these, where they were not banned.

    Returns
    -------
    polars.DataFrame
        As `picks_against_worth`, with ``chosen`` the share of games in which the piece was banned, and the flags
        ``better than its bans`` and ``worse than its bans``; ``slope`` is win share for a ban in every game. Where
        the pieces were not assigned by chance, their worth goes with winning only, and ``source`` says so.
    """
    import polars as pl

    games = read_games(d)
    banned = _banned(d, games)
    names = d.piece_names
    d_worth = strength or d
    if d_worth.manifest.get("lever"):
        worth = piece_strength(d_worth)
        source = "assigned by chance"
    else:
        worth = goes_with_winning(d_worth).filter(pl.col("measure") == "owned")
        source = "goes with winning; no cause"
    source += f", in {strength.name}" if strength is not None else ", in these games"
    rows = np.arange(len(games))
    behind = games.average(rows, "deleted residuals of worth on how often it is banned")
    mean, cov = stats.block_means(banned, games.blocks)
    low, high = stats.shares(mean, np.diag(cov), games.blocks).interval()
    chosen = dict(zip(names, zip(mean, low, high, strict=True), strict=True))
    return _against(d, chosen, worth, source, ("better than its bans", "worse than its bans"), behind)


def _banned(d: Dataset, games: Games) -> Floats:
    """Whether each piece was banned in each game; refuses data in which nobody chose bans."""
    import polars as pl

    names = d.piece_names
    if COLUMN in d.drawn and not d.manifest.get("imported"):
        raise Refusal(f"{d.name}: the bans were drawn for each deal, so nobody chose them")
    out = np.zeros((len(games), len(names)))
    place = {name: k for k, name in enumerate(names)}
    if COLUMN in d.games.collect_schema().names():
        texts = read_games(d, extra=[COLUMN]).frame[COLUMN].cast(pl.String).fill_null("none").to_list()
        for text in set(texts):
            own = [place[name] for name in names_in(text) if name in place]
            out[np.ix_(np.flatnonzero([one == text for one in texts]), np.array(own, dtype=np.int64))] = 1.0
    elif d.has("decisions"):
        kind = pl.col("kind").cast(pl.String)
        frame = (
            d.decisions.filter(kind == BAN)
            .select("game_id", pl.col("piece").cast(pl.String))
            .unique()
            .collect()
        )
        at = np.searchsorted(games.frame["game_id"].to_numpy(), frame["game_id"].to_numpy())
        for game, name in zip(at, frame["piece"], strict=True):
            if name in place:
                out[game, place[name]] = 1.0
    if not out.any():
        raise Refusal(
            f"{d.name}: nobody chose a ban (neither a column 'bans' of imported games "
            f"nor decisions of the kind '{BAN}')"
        )
    return out


def _against(
    d: Dataset,
    chosen: dict[str, tuple[Any, Any, Any]],
    worth: pl.DataFrame,
    source: str,
    words: tuple[str, str],
    behind: dict[str, Any],
) -> pl.DataFrame:
    """The frame: each piece's worth set against the line of worth on choice through all the others."""
    import polars as pl

    known = {
        row["piece"]: row
        for row in worth.iter_rows(named=True)
        if row["estimate"] is not None and row["low"] is not None
    }
    names = [name for name, one in chosen.items() if name in known and one[0] is not None]
    if len(names) < FEWEST_PIECES:
        raise Refusal(
            f"{d.name}: fewer than {FEWEST_PIECES} pieces have both a choice and a worth to compare"
        )
    x = np.array([chosen[name][0] for name in names], dtype=np.float64)
    y = np.array([known[name]["estimate"] for name in names], dtype=np.float64)
    if np.ptp(x) < 1e-9:
        raise Refusal(f"{d.name}: all pieces were chosen alike")
    error = np.array([(known[name]["high"] - known[name]["low"]) / 2 / 1.96 for name in names])
    slope, (slope_low, slope_high) = _slope(x, y, error)
    rows: list[dict[str, Any]] = []
    residuals = [_deleted(x, y, error, k) for k in range(len(names))]
    found = stats.effects([r[1] for r in residuals], [r[2] for r in residuals], len(names) - 2)
    low, high = found.interval()
    p = found.p()
    for k, name in enumerate(names):
        row: dict[str, Any] = {"piece": name, "chosen": x[k]}
        row |= {"chosen_low": chosen[name][1], "chosen_high": chosen[name][2], "worth": y[k]}
        row |= {
            "worth_low": known[name]["low"],
            "worth_high": known[name]["high"],
            "expected": residuals[k][0],
        }
        row |= {"estimate": residuals[k][1], "low": low[k], "high": high[k], "p": p[k]}
        rows.append(
            row | {"slope": slope, "slope_low": slope_low, "slope_high": slope_high, "source": source}
        )
    for row, q in zip(rows, stats.bh(p), strict=True):
        clear = q < stats.ALPHA and not d.conditioned
        row |= {"q": q, "flag": words[0 if row["estimate"] > 0 else 1] if clear else "", **behind}
    rows.sort(key=lambda row: -abs(row["estimate"]))
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    return tidy(frame, [*HEAD, "low", "high", "p", "q", "flag", "slope", "slope_low", "slope_high", "source"])


def _line(x: Floats, y: Floats, error: Floats) -> tuple[float, float, float, float]:
    """Mean of x, level and slope of a line, and its scatter: that seen, or that of the errors where it is larger."""
    middle = float(x.mean())
    square = float(np.square(x - middle).sum())
    slope = float((x - middle) @ y) / square if square > 0 else 0.0
    left = y - y.mean() - slope * (x - middle)
    seen = float(left @ left) / max(len(x) - 2, 1)
    return middle, float(y.mean()), slope, float(np.sqrt(max(seen, float(np.mean(error**2)))))


def _slope(x: Floats, y: Floats, error: Floats) -> tuple[float, tuple[float, float]]:
    middle, _, slope, scatter = _line(x, y, error)
    se = scatter / float(np.sqrt(np.square(x - middle).sum()))
    low, high = stats.effects(slope, se, len(x) - 1).interval()
    return slope, (float(low[0]), float(high[0]))


def _deleted(x: Floats, y: Floats, error: Floats, k: int) -> tuple[float, float, float]:
    """What a piece should be worth by the others, how far it is from that, and the error of that."""
    rest = np.arange(len(x)) != k
    middle, level, slope, scatter = _line(x[rest], y[rest], error[rest])
    square = max(float(np.square(x[rest] - middle).sum()), 1e-12)
    expected = level + slope * (x[k] - middle)
    far = 1 / (len(x) - 1) + (x[k] - middle) ** 2 / square
    return expected, float(y[k] - expected), float(np.sqrt(max(scatter**2, error[k] ** 2) + scatter**2 * far))
