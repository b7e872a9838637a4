"""What do bans do, and what do drafts? Both settle, before play, which pieces a game is played with.

`ban_effects`: `analysis.ban_effects_on_pieces`, `analysis.ban_effects_on_seats`. `ban_sets`: `analysis.ban_sets`
(which set of bans makes the game most even) and `analysis.verify_experiment` (plays the best again on fresh
deals). `drafts`: `analysis.draft_picks`, `analysis.pick_value`, `analysis.draft_seats`,
`analysis.offered_taken_played`. `misjudged`: `analysis.picks_against_worth`, `analysis.bans_against_worth`, whether
what is taken and banned is what is strong.

Promised: a ban is compared with the same deals without it wherever the design has them; what was offered by chance
is told apart from what was chosen; the best of many sets is shrunk before it is believed.
"""
