"""What the contract promises by name, and refusals that name what was meant."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

from sim.core import contract, optional
from sim.core.errors import Refusal, nearest
from sim.core.game import Game, game_names, get_game
from sim.core.jit import _IMPLEMENTATIONS, _VERBS, tag_of

VERBS = [name for name in vars(contract) if name in _VERBS]
NEEDED = {name for name in VERBS if _VERBS[name].needed}


@pytest.mark.parametrize("name", game_names())
def test_every_game_has_every_verb_and_field(name: str) -> None:
    game = get_game(name)
    assert isinstance(game, Game)
    own = {verb for verb, tag in _IMPLEMENTATIONS if tag == tag_of(game.State.names)}
    assert own >= NEEDED
    for dtype in (game.State, game.Rules):
        assert dtype.isalignedstruct
        for kind, offset in dtype.fields.values():
            assert offset % kind.base.alignment == 0, "an unaligned record is slow"
    assert set(game.feature_help) == set(game.features)


def test_end_codes_have_names() -> None:
    codes = (contract.FINISHED, contract.TURN_CAP, contract.STUCK, contract.OVERFLOW, contract.ALL_PASSED)
    assert codes == (1, 2, 3, 4, 5), "data sets hold these numbers, less one"
    assert [contract.ENDED_NAMES[code - 1] for code in codes] == [
        "finished",
        "turn_cap",
        "stuck",
        "overflow",
        "all_passed",
    ]


def test_verbs_say_what_they_do() -> None:
    assert {"setup", "legal", "apply", "score"} == NEEDED
    for module, names in ((contract, VERBS), (optional, ("carry", "founder", "drafted"))):
        for name in names:
            assert inspect.getdoc(getattr(module, name)), name


def test_there_is_no_such_game() -> None:
    with pytest.raises(Refusal, match="no game 'migratoin'; did you mean 'migration'"):
        get_game("migratoin")


def test_a_refusal_is_one_line() -> None:
    assert str(Refusal("map 'x':\n   too   long\t")) == "map 'x': too long"


def test_nearest() -> None:
    names = ["rats_points", "jackal_points", "comeback"]
    assert nearest("rat_points", names) == "; did you mean 'rats_points'?"
    assert nearest("rats", names) == "; did you mean 'rats_points'?"
    assert nearest("COMEBACK", names) == "; did you mean 'comeback'?"
    assert nearest("zebra", names) == ""


def test_arrows_run_one_way() -> None:
    """Core imports neither games nor bots, bots no game, a game no other game, nobody analysis."""
    sim = Path(contract.__file__).parents[1]
    for path in sorted(sim.rglob("*.py")):
        inside = path.relative_to(sim).parts
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                if inside[0] in ("core", "bots"):
                    assert not name.startswith("sim.games"), f"{path.name} imports {name}"
                if inside[0] == "core":
                    assert not name.startswith("sim.bots"), f"{path.name} imports {name}"
                if inside[0] == "games" and len(inside) > 2 and name.startswith("sim.games."):
                    assert name.split(".")[2] == inside[1], f"{path.name} imports {name}"
                if not inside[0].startswith("cli"):
                    assert name.split(".")[0] != "analysis", f"{path.name} imports {name}"
