"""Pictures of every important moment, on desktop and phone, light and dark, each checked for accessibility by axe.

Games are tables laid at the moment that is pictured; nobody plays up to it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from support.browser_pages import Checked, NewPage
from support.browser_tables import BOT, ME, open_beside, sit
from support.clients import ServerProcess
from support.laid_tables import OVER, lay_table
from support.person import Person, act

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
Look = Callable[[str], None]
"""Pictures what a page shows now, light and dark."""


@pytest.fixture(params=("desktop", "phone"))
def device(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def page(device: str, new_page: NewPage) -> Page:
    return new_page(phone=device == "phone")


@pytest.fixture
def look(page: Page, device: str, checked: Checked) -> Look:
    def both(name: str) -> None:
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            checked(page, f"{name}-{device}-{theme}")

    return both


def test_pages_before_the_game(page: Page, server: ServerProcess, look: Look) -> None:
    for name, path in (("home", "/"), ("new", "/new"), ("about", "/about"), ("missing", "/nowhere")):
        page.goto(path)
        page.locator("[data-screen]").first.wait_for()
        page.wait_for_load_state("networkidle")
        look(name)
    opened = open_beside(server, "europe", ME, {"kind": "open"}, BOT, start=False)
    sit(page, opened)
    look("waiting")


MOMENTS = {
    "announce": '[data-act^="mix-"]',
    "first_tickets": act("keep"),
    "tickets": act("keep"),
    "tunnel": act("give-up"),
    "passenger": '[data-act^="passenger-"]',
}
"""Moments that the page asks about, and what it then offers."""
PICTURED = {
    "usa": ("first_tickets", "tickets"),
    "europe": ("first_tickets", "tickets", "tunnel"),
    "germany": ("announce", "first_tickets", "tickets", "passenger"),
}
REPLAYED = 60


@pytest.mark.parametrize("edition", PICTURED)
def test_questions(edition: str, page: Page, server: ServerProcess, look: Look) -> None:
    for moment in PICTURED[edition]:
        sit(page, lay_table(server, edition, moment))
        page.locator(MOMENTS[moment]).first.wait_for()
        look(f"{edition}-{moment.replace('_', '-')}")


@pytest.mark.parametrize("edition", PICTURED)
def test_turns(edition: str, page: Page, device: str, server: ServerProcess, look: Look) -> None:
    opened = lay_table(server, edition, "middle")
    sit(page, opened)
    person = Person(page, server, opened["table"], opened["key"], touch=device == "phone")
    frame = person.wait_turn()
    look(f"{edition}-turn")
    person.press_track(int(next(iter(frame["options"]["claims"]))))
    page.locator(act("confirm")).wait_for()
    look(f"{edition}-payment")


@pytest.mark.parametrize("edition", PICTURED)
def test_ends(edition: str, page: Page, server: ServerProcess, look: Look) -> None:
    opened = lay_table(server, edition, OVER)
    sit(page, opened)
    page.locator('[data-screen="end"]').wait_for()
    page.wait_for_load_state("networkidle")
    look(f"{edition}-end")
    page.goto(f"/replay/{opened['table']}?n={REPLAYED}&eyes=0")
    page.locator(f'[data-screen="replay"][data-n="{REPLAYED}"]').wait_for()
    look(f"{edition}-replay")


def test_high_contrast_and_german(new_page: NewPage, server: ServerProcess, checked: Checked) -> None:
    page = new_page(language="de-DE")
    page.goto("/")
    page.evaluate("localStorage['whistlestop.settings'] = JSON.stringify({ theme: 'contrast', language: 'de' })")
    sit(page, lay_table(server, "europe", "middle"))
    expect(page.locator(":root")).to_have_attribute("data-theme", "contrast")
    expect(page.locator(":root")).to_have_attribute("lang", "de")
    checked(page, "europe-turn-contrast-german")
