"""What cannot be played, refused in one line: targets out of reach, wrong numbers, treatments that miss somebody."""

from __future__ import annotations

from sim.core.errors import Refusal, nearest
from sim.games.mars.board_files import Terrain, room_for_homes
from sim.games.mars.rules.params import (
    BUILDINGS,
    EVENT_NAMES,
    EVENT_NUMBERS,
    MAX_DECK,
    STRUCTURES,
    Parameters,
)

DRAWABLE = ("Hospital", "Plant", "Export", "Mine")
"""Kinds that ``never = 'random K'`` draws from: without Habitats nobody could win."""


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


def named(mask: int) -> list[str]:
    """Return the structures of a mask by name."""
    return [name for code, name in enumerate(STRUCTURES) if mask >> code & 1]


def check_reach(model: Parameters, withheld: int, name: str, terrain: Terrain, n_players: int) -> None:
    """Refuse a game in which a player could never house as many as it needs."""
    missing = named(withheld)
    stock, price = model.stock, model.ruin_cost
    tunnels = "Tunnel" not in missing and stock.tunnel > 0
    blueprints = price.blueprint == 0 or model.start.blueprint > 0 or model.die.blueprint > 0
    ways = tunnels or ("Ruin" not in missing and blueprints)
    fits = room_for_homes(
        terrain,
        n_players,
        model.overlays,
        ways=ways,
        free_contact=model.contact == "free",
        over_craters=model.ruin_on_crater,
    )
    houses = "LSC" not in missing and stock.lsc > 0 and "Habitat" not in missing and fits
    touching = houses and model.contact == "free" and model.embassy_link == "any contact"
    embassy = model.embassy_housing if ways or touching else 0
    most = min(model.hq_housing + (stock.habitat if houses else 0) + embassy, stock.flags)
    if most < model.target:
        without = f", {' and '.join(missing)} withheld," if missing else ""
        if not ways:
            without += " without any way to build along,"
        elif not fits:
            without += " without flat tiles for a Life Support Center and a Habitat,"
        raise Refusal(
            f"target = {model.target}: {name!r}{without} can house {most} at most "
            "(hq_housing, stock.Habitat, stock.LSC, stock.Tunnel, embassy_housing, stock.flags, never, map)"
        )
    if model.start.population > min(model.hq_housing, stock.flags):
        raise Refusal(f"start.population = {model.start.population}: the HQ houses {model.hq_housing}")
    if model.start.population >= model.target:
        raise Refusal(
            f"start.population = {model.start.population}: target {model.target} is met at the start"
        )
    if model.start.tunnel > stock.tunnel:
        raise Refusal(f"start.Tunnel = {model.start.tunnel} is more than stock.Tunnel = {stock.tunnel}")


def check_free_building(model: Parameters, withheld: int, name: str, drawn_never: int) -> None:
    """Refuse a free building that a player cannot get, and kinds to withhold that are not there."""
    stock = model.stock.model_dump(by_alias=True)
    left = [kind for kind in BUILDINGS if stock[kind] > 0 and kind not in named(withheld)]
    drawable = [kind for kind in left if kind in DRAWABLE]
    if len(drawable) < drawn_never:
        raise Refusal(
            f"never = {model.never!r}: only {len(drawable)} of {', '.join(DRAWABLE)} can be withheld from {name!r} "
            "(stock, bans)"
        )
    building = model.start_building
    if building == "none":
        return
    if building in ("choice", "random"):
        if len(left) <= drawn_never and len(left) == len(drawable):
            raise Refusal(f"start_building = {building!r}: no building is left for {name!r} (stock, never)")
        return
    kind = STRUCTURES[structure_code(building, "start_building")]
    if kind not in BUILDINGS:
        raise Refusal(f"start_building = {building!r} is no building{nearest(building, BUILDINGS)}")
    if stock[kind] == 0:
        raise Refusal(f"start_building = {building!r}: stock.{kind} = 0")
    if kind not in left or (drawn_never and kind in DRAWABLE):
        raise Refusal(f"start_building = {building!r}: {kind} is or may be withheld from {name!r} (never)")


def check_treatments(model: Parameters, n_players: int, drawn_never: int) -> None:
    """Refuse two random treatments at once, and dealt events that do not go round."""
    drawn = {
        "start_building": model.start_building == "random",
        "dealt_event": model.dealt_event == "random",
        "never": drawn_never > 0,
    }
    both = [key for key, is_drawn in drawn.items() if is_drawn]
    if len(both) > 1:
        raise Refusal(f"{' and '.join(both)} are drawn at random: only one of them can be in one game")
    if model.dealt_event == "none":
        return
    counts = list(model.event_counts.model_dump().values())
    if model.dealt_event == "random":
        copies, what = sum(counts), "event_counts: the deck has"
    else:
        code = event_code(model.dealt_event, "dealt_event")
        copies, what = counts[code], f"event_counts.{EVENT_NAMES[code]} is"
    if copies < n_players:
        raise Refusal(
            f"dealt_event = {model.dealt_event!r}: {what} {copies}, less than one for each of {n_players} players"
        )


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
    if model.quit.seat >= n_players:
        raise Refusal(f"quit.seat = {model.quit.seat}: there are {n_players} players (0 to {n_players - 1})")
