"""Opening tables, by the page or beside it, and what their end looks like."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from support.person import Api, act


def open_by_page(page: Page, edition: str, seats: int = 2) -> tuple[str, str]:
    """Open a table by the page, against bots that lose no time; the table and the key that the browser keeps."""
    page.goto("/new")
    page.locator(act(f"edition-{edition}")).click()
    page.locator(act(f"seats-{seats}")).click()
    for seat in range(1, seats):
        page.locator(act(f"seat-{seat}-kind")).select_option("bot:casual")
    page.locator("details summary").first.click()
    page.locator(act("pace")).select_option("instant")
    page.locator(act("start")).click()
    page.locator('[data-screen="play"]').wait_for()
    return table_of(page)


def table_of(page: Page) -> tuple[str, str]:
    """The table of a page, and the key that its browser keeps."""
    table = page.url.rpartition("/t/")[2].partition("#")[0].partition("?")[0]
    key: str = page.evaluate(
        "table => JSON.parse(localStorage['whistlestop.keys']).find(kept => kept.table === table).key", table
    )
    return table, key


def open_beside(
    server: Api, edition: str, *seats: dict[str, Any], pace: str = "instant", start: bool = True
) -> dict[str, Any]:
    """Open a table by the API; its id and key."""
    wish = {"edition": edition, "seats": list(seats), "pace": pace, "start": start}
    opened: dict[str, Any] = server.ask("POST", "/api/tables", json=wish)
    return opened


ME = {"kind": "me", "name": "Ada"}
BOT = {"kind": "bot", "bot": "casual"}


def sit(page: Page, opened: dict[str, Any]) -> None:
    """Come to a table by the secret link of a seat."""
    page.goto(f"/t/{opened['table']}#{opened['key']}")
    page.locator('[data-screen="play"], [data-screen="waiting"], [data-screen="end"]').first.wait_for()


def expect_result(page: Page, server: Api, table: str) -> None:
    """Expect the end screen with every player's name and total, as the server counted them."""
    shown = page.locator('[data-screen="end"]')
    shown.wait_for()
    players = server.ask("GET", f"/api/tables/{table}/end")["result"]["players"]
    assert len(players) > 1
    for seat, player in enumerate(players):
        expect(shown).to_contain_text(player["name"])
        total = shown.locator(f'td[data-total="{seat}"]')
        expect(total).to_have_text(str(player["total"]).replace("-", "−"))
