"""The plan of a run: cells that the game has checked, their blocks, and what the column types depend on."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import sim.core.starting  # noqa: F401  (before kernels are declared)
from sim.batch import coalitions, seat_points
from sim.batch.asking import check_answerable
from sim.batch.cells import CellSpec, cell_specs, prepare
from sim.batch.experiment import Experiment
from sim.batch.rotations import orders, series_orders
from sim.batch.tables import TableSpec
from sim.core.contract import ENDED_NAMES
from sim.core.errors import Refusal
from sim.core.optional import check_series


@dataclass(frozen=True)
class Plan:
    """An experiment that can be played.

    Attributes
    ----------
    specs, cells
        The cells as plain data, and as the game prepared them (same order).
    orders
        For each cell an int8 array (games of a block, seats): who sits where.
    skipped
        (cell in words, reason) of impossible cells that were left out.
    looks
        Of a run of `[stop]`: how far it has got, as its manifest keeps it.
    """

    experiment: Experiment
    game: Any
    specs: tuple[CellSpec, ...]
    cells: tuple[Any, ...]
    orders: tuple[np.ndarray, ...]
    skipped: tuple[tuple[str, str], ...]
    looks: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def closed(self) -> dict[int, int]:
        """Cells of a run of `[stop]` that get no more games, and the games at which this was found."""
        ends = {int(cell): self.targets(games) for cell, games in self.looks.get("closed", {}).items()}
        return {cell: ends[cell][t] for t, cells in enumerate(self.tiers) for cell in cells if cell in ends}

    @cached_property
    def tiers(self) -> tuple[range, ...]:
        """The cells of each tier of play, weakest first; all cells where there are no tiers."""
        if not self.experiment.tiers:
            return (range(len(self.cells)),)
        order = [bot for bot, _ in self.experiment.tiers]
        sizes = [sum(spec.tier == bot for spec in self.specs) for bot in order]
        ends = list(itertools.accumulate(sizes))
        return tuple(range(end - size, end) for end, size in zip(ends, sizes))

    def targets(self, asked: int) -> tuple[int, ...]:
        """Return the games per cell of each tier when the first one plays `asked`, in whole blocks."""
        written = [games for _, games in self.experiment.tiers]
        shares = [games or 1 for games in written] or [1]
        return tuple(self._whole(-(-asked * share // shares[0])) for share in shares)

    def _whole(self, games: int) -> int:
        return -(-games // self.block) * self.block

    def games_of(self, cell: int, asked: int | Sequence[int]) -> int:
        """Return the games of a cell in whole blocks.

        `asked` are those of the first tier (the others in proportion), or those of each.
        """
        targets = self.targets(asked) if isinstance(asked, int) and self.experiment.tiers else asked
        if not isinstance(targets, int):
            targets = targets[next(k for k, cells in enumerate(self.tiers) if cell in cells)]
        size = len(self.orders[cell])
        return -(-min(targets, self.closed.get(cell, targets)) // size) * size

    def total(self, asked: int | Sequence[int]) -> int:
        """Return the games of all cells; `asked` as in `games_of`."""
        return sum(self.games_of(cell, asked) for cell in range(len(self.cells)))

    @property
    def block(self) -> int:
        """Games of the largest block."""
        return max(len(order) for order in self.orders)

    @cached_property
    def bots(self) -> list[str]:
        """Labels of all bots ("mcts:iterations=200"), sorted."""
        return self.bots_in(range(len(self.specs)))

    def bots_in(self, cells: Iterable[int]) -> list[str]:
        """Labels of the bots that play in these cells, sorted."""
        return sorted({p.label for cell in cells for p in self.specs[cell].players})

    @cached_property
    def bot_names(self) -> list[str]:
        """Names of all bots, sorted: what must be compiled."""
        return sorted({p.bot for spec in self.specs for p in spec.players})

    @cached_property
    def decks(self) -> list[str]:
        """Names of all decks in play, sorted."""
        return sorted({p.deck for spec in self.specs for p in spec.players if p.deck is not None})

    @cached_property
    def players(self) -> list[str]:
        """Names of the players by number, as far as all cells agree on them."""
        most = max(spec.count for spec in self.specs)
        names = []
        for number in range(most):
            found = {spec.players[number].name for spec in self.specs if number < spec.count}
            names.append(found.pop() if len(found) == 1 else f"player {number + 1}")
        return [n if names.count(n) == 1 else f"{n} {i + 1}" for i, n in enumerate(names)]

    @cached_property
    def drawn(self) -> dict[str, dict[str, Any]]:
        """Factors that some cell draws per deal, by column of `games`."""
        found: dict[str, dict[str, Any]] = {}
        for cell in self.cells:
            for name, kind in cell.drawn.items():
                found.setdefault(name, dict(kind))
        return found

    def tables(self) -> TableSpec:
        """Return what fixes the column types."""
        game = self.game
        categories = {
            "piece": list(game.pieces),
            "bot": self.bots,
            "deck": self.decks,
            "player": self.players,
            "ended": list(ENDED_NAMES),
            "phase": list(game.phases),
            "kind": list(game.kinds),
        }
        players_max = max(spec.count for spec in self.specs)
        drafts = any(getattr(cell, "drafts", False) for cell in self.cells)
        in_play = self._in_play()
        return TableSpec(self.experiment.log, categories, tuple(self.drawn), players_max, drafts, in_play)

    def _in_play(self) -> tuple[int, ...] | None:
        """Codes of the pieces that some cell uses; None: all."""
        used = [getattr(cell, "in_play", None) for cell in self.cells]
        if any(pieces is None for pieces in used):
            return None
        names = {name for pieces in used for name in pieces or ()}
        return tuple(code for code, name in enumerate(self.game.pieces) if name in names)

    @cached_property
    def factors(self) -> list[str]:
        """Columns of `cells.parquet` that differ between cells."""
        table = self.cell_rows(1)
        candidates = [name for name in table if name not in ("cell", "games")]
        wanted = [c for c in candidates if len(set(map(repr, table[c]))) > 1]
        named = ["tier"] if self.experiment.tiers else []
        named += ["variant"] if self.experiment.variants else []
        named += [*self.experiment.vary]
        first = [c for c in named if c in wanted]
        # who plays follows from factors that are named, but for a matrix of decks; what is drawn in some cells
        # (a founder's land) is told apart by the name of the variant, not by every single draw
        follows = {"players", *self.drawn} if first else set()
        return first + [c for c in wanted if c not in first and c not in follows]

    def cell_rows(self, asked: int | Sequence[int]) -> dict[str, list[Any]]:
        """Return the columns of `cells.parquet` as plain lists; `asked` as in `games_of`."""
        keys = list(dict.fromkeys(key for cell in self.cells for key in cell.parameters))
        keys += [key for key in self.experiment.vary if key not in keys and key != "players.count"]
        columns: dict[str, list[Any]] = {
            "cell": [spec.index for spec in self.specs],
            **({"tier": [spec.tier for spec in self.specs]} if self.experiment.tiers else {}),
            "variant": [spec.variant for spec in self.specs],
            "players.count": [spec.count for spec in self.specs],
            "players": [spec.opponents for spec in self.specs],
        }
        for key in keys:
            values = [
                cell.parameters.get(key, spec.values.get(key)) for spec, cell in zip(self.specs, self.cells)
            ]
            columns.setdefault(key, [_plain(value) for value in values])
        given = [spec.points for spec in self.specs]
        for seat in sorted({seat for points in given for seat in points}):
            columns[seat_points.key_of(seat)] = [points.get(seat, 0.0) for points in given]
        columns["games"] = [self.games_of(i, asked) for i in range(len(self.cells))]
        return columns

    @property
    def rotated(self) -> bool:
        """Whether something moves with the players in some cell."""
        return not self.experiment.seating and any(bool(cell.moves) for cell in self.cells)


def _plain(value: Any) -> Any:
    """Return a number, switch, text or None; lists and tables become text."""
    if isinstance(value, list | tuple):
        return "+".join(map(str, value)) if value else "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{k} {v}" for k, v in value.items())
    return value.item() if isinstance(value, np.generic) else value


def value_text(value: Any) -> str:
    """Return a parameter's value as the text that a drawn column holds where nothing was drawn."""
    return str(_plain(value))


def make_plan(experiment: Experiment) -> Plan:
    """Let the game check every cell of an experiment.

    Raises
    ------
    Refusal
        A cell cannot be played (unless `skip_impossible` leaves it out).
    """
    from sim.batch.engine import get_game

    game = get_game(experiment.game)
    specs: list[CellSpec] = []
    cells: list[Any] = []
    skipped: list[tuple[str, str]] = []
    failures: list[tuple[CellSpec, Refusal]] = []
    for spec in cell_specs(experiment):
        try:
            _check_count(game, spec)
            cell = prepare(game, spec, experiment.source.base)
        except Refusal as error:
            refusal = Refusal(_located(experiment, spec, str(error)))
            if not experiment.skip_impossible:
                raise refusal from None
            failures.append((spec, refusal))
            skipped.append((spec.describe() or "the only cell", str(error)))
            continue
        specs.append(CellSpec(len(specs), *(getattr(spec, f) for f in list(spec.__dataclass_fields__)[1:])))
        cells.append(cell)
    _refuse_hopeless(specs, failures)
    if experiment.series:
        _check_series(experiment, game, specs, cells)
    turning = tuple(
        series_orders(spec.count)
        if experiment.series
        else orders(spec.players, bool(cell.moves), experiment.seating)
        for spec, cell in zip(specs, cells)
    )
    _check_seats(experiment, specs)
    plan = Plan(experiment, game, tuple(specs), tuple(cells), turning, tuple(skipped))
    check_answerable(plan)
    return plan


def _check_series(experiment: Experiment, game: Any, specs: Sequence[CellSpec], cells: Sequence[Any]) -> None:
    """Refuse a series that the game cannot play: a turn around the table gives every player each role once."""
    for spec, cell in zip(specs, cells):
        try:
            check_series(game, cell.parameters, spec.count)
        except Refusal as error:
            named = [key for key in cell.parameters if experiment.at(key) and key in str(error)]
            where = experiment.at(named[0]) if named else experiment.source.at("series")
            raise Refusal(f"{where}{error}") from None


def _check_count(game: Any, spec: CellSpec) -> None:
    if not game.min_players <= spec.count <= game.max_players:
        few, most = game.min_players, game.max_players
        span = f"{few} to {most}" if few < most else str(few)
        raise Refusal(f"'players.count' is {spec.count}; {game.name} is for {span} players")


def _check_seats(experiment: Experiment, specs: Sequence[CellSpec]) -> None:
    """Refuse points for a seat that no table here has."""
    most = max(spec.count for spec in specs)
    for spec in specs:
        for seat in spec.points:
            if seat >= most:
                key = seat_points.key_of(seat)
                raise Refusal(
                    f"{experiment.at(key, spec.variant)}'{key}': with {most} players there is no such seat"
                )


def _located(experiment: Experiment, spec: CellSpec, message: str) -> str:
    """Put file and line before the game's words, by the key that they name, and the cell behind them."""
    own = [experiment.designs[name] for name in ("", spec.variant or "") if name in experiment.designs]
    keys = [*experiment.ways, *(key for one in own for key in one.ways), "players.count"]
    named = [key for key in keys if re.search(rf"(?<![\w.]){re.escape(key)}(?![\w.])", message)]
    words = set(re.findall(r"\w+", message))
    named = named or [key for key in keys if {key.partition(".")[0], key.rpartition(".")[2]} & words]
    settings = {
        **experiment.fixed,
        **spec.values,
        **dict(dict(experiment.variants).get(spec.variant or "", {})),
    }
    named = named or [k for k, v in settings.items() if isinstance(v, str) and len(v) > 2 and v in message]
    where = experiment.at(max(named, key=len), spec.variant) if named else experiment.source.at()
    cell = spec.describe()
    return f"{where}{message}" + (f" (in the cell with {cell})" if cell else "")


def _refuse_hopeless(specs: Sequence[CellSpec], failures: Sequence[tuple[CellSpec, Refusal]]) -> None:
    """Refuse a value that is possible in no cell: that is a slip, not an impossible combination."""
    if failures and not specs:
        raise failures[0][1]
    for spec, refusal in failures:
        for key, value in spec.values.items():
            if coalitions.is_key(key):
                continue  # written by their number, some sets of bans leave nothing to play with
            if not any(other.values.get(key) == value for other in specs):
                raise Refusal(f"{refusal}; '{key}' = {value!r} is possible in no cell")


def with_base(experiment: Experiment, base: Path) -> Experiment:
    """Return the experiment read again from its canonical form, paths starting at `base`."""
    from sim.batch.experiment import read_experiment

    again = read_experiment(experiment.canonical(), base=base, games=experiment.games)
    return replace(again, over=experiment.over, bases=experiment.bases)
