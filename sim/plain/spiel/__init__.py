"""Games of OpenSpiel (Lanctot et al., 2019) as games of Whimbrel: ``game = "openspiel:hex(board_size=5)"``.

The package ``open_spiel`` is an extra (``pip install 'whimbrel[openspiel]'``), imported when such a game is asked for.
"""

from __future__ import annotations
