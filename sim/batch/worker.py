"""What a worker does: play one chunk and write its parts. Plain data in, plain data out.

Workers get the name of a game and import it themselves: a compiled function sent to a worker would be
compiled again there, while one that the worker imports is found in the cache on disk.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from sim.batch.cells import CellSpec, prepare
from sim.batch.layout import Chunk, blocks
from sim.batch.plan import value_text
from sim.batch.rotations import orders, series_orders
from sim.batch.tables import Played, TableSpec, frames
from sim.core.errors import Refusal
from sim.core.patience import ending

CELL_SHIFT = 32
"""game_id = cell * 2**32 + index within the cell."""


@dataclass(frozen=True)
class Task:
    """What all chunks of a run share.

    Attributes
    ----------
    key
        Tells runs apart in a worker's memory.
    base
        Where relative paths in parameters start.
    folder
        Where parts go; None plays without keeping anything.
    own_process
        Whether the chunk is played in a child process of the run.
    patience, last_words
        Seconds after which a loop that does not go on is ended (0: never), and where a child process says why.
    series
        Whether a block is a series: its games have deals of their own.
    seating, first_deal
        As in the experiment.
    bots
        Names of all bots of the run.
    rules_version, bots_versions
        What must be played with: a worker may have loaded other sources than the process that sends it chunks.
    """

    key: str
    game: str
    seed: int
    share_deals: bool
    tables: TableSpec
    base: Path
    folder: Path | None
    log: str
    own_process: bool = False
    patience: float = 0.0
    last_words: Path | None = None
    series: bool = False
    seating: tuple[int, ...] = ()
    first_deal: int = 0
    bots: tuple[str, ...] = ()
    rules_version: str | None = None
    bots_versions: Mapping[str, str] = field(default_factory=dict)


_READY: dict[tuple[str, int], tuple[Any, np.ndarray]] = {}
_MOST_READY = 256


def _ready(task: Task, game: Any, spec: CellSpec) -> tuple[Any, np.ndarray]:
    """Return a prepared cell and its orders; chunks of the same cells follow each other."""
    key = (task.key, spec.index)
    found = _READY.get(key)  # kept in hand: a worker of a cluster may have threads that share the dictionary
    if found is None:
        if len(_READY) >= _MOST_READY:
            _READY.clear()
        cell = prepare(game, spec, task.base)
        turning = (
            series_orders(spec.count) if task.series else orders(spec.players, bool(cell.moves), task.seating)
        )
        found = _READY[key] = (cell, turning)
    return found


def _check_versions(task: Task, game: Any) -> None:
    """Refuse to mix games of two versions in one data set."""
    from sim.core.bots import bot_version, shown

    here = {f"bot {shown(name)}": bot_version(name, game) for name in task.bots_versions}
    wanted = {f"bot {shown(name)}": there for name, there in task.bots_versions.items()}
    if task.rules_version is not None:
        here["the rules"], wanted["the rules"] = game.rules_version, task.rules_version
    for what, there in wanted.items():
        if here[what] != there:
            text = f"sources of {task.game} were edited after the run began, or differ on this machine"
            raise Refusal(
                f"{what} {there} are wanted, but a worker has loaded {here[what]}: {text}; start again"
            )


def cells_ready(task: Task, game: Any, specs: Sequence[CellSpec]) -> list[tuple[Any, np.ndarray]]:
    """Return the prepared cell and the orders of each of `specs`."""
    return [_ready(task, game, spec) for spec in specs]


def play(task: Task, chunk: Chunk, specs: Sequence[CellSpec]) -> tuple[Any, Played] | None:
    """Play the games of a chunk.

    Returns
    -------
    (game, Played), or None when no block begins within the chunk.
    """
    from sim.batch.engine import get_game

    game = get_game(task.game)
    _check_versions(task, game)
    ready = cells_ready(task, game, specs)
    index, deal, rotation, place = [], [], [], []
    for number, (spec, (_, turning)) in enumerate(zip(specs, ready)):
        size = len(turning)
        numbers = blocks(size, chunk.start, chunk.stop)
        block = np.arange(numbers.start, numbers.stop, dtype=np.int64).repeat(size)
        turn = np.tile(np.arange(size, dtype=np.int16), len(numbers))
        place.append(np.full(len(block), number, dtype=np.int32))
        index.append((np.int64(spec.index) << CELL_SHIFT) + block * size + turn)
        number_of_deal = task.first_deal + (block * size + turn if task.series else block)
        deal.append(
            number_of_deal if task.share_deals else (np.int64(spec.index) << CELL_SHIFT) + number_of_deal
        )
        rotation.append(turn)
    if not sum(map(len, index)):
        return None
    arrays = [np.concatenate(parts) for parts in (index, deal, rotation, place)]
    return game, play_games(task, game, specs, ready, *arrays)


def play_games(
    task: Task,
    game: Any,
    specs: Sequence[CellSpec],
    ready: Sequence[tuple[Any, np.ndarray]],
    game_id: np.ndarray,
    deal: np.ndarray,
    rotation: np.ndarray,
    place: np.ndarray,
) -> Played:
    """Play the games named by these arrays (`place`: which of `specs`).

    Where series are played, the games of each follow each other, from its first on: bots know the standing.
    """
    from sim.batch.engine import play_chunk
    from sim.core.play import Job
    from sim.core.seeds import deal_seed

    width = max(spec.count for spec in specs)
    who = np.zeros((len(game_id), width), dtype=np.int8)
    for number, (spec, (_, turning)) in enumerate(zip(specs, ready)):
        mine = place == number
        who[mine, : spec.count] = turning[rotation[mine]]
    seed = deal_seed(task.seed, deal)
    follows = rotation > 0 if task.series else None
    job = Job(cell=place, deal=deal, rotation=rotation, seed=seed, who=who, follows=follows)
    chunk = play_chunk(game, [cell for cell, _ in ready], job, task.log, task.bots)
    names = {
        kind: {name: i for i, name in enumerate(task.tables.categories[kind])} for kind in ("bot", "deck")
    }
    bots = np.zeros((len(specs), width), dtype=np.int16)
    decks = np.full((len(specs), width), -1, dtype=np.int16)
    for number, spec in enumerate(specs):
        bots[number, : spec.count] = [names["bot"][p.label] for p in spec.players]
        decks[number, : spec.count] = [names["deck"].get(p.deck or "", -1) for p in spec.players]
    return Played(
        chunk=chunk,
        game_id=game_id,
        cell=np.array([spec.index for spec in specs], dtype=np.int32)[place],
        place=place,
        deal=deal,
        rotation=rotation,
        seed=seed,
        who=who,
        bots=bots,
        decks=decks,
        drawn=_drawn(task.tables.drawn, game, [cell for cell, _ in ready], chunk.drawn, place),
        lever=np.array([cell.lever is not None for cell, _ in ready]),
        series=_series_of(task, specs, game_id, place) if task.series else None,
        points=_points(specs, width)[place] if any(spec.points for spec in specs) else None,
    )


def _points(specs: Sequence[CellSpec], width: int) -> np.ndarray:
    """Return the points that each seat is given in each cell."""
    points = np.zeros((len(specs), width))
    for number, spec in enumerate(specs):
        for seat, value in spec.points.items():
            if seat < spec.count:
                points[number, seat] = value
    return points


def _series_of(task: Task, specs: Sequence[CellSpec], game_id: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Return the series of each game: numbers agree between cells where deals do."""
    size = np.array([spec.count for spec in specs])[place]
    first = (game_id >> CELL_SHIFT) << CELL_SHIFT
    return (game_id - first) // size + (0 if task.share_deals else first)


def _drawn(
    names: Sequence[str], game: Any, cells: Sequence[Any], drawn: np.ndarray, place: np.ndarray
) -> Mapping[str, Sequence[str | None]]:
    """Return the drawn columns; a cell that draws nothing there has its fixed value."""
    if not names:
        return {}
    columns: dict[str, np.ndarray] = {name: np.empty(len(place), dtype=object) for name in names}
    for number, cell in enumerate(cells):
        mine = np.flatnonzero(place == number)
        if not len(mine):
            continue
        texts = game.drawn_columns(cell, drawn[mine]) if cell.drawn else {}
        for name in names:
            if name in texts and name in cell.drawn:
                columns[name][mine] = np.asarray(texts[name], dtype=object)
            elif name in cell.parameters:
                text = value_text(cell.parameters[name])
                # "random" where nothing was drawn: the card of a scenario, say, in a cell without scenarios
                columns[name][mine] = "none" if text.partition(" ")[0] == "random" else text
    return {name: column.tolist() for name, column in columns.items()}


@cache
def _live_and_die_with_parent() -> None:
    """Leave Ctrl-C, which reaches every process of a terminal, to the parent; end when the parent is killed."""
    gc.set_threshold(50_000)  # as the command itself does, and before the game is loaded
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _say_and_end(task: Task, number: int, text: str) -> None:
    """End this process: compiled code that does not come back ends in no other way."""
    text = f"chunk {number}: {text}"
    if task.last_words is not None:
        (task.last_words / f"{socket.gethostname()}-{os.getpid()}.txt").write_text(text, encoding="utf-8")
        os._exit(2)
    end_here(task.folder, text)


def end_here(folder: Path | None, text: str) -> None:
    """Say why and end the process of the command itself."""
    kept = f"; what '{folder}' has is kept" if folder is not None else ""
    os.write(2, f"whimbrel: {text}{kept}\n".encode())
    os._exit(2)


def play_chunk_file(task: Task, number: int, chunk: Chunk, specs: Sequence[CellSpec]) -> dict[str, Any]:
    """Play a chunk or a part of one, write its files, and return its line for the commit log.

    Returns
    -------
    dict
        chunk (`number`, its own in the data set), of, from, to (the chunk of the layout and its ranks), cells (where
        these are not all of that chunk), games, first_game_id, parts.
    """
    from sim.batch.store import write_part

    if task.own_process:
        _live_and_die_with_parent()
    with ending(task.patience, partial(_say_and_end, task, number)):
        played = play(task, chunk, specs)
    entry: dict[str, Any] = {"chunk": number, "of": chunk.number, "from": chunk.start, "to": chunk.stop}
    if not chunk.whole:
        entry["cells"] = list(chunk.cells)
    entry |= {"games": 0, "first_game_id": None, "parts": {}}
    if played is None or task.folder is None:
        return entry
    game, rows = played
    entry |= {"games": len(rows.game_id), "first_game_id": int(rows.game_id[0])}
    for table, frame in frames(task.tables, rows, game).items():
        entry["parts"][table] = write_part(task.folder, table, number, frame, wait=False)
    return entry
