"""Drifting Lands: continents drift, split and rise; levels of pawns on them decide who scores."""
