"""Runs that stop when all that is asked is decided: planned batches, each with its part of the 5 %.

A run of `[stop]` plays a batch, looks, and goes on with the settings in which something is still undecided. The 5 %
are spent on the looks in proportion to the games that each adds (a spending function of Lan and DeMets 1983, linear in
the games): a p value at a look counts as many times more as its part is less than 5 %, and of such values the least one
over all looks is still a p value. So it does not matter which look a setting ends at, nor why: settings may end apart,
and the verdicts of all of them together are false in at most 5 % of runs, however games of the batches hang together.
What ends when depends on committed games of whole batches only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtri

from analysis.data.questions import setting_text
from analysis.stats.corrections import ALPHA, hochberg
from analysis.stats.power import POWER
from analysis.stats.spending import spent
from analysis.targets.table import Target, read_targets

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset


def batches(cap: int, looks: int) -> list[int]:
    """Games a cell at each look: they double up to the cap."""
    found = [max(1, -(-cap // 2 ** (looks - 1 - k))) for k in range(looks)]
    return sorted(set(found))


def alpha_of(d: Dataset) -> float | None:
    """The part of the 5 % that the last look at a data set has; None where it was not played in batches.

    Nor has it one while a batch is being played.
    """
    told = d.manifest.get("stop") or {}
    under_way = told.get("games") and told["games"][told["look"]] != d.manifest.get("games_per_cell")
    return float(told["alpha"]) if told.get("alpha") and not under_way else None


def beyond_reach(frame: pl.DataFrame, games: Sequence[int], look: int) -> dict[str, int]:
    """Targets whose band is too narrow for the cap, and the games of a cell that would do, judged from one look.

    Of such a target not even a value in the middle of its band can be shown to lie in it at the last look, with the
    error that this one measures; nor does its value look so far outside that this could be shown.
    """
    from analysis.targets.judging import AFTER_LOOKS, PROVEN, REFUTED

    last = -float(ndtri(spent(games, len(games) - 1)))
    often = float(ndtri((1 + POWER) / 2))
    found: dict[str, int] = {}
    for row in frame.iter_rows(named=True):
        width = (row["high_bound"] or np.inf) - (
            row["low_bound"] if row["low_bound"] is not None else -np.inf
        )
        if row["verdict"] in (PROVEN, REFUTED) or row["low"] is None or not np.isfinite(width):
            continue
        se = (row["high"] - row["low"]) / 2 / float(ndtri((1 + AFTER_LOOKS) / 2))
        at_cap = se * np.sqrt(games[look] / games[-1])
        refuted = row["more_games"] is not None and row["games"] + row["more_games"] <= row["games"] * (
            games[-1] / games[look]
        )
        if last * at_cap > width / 2 and not refuted:
            needed = int(np.ceil(games[-1] * ((last + often) * at_cap / (width / 2)) ** 2))
            found[row["target"]] = max(needed, found.get(row["target"], 0))
    return found


def by_setting(d: Dataset, names: Sequence[str]) -> dict[str, list[int]]:
    """The cells of each setting of the factors `names`, whatever the tier."""
    found: dict[str, list[int]] = {}
    for row in d.cells.sort("cell").iter_rows(named=True):
        own = {name: row[name] for name in names}
        found.setdefault(setting_text(list(own), own) if own else "", []).append(int(row["cell"]))
    return found


def levels(d: Dataset, names: Sequence[str], alpha: float) -> dict[str, float]:
    """The part of the 5 % of each setting: that of the look it ended at, `alpha` where it has not ended before."""
    told = d.manifest.get("stop") or {}
    games, ended = told.get("games") or [], dict(told.get("closed") or {})
    own = {int(cell): spent(games, games.index(n)) for cell, n in ended.items()}
    return {text: min(own.get(cell, alpha) for cell in cells) for text, cells in by_setting(d, names).items()}


def ended(d: Dataset, frame: pl.DataFrame, alpha: float) -> list[int]:
    """The cells that need no more games: all that is asked of their setting is decided, whatever others will show.

    Verdicts are corrected over all settings. One that holds only because others look clear too might not hold when
    these have been played to their end: so the others count here as if they showed nothing.

    Parameters
    ----------
    frame : polars.DataFrame
        Of `analysis.check_targets` at this look.
    alpha : float
        The part of the 5 % that this look has.
    """
    from analysis.targets.judging import PROVEN, REFUTED, as_judged, factors

    names = factors(as_judged(d))
    level = levels(d, names, alpha)
    setting, words = frame["setting"].to_list(), frame["verdict"].to_list()
    p = frame["p_within"].fill_null(1.0).to_numpy() * ALPHA / np.array([level.get(s, alpha) for s in setting])
    done = {s for s in setting if s in level}
    done -= {s for s, word in zip(setting, words, strict=True) if word not in (PROVEN, REFUTED)}
    while True:
        alone = hochberg(np.where([s in done for s in setting], p, 1.0)) < ALPHA
        rows = zip(setting, words, alone, strict=True)
        shaky = {s for s, word, holds in rows if s in done and word == PROVEN and not holds}
        if not shaky:
            break
        done -= shaky
    settings = by_setting(d.all_tiers, names)
    return sorted(cell for text, cells in settings.items() if text in done for cell in cells)


def asked(d: Dataset, when: Sequence[str] = ()) -> tuple[Target, ...]:
    """The targets that must be decided: those named, else those of what the experiment asks.

    Parameters
    ----------
    when
        Targets as they are written: ``seat``, ``piece.Ant``, ``minutes``; or the beginning of several: ``piece``.
    """
    judge: dict[str, Any] = {"seat": d.judge.seat, **dict(d.manifest.get("judge") or {})}
    if d.manifest.get("lever") and d.has("pieces"):
        judge.setdefault("piece", d.judge.piece)
    else:
        judge = {k: v for k, v in judge.items() if k not in ("piece", "pieces")}
    every = read_targets(judge, d.name)
    kinds = [*when] or _of_questions(d)
    for name in [kind.partition(".")[2] for kind in kinds if kind.startswith("piece.")]:
        if "piece" in judge and not any(t.key == f"piece.{name}" for t in every):  # no band of its own
            every += (Target(f"piece.{name}", -float(judge["piece"]), float(judge["piece"])),)
    return tuple(t for t in every if not kinds or t.key in kinds or t.kind in kinds) or every


def _of_questions(d: Dataset) -> list[str]:
    ask: Mapping[str, Any] = dict((d.manifest.get("experiment") or {}).get("ask") or {})
    named = {"seats": ["seat"], "pieces": ["piece"], "length": ["turns", "minutes", "decisions"]}
    found = [kind for key in ask for kind in named.get(key, [])]
    return found + [f"piece.{name}" for name in ask.get("piece", [])]
