"""What worked cases of Migration may ask of a position, beside what every game knows."""

from __future__ import annotations

from typing import Any

from sim.core.cases import Check, checks
from sim.core.cases.given import read_text, read_texts
from sim.core.cases.table import read_winner
from sim.core.errors import Refusal, nearest
from sim.core.notation import read_name
from sim.games.migration.notation import board_text, hex_of, region_at
from sim.games.migration.positions import hand_words, lying_text, parse_hand, read_lying
from sim.games.migration.rules import state as records
from sim.games.migration.rules.params import PIECES


def _region(table: Any, text: str) -> str:
    """Return the coordinates of a Region as the engine writes them; "" is none."""
    return hex_of(table.rules, region_at(table.rules, text)) if text else ""


def _regions(table: Any, field: str) -> list[str]:
    mask, n = int(table.rules[field]), int(table.rules["n_regions"])
    return [hex_of(table.rules, h) for h in range(n) if mask >> h & 1]


def _spirit(table: Any, seat: int) -> str:
    h = int(table.state["spirit"][seat])
    return "" if h < 0 else hex_of(table.rules, h)


def _lying(table: Any, text: str) -> str:
    """Return what lies on the board, Region by Region in one order."""
    return " ; ".join(
        sorted(lying_text(table.rules, one) for one in read_lying(table.rules, text, table.seats, "board"))
    )


def _hand(field: str) -> Check:
    """Return the check of Explorers by player: hands, pools, what is revealed."""
    return checks.by_seat(
        lambda t, seat: hand_words({p: int(n) for p, n in enumerate(t.state[field][seat])}),
        read_text,
        lambda t, text: hand_words(parse_hand(text, field)),
    )


def _card(table: Any, name: str) -> str:
    if name and name not in table.cards:
        raise Refusal(f"there is no Age Card {name!r}{nearest(name, table.cards)}")
    return name


def _active(table: Any) -> str:
    active = int(table.state["active_card"])
    return str(table.cards[active]) if active >= 0 else ""


def _face_up(table: Any) -> str:
    place = int(table.state["deck_place"])
    there = int(table.rules["age_mode"]) == records.ERA and place < int(table.state["deck_size"])
    return str(table.cards[int(table.state["deck"][place])]) if there else ""


def _read_targets(table: Any, value: Any, what: str) -> dict[str, list[str]]:
    """Return where each Explorer may go: ``{ Bass = ["0,0", "1,0"] }``."""
    if not isinstance(value, dict):
        raise Refusal(f"{what} = {value!r} should be a table")
    wanted = {}
    for name, hexes in checks.checked(what, value).items():
        try:
            piece = read_name(name, PIECES, "Explorer")
            wanted[piece] = sorted(_region(table, text) for text in read_texts(hexes, f"{what}.{name}"))
        except Refusal as refusal:
            raise Refusal(f"{what}: {refusal}") from None
    return wanted


def _targets_test(table: Any, wanted: dict[str, list[str]], what: str) -> list[str]:
    known = table.actions()
    problems = []
    for piece, hexes in wanted.items():
        reached = {t.rsplit(" ", 1)[1] for t in known if t.split(" ", 1)[-1].startswith(f"{piece} ")}
        problems += checks.compare(f"{what} {piece}", hexes, sorted(reached))
    return problems


def _banned(table: Any) -> list[str]:
    return [name for code, name in enumerate(PIECES) if int(table.state["banned"]) >> code & 1]


CHECKS: dict[str, Check] = {
    "legal_includes": checks.INCLUDES,
    "legal_excludes": checks.ILLEGAL,
    "over": checks.flag(lambda t: t.over),
    "founder": checks.seat(lambda t: t.founder()),
    "standing": checks.by_seat(lambda t, seat: t.standing(seat)),
    "leader": Check(read_winner, lambda t, wanted, what: checks.compare(what, wanted, t.leader())),
    "banned": checks.texts(_banned, lambda t, name: read_name(name, PIECES, "Explorer")),
    "targets": Check(_read_targets, _targets_test),
    "position": checks.text(lambda t: _lying(t, board_text(t.rules, t.state)), _lying),
    "spirits": checks.by_seat(_spirit, read_text, _region),
    "hands": _hand("hand"),
    "revealed": _hand("revealed"),
    "pools": _hand("pool"),
    "passes": checks.by_seat(lambda t, seat: int(t.state["passes"][seat])),
    "active": checks.text(_active, _card),
    "face_up": checks.text(_face_up, _card),
    "interior": checks.texts(lambda t: _regions(t, "interior"), _region),
    "coastal": checks.texts(lambda t: _regions(t, "coast"), _region),
}
