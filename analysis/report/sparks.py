"""Small pictures of the first screen: estimates with their intervals on one line, a reference and its margin behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from analysis.report.blocks import Tone

WIDTH, ROW, PAD, LABEL = 250.0, 16.0, 6.0, 92.0
MOST, LETTERS = 8, 14
"""Rows of a picture, of more the furthest from the reference are kept; and letters of a label."""


@dataclass(frozen=True)
class Mark:
    """One estimate of a picture: its name, the value, its interval, its badge's tone, the value in words."""

    name: str
    value: float
    low: float
    high: float
    tone: Tone = "undecided"
    text: str = ""


COLOURS: dict[str, str] = {
    **dict.fromkeys(("strong", "uneven", "above", "off"), "--strong"),
    **dict.fromkeys(("weak", "below"), "--weak"),
    "balanced": "--even",
}


def spark(marks: Sequence[Mark], reference: float | None, margin: float, alt: str) -> str:
    """Return an `<svg>`: one row a mark; the reference as a dashed line, its margin as a band.

    Parameters
    ----------
    reference
        Value that stands for fair, average or base; None draws neither line nor band.
    margin
        Half the width of the band, in the unit of the marks.
    alt
        What a screen reader says instead of the picture.
    """
    marks = _kept(marks, reference)
    if not marks:
        return ""
    ends = [end for mark in marks for end in (mark.low, mark.high)]
    if reference is not None:
        ends += [reference - 1.6 * margin, reference + 1.6 * margin]
    low, high = min(ends), max(ends)
    span = high - low or 1.0
    height = ROW * len(marks) + 2 * PAD

    def x(value: float) -> str:
        return f"{LABEL + (WIDTH - LABEL - PAD) * (value - low) / span:.1f}"

    parts = []
    if reference is not None:
        left, right = float(x(reference - margin)), float(x(reference + margin))
        parts.append(
            f'<rect x="{left}" y="0" width="{right - left:.1f}" height="{height:g}" fill="var(--band)"/>'
        )
        line = f'x1="{x(reference)}" x2="{x(reference)}" y1="0" y2="{height:g}"'
        parts.append(f'<line {line} stroke="var(--muted)" stroke-dasharray="3 3"/>')
    for number, mark in enumerate(marks):
        y = PAD + ROW * (number + 0.5)
        colour = f"var({COLOURS.get(mark.tone, '--muted')})"
        title = f"<title>{escape(mark.name)} {escape(mark.text)}</title>"
        label = _label(mark.name, [other.name for other in marks])
        parts += [
            f'<g>{title}<text x="0" y="{y + 3.5:g}" fill="var(--ink)">{escape(label)}</text>',
            f'<line x1="{x(mark.low)}" x2="{x(mark.high)}" y1="{y:g}" y2="{y:g}" stroke="{colour}" stroke-width="2.5" '
            'stroke-linecap="round"/>',
            f'<circle cx="{x(mark.value)}" cy="{y:g}" r="4" fill="{colour}"/></g>',
        ]
    head = f'<svg class="spark" role="img" aria-label="{escape(alt, quote=True)}" viewBox="0 0 {WIDTH:g} {height:g}"'
    return f'{head} width="{WIDTH:g}" height="{height:g}">{"".join(parts)}</svg>'


def _label(name: str, names: Sequence[str]) -> str:
    """The beginning of a long name; its end where another one begins alike."""
    if len(name) <= LETTERS:
        return name
    head = name[: LETTERS - 1]
    alike = sum(other.startswith(head) for other in names) > 1
    return f"…{name[1 - LETTERS :].lstrip(', ')}" if alike else f"{head}…"


def _kept(marks: Sequence[Mark], reference: float | None) -> list[Mark]:
    """The marks that are drawn, in the order given."""
    sound = [mark for mark in marks if mark.low <= mark.value <= mark.high]
    if len(sound) <= MOST:
        return sound
    centre = sum(mark.value for mark in sound) / len(sound) if reference is None else reference
    far = sorted(sound, key=lambda mark: -abs(mark.value - centre))[:MOST]
    return [mark for mark in sound if mark in far]
