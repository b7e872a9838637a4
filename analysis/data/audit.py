"""Can the data be trusted? Checks on the design and on the log, before any estimate. (X4)"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import SELDOM, Games, read_games, tidy
from analysis.stats.blocks import FEWEST_BLOCKS

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

UNLIKELY = 0.001  # checks of chance fail below this p value: a report runs many of them
MANY_REPEATS = 0.5  # fewer new lines than this share of games is a failure, not a note
CAP_NOTED, CAP_FAILED = 0.001, 0.05  # shares of games stopped by the cap


@dataclass(frozen=True)
class Check:
    """One check: its name, whether it holds (None: worth knowing), a number, and a sentence."""

    check: str
    ok: bool | None
    value: float
    detail: str


def audit(d: Dataset) -> pl.DataFrame:
    """Check the design and the log of a data set.

    Returns
    -------
    polars.DataFrame
        ``check, ok`` (true, false, or null for a note), ``value, detail``. What does not apply has no row.
    """
    import polars as pl

    games = _Loaded(d)
    checks = [check for part in CHECKS for check in part(games)]
    frame = pl.DataFrame(
        [(c.check, c.ok, c.value, c.detail) for c in checks],
        schema={"check": pl.String, "ok": pl.Boolean, "value": pl.Float64, "detail": pl.String},
        orient="row",
    )
    return tidy(frame, ["check", "ok", "value", "detail"])


class _Loaded:
    """The games with the columns that several checks share."""

    def __init__(self, d: Dataset) -> None:
        self.d = d
        columns = d.games.collect_schema().names()
        wanted = ("rotation", "ended", "winner", "tied", *d.drawn)
        self.games: Games = read_games(d, extra=[name for name in wanted if name in columns])
        self.frame = self.games.frame

    def numbers(self, name: str) -> Any:
        return self.frame[name].to_numpy()


def _finished(g: _Loaded) -> Iterator[Check]:
    planned = int(g.d.cells["games"].sum()) if "games" in g.d.cells.columns else 0
    n = len(g.games) if g.d.read is None else g.d.read.games(g.d)
    if planned:
        detail = f"{n:,} games of {planned:,} planned"
        if n < planned:
            detail += "; cells that are done first may differ from the rest"
        if g.d.read is not None:
            detail += f"; the checks below read {len(g.games):,} of them ({g.d.read.how()})"
        yield Check("all planned games are there", True if n >= planned else None, n / planned, detail)


def _imported(g: _Loaded) -> Iterator[Check]:
    """Of games that people kept: rows that could not be read."""
    read = g.d.manifest.get("imported") or {}
    if (number := int(read.get("left_out") or 0)) > 0:
        told = "; ".join(read.get("reasons") or [])
        detail = f"{number:,} rows are no part of these games (all are in left_out.csv): {told}"
        yield Check("every row of the files is a game", None, float(number), detail)


def _deals(g: _Loaded) -> Iterator[Check]:
    deals = g.games.n_deals
    if "seed" in g.frame.columns and g.frame["seed"].null_count() == 0:
        seeds = stats.different(g.numbers("seed"))
        mixed = 0
        if deals < len(g.games):
            per_deal = g.frame.group_by("deal").agg(_n_unique("seed"))
            mixed = int((per_deal["seed"] > 1).sum())
        ok = seeds == deals and mixed == 0
        detail = f"{deals:,} deals from {seeds:,} different seeds"
        if seeds < deals:
            detail += "; games with one seed are one deal, and the intervals count them as one"
        elif mixed:
            detail += f"; {mixed:,} deals were played from more than one seed"
        yield Check("deals are distinct", ok, float(seeds), detail)
    number = g.games.blocks.number
    if number < FEWEST_BLOCKS:
        yield Check("enough independent blocks", False, number, f"only {number:.0f}: no verdict is given")


def _lines(g: _Loaded) -> Iterator[Check]:
    if "line" not in g.frame.columns or g.frame["line"].null_count():
        return
    n, lines = len(g.games), stats.different(g.numbers("line"))
    effective = stats.effective_number(g.numbers("line"))
    # The same line in several cells of one deal is the deal's business, so new lines are counted per deal.
    once = stats.different(g.numbers("deal")) == n
    pairs = n if once else g.frame.select("deal", "line").n_unique()
    ok: bool | None = True
    detail = f"{lines:,} distinct lines of play in {n:,} games (effective number {effective:,.0f})"
    if lines < 0.95 * pairs:
        ok = False if lines < MANY_REPEATS * pairs else None
        detail += "; repeated lines are no new evidence, intervals go by deal and line"
    yield Check("lines of play are distinct", ok, float(lines), detail)
    yield Check("effective number of lines", ok, effective, "lines weighted by how often each was played")


def _credits(g: _Loaded) -> Iterator[Check]:
    games = g.games
    # The members of a side win together: each has the side's whole share, and the side counts once.
    members = games.of_sides(np.ones(len(games.seat)))
    share = games.of_sides(games.win_share) / members
    if g.d.has_sides:
        uneven = int((np.abs(share - games.win_share) > 1e-9).sum())
        detail = f"{uneven:,} seats have another win share than their partners"
        yield Check("partners share every win", uneven == 0, float(uneven), detail)
    sums = games.in_game(share / members)
    off = float(np.max(np.abs(sums - 1.0)))
    total = float(sums.sum())
    yield Check(
        "win shares of each game add up to 1",
        off < 1e-6,
        total,
        f"sum {total:,.3f} over {len(g.games):,} games; largest deviation in a game {off:.1e}",
    )
    if "tied" in g.frame.columns:
        tied = np.rint(games.in_game((share > 0) / members)).astype(np.int64)
        wrong = int((tied != g.numbers("tied")).sum())
        detail = f"{wrong:,} games name another number of winners than their seats show"
        yield Check("winners agree with win shares", wrong == 0, float(wrong), detail)


def _rotations(g: _Loaded) -> Iterator[Check]:
    moves = g.d.manifest.get("rotations")
    if "rotation" not in g.frame.columns or moves is None:
        return
    if not moves:
        repeated = stats.different(g.numbers("deal")) < len(g.games)
        repeated = repeated and g.frame.select("cell", "deal").n_unique() < len(g.games)
        detail = (
            "a deal was played more than once although nothing moves with the players: it is still one deal"
            if repeated
            else "nothing moves with the players, and each deal was played once a cell"
        )
        yield Check("each deal is played once", not repeated, float(repeated), detail)
        return
    sizes = g.frame.group_by("cell", "deal").len()["len"].to_numpy()
    cells = g.frame.group_by("cell", "deal").len().group_by("cell").agg(_n_unique("len"))
    whole = bool((cells["len"] == 1).all())
    detail = f"{sizes.min()} to {sizes.max()} games a deal and cell" + (
        "" if whole else "; some blocks are cut"
    )
    yield Check("deals are whole blocks", whole, float(sizes.mean()), detail)


def _players(g: _Loaded) -> Iterator[Check]:
    """Each player sits in each seat equally often, and players that are alike win equally often."""
    if not g.d.manifest.get("rotations") or "player" not in g.d.seats.collect_schema().names():
        return
    moving = _moving(g)
    if not moving.any():
        return
    player = g.games.seat_values("player").astype(np.int64)
    seats = np.repeat(moving, g.games.players)
    seat = g.games.seat
    cell = np.repeat(g.numbers("cell").astype(np.int64), g.games.players)
    most = int(max(player.max(), seat.max())) + 1
    place = ((cell * most + seat) * most + player)[seats]
    counts = np.bincount(place, minlength=(int(cell.max()) + 1) * most * most)
    table = counts.reshape(-1, most, most)
    widest = 0.0
    for one in table:
        used = one[one.sum(axis=1) > 0][:, one.sum(axis=0) > 0]
        if used.size:
            widest = max(widest, float((used.max() - used.min()) / used.mean()))
    detail = f"largest difference between seats {100 * widest:.1f}% of a player's games in one seat"
    yield Check("players sit in each seat equally often", widest < 0.01, widest, detail)
    yield from _mirror(g, player, moving)


def _moving(g: _Loaded) -> Any:
    """Games of cells in which deals were played with the players in other seats; alike players do not move."""
    if "rotation" not in g.frame.columns:
        return np.ones(len(g.games), dtype=bool)
    cell, rotation = g.numbers("cell").astype(np.int64), g.numbers("rotation").astype(np.int64)
    return np.isin(cell, np.unique(cell[rotation > 0]))


def _mirror(g: _Loaded, player: Any, moving: Any) -> Iterator[Check]:
    code, _ = g.games.named("bot")
    if "deck" in g.d.seats.collect_schema().names():
        deck, decks = g.games.named("deck")
        code = code * len(decks) + deck
    first = g.games.first_row
    same = np.maximum.reduceat(code, first) == np.minimum.reduceat(code, first)
    for n, sides in g.games.tables:
        rows = np.flatnonzero(same & moving & g.games.at_table(n, sides))
        if len(rows) == 0:
            continue
        who, share = g.games.pad(player, rows), g.games.pad(g.games.win_share, rows)
        by_player = np.zeros((len(rows), int(who.max()) + 1))
        np.put_along_axis(by_player, who, share, axis=1)
        if by_player.shape[1] != n:
            continue
        blocks = g.games.blocks[rows]
        mean, cov = stats.block_means(by_player, blocks)
        p = stats.wald(mean - 1 / sides, cov, blocks.df)[2]
        worst = float(mean[np.argmax(np.abs(mean - 1 / sides))])
        table = f"{n} players" + (f" in {sides} sides" if sides < n else "")
        detail = f"{table} alike: furthest from {1 / sides:.3f} is {worst:.3f}"
        exact = bool(np.allclose(mean, 1 / sides, atol=1e-12))
        ok = True if exact else (bool(p > UNLIKELY) if np.isfinite(p) else None)
        detail += f" (p {p:.3f})" if np.isfinite(p) and not exact else ""
        yield Check(f"alike players win alike ({table})", ok, worst, detail)


def _ends(g: _Loaded) -> Iterator[Check]:
    import polars as pl

    if "ended" not in g.frame.columns:
        return
    ended = g.frame["ended"].cast(pl.String).fill_null("not recorded").to_numpy()
    share = {word: float(np.mean(ended == word)) for word in np.unique(ended)}
    text = ", ".join(f"{word} {100 * part:.2f}%" for word, part in sorted(share.items(), key=lambda i: -i[1]))
    finished = share.get("finished", 0.0)
    yield Check("games end by the rules", True if finished > 0.95 else None, finished, text)
    capped = share.get("turn_cap", 0.0)
    ok = True if capped <= CAP_NOTED else (False if capped > CAP_FAILED else None)
    detail = "none was stopped by the cap on turns"
    if capped:
        detail = (
            f"{100 * capped:.2f}% stopped by the cap on turns: counted, and may move any share by as much"
        )
    yield Check("few games are stopped by the cap", ok, capped, detail)
    passed = share.get("all_passed", 0.0)
    if passed > 0:
        detail = f"{100 * passed:.2f}% stopped because all went on passing: counted as they stood"
        yield Check("few games stop on passes", True if passed <= CAP_NOTED else None, passed, detail)
    if share.get("overflow", 0.0) > 0:
        detail = "positions with more options than the engine holds"
        yield Check("no game overflowed", False, share["overflow"], detail)
    if share.get("stuck", 0.0) > 0:
        yield Check(
            "no game was stuck", None, share["stuck"], "nobody could act, and no rule ends such a game"
        )


def _ratio(g: _Loaded) -> Iterator[Check]:
    """Sample-ratio mismatch: cells hold games in the planned proportion."""
    from scipy.stats import chisquare

    if "games" in g.d.cells.columns and g.d.cells.height > 1:
        planned = dict(zip(g.d.cells["cell"].to_list(), g.d.cells["games"].to_list(), strict=True))
        seen = dict(zip(*np.unique(g.numbers("cell"), return_counts=True), strict=True))
        if g.d.read is not None:
            seen = dict(g.d.read.played)
        observed = np.array([seen.get(cell, 0) for cell in planned], dtype=np.float64)
        expected = np.array(list(planned.values()), dtype=np.float64)
        if (expected > 0).all() and observed.sum() > 0:
            p = float(chisquare(observed, expected * observed.sum() / expected.sum()).pvalue)
            detail = (
                f"{observed.min():,.0f} to {observed.max():,.0f} games a cell; p {p:.3f} against the plan"
            )
            # A run that is not finished yet is uneven without anything being wrong.
            ok = True if p > UNLIKELY else (False if observed.sum() >= expected.sum() else None)
            yield Check("cells have the planned shares of games", ok, p, detail)


def _lever(g: _Loaded) -> Iterator[Check]:
    """Random assignment does not know the seat, and the counts add up."""
    lever = g.d.manifest.get("lever")
    if not lever or not g.d.has("pieces"):
        return
    try:
        counts = g.games.piece_counts(str(lever.get("column", "assigned")), g.d.piece_names)
    except Refusal as error:
        yield Check("pieces were assigned at random", False, 0.0, str(error))
        return
    total = g.d.manifest.get("piece_total")
    if total is not None:
        wrong = int((counts.sum(axis=1) != int(total)).sum())
        detail = f"{wrong:,} seats hold another number of pieces than {total}"
        yield Check("assigned pieces add up", wrong == 0, float(wrong), detail)
    yield from _use(g, counts)
    smallest, tests, where = 1.0, 0, ""
    for n in np.unique(g.games.players):
        rows = np.flatnonzero(g.games.players == n)
        blocks = g.games.blocks[rows]
        for piece, name in enumerate(g.d.piece_names):
            held = g.games.pad(counts[:, piece], rows).astype(np.float64)
            held -= held.mean(axis=1, keepdims=True)
            mean, cov = stats.block_means(held, blocks)
            # Whole rotations give every seat the same pieces in each deal: nothing is left to test.
            p = stats.wald(mean, cov, blocks.df)[2] if np.abs(mean).max() > 1e-9 else np.nan
            if np.isfinite(p):
                tests += 1
                if p < smallest:
                    smallest, where = p, f"{name} with {n} players"
    if tests:
        detail = f"smallest p of {tests} tests {smallest:.4f} ({where})" if where else "all alike"
        yield Check(
            "assigned pieces do not depend on the seat", smallest * tests > UNLIKELY, smallest, detail
        )


def _use(g: _Loaded, assigned: Any) -> Iterator[Check]:
    """What is assigned is also played: else its strength tells of the bots."""
    played = g.games.played(g.d.piece_names)
    if played is None:
        return
    held, used = assigned.sum(axis=0), played.sum(axis=0)
    idle = [n for n, h, u in zip(g.d.piece_names, held, used, strict=True) if h > 0 and u < SELDOM * h]
    detail = f"not used by these bots: {', '.join(idle)}" if idle else "every kind of piece is played"
    yield Check("assigned pieces are played", None if idle else True, float(len(idle)), detail)


def _schema(g: _Loaded) -> Iterator[Check]:
    import polars as pl

    promised = g.d.manifest.get("schema_tables") or {}
    if not promised:
        return
    wrong = []
    for table, columns in promised.items():
        if not g.d.has(table):
            continue
        found = g.d.table(table).collect_schema()
        for name, kind in columns.items():
            if name not in found:
                wrong.append(f"{table}.{name} is missing")
            else:
                own = "Enum" if isinstance(found[name], pl.Enum) else str(found[name])
                if own.split("(")[0] != str(kind).split("(")[0]:
                    wrong.append(f"{table}.{name} is {own}, not {kind}")
    detail = "; ".join(wrong[:3]) or "all columns have the types that the manifest promises"
    yield Check("columns have the promised types", not wrong, float(len(wrong)), detail)


def _n_unique(name: str) -> pl.Expr:
    import polars as pl

    return pl.col(name).n_unique()


CHECKS = (
    _imported,
    _deals,
    _lines,
    _credits,
    _rotations,
    _players,
    _ends,
    _ratio,
    _lever,
    _finished,
    _schema,
)
