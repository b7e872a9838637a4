"""Positions that cannot occur in Migration, with the place and the rule, for worked cases.

The map is not among them: a case may take any land, that of no legal founding too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sim.games.migration.notation import SEATS, hex_of
from sim.games.migration.rules import state as records
from sim.games.migration.rules.params import PIECES


def faults(rules: Any, state: Any, cards: Sequence[str]) -> Iterator[str]:
    """Say what cannot be in a position; `cards`: the names of the Age Cards."""
    yield from _board_faults(rules, state)
    for seat in range(int(state["players"])):
        yield from _spirit_faults(rules, state, seat)
        yield from _team_faults(rules, state, seat)
        yield from _oath_faults(rules, state, seat)
    yield from _set_faults(rules, state)
    yield from _card_faults(rules, state, cards)
    if int(state["founder"]) == int(state["first"]):
        yield f"{SEATS[int(state['first'])]} is Founder and goes first: the Founder never does (A13)"


def _board_faults(rules: Any, state: Any) -> Iterator[str]:
    for h in range(int(rules["n_regions"])):
        top, below = int(state["top"][h]), int(state["face_down"][h])
        if top in (records.NOTHING, records.WASTELAND):
            continue
        place, name = hex_of(rules, h), PIECES[top]
        if below == 0 and int(rules["lake"]) >> h & 1:
            yield f"{place}: a {name} Town on an open Lake: no Town is established there (D6)"
        if below and not _on_wasteland(rules, top):
            yield f"{place}: a {name} Town on Wasteland, where only a Fly may be (C1)"


def _on_wasteland(rules: Any, piece: int) -> bool:
    """Return whether a Town of this piece may stand on Wasteland, or on a Town that does (Cooperation)."""
    if rules["age_mode"]:
        switches = rules["card_switches"][: int(rules["n_cards"])]
        if any(int(card) & records.STACK_SECOND for card in switches):
            return True
    if piece == records.BASS and rules["bass_on_wasteland"]:
        return True
    return piece == records.FLY and bool(rules["fly_lands_by"] != records.FLY_NEVER)


def _spirit_faults(rules: Any, state: Any, seat: int) -> Iterator[str]:
    h = int(state["spirit"][seat])
    if h >= 0 and not int(state["town"][seat]) >> h & 1:
        letter = SEATS[seat]
        yield f"{hex_of(rules, h)}: the Spirit of {letter} is on no Town of {letter} at the beginning of a turn (B22)"


def _copies(state: Any, seat: int, piece: int) -> int:
    """Return the copies of a piece that a player has in hand and on the board."""
    towns = int(state["town"][seat]) & int(state["kind"][piece])
    return int(state["hand"][seat][piece]) + towns.bit_count()


def _team_faults(rules: Any, state: Any, seat: int) -> Iterator[str]:
    """More Explorers than the set and the team hold, or banned ones. What was drafted has bounds of its own."""
    letter, total = SEATS[seat], 0
    for piece, name in enumerate(PIECES):
        n, has = _copies(state, seat, piece), int(rules["set_counts"][piece])
        total += n
        if n and int(state["banned"]) >> piece & 1:
            yield f"{letter} has a {name}, which is banned"
        elif n > has and not rules["draft"]:
            yield f"{letter} has {n} times {name} in hand and on the board, a set holds {has} (set_counts)"
    if total > rules["hand_size"] and not rules["draft"]:
        team = int(rules["hand_size"])
        yield f"{letter} has {total} Explorers in hand and on the board, a team has {team} (hand_size)"
    if int(state["town"][seat]) and not int(state["turns_taken"][seat]):
        yield f"{letter} has a Town, but has had no turn (turns)"


def _set_faults(rules: Any, state: Any) -> Iterator[str]:
    """More pieces over all players than there are: face-down ones too, and two sets in a Draft."""
    players = int(state["players"])
    if not rules["draft"]:
        there = sum(_copies(state, seat, piece) for seat in range(players) for piece in range(len(PIECES)))
        there += int(state["face_down"].sum())
        if there > players * rules["hand_size"]:
            yield (
                f"{there} Explorers are in hands, on the board and face down, {players} teams have "
                f"{players * int(rules['hand_size'])} (hand_size)"
            )
        return
    drafting = state["stage"] == records.DRAFTING
    if drafting and (any(int(mask) for mask in state["town"]) or state["hand"].any()):
        yield "groups are there to be drafted, but somebody has Explorers in hand or a Town already"
    if int(state["n_groups"]) > 3 * players:
        yield f"{int(state['n_groups'])} groups: a Draft of {players} players has {3 * players}"
    for piece, name in enumerate(PIECES):
        n = sum(
            int(group) >> records.PIECE_WIDTH * k & records.PIECE_MASK == piece
            for group in state["groups"][: int(state["n_groups"])]
            for k in range(records.GROUP)
        )
        if n > 2 * rules["set_counts"][piece]:
            yield f"{n} times {name} in the groups, two sets hold {2 * int(rules['set_counts'][piece])} (set_counts)"
        elif n and int(state["banned"]) >> piece & 1 and rules["draft_bans"] != records.VOID:
            yield f"a {name} in the groups, which is banned and was taken out before (G3)"


def _oath_faults(rules: Any, state: Any, seat: int) -> Iterator[str]:
    """What lies open is part of the hand, and never more than two."""
    letter, shown = SEATS[seat], [int(n) for n in state["revealed"][seat]]
    if sum(shown) and not rules["oaths"]:
        yield f"{letter} has revealed Explorers, which only oaths = true knows"
    hand = int(state["hand"][seat].sum())
    if sum(shown) > 2:
        yield f"{letter} has revealed {sum(shown)} Explorers, two lie open"
    elif rules["oaths"] and state["stage"] == records.PLAYING and sum(shown) < min(2, hand):
        yield f"{letter} has revealed {sum(shown)} of {hand} Explorers, two lie open once all have sworn"
    for piece, n in enumerate(shown):
        if n > state["hand"][seat][piece]:
            yield f"{letter} has revealed a {PIECES[piece]} that is not in its hand"


def _card_faults(rules: Any, state: Any, cards: Sequence[str]) -> Iterator[str]:
    """An Age Card in two places: there is one of each."""
    lying = [int(card) for card in state["deck"][int(state["deck_place"]) : int(state["deck_size"])]]
    held = [int(card) for card in state["agenda"][: int(state["players"])] if card >= 0]
    if rules["age_mode"] == records.AGENDA:
        lying = held
    elif rules["age_mode"] == records.ERA:
        lying += held
    if int(state["active_card"]) >= 0 and rules["age_mode"] != records.SCENARIO:
        lying = [*lying, int(state["active_card"])]
    for card in sorted(set(lying)):
        if lying.count(card) > 1:
            yield f"the Age Card {cards[card]} is there {lying.count(card)} times, there is one of each"
