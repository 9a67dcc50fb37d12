"""A newcomer's path: start page, lesson, its game to the end; hints in a game; the rules sheet."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.browser_pages import Checked, NewPage
from support.browser_tables import BOT, ME, open_beside, sit
from support.clients import ServerProcess
from support.learner import BUBBLE, Learner
from support.person import act

PICTURED = ("welcome", "claim", "pay", "keep", "last_round", "dearer", "station", "passenger", "over")
"""Steps that are looked at by the checker, beside those that are only passed."""
USA = [
    "welcome",
    "ticket",
    "hand",
    "claim",
    "double",
    "points",
    "draw",
    "second",
    "gray",
    "locomotive",
    "joker",
    "complete",
    "more_tickets",
    "keep",
    "plan",
    "blue",
    "alone",
    "last_round",
    "last_turn",
    "over",
]
COVERED = """() => {
    const bubble = document.querySelector('[data-bubble]').getBoundingClientRect();
    const ring = document.querySelector('.ring')?.getBoundingClientRect();
    const inside = bubble.left >= 0 && bubble.top >= 0 && bubble.right <= innerWidth && bubble.bottom <= innerHeight;
    const apart = !ring || bubble.right <= ring.left || ring.right <= bubble.left ||
        bubble.bottom <= ring.top || ring.bottom <= bubble.top;
    return { inside, apart, points: ring !== undefined };
}"""


def go_through(page: Page, lesson: str, checked: Checked, kind: str, *, touch: bool) -> list[str]:
    """Begin a lesson on the page of lessons and go through it; the names of its steps as they came."""

    def looked(name: str) -> None:
        step = name.rpartition(".")[2]
        place = page.evaluate(COVERED)
        assert place["inside"], name
        assert place["apart"], name
        assert place["points"] or name == "learn.step.usa.welcome", f"{name} points at nothing"
        if step in PICTURED:
            checked(page, f"learn-{lesson}-{step}-{kind}")

    page.locator(act(f"lesson-{lesson}")).click()
    learner = Learner(page, looked, touch=touch)
    learner.go_through()
    page.locator(f'[data-after-lesson="{lesson}"]').wait_for()
    return [name.rpartition(".")[2] for name in learner.said if name.startswith("learn.step.")]


@pytest.mark.parametrize(("language", "device"), [("en-GB", "desktop"), ("de-DE", "phone")])
def test_a_newcomer_learns_the_game_by_playing_it(
    language: str, device: str, new_page: NewPage, checked: Checked
) -> None:
    page = new_page(phone=device == "phone", dark=device == "phone", language=language, newcomer=True)
    page.goto("/")
    page.locator(act("learn")).click()
    page.locator(act("lesson-usa")).wait_for()
    page.wait_for_load_state("networkidle")
    checked(page, f"learn-{device}")
    steps = go_through(page, "usa", checked, device, touch=device == "phone")
    assert list(dict.fromkeys(steps)) == USA  # the guide's way is the same every time
    checked(page, f"learn-usa-after-{device}")
    page.locator(act("after-play")).click()
    page.locator(act("play-now")).wait_for()
    page.goto("/learn")
    expect(page.locator("li", has=page.locator(act("lesson-usa"))).locator(".badge")).to_be_visible()


def test_what_europe_adds(new_page: NewPage, checked: Checked) -> None:
    page = new_page(language="de-DE", newcomer=True)
    page.goto("/learn")
    steps = go_through(page, "europe", checked, "desktop", touch=False)
    assert list(dict.fromkeys(steps)) == ["welcome", "ferry", "tunnel", "dearer", "blocked", "station", "over"]


def test_what_germany_adds(new_page: NewPage, checked: Checked) -> None:
    page = new_page(phone=True, newcomer=True)
    page.goto("/learn")
    steps = go_through(page, "germany", checked, "phone", touch=True)
    expected = [
        "welcome",
        "keep",
        "claim",
        "passenger",
        "colours",
        "second",
        "company",
        "last_round",
        "last_turn",
        "over",
    ]
    assert list(dict.fromkeys(steps)) == expected


def test_a_lesson_can_be_left_and_gone_on_with_by_keyboard(new_page: NewPage) -> None:
    page = new_page(newcomer=True)
    page.goto("/learn")
    page.locator(act("lesson-usa")).press("Enter")
    expect(page.locator(BUBBLE)).to_have_attribute("data-bubble", "learn.step.usa.welcome")
    expect(page.locator(act("lesson-next"))).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(BUBBLE)).to_have_attribute("data-bubble", "learn.step.usa.ticket")
    # what is said is there for screen readers, and lights the ticket's cities
    text = page.locator(f"{BUBBLE} p").text_content()
    assert text
    assert text in page.locator("[aria-live=polite]").all_text_contents()
    page.keyboard.press("Escape")
    expect(page.locator(BUBBLE)).to_have_count(0)
    expect(page.locator(act("lesson-resume"))).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(BUBBLE)).to_have_attribute("data-bubble", "learn.step.usa.ticket")
    # another day
    page.goto("/learn")
    page.locator(act("lesson-go-on-usa")).click()
    expect(page.locator(BUBBLE)).to_have_attribute("data-bubble", "learn.step.usa.ticket")
    page.locator(act("lesson-next")).press("Enter")
    page.locator(act("lesson-next")).press("Enter")
    # a step that is done, not read: the focus is on the board, and the list of tracks does it too
    expect(page.locator(BUBBLE)).to_have_attribute("data-bubble", "learn.step.usa.claim")
    expect(page.locator("[role=application]")).to_be_focused()
    # doing something else is fine: the guide waits for its track at the next turn
    page.keyboard.press("d")
    expect(page.locator(".banner")).to_contain_text("second card")
    page.keyboard.press("d")
    expect(page.locator(".banner")).not_to_contain_text("second card")
    expect(page.locator(BUBBLE)).to_have_attribute("data-bubble", "learn.step.usa.claim", timeout=30_000)


def test_a_new_situation_explains_itself_once(new_page: NewPage, server: ServerProcess) -> None:
    page = new_page(newcomer=True)
    opened: dict[str, Any] = open_beside(server, "usa", ME, BOT)
    sit(page, opened)
    bubble = page.locator(BUBBLE)
    expect(bubble).to_have_attribute("data-bubble", "first_tickets")
    page.locator(act("understood")).click()
    expect(bubble).to_have_count(0)
    page.reload()
    page.locator(act("keep")).wait_for()
    expect(bubble).to_have_count(0)
    for ticket in (0, 1):
        page.locator(act(f"ticket-{ticket}")).click()
    page.locator(act("keep")).click()
    expect(bubble).to_have_attribute("data-bubble", "turn")
    # whoever goes on without the button has understood it, too
    page.keyboard.press("d")
    expect(bubble).to_have_attribute("data-bubble", "second_card")
    page.keyboard.press("Escape")
    expect(bubble).to_have_count(0)
    # the settings bring all of them back
    page.locator(act("settings")).click()
    page.locator(act("settings-explain")).click()
    page.locator(act("settings-explain")).click()
    page.locator(act("settings-close")).click()
    expect(bubble).to_have_attribute("data-bubble", "second_card")


@pytest.mark.parametrize(("language", "rule"), [("en-GB", "DRAW-7"), ("de-DE", "TUNNEL-2")])
def test_the_rules_sheet(language: str, rule: str, new_page: NewPage, server: ServerProcess, checked: Checked) -> None:
    page = new_page(language=language)
    sit(page, open_beside(server, "europe", ME, BOT))
    page.locator(act("keep")).wait_for()
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_role("row")).to_have_count(7)  # lengths of Europe's tracks, and the head
    checked(page, f"rules-short-{language[:2]}")
    page.locator(act("rules-tab-all")).click()
    told = server.ask("GET", f"/api/editions/europe/rules?language={language[:2]}")
    chapter = next(one for one in told["chapters"] if any(found["id"] == rule for found in one["rules"]))
    sheet.locator("details", has_text=chapter["title"]).locator("summary").click()
    wanted = next(found for found in chapter["rules"] if found["id"] == rule)
    expect(sheet.get_by_text(wanted["text"].replace("`", "")[:60])).to_be_visible()
    page.locator(act("rules-tab-keys")).click()
    expect(sheet.locator("kbd").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
