"""Do bots find what the game's author says of its pieces, seats, length and rules?

`claims`: `analysis.claims`, and on its opening page every kind of claim with its keys. `piece_kinds` and
`game_kinds` hold one contrast a kind, `evidence` the estimates that claims share.

Promised: a claim is "reproduced" or "not" only where a test shows it, else "cannot tell"; the claims travel in the
manifest's card, so that nothing here knows a game. (The folder is not called `claims`, because `analysis.claims`
is the function.)
"""
