"""A bot for every game: it tries each action and keeps the one after which it leads by most. This file is compiled.

Plain Python over records and arrays, as rules are; it knows no game, only the verbs of the contract. What it may ask
for is in `sim.core.contract`, what bots need to look further ahead in `sim.bots.worlds`.
"""

import numpy as np

from sim.core.bots import Option
from sim.core.contract import apply, score
from sim.core.rng import below

ABOUT = "the action after which it leads by most points"
OPTIONS = {"envy": Option("float", 1.0, "what a point of the best other counts", (0.0, 10.0))}


def choose(bot, options, rules, state, actions, n, stream, desk):
    """Return the index of an action.

    `stream` is this player's own chance; ``desk.states[0]`` is a position to try things in. `apply` looks at nothing
    that is hidden; before anything else that looks ahead, redraw it by the verb `determinize`.
    """
    best = np.int64(0)
    best_lead = -1.0e300
    ties = np.int64(0)
    seat = np.int64(state.seat)
    after = desk.states[0]
    for i in range(n):
        desk.states[0] = state
        apply(rules, after, actions[i])
        others = -1.0e300
        for other in range(np.int64(state.players)):
            if other != seat:
                others = max(others, score(rules, after, other))
        lead = score(rules, after, seat) - options.envy * others
        if lead > best_lead:
            best = np.int64(i)
            best_lead = lead
            ties = np.int64(1)
        elif lead == best_lead:
            ties += 1
            if below(stream, ties) == 0:
                best = np.int64(i)
    return best
