"""Every page that a test here renders is read for words that readers took wrongly."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

import pytest

from analysis.report import page

MISREAD = {
    r"\ba cause\b|\bno cause\b": "of this play, not of the game: say for whom",
    r"speaks? against": "read as an approval",
    r"win share a copy|harm a copy|points a copy": "for each copy",
    r"\bcells?\b(?!\.parquet)": "a setting",
    r"\bpar\b": "wins beside what is fair",
    r"\bno data\b": "rows without data are left out",
    r"winner \d": "seats have letters",
    r"(?<![\d.])(\d[\d.,]*\d) \(\1 to \1\)": "an interval that is a point",
    r"against the first level|\d+ more levels": "against an arbitrary first level",
    r"facing .{3,30} cost": "drawn as a cost",
    r"\bNaN\b|\bnan\b|\bNone\b(?! of|:)|undefined": "a value that is none",
    r"not un|no \w+ is not\b": "a double negative",
}


def misread(text: str) -> list[str]:
    """The phrases of a page that no page may hold, each with what to say instead."""
    text = re.sub(r"<style.*?</style>|<script>.*?</script>|<pre.*?</pre>", " ", text, flags=re.S)
    text = html.unescape(re.sub(r"<[^>]+>", " ", text))
    text = re.sub(r"\s+", " ", text)
    found = ((re.search(f".{{0,40}}(?:{pattern}).{{0,40}}", text), why) for pattern, why in MISREAD.items())
    return [f"{hit[0]!r}: {why}" for hit, why in found if hit]


@pytest.fixture(autouse=True, scope="session")
def _pages_are_read() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        render = page.render

        def read(*given: Any, **named: Any) -> str:
            text = render(*given, **named)
            assert misread(text) == []
            return text

        patch.setattr(page, "render", read)
        yield
