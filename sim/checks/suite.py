"""What every game promises, in the order in which a broken one is best mended: `check_game` tells each, kept or not.

Rules are played as plain Python, so that a mistake in them is an error with a place; one promise is that the compiler
makes the same of them.
"""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sim.checks.blind import check_blind
from sim.checks.both_ways import check_both_ways
from sim.checks.games import check_ends, check_order, check_replay, check_scores, check_seats, check_streams
from sim.checks.hidden import APPLY, BOTS, REDRAW, SIGHT, check_redrawn_games, hidden_faults
from sim.checks.parameters import check_parameters
from sim.checks.perft import MOST_PLAIN, check_perft
from sim.checks.positions import check_actions, check_features, check_looking, check_pieces
from sim.checks.setups import check_setup
from sim.checks.table import Broken, Report, make_cell
from sim.checks.words import check_words
from sim.core.bots import bot_names
from sim.core.errors import Refusal
from sim.core.game import Cell

KEPT, BROKEN, IDLE, UNREACHED = "kept", "broken", "-", "not reached"
"""A promise is kept, broken, not for this game, or could not be looked at because of an earlier one."""
GAMES = 4
"""Deals that are played for each promise."""
ASKED = 12
"""Decisions at which bots that think long are asked, about."""
QUICK: dict[str, dict[str, Any]] = {
    "flat": {"playouts": 8, "horizon": 1, "width": 4},
    "search": {"playouts": 8, "horizon": 1, "sample": 4, "width": 4},
}
"""Options that make a decision cheap; honest or not does not hang on the budget."""


@dataclass
class Promise:
    """What became of one promise: `text` tells it, `found` what was counted, or the place where it is broken."""

    name: str
    text: str
    state: str
    found: str = ""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong with it."""
        return self.state in (KEPT, IDLE)


@dataclass
class Settings:
    """How the game is played to be checked.

    Attributes
    ----------
    name
        What the game is asked for by: another process loads it too.
    parameters
        What differs from the defaults.
    players
        The fewest and the most players.
    games
        Deals for each promise; those that take long play fewer.
    compiled
        Whether another process plays compiled games to compare (a minute for a large game).
    folder
        Where worked cases of the game lie: every TOML file there, and below, that has some.
    """

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    players: tuple[int, int] | None = None
    games: int = GAMES
    compiled: bool = True
    folder: Path | None = None


class _Suite:
    """The game with what the checks share."""

    def __init__(self, game: Any, settings: Settings) -> None:
        self.game, self.settings = game, settings
        self.counts = settings.players or (game.min_players, game.max_players)
        self.counts = (self.counts[0], self.counts[1])
        self.seeds = list(range(1, settings.games + 1))
        self.few = self.seeds[: max(1, len(self.seeds) // 2)]
        self.parameters = dict(settings.parameters)
        self._faults: dict[str, str] | None = None
        self._seen = Report()

    def cells(self, *bots: str) -> list[Cell]:
        each = sorted(set(self.counts))
        return [make_cell(self.game, bots or ("random", "greedy"), n, self.parameters) for n in each]

    def each(self, check: Callable[..., None], seeds: Sequence[int]) -> str:
        """Run a check with the fewest and the most players."""
        report = Report()
        for cell in self.cells():
            check(self.game, cell, seeds, report)
        counted = [f"{report.games} games"] * bool(report.games)
        return ", ".join([*counted, *[f"{report.decisions} decisions"] * bool(report.decisions)])

    # --- each promise ----------------------------------------------------------------------------------------

    def setting(self) -> str:
        counts = sorted(set(self.counts))
        self.cells()
        return f"{' and '.join(map(str, counts))} players"

    def pieces(self) -> str | None:
        return self.each(check_pieces, self.few) if self.game.pieces else None

    def order(self) -> str:
        report = Report()
        check_order(self.game, self.cells(), self.seeds, report)
        return f"{report.games} games"

    def streams(self) -> str:
        for n in sorted(set(self.counts)):
            check_streams(self.game, self.parameters, n, self.few)
        return ""

    def hidden(self, which: str) -> str | None:
        if self._faults is None:
            self._faults = {}
            for cell in self.cells():
                for kind, text in hidden_faults(self.game, cell, self.few, self._seen):
                    self._faults.setdefault(kind, text)
        if which in self._faults:
            raise Broken(self._faults[which])
        seen = self._seen
        return f"{seen.redrawn} of {seen.compared} positions have something hidden"

    def blind(self) -> str:
        found = self.hidden(BOTS)
        bots = [(name, QUICK.get(name, {})) for name in bot_names()]
        for cell in self.cells():
            every = max(1, self._seen.compared // (len(self.few) * len(self.cells()) * ASKED))
            check_blind(self.game, cell, bots, self.few[:1], Report(), every)
        return f"{', '.join(name for name, _ in bots)}; {found}"

    def redrawn(self) -> str:
        fault = self.hidden(REDRAW)
        if self._seen.redrawn == 0:
            return "nothing is hidden"
        self.each(check_redrawn_games, self.few)
        return str(fault)

    def perft(self) -> str | None:
        if not self.game.perft:
            return None
        cell = make_cell(self.game, ["random"], self.game.min_players, {})
        depth = check_perft(self.game, cell, self.game.perft, MOST_PLAIN)
        more = len(self.game.perft) - depth
        return f"to depth {depth}" + (", the rest compiled" if more and self.settings.compiled else "")

    def both_ways(self) -> str | None:
        if self.game.plain or not self.settings.compiled:
            return None
        for n in sorted(set(self.counts)):
            perft = self.game.perft if n == self.counts[0] else ()
            check_both_ways(self.settings.name, self.game, n, self.parameters, self.seeds, perft=perft)
        return f"{len(self.seeds) * len(set(self.counts))} games"

    def turned(self) -> str:
        report = Report()
        played, refused = check_parameters(self.game, self.counts[0], self.parameters, report)
        return f"{played} settings played, {refused} refused in words"

    def cases(self) -> str | None:
        from sim.core.files import read_part

        folder = self.settings.folder
        files = sorted(folder.rglob("*.toml")) if folder is not None and folder.is_dir() else []
        files = [path for path in files if "[[case]]" in path.read_text(encoding="utf-8", errors="replace")]
        good = 0
        for path in files:
            if read_part(path, str(path), ("game", "case")).get("game", self.game.name) != self.game.name:
                continue
            for result in self.game.check_cases(path):
                if not result.ok:
                    raise Broken(f"{path.name}, case {result.id}: {'; '.join(result.problems)}")
                good += 1
        return f"{good} cases" if good else None


def check_game(
    game: Any, settings: Settings, others: Mapping[str, tuple[str, Callable[[], str | None]]] | None = None
) -> Iterator[Promise]:
    """Check one promise after the other and tell what became of each.

    Parameters
    ----------
    game
        The game, which was loaded: its verbs, lists and fields agree with each other.
    settings
        How it is played.
    others
        More promises, by name: what they say, and what checks them.
    """
    suite = _Suite(game, settings)
    each = suite.each
    few, seeds = suite.few, suite.seeds
    promises: dict[str, tuple[str, Callable[[], str | None]]] = {
        "setting": ("the game takes the setting that it is checked in", suite.setting),
        "set-up": ("`setup` writes all that matters over a used record", lambda: each(check_setup, few)),
        "actions": (
            "legal actions are there, differ, and are at most max_actions",
            lambda: each(check_actions, few),
        ),
        "end": ("every game ends by its rules, and turns are counted", lambda: each(check_ends, seeds)),
        "looking": (
            "looking at a position does not change it, nor what is legal",
            lambda: each(check_looking, few),
        ),
        "features": ("features are finite numbers", lambda: each(check_features, few)),
        "pieces": ("`tally` writes every measure of every piece", suite.pieces),
        "scores": ("shares, ranks and winner follow from the scores", lambda: each(check_scores, seeds)),
        "replay": ("a game that is played again is the same", lambda: each(check_replay, few)),
        "order": ("a game does not hang on which games were played before", suite.order),
        "seating": (
            "what is drawn belongs to the deal, what is assigned to the player",
            lambda: each(check_seats, few),
        ),
        "chance": ("what bots draw changes nothing else", suite.streams),
        SIGHT: ("a seat's actions and features hang on what it can see only", lambda: suite.hidden(SIGHT)),
        REDRAW: ("`determinize` redraws what is hidden without reading it", suite.redrawn),
        APPLY: ("`apply` neither draws nor reads what the mover cannot see", lambda: suite.hidden(APPLY)),
        BOTS: ("no bot chooses by what its seat cannot see", suite.blind),
        "words": ("actions and positions have words and a picture", lambda: each(check_words, few[:1])),
        "parameters": ("every value that a parameter may have can be played", suite.turned),
        "cases": ("its worked cases hold", suite.cases),
        "perft": ("there are as many lines of play as it says", suite.perft),
        **(others or {}),
        "compiled": ("compiled, with bounds checked, the same games are played", suite.both_ways),
    }
    stopped = False
    for name, (text, check) in promises.items():
        if stopped:
            yield Promise(name, text, UNREACHED)
            continue
        promise = look(name, text, check, game.folder)
        yield promise
        stopped = promise.state == BROKEN and name in _FIRST


_FIRST = ("setting", "set-up", "actions", "end")
"""Without these nothing else can be looked at."""


def look(name: str, text: str, check: Callable[[], str | None], folder: Path) -> Promise:
    """Look whether one promise is kept; what is raised is told with the line of a source in `folder`."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            found = check()
    except (Broken, Refusal) as error:
        return Promise(name, text, BROKEN, str(error))
    except Exception as error:
        return Promise(name, text, BROKEN, raised(error, folder))
    return Promise(name, text, IDLE if found is None else KEPT, found or "")


def raised(error: Exception, folder: Path) -> str:
    """Return in one line what a rule raised, and the line of the source in `folder` that led there."""
    own = [
        f for f in traceback.extract_tb(error.__traceback__) if folder in Path(f.filename).resolve().parents
    ]
    place = f"{Path(own[-1].filename).name}, line {own[-1].lineno}: " if own else ""
    said = " ".join(str(error).split())
    if isinstance(error, IndexError):
        said += " (compiled, it would read or write something else without a word)"
    if isinstance(error, RuntimeWarning | OverflowError):
        said += " (a number that its type cannot hold)"
    return f"{place}{type(error).__name__}: {said}"
