"""What a seat cannot see, redrawn after a game's `hidden`: from public knowledge and the stream only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sim.core.errors import Refusal, nearest

if TYPE_CHECKING:
    from sim.plain.game import PlainGame, Table

WHO = ("owner", "nobody")


def pools_of(game: PlainGame) -> list[dict[str, str]]:
    """Return the game's `hidden` as a list of dicts; what stands in one is redrawn together."""
    hidden = game.hidden
    pools = [hidden] if isinstance(hidden, Mapping) else list(hidden)
    for pool in pools:
        if not isinstance(pool, Mapping):
            raise Refusal(f"hidden is a dict {{attribute: who sees it}} or a list of these, not {hidden!r}")
        for name, who in pool.items():
            if who not in WHO:
                raise Refusal(f"hidden[{name!r}] = {who!r}: 'owner' or 'nobody' sees it{nearest(who, WHO)}")
    return [dict(pool) for pool in pools]


def redraw(game: PlainGame, t: Table, seat: int) -> None:
    """Shuffle all that `seat` does not see among the places where it lies.

    The things are put into an order of their own first: what comes out does not depend on how they lay.
    """
    for pool in pools_of(game):
        places: list[tuple[int, Any, Any]] = []
        for name, who in pool.items():
            if not hasattr(t, name):
                raise Refusal(f"hidden names {name!r}, which is not on the table{nearest(name, t.things())}")
            places += _places(name, getattr(t, name), seat if who == "owner" else None)
        sets = sorted({seat for seat, _, _ in places}) if t._own else [-1]
        for own in sets:  # what each has for itself is never mixed with what others have
            _mix(t, [(holder, key) for seat, holder, key in places if own in (-1, seat)])


def _mix(t: Table, places: list[tuple[Any, Any]]) -> None:
    """Shuffle what lies at these places, from an order that does not depend on how it lay."""
    things = sorted(
        (holder[key] for holder, key in places), key=lambda thing: (str(type(thing)), repr(thing))
    )
    t.luck.shuffle(things)
    for (holder, key), thing in zip(places, things):
        holder[key] = thing


def _places(name: str, value: Any, owner: int | None) -> list[tuple[int, Any, Any]]:
    """Return (place, list, index) of each thing that is not seen; None stands for nothing there."""
    if not isinstance(value, list):
        raise Refusal(f"hidden[{name!r}]: only lists can be redrawn; write guess(t, seat) for it")
    found: list[tuple[int, Any, Any]] = []
    for k, entry in enumerate(value):
        if k == owner:
            continue
        if isinstance(entry, list):
            found += [(k, entry, j) for j, thing in enumerate(entry) if thing is not None]
        elif entry is not None:
            found.append((k, value, k))
    return found
