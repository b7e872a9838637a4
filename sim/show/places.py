"""The places of a board as plain data, for heat maps of an analysis that knows no game."""

from __future__ import annotations

from typing import Any

from sim.core.notation import place_text
from sim.show.drawing import hex_centre


def hex_places(rules: Any, count: str) -> dict[str, Any]:
    """Return the points (x, y upwards) and names of the hexes that a rules record holds as ``q`` and ``r``.

    Parameters
    ----------
    count
        The field that says how many there are.
    """
    hexes = range(int(rules[count]))
    points = [hex_centre(int(rules["q"][h]), int(rules["r"][h])) for h in hexes]
    return {
        "points": [[round(x, 3), round(y, 3)] for x, y in points],
        "names": [place_text(rules, h) for h in hexes],
    }
