"""Who beats whom, and how much of winning is skill?

`pairings`: `analysis.matchups` (every pair of decks, players or bots) and `analysis.standing` (against the field,
and in the equilibrium). `luck`: `analysis.luck_and_skill` (how often the better bot finishes ahead). `components`:
`analysis.luck_components` (seat, player, deal and luck of play as shares of the variance of who wins). `ladder`:
`analysis.ladder` (ratings, and what twice the thinking buys). `over_play`: `analysis.over_play` (does a verdict hold
when play gets better). `people`: `analysis.seats_among_equals` (win shares of the seats as they were, and among
equally strong players), `analysis.held_adjusted` (decks and cards by themselves and beside each other),
`analysis.rated_players` (how strong each named player is). `coverage`: `analysis.coverage` (do the bots' games cover
those of people). `cycles`: `analysis.cycles`, a ladder or rock, paper, scissors. `dominance`: `analysis.dominant`
(does one beat all the others, and against whom does each do worst).
`competence`: `analysis.competence` (what is lost in endings whose exact value is known).
`control`: `analysis.with_cheap_games` (what the many games of the weaker tier add to the few of the strongest).

Promised: a pairing counts the games that both were in; the two scores of a pairing add up to 1; a mean against a
field is told beside the equilibrium, which does not depend on who is in the field.
"""
