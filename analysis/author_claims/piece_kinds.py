"""The contrasts behind the author's claims: each kind of test is a function of the evidence and its keys.

The list of kinds, with the keys that each takes, stands in `analysis.author_claims.claims`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.author_claims.evidence import (
    MORE,
    SHARE,
    Evidence,
    Finding,
    Test,
    by_verdict,
    from_row,
    is_named,
)
from analysis.author_claims.game_kinds import GAME_KINDS
from analysis.bans_and_drafts.ban_effects import ban_arms
from analysis.data.errors import Refusal, nearest
from analysis.data.frames import floats, read_games
from analysis.pieces.harm import facing, ratio
from analysis.stats.blocks import FEWEST_BLOCKS

Floats = NDArray[np.float64]


def _average(direction: int) -> Callable[[Evidence, Test], Finding]:
    def test(e: Evidence, t: Test) -> Finding:
        name = e.piece(t["piece"])
        row = e.strength.row(by_predicate=is_named("piece", name), named=True)
        return by_verdict(from_row(row, direction, e.d.judge.piece, FEWEST_BLOCKS), row, MORE, direction)

    return test


def _stronger(e: Evidence, t: Test) -> Finding:
    names = e.model.names
    one, other = names.index(e.piece(t["piece"])), names.index(e.piece(t["than"]))
    c = np.zeros((1, e.model.counts.shape[1] + e.model.others.shape[1]))
    c[0, one], c[0, other] = 1.0, -1.0
    return _logit(e, e.fit, c, 1, "conditional logit, one piece against another")


def _logit(e: Evidence, fit: stats.LogitFit, c: Floats, direction: int, what: str) -> Finding:
    if not fit.converged or not fit.identified(c)[0]:
        raise Refusal("the games never set the two apart")
    if not fit.finite(c)[0]:
        raise Refusal("too few games: with one of them a side always won, or never")
    odds, cov = fit.contrast(c)
    found = stats.effects(fit.slope * odds, fit.slope * np.sqrt(cov[0]), fit.blocks.number)
    return e.found(found, fit.blocks, what, SHARE, direction, same=e.d.judge.piece)


def _even(e: Evidence, t: Test) -> Finding:
    rows = [r for r in e.strength.iter_rows(named=True) if r["estimate"] is not None]
    if not rows:
        raise Refusal("no piece's strength could be estimated")
    far = max(rows, key=lambda r: abs(r["estimate"]))
    found = from_row(far, 1, e.d.judge.piece, FEWEST_BLOCKS)
    off = [r["piece"] for r in rows if r["verdict"] in ("strong", "weak")]
    open_ones = [r["piece"] for r in rows if r["verdict"] == "undecided"]
    found.status = "not" if off else ("cannot tell" if open_ones else "reproduced")
    # The verdicts of the pieces carry corrections of their own: this row must not enter the family again.
    found.p = found.p_same = float("nan")
    parts = [f"furthest from the average: {far['piece']}"]
    parts += [f"beyond the margin: {', '.join(off)}"] if off else []
    parts += [f"undecided: {', '.join(open_ones)}"] if open_ones else []
    found.note = "; ".join(parts)
    return found


def _ban(direction: int) -> Callable[[Evidence, Test], Finding]:
    def test(e: Evidence, t: Test) -> Finding:
        ban = e.piece(t["ban"])
        if "piece" not in t:
            return _ban_column(e, ban, t, direction)
        piece = e.piece(t["piece"])
        rows = e.bans.filter(is_named("banned", ban) & is_named("piece", piece))
        if "in" in t:
            rows = rows.filter(is_named("column", str(t["in"])))
        if rows.is_empty():
            raise Refusal(f"no games with and without {ban}")
        return from_row(rows.row(0, named=True), direction, e.d.judge.piece, FEWEST_BLOCKS)

    return test


def _ban_column(e: Evidence, ban: str, t: Test, direction: int) -> Finding:
    arms = [
        a
        for a in ban_arms(e.d, e.games, t.get("in"))
        if a.pieces == {ban} and len(a.with_rows) and len(a.without_rows)
    ]
    if not arms:
        raise Refusal(f"no games with and without {ban}")
    column, per = str(t["column"]), t.get("per")
    if column in e.d.games.collect_schema().names():
        over = floats(read_games(e.d, extra=[column]).frame, column)
    else:
        over = e.sums(column).sum(axis=1)
    under = np.ones(len(over)) if per is None else e.sums(str(per)).sum(axis=1)
    parts, influence = [], []
    for rows, sign in ((arms[0].without_rows, -1), (arms[0].with_rows, 1)):
        total = max(float(under[rows].sum()), 1e-12)
        parts.append(float(over[rows].sum()) / total)
        influence.append(sign * (over[rows] - parts[-1] * under[rows]) / total)
    blocks = e.games.blocks[arms[0].without_rows].join(e.games.blocks[arms[0].with_rows])
    se = float(np.sqrt(stats.covariance(np.concatenate(influence)[:, None], blocks)[0, 0]))
    rows = np.concatenate([arms[0].without_rows, arms[0].with_rows])
    unit = f"{column} a {'game' if per is None else f'copy {per}'}"
    what = "difference of means with and without the ban"
    number = min(e.games.blocks[side].number for side in (arms[0].without_rows, arms[0].with_rows))
    change = stats.effects(parts[1] - parts[0], se, number, float(over.std()))
    return e.found(change, blocks, what, unit, direction, rows=rows)


def _countered(e: Evidence, t: Test) -> Finding:
    model, names = e.model, e.model.names
    mine, theirs = names.index(e.piece(t["piece"])), names.index(e.piece(t["by"]))
    games = model.games
    facing_it = games.of_others(model.counts[:, theirs].astype(np.int16)).astype(np.int16)
    both = model.counts[:, mine] * facing_it
    flat = np.concatenate([both[:, None], model.counts, model.others], axis=1)
    rows = np.arange(len(games))
    x, credit, mask = games.choices(flat, rows)
    fit = stats.conditional_logit(x, credit, games.blocks, mask)
    c = np.zeros((1, flat.shape[1]))
    c[0, 0] = 1.0
    found = _logit(e, fit, c, -1, "conditional logit, copies of one times copies of the other")
    found.unit = "win share a copy for each copy faced"
    return found


def _seats(whose: str, direction: int) -> Callable[[Evidence, Test], Finding]:
    def test(e: Evidence, t: Test) -> Finding:
        piece, column = e.piece(t["piece"]), str(t["column"])
        have = e.d.seats.collect_schema().names()
        if column not in have:
            raise Refusal(f"no column '{column}' in seats{nearest(column, have)}")
        _ = e.model  # refuses pieces that were not assigned at random
        row = next(r for r in facing(e.d, whose, (column,)) if r["piece"] == piece)
        found = from_row({**row, "p": float(row["p"])}, direction, float("nan"), FEWEST_BLOCKS)
        found.unit, found.p_same = f"{whose}: {column} a copy", float("nan")
        return found

    return test


def _share(direction: int, others: bool) -> Callable[[Evidence, Test], Finding]:
    def test(e: Evidence, t: Test) -> Finding:
        k = e.d.piece_names.index(e.piece(t["piece"]))
        column, per = str(t["column"]), str(t.get("per", "played"))
        over, under = e.sums(column), e.sums(per)
        blocks = e.games.blocks
        unit = f"{column} a copy {per}"
        if not others:
            found = stats.effects(*ratio(over[:, k], under[:, k], blocks), blocks.number)
            return e.found(found, blocks, "ratio of sums", unit, direction, null=float(t["than"]))
        rest = np.arange(over.shape[1]) != k
        value, influence = 0.0, np.zeros(len(over))
        for a, b, sign in ((over[:, k], under[:, k], 1), (over[:, rest].sum(1), under[:, rest].sum(1), -1)):
            if b.sum() <= 0:
                raise Refusal(f"no copy was {per}")
            own = float(a.sum() / b.sum())
            value, influence = value + sign * own, influence + sign * (a - own * b) / b.sum()
        se = float(np.sqrt(stats.covariance(influence[:, None], blocks)[0, 0]))
        found = stats.effects(value, se, blocks.number)
        return e.found(found, blocks, "ratio of sums, against all other pieces", unit, direction)

    return test


def _often(e: Evidence, t: Test) -> Finding:

    piece, column, per = e.piece(t["piece"]), str(t["column"]), str(t.get("per", "played"))
    have = e.d.pieces.collect_schema().names()
    for name in (column, per):
        if name not in have:
            raise Refusal(f"no column '{name}' in pieces{nearest(name, have)}")
    own = e.d.piece_names.index(piece)
    used, counted = (e.games.columns.pieces_of(name, e.d.piece_names)[:, own] for name in (per, column))
    hit = (used > 0) & (counted >= float(t["least"]) * used)
    over, under = e.games.in_game(hit), e.games.in_game(used > 0)
    if not under.any():
        raise Refusal(f"no {piece} was {per}")
    value, se = ratio(over, under, e.games.blocks)
    unit = f"share of seats with {column} of {t['least']:g} or more a copy {per}"
    found = stats.shares(value, se**2, e.games.blocks)
    return e.found(found, e.games.blocks, "share of seats", unit, 1, null=float(t["than"]))


def _close(e: Evidence, t: Test) -> Finding:

    piece, names = e.piece(t["piece"]), e.d.piece_names
    if "margin" not in e.games.frame.columns:
        raise Refusal("the games have no margin of victory")
    margin = floats(e.games.frame, "margin")
    close = np.flatnonzero((margin > 0) & (margin <= float(t["margin"])))
    if len(close) == 0:
        raise Refusal(f"no game was won by {t['margin']:g} points or less")
    won = np.flatnonzero(e.games.win_share == 1.0)
    points = np.zeros((len(e.games), len(names)))
    points[e.games.game[won]] = e.games.piece_counts("scored", names)[won]
    decided = (points[close] >= margin[close, None]).astype(np.float64)
    k = names.index(piece)
    rest = np.arange(len(names)) != k
    each = decided[:, k] - decided[:, rest].mean(axis=1)
    blocks = e.games.blocks[close]
    mean, cov = stats.block_means(each[:, None], blocks)
    unit = "the share of close games that it decides, against the average other piece"
    what = "points of the piece at least as many as the margin"
    found = stats.effects(mean, np.sqrt(cov[0]), blocks.number)
    return e.found(found, blocks, what, unit, 1, rows=close)


def _comebacks(e: Evidence, t: Test) -> Finding:
    import polars as pl

    at = float(t["at"])
    frame = e.d.turns.filter(pl.col("turn") <= pl.col("turn").max().over("game_id") * at)
    last = (
        frame.sort("game_id", "turn")
        .group_by("game_id", maintain_order=True)
        .last()
        .collect()
        .sort("game_id")
    )
    if last.is_empty():
        raise Refusal("no game was long enough")
    rows = np.searchsorted(e.games.frame["game_id"].to_numpy(), last["game_id"].to_numpy())
    n = int(e.games.players.max())
    score = np.stack([floats(last, f"score_{s}") for s in range(n)], axis=1)
    held = np.zeros(len(e.games.seat))
    for s in range(n):
        there = rows[e.games.players[rows] > s]
        held[e.games.first_row[there] + s] = score[e.games.players[rows] > s, s]
    held = e.games.of_sides(held)
    behind = held < np.maximum.reduceat(held, e.games.first_row)[e.games.game]
    # The members of a side win together: each side counts once.
    size = e.games.of_sides(np.ones(len(held)))
    each = np.add.reduceat(e.games.win_share * behind / size, e.games.first_row)[rows]
    blocks = e.games.blocks[rows]
    mean, cov = stats.block_means(each[:, None], blocks)
    unit = f"share of games won from behind after {100 * at:g}% of the turns"
    found = stats.shares(mean, cov[0], blocks)
    return e.found(found, blocks, "mean over games", unit, 1, null=float(t["than"]), rows=rows)


def _not_measured(_: Evidence, t: Test) -> Finding:
    return Finding(note=str(t.get("why") or "nothing in the data can show it"), status="cannot tell")


KINDS: dict[str, Callable[[Evidence, Test], Finding]] = {
    "piece_above_average": _average(1),
    "piece_below_average": _average(-1),
    "stronger_than": _stronger,
    "pieces_even": _even,
    "ban_raises": _ban(1),
    "ban_lowers": _ban(-1),
    "countered_by": _countered,
    "raises_for_owner": _seats("owner", 1),
    "lowers_for_owner": _seats("owner", -1),
    "raises_for_opponents": _seats("opponents", 1),
    "lowers_for_opponents": _seats("opponents", -1),
    "share_above": _share(1, False),
    "share_below": _share(-1, False),
    "more_than_others": _share(1, True),
    "less_than_others": _share(-1, True),
    "often_at_least": _often,
    "decides_close_games": _close,
    "comebacks": _comebacks,
    "not_measured": _not_measured,
    **GAME_KINDS,
}
