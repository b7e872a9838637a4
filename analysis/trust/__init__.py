"""How far may an answer be trusted, and what would make it firmer?

`games_needed` says how many games an answer takes (X1), `convergence` whether it has settled while games came in (X2),
`confounding` whether it turns round when the games are told apart (X5), `rank_intervals` which ranks of a list are
real (X6). Whether the data themselves are sound is asked by `analysis.audit` (X4).
"""
