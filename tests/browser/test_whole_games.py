"""Whole games through the page, against bots: one edition by default, every edition and every hand in the long run."""

from __future__ import annotations

import pytest

from support.browser_pages import NewPage
from support.browser_tables import BOT, ME, expect_result, open_beside, open_by_page, sit
from support.clients import ServerProcess
from support.keyboard_person import KeyboardPerson
from support.person import Person, act
from support.scale import LONG

EDITIONS = ("usa", "europe", "europe-1912", "mega-europe", "big-cities", "germany") if LONG else ("usa",)
only_long = pytest.mark.skipif(not LONG, reason="a whole game by another hand is part of the long run")


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_whole_game(edition: str, server: ServerProcess, new_page: NewPage) -> None:
    page = new_page()
    table, key = open_by_page(page, edition)
    person = Person(page, server, table, key, seed=len(edition))
    person.play_on()
    page.locator(act("result")).click()
    expect_result(page, server, table)
    assert person.done.count("claim") > 5


@only_long
@pytest.mark.parametrize("edition", ["europe", "germany"])
def test_a_whole_game_by_keyboard(edition: str, server: ServerProcess, new_page: NewPage) -> None:
    page = new_page()
    opened = open_beside(server, edition, ME, BOT)
    sit(page, opened)
    person = KeyboardPerson(page, server, opened["table"], opened["key"], seed=4)
    person.play_on()
    person.press(act("result"))
    expect_result(page, server, opened["table"])
    assert {"claim", "keep"} <= set(person.done)


@only_long
def test_a_whole_game_on_a_phone_by_touch(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page(phone=True)
    opened = open_beside(server, "europe", ME, BOT)
    sit(page, opened)
    Person(page, server, opened["table"], opened["key"], seed=3, touch=True).play_on()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator(act("result")).tap()
    expect_result(page, server, opened["table"])
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
