"""Standings and the page: every part is there, nothing comes from elsewhere, names cannot break it."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from support.tournaments import FAILING, HerePlayers, small
from whistlestop.arena.game_store import GameStore
from whistlestop.arena.plots import NumberLine, density, distribution_plot, length_plot, line_over, round_step
from whistlestop.arena.report import report
from whistlestop.arena.schedule import Schedule
from whistlestop.arena.standings import Standings, anchor_of, labels_of
from whistlestop.arena.tournament import run
from whistlestop.errors import WhistlestopError
from whistlestop.mapfile import load_edition
from whistlestop.spelling import whole

PARTS = (
    "Ratings", "Head to head", "Points of a game", "Where points come from", "Length of games", "Win rate by seat",
    "All line-ups in numbers", "How to read this",
)  # fmt: skip


@pytest.fixture(scope="module")
def standings() -> Standings:
    """Of two cells, with a bot that fails."""
    store = GameStore()
    for schedule in (small(f"random,casual,{FAILING}:Raises", seeds=6), small("random,casual", 3, seeds=6)):
        run(schedule, store, HerePlayers(schedule))
    return Standings.of(store)


@pytest.fixture(scope="module")
def page(standings: Standings) -> str:
    return report(standings, "2026-11-16, a machine; `whistlestop arena --bots random,casual`")


class Page(HTMLParser):
    """Collects tags, their attributes and the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "!doctype"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_the_page_has_every_part_for_every_cell(page: str) -> None:
    words = Page(page).words
    assert "Ratings everywhere" in words
    assert "Bots that failed" in words
    for part in PARTS[:-1]:
        assert words.count(part) == 2, part
    assert "How to read this" in words
    pictures = re.findall(r"<svg.*?</svg>", page, re.S)
    assert len(pictures) == 1 + 2 * 5
    for picture in pictures:
        ElementTree.fromstring(picture)
    labels = [value for name, value in Page(page).attributes if name == "aria-label"]
    assert len(labels) == 10
    assert all(labels)


def test_the_page_is_whole_and_needs_nothing_from_elsewhere(page: str) -> None:
    read = Page(page)
    assert read.open == [], "every tag is closed"
    assert not {"script", "link", "img", "iframe", "object", "embed", "base"} & set(read.tags)
    assert "http" not in page
    assert "//" not in re.sub(r"base64,[A-Za-z0-9+/=]+", "", page)
    assert "@import" not in page
    assert set(re.findall(r"url\((.{5})", page)) == {"data:", "#logo"}
    for name, value in read.attributes:
        assert name not in ("src", "srcset")
        assert not name.startswith("on")
        assert name != "href" or (value or "").startswith("#")


def test_links_of_the_page_lead_somewhere(page: str) -> None:
    attributes = Page(page).attributes
    ids = {value for name, value in attributes if name == "id"}
    targets = {(value or "")[1:] for name, value in attributes if name == "href"}
    assert targets
    assert targets <= ids


def test_every_colour_of_the_page_is_defined_for_light_and_dark(page: str) -> None:
    defined = set(re.findall(r"(--[\w-]+):", page))
    assert set(re.findall(r"var\((--[\w-]+)", page)) <= defined
    assert "color-scheme:light dark" in page
    assert re.search(r"--ground:light-dark\(#\w{6}, #\w{6}\)", page)


def test_names_cannot_break_the_page(tmp_path: Path) -> None:
    folder = tmp_path / "<b>&"
    folder.mkdir()
    file = folder / "mine.py"
    file.write_text(
        "class Mine:\n    def act(self, view, limit):\n        raise ValueError('</td><script>x</script>')\n"
    )
    schedule = small(f"random,{file}:Mine", seeds=2)
    store = GameStore()
    run(schedule, store, HerePlayers(schedule))
    found = Page(report(Standings.of(store), f"`arena {file}`"))
    assert "script" not in found.tags
    assert any("</td><script>x</script>" in words for words in found.words)
    assert any("<b>&" in words for words in found.words)


def test_a_page_of_one_line_up_shows_its_numbers_at_once() -> None:
    schedule = Schedule((load_edition("usa"),), (("casual", "random", "casual:3steps"),), range(2))
    store = GameStore()
    run(schedule, store, HerePlayers(schedule))
    text = report(Standings.of(store), "x")
    assert "<details open>" in text
    assert "Ratings everywhere" not in text
    assert "USA, 3 players" in text


# --- standings -------------------------------------------------------------------------------------------------------
def test_standings_add_up(standings: Standings) -> None:
    two, three = standings.cells
    assert (two.games, two.blocks, three.games, three.blocks) == (3 * 2 * 6, 6, 2 * 3 * 6, 6)
    assert standings.games == two.games + three.games
    assert two.anchor == three.anchor == "random"
    for cell in standings.cells:
        assert sum(wins.rate for wins in cell.seat_wins) == pytest.approx(1)
        assert sum(bot.seats for bot in cell.bots) == cell.games * cell.cell.players
        assert sum(bot.wins.rate * bot.seats for bot in cell.bots) == pytest.approx(cell.games)
        elo = [bot.rating.elo for bot in cell.bots]
        assert elo == sorted(elo, key=lambda one: -(one or 0))
    pairs = {(one.bot, one.alone_against): one for one in two.line_ups}
    assert pairs["casual", "random"].wins.rate + pairs["random", "casual"].wins.rate == pytest.approx(1)
    assert pairs["casual", "random"].even == 0.5
    alone = next(one for one in three.line_ups if one.bot == "casual" and one.alone_against == "random")
    assert (alone.games, len(alone.others)) == (18, 2)
    assert alone.even == pytest.approx(1 / 3)


def test_standings_are_plain_data(standings: Standings) -> None:
    data = json.loads(json.dumps(standings.json()))
    assert [cell["players"] for cell in data["cells"]] == [2, 3]
    assert {bot["bot"] for bot in data["overall"]} >= {"random", "casual"}
    assert data["failures"][0]["reason"] == "error"
    strongest = data["cells"][0]["bots"][0]
    assert strongest["low"] <= strongest["rating"] <= strongest["high"]
    assert strongest["lead_low"] <= strongest["lead"] <= strongest["lead_high"]
    assert sum(strongest["sources"].values()) == pytest.approx(strongest["points"], abs=0.1)


def test_any_bot_can_be_the_anchor() -> None:
    schedule = small(seeds=3)
    store = GameStore()
    run(schedule, store, HerePlayers(schedule))
    by_random, by_casual = (Standings.of(store, anchor).cells[0] for anchor in (None, "casual"))
    elo = {cell.anchor: {bot.label: bot.rating.elo for bot in cell.bots} for cell in (by_random, by_casual)}
    assert elo["random"]["random"] == elo["casual"]["casual"] == 0
    assert elo["random"]["casual"] == pytest.approx(-(elo["casual"]["random"] or 0))
    with pytest.raises(WhistlestopError, match="no games of `planer` are there"):
        Standings.of(store, "planer")
    assert anchor_of(["casual", "expert:1s"]) == "casual"


def test_labels_are_short_as_long_as_they_differ() -> None:
    mine, changed, other = "a/b.py:Mine@00112233", "a/b.py:Mine@44556677", "c@d.py:Other:2s@8899aabb"
    assert labels_of(["random", mine, other]) == {"random": "random", mine: "Mine", other: "Other:2s"}
    assert labels_of([mine, changed]) == {mine: "Mine@0011", changed: "Mine@4455"}


def test_an_empty_store_has_no_standings() -> None:
    with pytest.raises(WhistlestopError, match="there are no games to rate"):
        Standings.of(GameStore())


# --- plots -----------------------------------------------------------------------------------------------------------
def test_axes_have_round_numbers() -> None:
    assert [round_step(x) for x in (1, 1.5, 3, 7, 80, 0.03)] == [1, 2, 5, 10, 100, 0.05]
    line = line_over([-38, 211], 100, 300)
    assert (line.low, line.high) == (-50, 250)
    assert line.ticks() == [-50, 0, 50, 100, 150, 200, 250]
    assert (line.at(-50), line.at(250)) == (100, 300)
    assert NumberLine(0, 0.62, 0, 1).ticks(5) == pytest.approx([0, 0.2, 0.4, 0.6])
    assert line_over([5, 5], 0, 1).high > line_over([5, 5], 0, 1).low
    assert [whole(x) for x in (-0.2, -7.6, 1234.4)] == ["0", "−8", "1234"]


def test_a_density_is_one_all_in_all() -> None:
    values = np.random.default_rng(1).normal(100, 20, 500).round()
    points = np.linspace(-50, 250, 600)
    found = density(values, points)
    assert found.sum() * (points[1] - points[0]) == pytest.approx(1, abs=0.01)
    assert 90 < points[found.argmax()] < 110


def test_plots_of_values_that_are_all_alike_can_be_drawn() -> None:
    same = np.full(10, 42)
    for picture in (distribution_plot([("a", "--bot0", same)]), length_plot(same, "--steps")):
        ElementTree.fromstring(picture)
        assert "nan" not in picture
