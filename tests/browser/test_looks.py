"""Pictures of every important moment, on desktop and phone, light and dark; and what a checker of accessibility says to them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from support.browser_server import NewPage, Server, Shot
from support.browser_tables import BOT, ME, open_beside, sit
from support.person import Person, act

WEB = Path(__file__).parents[2] / "web"
LOOKS = [(device, theme) for device in ("desktop", "phone") for theme in ("light", "dark")]
BUSY = 18
"""Claimed tracks on a board that is worth a picture, well before three players run out of trains."""
Checked = Callable[[Page, str], None]
RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]},
    # a player's row shows icons with numbers; its name says them in words, which this rule, an experiment of axe's, takes for a mismatch
    "rules": {"label-content-name-mismatch": {"enabled": False}},
}


@pytest.fixture(scope="session")
def axe() -> str:
    """The accessibility checker axe-core, as a script."""
    script = WEB / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        subprocess.run(["npm", "install", "--no-package-lock"], cwd=WEB, check=True, capture_output=True)
    return script.read_text(encoding="utf-8")


@pytest.fixture
def checked(axe: str, shot: Shot) -> Iterator[Checked]:
    """Writes a picture of a page, and lets the checker look at it; what it found in all of them is told at the end."""
    told: list[str] = []

    def look(page: Page, name: str) -> None:
        page.wait_for_timeout(300)  # what moves comes to rest
        shot(page, name)
        page.evaluate(axe)
        found = page.evaluate("rules => axe.run(document, rules).then(found => found.violations)", RULES)
        told.extend(
            f"{name}: {one['id']}: {one['help']}: {[node['html'][:160] for node in one['nodes'][:3]]}" for one in found
        )

    yield look
    assert not told, "\n".join(told)


@pytest.fixture(params=LOOKS, ids=lambda look: "-".join(look))
def look(request: pytest.FixtureRequest, new_page: NewPage) -> tuple[Page, str]:
    """A page of each kind, and the end of its pictures' names."""
    device, theme = request.param
    return new_page(phone=device == "phone", dark=theme == "dark"), f"{device}-{theme}"


def test_pages_before_the_game(look: tuple[Page, str], server: Server, checked: Checked) -> None:
    page, kind = look
    for name, path in (("home", "/"), ("new", "/new"), ("about", "/about"), ("missing", "/nowhere")):
        page.goto(path)
        page.locator("[data-screen]").first.wait_for()
        page.wait_for_load_state("networkidle")
        checked(page, f"{name}-{kind}")
    opened = open_beside(server, "europe", ME, {"kind": "open"}, BOT, start=False)
    sit(page, opened)
    checked(page, f"waiting-{kind}")


@pytest.mark.parametrize("edition", ["usa", "europe", "germany"])
def test_the_game(edition: str, look: tuple[Page, str], server: Server, checked: Checked) -> None:
    page, kind = look
    opened = open_beside(server, edition, ME, BOT, BOT)
    sit(page, opened)
    person = Person(page, server, opened["table"], opened["key"], seed=8, touch="phone" in kind)
    if edition == "germany":
        page.locator('[data-act^="mix-"]').first.wait_for()
        checked(page, f"{edition}-announce-{kind}")
        person.turn()
    page.locator(act("keep")).wait_for()
    checked(page, f"{edition}-first-tickets-{kind}")
    person.hurry_to("tickets")
    page.locator(act("keep")).wait_for()
    checked(page, f"{edition}-tickets-{kind}")
    if edition == "europe":
        person.hurry_to("tunnel")
        page.locator(act("give-up")).wait_for()
        checked(page, f"{edition}-tunnel-{kind}")
    if edition == "germany":
        person.hurry_to("passenger")
        page.locator('[data-act^="passenger-"]').first.wait_for()
        checked(page, f"{edition}-passenger-{kind}")
    while len((frame := person.hurry_to("turn"))["view"]["owners"]) < BUSY or not frame["options"]["claims"]:
        person.do_quietly(frame, person.choose(frame))
    person.wait_turn()
    checked(page, f"{edition}-turn-{kind}")
    person.press_track(int(next(iter(frame["options"]["claims"]))))
    page.locator(act("confirm")).wait_for()
    checked(page, f"{edition}-payment-{kind}")
    person.press(act("cancel"))
    while (frame := person.next_frame(person.frame()))["view"]["phase"] != "over":
        person.do_quietly(frame, person.choose(frame))
    page.goto(f"/t/{opened['table']}")
    page.locator('[data-screen="end"]').wait_for()
    page.wait_for_load_state("networkidle")
    checked(page, f"{edition}-end-{kind}")
    page.goto(f"/replay/{opened['table']}?n=60&eyes=0")
    page.locator('[data-screen="replay"][data-n="60"]').wait_for()
    checked(page, f"{edition}-replay-{kind}")


def test_high_contrast_and_german(new_page: NewPage, server: Server, checked: Checked) -> None:
    page = new_page(language="de-DE")
    page.goto("/")
    page.evaluate("localStorage['whistlestop.settings'] = JSON.stringify({ theme: 'contrast', language: 'de' })")
    opened = open_beside(server, "europe", ME, BOT)
    sit(page, opened)
    person = Person(page, server, opened["table"], opened["key"], seed=2)
    person.play_on(6)
    person.wait_turn()
    checked(page, "europe-turn-contrast-german")
