"""Playtests: traces tell what the games were, measures are what they say, and the page holds all of it."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from whistlestop import Game, load_edition, parse_board, playtest, playtest_page
from whistlestop.arena.matches import Match, play_match
from whistlestop.arena.playtest.estimates import Measured, differ, mean_of, share_of
from whistlestop.arena.playtest.measures import Playtest
from whistlestop.arena.playtest.traced_play import play_traced
from whistlestop.arena.playtest.verdicts import choke_points, dead_tracks, unneeded_cities, verdicts
from whistlestop.arena.traces.tracing import TRACE, traced_games
from whistlestop.engine.doors import scratch
from whistlestop.engine.layout import MAX_PLAYERS, NONE, SHEET, SHEET_NAMES
from whistlestop.engine.tables import tables_of
from whistlestop.errors import WhistlestopError
from whistlestop.mapfile import CARDS, Edition, digest

ISLANDS = Path(__file__).parents[2] / "src" / "whistlestop" / "maps" / "README.md"


@pytest.fixture(scope="module")
def islands() -> Edition:
    """The small board of the maps page."""
    text = re.findall(r"^```toml\n(.*?)^```", ISLANDS.read_text(encoding="utf-8"), re.M | re.S)[0]
    return parse_board(text).editions[0]


@pytest.fixture(scope="module")
def found(islands: Edition) -> Playtest:
    return playtest(islands, games=60, seed=3, jobs=1)


# --- traces ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "players"), [("usa", 3), ("europe", 2), ("germany", 2)])
def test_a_trace_tells_what_the_game_was(name: str, players: int) -> None:
    """Against the same game in words: tracks, turns, tickets offered, kept and completed, points, cards."""
    edition = load_edition(name)
    played = play_match(Match(digest(edition), ("casual", "random", "casual")[:players], 11), edition)
    game = Game(edition, players, 11)
    offers: dict[str, int] = {}
    turns = 0
    spent = dict.fromkeys(CARDS, 0)
    for action in played.actions:
        player, phase = game.to_move[0], game.phase
        view = game.view(player)
        hand = view.hand
        for ticket in view.offer if phase in ("tickets", "first_tickets") else ():
            offers[f"{ticket.a}–{ticket.b}"] = offers.get(f"{ticket.a}–{ticket.b}", 0) + 1
        move = game.play(view.action(int(action)), player)
        if move.action.kind in ("claim", "pay_extra", "give_up", "station"):  # cards taken back count as not spent
            after = game.view(player).hand
            for card in CARDS:
                spent[card] += hand.get(card, 0) - after.get(card, 0)
        turns += phase not in ("announce", "first_tickets") and game.phase in ("turn", "over")
    assert game.over
    states, nets, borrowed = scratch()
    sheets, traces = np.zeros((1, MAX_PLAYERS, SHEET), np.int64), np.zeros(1, TRACE)
    room = (states, tables_of(edition), nets, players, np.array([11], np.uint64))
    steps = np.array([len(played.actions)], np.int64)
    assert traced_games(*room, played.actions[np.newaxis], steps, sheets, borrowed, traces) == 0
    trace, result = traces[0], game.result()
    assert {n: int(who) for n, who in enumerate(trace["owner"]) if who != NONE} == game.owners()
    assert (int(trace["first"]), int(trace["turns"]), int(trace["steps"])) == (game.first, turns, len(game.history))
    tickets = [ticket for deck in edition.decks for ticket in deck.tickets]
    names = [f"{ticket.a}–{ticket.b}" for ticket in tickets]
    assert {names[n]: int(count) for n, count in enumerate(trace["offers"]) if count} == offers
    for seat, end in enumerate(result.players):
        held = {names[n] for n in np.flatnonzero(trace["holder"] == seat)}
        done = {names[n] for n in np.flatnonzero((trace["holder"] == seat) & (trace["done"] > 0))}
        assert done == {f"{ticket.a}–{ticket.b}" for ticket in end.completed}
        assert held - done == {f"{ticket.a}–{ticket.b}" for ticket in end.failed}
        assert sheets[0, seat, SHEET_NAMES.index("total")] == end.total
    claimed = {n for n in range(len(edition.board.tracks)) if trace["claimed_at"][n] != NONE}
    assert claimed == set(game.owners())
    assert dict(zip(CARDS, trace["spent"].tolist(), strict=True)) == spent
    assert sum(spent.values()) >= sum(edition.board.tracks[n].length for n in claimed)


def test_the_same_seed_gives_the_same_games_on_any_number_of_cores(islands: Edition) -> None:
    one, two = (play_traced(islands, 2, ("planner",), 120, 5, jobs, lambda _done: None) for jobs in (1, 2))
    assert one.traces.tobytes() == two.traces.tobytes()
    assert one.sheets.tobytes() == two.sheets.tobytes()
    other = play_traced(islands, 2, ("planner",), 120, 6, 1, lambda _done: None)
    assert other.traces[:-1].tobytes() == one.traces[1:].tobytes()  # game n has the seed of the first + n


def test_other_bots_take_turns_on_the_seats(islands: Edition) -> None:
    done: list[int] = []
    found = playtest(islands, games=8, players=[2], bots=("casual", "random"), seed=1, jobs=1, progress=done.append)
    assert done == list(range(1, 9))
    assert found.tables[0].games == 8
    assert (found.bots, found.all_games) == (("casual", "random"), 8)


# --- measures --------------------------------------------------------------------------------------------------------
def test_intervals() -> None:
    half = share_of(50, 100)
    assert half.low == pytest.approx(0.4038, abs=1e-4)  # as Wilson's formula gives by hand
    assert half.high == pytest.approx(0.5962, abs=1e-4)
    never = share_of(0, 100)
    assert never.low == pytest.approx(0, abs=1e-9)
    assert never.high == pytest.approx(0.0370, abs=1e-4)
    mean = mean_of(np.array([1.0, 2.0, 3.0, 4.0]))
    assert mean.value == 2.5
    assert mean.half == pytest.approx(1.96 * 1.29099 / 2, abs=1e-3)
    assert share_of(0, 0).value is None
    assert differ(Measured(0.2, 0.18, 0.22, 9), Measured(0.25, 0.22, 0.28, 9))
    assert not differ(Measured(0.2, 0.1, 0.3, 9), Measured(0.25, 0.22, 0.28, 9))


def test_measures_add_up(found: Playtest, islands: Edition) -> None:
    assert [table.players for table in found.tables] == [2, 3]
    for table in found.tables:
        assert sum(wins.value or 0 for wins in table.wins) == pytest.approx(1)
        assert sum(table.sources.values()) == pytest.approx(float(table.totals.mean()))
    per_game = sum((one.claimed.value or 0) * one.length for one in found.tracks)
    paid = sum((one.spent.value or 0) for one in found.colours)
    assert 0 < per_game <= sum(track.length for track in islands.board.tracks)
    assert paid > 0
    route = next(one for one in found.routes if len(one.tracks) == 2)
    assert (route.taken.value or 0) == pytest.approx(sum((found.tracks[n].claimed.value or 0) for n in route.tracks))
    assert route.full.value == route.taken.value  # with two or three players one of two tracks is closed
    detours = {one.name: one.detour for one in found.routes}
    assert detours["Northport–Stonebridge"] == 1  # by Milltown: 2 + 2 spaces instead of 3
    for ticket in found.tickets:
        assert 0 <= (ticket.completed.value or 0) <= 1
        weighed = ticket.wins.n * (ticket.wins.value or 0) + (300 - ticket.wins.n) * ticket.wins_without
        assert weighed == pytest.approx(300)  # 60 games of two and 60 of three: one even chance a seat


def test_what_stands_out_is_found() -> None:
    """On a board that many people know: Washington has no ticket, and two tracks that lead past it are for nobody."""
    found = playtest("usa", games=150, players=[2], seed=1, jobs=1)
    assert "Washington" in {one.name for one in unneeded_cities(found)}
    dead = dead_tracks(found)
    assert {"Raleigh–Washington", "New York–Washington"} <= {one.name for one in dead}
    assert all((one.claimed.high or 1) < 0.05 for one in dead)
    tight = choke_points(found)
    assert all(one.detour is None or one.detour >= 3 for one in tight)
    routes = {one.name: one for one in found.routes}
    assert routes["Calgary–Helena"].detour == 6  # by Seattle, 4 + 6 spaces instead of 4
    titles = [one.title for one in verdicts(found)]
    assert any("nobody needs" in title for title in titles)
    assert any("dead track" in title for title in titles)
    for ticket in found.tickets:
        low, high = ticket.suggested_range or (ticket.points, ticket.points)
        assert ticket.suggested == ticket.points or not low - 0.5 <= ticket.points <= high + 0.5
        assert abs(ticket.suggested - ticket.points) <= max(1, round(ticket.points / 3))


def test_wrong_wishes_are_refused(islands: Edition) -> None:
    with pytest.raises(WhistlestopError, match="for 2 to 3 players, not 4"):
        playtest(islands, games=1, players=[4])
    with pytest.raises(WhistlestopError, match="at least one game"):
        playtest(islands, games=0)
    with pytest.raises(WhistlestopError, match="there is no bot"):
        playtest(islands, games=1, bots=("clob",))


# --- the page --------------------------------------------------------------------------------------------------------
class Page(HTMLParser):
    """Collects tags and where they lead."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                assert value not in self.ids, f"two things are called {value}"
                self.ids.add(value or "")
            if name in ("href", "src"):
                self.links.add(value or "")


def test_the_page_stands_alone_and_has_every_part(found: Playtest) -> None:
    text = playtest_page([found], "2026-11-18; `whistlestop playtest islands.toml`")
    page = Page(text)
    assert "script" not in page.tags
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    for part in ("What stands out", "Balance of the table", "On the board", "Tickets", "Tracks", "Cities", "Colours"):
        assert f"<h2>{part}</h2>" in text
    for svg in re.findall(r"<svg.*?</svg>", text, re.S):
        ElementTree.fromstring(svg)
    assert text.count('class="board"') == 5  # three measures, and two numbers of players
    assert "120 games" in text
    json.dumps(found.json())


def test_two_playtests_stand_side_by_side(found: Playtest, islands: Edition) -> None:
    nasty = '<script>alert("x")</script>'
    text = re.findall(r"^```toml\n(.*?)^```", ISLANDS.read_text(encoding="utf-8"), re.M | re.S)[0]
    text = text.replace('"Eastness"', json.dumps(nasty))
    other = playtest(parse_board(text).editions[0], games=20, seed=3, jobs=1)
    page = playtest_page([found, other], "somewhere")
    assert "<h2>What differs</h2>" in page
    assert "script" not in Page(page).tags
    assert "2 players, first to move wins" in page
    with pytest.raises(ValueError, match="one or two"):
        playtest_page([found] * 3, "")
    assert islands.name in page
