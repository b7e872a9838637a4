"""Names that tables of data and of results have for columns of their own: no parameter may be called so.

A factor is a column of such tables under its own name: a parameter ``most`` would be written over by the greatest value
that was seen.
"""

from __future__ import annotations

_LOGGED = """
bot cell deal decisions ended ended_by first_seat founder founder_seat game game_id lead_changes line margin
options_mean passes player players rank rotation score seat seat_points seed series team tied tier turns variant
win_share winner
"""
_PIECES = "assigned copy drafted first_turn harm lost offered owned paid piece pieces played scored taken"
_RESULTS = """
about above above_it after against alone alone_high alone_low at_below at_first at_last badge banned base beaten below
best best_high best_low blocks bots broken
capped cause chi2 chosen claim clear column count data deals degrees design did direction doublings eb eb_high eb_low
endings estimate factor fair family first first_seat_high first_seat_low first_seat_p flag games games_bots games_with
group held high high_joint id kind lead_lost least level lines_used log_odds log_odds_high log_odds_low low low_joint
mean mean_high mean_low measure method minutes mirror more_games most name named note null own of_games opponents
p p_equivalence paired people playouts q range_high range_low raw raw_high raw_low role round row
scope se seats setting shared side sides sits source spread status target_high target_low tells
turn used value value_high value_low
verdict way way_q what with_ban without_ban word
"""
RESERVED = frozenset(f"{_LOGGED} {_PIECES} {_RESULTS}".split())
