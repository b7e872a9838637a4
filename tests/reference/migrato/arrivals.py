"""What lies on the table of Migrato, and what happens when a column is shown: arrival, purge, the end."""

from __future__ import annotations

from typing import Any

from tests.reference.migrato.cards import (
    SPECIES,
    Card,
    column_text,
    hand_text,
    open_text,
    read_cards,
    read_columns,
    read_player,
)
from tests.reference.migrato.columns import Columns, full_rules

SEATS = "AB"


class Arrivals(Columns):
    """The cards of both players, and how they move once a column has been added to."""

    def _lay_out(self, params: dict[str, Any] | None) -> None:
        self.rule = full_rules(params)
        self.hands: list[list[Card]] = [[], []]
        self.columns: list[list[list[Card]]] = [[], []]
        self.arrived: list[dict[str, list[Card]]] = [{}, {}]  # by species letter, top last
        self.deck: list[Card] = []  # top first
        self.discards: list[Card] = []  # oldest first
        self.turn = 0
        self.to_move = 0
        self.phase = "action"
        self.ended: str | None = None  # "finished" or "turn_cap"
        self.ended_by: int | None = None  # who brought the end about
        self.shown_next: list[Card] = []  # the column whose reveal is being offered
        self.stolen: Card | None = None  # taken this turn
        self.history: list[list[list[str]]] = [
            [],
            [],
        ]  # per seat, the columns after each of its turns, as a set
        self.pending: str | None = None  # "shuffle" or "forget": waits to be told the outcome
        self.turn_void = False

    # ---------------------------------------------------------------- a column that was added to

    def _added_to(self, column: list[Card], *, moved: bool) -> None:
        """Look whether the column is complete, or may be; else the turn goes on to the discard."""
        if not moved or self.rule["merge_arrives"]:
            all_night = all(card.night for card in column)
            if moved and all_night and self.rule["optional_reveal"]:
                if self.may_offer(column):
                    self.phase, self.shown_next = "reveal", column
                    return
            elif self.must_reveal(column, moved=moved):
                self._reveal(column, moved=moved)
                return
        self._to_discard()

    def _reveal(self, column: list[Card], *, moved: bool) -> None:
        """P:49, F:70-76: show all cards; the birds arrive, or the column is lost."""
        seat = self.to_move
        verdict = self.verdict(column, list(self.arrived[seat]), moved=moved)
        if verdict == "incomplete" and self.rule["incomplete_reveal"] == "return":
            for card in column:
                card.forgotten = False  # everybody has just seen it
            self._to_discard()
            return
        self._take_away(seat, column)
        if verdict != "arrives":
            self._discard(column)
            self.turn_void = verdict == "void" and self.rule["void_ends_turn"]
            self._to_discard()
            return
        for card in column:
            card.forgotten = False
        self.arrived[seat][column[0].species] = column
        self._purge(seat, column[0].species)
        if self.ended_by is None and self._end_reached():
            self.ended_by = seat
            if self.rule["finish"] == "at once":
                self.turn += 1
                self._over("finished")
                return
        self._to_discard()

    def _purge(self, seat: int, species: str) -> None:
        """Other flying cards of birds that have just arrived are discarded (P:49, F:76; A33, A34)."""
        how = self.rule["arrival_purge"]
        for column in list(self.columns[seat]):
            if how == "visible_columns":
                visible = any(card.species == species and not card.night for card in column)
                gone = list(column) if visible else []
            else:
                gone = [c for c in column if c.species == species and (how == "all_cards" or not c.night)]
            self._discard(gone)
            column[:] = [card for card in column if card not in gone]
            if not column:
                self._take_away(seat, column)

    def _end_reached(self) -> bool:
        """P:58: the fifth type of bird has reached its goal, both players taken together (A42)."""
        if self.rule["end"] == "settlements":
            return sum(len(piles) for piles in self.arrived) >= 5
        return len({species for piles in self.arrived for species in piles}) == len(SPECIES)

    def _to_discard(self) -> None:
        raise NotImplementedError

    # ---------------------------------------------------------------- moving cards

    def _take_away(self, seat: int, column: list[Card]) -> None:
        """A column leaves the table; those after it move up."""
        self.columns[seat] = [other for other in self.columns[seat] if other is not column]

    def _discard(self, cards: list[Card]) -> None:
        """To the discard pile, face up; a card there bears no marks."""
        for card in cards:
            card.forgotten = card.known = False
            self.discards.append(card)

    def _over(self, how: str) -> None:
        self.phase, self.ended = "over", how

    # ---------------------------------------------------------------- results and texts

    def scores(self) -> list[int]:
        """Birds on the top cards of the arrived piles (P:60, F:90)."""
        return [sum(pile[-1].birds for pile in piles.values()) for piles in self.arrived]

    def winner(self) -> int | None:
        """The seat that wins if the game ends now, None for a draw (A45)."""
        merit: list[tuple[int, ...]] = [(points,) for points in self.scores()]
        if self.rule["ties"] != "draw":
            second = self.rule["ties"] == "settlements then second"
            merit = [(*merit[s], len(self.arrived[s]), s if second else 0) for s in (0, 1)]
        return None if merit[0] == merit[1] else int(merit[1] > merit[0])

    def player_text(self, seat: int) -> str:
        """All that belongs to one player, in one line."""
        columns = " ".join(column_text(column) for column in self.columns[seat]) or "-"
        piles = [self.arrived[seat][letter] for letter in SPECIES if letter in self.arrived[seat]]
        arrived = " ".join(f"[{open_text(pile)}]" for pile in piles) or "-"
        return f"hand {hand_text(self.hands[seat])} | columns {columns} | arrived {arrived}"

    def position_text(self) -> str:
        """The whole position, with what is hidden."""
        to_move = "over" if self.phase == "over" else f"{SEATS[self.to_move]}: {self.phase}"
        return "\n".join(
            [
                f"turn {self.turn}, {to_move}",
                f"A: {self.player_text(0)}",
                f"B: {self.player_text(1)}",
                f"deck: {open_text(self.deck)}",
                f"discard: {open_text(self.discards)}",
            ]
        )

    def _read(self, position: dict[str, str]) -> None:
        """Lay out the cards of a position as in the case files."""
        for seat, name in enumerate(SEATS):
            parts = read_player(position[name]) if name in position else {}
            self.hands[seat] = read_cards(parts.get("hand", "-"))
            self.columns[seat] = read_columns(parts.get("columns", "-"))
            self.arrived[seat] = {pile[0].species: pile for pile in read_columns(parts.get("arrived", "-"))}
        self.deck = read_cards(position.get("deck", "-"))
        self.discards = read_cards(position.get("discard", "-"))
        self.to_move = SEATS.index(position.get("to_move", "A"))
        self.phase = position.get("phase", "action")
