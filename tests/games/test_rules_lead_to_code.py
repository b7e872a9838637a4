"""RULES.md leads into the code: each rule names the functions that carry it, as `→ module.function, module.function`.

Read as text and syntax trees only, so that nothing is compiled and a broken rules file does not hide a broken arrow.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.plain

GAMES = Path(__file__).parents[2] / "sim" / "games"
ALL_GAMES = sorted(path.parent.name for path in GAMES.glob("*/RULES.md"))
ARROW = re.compile(r"`→ ([^`]*)`")
NAME = re.compile(r"[a-z_]+\.[a-z_]+")
HEADING = re.compile(r"^(#+) (.*)$")
# a rule with a name of its own: a paragraph, a list item that begins with bold words
NAMED_RULE = re.compile(r"^\s*(?:\* |\d+\. )?\*\*[^*]+\*\*")

# Chapters about the rules, not of them.
NO_RULES = {
    "Greedy play": "how bots play",
    "Not parameters, and why": "readings, told with the rules themselves",
    "Random games, every check on": "how games of random play ended",
    "The two sets": "values of parameters",
    "What is no parameter, and why": "readings, told with the rules themselves",
    "Where the notation is": "where cases are",
    "Where the rulebook and the notes clash": "readings, told with the rules themselves",
    "Where the rulebook and our notes clash, and what is no parameter": "readings, told with the rules themselves",
    "Where the texts and the notes clash": "readings, told with the rules themselves",
}

# Files of rules/ with compiled functions that carry no rule of the game.
MACHINERY = {
    ("migration", "views"): "numbers for bots and logs",
    ("migrato", "views"): "numbers for bots and logs",
}


def rules_text(game: str) -> str:
    return (GAMES / game / "RULES.md").read_text(encoding="utf-8")


def functions_in(path: Path) -> dict[str, ast.FunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def is_compiled(function: ast.FunctionDef) -> bool:
    """Whether a function is a `@kernel` or `@implements(...)` a verb."""
    marks = (mark.func if isinstance(mark, ast.Call) else mark for mark in function.decorator_list)
    return any(isinstance(mark, ast.Name) and mark.id in ("kernel", "implements") for mark in marks)


def targets(text: str) -> list[tuple[str, str]]:
    """Return module and function of every arrow in a text."""
    found = []
    for inside in ARROW.findall(text):
        for name in inside.replace("\n", " ").split(","):
            assert NAME.fullmatch(name.strip()), f"an arrow reads `→ module.function, ...`, not `→ {inside}`"
            module, function = name.strip().split(".")
            found.append((module, function))
    return found


def files_of(game: str, module: str) -> list[Path]:
    """Return the files that a module's name may mean: in rules/, or beside it."""
    return [
        path
        for path in (GAMES / game / "rules" / f"{module}.py", GAMES / game / f"{module}.py")
        if path.exists()
    ]


def chapters(text: str) -> list[tuple[str, str]]:
    """Return the title of every section with its text, that of its subsections included."""
    lines = text.split("\n")
    heads = [(i, len(match[1]), match[2]) for i, line in enumerate(lines) if (match := HEADING.match(line))]
    found = []
    for k, (start, depth, title) in enumerate(heads):
        if depth == 1:
            continue
        end = next((i for i, other, _ in heads[k + 1 :] if other <= depth), len(lines))
        found.append((title, "\n".join(lines[start:end])))
    return found


def named_rules(text: str) -> list[str]:
    """Return the paragraphs and list items that begin with a name in bold."""
    blocks: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        blocks += re.split(r"\n(?=\s*(?:\* |\d+\. ))", paragraph)
    return [block for block in blocks if NAMED_RULE.match(block)]


def test_there_are_games_to_look_at() -> None:
    assert {"drifting_lands", "mars", "migration", "migrato"} <= set(ALL_GAMES)


@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_arrow_leads_to_one_function(game: str) -> None:
    lost = []
    for module, function in targets(rules_text(game)):
        files = files_of(game, module)
        if len(files) != 1 or function not in functions_in(files[0]):
            lost.append(f"{module}.{function}")
    assert not lost


@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_chapter_of_rules_leads_to_code(game: str) -> None:
    mute = [
        title for title, text in chapters(rules_text(game)) if title not in NO_RULES and not targets(text)
    ]
    assert not mute


@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_named_rule_leads_to_code(game: str) -> None:
    mute = []
    for title, text in chapters(rules_text(game)):
        if title not in NO_RULES and title != "Words":
            mute += [rule.split("\n")[0] for rule in named_rules(text) if not targets(rule)]
    assert not mute


@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_compiled_file_carries_a_rule_or_is_machinery(game: str) -> None:
    reached = {module for module, _ in targets(rules_text(game))}
    for path in sorted((GAMES / game / "rules").glob("*.py")):
        public = [
            name
            for name, node in functions_in(path).items()
            if is_compiled(node) and not name.startswith("_")
        ]
        if public:
            machinery = (game, path.stem) in MACHINERY
            assert (path.stem in reached) != machinery, (
                f"{path.name}: no rule leads here, or it is no machinery"
            )


def test_lists_of_exceptions_name_what_is_there() -> None:
    titles = {title for game in ALL_GAMES for title, _ in chapters(rules_text(game))}
    assert set(NO_RULES) <= titles
    assert not [
        f"{game}: {stem}" for game, stem in MACHINERY if not (GAMES / game / "rules" / f"{stem}.py").exists()
    ]


def test_a_broken_arrow_is_seen() -> None:
    assert targets("a `parameter` is none. `→ land.shift, land.survey`") == [
        ("land", "shift"),
        ("land", "survey"),
    ]
    with pytest.raises(AssertionError, match="an arrow reads"):
        targets("`→ land.py: shift`")
    assert named_rules("* **A.** One.\n  `→ a.b`\n* **B.** Two.\n\n**C** three") == [
        "* **A.** One.\n  `→ a.b`",
        "* **B.** Two.",
        "**C** three",
    ]
    assert [title for title, _ in chapters("# T\n## A\nx\n### B\ny\n## C")] == ["A", "B", "C"]
