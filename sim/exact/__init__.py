"""Small open endings solved exactly, for any game of the contract: what bots' choices are measured against."""
