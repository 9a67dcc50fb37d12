"""Opening a table by keyboard alone; decisions and whole games by keyboard are in the files of those."""

from __future__ import annotations

from playwright.sync_api import expect

from support.browser_pages import NewPage
from support.clients import ServerProcess
from support.keyboard_person import KeyboardPerson
from support.person import act


def test_a_table_is_opened_by_keyboard(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.locator('[data-screen="home"]').wait_for()
    person = KeyboardPerson(page, server, "", "")
    person.press(act("play-now"))
    page.locator('[data-screen="play"]').wait_for()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
