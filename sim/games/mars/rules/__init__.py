"""The compiled rules of Migration: Mars, in the order of the rulebook. Nothing here reads files or draws pictures."""
