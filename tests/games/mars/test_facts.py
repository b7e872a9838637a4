"""Facts of Migration: Mars that only it has."""

from __future__ import annotations

from sim.games.mars.game import GAME
from sim.games.mars.rules.params import EVENTS, PIECES


def test_rulings_are_numbered() -> None:
    assert [ruling["id"] for ruling in GAME.rulings()] == [f"R{k}" for k in range(1, 100)]


def test_the_deck_has_34_cards_and_says_which_are_guesses() -> None:
    assert sum(copies for _, copies in EVENTS.values()) == 34
    assert sum(copies for number, (_, copies) in EVENTS.items() if number <= 12) == 12
    groups = {piece["name"]: piece["group"] for piece in GAME.facts("pieces")}
    for number, (name, _) in EVENTS.items():
        assert ("stand-ins" in groups[name]) == (number > 12)


def test_rules_text_names_every_ruling_with_a_parameter_and_every_stand_in() -> None:
    text = (GAME.folder / "RULES.md").read_text(encoding="utf-8")
    for ruling in GAME.rulings():
        if ruling["parameter"]:
            assert ruling["id"] in text or f"`{ruling['parameter']}" in text, ruling["id"]
    assert text.lower().count("stand-in") >= 8


def test_the_card_has_a_pace_and_levers() -> None:
    card = GAME.card()
    assert card["pace"]["turn"] > 0
    assert "nobody has timed it" in card["pace"]["source"]
    assert {name for lever in card["levers"] for name in lever["pieces"]} <= set(PIECES)
