"""From parameters, players and a map to the records of one experiment cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sim.core.errors import Refusal, nearest
from sim.core.game import Cell, Entrant, validated
from sim.core.params import fill_rules, flatten
from sim.games.migration.age_cards import deck_of, mask_of
from sim.games.migration.board import Board, validate
from sim.games.migration.board_text import load_map
from sim.games.migration.rules import state as records
from sim.games.migration.rules.builders import STYLES
from sim.games.migration.rules.params import AGE_CARDS, BOOK_ONE, PIECES, Parameters
from sim.games.migration.rules.survey import survey

FOUNDER, FOUNDER_BOT = "founder", "founder-bot"
BANS = {"kind": "piece set", "sep": "+", "none": "none"}
BOARD = {"kind": "board"}
CARD = {"kind": "card"}


def piece_code(name: str, where: str) -> int:
    """Return the number of the Explorer called `name`."""
    plain = name.replace(" ", "").lower()
    for code, piece in enumerate(PIECES):
        if piece.replace(" ", "").lower() == plain:
            return code
    raise Refusal(f"{where}: there is no Explorer {name!r}{nearest(name, PIECES)}")


def parse_bans(value: str | list[str]) -> tuple[int, int]:
    """Return (cards of a Random Ban, mask of Explorers banned by name)."""
    if isinstance(value, str):
        words = value.split()
        if words and words[0] == "random":
            if len(words) != 2 or not words[1].isdecimal() or not 0 < int(words[1]) < len(PIECES):
                raise Refusal(
                    f"bans = {value!r}: write 'random 3', with a number from 1 to {len(PIECES) - 1}"
                )
            return int(words[1]), 0
        value = (
            [] if value == "none" else [part for part in value.replace("+", ",").split(",") if part.strip()]
        )
    mask = 0
    for name in value:
        mask |= 1 << piece_code(name.strip(), "bans")
    return 0, mask


def ban_text(mask: int) -> str:
    """Return a set of banned Explorers in words: "Fly+Wolf" in the order of the pieces, or "none"."""
    return "+".join(piece for code, piece in enumerate(PIECES) if mask >> code & 1) or "none"


def make_rules(
    parameters: Parameters,
    n_players: int,
    board: Board | None,
    deck: Mapping[str, tuple[str, ...]] | None = None,
    builders: bool = False,
) -> Any:
    """Return the rules record (array of length 1) for checked parameters; `board` None: drawn per deal."""
    varied = with_variants(parameters) or builders
    bank = np.zeros(1, dtype=records.RulesWithVariants if varied else records.Rules)
    rules = bank[0]
    fill_rules(as_played(parameters), rules)
    rules["players"] = n_players
    cards, mask = parse_bans(parameters.bans)
    rules["ban_cards"], rules["banned"] = cards, mask
    rules["first_town_on_coast"] = not parameters.abilities
    for field, terrain in (
        ("fertile_lasts", "Fertile"),
        ("mountain_lasts", "Mountain"),
        ("deep_woods_last", "Deep Woods"),
        ("desert_lasts", "Desert"),
    ):
        rules[field] = terrain in parameters.persistent
    deck = AGE_CARDS if deck is None else deck
    rules["n_cards"] = len(deck)
    rules["card_switches"][: len(deck)] = [mask_of(switches) for switches in deck.values()]
    rules["fixed_card"] = fixed_card(parameters.age, deck)
    if board is None:
        rules["founding"] = 2 if parameters.map == FOUNDER_BOT else 1
    else:
        write_board(rules, board)
    return bank


def fixed_card(age: str, deck: Mapping[str, tuple[str, ...]]) -> int:
    """Return the number of the Age Card that is fixed, -1 for a drawn one, or refuse one that is not in the deck."""
    if age != "random" and age not in deck:
        raise Refusal(f"age = {age!r}: there is no such Age Card{nearest(age, [*deck, 'random'])}")
    return -1 if age == "random" else list(deck).index(age)


def with_variants(parameters: Parameters) -> bool:
    """Return whether Age Cards, Oaths or a Draft are played."""
    return (
        parameters.oaths or parameters.draft or parameters.age_mode != "none" or parameters.map == FOUNDER_BOT
    )


def as_played(parameters: Parameters) -> Parameters:
    """Return the numbers in force: Book I alone has no pieces of Book II, the basic game no abilities."""
    changes: dict[str, Any] = {}
    if parameters.books == "I":
        fields = list(type(parameters.set_counts).model_fields)[BOOK_ONE:]
        changes["set_counts"] = parameters.set_counts.model_copy(update=dict.fromkeys(fields, 0))
    if not parameters.abilities:
        changes |= {
            "bass_enters": "nowhere",
            "wolf_enters": "nowhere",
            "oak_from": "never",
            "rats_points": 1,
            "sparrow_over_towns": False,
            "sparrow_over_deep_woods": False,
            "fly_lands_by": "never",
            "wolf_concerns": "nobody",
            "skunk_concerns": "nobody",
            "poison_oak_concerns": "nobody",
            "jackal_base": 1,
            "jackal_points": 0,
            "lizard_bonus": False,
            "cactus_returns": False,
            "cactus_penalty": 0,
        }
    return parameters.model_copy(update=changes)


def write_board(rules: Any, board: Board) -> None:
    """Write the cells and terrain of `board` into `rules` and survey the land."""
    if len(board.regions) > records.MAX_REGIONS:
        raise Refusal(f"map {board.name!r}: {len(board.regions)} Regions are more than {records.MAX_REGIONS}")
    rules["n_regions"] = len(board.regions)
    masks = dict.fromkeys(("Fertile", "Lake", "Mountain", "Deep Woods", "Desert", "Oasis"), 0)
    forest = sea = 0
    for h, region in enumerate(board.regions):
        if not -28 <= region.q <= 28 or not -28 <= region.r <= 28:
            raise Refusal(f"map {board.name!r}: hex {region.q},{region.r} lies too far out (28 at most)")
        rules["q"][h], rules["r"][h] = region.q, region.r
        for terrain in region.terrain:
            masks[terrain] |= 1 << h
        forest |= region.forest << h
        sea |= region.sea << h
    rules["forest_drawn"], rules["sea_desert"] = forest, sea
    for terrain, mask in masks.items():
        rules[terrain.lower().replace(" ", "_")] = mask
    survey(rules)
    if int(rules["longest_ray"]) > records.MAX_RAY:
        raise Refusal(f"map {board.name!r}: a straight line of more than {records.MAX_RAY} Regions")


def make_entrants(parameters: Parameters, n_players: int, entrants: list[Entrant]) -> tuple[Any, list[bool]]:
    """Return the players' records and whether each one's team is drawn."""
    bank = np.zeros(n_players, dtype=records.Entrant)
    counts = list(as_played(parameters).set_counts.model_dump().values())
    cards, banned = parse_bans(parameters.bans)
    drawn: list[bool] = []
    for record, entrant in zip(bank, entrants):
        own = 0
        for name in entrant.bans:
            own |= 1 << piece_code(name, f"bans of player {entrant.name!r}")
        record["bans"] = own
        record["builder"] = style_of(entrant.deck or parameters.teams)
        weights = [1.0] * len(PIECES)
        team = entrant.deck_counts
        if team is not None:
            deck = {piece_code(name, f"deck {entrant.deck!r}"): value for name, value in team.items()}
            whole = all(isinstance(value, int) for value in deck.values())
            weights = [float(deck.get(code, 0)) for code in range(len(PIECES))]
            if whole:
                _check_deck(entrant, deck, parameters, counts, banned | own, cards)
                record["deck"] = [deck.get(code, 0) for code in range(len(PIECES))]
            elif (
                min(weights) < 0
                or sum(counts[c] for c, w in enumerate(weights) if w > 0) < parameters.hand_size
            ):
                raise Refusal(f"deck {entrant.deck!r}: these weights leave no team of {parameters.hand_size}")
            drawn.append(not whole)
        else:
            drawn.append(record["builder"] < 0)
        if parameters.draft and team is not None:
            raise Refusal(f"deck {entrant.deck!r}: a fixed team and draft = true do not go together")
        record["by_weight"] = team is None or drawn[-1]
        record["weight"] = weights
        record["even_weights"] = len({weight for weight in weights if weight > 0}) == 1
        if drawn[-1] or record["builder"] >= 0:
            _check_pool(entrant, parameters, counts, weights, banned | own, cards)
    return bank, drawn


def style_of(team: str) -> int:
    """Return the number of a team builder ("bot", "bot:rush"), or -1 when the bot does not build the team."""
    word, _, style = team.partition(":")
    if word != "bot":
        return -1
    if (style or STYLES[0]) not in STYLES:
        raise Refusal(f"teams = {team!r}: there is no style {style!r}{nearest(style, STYLES)}")
    return STYLES.index(style or STYLES[0])


def _check_deck(
    entrant: Entrant, deck: dict[int, Any], parameters: Parameters, counts: list[int], banned: int, cards: int
) -> None:
    """Refuse a deck that is no legal team."""
    title = f"deck {entrant.deck!r}"
    if cards:
        raise Refusal(f"{title}: a fixed team and bans = {parameters.bans!r} do not go together")
    for code, value in deck.items():
        if value < 0 or value > counts[code]:
            raise Refusal(f"{title}: {value} {PIECES[code]}, but a set holds {counts[code]}")
        if value and banned >> code & 1:
            raise Refusal(f"{title}: {PIECES[code]} is banned")
    size = sum(deck.values())
    if size != parameters.hand_size:
        hint = "weights are written as decimals, such as Bass = 2.0"
        raise Refusal(f"{title}: {size} Explorers, but a team has {parameters.hand_size} ({hint})")
    if parameters.bass_required and not deck.get(records.BASS) and not banned >> records.BASS & 1:
        raise Refusal(f"{title}: every team must hold a Bass (bass_required)")


def _check_pool(
    entrant: Entrant, parameters: Parameters, counts: list[int], weights: list[float], banned: int, cards: int
) -> None:
    """Refuse bans under which no legal team can be drawn."""
    free = [
        code for code in range(len(PIECES)) if not banned >> code & 1 and weights[code] > 0 and counts[code]
    ]
    starters = [code for code in free if code in (records.BASS, records.WOLF)]
    what = f"bans = {parameters.bans!r}" + (
        f" with bans {entrant.bans} of {entrant.name!r}" if entrant.bans else ""
    )
    if parameters.abilities and not starters:
        raise Refusal(f"{what}: without Bass and Wolf no team can ever enter the board")
    smallest = sorted(counts[code] for code in free)
    left = sum(smallest[cards:])
    if left < parameters.hand_size:
        raise Refusal(f"{what}: only {left} Explorers are left for a team of {parameters.hand_size}")


def prepare(parameters: dict[str, Any], n_players: int, entrants: list[Entrant], base: Path | None) -> Cell:
    """Check one cell and make its records."""
    model: Parameters = validated(Parameters, parameters)
    if not 2 <= n_players <= records.MAX_PLAYERS:
        raise Refusal(f"players.count = {n_players}: Migration is for 2 to {records.MAX_PLAYERS} players")
    if len(entrants) != n_players:
        raise Refusal(f"{len(entrants)} players are described, but players.count is {n_players}")
    board = None
    if model.map not in (FOUNDER, FOUNDER_BOT):
        board = load_map(model.map, n_players, base)
        validate(
            board,
            n_players=n_players,
            islands=model.islands,
            modifiers_per_region=model.modifiers_per_region,
            modifier_counts=model.modifier_counts.model_dump(by_alias=True),
            enclosed_sea=model.enclosed_sea,
            plate_shapes=model.plate_shapes,
        )
    cards, _ = parse_bans(model.bans)
    if cards and model.books == "I":
        raise Refusal(f"bans = {model.bans!r} needs both Books: five types are too few (ruling E41)")
    deck = check_variants(model, n_players, base)
    bank, drawn_teams = make_entrants(model, n_players, entrants)
    drawn: dict[str, dict[str, Any]] = {}
    if cards:
        drawn["bans"] = dict(BANS)
    if board is None:
        drawn["map"] = dict(BOARD)
    if model.age_mode == "scenario" and model.age == "random":
        drawn["age"] = dict(CARD)
    lever = None if model.draft else lever_of(drawn_teams, bank["builder"] >= 0)
    kinds = [(e.bot, str(sorted(e.bot_options.items())), bank[k].tobytes()) for k, e in enumerate(entrants)]
    return Cell(
        parameters=flatten(model),
        players=n_players,
        drawn=drawn,
        rules=make_rules(model, n_players, board, deck, bool((bank["builder"] >= 0).any())),
        entrants=bank,
        bots=[(e.bot, dict(e.bot_options)) for e in entrants],
        lever=lever,
        piece_total=model.hand_size if lever else None,
        moves=len(set(kinds)) > 1,
        drawn_width=2 if board else 2 + records.MAX_REGIONS,
        board=board,
        cards=tuple(deck),
        drafts=model.draft,
    )


def lever_of(drawn: Sequence[bool], built: Sequence[bool]) -> dict[str, str] | None:
    """Return what makes the pieces of a team a matter of chance: teams that are drawn, or built by wandering taste.

    What a builder likes is drawn for each seat and deal (`builders.liking`), apart from all else; so among built teams
    who holds what is chance too, and what it does is a cause, though about teams like those only.
    """
    if all(drawn):
        return {"column": "assigned", "text": "random teams"}
    if all(one or other for one, other in zip(drawn, built)):
        about = "about teams as bots build them"
        return {
            "column": "assigned",
            "text": "built teams; what a bot likes is drawn for each deal",
            "about": about,
        }
    return None


def check_variants(model: Parameters, n_players: int, base: Path | None) -> dict[str, tuple[str, ...]]:
    """Refuse variants that cannot be played together, and return the deck of Age Cards."""
    deck = deck_of(model.age_cards, model.age_file, base)
    if fixed_card(model.age, deck) >= 0:
        if model.age_mode != "scenario":
            raise Refusal(f"age = {model.age!r} needs age_mode = 'scenario' (here it is {model.age_mode!r})")
    if model.age_mode == "agenda" and len(deck) < n_players:
        raise Refusal(f"age_mode = 'agenda': {len(deck)} Age Cards are too few for {n_players} players")
    if model.age_mode != "none" and not deck:
        raise Refusal("age_cards is empty, but age_mode is not 'none'")
    return deck
