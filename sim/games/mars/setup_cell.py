"""From parameters and players to the records of one experiment cell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from sim.core.errors import Refusal
from sim.core.game import Cell, Entrant, validated
from sim.core.params import fill_rules, flatten
from sim.games.mars.board_files import (
    MAPS,
    PLACES,
    TRACKS,
    Terrain,
    check_players,
    craters,
    neighbours,
)
from sim.games.mars.checks import (
    DRAWABLE,
    check_free_building,
    check_numbers,
    check_reach,
    check_treatments,
    event_code,
    structure_code,
)
from sim.games.mars.rules import state as records
from sim.games.mars.rules.params import (
    Parameters,
)

_COSTS = ("tunnel", "habitat", "lsc", "hospital", "plant", "export", "mine", "ruin")
_LEVERS = {
    records.LEVER_BUILDING: "a free starting building drawn at random for each player",
    records.LEVER_EVENT: "the first event of each player dealt at random",
    records.LEVER_NEVER: "buildings withheld from each player at random",
}


def parse_never(value: str | list[str]) -> tuple[int, int]:
    """Return (how many buildings are withheld from each player by chance, structures withheld from all as bits)."""
    if isinstance(value, str):
        words = value.split()
        if words and words[0] == "random":
            if len(words) != 2 or words[1] not in {"1", "2", "3"}:
                raise Refusal(f"never = {value!r}: write 'random 1', with a number from 1 to 3")
            return int(words[1]), 0
        value = (
            [] if value == "none" else [part for part in value.replace("+", ",").split(",") if part.strip()]
        )
    mask = 0
    for name in value:
        mask |= 1 << structure_code(name, "never")
    return 0, mask


def prepare(parameters: dict[str, Any], n_players: int, entrants: list[Entrant], base: Path | None) -> Cell:
    """Check one cell and make its records."""
    model: Parameters = validated(Parameters, parameters)
    if n_players not in PLACES:
        raise Refusal(f"players.count = {n_players}: Migration: Mars is for 2 to 4 players")
    if len(entrants) != n_players:
        raise Refusal(f"{len(entrants)} players are described, but players.count is {n_players}")
    terrain = MAPS.load(model.map, base)
    check_players(terrain, n_players, model.overlays)
    track = TRACKS.load(model.track, base)
    drawn_never, withheld = parse_never(model.never)
    bank = np.zeros(n_players, dtype=records.Entrant)
    for k, entrant in enumerate(entrants):
        own = withheld
        for name in entrant.bans:
            own |= 1 << structure_code(name, f"bans of {entrant.name!r}")
        if entrant.deck is not None:
            raise Refusal(f"{entrant.name!r}: players of Migration: Mars have no decks")
        bank["never"][k] = own
        check_reach(model, own, entrant.name, terrain, n_players)
        check_free_building(model, own, entrant.name, drawn_never)
    check_numbers(model, n_players)
    check_treatments(model, n_players, drawn_never)
    rules = np.zeros(1, dtype=records.Rules)
    write_rules(rules[0], model, n_players, terrain, track, drawn_never)
    lever = int(rules[0]["lever"])
    kinds = [
        (e.bot, str(sorted(e.bot_options.items())), int(bank["never"][k])) for k, e in enumerate(entrants)
    ]
    assigned = lever != records.LEVER_NONE
    return Cell(
        parameters=flatten(model),
        players=n_players,
        drawn={},
        rules=rules,
        entrants=bank,
        bots=[(e.bot, dict(e.bot_options)) for e in entrants],
        lever={"column": "assigned", "text": _LEVERS[lever]} if assigned else None,
        piece_total=_assigned(lever, drawn_never, bank["never"]),
        moves=len(set(kinds)) > 1,
        board=terrain,
    )


def _assigned(lever: int, drawn_never: int, never: Any) -> int | None:
    """Return how many pieces are assigned to each seat, if that is the same for all."""
    if lever == records.LEVER_NEVER:
        banned = any(int(bits) >> structure_code(kind, "never") & 1 for bits in never for kind in DRAWABLE)
        return None if banned else len(DRAWABLE) - drawn_never
    return None if lever == records.LEVER_NONE else 1


def write_rules(
    rules: Any, model: Parameters, n_players: int, terrain: Terrain, track: tuple[int, ...], drawn_never: int
) -> None:
    """Fill the rules record."""
    fill_rules(model, rules)
    rules["players"] = n_players
    rules["ruins"] = track.count(records.RUIN_CORNER)
    for k, name in enumerate(_COSTS):
        price = getattr(model, f"{name}_cost")
        rules["cost"][k] = [price.metal, price.water, price.stone]
    rules["ruin_oly"], rules["ruin_blueprint"] = model.ruin_cost.oly, model.ruin_cost.blueprint
    words = {"none": records.FIXED_NONE, "random": records.FIXED_RANDOM}
    building = model.start_building
    words["choice"] = records.FIXED_CHOICE
    rules["free_building"] = (
        words[building] if building in words else structure_code(building, "start_building")
    )
    event = model.dealt_event
    rules["first_event"] = words[event] if event in words else event_code(event, "dealt_event")
    rules["never_drawn"] = drawn_never
    rules["lever"] = (
        records.LEVER_BUILDING
        if building == "random"
        else records.LEVER_EVENT
        if event == "random"
        else records.LEVER_NEVER
        if drawn_never
        else records.LEVER_NONE
    )
    write_terrain(rules, terrain, n_players, model.overlays)
    rules["n_squares"] = len(track)
    rules["square_kind"][: len(track)] = track
    rules["square_seat"][:] = -1
    stops = [k for k, kind in enumerate(track) if kind == records.STOP]
    for seat, place in enumerate(PLACES[n_players]):
        rules["own_stop"][seat] = stops[place]
        rules["square_seat"][stops[place]] = seat


def write_terrain(rules: Any, terrain: Terrain, n_players: int, overlays: bool) -> None:
    """Write tiles, neighbours and what the ground is."""
    dark = craters(terrain, n_players, overlays)
    number = {cell: k for k, cell in enumerate(terrain.tiles)}
    rules["n_tiles"] = len(terrain.tiles)

    def mark(row: Any, tile: int) -> None:
        row[tile // records.WORD] |= np.int64(1) << (tile % records.WORD)

    for k, cell in enumerate(terrain.tiles):
        rules["q"][k], rules["r"][k] = cell
        rules["word"][k] = k // records.WORD
        rules["flag"][k] = np.int64(1) << (k % records.WORD)
        for other in neighbours(cell):
            if other in number:
                mark(rules["near"][k], number[other])
        ground = "crater" if cell in dark else "rocky" if cell in terrain.rocky else "plain"
        mark(rules[ground], k)
    rules["embassy"] = number[terrain.embassy]
    for seat, place in enumerate(PLACES[n_players]):
        rules["home"][seat] = number[terrain.bases[place]]
    taken = {terrain.embassy, *(terrain.bases[place] for place in PLACES[n_players])}
    reached, ring = {terrain.embassy}, {terrain.embassy}
    for steps in range(1, len(rules["embassy_ring"])):
        ring = {n for cell in ring for n in neighbours(cell) if n in number} - reached - dark - taken
        reached |= ring
        for cell in ring:
            mark(rules["embassy_ring"][steps], number[cell])
