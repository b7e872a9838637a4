"""What was compared, told apart: the base, each level, and the tested difference; never an average over them.

Two versions of a piece may lie on either side of a margin, and their mean inside it. So every setting that was compared
(`[vary]`, `[[variant]]`) has an estimate and a verdict of its own, and what sets it apart from the base is tested by
itself, with an interval that holds all differences of the family at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.bans_and_drafts.ban_effects import Arms
from analysis.changes.contrasts import mean_changes
from analysis.changes.dependence import piece_differences, seat_differences
from analysis.data.errors import Refusal, nearest
from analysis.data.frames import read_games, tidy
from analysis.data.measures import MINUTES, Measures
from analysis.data.questions import LENGTH, PIECES, SEATS, SIZE, Across, compared, level_text, setting_text
from analysis.fairness.seats import seat_balance
from analysis.pace.course import length
from analysis.pieces.strength import piece_strength

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

SETTING = "setting"
"""Column of the cells of a view that names what a cell was played under."""
WHAT = (SEATS, PIECES, LENGTH)
OF = {SEATS: "seat", PIECES: "piece"}


@dataclass(frozen=True)
class Settings:
    """A data set whose cells say under which setting they were played.

    Attributes
    ----------
    d : Dataset
        The view, with the column `SETTING` in its cells.
    names : list of str
        The settings, the base first.
    pairs : list of (base, setting)
        What is set against what.
    """

    d: Dataset
    names: list[str]
    pairs: list[tuple[str, str]]


def settings(
    d: Dataset, across: Sequence[Across], apart: Sequence[str] = (), *, sizes: bool = True
) -> Settings:
    """Put the cells into the settings that are compared.

    Parameters
    ----------
    across
        What is compared, with its levels; cells at other levels are left out.
    apart
        Factors that are told apart but not set against each other: the base is one for each of their settings.
    sizes
        Whether the number of players makes a setting; else whoever asks tells tables apart.
    """
    import polars as pl

    wanted = [one for one in across if sizes or one.factor != SIZE]
    beside = [name for name in apart if sizes or name != SIZE]
    cells = d.cells.sort("cell")
    rank: dict[int, tuple[int, ...]] = {}
    texts: dict[int, str] = {}
    for row in cells.iter_rows(named=True):
        levels = [level_text(row[one.factor]) for one in wanted]
        if all(level in one.levels for level, one in zip(levels, wanted, strict=True)):
            rank[row["cell"]] = tuple(
                one.levels.index(level) for level, one in zip(levels, wanted, strict=True)
            )
            texts[row["cell"]] = _name(row, wanted, beside, rank[row["cell"]])
    if not rank:
        raise Refusal(f"{d.name}: no game was played at the levels that are compared")
    tables = {} if sizes else _tables(d)
    strata: dict[tuple[Any, ...], list[int]] = {}
    for row in cells.filter(pl.col("cell").is_in(list(rank))).iter_rows(named=True):
        key = (*(level_text(row[name]) for name in beside), tables.get(row["cell"]))
        strata.setdefault(key, []).append(row["cell"])
    pairs: dict[tuple[str, str], None] = {}
    for members in strata.values():
        members.sort(key=lambda cell: rank[cell])
        pairs |= {(texts[members[0]], texts[cell]): None for cell in members}
    ordered = list(dict.fromkeys(texts[cell] for members in strata.values() for cell in members))
    kept = cells.filter(pl.col("cell").is_in(list(rank)))
    named = kept.with_columns(pl.Series(SETTING, [texts[cell] for cell in kept["cell"].to_list()]))
    return Settings(d.with_cells(named), ordered, [pair for pair in pairs if pair[0] != pair[1]])


MOST_NAMED = 2
"""Of more factors a setting names those alone that are not at the base."""


def _name(row: dict[str, Any], across: Sequence[Across], beside: Sequence[str], rank: Sequence[int]) -> str:
    names = [one.factor for one in across]
    if len(names) > MOST_NAMED:
        names = [name for name, at in zip(names, rank, strict=True) if at]
        moved = ", ".join(f"{name} {level_text(row[name])}" for name in names) or "all at the base"
        return ", ".join([moved, *([setting_text(beside, row)] if beside else [])])
    return setting_text([*names, *beside], row) or "all games"


def _tables(d: Dataset) -> dict[int, tuple[int, int]]:
    """Players and sides of each cell."""
    import polars as pl

    players = d.games.group_by("cell").agg(pl.col("players").first()).collect()
    sizes = dict(players.rows())
    sides = dict(sizes)
    if d.has_sides:
        sides = dict(d.seats.group_by("cell").agg(pl.col("team").n_unique()).collect().rows())
    return {cell: (n, sides[cell]) for cell, n in sizes.items()}


def compare(
    d: Dataset,
    across: str | Sequence[str] | Sequence[Across] | None = None,
    what: str | Sequence[str] = WHAT,
    pieces: Sequence[str] = (),
    apart: Sequence[str] = (),
) -> pl.DataFrame:
    """The base, each level, and the tested difference, of the seats, the pieces and the length of games.

    Parameters
    ----------
    across : str, list of str, or list of `analysis.data.questions.Across`, optional
        What is compared; by default what the experiment asks (``d.asks``), else all that was varied.
    what : str or list of str
        ``seats``, ``pieces``, ``length``.
    pieces : list of str
        Only these pieces.
    apart : list of str
        Factors that are told apart, but not set against each other.

    Returns
    -------
    polars.DataFrame
        One row a setting, table, and seat, piece or measure: ``what`` (``seat``, ``piece``, ``minutes``, ``turns``),
        ``about, players, sides, side, setting, base, value, value_low, value_high, fair, verdict`` at this setting by
        itself; and against the setting ``against`` (null at the base) ``estimate, low, high, p, q, differs, same``.
        ``low .. high`` holds all differences of the frame at once, at 95 % (Bonferroni), ``q`` is corrected in
        the same way, ``differs``: beyond chance by it. ``same``: shown to be smaller than the `[judge]` margin
        (equivalence tests, corrected). Errors by deal, over both settings together where they share their deals.
        ``more_games``: about so many more would settle the verdict of this setting (`analysis.stats.power`).
        Win shares as shares, pieces as win share a copy against the average other piece. Then ``games, deals, method,
        note``.
    """
    import polars as pl

    rows, conditioned = family(d, across, what, pieces, apart)
    _judge(rows, conditioned)
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    head = [
        "what",
        "about",
        "players",
        "sides",
        "setting",
        "base",
        "value",
        "value_low",
        "value_high",
        "fair",
    ]
    return tidy(frame, [*head, "verdict", "against", "estimate", "low", "high", "p", "q", "differs", "same"])


def family(
    d: Dataset,
    across: str | Sequence[str] | Sequence[Across] | None = None,
    what: str | Sequence[str] = WHAT,
    pieces: Sequence[str] = (),
    apart: Sequence[str] = (),
) -> tuple[list[dict[str, Any]], bool]:
    """The rows of `compare` before anything is tested, and whether the games were picked by how they ended.

    ``found`` is the estimate of a difference, or None, and ``margin`` what counts as the same.
    """
    kinds = [what] if isinstance(what, str) else list(what)
    for kind in kinds:
        if kind not in WHAT:
            raise Refusal(f"compare: '{kind}' is none of {', '.join(WHAT)}{nearest(kind, WHAT)}")
    axes, beside = _axes(d, across, apart)
    rows: list[dict[str, Any]] = []
    plain = settings(d, axes, beside, sizes=False)
    if SEATS in kinds:
        rows += _seats(plain)
    if PIECES in kinds and d.manifest.get("lever") and d.has("pieces"):
        rows += _pieces(settings(d, axes, beside), pieces)
    if LENGTH in kinds:
        rows += _lengths(plain)
    if not rows:
        raise Refusal(f"{d.name}: nothing of {' or '.join(kinds)} can be told")
    return rows, read_games(plain.d, SETTING).no_verdict is not None


def _axes(d: Dataset, across: Any, apart: Sequence[str]) -> tuple[tuple[Across, ...], tuple[str, ...]]:
    if across is None:
        first = d.asks[0]
        return first.across, (*first.apart, *apart)
    given = [across] if isinstance(across, str) else list(across)
    every = {one.factor: one for one in compared(d.manifest, d.cells)[0]}
    out = []
    for one in given:
        name = one if isinstance(one, str) else one.factor
        if name not in d.cells.columns:
            raise Refusal(f"{d.name}: '{name}' was not compared{nearest(name, every)}")
        levels = tuple(dict.fromkeys(level_text(v) for v in d.cells.sort("cell")[name].to_list()))
        out.append(Across(name, levels) if isinstance(one, str) else one)
    rest = [name for name in every if name not in {one.factor for one in out}]
    return tuple(out), tuple(dict.fromkeys([*apart, *rest]))


def _judge(rows: list[dict[str, Any]], conditioned: bool) -> None:
    """Give all differences, as one family, their intervals and tests."""
    tested = [row for row in rows if row["against"] is not None and row["found"] is not None]
    every = stats.join([row["found"] for row in tested]) if tested else None
    if every is not None:
        # No share changes by more than all of it: such a fit has found no end (pieces that always win in few games).
        shares = np.array([row["what"] in ("seat", "piece") for row in tested])
        known = np.isfinite(every.value) & every.enough & ~(shares & (np.abs(every.value) > 1))
        m = max(float(known.sum()), 1.0)
        low, high = every.interval(1 - stats.ALPHA / m)
        p = every.p()
        margin = np.array([row["margin"] for row in tested])
        same = np.full(len(tested), np.nan)
        has: NDArray[np.bool_] = np.asarray(known & np.isfinite(margin) & np.isfinite(every.se))
        if has.any():
            same[has] = stats.hochberg(every[has].p_within(-margin[has], margin[has]))
        for i, row in enumerate(tested):
            if not known[i]:
                continue  # too few deals to compare
            clear = bool(known[i] and (low[i] > 0 or high[i] < 0)) and not conditioned
            row |= {"estimate": every.value[i], "low": low[i], "high": high[i], "p": p[i]}
            row |= {"q": min(1.0, m * p[i]), "differs": clear}
            row["same"] = bool(same[i] < stats.ALPHA) and not clear and not conditioned
    for row in rows:
        del row["found"], row["margin"]


def _seats(told: Settings) -> Iterator[dict[str, Any]]:
    frame = seat_balance(told.d, by=SETTING)
    found: dict[tuple[Any, ...], dict[str, Any]] = {
        (row["players"], row["sides"], row["about"], row["level"], row["against"]): row
        for row in seat_differences(told.d, SETTING, told.pairs)
    }
    there = _there(frame)
    for row in _in_order(frame, told):
        n, sides, seat = row["players"], row["sides"], str(row["seat"])
        at, margin = there[n, sides], told.d.judge.seat
        yield from _rows("seat", seat, row, row["setting"], told, found, (n, sides, seat), margin, at)


def _pieces(told: Settings, only: Sequence[str]) -> Iterator[dict[str, Any]]:
    frame = piece_strength(told.d, by=SETTING)
    found: dict[tuple[Any, ...], dict[str, Any]] = {
        (row["about"], row["level"], row["against"]): row
        for row in piece_differences(told.d, SETTING, told.pairs)
    }
    for row in _in_order(frame, told):
        piece = str(row["piece"])
        if not only or piece in only:
            low, high = told.d.judge.range_of(piece)
            named = {**row, "players": None, "sides": None, "fair": None}
            half = (high - low) / 2
            yield from _rows(
                "piece", piece, named, row["setting"], told, found, (piece,), half, set(told.names)
            )


def _lengths(told: Settings) -> Iterator[dict[str, Any]]:
    import polars as pl

    try:
        frame = length(told.d, by=SETTING)
    except Refusal:  # how long games took was not recorded
        return
    measure = next(name for name in (MINUTES, "turns", "decisions") if name in frame["measure"])
    games = read_games(told.d, SETTING)
    members = {labels[SETTING]: rows for labels, rows in games.groups(split_players=False)}
    values = {measure: Measures(games).of(measure)}
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for base, setting in told.pairs:
        if base in members and setting in members:
            arm = Arms(setting, frozenset(), members[base], members[setting], "paired")
            for row in mean_changes(games, [arm], values):
                found[row["players"], row["sides"], setting, base] = row
    there = _there(frame)
    for row in _in_order(frame.filter(pl.col("measure") == measure), told):
        named = {**row, "fair": None, "verdict": None}
        at = (row["players"], row["sides"])
        yield from _rows(measure, None, named, row["setting"], told, found, at, float("nan"), there[at])


def _there(frame: pl.DataFrame) -> dict[tuple[int, int], set[str]]:
    """The settings that were played at each kind of table."""
    out: dict[tuple[int, int], set[str]] = {}
    for n, sides, name in frame.select("players", "sides", SETTING).rows():
        out.setdefault((n, sides), set()).add(name)
    return out


def _in_order(frame: pl.DataFrame, told: Settings) -> list[dict[str, Any]]:
    order = {name: k for k, name in enumerate(told.names)}
    return sorted(frame.iter_rows(named=True), key=lambda row: order[row["setting"]])


def _rows(
    what: str,
    about: str | None,
    row: dict[str, Any],
    setting: str,
    told: Settings,
    found: dict[tuple[Any, ...], dict[str, Any]],
    key: tuple[Any, ...],
    margin: float,
    there: set[str],
) -> Iterator[dict[str, Any]]:
    """The row of one setting, or one against each base where it has several; `there` are those of the same table."""
    bases: list[str | None] = [base for base, other in told.pairs if other == setting and base in there]
    for base in bases or [None]:
        difference = found.get((*key, setting, base)) if base is not None else None
        yield {
            "what": what,
            "about": about,
            "players": row["players"],
            "sides": row["sides"],
            "side": row.get("side"),
            "setting": setting,
            "base": base is None,
            "value": row["estimate"],
            "value_low": row["low"],
            "value_high": row["high"],
            "fair": row["fair"],
            "verdict": row["verdict"],
            "against": base,
            "estimate": None,
            "low": None,
            "high": None,
            "p": None,
            "q": None,
            "differs": False,
            "same": False,
            "more_games": row.get("more_games"),
            "games": row["games"],
            "deals": row["deals"],
            "method": row["method"],
            "note": row["note"],
            "margin": margin,
            "found": difference["found"] if difference is not None else None,
        }
