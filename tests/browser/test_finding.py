"""Strangers find each other by the list of the start page, and what they played stays in their own browsers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.browser_pages import NewPage
from support.browser_tables import sit, table_of
from support.clients import ServerProcess
from support.laid_tables import OVER, lay_table
from support.person import PLAY, Person, act

HISTORY = '[data-screen="history"]'


def test_host_lists_guest_joins_and_a_third_watches(server: ServerProcess, new_page: NewPage) -> None:
    anna, bert, cleo = new_page(), new_page(phone=True, dark=True), new_page(language="de-DE")
    anna.goto("/new?edition=usa")
    anna.locator(act("seats-2")).click()
    anna.locator(act("seat-0-name")).fill("Anna <i>")
    anna.locator(act("seat-1-kind")).select_option("open")
    anna.locator(act("start")).click()
    anna.locator('[data-screen="waiting"]').wait_for()
    table, key = table_of(anna)
    bert.goto("/")
    bert.locator("[data-open-tables]").wait_for()
    expect(bert.locator(f'[data-listed="{table}"]')).to_have_count(0)
    anna.locator(act("listed")).check()
    listed = bert.locator(f'[data-listed="{table}"]')
    expect(listed).to_contain_text("Anna <i>")  # the page looks again by itself
    bert.locator(act(f"join-{table}")).tap()
    bert.locator('[data-screen="waiting"]').wait_for()
    anna.locator(f"{act('start')}:enabled").click()
    people = [Person(anna, server, table, key, 0, 1), Person(bert, server, *table_of(bert), 1, 2, touch=True)]
    for person in people:  # both choose their first tickets
        person.turn()
    people[people[0].frame()["view"]["to_move"][0]].turn()

    cleo.goto("/")
    cleo.locator(act(f"watch-{table}")).click()
    cleo.locator(PLAY).wait_for()
    expect(cleo.locator(PLAY)).to_have_attribute("data-my-turn", "false")
    expect(cleo.locator('[data-act^="card-"]')).to_have_count(0)
    anna.goto("/")
    expect(anna.locator(act(f"back-to-{table}"))).to_be_visible()


def finished(page: Page, server: ServerProcess) -> str:
    """A game that a page has seen end; its table."""
    opened = lay_table(server, "usa", OVER)
    sit(page, opened)
    page.locator('[data-screen="end"][data-done]').wait_for()
    table: str = opened["table"]
    return table


def test_my_games_stay_here_and_come_along(server: ServerProcess, new_page: NewPage, tmp_path: Path) -> None:
    first, second, third = new_page(), new_page(phone=True), new_page(language="de-DE")
    table = finished(first, server)
    points = [player["total"] for player in server.ask("GET", f"/api/tables/{table}/end")["result"]["players"]]
    first.goto("/")
    first.locator(act("history")).click()
    row = first.locator(f'[data-game="{table}"]')
    expect(row).to_contain_text("USA")
    for total in points:
        expect(row).to_contain_text(str(total).replace("-", "−"))
    expect(first.locator('[data-sum="games"]')).to_have_text("1")
    keys = first.evaluate("JSON.parse(localStorage['whistlestop.keys']).map(kept => kept.key)")

    with first.expect_download() as saving:
        first.locator(act("history-save")).click()
    file = tmp_path / "games.json"
    saving.value.save_as(file)
    assert [game["table"] for game in json.loads(file.read_text())["games"]] == [table]
    first.locator(act("history-link")).click()
    link = first.locator('[data-link="copy-history"]').input_value()
    assert not any(key in link or key in file.read_text() for key in keys), "no secret of a seat leaves the browser"

    asked: list[str] = []
    second.on("request", lambda request: asked.append(request.url))
    second.goto(link)
    second.locator(act("add-brought")).tap()
    expect(second.locator(HISTORY)).to_have_attribute("data-games", "1")
    assert second.url.endswith("/history")
    fragment = link.partition("#")[2]
    assert not any(fragment in url.partition("#")[0] for url in asked), "no server is sent the games"
    second.goto(link)
    second.locator(act("leave-brought")).tap()
    expect(second.locator(act("add-brought"))).to_have_count(0)
    second.locator(f'[data-game="{table}"] {act("result")}').tap()
    second.locator('[data-screen="end"]').wait_for()

    third.goto("/history")
    load(third, "broken.json", "{")
    expect(third.get_by_role("alert")).to_contain_text("kein JSON")
    load(third, "games.json", file.read_text())
    expect(third.locator(HISTORY)).to_have_attribute("data-games", "1")
    expect(third.get_by_role("alert")).to_have_count(0)
    load(third, "games.json", file.read_text().replace('"usa"', "5"))
    expect(third.get_by_role("alert")).to_contain_text("Partie 1")
    expect(third.locator(HISTORY)).to_have_attribute("data-games", "1")
    third.goto(f"{link[:-9]}")
    expect(third.get_by_role("alert")).to_contain_text("verloren gegangen")


def load(page: Page, name: str, text: str) -> None:
    """Choose a file of one's own."""
    content: Any = {"name": name, "mimeType": "application/json", "buffer": text.encode()}
    page.locator(act("history-load")).set_input_files(content)


@pytest.mark.parametrize(("language", "sentence"), [("en-GB", "Did you mean Paris?"), ("de-DE", "Meinst du Paris?")])
def test_a_fault_of_a_pack_is_told_at_its_line(new_page: NewPage, language: str, sentence: str) -> None:
    page = new_page(language=language, refused=422)
    page.goto("/new?edition=europe")
    page.locator("details summary").first.click()
    pack = 'name = "Mine"\ntickets = [\n  { from = "Pariss", to = "Roma", points = 9 },\n]\n'
    file: Any = {"name": "mine.toml", "mimeType": "text/plain", "buffer": pack.encode()}
    page.locator(act("add-pack")).set_input_files(file)
    page.locator(act("start")).click()
    told = page.locator("[data-pack-line='3']")
    expect(told).to_contain_text(sentence)
    expect(told).to_contain_text('{ from = "Pariss", to = "Roma", points = 9 },')
