"""Random deals, rules and play of Migrato for the referee."""

from __future__ import annotations

import random
from typing import Any

from tests.reference.migrato.cards import DANGERS, DECKS, Card, deck_of
from tests.reference.migrato.columns import DEFAULTS, full_rules
from tests.reference.migrato.referee import Referee

# Per parameter the values to draw from; what a table gives beside its default is drawn in `random_params`.
ALTERNATIVES: dict[str, list[Any]] = {
    "rearrange": ["split_or_merge", "move_tail"],
    "hidden_check": ["true_cards", "visible_only"],
    "arrival_purge": ["all_cards", "visible_columns", "visible_cards"],
    "steal_from_arrived": [True, False],
    "optional_reveal": [True, False],
    "five_stilts": ["no", "move", "any"],
    "deduction_bans": [True, False],
    "teal4_on_day5": [True, False],
    "overlen": ["forbidden", "allowed"],
    "max_columns": [2, 3, 4],
    "max_column_length": [5, 5, 6],
    "hand_size": [1, 2, 3, 3, 4, 5],
    "turn_cap": [7, 60, 150, 300],
    "memory": [1.0, 0.7, 0.0],
    "mixed": ["forbidden", "allowed"],
    "hidden_order": ["lowest visible", "ignore"],
    "night_on_teal1": [True, False],
    "day_on_hidden": [True, False],
    "overlen_by": ["played card", "visible"],
    "reveal_by": ["played card", "true contents"],
    "reveal_offer": ["arrival lengths", "any length"],
    "merge_arrives": [True, False],
    "null_move": [True, False],
    "undo_moves": [True, False],
    "danger_without_target": ["illegal", "wasted"],
    "steal": ["compulsory", "optional"],
    "discard_stolen": [True, False],
    "lone_card": ["stealable", "protected"],
    "danger_reach": ["last card", "last of phase"],
    "pile_phase": ["top", "any"],
    "reduced_pile": ["arrived", "lost"],
    "void_ends_turn": [True, False],
    "discard_kinds": ["any", "birds"],
    "rebuild": ["when needed", "when empty"],
    "end": ["species", "settlements"],
    "finish": ["at once", "turn", "round"],
    "ties": ["draw", "settlements", "settlements then second"],
    "incomplete_reveal": ["discard", "return"],
    "deck": list(DECKS),
    "dangers": [
        DEFAULTS["dangers"],
        {"Hunter": 0, "Habitat Destruction": 4, "Light Pollution": 1},
        {"Hunter": 6, "Habitat Destruction": 0, "Light Pollution": 5},
    ],
    "objective": [
        DEFAULTS["objective"],
        {"Brant": 3, "Kite": 3, "Stilt": 3, "Bee-eater": 3, "Teal": 2},
        {"Brant": 4, "Kite": 5, "Stilt": 5, "Bee-eater": 2, "Teal": 3},
        {"Brant": 2, "Kite": 2, "Stilt": 2, "Bee-eater": 4, "Teal": 2},
    ],
    "left_out": [
        [],
        ["Kite 3", "Stilt 1"],
        ["Teal 5 day", "Hunter", "Brant 4 night"],
        "random 5",
        "random 20",
    ],
}


def settled(params: dict[str, Any]) -> dict[str, Any]:
    """The same parameters without the contradictions that a game refuses."""
    params = dict(params)
    if params.get("memory", 1.0) < 1:
        params.pop("hidden_check", None)
    rule = full_rules(params)
    if rule["five_stilts"] == "move" and not rule["merge_arrives"]:
        params["merge_arrives"] = True
    if isinstance(rule["left_out"], list):
        kinds = set(deck_of(rule["deck"], rule["dangers"]))
        params["left_out"] = [p for p in rule["left_out"] if p in {Card(text).piece for text in kinds}]
    if rule["deck"].startswith("house") or rule["dangers"] != DEFAULTS["dangers"]:
        params["check_deck"] = False
    return params


def random_params(rng: random.Random) -> dict[str, Any]:
    """A bundle with four parameters drawn, with half of them, or with all of them, equally often."""
    chosen = rng.sample(sorted(ALTERNATIVES), rng.choice([4, len(ALTERNATIVES) // 2, len(ALTERNATIVES)]))
    params = {"rules": rng.choice(["printed", "digital"])}
    return settled(params | {name: rng.choice(ALTERNATIVES[name]) for name in chosen})


def deal(rng: random.Random, params: dict[str, Any]) -> tuple[list[list[str]], list[str]]:
    """Two hands and the rest of a shuffled deck."""
    rule = full_rules(params)
    left_out = rule["left_out"]
    drawn = int(left_out.split()[1]) if isinstance(left_out, str) else 0
    cards = deck_of(rule["deck"], rule["dangers"], [] if drawn else left_out)
    rng.shuffle(cards)
    del cards[len(cards) - drawn :]
    n = rule["hand_size"]
    return [cards[:n], cards[n : 2 * n]], cards[2 * n :]


def random_game(rng: random.Random, params: dict[str, Any]) -> Referee:
    """A new game under these parameters."""
    return Referee(*deal(rng, params), params)


def tell_chance(referee: Referee, rng: random.Random) -> None:
    """Decide what chance has to decide, until there is a decision to take."""
    while referee.pending == "shuffle":
        order = [card.text for card in referee.discards]
        rng.shuffle(order)
        referee.tell_deck(order)
    if referee.pending == "forget":
        memory = referee.rule["memory"]
        referee.tell_forgotten(
            place for place in sorted(referee.may_be_forgotten()) if rng.random() >= memory
        )


def kind_of(text: str) -> str:
    """Play, danger, move, split, merge, pass, or another decision within a turn."""
    word = text.split()[0]
    if word in DANGERS:
        return "danger"
    if text == "discard hand" or text.startswith("discard column"):
        return "pass"
    return word


WEIGHTS = {"play": 10.0, "danger": 3.0, "move": 2.0, "merge": 3.0, "pass": 0.4}


def eager(referee: Referee, rng: random.Random) -> str:
    """An action, mostly a play that goes on with a column, seldom a mistake or a pass: so that games end."""
    groups: dict[str, list[str]] = {}
    for text in sorted(referee.actions()):
        groups.setdefault(kind_of(text), []).append(text)
    kinds = list(groups)
    [kind] = rng.choices(kinds, [WEIGHTS.get(kind, 1.0) for kind in kinds])
    if kind != "play" or rng.random() < 0.2:
        return rng.choice(groups[kind])
    columns = referee.columns[referee.to_move]
    right = []
    for text in groups["play"]:
        _, card, *where = text.split()
        last = columns[int(where[1]) - 1][-1] if where[0] == "on" else None
        if last is not None and card[0] == last.species and int(card[1]) <= last.birds:
            right.append(text)
    new = [text for text in groups["play"] if text.endswith("new")]
    return rng.choice(right or new or groups["play"])
