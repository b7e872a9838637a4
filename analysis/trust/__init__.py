"""How far may an answer be trusted, and what would make it firmer?

`analysis.games_needed` says how many games an answer takes (X1), `analysis.confounding` whether it turns round when the
games are told apart (X5), `analysis.rank_intervals` which ranks of a list are real (X6), `analysis.convergence`
whether it has settled while games came in (X2). Whether the data themselves are sound, `analysis.audit` asks (X4).
"""
