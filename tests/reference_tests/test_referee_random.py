"""The plain referee in random play: games end, no piece is lost, Migrations cost what lies between."""

from __future__ import annotations

import random

import pytest

from tests.reference.migration.random import (
    random_ages,
    random_game,
    random_params,
    random_variant_params,
)


@pytest.mark.parametrize("seed", range(150))
def test_referee_random_play_ends_and_loses_no_piece(seed: int) -> None:
    rng = random.Random(seed)
    referee = random_game(rng, random_params(rng))
    for _ in range(400):
        actions = sorted(referee.actions() - ({"pass"} if rng.random() < 0.8 else set()))
        if referee.phase == "over":
            break
        referee.do(rng.choice(actions or ["pass"]))  # checks its invariants at every step
        assert referee.turn == sum(referee.turns)
    assert referee.phase == "over"


@pytest.mark.parametrize("seed", range(150))
def test_referee_random_play_in_the_ages_ends_and_keeps_its_oaths(seed: int) -> None:
    rng = random.Random(1000 + seed)
    ages = random_ages(rng)
    referee = random_game(rng, random_params(rng) | random_variant_params(rng), ages)
    enacted: tuple[int, int] | None = None  # who enacted last, and after how many own turns
    for _ in range(1000):
        if referee.phase == "over":
            break
        before = referee.snapshot()
        actions = sorted(referee.actions() - ({"pass"} if rng.random() < 0.8 else set()))
        action = rng.choice(actions or ["pass"])
        if action.startswith("enact"):
            seat = before["to_move"]
            if enacted is not None and not referee.out[enacted[0]]:
                assert referee.turns[enacted[0]] >= enacted[1] + 2  # the turn it was enacted in, and another
            enacted = (seat, referee.turns[seat])
        referee.do(action)  # checks at every step that no piece is lost and Spirits are where they may be
        after = referee.snapshot()
        if after["phase"] == "over" or (after["phase"] == "turn" and before["phase"] != "turn"):
            for seat, hand in enumerate(after["hands"]):
                shown = min(2, sum(hand.values())) if referee.rule["oaths"] else 0
                assert len(after["revealed"][seat]) == shown
        if action.startswith("enact"):
            assert after["active"] == action.removeprefix("enact ") != before["active"]
            # locked, unless the enactor went out, or forced passes took everybody past its next turn
            assert enacted is not None
            over = referee.out[enacted[0]] or referee.turns[enacted[0]] >= enacted[1] + 2
            assert after["locked"] != over
        assert after["turn"] == sum(referee.turns)
    assert referee.phase == "over"
    if ages["mode"] == "scenario":
        assert referee.active == ages["deck"][0]


@pytest.mark.parametrize("seed", range(20))
def test_referee_migrations_cost_what_lies_between(seed: int) -> None:
    rng = random.Random(seed)
    referee = random_game(rng, {})
    while referee.phase != "over":
        actions = sorted(referee.actions())
        seat, spirit, before = referee.to_move, referee.spirits[referee.to_move], referee.snapshot()
        if referee.phase == "turn" and spirit is None:
            for action in (action for action in actions if action.startswith("enter")):
                q, r = (int(part) for part in action.rsplit(" ", 1)[1].split(","))
                spot = referee.board[(q, r)]
                bass = "Bass" in action and (q, r) in referee.coastal
                wolf = "Wolf" in action and (spot["forest"] or "Deep Woods" in spot["terrain"])
                oasis = "Oasis" in spot["terrain"] and referee.turns[seat] > 0
                assert before["regions"][(q, r)] is None
                assert "Lake" not in spot["terrain"]
                assert bass or wolf or oasis
        action = rng.choice(actions)
        referee.do(action)
        if action.startswith("migrate"):
            q, r = (int(part) for part in action.rsplit(" ", 1)[1].split(","))
            assert spirit is not None
            distance = max(abs(q - spirit[0]), abs(r - spirit[1]))
            for _ in range(distance - 1):
                assert (referee.phase, referee.to_move) == ("pay", seat)
                referee.do(min(referee.actions()))
            spent = sum(before["hands"][seat].values()) - sum(referee.hands[seat].values())
            assert spent == distance
