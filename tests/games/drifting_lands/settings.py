"""How Drifting Lands is played to be checked: its starts, readings and teams."""

from tests.conformance import Setting

_MUCH = {"decisions": 500, "compared": 200}
SETTINGS = {
    "chosen starts": Setting({}, (2, 3), **_MUCH),
    "drawn starts": Setting({"start_continents": "drawn", "lever": "both"}, (2, 4), **_MUCH),
    "other readings": Setting(
        {
            "start_continents": "by seat",
            "continents_merge": False,
            "ultra": "both",
            "split_parts": "any",
            "decline": True,
            "expelling": "may remove",
            "tile_value": "printed",
        },
        (2, 3),
        **_MUCH,
    ),
    "teams": Setting(
        {"start_continents": "by seat", "team_variety": True, "map": "gondwana"}, (4, 4), **_MUCH
    ),
}
