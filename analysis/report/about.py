"""The last sections: what was played, what the game leaves open, and what every figure means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analysis.report import words
from analysis.report.blocks import Block, Cell, Column, Command, Facts, Table, Text, text_cell

if TYPE_CHECKING:
    from analysis.report.context import Context

CELLS_SHOWN = 60
FILE_SHOWN = 20_000  # bytes


OF_PEOPLE = ("date", "group", "map", "minutes", "turns", "first_seat", "ended", "bans", "margin")
"""Columns of games that people may have kept."""
OF_SEATS = {"player": "names", "score": "scores", "deck": "decks"}


def recorded(context: Context) -> list[Block]:
    """Of games that people kept: the files, what was left out, and what was not recorded."""
    d, read = context.whole, context.whole.manifest["imported"]
    sources = [s.get("counts") or f"{s['file']} ({words.plural(s['rows'], 'row')})" for s in read["sources"]]
    games, seats = d.games.collect_schema().names(), d.seats.collect_schema().names()
    missing = [name.replace("_", " ") for name in OF_PEOPLE if name not in games]
    missing += [text for name, text in OF_SEATS.items() if name not in seats]
    missing += [] if d.has("pieces") else ["cards held"]
    left_out = int(read.get("left_out") or 0)
    by_group = d.columns.blocks.what == "group"
    facts = [
        ("Read from", words.listing(sources, 12)),
        ("Games", f"{words.plural(d.n_games, 'game')}, {words.tables(d.tables)}"),
        (
            "Left out",
            f"{words.plural(left_out, 'row')}, each with its reason in left_out.csv"
            if left_out
            else "nothing",
        ),
        ("How it was read", "; ".join(read.get("notes") or []) or "as it stands"),
        ("Not recorded", words.listing(missing, 20) or "nothing"),
        (
            "Groups",
            "not recorded: each game counts by itself"
            if "group" not in games
            else "each group of people counts as one block"
            if by_group
            else (
                "too few to tell how much groups differ: each game counts by itself, so this holds for "
                "them alone"
            ),
        ),
        (
            "Causes",
            "Nobody was told by lot what to play, so nothing here tells why somebody won. What goes with "
            "winning may come of who chose it; seats are as "
            "good as the way in which people took them.",
        ),
    ]
    return [Facts(facts)]


def played(context: Context) -> list[Block]:
    """What was played: experiment, seeds, games, parameters that differ from default, how to repeat it."""
    d, manifest = context.whole, context.whole.manifest
    if manifest.get("imported"):
        return recorded(context)
    lines = context.lines
    rotated = manifest.get("rotations")
    facts = [
        ("Experiment", d.name),
        ("Design version", str(manifest.get("design_version") or "not stated")),
        ("Game", f"{context.game_title} (rules {manifest.get('rules_version', 'not stated')})"),
        ("Players", words.tables(d.tables)),
        ("Bots", _bots(context)),
        (
            "Games",
            f"{words.plural(context.all.n_games, 'game')} in {words.plural(len(d.cells), 'setting')}"
            + (f", on {words.plural(d.n_deals, 'deal')}" if d.read is None else "")
            + "; no game was dropped",
        ),
        *_read(context),
        ("Lines of play", lines),
        (
            "Seats",
            "players were moved around the seats, deal by deal"
            if rotated
            else "nothing moves with the players, so each deal was played once"
            if rotated is not None
            else "not stated",
        ),
        ("Seed", words.plain(manifest.get("seed")) if manifest.get("seed") is not None else "not stated"),
    ]
    if d.factors:
        facts.append(("Varied", words.listing(context.told or d.factors, 12)))
    if d.drawn:
        facts.append(("Drawn for each deal", words.listing(d.drawn, 12)))
    lever = manifest.get("lever")
    facts.append(
        (f"Assignment of {context.word('pieces')}", str(lever["text"]) if lever else "not at random")
    )
    blocks: list[Block] = [Facts(facts)]
    blocks += [differing(context), *_cells(context)]
    versions = manifest.get("versions") or {}
    made = [f"whimbrel {manifest.get('whimbrel', '?')}", *(f"{k} {v}" for k, v in versions.items())]
    made += [f"bot {name} {version}" for name, version in (manifest.get("bots_versions") or {}).items()]
    blocks += [Text("To repeat it, in the folder of the data set:"), Command("\n".join(commands(context)))]
    blocks += _experiment_file(context)
    blocks.append(Text("Versions: " + ", ".join(made) + ".", "note"))
    return blocks


def _read(context: Context) -> list[tuple[str, str]]:
    """Return what is said of games that were played and not read."""
    d, read = context.whole, context.whole.read
    if read is None:
        return []
    return [
        (
            "Read",
            f"{d.n_games:,} of the {read.games(d):,} games: {read.how()}, so that memory does not grow with the run. "
            "Deals do not know of each other, so these are as good as a run of that size; every figure here is of "
            "them where it does not say otherwise, and its interval is that of the games read.",
        )
    ]


def _experiment_file(context: Context) -> list[Block]:
    """Return the experiment as it was written, so that the report alone is enough to repeat it."""
    path = context.whole.path / "experiment.toml" if context.whole.path is not None else None
    if path is None or not path.is_file() or path.stat().st_size > FILE_SHOWN:
        return []
    text = path.read_text(encoding="utf-8-sig", errors="replace").rstrip()
    return [Command(text, title="experiment.toml", folded=True)]


def commands(context: Context) -> list[str]:
    """Return the command lines that play this data set again and write this report."""
    manifest = context.whole.manifest
    options = []
    batches = (manifest.get("stop") or {}).get(
        "games"
    )  # of a run in batches: their cap, which it may not have needed
    if (games := batches[-1] if batches else manifest.get("games_per_cell")) is not None:
        options.append(f"--games {games}")
    if manifest.get("seed") is not None:
        options.append(f"--seed {manifest['seed']}")
    if manifest.get("stand_ins_run"):
        options.append("--over stand-ins")
    run = " ".join(["whimbrel run experiment.toml", *options, "-o again"])
    return [run, "whimbrel report again"]


FOLLOWS = -1
"""A default that stands for what another parameter says (the counts of a deck, say)."""


def _bots(context: Context) -> str:
    """Return the bots that played, each with what the card says of it."""
    about = {str(bot.get("name")): str(bot.get("about") or "") for bot in context.whole.card.get("bots", [])}
    names = [str(bot) for bot in context.whole.manifest.get("bots_used") or []]
    texts = [f"{name}: {about[name]}" if about.get(name) else name for name in names]
    return "; ".join(texts) or "none: recorded play"


def differing(context: Context) -> Block:
    """Return the table of parameters that differ from their default, or a line that says there are none."""
    rows = []
    for entry in context.whole.card.get("parameters", []):
        name = str(entry.get("name"))
        value, default = entry.get("value"), entry.get("default")
        if name in context.whole.factors:
            value = "varied"
        elif value is None or value == default or (default == FOLLOWS and not _is_set(name, context)):
            continue
        rows.append(
            [Cell(name), text_cell(value), text_cell(default), text_cell(entry.get("help") or "")],
        )
    if not rows:
        return Text("All parameters stood at their defaults.")
    heads = [Column("parameter"), Column("here"), Column("default"), Column("what it does")]
    return Table(heads, rows, title="Parameters that differ from their default")


def _cells(context: Context) -> list[Block]:
    d = context.whole
    names = context.told
    if len(d.cells) < 2 or not names:
        return []
    rows = []
    for row in context.cells.head(CELLS_SHOWN).iter_rows(named=True):
        rows.append(
            [
                Cell(str(row["cell"]), row["cell"]),
                *(text_cell(row[n]) for n in names),
                context.count(row["games"]),
            ]
        )
    more = len(d.cells) - len(rows)
    note = f"{more} more settings are in cells.parquet." if more > 0 else ""
    heads = [Column("number", True), *(Column(n) for n in names), Column("games", True)]
    return [Table(heads, rows, title=f"The {len(d.cells)} settings", note=note, folded=len(d.cells) > 12)]


def stand_ins(context: Context) -> list[Block]:
    """Facts that the rulebook leaves out, and the readings of its doubtful passages that were in force."""
    card = context.whole.card
    values = {str(p.get("name")): p.get("value", p.get("default")) for p in card.get("parameters", [])}
    blocks: list[Block] = []
    guesses = card.get("stand_ins", [])
    if guesses:
        over = context.whole.manifest.get("stand_ins_run")
        blocks.append(
            Text(
                "The rulebook does not say these things; the values are stand-ins. "
                + (
                    f"This run was played over alternatives of {words.listing(over['names'], 12)}."
                    if over
                    else "The verdicts above were found under these values only "
                    "(whimbrel run … --over stand-ins plays the alternatives)."
                )
            )
        )
        rows = [
            [
                Cell(str(g.get("name", ""))),
                text_cell(g.get("fact", "")),
                text_cell(g.get("grade", "")),
                text_cell(_in_force(g, values, context)),
                Cell("; ".join(words.plain(a) for a in g.get("alternatives", [])) or words.DASH),
            ]
            for g in guesses
        ]
        heads = ["stand-in", "what is missing", "grade", "in force", "alternatives"]
        blocks.append(Table([Column(h) for h in heads], rows, title="Stand-ins"))
    rulings = card.get("rulings", [])
    if rulings:
        rows = [
            [
                Cell(str(r.get("id", ""))),
                text_cell(r.get("question", "")),
                text_cell(r.get("reading", "")),
                text_cell(_ruling_value(r, values, context)),
                text_cell(r.get("impact", "")),
            ]
            for r in rulings
        ]
        heads = ["ruling", "question", "reading", "in force", "impact"]
        title = f"{words.plural(len(rows), 'ruling')} in force"
        blocks.append(Table([Column(h) for h in heads], rows, title=title, folded=len(rows) > 8))
    if not blocks:
        blocks.append(Text("The manifest names no stand-ins and no rulings for this game."))
    return blocks


def _in_force(guess: dict[str, Any], values: dict[str, Any], context: Context) -> Any:
    """What was played in place of what the rulebook leaves out: the guess, and where the parameters depart from it."""
    defaults = {str(p.get("name")): p.get("default") for p in context.whole.card.get("parameters", [])}
    own = [name for name in defaults if _belongs(name, guess)]
    if any(name in context.whole.factors for name in own):
        return "varied"
    name = str(guess.get("name"))
    if name in values and values[name] is not None:
        return values[name]
    here = {
        n: values[n]
        for n in own
        if values.get(n) is not None
        and values[n] != defaults[n]
        and (defaults[n] != FOLLOWS or _is_set(n, context))
    }
    default = words.plain(guess.get("default", ""))
    changed = ", ".join(f"{n} = {words.plain(value)}" for n, value in here.items())
    return f"{default}; but here {changed}" if changed else default


def _belongs(parameter: str, guess: dict[str, Any]) -> bool:
    """Whether a parameter holds (part of) a guess: named by it, or changed by one of its alternatives."""
    listed = guess.get("parameters") or {key for other in guess.get("alternatives", []) for key in other}
    heads = {str(name).split(".")[0] for name in [*listed, guess.get("name", "")]}
    return parameter.split(".")[0] in heads


def _is_set(name: str, context: Context) -> bool:
    """Whether the experiment gives a value for a parameter, or for a table that it belongs to."""
    experiment = context.whole.manifest.get("experiment") or {}
    given = [
        experiment.get("parameters") or {},
        experiment.get("vary") or {},
        *(experiment.get("variant") or []),
    ]
    names = {str(key) for table in given for key in table}
    return name in names or name.split(".")[0] in names


def _ruling_value(ruling: dict[str, Any], values: dict[str, Any], context: Context) -> Any:
    name = ruling.get("parameter")
    if not name:
        return "fixed"
    if name in context.whole.factors:
        return f"{name}: varied"
    return f"{name} = {words.plain(values[name])}" if name in values else str(name)


DEFINITIONS = [
    (
        "win share",
        "1 for the sole winner, 1/k for each of k tied winners, 0 for the others; 1 in all for each game.",
    ),
    (
        "fair share",
        "1 divided by the number of players, or of sides where seats play together: what a seat wins when "
        "all are "
        "even. Partners share every win.",
    ),
    (
        "deal",
        "One seeded set-up. Games on the same deal are related, so intervals count deals, not games.",
    ),
    (
        "interval",
        "The range that holds the true value with 95% confidence. Where several seats are judged together, "
        "the thin line holds all of them at once.",
    ),
    (
        "margin",
        "How far from fair still counts as balanced: set in [judge] of the experiment, not by the data.",
    ),
    (
        "balanced",
        "An equivalence test places the value within the margin. It is a claim with evidence, not the "
        "absence of a difference.",
    ),
    (
        "favoured, strong (unfavoured, weak)",
        "The whole interval, corrected for the number of comparisons, lies above (below) the margin, and "
        "the shrunk "
        "value does too.",
    ),
    (
        "above, below, uneven",
        "Off the middle beyond chance, corrected for the number of comparisons; not shown to lie beyond "
        "the margin.",
    ),
    ("undecided", "None of these could be shown. More games may decide it."),
    ("too few to say", "Fewer than ten independent deals: nothing is judged."),
    (
        "not used by these bots",
        "Assigned, and hardly ever played: what it shows is the bots, not what it is worth.",
    ),
    (
        "strength of a piece",
        "What one more copy adds to the win share, against the average other piece, found where pieces were "
        "dealt by lot. It tells of this play: other players may make more or less of it.",
    ),
    (
        "goes with winning",
        "How often owners or players of a piece win, compared with the others. Winners own and play more of "
        "everything, so this does not tell what a piece is worth, and gets no verdict.",
    ),
    (
        "q",
        "The chance of a false alarm, corrected for the number of rows in the table: beside a verdict "
        "that of any "
        "false one (Bonferroni), elsewhere the false share of those that are called clear "
        "(Benjamini-Hochberg).",
    ),
    (
        "gap between seats",
        "Largest gap: the seat furthest from its fair share. Under bans: how far a seat typically is from it "
        "(root mean square, with the part that chance explains taken off).",
    ),
    ("turns, decisions", "A decision is a choice among two or more options; forced moves do not count."),
    ("choice width", "The mean number of options at a decision."),
    (
        "minutes",
        "Seconds a turn, a decision and a game (the pace) times what was played. A pace that is the "
        "game's own guess "
        "is said to be one.",
    ),
    (
        "who ends the game",
        "The seat that made the last turn. Where ending is a choice, who is ahead may take it: ending "
        "does not make one win.",
    ),
    (
        "luck",
        "Where bots differ: the share of pairings that fall as a fair coin would, if the better bot won "
        "all others.",
    ),
    ("lead change", "Another player (or nobody) is ahead in points than after the turn before."),
    ("margin of victory", "Best score minus second best; 0 in a tie."),
    (
        "how games ended",
        "finished: by the rules; turn_cap: stopped at the limit of turns; stuck: nobody could act; overflow: "
        "more options than the engine holds; all_passed: somebody could go on, but all went on passing.",
    ),
    (
        "distinct lines",
        "How many different sequences of actions were played. Repeating a line is no new evidence.",
    ),
]


def definitions(_: Context) -> list[Block]:
    """What each figure of the report means."""
    return [Facts(DEFINITIONS)]
