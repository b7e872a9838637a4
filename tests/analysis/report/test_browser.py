"""The report in a real browser: two widths, light and dark, sorting, printing; no error, no request, nothing cut off.

Chromium (from the distribution's packages) is spoken to by its own protocol; where there is none, this is skipped.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import analysis
from tests.analysis.synthetic import make

BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))),
    None,
)
pytestmark = [
    pytest.mark.plain,
    pytest.mark.skipif(BROWSER is None, reason="no Chromium here: the report was not opened in a browser"),
]
websocket = pytest.importorskip("websocket", reason="websocket-client is not installed")


class Tab:
    """One page of the browser; `heard` keeps all that it said of itself."""

    def __init__(self, address: str) -> None:
        self.socket = websocket.create_connection(address, timeout=60, suppress_origin=True)
        self.heard: list[dict[str, Any]] = []
        self.number = 0

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.number:
                assert "error" not in message, message
                return dict(message["result"])
            self.heard.append(message)

    def run(self, script: str) -> Any:
        found = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def open(self, page: Path, width: int) -> None:
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        self.send("Page.navigate", url=page.as_uri())
        self.run(
            "new Promise(done => document.readyState == 'complete' ? done() : addEventListener('load', done))"
        )


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    effect = {("map", "small", 0): 0.6}
    d = make(
        players=2,
        deals=300,
        drawn_bans=2,
        factors={"map": ["large", "small"]},
        factor_on_seat=effect,
        log="decisions",
    ).dataset()
    return analysis.report.write(d, tmp_path_factory.mktemp("report") / "report.html")


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    home = tmp_path_factory.mktemp("browser")
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--no-first-run",
    ]
    options += [f"--user-data-dir={home}", "--remote-debugging-port=0", "about:blank"]
    with subprocess.Popen([str(BROWSER), *options], stderr=subprocess.PIPE, text=True) as browser:
        assert browser.stderr is not None
        try:
            line = next(line for line in browser.stderr if "DevTools listening on" in line)
            port = line.split("127.0.0.1:")[1].split("/")[0]
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list") as answer:
                address = next(one for one in json.load(answer) if one["type"] == "page")[
                    "webSocketDebuggerUrl"
                ]
            tab = Tab(address)
            for domain in ("Page", "Runtime", "Log", "Network"):
                tab.send(f"{domain}.enable")
            yield tab
        finally:
            browser.kill()


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_opens_whole(tab: Tab, page: Path, width: int, scheme: str) -> None:
    tab.heard.clear()
    tab.send(
        "Emulation.setEmulatedMedia",
        media="screen",
        features=[{"name": "prefers-color-scheme", "value": scheme}],
    )
    tab.open(page, width)
    assert tab.run("document.documentElement.scrollWidth") <= width, "the page can be pushed sideways"
    cut = """[...document.querySelectorAll('table, svg, p, h1, h2')].filter(e => {
        const box = e.getBoundingClientRect();
        return box.width && box.right > innerWidth + 1 && !e.closest('.scroll');
    }).map(e => e.outerHTML.slice(0, 80))"""
    assert tab.run(cut) == []
    text = tab.run("document.body.innerText")
    assert "NaN" not in text
    assert "undefined" not in text
    shown, behind = tab.run(
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    bright = [sum(map(int, colour[4:-1].split(","))) for colour in (shown, behind)]
    assert (bright[0] > bright[1]) == (scheme == "dark")
    told = {message["method"] for message in tab.heard}
    assert "Runtime.exceptionThrown" not in told
    assert not [
        m for m in tab.heard if m["method"] == "Log.entryAdded" and m["params"]["entry"]["level"] == "error"
    ]
    asked = [m["params"]["request"]["url"] for m in tab.heard if m["method"] == "Network.requestWillBeSent"]
    assert {url.split(":")[0] for url in asked} <= {"file", "data"}


SOUND = """[...document.querySelectorAll('table, svg, p, h1, h2')].filter(e => {
    const box = e.getBoundingClientRect();
    return box.width && box.right > innerWidth + 1 && !e.closest('.scroll');
}).map(e => e.outerHTML.slice(0, 80))"""


@pytest.fixture(scope="module")
def of_games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page in the words of each game, with its stand-ins and rulings, on few synthetic games."""
    from sim.core.game import get_game

    pages = {}
    for players, name in zip((2, 3, 4, 2), ("migration", "migrato", "drifting_lands", "mars"), strict=True):
        d = make(players=players, deals=40, log="pieces").dataset()
        game = get_game(name)
        d.manifest |= {"game": name, "card": {**game.card(), "claims": []}}
        pages[name] = analysis.report.write(d, tmp_path_factory.mktemp(name) / "report.html")
    return pages


@pytest.mark.parametrize("width", [1280, 390])
def test_a_page_of_each_game_is_whole(tab: Tab, of_games: dict[str, Path], width: int) -> None:
    for name, page in of_games.items():
        tab.heard.clear()
        tab.open(page, width)
        assert tab.run("document.documentElement.scrollWidth") <= width, name
        assert tab.run(SOUND) == [], name
        assert not tab.run("/NaN|undefined/.test(document.body.innerText)"), name
        assert tab.run("[...document.querySelectorAll('svg')].every(s => s.getAttribute('aria-label'))"), name
        told = {message["method"] for message in tab.heard}
        assert "Runtime.exceptionThrown" not in told
        asked = [
            m["params"]["request"]["url"] for m in tab.heard if m["method"] == "Network.requestWillBeSent"
        ]
        assert {url.split(":")[0] for url in asked} <= {"file", "data"}, name
        assert page.stat().st_size < 1e6


def test_rows_are_found_and_filtered(tab: Tab, page: Path) -> None:
    tab.open(page, 1280)
    script = """(word) => {
        const input = document.getElementById('search');
        input.value = word; input.dispatchEvent(new Event('input'));
        const seen = [...document.querySelectorAll('tbody tr')].filter(r => r.checkVisibility());
        return [seen.length, seen.every(r => r.textContent.toLowerCase().includes(word.toLowerCase())),
                document.getElementById('hits').textContent];
    }"""
    every = tab.run(f"({script})('')")[0]
    some, fitting, told = tab.run(f"({script})('Wolf')")
    assert 0 < some < every
    assert fitting
    assert told.endswith("rows")
    none, _, told = tab.run(f"({script})('no such word')")
    assert (none, told) == (0, "0 rows")
    assert tab.run(f"({script})('')")[0] >= every
    left = tab.run(
        """(() => {
        const input = document.querySelector('.under input'), table = input.closest('.under').previousSibling;
        const rows = [...table.querySelector('tbody').rows];
        input.value = rows[0].textContent; input.dispatchEvent(new Event('input'));
        return [rows.length, rows.filter(r => !r.hasAttribute('data-filtered')).length];
    })()"""
    )
    assert 0 < left[1] < left[0]


def test_tables_are_saved_as_csv_and_parquet(tab: Tab, page: Path) -> None:
    import io

    import polars as pl

    tab.open(page, 390)
    text = tab.run("csv(document.querySelector('#p1-seats table'))")
    seats = pl.read_csv(text.encode())
    assert seats.height >= 4
    assert "95% interval" in seats.columns
    link = tab.run("document.querySelector('.tools a').href")
    frame = pl.read_parquet(io.BytesIO(base64.b64decode(link.split(",", 1)[1])))
    assert {"seats", "pieces", "health"} <= set(frame["section"].cast(pl.String))
    assert frame["value"].is_not_null().any()
    wide = "b.scrollWidth > b.clientWidth + 1 && b.checkVisibility()"
    cue = f"[...document.querySelectorAll('.scroll')].filter(b => {wide})"
    assert tab.run(f"{cue}.length") > 0
    assert tab.run(f"{cue}.every(b => !b.nextSibling.querySelector('span').hidden)"), "cut without a cue"


def test_dark_and_light_change_places(tab: Tab, page: Path) -> None:
    tab.send(
        "Emulation.setEmulatedMedia",
        media="screen",
        features=[{"name": "prefers-color-scheme", "value": "light"}],
    )
    tab.open(page, 1280)
    behind = "getComputedStyle(document.body).backgroundColor"
    first = tab.run(behind)
    other = tab.run(f"(document.getElementById('theme').click(), {behind})")
    again = tab.run(f"(document.getElementById('theme').click(), {behind})")
    assert first == again != other


def test_the_answer_is_seen_without_scrolling(tab: Tab, page: Path) -> None:
    tab.open(page, 1280)
    assert tab.run("document.querySelector('.head p').getBoundingClientRect().bottom < innerHeight")
    links = tab.run("[...document.querySelectorAll('.glance a')].map(a => a.getAttribute('href').slice(1))")
    assert links
    assert tab.run(f"{json.dumps(links)}.every(id => document.getElementById(id))"), "a line leads nowhere"


def test_a_table_sorts_by_a_key_press(tab: Tab, page: Path) -> None:
    tab.open(page, 1280)
    column = """(() => {
        const table = [...document.querySelectorAll('table.sortable')].find(t =>
            t.tBodies[0].rows.length > 3 && t.querySelector('th.n'));
        const head = [...table.tHead.rows[0].cells].findIndex(h => h.classList.contains('n'));
        const button = table.tHead.rows[0].cells[head].querySelector('button');
        const values = () => [...table.tBodies[0].rows].map(r => r.cells[head].dataset.v).filter(v => v).map(Number);
        button.focus(); button.click();
        const once = values(); button.click();
        return [once, values(), document.activeElement === button];
    })()"""
    once, twice, focused = tab.run(column)
    assert focused
    assert once == sorted(once, reverse=True)
    assert twice == sorted(twice)


def test_it_prints(tab: Tab, page: Path) -> None:
    tab.open(page, 1280)
    printed = base64.b64decode(tab.send("Page.printToPDF")["data"])
    assert printed.startswith(b"%PDF")
    assert len(printed) > 20_000


SETTINGS = 100


@pytest.fixture(scope="module")
def of_many_settings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    levels = {"map": [f"map {number}" for number in range(SETTINGS)]}
    d = make(players=2, deals=20, factors=levels, log="pieces").dataset()
    return analysis.report.write(d, tmp_path_factory.mktemp("many") / "report.html")


@pytest.mark.soak
def test_a_page_of_a_hundred_settings_is_small_and_soon_drawn(tab: Tab, of_many_settings: Path) -> None:
    """How soon is printed (`-s`): a figure of the machine, not a promise of the page."""
    assert of_many_settings.stat().st_size < 1e6
    for width in (1280, 390):
        tab.open(of_many_settings, width)
        loaded = tab.run("performance.timing.loadEventEnd - performance.timing.navigationStart")
        drawn = tab.run(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))"
        )
        size = of_many_settings.stat().st_size
        print(
            f"{SETTINGS} settings, {size:,} bytes, {width} wide: loaded in {loaded} ms, drawn by {drawn:.0f} ms"
        )
        assert tab.run("document.documentElement.scrollWidth") <= width


def test_rows_that_the_script_draws_are_those_of_the_table(tab: Tab, tmp_path: Path) -> None:
    from analysis.report.blocks import Cell, Column, Part, Section, Table
    from analysis.report.page import render

    def row(number: int) -> list[Cell]:
        return [
            Cell(f"<b>& {number % 3}</script>"),
            Cell(f"{number:,}", number),
            Cell("fine", 0, "balanced"),
            Cell("game", href="https://example.org/"),
        ]

    heads = [Column("what"), Column("value", True), Column("verdict"), Column("to see")]
    table = Table(heads, [row(number) for number in range(300)], title="Many rows")
    part = Part("p1", "many", "title", "question", "lead", [], [Section("a", "A", [table])], [])
    page = tmp_path / "page.html"
    page.write_text(render([part], []), encoding="utf-8")
    tab.open(page, 1280)
    seen = tab.run(
        "[...document.querySelectorAll('tbody tr')].map(r => [...r.cells].map(c => c.textContent))"
    )
    assert seen == [[cell.text for cell in cells] for cells in table.rows]
    first, last = tab.run(
        "(rows => [rows[0].outerHTML, rows[299].outerHTML])(document.querySelectorAll('tbody tr'))"
    )
    assert re.sub(r"\d+", "0", last) == re.sub(r"\d+", "0", first)
