"""How Migrato is played to be checked: both rule sets, and flags of neither."""

from typing import Any

from tests.conformance import Setting


def _setting(**parameters: Any) -> Setting:
    return Setting(parameters, bots=("greedy", "greedy"), games=6)


SETTINGS = {
    "printed": _setting(),
    "digital": _setting(rules="digital"),
    "forgetful": _setting(rules="digital", memory=0.7, incomplete_reveal="return"),
    "free": _setting(
        left_out="random 3",
        mixed="allowed",
        hidden_check="visible_only",
        discard_memory="top",
        steal="optional",
        discard_stolen=False,
        finish="round",
    ),
}
