"""What the Founder may lay on the land in Migration, by the rulebook's section on Terrain Modifiers.

The order of laying matters: Fertile Regions first, on the Interior Regions that the plates make; then other
modifiers on what is left, Deserts in the sea among them; then, as the Founder likes, Fertile on Regions that such
a Desert has made Interior.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.reference.migration.position import TERRAINS, Hex, neighbours

IN_THE_BOX = {"Fertile": 8, "Lake": 2, "Mountain": 2, "Deep Woods": 2, "Desert": 2, "Oasis": 2}


def interior(land: set[Hex]) -> set[Hex]:
    """The hexes with land on all six sides."""
    return {h for h in land if all(n in land for n in neighbours(h))}


def faults(
    board: Mapping[Hex, Mapping[str, Any]],
    in_the_box: Mapping[str, int] = IN_THE_BOX,
    modifiers_per_region: int = 1,
) -> list[str]:
    """What of the Terrain Modifiers on this board no Founder could have laid; empty for a legal founding.

    `board` is as `Referee` takes it; how the plates themselves lie is not looked at.
    """
    found = []
    terrain = {h: set(spot["terrain"]) for h, spot in board.items()}
    sea = {h for h, spot in board.items() if spot["sea"]}
    plates = set(board) - sea
    for name in TERRAINS:
        used = sum(name in here for here in terrain.values())
        if used > in_the_box[name]:
            found.append(f"{used} of {in_the_box[name]} {name}")
    found += [
        f"{len(here)} modifiers on {h}" for h, here in terrain.items() if len(here) > modifiers_per_region
    ]
    for h in sea:
        if "Desert" not in terrain[h]:
            found.append(f"no Desert on {h} in the sea")
        if not plates.intersection(neighbours(h)):
            found.append(f"the Desert on {h} is not beside land")
    fertile = {h for h, here in terrain.items() if "Fertile" in here}
    found += [f"Fertile on the coast: {h}" for h in fertile - interior(set(board))]
    # All Interior Regions of the plates come first, while there is Fertile for them.
    first = interior(plates)
    if len(fertile & first) < min(len(first), in_the_box["Fertile"]):
        found.append(f"no Fertile on {sorted(first - fertile)}")
    return found
