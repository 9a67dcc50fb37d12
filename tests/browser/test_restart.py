"""The server stops in the middle of things: the page waits, comes back, and nothing is lost."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from support.browser_pages import NewPage
from support.browser_tables import sit
from support.clients import Data, ServerProcess, wait_until
from support.laid_tables import lay_table
from support.person import PLAY, Person, act

ASKS = {"tunnel": "give-up", "tickets": "keep", "first_tickets": "keep", "turn": "draw-blind"}
"""What the page offers in each phase."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server of this file's own, since it is stopped."""
    with ServerProcess(tmp_path_factory.mktemp("restarted")) as running:
        yield running


def offers(page: Page, phase: str) -> None:
    """Wait until the page offers what a phase asks."""
    expect(page.locator(act(ASKS[phase])).first).to_be_visible()


def settled(person: Person) -> Data:
    """What a person sees once nobody else is to move: bots choose their first tickets at the same time."""
    wait_until(lambda: person.frame()["view"]["to_move"] == [person.seat], 60)
    return person.frame()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=lambda how: how.name)
def test_a_restart_in_the_middle(how: signal.Signals, server: ServerProcess, new_page: NewPage) -> None:
    """One restart under several pages, each in another phase."""
    people: dict[str, Person] = {}
    for phase in ASKS:
        page, opened = new_page(), lay_table(server, "europe", phase)
        sit(page, opened)
        people[phase] = Person(page, server, opened["table"], opened["key"], seed=11)
        offers(page, phase)
    before = {phase: settled(person) for phase, person in people.items()}

    server.restart(how)
    for phase, person in people.items():
        after, page = person.frame(), person.page
        assert (after["view"], after["options"]) == (before[phase]["view"], before[phase]["options"])
        page.locator(".away").wait_for(state="detached")
        offers(page, phase)
        page.reload()
        offers(page, phase)
        expect(page.locator(PLAY)).to_have_attribute("data-n", str(before[phase]["n"]))
        assert person.turn()
        assert person.frame()["n"] > before[phase]["n"]
