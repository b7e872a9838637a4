"""What is a piece worth? (P1 on pieces assigned at random; P2's "goes with winning" beside it)"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import SELDOM, Games, read_games, tidy
from analysis.stats import power
from analysis.stats.blocks import FEWEST_BLOCKS, Blocks, run_sums
from analysis.stats.verdicts import UNDECIDED

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

By = str | Sequence[str] | None
Floats = NDArray[np.float64]

FEWEST_GAMES = 30
"""With fewer games on either side nothing is said of what goes with winning."""


@dataclass
class PieceModel:
    """Arrays of the conditional logit of winning on assigned pieces, seats and bots.

    Attributes
    ----------
    games : Games
    names : list of str
        Kinds of piece.
    counts : int array (flat seats, columns)
        Copies of each kind, or indicators of at least 1, 2, ... copies.
    columns : list of (piece index, copy or None)
        What each column of `counts` is.
    others : int array (flat seats, m)
        Seat by player count, and bots where bots differ within a game.
    held, played : arrays (flat seats, pieces)
        Copies assigned, and copies put to use (None: not logged).
    """

    games: Games
    names: list[str]
    counts: NDArray[np.integer]
    columns: list[tuple[int, int | None]]
    others: NDArray[np.integer]
    held: NDArray[np.integer]
    played: NDArray[np.integer] | None = None
    key: tuple[Any, ...] | None = None
    """What tells such a model from others of the same games; None where nothing it gives is to be kept."""

    def fit(
        self, rows: NDArray[np.int64], start: Floats | None = None, weight: Floats | None = None
    ) -> stats.LogitFit:
        """Fit over the games `rows`, which count by `weight` where it is given."""
        blocks = self.games.blocks[rows]

        def make() -> stats.LogitFit:
            x, credit, mask = self.games.choices(self._flat, rows)
            return stats.conditional_logit(x, credit, blocks, mask, start, weight)

        if self.key is None or weight is not None:
            return make()
        key = ("logit", self.key, self.others.shape[1], blocks.number, blocks.repeats)
        # Another view of the same games labels its blocks in its own way.
        return replace(self.games.columns.once(key, rows, make), blocks=blocks)

    @property
    def _flat(self) -> NDArray[Any]:
        """All covariates of every seat; models of the same games share them."""
        return self._shared("flat", lambda: np.concatenate([self.counts, self.others], axis=1))

    def _shared(self, what: str, make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
        if what not in self._own:
            label = (what, self.key, self.others.shape[1])
            rows = np.arange(len(self.games))
            self._own[what] = make() if self.key is None else self.games.columns.once(label, rows, make)
        return self._own[what]

    @cached_property
    def _own(self) -> dict[str, NDArray[Any]]:
        return {}

    def used(self, rows: NDArray[np.int64]) -> Floats:
        """Copies played a copy assigned in the games `rows`, for each column; NaN where it was not logged."""
        out = np.full(len(self.columns), np.nan)
        if self.played is None:
            return out
        played, held = (self.games.total(flat, rows) for flat in (self.played, self.held))
        each = np.divide(played, held, out=np.full(len(held), np.nan), where=held > 0)
        return np.asarray(each[[piece for piece, _ in self.columns]])

    def present(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which columns of `counts` set sides apart in some of the games `rows`."""
        return np.asarray(self._apart[rows].any(axis=0))

    @property
    def _apart(self) -> NDArray[np.bool_]:
        """Whether the sides of a game differ in a column; (games, columns)."""
        return self._shared("apart", self._sides_apart)

    def _sides_apart(self) -> NDArray[np.bool_]:
        held, first = self.games.of_sides(self.counts), self.games.first_row
        if (n := self.games.columns.alike) is not None:
            grid = held.reshape(-1, n, held.shape[1])
            return np.asarray((grid != grid[:, :1]).any(axis=1))
        most, least = np.maximum.reduceat(held, first, axis=0), np.minimum.reduceat(held, first, axis=0)
        return np.asarray(most != least)

    def contrasts(self, used: NDArray[np.bool_], fits: Sequence[stats.LogitFit]) -> tuple[Floats, list[str]]:
        """Each column against the mean of the other pieces' columns; (columns, all covariates), NaN if unknown.

        Counts of a team sum to a constant, so only such differences can be told. Where kinds of piece are
        assigned apart (one building and one event each, say), only differences within such a group can be:
        then a piece is set against the others of its group, whose name is the second result ("" otherwise).
        Columns that are not `used` are no part of any mean.
        """
        kind = np.array([piece for piece, _ in self.columns])
        out, of = np.full((len(kind), len(kind) + self.others.shape[1]), np.nan), [""] * len(kind)
        group = np.array(self.groups)
        for within in (False, True):
            for i in np.flatnonzero(used & np.isnan(out).any(axis=1)):
                peers = used & (group[kind] == group[kind[i]]) if within else used
                row = np.zeros(out.shape[1])
                row[i] = 1.0
                rest = [p for p in np.unique(kind[peers]) if p != kind[i]]
                for p in rest:
                    mine = np.flatnonzero(peers & (kind == p))
                    row[mine] -= 1.0 / (len(rest) * len(mine))
                if rest and all(fit.identified(row[None, :])[0] for fit in fits):
                    out[i], of[i] = row, str(group[kind[i]]) if within else ""
        return out, of

    @cached_property
    def groups(self) -> list[str]:
        """The group of each kind of piece, as the game's card has it."""
        known = {
            str(p.get("name")): str(p.get("group") or "") for p in self.games.data.card.get("pieces") or []
        }
        return [known.get(name, "") for name in self.names]


def piece_model(d: Dataset, by: By = None, copies: bool = False, extra: Sequence[str] = ()) -> PieceModel:
    """Read what the conditional logit needs; refuses a data set whose pieces were not assigned at random."""
    if not d.manifest.get("lever"):
        raise Refusal(
            f"{d.name}: pieces were not assigned at random, so who holds them does not tell what they are "
            'worth; see goes_with_winning, or play with a lever such as teams = "random"'
        )
    label = ("pieces", by if by is None or isinstance(by, str) else tuple(by), copies, tuple(extra))
    if label not in d.memo:
        d.memo[label] = _read_model(d, by, copies, extra)
    known: PieceModel = d.memo[label]
    return known


def _read_model(d: Dataset, by: By, copies: bool, extra: Sequence[str]) -> PieceModel:
    names = d.piece_names
    column = str(d.manifest["lever"].get("column", "assigned"))
    games = read_games(_with_lever(d, column), by, extra)
    counts = held = games.piece_counts(column, names)
    columns: list[tuple[int, int | None]] = [(p, None) for p in range(len(names))]
    if copies:
        most = counts.max(axis=0)
        columns = [(p, c) for p in range(len(names)) for c in range(1, max(int(most[p]), 1) + 1)]
        counts = np.stack([counts[:, p] >= c for p, c in columns if c is not None], axis=1).astype(np.int16)
    key = (column, copies, tuple(names))
    return PieceModel(games, names, counts, columns, seats_and_bots(games), held, games.played(names), key)


def _with_lever(d: Dataset, column: str) -> Dataset:
    """A view of the games whose pieces were assigned at random: a run may compare them with drafted games."""
    import polars as pl

    counts = d.columns.pieces(column)
    if counts.none is None or not counts.none.any():
        return d
    assert counts.some is not None
    ids = pl.Series(d.columns.ids[counts.some])
    return d.filter(pl.col("game_id").is_in(ids.implode())) if len(ids) else d


def piece_strength(d: Dataset, by: By = None, copies: bool = False) -> pl.DataFrame:
    """Strength of each kind of piece: win share that one more copy gives, against the average other piece.

    A conditional logit of who won on the pieces that were assigned at random, on seat and bot, within games;
    log odds become win share by the mean of ``p (1 - p)`` over seats. Errors by deal.

    Parameters
    ----------
    by : str or list of str, optional
        Columns of cells or games; one set of rows a level.
    copies : bool
        Separate rows for the first, second, third copy.

    Returns
    -------
    polars.DataFrame
        ``by.., piece, copy, group`` (not empty: only the others of this group are the yardstick), ``estimate,
        low, high, low_joint, high_joint, p, q, flag, verdict, eb, eb_low, eb_high, alone, alone_low, alone_high,
        log_odds, log_odds_low, log_odds_high, p_equivalence, target_low, target_high, used, more_games, games,
        deals, blocks, method, note``. The joint band holds all rows at once, q is corrected over them. ``flag`` is
        ``above`` or ``below`` the average beyond chance; ``alone``: what a copy adds over having none, where the number
        of pieces that a seat was assigned is not always the same. ``verdict`` measures against the margins of
        [judge]; a piece of which hardly a copy was put to use (``used``: played a copy assigned, below `SELDOM`)
        gets none.
    """
    import polars as pl

    model = piece_model(d, by, copies)
    groups = list(model.games.groups(split_players=False))
    rows = strength_rows(d, [Part(model, labels, members) for labels, members in groups])
    frame = pl.DataFrame(rows, infer_schema_length=None).with_columns(pl.col("copy").cast(pl.Int64))
    head = [
        "piece",
        "copy",
        "estimate",
        "low",
        "high",
        "low_joint",
        "high_joint",
        "p",
        "q",
        "flag",
        "verdict",
    ]
    return tidy(frame, [*model.games.by, *head, "eb"])


@dataclass(frozen=True)
class Part:
    """Games whose pieces are to be judged: their labels, their row numbers, how seats came to the pieces counted."""

    model: PieceModel
    labels: dict[str, Any]
    rows: NDArray[np.int64]
    what: str = "assigned"


def strength_rows(d: Dataset, parts: Sequence[Part]) -> list[dict[str, Any]]:
    """Rows of `piece_strength` for several groups of games, which are judged as one family."""
    fitted = [_fitted(part) for part in parts]
    ranges = [
        np.array([d.judge.range_of(part.model.names[p]) for p, _ in part.model.columns]) for part in parts
    ]
    targets = np.concatenate(ranges)
    known = [int(np.isfinite(fit.found.value).sum()) for fit in fitted]
    ruled = stats.judge(
        stats.join([fit.found for fit in fitted]),
        targets[:, 0],
        targets[:, 1],
        stats.STRENGTH,
        tests=float(sum(1 if n == 2 else n for n in known)),  # of two pieces one is the other's mirror
        shrunk=np.concatenate([fit.shrunk.estimate for fit in fitted]),
        unused=np.concatenate([fit.used < SELDOM for fit in fitted]),
        instead=parts[0].model.games.no_verdict if parts else None,
    )
    out, first = [], 0
    for part, fit, own in zip(parts, fitted, ranges, strict=True):
        rows = _rows_of(part, fit, own, ruled[first : first + len(own)])
        more = power.more_games(fit.found, own[:, 0], own[:, 1], len(part.rows), tests=ruled.tests)
        for row, number in zip(rows, more, strict=True):
            row["more_games"] = number if row["verdict"] == UNDECIDED else 0.0
        out += rows
        first += len(own)
    return out


@dataclass(frozen=True)
class _Fitted:
    """Estimates of one group of games, all arrays over the columns of its model."""

    found: stats.Estimates
    odds: stats.Estimates
    alone: stats.Estimates
    shrunk: stats.Shrunk
    groups: list[str]
    used: Floats
    notes: list[str]


def _fitted(part: Part) -> _Fitted:
    model, rows = part.model, part.rows
    fit = model.fit(rows)
    present = model.present(rows)
    wanted, groups = model.contrasts(present, [fit])
    known: NDArray[np.bool_] = np.asarray(np.isfinite(wanted).all(axis=1))
    finite = fit.finite(np.nan_to_num(wanted))
    known &= finite
    k = len(wanted)
    value, se = np.full(k, np.nan), np.full(k, np.nan)
    if known.any() and fit.converged:
        value[known], cov = fit.contrast(wanted[known])
        se[known] = np.sqrt(np.diag(cov))
    number, slope = fit.blocks.number, fit.slope
    found = stats.effects(slope * value, slope * se, number)
    notes = [
        _why_not(bool(present[i]), fit.converged and bool(finite[i]), part.what)
        if not np.isfinite(value[i]) and number >= FEWEST_BLOCKS
        else ""
        for i in range(k)
    ]
    return _Fitted(
        found,
        stats.effects(value, se, number),
        stats.effects(*_over_none(fit, present), number),
        stats.empirical_bayes(found.value, found.se, centre=0.0),
        groups,
        model.used(rows),
        notes,
    )


def _rows_of(part: Part, fit: _Fitted, targets: Floats, ruled: stats.Verdicts) -> list[dict[str, Any]]:
    share = fit.found
    (low, high), (alone_low, alone_high) = share.interval(), fit.alone.interval()
    odds_low, odds_high = fit.odds.interval()
    p = share.p()
    same = share.p_within(targets[:, 0], targets[:, 1])
    what = f"conditional logit within games on pieces {part.what}, seat and bot"
    behind = part.model.games.average(part.rows, what, teams=True)
    t = stats.quantile(float(share.df[0]))
    out = []
    for i, (piece, copy) in enumerate(part.model.columns):
        flag = ("above" if share.value[i] > 0 else "below") if ruled.clear[i] else ""
        flag = "" if part.model.games.conditioned else flag
        out.append(
            {
                **part.labels,
                "piece": part.model.names[piece],
                "copy": copy,
                "group": fit.groups[i],
                "estimate": share.value[i],
                "low": low[i],
                "high": high[i],
                "low_joint": ruled.low[i],
                "high_joint": ruled.high[i],
                "p": p[i],
                "q": min(1.0, ruled.tests * p[i]),
                "flag": flag,
                "verdict": ruled.words[i],
                "eb": fit.shrunk.estimate[i],
                "eb_low": fit.shrunk.estimate[i] - t * fit.shrunk.se[i],
                "eb_high": fit.shrunk.estimate[i] + t * fit.shrunk.se[i],
                "alone": fit.alone.value[i],
                "alone_low": alone_low[i],
                "alone_high": alone_high[i],
                "log_odds": fit.odds.value[i],
                "log_odds_low": odds_low[i],
                "log_odds_high": odds_high[i],
                "p_equivalence": same[i],
                "target_low": targets[i, 0],
                "target_high": targets[i, 1],
                "used": fit.used[i],
                **behind,
                "note": fit.notes[i] or behind["note"],
            }
        )
    return out


def _over_none(fit: stats.LogitFit, present: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Win share that a copy adds over having none, and its error; NaN where every seat has as many pieces."""
    value, se = np.full(len(present), np.nan), np.full(len(present), np.nan)
    unit = np.eye(len(present), len(fit.beta))
    known = present.copy()
    known[known] = fit.identified(unit[known]) & fit.finite(unit[known])
    if known.any() and fit.converged:
        odds, cov = fit.contrast(unit[known])
        value[known], se[known] = fit.slope * odds, fit.slope * np.sqrt(np.diag(cov))
    return value, se


def goes_with_winning(d: Dataset, by: By = None) -> pl.DataFrame:
    """How owning or playing a piece goes together with winning. No cause, so never a verdict.

    Returns
    -------
    polars.DataFrame
        ``by.., piece, measure`` (``owned`` or ``played``), ``share`` (of seats with at least one), ``par``
        (win share of these seats over the fair share), ``estimate`` (win share less fair share of seats with
        at least one, minus that of seats with none; null where fewer than `FEWEST_GAMES` games have the one or
        the other), ``low, high, games, deals, blocks, method, note``.
    """
    import polars as pl

    games = read_games(d, by)
    names = d.piece_names
    above = games.win_share - games.fair
    rows: list[dict[str, Any]] = []
    have = d.pieces.collect_schema().names()
    groups = list(games.groups(split_players=False))
    for measure in [m for m in ("owned", "played") if m in have]:
        held = games.piece_counts(measure, names)
        for labels, members in groups:
            behind = games.behind(members, f"seats with at least one {measure} against seats with none")
            blocks: Blocks = games.blocks[members]
            flat = games.flat_rows(members)
            gap, fair, starts = above[flat], games.fair[flat], games.starts(members)
            seats, players = len(gap), games.players[members]
            all_gap, in_game = float(gap.sum()), run_sums(gap, starts)
            for piece, name in enumerate(names):
                own = held[flat, piece] > 0
                with_it = run_sums(own, starts)
                there = int(np.count_nonzero(with_it))
                without = int(np.count_nonzero(with_it < players))
                n_own = int(with_it.sum())
                row = {**labels, "piece": name, "measure": measure, "share": n_own / seats}
                row |= {"par": None, "estimate": None, "low": None, "high": None}
                if min(there, without) >= FEWEST_GAMES:
                    # Sums over the seats of a game are all that the means and their errors need.
                    won = run_sums(gap * own, starts)
                    yes = float(won.sum()) / n_own
                    no = (all_gap - float(won.sum())) / (seats - n_own)
                    each = (won - yes * with_it) / n_own
                    each -= (in_game - won - no * (players - with_it)) / (seats - n_own)
                    se = float(np.sqrt(stats.covariance(each[:, None], blocks)[0, 0]))
                    low, high = stats.effects(yes - no, se, blocks.number).interval()
                    row |= {"estimate": yes - no, "low": low[0], "high": high[0]}
                if n_own:
                    row["par"] = float((gap + fair) @ own) / float(fair @ own)
                rows.append({**row, **behind})
    if not rows:
        raise Refusal(f"{d.name}: the pieces have neither 'owned' nor 'played'")
    frame = pl.DataFrame(rows, infer_schema_length=None)
    return tidy(frame, [*games.by, "piece", "measure", "share", "par", "estimate", "low", "high"])


def seats_and_bots(games: Games) -> NDArray[np.int8]:
    """Dummies of seat (the first left out, by player count) and of bots where they differ within a game."""
    n = np.repeat(games.players, games.players)
    seat = games.seat
    columns = [(n == count) & (seat == s) for count in np.unique(games.players) for s in range(1, count)]
    code, names = games.named("bot")
    kinds = list(range(len(names)))
    if games.data.seats.collect_schema().get("deck") is not None:
        deck, decks = games.named("deck")
        code = code * len(decks) + deck
        kinds = np.flatnonzero(np.bincount(code)).tolist()
        kinds.sort(key=lambda k: (names[k // len(decks)], decks[k % len(decks)]))
    columns += [code == kind for kind in kinds[1:]]
    return np.stack(columns, axis=1).astype(np.int8) if columns else np.zeros((len(n), 0), dtype=np.int8)


def _why_not(present: bool, converged: bool, what: str) -> str:
    if not present:
        return f"not estimated: it was never {what}, or alike for all seats"
    if not converged:
        return "not estimated: some piece always or never wins here"
    return f"not estimated: what was {what} never set it apart from seats and bots"
