"""The plain face of Drifting Lands: what the batch, the command line and reports ask of the game."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np

from sim.core.folder_game import FolderGame
from sim.core.game import Cell
from sim.games.drifting_lands import notation, setup_cell
from sim.games.drifting_lands.board import MAPS
from sim.games.drifting_lands.decks import DECKS, Deck

# the kernels register themselves as implementations of the verbs
from sim.games.drifting_lands.rules import dealing, hidden, params, scoring, state, turns, views  # noqa: F401
from sim.games.drifting_lands.rules.params import CARDS, STARTS


class DriftingLands(FolderGame, params=params, state=state, views=views, setup=setup_cell, words=notation):
    """Continents that move, split and rise; majorities of levels; cards that score when they are not played."""

    name = "drifting_lands"
    title = "Drifting Lands"
    about = "Continents drift, split and rise under four species; the highest levels on a continent take its points."
    version = "1"
    min_players = 2
    max_players = state.MAX_PLAYERS
    most_plies = 2000
    needs_jitter = True
    own_files = MappingProxyType({"spaces": "map", "counts": "deck"})
    harm = "other players' pawns removed by moving land or Orogeny, or expelled (or removed) by Moving and Migrating"

    # --- facts -------------------------------------------------------------------------------------------

    def own_card(self) -> dict[str, Any]:
        return {
            "words": {
                "piece": "card",
                "pieces": "cards",
                "copy": "copy",
                "points": "points",
                "role": "lead seat",
                "ending": "The rules fix whose turn is the last: this is the seats' advantage again.",
            },
            "decks": [_deck_card(deck) for deck in DECKS.all().values()],
            "levers": [
                {
                    "pieces": list(CARDS),
                    "assignment": "one copy withheld or given",
                    "text": "in each deal one copy of one kind of card, drawn by lot, is withheld from or given to "
                    "one player, drawn by lot: the change of its chances is caused by the card",
                }
            ],
            "pace": {
                "turn": 35,
                "game": 420,
                "source": "2 to 4 players then take the 30 to 60 minutes that are told of the game",
            },
            "fair": "1/n; 1/2 for teams",
        }

    def maps(self) -> list[dict[str, Any]]:
        """Return the maps that come with the game: name, what it is, its grade, and the players it is for."""
        rows = []
        for name, board in MAPS.all().items():
            text = f"{board.about} ({board.grade})"
            rows.append({"name": name, "about": text, "players": {}})
        return rows

    # --- columns and words -------------------------------------------------------------------------------

    def drawn_columns(self, cell: Cell, drawn: Any) -> dict[str, Any]:
        if "start" not in cell.drawn:
            return {}
        numbers, place = np.unique(drawn[:, 0], return_inverse=True)
        texts = np.array([_starts_text(int(number), cell.players) for number in numbers], dtype=object)
        return {"start": texts[place]}

    def action_text(self, action: int, rules: Any, cell: Cell | None = None, state_: Any = None) -> str:
        return notation.action_text(action, rules, state_)

    def position_text(self, rules: Any, state_: Any, cell: Cell | None = None) -> str:
        return notation.position_text(rules, state_)

    def draw(
        self, rules: Any, state_: Any, ax: Any, title: str = "", coordinates: bool = False, panel: bool = True
    ) -> None:
        from sim.games.drifting_lands.picture import draw_position

        draw_position(ax, rules, state_, self.scores(rules, state_), title, coordinates, panel)


def _deck_card(deck: Deck) -> dict[str, Any]:
    cards = {card: [n, p] for card, n, p in zip(CARDS, deck.counts, deck.points)}
    return {"name": deck.name, "about": deck.about, "grade": deck.grade, "cards": cards}


def _starts_text(number: int, players: int) -> str:
    """Return the starting continents in seat order: ``NW+SE``; ``none`` before they are chosen."""
    names = []
    for _ in range(players):
        number, digit = divmod(number, len(STARTS) + 1)
        names.append(STARTS[digit - 1] if digit else "none")
    return "+".join(names)


GAME = DriftingLands()
