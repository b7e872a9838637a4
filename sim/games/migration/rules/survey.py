"""The land: coast, Interior Regions, straight lines and lasting terrain, from the cells of a board."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.hexgrid import DIRECTIONS, SPAN, cell_at, index_cells, neighbours, rays
from sim.core.jit import bit, kernel
from sim.core.kinds import RulesRecord
from sim.games.migration.rules.state import KEPT, NEITHER


@kernel
def survey(rules: RulesRecord) -> None:
    """Derive every table of `rules` from its cells and drawn terrain."""
    n = rules.n_regions
    where = np.empty((SPAN, SPAN), dtype=np.int8)
    index_cells(rules.q, rules.r, n, where)
    neighbours(rules.q, rules.r, n, where, rules.near)
    land = np.int64(0)
    for h in range(n):
        land |= bit(h)
    rules.land = land
    rules.regions = land if rules.sea_desert_is_region != 0 else land & ~rules.sea_desert
    crossing = rules.migrate_over_ocean != 0
    rules.longest_ray = rays(
        rules.q, rules.r, n, where, rules.regions, crossing, rules.ray, rules.gaps, rules.ray_length
    )
    _coast_and_interior(rules, where)
    _terrain(rules)


@kernel
def _coast_and_interior(rules: RulesRecord, where: Any) -> None:
    """Interior: land on all six sides (A15). Coastal: the rest (A2), or only what touches the outer sea."""
    strict = rules.enclosed_sea == NEITHER
    outer = where.copy()
    if strict:
        _mark_outer_sea(outer)
    coast = np.int64(0)
    interior = np.int64(0)
    for h in range(rules.n_regions):
        land_sides = 0
        sea_sides = 0
        for d in range(6):
            q = rules.q[h] + DIRECTIONS[d, 0]
            r = rules.r[h] + DIRECTIONS[d, 1]
            if cell_at(where, q, r) >= 0:
                land_sides += 1
            elif not strict or cell_at(outer, q, r) == -2:
                sea_sides += 1
        if land_sides == 6:
            interior |= bit(h)
        elif sea_sides > 0:
            coast |= bit(h)
    rules.coast = coast & rules.regions
    rules.interior = interior


@kernel
def _mark_outer_sea(grid: Any) -> None:
    """Mark the sea that is connected with the grid's rim by -2."""
    grid[0, :] = -2
    grid[SPAN - 1, :] = -2
    grid[:, 0] = -2
    grid[:, SPAN - 1] = -2
    changed = True
    while changed:
        changed = False
        for x in range(1, SPAN - 1):
            for y in range(1, SPAN - 1):
                if grid[x, y] == -1:
                    for d in range(6):
                        if grid[x + DIRECTIONS[d, 0], y + DIRECTIONS[d, 1]] == -2:
                            grid[x, y] = -2
                            changed = True
                            break


@kernel
def _terrain(rules: RulesRecord) -> None:
    """Forests in force (A7; Deep Woods are Forest) and Mountains in force (D9)."""
    covered = rules.lake | rules.mountain | rules.deep_woods | rules.desert | rules.oasis | rules.fertile
    drawn = rules.forest_drawn if rules.covered_forest == KEPT else rules.forest_drawn & ~covered
    rules.forest = drawn | rules.deep_woods
    rules.shield = rules.mountain if rules.mountain_lasts != 0 else np.int64(0)
