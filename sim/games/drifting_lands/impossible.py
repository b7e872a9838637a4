"""Positions that cannot occur in Drifting Lands, with the place and the rule, for worked cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from sim.games.drifting_lands.notation import SEATS, space_text
from sim.games.drifting_lands.positions import land_groups
from sim.games.drifting_lands.rules import state as records
from sim.games.drifting_lands.rules.params import CARDS, LEVELS, STARTS


def faults(rules: Any, state: Any, land: str, deck: Sequence[int]) -> Iterator[str]:
    """Say what cannot be in a position.

    Parameters
    ----------
    land
        The land as the case writes it, "-" where the map's lies.
    deck
        Copies of each card in a deck.
    """
    yield from _land_faults(rules, state, land)
    for seat in range(int(state["players"])):
        yield from _pawn_faults(rules, state, seat)
        yield from _card_faults(rules, state, seat, deck)
    yield from _start_faults(rules, state)
    if int(state["round_no"]) >= int(rules["rounds"]):
        yield f"round {int(state['round_no']) + 1}: the game has {int(rules['rounds'])} rounds"


def _land_faults(rules: Any, state: Any, land: str) -> Iterator[str]:
    mountains = int((state["land"] == records.MOUNTAIN).sum())
    tiles = int((state["land"] == records.PLAIN).sum()) + 2 * mountains
    if tiles > records.TILES:
        yield f"the land has {tiles} tiles, two in each mountain: there are {records.TILES}"
    if not rules["continents_merge"] or "[" not in land:
        return
    groups = [[space for space, *_ in group] for group in land_groups(rules, land, "land")]
    for group in groups:
        apart = sorted(set(group) - _piece(rules, group))
        if apart:
            here, there = space_text(rules, group[0]), space_text(rules, apart[0])
            yield f"{there} does not hang together with {here}: tiles of one continent do (R1)"
    for one, other in combinations(groups, 2):
        touching = [(a, b) for a in one for b in rules["near"][a].tolist() if b in other]
        if touching:
            here, there = (space_text(rules, space) for space in touching[0])
            yield f"{here} and {there} touch: their continents are one (R1, continents_merge)"


def _piece(rules: Any, group: Sequence[int]) -> set[int]:
    """Return the spaces of a group that hang together with its first."""
    found, edge = set(group[:1]), list(group[:1])
    while edge:
        for other in rules["near"][edge.pop()].tolist():
            if other in group and other not in found:
                found.add(other)
                edge.append(other)
    return found


def _pawn_faults(rules: Any, state: Any, seat: int) -> Iterator[str]:
    for level in range(LEVELS):
        there, has = int((state["pawn"] == 1 + LEVELS * seat + level).sum()), int(rules["pawns"][level])
        supply = int(state["supply"][seat][level])
        if there > has:
            yield f"{SEATS[seat]} has {there} pawns of level {level + 1} on the board, a player has {has}"
        elif there + supply != has:
            yield (
                f"{SEATS[seat]} has {there} pawns of level {level + 1} on the board and {supply} in the supply, "
                f"a player has {has}"
            )


def _card_faults(rules: Any, state: Any, seat: int, deck: Sequence[int]) -> Iterator[str]:
    given = rules["lever"] in (records.GIVEN, records.EITHER)
    for card, name in enumerate(CARDS):
        has = sum(int(state[where][seat][card]) for where in ("hand", "deck", "discard"))
        if has > deck[card] + given:
            yield f"{SEATS[seat]} has {has} times {name}, a deck has {deck[card]}"
    hand, a_round = int(state["hand"][seat].sum()), int(rules["cards_per_round"])
    if hand > a_round:
        yield f"{SEATS[seat]} has {hand} cards in hand: {a_round} are selected in a round"
    before = int(state["phase"]) in (records.START, records.DRIFT)
    if before and hand:
        yield f"{SEATS[seat]} has cards in hand: they are selected after the Drifting phase"
    played, most = int(state["discard"][seat].sum()), a_round * (int(state["round_no"]) + (not before))
    if played + hand > most:
        yield (
            f"{SEATS[seat]} has {played} discards and {hand} cards in hand in round {int(state['round_no']) + 1}: "
            f"by then {most} were selected"
        )


def _start_faults(rules: Any, state: Any) -> Iterator[str]:
    starts = [int(start) for start in state["start"][: int(state["players"])]]
    for one, other in combinations(range(len(starts)), 2):
        if starts[one] < 0 or starts[other] < 0:
            continue
        both = f"{SEATS[one]} starts at {STARTS[starts[one]]} and {SEATS[other]} at {STARTS[starts[other]]}"
        if starts[one] == starts[other]:
            yield f"{both}: each continent is for one player"
        elif len(starts) == 2 and rules["two_player_start"] == records.DIAGONAL:
            if (starts[one] + 2) % records.N_STARTS != starts[other]:
                yield f"{both}: two players start in opposite corners"
