"""From parameters and players to the records of one experiment cell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from sim.core.errors import Refusal, nearest
from sim.core.game import Cell, Entrant, validated
from sim.core.params import fill_rules, flatten
from sim.games.mars.board_files import (
    PLACES,
    Terrain,
    check_players,
    craters,
    load_terrain,
    load_track,
    neighbours,
)
from sim.games.mars.rules import state as records
from sim.games.mars.rules.params import (
    BUILDINGS,
    EVENT_NAMES,
    EVENT_NUMBERS,
    MAX_DECK,
    STRUCTURES,
    Parameters,
)

_COSTS = ("tunnel", "habitat", "lsc", "hospital", "plant", "export", "mine", "ruin")
_DRAWABLE = ("Hospital", "Plant", "Export", "Mine")
_LEVERS = {
    records.LEVER_BUILDING: "a free starting building drawn at random for each player",
    records.LEVER_EVENT: "the first event of each player dealt at random",
    records.LEVER_NEVER: "buildings withheld from each player at random",
}


def structure_code(name: str, where: str) -> int:
    """Return the number of the structure called `name`."""
    for code, structure in enumerate(STRUCTURES):
        if structure.lower() == name.strip().lower():
            return code
    raise Refusal(f"{where}: there is no structure {name!r}{nearest(name, STRUCTURES)}")


def event_code(name: str, where: str) -> int:
    """Return the place of the event called `name` (or ``E5``) among the kinds of events."""
    for code, (title, number) in enumerate(zip(EVENT_NAMES, EVENT_NUMBERS)):
        if name.lower() in (title.lower(), f"e{number}"):
            return code
    raise Refusal(f"{where}: there is no event {name!r}{nearest(name, EVENT_NAMES)}")


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


def _bits(mask: int) -> list[str]:
    return [name for code, name in enumerate(STRUCTURES) if mask >> code & 1]


def prepare(parameters: dict[str, Any], n_players: int, entrants: list[Entrant], base: Path | None) -> Cell:
    """Check one cell and make its records."""
    model: Parameters = validated(Parameters, parameters)
    if n_players not in PLACES:
        raise Refusal(f"players.count = {n_players}: Migration: Mars is for 2 to 4 players")
    if len(entrants) != n_players:
        raise Refusal(f"{len(entrants)} players are described, but players.count is {n_players}")
    terrain = load_terrain(model.map, base)
    check_players(terrain, n_players, model.overlays)
    track = load_track(model.track, base)
    drawn_never, withheld = parse_never(model.never)
    bank = np.zeros(n_players, dtype=records.Entrant)
    for k, entrant in enumerate(entrants):
        own = withheld
        for name in entrant.bans:
            own |= 1 << structure_code(name, f"bans of {entrant.name!r}")
        if entrant.deck is not None:
            raise Refusal(f"{entrant.name!r}: players of Migration: Mars have no decks")
        bank["never"][k] = own
        check_reach(model, own, entrant.name)
    check_numbers(model, n_players)
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
        piece_total={0: None, 1: 1, 2: 1, 3: len(_DRAWABLE) - drawn_never}[lever],
        moves=len(set(kinds)) > 1,
        board=terrain,
    )


def check_reach(model: Parameters, withheld: int, name: str) -> None:
    """Refuse a game in which a player could never house as many as it needs."""
    stock = model.stock
    free = [kind not in _bits(withheld) for kind in STRUCTURES]
    habitats = stock.habitat if free[records.HABITAT] and free[records.LSC] and stock.lsc else 0
    embassy = model.embassy_housing if (free[records.TUNNEL] and stock.tunnel) or free[records.RUIN] else 0
    most = min(model.hq_housing + habitats + embassy, stock.flags)
    if most < model.target:
        without = f", {' and '.join(_bits(withheld))} withheld," if withheld else ""
        raise Refusal(
            f"target = {model.target}: {name!r}{without} can house {most} at most "
            "(hq_housing, stock.Habitat, stock.LSC, embassy_housing, stock.flags, never)"
        )
    if model.start.population > min(model.hq_housing, stock.flags):
        raise Refusal(f"start.population = {model.start.population}: the HQ houses {model.hq_housing}")
    if model.start.population >= model.target:
        raise Refusal(
            f"start.population = {model.start.population}: target {model.target} is met at the start"
        )
    if model.start.tunnel > stock.tunnel:
        raise Refusal(f"start.Tunnel = {model.start.tunnel} is more than stock.Tunnel = {stock.tunnel}")


def check_numbers(model: Parameters, n_players: int) -> None:
    """Refuse decks, dice and treasuries that cannot be played."""
    for key, need in model.start.model_dump(by_alias=True).items():
        have = model.treasury.model_dump(by_alias=True).get(key)
        if have is not None and 0 <= have < need * n_players:
            raise Refusal(
                f"treasury.{key} = {have}: the starting kits of {n_players} players need {need * n_players}"
            )
    if sum(model.die.model_dump().values()) == 0:
        raise Refusal("die: the exploration die has no side")
    cards = sum(model.event_counts.model_dump().values())
    if cards > MAX_DECK:
        raise Refusal(f"event_counts: {cards} cards are more than {MAX_DECK}")
    if cards == 0 and model.dealt_event != "none":
        raise Refusal(f"dealt_event = {model.dealt_event!r}: the deck is empty")
    if model.quit.seat >= n_players:
        raise Refusal(f"quit.seat = {model.quit.seat}: there are {n_players} players (0 to {n_players - 1})")


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
    if building in {*words, "choice"}:
        rules["free_building"] = {**words, "choice": records.FIXED_CHOICE}[building]
    else:
        code = structure_code(building, "start_building")
        if STRUCTURES[code] not in BUILDINGS:
            raise Refusal(f"start_building = {building!r} is no building{nearest(building, BUILDINGS)}")
        rules["free_building"] = code
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
