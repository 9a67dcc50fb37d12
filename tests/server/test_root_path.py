"""The whole site below a path, behind a proxy that takes the path off and behind one that does not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import httpx
import pytest
from websockets.sync.client import connect

from support.clients import ServerThread, open_table, refusal
from whistlestop.cli.inputs import site_path
from whistlestop.cli.terminal import CommandError
from whistlestop.server.app import page_at

ROOT = "/games"


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    with ServerThread(tmp_path_factory.mktemp("below"), root_path=ROOT) as server:
        yield server


def get(server: ServerThread, path: str) -> httpx.Response:
    return httpx.get(f"{server.url}{path}", trust_env=False)


@pytest.mark.parametrize("prefix", ["", ROOT])
def test_page_files_api_and_docs_are_there(below: ServerThread, prefix: str) -> None:
    for path in ("/", "/new", "/t/abcdefgh"):
        page = get(below, prefix + path)
        assert page.status_code == 200
        assert f'<meta name="base" content="{ROOT}" />' in page.text
        addresses = re.findall(r'(?:href|src)="([^"]+)"', page.text)
        assert len(addresses) >= 5
        assert all(address.startswith(f"{ROOT}/") for address in addresses)
        for address in addresses:
            found = get(below, address.removeprefix(ROOT) if not prefix else address)
            assert found.status_code == 200
            assert "text/html" not in found.headers["content-type"], address
    assert get(below, f"{prefix}/api/editions").json()[0]["id"]
    docs = get(below, f"{prefix}/docs")
    assert f"{ROOT}/openapi.json" in docs.text
    assert get(below, f"{prefix}/openapi.json").json()["servers"] == [{"url": ROOT}]
    assert "'unsafe-inline'" in docs.headers["content-security-policy"]
    assert "'unsafe-inline'" not in get(below, f"{prefix}/").headers["content-security-policy"]


def test_early_links_are_below_the_path(below: ServerThread) -> None:
    client = open_table(below.url)
    links = get(below, f"{ROOT}/t/{client.table}").headers["link"]
    assert f"<{ROOT}/api/editions/europe/board>" in links
    assert all(address.startswith(f"{ROOT}/") for address in re.findall("<([^>]+)>", links))


@pytest.mark.parametrize("prefix", ["", ROOT])
def test_sockets_are_there(below: ServerThread, prefix: str) -> None:
    client = open_table(below.url + prefix)
    url = f"{below.url.replace('http', 'ws')}{prefix}/api/tables/{client.table}/live"
    with connect(url, proxy=None) as line:
        line.send(json.dumps({"t": "hello", "key": client.key}))
        assert json.loads(line.recv(20))["t"] == "welcome"


def test_limits_hold_below_the_path(below: ServerThread) -> None:
    answer = httpx.post(
        f"{below.url}{ROOT}/api/tables", json={}, headers={"origin": "https://evil.example"}, trust_env=False
    )
    assert refusal(answer) == (403, "wrong_origin")
    assert get(below, f"{ROOT}x/api/editions").headers["content-type"].startswith("text/html")
    assert get(below, f"{ROOT}/api/admin/tables").status_code == 404


def test_at_the_root_nothing_is_relative(server: ServerThread) -> None:
    page = get(server, "/t/abcdefgh").text
    assert '<meta name="base" content="" />' in page
    assert all(address.startswith("/") for address in re.findall(r'(?:href|src)="([^"]+)"', page))
    assert page_at("", '<a href="./x" src="/y">') == '<a href="/x" src="/y">'


def test_paths_are_read_with_care() -> None:
    assert [site_path(text) for text in ("", "/", "/games", "/games/", "/a/b-c")] == [
        "",
        "",
        "/games",
        "/games",
        "/a/b-c",
    ]
    for text in ("games", "//games", '/"><script>', "/a b", "https://x/games"):
        with pytest.raises(CommandError, match="takes a path such as /games"):
            site_path(text)
