"""`whimbrel games`, `experiments`, `find`: looking at what there is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.cli.options import Json
from sim.core.errors import Refusal, nearest


def games(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="A game; none lists them.")] = None,
    as_json: Json = False,
) -> None:
    """List the games, or what one is made of: parameters, pieces, maps, bots, stand-ins, rulings.

    Example: whimbrel games migration
    """
    from sim.core.game import game_names, get_game

    if game is None:
        rows = []
        for name in game_names():
            try:
                known = get_game(name)
            except Refusal as error:  # a plug-in that is broken does not stand in the way of the others
                rows.append({"name": name, "title": name, "about": "", "broken": str(error)})
            else:
                rows.append({"name": name, "title": known.title, "about": known.about})
        if as_json:
            print(json.dumps(rows))
        else:
            print("\n".join(f"{r['name']:<14} {r['about'] or 'broken: ' + r['broken']}" for r in rows))
        return
    found = get_game(game)
    card = {"name": found.name, "rules_version": found.rules_version, **found.card()}
    if as_json:
        print(json.dumps(card, ensure_ascii=False))
    else:
        print(_card_text(card))


def _card_text(card: dict[str, Any]) -> str:
    lines = [f"{card['title']} ({card['name']}, rules {card['rules_version']})", card["about"]]
    lines += ["", "Parameters"]
    for p in card["parameters"]:
        choices = p.get("range")
        span = f" [{_words(choices)}]" if choices else ""
        ruling = f" ({p['ruling']})" if p.get("ruling") else ""
        lines.append(f"  {p['name']} = {_words(p['default'])}{span}  {p['help']}{ruling}")
    for title, key in (("Pieces", "pieces"), ("Maps", "maps"), ("Bots", "bots")):
        lines += ["", title]
        lines += [
            f"  {row['name']:<14} {row.get('text') or row.get('about') or row.get('group', '')}"
            for row in card[key]
        ]
    lines += ["", "Levers (the random assignment that makes strength a cause)"]
    lines += [f"  {row['assignment']}: {row['text']}" for row in card["levers"]]
    lines += ["", "Stand-ins (facts that the rulebook leaves out)"]
    lines += [
        f"  {r['name']} = {_words(r['default'])}  {r['fact']} ({r['grade']})" for r in card["stand_ins"]
    ]
    lines += ["", "Rulings (readings of unclear rules)"]
    lines += [
        f"  {r['id']:<5} {r['question']}: {r['reading']} ({r.get('parameter') or 'fixed'})"
        for r in card["rulings"]
    ]
    return "\n".join(lines)


def _words(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{k} {v}" for k, v in value.items())
    return str(value)


def experiments(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A ready experiment; none lists them.")
    ] = None,
    copy: Annotated[Path | None, typer.Option(help="Write a copy to this file, to change it.")] = None,
    as_json: Json = False,
) -> None:
    """List the ready experiments, show one, or copy one as a start for your own.

    Example: whimbrel experiments quickstart --copy mine.toml
    """
    import tomllib

    from sim.batch.experiment import ready_experiments

    ready = ready_experiments()
    if name is None:
        if copy is not None:
            raise Refusal("--copy needs the name of an experiment")
        rows = []
        for key, path in ready.items():
            data = tomllib.loads(path.read_text(encoding="utf-8"))
            rows.append({"name": key, "game": data["game"], "question": data.get("question", "")})
        if as_json:
            print(json.dumps(rows))
        else:
            print("\n".join(f"{row['name']:<16} {row['game']:<12} {row['question']}" for row in rows))
        return
    if name not in ready:
        hint = nearest(name, ready) or f"; there are {', '.join(ready)}"
        raise Refusal(f"there is no ready experiment '{name}'{hint}")
    text = ready[name].read_text(encoding="utf-8")
    if copy is None:
        print(json.dumps(tomllib.loads(text)) if as_json else text, end="\n" if as_json else "")
        return
    if copy.exists():
        raise Refusal(f"'{copy}' exists already; it is not overwritten")
    try:
        copy.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refusal(f"cannot write '{copy}': {error.strerror}") from None
    print(f"next: edit {copy}, then whimbrel run {copy}")


def find(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A data set.")],
    most: Annotated[
        str | None, typer.Option(help="Largest first: turns, decisions, margin or lead_changes.")
    ] = None,
    where: Annotated[
        str | None, typer.Option(help="SQL expression over games and their cells' factors.")
    ] = None,
    number: Annotated[int, typer.Option("-n", "--number", help="How many games.")] = 10,
    as_json: Json = False,
) -> None:
    """Find games worth a look.

    Example: whimbrel find runs/first --most lead_changes --where "map = 'islands' and tied = 1"
    """
    from sim.batch.find import find as search
    from sim.batch.manifest import is_played
    from sim.batch.store import read_manifest

    rows = search(folder, most, where, number)
    if as_json:
        print(rows.write_json())
        return
    if not rows.height:
        print("no game is like that")
        return
    print(_table(rows.columns, [_seats_by_letter(row) for row in rows.iter_rows(named=True)]))
    if is_played(read_manifest(folder)):
        print(f"\nnext: whimbrel replay {folder} {rows['game_id'][0]}")


def _seats_by_letter(row: dict[str, Any]) -> list[Any]:
    """The values of a game; its winner is Seat B, not number 1."""
    from sim.core.notation import LETTERS

    won = row.get("winner")
    if isinstance(won, int) and 0 <= won < len(LETTERS):
        row = {**row, "winner": LETTERS[won]}
    return list(row.values())


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    texts = [list(head)] + [
        ["-" if v is None else f"{v:g}" if isinstance(v, float) else str(v) for v in r] for r in rows
    ]
    widths = [max(len(row[i]) for row in texts) for i in range(len(head))]
    return "\n".join("  ".join(cell.rjust(w) for cell, w in zip(row, widths)) for row in texts)
