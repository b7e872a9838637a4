"""From a case's text to records: rules, and a position laid out on them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sim.core.cases.given import Given, read_seat
from sim.core.errors import Refusal, nearest
from sim.core.game import Entrant
from sim.core.params import nested
from sim.games.mars import setup_cell
from sim.games.mars.notation import (
    BANK_NAMES,
    EVENT_WORDS,
    KEPT_NAMES,
    SEATS,
    TRADED_NAMES,
    tile_at,
    tile_text,
)
from sim.games.mars.rules import state as records
from sim.games.mars.rules.dealing import wipe
from sim.games.mars.rules.params import CARDS, STRUCTURES
from sim.games.mars.rules.population import house
from sim.games.mars.rules.tiles import bury, crash, lay, set_up_board
from sim.show.texts import read_lines

PARTS = ("pop", "embassy", "cards", "events", "reserve", "bay", "square", "marks")
"""Parts of a seat's line."""


def make_cell(parameters: Mapping[str, Any], players: int, base: Path | None) -> Any:
    """Return the cell of a case: random bots, the `lab` map unless another is named."""
    values = {"map": "lab", **nested(parameters)}
    return setup_cell.prepare(values, players, [Entrant(seat, "random") for seat in SEATS[:players]], base)


def seat_number(state: Any, name: str, where: str) -> int:
    """Return the number of a seat that plays."""
    return read_seat(name, SEATS[: int(state["players"])], where)


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
        if name in found:
            raise Refusal(f"{where}: {name} is given twice")
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
        if head in found and head != "cards":
            raise Refusal(f"{where}: {head} is given twice")
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
    if word not in EVENT_WORDS:
        raise Refusal(f"{where}: there is no event {word!r}{nearest(word, EVENT_WORDS)}")
    return EVENT_WORDS.index(word)


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
        if n < 0:
            raise Refusal(f"{where}: {name} should be a number of cards")
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
        words = parts["square"].split() or [""]
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


class Piece(NamedTuple):
    """Something on the terrain as a case writes it.

    Attributes
    ----------
    kind
        Structure, HQ, EMBASSY or METEORITE.
    owner
        Seat; of a Ruin who paid for it; -1: nobody.
    below
        Owner of the Tunnel beneath, -1: none.
    fresh
        Letters of those who may still remove a meteorite.
    """

    tile: int
    kind: int
    owner: int = -1
    below: int = -1
    fresh: str = ""


def read_piece(rules: Any, text: str, seats: str, where: str) -> Piece:
    """Read ``-3,0 A:Tunnel``, ``0,2 Ruin/A:Tunnel``, ``1,0 meteorite``, or refuse it."""
    words = text.split()
    if len(words) != 2:
        raise Refusal(f"{where}: {text.strip()!r}: write tile and piece, such as '-3,0 A:Tunnel'")
    tile, name = tile_at(rules, words[0], where), words[1]
    top, slash, beneath = name.partition("/")
    below = -1
    if slash:
        match = re.fullmatch(r"(\w+):Tunnel", beneath)
        if not match or (top.rpartition(":")[2] != "Ruin" and not top.startswith("meteorite")):
            raise Refusal(f"{where}: {text.strip()!r}: only Tunnels lie below, under Ruins and meteorites")
        below = read_seat(match[1], seats, where)
    if name == "Embassy":
        return Piece(tile, records.EMBASSY)
    if top.partition(":")[0] == "meteorite":
        letters = top.removeprefix("meteorite").removeprefix(":")
        for letter in letters:
            read_seat(letter, seats, where)
        return Piece(tile, records.METEORITE, below=below, fresh=letters)
    owner, colon, kind = top.rpartition(":")
    if kind == "HQ":
        return Piece(tile, records.HQ, read_seat(owner, seats, where))
    code = setup_cell.structure_code(kind, where)
    if code != records.RUIN and not colon:
        raise Refusal(f"{where}: {text.strip()!r}: whose is it? Write A:{kind}")
    return Piece(tile, code, read_seat(owner, seats, where) if colon else -1, below)


def piece_of_text(rules: Any, text: str, seats: str) -> tuple[int, str]:
    """Return the tile of a piece and its name as the engine writes it."""
    piece = read_piece(rules, text, seats, "board")
    below = f"/{SEATS[piece.below]}:Tunnel" if piece.below >= 0 else ""
    if piece.kind == records.METEORITE:
        return piece.tile, f"meteorite{':' + piece.fresh if piece.fresh else ''}{below}"
    if piece.kind == records.EMBASSY:
        return piece.tile, "Embassy"
    owner = f"{SEATS[piece.owner]}:" if piece.owner >= 0 else ""
    return piece.tile, owner + ("HQ" if piece.kind == records.HQ else STRUCTURES[piece.kind]) + below


def lay_board(rules: Any, state: Any, text: str, where: str) -> None:
    """Put the structures of a board line on the terrain."""
    seats = SEATS[: int(state["players"])]
    pieces = [read_piece(rules, piece, seats, where) for piece in text.split(";") if piece.strip(" -")]
    for piece in sorted(pieces, key=lambda piece: piece.kind == records.RUIN):
        tile, there = piece.tile, int(state["what"][piece.tile])
        if piece.kind in (records.EMBASSY, records.HQ):  # they lie there from the start
            if there != piece.kind or piece.owner != int(state["owner"][tile]):
                name = piece_of_text(rules, f"{tile_text(rules, tile)} Embassy", seats)[1]
                name = name if piece.kind == records.EMBASSY else f"the HQ of {SEATS[piece.owner]}"
                raise Refusal(
                    f"{where}: {name} is not on {tile_text(rules, tile)}, it has a place of its own"
                )
            continue
        if there != records.NOTHING:
            raise Refusal(f"{where}: two pieces on tile {tile_text(rules, tile)}")
        if piece.kind == records.METEORITE:
            crash(rules, state, tile)
            state["fresh"][:, rules["word"][tile]] &= ~rules["flag"][tile]
            for letter in piece.fresh:
                state["fresh"][seats.index(letter), rules["word"][tile]] |= rules["flag"][tile]
            if piece.below >= 0:
                bury(state, np.int64(piece.below), np.int64(tile))
            continue
        if piece.below >= 0:
            lay(rules, state, np.int64(piece.below), np.int64(records.TUNNEL), np.int64(tile))
        lay(rules, state, np.int64(piece.owner), np.int64(piece.kind), np.int64(tile))


def lay_common(rules: Any, state: Any, position: Given) -> None:
    """Write everything that belongs to no seat."""
    where = position.where
    for name, n in counts_of(position.text("treasury"), BANK_NAMES, where).items():
        state["bank"][BANK_NAMES.index(name)] = n
    ruins = sum(int(what) == records.RUIN for what in state["what"])
    state["corners"] = position.number("corners", max(int(rules["ruins"]) - ruins, 0), most=99)
    deck, _, seen = position.text("deck", " ".join(EVENT_WORDS)).partition("|")
    cards = [event_of(word, where) for word in ([] if deck.strip() == "-" else deck.split())]
    if len(cards) > 120:
        raise Refusal(f"{where}: deck: {len(cards)} cards are too many")
    state["deck"][: len(cards)] = cards
    state["deck_size"] = len(cards)
    state["seen"] = number_of(seen.replace("seen", "").strip() or "0", where)
    storm = position.text("storm", "-")
    state["storm"] = -1 if storm == "-" else seat_number(state, storm, where)
    report = str(position.values.get("report", "-"))
    state["report"] = -1 if report == "-" else number_of(report, f"{where}: report")
    state["turn"] = position.number("turn", 0)
    for seat in range(int(state["players"])):
        state["turns_taken"][seat] = 1


def lay_pending(rules: Any, state: Any, text: str, where: str) -> None:
    """Write what is under way: a lifted piece, an offer, a struck building."""
    if text == "-":
        return
    match = re.fullmatch(r"(\w+) from (\S+)", text)
    if match:
        state["lifted"] = setup_cell.structure_code(match[1], where)
        state["lifted_from"] = tile_at(rules, match[2], where)
        return
    match = re.fullmatch(r"([A-D]) to ([A-D]): (?:(\d) )?(\w+) for (?:(\d) )?(\w+)", text)
    if match:
        state["giver"], state["other"] = (
            seat_number(state, match[1], where),
            seat_number(state, match[2], where),
        )
        for key, kind, count in (("give", match[4], match[3]), ("get", match[6], match[5])):
            if kind not in TRADED_NAMES:
                raise Refusal(f"{where}: pending: {kind!r} is not traded{nearest(kind, TRADED_NAMES)}")
            state[f"{key}_kind"], state[f"{key}_count"] = TRADED_NAMES.index(kind), int(count or 1)
        return
    match = re.fullmatch(r"([A-D]) (\w+)(?: with (\d))?( default)?", text)
    if not match:
        raise Refusal(f"{where}: pending: {text!r} is not understood")
    state["struck_owner"] = seat_number(state, match[1], where)
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
            state["go"] = (seat_number(state, words[2], where) - int(state["mover"])) % int(
                state["players"]
            ) + 1
        elif len(words) > 2:
            state["due"] = number_of(words[2], where)
    else:
        raise Refusal(f"{where}: doing: {text!r} is not understood")


def lay_out(cell: Any, position: Given) -> Any:
    """Return the position of a case as a state array of length 1."""
    rules, where, seats = cell.rules[0], position.where, SEATS[: cell.players]
    states = blank(cell)
    state = states[0]
    lay_board(rules, state, position.text("board"), f"{where}: board")
    for number, seat in enumerate(seats):
        lay_seat(rules, state, number, position.text(seat), f"{where}, {seat}")
    lay_common(rules, state, position)
    mover = position.seat("to_move", seats)
    state["seat"] = mover
    state["mover"] = position.seat("mover", seats, SEATS[mover])
    state["first"] = position.seat("first", seats)
    phase = position.text("phase", "act")
    if phase not in records.PHASES[2:]:
        raise Refusal(f"{where}: there is no phase {phase!r}{nearest(phase, records.PHASES[2:])}")
    state["phase"] = records.PHASES.index(phase)
    if phase == "counter" or phase == "answer":
        state["mover"] = seat_number(state, position.text("pending", "A")[:1], where)
    lay_doing(rules, state, position.text("doing", "-"), where)
    lay_pending(rules, state, position.text("pending", "-"), where)
    for letter in position.text("offers", "-").replace("-", ""):
        if letter in "!*":
            state["moved" if letter == "!" else "grown"] = 1
        else:
            state["asked"] |= 1 << seat_number(state, letter, where)
            state["offers"] += 1
    for number in range(cell.players):
        named = "embassy" in parts_of(position.text(SEATS[number]), where)
        if not named and state["struck"] < 0 and not state["gone"][number]:
            house(rules, state, np.int64(number))
    return states


def case_of(text: str, board: str = "") -> tuple[dict[str, Any], int | None]:
    """Return a position's text as a case lays it out, and how many turns were taken."""
    lines = read_lines(text, "board")
    found: dict[str, Any] = {**lines.said}
    if found.get("corners", "").isdecimal():
        found["corners"] = int(found["corners"])
    decider = lines.decider()
    if decider:
        found |= {"to_move": decider[0], "phase": decider[1]}
    owners = re.findall(r"\b([A-D]):", lines.said.get("board", ""))
    players = max([2, *(SEATS.index(seat) + 1 for seat in [*lines.said, *owners] if seat in [*SEATS])])
    case = {"players": players, "position": found}
    return case | {"parameters": {"map": board or "default"}}, lines.turn()
