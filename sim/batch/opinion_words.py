"""What a bot says of a choice, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MOST_FEATURES = 4


def said(row: Mapping[str, Any]) -> str:
    """Return one choice's value in words: ``61% (52 to 69), 112 playouts``, or a value and what made it."""
    value = row["value"]
    if value is None:
        return "not looked at"
    if "visits" in row:
        if not row["visits"]:
            return "not looked at"
        span = f"{100 * row['low']:.0f} to {100 * row['high']:.0f}"
        return f"{100 * value:.0f}% ({span}), {row['visits']:,} playouts"
    parts = row.get("features", {})
    largest = sorted(parts, key=lambda name: -abs(parts[name]))[:MOST_FEATURES]
    made = ", ".join(f"{name} {parts[name]:+.2f}" for name in largest if parts[name])
    return f"{value:+.2f}" + (f": {made}" if made else "")
