"""Maps: what a board knows, which maps are legal, and why others are refused."""

from __future__ import annotations

import pytest

from sim.core.errors import Refusal
from sim.games.migration.board import (
    DIRECTIONS,
    FOREST_FOUR,
    FOREST_THREE,
    PLATE_FOUR,
    PLATE_SHAPES,
    PLATE_THREE,
    Board,
    Half,
    Region,
    around,
    cover,
    rotate,
    rotations,
    validate,
    ways_to_lay,
)
from sim.games.migration.board_text import (
    load_map,
    map_card,
    map_names,
    parse_drawing,
    parse_list,
)

FAMILIES = [(name, n) for name in map_names() for n in (2, 3, 4)]

# Two flowers side by side, as in maps/default.toml, with hex 0,0 in the first row.
FLOWERS = """
      o T
 o T o F o
o F o T o
 T o
"""


def flowers(text: str = FLOWERS) -> Board:
    return parse_drawing(text)


def changed(old: str, new: str, count: int = 1) -> Board:
    assert old in FLOWERS
    return flowers(FLOWERS.replace(old, new, count))


def refusal(board: Board, **parameters: object) -> str:
    with pytest.raises(Refusal) as caught:
        validate(board, **({"n_players": 2} | parameters))  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- shapes ------------------------------------------------------------------------------------------------


def test_the_two_halves_make_the_flower() -> None:
    assert set(PLATE_FOUR) | set(PLATE_THREE) == {(0, 0), *DIRECTIONS}
    assert FOREST_FOUR in PLATE_FOUR
    assert FOREST_THREE in PLATE_THREE


def test_rotations_are_distinct_and_start_at_the_origin() -> None:
    four, three = (rotations(half) for half in PLATE_SHAPES["flower"])
    assert len(set(four)) == len(set(three)) == 6
    assert len({frozenset(half.cells) for half in four}) == 3
    assert len({frozenset(half.cells) for half in three}) == 6
    for half in (*four, *three):
        assert half.cells[0] == (0, 0)
        assert half.forest in half.cells


def test_turning_over_adds_no_way_to_lay_the_flower_halves() -> None:
    for half in PLATE_SHAPES["flower"]:
        mirrored = Half(tuple((r, q) for q, r in half.cells), (half.forest[1], half.forest[0]))
        assert set(rotations(mirrored)) == set(rotations(half))


def test_six_turns_bring_a_hex_home() -> None:
    assert rotate((1, 0), 1) == (0, 1)
    assert rotate((3, -1), 6) == (3, -1)
    assert {rotate((1, 0), k) for k in range(6)} == set(DIRECTIONS)


def test_number_of_fixed_polyhexes() -> None:
    four, three = ways_to_lay("any")
    assert (len(four), len(three)) == (44, 11)


# --- boards ------------------------------------------------------------------------------------------------


def test_regions_are_sorted_row_by_row() -> None:
    board = parse_list("1,0 0,1 0,0 2,-1")
    assert [region.hex for region in board.regions] == [(2, -1), (0, 0), (1, 0), (0, 1)]
    assert board.neighbours((1, 0)) == ((2, -1), (0, 0), (0, 1))
    assert board.at((5, 5)) is None


def test_interior_and_coast_divide_the_land() -> None:
    board = load_map("default", 2)
    interior = {region.hex for region in board.regions if board.is_interior(region.hex)}
    assert interior == {(0, 0), (3, -1)}
    for region in board.regions:
        assert board.is_coastal(region.hex) != board.is_interior(region.hex)


def test_enclosed_sea() -> None:
    ring = parse_list("1,0 1,-1 0,-1 -1,0 -1,1 0,1 2,0 2,-1 1,1")
    assert ring.is_coastal((1, 0))
    assert not ring.is_coastal((1, 0), "neither")
    assert not ring.is_interior((1, 0))
    assert ring.is_coastal((1, -1), "neither")


def test_sea_desert_makes_interior_but_may_be_no_coast() -> None:
    board = parse_list("0,0 1,0=sea Desert 1,-1 0,-1 -1,0 -1,1 0,1")
    assert board.is_interior((0, 0))
    assert board.is_coastal((1, 0))
    assert not board.is_coastal((1, 0), sea_desert_is_region=False)


def test_islands_largest_first() -> None:
    board = parse_list("0,0 2,0 3,0 5,0=sea Desert 4,0=sea Desert")
    assert [len(part) for part in board.islands()] == [4, 1]
    assert [len(part) for part in board.islands(sea_deserts=False)] == [2, 1]


@pytest.mark.parametrize(
    ("region", "reason"),
    [
        (Region(0, 0, frozenset({"Swamp"})), "unknown terrain 'Swamp'"),
        (Region(0, 0, frozenset({"Lake"}), sea=True), "only a Desert"),
        (Region(0, 0, frozenset({"Desert"}), forest=True, sea=True), "cannot show a Forest"),
    ],
)
def test_impossible_regions(region: Region, reason: str) -> None:
    with pytest.raises(Refusal, match=reason):
        Board((region,))


def test_a_hex_given_twice() -> None:
    with pytest.raises(Refusal, match="0,0 is given twice"):
        parse_list("0,0 1,0 0,0=Lake")


# --- legal maps --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "n_players"), FAMILIES)
def test_shipped_maps_are_legal(name: str, n_players: int) -> None:
    board = load_map(name, n_players)
    validate(board, n_players=n_players)
    halves = cover(board, n_players, printed=True)
    assert halves is not None, "its Forests are not where F7 prints them"
    assert len(halves) == 2 * n_players


def test_families_differ_on_purpose() -> None:
    card = {entry["name"]: entry["players"] for entry in map_card()}
    assert len(card) >= 6
    for n, interior in (("2", 2), ("3", 6), ("4", 10)):
        assert card["default"][n]["interior"] == interior
        assert card["ridge"][n]["interior"] == 0
        assert card["heartland"][n]["interior"] > interior
        assert card["islands"][n]["parts"] == card["archipelago"][n]["parts"] == int(n) + 1
        assert card["default"][n]["parts"] == 1
        assert {"Lake", "Mountain", "Deep Woods", "Desert", "Oasis"} <= set(card["wilds"][n]["terrain"])
        lagoon = load_map("lagoon", int(n))
        assert any(lagoon.is_coastal(x.hex) != lagoon.is_coastal(x.hex, "neither") for x in lagoon.regions), (
            "no Region of the lagoon touches enclosed sea alone"
        )


def test_the_flowers_are_legal() -> None:
    validate(flowers(), n_players=2)


def test_a_half_may_lie_apart() -> None:
    validate(load_map("islands", 2), n_players=2)
    assert "3 parts" in refusal(load_map("islands", 2), islands="forbidden")


def test_fertile_on_a_late_interior_region_is_a_choice() -> None:
    board = load_map("wilds", 2)
    assert board.is_interior((1, 0))
    assert board.at((1, 0)) == Region(1, 0, forest=True)
    with_fertile = Board(
        tuple(
            Region(1, 0, frozenset({"Fertile"}), forest=True) if region.hex == (1, 0) else region
            for region in board.regions
        )
    )
    validate(with_fertile, n_players=2)


# --- refused maps ------------------------------------------------------------------------------------------


def test_wrong_size() -> None:
    assert "14 Regions, but 3 players need 21" in refusal(flowers(), n_players=3)


def test_too_many_regions() -> None:
    row = Board(tuple(Region(q, 0) for q in range(63)))
    assert "63 Regions, at most 62" in refusal(row, n_players=9)


def test_land_that_no_plates_make() -> None:
    row = Board(tuple(Region(q, 0) for q in range(14)))
    assert "cannot be laid from 2 halves of four" in refusal(row)
    validate(row, n_players=2, plate_shapes="bars")
    validate(row, n_players=2, plate_shapes="any")


def test_an_island_must_be_a_half() -> None:
    two_flowers = parse_list("0,0=Fertile 1,0 1,-1 0,-1 -1,0 -1,1 0,1 5,0=Fertile 6,0 6,-1 5,-1 4,0 4,1 5,1")
    assert "an island must be one half" in refusal(two_flowers)


def test_only_one_half_of_each_plate_apart() -> None:
    # four parts: rhombus, rhombus, arc, arc
    four_parts = parse_list("0,0 1,0 0,1 1,1 4,0 5,0 4,1 5,1 8,0 9,0 8,1 12,0 13,0 12,1")
    assert "at most one half of each plate apart" in refusal(four_parts)


def test_two_forests_on_one_half() -> None:
    crowded = Board(tuple(Region(x.q, x.r, x.terrain, forest=True) for x in flowers().regions))
    assert "too many Forests" in refusal(crowded)


def test_a_map_without_forests_is_taken_at_its_word() -> None:
    bare = Board(tuple(Region(x.q, x.r, x.terrain) for x in flowers().regions))
    validate(bare, n_players=2)
    assert cover(bare, 2, printed=True) is None


def test_fertile_on_the_coast() -> None:
    assert "Fertile at 0,0, a Coastal Region" in refusal(changed("o T\n", "F T\n"))


def test_fertile_beside_an_enclosed_hole() -> None:
    board = load_map("lagoon", 3)
    spot = next(
        x for x in board.regions if not board.is_coastal(x.hex, "neither") and not board.is_interior(x.hex)
    )
    fertile = Board(
        tuple(Region(x.q, x.r, frozenset({"Fertile"})) if x is spot else x for x in board.regions)
    )
    assert "a Coastal Region" in refusal(fertile, n_players=3)
    assert "not an Interior Region" in refusal(fertile, n_players=3, enclosed_sea="neither")


def test_interior_without_fertile() -> None:
    assert "has no Fertile although" in refusal(changed("F", "o"))


def test_interior_may_lack_fertile_when_none_is_left() -> None:
    counts = {"Fertile": 1}
    validate(changed("F", "o"), n_players=2, modifier_counts=counts)
    assert "2 x Fertile, the box holds 1" in refusal(flowers(), modifier_counts=counts)
    assert "has no Fertile although" in refusal(changed("F", "o"), modifier_counts={"Fertile": 2})


def test_late_interior_regions_get_fertile_last() -> None:
    board = load_map("wilds", 2)
    moved = Board(
        tuple(
            Region(x.q, x.r, frozenset({"Fertile"} if x.hex == (1, 0) else set()), x.forest)
            if x.hex in ((1, 0), (0, 0))
            else x
            for x in board.regions
        )
    )
    assert "Interior Region 0,0 has no Fertile" in refusal(
        moved,
        modifier_counts={
            "Fertile": 2,
            "Lake": 2,
            "Mountain": 2,
            "Deep Woods": 2,
            "Desert": 2,
            "Oasis": 2,
        },
    )


def test_too_many_of_a_modifier() -> None:
    lakes = parse_drawing(FLOWERS.replace("o", "L", 3))
    assert "3 x Lake, the box holds 2" in refusal(lakes)
    validate(lakes, n_players=2, modifier_counts={"Fertile": 8, "Lake": 3})


def test_several_modifiers_on_one_region() -> None:
    board = parse_drawing(FLOWERS.replace("F", "X", 1), legend={"X": "Fertile + Mountain"})
    assert "2 modifiers on" in refusal(board)
    validate(board, n_players=2, modifiers_per_region=2)


def test_a_desert_far_out_at_sea() -> None:
    far = Board((*flowers().regions, Region(9, 9, frozenset({"Desert"}), sea=True)))
    assert "9,9 does not touch the land" in refusal(far)


def test_the_reason_names_the_map() -> None:
    assert refusal(load_map("ridge", 2), n_players=3).startswith("map 'ridge': ")


def test_around_is_in_the_order_of_the_directions() -> None:
    assert around((2, 3)) == ((3, 3), (3, 2), (2, 2), (1, 3), (1, 4), (2, 4))
