"""Several people at one table: two browsers, spectators, another device, one device for all."""

from __future__ import annotations

from playwright.sync_api import expect

from support.browser_pages import NewPage
from support.browser_tables import BOT, ME, open_beside, sit, table_of
from support.clients import ServerProcess
from support.laid_tables import OVER, lay_table
from support.person import PLAY, Person, act


def test_two_browsers_at_one_table(server: ServerProcess, new_page: NewPage) -> None:
    anna, bert, cleo = new_page(), new_page(phone=True), new_page()
    anna.goto("/new?edition=germany")
    anna.locator(act("seats-2")).click()
    anna.locator(act("seat-0-name")).fill("Anna")
    anna.locator(act("seat-1-kind")).select_option("open")
    anna.locator(act("start")).click()
    anna.locator('[data-screen="waiting"]').wait_for()
    table, key = table_of(anna)

    bert.goto(f"/t/{table}")
    bert.locator(act("join-name")).fill("Bert <b>bold</b>")
    bert.locator(act("join")).tap()
    expect(anna.locator('[data-screen="waiting"]')).to_contain_text("Bert <b>bold</b>")
    anna.locator(act("start")).click()
    anna.locator(PLAY).wait_for()
    bert.locator(PLAY).wait_for()

    watch = server.ask("POST", "/api/mine", json={"keys": [key]})
    assert watch[0]["table"]["status"] == "playing"
    people = [Person(anna, server, table, key, 0, 1), Person(bert, server, *table_of(bert), 1, 2, touch=True)]
    for _ in ("mixes", "tickets"):  # both choose at once; tickets are dealt when both have announced their mix
        for person in people:
            person.turn()
    for _ in range(12):
        frame = people[0].frame()
        people[frame["view"]["to_move"][0]].turn()
    n = people[0].frame()["n"]
    for page in (anna, bert):
        page.wait_for_function("n => Number(document.querySelector('[data-screen=play]').dataset.n) === n", arg=n)

    anna.locator(act("menu")).first.click()
    link = anna.evaluate("() => new Promise(resolve => { navigator.clipboard.writeText = async text => resolve(text); "
                         "document.querySelector('[data-act=copy-watch]').click() })")  # fmt: skip
    cleo.goto(link)
    expect(cleo.locator(PLAY)).to_have_attribute("data-n", str(n))
    expect(cleo.locator(PLAY)).to_have_attribute("data-my-turn", "false")
    expect(cleo.locator('[data-act^="card-"]')).to_have_count(0)
    expect(cleo.locator(f"{act('draw-blind')}:enabled")).to_have_count(0)


def test_a_seat_goes_on_from_another_device(server: ServerProcess, new_page: NewPage) -> None:
    opened = open_beside(server, "usa", ME, BOT)
    first, second = new_page(), new_page(phone=True)
    sit(first, opened)
    Person(first, server, opened["table"], opened["key"], seed=1).play_on(4)
    first.reload()
    first.locator(PLAY).wait_for()
    sit(second, opened)
    assert opened["key"] not in second.url, "the secret leaves the address bar"
    Person(second, server, opened["table"], opened["key"], seed=2, touch=True).play_on(4)
    n = second.locator(PLAY).get_attribute("data-n")
    expect(first.locator(PLAY)).to_have_attribute("data-n", n or "")


def test_one_device_passed_around_behind_a_curtain(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page()
    people = [{"kind": "device", "name": name} for name in ("Ada", "Ben", "Cy")]
    opened = open_beside(server, "europe", *people)
    sit(page, opened)
    seats = [Person(page, server, opened["table"], opened["key"], seat, seat) for seat in range(3)]
    shown: list[int] = []
    for _ in range(9):
        mover = seats[0].frame()["view"]["to_move"][0]
        if not shown or shown[-1] != mover:
            curtain = page.locator(act("curtain"))
            curtain.wait_for()
            expect(page.locator('[data-act^="card-"]')).to_have_count(0)
            expect(curtain).to_contain_text(people[mover]["name"])
            curtain.click()
            shown.append(mover)
        seats[mover].turn()
    assert set(shown) == {0, 1, 2}


def test_somebody_who_left_comes_back(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page()
    opened = open_beside(server, "usa", ME, BOT, pace="calm")  # the bot that stands in leaves something to come back to
    sit(page, opened)
    person = Person(page, server, opened["table"], opened["key"])
    person.play_on(2)
    page.locator(act("menu")).first.click()
    page.locator(act("leave")).click()
    page.locator(act("back")).first.wait_for()
    n = person.frame()["n"]
    page.wait_for_function("n => Number(document.querySelector('[data-screen=play]').dataset.n) > n + 1", arg=n)
    page.locator(act("back")).first.click()
    expect(page.locator(PLAY)).to_have_attribute("data-my-turn", "true", timeout=60_000)
    person.play_on(2)


def test_a_rematch_in_one_click(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page()
    opened = lay_table(server, "usa", OVER)
    sit(page, opened)
    page.locator(act("rematch")).first.click()
    page.locator(PLAY).wait_for()
    table, key = table_of(page)
    assert table != opened["table"]
    assert key == opened["key"]
    Person(page, server, table, key).play_on(2)
