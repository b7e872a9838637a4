"""How Migration: Mars is played to be checked: open and hidden cards, trading, other readings."""

from typing import Any

from tests.conformance import Setting

# random play hardly ever comes to six population: a lower target lets all games end
_SHORT = {"target": 2, "turn_cap": 5000}


def _setting(**parameters: Any) -> Setting:
    return Setting({**_SHORT, **parameters}, games=3, decisions=500, compared=200)


SETTINGS = {
    "plain": _setting(),
    "hidden cards": _setting(
        cards="hidden", trading="up to two", trade_offers=3, trade_event12=True, dealt_event="random"
    ),
    "other readings": _setting(
        start_building="choice",
        link="tunnels",
        contact="free",
        voluntary_default=True,
        injury_med="choice",
        ride="optional",
        victory="at report",
        buy_to_reserve=True,
        overshoot="pass",
        never="random 1",
    ),
}
