"""What is a thing worth that each seat has one of: a continent to start on, a colour, a leader?

It travels in a drawn column of kind ``seat level``: one name a seat, in the order of the seats. Where it was
drawn, the effect is a cause; where the players chose it, it only goes with winning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal
from analysis.data.frames import Games, read_games, tidy
from analysis.pieces.strength import seats_and_bots
from analysis.stats.verdicts import CONDITIONED

if TYPE_CHECKING:
    import polars as pl

    from analysis.data.dataset import Dataset

KIND = "seat level"
NOTHING = "none"


def seat_level_columns(d: Dataset) -> list[str]:
    """Columns of `games` that name one level for each seat."""
    return [name for name, entry in d.drawn.items() if entry.get("kind") == KIND]


def seat_level_effects(d: Dataset, column: str | None = None) -> pl.DataFrame:
    """Win share of who has each level, and what the level itself makes of it.

    Parameters
    ----------
    column : str, optional
        By default each column of kind ``seat level``.

    Returns
    -------
    polars.DataFrame
        ``column, word, level, players, sides, chosen, held`` (share of seats that have it), ``fair, raw`` (mean
        win share of who has it), ``estimate, low, high, p, q`` (win share that it adds, against the average
        other level that it meets in a game, which ``note`` names where it never meets some; seat and bot taken
        off by a conditional logit; null where the games cannot tell it from the seat), ``verdict`` (against
        the margin of [judge] for pieces; null where it was chosen), ``games, deals, blocks, method, note``.
    """
    import polars as pl

    columns = seat_level_columns(d) if column is None else [column]
    if not columns:
        raise Refusal(f"{d.name}: no level was drawn or chosen for each seat")
    pairs = [pair for name in columns for pair in _rows(d, name)]
    if not pairs:
        raise Refusal(f"{d.name}: no seat has a level")
    rows, found = [row for row, _ in pairs], [one for _, one in pairs]
    frame = pl.DataFrame(rows, infer_schema_length=None, nan_to_null=True)
    every, margin = stats.join(found), d.judge.piece
    low, high = every.interval()
    # Levels that the players chose are told beside the others and never judged.
    at = np.flatnonzero(~frame["chosen"].to_numpy())
    picked = CONDITIONED if d.conditioned else None
    ruled = stats.judge(every[at], -margin, margin, stats.STRENGTH, instead=picked)
    q, words = stats.bh(every.p()), np.full(len(every), None, dtype=object)
    q[at], words[at] = ruled.q, ruled.words
    found_columns = {"estimate": every.value, "low": low, "high": high, "p": every.p(), "q": q}
    found_columns["p_equivalence"] = every.p_within(-margin, margin)
    frame = frame.with_columns(
        *(pl.Series(name, values, nan_to_null=True) for name, values in found_columns.items()),
        pl.Series("verdict", words.tolist(), dtype=pl.String),
    )
    head = ["column", "word", "level", "players", "sides", "chosen", "held", "fair", "raw"]
    return tidy(frame, [*head, "estimate", "low", "high", "p", "q", "verdict"])


def levels_of_seats(games: Games, column: str) -> Any:
    """The level of each seat (flat), as texts; ``none`` where a game has none.

    Raises
    ------
    Refusal
        A game names another number of levels than it has seats.
    """
    import polars as pl

    entry = games.data.drawn.get(column, {})
    texts = games.frame[column].cast(pl.String).fill_null(NOTHING).to_numpy().astype(str)
    known, where = np.unique(texts, return_inverse=True)
    parts = [text.split(str(entry.get("sep", "+"))) for text in known]
    size = np.array([len(part) for part in parts])[where]
    whole = size == games.players
    empty = np.array([part == [NOTHING] for part in parts])[where]
    if not (whole | empty).all():
        bad = str(texts[np.flatnonzero(~(whole | empty))[0]])
        raise Refusal(f"{games.data.name}: '{column}' = '{bad}' does not name one level a seat")
    most = int(games.players.max())
    table = np.array([(part + [NOTHING] * most)[:most] for part in parts], dtype=object)
    out = table[where][games.game, games.seat]
    return np.where(np.repeat(whole, games.players), out, NOTHING).astype(str)


def _rows(d: Dataset, column: str) -> list[tuple[dict[str, Any], stats.Estimates]]:
    games = read_games(d, extra=[column])
    level = levels_of_seats(games, column)
    names = [name for name in np.unique(level).tolist() if name != NOTHING]
    marks = np.stack([level == name for name in names], axis=1).astype(np.int16) if names else None
    if marks is None:
        return []
    flat = np.concatenate([marks, seats_and_bots(games)], axis=1)
    entry = d.drawn.get(column, {})
    rows: list[tuple[dict[str, Any], stats.Estimates]] = []
    for labels, members in games.groups(split_players=True):
        inside = np.isin(games.game, members)
        x, credit, mask = games.choices(flat, members)
        fit = stats.conditional_logit(x, credit, games.blocks[members], mask)
        present: NDArray[np.bool_] = np.asarray(marks[inside].any(axis=0))
        meets = _meetings(marks[inside], games.game[inside])
        for k, name in enumerate(names):
            if not present[k]:
                continue
            wanted = stats.against_rest(meets[k], flat.shape[1])
            own = inside & (marks[:, k] > 0)
            value, se = np.nan, np.nan
            behind = games.behind(members, "conditional logit on the level, seat and bot")
            circle = [names[j] for j in np.flatnonzero(meets[k])]
            if 1 < len(circle) < present.sum():
                _note(behind, f"{' and '.join(circle)} meet nobody else, and are set against each other")
            if fit.converged and np.isfinite(wanted[k]).all() and fit.identified(wanted[[k]])[0]:
                odds, cov = fit.contrast(wanted[[k]])
                value, se = fit.slope * float(odds[0]), fit.slope * float(np.sqrt(cov[0, 0]))
            else:
                _note(behind, "the games cannot tell it from the seat")
            row = {
                "column": column,
                "word": str(entry.get("word") or column),
                "level": name,
                **labels,
                "chosen": bool(entry.get("chosen")),
                "held": float(own.sum() / inside.sum()),
                "fair": 1.0 / int(games.sides[members[0]]),
                "raw": float(games.win_share[own].mean()),
                **behind,
            }
            rows.append((row, stats.effects(value, se, fit.blocks.number)))
    return rows


def _meetings(marks: NDArray[np.int16], game: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which levels (rows) can be set against which (columns): those of one game, and what they meet in turn."""
    _, first = np.unique(game, return_index=True)
    per_game = np.add.reduceat(marks, first, axis=0, dtype=np.int64) > 0
    reach: NDArray[np.bool_] = (per_game.T.astype(np.int64) @ per_game.astype(np.int64)) > 0
    for _ in range(len(reach)):
        reach = (reach.astype(np.int64) @ reach.astype(np.int64)) > 0
    return reach


def _note(behind: dict[str, Any], text: str) -> None:
    behind["note"] = f"{behind['note']}; {text}" if behind["note"] else text
