"""The face of a game of OpenSpiel: its options are parameters, its observers' words are ours."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, create_model

from sim.core.bot_doors import kind_of, shown
from sim.core.contract import OVER, RESOLVE
from sim.core.errors import Refusal
from sim.core.game import Cell, Entrant, Game, validated
from sim.core.jit import implement_uncompiled
from sim.core.kinds import Entrants, Seed
from sim.core.kinds import Rules as RulesRecord
from sim.core.kinds import State as StateRecord
from sim.core.loop import MAX_SEATS
from sim.core.params import flatten
from sim.core.preparing import decks_of
from sim.core.records import record_type
from sim.core.sources import rules_hash, tag_rules
from sim.plain.spiel.loading import PREFIX, cannot_resample, library, load
from sim.plain.spiel.position import PHASES, SpielPosition
from sim.plain.state import state_of
from sim.plain.verbs import FACES, VERBS

ROOM = 20_000
"""Actions of a position that there is room for, however few the default options have."""
_RULES = record_type([("spiel_rules", np.int32), ("game_key", np.uint64)])


class SpielFace(Game):
    """A game of OpenSpiel.

    Parameters
    ----------
    name
        With the prefix, as in ``openspiel:hex(board_size=5)``.
    """

    plain = True
    phases = PHASES
    features = ("lead",)
    Rules = _RULES

    def __init__(self, name: str) -> None:
        self.name = name
        self._text = name.removeprefix(PREFIX).strip()
        game = load(self._text)
        kind = game.get_type()
        spiel = library()
        self._short = kind.short_name
        self.title = kind.long_name
        self.about = f"{kind.long_name}, a game of OpenSpiel"
        self.sees_all = kind.information == spiel.GameType.Information.PERFECT_INFORMATION
        self.draws = kind.chance_mode != spiel.GameType.ChanceMode.DETERMINISTIC
        self.needs_jitter = not self.draws
        self.feature_help = {
            "lead": "what one has won ahead of the best other" if self.sees_all else "not known"
        }
        self._given = _options(self._text)
        players = game.num_players()
        free = "players" in kind.parameter_specification and "players" not in self._given
        self.min_players = max(2, kind.min_num_players) if free else players
        self.max_players = min(MAX_SEATS, kind.max_num_players) if free else players
        self.max_actions = max(ROOM, game.num_distinct_actions())
        self.most_plies = max(2000, 2 * game.max_game_length())
        self.version = _version()
        self.Parameters = self._model(game.get_parameters(), kind.parameter_specification)
        tag = tag_rules(re.sub(r"\W+", "_", name), Path(__file__))
        self.State = state_of(tag)
        FACES[tag] = self
        implement_uncompiled(VERBS, self.State)
        self._games: dict[int, Any] = {}

    def _model(self, values: dict[str, Any], known: dict[str, Any]) -> type[BaseModel]:
        fields: dict[str, Any] = {}
        for name in known:
            value = values.get(name, known[name])
            if name != "players" and isinstance(value, bool | int | float | str) and name.isidentifier():
                fields[name] = (type(value), Field(value, description=f"option of OpenSpiel's {self._short}"))
        return create_model("Parameters", __config__=ConfigDict(extra="forbid", strict=True), **fields)

    def begin(self, rules: RulesRecord, entrants: Entrants, who: Sequence[int], seed: Seed) -> SpielPosition:
        """Return the first position of a game; what chance does first is drawn by the loop."""
        state = self._games[int(rules["game_key"])].new_initial_state()
        return SpielPosition(state, None, f"game {self.name!r}", self.sees_all)

    @property
    def rules_version(self) -> str:
        """The version of the library, with a hash over what plays its games here."""
        return f"{self.version}+{rules_hash(Path(__file__), self.State.names[0])}"

    def prepare(
        self, parameters: dict[str, Any], n_players: int, entrants: list[Entrant], base: Path | None = None
    ) -> Cell:
        found = validated(self.Parameters, parameters)
        told = {**self._given, **{name: str(getattr(found, name)) for name in found.model_fields_set}}
        if self.min_players < self.max_players:
            told["players"] = str(n_players)
        text = (
            f"{self._short}({','.join(f'{key}={value}' for key, value in told.items())})"
            if told
            else self._short
        )
        game = load(text)
        if game.num_players() != n_players:
            raise Refusal(
                f"players.count = {n_players}: with these options {self.title} is for {game.num_players()}"
            )
        if not self.sees_all:
            for entrant in entrants:
                reason = cannot_resample(text) if _redraws(entrant.bot) else ""
                if reason:
                    raise Refusal(
                        f"bot {shown(entrant.bot)!r} makes hidden things anew, and OpenSpiel's {self._short} cannot: "
                        f"{reason}; random can play it"
                    )
        key = int.from_bytes(hashlib.blake2b(str(game).encode(), digest_size=8).digest(), "big")
        self._games[key] = game
        rules = np.zeros(1, dtype=_RULES)
        rules["game_key"] = key
        return Cell(
            parameters=flatten(found),
            players=n_players,
            drawn={},
            rules=rules,
            entrants=decks_of(self, n_players, entrants),
            bots=[(entrant.bot, dict(entrant.bot_options)) for entrant in entrants],
            lever=None,
            piece_total=None,
            moves=len({(entrant.bot, str(entrant.bot_options)) for entrant in entrants}) > 1,
        )

    def action_text(
        self, action: int, rules: RulesRecord, cell: Cell | None = None, state_: StateRecord = None
    ) -> str:
        if state_ is None or state_["phase"] in (OVER, RESOLVE):
            return f"action {int(action)}"
        position: SpielPosition = state_["world"]
        return " ".join(position.state.action_to_string(position.seat, int(action)).split())

    def position_text(self, rules: RulesRecord, state: StateRecord, cell: Cell | None = None) -> str:
        return str(state["world"].state).rstrip()

    def happened(
        self, rules: RulesRecord, before: StateRecord, after: StateRecord, cell: Cell | None = None
    ) -> list[str]:
        return list(after["world"].came)


def _redraws(bot: str) -> bool:
    """Return whether a bot looks into worlds in which hidden things are made anew, by the words of its source."""
    text = kind_of(bot).source.read_text(encoding="utf-8")
    return "determinize" in text or ".world(" in text


def _options(text: str) -> dict[str, str]:
    """Return the options that stand in a name, as they are written; games within it stay whole."""
    inner = text.partition("(")[2].rstrip()[:-1]
    parts, depth = [""], 0
    for sign in inner:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return {
        key.strip(): value.strip() for key, _, value in (part.partition("=") for part in parts) if key.strip()
    }


def _version() -> str:
    try:
        return f"openspiel{version('open_spiel')}"
    except PackageNotFoundError:
        return "openspiel"
