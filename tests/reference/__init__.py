"""Slow, plain second implementations of the games' rules, to be compared with the compiled engines."""
