"""The report: it says what the frames say, for whose play, escapes what users wrote, and loads nothing."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import analysis
from analysis.data.dataset import Dataset
from analysis.data.errors import Refusal
from analysis.report import SECTIONS, words
from tests.analysis.synthetic import make

VOID = {"meta", "br", "link", "input", "hr", "img"}


class Page(HTMLParser):
    """The page as its reader meets it: text by section, tags, attributes, and whether tags nest."""

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.source = path.read_text(encoding="utf-8")
        self.stack: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.sections: dict[str, str] = {}
        self._section = ""
        self.feed(self.source)
        assert not self.stack, f"tags left open: {self.stack}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "section":
            self._section = str(dict(attrs)["id"])
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.stack, f"</{tag}> closes nothing"
        assert self.stack.pop() == tag
        if tag == "section":
            self._section = ""

    def handle_data(self, data: str) -> None:
        if self.stack and self.stack[-1] in ("style", "script"):
            return
        self.text += data
        if self._section:
            self.sections[self._section] = self.sections.get(self._section, "") + data

    def has(self, text: str) -> bool:
        return text in re.sub(r"\s+", " ", self.text)


def page(data: Any, tmp_path: Path, **options: Any) -> Page:
    return Page(analysis.report.write(data, out=tmp_path / "report.html", **options))


@pytest.fixture(scope="module")
def banned() -> Dataset:
    """Three players, bans drawn for each deal, a varied rule; Rats strong, Fly weak."""
    made: Dataset = make(
        name="rats-3p",
        deals=400,
        drawn_bans=2,
        seat=(0.4,),
        piece={"Rats": 0.45, "Fly": -0.35},
        factors={"rats_points": [1, 2]},
        ban_on_piece={("Wolf", "Oak"): 0.7},
    ).dataset()
    return made


@pytest.fixture(scope="module")
def full(banned: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Page:
    return page(banned, tmp_path_factory.mktemp("full"))


def test_all_sections_stand_in_their_order(full: Page) -> None:
    ids = [attrs["id"] for tag, attrs in full.tags if tag == "section"]
    shown = [name for name in SECTIONS if f"p1-{name}" in ids]
    assert ids == [f"p1-{name}" for name in shown]
    # What is no part of the data has no section: nothing was drafted, no card was drawn, all players are alike.
    assert set(SECTIONS) - set(shown) == {
        *("drafts", "levels", "seat-levels", "matchups", "ladder", "over-play", "roles", "claims"),
        *("people", "screen", "worth", "places"),
    }
    assert list(SECTIONS)[:3] == ["glance", "answer", "health"]


def test_question_and_scope_come_first(full: Page, banned: Dataset) -> None:
    assert full.text.index(banned.question) < full.text.index("The short answer")
    assert full.has("for greedy play on islands")
    assert full.has("The Founder's choice was not a decision of play")
    assert full.has("greedy only: bots may be too weak to tell")


def test_verdicts_are_those_of_the_frames_at_each_level(full: Page, banned: Dataset) -> None:
    answer = re.sub(r"\s+", " ", full.sections["p1-answer"])
    frame = analysis.compare(banned)
    for level in (1, 2):
        here = frame.filter((pl.col("what") == "piece") & (pl.col("setting") == f"rats_points {level}"))
        verdicts = {r["about"]: (r["verdict"], r["value"]) for r in here.iter_rows(named=True)}
        assert verdicts["Rats"][0] == "strong"
        said = answer.split(f"With rats_points {level}, each Explorer")[1].split("by itself")[0]
        assert f"strong: Rats {words.points(verdicts['Rats'][1])}" in said
        for word in ("balanced", "undecided"):
            listed = sorted(
                (p for p, v in verdicts.items() if v[0] == word), key=lambda p: -abs(verdicts[p][1])
            )
            assert not listed or f"{word}: {words.listing(listed, 14)}" in said
        seats = frame.filter((pl.col("what") == "seat") & (pl.col("setting") == f"rats_points {level}"))
        far = seats.sort((pl.col("value") - pl.col("fair")).abs()).row(-1, named=True)
        share = words.share(far["value"], far["value_low"], far["value_high"], far["fair"])
        assert f"furthest {words.seat(int(far['about']))} {share}" in answer


def test_numbers_are_those_of_the_frames_in_per_cent(full: Page, banned: Dataset) -> None:
    seats = re.sub(r"\s+", " ", full.sections["p1-seats"])
    for row in analysis.seat_balance(banned, by="rats_points").iter_rows(named=True):
        assert words.percent(row["estimate"]) in seats
        assert words.percent_range(row["low"], row["high"]) in seats
    assert "33.3%" in full.sections["p1-answer"]
    pieces = full.sections["p1-pieces"]
    for row in analysis.piece_strength(banned, by="rats_points").iter_rows(named=True):
        assert words.points(row["estimate"]) in pieces
    strongest = analysis.ban_effects_on_pieces(banned).sort(pl.col("estimate").abs()).row(-1, named=True)
    assert (strongest["banned"], strongest["piece"]) == ("Wolf", "Oak")
    assert "with Wolf banned, Oak gains" in full.sections["p1-answer"]


def test_association_is_apart_and_never_a_verdict(full: Page) -> None:
    after = full.sections["p1-pieces"].split("Goes with winning")[1]
    assert "played" in after
    table = after.split("No cause")[0]
    assert not re.search(r"\b(strong|weak)\b", table)


def test_nothing_is_loaded_from_anywhere(full: Page) -> None:
    source = re.sub(r"base64,[A-Za-z0-9+/=]+", "", full.source)
    assert not re.search(r"https?:|//[a-z]|@import|url\((?!#)", source)
    for tag, attrs in full.tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base")
        assert not {"src", "srcset", "action", "xlink:href"} & set(attrs)
        assert attrs.get("href", "#").startswith(("#", "data:"))


def test_ids_are_unique_and_every_reference_has_its_target(full: Page) -> None:
    ids = [attrs["id"] for _, attrs in full.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    wanted = {attrs["href"][1:] for _, attrs in full.tags if attrs.get("href", "").startswith("#")}
    wanted |= set(re.findall(r"url\(#([^)]+)\)", full.source))
    assert wanted <= set(ids)


def test_pictures_keep_their_text_and_have_a_name(full: Page) -> None:
    pictures = [attrs for tag, attrs in full.tags if tag == "svg"]
    assert len(pictures) >= 6
    assert all(attrs["aria-label"] for attrs in pictures)
    assert full.source.count("<text") > 100
    assert "Poison Oak" in re.sub(r"<style.*?</style>", "", full.source)


def test_the_file_is_small_and_the_same_every_time(banned: Dataset, tmp_path: Path) -> None:
    first = analysis.report.write(banned, out=tmp_path / "a.html").read_bytes()
    second = analysis.report.write(banned, out=tmp_path / "b.html").read_bytes()
    assert first == second
    assert len(first) < 500_000


def test_how_to_repeat_it(full: Page, banned: Dataset) -> None:
    games = banned.manifest["games_per_cell"]
    assert f"whimbrel run experiment.toml --games {games} --seed 1 -o again" in full.sections["p1-played"]


def test_stand_ins_rulings_and_parameters_come_from_the_card(full: Page) -> None:
    text = full.sections["p1-stand-ins"]
    assert "how many of each Explorer a set holds" in text
    assert "What does a Jackal count?" in text
    assert "points of a Rats Town" in full.sections["p1-played"]


def test_what_depends_on_a_rule_is_told_with_its_size(tmp_path: Path) -> None:
    data = make(
        deals=500,
        piece={},
        seat=(),
        factors={"rats_points": [1, 3]},
        factor_on_piece={("rats_points", 3, "Rats"): 0.6},
    ).dataset()
    rows = analysis.compare(data).filter(pl.col("about") == "Rats").to_dicts()
    text = re.sub(r"\s+", " ", page(data, tmp_path).sections["p1-answer"])
    old, new = rows
    size = f"{words.change(new['estimate'], new['low'], new['high'])} against the base."
    assert (
        f"rats_points 1 (the base) {words.change(old['value'], old['value_low'], old['value_high'])}" in text
    )
    assert f"rats_points 3 {words.change(new['value'], new['value_low'], new['value_high'])}" in text
    assert f"strong; {size}" in text


HOSTILE = "<script>alert('x')</script> \"q\" & <b>bold</b> {{ 7 * 7 }} $x$"


def test_text_of_users_is_escaped_everywhere(tmp_path: Path) -> None:
    made = make(
        name=HOSTILE, question=HOSTILE, deals=40, players=2, factors={"map": [HOSTILE, "b"]}, log="pieces"
    )
    manifest = made.manifest
    manifest["design_version"] = HOSTILE
    manifest["bots_used"] = [HOSTILE]
    card = manifest["card"]
    card["title"] = HOSTILE
    card["parameters"].append({"name": HOSTILE, "default": 1, "value": HOSTILE, "help": HOSTILE})
    card["stand_ins"].append({"name": HOSTILE, "fact": HOSTILE, "alternatives": [HOSTILE]})
    card["rulings"].append({"id": HOSTILE, "question": HOSTILE, "reading": HOSTILE, "parameter": HOSTILE})
    seen = page(made.dataset(), tmp_path)
    scripts = [attributes for tag, attributes in seen.tags if tag == "script"]
    assert scripts.count({}) == 1
    assert all(one == {"type": "application/json", "class": "rows"} for one in scripts if one), (
        "only rows as data"
    )
    assert "b" not in {tag for tag, _ in seen.tags}
    assert not any("onclick" in attrs for _, attrs in seen.tags)
    assert seen.has(HOSTILE)
    assert "49" not in seen.sections["p1-stand-ins"]


def test_hostile_names_of_pieces_and_decks_are_escaped_in_pictures(tmp_path: Path) -> None:
    evil = "<img src=x onerror=alert(1)>"
    made = make(deals=60, players=2, decks=(evil, "plain"), bots=("greedy", "random"), log="pieces")
    made.manifest["categories"]["piece"][0] = evil
    pieces = made.tables["pieces"].with_columns(pl.col("piece").cast(pl.String).replace("Bass", evil))
    made.tables["pieces"] = pieces
    seen = page(made.dataset(), tmp_path)
    assert "img" not in {tag for tag, _ in seen.tags}
    assert evil in seen.text


def test_a_failed_check_is_shown_first_and_softens_every_verdict(tmp_path: Path) -> None:
    data = make(deals=400, lines=60, seat=(0.9,), piece={"Rats": 0.9}, players=2).dataset()
    audit = analysis.audit(data)
    assert (~audit["ok"].fill_null(True)).any()
    seen = page(data, tmp_path)
    assert seen.text.index("Read this first") < seen.text.index(
        data.question, seen.text.index("Read this first")
    )
    badges = re.findall(r'<span class="badge (?:strong|weak|uneven|balanced)">([^<]*)</span>', seen.source)
    verdicts = [word for word in badges if word != "fine"]
    assert verdicts
    assert all(word.startswith("perhaps ") for word in verdicts)
    answer = seen.sections["p1-answer"]
    assert not re.search(r"\b(is|are) (strong|weak|balanced|not even)", answer)
    assert Page(analysis.report.write(data, out=tmp_path / "o.html", only="pace")).has("Read this first")


def test_only_keeps_the_sections_named(banned: Dataset, tmp_path: Path) -> None:
    seen = page(banned, tmp_path, only=["pace", "seats"])
    assert list(seen.sections) == ["p1-seats", "p1-pace"]
    with pytest.raises(Refusal, match="no section is called 'piece'; did you mean 'pieces'"):
        page(banned, tmp_path, only="piece")


def test_one_page_is_short_and_still_answers(banned: Dataset, tmp_path: Path) -> None:
    seen = page(banned, tmp_path, one_page=True)
    assert list(seen.sections) == ["p1-glance", "p1-picture", "p1-tested", "p1-limits", "p1-played"]
    assert [tag for tag, _ in seen.tags].count("svg") == 1
    assert seen.has("strong Explorers: Rats")
    assert seen.has("whimbrel run")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_table_size(players: int, tmp_path: Path) -> None:
    seen = page(make(deals=60, players=players).dataset(), tmp_path)
    assert f"With {players} players" in seen.sections["p1-answer"]
    assert words.percent(1 / players) in seen.sections["p1-seats"]


def test_several_table_sizes_are_judged_one_by_one(tmp_path: Path) -> None:
    seen = page(make(deals=60, factors={"players.count": [2, 3, 4]}).dataset(), tmp_path)
    assert all(f"With {n} players" in seen.sections["p1-answer"] for n in (2, 3, 4))
    assert seen.has("2, 3 and 4 players")


@pytest.mark.parametrize("log", ["games", "pieces", "decisions"])
@pytest.mark.parametrize("deals", [1, 2, 5])
def test_small_data_sets_give_no_verdict_and_no_crash(deals: int, log: str, tmp_path: Path) -> None:
    seen = page(make(deals=deals, players=2, log=log, drawn_bans=1).dataset(), tmp_path)
    badges = re.findall(r'<span class="badge (?:strong|weak|uneven|balanced)">([^<]*)</span>', seen.source)
    assert set(badges) <= {"fine"}
    assert not re.search(r"\bnan\b|\bNone\b|\binf\b", seen.text)


def test_what_is_not_in_the_data_is_said_in_one_line(tmp_path: Path) -> None:
    seen = page(make(deals=30, log="games").dataset(), tmp_path)
    assert "no pieces were logged" in seen.sections["p1-pieces"]
    assert "no bans were drawn or varied" in seen.sections["p1-bans"]
    assert "Nothing was varied" in seen.sections["p1-factors"]


def test_pieces_not_assigned_at_random_get_no_verdict(tmp_path: Path) -> None:
    seen = page(make(deals=60, random_teams=False, log="pieces").dataset(), tmp_path)
    assert "not assigned at random" in seen.sections["p1-pieces"]
    assert not re.search(r"\b(is|are) (strong|weak)\b", seen.sections["p1-answer"])
    assert "Goes with winning" in seen.sections["p1-pieces"]


def test_bots_and_decks_are_compared_and_no_warning_for_searching_bots(tmp_path: Path) -> None:
    data = make(
        deals=200,
        players=2,
        bots=("greedy", "mcts"),
        bot={"mcts": 0.8},
        decks=("rush", "control"),
        log="pieces",
    ).dataset()
    seen = page(data, tmp_path)
    assert "Which bot wins?" in seen.sections["p1-factors"]
    assert "Which deck wins?" in seen.sections["p1-factors"]
    assert not seen.has("bots may be too weak to tell")


def test_many_cells_stay_a_small_file(tmp_path: Path) -> None:
    factors = {
        "map": ["islands", "archipelago"],
        "rats_points": list(range(10)),
        "fertile_points": [0, 1, 2, 3, 4],
    }
    data = make(deals=6, players=2, factors=factors, log="pieces").dataset()
    assert data.cells.height == 100
    seen = page(data, tmp_path)
    assert len(seen.source) < 1_000_000
    assert " more rows are left out" in seen.sections["p1-seats"]
    assert "40 more settings" in seen.sections["p1-played"]


def test_the_founder_is_named_when_bots_chose_the_map(tmp_path: Path) -> None:
    chosen = make(deals=20, players=2, factors={"map": ["founder-bot"]}).dataset()
    assert page(chosen, tmp_path).has("was a decision of play, made by the bots")
    both = make(deals=20, players=2, factors={"map": ["founder-bot", "islands"]}).dataset()
    assert page(both, tmp_path).has("founder-bot: The Founder's choice was a decision of play")


def test_several_data_sets_are_compared_by_name(tmp_path: Path) -> None:
    folders = [
        make(name=name, deals=60, players=2, piece={"Rats": effect}).write(tmp_path / name)
        for name, effect in (("v1.3", 0.6), ("v1.4", 0.0))
    ]
    path = analysis.report.write(folders)
    assert path == tmp_path / "report.html"
    seen = Page(path)
    assert seen.text.index("Side by side") < seen.text.index("The short answer")
    assert {"p1-answer", "p2-answer"} <= set(seen.sections)
    compared = seen.sections["compared"]
    for folder in folders:
        rats = analysis.piece_strength(analysis.load(folder)).filter(pl.col("piece") == "Rats")
        assert words.points(rats["estimate"][0]) in compared
    assert str(tmp_path) not in seen.source


def test_a_folder_gets_its_report_inside_and_shows_its_experiment(tmp_path: Path) -> None:
    folder = make(deals=20, players=2).write(tmp_path / "run one")
    path = analysis.report.write(folder)
    assert path == folder / "report.html"
    seen = Page(path)
    assert 'game = "migration"' in seen.sections["p1-played"]
    assert str(tmp_path) not in seen.source


def test_refusals_are_one_line(tmp_path: Path) -> None:
    data = make(deals=20, players=2, log="games").dataset()
    with pytest.raises(Refusal, match="no such folder"):
        analysis.report.write(tmp_path / "nothing")
    with pytest.raises(Refusal, match="at least one folder"):
        analysis.report.write([])
    with pytest.raises(Refusal, match="needs a file to write to"):
        analysis.report.write(data)
    (tmp_path / "file").write_text("")
    with pytest.raises(Refusal, match="cannot be written"):
        analysis.report.write(data, out=tmp_path / "file" / "report.html")


@pytest.mark.parametrize(
    ("value", "text"), [(0.3621, "36.2%"), (None, "–"), (float("nan"), "–"), (1, "100.0%")]
)
def test_percent(value: float | None, text: str) -> None:
    assert words.percent(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0.018, "+1.8"), (-0.004, "−0.4"), (0.0001, "0.0"), (-0.0001, "0.0"), (None, "–")]
)
def test_points(value: float | None, text: str) -> None:
    assert words.points(value) == text


def test_listing_cuts_long_lists() -> None:
    assert words.listing("abc") == "a, b and c"
    assert words.listing(range(9), 4) == "0, 1, 2 and 6 more"
    assert words.listing([]) == ""


def test_a_factor_that_changes_the_seats_is_told_with_its_size(tmp_path: Path) -> None:
    data = make(
        deals=500,
        players=2,
        seat=(),
        factors={"map": ["islands", "ridge", "wilds", "heartland"]},
        factor_on_seat={("map", "ridge", 0): 1.0},
    ).dataset()
    frame = analysis.compare(data).filter((pl.col("what") == "seat") & (pl.col("about") == "0"))
    rows = {r["setting"]: r for r in frame.iter_rows(named=True)}
    assert [name for name, r in rows.items() if r["differs"]] == ["ridge"]
    seen = page(data, tmp_path)
    answer = re.sub(r"\s+", " ", seen.sections["p1-answer"])
    for name, r in rows.items():
        named = f"{name} (the base)" if r["base"] else name
        assert f"{named} {words.share(r['value'], r['value_low'], r['value_high'], r['fair'])}" in answer
        assert r["base"] or f"{words.change(r['estimate'], r['low'], r['high'])} against the base" in answer
    assert seen.has("greedy play on heartland, islands, ridge and wilds")
