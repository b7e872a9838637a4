"""Everyday questions, one call each: plain rates, means and shares with their intervals.

`analysis.win_rate` of a piece, `analysis.mean_of` any measure by level, `analysis.share_where` something holds,
`analysis.head_to_head` of two players, bots or decks, `analysis.comeback_rate`. They describe; what causes what is
asked in the other chapters.
"""
