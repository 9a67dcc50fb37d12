"""A board of one's own by the page: dropped, mended at the line that it names, looked at, played, named as text."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from support.browser_pages import Checked, NewPage, Shot
from support.browser_tables import table_of
from support.clients import ServerProcess
from support.islands import ISLANDS
from support.person import Person, act
from support.playtests import COMPILES_WITHIN, compile_playtests

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
    assert (
        data["n"] >= 9
    )  # six of ours are the tickets and three turns at least, so the bot has had two beside its tickets
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


MEASURED_WITHIN = 150_000
"""Milliseconds for a process to start and play some hundred games on a small board: machines are busy."""


@pytest.mark.timeout(COMPILES_WITHIN)
@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_bots_measure_a_board_and_their_page_opens(
    new_page: NewPage, shot: Shot, checked: Checked, phone: bool
) -> None:
    compile_playtests()
    size = "phone" if phone else "desktop"
    page = new_page(phone=phone, dark=phone, language="de-DE" if phone else "en-GB")
    page.goto("/new")
    choose(page, ISLANDS + f"# {size}\n")
    page.locator(act("measure")).wait_for(timeout=MEASURED_WITHIN)
    page.locator(act("measure")).scroll_into_view_if_needed()
    checked(page, f"own-board-measure-{size}")
    page.locator(act("measure")).click()
    link = page.locator(act("playtest-page"))
    link.wait_for(timeout=MEASURED_WITHIN)
    link.scroll_into_view_if_needed()
    checked(page, f"own-board-measured-{size}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with page.context.expect_page() as opened:
        link.click()
    found = opened.value
    expect(found.locator("h1")).to_contain_text("The Islands, played")
    expect(found.locator("svg.board").first).to_be_visible()  # the first of the tabs, by its style
    expect(found.locator("svg.board").nth(1)).to_be_hidden()
    found.locator(".heats label").nth(1).click()
    expect(found.locator("svg.board").nth(1)).to_be_visible()
    shot(found, f"own-board-playtest-{size}")
    found.close()

    page.goto("/")
    page.goto("/new")
    choose(page, ISLANDS + f"# {size}\n")
    page.locator(act("measure")).click()
    link.wait_for()  # what was measured is not measured again


def test_progress_is_seen_and_measuring_is_cancelled(new_page: NewPage, shot: Shot) -> None:
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.method)
        if route.request.method == "GET":  # however fast the bots are
            there = route.fetch()
            far = {"status": "running", "done": 300, "all": 800}
            route.fulfill(response=there, json=there.json() | (far if there.ok else {}))
        else:
            route.continue_()

    page = new_page(refused=404)  # a question on its way when it is cancelled
    page.route("**/api/playtests/*", answer)
    page.goto("/new")
    choose(page, ISLANDS + "# cancelled\n")
    page.locator(act("measure")).wait_for(timeout=MEASURED_WITHIN)
    for _ in range(2):
        page.locator(act("measure")).click()
        measure = page.locator("[data-measure=running]")
        expect(measure).to_contain_text("300 of 800 games")
        assert measure.locator("progress").evaluate("bar => bar.position") == 300 / 800
        shot(page, "own-board-measuring")
        page.locator(act("cancel-measure")).click()
        page.locator(act("measure")).wait_for()
    assert "DELETE" in asked
    assert page.locator("[data-measure] .trouble").count() == 0


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
