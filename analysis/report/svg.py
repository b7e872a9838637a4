"""Matplotlib figure -> SVG text that can stand inside an HTML page.

Text stays text (searchable, selectable, small files).  Every id gets the figure's own prefix, because two
pictures of one page would otherwise share clip paths and markers.  The few colours of `plots.style` become
CSS variables, so a page in dark mode redraws them; all other colours stay as drawn.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from analysis.plots import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_VARIABLES = {
    style.INK: "--ink",
    style.MUTED: "--muted",
    style.GRID: "--grid",
    style.BAND: "--band",
    style.PAPER: "--card",
    style.STRONG: "--strong",
    style.WEAK: "--weak",
    style.EVEN: "--even",
    **{colour: f"--s{number}" for number, colour in enumerate(style.SERIES, start=1)},
}
_STYLE_COLOUR = re.compile(r"(fill|stroke): (#[0-9a-f]{6})")
_FONT = re.compile(r"font: ([^'\";]*?)(?:'[^']*'|[A-Za-z-]+)(?:, (?:'[^']*'|[A-Za-z-]+))*(?=[;\"])")
_NUMBER = re.compile(r"-?\d+\.\d{3,}")


def inline_svg(ax: Axes, key: str, alt: str) -> str:
    """Return the figure of `ax` as an `<svg>` element without any outside reference.

    Parameters
    ----------
    key
        Prefix of all ids; must differ between the pictures of one page.
    alt
        What a screen reader says instead of the picture.
    """
    import matplotlib

    figure = style.figure_of(ax)
    buffer = io.StringIO()
    # The salt makes ids, and with them the whole report, the same on every run.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": key}):
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r'\sid="([^"]+)"', rf' id="{key}-\1"', text)
    text = re.sub(r"url\(#([^)]+)\)", rf"url(#{key}-\1)", text)
    text = re.sub(r'xlink:href="#([^"]+)"', rf'href="#{key}-\1"', text)
    text = _STYLE_COLOUR.sub(_as_variable, text)
    text = _FONT.sub(r"font: \1var(--plot)", text)
    text = _NUMBER.sub(lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), text)
    text = re.sub(r"\n\s*", "\n", text).strip()
    width, height = (float(v) for v in re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)[0])
    size = f'viewBox="0 0 {width:g} {height:g}" style="--w:{width:g}"'
    head = f'<svg role="img" aria-label={quoteattr(alt)} {size}>'
    return head + text[text.index(">") + 1 :]


def _as_variable(found: re.Match[str]) -> str:
    name = _VARIABLES.get(found[2])
    return f"{found[1]}: var({name})" if name else found[0]
