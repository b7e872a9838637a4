"""What may lie on what in a column of Migrato, and when a column is complete.

Under ``hidden_check = "true_cards"`` (printed) all cards of the own columns count, under ``"visible_only"``
(digital) only those face up and the card just played, which its owner has seen in the hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from tests.reference.migrato.cards import DAY_ONLY, NIGHT_SPECIES, Card

BUNDLES: dict[str, dict[str, Any]] = {
    "printed": {
        "rearrange": "split_or_merge",
        "hidden_check": "true_cards",
        "arrival_purge": "all_cards",
        "steal_from_arrived": False,
        "optional_reveal": False,
        "five_stilts": "no",
        "deduction_bans": False,
        "teal4_on_day5": True,
        "overlen": "forbidden",
    },
    "digital": {
        "rearrange": "move_tail",
        "hidden_check": "visible_only",
        "arrival_purge": "visible_columns",
        "steal_from_arrived": True,
        "optional_reveal": True,
        "five_stilts": "move",
        "deduction_bans": True,
        "teal4_on_day5": False,
        "overlen": "forbidden",
    },
}
DEFAULTS: dict[str, Any] = {
    "rules": "printed",
    "max_columns": 4,
    "max_column_length": 5,
    "hand_size": 3,
    "turn_cap": 300,
    "memory": 1.0,
    "objective": {"Brant": 5, "Kite": 4, "Stilt": 4, "Bee-eater": 3, "Teal": 2},
    "mixed": "forbidden",
    "hidden_order": "lowest visible",
    "night_on_teal1": False,
    "day_on_hidden": True,
    "overlen_by": "played card",
    "reveal_by": "played card",
    "reveal_offer": "arrival lengths",
    "merge_arrives": True,
    "null_move": False,
    "undo_moves": True,
    "danger_without_target": "illegal",
    "steal": "compulsory",
    "discard_stolen": True,
    "lone_card": "stealable",
    "danger_reach": "last card",
    "pile_phase": "top",
    "reduced_pile": "arrived",
    "void_ends_turn": False,
    "discard_kinds": "any",
    "rebuild": "when needed",
    "end": "species",
    "finish": "at once",
    "ties": "draw",
    "discard_memory": "all",
    "incomplete_reveal": "discard",
    "deck": "stand_in_v1",
    "check_deck": True,
    "dangers": {"Hunter": 2, "Habitat Destruction": 2, "Light Pollution": 1},
    "left_out": [],
}


def full_rules(params: dict[str, Any] | None) -> dict[str, Any]:
    """The value of every flag and parameter: what is given, else the bundle's, else the default."""
    given = dict(params or {})
    bundle = BUNDLES[given.get("rules", "printed")]
    unknown = set(given) - set(DEFAULTS) - set(bundle)
    if unknown:
        raise ValueError(f"unknown parameters {sorted(unknown)}")
    rule = DEFAULTS | bundle | given
    for table in ("objective", "dangers"):
        rule[table] = DEFAULTS[table] | given.get(table, {})
    if rule["memory"] < 1:  # what may be done must not tell players which cards they have forgotten
        if given.get("hidden_check") == "true_cards":
            raise ValueError("with memory below 1 hidden_check cannot be true_cards")
        rule["hidden_check"] = "visible_only"
    return rule


class Columns:
    """The rules about one column; knows nothing of players and turns."""

    rule: dict[str, Any]

    def objective(self, species: str) -> int:
        """How many cards the species with this letter needs."""
        names = {name[0]: n for name, n in self.rule["objective"].items() if name != "Bee-eater"}
        return int((names | {"E": self.rule["objective"]["Bee-eater"]})[species])

    def arrival_lengths(self, species: str, *, moved: bool) -> set[int]:
        """The lengths at which a column of this species arrives; five Stilts are an exception (F:80)."""
        lengths = {self.objective(species)}
        if species == "S" and (
            self.rule["five_stilts"] == "any" or (self.rule["five_stilts"] == "move" and moved)
        ):
            lengths.add(5)
        return lengths

    # ---------------------------------------------------------------- what the tests look at

    @property
    def true_cards(self) -> bool:
        return bool(self.rule["hidden_check"] == "true_cards")

    def visible_species(self, column: Sequence[Card]) -> str | None:
        """The species that a face-up card shows; None if none does.

        Where a column may be mixed (A1) a card speaks only for itself, so its last card stands for the column.
        """
        speaking = column[-1:] if self.rule["mixed"] == "allowed" else column
        return next((card.species for card in reversed(speaking) if not card.night), None)

    def known_species(self, column: Sequence[Card]) -> str | None:
        """The species of a column as far as the rules in force may know it."""
        return column[-1].species if self.true_cards else self.visible_species(column)

    # ---------------------------------------------------------------- laying cards after others

    def may_lay(self, onto: Sequence[Card], tail: Sequence[Card], *, played: bool) -> bool:
        """Whether the cards `tail` may be laid after the column `onto`; `played`: one card from the hand."""
        whole = [*onto, *tail]
        return (
            len(whole) <= self.rule["max_column_length"]
            and self._one_species(onto, tail, played)
            and self._in_order(onto, tail, played)
            and not self._too_long(whole, played)
            and not (self.rule["deduction_bans"] and self._banned(onto, tail))
            and (self.rule["day_on_hidden"] or not self._first_day_card(onto, tail))
        )

    def _seen(self, cards: Sequence[Card], played: bool = False) -> list[Card]:
        """Of these cards the ones that the tests may look at."""
        return [card for card in cards if played or self.true_cards or not card.night]

    def _first_day_card(self, onto: Sequence[Card], tail: Sequence[Card]) -> bool:
        """Whether the cards laid bring a day card to a column that is all night (A7)."""
        return all(card.night for card in onto) and any(not card.night for card in tail)

    def _one_species(self, onto: Sequence[Card], tail: Sequence[Card], played: bool) -> bool:
        """F:57: "On ne doit pas mélanger les oiseaux"."""
        seen = self._seen(onto) + self._seen(tail, played)
        return self.rule["mixed"] == "allowed" or len({card.species for card in seen}) <= 1

    def _in_order(self, onto: Sequence[Card], tail: Sequence[Card], played: bool) -> bool:
        """P:45: "equal or less than the previous"; over hidden cards, the lowest that is visible (A3)."""
        if self.true_cards:
            return tail[0].birds <= onto[-1].birds
        if self.rule["hidden_order"] == "ignore":
            return onto[-1].night or not self._seen(tail[:1], played) or tail[0].birds <= onto[-1].birds
        above = [card.birds for card in self._seen(onto)]
        below = [card.birds for card in self._seen(tail, played)]
        return not above or not below or max(below) <= min(above)

    def _too_long(self, whole: Sequence[Card], played: bool) -> bool:
        """F:61: not longer than the birds need, if it is known which birds they are (A9, A12, A14, A16)."""
        if self.rule["overlen"] == "allowed":
            return False
        if self.rule["overlen_by"] == "visible" and not self.true_cards:
            species = self.visible_species(whole)
        else:
            species = whole[-1].species if played else self.known_species(whole)
        if species is None:
            return False
        return len(whole) > self.objective(species) and len(whole) not in self.arrival_lengths(
            species, moved=not played
        )

    def _banned(self, onto: Sequence[Card], tail: Sequence[Card]) -> bool:
        """F:63-66: what would lead to an incorrect column in any case, played or moved (F:55).

        A card lying face down counts as what it is: its owner knows it, unless it has been forgotten.
        """
        whole = [*onto, *tail]
        if any(card.species in DAY_ONLY for card in whole) and any(card.night for card in whole):
            return True
        if onto[-1].text == "T1D" and not (tail[0].night and self.rule["night_on_teal1"]):
            return True
        first = "" if tail[0].forgotten else tail[0].text
        if first == "T4N":
            return not (self.rule["teal4_on_day5"] and onto[-1].text == "T5D")
        return first == "T5D"

    # ---------------------------------------------------------------- complete columns

    def must_reveal(self, column: Sequence[Card], *, moved: bool) -> bool:
        """Whether a column that has just been added to is complete, so that it must be shown.

        P:49: the goal "for this type of bird" is that of the card played; that of moved cards is the species
        known, in an all-night column that of its last card. `reveal_by` concerns all-night columns (A10).
        """
        hidden = not self.true_cards and all(card.night for card in column)
        mistaken = self.rule["mixed"] == "forbidden" and len({card.species for card in column}) > 1
        if hidden and mistaken and self.rule["reveal_by"] == "true contents":
            return False
        species = (moved and self.known_species(column)) or column[-1].species
        return len(column) in self.arrival_lengths(species, moved=moved)

    def may_offer(self, column: Sequence[Card]) -> bool:
        """Whether a column that is all night, formed by a move, may be shown (F:78, A11)."""
        lengths = {self.objective(species) for species in NIGHT_SPECIES}
        if self.rule["five_stilts"] != "no":
            lengths.add(5)
        return self.rule["reveal_offer"] == "any length" or len(column) in lengths

    def verdict(self, column: Sequence[Card], arrived: Sequence[str], *, moved: bool) -> str:
        """What a shown column turns out to be: arrives, void, incomplete (right as far as it goes, A56), too long."""
        species = column[0].species
        mixed = any(card.species != species for card in column)
        rising = any(after.birds > before.birds for before, after in pairwise(column))
        if mixed or rising or species in arrived:
            return "void"
        if len(column) in self.arrival_lengths(species, moved=moved):
            return "arrives"
        return "incomplete" if len(column) < self.objective(species) else "too long"
