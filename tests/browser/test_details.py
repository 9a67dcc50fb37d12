"""Small things that somebody noticed on the screen, each at the size at which it was seen."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from support.browser_pages import NewPage
from support.browser_tables import ME, open_beside, sit
from support.clients import ServerProcess
from support.laid_tables import OVER, lay_table
from support.person import Person, act

TABLET = {"width": 1180, "height": 820}
SMALL = {"width": 1024, "height": 768}
BROKEN_WORDS = """node => {
  const broken = [];
  const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    for (const word of texts.currentNode.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, word.index);
      range.setEnd(texts.currentNode, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word[0]);
    }
  return broken;
}"""


def box_of(found: Locator) -> dict[str, float]:
    """Where something is on the screen."""
    box = found.bounding_box()
    assert box is not None
    x, y, width, height = box["x"], box["y"], box["width"], box["height"]
    return {"x": x, "y": y, "right": x + width, "bottom": y + height}


def at_turn(page: Page, server: ServerProcess, edition: str = "usa", size: Any = None) -> Page:
    """Come to a table in the middle of a game, on my turn."""
    if size:
        page.set_viewport_size(size)
    sit(page, lay_table(server, edition, "middle"))
    page.locator('[data-my-turn="true"]').wait_for()
    return page


# ---- less motion ----------------------------------------------------------------------------------------------------
def test_with_less_motion_colours_arrive_at_once(server: ServerProcess, new_page: NewPage) -> None:
    page = at_turn(new_page(), server)
    banner, title = page.evaluate("""() => {
      const banner = document.querySelector('.banner'), title = banner.querySelector('.title');
      banner.classList.remove('mine');
      getComputedStyle(title).color;
      banner.classList.add('mine');
      return [getComputedStyle(banner).color, getComputedStyle(title).color];
    }""")
    assert title == banner


# ---- phones ---------------------------------------------------------------------------------------------------------
def test_a_tapped_tip_goes_with_its_moment(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page(phone=True)
    opened = lay_table(server, "usa", "middle")
    sit(page, opened)
    person = Person(page, server, opened["table"], opened["key"], touch=True)
    frame = person.wait_turn()
    for track, payments in frame["options"]["claims"].items():
        person.press_track(int(track))
        page.wait_for_timeout(400)
        if page.locator(act(f"payment-{payments[0]['id']}")).count():
            break
        if page.locator(act("cancel")).count():
            person.press(act("cancel"))
    expect(page.locator(".tip-box")).to_be_visible()
    person.press(act("confirm"))
    person.wait_until_shown(frame["n"] + 1)
    expect(page.locator(".tip-box")).to_have_count(0)


def test_the_edition_that_was_tapped_is_seen(new_page: NewPage) -> None:
    page = new_page(phone=True)
    page.goto("/")
    page.locator('a[href$="edition=germany"]').tap()
    card = page.locator(act("edition-germany"))
    expect(card.locator("input")).to_be_checked()
    box = box_of(card)
    assert box["x"] >= 0
    assert box["right"] <= 390


def test_points_in_the_banner_are_whole(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page(phone=True)
    points = page.locator(".banner .last .points")
    for edition, moment in (("usa", "middle"), ("usa", "turn"), ("europe", "middle"), ("europe", "turn"),
                            ("germany", "middle"), ("germany", "turn"), ("europe", "station")):  # fmt: skip
        sit(page, lay_table(server, edition, moment))
        page.locator('[data-my-turn="true"]').wait_for()
        if points.count():
            break
    page.locator(".banner .last .account").evaluate("node => node.prepend('Somebody with a very long name '.repeat(3))")
    assert box_of(points)["right"] <= box_of(page.locator(".banner .last"))["right"]


def test_names_in_the_score_sheet_keep_their_words(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page(phone=True)
    sit(page, lay_table(server, "usa", OVER, players=5))
    names = page.locator(".sheet thead .name")
    expect(names).to_have_count(5)
    for at in range(5):
        names.nth(at).evaluate("node => node.textContent = 'Conductor'")
        assert names.nth(at).evaluate(BROKEN_WORDS) == []


def test_the_levels_stand_below_the_button_that_they_are_for(new_page: NewPage) -> None:
    page = new_page(phone=True)
    page.goto("/")
    levels = page.locator("[data-levels]")
    levels.wait_for()
    assert box_of(page.locator(act("play-now")))["bottom"] <= box_of(levels)["y"]
    assert box_of(levels)["bottom"] <= box_of(page.locator(act("open-table")))["y"]


# ---- tablets and small screens --------------------------------------------------------------------------------------
def test_a_lit_ticket_breaks_between_words(server: ServerProcess, new_page: NewPage) -> None:
    page = at_turn(new_page(), server, "germany", TABLET)  # its hand stands in a narrow column
    tickets = page.locator(".mine-bar .ticket:not(.completed)")
    assert tickets.count()
    for at in range(tickets.count()):
        tickets.nth(at).hover()
        tickets.nth(at).locator("small").wait_for()
        assert tickets.nth(at).locator(".ends").evaluate(BROKEN_WORDS) == []


def test_editions_stand_side_by_side(new_page: NewPage) -> None:
    page = new_page()
    page.set_viewport_size(SMALL)  # type: ignore[arg-type]
    page.goto("/new")
    cards = page.locator('[data-act^="edition-"]')
    cards.first.wait_for()
    assert len({round(box_of(card)["x"]) for card in cards.all()}) > 1


def test_what_glows_in_the_market_is_not_cut(server: ServerProcess, new_page: NewPage) -> None:
    page = at_turn(new_page(), server, size=TABLET)
    aside = box_of(page.locator("aside"))
    for tile in page.locator(".market .tile:enabled").all():
        box = box_of(tile)
        assert box["x"] - 1 >= aside["x"]
        assert box["right"] + 1 <= aside["right"]


def test_the_log_stays_at_its_end_when_its_box_shrinks(server: ServerProcess, new_page: NewPage) -> None:
    page = at_turn(new_page(), server)
    left = "log => log.scrollHeight - log.clientHeight - log.scrollTop"
    log = page.locator(".log")
    page.wait_for_timeout(300)  # the newest lines have found their size
    assert log.evaluate(left) < 2
    for height in (760, 900, 700):
        page.set_viewport_size({"width": 1440, "height": height})
        page.wait_for_timeout(150)
        assert log.evaluate(left) < 2


def test_news_in_the_banner_come_with_their_ground(server: ServerProcess, new_page: NewPage) -> None:
    page = at_turn(new_page(still=False), server, size=TABLET)
    names = "node => [...node.querySelectorAll('*')].map(inner => getComputedStyle(inner).animationName)"
    assert set(page.locator(".banner .last").evaluate(names)) == {"none"}


def test_the_focus_comes_back_after_a_menu(server: ServerProcess, new_page: NewPage) -> None:
    page = at_turn(new_page(), server, size=TABLET)
    for item in ("Keys", "tracks"):
        page.locator(act("menu")).click()
        page.locator("dialog li button", has_text=re.compile(item, re.IGNORECASE)).first.click()
        page.locator("dialog[open]").wait_for()
        page.keyboard.press("Escape")
        page.locator("dialog[open]").wait_for(state="detached")
        expect(page.locator(act("menu"))).to_be_focused()


def test_a_press_of_the_mouse_puts_no_frame_round_the_board(server: ServerProcess, new_page: NewPage) -> None:
    page = at_turn(new_page(), server, size=TABLET)
    board = page.locator(".board")
    page.keyboard.press("Tab")
    box = box_of(board)
    page.mouse.click(box["x"] + 4, box["bottom"] - 4)
    expect(board).to_be_focused()
    expect(board).to_have_css("outline-style", "none")
    page.keyboard.press("ArrowLeft")
    expect(board).to_have_css("outline-style", "solid")


# ---- words that do not belong ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(("edition", "stations"), [("usa", 0), ("europe", 1)])
def test_keys_are_those_of_the_edition(edition: str, stations: int, server: ServerProcess, new_page: NewPage) -> None:
    page = at_turn(new_page(), server, edition)
    page.keyboard.press("?")
    page.locator(act("rules-tab-keys")).click()
    expect(page.locator("dialog kbd", has_text=re.compile("^D$"))).to_have_count(1)
    expect(page.locator("dialog kbd", has_text=re.compile("^S$"))).to_have_count(stations)


def test_only_the_host_is_told_to_send_the_link(server: ServerProcess, new_page: NewPage) -> None:
    opened = open_beside(server, "europe", ME, {"kind": "open"}, {"kind": "open"}, start=False)
    host, guest = new_page(), new_page()
    sit(host, opened)
    expect(host.locator(".lead")).to_contain_text("link")
    guest.goto(f"/t/{opened['table']}")
    expect(guest.locator(".lead")).to_have_text("2 seats are still free.")


def test_nobody_is_asked_to_talk_to_bots(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page()
    sit(page, lay_table(server, "usa", OVER))
    page.locator(act("rematch")).wait_for()
    expect(page.locator(act("say"))).to_have_count(0)


def test_no_choice_of_tickets_is_wrong_before_it_is_made(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page()
    sit(page, lay_table(server, "usa", "first_tickets"))
    expect(page.locator(act("keep"))).to_have_text("Keep tickets")
    bad = page.evaluate("""() => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = 'var(--bad)';
      return getComputedStyle(probe).color;
    }""")
    expect(page.locator(".choice [role=status]")).to_be_visible()
    expect(page.locator(".choice [role=status]")).not_to_have_css("color", bad)


# ---- colours --------------------------------------------------------------------------------------------------------
PAINTED = """([paint, pale]) => {
  const space = document.querySelector(`.board .space[data-paint=${paint}]`);
  const track = document.querySelector('.board .track').cloneNode(false);
  track.style.setProperty('--pale', pale);
  track.append(space.cloneNode(true));
  document.querySelector('.board svg .tracks').append(track);
  const land = track.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'path'));
  land.style.fill = 'var(--land)';
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const bright = colour => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(c => c / 255)
      .map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const rect = getComputedStyle(track.querySelector('rect'));
  const [edge, ground] = [bright(rect.stroke), bright(getComputedStyle(land).fill)];
  const found = { fill: rect.fill, contrast: (Math.max(edge, ground) + 0.05) / (Math.min(edge, ground) + 0.05) };
  track.remove();
  return found;
}"""


@pytest.mark.parametrize(("theme", "paint"), [("dark", "black"), ("light", "white")])
def test_tracks_of_the_colour_of_the_land_are_seen(
    theme: str, paint: str, server: ServerProcess, new_page: NewPage
) -> None:
    page = at_turn(new_page(dark=theme == "dark"), server)
    assert page.evaluate(PAINTED, [paint, "45%"])["contrast"] >= 3


def test_high_contrast_fades_nothing(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.evaluate("localStorage['whistlestop.settings'] = JSON.stringify({ theme: 'contrast' })")
    at_turn(page, server)
    for paint in ("red", "green", "gray"):
        assert page.evaluate(PAINTED, [paint, "45%"])["fill"] == page.evaluate(PAINTED, [paint, "0%"])["fill"]
