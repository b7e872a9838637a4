"""Is the game fair: to each seat, to a special role, over a series, and to whoever ends it or wins a tie?

`seats`: `analysis.seat_balance` (each seat), `analysis.seat_tests` (the seats together, may they be called
balanced?), `analysis.win_share_by` (win shares at the levels of anything). `roles`: `analysis.role_effect`,
`analysis.series_balance`. `endings`: `analysis.enders`, `analysis.tie_breaks`. `set_up`: `analysis.set_up_luck`, how
much of who wins the deal decides.

Promised: shared places count in parts, so that the credits of a game add up to 1; errors go by deal; the seats of
a table are judged together; "balanced" is only said where an equivalence test shows it.
"""
