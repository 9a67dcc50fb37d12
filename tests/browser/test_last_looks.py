"""Every screen at the sizes where something was once cut off, overlapped or told in the wrong words."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from support.browser_pages import NewPage
from support.browser_tables import BOT, ME, open_beside, sit
from support.clients import ServerProcess
from support.laid_tables import OVER, lay_table
from support.person import Person, act

DESKTOP: Any = {"width": 1440, "height": 900}
LAPTOP: Any = {"width": 1024, "height": 768}
SIDEWAYS: Any = {"width": 844, "height": 390}
MY_TURN = '[data-my-turn="true"]'


def sides(found: Locator) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of something."""
    box = found.bounding_box()
    assert box is not None
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]


def expect_inside(inner: Locator, outer: Locator) -> None:
    """Expect that something lies wholly in something else."""
    left, top, right, bottom = sides(inner)
    low = sides(outer)
    assert low[0] - 1 <= left, "left"
    assert low[1] - 1 <= top, "top"
    assert right <= low[2] + 1, "right"
    assert bottom <= low[3] + 1, "bottom"


def expect_seen(page: Page, *found: Locator) -> None:
    """Expect that things lie wholly on the screen, without scrolling."""
    for one in found:
        expect_inside(one, page.locator(":root > body"))
        assert sides(one)[3] <= page.evaluate("innerHeight")


def is_whole(found: Locator) -> bool:
    """Whether a text is not cut."""
    whole: bool = found.evaluate(
        "node => node.scrollWidth <= node.clientWidth + 1 && node.scrollHeight <= node.clientHeight + 1"
    )
    return whole


def rest(page: Page, size: Any) -> None:
    page.set_viewport_size(size)
    page.wait_for_timeout(300)


# ---- words ----------------------------------------------------------------------------------------------------------
def test_an_edition_is_called_by_the_page_s_language(new_page: NewPage, server: ServerProcess) -> None:
    page = new_page(language="de-DE")
    sit(page, lay_table(server, "germany", "middle"))
    expect(page.locator("h1")).to_have_text("Deutschland")
    for size in (DESKTOP, LAPTOP):
        rest(page, size)
        expect(page.locator("aside .edition")).to_have_text("Deutschland")
        assert is_whole(page.locator("aside .edition"))
    opened = lay_table(server, "germany", OVER)
    sit(page, opened)
    expect(page.locator('[data-screen="end"] .eyebrow')).to_contain_text("Deutschland")
    page.goto(f"/replay/{opened['table']}")
    expect(page.locator('[data-screen="replay"] .eyebrow')).to_have_text("Deutschland")


def test_a_table_whose_seats_are_taken_does_not_count_to_nought(new_page: NewPage, server: ServerProcess) -> None:
    page = new_page()
    sit(page, open_beside(server, "usa", ME, BOT, start=False))
    page.goto("/")
    expect(page.locator("[data-my-tables] .badge")).to_have_text("All here, not begun")


def test_who_has_chosen_waits_for_the_tickets(new_page: NewPage, server: ServerProcess) -> None:
    page = new_page()
    opened = open_beside(server, "europe", ME, {"kind": "open"}, start=False)
    server.ask("POST", f"/api/tables/{opened['table']}/join", json={"name": "Bert"})
    server.ask("POST", f"/api/tables/{opened['table']}/start", opened["key"], json={})
    sit(page, opened)
    Person(page, server, opened["table"], opened["key"]).turn()
    expect(page.locator("section.tickets")).to_have_text("Your tickets come when everybody has chosen.")


# ---- the last round -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("edition", ["europe", "germany"])
def test_the_last_round_leaves_room_for_what_to_do(edition: str, new_page: NewPage, server: ServerProcess) -> None:
    opened = lay_table(server, edition, "last_round")
    wide, phone = new_page(language="de-DE"), new_page(phone=True, language="de-DE")
    for page, sizes in ((wide, (DESKTOP, LAPTOP)), (phone, (phone.viewport_size,))):
        sit(page, opened)
        page.locator(MY_TURN).wait_for()
        for size in sizes:
            rest(page, size)
            expect_inside(page.locator(".banner .pill"), page.locator(".banner"))
            assert is_whole(page.locator(".banner .todo")), size
    expect(phone.locator(".banner .pill")).to_have_text("Letzte Runde: noch 3 Züge noch 3 Züge")


# ---- choosing -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("edition", "moment"), [("europe", "first_tickets"), ("germany", "tickets")])
def test_the_choice_of_tickets_is_seen_whole(
    edition: str, moment: str, new_page: NewPage, server: ServerProcess
) -> None:
    page = new_page(language="de-DE")
    sit(page, lay_table(server, edition, moment))
    form = page.locator("form.choice")
    form.wait_for()
    for size in (DESKTOP, LAPTOP):
        rest(page, size)
        expect_seen(page, form, page.locator(act("keep")))
        for part in ("ul", ".map"):
            expect_inside(form.locator(part), form)
        if form.locator(".minimap").is_visible():
            expect_inside(form.locator(".minimap"), form.locator(".map"))
    rest(page, {"width": 820, "height": 1180})
    expect_inside(form.locator(".minimap"), form.locator(".map"))
    assert sides(form)[3] - sides(form)[1] < 460, "the tickets, not the little map, say how high it is"


# ---- a phone on its side --------------------------------------------------------------------------------------------
@pytest.fixture
def sideways(new_page: NewPage) -> Page:
    page = new_page(phone=True, language="de-DE")
    page.set_viewport_size(SIDEWAYS)
    return page


def test_five_players_on_a_phone_on_its_side(sideways: Page, server: ServerProcess) -> None:
    sit(sideways, lay_table(server, "europe", "middle", 5))
    players = sideways.locator(".players li")
    expect(players).to_have_count(5)
    for player in players.all():
        for part in (".points", ".counts"):
            expect_inside(player.locator(part), player)
            assert is_whole(player.locator(part))
    sideways.locator(act("settings")).tap()
    expect(sideways.locator(act("theme-contrast"))).to_be_attached()
    expect(sideways.get_by_role("dialog")).to_be_visible()


def test_questions_on_a_phone_on_its_side(sideways: Page, server: ServerProcess) -> None:
    page = sideways
    sit(page, lay_table(server, "germany", "announce"))
    page.locator(".mix").first.wait_for()
    expect_seen(page, *page.locator(".mix").all())
    sit(page, lay_table(server, "europe", "tunnel"))
    page.locator(act("give-up")).wait_for()
    expect_seen(page, page.locator(act("confirm")), page.locator(act("give-up")))
    sit(page, lay_table(server, "europe", "first_tickets"))
    page.locator(act("keep")).wait_for()
    expect_seen(page, page.locator(act("keep")), page.locator(act("menu")))
    assert is_whole(page.locator(".choice .problem"))
    assert sides(page.locator(".choice .problem"))[3] - sides(page.locator(".choice .problem"))[1] < 40
    sit(page, lay_table(server, "europe", "station"))
    page.locator(act("station")).tap()
    cities = page.locator('[data-act^="city-"]')
    seen = [sides(city) for city in cities.all()]
    assert sum(bottom <= SIDEWAYS["height"] and right <= SIDEWAYS["width"] for _, _, right, bottom in seen) >= 8
    expect_seen(page, page.locator(act("cancel")))


def test_the_end_of_a_game_on_a_phone_on_its_side(sideways: Page, server: ServerProcess) -> None:
    opened = lay_table(server, "europe", "last_round")
    sit(sideways, opened)
    Person(sideways, server, opened["table"], opened["key"], touch=True).play_on()
    result = sideways.locator(act("result"))
    result.wait_for()
    expect_inside(result, sideways.locator(".banner"))
    expect(sideways.locator('[data-fanfare="last_round"]')).to_have_count(0)
    assert is_whole(sideways.locator(".banner .title"))


# ---- sheets, replay, end --------------------------------------------------------------------------------------------
def test_the_rules_in_short_are_one_page_and_their_tabs_stay(new_page: NewPage, server: ServerProcess) -> None:
    page = new_page(language="de-DE")
    for edition in ("europe", "germany"):
        sit(page, lay_table(server, edition, "middle"))
        page.locator(MY_TURN).wait_for()
        page.keyboard.press("?")
        body = page.locator("dialog[open] .body")
        expect(body.get_by_role("row")).not_to_have_count(0)
        assert is_whole(body), edition
        page.wait_for_timeout(300)
        tab = page.locator(act("rules-tab-keys"))
        before = sides(tab)
        tab.click()
        expect(body.locator("kbd").first).to_be_visible()
        assert abs(sides(tab)[1] - before[1]) <= 2, edition


def test_a_replay_has_its_keys_and_its_way_through_the_game(new_page: NewPage, server: ServerProcess) -> None:
    page = new_page(language="de-DE")
    address = f"/replay/{lay_table(server, 'europe', OVER, 5)['table']}?n=60"
    page.goto(address)
    control = page.locator(".control")
    control.wait_for()
    for size, least in ((DESKTOP, 300), (LAPTOP, 300), (SIDEWAYS, 250)):
        rest(page, size)
        left, _, right, _ = sides(control.locator("input[type=range]"))
        assert right - left >= least, size
        expect_inside(control.locator(act("speed")), control)


def test_the_race_of_the_end_is_told_in_whole_words(new_page: NewPage, server: ServerProcess) -> None:
    page = new_page(language="de-DE")
    for edition, players in (("europe", 5), ("germany", 3)):
        sit(page, lay_table(server, edition, OVER, players))
        page.locator('[data-screen="end"][data-done]').wait_for()
        for size in (DESKTOP, LAPTOP, {"width": 390, "height": 844}):
            rest(page, size)
            names = [one for one in page.locator(".chapters .label, .bar > .now").all() if is_shown(one)]
            assert names
            assert all(map(is_whole, names)), (edition, size)
            heights = page.locator(".scale span").evaluate_all("nodes => nodes.map(node => node.offsetHeight)")
            assert len(set(heights)) == 1, (edition, size)


def is_shown(found: Locator) -> bool:
    """Whether a text is there for the eye."""
    shown: bool = found.evaluate("node => getComputedStyle(node).clipPath === 'none' && node.offsetHeight > 0")
    return shown
