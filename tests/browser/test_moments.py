"""Every kind of decision in every edition through the page, on tables laid at late moments of a game."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from support.browser_pages import NewPage
from support.browser_tables import expect_result, sit
from support.clients import ServerProcess
from support.keyboard_person import KeyboardPerson
from support.laid_tables import OVER, SEAT, lay_table
from support.person import Person, act
from whistlestop.mapfile import load_edition

USA = ("first_tickets", "turn", "tickets")
EUROPE = (*USA, "tunnel", "station")
GERMANY = ("announce", *USA, "passenger")
DECISIONS = {
    "usa": USA,
    "europe": EUROPE,
    "europe-1912": EUROPE,
    "mega-europe": EUROPE,
    "big-cities": EUROPE,
    "germany": GERMANY,
}
"""What a player decides in each edition."""
HANDS = [
    *((edition, "mouse") for edition in DECISIONS),
    *((edition, hand) for edition in ("europe", "germany") for hand in ("keyboard", "touch")),
]
AT_ONCE = ("announce", "first_tickets")
"""Choices of all players at once: the bots make theirs as soon as the table is there."""
BOTS = 2
REPLAYED = 60


def person_at(page: Page, server: ServerProcess, opened: dict[str, Any], hand: str) -> Person:
    """Somebody who plays by mouse, keyboard or touch."""
    if hand == "keyboard":
        return KeyboardPerson(page, server, opened["table"], opened["key"])
    return Person(page, server, opened["table"], opened["key"], touch=hand == "touch")


def decision(edition: str, moment: str, frame: dict[str, Any]) -> tuple[str, Any]:
    """What to do at a moment: the last of the choices, so that it is never the one that is chosen already."""
    options = frame["options"]
    match moment:
        case "turn":
            tracks = load_edition(edition).board.tracks
            track = next(int(track) for track in options["claims"] if not tracks[int(track)].tunnel)
            return "claim", (track, options["claims"][str(track)][-1])
        case "station":
            return "station", (next(iter(options["stations"]["cities"])), options["stations"]["payments"][-1]["id"])
        case "first_tickets" | "tickets":
            return "keep", options["keep"][-1]
        case "tunnel":
            return "pay_extra", options["pay_extra"][-1]
        case "passenger":
            return "passengers", options["passengers"][-1]
    return moment, options[moment][-1]


def told(choice: tuple[str, Any]) -> dict[str, Any]:
    """What the server must tell its player about a choice that was made."""
    kind, what = choice
    match kind:
        case "claim":
            return {"kind": "claim", "track": what[0], "cards": what[1]["cards"], "claimed": what[0]}
        case "station":
            return {"kind": "station", "city": what[0]}
        case "keep":
            return {"kind": "keep", "kept": len(what["kept"])}
        case "pay_extra":
            return {"kind": "pay_extra", "cards": what["cards"]}
        case "passengers":
            return {"kind": "take_passenger", "passenger": what["passenger"]}
    return {"kind": kind, "mix": what["mix"]}


@pytest.mark.parametrize(("edition", "hand"), HANDS)
def test_decisions_through_the_page(edition: str, hand: str, server: ServerProcess, new_page: NewPage) -> None:
    page = new_page(phone=hand == "touch")
    for moment in DECISIONS[edition]:
        opened = lay_table(server, edition, moment, 1 + BOTS)
        sit(page, opened)
        person = person_at(page, server, opened, hand)
        due = opened["n"] + (BOTS if moment in AT_ONCE else 0)
        person.wait_until_shown(due)
        before = person.wait_turn()
        assert before["n"] == due, f"{moment}: the table is not where it was laid"
        choice = decision(edition, moment, before)
        person.do(before, choice)
        person.wait_until_shown(before["n"] + 1)
        move = person.frame(known=before["n"])["moves"][0]
        assert move["seat"] == SEAT
        assert {name: move.get(name) for name in told(choice)} == told(choice), moment
        if moment == "turn":
            expect(page.locator(f'[data-track="{move["claimed"]}"]')).to_have_attribute("data-owner", str(SEAT))


@pytest.mark.parametrize("edition", DECISIONS)
def test_the_last_round_and_the_result(edition: str, server: ServerProcess, new_page: NewPage) -> None:
    page = new_page()
    opened = lay_table(server, edition, "last_round")
    sit(page, opened)
    expect(page.locator(".banner [role=status]")).to_be_visible()
    person = Person(page, server, opened["table"], opened["key"])
    person.play_on()
    assert person.done
    page.locator(act("result")).click()
    expect_result(page, server, opened["table"])


@pytest.mark.parametrize("edition", DECISIONS)
def test_a_game_that_is_over_and_its_replay(edition: str, server: ServerProcess, new_page: NewPage) -> None:
    page = new_page()
    opened = lay_table(server, edition, OVER)
    sit(page, opened)
    expect_result(page, server, opened["table"])
    for eyes in ("", "&eyes=1"):
        page.goto(f"/replay/{opened['table']}?n={REPLAYED}{eyes}")
        page.locator(f'[data-screen="replay"][data-n="{REPLAYED}"]').wait_for()
        seen = server.ask("GET", f"/api/tables/{opened['table']}/replay/{REPLAYED}")
        expect(page.locator("[data-track][data-owner]")).to_have_count(len(seen["view"]["owners"]))
    page.locator(act("next")).first.click()
    page.locator(f'[data-screen="replay"][data-n="{REPLAYED + 1}"]').wait_for()


def test_a_game_is_played_on_by_touch(server: ServerProcess, new_page: NewPage) -> None:
    page = new_page(phone=True)
    opened = lay_table(server, "europe", "middle")
    sit(page, opened)
    person = Person(page, server, opened["table"], opened["key"], seed=3, touch=True)
    person.play_on()
    assert {"claim", "draw_blind"} <= set(person.done)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator(act("result")).tap()
    page.locator('[data-screen="end"]').wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
