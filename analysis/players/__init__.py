"""Who plays, and how well: what is left of a seat, a card or a deck when the players' strength is allowed for.

`seats_among_equals`: win shares of the seats as they were and among equally strong players; `held_adjusted`: what goes
with winning, raw and beside each other; `rated_players`: the strength of each named player. `coverage`: whether the
bots' games cover those of people. All of it is association: nobody was told by lot where to sit or what to play.
"""
