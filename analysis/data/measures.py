"""What can be measured of a game as one number: columns of ``games``, minutes at the table, who ended it, ...

Minutes come from a pace (T7): so many seconds a turn, a decision, a game. It is given in ``[pace]`` of the
experiment, or else the game's own guess, which is said wherever minutes are told.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis import stats
from analysis.data.errors import Refusal, nearest
from analysis.data.frames import Games, floats, read_games

if TYPE_CHECKING:
    from analysis.data.dataset import Dataset

Floats = NDArray[np.float64]

MINUTES, STOPPED, SHARED, ENDER, FIRST, POINTS = (
    "minutes",
    "stopped",
    "shared",
    "ender",
    "first seat",
    "points",
)
OF_GAMES = (STOPPED, SHARED, ENDER, FIRST)
"""Measures whose mean is a share of games, the last two with the fair share taken off."""
MADE = (MINUTES, STOPPED, SHARED, ENDER, FIRST, POINTS)
PACE_WORDS = ("turn", "decision", "game", "source")  # keys of a pace that are no kinds of decision


@dataclass(frozen=True)
class Pace:
    """Seconds at the table.

    Attributes
    ----------
    turn, decision, game : float
        Seconds a turn of one player, a decision of a kind that is not named, and once a game.
    kinds : dict
        Seconds a decision of each kind that is named.
    given : bool
        From the experiment; otherwise the game's own guess.
    source : str
        Where the numbers come from, as the experiment or the game says.
    """

    turn: float
    decision: float
    game: float
    kinds: Mapping[str, float]
    given: bool
    source: str

    @property
    def label(self) -> str:
        """Where the minutes come from, in words."""
        head = "pace given in the experiment" if self.given else "a guess at the pace"
        return f"{head} ({self.source})" if self.source else head


def pace_of(d: Dataset) -> Pace | None:
    """The pace of a data set: that of the manifest, else the guess on the game's card; None: there is none."""
    given = d.manifest.get("pace")
    entry = given or d.card.get("pace")
    if not entry:
        return None
    seconds = {name: float(value) for name, value in dict(entry).items() if name != "source"}
    kinds = {name: value for name, value in seconds.items() if name not in PACE_WORDS}
    return Pace(
        seconds.get("turn", 0.0),
        seconds.get("decision", 0.0),
        seconds.get("game", 0.0),
        kinds,
        bool(given),
        str(entry.get("source") or ""),
    )


class Measures:
    """Numbers of each game of a data set by their names, read once each.

    Names are the number columns of ``games`` and ``minutes``; ``stopped`` (1: the game could have gone on), ``shared``
    (1: several sides share the win), ``ender`` (win share of who ended the game, less fair), ``first seat`` (win
    share of Seat A, less fair), ``points`` (mean score of a seat).
    """

    def __init__(self, games: Games) -> None:
        self.games, self.d = games, games.data
        self._known: dict[str, Floats] = {}

    @cached_property
    def names(self) -> list[str]:
        """The measures that the data have."""
        schema = self.d.games.collect_schema()
        fixed = ("game_id", "cell", "deal", "rotation", "series", "seed", "line", "players", "winner")
        seats = ("first_seat", "founder_seat", "ended_by")
        columns = [n for n, kind in schema.items() if kind.is_numeric() and n not in (*fixed, *seats)]
        made = [STOPPED] if "ended" in schema else []
        made += [MINUTES] if pace_of(self.d) and MINUTES not in columns else []
        made += [SHARED] if "tied" in schema else []
        made += [ENDER] if "ended_by" in schema else []
        made += [FIRST]
        made += [POINTS] if "score" in self.d.seats.collect_schema() else []
        return [*columns, *made]

    def of(self, name: str) -> Floats:
        """The values of a measure, one a game; NaN where it is not known. Refuses a name that means nothing here."""
        if name not in self.names:
            if name == MINUTES:
                raise Refusal(f"{self.d.name}: neither the experiment ([pace]) nor the game names a pace")
            raise Refusal(f"{self.d.name}: nothing called '{name}' is measured{nearest(name, self.names)}")
        if name not in self._known:
            self._known[name] = self._make(name)
        return self._known[name]

    def mean(self, name: str, rows: NDArray[np.int64]) -> tuple[stats.Estimates, float]:
        """The mean of a measure over some games, all of one kind of table.

        Returns
        -------
        Estimates, float
            What is a share of games stays between 0 and 1, its interval too: none of few games is not shown to be
            never. The number is to be taken off value and interval: the fair share, where the measure is less that.
        """
        blocks, values = self.games.blocks[rows], self.of(name)[rows]
        base = float(self.games.fair[self.games.first_row[rows[0]]]) if name in (ENDER, FIRST) else 0.0
        mean, cov = stats.block_means(values[:, None] + base, blocks)
        if name in OF_GAMES:
            return stats.shares(mean, cov[0], blocks), base
        return stats.effects(mean, np.sqrt(cov[0]), blocks.number, float(values.std())), base

    def _make(self, name: str) -> Floats:
        games = self.games
        if name == MINUTES and MINUTES not in self.d.games.collect_schema():
            return minutes(games)
        if name == STOPPED:
            return games.stopped.astype(np.float64)
        if name == SHARED:
            return (floats(self._frame("tied"), "tied") > 1).astype(np.float64)
        if name == FIRST:
            at = games.first_row
            return games.win_share[at] - games.fair[at]
        if name == POINTS:
            return (
                np.add.reduceat(games.seat_values("score").astype(np.float64), games.first_row)
                / games.players
            )
        if name == ENDER:
            seat = floats(self._frame("ended_by"), "ended_by")
            known = np.isfinite(seat) & (self._column("ended") == "finished")
            at = games.first_row + np.where(known, seat, 0).astype(np.int64)
            return np.where(known, games.win_share[at] - games.fair[at], np.nan)
        return floats(self._frame(name), name)

    def _frame(self, name: str) -> Any:
        return read_games(self.d, extra=[name]).frame

    def _column(self, name: str) -> Any:
        import polars as pl

        return self._frame(name)[name].cast(pl.String).to_numpy()


def minutes(games: Games) -> Floats:
    """Minutes at the table of each game by the pace of the data set; refuses one without a pace."""
    import polars as pl

    d = games.data
    pace = pace_of(d)
    if pace is None:
        raise Refusal(f"{d.name}: neither the experiment ([pace]) nor the game names a pace")
    frame = read_games(d, extra=["turns", "decisions"]).frame
    total = floats(frame, "decisions")
    seconds = pace.game + pace.turn * floats(frame, "turns")
    if pace.kinds and d.has("decisions"):
        kind = pl.col("kind").cast(pl.String)
        listed = (
            d.decisions.filter(kind.is_in(list(pace.kinds))).group_by("game_id", kind.alias("kind")).len()
        )
        named = listed.collect()
        at = np.searchsorted(frame["game_id"].to_numpy(), named["game_id"].to_numpy())
        often = named["len"].to_numpy().astype(np.float64)
        rate = np.array([pace.kinds[name] for name in named["kind"]], dtype=np.float64)
        seconds = seconds + np.bincount(at, weights=often * rate, minlength=len(frame))
        total = total - np.bincount(at, weights=often, minlength=len(frame))
    return np.asarray((seconds + pace.decision * total) / 60.0)
