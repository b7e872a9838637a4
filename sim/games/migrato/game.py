"""Migrato's plain face: what the batch, the command line and reports ask of the game."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar

# the kernels register themselves as implementations of the verbs
from sim.core.errors import Refusal
from sim.core.folder_game import FolderGame
from sim.core.game import Cell
from sim.games.migrato import notation, setup_cell
from sim.games.migrato.decks import PRESETS, copies_of, read_deck
from sim.games.migrato.rules import choices, dealing, hidden, params, state, turns, views  # noqa: F401
from sim.games.migrato.rules.params import BUNDLES, PIECES, Parameters

PACE = {"turn": 20, "game": 60, "source": "20 s a turn, from the box's 15 minutes and 45 to 50 turns"}


class Migrato(FolderGame, params=params, state=state, views=views, setup=setup_cell, words=notation):
    """A card game for two with hidden cards and memory, under its printed or its digital rules."""

    name = "migrato"
    title = "Migrato"
    about = "Birds of five species fly in columns, by night face down; a full column arrives and scores its last card."
    version = "1"
    min_players = 2
    max_players = 2
    most_plies = 16_000
    needs_jitter = False
    bench_settings: ClassVar[dict[str, dict[str, Any]]] = {"digital": {"rules": "digital"}}
    harm = "cards taken from the other player (danger cards)"

    # --- facts -------------------------------------------------------------------------------------------

    def own_card(self) -> dict[str, Any]:
        return {
            "words": {"piece": "card", "pieces": "cards"},
            "pace": PACE,
            "levers": [
                {
                    "pieces": list(PIECES),
                    "assignment": "opening hands",
                    "text": "the opening hands are dealt by chance, so that beginning with a card is chance and its "
                    "effect on winning a cause",
                },
                {
                    "pieces": list(PIECES),
                    "assignment": "left_out",
                    "text": "left_out = 'random K' keeps single cards out of a deal by chance, which shows what a card "
                    "does to the game (who begins, how long it is) by being in the deck",
                },
            ],
            "bundles": BUNDLES,
            "decks": [{"name": name, "cards": counts} for name, counts in PRESETS.items()],
        }

    # --- columns and words -------------------------------------------------------------------------------

    def drawn_columns(self, cell: Cell, drawn: Any) -> dict[str, Any]:
        if "left_out" not in cell.drawn:
            return {}
        texts = [
            "+".join(PIECES[code] for code in sorted(row) if code >= 0) or "none" for row in drawn.tolist()
        ]
        return {"left_out": texts}

    def expand(self, name: str, value: Any) -> list[Any] | None:
        """Return all values that a shorthand stands for: ``left_out = "every 1"`` is each card of the deck."""
        if name != "left_out" or not isinstance(value, str) or not value.startswith("every "):
            return None
        size = value.removeprefix("every ")
        if size not in ("1", "2"):
            raise Refusal(f"left_out = {value!r}: write 'every 1' or 'every 2'")
        counts = copies_of(
            "stand_in_v1", {"Hunter": 2, "Habitat Destruction": 2, "Light Pollution": 1}, True, None
        )
        there = [piece for piece, copies in zip(PIECES, counts) if copies]
        return [list(chosen) for chosen in combinations(there, int(size))]

    def action_text(self, action: int, rules: Any, cell: Cell | None = None, state_: Any = None) -> str:
        return notation.action_text(action)

    def position_text(self, rules: Any, state_: Any, cell: Cell | None = None) -> str:
        return notation.position_text(state_)

    said_once: ClassVar[tuple[str, ...]] = ("deck",)

    def happened(self, rules: Any, before: Any, after: Any, cell: Cell | None = None) -> list[str]:
        return notation.happened(before, after)

    def draw(
        self, rules: Any, state_: Any, ax: Any, title: str = "", coordinates: bool = False, panel: bool = True
    ) -> None:
        from sim.games.migrato.picture import draw_position

        if coordinates or not panel:
            raise Refusal(
                "a picture of migrato has no board: its columns are numbered, and nothing else is on it"
            )
        draw_position(ax, rules, state_, self.scores(rules, state_), title)

    def check_cards(self, path: Path) -> list[str]:
        """Check a file of an own deck and return the cards in it; `Refusal` names what is wrong."""
        defaults = Parameters().dangers.model_dump(by_alias=True)
        copies_of(str(path.resolve()), defaults, True, None)
        return [f"{name}: {copies}" for name, copies in read_deck(path).items()]


GAME = Migrato()
