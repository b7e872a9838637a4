"""Migration, Books I and II: hexes, Towns, Pioneer Spirits. The rules are in `RULES.md`."""
