"""Worked cases of Migration: how a position is laid out, what may be asked of one, how actions are written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from sim.core import cases
from sim.core.cases import Forms, Gap, names_gap
from sim.core.cases.given import read_number, read_seat, read_text
from sim.core.errors import Refusal, nearest
from sim.core.game import Entrant, validated
from sim.core.notation import read_name
from sim.core.optional import carry
from sim.core.params import nested
from sim.core.play import MAX_SEATS
from sim.games.migration import setup_cell
from sim.games.migration.age_cards import deck_of
from sim.games.migration.case_checks import CHECKS
from sim.games.migration.impossible import faults
from sim.games.migration.notation import TERRAIN_NAMES, action_text, group_pieces, hex_of, region_at
from sim.games.migration.positions import (
    board_of,
    empty_states,
    lay_cards,
    lay_groups,
    parse_hand,
    place,
    rules_for,
)
from sim.games.migration.rules import builders, course, dealing, hidden, views  # noqa: F401  (register the verbs)
from sim.games.migration.rules import state as records
from sim.games.migration.rules.dealing import ban_in_order
from sim.games.migration.rules.params import AGE_CARDS, PIECES, Parameters

_FORMS = (
    *(
        "pass",
        "expand {piece} {region}",
        "enter {piece} {region}",
        "migrate {piece} {region}",
        "oak {region}",
    ),
    *("lake {region}", "pay {piece} at sea", "pay {piece} {region}", "leave at sea", "leave {region}"),
    *("decline", "wolves first", "poison oak first", "wander {region} {region}", "stack {piece} {region}"),
    *("strife {piece} {region}", "famine {piece} {region}", "aggression {region} {region}"),
    *("nostalgia off", "nostalgia {region}", "enact {age}", "reveal {pair}", "wolves", "poison oak", "age"),
    *(
        "done",
        "split {piles}",
        "choose {pile}",
        "team {piece}",
        "found half of {number} at {hex} turned {number}",
    ),
    *("found {terrain} at {hex}", "found no more {terrain}", "found {seat} goes first"),
)


class Table(cases.Table):
    """A position of Migration under way."""

    keys = (
        *("map", "players", "hands", "to_move", "turns", "founder", "first", "standing", "reveals"),
        *("active", "deck", "agenda", "revealed", "groups", "splitter"),
    )
    laid = ("hands", "to_move", "turns", "founder", "first", "active", "deck", "agenda", "revealed", "groups")
    """Keys that do not go together with a deal."""
    phases = records.PHASES
    max_actions = records.MAX_ACTIONS

    def lay(self, dealt: bool) -> None:
        parameters = self.given.table("parameters")
        if dealt:
            self.lay_deal(parameters)
        else:
            self.lay_position(parameters)
        if "reveals" in self.given:
            self.ban(self.given.texts("reveals"))
        self.before = np.zeros(MAX_SEATS, dtype=np.float64)
        for seat, points in self.given.by_seat("standing", self.seats).items():
            self.before[seat] = read_number(points, f"{self.where}: standing")
        carry(self.rules, self.state, self.before)

    def lay_deal(self, parameters: dict[str, Any]) -> None:
        """Deal a new game: teams, and what the parameters draw."""
        for key in self.laid:
            if key in self.given:
                raise Refusal(f"{self.where}: deal = true and {key} do not go together")
        players = self.given.number("players", 2, 2, records.MAX_PLAYERS)
        self.seats = self.letters[:players]
        people = [Entrant(seat, "random") for seat in self.seats]
        if "map" not in self.given:
            cell = setup_cell.prepare(nested(parameters), players, people, self.base)
            self.cards, self.bank, entrants = cell.cards, cell.rules, cell.entrants
        else:
            model = validated(Parameters, nested(parameters))
            board = board_of(self.given.text("map"), players, self.where, self.base)
            deck = setup_cell.check_variants(model, players, self.base)
            entrants, _ = setup_cell.make_entrants(model, players, people)
            built = bool((entrants["builder"] >= 0).any())
            self.cards, self.bank = tuple(deck), setup_cell.make_rules(model, players, board, deck, built)
        self.rules = self.bank[0]
        self.deal(self.rules, entrants, records.State)

    def lay_position(self, parameters: dict[str, Any]) -> None:
        """Lay out what the case gives."""
        given, where = self.given, self.where
        hands = given.table("hands")
        self.seats = "".join(sorted(hands))
        if self.seats != self.letters[: len(hands)] or len(hands) < 2:
            raise Refusal(f"{where}: hands must name the players A, B (and C, D)")
        players = len(self.seats)
        if given.number("players", players) != players:
            raise given.refuse("players", f"{players}, as many as there are hands")
        board = board_of(given.text("map"), players, where, self.base)
        names = [str(name) for name in parameters.get("age_cards", AGE_CARDS)]
        deck = deck_of(names, str(parameters.get("age_file", "")), self.base)
        self.cards = tuple(deck)
        self.bank = rules_for(board, players, parameters, deck)
        self.rules = self.bank[0]
        taken = given.by_seat("turns", self.seats)
        self.states = empty_states(
            self.rules,
            [parse_hand(read_text(hands[seat], f"{where}: hands"), f"{where}: hands") for seat in self.seats],
            [read_number(taken.get(seat, 1), f"{where}: turns", 10_000) for seat in range(players)],
        )
        place(self.rules, self.state, given.text("position"), where)
        self.lay_variants()
        first = given.seat("first", self.seats)
        founder = given.seat("founder", self.seats, self.seats[(first - 1) % players])
        self.state["first"], self.state["founder"] = first, founder
        mover = given.seat("to_move", self.seats, self.seats[first])
        self.state["seat"] = (mover - 1) % players

    def lay_variants(self) -> None:
        """Lay out Age Cards, what is revealed, and the groups of a Draft."""
        state, rules, given = self.state, self.rules, self.given
        state["banned"] = rules["banned"]

        def card(name: Any, key: str) -> int:
            if name not in self.cards:
                raise Refusal(
                    f"{self.where}: {key}: there is no Age Card {name!r}{nearest(name, self.cards)}"
                )
            return self.cards.index(name)

        scenario = int(rules["fixed_card"])
        deck = [card(name, "deck") for name in given.texts("deck")]
        if len(deck) > records.MAX_CARDS:
            raise Refusal(f"{self.where}: deck: {len(deck)} Age Cards are more than {records.MAX_CARDS}")
        lay_cards(rules, state, deck or ([scenario] if scenario >= 0 else []))
        for seat, name in given.by_seat("agenda", self.seats).items():
            state["agenda"][seat] = card(name, "agenda")
        if "active" in given:
            state["active_card"] = card(given.text("active"), "active")
            state["switches"] = rules["card_switches"][card(given.text("active"), "active")]
        for seat, text in given.by_seat("revealed", self.seats).items():
            where = f"{self.where}: revealed"
            for piece, count in parse_hand(read_text(text, where), where).items():
                state["revealed"][seat][piece] = count
            state["stage"] = records.PLAYING
        if "groups" in given:
            lay_groups(state, given.texts("groups"), self.where)
            state["splitter"] = given.seat("splitter", self.seats)

    def ban(self, names: list[str]) -> None:
        """Turn the cards of a Random Ban up in this order."""
        wanted = int(self.rules["ban_cards"])
        if not wanted:
            raise self.given.refuse("reveals", "for a Random Ban, such as bans = 'random 3'")
        try:
            order = np.array([explorer(name) for name in names], dtype=np.int8)
        except Refusal as refusal:
            raise Refusal(f"{self.where}: reveals: {refusal}") from None
        if len(set(order.tolist())) < len(order):
            raise self.given.refuse("reveals", "Explorers, each turned up once")
        mask, cards = ban_in_order(self.rules, self.state, order, np.int64(len(order)))
        if int(cards) < wanted:
            raise self.given.refuse("reveals", f"long enough to ban {wanted}; these ban {int(cards)}")
        self.state["banned"] = int(self.rules["banned"]) | int(mask)

    def stand(self) -> None:
        self.state["seat"] = (int(self.state["seat"]) + 1) % len(self.seats)

    def faults(self) -> Iterator[str]:
        return faults(self.rules, self.state, self.cards)

    # --- actions -----------------------------------------------------------------------------------------

    def action_forms(self) -> Forms:
        def region(word: str) -> str:
            if self.rules["founding"] == 2:  # the land is laid in the course of the case
                return word.replace(" ", "")
            return hex_of(self.rules, region_at(self.rules, word))

        gaps = {
            "piece": names_gap(PIECES, "Explorer"),
            "region": Gap(r"-?\d+ ?, ?-?\d+|\S+", region),
            "age": names_gap(self.cards, "Age Card") if self.cards else Gap(r"\S+", _no_card),
            "pair": Gap(".+", _two_pieces),
            "piles": Gap(".+", _piles),
            "pile": Gap(r"\S+", lambda word: read_name(word, ("0", "1"), "pile")),
            "hex": Gap(r"-?\d+,-?\d+", str),
            "number": Gap(r"\d+", str),
            "terrain": names_gap((*TERRAIN_NAMES, "sea Desert"), "terrain"),
            "seat": Gap(r"\S", lambda word: self.seats[read_seat(word, self.seats, "found")]),
        }
        return Forms(_FORMS, gaps)

    def action_words(self, action: int) -> str:
        return action_text(action, self.rules, self.cards, self.state)

    def here(self, words: str) -> str:
        """Two piles are offered in one order; which of them is written first does not matter to what is legal."""
        if not words.startswith("split ") or words in self.actions():
            return words
        mirrored = _mirrored(words)
        return mirrored if mirrored in self.actions() else words

    def code(self, words: str, known: Any) -> int | None:
        """The first pile that is written is number 0, whichever the engine offers first."""
        if words in known or not words.startswith("split "):
            return known.get(words)
        code = known.get(_mirrored(words))
        return None if code is None else code ^ ((1 << len(group_pieces(self.state))) - 1)

    # --- what may be asked -------------------------------------------------------------------------------

    own_checks = CHECKS

    def standing(self, seat: int) -> int:
        """Return what a seat has won in the series, this game as it stands included."""
        return int(self.before[seat]) + self.points(seat)

    def leader(self) -> str:
        """Return who is ahead in the series, several as ``A+C``."""
        totals = [self.standing(seat) for seat in range(len(self.seats))]
        return "+".join(letter for letter, n in zip(self.seats, totals) if n == max(totals))


# --- words of actions ----------------------------------------------------------------------------------------


def explorer(word: str) -> int:
    """Return the number of an Explorer."""
    return PIECES.index(read_name(word, PIECES, "Explorer"))


def _no_card(word: str) -> str:
    raise Refusal(f"there is no Age Card {word!r}")


def _two_pieces(words: str) -> str:
    """Return two Explorers in the order of the pieces."""
    single = words.split()
    for cut in range(1, len(single)):
        try:
            pair = sorted(explorer(" ".join(part)) for part in (single[:cut], single[cut:]))
        except Refusal:
            continue
        return " ".join(PIECES[piece] for piece in pair)
    raise Refusal("name two Explorers, as in 'reveal Bass Rats'")


def _piles(words: str) -> str:
    """Return two piles, each sorted: ``Bass Oak | Fly Rats Wolf``."""
    piles = words.split("|")
    if len(piles) != 2:
        raise Refusal("name two piles, as in 'split Bass Oak | Rats Fly Wolf'")
    return " | ".join(_pile(pile) for pile in piles)


def _pile(words: str) -> str:
    if words.strip() == "nothing":
        return "nothing"
    names = [
        PIECES[explorer(word)].replace(" ", "") for word in words.replace("Poison Oak", "PoisonOak").split()
    ]
    if not names:
        raise Refusal("an empty pile is written 'nothing'")
    return " ".join(sorted(names))


def _mirrored(words: str) -> str:
    one, _, other = words.removeprefix("split ").partition(" | ")
    return f"split {other} | {one}"


run_case, check_file = Table.run_case, Table.check_file
