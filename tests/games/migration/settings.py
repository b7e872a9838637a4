"""How Migration is played to be checked: its maps, foundings, readings, and every variant."""

from tests.conformance import Setting

_PLAIN = {
    "bans": {"bans": "random 3"},
    "founder": {"map": "founder", "bans": "random 2", "first_player": "drawn"},
    "wilds": {
        "map": "wilds",
        "migrate_over_ocean": "paid",
        "sparrow_must_cover": False,
        "short_payment": "what you can",
        "skunk_concerns": "all",
        "lizard_trigger": "any move",
    },
    "basic": {"map": "archipelago", "abilities": False, "comeback": False, "voluntary_pass": False},
}
_VARIANTS = {
    "oaths": {"oaths": True},
    "era": {"age_mode": "era", "oaths": True},
    "agenda": {"age_mode": "agenda", "teams": "bot"},
    "draft": {"draft": True, "bans": "random 2"},
    "drafted pools": {"draft": True, "draft_cap": "pool", "teams": "bot:rush", "age_mode": "scenario"},
}
SETTINGS = {
    **{name: Setting(values, games=10) for name, values in _PLAIN.items()},
    **{name: Setting(values) for name, values in _VARIANTS.items()},
}
