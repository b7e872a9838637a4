"""Which set of bans makes the game most even? (B3)

Many sets with few games each: the most even one *as seen* is mostly the luckiest one. Every gap of a set (of
each seat from fair, of each piece from the average piece) is therefore shrunk toward what the single bans
predict for it, and the best sets are played again on fresh deals before anybody believes them.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.bans_and_drafts.ban_effects import COLUMN, names_in, set_columns
from analysis.data.errors import Refusal
from analysis.data.frames import Games, read_games, tidy
from analysis.stats.blocks import FEWEST_BLOCKS
from analysis.stats.verdicts import TOO_FEW

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

DRAWS = 1_000
MOST_EVEN, LESS_EVEN = "among the most even", "less even"
FEWEST_SETS = 3
SPARE = 5  # more sets than this beyond the single bans, and the single bans predict
FRESH = 7_919  # added to the seed for games that verify


def ban_sets(d: Dataset) -> pl.DataFrame:
    """How even the game is under each set of bans, most even first.

    Returns
    -------
    polars.DataFrame
        ``players, sides, bans, tier, estimate, low, high, best, verdict, seats, pieces, raw_seats, raw_pieces,
        games, deals, method, note``. ``estimate`` is how far a seat (``seats``) and a piece (``pieces``) typically
        lie from even, in win share, added up as far as [judge] even counts them; the ``raw`` gaps are as
        seen, not shrunk, with the noise in them. Sets of one ``tier`` cannot be told from its first set;
        ``best`` is the chance of being the most even of all. ``verdict`` is ``among the most even`` (tier 1),
        ``less even``, or ``too few to say`` of a set that was played on fewer than ten deals: it has neither tier
        nor chance, for what is said of it comes from the other sets.
    """
    import polars as pl

    column = (set_columns(d) or [COLUMN])[0]
    games = read_games(d, extra=[column] if column in d.drawn else [])
    texts, sets = _sets_of(d, games, column)
    wanted = d.judge.even.split("+")
    counts = _counts(d, games) if "pieces" in wanted else None
    rows: list[dict[str, Any]] = []
    for n, sides in games.tables:
        levels, members = _members(texts, games.at_table(n, sides))
        use = [i for i, m in enumerate(members) if stats.different(games.blocks.deal[m]) > 1]
        if len(use) < FEWEST_SETS:
            continue
        levels, members = [levels[i] for i in use], [members[i] for i in use]
        banned = np.array([[p in sets[text] for p in d.piece_names] for text in levels])
        parts = {"seats": _seat_gaps(games, members)} if "seats" in wanted else {}
        if counts is not None:
            parts["pieces"] = _piece_gaps(d, games, counts, members)
        rows += _ranked(games, levels, members, {k: v.shrunk(banned) for k, v in parts.items()}, (n, sides))
    if not rows:
        raise Refusal(f"{d.name}: fewer than {FEWEST_SETS} sets of bans were played")
    head = [
        "players",
        "sides",
        "bans",
        "tier",
        "estimate",
        "low",
        "high",
        "best",
        "verdict",
        "seats",
        "pieces",
    ]
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    return tidy(frame.sort("players", "sides", "tier", "estimate", nulls_last=True), head)


def verify_experiment(d: Dataset, top: int = 5, games: int | None = None) -> dict[str, Any]:
    """The experiment that plays the `top` most even sets of bans again, on fresh deals.

    Parameters
    ----------
    top : int
        How many sets; with several table sizes those that are most even on average over them.
    games : int, optional
        Games a cell; by default four times as many as were played a set, at least 2,000.

    Returns
    -------
    dict
        As an experiment file has it, with its own name, question and seed, and ``vary.bans`` a list of lists.
    """
    import polars as pl

    frame = ban_sets(d)
    mean = frame.group_by("bans").agg(pl.col("estimate").mean(), pl.len().alias("sizes"))
    mean = mean.filter(pl.col("sizes") == pl.col("sizes").max()).sort("estimate", "bans").head(top)
    order = {name: k for k, name in enumerate(d.piece_names)}
    sets = [sorted(names_in(text) - {"none"}, key=lambda p: order.get(p, 0)) for text in mean["bans"]]
    experiment = copy.deepcopy(dict(d.manifest.get("experiment") or {}))
    name = str(experiment.get("name") or d.name)
    played = int(frame["games"].median())  # type: ignore[arg-type]
    vary = dict(experiment.get("vary") or {})
    column = (set_columns(d) or [COLUMN])[0]
    vary[column] = sets
    fixed = {k: v for k, v in dict(experiment.get("parameters") or {}).items() if k != column}
    if column in (experiment.get("ask") or {}).get("compare", {}):
        del experiment["ask"]["compare"]  # its levels are not those that are played again
    experiment |= {
        "name": f"{name}-verify",
        "question": f"Are the {len(sets)} most even sets of bans of {name} as even on fresh deals?",
        "games": games or max(2_000, 4 * played),
        "seed": int(d.manifest.get("seed") or 0) + FRESH,
        "parameters": fixed,
        "vary": vary,
    }
    return experiment


@dataclass(frozen=True)
class _Gaps:
    """Gaps of each set (sets, parts) with their errors; NaN where a part does not occur in a set."""

    value: Floats
    error: Floats

    def shrunk(self, banned: NDArray[np.bool_]) -> tuple[_Gaps, _Gaps]:
        """These gaps, and what is left of them after shrinking toward what the single bans predict."""
        value, error = np.full(self.value.shape, np.nan), np.full(self.value.shape, np.nan)
        for c in range(self.value.shape[1]):
            use = np.isfinite(self.value[:, c]) & (self.error[:, c] > 0)
            if not use.any():
                continue
            x, se = self.value[use, c], self.error[use, c]
            own = banned[use].astype(np.float64)
            own = own[:, own.any(axis=0) & ~own.all(axis=0)]
            value[use, c], error[use, c] = _shrink(x, se, own - own.mean(axis=0))
        return self, _Gaps(value, error)


def _shrink(x: Floats, se: Floats, bans: Floats) -> tuple[Floats, Floats]:
    """Posterior means and errors of one gap over sets: a mean, effects of single bans, and what a set has of its own.

    The spread of the effects of bans, and that of the sets around them, come from the data (moments); with
    few sets there are no effects of bans to be told.
    """
    own_spread = 0.0
    bans = bans if len(x) > bans.shape[1] + SPARE else bans[:, :0]
    design = np.concatenate([np.ones((len(x), 1)), bans], axis=1)
    for _ in range(3):
        weight = 1 / (np.square(se) + own_spread**2)
        gram = design.T @ (design * weight[:, None])
        free = np.linalg.pinv(gram)
        effects = free @ (design.T @ (weight * x))
        spread = stats.empirical_bayes(effects[1:], np.sqrt(np.diag(free))[1:], centre=0.0).spread
        penalty = np.zeros(design.shape[1])
        penalty[1:] = 1 / max(spread, 1e-6) ** 2 if np.isfinite(spread) else 0.0
        inverse = np.linalg.pinv(gram + np.diag(penalty))
        predicted = design @ (inverse @ (design.T @ (weight * x)))
        # Residuals of a fit scatter less than the truth around it: give back what the fit took.
        taken = float(np.trace(inverse @ gram)) / len(x)
        rest = stats.empirical_bayes((x - predicted) / np.sqrt(max(1 - taken, 0.1)), se, centre=0.0).spread
        own_spread = rest if np.isfinite(rest) else float(np.max(np.abs(x)))
    keep = own_spread**2 / (own_spread**2 + np.square(se))
    unsure = np.einsum("ij,jk,ik->i", design, inverse, design)
    errors = np.sqrt(keep * np.square(se) + np.square(1 - keep) * unsure)
    return predicted + keep * (x - predicted), errors


def _sets_of(d: Dataset, games: Games, column: str) -> tuple[NDArray[Any], dict[str, frozenset[str]]]:
    """The set of bans of each game as text, and the pieces behind each text."""
    import polars as pl

    if column in games.frame.columns:
        texts = games.frame[column].cast(pl.String).fill_null("none").to_numpy().astype(str)
    elif column in d.cells.columns and d.cells[column].n_unique() > 1:
        cells = d.cells.select("cell", pl.col(column).cast(pl.String).fill_null("none"))
        of_cell = dict(zip(cells["cell"].to_list(), cells[column].to_list(), strict=True))
        texts = np.array([of_cell[c] for c in games.frame["cell"].to_list()])
    else:
        raise Refusal(f'{d.name}: no bans were drawn or varied (bans = "random 3", or [vary] bans = [...])')
    known = set(d.piece_names)
    return texts, {text: frozenset(names_in(text) & known) for text in np.unique(texts).tolist()}


def _members(texts: NDArray[Any], here: NDArray[np.bool_]) -> tuple[list[str], list[Rows]]:
    """The sets that were played `here`, in the order in which they first were, and the games of each."""
    rows = np.flatnonzero(here)
    levels, first, code = np.unique(texts[rows], return_index=True, return_inverse=True)
    by_level = np.argsort(code.ravel(), kind="stable")
    parts = np.split(rows[by_level], np.cumsum(np.bincount(code.ravel()))[:-1])
    order = np.argsort(first)
    return [str(levels[k]) for k in order], [parts[k] for k in order]


def _counts(d: Dataset, games: Games) -> NDArray[np.int16] | None:
    if not d.manifest.get("lever") or not d.has("pieces"):
        return None
    return games.piece_counts(str(d.manifest["lever"].get("column", "assigned")), d.piece_names)


def _seat_gaps(games: Games, members: list[Rows]) -> _Gaps:
    value, error, size = [], [], []
    for rows in members:
        mean, cov = stats.block_means(games.pad(games.win_share, rows), games.blocks[rows])
        value.append(mean - 1 / games.sides[rows[0]])
        error.append(np.diag(cov))
        size.append(games.blocks[rows].number)
    return _Gaps(np.array(value), _pooled(np.array(error), np.array(size)))


def _piece_gaps(d: Dataset, games: Games, counts: NDArray[np.int16], members: list[Rows]) -> _Gaps:
    """Win share a copy against the average other piece, by a linear model: it does not run off in small sets."""
    middle = np.array([sum(d.judge.range_of(name)) / 2 for name in d.piece_names])
    value = np.full((len(members), len(middle)), np.nan)
    error = np.full(value.shape, np.nan)
    size = np.array([games.blocks[rows].number for rows in members])
    for i, rows in enumerate(members):
        n = int(games.sides[rows[0]])
        held, share, _ = games.choices(counts, rows)
        # One more copy moves its owner away from the mean of the table by a part of a copy alone.
        held = (held - held.mean(axis=1, keepdims=True, dtype=np.float64)) * n / (n - 1)
        share = share - 1 / n
        seat = np.tile(np.eye(n)[:, 1:], (len(rows), 1))
        x = np.concatenate([held.reshape(len(rows) * n, -1), seat - seat.mean(axis=0)], axis=1)
        fit = stats.linear(x, share.ravel(), np.repeat(np.arange(len(rows)), n), games.blocks[rows])
        c = stats.against_rest((held != 0).any(axis=(0, 1)), x.shape[1])
        known: NDArray[np.bool_] = np.asarray(np.isfinite(c).all(axis=1))
        known[known] = fit.identified(c[known])
        if known.any():
            found, cov = fit.contrast(c[known])
            value[i, known], error[i, known] = found - middle[known], np.diag(cov)
    return _Gaps(value, _pooled(error, size))


def _pooled(variance: Floats, size: Floats) -> Floats:
    """Errors from one variance a game for all sets: that of a small set by itself would be mostly luck."""
    each = variance * size[:, None]
    each[size <= 2] = np.nan
    one = np.array([np.median(c[np.isfinite(c)]) if np.isfinite(c).any() else np.nan for c in each.T])
    return np.where(np.isfinite(variance), np.sqrt(one[None, :] / size[:, None]), np.nan)


def _ranked(
    games: Games,
    levels: list[str],
    members: list[Rows],
    parts: dict[str, tuple[_Gaps, _Gaps]],
    table: tuple[int, int],
) -> list[dict[str, Any]]:
    rng = np.random.default_rng(20_014)
    drawn: dict[str, Floats] = {}
    for name, (_, gaps) in parts.items():
        noise = rng.standard_normal((DRAWS, *gaps.value.shape))
        square = np.square(gaps.value + noise * gaps.error)
        there = np.isfinite(square)
        sums = np.where(there, square, 0.0).sum(axis=2)
        drawn[name] = np.sqrt(sums / np.maximum(there.sum(axis=2), 1))
    total = np.sum(list(drawn.values()), axis=0)
    value = total.mean(axis=0)
    low, high = np.quantile(total, [0.025, 0.975], axis=0)
    enough = np.array([games.blocks[rows].number >= FEWEST_BLOCKS for rows in members])
    tier = np.where(enough, 0, -1)
    best = np.full(len(levels), np.nan)
    if enough.any():
        known = np.flatnonzero(enough)
        best[known] = np.bincount(np.argmin(total[:, known], axis=1), minlength=len(known)) / DRAWS
    for number in range(1, len(levels) + 1):
        left = np.flatnonzero(tier == 0)
        if len(left) == 0:
            break
        first = left[np.argmin(value[left])]
        worse = np.quantile(total[:, left] - total[:, [first]], 0.025, axis=0) > 0
        tier[left[~worse]] = number
    out = []
    for i, text in enumerate(levels):
        row = {
            "players": table[0],
            "sides": table[1],
            "bans": text,
            "tier": int(tier[i]) if enough[i] else None,
            "estimate": value[i],
            "low": low[i],
        }
        row |= {"high": high[i], "best": best[i]}
        row["verdict"] = TOO_FEW if not enough[i] else MOST_EVEN if tier[i] == 1 else LESS_EVEN
        for name in ("seats", "pieces"):
            row[name] = float(drawn[name][:, i].mean()) if name in parts else float("nan")
            raw = parts[name][0].value[i] if name in parts else np.full(1, np.nan)
            row[f"raw_{name}"] = (
                float(np.sqrt(np.nanmean(np.square(raw)))) if np.isfinite(raw).any() else float("nan")
            )
        what = "gaps shrunk toward what the single bans predict"
        out.append({**row, **games.behind(members[i], what)})
    return out
