"""From a case's text to records: rules, and a position laid out on them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from sim.core.errors import Refusal, nearest
from sim.core.game import Entrant
from sim.games.mars import setup_cell
from sim.games.mars.notation import BANK_NAMES, KEPT_NAMES, SEATS, TRADED_NAMES
from sim.games.mars.rules import state as records
from sim.games.mars.rules.dealing import wipe
from sim.games.mars.rules.params import CARDS, EVENT_NUMBERS
from sim.games.mars.rules.population import house
from sim.games.mars.rules.tiles import bury, crash, lay, set_up_board

PARTS = ("pop", "embassy", "cards", "events", "reserve", "bay", "square", "marks")
"""Parts of a seat's line."""


def make_cell(parameters: Mapping[str, Any], players: int, base: Path | None) -> Any:
    """Return the cell of a case: random bots, the `lab` map unless another is named."""
    values = {"map": "lab", **parameters}
    return setup_cell.prepare(values, players, [Entrant(seat, "random") for seat in SEATS[:players]], base)


def seat_number(name: Any, where: str) -> int:
    """Return the number of a seat."""
    if not isinstance(name, str) or len(name) != 1 or name not in SEATS:
        raise Refusal(f"{where}: {name!r} is no player; players are A, B, C, D")
    return SEATS.index(name)


def tile_at(rules: Any, text: str, where: str) -> int:
    """Return the tile at ``q,r``."""
    match = re.fullmatch(r"(-?\d+),(-?\d+)", text.strip())
    if match:
        q, r = int(match[1]), int(match[2])
        for tile in range(int(rules["n_tiles"])):
            if rules["q"][tile] == q and rules["r"][tile] == r:
                return tile
    raise Refusal(f"{where}: there is no tile {text.strip()!r} on this map")


def number_of(text: str, where: str) -> int:
    """Return a whole number."""
    if not re.fullmatch(r"[+-]?\d+", text):
        raise Refusal(f"{where}: {text!r} is no whole number")
    return int(text)


def counts_of(text: str, names: tuple[str, ...], where: str) -> dict[str, int]:
    """Return ``M 2 W 0`` as a dict; ``-`` stands for unlimited (-1)."""
    words = text.split()
    if len(words) % 2:
        raise Refusal(f"{where}: {text!r} should be pairs such as 'M 2 W 1'")
    found: dict[str, int] = {}
    for name, n in zip(words[::2], words[1::2]):
        if name not in names:
            raise Refusal(f"{where}: there is nothing called {name!r}{nearest(name, names)}")
        found[name] = -1 if n == "-" else number_of(n, where)
    return found


def parts_of(text: str, where: str) -> dict[str, str]:
    """Return the parts of a seat's line by name; the one that begins with a card is ``cards``."""
    found: dict[str, str] = {}
    for part in str(text).split("|"):
        words = part.split(maxsplit=1)
        if not words:
            continue
        head, rest = words[0], words[1] if len(words) > 1 else ""
        if head in CARDS:
            head, rest = "cards", f"{found.get('cards', '')} {part.strip()}"
        if head not in PARTS:
            raise Refusal(f"{where}: unknown part {head!r}{nearest(head, (*PARTS, *CARDS))}")
        found[head] = rest.strip()
    return found


def structures_of(text: str, where: str) -> list[tuple[int, bool]]:
    """Return structures such as ``2xTunnel Mine Habitat*`` one by one: kind, and whether starred."""
    found = []
    for word in [] if text == "-" else text.split():
        match = re.fullmatch(r"(?:(\d+)x)?([A-Za-z]+)(\*?)", word)
        if not match:
            raise Refusal(f"{where}: {word!r} is no structure")
        kind = setup_cell.structure_code(match[2], where)
        found += [(kind, bool(match[3]))] * int(match[1] or 1)
    return found


def event_of(word: str, where: str) -> int:
    """Return the kind of an event card written ``E5``."""
    numbers = [f"E{number}" for number in EVENT_NUMBERS]
    if word not in numbers:
        raise Refusal(f"{where}: there is no event {word!r}{nearest(word, numbers)}")
    return numbers.index(word)


def blank(cell: Any) -> Any:
    """Return a state array (length 1) with HQs and Embassy on the board and nothing else."""
    rules = cell.rules[0]
    states = np.zeros(1, dtype=records.State)
    state = states[0]
    wipe(state)
    state["players"] = cell.players
    state["phase"] = records.ACT
    state["stage"] = records.ACTING
    for k in range(len(BANK_NAMES)):
        state["bank"][k] = rules["treasury"][k]
    for seat in range(cell.players):
        state["pop"][seat] = 1
        state["flag_limit"][seat] = rules["stock"][records.FLAGS]
        state["square"][seat] = rules["own_stop"][seat]
        state["never"][seat] = cell.entrants["never"][seat]
    set_up_board(rules, state)
    return states


def lay_seat(rules: Any, state: Any, seat: int, text: str, where: str) -> None:
    """Write one seat's line into the state."""
    parts = parts_of(text, where)
    for key in ("pop", "embassy"):
        if key in parts:
            state[key][seat] = number_of(parts[key], where)
    for name, n in counts_of(parts.get("cards", ""), CARDS, where).items():
        state["cards"][seat][CARDS.index(name)] = n
    for word in parts.get("events", "-").replace("-", "").split():
        if word not in KEPT_NAMES:
            raise Refusal(f"{where}: event {word!r} is not kept{nearest(word, KEPT_NAMES)}")
        state["kept"][seat][KEPT_NAMES.index(word)] += 1
    for kind, _ in structures_of(parts.get("reserve", "-"), where):
        state["reserve"][seat][kind] += 1
    for kind, starred in structures_of(parts.get("bay", "-"), where):
        state["bay"][seat][kind] += 1
        state["bay_pop"][seat] += starred
    if "square" in parts:
        words = parts["square"].split()
        square, length = number_of(words[0], where), int(rules["n_squares"])
        if not 0 <= square < length:
            raise Refusal(f"{where}: square {square}: the track has the squares 0 to {length - 1}")
        state["square"][seat] = square
        lap = (square - int(rules["own_stop"][seat])) % length
        state["lap"][seat] = number_of(words[1], where) if len(words) > 1 else lap
    for word in parts.get("marks", "-").replace("- ", "").split():
        if word in ("dust", "cut"):
            state[word][seat] = 1
        elif word == "quit":
            state["gone"][seat] = 1
        elif word.startswith("out:"):
            state["tunnels_out"][seat] = number_of(word.removeprefix("out:"), where)
        elif word.startswith("dealt:"):
            state["dealt"][seat] = event_of(word.removeprefix("dealt:"), where)
        elif word.startswith("never:"):
            for name in word.removeprefix("never:").split(","):
                state["never"][seat] |= 1 << setup_cell.structure_code(name, where)
        elif word != "-":
            raise Refusal(f"{where}: unknown mark {word!r}")


def lay_board(rules: Any, state: Any, text: str, where: str) -> None:
    """Put the structures of a board line on the terrain."""
    pieces = [piece.split() for piece in text.split(";") if piece.strip() and piece.strip() != "-"]
    for words in sorted(pieces, key=lambda w: "Ruin" in w[-1]):
        if len(words) != 2:
            raise Refusal(f"{where}: {' '.join(words)!r}: write tile and piece, such as '-3,0 A:Tunnel'")
        tile, name = tile_at(rules, words[0], where), words[1]
        if name == "Embassy" or name.endswith(":HQ"):
            continue
        if int(state["what"][tile]) != records.NOTHING:
            raise Refusal(f"{where}: two pieces on tile {words[0]}")
        top, slash, below = name.partition("/")
        seat, _, kind = top.rpartition(":")
        owner = seat_number(below.removesuffix(":Tunnel"), where) if slash else -1
        if top.partition(":")[0] == "meteorite":
            crash(rules, state, tile)
            state["fresh"][:, rules["word"][tile]] &= ~rules["flag"][tile]
            for letter in top.removeprefix("meteorite").removeprefix(":"):
                state["fresh"][seat_number(letter, where), rules["word"][tile]] |= rules["flag"][tile]
            if slash:
                bury(state, np.int64(owner), np.int64(tile))
        elif kind == "Ruin":
            if slash:
                lay(rules, state, np.int64(owner), np.int64(records.TUNNEL), np.int64(tile))
            payer = seat_number(seat, where) if seat else -1
            lay(rules, state, np.int64(payer), np.int64(records.RUIN), np.int64(tile))
        else:
            seat, _, kind = name.partition(":")
            code = setup_cell.structure_code(kind, where)
            lay(rules, state, np.int64(seat_number(seat, where)), np.int64(code), np.int64(tile))


def lay_common(rules: Any, state: Any, position: Mapping[str, Any], where: str) -> None:
    """Write everything that belongs to no seat."""
    for name, n in counts_of(str(position.get("treasury", "")), BANK_NAMES, where).items():
        state["bank"][BANK_NAMES.index(name)] = n
    ruins = sum(int(what) == records.RUIN for what in state["what"])
    state["corners"] = int(position.get("corners", int(rules["ruins"]) - ruins))
    deck, _, seen = str(position.get("deck", " ".join(f"E{n}" for n in EVENT_NUMBERS))).partition("|")
    cards = [event_of(word, where) for word in ([] if deck.strip() == "-" else deck.split())]
    if len(cards) > 120:
        raise Refusal(f"{where}: deck: {len(cards)} cards are too many")
    state["deck"][: len(cards)] = cards
    state["deck_size"] = len(cards)
    state["seen"] = number_of(seen.replace("seen", "").strip() or "0", where)
    storm = position.get("storm", "-")
    state["storm"] = -1 if storm == "-" else seat_number(storm, where)
    report = str(position.get("report", "-"))
    state["report"] = -1 if report == "-" else number_of(report, where)
    state["turn"] = int(position.get("turn", 0))
    for seat in range(int(state["players"])):
        state["turns_taken"][seat] = 1


def lay_pending(rules: Any, state: Any, text: str, where: str) -> None:
    """Write what is under way: a lifted piece, an offer, a struck building."""
    if text == "-":
        return
    match = re.fullmatch(r"(?:([A-D]):)?(\w+) from (\S+)", text)
    if match:
        state["lifted"] = setup_cell.structure_code(match[2], where)
        state["lifted_from"] = tile_at(rules, match[3], where)
        state["lifted_owner"] = seat_number(match[1], where) if match[1] else -1
        return
    match = re.fullmatch(r"([A-D]) to ([A-D]): (?:(\d) )?(\w+) for (?:(\d) )?(\w+)", text)
    if match:
        state["giver"], state["other"] = seat_number(match[1], where), seat_number(match[2], where)
        for key, kind, count in (("give", match[4], match[3]), ("get", match[6], match[5])):
            if kind not in TRADED_NAMES:
                raise Refusal(f"{where}: pending: {kind!r} is not traded{nearest(kind, TRADED_NAMES)}")
            state[f"{key}_kind"], state[f"{key}_count"] = TRADED_NAMES.index(kind), int(count or 1)
        return
    match = re.fullmatch(r"([A-D]) (\w+)(?: with (\d))?( default)?", text)
    if not match:
        raise Refusal(f"{where}: pending: {text!r} is not understood")
    state["struck_owner"] = seat_number(match[1], where)
    state["struck"] = setup_cell.structure_code(match[2], where)
    state["homeless"], state["defaulted"] = int(match[3] or 0), int(bool(match[4]))


def lay_doing(rules: Any, state: Any, text: str, where: str) -> None:
    """Write what the turn is at."""
    words = text.split()
    stops = {"water": records.WATER_DUE, "mines": records.MINES_DUE}
    stops |= {"shipment": records.SHIPMENT, "accept": records.WELCOME}
    if text == "-":
        return
    if words[0] == "mines" and len(words) == 2:
        state["stage"], state["due"] = records.MINING, number_of(words[1], where)
    elif words[0] == "exploration":
        state["stage"] = records.EXPLORED
    elif words[0] == "stop" and len(words) > 1 and words[1] in stops:
        state["stage"] = stops[words[1]]
        state["due"] = number_of(words[2], where) if len(words) > 2 else 0
    elif words[0] == "event" and len(words) > 1:
        state["stage"], state["event"], state["go"] = records.EVENT, event_of(words[1], where), 1
        if len(words) > 2 and words[2] in SEATS:
            state["go"] = (seat_number(words[2], where) - int(state["mover"])) % int(state["players"]) + 1
        elif len(words) > 2:
            state["due"] = number_of(words[2], where)
    else:
        raise Refusal(f"{where}: doing: {text!r} is not understood")


def lay_out(cell: Any, position: Mapping[str, Any], where: str) -> Any:
    """Return the position of a case as a state array of length 1."""
    rules = cell.rules[0]
    states = blank(cell)
    state = states[0]
    lay_board(rules, state, str(position.get("board", "")), where)
    for seat in SEATS[: cell.players]:
        lay_seat(rules, state, SEATS.index(seat), str(position.get(seat, "")), f"{where}, {seat}")
    lay_common(rules, state, position, where)
    mover = seat_number(position.get("to_move", "A"), where)
    state["seat"] = mover
    state["mover"] = seat_number(position.get("mover", SEATS[mover]), where)
    state["first"] = seat_number(position.get("first", "A"), where)
    phase = str(position.get("phase", "act"))
    if phase not in records.PHASES[2:]:
        raise Refusal(f"{where}: there is no phase {phase!r}{nearest(phase, records.PHASES[2:])}")
    state["phase"] = records.PHASES.index(phase)
    if phase == "counter" or phase == "answer":
        state["mover"] = seat_number(str(position.get("pending", "A"))[:1], where)
    lay_doing(rules, state, str(position.get("doing", "-")), where)
    lay_pending(rules, state, str(position.get("pending", "-")), where)
    for letter in str(position.get("offers", "-")).replace("-", ""):
        if letter in "!*":
            state["closed" if letter == "!" else "grown"] = 1
        else:
            state["asked"] |= 1 << seat_number(letter, where)
            state["offers"] += 1
    for number in range(cell.players):
        named = "embassy" in parts_of(str(position.get(SEATS[number], "")), where)
        if not named and state["struck"] < 0 and not state["gone"][number]:
            house(rules, state, np.int64(number))
    return states
