"""How does a game go: how long, how wide the choice, how often does the lead change, how does it end?

`course`: `analysis.length`, `analysis.choice_width`, `analysis.lead_changes`, `analysis.ties`,
`analysis.end_reasons`. `leads`, from the scores turn by turn: `analysis.comeback_surface`, `analysis.when_decided`,
`analysis.runaway_leader`; and `analysis.forced_share`, turns without a choice. `kingmaking`:
`analysis.kingmaking`, whether a player out of contention decides between the others.

Promised: no game is left out, those cut short are counted and said; minutes are told with the pace behind them.
"""
