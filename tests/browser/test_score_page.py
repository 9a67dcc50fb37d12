"""Real tables: whole ones tapped in on phones, alone and three at once; counted, corrected, printed, kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from support.browser_pages import Checked, NewPage, Shot
from support.cardboard import entered, finished
from support.clients import ServerProcess
from support.person import act
from whistlestop import Holdings
from whistlestop.mapfile import load_edition
from whistlestop.results import Result, count

GAMES = {"usa": (2, 0), "europe": (3, 1), "germany": (2, 4)}
"""Players of the table that is tapped in, and which of the random games it is."""
NAMES = ("Ada", "Ben", "Cleo")


def game_of(edition: str) -> tuple[list[Holdings], Result]:
    """What lies in front of each player at the end of a random game, and the engine's result."""
    players, seed = GAMES[edition]
    found = load_edition(edition)
    games: Iterator[Any] = finished(found, seed + 1)
    states, dealt = list(games)[-1]
    assert dealt == players
    return [entered(found, states, player) for player in range(players)], count(found, states, NAMES[:players])


class Thumb:
    """Somebody who enters a real table on a phone."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, found: Locator) -> None:
        """Tap it."""
        found.tap()

    def press_act(self, name: str) -> None:
        self.press(self.page.locator(act(name)))

    def choose(self, seat: int) -> None:
        self.press_act(f"player-{seat}")

    def tap_board(self, what: str) -> None:
        """Tap a track or city where it is drawn; what lies behind the buttons is brought out first."""
        place = self.page.locator(what).first
        for _ in range(2):
            at = place.evaluate(MIDDLE)
            if self.page.evaluate(IS_BOARD, at):
                break
            self.page.locator(".board").evaluate(
                "board => board.dispatchEvent(new WheelEvent('wheel', "
                "{deltaX: 160, shiftKey: true, bubbles: true, cancelable: true}))"
            )
        assert self.page.evaluate(IS_BOARD, at), what
        self.page.touchscreen.tap(at["x"], at["y"])

    def tracks(self, held: Holdings) -> None:
        """Tap the tracks of the chosen player: all on the board."""
        self.press_act("enter-tracks")
        self.page.get_by_role("button", name="Whole board").tap()
        self.page.wait_for_timeout(300)
        for track in held.tracks:
            self.tap_board(f'[data-track="{track}"]')
        self.settle()

    def stations(self, held: Holdings) -> None:
        if held.stations:
            self.press_act("enter-stations")
            for city in held.stations:
                self.tap_board(f'[data-city="{city}"]')
            self.settle()

    def tickets(self, edition: str, held: Holdings) -> None:
        """Find each ticket by letters of its city."""
        self.press_act("enter-tickets")
        curtain = self.page.locator(act("show-tickets"))
        if curtain.count():
            self.press(curtain)
        known = httpx.get(f"{self.page.url.split('/score')[0]}/api/editions/{edition}/tickets", trust_env=False).json()
        for ticket in held.tickets:
            self.page.locator(act("find-ticket")).fill(known[int(ticket)]["from"][:2].lower())
            self.press(self.page.locator(f'[data-ticket="{ticket}"]'))
        self.settle()

    def passengers(self, held: Holdings) -> None:
        for colour, n in held.passengers.items():
            self.press_act("enter-passengers")
            for _ in range(n):
                self.press_act(f"more-{colour}")
            expect(self.page.locator(f'[data-passengers="{colour}"]')).to_have_text(str(n))
        self.settle()

    def enter(self, edition: str, seat: int, held: Holdings) -> None:
        """Everything that a player has."""
        self.choose(seat)
        self.tracks(held)
        self.stations(held)
        self.passengers(held)
        self.tickets(edition, held)

    def settle(self) -> None:
        """What was tapped is stored."""
        self.page.locator("[data-settled]").wait_for()


MIDDLE = """thing => {
    const cars = thing.querySelectorAll("rect, use, circle");
    const box = (cars[Math.floor(cars.length / 2)] ?? thing).getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}"""
IS_BOARD = """({ x, y }) => {
    const hit = document.elementFromPoint(x, y);
    return !!hit?.closest(".board") && !hit.closest(".tools");
}"""


def open_by_page(page: Page, edition: str, players: int) -> str:
    """Open a real table from the start page; its id."""
    page.goto("/")
    page.locator(act("score-table")).click()
    page.locator(act(f"edition-{edition}")).click()
    page.locator(act(f"players-{players}")).click()
    for seat in range(players):
        page.locator(act(f"name-{seat}")).fill(NAMES[seat])
    page.locator(act("open-real-table")).click()
    page.locator('[data-screen="enter"]').wait_for()
    return page.url.rpartition("/")[2]


def expect_count(page: Page, truth: Result) -> None:
    """The story has been told, and the score sheet says what the engine says."""
    shown = page.locator('[data-screen="counted"][data-done]')
    shown.wait_for()
    for seat, player in enumerate(truth.players):
        expect(shown.locator(f'td[data-total="{seat}"]')).to_have_text(str(player.total).replace("-", "−"))


@pytest.mark.parametrize(("edition", "dark"), [("usa", False), ("germany", True)])
def test_a_whole_table_is_tapped_in_on_one_phone(edition: str, dark: bool, new_page: NewPage, checked: Checked) -> None:
    holdings, truth = game_of(edition)
    page = new_page(phone=True, dark=dark)
    thumb = Thumb(page)
    open_by_page(page, edition, len(holdings))
    for seat, held in enumerate(holdings):
        thumb.enter(edition, seat, held)
        chip = page.locator(act(f"player-{seat}"))
        expect(chip).to_have_attribute("data-points", str(truth.players[seat].routes))
    checked(page, f"score-{edition}-tickets-phone")
    # the next who gets the phone does not see the tickets of the one before
    thumb.choose(0)
    expect(page.locator(act("show-tickets"))).to_be_visible()
    expect(page.locator("[data-ticket]")).to_have_count(0)
    for mode in ("tracks", "passengers"):
        if page.locator(act(f"enter-{mode}")).count():
            thumb.press_act(f"enter-{mode}")
            checked(page, f"score-{edition}-{mode}-phone")
    thumb.press_act("count")
    expect_count(page, truth)
    checked(page, f"score-{edition}-counted-phone")
    page.reload()
    expect_count(page, truth)


def test_three_phones_enter_one_table_at_once(new_page: NewPage, checked: Checked, server: ServerProcess) -> None:
    holdings, truth = game_of("europe")
    pages = [new_page(phone=True, language=language) for language in ("en-GB", "en-GB", "de-DE")]
    table = open_by_page(pages[0], "europe", 3)
    thumbs = [Thumb(page) for page in pages]
    for seat, thumb in enumerate(thumbs[1:], 1):
        thumb.page.goto(f"/score/{table}")
        thumb.choose(seat)
        checked(thumb.page, f"score-who-are-you-{seat}")
        thumb.press_act("take-player")
        expect(thumb.page.locator(act("take-player"))).to_have_count(0)
    # one tap each in turn, so that all three are in the middle of it all the time
    for thumb, seat in zip(thumbs, range(3), strict=True):
        thumb.choose(seat)
        thumb.page.locator(".board .tools button").last.tap()
        thumb.page.wait_for_timeout(300)
    for at in range(max(len(held.tracks) for held in holdings)):
        for thumb, held in zip(thumbs, holdings, strict=True):
            if at < len(held.tracks):
                thumb.tap_board(f'[data-track="{held.tracks[at]}"]')
    thumbs[0].settle()
    pages[0].reload()
    pages[0].locator('[data-screen="enter"]').wait_for()
    checked(pages[0], "score-europe-tracks-phone")
    thumbs[0].tracks(Holdings())
    for seat, (thumb, held) in enumerate(zip(thumbs, holdings, strict=True)):
        thumb.stations(held)
        thumb.choose(seat)
        thumb.tickets("europe", held)
    # everybody sees the others' trains, and how many tickets, but no ticket of theirs
    for page in pages:
        for seat, player in enumerate(truth.players):
            expect(page.locator(act(f"player-{seat}"))).to_have_attribute("data-points", str(player.routes))
    found = server.ask("GET", f"/api/real-tables/{table}")
    assert [player["ticket_count"] for player in found["players"]] == [len(held.tickets) for held in holdings]
    thumbs[1].choose(0)
    expect(pages[1].locator("[data-ticket]")).to_have_count(0)
    expect(pages[1].locator(act("count"))).to_have_count(0)
    checked(pages[0], "score-europe-tickets-phone")
    thumbs[0].press_act("count")
    for page in pages:
        expect_count(page, truth)
    checked(pages[2], "score-europe-counted-german")
    # a correction afterwards: the other phones get the new count
    thumbs[0].press_act("correct")
    thumbs[0].choose(0)
    thumbs[0].press_act("enter-tickets")
    gone = holdings[0].tickets[0]
    pages[0].locator(f'[data-ticket="{gone}"]').tap()
    thumbs[0].settle()
    thumbs[0].press_act("count")
    changed = server.ask("GET", f"/api/real-tables/{table}")["count"]["result"]["players"][0]["total"]
    assert changed != truth.players[0].total
    for page in pages:
        expect(page.locator('td[data-total="0"]')).to_have_text(str(changed).replace("-", "−"))


def opened(server: ServerProcess, edition: str, **more: Any) -> dict[str, Any]:
    """A table opened beside the page, with the pieces of a random game; its id and key."""
    holdings, _ = game_of(edition)
    players = [
        {
            "name": NAMES[seat],
            "colour": seat,
            "tracks": held.tracks,
            "stations": held.stations,
            "tickets": held.tickets,
            "passengers": dict(held.passengers),
        }
        for seat, held in enumerate(holdings)
    ]
    found: dict[str, Any] = server.ask(
        "POST", "/api/real-tables", json={"edition": edition, "players": players, **more}
    )
    return found


def test_an_odd_track_says_why_and_can_be_forced(new_page: NewPage, server: ServerProcess, checked: Checked) -> None:
    holdings, _ = game_of("usa")
    table = opened(server, "usa")
    page = new_page(phone=True)
    page.goto(f"/score/{table['table']}#{table['key']}")
    page.locator('[data-screen="enter"]').wait_for()
    assert "#" not in page.url
    thumb = Thumb(page)
    page.get_by_role("button", name="Whole board").tap()
    page.wait_for_timeout(300)
    taken = holdings[1].tracks[0]
    chip = page.locator(act("player-0"))
    before = chip.get_attribute("data-points")
    thumb.tap_board(f'[data-track="{taken}"]')
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("belongs to")
    checked(page, "score-odd-phone")
    thumb.press_act("leave-it")
    expect(chip).to_have_attribute("data-points", str(before))
    thumb.tap_board(f'[data-track="{taken}"]')
    thumb.press_act("force-it")
    expect(page.locator(".tip-box")).to_have_count(0)  # no tip stays in the way of whoever goes from track to track
    expect(page.locator("[data-odd='1']")).to_contain_text("Odd:")
    expect(chip).not_to_have_attribute("data-points", str(before))
    # tap again to take it off
    thumb.press_act("track-list")
    page.locator(f'[data-track-row="{taken}"]').tap()
    page.keyboard.press("Escape")
    thumb.settle()
    expect(page.locator("[data-odd]")).to_have_count(0)
    expect(chip).to_have_attribute("data-points", str(before))


def test_running_along_by_keyboard(new_page: NewPage, checked: Checked) -> None:
    page = new_page()
    page.goto("/score?edition=usa")
    page.locator(act("players-2")).locator("input").press(" ")
    for seat in range(2):
        page.locator(act(f"name-{seat}")).fill(NAMES[seat])
    page.locator(act("running")).press(" ")
    page.locator(act("first")).select_option(label="Ben")
    checked(page, "score-start-desktop")
    page.locator(act("open-real-table")).press("Enter")
    bar = page.locator("[data-turn]")
    expect(bar).to_contain_text("Ben’s turn")
    page.locator(act("turn-next")).press("Enter")
    expect(bar).to_contain_text("Ada’s turn")
    # a track by the board's keys, another one from the list
    page.locator("[role=application]").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    chip = page.locator(act("player-0"))
    expect(chip).not_to_have_attribute("data-trains", "45")
    six = [i for i, track in enumerate(load_edition("usa").board.tracks) if track.length == 6][:7]
    for track in six:
        page.locator(f'[data-track-row="{track}"]').press("Enter")
    expect(bar).to_contain_text("the last round begins after this turn")
    checked(page, "score-alarm-desktop")
    page.locator(act("turn-next")).press("Enter")
    expect(bar).to_have_attribute("data-turns-left", "2")
    for left in ("1", "0"):
        page.locator(act("turn-next")).press("Enter")
        expect(bar).to_have_attribute("data-turns-left", left)
    expect(bar).to_contain_text("The game is over")
    page.locator(act("player-0")).locator("input").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(act("player-1")).locator("input")).to_be_checked()
    page.locator(act("enter-tracks")).press("ArrowRight")
    page.locator(act("show-tickets")).press("Enter")
    page.locator(act("find-ticket")).fill("lo")
    page.locator("[data-ticket]").first.press("Enter")
    page.locator(act("count")).press("Enter")
    page.locator('[data-screen="counted"][data-done]').wait_for()
    checked(page, "score-counted-desktop")


def test_a_count_is_printed_on_one_page_and_saved(new_page: NewPage, server: ServerProcess, shot: Shot) -> None:
    table = opened(server, "europe")
    page = new_page(language="de-DE")
    page.goto(f"/score/{table['table']}#{table['key']}")
    page.locator(act("count")).click()
    page.locator('[data-screen="counted"][data-done]').wait_for()
    page.emulate_media(media="print")
    expect(page.locator(".printed")).to_be_visible()
    page.wait_for_function("document.querySelector('.printed').naturalWidth > 0")
    assert page.locator(".printed").evaluate("image => image.getBoundingClientRect().height") > 200
    expect(page.locator(".stage")).to_be_hidden()
    shot(page, "score-europe-printed")
    printed = page.pdf(format="A4")
    assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") == 1
    page.emulate_media(media="screen")
    with page.expect_download() as saved:
        page.locator(act("save-picture")).click()
    assert saved.value.suggested_filename.endswith(".png")
    picture = saved.value.path().read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 50_000
    with page.expect_download() as saved:
        page.locator(act("save-file")).click()
    kept = saved.value.path()
    body = json.loads(kept.read_text())
    counted = server.ask("POST", "/api/score", json=body)["result"]
    assert counted == server.ask("GET", f"/api/real-tables/{table['table']}")["count"]["result"]
    # the file opens as a new table
    page.locator(act("another")).click()
    page.locator(act("table-file")).set_input_files(kept, no_wait_after=True)
    page.locator('[data-screen="enter"]').wait_for()
    assert table["table"] not in page.url


def test_this_browser_keeps_its_tables(new_page: NewPage, server: ServerProcess) -> None:
    table = opened(server, "usa")
    page = new_page(phone=True, refused=404)
    page.goto(f"/score/{table['table']}#{table['key']}")
    page.locator('[data-screen="enter"]').wait_for()
    page.goto("/score")
    page.locator(act("kept-table")).first.tap()
    page.locator(act("share-table")).tap()
    expect(page.locator('[data-link="copy-table"]')).to_have_value(f"{server.url}/score/{table['table']}")
    page.keyboard.press("Escape")
    # the server has lost it: it comes back from the copy
    server_side = httpx.delete(
        f"{server.url}/api/real-tables/{table['table']}",
        headers={"authorization": f"Bearer {table['key']}"},
        trust_env=False,
    )
    assert server_side.status_code == 204
    page.locator(act("open-again")).tap()
    page.locator('[data-screen="enter"]').wait_for()
    assert table["table"] not in page.url
    points = page.locator(act("player-0")).get_attribute("data-points")
    assert int(points or 0) == game_of("usa")[1].players[0].routes
