"""Faults to plant into `analysis/`, and the test that each must fail.

A suite that is green says little unless it turns red when an estimator is wrong. Each fault below changes one place
of a temporary copy of the package (never of the work tree) and runs the test named beside it, which must then fail.
`make soak` plants them all; by hand, with the survivors at the end:

    python -m tests.analysis.mutations [WORD ...]     only faults whose name, file or test holds one of the words
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
CAUGHT, SURVIVED = "caught", "survived"


@dataclass(frozen=True)
class Fault:
    """A fault: `old` becomes `new` in `file` of `analysis/`, and `test` (below ``tests/analysis``) must fail."""

    name: str
    file: str
    old: str
    new: str
    test: str

    def changed(self, text: str) -> str:
        """The text of the file with the fault in it; refuses one where the place is gone or not the only one."""
        found = text.count(self.old)
        if found != 1:
            raise LookupError(
                f"fault '{self.name}': the text to be changed stands {found} times in analysis/{self.file}, not "
                f"once; the code has moved on, so write the fault anew: {self.old!r}"
            )
        return text.replace(self.old, self.new)


SEATS, PIECES = "fairness/test_faults_in_seats.py", "pieces/test_faults_in_strength.py"
SKILL, DRAFTS = "skill/test_faults_in_standing.py", "bans_and_drafts/test_faults_in_drafts.py"
CARDS = "changes/test_faults_in_cards.py"

FAULTS = (
    Fault(
        "seat verdict by the single band",
        "fairness/seats.py",
        "    tests = float(sum(stats.free_tests(won) for won in shares))\n",
        "    tests = 1.0\n",
        f"{SEATS}::test_one_seat_of_four_beyond_its_own_band_only_is_no_verdict",
    ),
    Fault(
        "slope over padded seats",
        "stats/logit.py",
        "rows += int(mask[part].sum()) if mask is not None else p.size",
        "rows += p.size",
        f"{PIECES}::test_win_share_a_copy_at_tables_of_two_and_of_five",
    ),
    Fault(
        "margin of pieces for the seats' rows",
        "fairness/seats.py",
        "for table in _judged(games, d.judge.seat):\n        cut",
        "for table in _judged(games, d.judge.piece):\n        cut",
        f"{SEATS}::test_seats_are_judged_by_the_margin_of_seats",
    ),
    Fault(
        "margin of pieces for the seats together",
        "fairness/seats.py",
        "for table in _judged(games, d.judge.seat):\n        gap",
        "for table in _judged(games, d.judge.piece):\n        gap",
        f"{SEATS}::test_seats_are_judged_by_the_margin_of_seats",
    ),
    Fault(
        "raw p for strong",
        "stats/verdicts.py",
        "band_low, band_high = found.interval(1 - ALPHA / m)",
        "band_low, band_high = found.interval(1 - ALPHA)",
        f"{PIECES}::test_strong_is_said_of_what_is_clear_among_all_pieces",
    ),
    Fault(
        "raw p for balanced",
        "stats/verdicts.py",
        "hochberg(found[within].p_within(lows[within], highs[within]))",
        "found[within].p_within(lows[within], highs[within])",
        f"{PIECES}::test_balanced_is_said_of_what_is_clear_among_all_pieces",
    ),
    Fault(
        "games without the bot in its denominator",
        "fairness/seats.py",
        "there = own.any(axis=1)  #",
        "there = np.ones(len(own), dtype=bool)  #",
        f"{SEATS}::test_a_bot_counts_in_the_games_that_it_was_in",
    ),
    Fault(
        "share of a bot over all games",
        "fairness/seats.py",
        "return float(self.won.sum() / self.seats.sum())",
        "return float(self.won.sum() / len(self.games))",
        f"{SEATS}::test_a_bot_counts_in_the_games_that_it_was_in",
    ),
    Fault(
        "standing over all games",
        "skill/pairings.py",
        'games.behind(np.unique(pairs.game[at]), "mean over opponents of the score", blocks)',
        'games.behind(np.unique(pairs.game), "mean over opponents of the score", blocks)',
        f"{SKILL}::test_standing_counts_opponents_and_not_games",
    ),
    Fault(
        "standing weighted by games",
        "skill/pairings.py",
        "value = float((own_mean / size[code[at]]).sum() / opponents)",
        "value = float(own.mean())",
        f"{SKILL}::test_standing_counts_opponents_and_not_games",
    ),
    Fault(
        "errors of standing as if weighted by games",
        "skill/pairings.py",
        "influence = (own - own_mean) / (size[code[at]] * opponents)",
        "influence = (own - own_mean) / len(own)",
        f"{SKILL}::test_standing_counts_opponents_and_not_games",
    ),
    Fault(
        "drawn levels across strata",
        "changes/levels.py",
        "inside = np.isin(stratum, both)",
        "inside = np.ones(len(stratum), dtype=bool)",
        f"{CARDS}::test_an_event_is_set_against_games_of_its_own_map",
    ),
    Fault(
        "picks with errors by offer",
        "bans_and_drafts/drafts.py",
        "blocks = games.blocks[offers.game[at]]\n    dealt",
        "blocks = stats.make_blocks(np.arange(len(at)))\n    dealt",
        f"{DRAFTS}::test_offers_of_one_game_are_no_independent_choices",
    ),
    Fault(
        "tied games dropped in the logit",
        "stats/logit.py",
        "    beta = np.zeros(x.shape[2]) if start is None",
        "    decided = credit.max(axis=1) > 0.99\n"
        "    x, credit, blocks = x[decided], credit[decided], blocks[decided]\n"
        "    mask = None if mask is None else mask[decided]\n"
        "    beta = np.zeros(x.shape[2]) if start is None",
        f"{PIECES}::test_ties_count_half_in_the_strength_of_a_piece",
    ),
    Fault(
        "tied games without a score",
        "stats/logit.py",
        "        y = credit[part]\n",
        "        y = np.where(credit[part].max(axis=1, keepdims=True) > 0.99, credit[part], p)\n",
        f"{PIECES}::test_ties_count_half_in_the_strength_of_a_piece",
    ),
)


def package(folder: Path) -> Path:
    """A copy of `analysis/` and its tests in `folder`, to be spoilt; the rest is only linked to."""
    away = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "analysis", folder / "analysis", ignore=away)
    shutil.copytree(ROOT / "tests" / "analysis", folder / "tests" / "analysis", ignore=away)
    for name in ("tests/__init__.py", "tests/conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "sim").symlink_to(ROOT / "sim", target_is_directory=True)
    return folder


def run(folder: Path, *tests: str) -> tuple[int, str]:
    """Run tests of the copy; pytest's exit code, and what it printed."""
    # Bytecode is told apart by the second and the size of its source, and a fault may keep both.
    own = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    own.pop("PYTEST_ADDOPTS", None)
    at = [f"tests/analysis/{test}" for test in tests]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *at]
    done = subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def plant(fault: Fault, folder: Path) -> str:
    """Plant the fault into the copy in `folder`, run its test, take it back: ``caught`` or ``survived``.

    A test that could not be run (no such test, a fault that is no Python) is an error of the list, and raised.
    """
    file = folder / "analysis" / fault.file
    sound = file.read_text(encoding="utf-8")
    file.write_text(fault.changed(sound), encoding="utf-8")
    try:
        code, told = run(folder, fault.test)
    finally:
        file.write_text(sound, encoding="utf-8")
    # A fault that merely breaks the code is no fault that a test has seen.
    if code not in (0, 1) or "NameError" in told or "ImportError" in told:
        raise RuntimeError(f"fault '{fault.name}': the test could not be run (exit code {code})\n{told}")
    return CAUGHT if code else SURVIVED


def main(words: list[str]) -> int:
    chosen = [f for f in FAULTS if not words or any(w in f"{f.name} {f.file} {f.test}" for w in words)]
    if not chosen:
        print(f"no fault holds {' or '.join(words)}")
        return 2
    with tempfile.TemporaryDirectory() as there:
        folder = package(Path(there))
        code, told = run(folder, *dict.fromkeys(fault.test for fault in chosen))
        if code:
            print(f"the tests fail without any fault:\n{told}")
            return 1
        found = {}
        for fault in chosen:
            found[fault.name] = plant(fault, folder)
            print(f"{found[fault.name]:9} {fault.name} ({fault.file})", flush=True)
    alive = [name for name, word in found.items() if word == SURVIVED]
    print(f"{len(found) - len(alive)} of {len(found)} faults caught; survivors: {', '.join(alive) or 'none'}")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
