"""Drawing a position that a designer writes: a case of a file, or a position's text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from sim.batch.check_files import game_of
from sim.batch.engine import get_game
from sim.batch.source import read_toml
from sim.core.errors import Refusal, nearest

FORMATS = (".svg", ".png")
MM = 1 / 25.4
WIDTHS = (20.0, 2000.0)
PRINT_DPI = 300


@dataclass(frozen=True)
class Laid:
    """A position laid out: its game and records."""

    game: Any
    rules: Any
    state: Any

    def draw(self, path: Path, width: float | None = None, **options: Any) -> None:
        """Draw it into an SVG or PNG file.

        Parameters
        ----------
        width
            Millimetres; None: as large as it can be read well.
        options
            As those of `Game.draw`.

        Raises
        ------
        Refusal
            The file cannot be written, or it is of another kind.
        """
        from sim.show.sheet import DPI, Sheet

        if path.suffix.lower() not in FORMATS:
            raise Refusal(f"'{path}': pictures are written as {' or '.join(FORMATS)}")
        if width is not None and not WIDTHS[0] <= width <= WIDTHS[1]:
            raise Refusal(f"--width must be from {WIDTHS[0]:g} to {WIDTHS[1]:g} millimetres, not {width:g}")
        sheet = Sheet(None if width is None else width * MM, DPI if width is None else PRINT_DPI)
        sheet.draw(partial(self.game.draw, self.rules, self.state, **options))
        try:
            sheet.write(path)
        except OSError as error:
            raise Refusal(f"cannot write '{path}': {error.strerror}") from None


def lay_case(path: Path, name: str = "", game: str | None = None, after: bool = False) -> Laid:
    """Lay out a case of a file, as it is written or (`after`) after its actions.

    Parameters
    ----------
    name
        The ``id`` of the case; "" for the only one.

    Raises
    ------
    Refusal
        There is no such file or case, it is not well made, or one of its actions is not legal.
    """
    from sim.core.cases.running import read_cases

    found = get_game(game or game_of(path, read_toml(path)[0]))
    cases = read_cases(path)
    names = [str(case.get("id", f"number {number}")) for number, case in enumerate(cases, start=1)]
    if name not in names and (name or len(names) > 1):
        first = ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")
        which = f"there is no case '{name}'" if name else f"which of its {len(names)} cases"
        raise Refusal(f"{path.name}: {which}{nearest(name, names) or f' ({first})'}")
    case = cases[names.index(name)] if name else cases[0]
    where = f"{path.name}, case '{name or names[0]}'"
    return _laid(found, case, where, path.resolve().parent, after)


def lay_text(text: str, game: str, board: str = "") -> Laid:
    """Lay out a position's text, as a replay prints it or less; also one that cannot occur.

    Parameters
    ----------
    board
        The map, where the game has some.

    Raises
    ------
    Refusal
        There is no such game, or it cannot be read.
    """
    found = get_game(game)
    if not hasattr(found, "case_of"):  # a game that is not written over records
        raise Refusal(f"positions of {game} cannot be laid out")
    case, turns = found.case_of(text, board)
    laid = _laid(found, {**case, "impossible": True}, "position", Path.cwd(), False)
    if turns is not None:
        laid.state["turn"] = turns
    return laid


def _laid(game: Any, case: Mapping[str, Any], where: str, base: Path, after: bool) -> Laid:
    table = game.case_table()(case, where, base, still=not after)
    for action in table.given.texts("do") if after else []:
        complaint = table.do(action)
        if complaint:
            raise Refusal(f"{where}: {complaint}")
    return Laid(game, table.rules, table.state)
