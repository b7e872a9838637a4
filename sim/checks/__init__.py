"""What every game owes to the bots and the loop, checked by playing: for authors of games, and for the tests."""
