"""The report: one HTML file that answers the experiment's question and holds everything it needs.

`write(folders, out=None, one_page=False, only=None)` makes it.  Loaded on first use: jinja2 and matplotlib
are slow to import.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["SECTIONS", "write"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("analysis.report.page"), name)
    raise AttributeError(f"module 'analysis.report' has no attribute '{name}'")
