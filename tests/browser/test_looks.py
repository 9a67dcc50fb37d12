"""Pictures of every important moment, on desktop and phone, light and dark, each checked for accessibility by axe.

Games are tables laid at the moment that is pictured; nobody plays up to it.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from support.browser_pages import Checked, NewPage
from support.browser_tables import BOT, ME, open_beside, sit
from support.clients import ServerProcess
from support.laid_tables import OVER, lay_table
from support.person import Person, act

LOOKS = [(device, theme) for device in ("desktop", "phone") for theme in ("light", "dark")]


@pytest.fixture(params=LOOKS, ids=lambda look: "-".join(look))
def look(request: pytest.FixtureRequest, new_page: NewPage) -> tuple[Page, str]:
    """A page of each kind, and the end of its pictures' names."""
    device, theme = request.param
    return new_page(phone=device == "phone", dark=theme == "dark"), f"{device}-{theme}"


def test_pages_before_the_game(look: tuple[Page, str], server: ServerProcess, checked: Checked) -> None:
    page, kind = look
    for name, path in (("home", "/"), ("new", "/new"), ("about", "/about"), ("missing", "/nowhere")):
        page.goto(path)
        page.locator("[data-screen]").first.wait_for()
        page.wait_for_load_state("networkidle")
        checked(page, f"{name}-{kind}")
    opened = open_beside(server, "europe", ME, {"kind": "open"}, BOT, start=False)
    sit(page, opened)
    checked(page, f"waiting-{kind}")


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
def test_questions(edition: str, look: tuple[Page, str], server: ServerProcess, checked: Checked) -> None:
    page, kind = look
    for moment in PICTURED[edition]:
        sit(page, lay_table(server, edition, moment))
        page.locator(MOMENTS[moment]).first.wait_for()
        checked(page, f"{edition}-{moment.replace('_', '-')}-{kind}")


@pytest.mark.parametrize("edition", PICTURED)
def test_turns(edition: str, look: tuple[Page, str], server: ServerProcess, checked: Checked) -> None:
    page, kind = look
    opened = lay_table(server, edition, "middle")
    sit(page, opened)
    person = Person(page, server, opened["table"], opened["key"], touch="phone" in kind)
    frame = person.wait_turn()
    checked(page, f"{edition}-turn-{kind}")
    person.press_track(int(next(iter(frame["options"]["claims"]))))
    page.locator(act("confirm")).wait_for()
    checked(page, f"{edition}-payment-{kind}")


@pytest.mark.parametrize("edition", PICTURED)
def test_ends(edition: str, look: tuple[Page, str], server: ServerProcess, checked: Checked) -> None:
    page, kind = look
    opened = lay_table(server, edition, OVER)
    sit(page, opened)
    page.locator('[data-screen="end"]').wait_for()
    page.wait_for_load_state("networkidle")
    checked(page, f"{edition}-end-{kind}")
    page.goto(f"/replay/{opened['table']}?n={REPLAYED}&eyes=0")
    page.locator(f'[data-screen="replay"][data-n="{REPLAYED}"]').wait_for()
    checked(page, f"{edition}-replay-{kind}")


def test_high_contrast_and_german(new_page: NewPage, server: ServerProcess, checked: Checked) -> None:
    page = new_page(language="de-DE")
    page.goto("/")
    page.evaluate("localStorage['whistlestop.settings'] = JSON.stringify({ theme: 'contrast', language: 'de' })")
    sit(page, lay_table(server, "europe", "middle"))
    expect(page.locator(":root")).to_have_attribute("data-theme", "contrast")
    expect(page.locator(":root")).to_have_attribute("lang", "de")
    checked(page, "europe-turn-contrast-german")
