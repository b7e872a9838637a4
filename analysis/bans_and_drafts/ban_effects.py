"""What does banning a piece, or leaving a copy of it out, do to the others and to the balance of the seats? (B1)

Any drawn column of kind ``piece set`` is read like bans. Two designs answer it. Bans *drawn* anew for each
deal split the deals into those with and without a piece; bans *varied* between cells are compared deal by
deal, because cells share their deals. Both go through the same sums: an estimate in each arm, and the errors
of the difference by deal over both arms together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal, nearest
from analysis.data.frames import Games, floats, read_games, tidy
from analysis.pieces.strength import PieceModel, piece_model

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

COLUMN = "bans"  # the column to look at where none was drawn
KIND = "piece set"
DRAWS = 2_000  # draws for the interval of the gap between seats


@dataclass(frozen=True)
class Arms:
    """Games with and without a ban.

    Attributes
    ----------
    banned : str
        What is banned, as text.
    pieces : set of str
        Kinds of piece that one arm lacks and the other may have.
    without_rows, with_rows : int arrays
        Games in which it is not banned, and is.
    design : str
        ``drawn`` or ``paired``.
    stratum : int array (games,), optional
        From 0: what else a game was played under, where an arm may hold more of it than the other: like is set
        against like.
    """

    banned: str
    pieces: frozenset[str]
    without_rows: Rows
    with_rows: Rows
    design: str
    stratum: Rows | None = None

    def means(self, values: Floats, old: Rows, new: Rows) -> tuple[list[Floats], list[Floats]]:
        """Means of `values` (games, k) over the rows of both arms, and each row's influence on them.

        Strata count alike in both arms, by what the two tell together (Mantel and Haenszel 1959): were the arms
        pooled, one that holds more long games would seem to make games longer.
        """
        parts = [old, new]
        code, size, weight = self._strata(parts)
        means, influence = [], []
        for rows, part, count in zip(parts, code, size, strict=True):
            each = (weight / np.maximum(count, 1))[part][:, None]
            sums = [np.bincount(part, weights=column, minlength=len(count)) for column in values[rows].T]
            level = np.stack(sums, axis=1) / np.maximum(count, 1)[:, None]
            means.append(weight @ level)
            influence.append(each * (values[rows] - level[part]))
        return means, influence

    def weights(self) -> tuple[Floats | None, Floats | None]:
        """How much each game of both arms counts in a fit, so that strata count alike; None: all games alike."""
        if self.stratum is None:
            return None, None
        parts = [self.without_rows, self.with_rows]
        code, size, weight = self._strata(parts)
        old, new = (
            (weight / np.maximum(count, 1))[part] * len(part) for part, count in zip(code, size, strict=True)
        )
        return old, new

    def _strata(self, parts: list[Rows]) -> tuple[list[Rows], list[Floats], Floats]:
        """The stratum of each row of both arms, games a stratum in each arm, and what each stratum weighs."""
        code = [np.zeros(len(rows), dtype=np.int64) for rows in parts]
        if self.stratum is not None:
            code = [self.stratum[rows].astype(np.int64) for rows in parts]
        top = max(int(part.max(initial=0)) for part in code) + 1
        size = [np.bincount(part, minlength=top).astype(np.float64) for part in code]
        weight = size[0] * size[1] / np.maximum(size[0] + size[1], 1)
        if not weight.any():
            code, size = [part * 0 for part in code], [np.array([float(len(rows))]) for rows in parts]
            weight = np.ones(1)
        return code, size, weight / weight.sum()


def set_columns(d: Dataset) -> list[str]:
    """Columns that say which pieces a game was played without: those drawn, else varied bans."""
    drawn = [name for name, entry in d.drawn.items() if entry.get("kind") == KIND]
    varied = COLUMN in d.cells.columns and d.cells[COLUMN].n_unique() > 1
    return drawn or ([COLUMN] if varied else [])


def done_word(d: Dataset, column: str) -> str:
    """What was done to the pieces of a set, as a participle: "banned", "left out"."""
    default = "banned" if column == COLUMN else column.replace("_", " ")
    return str(d.drawn.get(column, {}).get("did") or default)


def _columns(d: Dataset, column: str | None) -> list[str]:
    columns = set_columns(d) if column is None else [column]
    if not columns:
        raise Refusal(f'{d.name}: no bans were drawn or varied (bans = "random 3", or [vary] bans = [...])')
    for name in columns:
        if name not in d.cells.columns and name not in d.drawn:
            raise Refusal(f"{d.name}: no column '{name}' in cells or games{nearest(name, d.cells.columns)}")
    return columns


def ban_arms(d: Dataset, games: Games, column: str | None = None) -> Iterator[Arms]:
    """The comparisons that the data set offers; refuses one without bans.

    `column` is the first of `set_columns` unless it is named; a drawn one must be among the columns of `games`.
    """
    name = _columns(d, column)[0]
    drawn = d.drawn.get(name, {})
    if drawn.get("kind") == KIND:
        yield from _drawn_arms(d, games, name, str(drawn.get("sep", "+")))
    else:
        yield from _cell_arms(d, games, name)


def ban_effects_on_pieces(d: Dataset, column: str | None = None) -> pl.DataFrame:
    """How a ban changes what the other pieces are worth.

    Parameters
    ----------
    column : str, optional
        The column with the sets; by default each of `set_columns`.

    Returns
    -------
    polars.DataFrame
        ``column, did`` ("banned", "left out"), ``banned, piece, estimate, low, high, p, q, without_ban,
        with_ban, log_odds, games, games_with, deals, blocks, design, method, note``. ``estimate`` is the
        change of the win share that one more copy gives against the average other piece; the average is over
        pieces that are allowed in both arms, so that the yardstick does not change with the ban.
    """
    import polars as pl

    names = _columns(d, column)
    model = piece_model(d, extra=_extra(d, names))
    rows = [
        {"column": name, "did": done_word(d, name), **row}
        for name in names
        for row in _effects_once(d, model, name)
    ]
    if not rows:
        raise Refusal(f"{d.name}: no ban leaves enough games on both sides")
    frame = pl.DataFrame(rows, infer_schema_length=None)
    frame = frame.with_columns(pl.Series("q", stats.bh(floats(frame, "p"))))
    return tidy(
        frame,
        ["column", "did", "banned", "piece", "estimate", "low", "high", "p", "q", "without_ban", "with_ban"],
    )


def _effects_once(d: Dataset, model: PieceModel, name: str) -> list[dict[str, Any]]:
    """The rows of one column of sets; views of the same games share them, for several sections ask."""
    games = model.games
    if model.key is None:
        return effects_on_pieces(model, ban_arms(d, games, name))
    told = (
        games.blocks.number,
        games.blocks.repeats,
        tuple(games.conditioned),
        repr(d.manifest.get("lever")),
    )
    of_cells = name in d.cells.columns and tuple(d.cells[name].to_list())
    return games.columns.once(
        ("ban effects", name, of_cells, model.key, told),
        np.arange(len(games)),
        lambda: effects_on_pieces(model, ban_arms(d, games, name)),
    )


def effects_on_pieces(model: PieceModel, comparisons: Iterable[Arms]) -> list[dict[str, Any]]:
    """Rows of `ban_effects_on_pieces`, without q values, for any two arms of games."""
    games = model.games
    rows: list[dict[str, Any]] = []
    start: Floats | None = None
    for arms in comparisons:
        if min(len(arms.without_rows), len(arms.with_rows)) == 0:
            continue
        weight = arms.weights()
        before = model.fit(arms.without_rows, start, weight[0])
        start = before.beta if before.converged else None
        after = model.fit(arms.with_rows, start, weight[1])
        both = model.present(arms.without_rows) & model.present(arms.with_rows)
        both &= np.array([name not in arms.pieces for name in model.names])
        wanted, _ = model.contrasts(both, [before, after])
        known: NDArray[np.bool_] = np.asarray(np.isfinite(wanted).all(axis=1))
        if not known.any() or not (before.converged and after.converged):
            continue
        c = wanted[known]
        old, new = before.slope * (c @ before.beta), after.slope * (c @ after.beta)
        influence = np.concatenate([-before.slope * before.influence(c), after.slope * after.influence(c)])
        blocks = before.blocks.join(after.blocks)
        se = np.sqrt(np.diag(stats.covariance(influence, blocks)))
        found = stats.effects(new - old, se, min(before.blocks.number, after.blocks.number))
        low, high = found.interval()
        p = found.p()
        members = np.concatenate([arms.without_rows, arms.with_rows])
        behind = games.behind(members, "conditional logit with and without the ban", blocks, teams=True)
        for i, at in enumerate(np.flatnonzero(known)):
            rows.append(
                {
                    "banned": arms.banned,
                    "piece": model.names[at],
                    "estimate": found.value[i],
                    "low": low[i],
                    "high": high[i],
                    "p": p[i],
                    "without_ban": old[i],
                    "with_ban": new[i],
                    "log_odds": float(c[i] @ after.beta - c[i] @ before.beta),
                    "games_with": len(arms.with_rows),
                    "design": arms.design,
                    **behind,
                }
            )
    return rows


def ban_effects_on_seats(d: Dataset, column: str | None = None) -> pl.DataFrame:
    """How a ban changes the balance of the seats.

    Parameters
    ----------
    column : str, optional
        The column with the sets; by default each of `set_columns`.

    Returns
    -------
    polars.DataFrame
        One row a kind of table and ban: ``column, did, players, sides, banned, estimate, low, high, p, q``
        (change of the gap between the seats), ``without_ban, with_ban`` (the gap in each arm), ``first_seat,
        first_seat_low, first_seat_high, first_seat_p, first_seat_q`` (change of the first seat's win share),
        ``games, games_with, deals, blocks, design, method, note``. The gap is the root mean square distance
        of the seats from the fair share with the part that chance explains taken off; negative estimates mean
        more even seats.
    """
    import polars as pl

    names = _columns(d, column)
    games = read_games(d, extra=_extra(d, names))
    rows = [
        {"column": name, "did": done_word(d, name), **row}
        for name in names
        for row in effects_on_seats(games, ban_arms(d, games, name))
    ]
    if not rows:
        raise Refusal(f"{d.name}: no ban leaves games on both sides")
    frame = pl.DataFrame(rows, infer_schema_length=None)
    frame = frame.with_columns(
        pl.Series("q", stats.bh(floats(frame, "p"))),
        pl.Series("first_seat_q", stats.bh(floats(frame, "first_seat_p"))),
    )
    head = ["column", "did", "players", "sides", "banned", "estimate", "low", "high", "p", "q"]
    head += ["without_ban", "with_ban", "first_seat"]
    return tidy(frame, head)


def effects_on_seats(games: Games, comparisons: Iterable[Arms]) -> list[dict[str, Any]]:
    """Rows of `ban_effects_on_seats`, without q values, for any two arms of games."""
    rows: list[dict[str, Any]] = []
    shares = games.pad(games.win_share, np.arange(len(games)))
    for arms in comparisons:
        for n, sides in games.tables:
            here = games.at_table(n, sides)
            old_rows, new_rows = (
                arms.without_rows[here[arms.without_rows]],
                arms.with_rows[here[arms.with_rows]],
            )
            if min(len(old_rows), len(new_rows)) == 0:
                continue
            means, each = arms.means(shares[:, :n], old_rows, new_rows)
            influence = np.zeros((len(old_rows) + len(new_rows), 2 * n))
            influence[: len(old_rows), :n], influence[len(old_rows) :, n:] = each
            blocks = games.blocks[old_rows].join(games.blocks[new_rows])
            number = min(games.blocks[old_rows].number, games.blocks[new_rows].number)
            cov = stats.covariance(influence, blocks)
            change = means[1] - means[0]
            se = float(np.sqrt(max(cov[0, 0] + cov[n, n] - 2 * cov[0, n], 0.0)))
            found = stats.effects(change[0], se, number)
            first_low, first_high = found.interval()
            members = np.concatenate([old_rows, new_rows])
            rows.append(
                {
                    "players": n,
                    "sides": sides,
                    "banned": arms.banned,
                    **_gap_change(np.concatenate(means) - 1.0 / sides, cov, n),
                    "first_seat": found.value[0],
                    "first_seat_low": first_low[0],
                    "first_seat_high": first_high[0],
                    "first_seat_p": found.p()[0],
                    "games_with": len(new_rows),
                    "design": arms.design,
                    **games.behind(members, "win shares with and without the ban", blocks, teams=True),
                }
            )
    return rows


def _gap_change(gaps: Floats, cov: Floats, n: int) -> dict[str, Any]:
    """Change of the noise-free root mean square gap between two arms, with an interval by simulation."""
    if not np.isfinite(cov).all():
        return dict.fromkeys(("estimate", "low", "high", "p", "without_ban", "with_ban"), float("nan"))
    noise = np.array([np.trace(cov[:n, :n]), np.trace(cov[n:, n:])]) / n

    def gap(shares: Floats, times: int) -> Floats:
        square = np.square(shares.reshape(*shares.shape[:-1], 2, n)).mean(axis=-1)
        return np.sqrt(np.clip(square - times * noise, 0.0, None))

    seen = gap(gaps, 1)
    values, vectors = np.linalg.eigh(cov)
    rng = np.random.default_rng(20_012)
    scatter = rng.standard_normal((DRAWS, 2 * n)) * np.sqrt(np.clip(values, 0.0, None)) @ vectors.T
    # A draw around the estimate carries the noise twice.
    drawn = gap(gaps + scatter, 2)
    change = drawn[:, 1] - drawn[:, 0]
    low, high = np.quantile(change, [0.025, 0.975])
    tail = min(float(np.mean(change <= 0)), float(np.mean(change >= 0)))
    return {
        "estimate": float(seen[1] - seen[0]),
        "low": float(min(low, seen[1] - seen[0])),
        "high": float(max(high, seen[1] - seen[0])),
        "p": min(1.0, max(2 * tail, 2.0 / DRAWS)),
        "without_ban": float(seen[0]),
        "with_ban": float(seen[1]),
    }


def _extra(d: Dataset, columns: list[str]) -> list[str]:
    return [name for name in columns if d.drawn.get(name, {}).get("kind") == KIND]


def _drawn_arms(d: Dataset, games: Games, column: str, sep: str) -> Iterator[Arms]:
    import polars as pl

    texts = games.frame[column].cast(pl.String).fill_null("none")
    levels = texts.unique().to_list()
    where = texts.cast(pl.Enum(levels)).to_physical().to_numpy()
    sets = [frozenset(level.split(sep)) for level in levels]
    cell = games.frame["cell"].to_numpy()
    cell = cell - cell.min()
    cells = int(cell.max()) + 1
    for piece in d.piece_names:
        has = np.array([piece in banned for banned in sets])[where]
        # Only cells in which chance decided: elsewhere other rules may differ too.
        often = np.bincount(cell[has], minlength=cells)
        inside = ((often > 0) & (often < np.bincount(cell, minlength=cells)))[cell]
        if inside.any():
            yield Arms(
                piece,
                frozenset([piece]),
                np.flatnonzero(inside & ~has),
                np.flatnonzero(inside & has),
                "drawn",
                cell if cells > 1 else None,
            )


def _cell_arms(d: Dataset, games: Games, column: str) -> Iterator[Arms]:
    """Each level of the factor against no ban; without such a level, cells with a ban against the rest.

    Only cells whose other factors agree with a cell of the other arm take part, so that nothing else differs.
    """
    import polars as pl

    cells = d.cells.with_columns(pl.col(column).cast(pl.String).fill_null("none"))
    rest = [name for name in d.factors if name != column and name in cells.columns]
    texts = dict(zip(cells["cell"].to_list(), cells[column].to_list(), strict=True))
    stratum = {row["cell"]: tuple(row[name] for name in rest) for row in cells.iter_rows(named=True)}
    cell_of = games.frame["cell"].to_numpy()
    sets = {text: frozenset(p for p in d.piece_names if p in names_in(text)) for text in set(texts.values())}
    empty = [text for text, banned in sets.items() if not banned and names_in(text) <= {"none"}]
    if empty:
        pairs = [
            (
                text,
                sets[text],
                {c for c, t in texts.items() if t in empty},
                {c for c, t in texts.items() if t == text},
            )
            for text in dict.fromkeys(texts.values())
            if text not in empty
        ]
    else:
        pairs = [
            (
                piece,
                frozenset([piece]),
                {c for c, t in texts.items() if piece not in sets[t]},
                {c for c, t in texts.items() if piece in sets[t]},
            )
            for piece in d.piece_names
        ]
    for text, pieces, old, new in pairs:
        shared = {stratum[c] for c in old} & {stratum[c] for c in new}
        old, new = ({c for c in side if stratum[c] in shared} for side in (old, new))
        if old and new:
            without_rows, with_rows = (np.flatnonzero(np.isin(cell_of, sorted(side))) for side in (old, new))
            yield Arms(text, pieces, without_rows, with_rows, "paired")


def names_in(text: str) -> set[str]:
    """Names in a list written as text: ``A+B``, ``["A", "B"]`` or ``none``."""
    plain = text.strip().strip("[]").replace('"', "").replace("'", "")
    names = {part.strip() for chunk in plain.split("+") for part in chunk.split(",")}
    return names - {""} or {"none"}
