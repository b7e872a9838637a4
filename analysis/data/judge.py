"""What the verdicts of a data set are read against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Judge:
    """What the verdicts mean: margins in win share.

    Attributes
    ----------
    seat : float
        A seat within ``fair +- seat`` counts as even.
    piece : float
        A piece within ``+- piece`` win share a copy of the average other piece counts as even.
    pieces : dict
        Ranges for single pieces that are meant to differ, e.g. ``{"Knight": (0.02, 0.06)}``.
    even : str
        What "most even" ranks by: ``seats``, ``pieces`` or ``seats+pieces``.
    """

    seat: float = 0.02
    piece: float = 0.03
    pieces: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    even: str = "seats+pieces"

    def range_of(self, piece: str) -> tuple[float, float]:
        """Range of win share a copy, against the average other piece, that `piece` is meant to have."""
        low, high = self.pieces.get(piece, (-self.piece, self.piece))
        return float(low), float(high)

    @classmethod
    def from_manifest(cls, entry: Mapping[str, Any]) -> Judge:
        """Read the manifest's ``judge`` entry; what is missing takes the default."""
        pieces = {
            str(name): (float(r[0]), float(r[1])) for name, r in dict(entry.get("pieces") or {}).items()
        }
        return cls(
            seat=float(entry.get("seat", cls.seat)),
            piece=float(entry.get("piece", cls.piece)),
            pieces=pieces,
            even=str(entry.get("even", cls.even)),
        )
