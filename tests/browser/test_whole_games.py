"""Whole games of every edition through the page, against bots."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.browser_server import NewPage, Server
from support.browser_tables import BOT, ME, open_beside, open_by_page, sit
from support.person import Person, act

EDITIONS = ("usa", "europe", "europe-1912", "mega-europe", "big-cities", "germany")


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_whole_game(edition: str, server: Server, new_page: NewPage) -> None:
    page = new_page()
    table, key = open_by_page(page, edition)
    person = Person(page, server, table, key, seed=len(edition))
    person.play_on()
    page.locator(act("result")).click()
    shown = page.locator('[data-screen="end"]')
    shown.wait_for()
    end = server.ask("GET", f"/api/tables/{table}/end")
    for player in end["result"]["players"]:
        expect(shown).to_contain_text(player["name"])
        expect(shown).to_contain_text(str(player["total"]).replace("-", "−"))
    assert person.done.count("claim") > 5
    record = server.ask("GET", f"/api/tables/{table}/replay/{end['n']}")
    assert record["view"]["phase"] == "over"


def test_a_whole_game_on_a_phone_by_touch(server: Server, new_page: NewPage) -> None:
    page = new_page(phone=True)
    opened = open_beside(server, "europe", ME, BOT)
    sit(page, opened)
    Person(page, server, opened["table"], opened["key"], seed=3, touch=True).play_on()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator(act("result")).tap()
    page.locator('[data-screen="end"]').wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
