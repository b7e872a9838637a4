"""Every parameter of Migrato changes something: a test fails when one is ignored, or new and not thought of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.checks.table import Table
from sim.core.contract import determinize
from sim.core.game import Entrant, get_game
from sim.games.migrato.cases import Table as CaseTable
from sim.games.migrato.notation import discard_text
from sim.games.migrato.positions import parse_cards
from sim.games.migrato.rules.params import BUNDLES, PIECES, Parameters
from tests.games.bites import assert_nothing_is_forgotten

pytestmark = pytest.mark.plain

MIGRATO = get_game("migrato")


def cell(**parameters: Any) -> Any:
    return MIGRATO.prepare(parameters, 2, [Entrant("a", "random"), Entrant("b", "random")])


# --- the deck ------------------------------------------------------------------------------------------------


def copies(**parameters: Any) -> dict[str, int]:
    """Return the copies of the cards in the deck, by name."""
    return {name: int(n) for name, n in zip(PIECES, cell(**parameters).rules[0]["copies"]) if n}


def left_out(**parameters: Any) -> list[str]:
    """Return what was left out of twenty deals."""
    box = cell(**parameters)
    drawn = np.zeros((20, 1), dtype=np.int64)
    for seed in range(20):
        drawn[seed, 0] = int(Table(MIGRATO, box, seed).state["apart"][0]) - 1
    return MIGRATO.drawn_columns(box, drawn)["left_out"]


def own_deck(folder: Path, text: str, **parameters: Any) -> str:
    """Return "" when a deck file is accepted, else the refusal."""
    path = folder / "own.toml"
    path.write_text(f'game = "migrato"\n[card]\n{text}')
    try:
        cell(deck=str(path), **parameters)
    except ValueError as refusal:
        return str(refusal)
    return ""


def redrawn_discards(**parameters: Any) -> set[str]:
    """Return how the discards look to a player in three redrawings."""
    table = CaseTable({"parameters": parameters, "position": {"discard": "K5 S1 E2 K3"}}, "here")
    counts = table.rules["copies"]
    for piece in range(len(PIECES)):
        counts[piece] = 0
    for piece in parse_cards("K5 S1 E2 K3", ""):
        counts[piece] = 1
    seen = set()
    for seed in range(6):
        state = table.states.copy()[0]
        determinize(table.rules, state, 0, np.array([seed], dtype=np.uint64))
        seen.add(discard_text(state))
    return seen


SETUP: dict[tuple[str, Any], Callable[[Path], bool]] = {
    **{
        ("deck", name): lambda _, name=name: (
            copies(deck=name) != copies() and sum(copies(deck=name).values()) == 54
        )
        for name in ("stilt_six", "flat", "teal_swapped_phases", "house_12234", "house_12334")
    },
    ("check_deck", False): lambda folder: (
        "0 Brant cards, the rulebook has 14" in own_deck(folder, '"Kite 3" = 3')
        and not own_deck(folder, '"Kite 3" = 3\n"Stilt 2" = 5', check_deck=False)
    ),
    **{
        ("dangers." + name, 0): lambda _, name=name: (
            name in copies() and name not in copies(dangers={name: 0})
        )
        for name in ("Hunter", "Habitat Destruction", "Light Pollution")
    },
    ("left_out", "random 1"): lambda _: len(set(left_out(left_out="random 1"))) > 5,
    ("left_out", "Kite 3"): lambda _: copies(left_out=["Kite 3"])["Kite 3"] == copies()["Kite 3"] - 1,
    ("discard_memory", "top"): lambda _: (
        redrawn_discards() == {"K5 S1 E2 K3"}
        and len(redrawn_discards(discard_memory="top")) > 1
        and all(text.endswith("K3") for text in redrawn_discards(discard_memory="top"))
    ),
}


@pytest.mark.parametrize(("name", "value"), list(SETUP), ids=[f"{name}={value}" for name, value in SETUP])
def test_it_matters_for_the_deck(name: str, value: Any, tmp_path: Path) -> None:
    assert SETUP[name, value](tmp_path)


# --- bundles -------------------------------------------------------------------------------------------------


def test_a_rule_set_is_its_flags() -> None:
    for name, flags in BUNDLES.items():
        model = Parameters(rules=name)
        assert {flag: getattr(model, flag) for flag in flags} == flags
    assert Parameters(**BUNDLES["digital"]).model_dump(exclude={"rules"}) == Parameters(
        rules="digital"
    ).model_dump(exclude={"rules"})


@pytest.mark.parametrize("flag", BUNDLES["printed"])
def test_a_flag_given_beats_its_bundle(flag: str) -> None:
    printed, digital = (BUNDLES[name][flag] for name in ("printed", "digital"))
    assert getattr(Parameters(rules="digital", **{flag: printed}), flag) == printed
    assert getattr(Parameters(rules="printed", **{flag: digital}), flag) == digital
    others = Parameters(rules="digital", **{flag: printed}).model_dump()
    assert {name: others[name] for name in BUNDLES["digital"] if name != flag} == {
        name: value for name, value in BUNDLES["digital"].items() if name != flag
    }


def test_who_forgets_sees_only_what_is_visible() -> None:
    assert Parameters(memory=0.9).hidden_check == "visible_only"


# --- nothing is forgotten ------------------------------------------------------------------------------------


def test_every_parameter_and_every_choice_has_an_entry() -> None:
    assert_nothing_is_forgotten("migrato", Parameters, SETUP)
