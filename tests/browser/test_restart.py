"""The server stops in the middle of things: the page waits, comes back, and nothing is lost."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from support.browser_server import NewPage, Server
from support.browser_tables import BOT, ME, open_beside, sit
from support.person import Person, act

ASKS = {"tunnel": "give-up", "tickets": "keep", "first_tickets": "keep"}
"""What the page offers in each phase."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of this file's own, since it is stopped."""
    running = Server(tmp_path_factory.mktemp("restarted"))
    running.start()
    yield running
    running.stop()


def shown(page: Page) -> int:
    return int(page.locator('[data-screen="play"]').get_attribute("data-n") or -1)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("phase", ASKS)
def test_a_restart_in_the_middle(phase: str, how: int, server: Server, new_page: NewPage) -> None:
    page = new_page()
    opened = open_beside(server, "europe", ME, BOT)
    sit(page, opened)
    person = Person(page, server, opened["table"], opened["key"], seed=11)
    before = person.hurry_to(phase)
    page.locator(act(ASKS[phase])).first.wait_for()

    server.restart(how)
    after = person.frame()
    assert after["view"] == before["view"]
    assert after["options"] == before["options"]
    page.locator('[data-screen="play"]').wait_for()
    page.locator(".away").wait_for(state="detached")

    page.reload()
    page.locator(act(ASKS[phase])).first.wait_for()
    assert shown(page) == before["n"]
    assert person.turn()
    person.play_on(3)
    assert person.frame()["n"] > before["n"]
