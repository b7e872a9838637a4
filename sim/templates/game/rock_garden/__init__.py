"""Rock garden, a game for Whimbrel."""
