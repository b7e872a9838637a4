"""Positions and actions as text: the words of RULES.md, of worked cases and of replays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.core.contract import OVER
from sim.core.hexgrid import SPAN
from sim.core.notation import LETTERS, counts_text, place_at
from sim.core.notation import place_text as hex_of
from sim.games.migration.rules import state as records
from sim.games.migration.rules.laying import (
    FIRST,
    LATE_FERTILE,
    NO_SITE,
    PLACE_MASK,
    SEA,
    SITE_MIDDLE,
    SITE_X_AT,
    SITE_Y_AT,
    TURNS_AT,
    X_AT,
)
from sim.games.migration.rules.params import AGE_CARDS, PIECES
from sim.games.migration.rules.state import (
    CHOOSE,
    CHOOSE_PILE,
    ENACT,
    ENTER,
    EXPAND,
    GROUP,
    KIND_AT,
    KINDS,
    LAKE_MOVE,
    LAY_FAMINE,
    LAY_HALF,
    LEAVE,
    MIGRATE,
    MOVE_ENEMY,
    OAK_MOVE,
    OTHER_AT,
    PAY_PIECE,
    PAY_SEA,
    PHASES,
    PIECE_AT,
    PIECE_MASK,
    PIECE_WIDTH,
    REGION_MASK,
    RETURN_SPIRIT,
    SHOW,
    SPLIT,
    SPLIT_GROUP,
    STACK,
    STRIFE,
    WANDER,
    WASTELAND,
    WITH_PIECE,
)

SEATS = LETTERS[: records.MAX_PLAYERS]
COMPACT = tuple(piece.replace(" ", "") for piece in PIECES)
"""Names of the Explorers without blanks, as hands and boards write them."""
_WITH_HEX = (
    *(EXPAND, ENTER, MIGRATE, OAK_MOVE, LAKE_MOVE, PAY_PIECE, LEAVE),
    *(WANDER, STACK, STRIFE, LAY_FAMINE, MOVE_ENEMY, RETURN_SPIRIT),
)
_WITH_TWO = (WANDER, MOVE_ENEMY)


def region_at(rules: Any, text: str) -> int:
    """Return the number of the Region at ``q,r``."""
    return place_at(rules, int(rules["n_regions"]), text, "Region")


def kind_of(codes: Any) -> Any:
    """Return the kinds of actions."""
    return np.asarray(codes) >> KIND_AT


def piece_of(codes: Any) -> Any:
    """Return the pieces of actions; -1 where there is none."""
    codes = np.asarray(codes)
    return np.where(np.isin(codes >> KIND_AT, WITH_PIECE), (codes >> PIECE_AT) & PIECE_MASK, -1)


def action_text(action: int, rules: Any, cards: Sequence[str] = tuple(AGE_CARDS), state: Any = None) -> str:
    """Return an action in words, such as ``migrate Rats 2,0``.

    `cards` are the names of the Age Cards; with `state` a split names its pieces instead of their places.
    """
    kind, other = action >> KIND_AT, (action >> OTHER_AT) & REGION_MASK
    piece, h = (action >> PIECE_AT) & PIECE_MASK, action & REGION_MASK
    if kind == PAY_SEA:
        return f"pay {PIECES[piece]} at sea"
    if kind == SHOW:
        return f"reveal {PIECES[piece]} {PIECES[other]}"
    if kind == ENACT:
        return f"enact {cards[h]}"
    if kind == SPLIT_GROUP:
        return f"split {split_text(state, action & 31)}"
    if kind == CHOOSE_PILE:
        return f"choose {h}"
    if kind == LAY_HALF:
        return f"found {action & 0xFFFF}" if state is None else f"found {found_text(state, action & 0xFFFF)}"
    words = [KINDS[kind]]
    if kind in WITH_PIECE:
        words.append(PIECES[piece])
    if kind in _WITH_TWO:
        words.append(hex_of(rules, other))
    if kind in _WITH_HEX:
        words.append(hex_of(rules, h))
    return " ".join(words)


def group_pieces(state: Any) -> list[str]:
    """Return the pieces of the group that is being split."""
    group = int(state["groups"][int(state["group"])])
    codes = [group >> PIECE_WIDTH * k & PIECE_MASK for k in range(GROUP)]
    return [PIECES[code] for code in codes if code < len(PIECES)]


def found_text(state: Any, code: int) -> str:
    """Return a step of a founding in words."""
    step, halves = int(state["found_step"]), 2 * int(state["players"])
    x, y = (code >> X_AT & PLACE_MASK) - SPAN // 2, (code & PLACE_MASK) - SPAN // 2
    if step < halves:
        return f"half of {4 if step % 2 == 0 else 3} at {x},{y} turned {code >> TURNS_AT}"
    if step == halves + FIRST:
        return f"{SEATS[code & PLACE_MASK]} goes first"
    kind = {SEA: "sea Desert", LATE_FERTILE: "Fertile"}.get(step - halves)
    kind = kind or TERRAIN_NAMES[step - halves]
    if (code >> X_AT & PLACE_MASK) == (code & PLACE_MASK) == NO_SITE:
        return f"no more {kind}"
    if step == halves + SEA:
        return f"{kind} at {x},{y}"
    site = int(state["sites"][code & PLACE_MASK])
    x, y = (site >> at & PLACE_MASK for at in (SITE_X_AT, SITE_Y_AT))
    return f"{kind} at {x - SITE_MIDDLE},{y - SITE_MIDDLE}"


TERRAIN_NAMES = ("Fertile", "Lake", "Mountain", "Deep Woods", "Desert", "Oasis")


def split_text(state: Any, mask: int) -> str:
    """Return a split: the two piles, pile 0 first (``Bass Oak | Rats Fly Wolf``), or the places of pile 1."""
    if state is None:
        return "places " + "".join(str(k + 1) for k in range(GROUP) if mask >> k & 1)
    piles: list[list[str]] = [[], []]
    for k, name in enumerate(group_pieces(state)):
        piles[mask >> k & 1].append(name.replace(" ", ""))
    return " | ".join(" ".join(sorted(pile)) or "nothing" for pile in piles)


def top_text(state: Any, h: int) -> str:
    """Return what lies on a Region: ``A:Rats*``, ``B:Fly/w1``, ``w2``, or "" ."""
    top, below = int(state["top"][h]), int(state["face_down"][h])
    if top == records.NOTHING:
        spirits = [SEATS[s] + "*" for s in range(int(state["players"])) if state["spirit"][s] == h]
        return "".join(spirits)
    if top == WASTELAND:
        return "w" if below == 1 else f"w{below}"
    owner = owner_of(state, h)
    star = "*" if state["spirit"][owner] == h else ""
    under = "" if below == 0 else "/w" if below == 1 else f"/w{below}"
    return f"{SEATS[owner]}:{PIECES[top].replace(' ', '')}{star}{under}"


def owner_of(state: Any, h: int) -> int:
    """Return the seat that has the Town at `h`, or -1."""
    for seat in range(int(state["players"])):
        if int(state["town"][seat]) >> h & 1:
            return seat
    return -1


def board_text(rules: Any, state: Any) -> str:
    """Return all Regions that hold something, in reading order: ``0,0 A:Bass* ; 2,0 w``."""
    order = sorted(range(int(rules["n_regions"])), key=lambda h: (int(rules["r"][h]), int(rules["q"][h])))
    parts = [f"{hex_of(rules, h)} {top_text(state, h)}" for h in order if top_text(state, h)]
    return " ; ".join(parts) or "(empty)"


def hand_text(state: Any, seat: int, field: str = "hand") -> str:
    """Return a hand as text: ``2xRats Oak``."""
    return counts_text(zip(COMPACT, state[field][seat]), "(empty)")


def position_text(
    rules: Any, state: Any, scores: list[float] | None = None, cards: Sequence[str] = tuple(AGE_CARDS)
) -> str:
    """Return a position as a few lines of text."""
    players = int(state["players"])
    lines = [
        f"turn {int(state['turn']) + 1}, {PHASES[int(state['phase'])]}, {SEATS[int(state['seat'])]} to move"
    ]
    if int(state["phase"]) == OVER:
        lines = [f"the end after {int(state['turn'])} turns"]
    lines.append("board   " + board_text(rules, state))
    if int(state["active_card"]) >= 0:
        lines.append("age     " + cards[int(state["active_card"])])
    if int(state["phase"]) in (SPLIT, CHOOSE):
        lines.append("group   " + " ".join(name.replace(" ", "") for name in group_pieces(state)))
    if int(state["banned"]):
        from sim.games.migration.setup_cell import ban_text

        lines.append("banned  " + ban_text(int(state["banned"])))
    for seat in range(players):
        spirit = int(state["spirit"][seat])
        where = hex_of(rules, spirit) if spirit >= 0 else "off the board"
        points = f"{scores[seat]:g} points, " if scores else ""
        shown = f", shows {hand_text(state, seat, 'revealed')}" if int(rules["oaths"]) else ""
        lines.append(f"{SEATS[seat]}       {points}Spirit {where}, hand {hand_text(state, seat)}{shown}")
    return "\n".join(lines)


def happened(before: Any, after: Any, cards: Sequence[str]) -> list[str]:
    """Return what one step between decisions brought: forced passes, the next Age Card."""
    words = []
    for seat in range(int(after["players"])):
        counted = after["passes"][seat] > before["passes"][seat]
        asked = (
            after["phase"] > OVER and after["seat"] == seat
        )  # what comes at the end of its turn is still open
        new = before["passed"] == 0 or before["seat"] != seat
        if counted or (asked and new and after["passed"] != 0):
            words.append(f"{SEATS[seat]} cannot move and passes")
    place, size = int(after["deck_place"]), int(after["deck_size"])
    if place > int(before["deck_place"]):
        words.append(
            f"turned up: {cards[int(after['deck'][place])]}" if place < size else "no Age Card is left"
        )
    return words


def terrain_of(rules: Any, h: int) -> list[str]:
    """Return the terrain modifiers on a Region."""
    names = ("Fertile", "Lake", "Mountain", "Deep Woods", "Desert", "Oasis")
    return [name for name in names if int(rules[name.lower().replace(" ", "_")]) >> h & 1]


def position_dict(rules: Any, state: Any, scores: list[float], title: str = "") -> dict[str, Any]:
    """Return a position as the plain dict that `picture.draw_position` takes."""
    regions = []
    players = int(state["players"])
    for h in range(int(rules["n_regions"])):
        top = int(state["top"][h])
        content: Any = None
        if top == WASTELAND:
            content = "Wasteland"
        elif top != records.NOTHING:
            content = {"piece": PIECES[top], "seat": owner_of(state, h)}
        regions.append(
            {
                "q": int(rules["q"][h]),
                "r": int(rules["r"][h]),
                "terrain": terrain_of(rules, h),
                "forest": bool((int(rules["forest"]) & ~int(rules["deep_woods"])) >> h & 1),
                "sea": bool(int(rules["sea_desert"]) >> h & 1),
                "top": content,
                "face_down": int(state["face_down"][h]),
            }
        )
    spirits = [int(state["spirit"][s]) for s in range(players)]
    hexes = [(int(rules["q"][h]), int(rules["r"][h])) if h >= 0 else None for h in spirits]
    hands = [[(PIECES[p], int(n)) for p, n in enumerate(state["hand"][s]) if n] for s in range(players)]
    return {
        "regions": regions,
        "spirits": hexes,
        "scores": scores,
        "hands": hands,
        "to_move": None if int(state["phase"]) == OVER else int(state["seat"]),
        "turn": int(state["turn"]),
        "title": title,
    }
