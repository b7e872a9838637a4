"""Hex tables against a naive walk over sets of coordinates."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.core import hexgrid
from sim.core.hexgrid import DIRECTION_NAMES, DIRECTIONS
from tests.core.plain import tables

Cell = tuple[int, int]
# E, NE, NW, W, SW, SE as the rulebook's notation has them
STEPS: list[Cell] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]


@st.composite
def lands(draw: st.DrawFn) -> list[Cell]:
    """A scattered land: a few cells, more of them near others than not."""
    corner = st.integers(-32, 31)
    q0, r0 = draw(corner), draw(corner)
    near = st.tuples(
        st.integers(max(-32, q0 - 4), min(31, q0 + 4)), st.integers(max(-32, r0 - 4), min(31, r0 + 4))
    )
    far = st.tuples(corner, corner)
    return draw(st.lists(near | far if draw(st.booleans()) else near, min_size=1, max_size=40, unique=True))


def test_directions() -> None:
    assert [tuple(d) for d in DIRECTIONS.tolist()] == STEPS
    assert DIRECTION_NAMES == ("E", "NE", "NW", "W", "SW", "SE")
    for d in range(6):  # opposite directions are three apart
        assert (DIRECTIONS[d] + DIRECTIONS[(d + 3) % 6] == 0).all()


@given(lands())
@settings(deadline=None)
def test_neighbours(cells: list[Cell]) -> None:
    near = tables(cells, 2 ** len(cells) - 1, cross=False)["near"]
    for k, (q, r) in enumerate(cells):
        around = {(q + dq, r + dr) for dq, dr in STEPS}
        assert int(near[k]) == sum(1 << j for j, cell in enumerate(cells) if cell in around)


@given(lands(), st.booleans(), st.data())
@settings(deadline=None)
def test_rays(cells: list[Cell], cross: bool, data: st.DataObject) -> None:
    use = data.draw(st.integers(0, 2 ** len(cells) - 1))
    found = tables(cells, use, cross, longest=64)
    number = {cell: k for k, cell in enumerate(cells) if use >> k & 1}
    longest = 0
    for k, (q, r) in enumerate(cells):
        for d, (dq, dr) in enumerate(STEPS):
            met, sea, line = [], 0, [(q + dq * step, r + dr * step) for step in range(1, 65)]
            for cell in line:
                if cell in number:
                    met.append((number[cell], sea))
                elif cross:
                    sea += 1
                else:
                    break
            n = int(found["length"][k, d])
            rays, gaps = found["ray"][k, d, :n].tolist(), found["gaps"][k, d, :n].tolist()
            assert list(zip(rays, gaps)) == met
            longest = max(longest, len(met))
    assert found["longest"] == longest


def test_a_line_too_long_for_the_table_is_cut_and_told() -> None:
    row = [(q, 0) for q in range(6)]
    found = tables(row, 2**6 - 1, cross=False, longest=3)
    assert found["longest"] == 5
    assert found["length"][0].tolist() == [3, 0, 0, 0, 0, 0]
    assert found["ray"][0, 0].tolist() == [1, 2, 3]


def test_outside_the_grid_there_is_no_cell() -> None:
    where = np.zeros((hexgrid.SPAN, hexgrid.SPAN), dtype=np.int8)
    assert hexgrid.cell_at(where, 0, 0) == 0
    for q, r in ((-33, 0), (32, 0), (0, -33), (0, 32), (10_000, -10_000)):
        assert hexgrid.cell_at(where, q, r) == -1
