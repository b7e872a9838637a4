"""Data sets made from bare arrays, for generators that plant one thing only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from analysis.data.dataset import Dataset


def from_shares(
    shares: np.ndarray | Sequence[np.ndarray],
    *,
    counts: np.ndarray | Sequence[np.ndarray] | None = None,
    pieces: Sequence[str] = (),
    rotations: bool = False,
    judge: dict[str, Any] | None = None,
    cells: pl.DataFrame | None = None,
    player: np.ndarray | None = None,
    team: Sequence[int] | None = None,
    **columns: Any,
) -> Dataset:
    """A data set from win shares.

    Parameters
    ----------
    shares : array (games, seats), or a list of such arrays with different numbers of seats
    counts : array (games, seats, pieces) or a list of them
        Pieces assigned at random.
    player : array (games, seats)
        Who sits where (default: player = seat).
    team : list of int
        Side of each seat, where all games have as many seats (default: each plays for itself).
    columns
        Columns of games (deal, line, seed, cell, ended, turns, ...); deals are all different by default.
    """
    tables = [shares] if isinstance(shares, np.ndarray) else list(shares)
    n = np.concatenate([np.full(len(part), part.shape[1]) for part in tables])
    games = len(n)
    flat = np.concatenate([part.ravel() for part in tables])
    first = np.cumsum(n) - n
    side = np.tile(team, games) if team is not None else None
    leads = (flat > 0) if side is None else (flat > 0) & (np.tile(first_of_side(team), games))
    tied = np.add.reduceat(leads.astype(np.int8), first)
    frame = {
        "game_id": np.arange(games, dtype=np.int64),
        "cell": np.zeros(games, dtype=np.int32),
        "deal": np.arange(games, dtype=np.int64),
        "players": n.astype(np.int8),
        "turns": np.full(games, 20, dtype=np.int32),
        "decisions": np.full(games, 20, dtype=np.int32),
        "ended": np.full(games, "finished"),
        "tied": tied,
        "lead_changes": np.zeros(games, dtype=np.int16),
    }
    frame |= columns
    frame.setdefault("seed", np.asarray(frame["deal"]).astype(np.uint64) + np.uint64(17))
    frame.setdefault("line", np.arange(games).astype(np.uint64))
    game = np.repeat(np.arange(games), n)
    seat = (np.arange(len(game)) - np.repeat(first, n)).astype(np.int8)
    seats = pl.DataFrame(
        {
            "game_id": np.asarray(frame["game_id"])[game],
            "cell": np.asarray(frame["cell"])[game],
            "deal": np.asarray(frame["deal"])[game],
            "seat": seat,
            "player": seat if player is None else player.ravel().astype(np.int8),
            "team": (seat if side is None else side).astype(np.int8),
            "bot": ["greedy"] * len(game),
            "win_share": flat,
            "decisions": np.full(len(game), 10, dtype=np.int32),
            "options_mean": np.full(len(game), 4.0, dtype=np.float32),
        }
    )
    piece_rows = None
    if counts is not None:
        parts = [counts] if isinstance(counts, np.ndarray) else list(counts)
        held = np.concatenate([part.reshape(-1, len(pieces)) for part in parts]).astype(np.int16)
        piece_rows = pl.DataFrame(
            {
                "game_id": np.repeat(seats["game_id"].to_numpy(), len(pieces)),
                "cell": np.repeat(seats["cell"].to_numpy(), len(pieces)),
                "seat": np.repeat(seat, len(pieces)),
                "win_share": np.repeat(flat, len(pieces)),
                "piece": list(pieces) * len(seats),
                "assigned": held.ravel(),
                "owned": held.ravel(),
                "played": held.ravel(),
            }
        )
    if cells is None:
        cells = pl.DataFrame(
            {"cell": pl.Series(sorted(set(np.asarray(frame["cell"]).tolist())), dtype=pl.Int32)}
        )
    manifest = {
        "schema": 1,
        "name": "small",
        "game": "none",
        "log": "pieces",
        "rotations": rotations,
        "factors": [name for name in cells.columns if name not in ("cell", "games")],
        "drawn": {"bans": {"kind": "piece set", "sep": "+", "none": "none"}} if "bans" in columns else {},
        "lever": {"column": "assigned", "text": "random"} if counts is not None else None,
        "judge": judge or {"seat": 0.02, "piece": 0.03},
        "categories": {"piece": list(pieces), "bot": ["greedy"]},
        "bots_used": ["greedy"],
    }
    return Dataset.from_frames(manifest, cells, pl.DataFrame(frame), seats, piece_rows)


def first_of_side(team: Sequence[int] | None) -> np.ndarray:
    """Which seats are the first of their side."""
    sides = list(team or [])
    return np.array([side not in sides[:seat] for seat, side in enumerate(sides)])


def winners(utility: np.ndarray) -> np.ndarray:
    """Win shares (games, seats): 1 to the seat with the highest utility."""
    return (np.arange(utility.shape[1]) == np.argmax(utility, axis=1)[:, None]).astype(np.float64)
