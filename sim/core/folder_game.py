"""The face of a game whose folder is laid out like those of the package."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from sim.core.game import Cell, Entrant, Game
from sim.core.kinds import Actions, Counts


class FolderGame(Game):
    """What such games tell alike; each adds what is its own.

    A game names the modules that make its rows where it is declared, so that they are imported in its own file and its
    version covers them::

        class Mars(FolderGame, params=params, state=state, views=views, setup=setup_cell, words=notation): ...

    ``params`` has PIECES and Parameters, ``state`` the records State and Rules, PHASES, KINDS and MAX_ACTIONS,
    ``views`` FEATURES, FEATURE_HELP and WEIGHTS, ``setup`` the function `prepare`, ``words`` the functions `kind_of`
    and `piece_of`. What is for looking only lies in modules of the folder that are found by their names: ``cases``
    with the table of its worked cases, ``positions`` with `case_of`.
    """

    _setup: ClassVar[ModuleType]
    _words: ClassVar[ModuleType]

    def __init_subclass__(
        cls, params: ModuleType, state: ModuleType, views: ModuleType, setup: ModuleType, words: ModuleType
    ) -> None:
        super().__init_subclass__()
        cls.pieces, cls.Parameters = params.PIECES, params.Parameters
        cls.State, cls.Rules, cls.max_actions = state.State, state.Rules, state.MAX_ACTIONS
        cls.phases, cls.kinds = state.PHASES, state.KINDS
        cls.features, cls.feature_help, cls.weights = views.FEATURES, views.FEATURE_HELP, views.WEIGHTS
        cls._setup, cls._words = setup, words

    def prepare(
        self, parameters: dict[str, Any], n_players: int, entrants: list[Entrant], base: Path | None = None
    ) -> Cell:
        found: Cell = self._setup.prepare(parameters, n_players, entrants, base)
        return found

    def action_kind(self, codes: Actions) -> Counts:
        return self._words.kind_of(codes)

    def action_piece(self, codes: Actions) -> Counts:
        return self._words.piece_of(codes)

    def case_table(self) -> type[Any]:
        cases = self._beside("cases")
        table: type[Any] = cases.Table if cases else super().case_table()
        return table

    def case_of(self, text: str, board: str = "") -> tuple[dict[str, Any], int | None]:
        positions = self._beside("positions")
        if positions is None:
            return super().case_of(text, board)
        found: tuple[dict[str, Any], int | None] = positions.case_of(text, board)
        return found

    def _beside(self, module: str) -> ModuleType | None:
        """Return a module of the game's folder, None where there is no such file."""
        if not (self.folder / f"{module}.py").is_file():
            return None
        return import_module(f"{type(self).__module__.rpartition('.')[0]}.{module}")
