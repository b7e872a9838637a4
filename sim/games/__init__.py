"""The games that come with Whimbrel, one folder a game. None imports another."""
