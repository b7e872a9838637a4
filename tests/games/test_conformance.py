"""Every game keeps the contract: those of the package, those installed beside it, and a plug-in in one file.

A game is played in the settings of ``tests/games/<game>/settings.py``; one that has no such file, as it is.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import sim
from sim.core.game import game_names, get_game
from tests.conformance import Setting, check_game
from tests.plug_ins import stones

PLUG_INS = {"stones": (stones.GAME, {"plain": Setting(hidden=False, games=10, decisions=20, compared=20)})}


def settings_of(name: str) -> dict[str, Setting]:
    place = f"tests.games.{name}"
    if find_spec(place) is None or find_spec(f"{place}.settings") is None:
        return {"plain": Setting(decisions=1, compared=1, hidden=False)}
    found: dict[str, Setting] = import_module(f"{place}.settings").SETTINGS
    return found


ALL = [
    *(
        (name, get_game(name), key, setting)
        for name in game_names()
        for key, setting in settings_of(name).items()
    ),
    *(
        (name, game, key, setting)
        for name, (game, given) in PLUG_INS.items()
        for key, setting in given.items()
    ),
]


def named(case: tuple[str, Any, str, Setting]) -> str:
    return f"{case[0]}: {case[2]}"


@pytest.mark.parametrize("case", ALL, ids=named)
def test_it_keeps_the_contract(case: tuple[str, Any, str, Setting]) -> None:
    _, game, _, setting = case
    check_game(game, setting)


@pytest.mark.soak
@pytest.mark.parametrize("case", ALL, ids=named)
def test_it_keeps_the_contract_for_long(case: tuple[str, Any, str, Setting]) -> None:
    _, game, _, setting = case
    check_game(game, setting, games=60)


def test_every_game_has_a_setting_with_hidden_things_told() -> None:
    """No game of the package is checked as it is only: each has a file of settings, and more than one in it."""
    own = {name for name, *_ in ALL} - set(PLUG_INS)
    package = {path.parent.name for path in (Path(sim.__file__).parent / "games").glob("*/game.py")}
    assert package == {"drifting_lands", "mars", "migration", "migrato"}
    assert package <= own
    assert all(len(settings_of(name)) > 1 for name in package)
