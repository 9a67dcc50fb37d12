"""A board of one's own by the page: dropped, mended at the line that it names, looked at, played, named as text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from support.browser_pages import NewPage, Shot
from support.browser_tables import table_of
from support.clients import ServerProcess
from support.person import Person, act
from whistlestop.mapfile import MAPS

found = re.search(r"```toml\n(id     = \"islands\".*?)```", (MAPS / "README.md").read_text("utf-8"), re.DOTALL)
assert found
ISLANDS = found[1]
SPOILT = ISLANDS.replace('to = "Eastness",    length = 2', 'to = "Eastnes",    length = 2', 1)
LINE = SPOILT.partition('"Eastnes"')[0].count("\n") + 1
DROP = """text => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "islands.toml"));
    for (const type of ["dragover", "drop"])
        document.querySelector("h1").dispatchEvent(
            new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""


def choose(page: Page, text: str) -> None:
    page.locator(act("bring-board")).set_input_files(
        {"name": "islands.toml", "mimeType": "application/toml", "buffer": text.encode()}
    )


def test_a_board_is_dropped_mended_looked_at_and_played(new_page: NewPage, server: ServerProcess, shot: Shot) -> None:
    page = new_page(refused=422)
    page.goto("/new")
    page.locator("[data-own-board], " + act("bring-board")).first.wait_for(state="attached")
    page.evaluate(DROP, SPOILT)
    trouble = page.locator("[data-board-line]")
    expect(trouble).to_have_attribute("data-board-line", str(LINE))
    expect(trouble).to_contain_text(f"islands.toml, line {LINE}:")
    expect(trouble).to_contain_text("unknown city `Eastnes`")
    expect(trouble).to_contain_text("did you mean `Eastness`?")
    expect(trouble.locator("code")).to_contain_text('"Eastnes"')
    shot(page, "own-board-trouble")

    page.evaluate(DROP, ISLANDS)
    expect(trouble).to_have_count(0)
    figure = page.locator("section[data-own-board] figure")
    expect(figure).to_contain_text("The Islands")
    expect(figure.locator("[data-board-preview]")).to_contain_text("Stonebridge")
    chosen = page.locator(".card.chosen")
    expect(chosen).to_contain_text("A quick game between two coffees.")
    shot(page, "own-board-brought")

    page.locator(act("seats-2")).click()
    page.locator(act("seat-1-kind")).select_option("bot:casual")
    page.locator("details summary", has_text="Clock").click()
    page.locator(act("pace")).select_option("instant")
    page.locator(act("start")).click()
    page.locator('[data-screen="play"]').wait_for()
    table, key = table_of(page)
    Person(page, server, table, key).play_on(6)
    data = server.ask("GET", f"/api/tables/{table}")
    assert data["edition"].startswith("islands@")
    assert data["n"] >= 10
    expect(page.locator('[data-screen="play"]')).to_contain_text("Stonebridge")
    shot(page, "own-board-play")


def test_it_is_offered_again_and_others_see_it_in_the_waiting_room(new_page: NewPage, shot: Shot) -> None:
    page = new_page()
    page.goto("/new")
    choose(page, ISLANDS)
    page.locator("section[data-own-board] figure").wait_for()
    page.locator(act("seats-2")).click()
    page.locator(act("seat-1-kind")).select_option("open")
    page.locator(act("start")).click()
    page.locator('[data-screen="waiting"]').wait_for()
    expect(page.locator("h1")).to_have_text("The Islands")
    with page.expect_download() as download:
        page.locator(act("map-file")).click()
    assert Path(download.value.path()).read_bytes() == ISLANDS.encode()
    assert download.value.suggested_filename == "islands.toml"
    shot(page, "own-board-waiting")
    page.goto("/new")
    expect(page.locator(".card.chosen")).to_contain_text("The Islands")


def test_script_in_names_is_shown_as_text(new_page: NewPage) -> None:
    name = "<img src=x onerror=window.hit=1>"
    page = new_page()
    page.goto("/new")
    choose(page, ISLANDS.replace('"The Islands"', f'"{name}"').replace("Milltown", name).replace("A quick", name))
    page.locator("section[data-own-board] figure").wait_for()
    expect(page.locator(".card.chosen")).to_contain_text(name)
    page.locator(act("seats-2")).click()
    page.locator(act("seat-1-kind")).select_option("bot:casual")
    page.locator(act("start")).click()
    page.locator('[data-screen="play"]').wait_for()
    expect(page.locator('[data-screen="play"]')).to_contain_text(name)
    assert page.evaluate("window.hit") is None


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_on_a_phone_nothing_is_cut_off(new_page: NewPage, shot: Shot, dark: bool) -> None:
    page = new_page(phone=True, dark=dark, language="de-DE", refused=422)
    page.goto("/new")
    choose(page, SPOILT)
    trouble = page.locator("[data-board-line]")
    trouble.scroll_into_view_if_needed()
    shot(page, f"own-board-trouble-phone-{'dark' if dark else 'light'}")
    choose(page, ISLANDS)
    figure = page.locator("section[data-own-board] figure")
    figure.scroll_into_view_if_needed()
    shot(page, f"own-board-brought-phone-{'dark' if dark else 'light'}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
