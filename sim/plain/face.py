"""The face of a plain game: what experiments, logs, bots and reports ask of its class."""

from __future__ import annotations

import hashlib
import inspect
import re
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, create_model

from sim.core.contract import OVER, RESOLVE
from sim.core.errors import Refusal, nearest
from sim.core.game import Cell, Entrant, Game, validated
from sim.core.jit import implement_uncompiled
from sim.core.kinds import Actions, Counts, Entrants, Seed
from sim.core.kinds import Rules as RulesRecord
from sim.core.kinds import State as StateRecord
from sim.core.params import flatten, rule_table
from sim.core.preparing import decks_of
from sim.core.records import record_type
from sim.core.rng import below
from sim.core.sources import rules_hash, tag_rules
from sim.plain.game import Parameter, PlainGame
from sim.plain.hiding import pools_of
from sim.plain.position import PHASES, Position
from sim.plain.state import state_of
from sim.plain.verbs import FACES, VERBS

PROBES = 8
"""Games that are played at random before a game is taken, at most for `PROBE_SECONDS`."""
PROBE_SECONDS = 1.0
_RULES = record_type([("plain_rules", np.int32), ("players_here", np.int32), ("numbers", np.float64, (256,))])
_NEEDED = ("setup", "actions")


class PlainFace(Game):
    """A game over Python objects, made of a class that a designer wrote.

    Parameters
    ----------
    kind
        The class.
    file
        Where it is written.

    Raises
    ------
    Refusal
        It lacks something, or is a kind of game that has no seats to compare.
    """

    plain = True
    version = "1"
    max_actions: int
    phases = PHASES
    Rules = _RULES

    def __init__(self, kind: type[PlainGame], file: Path) -> None:
        self.kind, self.file = kind, file
        self.name = kind.name or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind.__name__).lower()
        self.where = f"game {self.name!r}"
        self.title = kind.title or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", kind.__name__)
        self.about = (inspect.getdoc(kind) or self.title).partition("\n")[0]
        self.max_actions, self.most_plies = kind.most_actions, kind.most_decisions
        self._check_class()
        players = kind.players
        self.min_players, self.max_players = players if isinstance(players, tuple) else (players, players)
        if self.min_players < 2:
            text = "no seat can be favoured where one plays alone, so there is nothing to compare"
            raise Refusal(f"{self.where}: solo games are not for Whimbrel: {text}")
        self.pieces = tuple(kind.pieces)
        self.has_decks = bool(self.pieces)
        self.place_of = {name: place for place, name in enumerate(self.pieces)}
        self.hides = bool(pools_of(kind())) or kind.guess is not PlainGame.guess
        self.features = tuple(kind.weights) or ("value",)
        self.weights = tuple(float(w) for w in kind.weights.values()) or (1.0,)
        said = (
            "what `value` returns" if kind.value is not PlainGame.value else "points ahead of the best other"
        )
        self.feature_help = dict.fromkeys(self.features, said)
        self.Parameters = self._model()
        tag = tag_rules(re.sub(r"\W", "_", self.name), file)
        self.State = state_of(tag)
        FACES[tag] = self
        implement_uncompiled(VERBS, self.State)
        self._codes: dict[Any, int] = {}
        self._words: dict[int, tuple[str, int]] = {}
        self._bound: dict[bytes, tuple[PlainGame, int]] = {}
        self._tried: dict[bytes, bool] = {}
        self.needs_jitter = True

    def _check_class(self) -> None:
        kind = self.kind
        own = {name for base in kind.__mro__ if base not in (PlainGame, object) for name in vars(base)}
        for name in _NEEDED:
            if name not in own:
                raise Refusal(f"{self.where}: {kind.__name__} has no method {name!r}{nearest(name, own)}")
        if not own & {"apply", "reveal"}:
            raise Refusal(
                f"{self.where}: {kind.__name__} has neither apply(t, seat, action) nor reveal(t, choices)"
            )
        for name in sorted(own):
            hint = nearest(name, [n for n in vars(PlainGame) if n not in own and n[0] != "_"], cutoff=0.8)
            if hint and name[0] != "_" and not hasattr(PlainGame, name):
                raise Refusal(f"{self.where}: nothing asks for {name!r}{hint}")
        most = kind.players if isinstance(kind.players, tuple) else (kind.players, kind.players)
        if len(most) != 2 or not all(isinstance(n, int) for n in most) or not 1 <= most[0] <= most[1] <= 8:
            raise Refusal(
                f"{self.where}: players is a number or (fewest, most), at most 8; not {kind.players!r}"
            )

    def _model(self) -> type[BaseModel]:
        fields: dict[str, Any] = {}
        for name in dir(self.kind):
            found = inspect.getattr_static(self.kind, name)
            if isinstance(found, Parameter):
                kind: Any = Literal[found.choices] if found.choices else type(found.default)
                limits: dict[str, Any] = {
                    key: value for key, value in (("ge", found.low), ("le", found.high)) if value is not None
                }
                if name in vars(PlainGame) or (name == "copies" and isinstance(self.kind.pieces, Mapping)):
                    raise Refusal(f"{self.where}: a parameter cannot be called {name!r}: every game has that")
                fields[name] = (kind, Field(found.default, description=found.help, **limits))
        order = [n for base in reversed(self.kind.__mro__) for n in vars(base) if n in fields]
        fields = {name: fields[name] for name in dict.fromkeys(order)}
        strict = ConfigDict(extra="forbid", strict=True)
        if isinstance(self.kind.pieces, Mapping):
            copies: dict[str, Any] = {
                f"piece_{k}": (int, Field(n, alias=name, ge=0, le=99, description=f"copies of {name}"))
                for k, (name, n) in enumerate(self.kind.pieces.items())
            }
            table = create_model("Copies", __config__=strict, **copies)
            help_text = "how many of each there are"
            fields["copies"] = (table, rule_table(table, help_text))
        return create_model("Parameters", __config__=strict, **fields)

    # --- what the positions ask ------------------------------------------------------------------------------

    def call(self, method: Callable[..., Any], *given: Any) -> Any:
        """Call a method of the class; what it raises is one line that names the method and the place."""
        try:
            return method(*given)
        except Refusal as error:
            if str(error).startswith(self.where):
                raise
            raise Refusal(f"{self.where}: {method.__name__}: {self._reason(error)}") from error
        except Exception as error:
            if isinstance(error, NotImplementedError) and not error.args:
                raise Refusal(
                    f"{self.where}: {self.kind.__name__} has no method {method.__name__!r}"
                ) from None
            raise Refusal(f"{self.where}: {method.__name__} raised {self._reason(error)}") from error

    def _reason(self, error: Exception) -> str:
        from sim.core.bot_doors import reason_of

        return reason_of(error, self.file)

    def bound(self, rules: RulesRecord) -> tuple[PlainGame, int]:
        """Return the class with the parameters of a rules record, and how many play."""
        key = rules.tobytes()
        if key not in self._bound:
            game = self.kind()
            numbers = iter(rules["numbers"].tolist())
            for name, field in self.Parameters.model_fields.items():
                if name == "copies":
                    game.__dict__[name] = {piece: int(next(numbers)) for piece in self.pieces}
                    continue
                parameter: Parameter = inspect.getattr_static(self.kind, name)
                number = next(numbers)
                kind: Any = field.annotation
                game.__dict__[name] = parameter.choices[int(number)] if parameter.choices else kind(number)
            self._bound[key] = (game, int(rules["players_here"]))
        return self._bound[key]

    def begin(self, rules: RulesRecord, entrants: Entrants, who: Sequence[int], seed: Seed) -> Position:
        """Return the first position of a deal, with the player at each seat and the decks that players brought."""
        game, players = self.bound(rules)
        decks = [self._brought(entrants[player]) for player in range(players)]
        return Position.begin(self, game, [int(player) for player in who[:players]], decks, seed)

    def _brought(self, entrant: Entrants) -> dict[str, int] | None:
        return dict(zip(self.pieces, entrant["deck"].tolist())) if entrant["has_deck"] else None

    def deck(self, game: PlainGame) -> dict[str, int]:
        """Return the copies of each piece."""
        return game.__dict__.get("copies") or dict.fromkeys(self.pieces, 1)

    def code(self, action: Any) -> int:
        """Return the number of an action: a hash of its words, the same in every process."""
        try:
            code = self._codes.get(action)
        except TypeError:
            raise Refusal(f"{self.where}: an action is a text, a number or a tuple, not {action!r}") from None
        if code is None:
            words = str(self.kind.words(self.kind(), action))
            code = int.from_bytes(hashlib.blake2b(words.encode(), digest_size=4).digest(), "big") >> 1
            name = self.call(self.kind().piece, action)
            if name is not None and name not in self.place_of:
                raise Refusal(f"{self.where}: piece({action!r}) is {name!r}{nearest(name, self.pieces)}")
            self._codes[action] = code
            self._words[code] = (words, -1 if name is None else self.place_of[name])
        return code

    def piece_used(self, action: Any) -> int:
        """Return the piece that an action uses, -1 for none."""
        return self._words[self.code(action)][1]

    # --- what a run asks -------------------------------------------------------------------------------------

    @cached_property
    def folder(self) -> Path:
        """The folder that the class lies in."""
        return self.file.resolve().parent

    @cached_property
    def rules_version(self) -> str:
        """The version of the rules: a hash over the class, what it imports, and what plays it."""
        return f"{self.version}+{rules_hash(self.file, self.State.names[0])}"

    def prepare(
        self, parameters: dict[str, Any], n_players: int, entrants: list[Entrant], base: Path | None = None
    ) -> Cell:
        found = validated(self.Parameters, parameters)
        rules = np.zeros(1, dtype=_RULES)
        rules["players_here"] = n_players
        flat = flatten(found)
        for k, (name, value) in enumerate(flat.items()):
            parameter = inspect.getattr_static(self.kind, name.partition(".")[0], None)
            choices = parameter.choices if isinstance(parameter, Parameter) else ()
            rules["numbers"][0, k] = choices.index(value) if choices else value
        bank = decks_of(self, n_players, entrants)
        brought = bool(bank["has_deck"].any())
        dealt = (
            self._try(rules[0], bank) and not brought
        )  # a deck is chosen: no piece of it is there by chance
        kinds = {(e.bot, str(e.bot_options), bank[k].tobytes()) for k, e in enumerate(entrants)}
        return Cell(
            parameters=flat,
            players=n_players,
            drawn={},
            rules=rules,
            entrants=bank,
            bots=[(entrant.bot, dict(entrant.bot_options)) for entrant in entrants],
            lever={"column": "assigned", "text": "dealt at random at the start"} if dealt else None,
            piece_total=None,
            moves=len(kinds) > 1,
        )

    def _try(self, rules: RulesRecord, entrants: Entrants) -> bool:
        """Play a few games at random; return whether pieces are dealt. What is broken is told before a run."""
        key = rules.tobytes() + entrants.tobytes()
        if key not in self._tried:
            stream = np.zeros(1, dtype=np.uint64)
            began, games = time.perf_counter(), 0
            results: list[set[float]] = []
            who = range(self.bound(rules)[1])
            position = self.begin(rules, entrants, who, 0)
            while games < PROBES and time.perf_counter() - began < PROBE_SECONDS:
                position, plies = self.begin(rules, entrants, who, games), 0
                while position.phase != OVER and plies < self.most_plies:
                    if position.phase == RESOLVE:
                        position = position.resolved(stream)
                    else:
                        codes = self._asked_twice(position)
                        if not codes:
                            break
                        position = position.after(codes[int(below(stream, len(codes)))])
                    plies += 1
                games += 1
                merits = {position.merit(seat, position.points(seat)) for seat in range(position.players)}
                results.append(merits)
            level = [min(merits) for merits in results if len(merits) == 1]
            if (
                len(level) == PROBES and len(set(level)) > 1
            ):  # all nought may be a game too hard to play at random
                text = f"all seats ended level in {PROBES} of {PROBES} games played at random, with unlike results"
                raise Refusal(f"{self.where}: {text}; in a co-operative game no seat can be favoured")
            self.draws = self.draws or position.by_chance or self.kind.chance is not PlainGame.chance
            self.needs_jitter = not self.draws
            self._tried[key] = bool(position.table._dealt)
        return self._tried[key]

    def _asked_twice(self, position: Position) -> list[int]:
        """Return the legal actions; refuse methods that change the table though they only look at it."""
        before = position.key()
        codes = position.codes()
        position.points(0)
        position.look(position.seat, np.zeros(max(32, len(self.features))))
        if position.key() != before:
            raise Refusal(
                f"{self.where}: actions, scores or value changed the table; only apply, reveal and chance may"
            )
        return codes

    def case_table(self) -> type[Any]:
        from sim.plain.cases import plain_table

        return plain_table(self)

    def own_card(self) -> dict[str, Any]:
        dealt = any(self._tried.values())
        text = "hands are dealt at random, so that having a piece is chance and its effect on winning a cause"
        lever = {"pieces": list(self.pieces), "assignment": "opening hands", "text": text}
        return {"levers": [lever] if dealt else []}

    def action_piece(self, codes: Actions) -> Counts:
        return np.array([self._words.get(int(code), ("", -1))[1] for code in codes], dtype=np.int16)

    def action_text(
        self, action: int, rules: RulesRecord, cell: Cell | None = None, state_: StateRecord = None
    ) -> str:
        if state_ is not None and state_["phase"] not in (OVER, RESOLVE):
            found = state_["world"]
            if int(action) in found.codes():
                return str(found.game.words(found.action(int(action))))
        return self._words.get(int(action), (f"action {int(action)}", -1))[0]

    def position_text(self, rules: RulesRecord, state: StateRecord, cell: Cell | None = None) -> str:
        position: Position = state["world"]
        return str(self.call(position.game.text, position.table))

    def happened(
        self, rules: RulesRecord, before: StateRecord, after: StateRecord, cell: Cell | None = None
    ) -> list[str]:
        return list(after["world"].came)
