"""Choosing a level and a character on the page, and stronger bots that get ready while somebody looks."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page, Route, expect

from support.browser_pages import NewPage
from support.browser_tables import ME, open_beside, sit, table_of
from support.clients import ServerProcess
from support.person import PLAY, act

STRONG = ("club", "master", "grandmaster")


def bots_at(server: ServerProcess, page: Page) -> list[str | None]:
    """The bots of the table that a page shows."""
    table: dict[str, Any] = server.ask("GET", f"/api/tables/{table_of(page)[0]}")
    return [seat["bot"] for seat in table["seats"]]


def test_one_click_plays_against_the_level_of_last_time(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    expect(page.locator(f"{act('level-casual')} input")).to_be_checked()
    page.locator(act("play-now")).click()
    page.locator(PLAY).wait_for()
    assert bots_at(server, page) == [None, "casual", "casual"]

    page.goto("/")
    page.locator(act("level-master")).click()
    expect(page.locator("[data-summary]")).to_contain_text("hundreds of games")
    page.locator(act("character-blocker")).click()
    expect(page.locator("[data-summary]")).to_contain_text("stand in your way")
    page.locator(act("play-now")).click()
    page.locator(PLAY).wait_for()
    assert bots_at(server, page) == [None, "master-blocker", "master-blocker"]

    page.goto("/")
    expect(page.locator(f"{act('level-master')} input")).to_be_checked()
    expect(page.locator(f"{act('character-blocker')} input")).to_be_checked()
    page.locator(act("level-club")).click()
    expect(page.locator(act("character-any"))).to_have_count(0)
    page.locator(act("play-now")).click()
    page.locator(PLAY).wait_for()
    assert bots_at(server, page) == [None, "club", "club"]


def test_levels_and_characters_of_seats(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page(language="de-DE", phone=True)
    page.goto("/new")
    page.locator(act("seat-1-kind")).select_option("bot:grandmaster")
    page.locator(act("seat-1-character")).select_option("grandmaster-collector")
    expect(page.locator('[data-seat="1"]')).to_contain_text("Mag Tickets")
    page.locator(act("seat-2-kind")).select_option("bot:beginner")
    expect(page.locator(act("seat-2-character"))).to_have_count(0)
    expect(page.locator('option[value="bot:random"]')).to_have_count(0)
    page.locator(act("start")).tap()
    page.locator(PLAY).wait_for()
    assert bots_at(server, page) == [None, "grandmaster-collector", "beginner"]


def test_the_host_changes_level_and_character_while_others_come(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page()
    sit(page, open_beside(server, "usa", ME, {"kind": "bot", "bot": "casual"}, {"kind": "open"}, start=False))
    seat = page.locator('[data-seat="1"]')
    page.locator(act("seat-1-kind")).select_option("bot:master")
    expect(seat).to_contain_text("Bot: Master")
    page.locator(act("seat-1-character")).select_option("master-builder")
    expect(seat).to_contain_text("Bot: Master · Builder")
    assert bots_at(server, page) == [None, "master-builder", None]


def test_levels_that_get_ready_are_offered_without_a_reload(new_page: NewPage) -> None:
    page, ready = new_page(), list[str]()

    def answer(route: Route) -> None:
        """What a server says whose stronger bots are being compiled."""
        bots = route.fetch().json()
        for bot in bots:
            if bot["name"] in STRONG and bot["name"] not in ready:
                bot["readiness"] = "preparing"
        route.fulfill(body=json.dumps(bots), content_type="application/json")

    page.route("**/api/bots", answer)
    page.goto("/")
    expect(page.locator(f"{act('level-master')} input")).to_be_disabled()
    expect(page.locator(act("level-master"))).to_contain_text("getting ready")
    expect(page.locator(act("play-now"))).to_be_enabled()
    ready.extend(STRONG)
    expect(page.locator(f"{act('level-master')} input")).to_be_enabled()
    expect(page.locator(act("level-master"))).not_to_contain_text("getting ready")

    # a level chosen before waits for its bot
    page.goto("/new")
    page.locator(act("seat-1-kind")).select_option("bot:club")
    page.locator(act("start")).click()
    page.locator(PLAY).wait_for()
    ready.clear()
    page.goto("/new")
    expect(page.locator(act("start"))).to_be_disabled()
    expect(page.locator('[data-screen="new"]')).to_contain_text("Club is getting ready")
    ready.extend(STRONG)
    expect(page.locator(act("start"))).to_be_enabled()
