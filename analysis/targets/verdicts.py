"""What is said of a target."""

PROVEN, REFUTED, UNDECIDED, TOO_FEW = "proven", "refuted", "undecided", "too few to say"
