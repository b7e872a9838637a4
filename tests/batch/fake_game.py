"""A game of numbers, played in NumPy: the face that the batch needs, without rules or compiling.

It stands in for an installed third-party game (entry-point group "whimbrel.games"). Every seat draws four
pieces, each worth its number times `worth`; the first seat gets `bonus`; a greedy bot gets one point more.
With `draft` each seat splits a group of two for its left neighbour, who takes one. Decks that bots build are of
the styles "plain" and "odd".
Everything depends on the seed of the deal and on who sits where, nothing else.
"""

from __future__ import annotations

import os
import time
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sim.core.errors import Refusal, nearest
from sim.core.sources import rules_hash

PIECES = ("Ant", "Bee", "Big Cow")
HAND = 4


class Counts(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)

    ant: int = Field(3, alias="Ant", ge=0, le=9)
    bee: int = Field(3, alias="Bee", ge=0, le=9)
    big_cow: int = Field(3, alias="Big Cow", ge=0, le=9)


class Parameters(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    map: str = Field("plain", description="plain, narrow (2 players), a file, or 'drawn'")
    teams: str = Field("random", description="random, or a deck")
    bans: str | list[str] = Field("none", description="none, 'random K', or pieces")
    worth: int = Field(
        1, description="points a piece's number", ge=0, le=9, json_schema_extra={"ruling": "N1"}
    )
    bonus: float = Field(0.5, description="points of the first seat")
    quick: bool = Field(True, description="no effect on scores")
    draft: bool = Field(False, description="pieces are drafted")
    pace: Literal["slow", "fast"] = Field("slow", description="turns a game")
    set_counts: Counts = Field(default_factory=Counts, description="copies of each piece")


class Fake:
    name, title, about = "numbers", "Numbers", "A game of numbers for the tests."
    version, rules_version = "1", f"1+{rules_hash(Path(__file__))}"
    Parameters = Parameters
    pieces = PIECES
    min_players, max_players, needs_jitter = 2, 4, False
    has_founder = os.environ.get("NUMBERS_FOUNDER", "yes") == "yes"
    phases, kinds = ("draw", "place"), ("take", "put")

    def prepare(self, parameters: dict[str, Any], n_players: int, entrants: list[Any], base: Any) -> Any:
        try:
            found = Parameters.model_validate(parameters)
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(str(part) for part in first["loc"])
            raise Refusal(f"parameter '{name}': {first['msg']}, not {first['input']!r}") from None
        worth = found.worth
        if found.map.endswith(".toml"):
            if not (base / found.map).is_file():
                raise Refusal(f"map file {found.map}: no such file")
            worth += len((base / found.map).read_text())
        elif found.map not in ("plain", "narrow", "drawn"):
            raise Refusal(f"unknown map {found.map!r}{nearest(found.map, ('plain', 'narrow', 'drawn'))}")
        if found.map == "narrow" and n_players != 2:
            raise Refusal(f"map 'narrow': no drawing for {n_players} players (has 2)")
        bans = found.bans if isinstance(found.bans, list) else []
        for ban in [*bans, *(b for e in entrants for b in e.bans)]:
            if ban not in PIECES:
                raise Refusal(f"bans: there is no piece {ban!r}{nearest(ban, PIECES)}")
        for entrant in entrants:
            word, _, style = str(entrant.deck).partition(":")
            if word == "bot" and style not in ("", "plain", "odd"):
                raise Refusal(f"teams: no team builder {style!r}{nearest(style, ('plain', 'odd'))}")
        if len(bans) >= len(PIECES):
            raise Refusal("bans leave no legal team")
        drawn = (
            {"bans": {"kind": "piece set", "sep": "+", "none": "none"}}
            if str(found.bans).startswith("random ")
            else {}
        )
        drawn |= {"map": {"kind": "board"}} if found.map == "drawn" else {}
        flat = found.model_dump(by_alias=True)
        flat |= {f"set_counts.{k}": v for k, v in flat.pop("set_counts").items()}
        kinds = {(e.bot, str(e.bot_options), e.deck, str(e.bans)) for e in entrants}
        random = all(e.deck == "random" for e in entrants)
        return SimpleNamespace(
            parameters=flat,
            drawn=drawn,
            rules=worth,
            bonus=found.bonus,
            turns=4 if found.pace == "slow" else 2,
            entrants=entrants,
            lever={"column": "assigned", "text": "random teams"} if random else None,
            piece_total=HAND if random else None,
            moves=len(kinds) > 1,
            n=n_players,
            bans=bans,
            drafts=found.draft,
        )

    def expand(self, key: str, text: str) -> list[Any] | None:
        return [[piece] for piece in PIECES] if (key, text) == ("bans", "every 1") else None

    def check_series(self, parameters: dict[str, Any], players: int) -> None:
        if not self.has_founder:
            raise Refusal(f"'series' makes each player Founder once; {self.name} has no Founder")

    def check_cards(self, path: Any) -> list[str]:
        with path.open("rb") as file:
            cards = tomllib.load(file)["card"]
        for name, card in cards.items():
            for switch in card["switches"]:
                if switch not in ("faster", "slower"):
                    raise Refusal(f"card {name!r}: unknown switch {switch!r}{nearest(switch, ('faster',))}")
        return list(cards)

    def card(self, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
        listed = [
            {
                "name": n,
                "type": "int",
                "default": None,
                "range": None,
                "help": f.description,
                "ruling": "",
                "value": None,
            }
            for n, f in Parameters.model_fields.items()
        ]
        return {
            "title": self.title,
            "about": self.about,
            "parameters": listed,
            "fair": "1/n",
            "harm": "points taken",
            "pieces": [{"name": n, "group": "all", "text": ""} for n in PIECES],
            "maps": [],
            "levers": [],
            "stand_ins": [],
            "rulings": [],
            "bots": [],
        }

    def stand_ins(self) -> list[dict[str, Any]]:
        return []

    def drawn_columns(self, cell: Any, drawn: np.ndarray) -> dict[str, Any]:
        columns: dict[str, Any] = {"bans": [PIECES[i] for i in drawn[:, 0]]}
        columns["map"] = [f"board {i}" for i in drawn[:, 1]]
        return {name: columns[name] for name in cell.drawn}

    def action_kind(self, codes: np.ndarray) -> np.ndarray:
        return codes % 2

    def action_piece(self, codes: np.ndarray) -> np.ndarray:
        return codes // 2 - 1

    def warm_up(self, bots: Any, log: str) -> float:
        return 0.0

    def play_chunk(self, cells: Any, job: Any, log: str) -> Any:
        from sim.core.play import Chunk

        if os.environ.get("NUMBERS_SLEEP"):
            time.sleep(float(os.environ["NUMBERS_SLEEP"]))
        if os.environ.get("NUMBERS_DIE"):
            os._exit(3)
        n, width, kinds = len(job.seed), job.who.shape[1], len(PIECES)
        if os.environ.get("NUMBERS_BREAK"):
            raise MemoryError("no room")
        players = np.array([cell.n for cell in cells])[job.cell]
        hands = np.zeros((n, width, kinds), dtype=np.int16)
        score = np.full((n, width), -1.0)
        drawn = np.zeros((n, 2), dtype=np.int64)
        for g in range(n):
            cell = cells[job.cell[g]]
            drawn[g] = np.random.default_rng([int(job.seed[g]), 99]).integers(0, (3, 5))
            for seat in range(players[g]):
                player = cell.entrants[job.who[g, seat]]
                rng = np.random.default_rng([int(job.seed[g]), int(job.who[g, seat])])
                hands[g, seat] = rng.multinomial(HAND, [1 / kinds] * kinds)
                score[g, seat] = hands[g, seat] @ np.arange(1, kinds + 1) * cell.rules
                score[g, seat] += cell.bonus * (seat == 0) + (player.bot == "greedy")
        ranked = np.sort(score, axis=1)[:, ::-1]
        best = score == ranked[:, :1]
        tied = best.sum(axis=1)
        turns = np.array([cell.turns for cell in cells])[job.cell] * players
        games = {
            "players": players,
            "first_seat": np.zeros(n),
            "founder_seat": np.full(n, -1),
            "turns": turns,
            "decisions": turns * 2,
            "ended": np.zeros(n, dtype=np.int64),
            "ended_by": players - 1,
            "winner": np.where(tied == 1, best.argmax(axis=1), -1),
            "tied": tied,
            "margin": ranked[:, 0] - ranked[:, 1],
            "lead_changes": job.seed % np.uint64(5),
            "line": job.seed,
        }
        rank = (score[:, :, None] < score[:, None, :]).sum(axis=2) + 1
        seats = {
            "side": np.broadcast_to(np.arange(width), (n, width)),
            "score": score,
            "rank": rank,
            "win_share": best / tied[:, None],
            "decisions": np.repeat(turns[:, None] * 2 // players[:, None], width, axis=1),
            "options_sum": np.repeat(turns[:, None] * 5, width, axis=1),
            "passes": np.zeros((n, width)),
        }
        minus, zero = np.full(hands.shape, -1), np.zeros(hands.shape)
        pieces = {"assigned": hands, "offered": minus, "taken": minus, "owned": hands, "played": hands}
        pieces |= {"first_turn": minus, "paid": zero, "lost": zero, "scored": hands * 1.0, "harm": zero}
        rows = np.repeat(np.arange(n), turns)
        turn = np.concatenate([np.arange(1, t + 1) for t in turns]) if n else np.zeros(0)
        parts = {"game": rows, "turn": turn, "seat": (turn - 1) % players[rows], "score": score[rows]}
        choices = {"game": rows, "ply": turn, "turn": turn, "seat": parts["seat"]}
        choices |= {"phase": turn % 2, "action": (turn % 8).astype(np.int64), "options": turn + 1}
        chunk = Chunk(games=games, seats=seats, pieces=pieces, turns=parts, decisions=choices, drawn=drawn)
        if any(cell.drafts for cell in cells):
            chunk.drafts = _drafts(cells, job, players)
        return chunk


def _drafts(cells: Any, job: Any, players: np.ndarray) -> dict[str, np.ndarray]:
    rows = []
    for g, n in enumerate(players):
        rng = np.random.default_rng([int(job.seed[g]), 7])
        for seat in range(n if cells[job.cell[g]].drafts else 0):
            left, taken = (seat + 1) % n, rng.integers(2)
            rows += [(g, 1, seat, left, rng.integers(3), pile, pile == taken) for pile in (0, 1)]
    names = ("game", "round", "splitter", "chooser", "piece", "pile", "taken")
    return dict(zip(names, np.array(rows, dtype=np.int64).reshape(-1, 7).T))


GAME = Fake()
