"""Complete synthetic data sets with planted truth: seats, pieces, bots, bans and rules with known effects.

Winners are drawn by independent Gumbel noise on top of a utility, so the chance of winning a game is exactly
a conditional logit of the planted effects (in log odds). All sizes come from one seed; a data set can be had
in memory (`Synthetic.dataset`) or written as a folder in the project's format (`Synthetic.write`).

    python -m tests.analysis.synthetic FOLDER [--deals N] [--players N]     writes an example
"""

from __future__ import annotations

import hashlib
import itertools
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

PIECES = (
    "Bass",
    "Oak",
    "Rats",
    "Sparrow",
    "Fly",
    "Wolf",
    "Skunk",
    "Poison Oak",
    "Jackal",
    "Lizard",
    "Cactus",
)
COPIES = (3, 3, 3, 3, 3, 3, 2, 2, 3, 3, 2)
TEAM = 12
ENDED = ("finished", "turn_cap", "stuck", "overflow", "all_passed")
PHASES = ("turn", "pay", "bonus")
KINDS = ("expand", "enter", "migrate", "pay", "pass")


GIVEN = "The Founder's choice was not a decision of play: the map was given."
BY_BOT = [{"name": "founder-bot", "says": "The Founder's choice was a decision of play, made by the bots."}]


@dataclass
class Plan:
    """What to plant. Effects are log odds of winning unless said otherwise.

    Attributes
    ----------
    deals : int
        Deals a cell; a cell holds ``deals * rotations`` games.
    players : int
        Players, unless ``factors`` has ``players.count``.
    bots, decks : tuple of str
        One entry for all players, or one a player.
    rotate : bool
        Whether each deal is played in all rotations (something moves with the players).
    seat, piece, bot : effects of seat index, of each copy of a piece, of a bot.
    deal_spread : float
        Standard deviation of a seat effect that belongs to the deal (what makes rotations dependent).
    drawn_bans : int
        How many kinds of piece are banned at random in each deal.
    ban_on_piece : {(banned, piece): change of the piece's effect while `banned` is banned}
    ban_on_seat : {(banned, seat): change of the seat's effect}
    factors : {column of cells: levels}; cells are their grid. ``bans`` takes "none", "Rats+Wolf", "random 2".
    factor_on_piece : {(column, level, piece): change}; factor_on_seat : {(column, level, seat): change}.
    same_noise : float
        Share of games that keep their luck from cell to cell (common random numbers).
    sides : tuple of int
        Side of each seat, in the cells with as many players (and not ``teams`` = false); none: each for itself.
    ties, capped : share of games tied at the top, and ended by the cap on turns.
    lines : int or None
        Only so many deals are different; the others repeat them move by move under new deal numbers.
    """

    name: str = "synthetic"
    question: str = "Are Rats too strong, and is the first seat favoured?"
    deals: int = 500
    players: int = 3
    bots: tuple[str, ...] = ("greedy",)
    decks: tuple[str | None, ...] = (None,)
    rotate: bool = True
    random_teams: bool = True
    seat: tuple[float, ...] = (0.15,)
    piece: dict[str, float] = field(default_factory=lambda: {"Rats": 0.25, "Fly": -0.2})
    bot: dict[str, float] = field(default_factory=dict)
    deal_spread: float = 0.3
    drawn_bans: int = 0
    ban_on_piece: dict[tuple[str, str], float] = field(default_factory=dict)
    ban_on_seat: dict[tuple[str, int], float] = field(default_factory=dict)
    factors: dict[str, list[Any]] = field(default_factory=dict)
    factor_on_piece: dict[tuple[str, Any, str], float] = field(default_factory=dict)
    factor_on_seat: dict[tuple[str, Any, int], float] = field(default_factory=dict)
    same_noise: float = 0.6
    ties: float = 0.03
    capped: float = 0.01
    lines: int | None = None
    sides: tuple[int, ...] = ()
    log: str = "decisions"
    seed: int = 1
    judge: dict[str, Any] = field(
        default_factory=lambda: {"seat": 0.02, "piece": 0.03, "pieces": {}, "even": "seats+pieces"}
    )


@dataclass
class Synthetic:
    """Frames of one data set, and the plan behind them."""

    plan: Plan
    manifest: dict[str, Any]
    cells: pl.DataFrame
    tables: dict[str, pl.DataFrame]

    def dataset(self) -> Any:
        """The data set in memory."""
        from analysis.data.dataset import Dataset

        return Dataset.from_frames(self.manifest, self.cells, **self.tables)

    def write(self, folder: Path, chunk_games: int = 2_000) -> Path:
        """Write the folder of a run, in chunks of about `chunk_games` games; returns the folder."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "manifest.json").write_text(json.dumps(self.manifest, indent=1))
        (folder / "experiment.toml").write_text(f'name = "{self.plan.name}"\ngame = "migration"\n')
        self.cells.write_parquet(folder / "cells.parquet")
        starts = self.tables["games"]["game_id"].to_numpy()[::chunk_games]
        ends = [*starts[1:], np.iinfo(np.int64).max]
        lines = []
        for chunk, (start, end) in enumerate(zip(starts, ends, strict=True)):
            parts = {
                name: _write_part(
                    folder, name, chunk, frame.filter(pl.col("game_id").is_between(start, end - 1))
                )
                for name, frame in self.tables.items()
            }
            entry = {
                "chunk": chunk,
                "games": parts["games"]["rows"],
                "first_game_id": int(start),
                "parts": parts,
            }
            lines.append(json.dumps(entry))
        (folder / "commits.jsonl").write_text("\n".join(lines) + "\n")
        return folder


def make(plan: Plan | None = None, **changes: Any) -> Synthetic:
    """Draw the data set of a plan; keyword arguments build the plan."""
    plan = plan if plan is not None else Plan(**changes)
    names = list(plan.factors)
    grid = [dict(zip(names, levels, strict=True)) for levels in itertools.product(*plan.factors.values())]
    counts = [int(cell.get("players.count", plan.players)) for cell in grid]
    world = _World(plan, max(counts))
    drawn: dict[str, list[pl.DataFrame]] = {}
    for index, (cell, n) in enumerate(zip(grid, counts, strict=True)):
        for name, frame in _cell(plan, world, index, cell, n).items():
            drawn.setdefault(name, []).append(frame)
    tables = {name: pl.concat(frames) for name, frames in drawn.items()}
    return Synthetic(plan, _manifest(plan, grid, tables), _cells(plan, grid, counts), tables)


class _World:
    """What all cells share: per deal the bans, the keys of the pieces, its own seat effects, the luck."""

    def __init__(self, plan: Plan, players: int) -> None:
        rng = np.random.default_rng([plan.seed, 1])
        different = plan.deals if plan.lines is None else min(plan.lines, plan.deals)
        self.same_as = np.arange(plan.deals) % different
        self.banned = np.zeros((plan.deals, len(PIECES)), dtype=bool)
        if plan.drawn_bans:
            order = np.argsort(rng.random((different, len(PIECES))), axis=1)[:, : plan.drawn_bans]
            flags = np.zeros((different, len(PIECES)), dtype=bool)
            np.put_along_axis(flags, order, True, axis=1)
            self.banned = flags[self.same_as]
        copies = np.repeat(np.arange(len(PIECES)), COPIES)
        self.copy_of = copies
        self.keys = rng.random((different, players, len(copies)))[self.same_as]
        self.spread = plan.deal_spread * rng.standard_normal((different, players))[self.same_as]
        self.luck = rng.gumbel(size=(different, players, players))[self.same_as]

    def teams(self, banned: np.ndarray) -> np.ndarray:
        """Random teams, counts (deals, players, pieces): the smallest legal keys of the physical pieces."""
        keys = np.where(banned[:, None, self.copy_of], np.inf, self.keys)
        chosen = np.argpartition(keys, TEAM - 1, axis=2)[:, :, :TEAM]
        kind = self.copy_of[chosen]
        return (kind[..., None] == np.arange(len(PIECES))).sum(axis=2).astype(np.int8)


def _cell(plan: Plan, world: _World, index: int, cell: dict[str, Any], n: int) -> dict[str, pl.DataFrame]:
    rng = np.random.default_rng([plan.seed, 2, index])
    rotations = n if plan.rotate else 1
    deal = np.repeat(np.arange(plan.deals), rotations)
    rotation = np.tile(np.arange(rotations), plan.deals)
    n_games = len(deal)
    banned = world.banned.copy()
    if cell.get("bans") == "none":
        banned[:] = False
    elif not str(cell.get("bans", "random")).startswith("random"):
        banned[:, [PIECES.index(name) for name in cell["bans"].split("+")]] = True
    player = (np.arange(n)[None, :] + rotation[:, None]) % n
    assigned = world.teams(banned)[deal[:, None], player]

    bots = plan.bots if len(plan.bots) > 1 else plan.bots * n
    decks = plan.decks if len(plan.decks) > 1 else plan.decks * n
    bot_effect = np.array([plan.bot.get(name, 0.0) for name in bots])[player]
    effect = np.tile([plan.piece.get(name, 0.0) for name in PIECES], (n_games, 1))
    seat = np.zeros((n_games, n))
    seat[:, : min(n, len(plan.seat))] += plan.seat[:n]
    for (name, piece), change in plan.ban_on_piece.items():
        effect[:, PIECES.index(piece)] += change * banned[deal, PIECES.index(name)]
    for (name, place), change in plan.ban_on_seat.items():
        seat[:, place] += change * banned[deal, PIECES.index(name)]
    for (column, level, piece), change in plan.factor_on_piece.items():
        effect[:, PIECES.index(piece)] += change * (cell.get(column) == level)
    for (column, level, place), change in plan.factor_on_seat.items():
        seat[:, place] += change * (cell.get(column) == level)

    repeat = world.same_as[deal]
    fresh = rng.gumbel(size=(plan.deals, rotations, n))[repeat, rotation]
    keep = rng.random((plan.deals, rotations))[repeat, rotation] < plan.same_noise
    luck = np.where(keep[:, None], world.luck[deal, rotation, :n], fresh)
    clear = seat + bot_effect + world.spread[deal, :n] + np.einsum("gsp,gp->gs", assigned, effect)
    utility = clear - clear.mean(axis=1, keepdims=True) + luck

    per_game = {
        name: rng.random((plan.deals, rotations))[repeat, rotation]
        for name in ("tie", "cap", "turns", "lead")
    }
    team = np.arange(n)
    if len(plan.sides) == n and cell.get("teams", True):
        # A side is as good as its members together, and has one luck.
        team = np.array(plan.sides)
        utility = (clear - clear.mean(axis=1, keepdims=True)) @ (team[:, None] == np.unique(team)) + luck[
            :, : len(np.unique(team))
        ]
    score, win_share, rank, tied = _outcome(utility, per_game["tie"] < plan.ties)
    score, win_share, rank = (values[:, team] for values in (score, win_share, rank))
    turns = (8 + 10 * per_game["turns"] + 2 * n).astype(np.int32)
    capped = per_game["cap"] < plan.capped
    turns[capped] = 60
    decisions = rng.integers(3, 9, size=(n_games, n)).astype(np.int32)
    game_id = index * 2**32 + np.arange(n_games, dtype=np.int64)
    line = _mix(
        np.uint64(index) << np.uint64(48)
        | repeat.astype(np.uint64) << np.uint64(8)
        | rotation.astype(np.uint64)
    )
    cell_column = np.full(n_games, index, dtype=np.int32)
    ordered = np.sort(score[:, np.unique(team, return_index=True)[1]], axis=1)
    games = pl.DataFrame(
        {
            "game_id": game_id,
            "cell": cell_column,
            "deal": deal.astype(np.int64),
            "rotation": rotation.astype(np.int16),
            "series": pl.Series([None] * n_games, dtype=pl.Int64),
            "seed": _mix(deal.astype(np.uint64) + np.uint64(plan.seed) * np.uint64(1_000_003)),
            "players": np.full(n_games, n, dtype=np.int8),
            **({"bans": _ban_texts(banned[deal])} if plan.drawn_bans else {}),
            "first_seat": np.zeros(n_games, dtype=np.int8),
            "founder_seat": pl.Series([None] * n_games, dtype=pl.Int8),
            "turns": turns,
            "decisions": decisions.sum(axis=1, dtype=np.int32),
            "ended": _enum(capped.astype(np.uint8), ENDED),
            "ended_by": ((turns - 1) % n).astype(np.int8),
            "winner": pl.Series(np.argmax(win_share, axis=1).astype(np.int8)).set(pl.Series(tied > 1), None),
            "tied": tied.astype(np.int8),
            "margin": (ordered[:, -1] - ordered[:, -2]).astype(np.float32),
            "lead_changes": (4 * per_game["lead"]).astype(np.int16),
            "line": line,
        }
    )
    flat = {
        "game_id": np.repeat(game_id, n),
        "cell": np.repeat(cell_column, n),
        "deal": np.repeat(deal.astype(np.int64), n),
        "seat": np.tile(np.arange(n, dtype=np.int8), n_games),
    }
    bot_names = sorted(set(plan.bots))
    bot_codes = np.array([bot_names.index(name) for name in bots], dtype=np.uint8)[player].ravel()
    deck_names = sorted({deck for deck in plan.decks if deck is not None})
    deck_column = pl.Series([None if d is None else d for d in decks], dtype=pl.Enum(deck_names))
    seats = pl.DataFrame(
        {
            **flat,
            "player": player.astype(np.int8).ravel(),
            "team": np.tile(team.astype(np.int8), n_games),
            "bot": _enum(bot_codes, bot_names),
            "deck": deck_column.gather(player.ravel()),
            "founder": np.zeros(n_games * n, dtype=bool),
            "score": score.astype(np.float32).ravel(),
            "rank": rank.astype(np.int8).ravel(),
            "win_share": win_share.ravel(),
            "decisions": decisions.ravel(),
            "options_mean": rng.uniform(2, 12, n_games * n).astype(np.float32),
            "passes": rng.poisson(0.7, n_games * n).astype(np.int16),
        }
    )
    tables = {"games": games, "seats": seats}
    if plan.log in ("pieces", "turns", "decisions"):
        tables["pieces"] = _pieces(plan, rng, flat, bot_codes, bot_names, assigned, win_share)
    if plan.log in ("turns", "decisions"):
        tables["turns"] = _turns(rng, game_id, turns, score, n)
    if plan.log == "decisions":
        tables["decisions"] = _decisions(rng, game_id, turns, decisions.sum(axis=1), n)
    return tables


def _outcome(utility: np.ndarray, tie: np.ndarray) -> tuple[np.ndarray, ...]:
    """Scores, win shares, ranks (games, seats) and the number tied; the order of utilities decides."""
    order = np.argsort(-utility, axis=1)
    score = np.round(20 + 4 * utility)
    top, second = order[:, 0], order[:, 1]
    games = np.arange(len(utility))
    best_other = np.max(np.where(np.arange(utility.shape[1]) == top[:, None], -np.inf, score), axis=1)
    score[games, top] = np.where(score[games, top] <= best_other, best_other + 1, score[games, top])
    score[games[tie], top[tie]] = score[games[tie], second[tie]] = best_other[tie] + 1
    first = score == score.max(axis=1, keepdims=True)
    tied = first.sum(axis=1)
    rank = 1 + (score[:, None, :] > score[:, :, None]).sum(axis=2)
    return score, first / tied[:, None], rank, tied


def _pieces(
    plan: Plan,
    rng: np.random.Generator,
    flat: dict[str, np.ndarray],
    bot_codes: np.ndarray,
    bot_names: list[str],
    assigned: np.ndarray,
    win_share: np.ndarray,
) -> pl.DataFrame:
    """Piece rows; winners play more of what they own (a victory lap that owned and played figures show)."""
    kinds = len(PIECES)
    owned = assigned.reshape(-1, kinds)
    won = win_share.reshape(-1, 1)
    played = rng.binomial(owned, np.clip(0.6 + 0.2 * won, 0, 1)).astype(np.int8)
    paid = rng.binomial(owned - played, 0.5).astype(np.int8)
    first_turn = np.where(played > 0, rng.integers(1, 20, owned.shape), -1).astype(np.int16).ravel()
    rows = owned.size
    nothing = pl.Series([None], dtype=pl.Int8).new_from_index(0, rows)
    return pl.DataFrame(
        {
            **{name: np.repeat(column, kinds) for name, column in flat.items()},
            "bot": _enum(np.repeat(bot_codes, kinds), bot_names),
            "win_share": np.repeat(win_share.ravel(), kinds),
            "piece": _enum(np.tile(np.arange(kinds, dtype=np.uint8), len(owned)), PIECES),
            "assigned": owned.ravel() if plan.random_teams else nothing,
            "offered": nothing,
            "taken": nothing,
            "owned": owned.ravel(),
            "played": played.ravel(),
            "first_turn": pl.Series(first_turn).set(pl.Series(first_turn < 0), None),
            "paid": paid.ravel(),
            "lost": np.zeros(rows, dtype=np.int8),
            "scored": (played * rng.integers(0, 4, owned.shape)).astype(np.float32).ravel(),
            "harm": rng.binomial(played, 0.3).astype(np.float32).ravel(),
        }
    )


def _turns(
    rng: np.random.Generator, game_id: np.ndarray, turns: np.ndarray, score: np.ndarray, n: int
) -> pl.DataFrame:
    game = np.repeat(np.arange(len(game_id)), turns)
    turn = np.arange(len(game)) - np.repeat(np.cumsum(turns) - turns, turns) + 1
    share = (turn / turns[game])[:, None]
    now = np.where(share >= 1, score[game], np.round(score[game] * share + rng.normal(0, 1, (len(game), n))))
    scores = {
        f"score_{s}": now[:, s].astype(np.float32)
        if s < n
        else pl.Series([None] * len(game), dtype=pl.Float32)
        for s in range(4)
    }
    return pl.DataFrame(
        {
            "game_id": game_id[game],
            "turn": turn.astype(np.int16),
            "seat": ((turn - 1) % n).astype(np.int8),
            **scores,
        }
    )


def _decisions(
    rng: np.random.Generator, game_id: np.ndarray, turns: np.ndarray, counts: np.ndarray, n: int
) -> pl.DataFrame:
    game = np.repeat(np.arange(len(game_id)), counts)
    ply = np.arange(len(game)) - np.repeat(np.cumsum(counts) - counts, counts) + 1
    turn = np.ceil(ply / counts[game] * turns[game]).astype(np.int16)
    options = 2 + rng.poisson(np.clip(10 - 0.3 * turn, 0.5, None))
    kind = rng.integers(0, len(KINDS), len(game)).astype(np.uint8)
    piece = pl.Series(rng.integers(0, len(PIECES), len(game)).astype(np.uint8)).cat.to(pl.Enum(PIECES))
    return pl.DataFrame(
        {
            "game_id": game_id[game],
            "ply": ply.astype(np.int16),
            "turn": turn,
            "seat": ((turn - 1) % n).astype(np.int8),
            "phase": _enum(np.where(kind == 3, 1, 0).astype(np.uint8), PHASES),
            "action": rng.integers(0, 500, len(game)).astype(np.int32),
            "kind": _enum(kind, KINDS),
            "piece": piece.set(pl.Series(kind == 4), None),
            "options": options.astype(np.int16),
        }
    )


def _cells(plan: Plan, grid: list[dict[str, Any]], counts: list[int]) -> pl.DataFrame:
    columns: dict[str, Any] = {
        "cell": pl.Series(range(len(grid)), dtype=pl.Int32),
        "variant": pl.Series([None] * len(grid), dtype=pl.String),
    }
    fixed = {"map": "islands", "rats_points": 2, "fertile_points": 1}
    for name, value in fixed.items():
        columns[name] = [cell.get(name, value) for cell in grid]
    for name in plan.factors:
        columns[name] = [cell[name] for cell in grid]
    columns["players.count"] = counts
    columns["players"] = [" vs ".join(dict.fromkeys(plan.bots))] * len(grid)
    columns["games"] = pl.Series([plan.deals * (n if plan.rotate else 1) for n in counts], dtype=pl.Int64)
    return pl.DataFrame(columns)


def _manifest(plan: Plan, grid: list[dict[str, Any]], tables: dict[str, pl.DataFrame]) -> dict[str, Any]:
    counts = sorted({int(cell.get("players.count", plan.players)) for cell in grid})
    bots = sorted(set(plan.bots))
    card = {
        "title": "Migration",
        "about": "Place Explorers on the Regions of a map, one after another, and settle where it scores.",
        "pieces": [
            {"name": p, "group": "Book I" if i < 5 else "Book II", "text": ""} for i, p in enumerate(PIECES)
        ],
        "parameters": [
            {
                "name": "rats_points",
                "type": "int",
                "default": 2,
                "range": [0, 5],
                "help": "points of a Rats Town",
                "ruling": None,
                "value": 2,
            }
        ],
        "maps": [{"name": "islands", "about": "separate islands", "players": [2, 3, 4]}, *BY_BOT],
        "levers": [{"pieces": "all", "assignment": "assigned", "text": "random teams of 12 pieces"}],
        "stand_ins": [
            {
                "name": "set_counts",
                "fact": "how many of each Explorer a set holds",
                "grade": "stand-in",
                "default": "3 or 2 of each",
                "alternatives": ["3 of each of 10"],
                "why": "the rulebook gives totals only",
            }
        ],
        "rulings": [
            {
                "id": "B7",
                "question": "What does a Jackal count?",
                "reading": "adjacent Wasteland Regions",
                "parameter": "jackal_counts",
                "impact": "medium",
            }
        ],
        "harm": "Spirits removed and Towns flipped",
        "words": {"piece": "Explorer", "pieces": "Explorers", "role": "Founder", "map_given": GIVEN},
        "bots": [{"name": bot, "about": f"the {bot} player", "options": {}} for bot in bots],
        "fair": "1/n",
    }
    return {
        "schema": 1,
        "whimbrel": "0.1.0",
        "name": plan.name,
        "question": plan.question,
        "design_version": "",
        "game": "migration",
        "rules_version": "1+00000000",
        "experiment": {"name": plan.name, "game": "migration", "seed": plan.seed},
        "experiment_hash": hashlib.sha256(repr(plan).encode()).hexdigest(),
        "seed": plan.seed,
        "log": plan.log,
        "design": "grid",
        "share_deals": True,
        "rotations": plan.rotate,
        "games_per_cell": plan.deals * (counts[-1] if plan.rotate else 1),
        "players_max": counts[-1],
        "factors": list(plan.factors),
        "drawn": {"bans": {"kind": "piece set", "sep": "+", "none": "none"}} if plan.drawn_bans else {},
        "lever": {"column": "assigned", "text": "random teams"} if plan.random_teams else None,
        "piece_total": TEAM if plan.random_teams else None,
        "judge": plan.judge,
        "categories": {
            "piece": list(PIECES),
            "bot": bots,
            "deck": sorted({deck for deck in plan.decks if deck is not None}),
            "player": [f"player {i}" for i in range(counts[-1])],
            "ended": list(ENDED),
            "phase": list(PHASES),
            "kind": list(KINDS),
        },
        "schema_tables": {
            name: {column: _type_name(dtype) for column, dtype in frame.schema.items()}
            for name, frame in tables.items()
        },
        "stand_ins_run": None,
        "card": card,
        "bots_used": bots,
        "versions": {"numpy": np.__version__, "polars": pl.__version__},
    }


def _write_part(folder: Path, table: str, chunk: int, frame: pl.DataFrame) -> dict[str, Any]:
    (folder / table).mkdir(exist_ok=True)
    temporary = folder / table / f".part-{chunk:05d}"
    frame.write_parquet(temporary)
    data = temporary.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    file = f"{table}/part-{chunk:05d}-{digest[:8]}.parquet"
    temporary.rename(folder / file)
    return {"file": file, "rows": frame.height, "bytes": len(data), "sha256": digest}


def _ban_texts(banned: np.ndarray) -> pl.Series:
    names = np.array(PIECES)
    patterns, where = np.unique(banned, axis=0, return_inverse=True)
    texts = ["+".join(names[pattern]) or "none" for pattern in patterns]
    return pl.Series(texts, dtype=pl.String).gather(where.ravel())


def _enum(codes: np.ndarray, names: tuple[str, ...] | list[str]) -> pl.Series:
    return pl.Series(codes.astype(np.uint8)).cat.to(pl.Enum(list(names)))


def _type_name(dtype: pl.DataType) -> str:
    return "Enum" if isinstance(dtype, pl.Enum) else str(dtype)


def _mix(codes: np.ndarray) -> np.ndarray:
    """Spread codes over 64 bits (the finalizer of splitmix64), so that they look like hashes."""
    with np.errstate(over="ignore"):
        z = codes * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def main() -> None:
    """Write an example data set with drawn bans and two rules compared."""
    import argparse

    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--players", type=int, default=3)
    given = parser.parse_args()
    data = make(
        deals=given.deals,
        players=given.players,
        drawn_bans=3,
        factors={"rats_points": [1, 2]},
        factor_on_piece={("rats_points", 1, "Rats"): -0.2},
        ban_on_piece={("Wolf", "Fly"): 0.3},
    )
    print(data.write(given.folder))


if __name__ == "__main__":
    main()
