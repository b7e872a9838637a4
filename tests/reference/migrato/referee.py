"""A plain, slow referee of Migrato, written from the rulebooks and sharing nothing with the engine.

`migrato_cards` has the cards, `migrato_columns` the rules about a column, `migrato_arrivals` what happens when
birds arrive; here is the turn: what may be done, what it does, and what chance adds to it. Nothing is drawn
here: the deal, the order of a new deck and what a player forgets are told from outside and checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from tests.reference.migrato.arrivals import Arrivals
from tests.reference.migrato.cards import SPECIES, Card, deck_of


class Referee(Arrivals):
    """One game of Migrato; ask `actions`, then `do` one of them, until `phase` is ``over``.

    When `pending` is ``"shuffle"`` the game waits for `tell_deck`, when it is ``"forget"`` for
    `tell_forgotten`; `may_be_forgotten` lists what can be.

    Parameters
    ----------
    hands, deck : lists of card texts
        What has been dealt, and the rest (top first). Must be the cards of the deck that the rules name.
    params : dict, optional
        What differs from `DEFAULTS` and from the bundle that ``rules`` names.

    Raises
    ------
    ValueError
        On an unknown parameter or card, a wrong deal, and in `do` on an action that is not offered.
    """

    def __init__(
        self, hands: Sequence[Sequence[str]], deck: Sequence[str], params: dict[str, Any] | None = None
    ) -> None:
        self._lay_out(params)
        self.hands = [[Card(text) for text in hand] for hand in hands]
        self.deck = [Card(text) for text in deck]
        if any(len(hand) != self.rule["hand_size"] for hand in hands):
            raise ValueError(f"hands of {[len(hand) for hand in hands]} cards")
        self._check_deck()
        self._count_cards()

    @classmethod
    def at(cls, position: dict[str, str], params: dict[str, Any] | None = None) -> Referee:
        """A position as the case files write it, between two decisions."""
        self = cls.__new__(cls)
        self._lay_out(params)
        self._read(position)
        self._count_cards()
        return self

    def _check_deck(self) -> None:
        left_out, dealt = self.rule["left_out"], Counter(card.text for card in self._all_cards())
        drawn = int(left_out.split()[1]) if isinstance(left_out, str) else 0
        box = Counter(deck_of(self.rule["deck"], self.rule["dangers"], [] if drawn else left_out))
        if dealt - box or (box - dealt).total() != drawn:
            raise ValueError(f"not this deck: too many {dealt - box}, missing {box - dealt}")

    def _all_cards(self) -> list[Card]:
        cards = [*self.deck, *self.discards]
        for seat in (0, 1):
            cards += self.hands[seat]
            cards += [card for column in self.columns[seat] for card in column]
            cards += [card for pile in self.arrived[seat].values() for card in pile]
        return cards

    def _count_cards(self) -> None:
        self.cards_at_first = Counter(card.text for card in self._all_cards())

    # ---------------------------------------------------------------- what may be done

    def actions(self) -> set[str]:
        """The texts of all decisions open to `to_move`; empty when the game is over."""
        if self.pending:
            raise ValueError(f"waits for a {self.pending}")
        if self.phase == "reveal":
            return {"show", "keep hidden"}
        if self.phase == "discard":
            return {f"discard {card.text}" for card in self._may_go()}
        if self.phase != "action":
            return set()
        found = {"discard hand"} | {
            f"discard column {k}" for k in range(1, len(self.columns[self.to_move]) + 1)
        }
        for card in self.hands[self.to_move]:
            found |= self._danger_actions(card) if card.danger else self._plays(card)
        return found | (self._splits() if self.rule["rearrange"] == "split_or_merge" else self._tails())

    def _plays(self, card: Card) -> set[str]:
        """P:43-47, F:30-33."""
        seat = self.to_move
        if card.species in self.arrived[seat]:
            return set()
        found = {
            f"play {card.text} on {k}"
            for k, column in enumerate(self.columns[seat], 1)
            if self.may_lay(column, [card], played=True)
        }
        room = len(self.columns[seat]) < self.rule["max_columns"]
        return found | ({f"play {card.text} new"} if room else set())

    def _splits(self) -> set[str]:
        """P:54-56: a colony in two, or two whole colonies in one."""
        seat, found = self.to_move, set()
        for k, column in enumerate(self.columns[seat], 1):
            if len(self.columns[seat]) < self.rule["max_columns"]:
                found |= {
                    f"split {k} after {cut}"
                    for cut in range(1, len(column))
                    if self._not_undoing(k, cut, None)
                }
            for other, onto in enumerate(self.columns[seat], 1):
                if other != k and self.may_lay(onto, column, played=False) and self._not_undoing(k, 0, other):
                    found.add(f"merge {k} onto {other}")
        return found

    def _tails(self) -> set[str]:
        """F:34-36: a card on the table and all after it, to a new place or after another column."""
        seat, found = self.to_move, set()
        columns = self.columns[seat]
        for k, column in enumerate(columns, 1):
            for first in range(1, len(column) + 1):
                room = len(columns) < self.rule["max_columns"] if first > 1 else self.rule["null_move"]
                if room and self._not_undoing(k, first - 1, None):
                    found.add(f"move {k} from {first} new")
                for other, onto in enumerate(columns, 1):
                    tail = column[first - 1 :]
                    if (
                        other != k
                        and self.may_lay(onto, tail, played=False)
                        and self._not_undoing(k, first - 1, other)
                    ):
                        found.add(f"move {k} from {first} onto {other}")
        return found

    def _rearranged(self, k: int, cut: int, onto: int | None) -> list[list[Card]]:
        """The columns after the cards of column `k` from the `cut`-th (from 0) have gone on their way."""
        columns = [list(column) for column in self.columns[self.to_move]]
        tail = columns[k - 1][cut:]
        columns[k - 1] = columns[k - 1][:cut]
        if onto is None:
            columns.append(tail)
        else:
            columns[onto - 1] += tail
        return [column for column in columns if column]

    def _not_undoing(self, k: int, cut: int, onto: int | None) -> bool:
        """A22: whether this does not bring back what lay there after the last own turn but one."""
        history = self.history[self.to_move]
        if self.rule["undo_moves"] or len(history) < 2:
            return True
        return self._as_set(self._rearranged(k, cut, onto)) != history[-2]

    @staticmethod
    def _as_set(columns: list[list[Card]]) -> list[str]:
        """As both players see them: face-down cards are all alike."""
        return sorted(" ".join("()" if card.night else card.text for card in column) for column in columns)

    def _danger_actions(self, danger: Card) -> set[str]:
        """P:52, F:37-41 and 94."""
        victim, found = 1 - self.to_move, set()
        for k, column in enumerate(self.columns[victim], 1):
            lone = len(column) == 1 and self.rule["lone_card"] == "protected"
            if not lone and self._within_reach(danger, column) is not None:
                found.add(f"{danger.text} take {k}")
        if self.rule["steal_from_arrived"]:
            for letter, pile in self.arrived[victim].items():
                if len(pile) > 1 and (self.rule["pile_phase"] == "any" or danger.hits(pile[-1])):
                    found.add(f"{danger.text} take {SPECIES[letter]} pile")
        wasted = not found and self.rule["danger_without_target"] == "wasted"
        if wasted or self.rule["steal"] == "optional":
            found.add(f"{danger.text} nothing")
        return found

    def _within_reach(self, danger: Card, column: list[Card]) -> Card | None:
        """The card of a column that this danger takes (A29)."""
        reach = column if self.rule["danger_reach"] == "last of phase" else column[-1:]
        return next((card for card in reversed(reach) if danger.hits(card)), None)

    def _may_go(self) -> list[Card]:
        """What may be the compulsory discard (A25, A37)."""
        cards = self.hands[self.to_move]
        if not self.rule["discard_stolen"]:
            cards = [card for card in cards if card is not self.stolen] or cards
        if self.rule["discard_kinds"] == "birds":
            cards = [card for card in cards if not card.danger] or cards
        return cards

    # ---------------------------------------------------------------- doing it

    def do(self, action: str) -> None:
        """Carry out one decision, and then everything that needs neither a decision nor chance."""
        if action not in self.actions():
            raise ValueError(f"not offered in {self.phase}: {action}")
        word, *rest = action.split()
        if self.phase == "reveal":
            if action == "show":
                self._reveal(self.shown_next, moved=True)
            else:
                self._to_discard()
        elif self.phase == "discard":
            card = self._one_of(rest[0], self._may_go())
            self.hands[self.to_move].remove(card)
            self._discard([card])
            self._draw(self.rule["hand_size"] - len(self.hands[self.to_move]))
        elif word == "discard":
            self._pass(rest)
        elif word == "play":
            self._play(rest[0], rest[-1])
        elif word in ("split", "merge", "move"):
            self._rearrange(word, rest)
        else:
            self._danger(word, rest)
        self.check()

    @staticmethod
    def _one_of(text: str, cards: list[Card]) -> Card:
        """A card of a kind; of two copies the one that the opponent knows."""
        return max((card for card in cards if card.text == text), key=lambda card: card.known)

    def _pass(self, rest: list[str]) -> None:
        """P:38-40, F:46-49: the hand for a new one, or a whole column; no other discard follows."""
        seat = self.to_move
        if rest == ["hand"]:
            self._discard(sorted(self.hands[seat], key=lambda card: card.order))
            self.hands[seat] = []
            self._draw(self.rule["hand_size"])
            return
        column = self.columns[seat][int(rest[1]) - 1]
        self._take_away(seat, column)
        self._discard(column)
        self._forget()

    def _play(self, text: str, where: str) -> None:
        seat = self.to_move
        card = self._one_of(text, self.hands[seat])
        self.hands[seat].remove(card)
        card.known = False
        if card.night:  # face down it may be any night card, so none in the hand is certain any more
            for other in self.hands[seat]:
                other.known = other.known and not other.night
        if where == "new":
            self.columns[seat].append([])
        column = self.columns[seat][-1 if where == "new" else int(where) - 1]
        column.append(card)
        self._added_to(column, moved=False)

    def _rearrange(self, word: str, rest: list[str]) -> None:
        seat, numbers = self.to_move, [int(part) for part in rest if part.isdigit()]
        k, cut = numbers[0], 0
        if word != "merge":
            cut = numbers[1] - (word == "move")
        onto = None if word == "split" or rest[-1] == "new" else numbers[-1]
        target = None if onto is None else self.columns[seat][onto - 1]
        tail = self.columns[seat][k - 1][cut:]
        del self.columns[seat][k - 1][cut:]
        if target is None:
            self.columns[seat].append(tail)
        else:
            target += tail
        self.columns[seat] = [column for column in self.columns[seat] if column]
        if target is None:
            self._to_discard()
        else:
            self._added_to(target, moved=True)

    def _danger(self, text: str, rest: list[str]) -> None:
        """The danger lies on the discard pile at once; the card taken goes to the hand."""
        seat, victim = self.to_move, 1 - self.to_move
        danger = self._one_of(text, self.hands[seat])
        self.hands[seat].remove(danger)
        self._discard([danger])
        if rest[-1] == "pile":
            letter = rest[1][0] if rest[1] != "Bee-eater" else "E"
            pile = self.arrived[victim][letter]
            self._steal(pile.pop())
            if len(pile) < self.objective(letter) and self.rule["reduced_pile"] == "lost":
                del self.arrived[victim][letter]
                self._discard(pile)
        elif rest != ["nothing"]:
            column = self.columns[victim][int(rest[1]) - 1]
            card = self._within_reach(danger, column)
            assert card is not None
            column.remove(card)
            if not column:
                self._take_away(victim, column)
            self._steal(card)
        self._to_discard()

    def _steal(self, card: Card) -> None:
        """Its victim knows what went, unless it had forgotten the card."""
        card.known, card.forgotten = not card.forgotten, False
        self.stolen = card
        self.hands[self.to_move].append(card)

    # ---------------------------------------------------------------- the rest of the turn

    def _to_discard(self) -> None:
        """After the action: the compulsory discard, if there is anything to discard."""
        self.shown_next = []
        if self.turn_void:
            self._forget()
        elif self.hands[self.to_move]:
            self.phase = "discard"
        else:
            self._draw(self.rule["hand_size"])

    def _draw(self, number: int) -> None:
        """Draw so many cards; where the deck gives out the discards become the new one (P:37, A39, A40)."""
        self.to_draw = number
        while True:
            needed = self.to_draw > 0 or (self.rule["rebuild"] == "when empty" and number > 0)
            if not self.deck and self.discards and needed:
                self.pending = "shuffle"
                return
            if not self.deck or self.to_draw <= 0:
                break
            self.hands[self.to_move].append(self.deck.pop(0))
            self.to_draw -= 1
        self._forget()

    def tell_deck(self, order: Iterable[str]) -> None:
        """The order of the new deck, top first: it must be all the discards."""
        texts = list(order)
        if self.pending != "shuffle" or Counter(texts) != Counter(card.text for card in self.discards):
            raise ValueError(f"no new deck from {[card.text for card in self.discards]}: {texts}")
        self.deck = [Card(text) for text in texts]
        self.discards = []
        self.pending = None
        self._draw(self.to_draw)
        self.check()

    def may_be_forgotten(self) -> set[tuple[int, int]]:
        """Column and place (both from 0) of the mover's face-down cards that it still knows."""
        return {
            (k, place)
            for k, column in enumerate(self.columns[self.to_move])
            for place, card in enumerate(column)
            if card.night and not card.forgotten
        }

    def _forget(self) -> None:
        """At the end of the own turn face-down cards may be forgotten (A47)."""
        if self.rule["memory"] < 1 and self.may_be_forgotten():
            self.pending = "forget"
        else:
            self._end_turn()

    def tell_forgotten(self, places: Iterable[tuple[int, int]]) -> None:
        """Which of `may_be_forgotten` are forgotten: with memory 0 all of them."""
        gone = set(places)
        can = self.may_be_forgotten()
        if self.pending != "forget" or not gone <= can or (self.rule["memory"] == 0 and gone != can):
            raise ValueError(f"cannot forget {sorted(gone)} of {sorted(can)}")
        for k, place in gone:
            self.columns[self.to_move][k][place].forgotten = True
        self.pending = None
        self._end_turn()
        self.check()

    def _end_turn(self) -> None:
        seat = self.to_move
        self.history[seat].append(self._as_set(self.columns[seat]))
        self.turn += 1
        self.stolen, self.turn_void = None, False
        if self.ended_by is not None and (self.rule["finish"] == "turn" or seat == 1):
            self._over("finished")
        elif self.turn >= self.rule["turn_cap"]:
            self._over("turn_cap")
        else:
            self.phase, self.to_move = "action", 1 - seat

    # ---------------------------------------------------------------- what always holds

    def check(self) -> None:
        """No card is lost or doubled, piles are right, marks are where they may be."""
        assert Counter(card.text for card in self._all_cards()) == self.cards_at_first
        for seat in (0, 1):
            assert len(self.columns[seat]) <= self.rule["max_columns"]
            assert all(0 < len(column) <= self.rule["max_column_length"] for column in self.columns[seat])
            assert len(self.hands[seat]) <= self.rule["hand_size"]
            for letter, pile in self.arrived[seat].items():
                assert pile
                assert all(card.species == letter for card in pile)
                assert all(after.birds <= before.birds for before, after in pairwise(pile))
            piles = [card for pile in self.arrived[seat].values() for card in pile]
            assert not any(card.forgotten for card in piles + self.hands[seat])
            assert not any(card.known for column in self.columns[seat] for card in column)
        assert not any(card.forgotten or card.known for card in self.deck + self.discards)
