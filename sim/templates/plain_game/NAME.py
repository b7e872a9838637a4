"""TITLE: replace this game, from top to bottom, by your own."""

from __future__ import annotations

from sim.plain import Parameter, PlainGame


class Game(PlainGame):
    """Both choose a card in secret and show them together; the higher one scores, and a Fool beats the King."""

    name = "NAME"
    title = "TITLE"
    players = 2  # (2, 4): two to four
    pieces = {"Page": 6, "Knight": 4, "King": 3, "Fool": 3}  # with the copies of each
    hidden = {"hands": "owner", "deck": "nobody"}  # who sees what; all else lies open
    rank = {"Fool": 0, "Page": 1, "Knight": 2, "King": 3}

    hand = Parameter(4, "cards dealt to each player", low=1, high=6)
    handicap = Parameter(0, "points that the second seat begins with", low=0, high=5)

    def setup(self, t):
        t.hands, t.deck = t.deal(self.hand)  # at random: so reports can tell how strong a card is
        t.points = [0, self.handicap]
        t.ask(0, 1)  # both choose, in secret

    def actions(self, t, seat):
        return sorted(set(t.hands[seat]))

    def reveal(
        self, t, choices
    ):  # what both have chosen; where one chooses at a time: apply(t, seat, action)
        for seat, card in choices.items():
            t.hands[seat].remove(card)
        first, second = (self.rank[choices[seat]] for seat in (0, 1))
        if {choices[0], choices[1]} == {"Fool", "King"}:
            first, second = -first, -second
        if first != second:
            t.points[0 if first > second else 1] += 2
        if not t.hands[0]:
            t.end()

    def value(self, t, seat):  # what bots go by; without it: the points ahead
        card = t.chosen.get(seat)  # its own secret choice
        return t.points[seat] - t.points[1 - seat] + 0.1 * (self.rank[card] if card else 0)
