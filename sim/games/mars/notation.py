"""Positions and actions as text: the words of RULES.md, of worked cases and of replays."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.contract import OVER
from sim.core.errors import Refusal
from sim.core.notation import LETTERS, counts_text, place_at
from sim.core.notation import place_text as tile_text
from sim.games.mars.rules import state as records
from sim.games.mars.rules.params import CARDS, EVENT_NAMES, EVENT_NUMBERS, STRUCTURES
from sim.games.mars.rules.state import (
    A_BUILD,
    A_BUY,
    A_CLEAR,
    A_COUNTER,
    A_DEFAULT,
    A_DISCARD,
    A_EXCHANGE,
    A_GIVE,
    A_MOVE,
    A_OFFER,
    A_PUT_AWAY,
    A_RETURN,
    A_START_WITH,
    A_STEAL,
    A_STRIKE,
    A_TAKE,
    A_TO,
    EMBASSY,
    HQ,
    KINDS,
    METEORITE,
    N_CARDS,
    N_STRUCTURES,
    NOTHING,
    PHASES,
    RUIN,
)

SEATS = LETTERS[: records.MAX_PLAYERS]
TRADED_NAMES = (*CARDS, "E8", "E11", "E12")
EVENT_WORDS = tuple(f"E{number}" for number in EVENT_NUMBERS)
KEPT_NAMES = TRADED_NAMES[N_CARDS:]
BANK_NAMES = (*CARDS, "meteorite")
FACES = ("blueprint", "olympium", "population", "meteorite", "injury", "blank")
_ON_TILE = (A_BUILD, A_RETURN, A_MOVE, A_STEAL)
_TILE_ALONE = (A_CLEAR, A_TO, A_DEFAULT, A_STRIKE, A_PUT_AWAY)
_WITH_KIND = (A_BUY, A_START_WITH, A_DISCARD)
_GOING_ROUND = (records.E17, records.E21, records.E24, records.E33)


def tile_at(rules: Any, text: str, where: str) -> int:
    """Return the number of the tile at ``q,r``."""
    try:
        return place_at(rules, int(rules["n_tiles"]), text, "tile")
    except Refusal as refusal:
        raise Refusal(f"{where}: {refusal}") from None


def event_text(kind: int) -> str:
    """Return an event as its lowest printed number: ``E5``."""
    return EVENT_WORDS[kind]


def kind_of(codes: Any) -> Any:
    """Return the kinds of actions."""
    return np.asarray(codes) >> records.KIND_AT


def piece_of(codes: Any) -> Any:
    """Return the pieces of actions (structures and what is taken or given); -1 where there is none."""
    codes = np.asarray(codes)
    kinds, c = codes >> records.KIND_AT, codes & records.PART_MASK
    a = codes >> records.FIRST_AT & records.PART_MASK
    structure = np.isin(kinds, records.WITH_STRUCTURE)
    card = np.isin(kinds, records.WITH_CARD)
    return np.where(structure, a, np.where(card, c + N_STRUCTURES, -1))


def bundle_text(kind: int, count: int) -> str:
    """Return some cards: ``M`` or ``2 M``."""
    return TRADED_NAMES[kind] if count == 1 else f"{count} {TRADED_NAMES[kind]}"


def terms_text(give_kind: int, give_count: int, get_kind: int, get_count: int) -> str:
    """Return a bundle for a bundle: ``2 M for W``."""
    return f"{bundle_text(give_kind, give_count)} for {bundle_text(get_kind, get_count)}"


def action_text(action: int, rules: Any) -> str:
    """Return an action in words, such as ``build Mine 2,0``."""
    action = int(action)
    kind, a = action >> records.KIND_AT, action >> records.FIRST_AT & records.PART_MASK
    b, c = action >> records.GIVEN_AT & records.PART_MASK, action & records.PART_MASK
    word = KINDS[kind]
    if kind in _ON_TILE:
        return f"{word} {STRUCTURES[a]} {tile_text(rules, c)}"
    if kind in _TILE_ALONE:
        return f"{word} {tile_text(rules, c)}"
    if kind in _WITH_KIND:
        return f"{word} {STRUCTURES[a]}{'*' if kind == A_DISCARD and c else ''}"
    if kind == A_EXCHANGE:
        return f"{word} {CARDS[a]} for {CARDS[c]}"
    if kind in (A_TAKE, A_GIVE):
        return f"{word} {CARDS[c]}"
    if kind in (A_OFFER, A_COUNTER):
        whom = f" {SEATS[a]}" if kind == A_OFFER else ""
        give, get = ((part & records.TERM_MASK, part >> records.COUNT_AT) for part in (b, c))
        return f"{word}{whom} {terms_text(*give, *get)}"
    return word


def chance_words(rules: Any, state: Any) -> list[str]:
    """Return what was drawn since the last action: ``roll 4``, ``face injury``, ``tile 1,2``."""
    words = []
    for k in range(int(state["n_fates"])):
        kind, outcome = divmod(int(state["fates"][k]), records.FATE_KIND)
        if kind == records.FATE_ROLL:
            words.append(f"roll {outcome}")
        elif kind == records.FATE_FACE:
            words.append(f"face {FACES[outcome]}")
        else:
            words.append(f"tile {tile_text(rules, outcome)}")
    return words


def happened(rules: Any, before: Any, after: Any) -> list[str]:
    """Return what one step between decisions brought: rolls, faces, tiles, the event card that was drawn."""
    words = chance_words(rules, after)[int(before["n_fates"]) :]
    if int(before["stage"]) == records.DRAW and int(after["stage"]) == records.EVENT:
        kind = int(after["event"])
        words.append(f"event {event_text(kind)}, {EVENT_NAMES[kind]}")
    return words


# --- positions -----------------------------------------------------------------------------------------------


def what_text(rules: Any, state: Any, tile: int) -> str:
    """Return what lies on a tile: ``A:Mine``, ``Ruin/B:Tunnel``, ``meteorite`` or "" .

    Where it matters also who paid for a Ruin (``A:Ruin``) and who may still remove a meteorite (``meteorite:AC``).
    """
    what, owner = int(state["what"][tile]), int(state["owner"][tile])
    if what == NOTHING:
        return ""
    if what == EMBASSY:
        return "Embassy"
    below = f"/{SEATS[owner]}:Tunnel" if owner >= 0 else ""
    if what == METEORITE:
        fresh = fresh_text(rules, state, tile)
        return f"meteorite{':' + fresh if fresh else ''}{below}"
    if what == HQ:
        return f"{SEATS[owner]}:HQ"
    if what == RUIN:
        return f"{payer_text(rules, int(state['ruin_owner'][tile]))}Ruin{below}"
    return f"{SEATS[owner]}:{STRUCTURES[what]}"


def fresh_text(rules: Any, state: Any, tile: int) -> str:
    """Return the seats that may still remove the meteorite on `tile`, where that matters (R65)."""
    if int(rules["next_turn"]) != records.NEXT_ONLY:
        return ""
    word, bit = int(rules["word"][tile]), int(rules["flag"][tile])
    return "".join(seat for k, seat in enumerate(SEATS) if int(state["fresh"][k][word]) & bit)


def payer_text(rules: Any, seat: int) -> str:
    """Return who paid for a Ruin, where that matters (R28): ``A:`` or ""."""
    return f"{SEATS[seat]}:" if seat >= 0 and int(rules["ruin_link"]) == records.BY_OWNER else ""


def board_text(rules: Any, state: Any) -> str:
    """Return all that lies on the terrain, in reading order."""
    texts = [(tile_text(rules, t), what_text(rules, state, t)) for t in range(int(rules["n_tiles"]))]
    return " ; ".join(f"{where} {what}" for where, what in texts if what)


def reserve_text(state: Any, seat: int) -> str:
    """Return what waits to be placed: ``2xTunnel Mine``."""
    return counts_text(zip(STRUCTURES, state["reserve"][seat]))


def bay_text(state: Any, seat: int) -> str:
    """Return a Salvage bay, Habitats with population starred: ``Mine Habitat Habitat*``."""
    words = []
    for kind in range(1, RUIN):
        full = int(state["bay_pop"][seat]) if kind == records.HABITAT else 0
        words += [STRUCTURES[kind]] * (int(state["bay"][seat][kind]) - full) + [STRUCTURES[kind] + "*"] * full
    return " ".join(words) or "-"


def marks_text(state: Any, seat: int) -> str:
    """Return what else hangs on a seat."""
    words = [name for name in ("dust", "cut") if state[name][seat]]
    if state["dealt"][seat] >= 0:
        words.append(f"dealt:{event_text(int(state['dealt'][seat]))}")
    if state["never"][seat]:
        kinds = [name for k, name in enumerate(STRUCTURES) if int(state["never"][seat]) >> k & 1]
        words.append("never:" + ",".join(kinds))
    if state["tunnels_out"][seat]:
        words.append(f"out:{int(state['tunnels_out'][seat])}")
    if state["gone"][seat]:
        words.append("quit")
    return " ".join(words) or "-"


def seat_text(state: Any, seat: int) -> str:
    """Return the line of a seat, without its letter."""
    cards = " ".join(f"{name} {int(state['cards'][seat][k])}" for k, name in enumerate(CARDS))
    events = " ".join(name for k, name in enumerate(KEPT_NAMES) for _ in range(int(state["kept"][seat][k])))
    parts = [
        f"pop {int(state['pop'][seat])}",
        f"embassy {int(state['embassy'][seat])}",
        cards,
        f"events {events or '-'}",
        f"reserve {reserve_text(state, seat)}",
        f"bay {bay_text(state, seat)}",
        f"square {int(state['square'][seat])} +{int(state['lap'][seat])}",
        f"marks {marks_text(state, seat)}",
    ]
    return " | ".join(parts)


def treasury_text(state: Any) -> str:
    """Return the treasury; ``-`` is unlimited."""
    return " ".join(
        f"{name} {n if (n := int(state['bank'][k])) >= 0 else '-'}" for k, name in enumerate(BANK_NAMES)
    )


def deck_kinds(state: Any) -> list[int]:
    """Return the kinds of the event cards, top first."""
    return [int(state["deck"][(int(state["top"]) + k) % 128]) for k in range(int(state["deck_size"]))]


def deck_text(state: Any) -> str:
    """Return the deck, top first, and how many cards at its bottom everybody has seen."""
    return f"{' '.join(map(event_text, deck_kinds(state))) or '-'} | seen {int(state['seen'])}"


def doing_text(state: Any) -> str:
    """Return what the turn is at."""
    stage, due = int(state["stage"]), int(state["due"])
    if stage == records.WATER_DUE:
        return f"stop water {due}"
    if stage == records.MINES_DUE:
        return f"stop mines {due}"
    if stage == records.SHIPMENT:
        return "stop shipment"
    if stage == records.WELCOME:
        return "stop accept"
    if stage == records.MINING:
        return f"mines {due}"
    if stage == records.EXPLORED:
        return "exploration"
    if stage != records.EVENT:
        return "-"
    event = int(state["event"])
    if event in _GOING_ROUND:
        seat = (int(state["mover"]) + int(state["go"]) - 1) % int(state["players"])
        return f"event {event_text(event)} {SEATS[seat]}"
    if event in (records.E20, records.E26):
        return f"event {event_text(event)} {due}"
    return f"event {event_text(event)}"


def offers_text(rules: Any, state: Any) -> str:
    """Return whom the player has asked in this turn, whether no more may be moved, and (R57) population was bought."""
    asked = "".join(seat for k, seat in enumerate(SEATS) if int(state["asked"]) >> k & 1)
    bought = state["grown"] and int(rules["oly_pop"]) == records.ONCE_A_TURN
    return (asked + ("!" if state["moved"] else "") + ("*" if bought else "")) or "-"


def pending_text(rules: Any, state: Any) -> str:
    """Return what is under way between two decisions."""
    if state["lifted"] >= 0:
        return f"{STRUCTURES[int(state['lifted'])]} from {tile_text(rules, int(state['lifted_from']))}"
    if state["giver"] >= 0:
        terms = terms_text(*(int(state[key]) for key in ("give_kind", "give_count", "get_kind", "get_count")))
        return f"{SEATS[int(state['giver'])]} to {SEATS[int(state['other'])]}: {terms}"
    if state["struck"] >= 0:
        text = f"{SEATS[int(state['struck_owner'])]} {STRUCTURES[int(state['struck'])]}"
        if state["homeless"]:
            text += f" with {int(state['homeless'])}"
        return text + (" default" if state["defaulted"] else "")
    return "-"


def position_text(rules: Any, state: Any) -> str:
    """Return a position: everything, also what is hidden."""
    over = int(state["phase"]) == OVER
    winner = int(state["winner"])
    end = f"{SEATS[winner]} wins" if winner >= 0 else "no winner"
    now = f"over: {end}" if over else f"{SEATS[int(state['seat'])]}: {PHASES[int(state['phase'])]}"
    lines = [f"turn {int(state['turn'])}, {now}", f"first: {SEATS[int(state['first'])]}"]
    lines += [f"{SEATS[s]}: {seat_text(state, s)}" for s in range(int(state["players"]))]
    report, storm = int(state["report"]), int(state["storm"])
    lines += [
        f"board: {board_text(rules, state)}",
        f"treasury: {treasury_text(state)}",
        f"corners: {int(state['corners'])}",
        f"deck: {deck_text(state)}",
        f"storm: {SEATS[storm] if storm >= 0 else '-'}",
        f"doing: {'-' if over else doing_text(state)}",
        f"report: {report if report >= 0 else '-'}",
        f"offers: {'-' if over else offers_text(rules, state)}",
        f"pending: {'-' if over else pending_text(rules, state)}",
    ]
    return "\n".join(lines)
