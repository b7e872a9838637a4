"""What lies on a map, counted: for looking only."""

from __future__ import annotations

from collections import Counter
from typing import Any


def counts(cell: Any) -> dict[str, int]:
    """Return how many Regions a cell's map has, and of each terrain; {} where it is drawn for each deal."""
    if cell.board is None:
        return {}
    regions = cell.board.regions
    found = Counter({"Regions": len(regions)})
    for region in regions:
        found.update(sorted(region.terrain) or ["plain land"])
        found["printed Forests"] += region.forest
        found["Deserts in the sea"] += region.sea
    return dict(found)
