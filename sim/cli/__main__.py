"""``python -m sim.cli`` does what the command `whimbrel` does."""

from sim.cli import main

main()
