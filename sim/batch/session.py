"""A game with people at the table: what each may see and chooses, taken back, and kept as a data set of one game."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from sim.batch import watching
from sim.batch.experiment import Experiment, read_experiment
from sim.batch.plan import make_plan
from sim.batch.recorded import recorded_source
from sim.batch.seat_points import key_of
from sim.core.errors import Refusal
from sim.core.game_doors import label_of
from sim.core.notation import LETTERS
from sim.core.seeds import deal_seed
from sim.core.table import Table

PLAYED = "played.py"
"""The file beside the data set that chooses what was chosen."""
WORLDS = 12
"""Worlds that are redrawn to tell what a seat may see: what differs between them is hidden from it."""


@dataclass
class _Moment:
    """Before a decision of a person: what to restore, and how much had been done."""

    kept: tuple[Any, ...]
    done: int


class Session:
    """One deal, some of whose seats are people's.

    Parameters
    ----------
    experiment
        Of one cell, with a `seating`: who plays what. Bots of people's seats are never asked.
    people
        Their seats, from 0.

    Attributes
    ----------
    done : list of (seat, action, number of options)
        Every action that was played.
    """

    def __init__(self, experiment: Experiment, people: Sequence[int]) -> None:
        self.plan = make_plan(experiment)
        self.game, self.cell = self.plan.game, self.plan.cells[0]
        self.players = self.plan.specs[0].count
        for seat in people:
            if not 0 <= seat < self.players:
                last = LETTERS[self.players - 1]
                raise Refusal(
                    f"there is no seat {LETTERS[seat]}: with {self.players} players they are A to {last}"
                )
        self.people = frozenset(people)
        self.seed = int(deal_seed(experiment.seed, np.int64(experiment.first_deal)))
        self.who = [int(p) for p in self.plan.orders[0][0]]
        self.table = Table(self.game, self.cell, self.seed, self.who)
        self.done: list[tuple[int, int, int]] = []
        self._news: dict[int, list[tuple[int, Callable[[], list[str]]]]] = {
            person: [] for person in self.people
        }
        self._tell_resolved()
        self._moments: list[_Moment] = []
        self.recorded_all = False

    # --- playing ---------------------------------------------------------------------------------------------

    def follow(self, folder: Path, game_id: int, ply: int | None) -> None:
        """Play the first `ply` actions of a logged game, numbered as `whimbrel replay` does; None: all."""
        from sim.batch.replay import replay

        steps = replay(folder, game_id)
        last = len(steps) - 1
        if ply is not None and not 0 <= ply < last:
            raise Refusal(f"--ply {ply}: the game has decisions 0 to {last - 1}")
        self.recorded_all = True
        for position in steps[: last if ply is None else ply]:
            if position.seat != self.table.seat or position.step.actions != self.table.actions:
                raise Refusal(f"game {game_id} of '{folder}' goes another way at decision {position.number}")
            self._play(int(position.step.action))
        for told in self._news.values():
            del told[:-3]

    def go_on(self) -> None:
        """Let bots play, and what is forced, up to the next decision of a person or the end."""
        table = self.table
        while table.seat >= 0 and (table.seat not in self.people or len(table.actions) == 1):
            self._play(table.ask())

    def choose(self, number: int) -> None:
        """Let the person to move choose the action of this number, from 0."""
        action = self.table.actions[number]
        self._moments.append(_Moment(self.table.keep(), len(self.done)))
        self._play(action)
        self.go_on()

    def undo(self) -> bool:
        """Take the last choice of a person back, and all that followed; False when there is none."""
        if not self._moments:
            return False
        moment = self._moments.pop()
        self.table.restore(moment.kept)
        del self.done[moment.done :]
        for told in self._news.values():
            told.clear()
        return True

    def _play(self, action: int) -> None:
        table = self.table
        seat, options = table.seat, len(table.actions)
        words = self._words(action, table.state)
        self.done.append((seat, action, options))
        position, actions = table.copies()[1], list(table.actions)
        for person, told in self._news.items():
            if person == seat or options == 1:
                told.append((seat, partial(list, [words])))
            else:
                told.append(
                    (seat, partial(watching.action_heard, table, person, position, actions, action, words))
                )
        table.play(action)
        self._tell_resolved()

    def _tell_resolved(self) -> None:
        for person, told in self._news.items():
            for before, after, words in self.table.resolved:
                told.append((-1, partial(watching.came_heard, self.table, person, before, after, words)))

    def read_news(self, person: int) -> list[tuple[int, str]]:
        """Return what a person learnt since the last call: (seat, words), seat -1 for what went by itself."""
        told, self._news[person] = self._news[person], []
        return [(seat, line) for seat, lines in told for line in lines()]

    # --- what is shown ---------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether nothing is left to decide."""
        return self.table.seat < 0

    @property
    def scores(self) -> list[float]:
        """Points by seat, with what seats are given at the end."""
        given = self.plan.specs[0].points
        scores = self.game.scores(self.table.rules, self.table.state)
        return [points + given.get(seat, 0.0) for seat, points in enumerate(scores)]

    @property
    def choices(self) -> list[str]:
        """The choices of the seat to move, in words."""
        return [self._words(action, self.table.state) for action in self.table.actions]

    def _words(self, action: int, state: Any) -> str:
        return str(self.game.action_text(action, self.table.rules, self.cell, state))

    def text(self, seat: int | None = None) -> str:
        """Return the position as text: all of it, or what `seat` may see; the rest is "?"."""
        whole = str(self.game.position_text(self.table.rules, self.table.state, self.cell))
        if seat is None:
            return whole
        from sim.show.hidden import seen_alike

        return seen_alike([self._redrawn(seat, number) for number in range(WORLDS)])

    def _redrawn(self, seat: int, number: int) -> str:
        """Return the position as text with everything redrawn that `seat` cannot know."""
        world = watching.redrawn(self.table, self.table.state, seat, number)
        return str(self.game.position_text(self.table.rules, world, self.cell))

    def opinion(self, bot: str) -> list[str]:
        """Return what `bot` thinks of the best choices of the seat to move, a line each."""
        from sim.batch.opinions import lines, opinion

        table = self.table
        rows = opinion(self.game, self.cell, table.rules, table.state, table.actions, bot)
        return lines(rows, self.choices)

    # --- keeping ---------------------------------------------------------------------------------------------

    @property
    def decisions(self) -> int:
        """Actions so far, as `whimbrel replay` numbers them."""
        return len(self.done)

    def save(self, folder: Path) -> Path:
        """Keep the game as a data set; what is left of an unfinished one is played at random."""
        from sim.batch import runner

        experiment = self.plan.experiment
        listed = self.people if not self.recorded_all else range(self.players)
        chosen: dict[int, list[int]] = {seat: [] for seat in listed}
        for seat, action, options in self.done:
            if options > 1 and seat in chosen:
                chosen[seat].append(action)
        with tempfile.TemporaryDirectory() as temporary:
            path = Path(temporary) / PLAYED
            by_player = {seat: (self.who[seat], actions) for seat, actions in chosen.items()}
            path.write_text(recorded_source(self.seed, by_player, self._about()), encoding="utf-8")
            players = []
            for number, (name, own) in enumerate(experiment.players):
                seat = self.who.index(number)
                bot = f"{path}:{LETTERS[seat]}" if seat in chosen else own["bot"]
                players.append({"name": name, **own, "bot": bot})
            data = experiment.canonical(None) | {"game": experiment.game, "player": players}
            again = read_experiment(data, base=experiment.source.base, games=1)
            runner.run(again, folder, jobs=1)
        return folder

    def _about(self) -> Mapping[int, str]:
        bots = {
            seat: str(dict(self.plan.experiment.players[player][1])["bot"])
            for seat, player in enumerate(self.who)
        }
        return {seat: "a person" if seat in self.people else bots[seat] for seat in range(self.players)}


def session_of(game: str, bot: str, players: int, seed: int, settings: Sequence[str]) -> Experiment:
    """Return the experiment of one game with `bot` at every seat; `settings` are texts like ``map=islands``.

    `game` is a game, or the file of a variant.
    """
    from sim.batch.cells import literal

    parameters: dict[str, Any] = {}
    for text in settings:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise Refusal(f"--set '{text}': settings look like key=value")
        if key.strip() in parameters:
            raise Refusal(f"--set names '{key.strip()}' twice")
        parameters[key.strip()] = literal(value.strip())
    data = {
        **_ONE,
        "name": f"play-{table_label(game)}",
        ("variant" if game.endswith(".toml") else "game"): game,
        "seed": seed,
        "seating": list(range(players)),
        "player": [{"name": LETTERS[seat], "bot": bot} for seat in range(players)],
        "parameters": parameters,
    }
    return read_experiment(data)


_ONE = {"games": 1, "log": "decisions"}


def session_from(folder: Path, game_id: int, bot: str) -> Experiment:
    """Return the experiment of the deal of a logged game, with `bot` at every seat."""
    from sim.batch.manifest import open_folder
    from sim.batch.replay import find_game

    _, _, plan = open_folder(folder)
    cell, _, rotation, deal = find_game(folder, game_id)
    experiment, spec = plan.experiment, plan.specs[cell]
    if experiment.series:
        raise Refusal(f"'{folder}' holds series; to play on from a game of a series is not possible")
    team = spec.parameters.get("teams")
    players = []
    for player in spec.players:
        own: dict[str, Any] = {"name": player.name, "bot": bot}
        own |= {"deck": player.deck} if player.deck is not None and player.deck != team else {}
        own |= {"bans": list(player.bans)} if player.bans else {}
        players.append(own)
    names = [own["name"] for own in players]
    if len(set(names)) < len(names):
        for seat, own in enumerate(players):
            own["name"] = f"player {seat + 1}"
    data = {
        **_ONE,
        "name": f"play-{experiment.name}",
        "game": experiment.game,
        "seed": experiment.seed,
        "seating": plan.orders[cell][rotation].tolist(),
        "first_deal": deal,
        "player": players,
        "parameters": {**spec.parameters, **{key_of(seat): n for seat, n in spec.points.items()}},
        **({"decks": experiment.decks} if experiment.decks else {}),
    }
    return read_experiment(data, base=experiment.source.base)


def table_label(game: str) -> str:
    """Return what a game, or a variant's file, is called as a part of a folder's name."""
    return Path(game).stem if game.endswith(".toml") else label_of(game)


def first_free_seed(game: str) -> int:
    """Return the first deal that was not yet played into its usual folder."""
    seed = 1
    while (Path("runs") / f"play-{table_label(game)}-{seed}").exists():
        seed += 1
    return seed
