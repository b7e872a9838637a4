"""Worked cases of Migration, as ``tests/cases/migration/*.toml`` writes them, run by the referee.

The referee begins between two turns on land that is given: cases on families of maps, of a Draft, of a deal, or of
what lies around a game (Founder, bans, series) are left to the engine.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from tests.reference import cases
from tests.reference.migration.ages import CARDS
from tests.reference.migration.position import DIRECTIONS, Hex, text
from tests.reference.migration.referee import Referee

SEATS = "ABCD"
_KEYS = (
    "map",
    "players",
    "hands",
    "to_move",
    "turns",
    "founder",
    "first",
    "standing",
    "reveals",
    "active",
    "deck",
)
_KEYS += ("agenda", "revealed", "groups", "splitter")
_STATE = (
    "scores",
    "legal_includes",
    "legal_excludes",
    "targets",
    "position",
    "spirits",
    "hands",
    "phase",
    "to_move",
)
_STATE += (
    "over",
    "ended",
    "how",
    "winner",
    "turn",
    "interior",
    "coastal",
    "passes",
    "active",
    "face_up",
    "revealed",
)
_STATE += ("pools", "banned", "founder", "first", "standing", "leader")
_ENGINE = {"groups", "reveals", "standing", "founder", "first", "deal"}
_ASKED_OF_ENGINE = {"pools", "banned", "founder", "first", "standing", "leader"}


def load(path: Path) -> list[dict[str, Any]]:
    """The cases of a file."""
    return cases.load(path, "migration", _KEYS, _STATE)


def for_referee(case: dict[str, Any]) -> bool:
    """Whether the referee can start where the case does, and knows what is asked of it."""
    asked = set(case.get("before", {})) | set(case.get("after", {}))
    drawn = {"draft", "bans"} & set(case.get("parameters", {}))
    return land_of(case["map"]) is not None and not (set(case) & _ENGINE or asked & _ASKED_OF_ENGINE or drawn)


# ---------------------------------------------------------------- reading a case


def land_of(words: str) -> dict[Hex, dict[str, Any]] | None:
    """The land of a list of hexes or a small map; None for a family of maps."""
    land: dict[Hex, dict[str, Any]] = {}
    small = re.match(r"flower|(?:row|line) (\d+)", words)
    if small:
        hexes = [(q, 0) for q in range(int(small[1]))] if small[1] else [(0, 0), *DIRECTIONS]
        land = {h: region("") for h in hexes}
        words = words[small.end() :].strip()
    elif not re.match(r"-?\d", words.strip()):
        return None
    for part in filter(None, re.split(r"\s+(?=-?\d+\s*,)", words)):
        where, _, what = part.partition("=")
        q, r = where.split(",")
        land[int(q), int(r)] = region(what)
    return land


def region(words: str) -> dict[str, Any]:
    """One hex: terrain, Forest symbol, whether it is a Desert laid in the sea."""
    names = {" ".join(name.split()) for name in words.split("+")} - {"", "plain land"}
    sea = "sea Desert" in names
    return {"terrain": terrain(names, sea), "forest": "Forest" in names, "sea": sea}


def terrain(names: set[str], sea: bool) -> set[str]:
    """The modifiers among the words of a hex."""
    return (names - {"Forest", "sea Desert"}) | ({"Desert"} if sea else set())


def hand_of(words: str) -> dict[str, int]:
    """A hand such as ``2xRats PoisonOak``."""
    hand: dict[str, int] = {}
    for word in words.replace("Poison Oak", "PoisonOak").split():
        count, times, name = word.rpartition("x") if re.match(r"\d+x", word) else ("1", "x", word)
        kind = name.replace("PoisonOak", "Poison Oak")
        hand[kind] = hand.get(kind, 0) + int(count if times else 1)
    return hand


def set_up(case: dict[str, Any]) -> Referee:
    """The game of a case, before what is done."""
    seats = sorted(case["hands"])
    land = land_of(case["map"])
    assert land is not None
    towns: dict[Hex, Any] = {}
    spirits: list[Hex | None] = [None] * len(seats)
    for part in filter(None, (part.strip() for part in case.get("position", "").split(";"))):
        where, what = part.replace("Poison Oak", "PoisonOak").split()
        q, r = where.split(",")
        h = (int(q), int(r))
        top, _, below = what.partition("/") if ":" in what else (what, "", "")
        if top.startswith("w"):
            top, below = "", top
        towns[h] = ["w"] * (int(below[1:] or 1) if below else 0)
        if top.endswith("*"):
            spirits[SEATS.index(top[0])] = h
        if ":" in top:
            kind = top[2:].rstrip("*").replace("PoisonOak", "Poison Oak")
            towns[h].append((kind, SEATS.index(top[0])))
    return Referee.at(
        land,
        [hand_of(case["hands"][seat]) for seat in seats],
        towns,
        parameters_of(case),
        to_move=SEATS.index(case.get("to_move", "A")),
        spirits=spirits,
        turns=[case.get("turns", {}).get(seat, 1) for seat in seats],
        ages=ages_of(case, seats),
        active=case.get("active"),
        revealed=shown(case, seats) if "revealed" in case else None,
    )


def parameters_of(case: dict[str, Any]) -> dict[str, Any]:
    """What differs from the defaults; the abilities of the basic game are told by one word."""
    flat = {}
    for name, value in case.get("parameters", {}).items():
        if isinstance(value, dict):
            flat |= {name: value}
        elif name.partition(".")[0] not in ("set_counts", "modifier_counts"):
            flat[name] = value
    return flat


def shown(case: dict[str, Any], seats: list[str]) -> list[list[str]]:
    """What lies open of each hand."""
    hands = [hand_of(case["revealed"].get(seat, "")) for seat in seats]
    return [[kind for kind, n in hand.items() for _ in range(n)] for hand in hands]


def ages_of(case: dict[str, Any], seats: list[str]) -> dict[str, Any] | None:
    """The Age Cards on the table."""
    params = case.get("parameters", {})
    mode = params.get("age_mode", "none")
    if mode == "none":
        return None
    known = dict(CARDS)
    if params.get("age_file"):
        own = tomllib.loads(
            (Path(__file__).parents[2] / "cases" / "migration" / params["age_file"]).read_text()
        )
        known |= {name: set(card["switches"]) for name, card in own["card"].items()}
    if mode == "agenda":
        deck = [case.get("agenda", {}).get(seat) for seat in seats]
    else:
        deck = case.get("deck", [params["age"]] if params.get("age", "random") != "random" else [])
    return {"mode": mode, "cards": known, "deck": deck}


# ---------------------------------------------------------------- running it


def run(case: dict[str, Any]) -> list[str]:
    """What does not hold in a case, in words."""
    referee = set_up(case)
    return cases.play(plain(case), referee, referee.do, compare)


def plain(case: dict[str, Any]) -> dict[str, Any]:
    """The case with its actions as the referee writes them, and the lists of actions by their common names."""

    def words(action: str) -> str:
        action = " ".join(action.replace("PoisonOak", "Poison Oak").split())
        if not action.startswith("reveal "):
            return action
        kinds = list(hand_of(action.removeprefix("reveal ")).items())
        names = sorted((kind for kind, n in kinds for _ in range(n)), key=list(ORDER).index)
        return "reveal " + " ".join(names)

    def state(given: dict[str, Any]) -> dict[str, Any]:
        other = {"legal_includes": "includes", "legal_excludes": "illegal", "over": "ended"}
        found = {other.get(key, key): value for key, value in given.items()}
        return {
            key: [words(action) for action in cases.listed(value)] if key in cases.LISTS else value
            for key, value in found.items()
        }

    return {
        **case,
        "before": state(case.get("before", {})),
        "after": state(case.get("after", {})),
        "do": [words(action) for action in case.get("do", [])],
        "illegal": [words(action) for action in cases.listed(case.get("illegal", []))],
    }


ORDER = ("Bass", "Oak", "Rats", "Sparrow", "Fly", "Wolf", "Skunk", "Poison Oak", "Jackal", "Lizard", "Cactus")


def compare(referee: Referee, expected: dict[str, Any]) -> list[str]:
    """Compare what is named in `expected` with the position."""
    now = referee.snapshot()
    seats = SEATS[: len(now["hands"])]
    over = now["phase"] == "over"
    best = max(now["scores"])
    leaders = [seat for seat, points in zip(seats, now["scores"]) if points == best]
    found: dict[str, Any] = {
        "scores": dict(zip(seats, now["scores"])),
        "phase": now["phase"],
        "ended": over,
        "turn": now["turn"],
        "winner": "tie" if len(leaders) == len(seats) else "+".join(leaders),
        "how": now.get("ended") or ("finished" if over else "running"),
        "to_move": SEATS[now["to_move"]],
        "passes": dict(zip(seats, now["passes"])),
        "active": now["active"] or "",
        "face_up": now["face_up"] or "",
        "spirits": {seat: "" if h is None else text(h) for seat, h in zip(seats, now["spirits"])},
        "position": board_of(referee, now),
        "interior": sorted(map(text, referee.interior)),
        "coastal": sorted(map(text, referee.coastal)),
    }
    problems = []
    for key, value in expected.items():
        if key in cases.LISTS:
            problems += cases.list_problems(referee, key, value)
        elif key in ("hands", "revealed"):
            for seat, hand in value.items():
                have = now[key][SEATS.index(seat)]
                have = have if key == "hands" else hand_of(" ".join(k.replace(" ", "") for k in have))
                have = {kind: n for kind, n in have.items() if n}
                problems += cases.value_problems(f"{key} {seat}", [hand_of(hand)], [have])
        elif key == "targets":
            for kind, hexes in value.items():
                name = kind.replace("PoisonOak", "Poison Oak")
                ways = [a for a in cases.actions_of(referee) if a.partition(" ")[2].startswith(f"{name} ")]
                problems += cases.value_problems(
                    f"targets {kind}", sorted(hexes), sorted({a.split()[-1] for a in ways})
                )
        elif key == "position":
            problems += cases.value_problems(key, lying(value), found[key])
        else:
            wanted = sorted(value) if key in ("interior", "coastal") else value
            problems += cases.value_problems(key, wanted, found[key])
    return problems


def lying(words: str) -> list[str]:
    """What a text says of the board, Region by Region."""
    parts = (" ".join(part.split()) for part in words.replace("Poison Oak", "PoisonOak").split(";"))
    return sorted(part for part in parts if part and part != "(empty)")


def board_of(referee: Referee, now: dict[str, Any]) -> list[str]:
    """What lies on the board, as cases write it."""
    found = []
    for h, what in now["regions"].items():
        down, spirits = now["face_down"][h], [SEATS[s] for s, at in enumerate(now["spirits"]) if at == h]
        below = f"w{down if down > 1 else ''}" if down else ""
        if what is None or what == ("Wasteland",):
            words = below or "".join(f"{seat}*" for seat in spirits)
        else:
            _, kind, owner = what
            words = f"{SEATS[owner]}:{kind.replace(' ', '')}{'*' if spirits else ''}{'/' + below if below else ''}"
        if words:
            found.append(f"{text(h)} {words}")
    return sorted(found)
