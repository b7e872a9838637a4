"""What people see of the game: its name, its words, how bots judge a position."""

from rock_garden.rules import MOST, SEATS, Parameters, Rules, State
from sim.core.game import Game


class RockGarden(Game):
    name = "rock_garden"
    title = "Rock garden"
    about = "Take stones in turn; who takes the last one wins."
    min_players = 2
    max_players = SEATS
    max_actions = MOST
    phases = ("resolve", "over", "take")
    kinds = ("take",)
    features = ("won", "took")
    feature_help = {"won": "1 when the game is won", "took": "stones taken"}
    weights = (10.0, 0.01)
    Parameters = Parameters
    State = State
    Rules = Rules

    def action_text(self, action, rules, cell=None, state_=None):
        return f"take {action}"

    def position_text(self, rules, state, cell=None):
        took = ", ".join(f"{'ABCD'[seat]} {state['took'][seat]}" for seat in range(state["players"]))
        return f"turn {state['turn']}, {'ABCD'[state['seat']]} to move\nheap  {state['heap']}\ntook  {took}"


GAME = RockGarden()
