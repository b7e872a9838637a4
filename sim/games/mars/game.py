"""The plain face of Migration: Mars: what the batch, the command line and reports ask of the game."""

from __future__ import annotations

from typing import Any, ClassVar

from sim.core.folder_game import FolderGame
from sim.core.game import Cell
from sim.games.mars import notation, setup_cell
from sim.games.mars.board_files import MAPS

# the kernels register themselves as implementations of the verbs
from sim.games.mars.rules import acting, choices, dealing, hidden, params, state, turns, views  # noqa: F401
from sim.games.mars.rules.params import BUILDINGS, EVENT_NAMES
from sim.show.places import hex_places


class Mars(FolderGame, params=params, state=state, views=views, setup=setup_cell, words=notation):
    """Dice, economy, building under placement rules, meteorites, events and trading: a race to six population."""

    name = "mars"
    title = "Migration: Mars"
    about = (
        "Rovers collect resources, colonies grow from tunnels and buildings, meteorites and events set them back; "
        "who first reports six population wins."
    )
    version = "1"
    min_players = 2
    max_players = state.MAX_PLAYERS
    most_plies = 100_000
    needs_jitter = False
    harm = "buildings of other players struck by meteorites of the event"

    # --- facts -------------------------------------------------------------------------------------------

    def own_card(self) -> dict[str, Any]:
        return {
            "words": {
                "piece": "piece",
                "pieces": "pieces",
                "copy": "copy",
                "points": "population",
                "ending": "Only who stands at its own Supply Stop can win, so who ends the game wins it.",
            },
            "levers": [
                {
                    "pieces": list(BUILDINGS),
                    "assignment": "random free building",
                    "text": "start_building = 'random': each player begins with one building drawn by lot (the "
                    "rulebook's second faster option leaves the choice to the player)",
                },
                {
                    "pieces": list(EVENT_NAMES),
                    "assignment": "random first event",
                    "text": "dealt_event = 'random': the first event that each player draws is dealt to it by lot",
                },
                {
                    "pieces": ["Hospital", "Plant", "Export", "Mine"],
                    "assignment": "buildings withheld at random",
                    "text": "never = 'random K': K of the production buildings, drawn by lot for each player, are "
                    "withheld from it",
                },
            ],
            "pace": {
                "turn": 40,
                "game": 300,
                "source": "40 seconds a turn and 5 minutes of set-up, made to agree with the rulebook's 90 to "
                "120 minutes; nobody has timed it",
            },
        }

    def maps(self) -> list[dict[str, Any]]:
        """Return the terrains that come with the game; all are stand-ins."""
        rows = []
        for name, terrain in MAPS.all().items():
            rows.append({"name": name, "about": f"{terrain.about} (stand-in)", "players": {}})
        return rows

    # --- columns and words -------------------------------------------------------------------------------

    def drawn_columns(self, cell: Cell, drawn: Any) -> dict[str, Any]:
        return {}

    def places(self, cell: Cell) -> dict[str, Any] | None:
        kinds, bits = [state.KINDS[state.A_BUILD]], int(state.PART_MASK).bit_length()
        return {"kinds": kinds, "shift": 0, "bits": bits, **hex_places(cell.rules[0], "n_tiles")}

    def action_text(self, action: int, rules: Any, cell: Cell | None = None, state_: Any = None) -> str:
        return notation.action_text(action, rules)

    def position_text(self, rules: Any, state_: Any, cell: Cell | None = None) -> str:
        return notation.position_text(rules, state_)

    said_once: ClassVar[tuple[str, ...]] = ("deck",)

    def happened(self, rules: Any, before: Any, after: Any, cell: Cell | None = None) -> list[str]:
        return notation.happened(rules, before, after)

    def draw(
        self, rules: Any, state_: Any, ax: Any, title: str = "", coordinates: bool = False, panel: bool = True
    ) -> None:
        from sim.games.mars.picture import draw_position

        draw_position(ax, rules, state_, title, coordinates, panel)


GAME = Mars()
