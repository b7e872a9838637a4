"""Duel, as a designer writes it from the guide: secret choices, a parameter, a handicap, cards that matter."""

from sim.plain import Parameter, PlainGame


class Duel(PlainGame):
    """Both choose a card in secret; the stronger one takes the round."""

    pieces = {"Pawn": 6, "Knight": 4, "Queen": 2, "Spy": 2}
    hidden = {"hands": "owner", "deck": "nobody"}
    strength = {"Pawn": 1, "Knight": 2, "Queen": 3, "Spy": 0}

    hand = Parameter(4, "cards dealt to each", low=1, high=6)
    handicap = Parameter(0, "half points that the second seat begins with", low=0, high=6)
    worth = Parameter(1, "points for a round that the first seat wins", low=0, high=3)

    def setup(self, t):
        t.hands, t.deck = t.deal(self.hand)
        t.points = [0, self.handicap / 2]
        t.ask(0, 1)

    def actions(self, t, seat):
        return sorted(set(t.hands[seat]))

    def reveal(self, t, choices):
        for seat, card in choices.items():
            t.hands[seat].remove(card)
        a, b = choices[0], choices[1]
        if {a, b} == {"Spy", "Queen"}:
            t.points[0 if a == "Spy" else 1] += 2
        elif self.strength[a] > self.strength[b]:
            t.points[0] += 1 + self.worth
        elif self.strength[a] < self.strength[b]:
            t.points[1] += 1
        if not t.hands[0]:
            t.end()

    def value(self, t, seat):
        mine = t.chosen.get(seat)
        return t.points[seat] - t.points[1 - seat] + 0.1 * self.strength.get(mine, 0)
