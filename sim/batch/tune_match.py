"""Matches for tuning: two bots on common deals, seats mirrored, many pairs in one call of the loop."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.batch.engine import get_game, play_chunk
from sim.core.errors import Refusal
from sim.core.game import Entrant
from sim.core.play import Job
from sim.core.seeds import deal_seed

Floats = NDArray[np.float64]
Bot = tuple[str, Mapping[str, Any]]
"""A name and options, tables nested."""
CONFIDENCE = 1.96
FRESH = 10_000_000
"""First deal of those that decide whether a result is kept; nothing else comes so far."""
STATE = "tune.json"


@dataclass(frozen=True)
class Outcome:
    """What came of tuning: weights, options, their share against the shipped ones on fresh deals."""

    weights: dict[str, float]
    options: dict[str, Any]
    share: float
    half: float
    games: int

    @property
    def better(self) -> bool:
        """Whether that is more than a half, beyond chance."""
        return self.share - self.half > 0.5


class Trail:
    """What a tuning has found so far: a line of JSON for each step, in a folder that belongs to one tuning only."""

    def __init__(self, folder: Path, name: str, label: Mapping[str, Any], steps: str) -> None:
        mine = json.loads(json.dumps(label))
        folder.mkdir(parents=True, exist_ok=True)
        self.path, head = folder / name, folder / STATE
        self.rows: list[Any] = []
        if not head.exists():
            head.write_text(json.dumps(mine, indent=1) + "\n", encoding="utf-8")
            self.path.write_text("", encoding="utf-8")
            return
        theirs = json.loads(head.read_text(encoding="utf-8"))
        other = [key for key in mine if theirs.get(key) != mine[key] and key != steps]
        if other:
            raise Refusal(
                f"'{folder}' holds a tuning of another kind ({', '.join(other)} differ); name another --state"
            )
        lines = self.path.read_text(encoding="utf-8").splitlines(keepends=True)
        whole = [line for line in lines if line.endswith("\n")]
        if len(whole) < len(lines):  # a line that was cut off
            self.path.write_text("".join(whole), encoding="utf-8")
        self.rows = [json.loads(line) for line in whole]

    def add(self, row: Any) -> None:
        """Keep one more step."""
        self.rows.append(row)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


@dataclass
class Table:
    """Where bots meet: a game, its parameters, how many play, and the seed that all deals come from."""

    game_name: str
    players: int
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 1

    def __post_init__(self) -> None:
        self.game = get_game(self.game_name)
        least, most = self.game.min_players, self.game.max_players
        if not max(2, least) <= self.players <= most:
            raise Refusal(f"--players {self.players}: {self.game.title} is for {least} to {most} players")
        self.cell = self.cell_of([("random", {})] * self.players)

    def label(self) -> dict[str, Any]:
        """Return what makes two tunings the same, as plain data."""
        return {
            "game": self.game_name,
            "rules": self.game.rules_version,
            "players": self.players,
            "parameters": dict(self.parameters),
            "seed": self.seed,
        }

    def cell_of(self, bots: Sequence[Bot]) -> Any:
        """Return the prepared cell of these bots, one a player."""
        entrants = [Entrant(f"player {k + 1}", name) for k, (name, _) in enumerate(bots)]
        cell = self.game.prepare(dict(self.parameters), self.players, entrants, None)
        cell.bots = [(name, dict(options)) for name, options in bots]
        return cell

    def shares(self, pairs: Sequence[tuple[Bot, Bot]], first: int, deals: int) -> Floats:
        """Return the share that the first bot of each pair takes of each deal.

        Every deal is played twice, every other seat taken by the one bot and then by the other; so a bot has as many
        seats as its rival with any number of players, and equal play takes a half. All pairs have the same deals.

        Returns
        -------
        array (pairs, deals)
        """
        odd = self.players % 2 == 1
        cells = []
        for pair_of in pairs:
            for order in (pair_of, pair_of[::-1])[: 2 if odd else 1]:  # odd: each has the seat too many once
                cells.append(self.cell_of([order[k % 2] for k in range(self.players)]))
        n = len(pairs) * deals * 2
        pair, deal, turned = (
            a.ravel() for a in np.meshgrid(range(len(pairs)), range(deals), (0, 1), indexing="ij")
        )
        cell_of, shift = (pair * 2 + turned, np.zeros(n, dtype=np.int64)) if odd else (pair, turned)
        who = (np.arange(self.players)[None, :] + shift[:, None]) % self.players
        job = Job(
            cell=cell_of.astype(np.int32),
            deal=(first + deal).astype(np.int64),
            rotation=turned.astype(np.int16),
            seed=deal_seed(self.seed, first + deal),
            who=who.astype(np.int8),
        )
        names = sorted({bot[0] for both in pairs for bot in both})
        won = np.asarray(
            play_chunk(self.game, cells, job, "games", names).seats["win_share"], dtype=np.float64
        )
        seat_of_one = (who % 2 == 0) ^ (odd & (turned == 1))[:, None]
        own = (won * seat_of_one).sum(axis=1).reshape(len(pairs), deals, 2).sum(axis=2)
        every = won.sum(axis=1).reshape(len(pairs), deals, 2).sum(axis=2)
        return np.divide(own, every, out=np.full_like(own, 0.5), where=every > 0)


def mean_and_half(shares: Floats) -> tuple[float, float]:
    """Return the mean of shares by deal and half the width of its 95% interval."""
    if len(shares) < 2:
        return float(shares.mean()), 1.0
    return float(shares.mean()), float(CONFIDENCE * shares.std(ddof=1) / np.sqrt(len(shares)))


def normals(seed: int, first: int, count: int) -> Floats:
    """Return `count` standard normal numbers from place `first` on of the stream that belongs to `seed`."""
    from scipy.special import ndtri

    words = deal_seed(seed, np.arange(first, first + count))
    return np.asarray(ndtri(((words >> np.uint64(11)).astype(np.float64) + 0.5) / 2.0**53), dtype=np.float64)
