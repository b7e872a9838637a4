"""Parameters of Migration: Mars as the plain referee knows them: defaults, the words of the game, other readings."""

from __future__ import annotations

from typing import Any

RESOURCES = ("M", "W", "S")
SUPPLIES = ("Med", "RCU")
CARDS = (*RESOURCES, *SUPPLIES, "Oly", "BP")
KEPT = ("E8", "E11", "E12")
PRODUCTION = ("Hospital", "Plant", "Export", "Mine")
BUILDINGS = ("Habitat", "LSC", *PRODUCTION)
STRUCTURES = ("Tunnel", *BUILDINGS, "Ruin")
FACES = ("blueprint", "olympium", "population", "meteorite", "injury", "blank")

EVENTS = {
    "E1": "Early Shipment",
    "E2": "Ahead of Schedule",
    "E3": "Supply Case",
    "E5": "Spare Tunnel",
    "E7": "Supply Shipment",
    "E8": "Abandoned Container",
    "E9": "Funded Exploration",
    "E11": "Ancient Artifact",
    "E12": "Generator Damage",
    "E13": "Called Meteorite",
    "E15": "Stray Meteorite",
    "E17": "Meteor Shower",
    "E18": "Explorer Injured",
    "E20": "Fouled Water",
    "E21": "Epidemic",
    "E22": "Planet Storm",
    "E23": "Local Storm",
    "E24": "Solar Flare",
    "E25": "Breakdown",
    "E26": "Cargo Lost",
    "E27": "Funding Cut",
    "E28": "Metal Find",
    "E29": "Water Find",
    "E30": "Stone Find",
    "E31": "Olympium Find",
    "E32": "Settlers",
    "E33": "Relief",
    "E34": "Aid Package",
}

DEFAULTS: dict[str, Any] = {
    "target": 6,
    "start_building": "none",
    "building_strikes": True,
    "map": "default",
    "track": "default",
    "overlays": True,
    "start": {"population": 1, "M": 2, "W": 2, "S": 2, "Med": 1, "RCU": 1, "Oly": 0, "BP": 0, "Tunnel": 1},
    "tunnel_cost": {"M": 0, "W": 0, "S": 1},
    "habitat_cost": {"M": 2, "W": 1, "S": 1},
    "lsc_cost": {"M": 2, "W": 2, "S": 2},
    "hospital_cost": {"M": 2, "W": 2, "S": 1},
    "plant_cost": {"M": 2, "W": 1, "S": 2},
    "export_cost": {"M": 2, "W": 1, "S": 1},
    "mine_cost": {"M": 2, "W": 0, "S": 2},
    "ruin_cost": {"M": 3, "W": 3, "S": 3, "Oly": 1, "BP": 1},
    "stock": {
        "Tunnel": 9,
        "Habitat": 5,
        "LSC": 2,
        "Hospital": 2,
        "Plant": 2,
        "Export": 1,
        "Mine": 2,
        "flags": 6,
    },
    "habitat_upkeep": {"M": 0, "W": 1, "S": 0},
    "mine_upkeep": {"M": 1, "W": 0, "S": 1},
    "hq_housing": 2,
    "embassy_housing": 1,
    "move_die": 6,
    "die": {"blueprint": 1, "olympium": 2, "population": 1, "meteorite": 1, "injury": 1, "blank": 0},
    "olympium_bonus": 2,
    "treasury": {"M": 40, "W": 40, "S": 40, "Med": 20, "RCU": 20, "Oly": 24, "BP": 4, "meteorite": 20},
    "event_counts": {},
    "salvage_bay": 2,
    "reposition_rcu": 2,
    "remove_meteorite_rcu": 2,
    "salvage_return_rcu": 1,
    "export_resource": 3,
    "export_supply": 4,
    "oly_per_pop": 4,
    "turn_cap": 600,
    "first_player": "rolled",
    "buy_to_reserve": False,
    "overshoot": "halt",
    "unused_stop_event": False,
    "short_treasury": "part",
    "unlinked_mines": True,
    "link": "structures",
    "contact": "banned",
    "ruin_link": "anyone",
    "ruin_on_crater": False,
    "tunnels": "linked",
    "lsc_move": "guarded",
    "voluntary_default": False,
    "thirst_med": True,
    "dead_flags": "back",
    "embassy_cut": "stays",
    "injury_med": "compulsory",
    "ride": "no housing",
    "trading": "one for one",
    "trade_offers": 1,
    "counter_offers": True,
    "trade_event12": False,
    "export_oly": True,
    "event8_all": False,
    "victory": "after event",
    "late_report": False,
    "cards": "open",
    "quit": {"seat": -1, "turn": 0},
    "never": "none",
    "dealt_event": "none",
}

# Where the rules can be read in two or more ways, and the three faster options: the values to draw from.
READINGS: dict[str, list[Any]] = {
    "building_strikes": [True, False],
    "start_building": ["none", "choice", "random", *BUILDINGS],
    "overlays": [True, False],
    "buy_to_reserve": [True, False],
    "overshoot": ["halt", "pass"],
    "unused_stop_event": [True, False],
    "short_treasury": ["part", "nothing"],
    "unlinked_mines": [True, False],
    "link": ["structures", "tunnels"],
    "contact": ["banned", "free"],
    "ruin_on_crater": [True, False],
    "tunnels": ["linked", "anywhere"],
    "lsc_move": ["guarded", "free"],
    "voluntary_default": [True, False],
    "thirst_med": [True, False],
    "dead_flags": ["back", "out"],
    "embassy_cut": ["stays", "dies"],
    "injury_med": ["compulsory", "choice"],
    "ride": ["no housing", "optional"],
    "trading": ["one for one", "up to two", "off"],
    "trade_offers": [1, 2, 3, 9],
    "counter_offers": [True, False],
    "trade_event12": [True, False],
    "export_oly": [True, False],
    "event8_all": [True, False],
    "victory": ["after event", "at report", "at once"],
    "late_report": [True, False],
    "cards": ["open", "hidden"],
}


def full_rules(params: dict[str, Any]) -> dict[str, Any]:
    """All parameters; tables given in part keep their other defaults."""
    unknown = set(params) - set(DEFAULTS)
    assert not unknown, f"unknown parameters {sorted(unknown)}"
    rule = {key: dict(value) if isinstance(value, dict) else value for key, value in DEFAULTS.items()}
    for key, value in params.items():
        rule[key] = rule[key] | value if isinstance(value, dict) else value
    return rule
