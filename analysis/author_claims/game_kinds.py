"""Kinds of claims on whole games: length, ends, ties, seats, changes of a rule, drawn levels, bots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.author_claims.evidence import MORE, NO_MORE, Evidence, Finding, Test, by_verdict
from analysis.bans_and_drafts.ban_effects import Arms
from analysis.changes.contrasts import mean_changes
from analysis.changes.rules import cell_changes
from analysis.data.dataset import Dataset
from analysis.data.errors import Refusal, nearest
from analysis.data.frames import read_games
from analysis.data.measures import ENDER, MINUTES, SHARED, STOPPED, pace_of
from analysis.fairness.endings import enders
from analysis.fairness.seats import seat_balance
from analysis.skill.pairings import read_pairings

Floats = NDArray[np.float64]
SEATS = "ABCDEFGH"


def _known(e: Evidence, name: str, of: Any = None) -> tuple[NDArray[np.int64], Floats]:
    """Rows of the games in which a measure is known, and its values there; `of` a group of pieces: their sum."""
    pace = pace_of(e.d)
    if name == MINUTES and pace and not pace.given:
        raise Refusal(
            f"minutes here rest on {pace.label}, which may come from where the claim does: time some games and give "
            "a [pace]"
        )
    values = e.measures.of(name) if of is None else e.total(name, str(of))
    rows = np.flatnonzero(np.isfinite(values))
    if len(rows) == 0:
        raise Refusal(f"no game has a value of '{name}'")
    return rows, values[rows]


def _how(e: Evidence, what: str, column: str) -> str:
    pace = pace_of(e.d)
    return f"{what}; {pace.label}" if column == MINUTES and pace else what


def _property(e: Evidence, t: Test) -> tuple[NDArray[np.int64], Floats, str]:
    """Which games have the property that a claim names (1 or 0), the rows that can tell, and its words."""
    import polars as pl

    column = str(t["column"])
    if "is" in t:
        have = e.d.games.collect_schema().names()
        if column not in have:
            raise Refusal(f"no column '{column}' in games{nearest(column, have)}")
        found = read_games(e.d, extra=[column]).frame[column].cast(pl.String).fill_null("none")
        hit = (found == str(t["is"])).to_numpy().astype(np.float64)
        return np.arange(len(hit)), hit, f"{column} {t['is']}"
    if "least" not in t and "most" not in t:
        raise KeyError("is, least or most")
    rows, values = _known(e, column, t.get("of"))
    inside = np.ones(len(rows), dtype=bool)
    words = f"{t['of']} {column}" if "of" in t else column
    if "least" in t:
        inside &= values >= float(t["least"])
        words += f" at least {t['least']:g}"
    if "most" in t:
        inside &= values <= float(t["most"])
        words += f"{' and' if 'least' in t else ''} at most {t['most']:g}"
    return rows, inside.astype(np.float64), words


def _share(values: NDArray[np.generic], blocks: stats.Blocks) -> stats.Estimates:
    """The mean of what lies between 0 and 1 in every game."""
    mean, cov = stats.block_means(np.asarray(values, dtype=np.float64)[:, None], blocks)
    return stats.shares(mean, cov[0], blocks)


def _level_of(values: Floats, blocks: stats.Blocks) -> stats.Estimates:
    """The mean of a measure."""
    mean, cov = stats.block_means(values[:, None], blocks)
    return stats.effects(mean, np.sqrt(cov[0]), blocks.number, float(values.std()))


def _games_share(direction: int) -> Callable[[Evidence, Test], Finding]:
    def test(e: Evidence, t: Test) -> Finding:
        rows, hit, words = _property(e, t)
        than, blocks = float(t["than"]), e.games.blocks[rows]
        what = _how(e, "share of games", str(t["column"]))
        unit = f"share of games with {words}"
        return e.found(_share(hit, blocks), blocks, what, unit, direction, null=than, rows=rows)

    return test


def _mean(direction: int) -> Callable[[Evidence, Test], Finding]:
    def test(e: Evidence, t: Test) -> Finding:
        column = str(t["column"])
        rows, values = _known(e, column, t.get("of"))
        blocks = e.games.blocks[rows]
        found = (
            _share(values, blocks)
            if column in (STOPPED, SHARED) and "of" not in t
            else _level_of(values, blocks)
        )
        what = _how(e, "mean over games", column)
        unit = f"{t['of']} {column} a game" if "of" in t else f"{column} a game"
        if direction:
            return e.found(found, blocks, what, unit, direction, null=float(t["than"]), rows=rows)
        return e.within(found, blocks, what, unit, (float(t["low"]), float(t["high"])), rows=rows)

    return test


def _quantile(e: Evidence, t: Test) -> Finding:
    """A quantile by how often games are shorter: its interval is where the share of shorter games meets `at`."""
    column, at = str(t["column"]), float(t["at"])
    ends = (float(t["low"]), float(t["high"]))
    rows, values = _known(e, column, t.get("of"))
    blocks = e.games.blocks[rows]
    order = np.sort(values)
    value = float(order[max(int(np.ceil(at * len(order))) - 1, 0)])
    # Inside: fewer than `at` of the games lie below the range, and fewer than 1 - `at` above it.
    low_p = float(_share(values < ends[0], blocks).p_within(-1.0, at)[0])
    high_p = float(_share(values > ends[1], blocks).p_within(-1.0, 1 - at)[0])
    reach = [float(end[0]) for end in _share(values <= value, blocks).interval()]
    low, high = (
        float(order[min(max(int(np.ceil(r * len(order))) - 1, 0), len(order) - 1)])
        if np.isfinite(r)
        else float("nan")
        for r in reach
    )
    behind = e.games.behind(rows, _how(e, f"quantile {at:g} over games", column), blocks)
    unit = f"{column}, {_quantile_word(at)}"
    found = e.found(stats.effects(value, 1.0, blocks.number), blocks, "", unit, 0, rows=rows)
    found.low, found.high, found.null = low, high, float("nan")
    found.range_low, found.range_high = ends
    found.method, found.note = behind["method"], behind["note"]
    found.p_same = max(low_p, high_p)
    found.p = min(1.0, 2 * min(1 - low_p, 1 - high_p))
    return found


def _quantile_word(at: float) -> str:
    return "median" if at == 0.5 else f"{100 * at:g}% of games are below"


def _ender(favoured: bool) -> Callable[[Evidence, Test], Finding]:
    def test(e: Evidence, t: Test) -> Finding:
        rows, values = _known(e, ENDER)
        frame = enders(_with_margin(e.d, t)) if len(e.games.tables) == 1 else None
        row = None if frame is None else frame.row(0, named=True)
        return _against_fair(e, rows, values, favoured, t, "who ends the game: win share less fair", row)

    return test


def _with_margin(d: Dataset, t: Test) -> Dataset:
    """The data set, judged by the margin for seats that the claim names."""
    if "margin" not in t:
        return d
    judge = {**(d.manifest.get("judge") or {}), "seat": float(t["margin"])}
    return Dataset({**d.manifest, "judge": judge}, d.cells, d._tables, d.path, d.commits, d.conditioned)


def _against_fair(
    e: Evidence,
    rows: NDArray[np.int64],
    values: Floats,
    favoured: bool,
    t: Test,
    unit: str,
    row: dict[str, Any] | None,
) -> Finding:
    """More than fair; or no more than fair and a margin, which needs evidence of its own.

    Where all tables are alike, the verdict of `row` on the same numbers says which.
    """
    margin = float(t.get("margin", e.d.judge.seat))
    blocks = e.games.blocks[rows]
    found = _level_of(values, blocks)
    what = "mean win share less the fair share"
    if favoured:
        out = e.found(found, blocks, what, unit, 1, same=margin, rows=rows)
    else:
        out = e.found(found, blocks, what, unit, -1, null=margin, rows=rows)
    if row is None:
        return out
    out.low, out.high = (float("nan") if row[k] is None else row[k] - row["fair"] for k in ("low", "high"))
    return by_verdict(out, row, MORE if favoured else NO_MORE)


def _seat(favoured: bool) -> Callable[[Evidence, Test], Finding]:
    def test(e: Evidence, t: Test) -> Finding:
        name = str(t["seat"]).upper()
        if len(name) != 1 or name not in SEATS:
            raise Refusal(f"no seat is called '{t['seat']}': A, B, ...")
        seat, games = SEATS.index(name), e.games
        rows = np.flatnonzero(games.players > seat)
        if len(rows) == 0:
            raise Refusal(f"no game has a Seat {name}")
        at = games.first_row[rows] + seat
        row = seat_balance(_with_margin(e.d, t)).row(seat, named=True) if len(games.tables) == 1 else None
        values = games.win_share[at] - games.fair[at]
        return _against_fair(e, rows, values, favoured, t, f"Seat {name}: win share less fair", row)

    return test


def _seats_even(e: Evidence, t: Test) -> Finding:
    frame = seat_balance(e.d)
    far = max(frame.iter_rows(named=True), key=lambda r: abs(r["estimate"] - r["fair"]))
    unit = "win share less fair, of the seat furthest off"
    found = e.found(stats.effects(0.0, 1.0, e.games.blocks.number), e.games.blocks, "", unit, 1)
    found.estimate = far["estimate"] - far["fair"]
    found.low, found.high = (
        float("nan") if far[k] is None else far[k] - far["fair"] for k in ("low_joint", "high_joint")
    )
    off = [r for r in frame.iter_rows(named=True) if r["verdict"] in ("favoured", "unfavoured")]
    even = bool((frame["verdict"] == "balanced").all())
    found.status = "not" if off else ("reproduced" if even else "cannot tell")
    # The verdicts of the seats carry corrections of their own: this row must not enter the family again.
    found.p = found.p_same = float("nan")
    found.games, found.deals = len(e.games), e.games.n_deals
    found.method = "equivalence of each seat"
    found.note = f"furthest from fair: Seat {SEATS[far['seat']]} with {far['players']} players"
    return found


def _change(direction: int) -> Callable[[Evidence, Test], Finding]:
    def test(e: Evidence, t: Test) -> Finding:
        factor, before, after = str(t["factor"]), _text(t["from"]), _text(t["to"])
        old, new = _cells_of(e, factor, before, after)
        cell = e.games.frame["cell"].to_numpy()
        rows = [np.flatnonzero(np.isin(cell, part)) for part in (old, new)]
        label = f"{factor} {before} → {after}"
        return _difference(e, Arms(label, frozenset(), rows[0], rows[1], "paired"), t, direction)

    return test


def _cells_of(e: Evidence, factor: str, before: str, after: str) -> tuple[list[int], list[int]]:
    """Cells that differ in this factor alone; refuses what was not compared."""
    import polars as pl

    cells = e.d.cells
    if factor not in cells.columns:
        raise Refusal(f"no column '{factor}' in cells{nearest(factor, cells.columns)}")
    for change in cell_changes(e.d):
        if change.factor == factor and (change.before, change.after) == (before, after):
            return change.old, change.new
        if change.factor == factor and (change.before, change.after) == (after, before):
            return change.new, change.old
    names = [n for n in cells.columns if n not in ("cell", "games", "variant", factor)]
    if factor == "players.count":
        names.remove("players")
    if factor == "variant":
        names = [n for n in (e.d.manifest.get("experiment") or {}).get("vary") or {} if n in cells.columns]
    keys = cells.with_columns(pl.all().exclude("cell").cast(pl.String).fill_null("none"))
    found: dict[str, dict[tuple[Any, ...], int]] = {before: {}, after: {}}
    for row in keys.iter_rows(named=True):
        if row[factor] in found:
            found[row[factor]].setdefault(tuple(row[n] for n in names), row["cell"])
    both = [key for key in found[before] if key in found[after]]
    if not both:
        raise Refusal(f"no two cells differ in {factor} {before} and {after} alone")
    return [found[before][k] for k in both], [found[after][k] for k in both]


def _text(value: Any) -> str:
    """A value as polars writes it as text."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _difference(e: Evidence, arm: Arms, t: Test, direction: int) -> Finding:
    """Change of the mean of a measure over all kinds of table together."""
    column, least = str(t["column"]), float(t.get("least", 0.0))
    value = e.measures.of(column)
    rows = list(mean_changes(e.games, [arm], {column: value}, whole=True))
    if not rows:
        raise Refusal("no games on both sides of the change")
    row = rows[0]
    se = (row["high"] - row["low"]) / (2 * stats.quantile(max(row["blocks"] - 1.0, 0.0)))
    members = np.concatenate([arm.without_rows, arm.with_rows])
    blocks = e.games.blocks[members]
    what = _how(e, f"difference of means, {arm.banned}", column)
    change = stats.effects(float(direction) * row["estimate"], se, row["blocks"])
    return e.found(change, blocks, what, _unit(column, direction), 1, null=least, rows=members)


def _unit(column: str, direction: int) -> str:
    return f"{column} {'more' if direction > 0 else 'fewer'}"


def _level(direction: int) -> Callable[[Evidence, Test], Finding]:
    def test(e: Evidence, t: Test) -> Finding:
        import polars as pl

        column, level = str(t["in"]), str(t["level"])
        if column not in e.games.frame.columns:
            raise Refusal(f"no drawn column '{column}'{nearest(column, e.d.drawn)}")
        names = e.games.frame[column].cast(pl.String).fill_null("none").to_numpy().astype(str)
        own = names == level
        base = np.isin(names, ("none", ""))
        other = base if base.any() else ~own
        if not own.any() or not other.any():
            raise Refusal(f"no games with and without {level}")
        arm = Arms(level, frozenset(), np.flatnonzero(other), np.flatnonzero(own), "drawn")
        return _difference(e, arm, t, direction)

    return test


def _beats(e: Evidence, t: Test) -> Finding:
    pairs = read_pairings(e.d, "bot")
    for name in (str(t["bot"]), str(t["other"])):
        if name not in pairs.names:
            raise Refusal(f"no bot called '{name}' played{nearest(name, pairs.names)}")
    one, other = pairs.names.index(str(t["bot"])), pairs.names.index(str(t["other"]))
    low, high = min(one, other), max(one, other)
    at = np.flatnonzero((pairs.first == low) & (pairs.second == high))
    if len(at) == 0:
        raise Refusal(f"{t['bot']} and {t['other']} never met as opponents")
    score = pairs.score[at] if one == low else 1 - pairs.score[at]
    blocks = pairs.games.blocks[pairs.game[at]]
    unit = f"share of pairings that {t['bot']} wins against {t['other']}"
    rows, null = np.unique(pairs.game[at]), float(t.get("than", 0.5))
    return e.found(_share(score, blocks), blocks, "mean score of the pairing", unit, 1, null=null, rows=rows)


GAME_KINDS: dict[str, Callable[[Evidence, Test], Finding]] = {
    "games_share_above": _games_share(1),
    "games_share_below": _games_share(-1),
    "mean_above": _mean(1),
    "mean_below": _mean(-1),
    "mean_between": _mean(0),
    "quantile_between": _quantile,
    "ender_favoured": _ender(True),
    "ender_not_favoured": _ender(False),
    "seat_favoured": _seat(True),
    "seat_not_favoured": _seat(False),
    "seats_even": _seats_even,
    "change_raises": _change(1),
    "change_lowers": _change(-1),
    "level_raises": _level(1),
    "level_lowers": _level(-1),
    "beats": _beats,
}
