"""How does a game go: how long, how wide the choice, how often does the lead change, how does it end?

`course`: `analysis.length`, `analysis.choice_width`, `analysis.lead_changes`, `analysis.ties`,
`analysis.end_reasons`.

Promised: no game is left out, those cut short are counted and said; minutes are told with the pace behind them.
"""
