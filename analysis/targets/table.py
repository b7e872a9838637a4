"""The table of targets: what a game is meant to be, each as a band in which a number shall lie.

==================  ==============================================================================================
key                 value
==================  ==============================================================================================
``seat``            margin in win share: every seat within its fair share +- it
``seat.A``          ``[low, high]``: win share of one seat
``piece``           margin in win share a copy, against the average other piece
``piece.NAME``      ``[low, high]`` for a piece that is meant to differ
``ties``            ``[low, high]`` of the share of games that are tied; a number alone is the most
``stopped``         the same of games that were stopped before their end
``turns``, ...      ``[low, high]`` of the mean of a measure (`BANDS`); a number alone is the most
``minutes.80%``     ``[low, high]`` in which that share of games, or more, must lie
``even``            by what `[judge]` ranks settings (no target)
==================  ==============================================================================================
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.data.errors import Refusal, nearest

SHARES = ("ties", "stopped")
MEASURES = ("turns", "minutes", "decisions", "margin", "lead_changes", "points")
BANDS = (*SHARES, *MEASURES)
"""Keys of `[judge]` beside seats and pieces; an experiment knows the same (`sim.batch.sections.BANDS`)."""
NEVER_NEGATIVE = ("turns", "minutes", "decisions", "margin", "lead_changes")
SEATS = "ABCDEFGHIJKL"
EVEN = "even"
READY = Path(__file__).parent / "ready"


@dataclass(frozen=True)
class Target:
    """One target.

    Attributes
    ----------
    key : str
        As it is written: ``seat``, ``seat.A``, ``piece``, ``piece.NAME``, ``turns``, ...
    low, high : float
        The band; of ``seat`` and ``piece`` around what is fair (so ``-0.02 .. 0.02``).
    """

    key: str
    low: float
    high: float

    @property
    def kind(self) -> str:
        """The key without what it is of."""
        return self.key.partition(".")[0]

    @property
    def of(self) -> str:
        """The seat, piece or share of games that it is of; empty where it is of all."""
        return self.key.partition(".")[2]

    @property
    def part(self) -> float | None:
        """The share of games that must lie in the band; None where the mean must."""
        return part_of(self.of)


def part_of(text: str) -> float | None:
    """A share of games as it is written, ``80%``; None for anything else."""
    number = text.removesuffix("%")
    if number == text or not number.replace(".", "", 1).isdecimal() or not 0 < float(number) < 100:
        return None
    return float(number) / 100


def read_targets(table: Mapping[str, Any], where: str = "the targets") -> tuple[Target, ...]:
    """The targets of a table, checked.

    Raises
    ------
    Refusal
        An unknown key, a band whose ends are no two numbers in order, no target at all, or two that no game can meet.
    """
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            flat |= {f"{'piece' if key == 'pieces' else key}.{name}": band for name, band in value.items()}
        else:
            flat[key] = value
    if isinstance(bands := table.get("bands"), Mapping):  # as a manifest keeps them
        flat = {k: v for k, v in flat.items() if not k.startswith("bands.")} | dict(bands)
    out = []
    for key, value in flat.items():
        kind, _, of = key.partition(".")
        if key == EVEN:
            continue
        if kind in ("seat", "piece") and not of:
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
                raise Refusal(f"{where}: '{key}' must be a win share between 0 and 1, not {value!r}")
            out.append(Target(key, -float(value), float(value)))
        elif kind == "seat" and (of not in tuple(SEATS)):
            raise Refusal(f"{where}: '{key}': a seat is a letter from A to {SEATS[-1]}")
        elif kind in ("seat", "piece") or key in BANDS or (kind in MEASURES and part_of(of) is not None):
            out.append(Target(key, *_band(where, key, value)))
        else:
            known = ["seat", "piece", "seat.A", *BANDS]
            raise Refusal(
                f"{where}: unknown target '{key}'{nearest(key, known)} (there are {', '.join(known)})"
            )
    if not out:
        raise Refusal(f"{where}: there is no target")
    if said := _contradiction(out):
        raise Refusal(f"{where}: {said}: no game can meet both")
    return tuple(out)


def _contradiction(targets: Sequence[Target]) -> str:
    """Which targets no game can meet together, whatever it is like; empty where there are none."""
    seats = [t for t in targets if t.kind == "seat" and t.of]
    if (least := sum(t.low for t in seats)) > 1 + 1e-9:
        named = " and ".join(f"'{t.key}'" for t in seats)
        return f"{named} give away {100 * least:.0f}% of the wins at least"
    for mean in targets:
        for one in targets:
            share = one.part
            if mean.of or share is None or one.kind != mean.kind or mean.kind not in NEVER_NEGATIVE:
                continue
            if share * one.low > mean.high:  # what the rest is like cannot bring the mean down so far
                return (
                    f"'{one.key}' from {one.low:g} and '{mean.key}' up to {mean.high:g} contradict each other"
                )
    parts = [t for t in targets if t.part is not None]
    for k, one in enumerate(parts):
        for other in parts[k + 1 :]:
            apart = one.kind == other.kind and (one.low > other.high or other.low > one.high)
            if apart and (one.part or 0) + (other.part or 0) > 1:
                return f"'{one.key}' and '{other.key}' ask for more than all games"
    return ""


def _band(where: str, key: str, value: Any) -> tuple[float, float]:
    single = isinstance(value, int | float) and not isinstance(value, bool)
    if single and key in BANDS:
        value = [0.0, value]
    ends = isinstance(value, list | tuple) and all(
        isinstance(v, int | float) and not isinstance(v, bool) for v in value
    )
    if not ends or len(value) != 2 or not value[0] < value[1]:
        alone = " or one that is the most" if key in BANDS else ""
        raise Refusal(
            f"{where}: '{key}' must be two numbers, low and high, as in [0.45, 0.55]{alone}; not {value!r}"
        )
    # what is never negative needs no proof that it is not
    low = -math.inf if key in BANDS and key != "points" and value[0] == 0 else float(value[0])
    return low, math.inf if key in SHARES and value[1] >= 1 else float(value[1])


def targets_file(given: str | Path) -> tuple[Target, ...]:
    """The targets of a TOML file: its table ``[judge]``, or the whole file; or of a ready one by its name."""
    path = Path(given)
    if not path.suffix and (READY / f"{path}.toml").is_file():
        path = READY / f"{path}.toml"
    try:
        data = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        names = ready_targets()
        hint = nearest(str(given), names) or f"; ready ones are {', '.join(names)}"
        raise Refusal(f"'{given}' cannot be read: {error.strerror}{hint}") from None
    except (ValueError, RecursionError) as error:
        raise Refusal(f"{path}: this is not valid TOML ({error})") from None
    table = data.get("judge", data)
    if not isinstance(table, Mapping):
        raise Refusal(f"{path}: [judge] must be a table")
    return read_targets(table, path.name)


def ready_targets() -> Sequence[str]:
    """Names of the ready targets files."""
    return sorted(path.stem for path in READY.glob("*.toml"))
