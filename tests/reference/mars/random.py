"""Random rules, deals and lively play of Migration: Mars, for the referee and the co-step."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

from tests.reference.mars.board import PLACES, Board, read_tile, track_of
from tests.reference.mars.referee import Referee
from tests.reference.mars.rules import (
    BUILDINGS,
    CARDS,
    EVENTS,
    PRODUCTION,
    READINGS,
    STRUCTURES,
    full_rules,
)
from tests.reference.mars.table import SEATS, Table, bay_order, reserve_text

RICH = {"M": 9, "W": 9, "S": 9, "Med": 3, "RCU": 6, "Oly": 4, "Tunnel": 3}
AMPLE = {"M": 60, "W": 60, "S": 60, "Med": 40, "RCU": 40, "Oly": 40}

# Settings under which rare things happen often. Each is joined with readings drawn at random.
SCENES: dict[str, dict[str, Any]] = {
    "plain": {},
    "quick": {"target": 3, "turn_cap": 200, "hq_housing": 3},
    "rich": {"start": RICH, "treasury": AMPLE},
    "colony": {
        "target": 6,
        "oly_per_pop": 2,
        "start": RICH | {"population": 2, "W": 12},
        "treasury": AMPLE | {"W": 80},
        "start_building": "LSC",
        "track": "little",
        "tunnel_cost": {"S": 0},
        "habitat_cost": {"M": 1, "W": 0, "S": 0},
    },
    "meteors": {
        "target": 6,
        "start": RICH | {"population": 2, "Med": 6, "W": 12},
        "start_building": "LSC",
        "habitat_cost": {"M": 1, "W": 0, "S": 0},
        "move_die": 9,
        "treasury": AMPLE | {"meteorite": 12},
        "die": {"blueprint": 0, "olympium": 1, "population": 1, "meteorite": 5, "injury": 1, "blank": 1},
        "event_counts": {"Called Meteorite": 8, "Stray Meteorite": 8, "Meteor Shower": 6},
        "tunnel_cost": {"S": 0},
    },
    "traces": {
        "target": 6,
        "start": RICH | {"population": 2, "M": 12, "S": 12, "RCU": 12, "Oly": 9, "BP": 4},
        "treasury": AMPLE | {"BP": 20, "RCU": 60},
        "start_building": "LSC",
        "tunnel_cost": {"S": 0},
        "ruin_cost": {"M": 1, "W": 0, "S": 1},
        "move_die": 9,
        "die": {"population": 0, "meteorite": 5},
        "event_counts": {"Called Meteorite": 8, "Stray Meteorite": 12, "Meteor Shower": 6},
        "ruin_link": "owner",
        "cleared": "tunnel",
        "next_turn": "only",
        "movable": "tunnels too",
    },
    "mines": {
        "start": RICH | {"M": 12, "S": 12},
        "treasury": {"M": 60, "W": 40, "S": 60, "Oly": 40, "RCU": 40},
        "start_building": "Mine",
        "mine_cost": {"M": 1, "S": 0},
        "stock": {"Mine": 4},
        "mine_upkeep": {"M": 0, "S": 1},
        "salvage_bay": 1,
        "mine_kind": "choice",
        "default_swap": False,
        "event_counts": {"Breakdown": 6, "Abandoned Container": 4, "Local Storm": 3},
    },
    "wounds": {
        "start": {"population": 2, "Med": 0, "Oly": 3},
        "treasury": {"Med": 5, "Oly": 20},
        "die": {"injury": 6, "blank": 2},
        "event_counts": {"Ancient Artifact": 5, "Explorer Injured": 4, "Epidemic": 4, "Settlers": 5},
    },
    "bare treasury": {
        "start": {"M": 3, "W": 3, "S": 3},
        "treasury": {"M": 13, "W": 13, "S": 13, "Med": 5, "RCU": 5, "Oly": 2, "BP": 1, "meteorite": 2},
        "mine_cost": {"M": 1, "S": 1},
        "event_counts": {"Abandoned Container": 6, "Generator Damage": 4, "Local Storm": 3},
    },
    "ruins": {
        "start": RICH | {"M": 12, "W": 12, "S": 12, "Oly": 9, "BP": 4},
        "treasury": AMPLE | {"M": 120, "W": 120, "S": 120, "BP": 20},
        "ruin_cost": {"M": 1, "W": 0, "S": 1},
        "tunnel_cost": {"S": 0},
        "olympium_bonus": 3,
    },
    "choice": {"start_building": "choice", "start": {"M": 4, "W": 4, "S": 4}},
    "thin deck": {
        "event_counts": dict.fromkeys(EVENTS.values(), 0)
        | {"Abandoned Container": 2, "Ancient Artifact": 2, "Generator Damage": 1},
        "start": {"RCU": 0},
        "track": "little",
    },
    "events": {"track": "little", "unused_stop_event": True, "start": {"population": 2, "Oly": 1}},
    "late": {
        "track": "little",
        "target": 4,
        "hq_housing": 4,
        "victory": "after event",
        "event_counts": {"Settlers": 12, "Funded Exploration": 6},
        "die": {"population": 4, "meteorite": 0},
    },
    "free events": {
        "track": "little",
        "start": RICH,
        "treasury": AMPLE,
        "trading": "up to two",
        "trade_offers": 3,
        "trade_event12": True,
        "event_counts": {"Abandoned Container": 5, "Ancient Artifact": 5, "Generator Damage": 5},
    },
    "carried on": {
        "track": "little",
        "unused_stop_event": True,
        "start": {"population": 2},
        "event_counts": dict.fromkeys(EVENTS.values(), 0)
        | {"Abandoned Container": 8, "Ahead of Schedule": 10, "Funded Exploration": 4, "Stone Find": 3},
    },
    "debts": {
        "start": {"RCU": 0, "population": 2},
        "treasury": {"RCU": 3},
        "plant_cost": {"M": 1, "W": 0, "S": 0},
        "event_counts": {"Generator Damage": 12, "Supply Shipment": 4, "Aid Package": 3, "Breakdown": 4},
    },
    "salvage": {
        "start": RICH | {"M": 12, "S": 12, "RCU": 2},
        "treasury": AMPLE,
        "start_building": "Mine",
        "salvage_bay": 1,
        "mine_upkeep": {"M": 3, "S": 3},
        "event_counts": {"Breakdown": 8, "Cargo Lost": 6, "Solar Flare": 6, "Meteor Shower": 4},
    },
}


def random_params(rng: random.Random, players: int, scene: str | None = None) -> dict[str, Any]:
    """Random rules: a scene, readings, other boards, and now and then a quitter or withheld kinds."""
    params = dict(SCENES[scene or rng.choice(list(SCENES))])
    share = rng.choice([0.0, 0.2, 0.6])
    for key, values in READINGS.items():
        if key not in params and rng.random() < share:
            params[key] = rng.choice(values)
    some: dict[str, list[Any]] = {
        "map": ["lab", "default"],
        "track": ["short", "long"],
        "quit": [{"seat": rng.randrange(players), "turn": rng.randrange(25)}],
        "never": [["Export"], ["Mine", "Ruin"], ["Tunnel"], "random 1", "random 3"],
        "dealt_event": ["random", *EVENTS.values()],
        "embassy_housing": [0, 2],
        "salvage_bay": [0, 1, 3],
        "thirst_med": [False],
        "turn_cap": [9, 60],
        "target": [3, 4, 5],
        "first_player": ["A"],
        "oly_per_pop": [1, 2],
        "reposition_rcu": [0, 1],
        "remove_meteorite_rcu": [1],
        "salvage_return_rcu": [0, 2],
        "export_resource": [1, 2],
        "export_supply": [2],
        "olympium_bonus": [0, 3],
    }
    for key, values in some.items():
        if key not in params and rng.random() < 0.12:
            params[key] = rng.choice(values)
    if rng.random() < 0.2:
        scarce = dict.fromkeys(("M", "Med", "BP", "meteorite"), -1)
        params["treasury"] = params.get("treasury", {}) | scarce
    if rng.random() < 0.15:
        params["stock"] = {"Tunnel": 4, "Habitat": 4, "Mine": 1, "flags": 6}
    if full_rules(params)["target"] <= full_rules(params)["start"]["population"]:
        del params["target"]
    return reconciled(params, players)


def reconciled(params: dict[str, Any], players: int) -> dict[str, Any]:
    """Without what set-up refuses: each player gets what is given to all, one treatment at most is random."""
    withheld, building = params.get("never", "none"), params.get("start_building", "none")
    taken = PRODUCTION if isinstance(withheld, str) and withheld != "none" else withheld
    if building in taken or "random" in (building, withheld.split()[0] if taken is PRODUCTION else ""):
        params.pop("never" if building in taken else "dealt_event", None)
    if withheld == ["Tunnel"] and full_rules(params)["die"]["blueprint"] == 0:
        params.pop("never")  # no Ruins either: nothing to build along
    dealt = params.get("dealt_event", "none")
    if "random" in (building, dealt) and taken is PRODUCTION:
        params.pop("never", None)
    names = EVENTS | {title: title for title in EVENTS.values()}
    if dealt in names:
        counts = dict(params.get("event_counts", {}))
        params["event_counts"] = counts | {names[dealt]: players + 1}
    rule = full_rules(params)
    homes = min(rule["stock"]["Habitat"], rule["stock"]["LSC"] * rule["habitats_per_lsc"])
    params["target"] = min(rule["target"], rule["hq_housing"] + homes + rule["embassy_housing"])
    return params


def small_track(folder: Path) -> str:
    """A file with a track on which stops and corners come often."""
    path = folder / "little.toml"
    path.write_text('about = "a little track"\nside = ["RUIN", "W", "STOP", "M", "S"]\n', encoding="utf-8")
    return str(path)


def small_map(folder: Path) -> str:
    """A file with a narrow map, the Embassy off its centre."""
    path = folder / "narrow.toml"
    path.write_text(
        'about = "a narrow map"\nradius = 4\nembassy = [1, 0]\nbases = [[3, -3], [1, 3], [-4, 3], [-1, -2]]\n'
        "rocky = [[0, 0], [-1, 1], [2, 0]]\ncrater = [[-2, 0], [4, -2]]\n"
        "overlays = [[[4, -4]], [[0, 4], [1, 2]], [], [[-1, -2], [-1, -3]]]\n",
        encoding="utf-8",
    )
    return str(path)


def random_position(rng: random.Random, players: int, params: dict[str, Any]) -> str:
    """A deal, as the position text says it."""
    rule = full_rules(params)
    start, treasury = rule["start"], dict(rule["treasury"])
    names = {title: card for card, title in EVENTS.items()}
    twice = ("E3", "E5", "E9", "E13", "E15", "E18")
    copies = {card: 1 + (card in twice) for card in EVENTS}
    copies |= {names[title]: count for title, count in rule["event_counts"].items()}
    deck = [card for card, count in copies.items() for _ in range(count)]
    rng.shuffle(deck)
    board = Board(rule, PLACES[players])
    side = len(track_of(rule)) // 4
    first = SEATS.index(rule["first_player"]) if rule["first_player"] in SEATS else rng.randrange(players)
    lines = []
    for seat, place in enumerate(PLACES[players]):
        board.pieces[board.bases[seat]] = (seat, "HQ")
        withheld = rule["never"]
        if isinstance(withheld, str):
            count = 0 if withheld == "none" else int(withheld.split()[1])
            withheld = rng.sample(PRODUCTION, count)
        free = {"Tunnel": start["Tunnel"]}
        building = rng.choice(BUILDINGS) if rule["start_building"] == "random" else rule["start_building"]
        if building in BUILDINGS:
            free[building] = 1
        reserve = [k for k in STRUCTURES if k not in withheld for _ in range(free.get(k, 0))]
        dealt = names.get(rule["dealt_event"], rng.choice(deck))
        marks = []
        if rule["dealt_event"] != "none" and dealt in deck:
            deck.remove(dealt)
            marks.append(f"dealt:{dealt}")
        if withheld:
            marks.append("never:" + ",".join(kind for kind in STRUCTURES if kind in withheld))
        for kind in CARDS:
            treasury[kind] -= start[kind] if treasury[kind] >= 0 else 0
            assert treasury[kind] >= -1
        parts = [f"pop {start['population']}", "embassy 0", " ".join(f"{k} {start[k]}" for k in CARDS)]
        parts += ["events -", f"reserve {reserve_text(Counter(reserve))}", "bay -"]
        parts.append(f"square {place * side + track_of(rule).index('STOP')} +0")
        lines.append(f"{SEATS[seat]}: " + " | ".join([*parts, f"marks {' '.join(marks) or '-'}"]))
    phase = "start" if rule["start_building"] == "choice" else "act"
    return "\n".join(
        [
            f"turn 0, {SEATS[first]}: {phase}",
            f"first: {SEATS[first]}",
            *lines,
            f"board: {board.text()}",
            "treasury: " + " ".join(f"{k} {'-' if n < 0 else n}" for k, n in treasury.items()),
            "corners: 4",
            f"deck: {' '.join(deck) or '-'} | seen 0",
            *["storm: -", "doing: -", "report: -", "offers: -", "pending: -"],
        ]
    )


def check_deal(position: str, players: int, params: dict[str, Any]) -> None:
    """Whether a position is a deal under these rules, but for what chance decides."""
    is_, should = (
        Table(text, params) for text in (position, random_position(random.Random(0), players, params))
    )
    assert (is_.turn, is_.phase, is_.corners, is_.seen) == (0, should.phase, should.corners, 0)
    assert is_.board.text() == should.board.text()
    assert is_.treasury == should.treasury
    assert is_.rule["first_player"] in ("rolled", "ABCD"[is_.first])
    assert is_.to_move == is_.first
    decks = [
        sorted([*table.deck, *(seat.dealt for seat in table.seats if seat.dealt)]) for table in (is_, should)
    ]
    assert decks[0] == decks[1]
    for one, other in zip(is_.seats, should.seats, strict=True):
        assert (one.pop, one.embassy, one.cards) == (other.pop, other.embassy, other.cards)
        assert (one.square, one.steps, one.events, one.bay) == (other.square, other.steps, [], [])
        assert (one.dealt is None, len(one.never)) == (other.dealt is None, len(other.never))
        assert not any(one.reserve[kind] for kind in one.never)
        if "random" not in (is_.rule["start_building"], str(is_.rule["never"]).split()[0]):
            assert (one.never, one.reserve) == (other.never, other.reserve)


# How readily a kind of action is taken; others 2.
ZEST = {"build": 6, "return": 5, "steal": 4, "accept": 4, "offer": 1, "buy": 1, "move": 1, "clear": 1}
ZEST |= {"exchange": 1, "discard": 1, "let": 1, "no": 1}
# Which pieces are built or struck more readily; others 1.
LIKED = {"Ruin": 6, "Habitat": 6, "LSC": 2, "Mine": 2}


def lively(referee: Referee, rng: random.Random) -> str:
    """A kind of action first, then what of, then one of those: many equal ones do not crowd out."""
    actions = sorted(referee.actions())
    verbs = sorted({action.split()[0] for action in actions})
    verb = rng.choices(verbs, [ZEST.get(verb, 2) for verb in verbs])[0]
    chosen = [action for action in actions if action.split()[0] == verb]
    if verb in ("build", "return", "buy", "move", "discard", "offer", "strike"):
        words = [concerned(referee, action) for action in chosen]
        kinds = sorted(set(words))
        kind = rng.choices(kinds, [LIKED.get(kind, 1) for kind in kinds])[0]
        chosen = [action for action, word in zip(chosen, words, strict=True) if word == kind]
    if verb == "build" and rng.random() < 0.5:
        return min(chosen, key=lambda action: far(referee, action.split()[2]))
    if verb == "salvage" and rng.random() < 0.7:
        return max(chosen)  # with population where that is possible
    return rng.choice(chosen)


def concerned(referee: Referee, action: str) -> str:
    """The piece or card that an action is about."""
    words = action.split()
    if words[0] == "offer":
        return words[3] if words[2].isdigit() else words[2]
    if words[0] == "strike":
        return referee.board.pieces.get(read_tile(words[1]), (-1, "open"))[1]
    return words[1]


def far(referee: Referee, where: str) -> int:
    """How far a tile lies from the Embassy."""
    q, r = (a - b for a, b in zip(read_tile(where), referee.board.embassy, strict=True))
    return max(abs(q), abs(r), abs(q + r))


def check(referee: Referee) -> None:
    """What must hold whenever a player decides."""
    rule, board = referee.rule, referee.board
    lifted = "Ruin from" in referee.pending
    assert set(board.buried) <= set(board.meteorites)
    assert len(board.ruins) + referee.corners + lifted == 4
    for seat, player in enumerate(referee.seats):
        assert min(player.cards.values()) >= 0 <= player.embassy <= player.pop
        assert player.pop + player.in_bay() <= player.flags or player.pop <= rule["start"]["population"]
        assert len(player.bay) <= rule["salvage_bay"]
        assert player.bay == bay_order(player.bay)
        for kind in ("Tunnel", *BUILDINGS):
            used = len(board.own(seat, kind)) + player.reserve[kind]
            used += sum(piece.rstrip("*") == kind for piece in player.bay)
            used += list(board.buried.values()).count(seat) * (kind == "Tunnel")
            free = kind == rule["start_building"] or rule["start_building"] in ("random", "choice")
            assert used <= max(rule["stock"][kind], rule["start"].get(kind, 0), free)
        if referee.phase != "place" and "with 1" not in referee.pending and not player.gone:
            assert player.pop <= max(referee.capacity(seat), rule["start"]["population"])
    for kind in CARDS:
        stock = referee.treasury[kind]
        held = sum(player.cards[kind] for player in referee.seats)
        assert stock is None or stock + held == rule["treasury"][kind], kind
    meteorites = referee.treasury["meteorite"]
    assert meteorites is None or meteorites + len(board.meteorites) == rule["treasury"]["meteorite"]
