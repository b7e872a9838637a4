"""How many cards: who arrives with a column of a length, and who may fly in one so long.

The objectives are asked for here alone (and where a robbed pile or a bot measures by them): a game's numbers become
tables by length when its rules are made, and the rules look there.
"""

from __future__ import annotations

from sim.core.jit import kernel
from sim.core.kinds import Count, RulesRecord, Whether
from sim.games.migrato.rules.kinds import Species
from sim.games.migrato.rules.params import MOST_LENGTH, Parameters
from sim.games.migrato.rules.state import NIGHT_SPECIES, OF_SPECIES, STILT


def fill_lengths(model: Parameters, rules: RulesRecord) -> None:
    """Fill the tables: `full` (after a play and after a merge or move), `play_to`, `move_to`."""
    for n in range(MOST_LENGTH + 2):
        for species, objective in enumerate(model.objective.model_dump().values()):
            five = species == STILT and n == 5 and objective < 5
            by_play = n == objective or (five and model.five_stilts == "any")
            by_move = n == objective or (five and model.five_stilts != "no")
            rules["full"][0, n] |= by_play << species
            rules["full"][1, n] |= by_move << species
            if n <= objective or by_play or model.overlen == "allowed":
                rules["play_to"][n] |= OF_SPECIES[species]
            if n <= objective or by_move or model.overlen == "allowed":
                rules["move_to"][n] |= 1 << species


@kernel
def complete(rules: RulesRecord, n: Count, species: Species, by_move: Whether) -> Whether:
    """Whether `n` cards are what `species` needs to arrive; five Stilts too where the rules say so."""
    return (rules.full[1 if by_move else 0, n] >> species) & 1 != 0


@kernel
def some_arrive(rules: RulesRecord, n: Count) -> Whether:
    """Whether any species arrives with `n` cards after a play."""
    return rules.full[0, n] != 0


@kernel
def hidden_may_arrive(rules: RulesRecord, n: Count) -> Whether:
    """Whether `n` face-down cards can be an arrival after a merge or move."""
    return (rules.full[1, n] & NIGHT_SPECIES) != 0


@kernel
def may_fly(rules: RulesRecord, n: Count, species: Species) -> Whether:
    """Whether `species` may be in a column that a merge or move has made `n` cards long."""
    return (rules.move_to[n] >> species) & 1 != 0
