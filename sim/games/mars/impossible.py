"""Positions that cannot occur in Mars, with the place and the rule, for worked cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from sim.core.cases.given import Given
from sim.games.mars.notation import (
    BANK_NAMES,
    EVENT_WORDS,
    KEPT_NAMES,
    SEATS,
    TRADED_NAMES,
    deck_kinds,
    tile_text,
    what_text,
)
from sim.games.mars.positions import counts_of
from sim.games.mars.rules import state as records
from sim.games.mars.rules.params import CARDS, STRUCTURES
from sim.games.mars.rules.population import homes

_BUILDINGS = range(records.HABITAT, records.RUIN)
_PRODUCTION = (records.HOSPITAL, records.PLANT, records.EXPORT, records.MINE)


def faults(rules: Any, state: Any, position: Given) -> Iterator[str]:
    """Say what cannot be in a position; `position`: what the case gives of it."""
    for tile in range(int(rules["n_tiles"])):
        yield from _ground_faults(rules, state, tile)
        if int(state["what"][tile]) in _BUILDINGS:
            yield from _contact_faults(rules, state, tile)
    for seat in range(int(state["players"])):
        yield from _stock_faults(rules, state, seat)
        yield from _population_faults(rules, state, seat)
        yield from _track_faults(rules, state, seat)
    yield from _ruin_faults(rules, state)
    yield from _treasury_faults(rules, state, position)
    yield from _event_faults(rules, state, position)
    yield from _offer_faults(state)


# --- the terrain ---------------------------------------------------------------------------------------------


def _here(rules: Any, state: Any, tile: int) -> str:
    return f"{tile_text(rules, tile)} {what_text(rules, state, tile)}"


def _ground_faults(rules: Any, state: Any, tile: int) -> Iterator[str]:
    what = int(state["what"][tile])
    if what == records.NOTHING or what in (records.HQ, records.EMBASSY):
        return
    word, bit = int(rules["word"][tile]), int(rules["flag"][tile])
    crater, rocky = (bool(int(rules[ground][word]) & bit) for ground in ("crater", "rocky"))
    here = _here(rules, state, tile)
    if what == records.METEORITE and crater:
        yield f"{here}: no meteorite strikes a crater (R61)"
    elif crater and not (what == records.RUIN and rules["ruin_on_crater"]):
        yield f"{here}: nothing is built on a crater (R29)"
    elif rocky and what in _BUILDINGS:
        yield f"{here}: on rocky ground only Tunnels and Ruins are built"


def _contact_faults(rules: Any, state: Any, tile: int) -> Iterator[str]:
    """A building that touches what it may not (R21 to R25)."""
    here, owner, what = _here(rules, state, tile), int(state["owner"][tile]), int(state["what"][tile])
    free = rules["contact"] == records.FREE_CONTACT
    supported = what != records.HABITAT or bool(rules["lsc_move"] == records.FREE_MOVE)
    for other in _near(rules, tile):
        there = int(state["what"][other])
        if there == records.LSC and int(state["owner"][other]) == owner:
            supported = True
        if there not in (*_BUILDINGS, records.HQ, records.EMBASSY):
            continue
        both = f"{here} touches {_here(rules, state, other)}"
        if there != records.EMBASSY and int(state["owner"][other]) != owner:
            yield f"{both}: buildings of two players never touch (R25)"
        elif what in _PRODUCTION or there in _PRODUCTION:
            yield f"{both}: a production building touches no other building (R23)"
        elif free or {what, there} == {records.LSC, records.HABITAT}:
            continue
        elif there in (records.HQ, records.EMBASSY) or what == there == records.LSC:
            yield f"{both}: contact = 'banned' forbids that (R22)"
    if not supported:
        yield f"{here} touches no Life Support Center of {SEATS[owner]} (R21)"


def _near(rules: Any, tile: int) -> list[int]:
    low, high = (int(mask) for mask in rules["near"][tile])
    return [t for t in range(int(rules["n_tiles"])) if (low | high << records.WORD) >> t & 1]


def _ruin_faults(rules: Any, state: Any) -> Iterator[str]:
    placed = sum(int(what) == records.RUIN for what in state["what"])
    placed += int(state["lifted"]) == records.RUIN
    corners, ruins = int(state["corners"]), int(rules["ruins"])
    if placed > ruins:
        yield f"{placed} Ruins are on the terrain, there are {ruins}"
    elif placed + corners != ruins:
        yield f"{placed} Ruins on the terrain and {corners} in the corners: there are {ruins}"


# --- the players ---------------------------------------------------------------------------------------------


def _stock_faults(rules: Any, state: Any, seat: int) -> Iterator[str]:
    letter = SEATS[seat]
    for kind in range(records.RUIN):
        name, has = STRUCTURES[kind], int(rules["stock"][kind])
        n = sum(int(state[field][seat][kind]) for field in ("built", "reserve", "bay"))
        if kind == records.TUNNEL:
            n += int(state["tunnels_out"][seat])
        n += int(state["struck"]) == kind and int(state["struck_owner"]) == seat
        n += int(state["lifted"]) == kind and int(state["mover"]) == seat
        if n > has:
            yield f"{letter} has {n} times {name} (built, in reserve and in Salvage), the stock is {has}"
        if int(state["never"][seat]) >> kind & 1 and n:
            yield f"{letter} has a {name}, which is withheld from it (never)"
    bay = {kind: int(state["bay"][seat][kind]) for kind in range(records.N_STRUCTURES)}
    if sum(bay.values()) > rules["salvage_bay"]:
        yield f"{letter} has {sum(bay.values())} buildings in Salvage, a bay holds {int(rules['salvage_bay'])}"
    for kind in (records.TUNNEL, records.LSC, records.RUIN):
        if bay[kind]:
            yield f"{letter} has a {STRUCTURES[kind]} in Salvage, where only what strikes and defaults take comes"
    if int(state["reserve"][seat][records.RUIN]):
        yield f"{letter} has a Ruin in reserve: Ruins are in the corners or on the terrain"


def _population_faults(rules: Any, state: Any, seat: int) -> Iterator[str]:
    letter, pop, riding = SEATS[seat], int(state["pop"][seat]), int(state["bay_pop"][seat])
    flags, embassy = int(state["flag_limit"][seat]), int(state["embassy"][seat])
    if pop < 0 or embassy < 0:
        yield f"{letter} has less than no population"
    if pop + riding > flags:
        yield f"{letter} has {pop + riding} population, Salvage counted, but {flags} flags (R89)"
    if embassy > min(pop, int(rules["embassy_housing"])):
        yield f"{letter} has {embassy} in the Embassy: at most {min(pop, int(rules['embassy_housing']))} (R55)"
    if state["struck"] >= 0 or state["lifted"] >= 0:
        return  # a Habitat is on its way
    most = int(homes(rules, state, seat)) + (
        int(rules["embassy_housing"]) if state["linked"][seat] else embassy
    )
    if pop > most:
        yield f"{letter} has {pop} population, its colony houses {most}"


def _track_faults(rules: Any, state: Any, seat: int) -> Iterator[str]:
    square, lap, length = int(state["square"][seat]), int(state["lap"][seat]), int(rules["n_squares"])
    if not 0 <= lap < length or (int(rules["own_stop"][seat]) + lap) % length != square:
        yield (
            f"{SEATS[seat]} stands on square {square} after {lap} steps, but its own stop is square "
            f"{int(rules['own_stop'][seat])} of {length}"
        )


# --- treasury and events -------------------------------------------------------------------------------------


def _treasury_faults(rules: Any, state: Any, position: Given) -> Iterator[str]:
    """More cards or meteorites than there are; what a case does not say of the treasury is not counted."""
    named = counts_of(position.text("treasury"), BANK_NAMES, "treasury")
    for k, name in enumerate(BANK_NAMES):
        box, bank = int(rules["treasury"][k]), named.get(name, 0)
        if box < 0 or bank < 0:
            continue
        if name in CARDS:
            out = sum(int(state["cards"][seat][k]) for seat in range(int(state["players"])))
        else:
            out = sum(int(what) == records.METEORITE for what in state["what"])
        if out + bank > box:
            where = f", {bank} in the treasury" if bank else ""
            yield f"{name}: {out} are out{where}, there are {box}"


def _offer_faults(state: Any) -> Iterator[str]:
    """An offer of cards that somebody does not have."""
    if state["giver"] < 0:
        return
    for side, kind in (("giver", "give"), ("other", "get")):
        seat, traded = int(state[side]), int(state[f"{kind}_kind"])
        held = [int(n) for n in (*state["cards"][seat], *state["kept"][seat])][traded]
        if held < state[f"{kind}_count"]:
            yield f"{SEATS[seat]} has {held} of the {int(state[f'{kind}_count'])} {TRADED_NAMES[traded]} on offer (R72)"


def _event_faults(rules: Any, state: Any, position: Given) -> Iterator[str]:
    """More copies of an event card than the deck has; a deck that the case does not give is not counted."""
    there: Counter[str] = Counter()
    if "deck" in position:
        there.update(EVENT_WORDS[kind] for kind in deck_kinds(state))
    for seat in range(int(state["players"])):
        there.update({name: int(state["kept"][seat][k]) for k, name in enumerate(KEPT_NAMES)})
        if int(state["dealt"][seat]) >= 0:
            there[EVENT_WORDS[int(state["dealt"][seat])]] += 1
    for word, n in there.items():
        copies = int(rules["event_counts"][EVENT_WORDS.index(word)])
        if n > copies:
            yield f"event {word} is there {n} times, there are {copies} (event_counts)"
