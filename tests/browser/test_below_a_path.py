"""The site below a path: links, files, requests and sockets of the page stay below it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from support.browser_pages import NewPage
from support.clients import ServerProcess, open_table
from support.person import PLAY, act

ROOT = "/games"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server of this file's own, below a path."""
    with ServerProcess(tmp_path_factory.mktemp("below"), None, "--root-path", ROOT) as running:
        yield running


def test_everything_stays_below_the_path(server: ServerProcess, new_page: NewPage) -> None:
    page, asked = new_page(), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url.replace("ws", "http", 1)))
    page.goto(f"{server.url}{ROOT}/")
    page.locator(act("open-table")).click()
    expect(page).to_have_url(f"{server.url}{ROOT}/new")
    page.go_back()
    expect(page.locator(act("open-table"))).to_be_visible()

    client = open_table(server.url, "europe", "me", "random")
    page.goto(f"{server.url}{ROOT}/t/{client.table}#{client.key}")
    expect(page.locator(PLAY)).to_be_visible()
    expect(page).to_have_url(f"{server.url}{ROOT}/t/{client.table}")
    page.reload()
    expect(page.locator(PLAY)).to_be_visible()
    assert any(re.search("/live$", url) for url in asked)
    assert [url for url in asked if not url.startswith((f"{server.url}{ROOT}/", "data:", "blob:"))] == []
