"""Drafted games with planted truth: one splits a group of five, the next chooses a pile and splits in turn."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from analysis.data.dataset import Dataset
from tests.analysis.small import from_shares, winners

PIECES = ("Bass", "Oak", "Rats", "Fly", "Wolf", "Lizard")
GROUP = 5


def drafted(
    games: int,
    players: int,
    *,
    appeal: dict[str, float] | None = None,
    worth: dict[str, float] | None = None,
    position: tuple[float, ...] = (),
    seat: tuple[float, ...] = (),
    first: str = "any",
    greed: float = 0.6,
    noise: float = 1.0,
    rounds: int = 3,
    seed: int = 1,
) -> Dataset:
    """A data set of drafted games.

    Parameters
    ----------
    appeal, worth : {piece: log odds}
        What a copy adds to the pile that choosers like, and to the utility of who gets it.
    position, seat : log odds of the place in the draft (0 splits first) and of the seat.
    first : ``any`` seat splits first, seat ``A``, or mostly the first (``often A``).
    greed : appeal of any copy, so that big piles are liked.
    noise : scale of the choosers' whims; 0 makes them follow appeal exactly.
    """
    rng = np.random.default_rng([seed, 5])
    like = np.array([(appeal or {}).get(p, 0.0) for p in PIECES]) + greed
    value = np.array([(worth or {}).get(p, 0.0) for p in PIECES])
    start = rng.integers(0, players, games)
    if first == "A":
        start[:] = 0
    elif first == "often A":
        start = np.where(rng.random(games) < 0.75, 0, start)
    each = np.arange(games)
    owned = np.zeros((games, players, len(PIECES)), dtype=np.int16)
    offered = np.zeros_like(owned)
    rows: list[pl.DataFrame] = []
    splitter = start.copy()
    for step in range(players * rounds):
        turn = step // players
        chooser = (splitter + (1 if turn % 2 == 0 else -1)) % players
        dealt = rng.integers(0, len(PIECES), (games, GROUP))
        pile = rng.integers(0, 2, (games, GROUP))
        copies = (dealt[..., None] == np.arange(len(PIECES))).astype(np.int16)
        piles = np.stack([(copies * (pile == k)[..., None]).sum(axis=1) for k in range(2)], axis=1)
        taste = piles @ like + noise * rng.gumbel(size=(games, 2)) + 1e-6 * rng.random((games, 2))
        chosen = np.argmax(taste, axis=1)
        owned[each, chooser] += piles[each, chosen]
        owned[each, splitter] += piles[each, 1 - chosen]
        for who in (splitter, chooser):
            offered[each, who] += piles.sum(axis=1)
        rows.append(
            pl.DataFrame(
                {
                    "game_id": np.repeat(each, GROUP),
                    "cell": np.zeros(games * GROUP, dtype=np.int32),
                    "deal": np.repeat(each, GROUP),
                    "round": np.full(games * GROUP, turn, dtype=np.int8),
                    "splitter": np.repeat(splitter, GROUP).astype(np.int8),
                    "chooser": np.repeat(chooser, GROUP).astype(np.int8),
                    "piece": pl.Series(np.array(PIECES)[dealt.ravel()], dtype=pl.Enum(PIECES)),
                    "pile": pile.ravel().astype(np.int8),
                    "taken": (pile == chosen[:, None]).ravel(),
                }
            )
        )
        splitter = chooser
    place = (np.arange(players)[None, :] - start[:, None]) % players
    utility = owned @ value + rng.gumbel(size=(games, players))
    for k, effect in enumerate(position):
        utility += effect * (place == k)
    for k, effect in enumerate(seat):
        utility[:, k] += effect
    data = from_shares(winners(utility), counts=owned, pieces=PIECES)
    pieces = data.pieces.with_columns(
        offered=pl.Series(offered.ravel().astype(np.int8)), taken=pl.col("owned")
    )
    return with_tables(
        data, pieces=pieces, drafts=pl.concat(rows).sort("game_id", maintain_order=True).lazy()
    )


def with_tables(data: Dataset, manifest: dict[str, Any] | None = None, **tables: pl.LazyFrame) -> Dataset:
    """The data set with some of its tables, and keys of its manifest, replaced; pieces lose their lever."""
    mine = {**data.manifest, "lever": None, **(manifest or {})}
    names = ("games", "seats", "pieces", "drafts", "turns", "decisions")
    kept = {name: data.table(name) for name in names if data.has(name)}
    return Dataset(mine, data.cells, {**kept, **tables})
