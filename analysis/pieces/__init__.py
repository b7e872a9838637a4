"""What is a piece worth, and what does it do to the others?

`strength`: `analysis.piece_strength` (pieces assigned at random, so an effect is a cause) and
`analysis.goes_with_winning` (what was chosen: no cause, so never a verdict). `harm`: `analysis.harm`, what a piece
does to its owner's opponents. `seat_levels`: `analysis.seat_level_effects`, what a thing is worth that each seat
has one of. `pairs`: `analysis.piece_pairs`, what two are worth together and against each other. `by_turn`:
`analysis.value_by_turn`, when a piece goes with winning. `worth`: `analysis.worth_to_owner`, what one player loses
without it. `placing`: `analysis.placements`, where pieces are put and where that goes with winning.

Promised: effects are win shares against the average other piece, apart from seats and bots; small samples are
shrunk; verdicts are corrected over all pieces.
"""
