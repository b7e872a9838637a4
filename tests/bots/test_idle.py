"""The option `idle`: a bot that passes only when it must."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.checks.table import make_cell
from sim.core.bots import bot_set, check_options
from sim.core.contract import idle, is_allowed, keep_allowed
from sim.core.errors import Refusal
from sim.core.game import get_game
from sim.core.play import Step, replay

pytestmark = pytest.mark.plain
MIGRATO = get_game("migrato")


def played(seed: int, **options: Any) -> list[Step]:
    """Play a random game with these options; the decisions of it."""
    cell = make_cell(MIGRATO, ["random"], 2)
    cell.bots = [("random", options)] * 2
    return [step for step in replay(MIGRATO, cell, seed, (0, 1)) if len(step.actions) > 1]


def is_idle(step: Step, action: int) -> bool:
    return bool(idle(step.rules, step.state, np.int32(action)))


def test_idle_actions_are_taken_only_where_there_is_nothing_else() -> None:
    steps = played(3, idle="last")
    could = [step for step in steps if any(is_idle(step, action) for action in step.actions)]
    assert len(could) > 20
    for step in could:
        assert step.action is not None
        assert not is_idle(step, step.action) or all(is_idle(step, action) for action in step.actions)


def test_by_default_they_are_taken_as_often_as_others() -> None:
    steps = played(3)[:60]
    assert any(is_idle(step, step.action) for step in steps if step.action is not None)
    first = steps[0]
    assert [s.action for s in played(3, idle="any")[:60]] == [s.action for s in steps]
    names = {
        MIGRATO.kinds[int(MIGRATO.action_kind(np.array([a]))[0])] for a in first.actions if is_idle(first, a)
    }
    assert names == {"discard hand"}  # no column is there yet


def test_it_goes_with_pieces_that_are_never_used() -> None:
    cell = make_cell(MIGRATO, ["random"], 2)
    cell.bots = [
        ("random", {"idle": "last", "never": MIGRATO.pieces[0]}),
        ("random", {"never": MIGRATO.pieces[0]}),
    ]
    bank = bot_set(MIGRATO, [cell])[1]
    both, pieces = (np.int64(bank[0, player]["common"]["never"]) for player in (0, 1))
    assert both < 0 < pieces
    step = next(step for step in played(3) if any(is_idle(step, action) for action in step.actions))
    codes = np.array([*step.actions, 0], dtype=np.int32)
    left = np.zeros_like(codes)
    n = keep_allowed(step.rules, step.state, codes, len(step.actions), both, left)
    wanted = [
        action
        for action in step.actions
        if not is_idle(step, action) and is_allowed(step.rules, step.state, np.int32(action), pieces)
    ]
    assert left[:n].tolist() == wanted


def test_another_word_is_refused() -> None:
    with pytest.raises(Refusal, match="idle = 'lats' is not one of any, last; did you mean 'last'"):
        check_options("random", {"idle": "lats"}, MIGRATO)
