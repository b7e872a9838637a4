"""The comparison of two runs as lines for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analysis.changes.runs import DIFFERS, SAME, SHARE_MEASURES, UNDECIDED
from analysis.data.pooling import MOST_TOLD
from analysis.report import words

if TYPE_CHECKING:
    import polars as pl


def as_text(frame: pl.DataFrame, names: Sequence[str], differences: Sequence[str]) -> str:
    """What differs in the design, the primary question, the guards."""
    rows = list(frame.iter_rows(named=True))
    first = rows[0]
    how = "deal by deal, on common deals" if first["paired"] else "without common deals"
    lines = [f"{names[1]} (after) against {names[0]} (before): {first['games']:,} games, {how}"]
    shown = [*differences[:MOST_TOLD], *(["..."] if len(differences) > MOST_TOLD else [])]
    lines.append(f"designs differ in {'; '.join(shown)}" if shown else "the designs are the same")
    for row in rows:
        if row["role"] == "primary":
            lines.append(
                f"{row['verdict']:<10} {row_line(row)}, p {words.p_value(row['p_corrected'])}{_more(row)}"
            )
    guards = [row for row in rows if row["role"] == "guard"]
    if guards:
        lines.append("guards, corrected for their number:")
    order = {DIFFERS: 0, UNDECIDED: 1, SAME: 2}
    lines += [
        f"{row['verdict']:<10} {row_line(row)}" for row in sorted(guards, key=lambda r: order[r["verdict"]])
    ]
    return "\n".join(lines)


def row_line(row: dict[str, Any]) -> str:
    """One answer: what it is about, its difference with the interval, before and after."""
    name = f"piece {row['piece']}" if row["piece"] else row["measure"]
    table = f" with {words.table(row)}" if row["players"] is not None else ""
    say = words.points if row["piece"] or row["measure"] in SHARE_MEASURES else _signed
    text = f"{name}{table}: {say(row['estimate'])} ({say(row['low'])} to {say(row['high'])})"
    if row["before"] is not None and row["after"] is not None:
        value = (
            words.percent
            if say is words.points and not row["piece"]
            else words.points
            if row["piece"]
            else _plain
        )
        text += f", from {value(row['before'])} to {value(row['after'])}"
    return text + (f"; the same within ±{say(row['margin']).lstrip('+')}" if row["verdict"] == SAME else "")


def _more(row: dict[str, Any]) -> str:
    if row["verdict"] != UNDECIDED or not row["more_games"]:
        return ""
    scale = 10 ** max(len(str(row["more_games"])) - 2, 0)
    return f"; about {-(-row['more_games'] // scale) * scale:,} more games a run would settle it, if it is as it looks"


def _signed(value: float | None) -> str:
    return words.DASH if value is None else f"{value:+.2f}".replace("-", "−")


def _plain(value: float | None) -> str:
    return words.number(value)
