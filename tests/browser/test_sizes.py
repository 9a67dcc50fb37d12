"""The play screen at every size that people have: what matters is there, large enough, whole, and in its place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from support.browser_pages import NewPage, Shot
from support.browser_tables import sit
from support.clients import ServerProcess
from support.laid_tables import lay_table
from support.person import Person, act

WIDE = {
    "laptop": (1024, 768), "tablet": (1180, 820), "desktop": (1440, 900), "large": (1920, 1080), "huge": (2560, 1440),
}  # fmt: skip
TABLET = (820, 1180)
PHONE = (390, 844)
SIDEWAYS = (844, 390)
ALL_CARDS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red", "locomotive")
SHARE = {"laptop": 0.3, "tablet": 0.38, "desktop": 0.45, "large": 0.42, "huge": 0.42}
"""How much of the screen the whole board takes at least."""


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_timeout(400)  # what depends on the size has come to rest


def box(found: Locator) -> tuple[float, float, float, float]:
    """Left, top, right and bottom."""
    at = found.bounding_box()
    assert at is not None
    return at["x"], at["y"], at["x"] + at["width"], at["y"] + at["height"]


def area(at: tuple[float, float, float, float]) -> float:
    return (at[2] - at[0]) * (at[3] - at[1])


def share(page: Page, selector: str) -> float:
    """How much of the screen something takes."""
    assert page.viewport_size is not None
    return area(box(page.locator(selector))) / (page.viewport_size["width"] * page.viewport_size["height"])


CUT_OFF = """nodes => nodes.filter(node => {
  const at = node.getBoundingClientRect();
  for (let outer = node; outer; outer = outer.parentElement) {
    if (outer !== node && getComputedStyle(outer).overflow === 'visible') continue;
    const seen = outer === node ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
      : outer.getBoundingClientRect();
    if (at.left < seen.left - 1 || at.right > seen.right + 1 || at.top < seen.top - 1 || at.bottom > seen.bottom + 1)
      return true;
  }
  return node.matches('.ticket') && node.scrollWidth > node.clientWidth + 1;
}).map(node => node.textContent)"""


def cut_off(found: Locator) -> list[str]:
    """Texts of those that are not wholly seen."""
    texts: list[str] = found.evaluate_all(CUT_OFF)
    return texts


NAMES = """() => [...document.querySelectorAll('.board .city-name:not(.unnamed)')].map(label => {
  const text = label.querySelector('text');
  const grown = text.getBoundingClientRect().height / text.getBBox().height;
  return { name: text.textContent, size: parseFloat(getComputedStyle(text).fontSize) * grown };
})"""


def smallest_name(page: Page) -> float:
    return min(float(named["size"]) for named in page.evaluate(NAMES))


@pytest.fixture(scope="module")
def table(server: ServerProcess) -> dict[str, Any]:
    return lay_table(server, "europe", "middle")


@pytest.fixture
def at_table(new_page: NewPage, table: dict[str, Any]) -> Page:
    page = new_page()
    sit(page, table)
    page.locator('[data-my-turn="true"]').wait_for()
    return page


def test_wide_screens_use_their_room(at_table: Page, shot: Shot) -> None:
    page = at_table
    for name, size in WIDE.items():
        resize(page, size)
        shot(page, f"size-{name}")
        assert share(page, ".board .world") >= SHARE[name], name
        tickets = page.locator(".ticket")
        assert tickets.count() >= 5
        assert cut_off(tickets) == [], name
        assert cut_off(page.locator(".hand .stack")) == [], name
        assert cut_off(page.locator(".market .tile")) == [], name
        assert smallest_name(page) >= 9.9, name  # rounding of the browser's


def test_all_kinds_of_cards_and_five_tickets_are_seen_at_once(at_table: Page) -> None:
    page = at_table
    resize(page, WIDE["desktop"])
    page.locator(".hand").evaluate("""(hand, n) => {
      while (hand.children.length < n) hand.append(hand.lastElementChild.cloneNode(true));
    }""", len(ALL_CARDS))  # fmt: skip
    assert page.locator(".hand .stack").count() == len(ALL_CARDS)
    assert cut_off(page.locator(".hand .stack")) == []
    needs = page.locator(".ticket small")
    assert all("train" in text or text == "done" for text in needs.all_inner_texts())
    assert cut_off(page.locator(".ticket")) == []


def test_a_tablet_on_its_end(at_table: Page, shot: Shot) -> None:
    page = at_table
    resize(page, TABLET)
    shot(page, "size-tablet-portrait")
    assert share(page, "main.map") >= 0.45
    assert cut_off(page.locator(".ticket")) == []
    tiles = [box(tile) for tile in page.locator(".market .tile").all()]
    assert max(top for _, top, _, _ in tiles) < min(bottom for _, _, _, bottom in tiles)  # the market is one row


def test_a_phone_on_its_side(new_page: NewPage, table: dict[str, Any], shot: Shot) -> None:
    page = new_page(phone=True)
    sit(page, table)
    resize(page, SIDEWAYS)
    shot(page, "size-phone-sideways")
    others = [".banner", "aside", ".hand-bar"]
    assert area(box(page.locator("main.map"))) > sum(area(box(page.locator(one))) for one in others)
    assert smallest_name(page) >= 9.9
    assert page.evaluate("document.documentElement.scrollWidth") <= SIDEWAYS[0]
    assert cut_off(page.locator(".market .tile")) == []
    for button in page.locator("aside nav button").all():
        assert box(button)[3] <= SIDEWAYS[1]


def test_what_is_decided_leaves_the_board_in_sight(
    new_page: NewPage, server: ServerProcess, table: dict[str, Any]
) -> None:
    page = new_page(phone=True, language="de-DE")
    resize(page, SIDEWAYS)
    sit(page, table)
    person = Person(page, server, table["table"], table["key"], touch=True)
    claims = person.wait_turn()["options"]["claims"]
    page.locator(act("list")).tap()
    page.locator(f'[data-track-row="{next(iter(claims))}"]').tap()
    confirm = page.locator(act("confirm"))
    confirm.wait_for()
    assert box(page.locator(".tray .slip"))[0] >= box(page.locator("main.map"))[2]
    assert cut_off(confirm) == []
    for edition in ("europe", "germany"):
        sit(page, lay_table(server, edition, "first_tickets"))
        page.locator(act("keep")).wait_for()
        assert cut_off(page.locator(act("keep"))) == []
        sit(page, lay_table(server, edition, "last_round"))
        page.locator('[data-my-turn="true"]').wait_for()
        for size in (SIDEWAYS, PHONE, WIDE["tablet"], WIDE["laptop"]):
            resize(page, size)
            assert cut_off(page.locator(".banner .title, .banner .pill")) == [], (edition, size)
            assert page.locator(".banner .title").evaluate("node => node.getClientRects().length") == 1
        resize(page, WIDE["tablet"])
        sit(page, lay_table(server, edition, "first_tickets"))
        page.locator(act("keep")).wait_for()
        assert cut_off(page.locator(act("keep"))) == []
        resize(page, SIDEWAYS)


def test_germany_on_a_phone_has_its_tickets_and_begins_near_them(new_page: NewPage, server: ServerProcess) -> None:
    page = new_page(phone=True)
    sit(page, lay_table(server, "germany", "middle"))
    page.locator('[data-my-turn="true"]').wait_for()
    expect(page.locator(".ticket-bar .ticket").first).to_be_visible()
    resize(page, SIDEWAYS)
    frame, world = box(page.locator(".board")), box(page.locator(".board .world"))
    assert world[3] - world[1] > 1.3 * (frame[3] - frame[1])
    assert smallest_name(page) >= 9.9


def test_a_phone_begins_where_my_cities_are(new_page: NewPage, table: dict[str, Any], shot: Shot) -> None:
    page = new_page(phone=True)
    sit(page, table)
    page.wait_for_timeout(400)
    shot(page, "size-phone")
    frame, world = box(page.locator(".board")), box(page.locator(".board .world"))
    assert world[0] <= frame[0]
    assert world[2] >= frame[2]
    assert (world[3] - world[1]) >= 0.95 * (frame[3] - frame[1])
    assert smallest_name(page) >= 9.9
    marked = page.locator("[data-marked]")
    seen = [at for at in map(box, marked.all()) if frame[0] <= at[0] and at[2] <= frame[2]]
    assert len(seen) >= marked.count() / 2
    page.locator(".board .tools button").last.tap()  # the whole board, when one asks for it
    page.wait_for_timeout(400)
    whole = box(page.locator(".board .world"))
    assert whole[0] >= frame[0]
    assert smallest_name(page) >= 9.9
    named = {found["name"] for found in page.evaluate(NAMES)}
    mine = page.locator("[data-marked]").evaluate_all("nodes => nodes.map(node => node.dataset.city)")
    assert len(named & set(mine)) > len(mine) / 2


def test_tickets_are_chosen_beside_the_board(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page()
    sit(page, lay_table(server, "usa", "first_tickets"))
    choice = page.locator("form.choice")
    for size in (WIDE["desktop"], WIDE["laptop"], SIDEWAYS):
        resize(page, size)
        assert box(choice)[0] >= box(page.locator("main.map"))[2]
        expect(page.locator("[data-lit]")).to_have_count(6)
    resize(page, PHONE)
    world = box(page.locator(".board .world"))
    assert box(choice)[1] >= world[3]


def test_tips_say_what_is_missing_and_cover_nothing(
    at_table: Page, server: ServerProcess, table: dict[str, Any]
) -> None:
    page = at_table
    resize(page, WIDE["desktop"])
    person = Person(page, server, table["table"], table["key"])
    options = person.frame()["options"]
    track = next(
        found for found in page.locator("[data-track]:not([data-owner])").evaluate_all(
            "nodes => nodes.map(node => node.dataset.track)") if found not in options["claims"]
    )  # fmt: skip
    cars = page.locator(f'[data-track="{track}"]')
    at = box(cars.locator("use").first)
    page.mouse.move((at[0] + at[2]) / 2, (at[1] + at[3]) / 2)
    expect(page.locator(".tip .why")).to_contain_text("of")
    tip, thing = box(page.locator(".tip")), box(cars)
    assert tip[2] <= thing[0] or tip[0] >= thing[2] or tip[3] <= thing[1] or tip[1] >= thing[3]


def test_a_line_of_the_log_is_seen_on_the_board(at_table: Page) -> None:
    page = at_table
    resize(page, WIDE["large"])
    line = page.locator('.log [data-act^="move-"]').last
    line.scroll_into_view_if_needed()
    page.mouse.move(5, 5)
    marked = "() => [...document.querySelectorAll('g.last rect')].map(mark => mark.getAttribute('transform'))"
    before = page.evaluate(marked)
    assert before
    page.locator('.log [data-act^="move-"]').first.hover()
    page.wait_for_function(
        f"before => JSON.stringify(({marked})()) !== before", arg=json.dumps(before, separators=(",", ":"))
    )
    page.mouse.move(5, 5)
    page.wait_for_function(
        f"before => JSON.stringify(({marked})()) === before", arg=json.dumps(before, separators=(",", ":"))
    )


def test_what_is_on_my_way_looks_different(at_table: Page) -> None:
    page = at_table
    expect(page.locator("[data-wanted]").first).to_be_visible()
    widths = [page.locator(f".lights .{name}").last.evaluate("node => parseFloat(getComputedStyle(node).strokeWidth)")
              for name in ("good", "open")]  # fmt: skip
    assert widths[0] > widths[1] + 2
    page.locator(".ticket:not(.completed)").first.hover()
    way = page.locator(".lights .way.missing")
    expect(way).to_be_visible()
    assert way.evaluate("node => parseFloat(getComputedStyle(node).strokeWidth)") > widths[0]
    expect(page.locator("[data-marked]").first).to_be_visible()
    marked = page.evaluate("getComputedStyle(document.querySelector('g.last rect')).fill")
    glow = page.locator(".lights .good").last.evaluate("node => getComputedStyle(node).stroke")
    assert marked != glow
