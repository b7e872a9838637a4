"""The command line is tested on the game of numbers."""

from tests.batch.conftest import numbers  # noqa: F401
