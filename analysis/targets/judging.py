"""Each target tested: proven, refuted, or undecided with the games that would settle it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import stats
from analysis.data.errors import Refusal, nearest
from analysis.data.frames import Games, read_games, tidy
from analysis.data.measures import SHARED, STOPPED, Measures
from analysis.data.questions import setting_text, told
from analysis.targets.looks import at_looks, going_on, in_planned_order, planned_games, width
from analysis.targets.needing import needed, spread_of
from analysis.targets.stopping import alpha_of, levels
from analysis.targets.table import SEATS, SHARES, Target, read_targets
from analysis.targets.verdicts import PROVEN, REFUTED, TOO_FEW, UNDECIDED

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

EXIT = {PROVEN: 0, REFUTED: 1, UNDECIDED: 3, TOO_FEW: 3}
AFTER_LOOKS = 0.965
"""Level of the interval of one number of a run that stopped at a look: it covers in 93 to 97% of such runs.

Stopping where a number looks clear costs up to 3 of 100: measured for 2 to 6 batches, where 95% falls to 91%.
"""
COLUMN = {"ties": SHARED, "stopped": STOPPED}


@dataclass(frozen=True)
class Part:
    """Estimates of one target in one group of games, and what each is of."""

    target: Target
    setting: str
    table: str
    about: list[str]
    found: stats.Estimates
    low: np.ndarray
    high: np.ndarray
    games: int
    deals: int
    note: str


def check_targets(
    d: Dataset,
    targets: Sequence[Target] | Mapping[str, Any] | None = None,
    look: bool | None = None,
    alpha: float | None = None,
) -> pl.DataFrame:
    """Are the targets met?

    Parameters
    ----------
    d : Dataset
        Judged at its strongest tier; each setting that was compared by itself.
    targets : sequence of Target or mapping, optional
        By default the ``[judge]`` of the data set.
    look : bool, optional
        Whether this is a look at a run that goes on: games in planned order, and confidence sequences in place of
        intervals. By default when games of the plan are missing.
    alpha : float, optional
        Chance that anything is wrongly called proven, or refuted, at this look, in place of 5 %: its part of the 5 %
        where a run looks after planned batches (`analysis.targets.stopping`). Of a data set that was played so, it is
        that of its last look; settings that ended before have that of the look they ended at.

    Returns
    -------
    polars.DataFrame
        ``target, setting, table, about, low_bound, high_bound, estimate, low, high, low_joint, high_joint, p_within,
        p_outside, verdict`` (``proven``, ``refuted``, ``undecided``, ``too few to say``), ``more_games`` (that would
        settle it at 80 % if it is as it looks; null where none or no number would), ``games, deals, method, note``.
        ``low .. high`` is the 95 % interval, or confidence sequence, of one number (after looks one at `AFTER_LOOKS`,
        which covers in 93 to 97 % of runs that stop), the joint one corrected over all rows; a target is refuted where
        the joint one lies outside, proven where tests of equivalence, corrected over all rows (Hochberg), place the
        value inside.
    """
    import polars as pl

    judged = as_judged(d)
    alpha = alpha or alpha_of(judged)
    looking = alpha is None and (going_on(judged) if look is None else look)
    share = 1.0
    if looking:
        judged = in_planned_order(judged)
        share = judged.n_games / max(planned_games(judged), judged.n_games)
    if targets is None:
        given = _own(judged)
    elif isinstance(targets, Mapping):
        given = read_targets(targets)
    else:
        given = tuple(targets)
    names = factors(judged)
    parts = numbers(judged, given, names)
    own = levels(d, names, alpha) if alpha else {}
    level = np.array([own.get(p.setting, alpha or stats.ALPHA) for p in parts for _ in p.about])
    every = stats.join([part.found for part in parts])
    lows, highs = (np.concatenate([getattr(p, end) for p in parts]) for end in ("low", "high"))
    tests = max(float(_free(parts)), 1.0)
    if looking:
        low, high = _sequence(every, stats.ALPHA, share)
        low_joint, high_joint = _sequence(every, stats.ALPHA / tests, share)
        within, outside = _tests_at_looks(every, lows, highs, share)
    else:
        low, high = every.interval(AFTER_LOOKS if alpha else 1 - stats.ALPHA)
        low_joint, high_joint = every.interval(1 - level / tests)
        within = every.p_within(lows, highs)
        outside = np.where(
            every.value > highs, every.p(highs), np.where(every.value < lows, every.p(lows), 1.0)
        )
    known = np.isfinite(every.value) & every.enough & np.isfinite(within)
    same = np.full(len(every), np.nan)
    same[known] = stats.hochberg(within[known] * stats.ALPHA / level[known])
    words = []
    for i in range(len(every)):
        if not known[i]:
            words.append(TOO_FEW)
        elif same[i] < stats.ALPHA:
            words.append(PROVEN)
        elif low_joint[i] > highs[i] or high_joint[i] < lows[i]:
            words.append(REFUTED)
        else:
            words.append(UNDECIDED)
    if judged.conditioned:
        words = [UNDECIDED] * len(words)
    about = [(part, name) for part in parts for name in part.about]
    # what a number has to itself while those after it are open (Hochberg)
    alone = np.full(len(every), stats.ALPHA)
    alone[known] = level[known] / (1 + (within[known][None, :] > within[known][:, None]).sum(axis=1))
    games = np.array([part.games for part, _ in about])
    more = needed(every, lows, highs, games, tests, words, alone, share if looking else None)
    how = ["confidence sequence at every look" if looking else "interval"] * len(every)
    if alpha is not None:
        how = [f"interval of a look that has {100 * own:.2g}% of the 5%" for own in level]
    frame = pl.DataFrame(
        {
            "target": [part.target.key for part, _ in about],
            "setting": [part.setting for part, _ in about],
            "table": [part.table for part, _ in about],
            "about": [name for _, name in about],
            "low_bound": lows,
            "high_bound": highs,
            "estimate": every.value,
            "low": low,
            "high": high,
            "low_joint": low_joint,
            "high_joint": high_joint,
            "p_within": within,
            "p_outside": np.minimum(1.0, outside),
            "verdict": words,
            "more_games": pl.Series(more, dtype=pl.Int64),
            "games": [part.games for part, _ in about],
            "deals": [part.deals for part, _ in about],
            "method": how,
            "note": [part.note for part, _ in about],
        }
    )
    return tidy(
        frame, ["target", "setting", "table", "about", "low_bound", "high_bound", "estimate", "low", "high"]
    )


def as_judged(d: Dataset) -> Dataset:
    """The games by which targets are judged: those of the strongest tier, in which bots meet their like."""
    return (d.at_tier() if len(d.tiers) > 1 else d).plain_play()


def factors(d: Dataset) -> list[str]:
    """What tells the settings apart that are judged by themselves."""
    return [name for name in told(d.manifest, d.cells) if name not in ("players", "tier")]


def numbers(d: Dataset, targets: Sequence[Target], names: list[str]) -> list[Part]:
    """The numbers that targets are about, with nothing tested: of each setting of the factors `names`, by itself."""
    return [part for target in _in_order(targets) for part in _parts(d, target, names, targets)]


def verdict_of(frame: pl.DataFrame) -> str:
    """One word on all targets: refuted when any is, proven when all are."""
    words = frame["verdict"].to_list()
    if REFUTED in words:
        return REFUTED
    return PROVEN if words and set(words) == {PROVEN} else UNDECIDED


def _own(d: Dataset) -> tuple[Target, ...]:
    """The targets that the data set itself names; those on pieces only where these were assigned by chance."""
    judge = dict(d.manifest.get("judge") or {})
    judge.setdefault("seat", d.judge.seat)
    if d.manifest.get("lever") and d.has("pieces"):
        judge.setdefault("piece", d.judge.piece)
    else:
        judge = {k: v for k, v in judge.items() if k not in ("piece", "pieces")}
    return read_targets(judge, d.name)


def _in_order(targets: Sequence[Target]) -> list[Target]:
    """One target on all pieces stands for those on single ones, which have bands of their own in it."""
    whole = {target.kind for target in targets if target.key == "piece"}
    return [t for t in targets if not (t.kind in whole and t.of)]


def _parts(d: Dataset, target: Target, names: list[str], targets: Sequence[Target]) -> Iterator[Part]:
    if target.kind == "seat":
        yield from _seats(d, target, names)
    elif target.kind == "piece":
        yield from _pieces(d, target, names, targets)
    else:
        yield from _measures(d, target, names)


def _labels(games: Games, labels: dict[str, Any], rows: Any) -> tuple[str, str]:
    own = {k: v for k, v in labels.items() if k in games.by}
    setting = setting_text(list(own), own) if own else ""
    n, sides = int(games.players[rows[0]]), int(games.sides[rows[0]])
    return setting, f"{n} players" if n == sides else f"{n} players in {sides} sides"


def _seats(d: Dataset, target: Target, names: list[str]) -> Iterator[Part]:
    games = read_games(d, names)
    there = False
    for labels, rows in games.groups(split_players=True):
        blocks = games.blocks[rows]
        mean, cov = stats.block_means(games.pad(games.win_share, rows), blocks)
        found = stats.shares(mean, np.diag(cov), blocks)
        seats = list(range(len(mean)))
        fair = 1.0 / int(games.sides[rows[0]])
        low, high = fair + target.low, fair + target.high
        if target.of:
            seats = [k for k in seats if SEATS[k] == target.of]
            low, high = target.low, target.high
        if not seats:
            continue
        there = True
        setting, table = _labels(games, labels, rows)
        about = [f"Seat {SEATS[k] if k < len(SEATS) else k + 1}" for k in seats]
        yield _part(games, rows, target, setting, table, about, found[seats], low, high)
    if not there:
        raise Refusal(f"{d.name}: no game has a Seat {target.of}")


def _pieces(d: Dataset, target: Target, names: list[str], targets: Sequence[Target]) -> Iterator[Part]:
    from analysis.pieces.strength import piece_strength

    own = {t.of: t for t in targets if t.kind == "piece" and t.of}
    for name in own:
        if name not in d.piece_names:
            raise Refusal(f"{d.name}: 'piece.{name}': there is no such piece{nearest(name, d.piece_names)}")
    frame = piece_strength(d, by=names or None)
    if target.of:
        frame = frame.filter(frame["piece"] == target.of)
    keys = [name for name in names if name in frame.columns]
    for group in frame.partition_by(keys, maintain_order=True) if keys else [frame]:
        rows = [r for r in group.iter_rows(named=True) if r["estimate"] is not None]
        if not rows:
            continue
        value, low, high, blocks = (
            np.array([r[k] for r in rows], dtype=np.float64) for k in ("estimate", "low", "high", "blocks")
        )
        t = np.array([stats.quantile(max(float(b) - 1, 0.0)) for b in blocks])
        found = stats.effects(value, (high - low) / (2 * t), blocks)
        bands = [own.get(r["piece"], target) for r in rows]
        labels = {k: rows[0][k] for k in keys}
        yield Part(
            target,
            setting_text(keys, labels) if keys else "",
            "",
            [str(r["piece"]) for r in rows],
            found,
            np.array([b.low for b in bands]),
            np.array([b.high for b in bands]),
            int(rows[0]["games"]),
            int(rows[0]["deals"]),
            str(rows[0]["note"] or ""),
        )


def _measures(d: Dataset, target: Target, names: list[str]) -> Iterator[Part]:
    games = read_games(d, names)
    values = Measures(games).of(COLUMN.get(target.kind, target.kind))
    if not np.isfinite(values).any():
        raise Refusal(f"{d.name}: '{target.kind}' was not recorded in any game")
    low, high = target.low, target.high
    if target.part is not None:  # the share of games that lie in the band
        values = np.where(np.isfinite(values), (values >= low) & (values <= high), np.nan)
        low, high = target.part, np.inf
    for labels, every in games.groups(split_players=True):
        rows = every[np.isfinite(values[every])]
        if len(rows) == 0:
            continue
        blocks, mine = games.blocks[rows], values[rows]
        mean, cov = stats.block_means(mine[:, None], blocks)
        if target.kind in SHARES or target.part is not None:
            found = stats.shares(mean, cov[0], blocks)
        else:
            found = stats.effects(mean, np.sqrt(cov[0]), blocks.number, float(mine.std()))
        setting, table = _labels(games, labels, rows)
        yield _part(games, rows, target, setting, table, [target.key], found, low, high)


def _part(
    games: Games,
    rows: Any,
    target: Target,
    setting: str,
    table: str,
    about: list[str],
    found: stats.Estimates,
    low: float,
    high: float,
) -> Part:
    behind = games.behind(rows, target.key)
    lows, highs = np.full(len(found), low), np.full(len(found), high)
    return Part(
        target, setting, table, about, found, lows, highs, behind["games"], behind["deals"], behind["note"]
    )


def _free(parts: Sequence[Part]) -> int:
    """Numbers that can differ by themselves: of two seats, or two pieces, one is the other's mirror."""
    mirrored = ("seat", "piece")
    return sum(1 if p.target.kind in mirrored and len(p.found) == 2 else len(p.found) for p in parts)


def _sequence(found: stats.Estimates, alpha: float, share: float) -> tuple[np.ndarray, np.ndarray]:
    half = spread_of(found) * width(alpha, share)
    known = np.isfinite(found.value) & (found.number > 1)
    is_share = np.isfinite(found.size)  # of which none is below 0, or above 1
    low = np.where(is_share, np.fmax(found.value - half, 0.0), found.value - half)
    high = np.where(is_share, np.fmin(found.value + half, 1.0), found.value + half)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


def _tests_at_looks(
    found: stats.Estimates, low: np.ndarray, high: np.ndarray, share: float
) -> tuple[np.ndarray, np.ndarray]:
    """Tests that the value lies within, and outside, that hold at all looks together."""
    se = spread_of(found)
    with np.errstate(divide="ignore", invalid="ignore"):
        inside = np.minimum(found.value - low, high - found.value) / se
        beyond = np.maximum(found.value - high, low - found.value) / se
    return at_looks(np.nan_to_num(inside), share), at_looks(np.nan_to_num(beyond), share)
