"""Migration's plain face: what the batch, the command line and reports ask of the game."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

# the kernels register themselves as implementations of the verbs
from sim.core.errors import Refusal
from sim.core.folder_game import FolderGame
from sim.core.game import Cell
from sim.core.optional import WithDrafts, WithFounder
from sim.games.migration import notation, setup_cell
from sim.games.migration.age_cards import ABOUT, read_cards
from sim.games.migration.rules import builders, course, dealing, hidden, params, state, views  # noqa: F401
from sim.games.migration.rules.params import AGE_CARDS, BOOK_ONE, PIECES
from sim.games.migration.rules.views import DRAWN_MIDDLE, DRAWN_SPAN, DRAWN_TERRAINS
from sim.show.places import hex_places


class Migration(
    WithFounder,
    WithDrafts,
    FolderGame,
    params=params,
    state=state,
    views=views,
    setup=setup_cell,
    words=notation,
):
    """The flagship: hexes, Books I and II, terrain, bans."""

    name = "migration"
    title = "Migration"
    about = "Explorers found Towns over an island of hexes; the Pioneer Spirit leads, Wasteland stays behind."
    version = "2"
    min_players = 2
    max_players = state.MAX_PLAYERS
    most_plies = 4000
    most_drafted = state.MAX_GROUPS * state.GROUP
    needs_jitter = True
    bench_settings: ClassVar[dict[str, dict[str, Any]]] = {
        "plain": {},
        "founder": {"map": "founder"},
        "oaths": {"oaths": True},
        "scenario": {"age_mode": "scenario"},
        "era": {"age_mode": "era"},
        "agenda": {"age_mode": "agenda"},
        "draft": {"draft": True},
        "built teams": {"teams": "bot"},
    }
    harm = (
        "enemy Towns covered (Sparrow) or flipped (Wolf), Spirits removed (Poison Oak), points taken at the end "
        "(Cactus), open Regions denied at the start of enemy turns (Skunk)"
    )

    # --- facts -------------------------------------------------------------------------------------------

    def own_card(self) -> dict[str, Any]:
        return {
            "pieces": self._piece_facts(),
            "levers": [
                {
                    "pieces": list(PIECES),
                    "assignment": "random teams",
                    "text": "each player's team is drawn from its set piece by piece, so that holding a piece is "
                    "chance and its effect on winning a cause",
                }
            ],
            "age_cards": [
                {"name": name, "switches": list(AGE_CARDS[name]), "about": ABOUT[name]} for name in AGE_CARDS
            ],
            "team_builders": [{"name": name, "about": text} for name, text in builders.STYLE_ABOUT.items()],
            "words": {
                "piece": "Explorer",
                "pieces": "Explorers",
                "role": "Founder",
                "map_given": "The Founder's choice was not a decision of play: the map was given.",
            },
        }

    def check_series(self, parameters: dict[str, Any], players: int) -> None:
        if players > 2 and parameters.get("first_player") == "drawn":
            raise Refusal(
                "'series' needs the Founder in the last seat: first_player = 'left of founder', not 'drawn'"
            )

    def maps(self) -> list[dict[str, Any]]:
        """Return the map families; `founder` draws a founding for each deal."""
        from sim.games.migration.board_text import map_card

        founder = {
            "name": "founder",
            "about": "a random legal founding for every deal",
            "players": {},
            "says": "The Founder's choice was not a decision of play: maps were drawn at random.",
        }
        by_bot = {
            "name": "founder-bot",
            "about": "the Founder's bot lays the land, as decisions",
            "players": {},
            "says": "The Founder's choice of the map was a decision of play, made by the bots.",
        }
        return [*map_card(), founder, by_bot]

    def _piece_facts(self) -> list[dict[str, Any]]:
        rows = self.facts("pieces")
        by_name = {row["name"]: row for row in rows}
        return [
            {**by_name[piece], "book": "I" if code < BOOK_ONE else "II"} for code, piece in enumerate(PIECES)
        ]

    # --- columns and words -------------------------------------------------------------------------------

    def drawn_columns(self, cell: Cell, drawn: Any) -> dict[str, Any]:
        columns: dict[str, Any] = {}
        if "bans" in cell.drawn:
            masks, place = np.unique(drawn[:, 0], return_inverse=True)
            texts = np.array([setup_cell.ban_text(int(mask)) for mask in masks], dtype=object)
            columns["bans"] = texts[place]
        if "map" in cell.drawn:
            columns["map"] = [_board_code(row[2:]) for row in drawn]
        if "age" in cell.drawn:
            columns["age"] = np.array(cell.cards, dtype=object)[drawn[:, 1]]
        return columns

    def places(self, cell: Cell) -> dict[str, Any] | None:
        if cell.board is None:
            return None  # a board for each deal
        kinds = [state.KINDS[kind] for kind in (state.EXPAND, state.ENTER, state.MIGRATE)]
        bits = int(state.REGION_MASK).bit_length()
        return {"kinds": kinds, "shift": 0, "bits": bits, **hex_places(cell.rules[0], "n_regions")}

    def action_text(self, action: int, rules: Any, cell: Cell | None = None, state_: Any = None) -> str:
        return notation.action_text(action, rules, _cards(cell), state_)

    def position_text(self, rules: Any, state_: Any, cell: Cell | None = None) -> str:
        return notation.position_text(rules, state_, self.scores(rules, state_), _cards(cell))

    def happened(self, rules: Any, before: Any, after: Any, cell: Cell | None = None) -> list[str]:
        return notation.happened(before, after, _cards(cell))

    def check_cards(self, path: Path) -> dict[str, tuple[str, ...]]:
        """Read a file of own Age Cards and return their switches; `Refusal` names what is wrong."""
        return read_cards(path)

    def expand(self, name: str, value: Any) -> list[Any] | None:
        """Return the sets that an entry stands for: ``"every 3"`` all legal ones of three, ``"none"`` no ban."""
        if name != "bans":
            return None
        if value == "none":
            return [[]]
        if not isinstance(value, str) or not value.startswith("every "):
            return None
        size = value.removeprefix("every ")
        if not size.isdecimal() or not 0 < int(size) < len(PIECES):
            raise Refusal(f"bans = {value!r}: write 'every 3', with a number from 1 to {len(PIECES) - 1}")
        sets = combinations(PIECES, int(size))
        return [list(chosen) for chosen in sets if not {"Bass", "Wolf"} <= set(chosen)]

    def draw(
        self, rules: Any, state_: Any, ax: Any, title: str = "", coordinates: bool = False, panel: bool = True
    ) -> None:
        from sim.games.migration.picture import draw_position

        position = notation.position_dict(rules, state_, self.scores(rules, state_), title)
        draw_position(ax, position, coordinates, panel)


def _cards(cell: Cell | None) -> tuple[str, ...]:
    """Return the names of the Age Cards, own ones too."""
    return cell.cards if cell and cell.cards else tuple(AGE_CARDS)


_TERRAIN_LETTERS = "FLMWDOTS"  # Fertile, Lake, Mountain, Deep Woods, Desert, Oasis, Forest, in the sea


def _board_code(cells: Any) -> str:
    """Return a drawn board as text: ``q,r`` and its terrain letters for each Region."""
    parts = []
    for code in cells:
        if code < 0:
            break
        place, terrain = divmod(int(code), DRAWN_TERRAINS)
        q, r = divmod(place, DRAWN_SPAN)
        letters = "".join(letter for k, letter in enumerate(_TERRAIN_LETTERS) if terrain >> k & 1)
        parts.append(f"{q - DRAWN_MIDDLE},{r - DRAWN_MIDDLE}{letters}")
    return " ".join(parts)


GAME = Migration()
