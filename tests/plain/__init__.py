"""Plain games: one Python class, and what stands behind it."""
