"""What the games share to show a position and to read one: words, seats and coordinates, pens and sheets.

Nothing here is compiled and no rule calls it, so that a changed picture compiles nothing anew.
"""
